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
    {"seabed", CLI_FIELD(cli_rays, seabed), .value = "NAME", .fallback = "rigid",
     .text = "what the bottom is made of: rigid, clay, silt, sand, gravel, moraine, chalk, limestone, basalt"},
    {"roughness", CLI_FIELD(cli_rays, roughness), .value = "M", .min = 0, .max = 10, .unit = "m", .fallback = "0",
     .needs = "frequency", .text = "rms height of the surface's waves"},
    {"frequency", CLI_FIELD(cli_rays, frequency), .value = "HZ", .min = 1, .max = 1e6, .unit = "Hz",
     .text = "adds absorption (Thorp) to losses; the field needs it"},
    {"reflections", CLI_FIELD(cli_rays, reflections), .value = "N", .min = 0, .max = 1000, .fallback = "20",
     .text = "of surface and bottom together, after which a ray ends"},
    {"output", 'o', CLI_FIELD(cli_rays, out), .section = "what to make", .value = "FILE", .path = CLI_FILE,
     .endings = ".png .svg .pdf", .text = "draw the fan over the profile"},
    {"field", CLI_FIELD(cli_rays, field), .value = "FILE", .path = CLI_FILE, .endings = ".png .svg .pdf",
     .needs = "frequency", .text = "draw the transmission loss"},
    {"incoherent", CLI_FIELD(cli_rays, incoherent), .needs = "field", .text = "sum intensities, not pressures"},
    {"rays", CLI_FIELD(cli_rays, rays), .value = "N", .min = 2, .max = 100000, .needs = "field",
     .text = "beams of the field; default: by frequency and range, 300 to 2000"},
    {"dark", CLI_FIELD(cli_rays, dark), .text = "light on dark"},
    {"arrivals", CLI_FIELD(cli_rays, arrivals), .needs = "receiver-range",
     .text = "print the rays that meet the receiver, by time"},
    {"receiver-depth", CLI_FIELD(cli_rays, receiver_depth), .value = "M", .min = 0, .max = 12000, .unit = "m",
     .text = "depth of the receiver"},
    {"receiver-range", CLI_FIELD(cli_rays, receiver_range), .value = "M", .min = 1e-3, .max = 1e7, .unit = "m",
     .needs = "receiver-depth", .text = "range of the receiver"},
    {"json", CLI_FIELD(cli_rays, json), .needs = "arrivals", .text = "arrivals as one JSON object"},
};

const cli_command cli_rays_command = {
    .name = "rays",
    .section = "tools",
    .text = "rays of sound: the fan, arrivals at a receiver, transmission loss",
    .about =
        "Traces rays of sound from a source through water whose sound speed changes with depth, between the surface "
        "and "
        "a bottom. Draws their fan over the profile, finds every ray that meets a receiver, draws the transmission "
        "loss over range and depth (Gaussian beams).\n\n"
        "Angles are from the horizontal, downwards positive. The loss of an arrival is that of spreading and of "
        "reflections against 1 m, and of absorption where a frequency is given; its phase that of reflections "
        "and caustics.",
    CLI_OPTIONS(option_table),
    .one_of = "output field arrivals",
    .examples = "  fathom rays --profile munk --source-depth 1000 --angles -14:14:41 --range 100000 -o rays.png\n"
                "  fathom rays --profile munk --source-depth 1000 --receiver-depth 800 --receiver-range 60000 "
                "--arrivals --json\n"
                "  fathom rays --profile cast.csv --source-depth 30 --range 5000 --bottom 100 --seabed sand "
                "--frequency 1000 --field loss.png\n",
    .main = cli_rays_main,
};

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
                "fathom rays: --angles: found '%s', accepted A:B:N with -90 <= A < B <= 90 degrees and 1 … 10000 "
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

