/* Who steers: every actuator has one owner at any time, and what an owner has to give way to is in force again later.
 */
#include "support/scenario.h"
#include "world/inputs.h"

/* A body with a schedule, and the LAUV with an autopilot. */
static const char boat[] =
    "<fathom version='1'><world dt='0.1 s' duration='60 s'/>"
    "<vehicle name='ball' position='0 0 5 m'><mass mass='10 kg' inertia='1 1 1 kg*m2'/><buoyancy force='98.0665 N'/>"
    "<drag X_u='-10 N*s/m'/><thruster name='jet' group='jets' direction='1 0 0' thrust='50 N'/>"
    "<thruster name='side' group='jets' direction='0 1 0' thrust='50 N'/>"
    "<orders><at t='0 s' jet='10 N'/><at t='2 s' jet='20 N'/></orders>"
    "</vehicle></fathom>";

static fm_world *sail(void)
{
    return start_scenario("lauv-survey", NULL);
}

static void expect_owner(const fm_world *world, size_t actuator, fm_owner_kind kind, const char *name)
{
    fm_owner owner;
    assert_int_equal(fm_world_owner(world, 0, actuator, &owner), FM_OK);
    assert_int_equal(owner.kind, kind);
    assert_string_equal(owner.name, name);
}

static fm_status give(fm_world *world, fm_command_kind kind, const char *holder, const char *target, double value,
                      fm_error *error)
{
    const char *vehicle = target ? fm_world_name(world, 0) : NULL;
    fm_input input;
    int orders = kind == FM_COMMAND_ORDER || kind == FM_COMMAND_FLY;
    fm_status status = orders ? fm_input_value(&input, kind, vehicle, target, value, error)
                              : fm_input_begin(&input, kind, vehicle, target, error);
    fm_input_set_holder(&input, holder);
    return status == FM_OK ? fm_world_input(world, &input, error) : status;
}

static void must(fm_world *world, fm_command_kind kind, const char *holder, const char *target, double value)
{
    fm_error error = {0};
    if (give(world, kind, holder, target, value, &error) != FM_OK)
        fail_msg("%s", error.text);
    step(world, 1);
}

/* What the thruster does: its order, as it is static. */
static double jet(const fm_world *world)
{
    return column_of(world, 0, "jet");
}

static void the_schedule_owns_an_actuator_until_somebody_orders_it(void **state)
{
    (void)state;
    fm_world *world = start(boat);
    step(world, 5);
    expect_owner(world, 0, FM_OWNER_SCHEDULE, "schedule");
    near("scheduled", jet(world), 10, 0);
    order(world, "ball", "jet", 3);
    run_until(world, 3); /* past the second order of the schedule */
    expect_owner(world, 0, FM_OWNER_CLIENT, "program");
    near("held", jet(world), 3, 0);
    assert_int_equal(fm_world_release(world, "ball", "jet", NULL), FM_OK);
    step(world, 1);
    expect_owner(world, 0, FM_OWNER_SCHEDULE, "schedule");
    near("the schedule's last order", jet(world), 20, 0);
    finish(world);
}

static void an_order_holds_against_the_autopilot_until_it_is_released(void **state)
{
    (void)state;
    fm_world *world = sail();
    run_until(world, 20);
    expect_owner(world, 0, FM_OWNER_CONTROLLER, "autopilot");
    double fast = pose_of(world, 0).velocity[0];
    assert_greater(fast, 0.9);
    order(world, "lauv", "propeller", 0);
    run_until(world, 60);
    expect_owner(world, 0, FM_OWNER_CLIENT, "program");
    assert_less(pose_of(world, 0).velocity[0], 0.4 * fast);
    assert_int_equal(fm_world_release(world, "lauv", NULL, NULL), FM_OK);
    run_until(world, 100);
    expect_owner(world, 0, FM_OWNER_CONTROLLER, "autopilot");
    assert_greater(pose_of(world, 0).velocity[0], 0.9 * fast);
    finish(world);
}

static void the_last_who_orders_owns_and_gives_back_to_the_one_before(void **state)
{
    (void)state;
    fm_world *world = start(boat);
    must(world, FM_COMMAND_ORDER, "anna", "jet", 1);
    must(world, FM_COMMAND_ORDER, "bert", "jet", 2);
    expect_owner(world, 0, FM_OWNER_CLIENT, "bert");
    must(world, FM_COMMAND_RELEASE, "bert", "jet", 0);
    expect_owner(world, 0, FM_OWNER_CLIENT, "anna");
    near("hers", jet(world), 1, 0);
    must(world, FM_COMMAND_ORDER, "bert", "jet", 2);
    must(world, FM_COMMAND_RELEASE, "anna", NULL, 0); /* she leaves: all that she holds, wherever */
    expect_owner(world, 0, FM_OWNER_CLIENT, "bert");
    must(world, FM_COMMAND_RELEASE, "bert", NULL, 0);
    expect_owner(world, 0, FM_OWNER_SCHEDULE, "schedule");
    near("scheduled", jet(world), 10, 0);
    finish(world);
}

