/* Vehicles that lie on each other, and rows of them that are struck. */
#include "support/scenario.h"

#define BODY(name, place, hull, rule)                                                                                  \
    "<vehicle name='" name "' " place "><mass mass='20 kg' inertia='0.5 0.6 0.7 kg*m2'/>" hull "<contact " rule        \
    "/></vehicle>"
#define BALL "<hull kind='sphere' size='0.4 0.4 0.4 m'/>"

enum { SINKING = 1024 };

/* A box of 0.5 m × 0.3 m × 0.3 m that weighs 96 N in water. */
static void add_box(char *text, size_t size, int number, double x, double y, double z)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used,
             "<vehicle name='v%d' position='%g %g %g m'><mass mass='20 kg' inertia='0.5 0.6 0.7 kg*m2'/><hull "
             "kind='box' size='0.5 0.3 0.3 m'/><buoyancy force='100 N'/><drag X_u='-30 N*s/m' Y_v='-30 N*s/m' "
             "Z_w='-30 N*s/m' K_p='-2 N*m*s/rad' M_q='-2 N*m*s/rad' N_r='-2 N*m*s/rad'/><contact restitution='0.2' "
             "friction='0.5'/></vehicle>",
             number, x, y, z);
}

static double fastest(const fm_world *world)
{
    double most = 0;
    for (int slot = 0; slot < fm_world_slots(world); slot++) {
        fm_pose pose = pose_of(world, slot);
        for (int k = 0; k < 6; k++)
            most = fmax(most, fabs(pose.velocity[k]));
    }
    return most;
}

static int held(const fm_world *world)
{
    const fm_event *events;
    int count = 0;
    for (size_t i = fm_world_events(world, &events); i-- > 0;)
        count += strcmp(events[i].kind, "held by contact") == 0;
    return count;
}

static void a_column_of_boxes_stands(void **state)
{
    (void)state;
    enum { HIGH = 5 };
    char text[HIGH * SINKING] = "<fathom version='1'><world dt='0.01 s'><bottom depth='10 m'/></world>";
    for (int i = 0; i < HIGH; i++)
        add_box(text, sizeof text, i, 0, 0, 9.849 - 0.301 * i);
    strcat(text, "</fathom>");
    fm_world *world = start(text);
    run_until(world, 2);
    for (int i = 0; i < HIGH; i++) {
        double depth = pose_of(world, i).position[2], expected = 10 - 0.3 * (i + 0.5);
        if (!(fabs(depth - expected) < 5e-4))
            fail_msg("box %d rests at %.6f m instead of %.6f m", i, depth, expected);
    }
    assert_same(fastest(world), 0);
    assert_int_equal(held(world), 0);
    finish(world);
}

/* Three layers of four boxes, let go between walls. */
static fm_world *drop_heap(void)
{
    static const double jitter[] = {0.013, -0.008, 0.019, -0.015, 0.002, -0.011, 0.007};
    char text[16 * SINKING] = "<fathom version='1'><world dt='0.01 s'><bottom depth='20 m'/>"
                              "<box name='n' position='1.1 0 19 m' size='0.5 4 3 m'/><box name='s' position='-1.1 0 19 "
                              "m' size='0.5 4 3 m'/><box name='e' position='0 1.1 19 m' size='4 0.5 3 m'/><box "
                              "name='w' position='0 -1.1 19 m' size='4 0.5 3 m'/></world>";
    for (int i = 0; i < 12; i++)
        add_box(text, sizeof text, i, (i % 2 ? 0.3 : -0.3) + jitter[i % 7], (i / 2 % 2 ? 0.25 : -0.25) + jitter[i % 5],
                19.6 - 0.45 * (i / 4));
    strcat(text, "</fathom>");
    return start(text);
}

static void a_heap_between_walls_comes_to_rest(void **state)
{
    (void)state;
    fm_world *world = drop_heap();
    fm_pose before[12];
    run_until(world, 4);
    assert_same(fastest(world), 0);
    assert_int_equal(held(world), 0);
    for (int i = 0; i < 12; i++)
        before[i] = pose_of(world, i);
    step(world, 50);
    for (int i = 0; i < 12; i++) {
        fm_pose now = pose_of(world, i);
        assert_memory_equal(now.position, before[i].position, sizeof now.position);
        assert_memory_equal(now.attitude, before[i].attitude, sizeof now.attitude);
        assert_less(now.position[2], 20 - 0.149);
    }
    finish(world);
}

/* A world that was restored remembers no answers. */
static void a_heap_goes_on_the_same_without_what_is_remembered(void **state)
{
    (void)state;
    fm_world *world = drop_heap(), *other = create(fm_world_model(world), 1);
    size_t size = fm_world_state_size(world);
    void *saved = malloc(size);
    for (int part = 0; part < 6; part++) { /* while it falls, settles and rests */
        fm_error error;
        run_until(world, 0.3 + 0.6 * part);
        assert_int_equal(fm_world_save(world, saved, size, &error), FM_OK);
        assert_int_equal(fm_world_restore(other, saved, size, &error), FM_OK);
        for (int i = 0; i < 5; i++) {
            step(world, 1);
            step(other, 1);
            assert_same(fm_world_hash(world), fm_world_hash(other));
        }
    }
    free(saved);
    fm_world_free(other);
    finish(world);
}

#define ROW(rule)                                                                                                      \
    "<fathom version='1'><world dt='0.001 s'/>" BODY("a", "position='0 0 5 m' velocity='1 0 0 m/s'", BALL, rule)       \
        BODY("b", "position='0.6 0 5 m'", BALL, rule) BODY("c", "position='1.00006 0 5 m'", BALL, rule) "</fathom>"

/* Of three equal balls in a row only the last goes on where nothing is lost. */
static void a_row_of_balls_passes_a_blow_on(void **state)
{
    (void)state;
    fm_world *world = start(ROW("restitution='1' friction='0'"));
    run_until(world, 0.6);
    assert_nearer(pose_of(world, 0).velocity[0], 0, 1e-6);
    assert_nearer(pose_of(world, 1).velocity[0], 0, 1e-6);
    assert_nearer(pose_of(world, 2).velocity[0], 1, 1e-6);
    finish(world);
}

/* Without a bounce they go on together, with the momentum of the first. */
static void a_row_of_dull_balls_goes_on_together(void **state)
{
    (void)state;
    fm_world *world = start(ROW("restitution='0' friction='0'"));
    run_until(world, 0.6);
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        assert_nearer(pose_of(world, i).velocity[0], 1.0 / 3, 1e-4);
        sum += pose_of(world, i).velocity[0];
    }
    assert_nearer(sum, 1, 1e-12);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_of_boxes_stands),
        cmocka_unit_test(a_heap_between_walls_comes_to_rest),
        cmocka_unit_test(a_heap_goes_on_the_same_without_what_is_remembered),
        cmocka_unit_test(a_row_of_balls_passes_a_blow_on),
        cmocka_unit_test(a_row_of_dull_balls_goes_on_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
