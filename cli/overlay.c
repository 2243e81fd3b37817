#include "overlay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "environment/environment.h"
#include "log_file.h"
#include "mapping.h"
#include "overlay_live.h"
#include "run/run.h"
#include "world/world.h"

/* "auv=udp:5000" taken apart. */
typedef struct source_name {
    char vehicle[64]; /* "": the first */
    const char *text; /* file, or "udp:…" */
} source_name;

/* A name of a vehicle and '='; a path may hold '=' too, after a slash. */
static source_name read_name(const char *text)
{
    source_name s = {.text = text};
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    if (!length || length >= sizeof s.vehicle || memchr(text, '/', length))
        return s;
    memcpy(s.vehicle, text, length);
    s.text = equals + 1;
    return s;
}

/* --- archives --- */

static fm_status read_archive(const char *command, const cli_overlays *o, const char *vehicle, const char *file,
                              const fm_geodetic *origin, fm_archive *archive, fm_error *error)
{
    cli_mapping maps[CLI_LIST_MOST];
    fm_archive_map *list = calloc(o->maps.count + 1, sizeof *list);
    fm_status status = list ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "out of memory");
    size_t count = 0;
    *archive = (fm_archive){0};
    for (; status == FM_OK && count < o->maps.count; count++) {
        cli_mapping *m = &maps[count];
        if (cli_mapping_read(command, "--overlay-map", o->maps.items[count], m) != CLI_DONE)
            status = fm_fail(error, FM_ERR_SYNTAX, "%s", o->maps.items[count]);
        else
            list[count] = (fm_archive_map){m->ours, m->theirs, m->factor, m->shift, m->scaled};
    }
    fm_archive_options options = {.vehicle = vehicle,
                                  .record = {o->time, o->where.items, o->where.count},
                                  .origin = origin,
                                  .offset = o->offset,
                                  .gap = o->gap,
                                  .maps = list,
                                  .map_count = o->maps.count};
    if (status == FM_OK)
        status = fm_archive_read(archive, file, &options, error);
    for (size_t i = 0; i < count; i++)
        free(maps[i].ours);
    free(list);
    return status;
}

bool cli_log_origin(const char *file, fm_geodetic *origin)
{
    fm_mcap_reader *reader;
    fm_error none = {0};
    if (!cli_is_log(file) || fm_mcap_open(file, &reader, &none) != FM_OK)
        return false;
    const char *latitude = fm_mcap_get_metadata(reader, "parameters", "/world/latitude"),
               *longitude = fm_mcap_get_metadata(reader, "parameters", "/world/longitude");
    *origin = (fm_geodetic){0};
    bool found = latitude && longitude && fm_text_number_read(&latitude, &origin->latitude) &&
                 fm_text_number_read(&longitude, &origin->longitude);
    fm_mcap_reader_close(reader);
    return found;
}

int cli_archive_read(const char *command, const cli_overlays *o, const char *vehicle, const char *file,
                     const fm_geodetic *origin, fm_archive *archive)
{
    fm_error error = {0};
    if (read_archive(command, o, vehicle, file, origin, archive, &error) == FM_OK)
        return 1;
    fm_archive_free(archive);
    return fprintf(stderr, "fathom %s: --overlay: %s\n", command, error.text), 0;
}

/* --- the place in time --- */

enum { ALIGN_SAMPLES = 20000 };

typedef struct rehearsal {
    fm_record_series series[FM_KINEMATICS_COUNT];
    double *block;
} rehearsal;

static int make_room(rehearsal *r, size_t count)
{
    r->block = calloc((FM_KINEMATICS_COUNT + 1) * (count + 1), sizeof *r->block);
    for (int i = 0; i < FM_KINEMATICS_COUNT && r->block; i++)
        r->series[i] = (fm_record_series){.name = fm_kinematics_infos[i].name,
                                          .unit = fm_kinematics_infos[i].unit,
                                          .t = r->block,
                                          .y = r->block + (size_t)(i + 1) * (count + 1)};
    return r->block != NULL;
}

/* The motion of the model without inputs, until the record ends. */
static fm_status rehearse(const fm_world *like, const char *vehicle, double until, rehearsal *r, fm_error *error)
{
    const fm_model *model = fm_world_model(like);
    fm_world_options options = {.seeded = 1, .seed = like->head->seed};
    fm_world *world = fm_world_create(model, &options, error);
    double dt = fm_model_dt(model), step = fmax(fmax(dt, 0.05), until / ALIGN_SAMPLES);
    if (!world)
        return error->status;
    fm_status status =
        make_room(r, (size_t)(until / step) + 2) ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "out of memory");
    for (size_t k = 0; status == FM_OK && (double)k * step <= until; k++) {
        status = fm_world_run_until(world, (double)k * step, error);
        int slot = status == FM_OK ? fm_world_find(world, vehicle) : -1;
        if (slot < 0)
            break;
        fm_kinematics m;
        fm_kinematics_of(world, slot, &m);
        r->block[k] = fm_world_time(world);
        for (int i = 0; i < FM_KINEMATICS_COUNT; i++)
            r->series[i].y[r->series[i].count++] = m.values[i];
    }
    fm_world_free(world);
    return status;
}

