/* Archived telemetry: queries, and its offset in time. archive_read.c reads it. */
#include "analysis/archive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "physics/real.h"

void fm_archive_free(fm_archive *a)
{
    fm_arena_free(&a->arena);
    *a = (fm_archive){0};
}

/* The value of a series at a time of the record; NaN: none, as outside it and in gaps. */
static double look_up(fm_archive *a, int quantity, double t)
{
    const fm_record_series *s = &a->series[quantity];
    size_t *at = &a->at[quantity];
    if (!s->count || !(t >= s->t[0]) || t > s->t[s->count - 1])
        return NAN;
    while (*at > 0 && s->t[*at] > t)
        --*at;
    while (*at + 1 < s->count && s->t[*at + 1] <= t)
        ++*at;
    if (s->t[*at] == t || *at + 1 == s->count)
        return s->y[*at];
    double span = s->t[*at + 1] - s->t[*at], step = s->y[*at + 1] - s->y[*at];
    if (span > a->gap)
        return NAN;
    if (fm_kinematics_infos[quantity].is_angle)
        step -= 2 * FM_PI * floor(step / (2 * FM_PI) + 0.5);
    return s->y[*at] + step * (t - s->t[*at]) / span;
}

size_t fm_archive_at(fm_archive *a, double time, fm_kinematics *motion)
{
    for (int i = 0; i < FM_KINEMATICS_COUNT; i++)
        motion->values[i] = look_up(a, i, time - a->offset);
    return fm_kinematics_known(motion);
}

static int read_source(void *user, double time, uint64_t step, fm_overlay_reading *reading)
{
    fm_archive *a = user;
    *reading = (fm_overlay_reading){.time = time - a->offset, .number = step + 1};
    return fm_archive_at(a, time, &reading->motion) > 0;
}

static void free_source(void *user)
{
    fm_archive_free(user);
    fm_free(user);
}

fm_overlay_source fm_archive_source(fm_archive *archive)
{
    return (fm_overlay_source){read_source, free_source, archive};
}

void fm_archive_list(const fm_archive *a, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < FM_KINEMATICS_COUNT && used < size; i++)
        if (a->series[i].count)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " " : "", fm_kinematics_infos[i].name);
}

fm_status fm_archive_align(fm_archive *a, const fm_record_series model[FM_KINEMATICS_COUNT], double reach,
                           double *correlation, fm_kinematics_quantity *by, fm_error *error)
{
    double best = NAN, offset = a->offset;
    fm_error cause = {0};
    for (int i = 0; i < FM_KINEMATICS_COUNT; i++) {
        fm_record_pair pair = {&model[i], &a->series[i], 1, 0, fm_kinematics_infos[i].is_angle ? 2 * FM_PI : 0};
        const fm_record_window window = {.offset = a->offset};
        double found, fit;
        if (!model[i].count || !a->series[i].count ||
            fm_record_align(&pair, &window, reach, &found, &fit, &cause) != FM_OK || !(fit > best || isnan(best)))
            continue;
        best = fit;
        offset = found;
        *by = (fm_kinematics_quantity)i;
    }
    if (isnan(best))
        return fm_fail(error, FM_ERR_RANGE, "%s",
                       cause.status ? cause.text : "the telemetry and the model have no quantity in common");
    a->first += offset - a->offset;
    a->last += offset - a->offset;
    a->offset = offset;
    *correlation = best;
    return FM_OK;
}
