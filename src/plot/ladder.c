#include "plot/ladder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "plot/ticks.h"

enum { ROWS_MOST = FM_TICKS_MAX, KINDS = 4, SOUNDS_MOST = 50000 };
static const double broken_at = 0.4; /* fraction of the path of a sound that was not heard */

static const char *const kind_names[KINDS] = {[FM_MSG_sound_PING] = "ping",
                                              [FM_MSG_sound_QUERY] = "query",
                                              [FM_MSG_sound_REPLY] = "reply",
                                              [FM_MSG_sound_DATA] = "data"};

typedef enum fate { SENT, REFUSED, DIRECT, REFLECTED, LOST, LOST_END, FATES } fate;

/* Points of what is drawn alike; NaN between lines. */
typedef struct points {
    double *x, *y; /* s, number of the row */
    size_t count, room;
} points;

typedef struct row {
    const char *vehicle, *transducer, *label;
} row;

typedef struct ladder {
    fm_mcap_reader *reader;
    double from, to; /* s, as asked; to 0: the end */
    fm_error *error;
    row rows[ROWS_MOST];
    size_t row_count, sounds;
    size_t left_out;                      /* sounds without a row or space */
    points drawn[KINDS][FATES];           /* by kind */
    double first, last;                   /* s, of what is drawn */
    size_t weak, masked, dropped, unsent; /* sounds */
    fm_arena arena;
} ladder;

static int points_add(points *p, double x, double y)
{
    if (p->count == p->room) {
        size_t room = 2 * p->room + 256;
        double *xs = fm_realloc(p->x, room * sizeof *xs);
        p->x = xs ? xs : p->x;
        double *ys = fm_realloc(p->y, room * sizeof *ys);
        p->y = ys ? ys : p->y;
        if (!xs || !ys)
            return 0;
        p->room = room;
    }
    p->x[p->count] = x;
    p->y[p->count++] = y;
    return 1;
}

static int points_add_line(points *p, double x0, double y0, double x1, double y1)
{
    return points_add(p, x0, y0) && points_add(p, x1, y1) && points_add(p, NAN, NAN);
}

/* --- reading --- */

/* The row of a transducer; -1: there is none, and no space for one. */
static long find_row(ladder *l, const char *vehicle, const char *transducer)
{
    for (size_t i = 0; i < l->row_count; i++)
        if (strcmp(l->rows[i].vehicle, vehicle) == 0 && strcmp(l->rows[i].transducer, transducer) == 0)
            return (long)i;
    if (!vehicle[0] || l->row_count == ROWS_MOST)
        return -1;
    row *r = &l->rows[l->row_count];
    r->vehicle = fm_arena_text(&l->arena, vehicle);
    r->transducer = fm_arena_text(&l->arena, transducer);
    return r->vehicle && r->transducer ? (long)l->row_count++ : -1;
}

static void widen(ladder *l, double time)
{
    l->first = fmin(l->first, time);
    l->last = fmax(l->last, time);
}

static int add_sent(ladder *l, const fm_msg_sound *m, long at)
{
    int refused = m->event == FM_MSG_sound_NOT_SENT;
    l->unsent += (size_t)refused;
    widen(l, m->time);
    return points_add(&l->drawn[m->kind][refused ? REFUSED : SENT], m->time, (double)at);
}

/* From its sender to `at`; a sound that was not heard ends on its way. */
static int add_heard(ladder *l, const fm_msg_sound *m, long at)
{
    long source = find_row(l, m->source_vehicle, m->source_transducer);
    points *drawn = l->drawn[m->kind];
    if (source < 0)
        return l->left_out++, 1;
    widen(l, m->sent);
    widen(l, m->time);
    if (m->event == FM_MSG_sound_HEARD) {
        int reflected = m->surface_reflections + m->bottom_reflections > 0;
        return points_add_line(&drawn[reflected ? REFLECTED : DIRECT], m->sent, (double)source, m->time, (double)at);
    }
    l->weak += m->event == FM_MSG_sound_WEAK;
    l->masked += m->event == FM_MSG_sound_MASKED;
    l->dropped += m->event == FM_MSG_sound_DROPPED;
    double x = m->sent + broken_at * (m->time - m->sent), y = (double)source + broken_at * (double)(at - source);
    return points_add_line(&drawn[LOST], m->sent, (double)source, x, y) && points_add(&drawn[LOST_END], x, y);
}

