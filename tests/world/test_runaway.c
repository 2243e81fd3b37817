/* Vehicles and tethers whose state diverges: why is said rightly, and with on-runaway="remove" the run goes on without
 * them, the same every time. */
#include "support/files.h"
#include "support/program.h"
#include "support/scenario.h"

#include "world/world.h"

#define WORLD(how) "<fathom version='1'><world dt='0.01 s' duration='5 s'" how "><water surface='none'/></world>"
#define REMOVE " on-runaway='remove'"
#define GOOD "<vehicle name='good' model='nps-auv-ii' position='0 40 5 m' velocity='1 0 0 m/s'/>"
/* drag that drives */
#define BAD                                                                                                            \
    "<vehicle name='bad' model='nps-auv-ii' position='0 0 5 m' velocity='2 0 0 m/s'><drag X_u_absu='900 N*s2/m2'/>"    \
    "</vehicle>"
#define STRETCHED                                                                                                      \
    "<vehicle name='rov' model='bluerov2' position='0 0 5 m'/><vehicle name='other' model='bluerov2' position='22 0 "  \
    "5 m'/><tether name='umbilical' from='rov' to='other' length='13 m'/>"
#define STIFF                                                                                                          \
    "<vehicle name='rov' model='bluerov2' position='0 0 5 m' velocity='80 0 0 m/s'/>"                                  \
    "<tether name='leash' from-point='0 0 5 m' to='rov' length='2 m' stiffness='1e7 N' pieces='2' mass='10 kg/m'/>"

static program_run r;

/* Steps until it fails; the words it fails with. */
static const char *failure_of(const char *text)
{
    static fm_error error;
    fm_world *world = start(text);
    fm_status status = FM_OK;
    for (int i = 0; i < 500 && status == FM_OK; i++)
        status = fm_world_step(world, &error);
    assert_int_equal(status, FM_ERR_STATE);
    finish(world);
    return error.text;
}

static void expect_words(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("'%s' does not say '%s'", text, words);
}

static void a_run_that_ends_names_the_vehicle_and_the_cause(void **unused)
{
    (void)unused;
    const char *text = failure_of(WORLD("") GOOD BAD "</fathom>");
    expect_words(text, "vehicle 'bad': u is");
    expect_words(text, "signs and units of its X coefficients");
    text = failure_of(WORLD("") STRETCHED "</fathom>");
    expect_words(text, "tether 'umbilical' is stretched from 13 m to 22 m");
    expect_words(text, "egan stretched, 22 m between its ends for a length of 13 m");
    text = failure_of(WORLD("") STIFF "</fathom>");
    expect_words(text, "tether 'leash'");
    assert_null(strstr(text, "coefficients"));
}

static void a_place_or_a_force_is_not_blamed_on_coefficients(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_world *world = start(WORLD("") GOOD "</fathom>");
    world->slots[0].vehicle->body.position[0] = 1e9; /* no door lets it in */
    assert_int_equal(fm_world_step(world, &error), FM_ERR_STATE);
    expect_words(error.text, "vehicle 'good': x is 1e+09 m");
    expect_words(error.text, "It was placed there");
    finish(world);
    world = start(WORLD("") GOOD "</fathom>");
    static const double force[6] = {1e12};
    assert_int_equal(fm_world_force(world, "good", force, &error), FM_OK);
    assert_int_equal(fm_world_step(world, &error), FM_ERR_STATE);
    expect_words(error.text, "A force of 1e+12 N");
    finish(world);
}

/* --- removed --- */

static int count_events(const fm_world *world, const char *kind, const char *vehicle)
{
    const fm_event *events;
    size_t count = fm_world_events(world, &events);
    int found = 0;
    for (size_t i = 0; i < count; i++)
        found += !strcmp(events[i].kind, kind) && !strcmp(fm_world_name(world, events[i].slot), vehicle);
    return found;
}

static void a_vehicle_that_runs_away_leaves_with_an_event_and_the_run_goes_on(void **unused)
{
    (void)unused;
    fm_world *world = start(WORLD(REMOVE) GOOD BAD "</fathom>"), *alone = start(WORLD("") GOOD "</fathom>");
    int told = 0;
    for (int i = 0; i < 300; i++) {
        step(world, 1);
        step(alone, 1);
        told += count_events(world, "runaway", "bad");
    }
    assert_int_equal(told, 1);
    assert_less(fm_world_find(world, "bad"), 0);
    fm_pose with = pose_of(world, 0), without = pose_of(alone, 0);
    assert_memory_equal(with.position, without.position, sizeof with.position);
    assert_memory_equal(with.velocity, without.velocity, sizeof with.velocity);
    static const double at[3] = {0, 0, 5}, level[3];
    fm_error error = {0};
    if (fm_world_spawn(world, "bad", "good", at, level, &error) != FM_OK) /* name and slot are free again */
        fail_msg("%s", error.text);
    step(world, 10);
    assert_at_least(fm_world_find(world, "bad"), 0);
    finish(world);
    finish(alone);
}

