/* Fields over time, or over another field. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "commands.h"
#include "log_file.h"
#include "plot.h"
#include "plot/run_series.h"
#include "telemetry/layout.h"

enum { LINES_MOST = 64, UNITS_MOST = 8, COLUMNS_MOST = 4096 };

typedef struct line {
    char name[240]; /* "/phoenix/odom.pose.pose.position.z" */
    const char *run, *unit;
    fm_run_series values; /* over time */
    fm_run_track points;  /* place[0]; over another field, where both need the same times */
    int asked;            /* an expression: its name is not a path */
} line;

typedef struct chart {
    const cli_plot_request *request;
    line *lines; /* with space for one more, the x of the present run */
    size_t count;
    size_t left_out; /* lines for which there was no room */
    fm_arena arena;
} chart;

/* Splits "/a/odom.pose.x" at the end of a channel. */
static const fm_mcap_channel *split(const fm_mcap_reader *reader, const char *word, const char **field)
{
    const fm_mcap_channel *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < fm_mcap_channel_count(reader); i++) {
        const fm_mcap_channel *c = fm_mcap_channel_at(reader, i);
        size_t length = strlen(c->topic);
        if (length > longest && !strncmp(c->topic, word, length) && (word[length] == '.' || !word[length])) {
            best = c;
            longest = length;
        }
    }
    if (best) {
        *field = word[longest] ? word + longest + 1 : "";
        return best;
    }
    char topic[256];
    snprintf(topic, sizeof topic, "%.*s", (int)strcspn(word, "."), word);
    return cli_find_channel("plot", reader, topic);
}

static int below(const char *path, const char *field)
{
    size_t length = strlen(field);
    return !length || (!strncmp(path, field, length) && (!path[length] || path[length] == '.' || path[length] == '['));
}

static int is_number(const fm_layout_column *column)
{
    return column->field->type != FM_FIELD_string;
}

static int no_such_field(const fm_mcap_channel *channel, const fm_layout *layout, const char *field)
{
    char near[400];
    fm_nearest nearest = {.wanted = field};
    for (size_t i = 0; i < layout->count; i++) {
        if (below(layout->columns[i].path, field) && !is_number(&layout->columns[i]))
            return fprintf(stderr, "fathom plot: %s.%s is text, only numbers are drawn\n", channel->topic, field),
                   CLI_USAGE;
        if (is_number(&layout->columns[i]))
            fm_nearest_offer(&nearest, layout->columns[i].path);
        if (layout->columns[i].alias)
            fm_nearest_offer(&nearest, layout->columns[i].alias);
    }
    fprintf(stderr, "fathom plot: %s has no field '%s'%s\n", channel->topic, field,
            fm_nearest_write(&nearest, near, sizeof near));
    fprintf(stderr, "fields:");
    for (size_t i = 0; i < layout->count && i < 30; i++)
        fprintf(stderr, " %s", layout->columns[i].path);
    fprintf(stderr, "%s\n", layout->count > 30 ? " …" : "");
    return CLI_USAGE;
}

/* --- reading --- */

typedef struct field_read {
    chart *all;
    const cli_plot_run *run;
    const fm_mcap_channel *channel;
    fm_layout layout;
    size_t columns[LINES_MOST];
    line *lines;
    size_t count;
    fm_error error;
} field_read;

/* The columns that match a word. The stamps of a message are drawn only if named. */
static void choose(field_read *f, const char *field)
{
    const fm_layout *layout = &f->layout;
    long exact = fm_layout_find(layout, field);
    int stamps = exact >= 0 || strstr(field, "stamp") != NULL;
    for (size_t i = 0; i < layout->count; i++) {
        const fm_layout_column *column = &layout->columns[i];
        int wanted = exact >= 0 ? (long)i == exact
                                : below(column->path, field) || (column->alias && below(column->alias, field));
        if (!wanted || !is_number(column) || (column->stamp && !stamps))
            continue;
        if (f->all->count + f->count == LINES_MOST) {
            f->all->left_out++;
            continue;
        }
        line *made = &f->lines[f->count];
        *made = (line){.run = f->run->name};
        snprintf(made->name, sizeof made->name, "%.110s.%.120s", f->channel->topic, column->path);
        made->unit = fm_arena_text(&f->all->arena, column->unit);
        f->columns[f->count++] = i;
    }
}

