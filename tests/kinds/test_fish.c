/* The robotic fish swims: against an independent program's numbers (docs/theory/fish.md) and against itself. */
#include "kinds/fish_worlds.h"

#include "world/world.h"

#include <unistd.h>

#include "kinds/fish.h"
#include "physics/fish.h"

/* U_max, C_f and F at 0.5, 1, 2 and 2.5 Hz, to 1e-4. */
static void steady_speed_and_thrust_are_those_of_the_paper(void **state)
{
    (void)state;
    static const double row[4][4] = {{0.5, 0.08, 0.02067244524630009, 0.0040081421926884166},
                                     {1, 0.16, 0.01633863656637826, 0.012671472157735827},
                                     {2, 0.32, 0.013051387240199285, 0.04048814951287536},
                                     {2.5, 0.4, 0.012167679806998614, 0.05897922359993033}};
    fm_world *world = one_fish("", "");
    for (int i = 0; i < 4; i++) {
        order(world, "fish", "frequency", row[i][0]);
        run_until(world, 150.0 * (i + 1));
        double u = column_of(world, 0, "water-speed"), force = column_of(world, 0, "tail-force");
        near("top speed", u, row[i][1], 1e-4 * row[i][1]);
        near("thrust", force, row[i][3], 1e-4 * row[i][3]);
        near("friction coefficient", force / (0.5 * 1000 * 0.06059004729686285 * row[i][1] * row[i][1]), row[i][2],
             1e-4 * row[i][2]);
        near("Strouhal number", column_of(world, 0, "strouhal"), 0.3, 1e-4);
    }
    finish(world);
}

static void a_fish_starts_and_turns_as_the_independent_program(void **state)
{
    (void)state;
    fm_world *world = one_fish("", "<fish><wave frequency='2 Hz'/></fish>");
    run_until(world, 5);
    near("speed after 5 s", pose_of(world, 0).velocity[0], 0.22856589291010349, 0.005 * 0.2286);
    near("way after 5 s", pose_of(world, 0).position[0], 0.6503650122490087, 0.005 * 0.6504);
    finish(world);
    world = one_fish("velocity='0.2 0 0 m/s'", "<fish deflection='30 deg'><wave frequency='1.5 Hz'/></fish>");
    run_until(world, 5);
    near("speed in the turn", pose_of(world, 0).velocity[0], 0.21431004620930796, 0.005 * 0.2143);
    near("heading after 5 s", pose_of(world, 0).euler[2], 4.5, 0.005 * 4.5);
    finish(world);
}

static void inverse_map_brings_the_acceleration_and_turn_asked_for(void **state)
{
    (void)state;
    fm_world *world = one_fish("velocity='0.2 0 0 m/s'", "<fish><servo-table rate='100 rad/s'/></fish>");
    fm_fish_params par = fm_fish_par_now(world->slots[0].type->kind_config,
                                         fm_fish_words_of(world->slots[0].type, world->slots[0].vehicle));
    double f, d; /* the servos get there within the step */
    fm_fish_inverse(&par, 0.02, 0.5, 0.2, &f, &d);
    near("frequency", f, 1.755292968988547, 1e-3);
    near("deflection", d / DEG, 13.73179670671489, 1e-3);
    order(world, "fish", "frequency", f);
    order(world, "fish", "deflection", d);
    step(world, 1);
    near("acceleration", (pose_of(world, 0).velocity[0] - 0.2) / 0.01, 0.02, 1e-9);
    near("turn rate", pose_of(world, 0).velocity[5], 0.5, 1e-9);
    finish(world);
}

/* The first half of the table's rows, degrees, clockwise positive; the second half is its mirror image. */
static const double table[9][4] = {
    {2.102, 3.936, 0.427, -6.431}, {0.987, 4.768, 2.539, -3.664}, {-0.25, 5.033, 4.342, -0.52},
    {-1.457, 4.69, 5.649, 2.585},  {-2.487, 3.772, 6.304, 5.342}, {-3.216, 2.391, 6.202, 7.518},
    {-3.556, 0.724, 5.324, 8.885}, {-3.468, -1.023, 3.774, 9.22}, {-2.964, -2.638, 1.766, 8.382}};

