/* Batches on a GPU against those in lanes, which have the bits of a world: every body model, 1,000 steps. Skipped where
 * the machine has no GPU or no libfathom-cuda.so. */
#include <glob.h>

#include "support/scenario.h"

#include "batch/batch.h"
#include "batch/surroundings.h"

enum { VEHICLES = 64, ROUNDS = 10, ROUND = 100 };

static const char uniform[] = "<current velocity='0.1 -0.2 0.05 m/s'/><wind velocity='3 -5 0 m/s'/>";
static const char streaming[] =
    "<current velocity='0.3 -0.1 0.02 m/s'><layers depth='0 5 20 21 22.5 60 m' north='0.1 0.3 -0.2 0.4 0.2 0 m/s' "
    "east='0 0.1 0.2 -0.1 0.3 0.1 m/s'/><tide period='60 s' major='0.2 m/s'/><vortex centre='4 1 0 m' drift='0.1 0 0 "
    "m/s' circulation='2 m2/s' core='1.5 m' viscosity='0.01 m2/s'/><jet point='0 4 0 m' direction='0.3 rad' "
    "speed='0.6 m/s' width='6 m' depth='18 m' height='8 m'/><gauss-markov deviation='0.2 0.1 0.05 m/s' time='3 "
    "s'/></current><wind velocity='3 -5 0 m/s'/>";
static const char stratified[] =
    "<water density='1020 kg/m3' stratified='true'><temperature surface='18 degC' z1='5 m' z2='21 m' slope1='-0.3 K/m' "
    "slope2='-0.02 K/m'><spot amplitude='2 K' centre='1 2 21 m' sigma='12 12 4 m'/></temperature></water>";

static fm_model *load_body(const char *name, const char *water)
{
    static const char *const craft[] = {"otter", "heron", "kvlcc2", "wavesim-b", "wavesim-asv"};
    char text[2048];
    int surface = 0;
    for (size_t i = 0; i < sizeof craft / sizeof *craft; i++)
        surface |= !strncmp(name, craft[i], strlen(craft[i]));
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' seed='5'>%s</world><vehicle name='v' model='%s' position='1 2 %d "
             "m' attitude='0.1 0.05 1 rad' velocity='0.3 0.05 -0.02 m/s'/></fathom>",
             water, name, surface ? 0 : 20);
    return load(text);
}

/* Of one actuator of one vehicle; a fish beats its tail up to 2.4 times a second. */
static double order_of(const char *name, double phase)
{
    return strcmp(name, "frequency") == 0 ? 1.2 + 1.2 * sin(phase) : 0.3 * sin(phase);
}

static void run(fm_batch *batch, double *seen)
{
    static double orders[64 * VEHICLES];
    fm_error error = {0};
    fm_batch_view view;
    assert_int_equal(fm_batch_map(batch, FM_BATCH_ORDERS, &view, &error), FM_OK);
    for (int k = 0; k < ROUNDS; k++) {
        for (int64_t a = 0; a < view.shape[0]; a++)
            for (int i = 0; i < VEHICLES; i++)
                orders[a * VEHICLES + i] =
                    order_of(fm_batch_row_name(batch, FM_BATCH_ORDERS, (size_t)a), 0.7 * i + 2.3 * (double)a + 1.3 * k);
        assert_int_equal(fm_batch_put(batch, FM_BATCH_ORDERS, orders, &error), FM_OK);
        if (fm_batch_step(batch, ROUND, &error) != FM_OK)
            fail_msg("%s", error.text);
    }
    assert_int_equal(fm_batch_get(batch, FM_BATCH_OBSERVATIONS, seen, &error), FM_OK);
}

/* The greatest difference of poses and velocities, relative to 1 + the number; of angles by their sines. */
static double difference(const double *a, const double *b)
{
    double worst = 0;
    for (size_t row = 0; row < 12; row++)
        for (size_t i = 0; i < VEHICLES; i++) {
            double x = a[row * VEHICLES + i], off = b[row * VEHICLES + i] - x;
            off = row >= 3 && row < 6 ? sin(off) : off / (1 + fabs(x));
            worst = fabs(off) <= worst ? worst : fabs(off);
        }
    return worst;
}

