/* Data, fit and residuals of `fathom identify`: a figure, or a page. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/outfile.h"
#include "identify.h"
#include "plot/page.h"

enum { DRAWN_MOST = 7, RECORDS_MOST = 16 };

typedef struct curves {
    double *t, *recorded, *fitted, *residual;
    size_t count;
} curves;

/* The rows of a channel; a gap where a segment begins. */
static bool gather(const fm_fit *fit, const fm_fit_block *block, const fm_fit_channel *channel, curves *c)
{
    double *all = fm_alloc((8 * block->count + 8) * sizeof *all);
    if (!all)
        return false;
    size_t room = 2 * block->count + 2;
    *c = (curves){all, all + room, all + 2 * room, all + 3 * room, 0};
    for (size_t i = block->first; i < block->first + block->count; i++) {
        if (i > block->first && fit->group[i] != fit->group[i - 1]) {
            c->t[c->count] = fit->t[i];
            c->recorded[c->count] = c->fitted[c->count] = c->residual[c->count] = NAN;
            c->count++;
        }
        c->t[c->count] = fit->t[i];
        c->recorded[c->count] = fit->y[i];
        c->residual[c->count] = fm_fit_difference(channel, fit->said[i], fit->y[i]);
        c->fitted[c->count] = fit->y[i] + c->residual[c->count];
        c->count++;
    }
    return true;
}

static void draw_channel(fm_figure *figure, const fm_fit *fit, size_t source, size_t c, size_t row, bool last,
                         fm_theme theme)
{
    const fm_fit_channel *channel = &fit->channels[c];
    const char *field = strchr(channel->link.ours, '.') + 1;
    bool deep = !strcmp(field, "z") || !strcmp(field, "depth");
    char text[200];
    curves k;
    if (!gather(fit, &fit->blocks[source * fit->options.channel_count + c], channel, &k))
        return;
    fm_axes *both = fm_figure_axes(figure, row, 0, 1, 1), *apart = fm_figure_axes(figure, row + 1, 0, 1, 1);
    fm_figure_row_height(figure, row, 1.6);
    fm_axes_title(both, channel->link.ours);
    fm_axes_x(both, &(fm_axis_style){.label = "", .scale = FM_SCALE_TIME});
    fm_axes_y(both, &(fm_axis_style){.label = field, .unit = channel->unit, .reversed = deep});
    fm_axes_scatter(
        both, k.t, k.recorded, k.count,
        &(fm_scatter_style){.label = row ? NULL : "recorded", .size = 2, .colour = fm_colour_series(theme, 0)});
    fm_axes_line(both, k.t, k.fitted, k.count,
                 &(fm_line_style){.label = row ? NULL : "fitted", .colour = fm_colour_series(theme, 1), .width = 1.2});
    fm_axes_legend(both, FM_LEGEND_FIGURE);
    int length = snprintf(text, sizeof text, "fit minus record: rms %.3g", channel->rms[0]);
    if (channel->count[1])
        length += snprintf(text + length, sizeof text - (size_t)length, ", of what was kept %.3g", channel->rms[1]);
    snprintf(text + length, sizeof text - (size_t)length, "%s%s", channel->unit[0] ? " " : "", channel->unit);
    fm_axes_title(apart, text);
    fm_axes_x(apart, &(fm_axis_style){.label = last ? "time" : "", .scale = FM_SCALE_TIME});
    fm_axes_y(apart, &(fm_axis_style){.label = "residual", .unit = channel->unit});
    fm_axes_scatter(apart, k.t, k.residual, k.count,
                    &(fm_scatter_style){.size = 1.6, .colour = fm_colour_series(theme, 2)});
    fm_axes_level(apart, 0, NULL, NULL);
    if (isfinite(fit->split[source]) && channel->count[1]) {
        fm_axes_event(both, fit->split[source], row ? NULL : "kept for checking",
                      &(fm_line_style){.dash = FM_DASH_DASHED});
        fm_axes_event(apart, fit->split[source], NULL, &(fm_line_style){.dash = FM_DASH_DASHED});
    }
    fm_free(k.t);
}

static fm_figure *draw_record(const cli_identify_options *o, const fm_fit *fit, size_t source)
{
    size_t count = fit->options.channel_count, drawn = count < DRAWN_MOST ? count : DRAWN_MOST;
    fm_theme theme = o->dark ? FM_THEME_DARK : FM_THEME_LIGHT;
    fm_figure *figure = fm_figure_create(170, 25 + 68 * (double)drawn, theme);
    fm_figure_share_x(figure);
    if (o->title)
        fm_figure_title(figure, o->title);
    for (size_t c = 0; c < drawn; c++)
        draw_channel(figure, fit, source, c, 2 * c, c + 1 == drawn, theme);
    for (size_t i = 0; i < fit->count; i++) {
        const fm_fit_parameter *p = &fit->parameters[i];
        char text[FM_AXIS_PATH + 200];
        snprintf(text, sizeof text, "%s = %.5g (%.5g … %.5g)%s%s", p->path, p->value, p->least, p->most,
                 p->unit[0] ? " " : "", p->unit);
        fm_figure_note(figure, text);
    }
    return figure;
}

