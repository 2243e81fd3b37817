/* `fathom sweep --backend`: lanes make the runs of a scenario with the bits of worlds, or say why they cannot. */
#include <math.h>

#define TABLES "backends"
#include "batch/both.h"

static void orders_and_types_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    same_by_lanes(
        SCENARIO("phoenix-turn") " --duration 12 --design latin --runs 37 --vary "
                                 "'/phoenix/velocity/x~uniform(1,3) ft/s' --vary "
                                 "'/phoenix/mass/weight~normal(435,5) lb' --vary /phoenix/integrator=heun,rk4 "
                                 "--metric 'phoenix.[dmxyzp]*' --metric phoenix.r",
        "38");
}

static void batteries_and_timed_orders_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    same_by_lanes(SCENARIO("bluerov2-heavy-pulses") " --duration 12 --vary '/rov/battery/capacity=0.3:3:0.5 Wh'", "7");
}

static const char faulty[] =
    "<fathom version='1'><world dt='0.05 s' duration='10 s'><current velocity='0.2 -0.1 0 m/s'/></world><vehicle "
    "name='v' model='nps-auv-ii' position='0 0 20 m' velocity='1 0 0 m/s'><orders><at t='0 s' propellers='500 "
    "rpm'/><at "
    "t='2 s' stern-rudder='10 deg'/></orders></vehicle><faults><at t='3 s' path='/v/stern-rudder/efficiency' "
    "value='0.5'/><at t='5 s' path='/v/port-propeller/stuck' value='1'/></faults></fathom>";

static void faults_on_the_way_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    write_file("faulty.xml", faulty);
    run_fathom(&r, "params faulty.xml");
    expect(0, "efficiency");
    same_by_lanes("faulty.xml --vary '/v/position/z=2:20:3 m'", "8");
}

/* Straight, slanting and nearly along the wall, with noise of its own in each run: some stop, some touch. */
static void snookie_in_lanes_feels_walls_with_the_bits_of_worlds(void **unused)
{
    (void)unused;
    same_by_lanes(SCENARIO("snookie-wall") " --duration 9 --seed 3 --runs 3 --vary '/snookie/approach/angle=20:90:35 "
                                           "deg' --set /snookie/flow/model=wall --set "
                                           "'/snookie/lateral_line/noise=0.05 mV' --set '/world/dt=5 ms'",
                  "10");
    same_by_lanes(SCENARIO("snookie-wall") " --duration 9 --vary '/snookie/approach/angle=45,70 deg' --vary "
                                           "'/snookie/approach/speed=0.1,0.25 m/s' --set '/world/dt=5 ms' --set "
                                           "'/snookie/reflex/period=10 ms' --set '/snookie/hover_pd/period=20 ms'",
                  "5");
}

/* Depth, speed, pitch, roll and bearing on the way; the reflex receives them a step later. */
static void orders_to_snookie_on_the_way_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    same_by_lanes(
        SCENARIO("snookie-orders") " --duration 50 --set '/world/dt=10 ms' --vary '/snookie/position/x=0,0.7 m' --set "
                                   "'/snookie/lateral_line/noise=0.02 mV'",
        "3");
    same_by_lanes(
        SCENARIO("snookie-orders") " --duration 6 --set '/world/dt=10 ms' --vary '/snookie/position/z=3,5 m' --set "
                                   "'/snookie/hover_pd/period=0.02 s' --set '/snookie/hover_pd/depth=2 m'",
        "3");
}

static const char retuned[] =
    "<fathom version='1'><world dt='0.02 s' duration='30 s'/><vehicle name='lauv' model='lauv' position='0 0 5 m' "
    "velocity='1 0 0 m/s'><waypoints speed='1.2 m/s'><waypoint position='20 5 6 m'/><waypoint position='40 -5 8 "
    "m'/></waypoints><autopilot steering='fins' design-speed='1.3 m/s'><heading kp='1' ki='0.02 1/s' kd='1 s' "
    "limit='20 "
    "deg'/><depth kp='0.3 rad/m' kd='0.1 rad*s/m' limit='20 deg'/><pitch kp='1.5' kd='0.5 s' limit='20 deg'/><speed "
    "kp='20 N*s/m' feed='4 kg/m'/></autopilot></vehicle><faults><at t='5 s' path='/lauv/waypoints/speed' value='1.6 "
    "m/s'/><at t='9 s' "
    "path='/lauv/autopilot/depth/kp' value='0.2 rad/m'/><at t='9 s' path='/lauv/waypoints/lookahead' value='2 m'/><at "
    "t='20 s' path='/lauv/autopilot/heading/kp' value='0.5'/></faults></fathom>";