/* 1: compared; 0: no body that a batch supports; -1: no GPU. */
static int compare_on(const char *name, const char *water, int single, double tolerance)
{
    static double lanes[80 * VEHICLES], device[80 * VEHICLES];
    fm_error error = {0};
    fm_model *model = load_body(name, water);
    fm_batch *here = fm_batch_create(model, VEHICLES, &(fm_batch_options){.backend = FM_BATCH_SIMD}, &error);
    fm_batch *there =
        here ? fm_batch_create(model, VEHICLES, &(fm_batch_options){.backend = FM_BATCH_CUDA, .single = single}, &error)
             : NULL;
    if (here && !there && error.status == FM_ERR_MISSING) {
        print_message("%s\n", error.text);
        fm_batch_free(here);
        fm_model_free(model);
        return -1;
    }
    if (there) {
        run(here, lanes);
        run(there, device);
        double off = difference(lanes, device);
        print_message("%s, %s: off by %.3g\n", name, fm_batch_describe(there), off);
        if (!(off <= tolerance))
            fail_msg("%s: off by %g", name, off);
    }
    fm_batch_free(here);
    fm_batch_free(there);
    fm_model_free(model);
    return there != NULL;
}

static void compare_all(int single, double tolerance)
{
    glob_t files;
    size_t bodies = 0;
    int missing = 0;
    assert_int_equal(glob(FATHOM_SOURCE_DIR "/models/*.xml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc && !missing; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s", strrchr(files.gl_pathv[i], '/') + 1);
        *strrchr(name, '.') = 0;
        int done = compare_on(name, uniform, single, tolerance);
        missing = done < 0;
        bodies += done > 0;
    }
    const size_t all = files.gl_pathc;
    globfree(&files);
    if (missing)
        skip();
    assert_at_least(all, 23);
    assert_int_equal(bodies, all);
}

static void in_double_a_gpu_moves_every_body_model_as_lanes_do(void **unused)
{
    (void)unused;
    compare_all(0, 1e-12);
}

static void in_float_a_gpu_moves_every_body_model_to_a_hundredth(void **unused)
{
    (void)unused;
    compare_all(1, 1e-2);
}

/* Slopes of currents are differences over centimetres, which make rounding larger by a hundred. */
static void currents_densities_and_forces_on_a_gpu_are_those_of_lanes(void **unused)
{
    (void)unused;
    if (compare_on("remus-100", streaming, 0, 1e-12) < 0)
        skip();
    assert_true(compare_on("otter", streaming, 0, 1e-12) && compare_on("kvlcc2", streaming, 0, 1e-12));
    assert_true(compare_on("nps-auv-ii", stratified, 0, 1e-12) && compare_on("slocum", stratified, 0, 1e-12));
    assert_true(compare_on("robotic-fish-elongated", streaming, 0, 1e-12));
    assert_true(compare_on("remus-100", streaming, 1, 1e-2) && compare_on("slocum", stratified, 1, 1e-2));
}

/* --- whole runs --- */

static const char approach[] =
    "<fathom version='1'><world dt='10 ms' seed='7'><wall name='wall' position='3 0 0 m' normal='-1 0 "
    "0'/></world><vehicle "
    "name='snookie' model='snookie' position='0 0 1 m'><contact response='count' ends='true'/><lateral-line "
    "noise='0.05 "
    "mV'/><approach to='wall' angle='60 deg' gap='0.4 m' speed='0.15 m/s'/></vehicle></fathom>";

static double *run_approach(fm_batch *batch, fm_batch_field field)
{
    static double state[2][13 * VEHICLES];
    static int which;
    fm_error error = {0};
    which = !which;
    if (fm_batch_step(batch, 1000, &error) != FM_OK || fm_batch_get(batch, field, state[which], &error) != FM_OK)
        fail_msg("%s", error.text);
    return state[which];
}

/* Noise, flow, reflex and controller of ten seconds, a seed a vehicle: what it feels decides where it goes. */
static void a_gpu_feels_walls_as_lanes_do(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_model *model = load(approach);
    fm_batch *here = fm_batch_create_whole(model, VEHICLES, &(fm_batch_options){.backend = FM_BATCH_SIMD}, &error);
    fm_batch *there = fm_batch_create_whole(model, VEHICLES, &(fm_batch_options){.backend = FM_BATCH_CUDA}, &error);
    assert_non_null(here);
    if (there) {
        const double *a = run_approach(here, FM_BATCH_STATE), *b = run_approach(there, FM_BATCH_STATE);
        double worst = 0;
        for (size_t i = 0; i < 13 * VEHICLES; i++)
            worst = fmax(worst, fabs(a[i] - b[i]) / (1 + fabs(a[i])));
        print_message("snookie, %s: off by %.3g\n", fm_batch_describe(there), worst);
        assert_less(worst, 1e-9);
    }
    fm_batch_free(here);
    fm_batch_free(there);
    fm_model_free(model);
    if (!there)
        skip();
}

