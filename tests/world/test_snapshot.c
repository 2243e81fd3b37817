/* A saved state holds all that a run goes on from, and what is not a whole saved state of the same model is refused. */
#include "support/scenario.h"

static const char pair[] = "<fathom version='1'><world dt='0.1 s' duration='60 s' capacity='3'/>"
                           "<vehicle name='torp' model='remus-100' position='0 0 10 m' velocity='1 0 0 m/s'/>"
                           "<vehicle name='ball' position='5 5 5 m'><mass mass='10 kg' inertia='1 1 1 kg*m2'/>"
                           "<buoyancy force='80 N'/><drag Z_w='-10 N*s/m'/>"
                           "<thruster name='jet' direction='1 0 0' thrust='50 N'/></vehicle></fathom>";

static void *save(const fm_world *world, size_t *size)
{
    fm_error error = {0};
    void *kept = malloc(*size = fm_world_state_size(world));
    assert_non_null(kept);
    if (fm_world_save(world, kept, *size, &error) != FM_OK)
        fail_msg("%s", error.text);
    return kept;
}

static void give_inputs(fm_world *world)
{
    fm_error error = {0};
    const double there[3] = {20, 0, 5}, level[3] = {0};
    order(world, "ball", "jet", 20);
    set_live(world, "/ball/jet/efficiency", 0.5);
    assert_int_equal(fm_world_spawn(world, "late", "ball", there, level, &error), FM_OK);
}

static void inputs_that_wait_are_kept(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_world *world = start(pair), *straight = start(pair);
    step(world, 5);
    step(straight, 5);
    give_inputs(world);
    give_inputs(straight);
    size_t size;
    void *kept = save(world, &size);
    fm_world *again = start(pair);
    step(world, 3);
    assert_int_equal(fm_world_restore(world, kept, size, &error), FM_OK);
    assert_int_equal(fm_world_restore(again, kept, size, &error), FM_OK);
    const fm_input *taken;
    step(again, 1);
    assert_int_equal(fm_world_inputs(again, &taken), 3);
    assert_same(taken[0].command.kind, FM_COMMAND_ORDER);
    assert_same(taken[2].command.kind, FM_COMMAND_SPAWN);
    assert_same(taken[2].tick, 5);
    step(again, 19);
    step(world, 20);
    step(straight, 20);
    assert_at_least(fm_world_find(again, "late"), 0);
    assert_greater(pose_of(straight, 1).position[0], 5.5); /* the order acted */
    assert_same(fm_world_hash(world), fm_world_hash(straight));
    assert_same(fm_world_hash(again), fm_world_hash(straight));
    free(kept);
    finish(again);
    finish(world);
    finish(straight);
}

static void an_input_given_before_restoring_is_gone(void **unused)
{
    (void)unused;
    fm_error error = {0};
    size_t size;
    fm_world *world = start(pair);
    void *kept = save(world, &size);
    give_inputs(world);
    assert_int_equal(fm_world_restore(world, kept, size, &error), FM_OK);
    step(world, 1);
    assert_int_equal(fm_world_inputs(world, NULL), 0);
    free(kept);
    finish(world);
}

static void a_spoilt_byte_anywhere_is_found(void **unused)
{
    (void)unused;
    size_t size;
    fm_world *world = start(pair);
    step(world, 5);
    give_inputs(world);
    unsigned char *kept = save(world, &size);
    uint64_t before = fm_world_hash(world);
    for (size_t i = 0; i < size; i++) {
        fm_error error = {0};
        kept[i] ^= (unsigned char)(1u << i % 8);
        if (fm_world_restore(world, kept, size, &error) != FM_ERR_ARGUMENT || !error.text[0])
            fail_msg("byte %zu of %zu may be spoilt", i, size);
        kept[i] ^= (unsigned char)(1u << i % 8);
    }
    assert_same(fm_world_hash(world), before);
    fm_error error = {0};
    assert_int_equal(fm_world_restore(world, kept, size, &error), FM_OK);
    free(kept);
    finish(world);
}

static void a_state_that_is_cut_off_is_refused(void **unused)
{
    (void)unused;
    size_t size;
    fm_world *world = start(pair);
    give_inputs(world);
    unsigned char *kept = save(world, &size);
    for (size_t cut = 0; cut < size; cut++) {
        fm_error error = {0};
        unsigned char *piece = malloc(cut + 1); /* of just that size, so that reading on is seen by sanitizers */
        memcpy(piece, kept, cut);
        if (fm_world_restore(world, piece, cut, &error) != FM_ERR_ARGUMENT)
            fail_msg("%zu of %zu bytes were accepted", cut, size);
        free(piece);
    }
    free(kept);
    finish(world);
}

static void too_little_room_is_told_and_nothing_is_written(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_world *world = start(pair);
    size_t empty = fm_world_state_size(world);
    give_inputs(world);
    assert_greater(fm_world_state_size(world), empty);
    unsigned char *room = malloc(empty);
    memset(room, 0x5a, empty);
    assert_int_equal(fm_world_save(world, room, empty, &error), FM_ERR_FULL);
    for (size_t i = 0; i < empty; i++)
        assert_int_equal(room[i], 0x5a);
    free(room);
    finish(world);
}

/* The status of restoring a state of `pair` into a world that was loaded with a --set. */
static fm_status restored_with(const char *set)
{
    fm_error error = {0};
    size_t size;
    fm_world *world = start(pair);
    void *kept = save(world, &size);
    fm_world *other = create(load_with(pair, (const char *const[]){set, NULL}), 1);
    fm_status status = fm_world_restore(other, kept, size, &error);
    if (status != FM_OK)
        assert_non_null(strstr(error.text, "another model"));
    free(kept);
    finish(world);
    finish(other);
    return status;
}

static void a_state_of_another_model_is_refused(void **unused)
{
    (void)unused;
    assert_int_equal(restored_with("/world/dt=0.05 s"), FM_ERR_ARGUMENT);
    assert_int_equal(restored_with("/ball/mass/mass=11 kg"), FM_ERR_ARGUMENT);
    assert_int_equal(restored_with("/ball/drag/Z_w=-11 N*s/m"), FM_ERR_ARGUMENT);
    assert_int_equal(restored_with("/world/duration=600 s"), FM_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_that_wait_are_kept),
        cmocka_unit_test(an_input_given_before_restoring_is_gone),
        cmocka_unit_test(a_spoilt_byte_anywhere_is_found),
        cmocka_unit_test(a_state_that_is_cut_off_is_refused),
        cmocka_unit_test(too_little_room_is_told_and_nothing_is_written),
        cmocka_unit_test(a_state_of_another_model_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
