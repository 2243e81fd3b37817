/* `fathom water`: the properties of sea water at one point. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "ocean/seawater.h"
#include "suggest.h"

#define RADIANS (3.14159265358979323846 / 180)

/* The numbers a user can give; the limits are where the formulas stop making sense, not where they were fitted. */
enum { TEMPERATURE, SALINITY, CONDUCTIVITY, PRESSURE, DEPTH, LATITUDE, INPUTS };

static const struct input {
    const char *name, *unit, *text;
    double min, max;
} inputs[INPUTS] = {
    [TEMPERATURE] = {"--temperature", "°C", "temperature in °C, ITS-90 (default 15)", -5, 45},
    [SALINITY] = {"--salinity", "", "practical salinity, PSS-78 (default 35)", 0, 50},
    [CONDUCTIVITY] = {"--conductivity", "mS/cm", "conductivity in mS/cm, instead of --salinity", 0, 120},
    [PRESSURE] = {"--pressure", "dbar", "pressure above the atmosphere in dbar (default 0)", 0, 12000},
    [DEPTH] = {"--depth", "m", "depth below the surface in m, instead of --pressure", 0, 11500},
    [LATITUDE] = {"--latitude", "deg", "latitude in degrees, for depth and pressure (default 45)", -90, 90},
};

typedef struct query {
    double value[INPUTS];
    bool given[INPUTS];
    bool json, help;
} query;

typedef struct answer {
    double temperature, salinity, conductivity, pressure, depth, latitude; /* °C, –, mS/cm, dbar, m, deg */
    double density, freezing_point, specific_heat, potential_temperature;  /* kg/m³, °C, J/(kg K), °C */
    double mackenzie, chen_millero, del_grosso;                            /* m/s */
} answer;

static void print_help(void)
{
    printf("usage: fathom water [OPTIONS]\n\n"
           "Prints the properties of sea water after UNESCO 1983 (PSS-78, EOS-80) and its sound speed by three "
           "formulas.\n\n"
           "options:\n");
    for (int i = 0; i < INPUTS; i++)
        printf("  %-16s X  %s; %g … %g\n", inputs[i].name, inputs[i].text, inputs[i].min, inputs[i].max);
    printf("  %-16s    one JSON object instead of text\n  %-16s    this text\n", "--json", "--help");
    printf("\nexample: fathom water --temperature 12.5 --conductivity 40.2 --depth 350 --latitude 41\n");
}

static int unknown_option(const char *word)
{
    const char *names[INPUTS + 2] = {[INPUTS] = "--json", [INPUTS + 1] = "--help"};
    for (int i = 0; i < INPUTS; i++)
        names[i] = inputs[i].name;
    const char *near = cli_nearest(word, names, INPUTS + 2);
    fprintf(stderr, "fathom water: unknown option '%s'", word);
    if (near)
        fprintf(stderr, "; did you mean '%s'?", near);
    fprintf(stderr, "\n`fathom water --help` lists the options.\n");
    return CLI_USAGE;
}

static int read_value(query *q, int which, const char *text)
{
    const struct input *in = &inputs[which];
    if (!text) {
        fprintf(stderr, "fathom water: %s needs a number%s%s\n", in->name, *in->unit ? " in " : "", in->unit);
        return CLI_USAGE;
    }
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end) {
        fprintf(stderr, "fathom water: %s: '%s' is not a number%s%s\n", in->name, text, *in->unit ? " in " : "",
                in->unit);
        return CLI_USAGE;
    }
    if (!(value >= in->min && value <= in->max)) {
        fprintf(stderr, "fathom water: %s: %s is out of range; %g … %g%s%s is accepted\n", in->name, text, in->min,
                in->max, *in->unit ? " " : "", in->unit);
        return CLI_USAGE;
    }
    if (q->given[which]) {
        fprintf(stderr, "fathom water: %s is given twice\n", in->name);
        return CLI_USAGE;
    }
    q->value[which] = value;
    q->given[which] = true;
    return CLI_DONE;
}

/* The option at argv[*at], which may be written --name X or --name=X. */
static int read_option(query *q, int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    if (!strcmp(word, "--json")) {
        q->json = true;
        return CLI_DONE;
    }
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
        q->help = true;
        return CLI_DONE;
    }
    for (int i = 0; i < INPUTS; i++) {
        size_t length = strlen(inputs[i].name);
        if (strncmp(word, inputs[i].name, length) != 0)
            continue;
        if (word[length] == '=')
            return read_value(q, i, word + length + 1);
        if (word[length] == 0) {
            *at += 1;
            return read_value(q, i, *at < argc ? argv[*at] : NULL);
        }
    }
    return unknown_option(word);
}

static int refuse_both(const query *q, int a, int b)
{
    if (!q->given[a] || !q->given[b])
        return CLI_DONE;
    fprintf(stderr, "fathom water: give %s or %s, not both: each determines the other\n", inputs[a].name,
            inputs[b].name);
    return CLI_USAGE;
}

static int read_query(query *q, int argc, char **argv)
{
    *q = (query){.value = {[TEMPERATURE] = 15, [SALINITY] = 35, [LATITUDE] = 45}};
    for (int i = 1; i < argc && !q->help; i++) {
        int status = read_option(q, argc, argv, &i);
        if (status != CLI_DONE)
            return status;
    }
    int status = refuse_both(q, SALINITY, CONDUCTIVITY);
    return status != CLI_DONE ? status : refuse_both(q, PRESSURE, DEPTH);
}