static void gains_that_change_on_the_way_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    write_file("retuned.xml", retuned);
    same_by_lanes("retuned.xml --vary '/lauv/position/z=3:9:2 m' --vary '/lauv/velocity/x=1,1.5 m/s'", "9");
    run_fathom(&r,
               "sweep retuned.xml --runs 2 --csv - --backend simd --set '/faults/at[4]/path=/lauv/autopilot/enabled' "
               "--set '/faults/at[4]/value=0'");
    expect(1, "a batch cannot change '/lauv/autopilot/enabled' on the way");
}

static const char swerving[] =
    "<fathom version='1'><world dt='0.05 s' duration='120 s'><water density='1000 kg/m3'/></world><vehicle name='ship' "
    "model='kvlcc2' attitude='0 0 170 deg' velocity='1.179 0 0 m/s'><zigzag-test angle='20 deg' heading='12 deg' "
    "side='port' from='3 s' period='0.1 s'/><orders><at t='0 s' screw='74.47 rad/s'/></orders></vehicle></fathom>";

/* A controller whose law is a kernel of its own (control/zigzag.h): its orders and its metrics, run by run. */
static void zigzags_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    write_file("swerving.xml", swerving);
    same_by_lanes("swerving.xml --vary '/ship/zigzag_test/angle=10:30:5 deg' --vary '/ship/velocity/x=1,1.2 m/s'",
                  "11");
    all_by_lanes("swerving.xml --vary '/ship/zigzag_test/from=1:4:1 s'");
    run_shell(&r, "head -1 " TABLES "_lanes.csv | grep -c first_overshoot");
    expect(0, "1");
}

/* By fins along waypoints; by fins and thrusters, with places that are held; by thrusters alone; timed set points. */
static void autopilots_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    same_by_lanes(SCENARIO("lauv-survey") " --vary '/lauv/velocity/x=1:1.5:0.1 m/s'", "7");
    same_by_lanes(SCENARIO("phoenix-mission") " --duration 200 --vary '/phoenix/position/y=0:10:5 m'", "4");
    same_by_lanes(SCENARIO("bluerov2-hover") " --duration 60 --vary '/rov/position/y=0:4:2 m'", "4");
    same_by_lanes(SCENARIO("remus-100-dive") " --vary '/remus/position/z=3:9:2 m'", "5");
}

static const char stationed[] =
    "<fathom version='1'><world dt='0.02 s' duration='30 s'><current velocity='0.1 0.3 0 m/s'/></world><vehicle "
    "name='rov' model='bluerov2' position='0 0 5 m'><station position='4 1 8 m' heading='40 deg' from='2 s' until='25 "
    "s' "
    "settle='5 s'/><autopilot steering='thrusters' period='0.04 s'><heading thrust-kp='20 N*m/rad' thrust-ki='2 "
    "N*m/rad/s' thrust-kd='2 N*m*s/rad'/><depth thrust-kp='200 N/m' thrust-ki='20 N/m/s' thrust-kd='40 "
    "N*s/m'/><hover kp='300 N/m' ki='10 N/m/s' kd='30 N*s/m'/></autopilot></vehicle></fathom>";

/* Gains so high that thrusters are at their limits: what one cannot give the others take over. */
static void a_station_kept_at_the_limits_in_lanes_gives_the_bits_of_worlds(void **unused)
{
    (void)unused;
    write_file("stationed.xml", stationed);
    same_by_lanes("stationed.xml --vary '/rov/position/x=0:6:1 m'", "8");
}

/* Thrusters that lose force and die, and an autopilot that knows it and allocates again. */
static void an_autopilot_that_knows_of_faults_in_lanes_gives_the_bits_of_worlds(void **unused)
{
    (void)unused;
    char text[4096];
    const char *end = strstr(stationed, "</fathom>");
    snprintf(text, sizeof text,
             "%.*s<faults><at t='4 s' path='/rov/autopilot/fault-aware' value='1'/><at t='6 s' "
             "path='/rov/front-starboard/efficiency' value='0.5'/><at t='12 s' path='/rov/front-starboard/efficiency' "
             "value='0'/></faults></fathom>",
             (int)(end - stationed), stationed);
    write_file("aware.xml", text);
    same_by_lanes("aware.xml --vary '/rov/position/x=0:6:2 m'", "5");
}

