/* `fathom plot`: figures of a log. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "commands.h"
#include "log_file.h"
#include "plot/overview.h"
#include "telemetry/layout.h"

typedef struct request {
    const char *file, *out, *title;
    bool dark;
    double dpi; /* dots per inch */
    cli_words fields;
} request;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(request, file), .noun = "log", .required = true, .path = CLI_FILE, .endings = ".mcap",
     .text = "the log (MCAP)"},
    {"CHANNEL.FIELD", CLI_FIELD(request, fields), .noun = "field",
     .text = "a field, or the start of several (/phoenix/odom.pose.pose.position)"},
};

static const cli_option option_table[] = {
    {"output", 'o', CLI_FIELD(request, out), .value = "FILE", .required = true, .path = CLI_FILE,
     .endings = ".png .svg .pdf", .text = "where to; the ending says what: png, svg or pdf"},
    {"dark", CLI_FIELD(request, dark), .text = "light on dark"},
    {"dpi", CLI_FIELD(request, dpi), .value = "N", .min = 20, .max = 1200, .fallback = "200",
     .text = "dots per inch of a PNG"},
    {"title", CLI_FIELD(request, title), .value = "TEXT", .text = "over the figure"},
};

const cli_command cli_plot_command = {
    .name = "plot",
    .section = "logs",
    .text = "figures of a log: the overview of a run, or any field",
    .about = "Draws the overview page of a run: its track from above and from the side with obstacles and bottom, "
             "depth, speed, attitude, actuators and events. With fields, those over time, one plot for each unit. "
             "`fathom info FILE CHANNEL` lists fields.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom plot run.mcap -o run.png\n"
                "  fathom plot run.mcap /phoenix/odom.pose.pose.position.z -o depth.svg\n",
    .main = cli_plot,
};

static fm_theme theme(const request *r)
{
    return r->dark ? FM_THEME_DARK : FM_THEME_LIGHT;
}

/* --- fields --- */

enum { LINES_MOST = 64, UNITS_MOST = 8 };

typedef struct line {
    char label[200];
    const char *unit;
    fm_run_series t, y;
} line;

typedef struct chart {
    line *lines;
    size_t count;
    fm_arena arena;
} chart;

/* Splits "/a/odom.pose.x" where a channel ends. */
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
    return !strncmp(path, field, length) && (!path[length] || path[length] == '.' || path[length] == '[');
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
        if (below(layout->columns[i].path, field))
            return fprintf(stderr, "fathom plot: %s.%s is text, only numbers are drawn\n", channel->topic, field),
                   CLI_USAGE;
        if (is_number(&layout->columns[i]))
            fm_nearest_offer(&nearest, layout->columns[i].path);
    }
    fprintf(stderr, "fathom plot: %s has no field '%s'%s\n", channel->topic, field,
            fm_nearest_write(&nearest, near, sizeof near));
    fprintf(stderr, "fields:");
    for (size_t i = 0; i < layout->count && i < 30; i++)
        fprintf(stderr, " %s", layout->columns[i].path);
    fprintf(stderr, "%s\n", layout->count > 30 ? " …" : "");
    return CLI_USAGE;
}

static fm_status each_row(fm_mcap_reader *reader, const fm_mcap_channel *channel, fm_layout *layout, fm_cell *row,
                          const size_t *columns, line *lines, size_t count, fm_error *error)
{
    fm_mcap_cursor *cursor;
    fm_mcap_message m = {0};
    fm_status status = fm_mcap_query_open(reader, &(fm_mcap_query){.channel = channel}, &cursor, error);
    while (status == FM_OK && (status = fm_mcap_next(cursor, &m, error)) == FM_OK && m.data) {
        if (!row) {
            status = fm_layout_measure(layout, m.data, m.size, error);
            continue;
        }
        status = fm_layout_read(layout, m.data, m.size, row, error);
        for (size_t i = 0; i < count && status == FM_OK; i++)
            if (!fm_run_series_add(&lines[i].t, 1e-9 * (double)m.time) ||
                !fm_run_series_add(&lines[i].y, fm_cell_number(&row[columns[i]])))
                status = fm_fail(error, FM_ERR_MEMORY, "out of memory for the figure");
    }
    fm_mcap_query_close(cursor);
    return status;
}

static int read_lines(fm_mcap_reader *reader, const fm_mcap_channel *channel, fm_layout *layout, const char *field,
                      chart *all, fm_error *error)
{
    size_t columns[LINES_MOST], count = 0;
    line *lines = all->lines + all->count;
    for (size_t i = 0; i < layout->count && all->count + count < LINES_MOST; i++) {
        const fm_layout_column *column = &layout->columns[i];
        if (!is_number(column) || (*field && !below(column->path, field)))
            continue;
        snprintf(lines[count].label, sizeof lines[count].label, "%s %s", channel->topic, column->path);
        lines[count].unit = fm_arena_text(&all->arena, column->unit);
        columns[count++] = i;
    }
    if (!count)
        return no_such_field(channel, layout, field);
    fm_cell *row = malloc((layout->count + 1) * sizeof *row);
    fm_status status = row ? each_row(reader, channel, layout, row, columns, lines, count, error)
                           : fm_fail(error, FM_ERR_MEMORY, "out of memory");
    free(row);
    all->count += count;
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}

