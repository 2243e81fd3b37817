/* Vehicles of one type move in lanes: the same bits as alone. */
#include "support/scenario.h"

#include <glob.h>

#include "world/formation.h"
#include "world/stretch.h"
#include "world/world.h"

enum { FLEET = 13 /* not a multiple of any number of lanes */, TEXT = 65536 };

#define HEAD "<fathom version='1'><world dt='0.01 s' duration='60 s' capacity='24'>"
#define CURRENT "<current velocity='0.2 -0.1 0.05 m/s'/>"

/* --- two ways of making ticks --- */

/* All stages, tick by tick. */
static void make_steps(fm_world *world, uint64_t ticks)
{
    step(world, (int)ticks);
}

/* Several ticks in one call where only motion happens. */
static void make_stretches(fm_world *world, uint64_t ticks)
{
    fm_error error = {0};
    while (ticks) {
        uint64_t made = fm_stretch_make(world, ticks);
        if (!made && fm_world_step(world, &error) != FM_OK)
            fail_msg("%s", error.text);
        ticks -= made ? made : 1;
    }
}

typedef void make_ticks(fm_world *world, uint64_t ticks);
static make_ticks *const ways[] = {make_steps, make_stretches};

/* The same world whose vehicles move one by one. */
static fm_world *create_apart(const fm_model *model)
{
    fm_world *world = create(model, 1);
    fm_formation_free(world);
    world->formation = NULL;
    return world;
}

static int in_lanes(const fm_world *world)
{
    int count = 0;
    for (int i = 0; i < world->slot_count; i++)
        count += world->slots[i].vehicle->life == FM_ALIVE && fm_formation_takes(world, world->slots[i].type);
    return count;
}

/* --- each alone --- */

/* Vehicle k of a mixed fleet: its own pose, velocity and orders. */
static int write_vehicle(char *out, size_t size, int k, const char *attributes)
{
    const int phoenix = k % 3 == 1;
    return snprintf(out, size,
                    "<vehicle name='v%d' model='%s' position='%d %d %.3f m' attitude='%d %.2f %d deg' velocity='%.3f "
                    "%.3f 0.01 m/s' %s><orders><at t='0 s' %s/><at t='0.53 s' %s/></orders></vehicle>",
                    k, phoenix ? "nps-auv-ii" : "lauv", 60 * k, 40 * (k % 4), 30 + 1.37 * k, 3 * k, 0.7 * k, 29 * k,
                    0.8 + 0.1 * k, 0.02 * k, attributes,
                    phoenix ? "propellers='600 rpm' bow-rudder='8 deg'" : "propeller='1400 rpm' rudders='9 deg'",
                    phoenix ? "stern-rudder='-6 deg'" : "stern-planes='-4 deg'");
}

static fm_model *load_vehicles(int from, int to, const char *attributes)
{
    static char text[TEXT];
    int at = snprintf(text, sizeof text, "<fathom version='1'><world dt='0.01 s' duration='60 s'>" CURRENT "</world>");
    for (int k = from; k < to; k++)
        at += write_vehicle(text + at, sizeof text - (size_t)at, k, attributes);
    snprintf(text + at, sizeof text - (size_t)at, "</fathom>");
    return load(text);
}

/* Of a record, what follows its identity, up to what it touches: a lone vehicle has no room for others there. */
static void assert_same_vehicle(const fm_world *a, int i, const fm_world *b, int k)
{
    const fm_slot *x = &a->slots[i], *y = &b->slots[k];
    size_t from = offsetof(fm_vehicle, next_order) / 8, words = x->type->touch_block.offset;
    assert_same(words, y->type->touch_block.offset);
    assert_memory_equal((const uint64_t *)(const void *)x->vehicle + from,
                        (const uint64_t *)(const void *)y->vehicle + from, (words - from) * 8);
}

static void compare_with_each_alone(const char *attributes, make_ticks *make)
{
    fm_model *model = load_vehicles(0, FLEET, attributes);
    fm_world *fleet = create(model, 1);
    assert_same(in_lanes(fleet), FLEET);
    make(fleet, 157);
    for (int k = 0; k < FLEET; k++) {
        fm_model *single = load_vehicles(k, k + 1, attributes);
        fm_world *alone = create(single, 1);
        assert_same(in_lanes(alone), 0);
        make_steps(alone, 157);
        assert_same_vehicle(fleet, k, alone, 0);
        fm_world_free(alone);
        fm_model_free(single);
    }
    fm_world_free(fleet);
    fm_model_free(model);
}

static void a_fleet_has_the_bits_of_each_vehicle_alone(void **state)
{
    (void)state;
    static const char *const attributes[] = {"integrator='euler'",    "integrator='heun'",
                                             "integrator='rk4'",      "integrator='text'",
                                             "integrator='midpoint'", "integrator='rk4' posture='euler' substeps='2'"};
    for (size_t i = 0; i < FM_COUNT(attributes); i++)
        for (size_t w = 0; w < FM_COUNT(ways); w++)
            compare_with_each_alone(attributes[i], ways[w]);
}

/* --- the same world, one by one --- */

typedef void between(fm_world *world, int round);