/* --- vehicles that steer themselves --- */

enum { STEPS = 1000 };

/* Error of the state and of the chain's memory, relative to 1 + the number; -1: no GPU. */
static double compare_whole(const char *text, int single)
{
    static double a[13 * VEHICLES], b[13 * VEHICLES];
    fm_error error = {0};
    fm_model *model = load(text);
    fm_batch *here = fm_batch_create_whole(model, VEHICLES, &(fm_batch_options){.backend = FM_BATCH_SIMD}, &error);
    fm_batch *there =
        fm_batch_create_whole(model, VEHICLES, &(fm_batch_options){.backend = FM_BATCH_CUDA, .single = single}, &error);
    double worst = there ? 0 : -1;
    assert_non_null(here);
    fm_batch *const both[2] = {here, there};
    double *const seen[2] = {a, b};
    static uint64_t seeds[VEHICLES];
    static double variants[VEHICLES];
    for (int i = 0; i < VEHICLES; i++)
        seeds[i] = (uint64_t)i;
    for (int k = 0; k < (there ? 2 : 1); k++)
        assert_int_equal(fm_surroundings_draw_waves(both[k], seeds, variants, &error), FM_OK);
    assert_int_equal(fm_batch_get(here, FM_BATCH_STATE, a, &error), FM_OK);
    for (int i = 0; i < VEHICLES; i++) /* each begins somewhere else */
        a[2 * VEHICLES + i] += 0.01 * i, a[7 * VEHICLES + i] += 0.002 * i;
    for (int k = 0; k < (there ? 2 : 1); k++) {
        if (k == 0)
            memcpy(b, a, sizeof b);
        if (fm_batch_put(both[k], FM_BATCH_STATE, b, &error) != FM_OK || fm_batch_step(both[k], STEPS, &error) != FM_OK)
            fail_msg("%s", error.text);
    }
    for (int k = 0; k < (there ? 2 : 1); k++)
        assert_int_equal(fm_batch_get(both[k], FM_BATCH_STATE, seen[k], &error), FM_OK);
    for (size_t i = 0; i < 13 * VEHICLES && there; i++)
        worst = fmax(worst, fabs(a[i] - b[i]) / (1 + fabs(a[i])));
    fm_batch_free(here);
    fm_batch_free(there);
    fm_model_free(model);
    return worst;
}

static const char survey[] =
    "<fathom version='1'><world dt='0.02 s' duration='105 s'><current velocity='0 0.1 0 m/s'/></world><vehicle "
    "name='lauv' "
    "model='lauv' position='0 0 3 m' velocity='1.3 0 0 m/s'><waypoints speed='1.3 m/s' lookahead='5 m' integral='0.1 "
    "1/s' "
    "radius='3 m'><waypoint position='12 0 3 m'/><waypoint position='12 15 3 m'/></waypoints><autopilot "
    "steering='fins' "
    "design-speed='1.3 m/s'><heading kp='1' ki='0.02 1/s' kd='1 s' limit='20 deg'/><depth kp='0.3 rad/m' ki='0.01 "
    "rad/m/s' kd='0.1 rad*s/m' limit='20 deg'/><pitch kp='1.5' ki='0.1 1/s' kd='0.5 s' limit='20 deg'/><speed kp='20 "
    "N*s/m' ki='2 N/m' feed='4 kg/m'/></autopilot></vehicle></fathom>";
static const char hovers[] =
    "<fathom version='1'><world dt='0.01 s' duration='90 s'><current velocity='0.2 0 0 m/s'/><bottom depth='30 "
    "m'/></world><vehicle name='rov' model='bluerov2' position='0 0 5 m'><mission><at t='0 s' place='3 0 m' depth='6 "
    "m' "
    "heading='0 deg'/><at t='4 s' heading='90 deg'/></mission><autopilot steering='thrusters'><heading thrust-kp='2 "
    "N*m/rad' thrust-ki='0.1 N*m/rad/s' thrust-kd='2 N*m*s/rad'/><depth thrust-kp='20 N/m' thrust-ki='2 N/m/s' "
    "thrust-kd='40 N*s/m'/><hover kp='100 N/m' ki='1 N/m/s' kd='30 N*s/m'/></autopilot></vehicle></fathom>";
