/* The same scenario gives the same bits: stored hashes, threads, saving and restoring, several worlds, replayed inputs.
 */
#include "support/scenario.h"

#include "world/scenes.h"

typedef struct hashes {
    uint64_t motion, state;
} hashes;

static hashes hashes_of(const fm_world *world)
{
    return (hashes){motion_hash(world), fm_world_hash(world)};
}

static hashes hash_after(const fm_model *model, int threads, int steps)
{
    fm_world *world = create(model, threads);
    step(world, steps);
    hashes hash = hashes_of(world);
    fm_world_free(world);
    return hash;
}

static void the_stored_hash_comes_out_on_1_2_and_7_threads(void **unused)
{
    (void)unused;
    static const int threads[] = {1, 2, 7};
    for (int s = 0; s < SCENES; s++) {
        fm_model *model = load(scenes[s].text);
        uint64_t state = hash_after(model, 1, scenes[s].steps).state;
        for (size_t t = 0; t < FM_COUNT(threads); t++) {
            hashes hash = hash_after(model, threads[t], scenes[s].steps);
            if (hash.motion != scenes[s].hash)
                fail_msg("%s: on %d threads the hash is 0x%016llx, stored is 0x%016llx", scenes[s].name, threads[t],
                         (unsigned long long)hash.motion, (unsigned long long)scenes[s].hash);
            assert_int_equal(hash.state, state);
        }
        fm_model_free(model);
    }
}

static void the_hash_sees_every_bit_of_the_state(void **unused)
{
    (void)unused;
    fm_world *world = start(scenes[0].text);
    step(world, 10);
    uint64_t before = fm_world_hash(world), *words = (uint64_t *)(void *)world->head;
    for (size_t i = 0; i < world->state_words; i++)
        for (int bit = 0; bit < 64; bit += 21) {
            words[i] ^= 1ull << bit;
            assert_different(fm_world_hash(world), before);
            words[i] ^= 1ull << bit;
        }
    assert_same(fm_world_hash(world), before);
    finish(world);
}

static void saving_and_restoring_in_mid_run_gives_the_same_bits(void **unused)
{
    (void)unused;
    fm_error error = {0};
    for (int s = 0; s < SCENES; s++) {
        fm_model *model = load(scenes[s].text);
        fm_world *first = create(model, 1), *second = create(model, 2);
        void *saved = malloc(fm_world_state_size(first));
        step(first, scenes[s].steps / 3);
        assert_int_equal(fm_world_save(first, saved, fm_world_state_size(first), NULL), FM_OK);
        step(first, 7); /* runs on, is taken back */
        assert_int_equal(fm_world_restore(first, saved, fm_world_state_size(first), &error), FM_OK);
        assert_int_equal(fm_world_restore(second, saved, fm_world_state_size(second), &error), FM_OK);
        step(first, scenes[s].steps - scenes[s].steps / 3);
        step(second, scenes[s].steps - scenes[s].steps / 3);
        assert_int_equal(motion_hash(first), scenes[s].hash);
        assert_int_equal(fm_world_hash(first), hash_after(model, 1, scenes[s].steps).state);
        assert_int_equal(fm_world_hash(second), fm_world_hash(first));
        free(saved);
        fm_world_free(first);
        fm_world_free(second);
        fm_model_free(model);
    }
}

static void a_saved_state_of_another_model_is_refused(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_world *world = start(scenes[0].text);
    size_t size = fm_world_state_size(world);
    unsigned char *noise = malloc(size);
    memset(noise, 0x5a, size);
    uint64_t before = fm_world_hash(world);
    assert_int_equal(fm_world_restore(world, noise, fm_world_state_size(world), &error), FM_ERR_ARGUMENT);
    assert_same(fm_world_hash(world), before);
    free(noise);
    finish(world);
}

static void worlds_in_one_process_do_not_affect_each_other(void **unused)
{
    (void)unused;
    fm_model *a = load(scenes[0].text), *b = load(scenes[2].text);
    fm_world *worlds[4] = {create(a, 1), create(b, 2), create(a, 2), create(b, 1)};
    for (int i = 0; i < 600; i++)
        for (int w = 0; w < 4; w++)
            step(worlds[w], 1);
    for (int w = 0; w < 4; w++) {
        assert_int_equal(motion_hash(worlds[w]), scenes[w % 2 ? 2 : 0].hash);
        fm_world_free(worlds[w]);
    }
    fm_model_free(a);
    fm_model_free(b);
}

/* --- inputs --- */

typedef struct recording {
    fm_input inputs[64];
    size_t count;
} recording;

static void record(const fm_world *world, recording *tape)
{
    const fm_input *taken;
    size_t count = fm_world_inputs(world, &taken);
    for (size_t i = 0; i < count; i++)
        tape->inputs[tape->count++] = taken[i];
}

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        if ((call) != FM_OK)                                                                                           \
            fail_msg("%s", error.text);                                                                                \
    } while (0)

