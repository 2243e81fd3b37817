/* `fathom sweep --backend simd` of vehicles that go by their instruments: noise, flaws, faults and dead reckoning in
 * lanes have the bits of worlds. */
#include <math.h>

#define TABLES "navigated"
#include "batch/both.h"

/* By fins, with noise of its own in each run; at 100 s the depth gauge fails, and a second one takes over. */
static void phoenix_dives_by_its_instruments_in_lanes_as_in_worlds(void **unused)
{
    (void)unused;
    same_by_lanes(SCENARIO("phoenix-dive") " --duration 120 --seed 5 --runs 5", "6");
    same_by_lanes(SCENARIO("phoenix-dive") " --duration 30 --seed 2 --runs 2 --vary '/phoenix/compass/noise=0,1,3 deg' "
                                           "--vary '/phoenix/spare_depth/bias=0,-5 cm'",
                  "13");
}

/* By thrusters; after 150 s the current turns. */
static void phoenix_hovers_by_its_instruments_in_lanes_as_in_worlds(void **unused)
{
    (void)unused;
    same_by_lanes(SCENARIO("phoenix-hover") " --duration 170 --seed 11 --runs 3 --vary '/phoenix/position/z=4,5 m'",
                  "7");
    run_shell(&r, "cut -d, -f1- " TABLES "_lanes.csv");
    expect(0, "position_error_rms");
}

/* Waypoints, then a station before a dock, which the beams of the log may meet. */
static void phoenix_docks_by_its_instruments_in_lanes_as_in_worlds(void **unused)
{
    (void)unused;
    same_by_lanes(SCENARIO("phoenix-dock") " --duration 175 --runs 3", "4");
    run_shell(&r, "head -1 " TABLES "_lanes.csv");
    expect(0, "min_clearance");
}

/* By gyroscopes and accelerometers alone, over the turning Earth; for a minute they look for north. */
static void phoenix_navigates_by_inertia_in_lanes_as_in_worlds(void **unused)
{
    (void)unused;
    same_by_lanes(SCENARIO("phoenix-inertial") " --duration 120 --seed 3 --runs 3 --vary "
                                               "'/phoenix/ins/gyrocompass=0,60 s'",
                  "7");
    run_shell(&r, "head -1 " TABLES "_lanes.csv");
    expect(0, "position_error_rms");
}

/* A LAUV that navigates with `instruments` and goes round a corner. */
static void write_lauv(const char *world, const char *instruments, const char *faults)
{
    char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.02 s' duration='24 s'><current velocity='0.05 0.1 0 m/s'/>%s</world>"
             "<vehicle name='v' model='lauv' position='0 0 3 m' velocity='1.3 0 0 m/s'>%s<waypoints speed='1.3 m/s' "
             "lookahead='5 m' integral='0.1 1/s' radius='3 m'><waypoint position='12 0 4 m'/><waypoint position='12 20 "
             "3 m'/></waypoints><autopilot steering='fins' design-speed='1.3 m/s'><heading kp='1' ki='0.02 1/s' kd='1 "
             "s' limit='20 deg'/><depth kp='0.3 rad/m' ki='0.01 rad/m/s' kd='0.1 rad*s/m' limit='20 deg'/><pitch "
             "kp='1.5' ki='0.1 1/s' kd='0.5 s' limit='20 deg'/><speed kp='20 N*s/m' ki='2 N/m' feed='4 kg/m'/>"
             "</autopilot></vehicle>%s</fathom>",
             world, instruments, faults);
    write_file("reckoner.xml", text);
}

static const char flat[] = "<bottom depth='25 m' slope-north='0.02' slope-east='-0.01'/>";