static const char rise[] =
    "<fathom version='1'><world dt='0.05 s' duration='150 s'><bottom depth='20 m'><rise x='40 m' height='4 m' "
    "spacing='0.5 "
    "m'/></bottom></world><vehicle name='remus' model='remus-diving' position='0 0 17 m'><diving "
    "trimmed='true'/><contact response='count'/><node-sonar name='sonar' frame='2.5 s' range='40 m' spacing='0.5 "
    "m'/><avoid gain='3' stabilised='true' altitude='3 m' zone='20 m' weight='1.3' sector='20 deg' "
    "reference-spacing='0.5 m'/><bottom-following altitude='3 m' poles='-1 -1.05 -1.1 1/s' sliding-rate='1.1 m/s' "
    "boundary-layer='0.5 m'/></vehicle></fathom>";

static const char reckons[] =
    "<fathom version='1'><world dt='0.05 s' duration='90 s'><current velocity='0.05 0.1 0 m/s'/><bottom depth='25 m' "
    "slope-north='0.02'/></world><vehicle name='phoenix' model='nps-auv-ii' position='0 0 4 m' velocity='0.6 0 0 "
    "m/s'><imu dropout='0.05'><gyro noise='0.05 deg/s' drift='0.02 deg/s'/><orientation noise='0.1 deg' "
    "distribution='laplace'/></imu><compass noise='0.5 deg' distribution='triangular' period='0.1 s'/><depth noise='1 "
    "cm' bias-walk='1e-3' period='0.1 s'/><dvl noise='5 mm/s' scale-spread='0.01' period='0.2 s' position='-0.3 0 0.1 "
    "m'/><speed-log noise='1 cm/s' distribution='uniform'/><navigation attitude='imu' heading='compass' depth='depth' "
    "velocity='dvl speed-log'/><mission><at t='0 s' heading='0 deg' depth='4 m' speed='0.6 m/s'/><at t='5 s' depth='8 "
    "m' heading='40 deg'/></mission><autopilot steering='fins' design-speed='0.6 m/s'><heading kp='1.5' ki='0.05 1/s' "
    "kd='2 s' limit='25 deg'/><depth kp='0.25 rad/m' ki='0.001 rad/m/s' kd='0.3 rad*s/m' limit='20 deg'/><pitch kp='2' "
    "ki='0.8 1/s' kd='2 s' limit='25 deg'/><speed kp='100 N*s/m' ki='10 N/m' feed='19.3 kg/m'/></autopilot></vehicle>"
    "</fathom>";

static const char inertial[] =
    "<fathom version='1'><world dt='0.05 s' duration='90 s' latitude='36.7 deg'/><vehicle name='phoenix' "
    "model='nps-auv-ii' position='0 0 4 m' velocity='0.6 0 0 m/s'><ins earth='turning' tilt-error='0.01 0.01 0.1 "
    "deg'><gyro noise='1e-5 rad/s'/><accelerometer noise='1e-3 m/s2' bias-spread='1e-3 m/s2'/></ins><navigation "
    "attitude='ins' velocity='ins' position='ins' depth='ins'/><orders><at t='1 s' propellers='500 rpm'/><at t='10 s' "
    "stern-rudder='5 deg'/></orders><station position='20 0 4 m' heading='0 deg' from='20 s'/><autopilot "
    "steering='thrusters' enabled='1'><heading thrust-kp='40 N*m/rad' thrust-kd='90 N*m*s/rad'/><depth "
    "thrust-kp='40 "
    "N/m' thrust-kd='250 N*s/m'/><hover kp='20 N/m' kd='150 N*s/m'/></autopilot></vehicle></fathom>";

