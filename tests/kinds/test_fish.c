/* The robotic fish in the world, against an independent program's numbers (docs/theory/fish.md) and against itself. */
#include "support/scenario.h"

#include "world/world.h"

#include <unistd.h>

#include "fish/behaviour.h"
#include "kinds/fish.h"
#include "physics/fish.h"
#include "sensors/camera.h"
#include "sensors/readings.h"

#define DEG (FM_PI / 180)
#define FRESH "<fathom version='1'><world dt='0.01 s' duration='60 s'><water density='1000 kg/m3'/>"

static fm_world *one_fish(const char *attributes, const char *inside)
{
    char text[2000];
    snprintf(text, sizeof text,
             FRESH "</world><vehicle name='fish' model='robotic-fish' position='0 0 1 m' %s>%s</vehicle></fathom>",
             attributes, inside);
    return start(text);
}

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
    fm_world *world = one_fish("velocity='0.2 0 0 m/s'", "");
    fm_fish_params par = fm_fish_par_now(world->slots[0].type->kind_config,
                                         fm_fish_words_of(world->slots[0].type, world->slots[0].vehicle));
    double f, d;
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
        fm_fish_chain(fish->table.link, angle, x, y);
        for (int j = 0; j < 4; j++)
            near("chord", hypot(x[j + 1] - x[j], y[j + 1] - y[j]), fish->shape.link[j], 1e-12);
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
        assert_true(column_of(world, 0, "efficiency") > 0.5 && column_of(world, 0, "efficiency") < 1);
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
    assert_true(metric_of(world, 0, "peak_pitch") > 0.05 && metric_of(world, 0, "max_depth") < 1.02);
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
        assert_true(pose_of(rough, 0).velocity[0] == pose_of(calm, 0).velocity[0]);
    }
    assert_true(most <= 0.003 + 1e-12 && most > 0.0029);
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
    assert_true(metric_of(world, 0, "contacts") >= 1);
    assert_true(pose_of(world, 0).position[0] + 0.16 <= 1 + 1e-9 && pose_of(world, 0).position[0] + 0.16 > 0.98);
    assert_true(column_of(world, 0, "water-speed") < 0.1);
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
    assert_true(tip[1] > 0.05); /* a turn to starboard bends the tail to starboard */
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

static void refused(const char *inside, const char *says)
{
    char text[2000];
    fm_error error = {0};
    snprintf(text, sizeof text, FRESH "</world><vehicle name='fish' model='robotic-fish'>%s</vehicle></fathom>",
             inside);
    assert_null(try_load(text, &error));
    if (!strstr(error.text, says))
        fail_msg("'%s' does not say '%s'", error.text, says);
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
    assert_true(metric_of(world, 0, "cross_track_rms") < 0.002);
    assert_true(metric_of(world, 1, "cross_track_rms") < 0.04);
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
    assert_true(metric_of(world, 0, "vehicle_contacts") == 0);
    finish(world);
}

static void three_fish_in_the_pool_touch_nothing_and_the_same_seed_swims_the_same(void **state)
{
    (void)state;
    fm_world *a = start_scenario("fish-pool", NULL), *b = start_scenario("fish-pool", NULL);
    run_until(a, 100);
    run_until(b, 100);
    assert_true(fm_world_hash(a) == fm_world_hash(b));
    for (int i = 0; i < 3; i++) {
        assert_true(metric_of(a, i, "contacts") == 0 && metric_of(a, i, "vehicle_contacts") == 0);
        assert_true(metric_of(a, i, "min_clearance") > 0.03);
        assert_true(metric_of(a, i, "mean_speed") > 0.17 && metric_of(a, i, "coverage") > 0.1);
    }
    size_t size = fm_world_state_size(a);
    void *saved = malloc(size);
    fm_error error = {0};
    assert_int_equal(fm_world_save(a, saved, fm_world_state_size(a), NULL), FM_OK);
    step(a, 200);
    assert_int_equal(fm_world_restore(b, saved, fm_world_state_size(b), &error), FM_OK);
    step(b, 200);
    assert_true(fm_world_hash(a) == fm_world_hash(b));
    free(saved);
    finish(a);
    finish(b);
}

