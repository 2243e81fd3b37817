/* The vehicle kernel in builds of its own against the live engine: every body model, with orders that change, faults
 * and a current. Compiled several times (CMakeLists.txt): lanes of double and float at the width of each instruction
 * set, and one vehicle alone. Each vehicle's type comes as a flat block that is copied before it is used; the model is
 * gone by then. In double every bit is the live engine's. */
#if !defined(FM_LANES) && !defined(TEST_ALONE)
#define FM_LANES 8
#endif
#include <glob.h>
#ifndef __clang__
#include <sleef.h> /* physics/real.h declares some of these itself; clang distinguishes a `const double` result */
#endif

#include "physics/flatten.h"
#include "physics/lanes_plot.h"
#include "physics/shadows.h"

/* --- the live engine --- */

static fm_model *fleet(const char *model, const char *attributes, const char *inside, double depth)
{
    static char text[65536];
    int at = snprintf(text, sizeof text,
                      "<fathom version='1'><world dt='0.01 s' duration='90 s'><current velocity='%.17g %.17g %.17g "
                      "m/s'/></world>",
                      current[0], current[1], current[2]);
    for (int v = 0; v < VEHICLES; v++) {
        beginning s = beginning_of(v, depth);
        char body[4096]; /* %d in `inside` and `attributes`: the vehicle's number */
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "<vehicle name='v%d' position='%.17g %.17g %.17g m' attitude='%.17g %.17g %.17g rad' "
                       "velocity='%.17g %.17g %.17g m/s' rates='%.17g %.17g %.17g rad/s' ",
                       v, s.position[0], s.position[1], s.position[2], s.euler[0], s.euler[1], s.euler[2],
                       s.velocity[0], s.velocity[1], s.velocity[2], s.velocity[3], s.velocity[4], s.velocity[5]);
        snprintf(body, sizeof body, "%s%s%s %s>%s</vehicle>", model ? "model='" : "", model ? model : "",
                 model ? "'" : "", attributes, inside);
        for (const char *c = body; *c; c++)
            at += *c == '#' ? snprintf(text + at, sizeof text - (size_t)at, "%d", v)
                            : snprintf(text + at, sizeof text - (size_t)at, "%c", *c);
    }
    snprintf(text + at, sizeof text - (size_t)at, "</fathom>");
    return load(text);
}

static void set_fault(fm_world *world, int v, const char *actuator, const fault *f)
{
    char path[128];
    snprintf(path, sizeof path, "/v%d/%s/%s", v, actuator, f->name);
    for (char *c = path; *c; c++)
        *c = *c == '-' ? '_' : *c;
    set_live(world, path, f->value);
}

static void order_live(fm_world *world, fm_flat *const *flats, int step)
{
    for (int v = 0; v < VEHICLES; v++) {
        int count = (int)flats[v]->count[FM_FLAT_ACTUATORS];
        for (int a = 0; a < count && step % 20 == 0; a++)
            order(world, fm_world_name(world, v), fm_world_column_name(world, v, (size_t)a),
                  order_of(flats[v], v, a, step));
        for (size_t i = 0; i < sizeof faults / sizeof *faults && count; i++)
            if (faults[i].step == step)
                set_fault(world, v, fm_world_column_name(world, v, (size_t)((v + (int)i) % count)), &faults[i]);
    }
}

static sample sample_live(const fm_world *world, int v, int actuators)
{
    fm_pose pose = pose_of(world, v);
    sample s = {{0}};
    memcpy(s.value, pose.position, sizeof pose.position);
    memcpy(s.value + 3, pose.euler, sizeof pose.euler);
    memcpy(s.value + 6, pose.velocity, sizeof pose.velocity);
    s.value[12] = metric_of(world, v, "battery");
    for (int a = 0; a < actuators; a++)
        s.value[13 + a] = fm_world_column(world, v, (size_t)a);
    return s;
}

/* Snookie's own controllers steer it: what its thrusters do at once is then the order, whatever is planned here. */
static orders_seen orders;

static void note_orders(const fm_world *world, int step)
{
    for (int v = 0; v < VEHICLES; v++)
        for (int a = 0; a < ACTUATORS && (size_t)a < fm_world_column_count(world, v); a++)
            orders[step][v][a] = fm_world_column(world, v, (size_t)a);
}

