/* Numbers of `fathom rays`: arrivals at a receiver, and the field of a source. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "acoustics/sound_file.h"
#include "rays.h"

#define DEGREE (3.14159265358979323846 / 180)

/* --- arrivals --- */

enum { ARRIVALS_MOST = 512 };

static void print_arrivals(const cli_rays *r, const fm_arrival *list, size_t count)
{
    double absorption = cli_rays_absorption(r);
    if (r->json)
        printf("{\"arrivals\":[");
    else
        printf("%zu arrivals\n%12s %9s %9s %9s %8s %8s %7s\n", count, "time s", "launch °", "arrival °", "loss dB",
               "phase °", "surface", "bottom");
    for (size_t i = 0; i < count; i++) {
        const fm_arrival *a = &list[i];
        double loss = a->loss + absorption * a->length;
        if (r->json)
            printf("%s{\"time\":%.12g,\"launch\":%.12g,\"arrival\":%.12g,\"loss\":%.9g,\"phase\":%.9g,\"surface\":%d,"
                   "\"bottom\":%d}",
                   i ? ",\n" : "", a->time, a->launch, a->arrival, loss, a->phase, a->surface, a->bottom);
        else
            printf("%12.6f %9.4f %9.4f %9.3f %8.1f %8d %7d\n", a->time, a->launch / DEGREE, a->arrival / DEGREE, loss,
                   a->phase / DEGREE, a->surface, a->bottom);
    }
    if (r->json)
        printf("]}\n");
    else if (!count)
        printf("no ray within the angles reaches the receiver: it is in a shadow zone\n");
}

fm_status cli_rays_tell_arrivals(const cli_rays *r, fm_error *error)
{
    static fm_arrival list[ARRIVALS_MOST];
    fm_eigenray_options o = {
        .lowest = r->lowest, .highest = r->highest, .reflections = cli_rays_reflections(r), .frequency = r->frequency};
    size_t count =
        fm_eigenrays_find(&r->guide, r->source_depth, r->receiver_depth, r->receiver_range, &o, list, ARRIVALS_MOST);
    if (strcmp(r->arrivals, "-") != 0)
        return fm_arrivals_write(r->arrivals, list, count, cli_rays_absorption(r), error);
    print_arrivals(r, list, count);
    return FM_OK;
}

/* --- the field --- */

fm_status cli_rays_write_field(const cli_rays *r, fm_error *error)
{
    fm_field_options o = {.frequency = r->frequency,
                          .range = r->range,
                          .depth = r->guide.depth[r->guide.layers],
                          .columns = 500,
                          .rows = 200,
                          .lowest = r->lowest,
                          .highest = r->highest,
                          .rays = (int)r->rays,
                          .reflections = r->reflections < 0   ? 0
                                         : r->reflections > 0 ? (int)r->reflections
                                                              : -1,
                          .incoherent = r->incoherent};
    o.absorption = cli_rays_absorption(r);
    double *loss = fm_alloc(o.columns * o.rows * sizeof *loss);
    if (!loss)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory");
    fm_status status = fm_field_compute(&r->guide, r->source_depth, &o, loss, error);
    if (status == FM_OK)
        status = fm_sound_file_is_table(r->field) ? fm_field_write(r->field, &o, r->source_depth, loss, error)
                                                  : cli_rays_draw_field(r, &o, loss, error);
    fm_free(loss);
    return status;
}
