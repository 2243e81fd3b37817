/* Snookie in lanes where the water is not uniform, or flows past obstacles: what it senses of currents, vortices,
 * columns, spheres and moving things gives the bits of worlds. */
#include <math.h>

#define TABLES "stirred"
#include "batch/both.h"

#define VEHICLE                                                                                                        \
    "<vehicle name='snookie' model='snookie' position='0 0 3 m' velocity='0.2 0 0 m/s'><lateral-line noise='0.02 "     \
    "mV'/>%s</vehicle>"
#define PILE "<column name='pile' position='2.5 0 0 m' radius='0.3 m' height='10 m'/>"
#define BALL "<sphere name='ball' position='1.5 1.6 3 m' radius='0.4 m'>%s</sphere>"
#define QUAY "<wall name='quay' position='4 0 0 m' normal='-1 0 0'/>"

static void write_scenario(const char *name, const char *water, const char *track, const char *parts, const char *more)
{
    char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.02 s' duration='7 s'>%s" PILE BALL QUAY "</world>" VEHICLE "%s</fathom>",
             water, track, parts, more);
    write_file(name, text);
}

static const char uneven[] =
    "<current velocity='0.02 0.05 0 m/s'><layers depth='0 5 m' north='0 0.05 m/s' east='0 0 m/s'/><gauss-markov "
    "deviation='0.02 0.02 0.005 m/s' time='5 s'/><tide period='20 s' major='0.05 m/s' minor='0.01 m/s'/>"
    "<jet point='0 1 0 m' direction='20 deg' speed='0.05 m/s' width='2 m'/><vortex centre='2 1 0 m' circulation='0.2 "
    "m2/s' core='0.3 m'/></current>";

/* A current by depth, in time, at random, in a jet and about a vortex, among a column, a sphere and a wall. */
static void snookie_in_lanes_feels_currents_and_vortices_with_the_bits_of_worlds(void **unused)
{
    (void)unused;
    write_scenario("uneven.xml", uneven, "", "", "");
    same_by_lanes("uneven.xml --seed 3 --vary '/snookie/attitude/z=-30:60:30 deg' --vary "
                  "/snookie/flow/model=wall,mirror",
                  "9");
    run_shell(&r, "cut -d, -f16 " TABLES "_lanes.csv | sort | uniq -c");
    expect(0, " 1\n"); /* detections */
    all_by_lanes("uneven.xml --seed 3 --duration 4 --vary '/snookie/attitude/z=-30:60:30 deg'");
    write_scenario("street.xml", "<current velocity='0.1 0 0 m/s'><vortex-street behind='pile'/></current>", "", "",
                   "");
    same_by_lanes(
        "street.xml --duration 2 --vary '/snookie/position/x=3.4:3.8:0.4 m' --set '/quay/position/x=6 m' --vary "
        "/snookie/flow/model=dipole,undisturbed",
        "5");
}

static const char turning[] =
    "<faults><at t='3 s' path='/current/velocity/y' value='-0.15 m/s'/><at t='5 s' path='/current/velocity/x' value='0 "
    "m/s'/></faults>";

/* Past a column and a sphere the current swells: one that does not change, one that sets in on the way, and none. */
static void a_current_past_columns_and_spheres_is_felt_in_lanes_as_in_worlds(void **unused)
{
    (void)unused;
    write_scenario("past.xml", "<current velocity='0.05 0.1 0 m/s'/>", "", "", "");
    same_by_lanes("past.xml --vary '/snookie/attitude/z=-20:40:20 deg' --vary '/current/velocity/y=0,0.1 m/s'", "9");
    write_scenario("past.xml", "", "", "", turning);
    same_by_lanes("past.xml --vary '/snookie/attitude/z=-20:40:20 deg'", "5");
    run_shell(&r, "cut -d, -f5- " TABLES "_lanes.csv");
    char with[sizeof r.out];
    memcpy(with, r.out, sizeof with);
    write_scenario("past.xml", "", "", "", "");
    same_by_lanes("past.xml --vary '/snookie/attitude/z=-20:40:20 deg'", "5");
    run_shell(&r, "cut -d, -f5- " TABLES "_lanes.csv");
    assert_string_not_equal(with, r.out);
}

static void a_ball_that_swims_past_is_felt_in_lanes_as_in_worlds(void **unused)
{
    (void)unused;
    write_scenario("swims.xml", "<current velocity='0 0.05 0 m/s'/>",
                   "<track t='1 4 9 s' x='1.5 1.5 3 m' y='1.6 0.6 1 m' z='3 3 3 m' loop='true'/>", "", "");
    same_by_lanes("swims.xml --vary '/snookie/attitude/z=0:60:20 deg'", "5");
}

/* Drag by Reynolds number, and layers in which Snookie rises or sinks. */
static void forces_and_layers_act_on_snookie_in_lanes_as_in_worlds(void **unused)
{
    (void)unused;
    write_scenario("layers.xml",
                   "<water density='1000 kg/m3' stratified='true'><temperature surface='20 degC' z1='1 m' z2='4 m' "
                   "slope1='-2 K/m' slope2='-0.1 K/m'/></water>",
                   "", "", "");
    same_by_lanes("layers.xml --vary '/snookie/attitude/z=-20:40:20 deg'", "5");
    write_scenario("drag.xml", "<current velocity='0.05 0 0 m/s'/>", "",
                   "<reynolds-drag length='0.74 m' area='0.05 m2' reynolds='1e3 1e5 1e6' cd='0.5 0.3 0.2'/>", "");
    same_by_lanes("drag.xml --vary '/snookie/attitude/z=-20:40:20 deg'", "5");
}

static double go(const char *options)
{
    static const char row[] = "\n0,1,finished,30,";
    run_fathom(&r, "sweep uneven.xml --vary '/snookie/attitude/z=30 deg' --metric snookie.distance --csv - --quiet %s",
               options);
    expect(0, row);
    return atof(strstr(r.out, row) + strlen(row));
}

static void in_float_snookie_goes_as_far_among_vortices_to_a_thousandth(void **unused)
{
    (void)unused;
    write_scenario("uneven.xml", uneven, "", "", "");
    double exact = go("--backend worlds"), single = go("--backend simd --precision float");
    assert_different(single, exact);
    assert_nearer(single, exact, 1e-3 * exact);
}

static void what_snookie_in_lanes_cannot_have_beside_it_is_named(void **unused)
{
    (void)unused;
    write_scenario("boxed.xml", "<box name='crate' position='9 9 3 m' size='1 1 1 m'/>", "", "", "");
    run_fathom(&r, "sweep boxed.xml --runs 2 --csv - --backend simd");
    expect(1, "<flow> meets more than walls, columns and spheres");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snookie_in_lanes_feels_currents_and_vortices_with_the_bits_of_worlds),
        cmocka_unit_test(a_current_past_columns_and_spheres_is_felt_in_lanes_as_in_worlds),
        cmocka_unit_test(a_ball_that_swims_past_is_felt_in_lanes_as_in_worlds),
        cmocka_unit_test(forces_and_layers_act_on_snookie_in_lanes_as_in_worlds),
        cmocka_unit_test(in_float_snookie_goes_as_far_among_vortices_to_a_thousandth),
        cmocka_unit_test(what_snookie_in_lanes_cannot_have_beside_it_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