/* Some pass, some end at what stands or moves around, some are crushed. */
static const char harbour[] =
    "<fathom version='1'><world dt='0.05 s' duration='60 s'><bottom depth='22 m' slope-north='0.01'/><column "
    "name='pile' position='45 0 0 m' radius='1 m' height='25 m'/><sphere name='mine' position='25 6 14 m' radius='0.5 "
    "m'><track t='0 7 20 s' x='25 26 20 m' y='6 3 6 m' z='14 14 14 m' loop='true'/></sphere><wall name='quay' "
    "position='0 9 0 m' normal='0 -1 0'/></world><vehicle name='v' model='remus-100' position='0 0 14 m' attitude='0 0 "
    "5 deg' velocity='1.2 0 0 m/s'><limits crush-depth='17.5 m'/><contact response='count' ends='true' "
    "clearance='true'/><orders><at t='0 s' propeller='1200 rpm'/></orders></vehicle></fathom>";
static const char above[] =
    "<fathom version='1'><world dt='0.02 s' duration='40 s'><bottom depth='20 m' slope-north='-0.05'/></world><vehicle "
    "name='lauv' model='lauv' position='0 0 5 m' velocity='1 0 0 m/s'><mission><at t='0 s' speed='1.3 m/s' altitude='9 "
    "m'/><at t='12 s' depth='8 m'/></mission><autopilot steering='fins' design-speed='1.3 m/s'><heading kp='1' kd='1 "
    "s' limit='20 deg'/><depth kp='0.3 rad/m' kd='0.1 rad*s/m' limit='20 deg'/><pitch kp='1.5' kd='0.5 s' limit='20 "
    "deg'/><speed kp='20 N*s/m' feed='4 kg/m'/></autopilot></vehicle></fathom>";
static const char among[] =
    "<fathom version='1'><world dt='0.01 s' duration='10 s'><bottom depth='3.6 m'/><column name='pile' position='2.5 0 "
    "0 m' radius='0.3 m' height='10 m'/><sphere name='ball' position='1.5 1.6 3 m' radius='0.4 m'/></world><vehicle "
    "name='snookie' model='snookie' position='0 0 2 m' attitude='0 0 10 deg' velocity='0.2 0 0 m/s'><contact "
    "response='count' ends='true'/></vehicle></fathom>";

static const char feeler_flow[] =
    "<fathom version='1'><world dt='0.02 s' duration='20 s'><current velocity='0.05 0.1 0 m/s'><gauss-markov "
    "deviation='0.02 0.02 0.005 m/s' time='5 s'/><vortex centre='2 1 0 m' circulation='0.3 m2/s' core='0.3 "
    "m'/></current><column name='pile' position='2.5 0 0 m' radius='0.3 m' height='30 m'/><sphere name='ball' "
    "position='1.5 1.6 3 m' radius='0.4 m'><track t='0 4 9 s' x='1.5 1.5 3 m' y='1.6 0.8 1 m' z='3 3 3 m' "
    "loop='true'/></sphere></world><vehicle name='snookie' model='snookie' position='0 0 3 m' velocity='0.2 0 0 "
    "m/s'><contact response='count' ends='true'/></vehicle></fathom>";

/* Fifty seconds of a fish: 2.2 beats a second in steps of 50 ms, which the elongated body divides into 22. */
#define SWIMS(model)                                                                                                   \
    "<fathom version='1'><world dt='0.05 s' duration='60 s'><water-noise amplitude='3 2 1 mm' wavelength='0.5 0.4 "    \
    "0.7 "                                                                                                             \
    "m'/><current velocity='0.05 -0.02 0 m/s'/></world><vehicle name='v' model='" model "' position='0 0 3 m' "        \
    "velocity='0.1 0 0 m/s'><fish deflection='20 deg' depth='5 m'><wave frequency='2.2 Hz'/></fish></vehicle>"         \
    "</fathom>"
static const char flows[] =
    "<fathom version='1'><world dt='0.05 s' duration='60 s'><current velocity='0.05 0.1 0 m/s'><layers depth='0 25 m' "
    "north='0 0.3 m/s' east='0.1 0 m/s'/><gauss-markov deviation='0.05 0.05 0.01 m/s' time='20 s'/><vortex centre='40 "
    "3 0 m' circulation='5 m2/s' core='3 m'/></current><bottom depth='40 m'/></world><vehicle name='remus' "
    "model='remus-diving' position='0 0 17 m'><diving trimmed='true'/><bottom-following altitude='20 m' poles='-1 "
    "-1.05 -1.1 1/s' sliding-rate='1.1 m/s' boundary-layer='0.5 m'/></vehicle></fathom>";