/* --- the page --- */

static void add_parameters(fm_text *page, const fm_fit *fit)
{
    fm_text_add(page, "<h2>Parameters</h2>\n<table><tr><th>parameter</th><th>start</th><th>found</th><th>95 %% "
                      "from</th><th>to</th><th>unit</th>"
                      "<th>meaning</th></tr>\n");
    for (size_t i = 0; i < fit->count; i++) {
        const fm_fit_parameter *p = &fit->parameters[i];
        fm_text_add(page, "<tr><th>");
        fm_text_add_escaped(page, p->path);
        fm_text_add(page,
                    "</th><td class=\"n\">%.6g</td><td class=\"n\">%.6g</td><td class=\"n\">%.6g</td><td "
                    "class=\"n\">%.6g</td><td>",
                    p->start, p->value, p->least, p->most);
        fm_text_add_escaped(page, p->unit);
        fm_text_add(page, "</td><td>");
        fm_text_add_escaped(page, p->text);
        fm_text_add(page, "</td></tr>\n");
    }
    fm_text_add(page, "</table>\n");
}

static void add_quantities(fm_text *page, const fm_fit *fit)
{
    fm_text_add(page, "<h2>Residuals</h2>\n<table><tr><th>quantity</th><th>record</th><th>fitted</th><th>rms</"
                      "th><th>constant</th><th>bias</th><th>checked</th><th>rms</th>"
                      "<th>constant</th><th>bias</th><th>unit</th></tr>\n");
    for (size_t i = 0; i < fit->options.channel_count; i++) {
        const fm_fit_channel *c = &fit->channels[i];
        fm_text_add(page, "<tr><th>");
        fm_text_add_escaped(page, c->link.ours);
        fm_text_add(page, "</th><td>");
        fm_text_add_escaped(page, c->link.theirs);
        fm_text_add(page, "</td>");
        for (int k = 0; k < 2; k++)
            if (c->count[k])
                fm_text_add(page,
                            "<td class=\"n\">%zu</td><td class=\"n\">%.4g</td><td class=\"n\">%.4g</td>"
                            "<td class=\"n\">%.4g</td>",
                            c->count[k], c->rms[k], c->constant[k], c->bias[k]);
            else
                fm_text_add(page, "<td class=\"n\">0</td><td></td><td></td><td></td>");
        fm_text_add(page, "<td>");
        fm_text_add_escaped(page, c->unit);
        fm_text_add(page, "</td></tr>\n");
    }
    fm_text_add(page, "</table>\n");
}

static void add_note(void *user, const char *text)
{
    fm_text_add(user, "<li>");
    fm_text_add_escaped(user, text);
    fm_text_add(user, "</li>\n");
}

static fm_status write_page(const cli_identify_options *o, const fm_fit *fit, fm_error *error)
{
    fm_text page = {0};
    fm_status status = FM_OK;
    const char *title = o->title ? o->title : fm_model_title(fit->model);
    fm_text_add(&page, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    fm_text_add_escaped(&page, title);
    fm_text_add(&page, "</title><style>%s</style></head>\n<body>\n<h1>", fm_page_style);
    fm_text_add_escaped(&page, title);
    fm_text_add(&page, "</h1>\n<p>Parameters of ");
    fm_text_add_escaped(&page, o->scenario.file);
    fm_text_add(&page, " from %zu record%s, by %d iterations and %zu runs; %s. Misfit %.4g, condition %.3g.</p>\n",
                fit->options.source_count, fit->options.source_count == 1 ? "" : "s", fit->iterations, fit->runs,
                fit->ended, fit->misfit, fit->condition);
    add_parameters(&page, fit);
    add_quantities(&page, fit);
    fm_text_add(&page, "<h2>To mind</h2>\n<ul>\n");
    if (!fm_fit_remark(fit, add_note, &page))
        fm_text_add(&page, "<li>nothing: the records determine every parameter</li>\n");
    fm_text_add(&page, "</ul>\n<h2>Records</h2>\n");
    for (size_t s = 0; s < fit->options.source_count && s < RECORDS_MOST && status == FM_OK; s++) {
        fm_text_add(&page, "<h3>");
        fm_text_add_escaped(&page, fit->options.sources[s].record->file);
        fm_text_add(&page, "</h3>\n");
        status = fm_page_add_figure(&page, draw_record(o, fit, s), error);
    }
    fm_text_add(&page, "</body></html>\n");
    if (status == FM_OK)
        status = page.failed ? fm_fail(error, FM_ERR_MEMORY, "no memory for the page")
                             : fm_outfile_write(o->out, page.data, page.length, error);
    fm_text_free(&page);
    return status;
}

fm_status cli_identify_draw(const cli_identify_options *options, const fm_fit *fit, fm_error *error)
{
    size_t length = strlen(options->out);
    if (length > 5 && !strcmp(options->out + length - 5, ".html"))
        return write_page(options, fit, error);
    fm_figure *figure = draw_record(options, fit, 0);
    fm_status status = fm_figure_write(figure, options->out, error);
    fm_figure_destroy(figure);
    return status;
}