static void run_live(const fm_model *model, fm_flat *const *flats, sample (*out)[VEHICLES])
{
    fm_world *world = create(model, 1);
    for (int k = 0; k < STEPS; k++) {
        order_live(world, flats, k);
        step(world, 1);
        note_orders(world, k);
        for (int v = 0; v < VEHICLES && (k + 1) % SAMPLE == 0; v++)
            out[k / SAMPLE][v] = sample_live(world, v, (int)flats[v]->count[FM_FLAT_ACTUATORS]);
    }
    fm_world_free(world);
}

/* --- both --- */

static sample live[SAMPLES][VEHICLES], here[SAMPLES][VEHICLES];

#ifdef FM_FLOAT
/* In float a trajectory differs by what rounding does to it, which an unstable vehicle makes large. How much that is at
 * most is measured: shadows fly the same plot in double, and are pushed by as much as a float resolves with each step.
 */
enum { MARGIN = 10 };
#define FLOOR 1e-5 /* of the number itself: what the last step alone may bring */
static double off_shadows[SAMPLES][COLUMNS];

static double difference(double a, double b, int column)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b) ? 0 : (double)INFINITY;
    return fabs(column >= 3 && column < 6 ? sin(a - b) : a - b); /* headings may jump by a turn */
}

static void measure_shadows(fm_flat *const *flats, int v, double depth, const orders_seen *steered)
{
    static shadow_sample shadows[SAMPLES];
    fly_shadows(flats, v, depth, steered, shadows);
    for (int c = 0; c < COLUMNS; c++) {
        double most = 0;
        for (int k = 0; k < SAMPLES; k++) {
            for (int i = 0; i < SHADOWS; i++)
                most = fmax(most, difference(live[k][v].value[c], shadows[k].of[i].value[c], c));
            off_shadows[k][c] = most;
        }
    }
}

/* What rounding may do up to a sample: it may come a little earlier than to the shadows. */
static double allowance(int k, int v, int c)
{
    int next = k + 1 < SAMPLES ? k + 1 : k;
    double size = isnan(live[k][v].value[c]) ? 0 : fabs(live[k][v].value[c]);
    return FLOOR * (1 + size) + MARGIN * off_shadows[next][c];
}

static int same(int k, int v, int c)
{
    return difference(live[k][v].value[c], here[k][v].value[c], c) <= allowance(k, v, c);
}
#else
static int same(int k, int v, int c)
{
    double a = live[k][v].value[c], b = here[k][v].value[c];
    return isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof a) == 0;
}
#endif

/* Where the two engines differ first; 0: nowhere. */
static int find_difference(int v, char *text, size_t size)
{
    for (int k = 0; k < SAMPLES; k++)
        for (int c = 0; c < COLUMNS; c++)
            if (!same(k, v, c)) {
                snprintf(text, size, "vehicle %d after step %d, column %d: live %.17g, here %.17g", v, (k + 1) * SAMPLE,
                         c, live[k][v].value[c], here[k][v].value[c]);
                return 1;
            }
    return 0;
}

static void run_group(fm_flat *const *flats, int first, double depth, const orders_seen *steered)
{
    static group g;
    int vehicles[LANES];
    for (int lane = 0; lane < LANES; lane++)
        vehicles[lane] = first + lane;
    fm_flat *block = make_block(flats, vehicles);
    begin_group(&g, block, vehicles, depth);
    for (int k = 0; k < STEPS; k++) {
        step_group(&g, flats, vehicles, steered, k);
        for (int lane = 0; lane < LANES && (k + 1) % SAMPLE == 0; lane++)
            here[k / SAMPLE][first + lane] = sample_group(&g, lane);
    }
    free(block);
}