/* What a person might do with a running world. */
static void disturb(fm_world *world, int tick)
{
    fm_error error = {0};
    static const double place[3] = {5, 200, 3}, beside[3] = {5, 230, 3}, turned[3] = {0.1, -0.05, 1.2};
    if (tick == 3)
        OK(fm_world_order(world, "h-1", "bow-rudder", 0.2, &error));
    if (tick == 10)
        OK(fm_world_spawn(world, "late", "h-2", place, turned, &error));
    if (tick == 12) {
        OK(fm_world_order(world, "late", "propellers", 60, &error));
        OK(fm_world_set(world, "/h-3/stern-rudder/efficiency", 0.3, &error));
    }
    if (tick == 20)
        OK(fm_world_remove(world, "r-4", &error));
    if (tick == 30)
        OK(fm_world_spawn(world, "again", "r-1", beside, turned, &error));
    if (tick == 40)
        OK(fm_world_remove(world, "late", &error));
    if (tick == 50)
        OK(fm_world_set(world, "/h-5/port-propeller/stuck", 1, &error));
}

static void recorded_inputs_replay_to_the_same_hash(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_model *model = load(scenes[1].text);
    fm_world *live = create(model, 1), *replay = create(model, 7);
    recording tape = {.count = 0};
    for (int i = 0; i < 80; i++) {
        disturb(live, i);
        step(live, 1);
        record(live, &tape);
    }
    assert_int_equal(tape.count, 8);
    size_t next = 0;
    for (uint64_t tick = 0; tick < 80; tick++) {
        for (; next < tape.count && tape.inputs[next].tick == tick; next++)
            OK(fm_world_input(replay, &tape.inputs[next], &error));
        step(replay, 1);
    }
    assert_int_equal(next, tape.count);
    assert_int_equal(fm_world_hash(live), fm_world_hash(replay));
    assert_different(fm_world_hash(live), hash_after(model, 1, 80).state);
    fm_world_free(live);
    fm_world_free(replay);
    fm_model_free(model);
}

static void spawned_and_removed_vehicles_leave_the_others_alone(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_model *model = load(scenes[1].text);
    fm_world *calm = create(model, 1), *busy = create(model, 2);
    static const double place[3] = {0, 500, 3}, level[3] = {0};
    for (int i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof name, "guest-%d", i / 2);
        if (i % 2 == 0)
            OK(fm_world_spawn(busy, name, "h-1", place, level, &error));
        else
            OK(fm_world_remove(busy, name, &error));
        step(calm, 1);
        step(busy, 1);
    }
    for (int slot = 0; slot < (int)model->vehicle_count; slot++)
        assert_memory_equal(calm->slots[slot].vehicle, busy->slots[slot].vehicle, calm->slots[slot].room * 8);
    assert_int_equal(fm_world_find(busy, "guest-49"), -1);
    fm_world_free(calm);
    fm_world_free(busy);
    fm_model_free(model);
}

static void a_full_world_refuses_another_vehicle(void **unused)
{
    (void)unused;
    static const double place[3] = {0}, level[3] = {0};
    fm_error error = {0};
    fm_world *world = start(scenes[0].text);
    assert_int_equal(fm_world_spawn(world, "second", "phoenix", place, level, &error), FM_ERR_FULL);
    assert_int_equal(fm_world_spawn(world, "phoenix", "phoenix", place, level, &error), FM_ERR_NAME);
    assert_int_equal(fm_world_spawn(world, "x", "nobody", place, level, &error), FM_ERR_NAME);
    assert_int_equal(fm_world_remove(world, "nobody", &error), FM_ERR_NAME);
    assert_int_equal(fm_world_order(world, "phoenix", "sails", 1, &error), FM_ERR_NAME);
    assert_int_equal(fm_world_order(world, "phoenix", "propellers", NAN, &error), FM_ERR_RANGE);
    assert_int_equal(fm_world_set(world, "/phoenix/bow-rudder/efficiency", 2, &error), FM_ERR_RANGE);
    finish(world);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--print") == 0) { /* to store new hashes, and to compare builds */
        for (int s = 0; s < SCENES; s++) {
            fm_model *model = load(scenes[s].text);
            hashes hash = hash_after(model, 1, scenes[s].steps);
            printf("0x%016llx state 0x%016llx %s\n", (unsigned long long)hash.motion, (unsigned long long)hash.state,
                   scenes[s].name);
            fm_model_free(model);
        }
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stored_hash_comes_out_on_1_2_and_7_threads),
        cmocka_unit_test(the_hash_sees_every_bit_of_the_state),
        cmocka_unit_test(saving_and_restoring_in_mid_run_gives_the_same_bits),
        cmocka_unit_test(a_saved_state_of_another_model_is_refused),
        cmocka_unit_test(worlds_in_one_process_do_not_affect_each_other),
        cmocka_unit_test(recorded_inputs_replay_to_the_same_hash),
        cmocka_unit_test(spawned_and_removed_vehicles_leave_the_others_alone),
        cmocka_unit_test(a_full_world_refuses_another_vehicle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