/* Largest heading (rad) within 10 s of a fish that swims straight towards another, which lies `below` it (m). */
static double turn_near(double below)
{
    char text[1500];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s' duration='60 s'><water density='1000 kg/m3'/></world>"
             "<vehicle name='fish' model='robotic-fish' position='0 0 2 m' velocity='0.2 0 0 "
             "m/s'><fish-brain><free-swimming turn='0 rad/s'/></fish-brain></vehicle>"
             "<vehicle name='other' model='robotic-fish' position='2 0.02 %g m' attitude='0 0 90 deg'/></fathom>",
             2 + below);
    fm_world *world = start(text);
    double most = 0;
    for (int i = 0; i < 200; i++) {
        step(world, 1);
        most = fmax(most, fabs(pose_of(world, 0).euler[2]));
    }
    finish(world);
    return most;
}

/* 0.4 m below lies within 30° from 0.69 m on; 1.2 m below only beyond the sonars' range. */
static void a_fish_notices_another_above_or_below(void **state)
{
    (void)state;
    assert_true(turn_near(0) > 10 * DEG);
    assert_true(turn_near(0.4) > 5 * DEG && turn_near(-0.4) > 5 * DEG);
    near("turn for a fish far below", turn_near(1.2), 0, 1e-12);
}

static const double *values_of(const fm_world *world, const char *part)
{
    const fm_slot *slot = &world->slots[0];
    for (size_t i = 0; i < slot->type->part_count; i++)
        if (strcmp(slot->type->parts[i].name, part) == 0)
            return (const double *)fm_vehicle_words(slot->vehicle, slot->type->parts[i].output);
    fail_msg("no part '%s'", part);
    return NULL;
}

static void set(fm_world *world, const char *path, double value)
{
    fm_error error = {0};
    if (fm_world_set(world, path, value, &error) != FM_OK)
        fail_msg("%s: %s", path, error.text);
}

/* A fish before a wall whose near side is `ahead` of the eyes (m). */
static fm_world *before_a_wall(double ahead, const char *brain)
{
    char text[1500];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s' duration='60 s' seed='3'><water density='1000 kg/m3'/>"
             "<box name='wall' position='%.9g 0 1 m' size='1 20 4 m'/></world><vehicle name='fish' "
             "model='robotic-fish' position='0 0 1 m' velocity='0.2 0 0 m/s'>%s</vehicle></fathom>",
             0.66 + ahead, brain);
    return start(text);
}

/* A wall 1 m ahead of the eyes: dead ahead the sonars have 1 m, at 30° off the bow 1/cos 30°, abeam nothing; infrareds
 * look 28° off at best, where the wall is out of their reach. */
static void senses_of_the_fish_meet_a_wall_where_it_is(void **state)
{
    (void)state;
    fm_world *world = before_a_wall(1, "");
    set(world, "/fish/port-sonar/noise", 0);
    set(world, "/fish/starboard-sonar/noise", 0);
    step(world, 1);
    for (int side = 0; side < 2; side++) {
        const fm_range_reading *sonar =
            (const fm_range_reading *)values_of(world, side ? "starboard-sonar" : "port-sonar");
        const fm_range_reading *infrared =
            (const fm_range_reading *)values_of(world, side ? "starboard-infrared" : "port-infrared");
        const double *by_bearing = (const double *)(sonar + 1);
        near("sonar", sonar->range, 1, 1e-9);
        near("sonar, dead ahead", by_bearing[side ? 0 : 24], 1, 1e-9);
        near("sonar, 30 degrees off", by_bearing[side ? 6 : 18], 1 / cos(30 * DEG), 1e-9);
        assert_true(isinf(by_bearing[side ? 18 : 6])); /* abeam */
        assert_true(isinf(infrared->range));
        assert_true(infrared->radiation == 1 && sonar->radiation == 0);
    }
    assert_true(((const fm_value_reading *)values_of(world, "bumper"))->value == 0);
    finish(world);
    world = before_a_wall(0.01, "");
    set(world, "/fish/port-infrared/noise", 0);
    step(world, 1);
    assert_true(((const fm_value_reading *)values_of(world, "bumper"))->value == 1);
    near("infrared", ((const fm_range_reading *)values_of(world, "port-infrared"))->range, 0.01 / cos(28 * DEG), 1e-9);
    finish(world);
}