static int read_field(fm_mcap_reader *reader, const char *word, chart *all)
{
    fm_error error = {0};
    fm_layout layout;
    const fm_message *type;
    const char *field = "";
    const fm_mcap_channel *channel = split(reader, word, &field);
    if (!channel)
        return CLI_USAGE;
    if (fm_mcap_channel_type(reader, channel, &type, &error) != FM_OK || fm_layout_init(&layout, type, &error) != FM_OK)
        return fprintf(stderr, "fathom plot: %s: %s\n", word, error.text), CLI_FAILED;
    int code = CLI_FAILED;
    if (each_row(reader, channel, &layout, NULL, NULL, NULL, 0, &error) == FM_OK &&
        fm_layout_finish(&layout, 4096, &error) == FM_OK)
        code = read_lines(reader, channel, &layout, field, all, &error);
    if (code == CLI_FAILED)
        fprintf(stderr, "fathom plot: %s: %s\n", word, error.text);
    fm_layout_free(&layout);
    return code;
}

static fm_figure *draw_chart(const request *r, const chart *all)
{
    const char *units[UNITS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        size_t k = 0;
        while (k < count && strcmp(units[k], all->lines[i].unit) != 0)
            k++;
        if (k == count && count < UNITS_MOST)
            units[count++] = all->lines[i].unit;
    }
    fm_figure *figure = fm_figure_create(170, 30 + 60 * (double)count, theme(r));
    fm_figure_share_x(figure);
    for (size_t u = 0; u < count; u++) {
        fm_axes *axes = fm_figure_axes(figure, u, 0, 1, 1);
        size_t here = 0, last = 0;
        for (size_t i = 0; i < all->count; i++)
            if (!strcmp(all->lines[i].unit, units[u]))
                here++, last = i;
        const char *alone = all->lines[last].label;
        fm_axes_y(axes, &(fm_axis_style){.label = here == 1 ? alone : "value", .unit = units[u]});
        if (u + 1 == count)
            fm_axes_x(axes, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
        else
            fm_axes_x(axes, &(fm_axis_style){.label = "", .scale = FM_SCALE_TIME});
        for (size_t i = 0; i < all->count; i++)
            if (!strcmp(all->lines[i].unit, units[u]))
                fm_axes_line(axes, all->lines[i].t.items, all->lines[i].y.items, all->lines[i].y.count,
                             &(fm_line_style){.label = here > 1 ? all->lines[i].label : NULL});
    }
    return figure;
}

/* --- the command --- */

static int write_figure(const request *r, fm_figure *figure)
{
    fm_error error = {0};
    if (!figure)
        return fprintf(stderr, "fathom plot: out of memory\n"), CLI_FAILED;
    if (r->title)
        fm_figure_title(figure, r->title);
    fm_figure_resolution(figure, r->dpi);
    fm_status status = fm_figure_write(figure, r->out, &error);
    fm_figure_destroy(figure);
    if (status != FM_OK)
        fprintf(stderr, "fathom plot: %s\n", error.text);
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}

static int plot_overview(const request *r, fm_mcap_reader *reader)
{
    fm_error error = {0};
    fm_run_data run;
    int code = CLI_FAILED;
    if (fm_run_data_read(reader, &run, &error) == FM_OK)
        code = write_figure(r, fm_overview_draw(&run, theme(r)));
    else
        fprintf(stderr, "fathom plot: %s: %s\n", r->file, error.text);
    fm_run_data_free(&run);
    return code;
}

static int plot_fields(const request *r, fm_mcap_reader *reader)
{
    chart all = {.lines = calloc(LINES_MOST + 1, sizeof(line))};
    int code = all.lines ? CLI_DONE : CLI_FAILED;
    for (size_t i = 0; i < r->fields.count && code == CLI_DONE; i++)
        code = read_field(reader, r->fields.items[i], &all);
    if (code == CLI_DONE)
        code = write_figure(r, draw_chart(r, &all));
    for (size_t i = 0; all.lines && i < LINES_MOST; i++) {
        fm_free(all.lines[i].t.items);
        fm_free(all.lines[i].y.items);
    }
    free(all.lines);
    fm_arena_free(&all.arena);
    return code;
}

int cli_plot(int argc, char **argv)
{
    request r = {0};
    int code;
    if (!cli_options_read(&cli_plot_command, argc, argv, &r, &code))
        return code;
    fm_mcap_reader *reader = cli_open_log("plot", r.file);
    code = !reader ? CLI_FAILED : r.fields.count ? plot_fields(&r, reader) : plot_overview(&r, reader);
    fm_mcap_reader_close(reader);
    return code;
}