/* The moment between the event and the removal is part of the state. */
static void a_state_saved_at_any_moment_goes_on_the_same(void **unused)
{
    (void)unused;
    fm_world *world = start(WORLD(REMOVE) GOOD BAD "</fathom>"), *other = create(fm_world_model(world), 1);
    size_t size = fm_world_state_size(world);
    void *saved = malloc(size);
    fm_error error = {0};
    assert_non_null(saved);
    for (int i = 0; i < 30; i++) {
        assert_int_equal(fm_world_save(world, saved, size, &error), FM_OK);
        assert_int_equal(fm_world_restore(other, saved, size, &error), FM_OK);
        step(world, 1);
        step(other, 1);
        assert_same(fm_world_hash(world), fm_world_hash(other));
    }
    assert_less(fm_world_find(other, "bad"), 0);
    free(saved);
    fm_world_free(other);
    finish(world);
}

static void a_tether_that_diverges_parts_and_its_vehicles_go_on(void **unused)
{
    (void)unused;
    fm_world *world = start(WORLD(REMOVE) STRETCHED "</fathom>");
    int told = 0;
    for (int i = 0; i < 300; i++) {
        step(world, 1);
        told += count_events(world, "tether parted", "rov");
    }
    assert_int_equal(told, 1);
    assert_at_least(fm_world_find(world, "rov"), 0);
    assert_at_least(fm_world_find(world, "other"), 0);
    finish(world);
}

/* The end of a tether whose vehicle is removed pulls at nothing. */
static void a_tether_goes_with_its_vehicle(void **unused)
{
    (void)unused;
    fm_world *world = start(WORLD("") "<vehicle name='rov' model='bluerov2' position='100 0 5 m'/><vehicle "
                                      "name='other' model='bluerov2' position='112 0 5 m'/><tether name='umbilical' "
                                      "from='rov' to='other' length='13 m'/></fathom>");
    fm_error error = {0};
    step(world, 10);
    assert_int_equal(fm_world_remove(world, "other", &error), FM_OK);
    step(world, 200);
    assert_nearer(pose_of(world, 0).position[0], 100, 0.5);
    finish(world);
}

/* --- through the program --- */

static void a_log_stores_what_happens_to_runaways_and_replays(void **unused)
{
    (void)unused;
    write_file("runaway.xml", WORLD("") GOOD BAD "</fathom>");
    run_fathom(&r, "run runaway.xml --quiet");
    expect_run(&r, 1, "vehicle 'bad': u is");
    run_fathom(&r, "run runaway.xml --quiet --set /world/on-runaway=remove --log runaway.mcap");
    expect_run(&r, 0, "");
    run_fathom(&r, "replay runaway.mcap --verify");
    expect_run(&r, 0, "the same");
    run_fathom(&r, "info runaway.mcap");
    expect_run(&r, 0, "on_runaway = remove");
}

static void check_warns_of_a_tether_that_begins_stretched(void **unused)
{
    (void)unused;
    write_file("stretched.xml", WORLD("") STRETCHED "</fathom>");
    run_fathom(&r, "check stretched.xml");
    expect_run(&r, 0, "tether 'umbilical' begins stretched: its ends are 22 m apart");
    run_fathom(&r, "run stretched.xml --quiet");
    expect_run(&r, 1, "tether 'umbilical'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_ends_names_the_vehicle_and_the_cause),
        cmocka_unit_test(a_place_or_a_force_is_not_blamed_on_coefficients),
        cmocka_unit_test(a_vehicle_that_runs_away_leaves_with_an_event_and_the_run_goes_on),
        cmocka_unit_test(a_state_saved_at_any_moment_goes_on_the_same),
        cmocka_unit_test(a_tether_that_diverges_parts_and_its_vehicles_go_on),
        cmocka_unit_test(a_tether_goes_with_its_vehicle),
        cmocka_unit_test(a_log_stores_what_happens_to_runaways_and_replays),
        cmocka_unit_test(check_warns_of_a_tether_that_begins_stretched),
    };
    return cmocka_run_group_tests_name("runaway", tests, NULL, NULL);
}