static void what_is_taken_refuses_the_orders_of_others_by_name(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start(boat);
    must(world, FM_COMMAND_TAKE, "anna", "", 0);
    near("with the order that it had", jet(world), 0, 0);
    assert_int_equal(give(world, FM_COMMAND_ORDER, "bert", "jets", 2, &error), FM_ERR_STATE);
    assert_string_equal(error.text, "jet of 'ball' is held by anna: take it first");
    assert_int_equal(give(world, FM_COMMAND_RELEASE, "bert", "jet", 0, &error), FM_ERR_STATE);
    must(world, FM_COMMAND_ORDER, "anna", "jets", 4);
    near("hers", jet(world), 4, 0);
    must(world, FM_COMMAND_TAKE, "bert", "jet", 0);
    must(world, FM_COMMAND_ORDER, "bert", "jet", 6);
    must(world, FM_COMMAND_ORDER, "anna", "jet", 5); /* waits */
    near("his", jet(world), 6, 0);
    must(world, FM_COMMAND_RELEASE, "bert", "", 0);
    near("her newest", jet(world), 5, 0);
    expect_owner(world, 0, FM_OWNER_CLIENT, "anna");
    finish(world);
}

static void one_that_flies_owns_whatever_it_orders(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start(boat);
    must(world, FM_COMMAND_ORDER, "anna", "jet", 1);
    must(world, FM_COMMAND_FLY, "sitl", "jet", 0); /* disarmed */
    run_until(world, 3);
    near("neither hers nor the schedule's", jet(world), 0, 0);
    assert_int_equal(give(world, FM_COMMAND_ORDER, "anna", "jet", 2, &error), FM_ERR_STATE);
    must(world, FM_COMMAND_RELEASE, "sitl", "", 0);
    near("hers again", jet(world), 1, 0);
    finish(world);
}

static void what_changes_nothing_is_not_recorded(void **state)
{
    (void)state;
    fm_world *world = start(boat);
    must(world, FM_COMMAND_ORDER, "anna", "jet", 1);
    assert_int_equal(fm_world_inputs(world, NULL), 1);
    must(world, FM_COMMAND_ORDER, "anna", "jet", 1);
    assert_int_equal(fm_world_inputs(world, NULL), 0);
    must(world, FM_COMMAND_ORDER, "bert", "jet", 1); /* another owner */
    assert_int_equal(fm_world_inputs(world, NULL), 1);
    must(world, FM_COMMAND_TAKE, "bert", "jet", 0);
    assert_int_equal(fm_world_inputs(world, NULL), 1);
    must(world, FM_COMMAND_TAKE, "bert", "jet", 0);
    assert_int_equal(fm_world_inputs(world, NULL), 0);
    must(world, FM_COMMAND_RELEASE, "carl", NULL, 0); /* holds nothing */
    assert_int_equal(fm_world_inputs(world, NULL), 0);
    finish(world);
}

static void a_controller_that_is_disengaged_leaves_its_actuators_at_rest(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = sail();
    run_until(world, 20);
    double fast = pose_of(world, 0).velocity[0];
    assert_int_equal(fm_world_disengage(world, "lauv", "autopilot", &error), FM_OK);
    run_until(world, 60);
    assert_int_equal(fm_world_engaged(world, 0, "autopilot"), 0);
    assert_int_equal(fm_world_engaged(world, 0, "waypoints"), 1);
    expect_owner(world, 0, FM_OWNER_SCHEDULE, "schedule");
    near("propeller", column_of(world, 0, "propeller"), 0, 1);
    assert_less(pose_of(world, 0).velocity[0], 0.4 * fast);
    assert_int_equal(fm_world_engage(world, "lauv", NULL, &error), FM_OK);
    run_until(world, 100);
    assert_greater(pose_of(world, 0).velocity[0], 0.9 * fast);
    assert_int_equal(fm_world_disengage(world, "lauv", "captain", &error), FM_ERR_NAME);
    assert_string_equal(error.text, "'lauv' has no controller 'captain'");
    finish(world);
}

static void owners_are_saved_restored_and_hashed(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = sail(), *again = sail(), *free_one = sail();
    run_until(world, 5);
    run_until(free_one, 5);
    assert_same(fm_world_hash(world), fm_world_hash(free_one));
    must(world, FM_COMMAND_ORDER, "anna", "upper-rudder", 0.1);
    must(world, FM_COMMAND_TAKE, "bert", "propeller", 0);
    assert_int_equal(fm_world_disengage(world, "lauv", "autopilot", &error), FM_OK);
    step(world, 1);
    size_t size = fm_world_state_size(world);
    char *kept = malloc(size);
    assert_non_null(kept);
    assert_int_equal(fm_world_save(world, kept, size, &error), FM_OK);
    assert_int_equal(fm_world_restore(again, kept, size, &error), FM_OK);
    assert_same(fm_world_hash(again), fm_world_hash(world));
    must(world, FM_COMMAND_RELEASE, "bert", NULL, 0);
    assert_different(fm_world_hash(again), fm_world_hash(world));
    must(again, FM_COMMAND_RELEASE, "bert", NULL, 0);
    assert_int_equal(fm_world_engage(world, "lauv", NULL, &error), FM_OK);
    assert_int_equal(fm_world_engage(again, "lauv", NULL, &error), FM_OK);
    step(world, 50);
    step(again, 50);
    assert_same(fm_world_hash(again), fm_world_hash(world));
    expect_owner(again, 1, FM_OWNER_CLIENT, "anna");
    assert_int_equal(fm_world_reset(world, &error), FM_OK);
    step(world, 1);
    expect_owner(world, 1, FM_OWNER_CONTROLLER, "autopilot");
    free(kept);
    finish(world);
    finish(again);
    finish(free_one);
}