static int add_row(field_read *f, double t, const fm_cell *row)
{
    int ok = 1;
    for (size_t i = 0; i < f->count && ok; i++) {
        const double point[3] = {fm_cell_number(&row[f->columns[i]]), 0, 0};
        ok = f->all->request->x ? fm_run_track_add(&f->lines[i].points, t, point)
                                : fm_run_series_add(&f->lines[i].values, t, point[0]);
    }
    return ok;
}

/* Every message of the channel: to the layout while `row` is NULL, then to the lines. */
static fm_status each_message(field_read *f, fm_cell *row)
{
    const cli_plot_request *r = f->all->request;
    fm_mcap_cursor *cursor;
    fm_mcap_message m = {0};
    fm_mcap_query query = {f->channel, (uint64_t)(r->from * 1e9 + 0.5), (uint64_t)(r->to * 1e9 + 0.5)};
    fm_status status = fm_mcap_query_open(f->run->reader, &query, &cursor, &f->error);
    while (status == FM_OK && (status = fm_mcap_next(cursor, &m, &f->error)) == FM_OK && m.data) {
        if (!row) {
            status = fm_layout_measure(&f->layout, m.data, m.size, &f->error);
            continue;
        }
        status = fm_layout_read(&f->layout, m.data, m.size, row, &f->error);
        if (status == FM_OK && !add_row(f, 1e-9 * (double)m.time, row))
            status = fm_fail(&f->error, FM_ERR_MEMORY, "out of memory for the figure");
    }
    fm_mcap_query_close(cursor);
    return status;
}

static fm_status read_lines(field_read *f)
{
    fm_cell *row = malloc((f->layout.count + 1) * sizeof *row);
    fm_status status = row ? each_message(f, row) : fm_fail(&f->error, FM_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < f->count && status == FM_OK; i++)
        if (!fm_run_series_end(&f->lines[i].values) || !fm_run_track_end(&f->lines[i].points))
            status = fm_fail(&f->error, FM_ERR_MEMORY, "out of memory");
    free(row);
    return status;
}

/* Reads the columns of a word into lines; *count is their number. */
static int read_word(chart *all, const cli_plot_run *run, const char *word, line *lines, size_t *count)
{
    field_read f = {.all = all, .run = run, .lines = lines};
    const fm_message *type;
    const char *field = "";
    *count = 0;
    if (!(f.channel = split(run->reader, word, &field)))
        return CLI_USAGE;
    fm_status status = fm_mcap_channel_type(run->reader, f.channel, &type, &f.error);
    if (status == FM_OK)
        status = fm_layout_init(&f.layout, type, &f.error);
    int code = CLI_FAILED;
    if (status == FM_OK && (status = each_message(&f, NULL)) == FM_OK &&
        (status = fm_layout_finish(&f.layout, COLUMNS_MOST, &f.error)) == FM_OK &&
        (!all->request->ned || (status = fm_layout_use_ned(&f.layout, type, &f.error)) == FM_OK)) {
        choose(&f, field);
        *count = f.count;
        if (!f.count && !all->left_out)
            code = no_such_field(f.channel, &f.layout, field);
        else if ((status = read_lines(&f)) == FM_OK)
            code = CLI_DONE;
    }
    if (status != FM_OK)
        fprintf(stderr, "fathom plot: %s: %s: %s\n", run->path, word, f.error.text);
    fm_layout_free(&f.layout);
    return code;
}

/* --- over another field --- */

/* x at the times of y, linear between its samples. */
static void put_over(const fm_run_track *x, line *y)
{
    size_t at = 0;
    for (size_t i = 0; i < y->points.count; i++) {
        double t = y->points.t[i];
        while (at + 1 < x->count && x->t[at + 1] < t)
            at++;
        double value = NAN;
        if (x->count == 1 || (x->count && t == x->t[at]))
            value = x->position[0][at];
        else if (at + 1 < x->count && t >= x->t[at] && t <= x->t[at + 1])
            value = x->position[0][at] +
                    (x->position[0][at + 1] - x->position[0][at]) * (t - x->t[at]) / (x->t[at + 1] - x->t[at]);
        y->points.position[1][i] = value;
    }
}

static void take_answer(chart *all, const cli_plot_run *run, const cli_plot_answer *answer, line *to)
{
    *to = (line){.run = run->name, .values = answer->values, .points = answer->points, .asked = 1};
    snprintf(to->name, sizeof to->name, "%s", answer->name);
    to->unit = fm_arena_text(&all->arena, answer->unit);
    to->unit = to->unit ? to->unit : "";
}

