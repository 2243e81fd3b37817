/* Who is near whom: found completely, and with as much work for a vehicle among many as among few. */
#include "support/scenario.h"

#include "environment/sight.h"
#include "world/contact_internal.h"
#include "world/vicinity.h"

/* --- fleets --- */

enum formation { EAST, NORTH, SQUARE };

static fm_world *start_fleet(enum formation formation, int count)
{
    static char text[1 << 16];
    int rows = formation == SQUARE ? (int)sqrt(count) : 1, used = 0;
    used += snprintf(text, sizeof text,
                     "<fathom version='1'><world dt='0.01 s' duration='1 s'><bottom depth='60 m'/></world>");
    for (int row = 0; row < rows; row++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used,
                     "<vehicle name='v%d_' model='lauv' count='%d' position='%d 0 20 m' spacing='%s' velocity='1.5 0 0 "
                     "m/s'><orders><at t='0 s' propeller='1500 rpm' rudders='10 deg'/></orders><dvl/></vehicle>",
                     row, count / rows, 10 * row, formation == NORTH ? "10 0 0 m" : "0 10 0 m");
    snprintf(text + used, sizeof text - (size_t)used, "</fathom>");
    return start(text);
}

/* --- work --- */

typedef struct effort {
    double tree, found, pairs, built; /* a vehicle: items looked at, near ones, pairs; a step: trees made */
} effort;

static void count_item(void *user, uint32_t item)
{
    (void)item;
    ++*(size_t *)user;
}

/* Of four beams down to the bottom from each vehicle, after half a second under way. */
static effort measure(enum formation formation, int count)
{
    enum { STEPS = 50, BEAMS = 4 };
    fm_world *world = start_fleet(formation, count);
    uint64_t before = world->vicinity->built;
    size_t looked = 0, found = 0;
    uint32_t near[64];
    step(world, STEPS);
    effort e = {.built = (double)(world->vicinity->built - before) / STEPS,
                .pairs = (double)world->vicinity->pair_count / count};
    fm_vicinity_follow(world);
    for (int i = 0; i < count; i++) {
        double origin[BEAMS][3], direction[BEAMS][3], reach[BEAMS];
        fm_region region;
        for (int b = 0; b < BEAMS; b++) {
            memcpy(origin[b], world->slots[i].vehicle->body.position, sizeof origin[b]);
            memcpy(direction[b], (double[3]){b & 1 ? 0.35 : -0.35, b & 2 ? 0.35 : -0.35, 0.87}, sizeof direction[b]);
            reach[b] = 46;
        }
        fm_region_set_rays(&region, BEAMS, (const double(*)[3])origin, (const double(*)[3])direction, reach);
        fm_box_tree_visit_region(world->vicinity->tree, &region, count_item, &looked);
        found += fm_vicinity_find(world, &region, near, 64);
    }
    e.tree = (double)looked / count;
    e.found = (double)found / count;
    finish(world);
    return e;
}

/* Four times as many vehicles: each looks at about as many others. With an index of one axis it would be four times as
 * many on a line across that axis, and twice as many on a square. */
static void the_work_for_a_vehicle_does_not_grow_with_the_fleet(void **state)
{
    (void)state;
    for (enum formation f = EAST; f <= SQUARE; f++) {
        effort few = measure(f, 400), many = measure(f, 1600);
        assert_at_most(many.tree, 1.15 * few.tree);
        assert_at_most(many.found, 1.15 * few.found);
        assert_at_most(many.pairs, 1.15 * few.pairs + 0.01);
        assert_at_least(few.found, 1); /* itself */
        assert_at_most(many.tree, 40); /* of 1600 */
        assert_at_most(many.found, 5);
        assert_at_most(many.built, 0.1); /* the tree is not made at every step */
    }
}

/* --- completeness --- */

/* A crowd that swarms in all directions, with some that hold still, jump and go. */
static fm_world *start_crowd(void)
{
    static char text[1 << 16];
    int used =
        snprintf(text, sizeof text,
                 "<fathom version='1'><world dt='0.02 s' duration='9 s' capacity='130'><bottom depth='25 m'/></world>");
    for (int i = 0; i < 120; i++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used,
                     "<vehicle name='v%d' model='lauv' position='%d %d %d m' attitude='0 0 %d deg' velocity='%g 0 0 "
                     "m/s'><imu/></vehicle>",
                     i, i % 11 * 3, i / 11 * 3, 3 + i % 5, 37 * i % 360, i % 4 ? 1.5 : 0.0);
    snprintf(text + used, sizeof text - (size_t)used, "</fathom>");
    return start(text);
}