static void joints_play_the_servo_table_and_links_keep_their_length(void **state)
{
    (void)state;
    char text[1000];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s' duration='60 s'/><vehicle name='fish' model='robotic-fish'>"
             "<fish><wave frequency='1.1111111111111111 Hz'/></fish></vehicle></fathom>"); /* a row each step */
    fm_world *world = start(text);
    assert_int_equal(fm_world_joint_count(world, 0), 4);
    assert_string_equal(fm_world_joint_name(world, 0, 3), "joint4");
    for (int i = 0; i <= 18; i++) {
        double angle[4], rate[4], x[5], y[5];
        fm_world_joints(world, 0, angle, rate);
        for (int j = 0; j < 4; j++)
            near("joint angle", angle[j] / DEG, (i % 18 < 9 ? 1 : -1) * table[i % 9][j], 0.05);
        const fm_fish_config *fish = world->slots[0].type->kind_config;
        fm_fish_chain(&fish->table.tail, angle, x, y);
        for (int j = 0; j < 4; j++)
            near("chord", hypot(x[j + 1] - x[j], y[j + 1] - y[j]), fish->shape.tail.link[j], 1e-12);
        near("column", column_of(world, 0, "joint2"), angle[1], 0);
        step(world, 1);
    }
    finish(world);
}

/* Independent program, 0.5 … 2.5 Hz. */
static void elongated_body_speeds_are_within_five_percent(void **state)
{
    (void)state;
    static const double row[5][2] = {{0.5, 0.061}, {1, 0.141}, {1.5, 0.228}, {2, 0.319}, {2.5, 0.415}};
    fm_world *world = one_fish("period='0.05 s'", "<fish thrust='elongated-body'/>");
    for (int i = 0; i < 5; i++) {
        order(world, "fish", "frequency", row[i][0]);
        run_until(world, 80.0 * (i + 1));
        const fm_fish_words *words = fm_fish_words_of(world->slots[0].type, world->slots[0].vehicle);
        near("speed", words->beat.speed, row[i][1], 0.05 * row[i][1]);
        near("Strouhal number", column_of(world, 0, "strouhal"), row[i][0] * 0.048 / words->beat.speed, 0.02);
        assert_between(0.5, column_of(world, 0, "efficiency"), 1);
    }
    finish(world);
}

static void live_orders_and_parameters_are_the_same_thing(void **state)
{
    (void)state;
    fm_error error = {0};
    double value;
    fm_world *world = one_fish("", "");
    assert_int_equal(fm_world_set(world, "/fish/wave/frequency", 2, &error), FM_OK);
    assert_int_equal(fm_world_set(world, "/fish/fish/deflection", 20 * DEG, &error), FM_OK);
    assert_int_equal(fm_world_set(world, "/fish/fish/depth", 1.2, &error), FM_OK);
    run_until(world, 10);
    near("frequency", column_of(world, 0, "frequency"), 2, 0);
    near("turn rate", pose_of(world, 0).velocity[5], 2 * 1.2 * sin(20 * DEG), 1e-9);
    near("depth", pose_of(world, 0).position[2], 1.2, 1e-9);
    order(world, "fish", "frequency", 1);
    step(world, 1);
    assert_int_equal(fm_world_get(world, "/fish/wave/frequency", &value, &error), FM_OK);
    near("parameter after an order", value, 1, 0);
    assert_int_equal(fm_world_set(world, "/fish/wave/c2", 0, &error),
                     FM_OK); /* a smaller wave: slower, smaller joint angles */
    run_until(world, 200);
    near("speed of the flatter wave", column_of(world, 0, "water-speed") / sqrt(cos(20 * DEG)), 2 * 0.05 * 0.24 / 0.3,
         0.002);
    finish(world);
}

static void pectoral_fins_bring_the_fish_to_its_depth(void **state)
{
    (void)state;
    fm_world *world =
        one_fish("velocity='0.3 0 0 m/s'", "<fish depth='0.6 m'><wave frequency='2 Hz'/><pectoral-fins/></fish>");
    run_until(world, 40);
    near("depth", pose_of(world, 0).position[2], 0.6, 0.01);
    near("pitch", pose_of(world, 0).euler[1], 0, 0.01);
    assert_greater(metric_of(world, 0, "peak_pitch"), 0.05);
    assert_less(metric_of(world, 0, "max_depth"), 1.02);
    finish(world);
    world = one_fish("", "<fish depth='1.4 m'><pectoral-fins/></fish>"); /* at rest fins do nothing */
    run_until(world, 20);
    near("depth at rest", pose_of(world, 0).position[2], 1, 1e-9);
    finish(world);
}

