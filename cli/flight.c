/* `fathom trim` and `fathom stability`: the steady motion of a model, and its small motions about it. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/flight.h"
#include "base/outfile.h"
#include "commands.h"
#include "inputs.h"
#include "listing.h"
#include "scenario.h"
#include "summary.h"

#define DEGREE (3.14159265358979323846 / 180)
#define RPM (3.14159265358979323846 / 30)

typedef struct flight_options {
    const char *model, *octave;
    cli_list sets;
    double speed; /* m/s; NaN: chosen here */
    bool json;
} flight_options;

static const cli_option model_argument[] = {
    {"MODEL", CLI_FIELD(flight_options, model), .noun = "model", .path = CLI_FILE, .endings = ".xml", .required = true,
     .text = "name of a model, or its file"},
};
#define SPEED_TEXT(what)                                                                                               \
    {                                                                                                                  \
        "speed", CLI_FIELD(flight_options, speed), .value = "X", .min = 0, .max = 40, .unit = "m/s", .text = what      \
    }
#define SET_OPTION                                                                                                     \
    {                                                                                                                  \
        "set", CLI_FIELD(flight_options, sets), .value = "PATH=VALUE",                                                 \
                                                .text = "change a parameter; the vehicle is named /vehicle"            \
    }

static const cli_option trim_options[] = {
    SPEED_TEXT("speed through the water; default: five speeds"),
    SET_OPTION,
    {"json", CLI_FIELD(flight_options, json), .text = "one JSON object instead of text; SI units"},
};
static const cli_option stability_options[] = {
    SPEED_TEXT("speed through the water; default: at 60 % of the maximum order"),
    SET_OPTION,
    {"json", CLI_FIELD(flight_options, json), .text = "one JSON object with A and B; SI units"},
    {"octave", CLI_FIELD(flight_options, octave), .value = "FILE", .path = CLI_FILE, .endings = ".m",
     .text = "write A, B and their names as a script for Octave or Matlab"},
};

const cli_command cli_trim_command = {
    .name = "trim",
    .section = "tools",
    .text = "steady speeds, orders and turning of a model",
    .about =
        "Finds the straight and level motion of a 6-DOF model at several speeds: pitch, drift and the orders that hold "
        "it, and the turn with its rudders hard over. Still water, no surface near for vehicles that dive.\n\n"
        "Of all ways to hold a speed it reports the one with the smallest deflections. A speed that no order within "
        "the limits can hold is marked NOT HELD; orders beyond the limits are not printed.",
    CLI_ARGUMENTS(model_argument),
    CLI_OPTIONS(trim_options),
    .examples = "  fathom trim remus-100\n  fathom trim my-vehicle.xml --speed 1.5 --json\n",
    .main = cli_trim,
};

const cli_command cli_stability_command = {
    .name = "stability",
    .section = "tools",
    .text = "eigenvalues and linear model of a model in steady motion",
    .about = "Linearises a 6-DOF model about straight and level motion, prints the eigenvalues of its longitudinal (u, "
             "w, q, pitch) and lateral motion (v, p, r, roll), and warns about growing motions and coefficients with a "
             "suspicious sign.\n\nThe linear model is x' = A x + B value with the states u, v, w, p, q, r, roll, "
             "pitch, yaw and depth and the values of the actuators, all SI.",
    CLI_ARGUMENTS(model_argument),
    CLI_OPTIONS(stability_options),
    .examples = "  fathom stability lauv\n  fathom stability lauv --speed 1.2 --octave lauv.m\n",
    .main = cli_stability,
};

/* --- loading --- */

/* The model's name: the argument, or for a file its name without folder and suffix. The folder of a file becomes the
 * scenario's own, so that it is found there. */
static fm_model *load(const flight_options *o)
{
    const char *slash = strrchr(o->model, '/'), *name = slash ? slash + 1 : o->model;
    size_t length = strlen(name);
    if (length > 4 && !strcmp(name + length - 4, ".xml"))
        length -= 4;
    char text[1024];
    int written = snprintf(text, sizeof text,
                           "<fathom version='1'><world dt='0.01 s' duration='1 s'/><vehicle name='vehicle' "
                           "model='%.*s' position='0 0 100 m'/></fathom>",
                           (int)length, name);
    if (written < 0 || (size_t)written >= sizeof text || strpbrk(name, "<&'")) {
        fprintf(stderr, "fathom: '%.80s' is not the name of a model\n", o->model);
        return NULL;
    }
    fm_model *model = cli_load_text_with(text, &(cli_scenario){.file = o->model, .sets = o->sets, .of_model = true});
    if (!model)
        cli_model_hint(o->model);
    return model;
}

