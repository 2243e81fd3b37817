/* Lanes in waters that differ from run to run and from place to place: seas, the diving model in currents, and a nose
 * whose added mass rises near walls. The bits are those of worlds. */
#include <math.h>

#define TABLES "waters"
#include "batch/both.h"

#define DIVER                                                                                                          \
    "<vehicle name='remus' model='remus-diving' position='0 0 17 m'><diving trimmed='true'/>%s<node-sonar "            \
    "name='sonar' frame='2.5 s' range='40 m' spacing='0.5 m'/><avoid gain='3' stabilised='true' altitude='3 m' "       \
    "zone='20 m' weight='1.3' sector='20 deg' reference-spacing='0.5 m'/><bottom-following altitude='3 m' poles='-1 "  \
    "-1.05 -1.1 1/s' sliding-rate='1.1 m/s' boundary-layer='0.5 m'/></vehicle>"

static const char flows[] =
    "<current velocity='0.05 0.1 0 m/s'><layers depth='0 25 m' north='0 0.3 m/s' east='0.1 0 m/s'/><gauss-markov "
    "deviation='0.05 0.05 0.01 m/s' time='20 s'/><tide period='200 s' major='0.1 m/s' minor='0.05 m/s'/><jet point='0 "
    "2 "
    "0 m' direction='0 deg' speed='0.1 m/s' width='5 m'/><vortex centre='40 3 0 m' circulation='5 m2/s' core='3 "
    "m'/></current><water density='1025 kg/m3' stratified='true'><temperature surface='20 degC' z1='5 m' z2='15 m' "
    "slope1='-0.5 K/m' slope2='-0.1 K/m'/></water>";

static void write_diver(const char *name, const char *battery)
{
    char text[4096];
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.05 s' duration='60 s'>%s<bottom depth='20 m'><rise x='60 m' height='4 m' "
        "spacing='0.5 m'/></bottom></world>" DIVER "</fathom>",
        flows, battery);
    write_file(name, text);
}

/* Through a current by depth, in time, at random, in a jet and about a vortex, over a rise that its sonar sees; one
 * whose battery ends on the way is carried along. */
static void remus_dives_through_currents_in_lanes_with_the_bits_of_worlds(void **unused)
{
    (void)unused;
    write_diver("dives.xml", "");
    static const char sweep[] = "dives.xml --runs 2 --vary /remus/avoid/gain=2,3 --vary /remus/integrator=heun,rk4 "
                                "--set /remus/substeps=2";
    same_by_lanes(sweep, "9");
    all_by_lanes(sweep);
    write_diver("dives.xml", "<battery capacity='0.5 Wh' hotel='50 W'/>");
    same_by_lanes("dives.xml --vary '/remus/battery/hotel=40:70:10 W'", "5");
    run_shell(&r, "cut -d, -f9 " TABLES "_lanes.csv");
    expect(0, "\n0\n"); /* battery */
}

/* Otter rides on a sea that each run draws again; REMUS goes under another, over a bottom that its waves feel. */
static void seas_in_lanes_are_those_that_worlds_draw(void **unused)
{
    (void)unused;
    same_by_lanes(SCENARIO("otter-harbour") " --duration 6 --runs 3 --vary '/otter/attitude/z=0,40 deg'", "7");
    same_by_lanes(SCENARIO("remus-sea-state-2") " --duration 30 --runs 2 --vary '/remus/position/z=0.5:4.5:2 m' --vary "
                                                "'/waves/jonswap/height=0.5,1 m'",
                  "13");
    run_shell(&r, "cut -d, -f6 " TABLES "_lanes.csv | sort -u | wc -l");
    expect(0, "13"); /* every run goes another way */
    all_by_lanes(SCENARIO("remus-sea-state-2") " --duration 5 --runs 5");
}

/* Two plain waves on deep water, which cross; a current and a wind beside them. */
static void crossing_waves_currents_and_wind_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    write_file("crossing.xml",
               "<fathom version='1'><world dt='0.02 s' duration='10 s'><waves><wave amplitude='0.15 m' period='4 s' "
               "direction='20 deg'/><wave amplitude='0.1 m' period='3 s' direction='-60 deg' phase='40 "
               "deg'/></waves><current velocity='0.1 0 0 m/s'><layers depth='0 5 m' north='0.1 0 m/s' east='0 0.1 "
               "m/s'/></current><wind velocity='0 5 0 m/s'/></world><vehicle name='v' model='otter'><orders><at t='0 "
               "s' propellers='60 rad/s'/></orders></vehicle></fathom>");
    same_by_lanes("crossing.xml --vary '/v/attitude/z=0:180:60 deg'", "5");
}

