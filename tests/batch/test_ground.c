/* Lanes among what stands, moves and lies in the water: they feel it, end at it and pass it with the bits of worlds, or
 * leave a run to one. */
#define TABLES "around"
#include "batch/both.h"

static const char among[] =
    "<fathom version='1'><world dt='0.01 s' duration='10 s'><bottom depth='3.6 m'/><column name='pile' position='2.5 0 "
    "0 m' radius='0.3 m' height='10 m'/><sphere name='ball' position='1.5 1.6 3 m' radius='0.4 m'/><wall name='quay' "
    "position='4 0 0 m' normal='-1 0 0'/></world><vehicle name='snookie' model='snookie' position='0 0 3 m' "
    "velocity='0.2 0 0 m/s'/></fathom>";

/* Past, to and from a column, a sphere and a wall, over a bottom that it may touch and does not feel. */
static void snookie_in_lanes_feels_columns_and_spheres_with_the_bits_of_worlds(void **unused)
{
    (void)unused;
    write_file("among.xml", among);
    same_by_lanes("among.xml --vary '/snookie/attitude/z=-30:60:30 deg' --vary /snookie/flow/model=wall,mirror", "9");
    run_shell(&r, "cut -d, -f16 " TABLES "_lanes.csv | sort | uniq -c");
    expect(0, " 1\n"); /* detections */
    static const char ending[] =
        "among.xml --vary '/snookie/attitude/z=-10:50:10 deg' --metric 'snookie.[cx]*' --set "
        "/snookie/contact/response=count --set /snookie/contact/ends=true --set '/snookie/reflex/spread=50 mV' --set "
        "'/snookie/velocity/x=0.4 m/s'";
    same_by_lanes(ending, "8");
    all_by_lanes(ending);
}

/* A quick vehicle with quick alarms off ends at the wall, in the same step by either. */
static void a_touch_that_ends_the_run_ends_it_in_lanes_too(void **unused)
{
    (void)unused;
    same_by_lanes(SCENARIO("snookie-wall") " --duration 6 --vary '/snookie/approach/speed=0.1:0.5:0.1 m/s' --set "
                                           "'/world/dt=5 ms' --set /snookie/contact/response=count --set "
                                           "/snookie/contact/ends=true --set '/snookie/reflex/spread=50 mV'",
                  "6");
    run_shell(&r, "cut -d, -f4- " TABLES "_lanes.csv");
    expect(0, "\n0.5,");
}

static const char crowded[] =
    "<fathom version='1'><world dt='0.05 s' duration='60 s'><bottom depth='22 m' slope-north='0.01'><mound height='-6 "
    "m' centre='30 4 0 m' sigma='6 9 1 m'/></bottom><column name='pile' position='40 20 0 m' radius='1 m' height='25 "
    "m'/><box "
    "name='wreck' position='20 -25 18 m' size='6 4 3 m'/><sphere name='mine' position='45 0 15 m' radius='0.5 "
    "m'/></world><vehicle name='v' model='nps-auv-ii' position='0 0 14 m' velocity='0.8 0 0 m/s'><orders><at t='0 s' "
    "propellers='500 rpm'/></orders></vehicle></fathom>";

/* The batch makes the runs that pass, a world those that may touch; the table does not show the difference. */
static void ways_past_bottom_and_obstacles_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    write_file("crowded.xml", crowded);
    same_by_lanes("crowded.xml --vary '/v/position/z=4:19:5 m' --vary '/v/attitude/z=-60:60:20 deg'", "29");
    run_fathom(&r,
               "sweep crowded.xml --vary '/v/position/z=4:19:5 m' --vary '/v/attitude/z=-60:60:20 deg' --backend simd "
               "--csv " TABLES "_lanes.csv");
    expect(0, "by worlds");
}

#define VEHICLE(model, order)                                                                                          \
    "<vehicle name='v' model='" model "' position='0 0 14 m' velocity='1.2 0 0 m/s'><contact response='count' "        \
    "ends='true' clearance='true'/><orders><at t='0 s' " order "/></orders></vehicle></fathom>"