/* Thrusters that are weak or dead from the start are known; one that dies on the way is not. */
static void thrusters_dead_from_the_start_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    char text[4096];
    const char *end = strstr(stationed, "</fathom>");
    write_file("stationed.xml", stationed);
    same_by_lanes("stationed.xml --set /rov/front-starboard/efficiency=0 --vary '/rov/position/x=0:6:2 m' --vary "
                  "/rov/rear-port/efficiency=0.4,1",
                  "9");
    snprintf(text, sizeof text,
             "%.*s<faults><at t='6 s' path='/rov/rear-port/efficiency' value='0'/></faults></fathom>",
             (int)(end - stationed), stationed);
    write_file("dying.xml", text);
    same_by_lanes("dying.xml --set /rov/front-starboard/efficiency=0 --vary '/rov/position/x=0:6:2 m'", "5");
}

/* Gain of the threat against the height of the step; without look-ahead it runs into the high ones. */
static void remus_avoids_steps_in_lanes_with_the_bits_of_worlds(void **unused)
{
    (void)unused;
    same_by_lanes(SCENARIO("remus-rise") " --duration 100 --vary /remus/avoid/gain=0,3,7 --vary "
                                         "'/bottom/rise/height=-1:5:3 m'",
                  "10");
    same_by_lanes(SCENARIO("remus-rise") " --duration 60 --vary /remus/avoid/gain=2,3 --set "
                                         "/remus/avoid/stabilised=false --set /remus/sonar/threshold=0.5 --set "
                                         "'/remus/sonar/frame=0.3 s' --set '/remus/sonar/beam=0.5 deg'",
                  "3");
    same_by_lanes(SCENARIO("remus-rise") " --duration 60 --vary /remus/avoid/gain=2,3 --set "
                                         "/remus/sonar/mode=nodes --set /remus/sonar/occlusion=true --set "
                                         "'/remus/sonar/frame=0.3 s'",
                  "3");
}

#define LAUV                                                                                                           \
    "<vehicle name='lauv' model='lauv' position='0 0 5 m' velocity='1 0 0 m/s'>%s<autopilot steering='fins' "          \
    "design-speed='1.3 m/s'><heading kp='1' kd='1 s' limit='20 deg'/><depth kp='0.3 rad/m' kd='0.1 rad*s/m' "          \
    "limit='20 "                                                                                                       \
    "deg'/><pitch kp='1.5' kd='0.5 s' limit='20 deg'/><speed kp='20 N*s/m' feed='4 kg/m'/>%s</autopilot></vehicle>"

/* Over a slope with a mound, by a mission that orders depth and altitude in turn, and by an order of the autopilot. */
static void altitudes_held_in_lanes_are_those_of_worlds(void **unused)
{
    (void)unused;
    static const char world[] = "<fathom version='1'><world dt='0.02 s' duration='40 s'><bottom depth='20 m' "
                                "slope-north='-0.05'><mound height='-3 m' centre='30 2 0 m' sigma='5 5 1 m'/></bottom>"
                                "</world>" LAUV "</fathom>";
    char text[2048];
    snprintf(text, sizeof text, world,
             "<mission><at t='0 s' speed='1.3 m/s' altitude='9 m'/><at t='12 s' depth='8 m'/><at t='20 s' altitude='7 "
             "m'/></mission>",
             "");
    write_file("above.xml", text);
    same_by_lanes("above.xml --vary '/lauv/position/z=4:8:1 m' --vary '/lauv/attitude/z=-20,0 deg'", "11");
    all_by_lanes("above.xml --vary '/lauv/position/z=4:8:1 m' --vary '/lauv/attitude/z=-20,0 deg'");
    snprintf(text, sizeof text, world, "", "<altitude order='6 m'/>");
    write_file("above.xml", text);
    same_by_lanes("above.xml --vary '/lauv/position/z=4:8:1 m'", "6");
}

static void turning_circles_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    same_by_lanes(SCENARIO("phoenix-turn") " --duration 60 --vary '/phoenix/velocity/x=1,2,3 ft/s'", "4");
    run_shell(&r, "head -1 " TABLES "_lanes.csv");
    expect(0, "turn_radius");
}

