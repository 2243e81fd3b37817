/* A subsystem that a test registers: its words belong to the world's state, its stages run, its pull moves vehicles. */
#include "support/scenario.h"

#include "world/world.h"

#include "world/subsystem.h"

static const char scene[] = "<fathom version='1'><world dt='0.01 s'/><vehicle name='block' position='0 0 10 m'>"
                            "<mass mass='40 kg' inertia='1 1 1 kg*m2'/></vehicle></fathom>";

enum { STARTED, DELIVERED, PULLED, WORDS };

typedef struct push {
    double force; /* N, forward */
} push;

static void start_push(fm_world *world, const void *config, double *state)
{
    (void)config;
    state[STARTED] = fm_world_find(world, "block") == 0 ? 1 : -1; /* its vehicle is there already */
}

static void deliver_force(fm_world *world, const void *config, double *state)
{
    (void)world, (void)config;
    state[DELIVERED] += 1;
}

static void pull_push(fm_world *world, const void *config, double *state)
{
    state[PULLED] += 1;
    world->slots[0].external[0] += ((const push *)config)->force;
}

static const fm_subsystem push_subsystem = {
    .id = FM_SUBSYSTEM_OTHER, .name = "push", .start = start_push, .deliver = deliver_force, .pull = pull_push};
static const push config = {.force = 8};

static fm_world *pushed(void)
{
    fm_model *model = load(scene);
    fm_error error = {0};
    assert_int_equal(fm_model_add_subsystem(model, &push_subsystem, &config, WORDS, &error), FM_OK);
    return create(model, 1);
}

/* v = F t / m: a block without added mass and drag. */
static void a_registered_subsystem_runs_at_its_stages(void **state)
{
    (void)state;
    fm_world *world = pushed();
    const double *words = fm_subsystem_state(world, FM_SUBSYSTEM_OTHER);
    assert_ptr_equal(fm_subsystem_config(fm_world_model(world), FM_SUBSYSTEM_OTHER), &config);
    near("start", words[STARTED], 1, 0);
    near("deliveries before the first step", words[DELIVERED], 0, 0);
    step(world, 200);
    near("deliveries", words[DELIVERED], 200, 0);
    near("pulls", words[PULLED], 200, 0);
    near("speed after 2 s", pose_of(world, 0).velocity[0], 8.0 * 2 / 40, 1e-12);
    finish(world);
}

static void its_words_are_saved_restored_and_hashed(void **state)
{
    (void)state;
    fm_world *world = pushed(), *plain = start(scene);
    assert_int_equal(fm_world_state_size(world), fm_world_state_size(plain) + 8 * WORDS);
    finish(plain);
    step(world, 3);
    double *words = fm_subsystem_state(world, FM_SUBSYSTEM_OTHER);
    uint64_t hash = fm_world_hash(world);
    void *saved = malloc(fm_world_state_size(world));
    assert_int_equal(fm_world_save(world, saved, fm_world_state_size(world), NULL), FM_OK);
    for (int i = 0; i < WORDS; i++) {
        double kept = words[i];
        words[i] += 1;
        assert_different(fm_world_hash(world), hash);
        words[i] = kept;
    }
    step(world, 5);
    fm_error error = {0};
    assert_int_equal(fm_world_restore(world, saved, fm_world_state_size(world), &error), FM_OK);
    assert_same(fm_world_hash(world), hash);
    near("deliveries after restoring", words[DELIVERED], 3, 0);
    free(saved);
    finish(world);
}

static void a_model_refuses_more_subsystems_than_it_has_room_for(void **state)
{
    (void)state;
    fm_model *model = load(scene);
    fm_error error = {0};
    for (size_t i = model->subsystem_count; i < FM_SUBSYSTEMS_MOST; i++)
        assert_int_equal(fm_model_add_subsystem(model, &push_subsystem, &config, 1, &error), FM_OK);
    assert_int_equal(fm_model_add_subsystem(model, &push_subsystem, &config, 1, &error), FM_ERR_FULL);
    assert_non_null(strstr(error.text, "push"));
    fm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_registered_subsystem_runs_at_its_stages),
        cmocka_unit_test(its_words_are_saved_restored_and_hashed),
        cmocka_unit_test(a_model_refuses_more_subsystems_than_it_has_room_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
