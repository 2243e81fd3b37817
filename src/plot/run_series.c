#include "plot/run_series.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static int grow(double **items, size_t room)
{
    double *made = fm_realloc(*items, room * sizeof *made);
    if (!made)
        return 0;
    *items = made;
    return 1;
}

static size_t most_of(size_t most)
{
    return most ? most : FM_RUN_POINTS;
}

/* --- a value over time --- */

static int push(fm_run_series *s, double t, double y)
{
    if (s->count == s->room) {
        size_t room = 2 * s->room + 256;
        if (!grow(&s->t, room) || !grow(&s->y, room))
            return 0;
        s->room = room;
    }
    s->t[s->count] = t;
    s->y[s->count++] = y;
    return 1;
}

/* Of four points the lowest and the highest stay, in the order of time. NaN stays where all four are. */
static void keep_two(fm_run_series *s, size_t from, size_t to)
{
    size_t low = from, high = from;
    for (size_t i = from + 1; i < from + 4; i++) {
        low = isnan(s->y[low]) || s->y[i] < s->y[low] ? i : low;
        high = isnan(s->y[high]) || s->y[i] > s->y[high] ? i : high;
    }
    size_t first = low < high ? low : high, second = low < high ? high : low;
    if (first == second) /* all are the same: the ends */
        first = from, second = from + 3;
    double t[2] = {s->t[first], s->t[second]}, y[2] = {s->y[first], s->y[second]};
    memcpy(s->t + to, t, sizeof t);
    memcpy(s->y + to, y, sizeof y);
}

static void halve(fm_run_series *s)
{
    size_t kept = 0;
    for (size_t i = 0; i + 4 <= s->count; i += 4, kept += 2)
        keep_two(s, i, kept);
    s->count = kept;
    s->bucket = s->bucket > 1 ? 2 * s->bucket : 4;
}

static int empty_bucket(fm_run_series *s)
{
    int low_first = s->low_t <= s->high_t;
    s->held = 0;
    return push(s, low_first ? s->low_t : s->high_t, low_first ? s->low : s->high) &&
           push(s, low_first ? s->high_t : s->low_t, low_first ? s->high : s->low);
}

int fm_run_series_add(fm_run_series *s, double t, double y)
{
    s->last_t = t;
    s->last = y;
    if (s->bucket < 2) {
        if (s->count < most_of(s->most))
            return push(s, t, y);
        halve(s);
    }
    if (!s->held || isnan(s->low) || y < s->low)
        s->low_t = t, s->low = y;
    if (!s->held || isnan(s->high) || y > s->high)
        s->high_t = t, s->high = y;
    if (++s->held < s->bucket)
        return 1;
    if (s->count + 2 <= most_of(s->most))
        return empty_bucket(s);
    halve(s);
    s->held = s->bucket / 2; /* what is at hand is half of a bucket of twice the size */
    return 1;
}

int fm_run_series_end(fm_run_series *s)
{
    if (s->held && !empty_bucket(s))
        return 0;
    if (s->bucket > 1 && s->count && s->t[s->count - 1] < s->last_t)
        return push(s, s->last_t, s->last);
    return 1;
}

void fm_run_series_free(fm_run_series *s)
{
    fm_free(s->t);
    fm_free(s->y);
    *s = (fm_run_series){0};
}

int fm_run_series_range(const fm_run_series *s, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t i = 0; i < s->count; i++)
        if (isfinite(s->y[i])) {
            *low = fmin(*low, s->y[i]);
            *high = fmax(*high, s->y[i]);
        }
    return *low <= *high;
}

/* --- places over time --- */

static int append_point(fm_run_track *track, const double sample[4])
{
    if (track->count == track->room) {
        size_t room = 2 * track->room + 256;
        if (!grow(&track->t, room) || !grow(&track->position[0], room) || !grow(&track->position[1], room) ||
            !grow(&track->position[2], room))
            return 0;
        track->room = room;
    }
    track->t[track->count] = sample[0];
    for (int k = 0; k < 3; k++)
        track->position[k][track->count] = sample[1 + k];
    track->count++;
    return 1;
}

static void thin_out(fm_run_track *track)
{
    size_t kept = 0;
    for (size_t i = 0; i < track->count; i += 2, kept++) {
        track->t[kept] = track->t[i];
        for (int k = 0; k < 3; k++)
            track->position[k][kept] = track->position[k][i];
    }
    track->count = kept;
    track->stride = track->stride ? 2 * track->stride : 2;
}

int fm_run_track_add(fm_run_track *track, double t, const double point[3])
{
    track->last[0] = t;
    memcpy(track->last + 1, point, 3 * sizeof *point);
    if (track->skipped + 1 < track->stride) {
        track->skipped++;
        return 1;
    }
    if (track->count == most_of(track->most))
        thin_out(track);
    track->skipped = 0;
    return append_point(track, track->last);
}

int fm_run_track_end(fm_run_track *track)
{
    int ended = !track->count || track->t[track->count - 1] == track->last[0];
    return ended || append_point(track, track->last);
}

void fm_run_track_free(fm_run_track *track)
{
    fm_free(track->t);
    for (int k = 0; k < 3; k++)
        fm_free(track->position[k]);
    *track = (fm_run_track){0};
}