/* Flies a fleet in both engines; 0 where its type has no flat form. */
static int fly(const char *model, const char *attributes, const char *inside, double depth)
{
    fm_model *the_fleet = fleet(model, attributes, inside, depth);
    fm_error error = {0};
    fm_flat *flats[VEHICLES];
    const orders_seen *steered = model && strcmp(model, "snookie") == 0 ? (const orders_seen *)&orders : NULL;
    char what[256];
    int differ = 0;
    for (size_t v = 0; v < VEHICLES; v++)
        flats[v] = flatten(the_fleet, v, &error);
    if (flats[0])
        run_live(the_fleet, flats, live);
    fm_model_free(the_fleet);
    if (!flats[0])
        return 0;
    for (int first = 0; first < VEHICLES; first += LANES)
        run_group(flats, first, depth, steered);
    for (int v = 0; v < VEHICLES && !differ; v++) {
#ifdef FM_FLOAT
        measure_shadows(flats, v, depth, steered);
#endif
        differ = find_difference(v, what, sizeof what);
    }
    if (differ != (mistake != 1.0))
        fail_msg("%s %s%s: %s", model ? model : "vehicle", attributes, inside,
                 differ ? what : "no difference was found where one was made");
    for (int v = 0; v < VEHICLES; v++)
        fm_free(flats[v]);
    return 1;
}

/* The comparison sees a current (0.2 mm/s) or thrusts that are off by a thousandth, also between float and double. */
static void a_mistake_of_a_thousandth_is_found(void **unused)
{
    (void)unused;
    static const char *const models[] = {"nps-auv-ii", "lauv", "bluerov2", "snookie"};
    mistake = 1.001;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        assert_true(fly(models[i], "", "", 20));
    mistake = 1;
}

static void every_body_model_moves_as_in_the_live_engine(void **unused)
{
    (void)unused;
    glob_t files;
    int bodies = 0;
    assert_int_equal(glob(FATHOM_SOURCE_DIR "/models/*.xml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s", strrchr(files.gl_pathv[i], '/') + 1);
        *strrchr(name, '.') = 0;
        if (strcmp(name, "kvlcc2") == 0)
            continue; /* its forces are parts, which a block has not */
        /* how a hull expands with the water around it is not of the block either: batch/test_backends */
        const char *inside = strcmp(name, "slocum") == 0 ? "<buoyancy expansion='0 1/K'/>" : "";
        bodies += fly(name, "", inside,
                      strcmp(name, "otter") && strcmp(name, "heron") && strncmp(name, "wavesim-b", 9) ? 20 : 0);
    }
    assert_at_least(bodies, 9);
    globfree(&files);
}

/* Some lanes cut by the surface, some above it, some wholly submerged. */
static void at_the_surface_lanes_move_as_in_the_live_engine(void **unused)
{
    (void)unused;
    static const char *const models[] = {"nps-auv-ii", "lauv", "bluerov2", "wavesim-asv"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        assert_true(fly(models[i], "", "", 0.05));
        assert_true(fly(models[i], "integrator='euler'", "", -0.3));
    }
}

