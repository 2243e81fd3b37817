/* `fathom rays`: rays of sound through a profile, what arrives at a receiver, and the field of a source. */
#include "rays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acoustics/loss.h"
#include "commands.h"
#include "environment/environment.h"
#include "inputs.h"
#include "scenario.h"
#include "world/model.h"

#define DEGREE (3.14159265358979323846 / 180)

static const cli_option option_table[] = {
    {"profile", CLI_FIELD(cli_rays, profile), .value = "PROFILE", .required = true, .path = CLI_FILE,
     .text = "sound speed: a CSV file with depth (m) and speed (m/s), linear between; munk; iso:1500; or a scenario, "
             "whose water column at its origin is taken"},
    {"source-depth", CLI_FIELD(cli_rays, source_depth), .value = "M", .min = 0, .max = 12000, .unit = "m",
     .required = true, .text = "depth of the source"},
    {"angles", CLI_FIELD(cli_rays, angles), .value = "A:B:N",
     .text = "launch angles in degrees, downwards positive, and how many rays; arrivals and field keep to the angles; "
             "default: -20:20:41 to draw, -80:80 for arrivals, -60:60 for the field"},
    {"range", CLI_FIELD(cli_rays, range), .value = "M", .min = 1e-3, .max = 1e7, .unit = "m",
     .text = "how far to draw; default: to the receiver"},
    {"bottom", CLI_FIELD(cli_rays, bottom), .value = "M|FILE", .path = CLI_FILE,
     .text =
         "depth of the bottom in m, or a CSV file with range and depth; default: the end of the profile, 5000 m for "
         "munk, the bottom of a scenario at its origin"},
    {"seabed", CLI_FIELD(cli_rays, seabed), .value = "NAME|NUMBERS", .fallback = "rigid",
     .text = "what the bottom is made of: rigid, clay, silt, sand, gravel, moraine, chalk, limestone, basalt; or its "
             "density over that of water, sound speed (m/s) and attenuation (dB per wavelength) as 1.9:1650:0.8, of a "
             "solid also those of shear waves, as 2.4:3000:0.1:1500:0.2"},
    {"roughness", CLI_FIELD(cli_rays, roughness), .value = "M", .min = 0, .max = 10, .unit = "m", .fallback = "0",
     .needs = "frequency", .text = "rms height of the surface's waves"},
    {"frequency", CLI_FIELD(cli_rays, frequency), .value = "HZ", .min = 1, .max = 1e6, .unit = "Hz",
     .text = "adds absorption (Thorp) to losses; the field needs it"},
    {"reflections", CLI_FIELD(cli_rays, reflections), .value = "N", .min = 0, .max = 1000,
     .text = "of surface and bottom together, after which a ray ends; default: 20, and 100 for the field"},
    {"output", 'o', CLI_FIELD(cli_rays, out), .section = "outputs", .value = "FILE", .path = CLI_FILE,
     .endings = ".png .svg .pdf", .text = "draw the fan over the profile"},
    {"field", CLI_FIELD(cli_rays, field), .value = "FILE", .path = CLI_FILE, .endings = ".png .svg .pdf .csv .nc",
     .checked = true, .needs = "frequency",
     .text = "transmission loss over range and depth: drawn, or as a table of 500 ranges and 200 depths (.csv with "
             "range [m], depth [m] and loss [dB]; .nc the same as NetCDF)"},
    {"incoherent", CLI_FIELD(cli_rays, incoherent), .needs = "field", .text = "sum intensities, not pressures"},
    {"rays", CLI_FIELD(cli_rays, rays), .value = "N", .min = 2, .max = 100000, .needs = "field",
     .text = "beams of the field; default: by frequency and range, 2000 to 8000"},
    {"dark", CLI_FIELD(cli_rays, dark), .text = "light text on a dark background"},
    {"arrivals", CLI_FIELD(cli_rays, arrivals), .value = "[FILE]", .alone = "-", .path = CLI_FILE,
     .endings = ".csv .nc", .checked = true, .needs = "receiver-range",
     .text = "print the rays that reach the receiver, by time, or write them to a table"},
    {"receiver-depth", CLI_FIELD(cli_rays, receiver_depth), .value = "M", .min = 0, .max = 12000, .unit = "m",
     .text = "depth of the receiver"},
    {"receiver-range", CLI_FIELD(cli_rays, receiver_range), .value = "M", .min = 1e-3, .max = 1e7, .unit = "m",
     .needs = "receiver-depth", .text = "range of the receiver"},
    {"json", CLI_FIELD(cli_rays, json), .needs = "arrivals", .text = "arrivals as one JSON object"},
};