static const char streaming[] =
    "<fathom version='1'><world dt='0.05 s' duration='40 s'><current velocity='0.2 -0.1 0 m/s'><layers depth='0 12 30 "
    "m' "
    "north='0 0.3 0.1 m/s' east='0.1 0 -0.2 m/s'/><gauss-markov deviation='0.1 0.1 0.02 m/s' time='20 s'/><vortex "
    "centre='20 5 0 m' circulation='6 m2/s' core='3 m'/></current></world><vehicle name='v' model='lauv' position='0 0 "
    "10 m' velocity='1 0 0 m/s'><waypoints><waypoint position='30 0 10 m'/><waypoint position='30 20 12 "
    "m'/></waypoints><autopilot steering='fins' design-speed='1.3 m/s'><heading kp='1' kd='1 s' limit='20 deg'/><depth "
    "kp='0.3 rad/m' limit='20 deg'/><pitch kp='1.5' limit='20 deg'/><speed kp='20 N*s/m' ki='2 N/m' feed='4 "
    "kg/m'/></autopilot></vehicle></fathom>";

/* Currents by depth, at random and about a vortex, which an autopilot meets; a jet that is varied. */
static void ways_through_currents_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    write_file("streaming.xml", streaming);
    same_by_lanes("streaming.xml --runs 2 --seed 4 --vary '/v/position/y=-4:8:4 m'", "9");
    same_by_lanes("streaming.xml --vary '/current/vortex/circulation=-6:6:3 m2/s'", "6");
}

/* Runs that differ in the uniform current each have their own. */
static void uniform_currents_that_vary_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    same_by_lanes(SCENARIO("lauv-survey") " --duration 30 --vary '/current/velocity/y=-0.2:0.2:0.1 m/s'", "6");
    same_by_lanes(SCENARIO("phoenix-turn") " --duration 10 --vary '/current/velocity=0 0 0 m/s,0.1 0 0 m/s'", "3");
}

static const char windy[] =
    "<fathom version='1'><world dt='0.02 s' duration='20 s'><wind velocity='0 6 0 m/s'/></world>"
    "<vehicle name='v' model='otter'><orders><at t='1 s' propellers='50 "
    "rad/s'/></orders></vehicle></fathom>";
static const char layered[] =
    "<fathom version='1'><world dt='0.1 s' duration='60 s'><water density='1005 kg/m3' stratified='true'><profile "
    "file='" FATHOM_SOURCE_DIR "/models/slocum-baltic.csv'/></water></world><vehicle name='v' model='slocum' "
    "position='0 0 9 m'/></fathom>";

/* A hull that expands in water of one density whose temperature differs from place to place. */
static const char warm[] =
    "<fathom version='1'><world dt='0.1 s' duration='60 s'><water density='1005 kg/m3'><temperature surface='20 degC' "
    "z1='3 m' z2='30 m' slope1='-0.4 K/m' slope2='-0.1 K/m'><spot amplitude='2 K' centre='3 0 10 m' sigma='4 5 "
    "2 m'/></temperature></water></world><vehicle name='v' model='slocum' position='0 0 9 m'><buoyancy expansion='7e-5 "
    "1/K' reference-temperature='12 degC'/></vehicle></fathom>";

/* Wind on a craft at the surface, a ship by its derivatives, drag by Reynolds number, a glider in layers. */
static void force_terms_and_densities_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    same_by_lanes(SCENARIO("phoenix-ballast") " --duration 60 --vary '/phoenix/position/z=2:5:1 m'", "5");
    same_by_lanes(SCENARIO("kvlcc2-circle") " --duration 60 --vary '/tanker/velocity/x=0.7:1.3:0.2 m/s'", "5");
    write_file("windy.xml", windy);
    same_by_lanes("windy.xml --vary '/v/attitude/z=0:270:90 deg'", "5");
    write_file("layered.xml", layered);
    same_by_lanes("layered.xml --vary '/v/position/z=5:35:10 m'", "5");
    same_by_lanes("layered.xml --set '/v/position/z=20 m' --vary '/v/buoyancy/expansion=2e-5:1e-4:4e-5 1/K'", "4");
    write_file("warm.xml", warm);
    same_by_lanes("warm.xml --vary '/v/position/z=5:35:10 m'", "5");
}