static const char swell[] =
    "<fathom version='1'><world dt='0.02 s' duration='60 s'><waves depth='20 m'><jonswap height='0.3 m' period='3 s' "
    "direction='40 deg' spreading='4'/></waves><wind velocity='0 4 0 m/s'/></world><vehicle name='otter' "
    "model='otter'/></fathom>";
static const char pushed[] =
    "<fathom version='1'><world dt='0.02 s' duration='20 s'><wall name='quay' position='3 0 0 m' normal='-1 0 "
    "0'/><sphere name='ball' position='1.5 1.2 3 m' radius='0.4 m'/></world><vehicle name='snookie' model='snookie' "
    "position='0 0 3 m' velocity='0.2 0 0 m/s'><contact response='count' "
    "ends='true'/><near-wall/></vehicle></fathom>";

static void compare_text(const char *name, const char *text, int single, double tolerance)
{
    double off = compare_whole(text, single);
    if (off < 0)
        skip();
    print_message("%s, %s: off by %.3g\n", name, single ? "float" : "double", off);
    assert_less(off, tolerance);
}

static void a_gpu_runs_autopilots_as_lanes_do(void **unused)
{
    (void)unused;
    compare_text("LAUV along waypoints", survey, 0, 1e-12);
    compare_text("BlueROV2 keeping a place", hovers, 0, 1e-12);
    compare_text("LAUV along waypoints", survey, 1, 1e-2);
}

static void a_gpu_follows_the_bottom_as_lanes_do(void **unused)
{
    (void)unused;
    compare_text("REMUS over a step", rise, 0, 1e-12);
    compare_text("REMUS over a step", rise, 1, 1e-2);
}

/* Noise of fifty seconds by all instruments, a seed a vehicle: what it believes decides where it goes. */
static void a_gpu_reckons_by_instruments_as_lanes_do(void **unused)
{
    (void)unused;
    compare_text("Phoenix by its instruments", reckons, 0, 1e-12);
    compare_text("Phoenix by its instruments", reckons, 1, 1e-2);
    compare_text("Phoenix by inertia", inertial, 0, 1e-12);
}

static void a_gpu_ends_and_clears_what_is_around_as_lanes_do(void **unused)
{
    (void)unused;
    compare_text("REMUS in a harbour", harbour, 0, 1e-12);
    compare_text("LAUV above a slope", above, 0, 1e-12);
    compare_text("Snookie among columns", among, 0, 1e-9);
    compare_text("Snookie among vortices", feeler_flow, 0, 1e-9);
}

static void a_gpu_swims_as_lanes_do(void **unused)
{
    (void)unused;
    compare_text("a fish", SWIMS("robotic-fish"), 0, 1e-12);
    compare_text("a fish with fins", SWIMS("robotic-fish-fins"), 0, 1e-12);
    compare_text("a fish of one joint", SWIMS("robotic-fish-one-joint"), 0, 1e-12);
    compare_text("an elongated fish", SWIMS("robotic-fish-elongated"), 0, 1e-12);
    compare_text("an elongated fish", SWIMS("robotic-fish-elongated"), 1, 1e-2);
}

/* The diving model in currents, a craft on a sea of its own in each run, a nose that walls push. */
static void a_gpu_meets_currents_waves_and_walls_as_lanes_do(void **unused)
{
    (void)unused;
    compare_text("REMUS dives through currents", flows, 0, 1e-12);
    compare_text("Otter in waves", swell, 0, 1e-12);
    compare_text("Snookie pushed by walls", pushed, 0, 1e-9);
    compare_text("REMUS dives through currents", flows, 1, 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_double_a_gpu_moves_every_body_model_as_lanes_do),
        cmocka_unit_test(in_float_a_gpu_moves_every_body_model_to_a_hundredth),
        cmocka_unit_test(currents_densities_and_forces_on_a_gpu_are_those_of_lanes),
        cmocka_unit_test(a_gpu_feels_walls_as_lanes_do),
        cmocka_unit_test(a_gpu_runs_autopilots_as_lanes_do),
        cmocka_unit_test(a_gpu_follows_the_bottom_as_lanes_do),
        cmocka_unit_test(a_gpu_reckons_by_instruments_as_lanes_do),
        cmocka_unit_test(a_gpu_ends_and_clears_what_is_around_as_lanes_do),
        cmocka_unit_test(a_gpu_swims_as_lanes_do),
        cmocka_unit_test(a_gpu_meets_currents_waves_and_walls_as_lanes_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