const cli_command cli_rays_command = {
    .name = "rays",
    .section = "tools",
    .text = "trace sound rays: fan, arrivals at a receiver, transmission loss",
    .about =
        "Traces rays of sound from a source through water whose sound speed changes with depth, between the surface "
        "and a bottom. Draws their fan over the profile, finds every ray that reaches a receiver, and computes the "
        "transmission loss over range and depth: in water of one sound speed over a level bottom as an integral over "
        "wave numbers, which is exact; elsewhere, and where --angles, --rays, --reflections or --incoherent are given, "
        "as a sum of Gaussian beams.\n\nAngles are from the horizontal, downwards positive. The loss of an arrival is "
        "that of spreading and of reflections against 1 m, and of absorption where a frequency is given, which also "
        "bounds the level at caustics; its phase that of reflections and caustics.",
    CLI_OPTIONS(option_table),
    .one_of = "output field arrivals",
    .examples = "  fathom rays --profile munk --source-depth 1000 --angles -14:14:41 --range 100000 -o rays.png\n"
                "  fathom rays --profile munk --source-depth 1000 --receiver-depth 800 --receiver-range 60000 "
                "--arrivals --json\n"
                "  fathom rays --profile cast.csv --source-depth 30 --range 5000 --bottom 100 --seabed sand "
                "--frequency 1000 --field loss.png\n"
                "  fathom rays --profile iso:1500 --source-depth 36 --range 5000 --bottom 100 --seabed gravel "
                "--frequency 250 --field loss.csv\n",
    .main = cli_rays_main,
};

int cli_rays_reflections(const cli_rays *r)
{
    return r->reflections < 0 ? 20 : (int)r->reflections;
}

double cli_rays_absorption(const cli_rays *r)
{
    return r->frequency > 0 ? fm_absorption_thorp(r->frequency) : 0;
}

/* --- what was asked --- */

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && !strcmp(text + a - b, end);
}

static bool read_angles(cli_rays *r)
{
    if (!r->angles)
        return true;
    char behind;
    double a, b, n = 41;
    int read = sscanf(r->angles, "%lf:%lf:%lf%c", &a, &b, &n, &behind);
    if (read < 2 || read > 3 || !(a >= -90 && b <= 90 && a < b && n >= 1 && n <= 10000 && n == floor(n))) {
        fprintf(stderr,
                "fathom rays: --angles: '%s' is invalid: must be A:B:N with -90 <= A < B <= 90 degrees and 1 … 10000 "
                "rays\n",
                r->angles);
        return false;
    }
    r->lowest = a * DEGREE;
    r->highest = b * DEGREE;
    r->count = (int64_t)n;
    return true;
}

/* The water column of a scenario at its origin, node by node: every metre near the surface, a hundredth of the depth
 * below. */
static fm_status profile_of_scenario(cli_rays *r, double *bottom, fm_error *error)
{
    enum { MOST = 2000 };
    fm_model *model = cli_load(&(cli_scenario){.file = r->profile});
    if (!model) {
        *error = (fm_error){0};
        return FM_ERR_MODEL;
    }
    double *z = fm_arena_alloc(&r->arena, MOST * sizeof *z), *c = fm_arena_alloc(&r->arena, MOST * sizeof *c);
    double ground = fm_environment_depth(model->environment, 0, 0);
    double deep = isfinite(ground) && ground > 0 ? ground : r->bottom ? 12000 : 1000;
    size_t count = 0;
    for (double at = 0; z && c && count + 1 < MOST && at < deep; at += fmax(1, 0.01 * at)) {
        z[count] = at;
        c[count++] = fm_water_column_sound_speed(&model->environment->column, 0, 0, at);
    }
    fm_model_free(model);
    if (!z || !c)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory");
    *bottom = deep;
    r->speeds = (fm_sound_profile){count, z, c};
    return FM_OK;
}

/* *bottom: its depth if --bottom is not given, 0 if a bottom is required. */
static fm_status read_profile(cli_rays *r, double *bottom, fm_error *error)
{
    *bottom = 0;
    if (!strcmp(r->profile, "munk")) {
        *bottom = 5000;
        return fm_sound_profile_munk(&r->speeds, 12000, &r->arena, error);
    }
    if (!strncmp(r->profile, "iso:", 4)) {
        char *end;
        double speed = strtod(r->profile + 4, &end);
        if (end == r->profile + 4 || *end)
            return fm_fail(error, FM_ERR_SYNTAX, "--profile: '%s' is invalid: must be iso: and a speed in m/s",
                           r->profile);
        return fm_sound_profile_constant(&r->speeds, speed, &r->arena, error);
    }
    if (ends_with(r->profile, ".xml"))
        return profile_of_scenario(r, bottom, error);
    fm_status status = fm_sound_profile_read_csv(&r->speeds, r->profile, &r->arena, error);
    if (status == FM_OK && r->speeds.count > 1)
        *bottom = r->speeds.depth[r->speeds.count - 1];
    return status;
}