/* Every flaw that an element has, on instruments that sit aslant and off the middle. */
static void flaws_of_every_instrument_are_those_of_worlds(void **unused)
{
    (void)unused;
    static const struct {
        const char *instruments, *reads;
    } all[] = {
        {"<imu position='0.2 0.1 0 m' attitude='2 -3 5 deg' period='0.04 s' dropout='0.1'><gyro noise='0.1 deg/s' "
         "distribution='laplace' bias='0.01 -0.02 0.03 deg/s' bias-walk='1e-4' scale-error='0.01 0.02 -0.01' "
         "drift='0.02 deg/s' drift-time='5 s' outliers='0.01' outlier-size='3 deg/s' quantum='0.001 deg/s' "
         "minimum='-20 deg/s' maximum='20 deg/s' bias-spread='0.02 deg/s'/><orientation noise='0.3 deg' "
         "distribution='uniform' bias='0.1 0.2 0.3 deg' drift='0.2 deg' drift-time='3 s'/></imu>",
         "attitude='imu'"},
        {"<compass noise='1 deg' distribution='triangular' bias='0.5 deg' bias-walk='1e-3' scale-error='0.01' "
         "scale-spread='0.02' bias-spread='0.5 deg' drift='1 deg' drift-time='4 s' outliers='0.02' outlier-size='10 "
         "deg' quantum='0.5 deg' declination='2 deg' deviation='1 -0.5 deg' attitude='0 3 20 deg' dropout='0.2'/>",
         "heading='compass'"},
        {"<depth noise='3 cm' bias='2 cm' scale-error='0.01' scale-spread='0.01' bias-spread='5 cm' drift='5 cm' "
         "outliers='0.02' outlier-size='1 m' quantum='1 cm' minimum='0.5 m' maximum='3.8 m' position='0.5 0 0.1 m' "
         "period='0.1 s'/>",
         "depth='depth'"},
        {"<speed-log noise='2 cm/s' distribution='uniform' bias='1 cm/s' quantum='1 mm/s' scale-spread='0.05' "
         "dropout='0.3' attitude='0 1 2 deg' position='0.3 0.1 0 m'/>",
         "velocity='speed-log' current='0.04 0.1 0 m/s'"},
        {"<dvl noise='5 mm/s' bias='2 mm/s' scale-error='0.01' bias-walk='1e-3' drift='3 mm/s' outliers='0.01' "
         "outlier-size='0.2 m/s' position='-0.3 0.05 0.1 m' attitude='1 -2 45 deg' period='0.2 s' range='26 m' "
         "nearest='2 m' water-track='true'><ranges noise='0.5 m' bias='0.1 m' outliers='0.05' outlier-size='9 "
         "m'/></dvl>",
         "velocity='dvl' altitude='dvl'"},
        {"<ins position='0.2 -0.1 0.05 m' attitude='3 2 -4 deg' tilt-error='0.1 0.2 -0.3 deg' position-error='1 -1 0.5 "
         "m' velocity-error='0.02 0.01 0 m/s' earth='turning' dropout='0.1' period='0.04 s'><gyro noise='0.01 deg/s' "
         "bias-walk='1e-5' drift='0.01 deg/s'/><accelerometer noise='0.01 m/s2' quantum='0.001 m/s2' "
         "bias-spread='0.001 "
         "m/s2' scale-error='1e-3 0 1e-3'/></ins><imu earth='turning'/>",
         "attitude='ins imu' velocity='ins' position='ins' depth='ins'"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char instruments[2048];
        snprintf(instruments, sizeof instruments, "%s<navigation %s patience='0.5 s'/>", all[i].instruments,
                 all[i].reads);
        write_lauv(flat, instruments, "");
        same_by_lanes("reckoner.xml --seed 3 --runs 9", "10");
    }
}

static const char suite[] =
    "<imu><gyro noise='0.05 deg/s'/></imu><compass noise='0.5 deg' period='0.1 s'/><depth noise='1 cm' period='0.1 "
    "s'/><depth name='other' noise='3 cm'/><dvl noise='5 mm/s' period='0.2 s' range='22 m'/><speed-log noise='2 cm/s' "
    "period='0.1 s'/><navigation attitude='imu' heading='compass imu' depth='depth other' velocity='dvl speed-log' "
    "period='0.04 s' patience='0.3 s'/>";

/* Instruments die, stick, lose samples and come back; the bottom falls away from the log. */
static void lost_instruments_are_replaced_in_lanes_as_in_worlds(void **unused)
{
    (void)unused;
    write_lauv("<bottom depth='19 m' slope-north='0.2'/>", suite,
               "<faults><at t='2 s' path='/v/depth/fault' value='stuck'/><at t='4 s' path='/v/depth/fault' "
               "value='dead'/><at t='6 s' path='/v/compass/dropout' value='0.9'/><at t='8 s' path='/v/imu/fault' "
               "value='dead'/><at t='9 s' path='/v/other/fault' value='dead'/><at t='10 s' path='/v/imu/fault' "
               "value='healthy'/><at t='12 s' path='/v/depth/fault' value='healthy'/></faults>");
    same_by_lanes("reckoner.xml --seed 8 --runs 6", "7");
    run_fathom(&r, "sweep reckoner.xml --seed 8 --runs 2 --metric v.sensors_lost --backend simd --csv -");
    expect(0, "\n0,8,finished,");
    assert_at_least(atof(strstr(r.out, "\n0,8,finished,") + strlen("\n0,8,finished,")), 2);
}

/* Over mounds and past a pile the batch makes the certain runs, a world the rest; the table does not show which. */
static void a_log_over_uneven_ground_has_the_bits_of_worlds(void **unused)
{
    (void)unused;
    static const char rough[] = "<bottom depth='%d m'><mound height='-4 m' centre='12 4 0 m' sigma='5 5 1 "
                                "m'/></bottom><column name='pile' position='18 2 0 m' radius='0.5 m' height='40 m'/>";
    char world[512];
    for (int depth = 14; depth <= 24; depth += 5) {
        snprintf(world, sizeof world, rough, depth);
        write_lauv(world, suite, "");
        same_by_lanes("reckoner.xml --seed 4 --runs 5 --metric 'v.[dnpstxyz]*'", "6");
        run_fathom(&r, "sweep reckoner.xml --seed 4 --runs 5 --metric v.distance --backend simd --csv " TABLES
                       "_lanes.csv");
        assert_same(said(&r, "of these runs were repeated by worlds"), depth > 20);
    }
}

/* By the beams of the log, and truly where nothing measures it. */
static void altitudes_that_are_measured_are_held_in_lanes_as_in_worlds(void **unused)
{
    (void)unused;
    static const char measured[] = "<compass noise='0.5 deg'/><depth noise='2 cm' period='0.1 s'/><dvl noise='5 mm/s' "
                                   "position='-0.3 0 0.1 m' period='0.2 s' range='26 m'><ranges noise='0.1 "
                                   "m'/></dvl><navigation heading='compass' depth='depth' velocity='dvl'%s/>";
    char instruments[512];
    for (int by_log = 0; by_log < 2; by_log++) {
        snprintf(instruments, sizeof instruments, measured, by_log ? " altitude='dvl'" : "");
        write_lauv(flat, instruments, "");
        same_by_lanes("reckoner.xml --seed 6 --runs 5 --set '/v/autopilot/altitude/order=19 m'", "6");
    }
}

static void float_reckons_to_a_centimetre_what_double_does(void **unused)
{
    (void)unused;
    static const char sweep[] = "sweep " SCENARIO("phoenix-dive") " --duration 60 --runs 2 --metric phoenix.distance "
                                                                  "--csv - --quiet";
    static const char row[] = "\n0,1,finished,";
    double distance[2];
    for (int single = 0; single < 2; single++) {
        run_fathom(&r, "%s --backend simd --precision %s", sweep, single ? "float" : "double");
        expect(0, row);
        distance[single] = atof(strstr(r.out, row) + strlen(row));
    }
    assert_different(distance[0], distance[1]);
    assert_nearer(distance[0], distance[1], 1e-2);
}

static void refuse(const char *world, const char *instruments, const char *why)
{
    write_lauv(world, instruments, "");
    run_fathom(&r, "sweep reckoner.xml --runs 2 --duration 1 --csv - --backend simd");
    expect(1, why);
}

static void what_lanes_cannot_reckon_by_is_named(void **unused)
{
    (void)unused;
    refuse("", "<depth period='0.1 s' latency='0.2 s'/><navigation depth='depth'/>",
           "an instrument of its <navigation> has a latency");
    refuse("", "<gps/><navigation position='gps'/>",
           "its <navigation> reads other instruments than <imu>, <ins>, <compass>, <depth>, <speed-log> and <dvl>");
    refuse(flat,
           "<compass/><depth/><dvl/><navigation heading='compass' depth='depth' velocity='dvl'><filter/></navigation>",
           "its <navigation> has a <filter>");
    refuse("<bottom depth='20 m'><mound height='-2 m' centre='5 0 0 m' sigma='5 5 1 m'/></bottom>",
           "<dvl/><navigation altitude='dvl'/>", "its <dvl> measures ranges to more than a plane <bottom>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phoenix_dives_by_its_instruments_in_lanes_as_in_worlds),
        cmocka_unit_test(phoenix_hovers_by_its_instruments_in_lanes_as_in_worlds),
        cmocka_unit_test(phoenix_docks_by_its_instruments_in_lanes_as_in_worlds),
        cmocka_unit_test(phoenix_navigates_by_inertia_in_lanes_as_in_worlds),
        cmocka_unit_test(flaws_of_every_instrument_are_those_of_worlds),
        cmocka_unit_test(lost_instruments_are_replaced_in_lanes_as_in_worlds),
        cmocka_unit_test(a_log_over_uneven_ground_has_the_bits_of_worlds),
        cmocka_unit_test(altitudes_that_are_measured_are_held_in_lanes_as_in_worlds),
        cmocka_unit_test(float_reckons_to_a_centimetre_what_double_does),
        cmocka_unit_test(what_lanes_cannot_reckon_by_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