static int align(const char *command, const cli_overlays *o, const fm_world *world, const char *vehicle,
                 fm_archive *archive)
{
    rehearsal r = {0};
    fm_error error = {0};
    double correlation = NAN;
    fm_kinematics_quantity by = FM_KINEMATICS_NORTH;
    fm_status status = archive->last + o->align > 0
                           ? rehearse(world, vehicle, archive->last + o->align, &r, &error)
                           : fm_fail(&error, FM_ERR_RANGE, "the record ends before the run begins");
    if (status == FM_OK)
        status = fm_archive_align(archive, r.series, o->align, &correlation, &by, &error);
    free(r.block);
    if (status != FM_OK)
        return fprintf(stderr, "fathom %s: --overlay-align: %s\n", command, error.text), 0;
    fprintf(stderr, "fathom %s: overlay of %s: times are shifted by %.6g s (correlation %.4f of %s)\n", command,
            vehicle, archive->offset, correlation, fm_kinematics_infos[by].name);
    return 1;
}

static void describe(const char *command, const char *vehicle, const char *file, const fm_archive *archive)
{
    char list[256];
    fm_archive_list(archive, list, sizeof list);
    fprintf(stderr, "fathom %s: overlay of %s: %s, %.9g … %.9g s: %s\n", command, vehicle, file, archive->first,
            archive->last, list);
    if (archive->first > 1e8)
        fprintf(
            stderr,
            "fathom %s: its times have another origin: --overlay-offset %.9g aligns its start with that of the run\n",
            command, -archive->first);
}

/* A separate archive; NULL: the reason was printed. */
static fm_archive *open_archive(const char *command, const cli_overlays *o, const char *vehicle, const char *file,
                                const fm_geodetic *origin)
{
    fm_archive *archive = fm_alloc(sizeof *archive);
    if (!archive)
        return fprintf(stderr, "fathom %s: out of memory\n", command), NULL;
    if (cli_archive_read(command, o, vehicle, file, origin, archive))
        return archive;
    fm_free(archive);
    return NULL;
}

static int attach_archive(const char *command, fm_run *run, const cli_overlays *o, const char *vehicle,
                          const char *file)
{
    fm_error error = {0};
    const fm_environment *e = fm_run_world(run)->model->environment;
    fm_archive *archive = open_archive(command, o, vehicle, file, &(fm_geodetic){e->latitude, e->longitude, 0});
    if (!archive)
        return 0;
    fm_overlay_source source = fm_archive_source(archive);
    if (o->align > 0 && fm_world_find(fm_run_world(run), vehicle) >= 0 &&
        !align(command, o, fm_run_world(run), vehicle, archive))
        return source.free(source.user), 0;
    describe(command, vehicle, file, archive);
    if (fm_run_overlay(run, vehicle, &source, &error) == FM_OK)
        return 1;
    return fprintf(stderr, "fathom %s: --overlay %s: %s\n", command, file, error.text), 0;
}

/* --- all of them --- */

int cli_overlays_attach(const char *command, fm_run *run, const cli_overlays *o, struct fm_host *host,
                        cli_overlay_counts **counts)
{
    int ok = 1;
    *counts = NULL;
    for (size_t i = 0; i < o->sources.count && ok; i++) {
        source_name s = read_name(o->sources.items[i]);
        const char *first = fm_world_name(fm_run_world(run), 0), *vehicle = s.vehicle[0] ? s.vehicle : first;
        if (!vehicle)
            return fprintf(stderr, "fathom %s: --overlay: the scenario has no vehicle\n", command), 0;
        ok = strncmp(s.text, "udp:", 4) == 0 ? cli_overlay_live_attach(command, run, vehicle, s.text + 4, host, counts)
                                             : attach_archive(command, run, o, vehicle, s.text);
    }
    return ok;
}

/* Over a recording; NULL: the reason was printed. */
static fm_overlay *read_overlay(const char *command, const cli_overlays *o, const char *text, const fm_geodetic *origin)
{
    source_name s = read_name(text);
    const char *vehicle = s.vehicle[0] ? s.vehicle : NULL;
    fm_error error = {0};
    if (strncmp(s.text, "udp:", 4) == 0 || o->align > 0)
        return fprintf(stderr,
                       "fathom %s: --overlay: a recording accepts only records, with --overlay-offset; `fathom compare "
                       "--align` finds the offset\n",
                       command),
               NULL;
    fm_archive *archive = open_archive(command, o, vehicle, s.text, origin);
    if (!archive)
        return NULL;
    fm_overlay_source source = fm_archive_source(archive);
    describe(command, vehicle ? vehicle : "the first vehicle", s.text, archive);
    return fm_overlay_create(s.vehicle, &source, &error);
}

fm_overlay *cli_overlays_read(const char *command, const cli_overlays *o, const char *recording, int *ok)
{
    fm_geodetic origin;
    bool known = o->sources.count && cli_log_origin(recording, &origin);
    fm_overlay *all = NULL, **end = &all;
    *ok = 1;
    for (size_t i = 0; i < o->sources.count && *ok; i++) {
        *end = read_overlay(command, o, o->sources.items[i], known ? &origin : NULL);
        *ok = *end != NULL;
        end = *end ? &(*end)->next : end;
    }
    return all;
}