/* The way of a fish before a wall for 12 s, with one parameter set; returns its contacts. */
typedef struct swim {
    double x, y, heading, contacts;
} swim;

static swim swim_at_the_wall(const char *brain, const char *const *dead)
{
    fm_world *world = before_a_wall(1.2, brain);
    for (; dead && *dead; dead++)
        set(world, *dead, 1);
    run_until(world, 12);
    fm_pose pose = pose_of(world, 0);
    swim s = {pose.position[0], pose.position[1], pose.euler[2], metric_of(world, 0, "contacts")};
    finish(world);
    return s;
}

static int same_swim(swim a, swim b)
{
    return a.x == b.x && a.y == b.y && a.heading == b.heading;
}

#define STRAIGHT "<fish-brain><free-swimming turn='0 rad/s'/></fish-brain>"
#define INFRARED "<fish-brain senses='infrared'><free-swimming turn='0 rad/s'/></fish-brain>"

static void a_fish_whose_senses_are_dead_meets_the_wall_it_would_have_avoided(void **state)
{
    (void)state;
    static const char *const blind[] = {"/fish/port-sonar/fault", "/fish/starboard-sonar/fault", "/fish/bumper/fault",
                                        NULL},
                             *const port[] = {"/fish/port-sonar/fault", NULL},
                             *const infrareds[] = {"/fish/port-infrared/fault", "/fish/starboard-infrared/fault", NULL};
    swim sound = swim_at_the_wall(STRAIGHT, NULL), dark = swim_at_the_wall(STRAIGHT, blind),
         one = swim_at_the_wall(STRAIGHT, port);
    assert_true(sound.contacts == 0 && fabs(sound.heading) > 60 * DEG);
    assert_true(dark.contacts >= 1 && dark.y == 0 && dark.heading == 0);
    assert_false(same_swim(sound, one));                                  /* one of two changes what is decided */
    assert_true(same_swim(sound, swim_at_the_wall(STRAIGHT, infrareds))); /* those not selected do not */
}

static void sonars_or_infrareds_are_selected(void **state)
{
    (void)state;
    static const char *const sonars[] = {"/fish/port-sonar/fault", "/fish/starboard-sonar/fault", NULL},
                             *const infrareds[] = {"/fish/port-infrared/fault", "/fish/starboard-infrared/fault", NULL};
    swim sound = swim_at_the_wall(INFRARED, NULL);
    assert_true(fabs(sound.heading) > 20 * DEG);
    assert_true(same_swim(sound, swim_at_the_wall(INFRARED, sonars)));
    assert_false(same_swim(sound, swim_at_the_wall(INFRARED, infrareds)));
    assert_false(same_swim(sound, swim_at_the_wall(STRAIGHT, NULL)));
}

static double decided(const fm_world *world, const char *field)
{
    fm_sample sample;
    fm_error error = {0};
    double value = NAN;
    if (fm_world_instrument_read(world, "fish", "fish-brain", field, &sample, &error) != FM_OK)
        fail_msg("%s", error.text);
    fm_sample_values(&sample, &value, 1);
    return value;
}

/* With both sonars dead it feels its way: the bumper touches, it backs off, and does not stay at the wall. Without the
 * bumper it would. */
static void a_bumper_that_touches_makes_the_fish_back_off(void **state)
{
    (void)state;
    fm_world *world = before_a_wall(0.4, STRAIGHT);
    set(world, "/fish/port-sonar/fault", 1);
    set(world, "/fish/starboard-sonar/fault", 1);
    int backed = 0;
    for (int i = 0; i < 200; i++) {
        step(world, 1);
        if (decided(world, "behaviour") == FM_FISH_BACK_OFF && !backed) {
            backed = 1;
            near("touch", decided(world, "bumper"), 1, 0);
            near("turn", decided(world, "turn_rate"), 1.8, 1e-12);
            assert_true(pose_of(world, 0).position[0] > 0.4 - 0.03);
        }
    }
    assert_true(backed && fabs(pose_of(world, 0).euler[2]) > 90 * DEG && pose_of(world, 0).position[0] < 0.2);
    finish(world);
    world = before_a_wall(0.4, STRAIGHT);
    set(world, "/fish/port-sonar/fault", 1);
    set(world, "/fish/starboard-sonar/fault", 1);
    set(world, "/fish/bumper/fault", 1);
    run_until(world, 10);
    assert_true(pose_of(world, 0).position[0] > 0.35);
    finish(world);
}