/* All expressions in one repetition of the run; that of x comes last. */
static int read_asked(chart *all, const cli_plot_run *run, line *x)
{
    const cli_plot_request *r = all->request;
    const char *texts[LINES_MOST + 1];
    size_t count = r->asked_count < LINES_MOST - all->count ? r->asked_count : LINES_MOST - all->count, drawn = count;
    all->left_out += r->asked_count - count;
    memcpy(texts, r->asked, count * sizeof *texts);
    if (x)
        texts[count++] = r->x;
    if (!count)
        return CLI_DONE;
    cli_plot_answer *answers = calloc(count, sizeof *answers);
    const int code = answers ? cli_plot_asked(r, run, texts, count, answers) : CLI_FAILED;
    for (size_t i = 0; answers && i < count; i++)
        take_answer(all, run, &answers[i], i < drawn ? &all->lines[all->count++] : x);
    free(answers);
    return code;
}

static int read_x(chart *all, const cli_plot_run *run, line *x)
{
    size_t count = 0, others = all->count;
    all->count = 0; /* its space exists whatever has been read */
    line *found = calloc(LINES_MOST, sizeof *found);
    int code = found ? read_word(all, run, all->request->x, found, &count) : CLI_FAILED;
    if (code == CLI_DONE && count != 1) {
        fprintf(stderr, "fathom plot: --x %s: it has %zu fields: must be one\n", all->request->x, count);
        code = CLI_USAGE;
    }
    all->count = others;
    for (size_t i = 0; found && i < count; i++)
        if (i > 0 || code != CLI_DONE)
            fm_run_track_free(&found[i].points);
    if (code == CLI_DONE)
        *x = found[0];
    free(found);
    return code;
}

static int read_run(chart *all, const cli_plot_run *run)
{
    const cli_plot_request *r = all->request;
    size_t first = all->count, count;
    int code = CLI_DONE;
    for (size_t i = 0; i < r->field_count && code == CLI_DONE; i++) {
        code = read_word(all, run, r->fields[i], all->lines + all->count, &count);
        all->count += count;
    }
    const int asks_x = r->x && cli_plot_is_asked(r, r->x);
    line *x = &all->lines[LINES_MOST];
    fm_run_track_free(&x->points);
    if (code == CLI_DONE)
        code = read_asked(all, run, asks_x ? x : NULL);
    if (code != CLI_DONE || !r->x)
        return code;
    if (!asks_x)
        code = read_x(all, run, x);
    for (size_t i = first; i < all->count && code == CLI_DONE; i++)
        put_over(&x->points, &all->lines[i]);
    return code;
}

/* --- drawing --- */

/* Whether a whole channel was requested, so that constant columns may be left out. */
static int is_whole(const chart *all)
{
    for (size_t i = 0; i < all->request->field_count + all->request->asked_count; i++)
        if (i >= all->request->field_count || strchr(all->request->fields[i], '.'))
            return 0;
    return 1;
}

static int is_constant(const line *l)
{
    double low, high;
    return !fm_run_series_range(&l->values, &low, &high) || low == high;
}

static void leave_out_constant(chart *all)
{
    size_t kept = 0, changing = 0;
    for (size_t i = 0; i < all->count; i++)
        changing += (size_t)!is_constant(&all->lines[i]);
    if (!changing || changing == all->count || all->request->x || !is_whole(all))
        return;
    fprintf(stderr, "fathom plot: constant, not drawn:");
    for (size_t i = 0; i < all->count; i++) {
        line *l = &all->lines[i];
        if (!is_constant(l)) {
            all->lines[kept++] = *l;
            continue;
        }
        const char *path = strrchr(l->name, '/');
        fprintf(stderr, " %s", path ? path + 1 : l->name);
        fm_run_series_free(&l->values);
    }
    fprintf(stderr, "\n");
    for (size_t i = kept; i < all->count; i++)
        all->lines[i] = (line){0};
    all->count = kept;
}

/* Length of the common prefix of the names of a unit's lines, up to a dot or slash. */
static size_t shared_start(const chart *all, const char *unit)
{
    const char *first = NULL;
    size_t length = 0;
    for (size_t i = 0; i < all->count; i++) {
        const char *name = all->lines[i].name;
        if (strcmp(all->lines[i].unit, unit) != 0)
            continue;
        if (all->lines[i].asked)
            return 0;
        if (!first)
            first = name, length = strlen(name);
        size_t same = 0;
        while (same < length && name[same] == first[same])
            same++;
        if (same < strlen(name) || same < length)
            while (same > 0 && first[same - 1] != '.' && first[same - 1] != '/')
                same--;
        length = same;
    }
    return length;
}