static void float_is_near_double(void **unused)
{
    (void)unused;
    static const char sweep[] = "sweep " SCENARIO("phoenix-turn") " --duration 10 --vary '/phoenix/velocity/x=1,2 "
                                                                  "ft/s' --metric phoenix.distance --csv - --quiet";
    run_fathom(&r, "%s", sweep);
    expect(0, "\n1,1,finished,2,");
    double exact = atof(strstr(r.out, "\n1,1,finished,2,") + strlen("\n1,1,finished,2,"));
    run_fathom(&r, "%s --backend simd --precision float", sweep);
    expect(0, "\n1,1,finished,2,");
    double single = atof(strstr(r.out, "\n1,1,finished,2,") + strlen("\n1,1,finished,2,"));
    assert_different(single, exact);
    assert_nearer(single, exact, 1e-4 * exact);
}

static void what_lanes_cannot_take_is_named(void **unused)
{
    (void)unused;
    static const char search[] = "sweep " SCENARIO("phoenix-minefield") " --duration 1 --runs 2 --csv -";
    run_fathom(&r, "%s --backend simd", search);
    expect(1, "a batch cannot make a run of 'phoenix': <coverage> is run by worlds alone");
    run_fathom(&r, "%s", search);
    expect(0, "by worlds: a batch cannot make a run of 'phoenix': <coverage> is run by worlds alone");
    expect(0, "runs/s, worlds)");
    run_fathom(&r, "%s --precision float", search);
    expect(1, "worlds do not support precision float");
    write_file("sill.xml",
               "<fathom version='1'><world dt='0.05 s' duration='1 s'><bottom depth='20 m'/><box name='sill' "
               "position='40 0 19 m' "
               "size='4 40 4 m'/></world><vehicle name='remus' model='remus-diving' position='0 0 17 m'><node-sonar "
               "range='40 m' spacing='0.5 m'/><avoid gain='3' altitude='3 m' zone='20 m' weight='0.2' sector='20 deg' "
               "reference-spacing='1 m'/><bottom-following altitude='3 m' poles='-1 -1.05 -1.1 1/s' sliding-rate='1.1 "
               "m/s' boundary-layer='0.5 m'/></vehicle></fathom>");
    run_fathom(&r, "sweep sill.xml --runs 2 --csv - --backend simd");
    expect(1, "the rays of its <node-sonar> may meet obstacles");
    run_fathom(&r, "sweep " SCENARIO("snookie-wall") " --duration 1 --runs 2 --csv - --backend simd --set "
                                                     "/snookie/flow/model=sources");
    expect(1, "is solved by worlds alone");
    run_fathom(&r, "sweep " SCENARIO("phoenix-turn") " --duration 1 --runs 2 --csv - --backend gpu");
    expect(2, "auto, worlds, simd or cuda");
}

/* A value that is refused fails its run alone; a motion that diverges is reported as by a world. */
static void runs_that_fail_fail_alone(void **unused)
{
    (void)unused;
    run_fathom(&r, "sweep " SCENARIO("phoenix-speed") " --duration 1 --vary '/phoenix/velocity/x=1,200 m/s' --metric "
                                                      "phoenix.distance --csv - --backend simd");
    expect(1, "1 of 2 runs failed");
    expect(1, "'200 m/s' is out of range: must be -100 … 100 m/s");
    expect(1, "\n1,1,failed,200,\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_and_types_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(batteries_and_timed_orders_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(faults_on_the_way_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(snookie_in_lanes_feels_walls_with_the_bits_of_worlds),
        cmocka_unit_test(orders_to_snookie_on_the_way_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(gains_that_change_on_the_way_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(zigzags_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(autopilots_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(a_station_kept_at_the_limits_in_lanes_gives_the_bits_of_worlds),
        cmocka_unit_test(an_autopilot_that_knows_of_faults_in_lanes_gives_the_bits_of_worlds),
        cmocka_unit_test(thrusters_dead_from_the_start_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(remus_avoids_steps_in_lanes_with_the_bits_of_worlds),
        cmocka_unit_test(altitudes_held_in_lanes_are_those_of_worlds),
        cmocka_unit_test(turning_circles_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(ways_through_currents_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(uniform_currents_that_vary_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(force_terms_and_densities_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(float_is_near_double),
        cmocka_unit_test(what_lanes_cannot_take_is_named),
        cmocka_unit_test(runs_that_fail_fail_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