static int add_sound(ladder *l, const fm_msg_sound *m)
{
    int sent = m->event == FM_MSG_sound_SENT || m->event == FM_MSG_sound_NOT_SENT;
    long at = find_row(l, m->vehicle, m->transducer);
    if (at < 0 || m->kind >= KINDS || l->sounds == SOUNDS_MOST || !isfinite(m->time) || !isfinite(m->sent))
        return l->left_out++, 1;
    l->sounds++;
    return sent ? add_sent(l, m, at) : add_heard(l, m, at);
}

static fm_status read_channel(ladder *l, const char *topic)
{
    const fm_mcap_channel *channel = fm_mcap_find_channel(l->reader, topic);
    fm_mcap_cursor *cursor;
    fm_mcap_message m = {0};
    if (!channel || !channel->schema || strcmp(channel->schema->name, "fathom_msgs/msg/Sound") != 0)
        return fm_fail(l->error, FM_ERR_MISSING,
                       "no sound in this log: it has no channel %s of type fathom_msgs/msg/Sound", topic);
    fm_mcap_query query = {channel, (uint64_t)(l->from * 1e9 + 0.5), (uint64_t)(l->to * 1e9 + 0.5)};
    fm_status status = fm_mcap_query_open(l->reader, &query, &cursor, l->error);
    while (status == FM_OK && (status = fm_mcap_next(cursor, &m, l->error)) == FM_OK && m.data) {
        fm_msg_sound sound;
        fm_arena arena = {0};
        status = fm_message_decode(&fm_msg_sound_type, m.data, m.size, &sound, &arena, l->error);
        if (status == FM_OK && !add_sound(l, &sound))
            status = fm_fail(l->error, FM_ERR_MEMORY, "out of memory for the figure");
        fm_arena_free(&arena);
    }
    fm_mcap_query_close(cursor);
    return status;
}

static fm_status read_sounds(ladder *l)
{
    fm_status status = read_channel(l, "/acoustics/emissions");
    if (status == FM_OK)
        status = read_channel(l, "/acoustics/receptions");
    if (status == FM_OK && !l->sounds)
        status = fm_fail(l->error, FM_ERR_MISSING, "nothing was sent or heard %s",
                         l->from > 0 || l->to > 0 ? "in this time" : "in this log");
    return status;
}

/* --- drawing --- */

/* "ship", or "ship: hull" where it has several. */
static void label_rows(ladder *l)
{
    for (size_t i = 0; i < l->row_count; i++) {
        char text[FM_TICK_TEXT];
        row *r = &l->rows[i];
        r->label = r->vehicle;
        for (size_t k = 0; k < l->row_count; k++)
            if (k != i && strcmp(l->rows[k].vehicle, r->vehicle) == 0) {
                snprintf(text, sizeof text, "%.22s: %.22s", r->vehicle, r->transducer);
                r->label = fm_arena_text(&l->arena, text);
                break;
            }
    }
}

static void set_axes(ladder *l, fm_axes *axes, fm_theme theme)
{
    const char *names[ROWS_MOST];
    double room = 0.01 * fmax(l->last - l->first, 1e-3);
    double low = l->from > 0 ? l->from : l->first - room, high = l->to > 0 ? l->to : l->last + room;
    for (size_t i = 0; i < l->row_count; i++) {
        double y[2] = {(double)i, (double)i}, x[2] = {low, high};
        names[i] = l->rows[i].label ? l->rows[i].label : "";
        fm_axes_line(axes, x, y, 2, &(fm_line_style){.colour = fm_theme_colours_of(theme).soft_ink, .width = 0.7});
    }
    fm_axes_x(axes, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME, .min = low, .max = high});
    fm_axes_y(axes, &(fm_axis_style){.names = names,
                                     .name_count = l->row_count,
                                     .min = -0.5,
                                     .max = (double)l->row_count - 0.5,
                                     .reversed = true});
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
}