static answer solve(const query *q)
{
    answer a = {.temperature = q->value[TEMPERATURE], .latitude = q->value[LATITUDE]};
    double t = a.temperature, latitude = a.latitude * RADIANS;
    a.depth = q->value[DEPTH];
    a.pressure = q->given[DEPTH] ? fm_pressure_from_depth(a.depth, latitude) : q->value[PRESSURE];
    if (!q->given[DEPTH])
        a.depth = fm_seawater_depth(a.pressure, latitude);
    a.salinity = q->value[SALINITY];
    a.conductivity = q->value[CONDUCTIVITY];
    if (q->given[CONDUCTIVITY])
        a.salinity = fm_salinity_from_conductivity(a.conductivity / 10, t, a.pressure);
    else
        a.conductivity = 10 * fm_conductivity_from_salinity(a.salinity, t, a.pressure);
    a.density = fm_seawater_density(a.salinity, t, a.pressure);
    a.freezing_point = fm_freezing_point(a.salinity, a.pressure);
    a.specific_heat = fm_specific_heat(a.salinity, t, a.pressure);
    a.potential_temperature = fm_potential_temperature(a.salinity, t, a.pressure, 0);
    a.mackenzie = fm_sound_speed_mackenzie(a.salinity, t, a.depth);
    a.chen_millero = fm_sound_speed_chen_millero(a.salinity, t, a.pressure);
    a.del_grosso = fm_sound_speed_del_grosso(a.salinity, t, a.pressure);
    return a;
}

static void print_notes(const answer *a)
{
    if (a->salinity < 2)
        fprintf(stderr, "note: below salinity 2, PSS-78 is extended after Hill et al. (1986)\n");
    if (a->salinity > 42)
        fprintf(stderr, "note: salinity %.3f is above the 42 to which PSS-78 and EOS-80 were fitted\n", a->salinity);
    if (a->salinity < 29 || a->salinity > 43)
        fprintf(stderr, "note: salinity %.3f is outside the 29 … 43 to which Del Grosso's sound speed was fitted\n",
                a->salinity);
    if (a->temperature < a->freezing_point)
        fprintf(stderr, "note: this water would be frozen: it freezes at %.3f °C\n", a->freezing_point);
    if (a->temperature > 40)
        fprintf(stderr, "note: %g °C is above the 40 °C to which EOS-80 was fitted\n", a->temperature);
    if (a->pressure > 10000)
        fprintf(stderr, "note: %.0f dbar is above the 10000 dbar to which EOS-80 was fitted\n", a->pressure);
}

static void print_json(const answer *a)
{
    printf(
        "{\"temperature\": %.10g, \"salinity\": %.10g, \"conductivity\": %.10g, \"pressure\": %.10g, \"depth\": %.10g, "
        "\"latitude\": %.10g, ",
        a->temperature, a->salinity, a->conductivity, a->pressure, a->depth, a->latitude);
    printf(
        "\"density\": %.10g, \"sound_speed\": {\"mackenzie\": %.10g, \"chen_millero\": %.10g, \"del_grosso\": %.10g}, ",
        a->density, a->mackenzie, a->chen_millero, a->del_grosso);
    printf("\"freezing_point\": %.10g, \"specific_heat\": %.10g, \"potential_temperature\": %.10g}\n",
           a->freezing_point, a->specific_heat, a->potential_temperature);
}

static void print_text(const answer *a)
{
    printf("temperature            %12.4f °C (ITS-90)\n", a->temperature);
    printf("salinity               %12.4f (PSS-78)\n", a->salinity);
    printf("conductivity           %12.4f mS/cm\n", a->conductivity);
    printf("pressure               %12.3f dbar above the atmosphere\n", a->pressure);
    printf("depth                  %12.3f m at latitude %g°\n", a->depth, a->latitude);
    printf("density                %12.4f kg/m³ (EOS-80)\n", a->density);
    printf("sound speed            %12.3f m/s (Mackenzie 1981)\n", a->mackenzie);
    printf("                       %12.3f m/s (Chen & Millero 1977)\n", a->chen_millero);
    printf("                       %12.3f m/s (Del Grosso 1974)\n", a->del_grosso);
    printf("freezing point         %12.4f °C\n", a->freezing_point);
    printf("specific heat          %12.3f J/(kg K)\n", a->specific_heat);
    printf("potential temperature  %12.4f °C\n", a->potential_temperature);
}

int cli_water(int argc, char **argv)
{
    query q;
    int status = read_query(&q, argc, argv);
    if (status != CLI_DONE)
        return status;
    if (q.help) {
        print_help();
        return CLI_DONE;
    }
    answer a = solve(&q);
    if (!(a.salinity <= inputs[SALINITY].max)) {
        fprintf(stderr, "fathom water: %g mS/cm at %g °C and %g dbar would be salinity %.4g; up to %g is accepted\n",
                a.conductivity, a.temperature, a.pressure, a.salinity, inputs[SALINITY].max);
        return CLI_USAGE;
    }
    print_notes(&a);
    if (q.json)
        print_json(&a);
    else
        print_text(&a);
    return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}