static void water_noise_stays_within_its_amplitude_and_leaves_the_speed(void **state)
{
    (void)state;
    fm_world *calm = start(
        FRESH
        "</world><vehicle name='fish' model='robotic-fish'><fish><wave frequency='2 Hz'/></fish></vehicle></fathom>");
    fm_world *rough = start(
        FRESH "<water-noise amplitude='3 3 0 mm' wavelength='0.5 0.5 0.5 m'/></world>"
              "<vehicle name='fish' model='robotic-fish'><fish><wave frequency='2 Hz'/></fish></vehicle></fathom>");
    double most = 0;
    for (int i = 0; i < 3000; i++) {
        step(calm, 1);
        step(rough, 1);
        double dx = pose_of(rough, 0).position[0] - pose_of(calm, 0).position[0],
               dy = pose_of(rough, 0).position[1] - pose_of(calm, 0).position[1];
        most = fmax(most, fmax(fabs(dx), fabs(dy)));
        assert_same(pose_of(rough, 0).velocity[0], pose_of(calm, 0).velocity[0]);
    }
    assert_at_most(most, 0.003 + 1e-12);
    assert_greater(most, 0.0029);
    finish(calm);
    finish(rough);
}

static void a_fish_against_a_wall_keeps_its_old_pose_and_slows(void **state)
{
    (void)state;
    fm_world *world = start(FRESH "<wall name='wall' position='1 0 0 m' normal='-1 0 0'/></world>"
                                  "<vehicle name='fish' model='robotic-fish' position='0.6 0 1 m' velocity='0.3 0 0 "
                                  "m/s'><fish><wave frequency='2 Hz'/></fish></vehicle></fathom>");
    run_until(world, 3);
    assert_at_least(metric_of(world, 0, "contacts"), 1);
    assert_at_most(pose_of(world, 0).position[0] + 0.16, 1 + 1e-9);
    assert_greater(pose_of(world, 0).position[0] + 0.16, 0.98);
    assert_less(column_of(world, 0, "water-speed"), 0.1);
    finish(world);
}

static void the_tail_box_follows_the_tail(void **state)
{
    (void)state;
    fm_world *world = one_fish("", "<fish deflection='40 deg'/>");
    fm_shape shapes[2];
    fm_kind_fish.shapes(world->slots[0].type, world->slots[0].vehicle, shapes);
    double aft[3] = {-shapes[1].size[0], 0, 0}, end[3];
    fm_vector_to_world(shapes[1].rotation, aft, end);
    const double *tip = fm_fish_words_of(world->slots[0].type, world->slots[0].vehicle)->tip;
    near("tip x", shapes[1].position[0] + end[0], tip[0], 1e-9);
    near("tip y", shapes[1].position[1] + end[1], tip[1], 1e-9);
    assert_greater(tip[1], 0.05); /* a turn to starboard bends the tail to starboard */
    near("nose", shapes[0].position[0] + shapes[0].size[0], 0.16, 1e-9);
    finish(world);
}

static void a_fish_of_twice_the_size_is_twice_the_fish(void **state)
{
    (void)state;
    fm_world *world = one_fish("", "<fish><fish-body scale='2'/></fish>");
    const fm_fish_config *fish = world->slots[0].type->kind_config;
    near("mass", fish->par.mass, 8 * 0.6591008970453396, 1e-9);
    near("area", fish->par.wetted_area, 4 * 0.06059004729686285, 1e-9);
    near("top speed", fm_fish_top_speed(&fish->par, 2), 2 * 0.32, 1e-9); /* same wave form, twice the amplitude */
    near("head", fish->head_box[0], 0.32, 1e-9);
    near("same joint angles", fish->table.angle[0] / DEG, 2.102, 0.05);
    finish(world);
}

static const char *write_table(const char *rows)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/fathom_test_fish_%d.csv", (int)getpid());
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("phase_deg,joint1_deg,joint2_deg,joint3_deg,joint4_deg\n", out);
    fputs(rows, out);
    fclose(out);
    return path;
}