static void draw_kind(const ladder *l, fm_axes *axes, size_t kind, fm_theme theme)
{
    const points *p = l->drawn[kind];
    fm_colour colour = fm_colour_series(theme, kind);
    const char *name = kind_names[kind];
    const fm_line_style lines[FATES] = {
        [DIRECT] = {.colour = colour, .width = 1.1, .label = name},
        [REFLECTED] = {.colour = fm_colour_faded(colour, 0.5), .width = 0.6, .label = p[DIRECT].count ? NULL : name},
        [LOST] = {.colour = colour, .width = 0.8, .dash = FM_DASH_DASHED},
    };
    for (int k = DIRECT; k <= LOST; k++)
        if (p[k].count)
            fm_axes_line(axes, p[k].x, p[k].y, p[k].count, &lines[k]);
    int told = p[DIRECT].count || p[REFLECTED].count;
    const fm_scatter_style marks[FATES] = {
        [SENT] = {.colour = colour, .size = 4, .label = told ? NULL : name},
        [REFUSED] = {.colour = colour, .size = 5, .marker = FM_MARKER_CROSS},
        [LOST_END] = {.colour = colour, .size = 3.5, .marker = FM_MARKER_CROSS},
    };
    for (int k = 0; k < FATES; k++)
        if (p[k].count && (k < DIRECT || k == LOST_END))
            fm_axes_scatter(axes, p[k].x, p[k].y, p[k].count, &marks[k]);
}

static void write_notes(const ladder *l, fm_figure *figure)
{
    char text[240];
    int reflected = 0;
    for (size_t k = 0; k < KINDS; k++)
        reflected |= l->drawn[k][REFLECTED].count > 0;
    snprintf(text, sizeof text, "● sent; slanted: on its way until it was heard%s",
             reflected ? "; thin: by way of surface or bottom" : "");
    fm_figure_note(figure, text);
    if (l->weak + l->masked + l->dropped) {
        snprintf(text, sizeof text, "broken, to ×: not heard (%zu too weak, %zu while sending itself, %zu lost)",
                 l->weak, l->masked, l->dropped);
        fm_figure_note(figure, text);
    }
    if (l->unsent) {
        snprintf(text, sizeof text, "× on a line: could not be sent (%zu)", l->unsent);
        fm_figure_note(figure, text);
    }
    if (l->left_out) {
        snprintf(text, sizeof text, "%zu more sounds are not drawn: at most %d of %d transducers", l->left_out,
                 SOUNDS_MOST, ROWS_MOST);
        fm_figure_note(figure, text);
    }
}

static fm_figure *draw(ladder *l, fm_theme theme)
{
    double height = fmin(35 + 14 * (double)l->row_count, 280);
    fm_figure *figure = fm_figure_create(190, fmax(height, 60), theme);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
    const char *title = fm_mcap_get_metadata(l->reader, "run", "title");
    label_rows(l);
    fm_figure_title(figure, title && title[0] ? title : "Who spoke when, and who heard it");
    set_axes(l, axes, theme);
    for (size_t k = 0; k < KINDS; k++)
        draw_kind(l, axes, k, theme);
    write_notes(l, figure);
    if (!figure)
        fm_fail(l->error, FM_ERR_MEMORY, "out of memory for the figure");
    return figure;
}

fm_figure *fm_ladder_draw(fm_mcap_reader *reader, double from, double to, fm_theme theme, fm_error *error)
{
    ladder *l = fm_alloc(sizeof *l);
    if (!l)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the figure"), NULL;
    *l = (ladder){.reader = reader, .from = from, .to = to, .error = error, .first = HUGE_VAL, .last = -HUGE_VAL};
    fm_figure *figure = read_sounds(l) == FM_OK ? draw(l, theme) : NULL;
    for (size_t k = 0; k < KINDS; k++)
        for (size_t i = 0; i < FATES; i++) {
            fm_free(l->drawn[k][i].x);
            fm_free(l->drawn[k][i].y);
        }
    fm_arena_free(&l->arena);
    fm_free(l);
    return figure;
}