/* Depth grows downwards. */
static int is_depth(const char *name)
{
    static const char *const ends[] = {".depth", ".down", "/depth.value", ".depth.demand"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (length > strlen(ends[i]) && !strcmp(name + length - strlen(ends[i]), ends[i]))
            return 1;
    return 0;
}

static void draw_one(const chart *all, fm_axes *axes, const line *l, size_t start)
{
    char label[320] = "";
    const char *rest = l->name + start;
    if (all->request->run_count > 1)
        snprintf(label, sizeof label, "%.80s%s%.200s", l->run, *rest ? ": " : "", rest);
    else
        snprintf(label, sizeof label, "%.200s", rest);
    fm_line_style style = {.label = label[0] ? label : NULL};
    if (all->request->x)
        fm_axes_line(axes, l->points.position[1], l->points.position[0], l->points.count, &style);
    else
        fm_axes_line(axes, l->values.t, l->values.y, l->values.count, &style);
}

static void draw_unit(const chart *all, fm_axes *axes, const char *unit, int last)
{
    size_t start = shared_start(all, unit);
    char title[260] = "";
    int deep = 1;
    const char *some = "";
    for (size_t i = 0; i < all->count; i++)
        if (!strcmp(all->lines[i].unit, unit)) {
            deep &= is_depth(all->lines[i].name);
            some = all->lines[i].name;
        }
    size_t shown = start && (some[start - 1] == '.' || some[start - 1] == '/') ? start - 1 : start;
    snprintf(title, sizeof title, "%.*s", (int)shown, some);
    fm_axes_title(axes, title);
    const char *field = strrchr(some, '.') ? strrchr(some, '.') + 1 : some;
    fm_axes_y(axes, &(fm_axis_style){.label = some[start] ? "value" : field, .unit = unit, .reversed = deep});
    if (all->request->x)
        fm_axes_x(axes, &(fm_axis_style){.label = all->lines[LINES_MOST].name, .unit = all->lines[LINES_MOST].unit});
    else
        fm_axes_x(axes, &(fm_axis_style){.label = last ? "time" : "", .scale = FM_SCALE_TIME});
    if (all->request->x && !strcmp(unit, all->lines[LINES_MOST].unit) && !strcmp(unit, "m"))
        fm_axes_equal(axes);
    for (size_t i = 0; i < all->count; i++)
        if (!strcmp(all->lines[i].unit, unit))
            draw_one(all, axes, &all->lines[i], start);
}

static fm_figure *draw_chart(chart *all)
{
    const char *units[UNITS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        size_t k = 0;
        while (k < count && strcmp(units[k], all->lines[i].unit) != 0)
            k++;
        if (k == count && count < UNITS_MOST)
            units[count++] = all->lines[i].unit;
        else if (k == count)
            all->left_out++;
    }
    if (all->left_out)
        fprintf(stderr, "fathom plot: %zu more fields are not drawn; a figure holds %d of %d units\n", all->left_out,
                LINES_MOST, UNITS_MOST);
    fm_figure *figure = fm_figure_create(170, 30 + 60 * (double)count, all->request->theme);
    if (!all->request->x)
        fm_figure_share_x(figure);
    for (size_t u = 0; u < count; u++)
        draw_unit(all, fm_figure_axes(figure, u, 0, 1, 1), units[u], u + 1 == count);
    return figure;
}

fm_figure *cli_plot_fields(const cli_plot_request *request, int *code)
{
    chart all = {.request = request, .lines = calloc(LINES_MOST + 1, sizeof(line))};
    fm_figure *figure = NULL;
    *code = all.lines ? CLI_DONE : CLI_FAILED;
    for (size_t i = 0; i < request->run_count && *code == CLI_DONE; i++)
        *code = read_run(&all, &request->runs[i]);
    if (*code == CLI_DONE) {
        leave_out_constant(&all);
        figure = draw_chart(&all);
    }
    if (*code == CLI_DONE && !figure)
        fprintf(stderr, "fathom plot: out of memory\n"), *code = CLI_FAILED;
    for (size_t i = 0; all.lines && i <= LINES_MOST; i++) {
        fm_run_series_free(&all.lines[i].values);
        fm_run_track_free(&all.lines[i].points);
    }
    free(all.lines);
    fm_arena_free(&all.arena);
    return figure;
}
