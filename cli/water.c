/* `fathom water`: the properties of sea water at one point. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "commands.h"
#include "ocean/seawater.h"

#define RADIANS (3.14159265358979323846 / 180)

/* NaN: not given. */
typedef struct query {
    double temperature, salinity, conductivity, pressure, depth, latitude; /* °C, –, mS/cm, dbar, m, deg */
    bool json;
} query;

enum { SALINITY_MOST = 50 };

/* The limits are those of the formulas' meaning, not of their fitted range. */
static const cli_option option_table[] = {
    {"temperature", CLI_FIELD(query, temperature), .value = "X", .min = -5, .max = 45, .unit = "°C", .fallback = "15",
     .text = "temperature, ITS-90"},
    {"salinity", CLI_FIELD(query, salinity), .value = "X", .min = 0, .max = SALINITY_MOST, .fallback = "35",
     .excludes = "conductivity", .text = "practical salinity, PSS-78"},
    {"conductivity", CLI_FIELD(query, conductivity), .value = "X", .min = 0, .max = 120, .unit = "mS/cm",
     .text = "conductivity (instead of --salinity)"},
    {"pressure", CLI_FIELD(query, pressure), .value = "X", .min = 0, .max = 12000, .unit = "dbar", .fallback = "0",
     .excludes = "depth", .text = "pressure above the atmosphere"},
    {"depth", CLI_FIELD(query, depth), .value = "X", .min = 0, .max = 11500, .unit = "m",
     .text = "depth below the surface (instead of --pressure)"},
    {"latitude", CLI_FIELD(query, latitude), .value = "X", .min = -90, .max = 90, .unit = "deg", .fallback = "45",
     .text = "latitude, for depth and pressure"},
    {"json", CLI_FIELD(query, json), .text = "one JSON object instead of text"},
};

const cli_command cli_water_command = {
    .name = "water",
    .section = "tools",
    .text = "print properties of sea water: salinity, density, sound speed, freezing point",
    .about = "Prints the properties of sea water after UNESCO 1983 (PSS-78, EOS-80) and its sound speed by three "
             "formulas.",
    CLI_OPTIONS(option_table),
    .examples = "  fathom water --temperature 12.5 --conductivity 40.2 --depth 350 --latitude 41\n",
    .main = cli_water,
};

typedef struct answer {
    double temperature, salinity, conductivity, pressure, depth, latitude; /* °C, –, mS/cm, dbar, m, deg */
    double density, freezing_point, specific_heat, potential_temperature;  /* kg/m³, °C, J/(kg K), °C */
    double mackenzie, chen_millero, del_grosso;                            /* m/s */
} answer;

static answer solve(const query *q)
{
    answer a = {.temperature = q->temperature, .latitude = q->latitude, .depth = q->depth, .pressure = q->pressure};
    double t = a.temperature, latitude = a.latitude * RADIANS;
    if (isnan(q->depth))
        a.depth = fm_seawater_depth(a.pressure, latitude);
    else
        a.pressure = fm_pressure_from_depth(a.depth, latitude);
    a.salinity = q->salinity;
    a.conductivity = q->conductivity;
    if (isnan(q->conductivity))
        a.conductivity = 10 * fm_conductivity_from_salinity(a.salinity, t, a.pressure);
    else
        a.salinity = fm_salinity_from_conductivity(a.conductivity / 10, t, a.pressure);
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
    query q = {.conductivity = NAN, .depth = NAN};
    int status;
    if (!cli_options_read(&cli_water_command, argc, argv, &q, &status))
        return status;
    answer a = solve(&q);
    if (!(a.salinity <= SALINITY_MOST)) {
        fprintf(stderr, "fathom water: %g mS/cm at %g °C and %g dbar is salinity %.4g: must be at most %d\n",
                a.conductivity, a.temperature, a.pressure, a.salinity, SALINITY_MOST);
        return CLI_USAGE;
    }
    print_notes(&a);
    if (q.json)
        print_json(&a);
    else
        print_text(&a);
    return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}