static void bad_tables_and_bodies_are_refused_with_their_place(void **state)
{
    (void)state;
    static const char *const bad[][2] = {{"0,1,2,3,4\n90,1,2,3\n180,1,2,3,4\n270,1,2,3,4\n", "column"},
                                         {"0,1,2,3,4\n90,1,nan,3,4\n180,1,2,3,4\n270,1,2,3,4\n", "joint2"},
                                         {"0,1,2,3,4\n90,1,2,3,4\n180,1,2,3,75\n270,1,2,3,4\n", "limit"}};
    for (size_t i = 0; i < 3; i++) {
        char inside[200];
        snprintf(inside, sizeof inside, "<fish><servo-table file='%s'/></fish>", write_table(bad[i][0]));
        refused(inside, bad[i][1]);
    }
    char inside[200];
    snprintf(inside, sizeof inside, "<fish><servo-table file='%s'/></fish>",
             write_table("0,1,2,3,4\n90,2,2,3,4\n180,3,2,3,4\n270,4,2,3,4\n"));
    fm_world *world = one_fish("", inside);
    near("joint of the file", column_of(world, 0, "joint1") / DEG, 1, 1e-9);
    finish(world);
    remove(write_table(""));
    refused("<fish><servo-table limit='5 deg'/></fish>", "past the servo's limit");
    refused("<fish><wave frequency='3 Hz'/></fish>", "2.5 Hz");
    refused("<hull name='x' kind='sphere' size='1 1 1 m'/>", "fish");
}

/* Independent program: 0.8 mm on the circle; 20 mm is accepted. */
static void a_fish_follows_a_circle_and_corners(void **state)
{
    (void)state;
    fm_world *world = start_scenario("fish-trajectory", NULL);
    run_until(world, 80);
    assert_less(metric_of(world, 0, "cross_track_rms"), 0.002);
    assert_less(metric_of(world, 1, "cross_track_rms"), 0.04);
    near("mean speed", metric_of(world, 0, "mean_speed"), 0.2, 1e-3);
    finish(world);
}

/* Independent program: 0.515 m kept at a set distance of 0.5 m; ± 0.1 m is accepted. */
static void a_fish_keeps_its_distance_to_a_target_and_another_to_it(void **state)
{
    (void)state;
    fm_world *world = start_scenario("fish-pursuit", NULL);
    run_until(world, 120);
    near("distance to the ball", metric_of(world, 0, "pursuit_distance"), 0.515, 0.1);
    near("distance to the fish ahead", metric_of(world, 1, "pursuit_distance"), 0.8, 0.1);
    assert_same(metric_of(world, 0, "vehicle_contacts"), 0);
    finish(world);
}

static void three_fish_in_the_pool_touch_nothing_and_the_same_seed_swims_the_same(void **state)
{
    (void)state;
    fm_world *a = start_scenario("fish-pool", NULL), *b = start_scenario("fish-pool", NULL);
    run_until(a, 100);
    run_until(b, 100);
    assert_same(fm_world_hash(a), fm_world_hash(b));
    for (int i = 0; i < 3; i++) {
        assert_same(metric_of(a, i, "contacts"), 0);
        assert_same(metric_of(a, i, "vehicle_contacts"), 0);
        assert_greater(metric_of(a, i, "min_clearance"), 0.03);
        assert_greater(metric_of(a, i, "mean_speed"), 0.17);
        assert_greater(metric_of(a, i, "coverage"), 0.1);
    }
    size_t size = fm_world_state_size(a);
    void *saved = malloc(size);
    fm_error error = {0};
    assert_int_equal(fm_world_save(a, saved, fm_world_state_size(a), NULL), FM_OK);
    step(a, 200);
    assert_int_equal(fm_world_restore(b, saved, fm_world_state_size(b), &error), FM_OK);
    step(b, 200);
    assert_same(fm_world_hash(a), fm_world_hash(b));
    free(saved);
    finish(a);
    finish(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_speed_and_thrust_are_those_of_the_paper),
        cmocka_unit_test(a_fish_starts_and_turns_as_the_independent_program),
        cmocka_unit_test(inverse_map_brings_the_acceleration_and_turn_asked_for),
        cmocka_unit_test(joints_play_the_servo_table_and_links_keep_their_length),
        cmocka_unit_test(elongated_body_speeds_are_within_five_percent),
        cmocka_unit_test(live_orders_and_parameters_are_the_same_thing),
        cmocka_unit_test(pectoral_fins_bring_the_fish_to_its_depth),
        cmocka_unit_test(water_noise_stays_within_its_amplitude_and_leaves_the_speed),
        cmocka_unit_test(a_fish_against_a_wall_keeps_its_old_pose_and_slows),
        cmocka_unit_test(the_tail_box_follows_the_tail),
        cmocka_unit_test(a_fish_of_twice_the_size_is_twice_the_fish),
        cmocka_unit_test(a_fish_follows_a_circle_and_corners),
        cmocka_unit_test(a_fish_keeps_its_distance_to_a_target_and_another_to_it),
        cmocka_unit_test(three_fish_in_the_pool_touch_nothing_and_the_same_seed_swims_the_same),
        cmocka_unit_test(bad_tables_and_bodies_are_refused_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