/* The ranges told with a decision are those that the instruments gave: the wall, within the noise. */
static void a_decision_tells_the_ranges_it_was_made_on(void **state)
{
    (void)state;
    fm_world *world = before_a_wall(0.8, STRAIGHT);
    run_until(world, 2.05);
    near("behaviour", decided(world, "behaviour"), FM_FISH_AVOID, 0);
    const double *port = (const double *)((const fm_range_reading *)values_of(world, "port-sonar") + 1);
    const double *starboard = (const double *)((const fm_range_reading *)values_of(world, "starboard-sonar") + 1);
    fm_sample sample;
    fm_error error = {0};
    double ranges[50], bearings[50], least = INFINITY;
    assert_int_equal(fm_world_instrument_read(world, "fish", "fish-brain", "ranges", &sample, &error), FM_OK);
    assert_int_equal(fm_sample_values(&sample, ranges, 50), 50);
    assert_int_equal(fm_world_instrument_read(world, "fish", "fish-brain", "bearings", &sample, &error), FM_OK);
    assert_int_equal(fm_sample_values(&sample, bearings, 50), 50);
    for (int i = 0; i < 50; i++) {
        assert_true(ranges[i] == (i < 25 ? port[i] : starboard[i - 25]));
        near("bearing", bearings[i], (i < 25 ? i - 24 : i - 25) * 5 * DEG, 1e-12);
        least = fmin(least, ranges[i]);
    }
    near("nearest", decided(world, "nearest"), least, 0);
    finish(world);
}

/* The picture of a camera 2 m beside a straight fish (or beside none, far off). */
static fm_world *seen_from_the_side(double east)
{
    char text[1500];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s' duration='60 s'/><vehicle name='watcher' model='robotic-fish' "
             "position='0 0 1 m'>"
             "<camera name='side' attitude='0 0 90 deg' width='400' height='300' field-of-view='20 deg'/></vehicle>"
             "<vehicle name='seen' model='robotic-fish' position='0.05 %g 1 m'><fish><wave c1='0' c2='0 "
             "1/m'/></fish></vehicle></fathom>",
             east);
    fm_world *world = start(text);
    step(world, 1);
    return world;
}

/* Side area: the sections' heights summed along the body, and the dorsal fin. */
static void a_camera_sees_a_fish_as_large_as_its_traverse_points_make_it(void **state)
{
    (void)state;
    fm_world *there = seen_from_the_side(2), *gone = seen_from_the_side(500);
    const uint8_t *with = (const uint8_t *)((const fm_camera_reading *)values_of(there, "side"))->image;
    const uint8_t *without = (const uint8_t *)((const fm_camera_reading *)values_of(gone, "side"))->image;
    const fm_fish_config *fish = there->slots[1].type->kind_config;
    fm_fish_measures measures;
    fm_fish_station s[401];
    fm_error error = {0};
    assert_int_equal(fm_fish_shape_measure(&fish->shape, &measures, &error), FM_OK);
    fm_fish_shape_stations(&fish->shape, s, 401);
    double area = measures.fin_area[0], pixel = 2 * 2 * tan(10 * DEG) / 400, seen = 0;
    for (int i = 0; i < 400; i++)
        area += 0.5 * (s[i].height + s[i + 1].height) * (s[i + 1].x - s[i].x);
    for (int i = 0; i < 400 * 300; i++)
        seen += memcmp(with + 3 * i, without + 3 * i, 3) != 0;
    near("side area", seen * pixel * pixel, area, 0.03 * area);
    assert_true(area < 0.8 * (0.16 * 0.08 + 0.24 * 0.1)); /* and not as large as its boxes */
    finish(there);
    finish(gone);
}

static fm_world *choosing(const char *behaviour, const char *attributes)
{
    char brain[400];
    snprintf(brain, sizeof brain, "<fish-brain behaviour='%s' %s/>", behaviour, attributes);
    return one_fish("velocity='0.2 0 0 m/s'", brain);
}