/* The state after every round is that of a world whose vehicles move one by one. */
static void compare(const char *text, int threads, int rounds, uint64_t ticks, between *disturbing)
{
    fm_model *model = load(text);
    for (size_t w = 0; w < FM_COUNT(ways); w++) {
        fm_world *world = create(model, threads), *apart = create_apart(model);
        for (int i = 0; i < rounds; i++) {
            if (disturbing) {
                disturbing(world, i);
                disturbing(apart, i);
            }
            ways[w](world, ticks);
            make_steps(apart, ticks);
            assert_same(fm_world_hash(world), fm_world_hash(apart));
        }
        assert_same(in_lanes(apart), 0);
        fm_world_free(world);
        fm_world_free(apart);
    }
    fm_model_free(model);
}

#define LAUVS(count)                                                                                                   \
    "<vehicle name='v' model='lauv' count='" count "' position='0 0 20 m' spacing='0 12 0 m' velocity='1.5 0 0 m/s'>"  \
    "<orders><at t='0 s' propeller='1500 rpm' rudders='10 deg'/></orders></vehicle>"

static void disturb(fm_world *world, int round)
{
    fm_error error = {0};
    char path[64];
    if (round % 4 == 1) {
        const double position[3] = {-30, 10 + 12 * round, 25 + round}, euler[3] = {0, 0.1, 0.3 * round};
        snprintf(path, sizeof path, "new%d", round);
        if (fm_world_spawn(world, path, "v-1", position, euler, &error) != FM_OK)
            fail_msg("%s", error.text);
        set_live(world, "/v-3/upper_rudder/stuck", 1);
        set_live(world, "/v-5/propeller/efficiency", 0.7);
    } else if (round % 4 == 2) {
        snprintf(path, sizeof path, "v-%d", round);
        if (fm_world_remove(world, path, &error) != FM_OK)
            fail_msg("%s", error.text);
        snprintf(path, sizeof path, "new%d", round - 1);
        order(world, path, "propeller", 120);
    } else if (round % 4 == 3) {
        snprintf(path, sizeof path, "v-%d", 7 + round % 3);
        order(world, path, "lower-rudder", 0.1 * round);
    }
}

static void faults_spawns_and_removals_change_no_bit(void **state)
{
    (void)state;
    compare(HEAD CURRENT "</world>" LAUVS("13") "</fathom>", 1, 12, 23, disturb);
}

static void threads_share_lanes(void **state)
{
    (void)state;
    compare("<fathom version='1'><world dt='0.01 s' duration='60 s'>" CURRENT "</world>" LAUVS("150") "</fathom>", 2, 6,
            25, NULL);
}

/* Some come to the surface, pass the rated depth or meet the bottom, others do not. */
static void those_near_the_surface_move_one_by_one(void **state)
{
    (void)state;
    compare(HEAD
            "<bottom depth='108 m'/></world>"
            "<vehicle name='a' model='lauv' count='5' position='0 0 0.4 m' spacing='0 12 1 m' attitude='0 20 0 deg' "
            "velocity='1.5 0 0 m/s'><orders><at t='0 s' propeller='2000 rpm'/></orders></vehicle>"
            "<vehicle name='b' model='lauv' count='5' position='0 80 98 m' spacing='0 12 1.5 m' attitude='0 -30 0 "
            "deg' velocity='1.5 0 0 m/s'><orders><at t='0 s' propeller='2000 rpm'/></orders></vehicle></fathom>",
            1, 12, 50, NULL);
}

/* One goes through the others, is stopped by them, and all go on. */
static void contact_interrupts(void **state)
{
    (void)state;
    compare(HEAD
            "</world>" LAUVS("6") "<vehicle name='w' model='lauv' position='10 12.2 20.1 m' attitude='0 0 180 deg' "
                                  "velocity='1.5 0 0 m/s'/></fathom>",
            1, 20, 40, NULL);
}

/* Another gravity than the model's: types are the world's own. */
static void change_gravity(fm_world *world, int round)
{
    if (round == 1)
        set_live(world, "/world/gravity", 9.7);
    if (round > 1)
        assert_same(in_lanes(world), 0);
}

static void another_gravity_is_that_of_each_vehicle(void **state)
{
    (void)state;
    compare(HEAD "</world>" LAUVS("5") "</fathom>", 1, 4, 10, change_gravity);
}

/* --- all models --- */

static int compare_model(const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    char text[1024];
    fm_error error = {0};
    snprintf(text, sizeof text,
             HEAD CURRENT "</world><vehicle name='v' model='%.*s' count='5' position='0 0 30 m' spacing='3 40 0.7 m' "
                          "velocity='0.9 0.05 0 m/s'/></fathom>",
             (int)strcspn(name, "."), name);
    fm_model *model = try_load(text, &error);
    if (!model) /* it has a place of its own, or no velocity */
        return 0;
    fm_world *world = create(model, 1);
    const int lanes = in_lanes(world);
    fm_world_free(world);
    fm_model_free(model);
    if (lanes)
        compare(text, 1, 3, 60, NULL);
    return lanes > 0;
}

static void every_model_has_its_bits_in_lanes(void **state)
{
    (void)state;
    glob_t files;
    int in = 0;
    assert_same(glob(FATHOM_SOURCE_DIR "/models/*.xml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        in += compare_model(files.gl_pathv[i]);
    globfree(&files);
    assert_at_least(in, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fleet_has_the_bits_of_each_vehicle_alone),
        cmocka_unit_test(faults_spawns_and_removals_change_no_bit),
        cmocka_unit_test(threads_share_lanes),
        cmocka_unit_test(those_near_the_surface_move_one_by_one),
        cmocka_unit_test(contact_interrupts),
        cmocka_unit_test(another_gravity_is_that_of_each_vehicle),
        cmocka_unit_test(every_model_has_its_bits_in_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