/* The same hits as rays that are given every hull in the world. */
static void check_rays(fm_world *world, int slot, double turn)
{
    enum { RAYS = 24, HULLS = 130 };
    static fm_ray_body all[HULLS * FM_CONTACT_SHAPES];
    double origin[RAYS][3], direction[RAYS][3];
    fm_ray_hit found[RAYS], expected[RAYS];
    size_t count = 0;
    for (int i = 0; i < world->slot_count; i++)
        count += fm_contact_place_hull(world, i, all + count);
    for (int i = 0; i < RAYS; i++) {
        memcpy(origin[i], world->slots[slot].vehicle->body.position, sizeof origin[i]);
        fm_sight_direction(turn + i * 0.26, 0.02 * (i % 5), direction[i]);
    }
    fm_part_context context = {
        .environment = world->environment, .bodies = fm_world_bodies(world), .world = world, .slot = slot};
    const double(*o)[3] = (const double(*)[3])origin, (*d)[3] = (const double(*)[3])direction;
    for (size_t rays = RAYS; rays > 2; rays /= 3) { /* many by their box, few one by one */
        fm_sight_cast_solids(&context, rays, o, d, 40, found);
        fm_rays_cast(world->environment->scene, all, count, rays, o, d, 40, (uint32_t)slot, expected);
        for (size_t i = 0; i < rays; i++) {
            assert_same(found[i].body, expected[i].body);
            assert_same(found[i].distance, expected[i].distance);
        }
    }
}

static void rays_meet_every_hull_of_a_moving_crowd(void **state)
{
    (void)state;
    fm_world *world = start_crowd();
    for (int n = 0; n < 60; n++) {
        step(world, 1);
        if (n % 7 == 3) { /* one is put elsewhere, far beyond its box */
            fm_pose pose;
            assert_int_equal(fm_world_pose(world, n, &pose), FM_OK);
            pose.position[0] += 31;
            assert_int_equal(fm_world_place(world, fm_world_name(world, n), &pose, NULL), FM_OK);
        }
        fm_contact_place_bodies(world, NULL, NULL);
        check_rays(world, n * 2 % 120, 0.1 * n);
    }
    finish(world);
}

/* All pairs of hulls whose swept balls overlap are among the pairs that contact looks at. */
static void no_pair_that_is_near_is_left_out(void **state)
{
    (void)state;
    fm_world *world = start_crowd();
    size_t near = 0;
    for (int n = 0; n < 100; n++) {
        step(world, 1);
        const fm_vicinity *v = world->vicinity;
        for (int a = 0; a < 120; a++)
            for (int b = a + 1; b < 120; b++) {
                const double *p = world->slots[a].vehicle->body.position, *q = world->slots[b].vehicle->body.position;
                double reach = fm_contact_reach(world, a) + fm_contact_reach(world, b);
                int listed = 0, apart = 0;
                for (int k = 0; k < 3; k++)
                    apart |= fabs(p[k] - q[k]) > reach;
                for (size_t i = 0; !apart && i < v->pair_count; i++)
                    listed |= v->pairs[i].first == (uint32_t)a && v->pairs[i].second == (uint32_t)b;
                assert_true(apart || listed);
                near += !apart;
            }
    }
    assert_greater(near, 100);
    finish(world);
}

/* --- what is kept of rays --- */

/* Five vehicles with a DVL, which roll and turn, above thirty that come the other way. */
static fm_world *start_layers(void)
{
    static char text[1 << 14];
    int used = snprintf(text, sizeof text,
                        "<fathom version='1'><world dt='0.01 s' duration='30 s'><bottom depth='60 m'/></world>"
                        "<vehicle name='up' model='lauv' count='5' position='0 0 20 m' spacing='0 4 0 m' attitude='20 "
                        "0 0 deg' velocity='1.5 0 0 m/s'><orders><at t='0 s' propeller='1500 rpm' rudders='10 "
                        "deg'/></orders><dvl/></vehicle>");
    for (int row = 0; row < 5; row++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "<vehicle name='row%d_' model='lauv' count='6' position='%d -2 26 m' spacing='0 4 0 m' "
                         "attitude='0 0 180 deg' velocity='1.5 0 0 m/s'><orders><at t='0 s' propeller='1500 rpm'/>"
                         "</orders></vehicle>",
                         row, 3 + 4 * row);
    snprintf(text + used, sizeof text - (size_t)used, "</fathom>");
    return start(text);
}

/* Beams of the five that end at a hull, and not at the bottom 40 m below. */
static size_t count_hulls_seen(const fm_world *world)
{
    size_t seen = 0;
    for (int i = 0; i < 5; i++) {
        double range[4];
        fm_sample sample;
        fm_error error = {0};
        if (fm_world_instrument_read(world, fm_world_name(world, i), "dvl", "range", &sample, &error) != FM_OK)
            fail_msg("%s", error.text);
        assert_int_equal(fm_sample_values(&sample, range, 4), 4);
        for (int k = 0; k < 4; k++)
            seen += range[k] < 20;
    }
    return seen;
}

static void what_is_kept_of_rays_changes_no_reading(void **state)
{
    (void)state;
    fm_world *keeping = start_layers(), *searching = start_layers();
    size_t seen = 0;
    assert_non_null(searching->vicinity->sighted);
    fm_free(searching->vicinity->sighted);
    searching->vicinity->sighted = NULL;
    for (int i = 0; i < 800; i++) {
        step(keeping, 1);
        step(searching, 1);
        assert_same(fm_world_hash(keeping), fm_world_hash(searching));
        seen += count_hulls_seen(keeping);
    }
    assert_greater(seen, 50);
    finish(keeping);
    finish(searching);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_work_for_a_vehicle_does_not_grow_with_the_fleet),
        cmocka_unit_test(rays_meet_every_hull_of_a_moving_crowd),
        cmocka_unit_test(no_pair_that_is_near_is_left_out),
        cmocka_unit_test(what_is_kept_of_rays_changes_no_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