/* Each does what it is called, from 0.2 m/s: the law of each stands beside it. */
static void behaviours_that_are_chosen_act(void **state)
{
    (void)state;
    fm_world *world = choosing("constant", "speed='0.3 m/s'");
    run_until(world, 10);
    near("constant speed", column_of(world, 0, "water-speed"), 0.3, 1e-3);
    near("constant heading", pose_of(world, 0).euler[2], 0, 1e-12);
    finish(world);
    world = choosing("accelerate", "acceleration='0.015 m/s2'");
    run_until(world, 4);
    near("U + a t", column_of(world, 0, "water-speed"), 0.2 + 0.015 * 4, 2e-3);
    run_until(world, 60);
    near("fA/St at the highest frequency", column_of(world, 0, "water-speed"), 0.4, 2e-3);
    near("it tells so", decided(world, "behaviour"), FM_FISH_ACCELERATE, 0);
    finish(world);
    world = choosing("decelerate", "acceleration='0.01 m/s2'");
    run_until(world, 5);
    near("U - a t", column_of(world, 0, "water-speed"), 0.2 - 0.01 * 5, 2e-3);
    finish(world);
    world = choosing("turn", "turn-rate='-0.4 rad/s'");
    run_until(world, 5);
    near("turn", pose_of(world, 0).euler[2], 2 * FM_PI - 0.4 * 5, 0.03);
    near("at its speed", column_of(world, 0, "water-speed"), 0.2, 1e-3);
    finish(world);
}

/* A hovering fish coasts by its friction alone (H4): dU/dt = -D/m. */
static void a_fish_told_to_hover_drifts_to_a_stop(void **state)
{
    (void)state;
    fm_world *world = choosing("hover", "");
    fm_fish_params par = fm_fish_par_now(world->slots[0].type->kind_config,
                                         fm_fish_words_of(world->slots[0].type, world->slots[0].vehicle));
    double u = 0.2;
    run_until(world, 20);
    for (int i = 0; i < 200000; i++)
        u -= 1e-4 * fm_fish_drag(&par, u) / par.mass;
    near("speed", column_of(world, 0, "water-speed"), u, 1e-3);
    near("no beat", column_of(world, 0, "frequency"), 0, 1e-9);
    finish(world);
}

/* A live choice: straight on, then avoid before the wall, then hover. */
static void a_choice_can_change_in_a_run(void **state)
{
    (void)state;
    fm_world *world = before_a_wall(3, "<fish-brain behaviour='constant' avoidance='none'/>");
    run_until(world, 8);
    near("straight on", pose_of(world, 0).euler[2], 0, 0);
    set(world, "/fish/fish-brain/behaviour", 6);
    run_until(world, 20);
    assert_true(fabs(pose_of(world, 0).euler[2]) > 60 * DEG && metric_of(world, 0, "contacts") == 0);
    set(world, "/fish/fish-brain/behaviour", 5);
    run_until(world, 60);
    near("it tells so", decided(world, "behaviour"), FM_FISH_HOVER, 0);
    assert_true(column_of(world, 0, "water-speed") < 0.05);
    finish(world);
}

/* Each fish of the scenario does what it is called; the one told several things does them in turn. */
static void the_scenario_of_behaviours_shows_each(void **state)
{
    (void)state;
    fm_world *world = start_scenario("fish-behaviours", NULL);
    int several = fm_world_find(world, "several");
    double turned[3];
    run_until(world, 20);
    near("accelerating: U + a t", column_of(world, fm_world_find(world, "accelerating"), "water-speed"), 0.3, 2e-3);
    near("decelerating: U - a t", column_of(world, fm_world_find(world, "decelerating"), "water-speed"), 0.2, 2e-3);
    for (int i = 0; i < 3; i++) {
        turned[i] = pose_of(world, several).euler[2];
        run_until(world, 30 + 10 * i);
    }
    near("to starboard", turned[1] - turned[0], 0.3 * 10, 0.02);
    near("and back", turned[2] - turned[1], -0.3 * 10, 0.04);
    run_until(world, 60);
    near("pursued", metric_of(world, fm_world_find(world, "pursuing"), "pursuit_distance"), 0.5, 0.05);
    assert_true(metric_of(world, fm_world_find(world, "avoiding"), "contacts") == 0);
    assert_true(column_of(world, several, "frequency") < 1e-9);
    finish(world);
}

