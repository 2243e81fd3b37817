/* What stands inside <vehicle> says of which kind it is. */
#include "support/scenario.h"

#include "world/world.h"

#define MASS "<mass mass='40 kg' inertia='1 1 1 kg*m2'/>"
#define DIVING                                                                                                         \
    "<diving mass='30 kg' inertia='3 kg*m2' weight='299 N' buoyancy='306 N' zg='0.02 m' table-speed='1.5 m/s' "        \
    "Z_w='-66 kg/s' Z_q='-9 kg*m/s' Z_wdot='-35 kg' Z_qdot='-2 kg*m' Z_delta='-50 N/rad' M_w='30 kg*m/s' "             \
    "M_q='-7 kg*m2/s' M_wdot='-2 kg*m' M_qdot='-5 kg*m2' M_delta='-34 N*m/rad'/>"

static const char *scenario(const char *attributes, const char *inside)
{
    static char text[2000];
    snprintf(text, sizeof text,
             "<fathom version='1'><world/><vehicle name='one' position='0 0 5 m' %s>%s</vehicle></fathom>", attributes,
             inside);
    return text;
}

static void refused(const char *attributes, const char *inside, const char *why)
{
    fm_error error = {0};
    assert_null(try_load(scenario(attributes, inside), &error));
    if (!strstr(error.text, why))
        fail_msg("found '%s', expected '%s'", error.text, why);
    assert_string_equal(error.file, TEST_DATA "/test.xml");
    assert_int_equal(error.line, 1);
}

/* A fish has joints, a diver keeps its speed whatever the scenario's is, a body keeps the scenario's. */
static void the_element_of_a_kind_makes_the_vehicle_one_of_it(void **state)
{
    (void)state;
    fm_world *fish = start(scenario("", "<fish/>")), *diver = start(scenario("velocity='0.7 0 0 m/s'", DIVING)),
             *body = start(scenario("velocity='0.7 0 0 m/s'", MASS));
    assert_int_equal(fm_world_joint_count(fish, 0), 4);
    assert_int_equal(fm_world_joint_count(diver, 0) + fm_world_joint_count(body, 0), 0);
    near("speed of the diver", pose_of(diver, 0).velocity[0], 1.5, 1e-12);
    near("speed of the body", pose_of(body, 0).velocity[0], 0.7, 1e-12);
    finish(fish);
    finish(diver);
    finish(body);
}

static void elements_of_two_kinds_are_refused(void **state)
{
    (void)state;
    refused("", MASS DIVING, "<diving>: is for vehicles of kind diving, but this one is of kind body by its <mass>");
    refused("", "<fish/><drag X_u='-1 N*s/m'/>", "<drag>: is for vehicles of kind body, but this one is of kind fish");
    refused("", DIVING "<fish/>", "of kind diving by its <diving>");
}

static void what_belongs_to_a_fish_or_a_diver_stands_in_its_element_alone(void **state)
{
    (void)state;
    refused("thrust='paper'", "<fish/>", "no attribute 'thrust'");
    refused("speed='1 m/s'", DIVING, "no attribute 'speed'");
    refused("", MASS "<wave frequency='1 Hz'/>", "<wave> is not known");
}

/* A diver's and a fish's attitude is a quaternion by their equations; taken for angles it would be nonsense. */
static void only_rigid_bodies_keep_their_posture_as_angles(void **state)
{
    (void)state;
    refused("posture='euler'", DIVING, "euler is invalid for a vehicle of kind diving: must be quaternion");
    refused("posture='euler'", "<fish/>", "euler is invalid for a vehicle of kind fish: must be quaternion");
    finish(start(scenario("posture='euler'", MASS)));
}

static void only_rigid_bodies_are_placed_and_take_impulses(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *fish = start(scenario("", "<fish/>"));
    fm_pose pose = pose_of(fish, 0);
    assert_int_equal(fm_world_place(fish, "one", &pose, &error), FM_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "of kind 'fish'"));
    finish(fish);
    refused("", "<fish/><contact response='impulse'/>", "not on a vehicle of kind fish");
    refused("", "<fish/><hull kind='sphere' size='1 1 1 m'/>", "of kind fish has shapes of its own");
}

/* Errors of a kind name element and attribute where they stand. */
static void errors_of_a_kind_name_element_and_attribute(void **state)
{
    (void)state;
    refused("", "<fish deflection='60 deg'/>", "deflection of <fish>");
    refused("", "<fish><wave frequency='3 Hz'/></fish>", "frequency of <wave>");
    refused("", "<fish><fish-body><section x='0 m' points='0 0 0 0 0 0 0 0 0 0 0 0 m'/></fish-body></fish>",
            "<fish-body>: 1 sections given");
    refused("", "<mass mass='4 kg' weight='40 N' inertia='1 1 1 kg*m2'/>", "<mass>: give either mass or weight");
    refused("", MASS "<cross-flow x='0 1 m' height='1 m' breadth='1 1 m' cdy='1' cdz='1'/>", "height of <cross-flow>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_element_of_a_kind_makes_the_vehicle_one_of_it),
        cmocka_unit_test(elements_of_two_kinds_are_refused),
        cmocka_unit_test(what_belongs_to_a_fish_or_a_diver_stands_in_its_element_alone),
        cmocka_unit_test(only_rigid_bodies_keep_their_posture_as_angles),
        cmocka_unit_test(only_rigid_bodies_are_placed_and_take_impulses),
        cmocka_unit_test(errors_of_a_kind_name_element_and_attribute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