static void every_integrator_and_posture_moves_as_in_the_live_engine(void **unused)
{
    (void)unused;
    static const char *const attributes[] = {"integrator='euler'",
                                             "integrator='rk4'",
                                             "integrator='text'",
                                             "integrator='rk4' posture='euler'",
                                             "integrator='text' posture='euler'",
                                             "integrator='midpoint'",
                                             "integrator='heun' substeps='3'"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        assert_true(fly("nps-auv-ii", attributes[i], "", 20));
}

/* Every kind of actuator and dynamics, masses that move, a battery that runs empty on the way. */
#define WORKBOAT                                                                                                       \
    "<mass mass='4# kg' centre='0 0 0.03 m' inertia='1.1 4.3 4.9 kg*m2'/><buoyancy force='400 N'/>"                    \
    "<added-mass-matrix linear='4 35 38 kg' angular='0.2 3.1 2.9 kg*m2'/>"                                             \
    "<drag X_u='-5.# N*s/m' Y_v='-40 N*s/m' Z_w='-45 N*s/m' K_p='-2 N*m*s/rad' M_q='-9 N*m*s/rad' "                    \
    "N_r='-8 N*m*s/rad' Y_uv='-1# N*s2/m2' N_uv='-5 N*m*s2/m2'/>"                                                      \
    "<cross-flow x='-1 0 1 m' height='0.4 0.4 0.4 m' breadth='0.3 0.3 0.3 m' cdy='1.#' cdz='0.9'/>"                    \
    "<thruster name='push' position='0 0.1 -0.05 m' direction='1 0.1 0.05' thrust='4# N' dynamics='first-order' "      \
    "time-constant='0.4 s' power='3# W'/>"                                                                             \
    "<propeller name='screw' position='-1 0 0 m' thrust='20 N' thrust-reverse='14 N' rated='100 rad/s' "               \
    "dynamics='dc-motor' time-constant='0.6 s' damping='0.5' dead-band='3 rad/s' power='25 W'/>"                       \
    "<tunnel-thruster name='bow' position='0.8 0 0 m' direction='0 1 0' thrust='9 N' rated='24 V' "                    \
    "dynamics='second-order' time-constant='0.2 s' damping='0.6'/>"                                                    \
    "<fin name='rudder' position='-1 0 0 m' direction='0 1 0' area='0.0#1 m2' lift-slope='2.5 1/rad' inflow='ahead' "  \
    "limit='25 deg' "                                                                                                  \
    "rate='1# deg/s'/>"                                                                                                \
    "<ballast name='tank' position='0.2 0 0.1 m' limit='2 kg' rate='0.3 kg/s'/>"                                       \
    "<moving-mass name='slider' position='0 0 0.05 m' mass='4 kg' limit='0.2 m' rate='0.0# m/s'/>"

#ifdef FM_FLOAT /* what a float can resolve a kilometre from the origin */
#define TOLERANCE "tolerance='1e-3'"
#else
#define TOLERANCE "tolerance='1e-7'"
#endif

static void actuators_masses_and_battery_work_as_in_the_live_engine(void **unused)
{
    (void)unused;
#define OF_ONE_TYPE "<battery capacity='500 J' hotel='5 W' propulsion='3 W' at-speed='1 m/s'/>"
    char inside[4096];
    snprintf(inside, sizeof inside, "%s", WORKBOAT OF_ONE_TYPE);
    for (char *c = inside; *c; c++)
        *c = *c == '#' ? '2' : *c;
    assert_true(fly(NULL, "", inside, 20));
    assert_true(fly(NULL, "integrator='rk4' " TOLERANCE, inside, 20));
}

#ifndef FM_ONE_TYPE
/* Each vehicle of another mass, drag, thrust, power, fin, rate and battery: the sweep that lanes are for. */
static void vehicles_of_different_types_fly_side_by_side(void **unused)
{
    (void)unused;
    static const char battery[] = "<battery capacity='4#0 J' hotel='5.# W' propulsion='3 W' at-speed='1 m/s'/>";
    char inside[4096];
    snprintf(inside, sizeof inside, "%s%s", WORKBOAT, battery);
    assert_true(fly(NULL, "", inside, 20));
    assert_true(fly(NULL, TOLERANCE, inside, 20));
}
#endif

#if defined(FM_LANES) && !defined(FM_FLOAT)
#define SAME_1(function, scalar)                                                                                       \
    do {                                                                                                               \
        fm_real lanes = function(x);                                                                                   \
        for (int i = 0; i < FM_LANES; i++) {                                                                           \
            double expected = scalar(x[i]), found = lanes[i];                                                          \
            assert_memory_equal(&found, &expected, sizeof found);                                                      \
        }                                                                                                              \
    } while (0)

static void elementary_functions_have_the_same_bits_in_lanes(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2000; k++) {
        fm_real x, y;
        for (int i = 0; i < FM_LANES; i++) {
            x[i] = sin(17.0 * (FM_LANES * k + i)) * pow(10, (k % 5) - 3);
            y[i] = cos(5.0 * (FM_LANES * k + i));
        }
        SAME_1(fm_sin, Sleef_cinz_sind1_u10purec);
        SAME_1(fm_cos, Sleef_cinz_cosd1_u10purec);
        SAME_1(fm_exp, Sleef_cinz_expd1_u10purec);
        SAME_1(fm_expm1, Sleef_cinz_expm1d1_u10purec);
        SAME_1(fm_tanh, Sleef_cinz_tanhd1_u10purec);
        fm_real angle = fm_atan2(x, y), power = fm_pow(fm_abs(x), y);
        for (int i = 0; i < FM_LANES; i++) {
            double expected = Sleef_cinz_atan2d1_u10purec(x[i], y[i]), found = angle[i];
            assert_memory_equal(&found, &expected, sizeof found);
            expected = Sleef_cinz_powd1_u10purec(fabs(x[i]), y[i]), found = power[i];
            assert_memory_equal(&found, &expected, sizeof found);
        }
        x = fm_abs(x) + fm_const(1e-6);
        SAME_1(fm_log, Sleef_cinz_logd1_u10purec);
        SAME_1(fm_sqrt, sqrt);
        x = fm_clamp(x, fm_const(-1), fm_const(1));
        SAME_1(fm_asin, Sleef_cinz_asind1_u10purec);
    }
}
#endif