static const fm_type *type_of(const fm_model *model)
{
    const fm_type *type = &model->types[model->vehicles[0].type];
    fm_error error = {0};
    if (fm_flight_accepts(type, &error) == FM_OK)
        return type;
    cli_print_error(&error);
    return NULL;
}

/* A value as a person writes it: rpm, degrees, N, V. */
static double shown(const char *unit, double value, const char **name)
{
    if (!strcmp(unit, "rad/s"))
        return *name = "rpm", value / RPM;
    if (!strcmp(unit, "rad"))
        return *name = "deg", value / DEGREE;
    return *name = unit, value;
}

/* --- trim --- */

/* The order of an actuator in a trim, within its limits. */
static double order_of(const fm_type *type, const fm_trim *t, size_t i)
{
    const fm_actuator *a = &type->actuators[i];
    return fmax(a->low, fmin(fm_flight_order(a, t->at.value[i]), a->high));
}

static void print_limit(const fm_type *type, const fm_trim *t)
{
    printf("  NOT HELD: '%s' is at its limit", type->actuator_names[t->limited_by]);
    if (fm_flight_drives(type, (size_t)t->limited_by) && t->drive > 1)
        printf(", which is %.3f m/s", fm_flight_speed_at(type, 1));
}

static void print_point(const fm_type *type, const fm_trim *t)
{
    const double *s = t->at.state;
    printf("  %6.3f m/s (%.2f kn)  pitch %+.2f°", s[FM_FLIGHT_U], s[FM_FLIGHT_U] / 0.514444444,
           s[FM_FLIGHT_PITCH] / DEGREE);
    if (fabs(s[FM_FLIGHT_ROLL]) > 1e-3 * DEGREE)
        printf("  roll %+.2f°", s[FM_FLIGHT_ROLL] / DEGREE);
    for (size_t i = 0; i < type->actuator_count; i++) {
        const char *unit;
        double order = shown(type->actuator_units[i], order_of(type, t, i), &unit);
        if (fabs(order) > 5e-4)
            printf("  %s %.4g %s", type->actuator_names[i], order, unit);
    }
    double power = fm_flight_power(type, &t->at);
    if (power > 0)
        printf("  power %.4g W", power);
    if (!t->held && t->limited_by >= 0)
        print_limit(type, t);
    else if (!t->held)
        printf("  NOT HELD: %.3g m/s² or rad/s² are left", t->residual);
    printf("\n");
}

static void json_point(const fm_type *type, const fm_trim *t, bool last)
{
    const double *s = t->at.state;
    printf("{\"speed\": %.10g, \"v\": %.10g, \"w\": %.10g, \"roll\": %.10g, \"pitch\": %.10g, \"depth\": %.10g, "
           "\"held\": %s, "
           "\"power\": %.10g, \"orders\": {",
           s[FM_FLIGHT_U], s[FM_FLIGHT_V], s[FM_FLIGHT_W], s[FM_FLIGHT_ROLL], s[FM_FLIGHT_PITCH], s[FM_FLIGHT_DEPTH],
           t->held ? "true" : "false", fm_flight_power(type, &t->at));
    for (size_t i = 0; i < type->actuator_count; i++)
        printf("%s\"%s\": %.10g", i ? ", " : "", type->actuator_names[i], order_of(type, t, i));
    printf("}}%s", last ? "" : ", ");
}

static void print_turn(const fm_turning *turn)
{
    if (turn->by_fins)
        printf("turn with rudders hard over: radius %.2f m, %.2f °/s, %.3f m/s, roll %+.1f°%s\n", turn->radius,
               turn->rate / DEGREE, turn->speed, turn->roll / DEGREE,
               turn->steady ? "" : " (not steady after ten minutes)");
    else
        printf("turn by thrusters from rest: %.2f °/s%s\n", turn->rate / DEGREE,
               turn->steady ? "" : " (not steady after ten minutes)");
}

static void print_least(const fm_type *type)
{
    double least = fm_flight_least_speed(type);
    if (least > 0)
        printf("level flight is held from %.3f m/s (%.2f kn) on\n", least, least / 0.514444444);
    else if (isnan(least))
        printf("level flight is held at no speed\n");
}

/* Cruise: six tenths of the maximum order. */
static double cruise_of(const fm_type *type, const flight_options *o)
{
    return isnan(o->speed) ? fm_flight_speed_at(type, 0.6) : o->speed;
}

static void say_on_stderr(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "warning: %s\n", text);
}