/* *bottom: its depth where --bottom is not given, 0 where there must be one. */
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
            return fm_fail(error, FM_ERR_SYNTAX, "--profile: found '%s', expected iso: and a speed in m/s", r->profile);
        return fm_sound_profile_constant(&r->speeds, speed, &r->arena, error);
    }
    if (ends_with(r->profile, ".xml"))
        return profile_of_scenario(r, bottom, error);
    fm_status status = fm_sound_profile_read_csv(&r->speeds, r->profile, &r->arena, error);
    if (status == FM_OK && r->speeds.count > 1)
        *bottom = r->speeds.depth[r->speeds.count - 1];
    return status;
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
        return fm_fail(error, FM_ERR_RANGE, "--bottom: this profile does not tell where the bottom is");
    fm_seabed seabed;
    if (!fm_seabed_find(r->seabed, &seabed))
        return fm_fail(error, FM_ERR_NAME,
                       "--seabed: found '%s', accepted are rigid, clay, silt, sand, gravel, moraine, "
                       "chalk, limestone, basalt",
                       r->seabed);
    return fm_waveguide_make(&r->guide, &r->speeds, &line, &seabed, r->roughness, &r->arena, error);
}

static fm_status check_places(const cli_rays *r, fm_error *error)
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
        return fm_fail(error, FM_ERR_RANGE, "--range: how far shall be drawn?");
    return FM_OK;
}

/* --- arrivals --- */

enum { ARRIVALS_MOST = 512 };

static void print_arrivals(const cli_rays *r)
{
    static fm_arrival list[ARRIVALS_MOST];
    fm_eigenray_options o = {
        .lowest = r->lowest, .highest = r->highest, .reflections = (int)r->reflections, .frequency = r->frequency};
    size_t count =
        fm_eigenrays_find(&r->guide, r->source_depth, r->receiver_depth, r->receiver_range, &o, list, ARRIVALS_MOST);
    double absorption = cli_rays_absorption(r);
    if (r->json)
        printf("{\"arrivals\":[");
    else
        printf("%zu arrivals\n%12s %9s %9s %9s %8s %8s %7s\n", count, "time s", "launch °", "arrival °", "loss dB",
               "phase °", "surface", "bottom");
    for (size_t i = 0; i < count; i++) {
        const fm_arrival *a = &list[i];
        double loss = a->loss + absorption * a->length;
        if (r->json)
            printf("%s{\"time\":%.12g,\"launch\":%.12g,\"arrival\":%.12g,\"loss\":%.9g,\"phase\":%.9g,\"surface\":%d,"
                   "\"bottom\":%d}",
                   i ? ",\n" : "", a->time, a->launch, a->arrival, loss, a->phase, a->surface, a->bottom);
        else
            printf("%12.6f %9.4f %9.4f %9.3f %8.1f %8d %7d\n", a->time, a->launch / DEGREE, a->arrival / DEGREE, loss,
                   a->phase / DEGREE, a->surface, a->bottom);
    }
    if (r->json)
        printf("]}\n");
    else if (!count)
        printf("no ray within the angles meets the receiver: it lies in a shadow\n");
}

static fm_status do_all(cli_rays *r, fm_error *error)
{
    double fallback;
    fm_status status = read_profile(r, &fallback, error);
    if (status == FM_OK)
        status = read_bottom(r, fallback, error);
    if (status == FM_OK)
        status = check_places(r, error);
    if (status == FM_OK && r->out)
        status = cli_rays_draw_fan(r, error);
    if (status == FM_OK && r->field)
        status = cli_rays_draw_field(r, error);
    if (status == FM_OK && r->arrivals)
        print_arrivals(r);
    return status;
}

static bool outputs_apart(const cli_rays *r)
{
    const char *outputs[] = {r->out, r->field}, *options[] = {"-o", "--field"}, *inputs[] = {r->profile, r->bottom};
    for (size_t i = 0; i < 4; i++)
        if (outputs[i / 2] && inputs[i % 2] && !cli_output_apart("rays", options[i / 2], outputs[i / 2], inputs[i % 2]))
            return false;
    return true;
}

int cli_rays_main(int argc, char **argv)
{
    static cli_rays r;
    r = (cli_rays){.seabed = "rigid", .reflections = 20};
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
