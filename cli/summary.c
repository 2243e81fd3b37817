#include "summary.h"

#include <inttypes.h>
#include <math.h>

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

static void write_pose(FILE *out, const fm_pose *pose)
{
    static const char *const names[12] = {"x", "y", "z", "phi", "theta", "psi", "u", "v", "w", "p", "q", "r"};
    double values[12];
    for (int i = 0; i < 3; i++) {
        values[i] = pose->position[i];
        values[3 + i] = pose->euler[i];
    }
    for (int i = 0; i < 6; i++)
        values[6 + i] = pose->velocity[i];
    fputs("\"final_pose\": {", out);
    for (int i = 0; i < 12; i++) {
        fprintf(out, "%s\"%s\": ", i ? ", " : "", names[i]);
        cli_json_number(out, values[i]);
    }
    fputs("}", out);
}

static void write_vehicle(FILE *out, const fm_world *world, int slot)
{
    fm_pose pose;
    fm_world_pose(world, slot, &pose);
    fputs("    ", out);
    cli_json_text(out, fm_world_name(world, slot));
    fputs(": {", out);
    write_pose(out, &pose);
    for (size_t i = 0; i < fm_world_metric_count(world, slot); i++) {
        fm_metric_info metric = fm_world_metric(world, slot, i);
        fprintf(out, ", \"%s\": ", metric.name);
        cli_json_number(out, metric.value);
    }
    fputs("}", out);
}

void cli_write_summary(FILE *out, const fm_world *world, double seconds)
{
    double time = fm_world_time(world);
    fputs("{\n  \"duration\": ", out);
    cli_json_number(out, time);
    fprintf(out, ",\n  \"steps\": %" PRIu64 ",\n  \"real_time_factor\": ", fm_world_tick(world));
    cli_json_number(out, seconds > 0 ? time / seconds : INFINITY);
    fprintf(out, ",\n  \"state_hash\": \"%016" PRIx64 "\",\n  \"vehicles\": {\n", fm_world_hash(world));
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