static int trim_type(const fm_type *type, const flight_options *o)
{
    enum { POINTS = 5 };
    fm_trim points[POINTS];
    size_t count = isnan(o->speed) ? POINTS : 1;
    if (isnan(o->speed) && fm_flight_speed_at(type, 1) <= 0) {
        fprintf(stderr, "fathom trim: '%s' has no forward thrust\n", type->name);
        return CLI_FAILED;
    }
    for (size_t i = 0; i < count; i++)
        points[i] = fm_flight_trim(type, isnan(o->speed) ? fm_flight_speed_at(type, 0.2 * (double)(i + 1)) : o->speed);
    fm_trim cruise = fm_flight_trim(type, cruise_of(type, o));
    fm_turning turn;
    fm_error error = {0};
    bool turns = fm_flight_turn(type, &cruise, &turn, &error) == FM_OK;
    fm_flight_inspect(type, say_on_stderr, NULL);
    if (o->json) {
        printf("{\"model\": \"%s\", \"points\": [", type->name);
        for (size_t i = 0; i < count; i++)
            json_point(type, &points[i], i + 1 == count);
        printf("]");
        if (turns)
            printf(
                ", \"turn\": {\"by\": \"%s\", \"rate\": %.10g, \"speed\": %.10g, \"radius\": %.10g, \"roll\": %.10g, "
                "\"pitch\": %.10g, \"steady\": %s}",
                turn.by_fins ? "fins" : "thrusters", turn.rate, turn.speed, turn.radius, turn.roll, turn.pitch,
                turn.steady ? "true" : "false");
        printf("}\n");
        return CLI_DONE;
    }
    printf("%s, straight and level%s:\n", type->name, fm_flight_floats(type) ? ", afloat" : "");
    for (size_t i = 0; i < count; i++)
        print_point(type, &points[i]);
    if (isnan(o->speed))
        print_least(type);
    if (turns)
        print_turn(&turn);
    return CLI_DONE;
}

int cli_trim(int argc, char **argv)
{
    flight_options o = {.speed = NAN};
    int status;
    if (!cli_options_read(&cli_trim_command, argc, argv, &o, &status))
        return status;
    fm_model *model = load(&o);
    const fm_type *type = model ? type_of(model) : NULL;
    status = type ? trim_type(type, &o) : CLI_FAILED;
    fm_model_free(model);
    return status;
}

/* --- stability --- */

typedef struct linear {
    const fm_type *type;
    fm_trim trim;
    double a[FM_FLIGHT_STATES * FM_FLIGHT_STATES], b[FM_FLIGHT_STATES * FM_FLIGHT_ACTUATORS];
    double re[2][4], im[2][4]; /* longitudinal, lateral */
    bool stable;
} linear;

static void linearise(const fm_type *type, const flight_options *o, linear *l)
{
    l->type = type;
    l->trim = fm_flight_trim(type, cruise_of(type, o));
    fm_flight_linearise(type, &l->trim.at, l->a, l->b);
    l->stable = true;
    for (int i = 0; i < 2; i++) {
        fm_flight_modes(l->a, i, l->re[i], l->im[i]);
        for (int k = 0; k < 4; k++)
            l->stable = l->stable && l->re[i][k] < 1e-6;
    }
}

static void print_mode(double re, double im)
{
    double size = hypot(re, im);
    if (im < 0)
        return;
    if (im > 0)
        printf("  %+10.4f ± %.4f i 1/s   period %.3g s, damping ratio %.3g", re, im, 2 * 3.14159265358979323846 / im,
               -re / size);
    else if (fabs(re) > 1e-6)
        printf("  %+10.4f 1/s   %s %.3g s", re, re < 0 ? "time constant" : "doubles in",
               re < 0 ? -1 / re : log(2) / re);
    else
        printf("  %+10.4f 1/s", re);
    printf("%s\n", re > 1e-6 ? "   UNSTABLE" : "");
}

static void matrix_rows(FILE *out, const char *open, const char *between, const char *close, const double *m,
                        size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++) {
        fputs(open, out);
        for (size_t k = 0; k < columns; k++)
            fprintf(out, "%s%.17g", k ? ", " : "", m[i * columns + k]);
        fprintf(out, "%s%s", close, i + 1 < rows ? between : "");
    }
}

static void json_modes(const char *name, const double *re, const double *im)
{
    printf("\"%s\": [", name);
    for (int k = 0; k < 4; k++)
        printf("%s{\"re\": %.10g, \"im\": %.10g}", k ? ", " : "", re[k], im[k]);
    printf("], ");
}

typedef struct remarks {
    size_t count;
} remarks;

static void json_remark(void *user, const char *text)
{
    remarks *r = user;
    fputs(r->count++ ? ", " : "", stdout);
    cli_json_text(stdout, text);
}