/* Independent program: 0.141, 0.319 and 0.415 m/s at 1, 2 and 2.5 Hz for the elongated body, fA/St for the paper's. */
static void the_scenario_of_thrusts_reaches_both_speeds(void **state)
{
    (void)state;
    static const double row[3][3] = {{30, 0.16, 0.141}, {60, 0.32, 0.319}, {90, 0.4, 0.415}};
    fm_world *world = start_scenario("fish-elongated", NULL);
    for (int i = 0; i < 3; i++) {
        run_until(world, row[i][0] - 1e-9);
        const fm_fish_words *words = fm_fish_words_of(world->slots[1].type, world->slots[1].vehicle);
        near("the paper's thrust", column_of(world, 0, "water-speed"), row[i][1], 0.03 * row[i][1]);
        near("elongated body", words->beat.speed, row[i][2], 0.06 * row[i][2]);
    }
    assert_true(metric_of(world, 2, "contacts") == 0 && metric_of(world, 2, "mean_speed") > 0.17);
    finish(world);
}

/* Both reach their depths by their fins alone, the free one without touching anything. */
static void the_scenario_of_depths_is_swum_by_fins(void **state)
{
    (void)state;
    fm_world *world = start_scenario("fish-depth", NULL);
    static const double row[3][2] = {{40, 1.6}, {80, 0.8}, {120, 1.2}};
    for (int i = 0; i < 3; i++) {
        run_until(world, row[i][0] - 0.1);
        near("depth", pose_of(world, 0).position[2], row[i][1], 0.01);
    }
    near("depth of the free one", pose_of(world, 1).position[2], 1.5, 0.01);
    assert_true(metric_of(world, 0, "peak_pitch") > 0.05 && metric_of(world, 0, "peak_pitch") < 0.4);
    assert_true(metric_of(world, 1, "contacts") == 0 && metric_of(world, 0, "contacts") == 0);
    finish(world);
}

static void bad_tasks_are_refused(void **state)
{
    (void)state;
    refused("<fish-brain><pursuit target='nobody'/></fish-brain>", "nobody");
    refused("<fish-brain><free-swimming/><trajectory radius='1 m'/></fish-brain>", "2 tasks");
    refused("<fish-brain><trajectory x='1 2 m' y='1 m'/></fish-brain>", "2 and 1");
    refused("<fish-brain><trajectory x='1 1 m' y='1 1 m'/></fish-brain>", "the same");
    refused("<fish-brain behaviour='pursue'/>", "pursuit");
    refused("<fish-brain behaviour='swim'/>", "hover");
    refused(
        "<coverage from='0 0 m' to='6 4 m' swath='1 m'/><fish-brain/><coverage name='again' from='0 0 m' to='6 4 m'/>",
        "accepted is one");
    refused("<fish-brain><coverage from='0 0 m' to='6 4 m'/></fish-brain>", "not known inside <fish-brain>");
    fm_error error = {0};
    assert_null(try_load(
        "<fathom version='1'><world dt='0.05 s'/><vehicle name='a' model='nps-auv-ii'><fish-brain/></vehicle></fathom>",
        &error));
    assert_non_null(strstr(error.text, "kind fish"));
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
        cmocka_unit_test(a_fish_notices_another_above_or_below),
        cmocka_unit_test(senses_of_the_fish_meet_a_wall_where_it_is),
        cmocka_unit_test(a_camera_sees_a_fish_as_large_as_its_traverse_points_make_it),
        cmocka_unit_test(a_fish_whose_senses_are_dead_meets_the_wall_it_would_have_avoided),
        cmocka_unit_test(sonars_or_infrareds_are_selected),
        cmocka_unit_test(a_bumper_that_touches_makes_the_fish_back_off),
        cmocka_unit_test(a_decision_tells_the_ranges_it_was_made_on),
        cmocka_unit_test(behaviours_that_are_chosen_act),
        cmocka_unit_test(a_fish_told_to_hover_drifts_to_a_stop),
        cmocka_unit_test(a_choice_can_change_in_a_run),
        cmocka_unit_test(the_scenario_of_behaviours_shows_each),
        cmocka_unit_test(the_scenario_of_thrusts_reaches_both_speeds),
        cmocka_unit_test(the_scenario_of_depths_is_swum_by_fins),
        cmocka_unit_test(bad_tasks_are_refused),
        cmocka_unit_test(bad_tables_and_bodies_are_refused_with_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