/* A name, or DENSITY:SPEED:ATTENUATION and :SHEAR:ATTENUATION of a solid. */
static fm_status read_seabed(const char *text, fm_seabed *seabed, fm_error *error)
{
    char behind;
    *seabed = (fm_seabed){0};
    if (fm_seabed_find(text, seabed))
        return FM_OK;
    int read = sscanf(text, "%lf:%lf:%lf:%lf:%lf%c", &seabed->density, &seabed->speed, &seabed->attenuation,
                      &seabed->shear, &seabed->shear_attenuation, &behind);
    int fine = (read == 5 || (read == 3 && !strchr(strchr(strchr(text, ':') + 1, ':') + 1, ':'))) &&
               seabed->density > 0 && seabed->density <= 20 && seabed->speed > 0 && seabed->speed <= 12000 &&
               seabed->attenuation >= 0 && seabed->shear >= 0 && seabed->shear_attenuation >= 0;
    if (!fine)
        return fm_fail(error, FM_ERR_NAME,
                       "--seabed: '%s' is unknown: must be rigid, clay, silt, sand, gravel, moraine, chalk, limestone, "
                       "basalt, or numbers as 1.9:1650:0.8 (density over that of water, sound speed in m/s, dB per "
                       "wavelength), for a solid as 2.4:3000:0.1:1500:0.2 (and the same of shear waves)",
                       text);
    const char *fault = fm_seabed_fault(seabed);
    return fault ? fm_fail(error, FM_ERR_RANGE, "--seabed: no such bottom exists: %s", fault) : FM_OK;
}

static fm_status read_bottom(cli_rays *r, double fallback, fm_error *error)
{
    static const double start[1] = {0};
    double depth = fallback;
    fm_bottom_line line = {1, start, &depth};
    if (r->bottom) {
        char *end;
        depth = strtod(r->bottom, &end);
        if (end == r->bottom || *end) {
            fm_status status = fm_bottom_line_read_csv(&line, r->bottom, &r->arena, error);
            if (status != FM_OK)
                return status;
        }
    } else if (!(fallback > 0))
        return fm_fail(error, FM_ERR_RANGE, "--bottom: this profile does not contain the bottom: give its depth");
    fm_seabed seabed;
    fm_status status = read_seabed(r->seabed, &seabed, error);
    if (status != FM_OK)
        return status;
    return fm_waveguide_make(&r->guide, &r->speeds, &line, &seabed, r->roughness, &r->arena, error);
}

static fm_status check_points(const cli_rays *r, fm_error *error)
{
    double slope, bottom = fm_waveguide_bottom(&r->guide, 0, &slope);
    if (r->source_depth > bottom)
        return fm_fail(error, FM_ERR_RANGE, "--source-depth: %g m is below the bottom at %g m", r->source_depth,
                       bottom);
    if (r->arrivals) {
        bottom = fm_waveguide_bottom(&r->guide, r->receiver_range, &slope);
        if (r->receiver_depth > bottom)
            return fm_fail(error, FM_ERR_RANGE, "--receiver-depth: %g m is below the bottom at %g m", r->receiver_depth,
                           bottom);
    }
    if ((r->out || r->field) && !(r->range > 0))
        return fm_fail(error, FM_ERR_RANGE, "--range is missing: give the range to draw");
    return FM_OK;
}

/* --- all of it --- */

static fm_status do_all(cli_rays *r, fm_error *error)
{
    double fallback;
    fm_status status = read_profile(r, &fallback, error);
    if (status == FM_OK)
        status = read_bottom(r, fallback, error);
    if (status == FM_OK)
        status = check_points(r, error);
    if (status == FM_OK && r->out)
        status = cli_rays_draw_fan(r, error);
    if (status == FM_OK && r->field)
        status = cli_rays_write_field(r, error);
    if (status == FM_OK && r->arrivals)
        status = cli_rays_tell_arrivals(r, error);
    return status;
}

static bool outputs_apart(const cli_rays *r)
{
    const char *table = r->arrivals && strcmp(r->arrivals, "-") != 0 ? r->arrivals : NULL;
    const char *outputs[] = {r->out, r->field, table}, *options[] = {"-o", "--field", "--arrivals"};
    const char *inputs[] = {r->profile, r->bottom};
    for (size_t i = 0; i < 6; i++)
        if (outputs[i / 2] && inputs[i % 2] && !cli_output_apart("rays", options[i / 2], outputs[i / 2], inputs[i % 2]))
            return false;
    return true;
}

int cli_rays_main(int argc, char **argv)
{
    static cli_rays r;
    r = (cli_rays){.seabed = "rigid", .reflections = -1};
    int result;
    if (!cli_options_read(&cli_rays_command, argc, argv, &r, &result))
        return result;
    if (!read_angles(&r) || !outputs_apart(&r))
        return CLI_USAGE;
    if (!(r.range > 0))
        r.range = r.receiver_range;
    fm_error error = {0};
    fm_status status = do_all(&r, &error);
    if (status != FM_OK && error.status != FM_OK)
        cli_print_error(&error);
    fm_arena_free(&r.arena);
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}