static const char harbour[] =
    "<fathom version='1'><world dt='0.05 s' duration='40 s'><bottom depth='20 m' slope-north='0.01'/><column "
    "name='pile' "
    "position='30 0 0 m' radius='1 m' height='25 m'/><box name='wreck' position='20 -25 18 m' size='6 4 3 m'/><sphere "
    "name='mine' position='25 12 14 m' radius='0.5 m'/><wall name='quay' position='0 30 0 m' normal='0 -1 0'/></world>";
static const char traffic[] =
    "<fathom version='1'><world dt='0.05 s' duration='40 s'><sphere name='mine' position='0 0 8 m' radius='0.5 "
    "m'><track "
    "t='0 7 20 s' x='20 22 15 m' y='-10 10 -10 m' z='14 13 14 m' loop='true'/></sphere><column name='mast' position='0 "
    "0 "
    "0 m' radius='0.3 m' height='30 m'><track t='0 30 s' x='10 10 m' y='-5 5 m' z='0 0 m'/></column></world>";

static void write_scenario(const char *name, const char *world, const char *vehicle)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s", world, vehicle);
    write_file(name, text);
}

/* A capsule, and a box whose distance to columns only worlds know: how near they come, and where they end. */
static void clearances_and_ends_in_lanes_are_those_of_worlds(void **unused)
{
    (void)unused;
    write_scenario("harbour.xml", harbour, VEHICLE("remus-100", "propeller='1200 rpm'"));
    same_by_lanes("harbour.xml --vary '/v/position/z=6:18:12 m' --vary '/v/attitude/z=-60:60:15 deg'", "19");
    run_shell(&r, "cut -d, -f12,14 " TABLES "_lanes.csv | sort | uniq -c");
    expect(0, " 1,0\n"); /* contacts, clearance */
    write_scenario("harbour.xml", harbour, VEHICLE("nps-auv-ii", "propellers='500 rpm'"));
    same_by_lanes("harbour.xml --vary '/v/position/z=6:18:12 m' --vary '/v/attitude/z=-60:60:15 deg'", "19");
}

/* Past the upper rim of a column, obliquely: within a step it may come nearer than at both its ends. */
static void a_ball_that_grazes_a_rim_ends_in_lanes_as_in_worlds(void **unused)
{
    (void)unused;
    write_scenario("rim.xml",
                   "<fathom version='1'><world dt='0.05 s' duration='4 s'><column name='pile' position='2 0 10 m' "
                   "radius='0.5 m' height='5 m'/></world>",
                   "<vehicle name='v' model='towed-sphere' position='0 0 9.9 m' velocity='1.2 0 0 m/s'><contact "
                   "response='count' ends='true' clearance='true'/></vehicle></fathom>");
    same_by_lanes("rim.xml --set /v/flow/model=mirror --vary '/v/position/z=9.92:9.94:0.005 m' --vary "
                  "'/v/position/y=0.3:0.58:0.07 m'",
                  "26");
}

static void moving_obstacles_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    write_scenario("traffic.xml", traffic, VEHICLE("remus-100", "propeller='1200 rpm'"));
    same_by_lanes("traffic.xml --vary '/v/position/z=6,14 m' --vary '/v/attitude/z=-60:60:20 deg'", "15");
}

static void a_hull_that_is_crushed_ends_in_lanes_as_in_worlds(void **unused)
{
    (void)unused;
    write_scenario("deep.xml", "<fathom version='1'><world dt='0.05 s' duration='40 s'/>",
                   "<vehicle name='v' model='remus-100' position='0 0 5 m' velocity='1.5 0 0 m/s'><limits "
                   "crush-depth='7 m'/><orders><at t='0 s' propeller='1200 rpm'/></orders></vehicle></fathom>");
    same_by_lanes("deep.xml --vary '/v/position/z=2:8:0.5 m'", "14");
    all_by_lanes("deep.xml --vary '/v/position/z=2:8:0.5 m'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snookie_in_lanes_feels_columns_and_spheres_with_the_bits_of_worlds),
        cmocka_unit_test(a_touch_that_ends_the_run_ends_it_in_lanes_too),
        cmocka_unit_test(ways_past_bottom_and_obstacles_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(clearances_and_ends_in_lanes_are_those_of_worlds),
        cmocka_unit_test(a_ball_that_grazes_a_rim_ends_in_lanes_as_in_worlds),
        cmocka_unit_test(moving_obstacles_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(a_hull_that_is_crushed_ends_in_lanes_as_in_worlds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