static void print_json(const linear *l)
{
    printf("{\"model\": \"%s\", \"speed\": %.10g, \"held\": %s, \"stable\": %s, ", l->type->name,
           l->trim.at.state[FM_FLIGHT_U], l->trim.held ? "true" : "false", l->stable ? "true" : "false");
    json_modes("longitudinal", l->re[0], l->im[0]);
    json_modes("lateral", l->re[1], l->im[1]);
    printf("\"states\": [");
    for (int i = 0; i < FM_FLIGHT_STATES; i++)
        printf("%s\"%s\"", i ? ", " : "", fm_flight_state_names[i]);
    printf("], \"inputs\": [");
    for (size_t i = 0; i < l->type->actuator_count; i++)
        printf("%s{\"name\": \"%s\", \"unit\": \"%s\", \"value\": %.10g}", i ? ", " : "", l->type->actuator_names[i],
               l->type->actuator_units[i], l->trim.at.value[i]);
    printf("], \"x\": [");
    matrix_rows(stdout, "", "", "", l->trim.at.state, 1, FM_FLIGHT_STATES);
    printf("], \"A\": [");
    matrix_rows(stdout, "[", ", ", "]", l->a, FM_FLIGHT_STATES, FM_FLIGHT_STATES);
    printf("], \"B\": [");
    matrix_rows(stdout, "[", ", ", "]", l->b, FM_FLIGHT_STATES, l->type->actuator_count);
    printf("], \"warnings\": [");
    fm_flight_inspect(l->type, json_remark, &(remarks){0});
    printf("]}\n");
}

static void print_modes(const linear *l)
{
    const double *s = l->trim.at.state;
    printf("%s at %.3f m/s, pitch %+.2f°%s\n", l->type->name, s[FM_FLIGHT_U], s[FM_FLIGHT_PITCH] / DEGREE,
           l->trim.held ? "" : " (no orders within the limits hold this)");
    for (int i = 0; i < 2; i++) {
        printf("%s\n", i ? "lateral (v, p, r, roll):" : "longitudinal (u, w, q, pitch):");
        for (int k = 0; k < 4; k++)
            print_mode(l->re[i][k], l->im[i][k]);
    }
    if (l->stable)
        printf("every small motion dies out\n");
}

static bool write_octave(const linear *l, const char *path)
{
    fm_outfile file;
    fm_error error = {0};
    if (fm_outfile_open(&file, path, &error) != FM_OK)
        return cli_print_error(&error), false;
    FILE *out = file.file;
    fprintf(out, "%% %s at %.10g m/s: x' = A (x - x0) + B (value - value0), SI units\nstates = {", l->type->name,
            l->trim.at.state[FM_FLIGHT_U]);
    for (int i = 0; i < FM_FLIGHT_STATES; i++)
        fprintf(out, "%s'%s'", i ? ", " : "", fm_flight_state_names[i]);
    fprintf(out, "};\ninputs = {");
    for (size_t i = 0; i < l->type->actuator_count; i++)
        fprintf(out, "%s'%s'", i ? ", " : "", l->type->actuator_names[i]);
    fprintf(out, "};\nx0 = [");
    matrix_rows(out, "", "", "", l->trim.at.state, 1, FM_FLIGHT_STATES);
    fprintf(out, "]';\nvalue0 = [");
    matrix_rows(out, "", "", "", l->trim.at.value, 1, l->type->actuator_count);
    fprintf(out, "]';\nA = [");
    matrix_rows(out, "", ";\n     ", "", l->a, FM_FLIGHT_STATES, FM_FLIGHT_STATES);
    fprintf(out, "];\nB = [");
    matrix_rows(out, "", ";\n     ", "", l->b, FM_FLIGHT_STATES, l->type->actuator_count);
    fprintf(out, "];\n");
    if (fm_outfile_close(&file, &error) != FM_OK)
        return cli_print_error(&error), false;
    return true;
}

static int stability_of(const fm_type *type, const flight_options *o)
{
    linear l;
    linearise(type, o, &l);
    if (o->octave && !write_octave(&l, o->octave))
        return CLI_FAILED;
    if (o->json) {
        print_json(&l);
        return CLI_DONE;
    }
    print_modes(&l);
    fm_flight_inspect(type, say_on_stderr, NULL);
    if (!l.stable)
        fprintf(stderr,
                "warning: small motions of '%s' grow at %.3g m/s: it needs a controller, or a coefficient is wrong\n",
                type->name, l.trim.at.state[FM_FLIGHT_U]);
    return CLI_DONE;
}

int cli_stability(int argc, char **argv)
{
    flight_options o = {.speed = NAN};
    int status;
    if (!cli_options_read(&cli_stability_command, argc, argv, &o, &status))
        return status;
    fm_model *model = load(&o);
    const fm_type *type = model ? type_of(model) : NULL;
    status = type ? CLI_DONE : CLI_FAILED;
    if (type && o.octave && !cli_output_apart_from_model("stability", "--octave", o.octave, model))
        status = CLI_USAGE;
    if (status == CLI_DONE)
        status = stability_of(type, &o);
    fm_model_free(model);
    return status;
}