/* --- set points --- */

static fm_setpoint_info find_setpoint(const fm_world *world, const char *part, const char *name)
{
    for (size_t i = 0; i < fm_world_setpoint_count(world, 0); i++) {
        fm_setpoint_info info = fm_world_setpoint(world, 0, i);
        if (strcmp(info.part, part) == 0 && strcmp(info.name, name) == 0)
            return info;
    }
    fail_msg("%s has no set point %s", part, name);
    return (fm_setpoint_info){0};
}

static void snookie_keeps_the_depth_bearing_and_speed_that_are_set(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start("<fathom version='1'><world dt='0.05 s' duration='200 s'/>"
                            "<vehicle name='snookie' model='snookie' position='0 0 2 m'/></fathom>");
    assert_true(isnan(find_setpoint(world, "hover-pd", "depth").value));
    assert_int_equal(fm_world_desire(world, "snookie", "depth", 3, &error), FM_OK);
    assert_int_equal(fm_world_desire(world, "snookie", "heading", 1, &error), FM_OK); /* another name of bearing */
    assert_int_equal(fm_world_desire(world, "snookie", "speed", 0.3, &error), FM_OK);
    run_until(world, 60);
    near("depth", pose_of(world, 0).position[2], 3, 0.1);
    near("bearing", pose_of(world, 0).euler[2], 1, 0.05);
    near("speed", pose_of(world, 0).velocity[0], 0.3, 0.1);
    near("value", find_setpoint(world, "hover-pd", "bearing").value, 1, 0);
    assert_int_equal(fm_world_release(world, "snookie", "depth", &error), FM_OK);
    run_until(world, 120);
    assert_true(isnan(find_setpoint(world, "hover-pd", "depth").value));
    near("that of the start", pose_of(world, 0).position[2], 2, 0.1);
    assert_int_equal(fm_world_desire(world, "snookie", "depth", 20000, &error), FM_ERR_RANGE);
    assert_string_equal(error.text, "depth of 'snookie' is 20000: must be between -100 and 12000 m");
    assert_int_equal(fm_world_desire(world, "snookie", "colour", 1, &error), FM_ERR_NAME);
    assert_non_null(strstr(error.text, "it has depth, bearing, speed, pitch, roll"));
    finish(world);
}

static void every_controller_with_set_points_lists_them(void **state)
{
    (void)state;
    static const struct {
        const char *scenario, *part, *name, *unit;
    } rows[] = {{"lauv-survey", "autopilot", "heading", "rad"},
                {"fish-pool", "fish-brain", "speed", "m/s"},
                {"remus-rise", "bottom-following", "altitude", "m"},
                {"phoenix-hover", "station", "north", "m"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fm_world *world = start_scenario(rows[i].scenario, NULL);
        fm_setpoint_info info = find_setpoint(world, rows[i].part, rows[i].name);
        assert_string_equal(info.unit, rows[i].unit);
        assert_greater(info.max, info.min);
        assert_true(info.text[0]);
        finish(world);
    }
}

/* Both have a depth: the name alone means the autopilot's, which follows the station. */
static void a_set_point_is_named_by_its_part_where_several_have_it(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start_scenario("phoenix-hover", NULL);
    const char *vehicle = fm_world_name(world, 0);
    assert_int_equal(fm_world_desire(world, vehicle, "station/depth", 4, &error), FM_OK);
    assert_int_equal(fm_world_desire(world, vehicle, "depth", 5, &error), FM_OK);
    step(world, 1);
    near("station", find_setpoint(world, "station", "depth").value, 4, 0);
    near("autopilot", find_setpoint(world, "autopilot", "depth").value, 5, 0);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_schedule_owns_an_actuator_until_somebody_orders_it),
        cmocka_unit_test(an_order_holds_against_the_autopilot_until_it_is_released),
        cmocka_unit_test(the_last_who_orders_owns_and_gives_back_to_the_one_before),
        cmocka_unit_test(what_is_taken_refuses_the_orders_of_others_by_name),
        cmocka_unit_test(one_that_flies_owns_whatever_it_orders),
        cmocka_unit_test(what_changes_nothing_is_not_recorded),
        cmocka_unit_test(a_controller_that_is_disengaged_leaves_its_actuators_at_rest),
        cmocka_unit_test(owners_are_saved_restored_and_hashed),
        cmocka_unit_test(snookie_keeps_the_depth_bearing_and_speed_that_are_set),
        cmocka_unit_test(every_controller_with_set_points_lists_them),
        cmocka_unit_test(a_set_point_is_named_by_its_part_where_several_have_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