/* A barge as long as its waves, over a bottom that they feel; LAUV just below the surface of a drawn sea, which it
 * breaks. */
static void waves_along_hulls_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    write_file(
        "barge.xml",
        "<fathom version='1'><world dt='0.02 s' duration='10 s'><water density='1000 kg/m3'/><waves depth='6 m'>"
        "<wave amplitude='0.1 m' period='2.5 s' direction='20 deg'/><wave amplitude='0.2 m' period='5 s' "
        "direction='-40 deg' phase='40 deg'/></waves></world><vehicle name='v' integrator='rk4'><mass mass='40000 "
        "kg' centre='0 0 -0.3 m' inertia='90000 400000 420000 kg*m2'/><added-mass-matrix linear='2000 20000 40000 "
        "kg' angular='30000 250000 200000 kg*m2'/><float shape='box' size='10 4 2.4 m'/><drag X_u='-8000 N*s/m' "
        "Y_v='-20000 N*s/m' Z_w='-40000 N*s/m' K_p='-60000 N*m*s/rad' M_q='-400000 N*m*s/rad' N_r='-200000 "
        "N*m*s/rad'/></vehicle></fathom>");
    same_by_lanes("barge.xml --vary '/v/attitude/z=0:90:30 deg'", "5");
    all_by_lanes("barge.xml --vary '/v/attitude/z=0:90:30 deg'");
    write_file(
        "shallow.xml",
        "<fathom version='1'><world dt='0.02 s' duration='10 s'><water density='1025 kg/m3'/><waves><jonswap "
        "height='0.4 m' period='2.5 s' direction='30 deg' spreading='4' components='7'/></waves></world><vehicle "
        "name='v' model='lauv' position='0 0 0.3 m' velocity='1 0 0 m/s'/></fathom>");
    same_by_lanes("shallow.xml --runs 3 --vary '/v/position/z=0.1,0.3,2 m'", "10");
    run_shell(&r, "cut -d, -f6 " TABLES "_lanes.csv | sort -u | wc -l");
    expect(0, "10"); /* every run goes another way */
}

static void what_starts_by_its_water_is_left_to_worlds_in_waves(void **unused)
{
    (void)unused;
    write_file("rocked.xml", "<fathom version='1'><world dt='0.02 s' duration='5 s'><waves><wave amplitude='0.15 m' "
                             "period='4 s' direction='20 deg'/></waves></world><vehicle name='snookie' model='snookie' "
                             "position='0 0 3 m' velocity='0.2 0 0 m/s'/></fathom>");
    run_fathom(&r, "sweep rocked.xml --runs 2 --csv - --backend simd");
    expect(1, "it feels walls, and the sea has waves");
}

static const char rising[] =
    "<fathom version='1'><world dt='0.05 s' duration='30 s'><water density='1025 kg/m3' stratified='true'><temperature "
    "surface='18 degC' z1='2 m' z2='8 m' slope1='-1 K/m' slope2='-0.1 K/m'><spot amplitude='2 K' centre='10 0 6 m' "
    "sigma='5 5 3 m'/></temperature></water><bottom depth='20 m' slope-north='0.01'><mound height='-3 m' centre='20 0 "
    "0 m' sigma='6 6 1 m'/></bottom></world><vehicle name='lauv' model='lauv' position='0 0 5 m' velocity='1 0 0 "
    "m/s'><contact clearance='false'/><autopilot steering='fins' design-speed='1.3 m/s'><heading order='0 deg' kp='1' "
    "kd='1 s' limit='20 deg'/><altitude order='8 m'/><depth kp='0.3 rad/m' kd='0.1 rad*s/m' limit='20 deg'/><pitch "
    "kp='1.5' kd='0.5 s' limit='20 deg'/><speed order='1.3 m/s' kp='20 N*s/m' feed='4 "
    "kg/m'/></autopilot></vehicle><faults><at t='5 s' path='/water/temperature/spot/amplitude' value='9 K'/><at "
    "t='8 s' path='/bottom/mound/height' value='-6 m'/><at t='12 s' path='/bottom/depth' value='19 m'/><at t='15 "
    "s' path='/water/temperature/surface' value='25 degC'/></faults></fathom>";

/* Lighter water at 200 s; spots, layers and the bottom under a vehicle that keeps its altitude. With another value of
 * any change all of it ends elsewhere. */
