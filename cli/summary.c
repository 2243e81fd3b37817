#include "summary.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/outfile.h"
#include "base/text.h"
#include "run/row.h"

void cli_json_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.17g", value);
    else
        fputs("null", out);
}

void cli_json_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c < 0x20)
            fprintf(out, "\\u%04x", *c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

void cli_json_member(FILE *out, const char *name, double value)
{
    char number[40];
    fprintf(out, ", \"%s\": %s", name, isfinite(value) ? fm_text_number_write(number, sizeof number, value) : "null");
}

void cli_json_parameter(FILE *out, const char *path, const char *unit)
{
    fprintf(out, "{\"path\": ");
    cli_json_text(out, path);
    fprintf(out, ", \"unit\": ");
    cli_json_text(out, unit);
}

static void write_pose(FILE *out, const fm_world *world, int slot)
{
    double row[FM_ROW_POSE];
    fm_row_read(world, slot, row, FM_ROW_POSE);
    fputs("\"final_pose\": {", out);
    for (size_t i = 1; i < FM_ROW_POSE; i++) { /* without t */
        fprintf(out, "%s\"%s\": ", i > 1 ? ", " : "", fm_row_name(world, slot, i));
        cli_json_number(out, row[i]);
    }
    fputs("}", out);
}

static void write_vehicle(FILE *out, const fm_world *world, int slot)
{
    fputs("    ", out);
    cli_json_text(out, fm_world_name(world, slot));
    fputs(": {", out);
    write_pose(out, world, slot);
    for (size_t i = 0; i < fm_world_metric_count(world, slot); i++) {
        fm_metric_info metric = fm_world_metric(world, slot, i);
        fprintf(out, ", \"%s\": ", metric.name);
        cli_json_number(out, metric.value);
    }
    fputs("}", out);
}

static void write_ending(FILE *out, const fm_run_ending *ending)
{
    fputs("{\n  \"ending\": ", out);
    cli_json_text(out, ending->status == FM_OK ? ending->text : "failed");
    if (ending->status == FM_OK)
        return;
    fputs(",\n  \"error\": ", out);
    cli_json_text(out, ending->text);
}

static void write_metrics(FILE *out, const cli_metrics *metrics)
{
    fputs(",\n  \"metrics\": {", out);
    for (size_t i = 0; i < cli_metrics_count(metrics); i++) {
        fputs(i ? ",\n    " : "\n    ", out);
        cli_json_text(out, cli_metrics_name(metrics, i));
        fputs(": ", out);
        cli_json_number(out, cli_metrics_value(metrics, i));
    }
    fputs("\n  }", out);
}

static void write_summary(FILE *out, const fm_world *world, double seconds, const cli_metrics *metrics)
{
    double time = fm_world_time(world);
    fputs(",\n  \"duration\": ", out);
    cli_json_number(out, time);
    fprintf(out, ",\n  \"steps\": %" PRIu64 ",\n  \"real_time_factor\": ", fm_world_tick(world));
    cli_json_number(out, seconds > 0 ? time / seconds : INFINITY);
    fprintf(out, ",\n  \"state_hash\": \"%016" PRIx64 "\"", fm_world_hash(world));
    if (metrics)
        write_metrics(out, metrics);
    fputs(",\n  \"vehicles\": {\n", out);
    int first = 1;
    for (int slot = 0; slot < fm_world_slots(world); slot++) {
        if (!fm_world_name(world, slot))
            continue;
        if (!first)
            fputs(",\n", out);
        first = 0;
        write_vehicle(out, world, slot);
    }
    fputs("\n  }\n}\n", out);
}

typedef struct summary {
    const char *file;
    const double *seconds;
    const cli_metrics *metrics;
} summary;

static fm_status fail(const char *cause, fm_error *error)
{
    fprintf(stderr, "fathom run: --summary: %s\n", cause);
    return fm_fail(error, FM_ERR_FILE, "--summary: %s", cause);
}

static fm_status end_summary(void *user, fm_sink *sink, const fm_run_ending *ending, fm_error *error)
{
    const summary *s = user;
    fm_outfile out;
    fm_error found = {0};
    if (!strcmp(s->file, "-")) {
        write_ending(stdout, ending);
        write_summary(stdout, fm_run_world(fm_sink_run(sink)), *s->seconds, s->metrics);
        return fflush(stdout) ? fail(strerror(errno), error) : FM_OK;
    }
    if (fm_outfile_open(&out, s->file, &found) != FM_OK)
        return fail(found.text, error);
    write_ending(out.file, ending);
    write_summary(out.file, fm_run_world(fm_sink_run(sink)), *s->seconds, s->metrics);
    return fm_outfile_close(&out, &found) != FM_OK ? fail(found.text, error) : FM_OK;
}

fm_status cli_summary_attach(fm_run *run, const char *file, const double *seconds, const cli_metrics *metrics,
                             fm_error *error)
{
    summary *s = malloc(sizeof *s);
    if (!s)
        return fm_fail(error, FM_ERR_MEMORY, "--summary %s: out of memory", file);
    *s = (summary){file, seconds, metrics};
    return fm_run_attach(run, &(fm_sink_config){.end = end_summary, .release = free, .user = s}, NULL, error);
}