#ifdef FM_LANES
/* IEEE 754 leaves open what a minimum of zeros or beside a NaN is; the comparison does not. */
static void choices_are_those_of_the_comparison(void **unused)
{
    (void)unused;
    static const fm_par values[] = {0, (fm_par)-0.0, 1, -1, (fm_par)INFINITY, (fm_par)-INFINITY, (fm_par)NAN};
    enum { VALUES = sizeof values / sizeof *values };
    for (int k = 0; k < VALUES * VALUES; k++) {
        fm_real a = fm_const(3), b = fm_const(4);
        int lane = k % FM_LANES;
        fm_par x = values[k / VALUES], y = values[k % VALUES];
        a[lane] = x;
        b[lane] = y;
        fm_par expected[3] = {x < y ? x : y, x > y ? x : y, x < y ? y : x};
        fm_real least = fm_min(a, b), most = fm_max(a, b), chosen = fm_select(a < b, b, a);
        fm_par found[3] = {least[lane], most[lane], chosen[lane]};
        assert_memory_equal(found, expected, sizeof found);
        assert_int_equal(fm_any(a > b), x > y);
    }
}

static void a_quotient_by_a_root_is_one(void **unused)
{
    (void)unused;
    for (int k = -60; k < 60; k++) {
        fm_real a, b;
        for (int i = 0; i < FM_LANES; i++) {
            a[i] = (fm_par)sin(k + 0.1 * i);
            b[i] = (fm_par)exp(k + 0.37 * i);
        }
        fm_real found = fm_over_root(a, b);
        for (int i = 0; i < FM_LANES; i++) {
            double expected = (double)a[i] / sqrt((double)b[i]);
            assert_near((double)found[i], expected, (sizeof(fm_par) == 4 ? 4e-7 : 3e-16) * fabs(expected));
        }
    }
}
#endif

/* What runs before the question whether the processor has wide registers must not use them itself. */
#if defined(__AVX2__)
#define ON_ANY_PROCESSOR __attribute__((target("no-avx,no-avx2,no-avx512f")))
#else
#define ON_ANY_PROCESSOR
#endif

/* Programs for wider registers than this processor's end with 77, which CTest calls skipped. */
ON_ANY_PROCESSOR static int processor_has_it(void)
{
#if defined(__AVX512F__)
    return __builtin_cpu_supports("avx512f");
#elif defined(__AVX2__)
    return __builtin_cpu_supports("avx2");
#else
    return 1;
#endif
}

ON_ANY_PROCESSOR int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mistake_of_a_thousandth_is_found),
        cmocka_unit_test(every_body_model_moves_as_in_the_live_engine),
        cmocka_unit_test(at_the_surface_lanes_move_as_in_the_live_engine),
        cmocka_unit_test(every_integrator_and_posture_moves_as_in_the_live_engine),
        cmocka_unit_test(actuators_masses_and_battery_work_as_in_the_live_engine),
#ifndef FM_ONE_TYPE
        cmocka_unit_test(vehicles_of_different_types_fly_side_by_side),
#endif
#if defined(FM_LANES) && !defined(FM_FLOAT)
        cmocka_unit_test(elementary_functions_have_the_same_bits_in_lanes),
#endif
#ifdef FM_LANES
        cmocka_unit_test(choices_are_those_of_the_comparison),
        cmocka_unit_test(a_quotient_by_a_root_is_one),
#endif
    };
    return processor_has_it() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