static void waters_and_bottoms_that_change_on_the_way_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    static const char ctd[] = SCENARIO("wavesim-ctd") " --duration 210 --set '/world/dt=0.1 s' --vary "
                                                      "'/auv/position/z=4,6 m'";
    const char *const others[] = {"[1]/value=2 K", "[2]/value=-3 m", "[3]/value=20 m", "[4]/value=18 degC"};
    char with[sizeof r.out];
    same_by_lanes(ctd, "3");
    run_shell(&r, "cat " TABLES "_lanes.csv");
    memcpy(with, r.out, sizeof with);
    run_fathom(&r, "sweep %s --backend simd --set '/faults/at[3]/value=1025 kg/m3' --csv -", ctd);
    assert_string_not_equal(r.out, with);
    write_file("rising.xml", rising);
    same_by_lanes("rising.xml --vary '/lauv/position/z=5,6 m'", "3");
    all_by_lanes("rising.xml --vary '/lauv/position/z=5,6 m'");
    run_shell(&r, "cat " TABLES "_lanes.csv");
    memcpy(with, r.out, sizeof with);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        run_fathom(&r, "sweep rising.xml --vary '/lauv/position/z=5,6 m' --backend simd --set '/faults/at%s' --csv -",
                   others[i]);
        expect(0, "run,seed");
        assert_string_not_equal(r.out, with);
    }
    run_fathom(&r, "sweep rising.xml --runs 2 --csv - --backend simd --set '/faults/at[1]/path=/world/gravity' --set "
                   "'/faults/at[1]/value=9.7 m/s2'");
    expect(1, "a batch cannot change '/world/gravity' on the way");
}

#define WALLS                                                                                                          \
    "<column name='pile' position='2.5 0 0 m' radius='0.3 m' height='10 m'/><sphere name='ball' position='1.5 1.2 3 "  \
    "m' radius='0.4 m'/><wall name='quay' position='3 0 0 m' normal='-1 0 0'/>"

#define NEAR_SNOOKIE                                                                                                   \
    "<fathom version='1'><world dt='0.02 s' duration='6 s'><current velocity='0.05 0 0 m/s'/>" WALLS                   \
    "</world><vehicle name='v' model='snookie' position='0 0 3 m' velocity='0.2 0 0 "                                  \
    "m/s'><near-wall/></vehicle></fathom>"

/* Snookie, which feels walls too, and a bare sphere; with the force and without it. */
static void a_nose_is_pushed_by_walls_in_lanes_as_in_worlds(void **unused)
{
    (void)unused;
    write_file("near.xml", NEAR_SNOOKIE);
    same_by_lanes("near.xml --vary '/v/attitude/z=-30:30:30 deg' --vary /v/near_wall/enabled=true,false", "7");
    run_shell(&r, "cut -d, -f6 " TABLES "_lanes.csv | sort -u | wc -l");
    expect(0, "7");
    write_file("near.xml", "<fathom version='1'><world dt='0.02 s' duration='4 s'>" WALLS
                           "</world><vehicle name='v' model='towed-sphere' position='0 0.4 3 m' velocity='0.5 0 0 "
                           "m/s'><near-wall/></vehicle></fathom>");
    same_by_lanes("near.xml --set /v/flow/model=mirror --vary '/v/position/y=0.4:0.7:0.1 m' --vary "
                  "/v/near_wall/enabled=true,false",
                  "9");
}

static double distance(const char *scenario, const char *options)
{
    static const char row[] = "\n0,1,finished,";
    run_fathom(&r, "sweep %s --duration 6 --runs 2 --metric '*.distance' --csv - --quiet %s", scenario, options);
    expect(0, row);
    return atof(strstr(r.out, row) + strlen(row));
}

static void in_float_all_of_them_go_as_far_to_a_thousandth(void **unused)
{
    (void)unused;
    write_diver("dives.xml", "");
    write_file("near.xml", NEAR_SNOOKIE);
    const char *const all[] = {"dives.xml", SCENARIO("remus-sea-state-2"), "near.xml"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double exact = distance(all[i], "--backend worlds");
        double single = distance(all[i], "--backend simd --precision float");
        if (!(single != exact && fabs(single - exact) < 1e-3 * exact))
            fail_msg("%s: %.9g m in float, %.9g m in double", all[i], single, exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remus_dives_through_currents_in_lanes_with_the_bits_of_worlds),
        cmocka_unit_test(seas_in_lanes_are_those_that_worlds_draw),
        cmocka_unit_test(crossing_waves_currents_and_wind_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(waves_along_hulls_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(what_starts_by_its_water_is_left_to_worlds_in_waves),
        cmocka_unit_test(waters_and_bottoms_that_change_on_the_way_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(a_nose_is_pushed_by_walls_in_lanes_as_in_worlds),
        cmocka_unit_test(in_float_all_of_them_go_as_far_to_a_thousandth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
