/* fathom params: the adjustable parameters of a scenario. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "commands.h"
#include "scenario.h"
#include "summary.h"

typedef struct params_options {
    cli_scenario scenario;
    cli_words patterns;
    bool json, live, written, si;
} params_options;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(params_options, scenario.file), .noun = "scenario", .required = true, .path = CLI_FILE,
     .endings = ".xml", .text = "the scenario"},
    {"PATTERN", CLI_FIELD(params_options, patterns), .noun = "pattern",
     .text = "only parameters whose path holds this word, or fits this pattern of a shell: rudder, '/*/autopilot/*'"},
};

static const cli_option option_table[] = {
    {"live", CLI_FIELD(params_options, live), .text = "only those that may change in a running world"},
    {"written", CLI_FIELD(params_options, written), .text = "only those that a file or --set gives a value"},
    {"si", CLI_FIELD(params_options, si), .text = "values and limits in SI units and radians, not as they are written"},
    {"set", CLI_FIELD(params_options, scenario.sets), .value = "PATH=VALUE",
     .text = "set a parameter; may be repeated"},
    {"json", CLI_FIELD(params_options, json), .text = "a JSON array, one object a parameter"},
};

const cli_command cli_params_command = {
    .name = "params",
    .section = "simulate",
    .text = "list the parameters of a scenario",
    .about = "Lists parameters: path, value as it is written, whether it may change in a running world (live) or only "
             "at load, meaning, range.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom params scenarios/phoenix-turn.xml --written\n"
                "  fathom params scenarios/phoenix-turn.xml rudder --live\n",
    .done = "the list is complete",
    .failed = "the scenario has errors, or no parameter fits",
    .main = cli_params,
};

/* --- which --- */

static bool fits(const char *pattern, const char *path)
{
    return strpbrk(pattern, "*?[") ? fnmatch(pattern, path, 0) == 0 : strstr(path, pattern) != NULL;
}

static bool is_wanted(const params_options *o, const fm_param_info *info)
{
    bool fit = o->patterns.count == 0;
    for (size_t i = 0; i < o->patterns.count; i++)
        fit |= fits(o->patterns.items[i], info->path);
    return fit && (!o->live || info->live) && (!o->written || info->set);
}

/* --- as JSON --- */

static void put_text(const char *key, const char *text)
{
    printf(", \"%s\": ", key);
    if (text)
        cli_json_text(stdout, text);
    else
        fputs("null", stdout);
}

static void put_json(const fm_param_info *info, bool first)
{
    printf("%s\n  {\"path\": ", first ? "" : ",");
    cli_json_text(stdout, info->path);
    put_text("value", info->value);
    put_text("unit", info->unit);
    put_text("written", info->written);
    printf(", \"set\": %s, \"live\": %s", info->set ? "true" : "false", info->live ? "true" : "false");
    put_text("default", info->fallback);
    if (info->min != 0 || info->max != 0)
        printf(", \"min\": %.17g, \"max\": %.17g", info->min, info->max);
    put_text("text", info->text ? info->text : "");
    fputs("}", stdout);
}

/* --- as a table --- */

enum { VALUE_WIDTH = 40, UNIT_SIZE = 32 };

/* The unit of the value; an angle without a known unit is in degrees. */
static void unit_of(const fm_param_info *info, char unit[UNIT_SIZE])
{
    fm_amount found = {0};
    fm_error ignored = {0};
    snprintf(unit, UNIT_SIZE, "%s", info->unit);
    if (!info->unit[0])
        return;
    if (fm_amount_parse(info->written, info->unit, NULL, 0, &found, &ignored) == FM_OK && found.unit_text)
        snprintf(unit, UNIT_SIZE, "%s", found.unit_text);
    else if (!strcmp(info->unit, "rad"))
        snprintf(unit, UNIT_SIZE, "deg");
}

static void write_range(const fm_param_info *info, bool si, char *text, size_t size)
{
    char name[UNIT_SIZE];
    fm_unit from, to;
    fm_error ignored = {0};
    double min = info->min, max = info->max;
    text[0] = 0;
    if (min == 0 && max == 0)
        return;
    snprintf(name, sizeof name, "%s", info->unit);
    if (!si)
        unit_of(info, name);
    if (fm_unit_parse(info->unit, &from, &ignored) == FM_OK && fm_unit_parse(name, &to, &ignored) == FM_OK) {
        min = fm_unit_convert(min, &from, &to);
        max = fm_unit_convert(max, &from, &to);
    }
    snprintf(text, size, " [%.6g, %.6g%s%s]", min, max, name[0] ? " " : "", name);
}

/* A table of numbers is truncated; in JSON it is complete. */
static void put_row(const fm_param_info *info, bool si)
{
    char range[128], value[VALUE_WIDTH + 8];
    const char *whole = si ? info->value : info->written;
    size_t length = strcspn(whole, "\n");
    write_range(info, si, range, sizeof range);
    if (!whole[0])
        snprintf(value, sizeof value, "-");
    else if (length > VALUE_WIDTH || whole[length])
        snprintf(value, sizeof value, "%.*s …", length > VALUE_WIDTH - 2 ? VALUE_WIDTH - 2 : (int)length, whole);
    else
        snprintf(value, sizeof value, "%.*s", VALUE_WIDTH, whole);
    printf("%-46s %-22s %s  %s%s\n", info->path, value, info->live ? "live" : "load", info->text ? info->text : "",
           range);
}

static size_t put_all(const params_options *o, const fm_model *model)
{
    size_t count = 0;
    if (o->json)
        fputs("[", stdout);
    for (size_t i = 0; i < fm_model_param_count(model); i++) {
        fm_param_info info = fm_model_param(model, i);
        if (!is_wanted(o, &info))
            continue;
        if (o->json)
            put_json(&info, count == 0);
        else
            put_row(&info, o->si);
        count++;
    }
    if (o->json)
        fputs("\n]\n", stdout);
    return count;
}

int cli_params(int argc, char **argv)
{
    params_options o = {0};
    int status;
    if (!cli_options_read(&cli_params_command, argc, argv, &o, &status))
        return status;
    fm_model *model = cli_load(&o.scenario);
    if (!model)
        return CLI_FAILED;
    size_t count = put_all(&o, model);
    fm_model_free(model);
    if (count == 0)
        fprintf(stderr, "fathom params: no parameter of %s matches\n", o.scenario.file);
    return count ? CLI_DONE : CLI_FAILED;
}
