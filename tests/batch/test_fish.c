/* Robotic fish in a batch: lanes against worlds, bit by bit, with beats of their own in each lane, faults, noise and
 * currents; and sweeps of fish through the program. */
#include "batch/lanes.h"
#include "physics/real.h"
#include "support/scenario.h"
#include "world/world.h"

#define TABLES "fishes"
#include "batch/both.h"

enum { FISHES = 7, STEPS = 1000, HOLD = 50, WAVES = 3 };

static const char *const models[] = {"robotic-fish", "robotic-fish-elongated", "robotic-fish-fins",
                                     "robotic-fish-one-joint"};
enum { ELONGATED = 1 };
static const char still[] = "";
static const char moving[] =
    "<water-noise amplitude='3 2 1 mm' wavelength='0.5 0.4 0.7 m'/><current velocity='0.05 -0.02 0 m/s'><layers "
    "depth='0 2 9 m' north='0 0.1 0 m/s' east='0.05 0 0 m/s'/><gauss-markov deviation='0.02 0.02 0.01 m/s' time='5 "
    "s'/><vortex centre='1 1 0 m' circulation='0.3 m2/s' core='1 m'/></current>";

/* `fish`: attributes of its <fish>. Waves of k rad/m differ, and with them the tables of the servos. */
static fm_model *load_fish(const char *model, int start, double k, const char *water, const char *fish)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s' duration='60 s' seed='5'>%s</world><vehicle name='v' model='%s' "
             "position='%d 2 3 m' attitude='0.1 0.05 %d rad' velocity='0.1%d 0.05 0 m/s'><fish %s><wave "
             "frequency='1.%d Hz' k='%g 1/m'/></fish></vehicle></fathom>",
             water, model, start, start, start, fish, start, k);
    return load(text);
}

/* Of one fish at one step: beats of 0 to 2.5 Hz, so that lanes make 4 to 25 sub-steps of the elongated body. */
static double order_of(int fish, int actuator, int step)
{
    const double turn = sin(1.7 * fish + 2.3 * actuator + 0.13 * step);
    return actuator == 0 ? 1.25 + 1.25 * turn : actuator == 1 ? 0.8 * turn : 3 + turn;
}

/* A tail that beats weakly, one that is stuck, one that is deflected the wrong way. A fish's own actuators have no live
 * faults in a world, so that the test writes them into its record. */
static const struct {
    int fish, actuator, fault, step; /* fault: efficiency, stuck, reversed */
    double value;
} faults[] = {{1, 0, 0, 300, 0.6}, {2, 1, 1, 450, 1}, {3, 1, 2, 200, 1}, {4, 1, 0, 700, 0.3}, {2, 1, 1, 800, 0}};

static void run_world(const fm_model *model, int fish, double state[13])
{
    static const char *const orders[] = {"frequency", "deflection", "depth"};
    fm_world *world = create(model, 1);
    const fm_slot *slot = &world->slots[0];
    for (int k = 0; k < STEPS; k++) {
        for (int a = 0; a < 3 && k % HOLD == 0; a++)
            order(world, "v", orders[a], order_of(fish, a, k));
        for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
            if (faults[i].fish == fish && faults[i].step == k) {
                double *fault = &fm_actuator_faults(slot->type, slot->vehicle)[faults[i].actuator].efficiency;
                fault[faults[i].fault] = faults[i].value;
                slot->vehicle->settled = 0;
            }
        step(world, 1);
    }
    fm_pose pose = pose_of(world, 0);
    memcpy(state, pose.position, 24);
    memcpy(state + 3, pose.euler, 24);
    memcpy(state + 6, pose.velocity, 48);
    state[12] = metric_of(world, 0, "distance");
    fm_world_free(world);
}

static void run_batch(fm_batch *batch, int single)
{
    fm_batch_view orders, ill;
    fm_error error = {0};
    assert_int_equal(fm_batch_map(batch, FM_BATCH_ORDERS, &orders, &error), FM_OK);
    assert_int_equal(fm_batch_map(batch, FM_BATCH_FAULTS, &ill, &error), FM_OK);
    assert_int_equal(orders.shape[0], 3);
    for (int k = 0; k < STEPS; k += HOLD) {
        for (int a = 0; a < 3; a++)
            for (int i = 0; i < FISHES; i++)
                if (single)
                    ((float *)orders.data)[a * orders.strides[0] + i] = (float)order_of(i, a, k);
                else
                    ((double *)orders.data)[a * orders.strides[0] + i] = order_of(i, a, k);
        for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
            int64_t at = (3 * faults[i].actuator + faults[i].fault) * ill.strides[0] + faults[i].fish;
            if (faults[i].step == k && single)
                ((float *)ill.data)[at] = (float)faults[i].value;
            else if (faults[i].step == k)
                ((double *)ill.data)[at] = faults[i].value;
        }
        if (fm_batch_step(batch, HOLD, &error) != FM_OK)
            fail_msg("%s", error.text);
    }
}

/* The same of all fish, remembered: lanes of every kind are held against them. */
static const double *run_worlds(fm_model *const *waves, const char *name, const char *water, const char *inside)
{
    static struct {
        const char *name, *water, *inside;
        double states[FISHES][13];
    } known[16];
    size_t i = 0;
    while (known[i].name && (known[i].name != name || known[i].water != water || strcmp(known[i].inside, inside) != 0))
        assert_less(++i, sizeof known / sizeof *known);
    for (int fish = 0; fish < FISHES && !known[i].name; fish++)
        run_world(waves[fish % WAVES], fish, known[i].states[fish]);
    known[i].name = name, known[i].water = water, known[i].inside = inside;
    return known[i].states[0];
}

/* How far the worst number is off, relative to 1 + the number; 0: the same bits. */
static double fly(const char *name, const char *water, const char *inside, int single, const char *set)
{
    static double seen[16 * FISHES], metrics[4 * FISHES], worst;
    fm_model *waves[WAVES];
    fm_error error = {0};
    worst = 0;
    for (int w = 0; w < WAVES; w++)
        waves[w] = load_fish(name, w, 9 + w, water, inside);
    fm_batch_options options = {.backend = FM_BATCH_SIMD,
                                .single = single,
                                .instructions = set,
                                .variants = (const fm_model *const *)waves + 1,
                                .variant_count = WAVES - 1};
    fm_batch *batch = fm_batch_create(waves[0], FISHES, &options, &error);
    if (!batch)
        fail_msg("%s: %s", name, error.text);
    double which[FISHES], seeds[FISHES];
    for (int i = 0; i < FISHES; i++)
        which[i] = i % WAVES, seeds[i] = 5;
    assert_int_equal(fm_batch_put(batch, FM_BATCH_VARIANTS, which, &error), FM_OK);
    assert_int_equal(fm_batch_put(batch, FM_BATCH_SEEDS, seeds, &error), FM_OK);
    assert_int_equal(fm_batch_refresh(batch, &error), FM_OK);
    assert_int_equal(fm_batch_reset(batch, NULL, &error), FM_OK);
    run_batch(batch, single);
    assert_int_equal(fm_batch_get(batch, FM_BATCH_OBSERVATIONS, seen, &error), FM_OK);
    assert_int_equal(fm_batch_get(batch, FM_BATCH_METRICS, metrics, &error), FM_OK);
    const double *state = run_worlds(waves, name, water, inside);
    for (int i = 0; i < FISHES; i++, state += 13)
        for (int k = 0; k < 13; k++) {
            double mine = k < 12 ? seen[k * FISHES + i] : metrics[i], off = mine - state[k];
            if (memcmp(&mine, &state[k], sizeof mine) == 0)
                continue;
            off = fabs(k >= 3 && k < 6 ? sin(off) : off / (1 + fabs(state[k])));
            if (!single)
                print_message("%s, fish %d, number %d: world %.17g, batch %.17g\n", name, i, k, state[k], mine);
            worst = off <= worst ? worst : off;
            worst = off == 0 ? fmax(worst, 1e-300) : worst;
        }
    fm_batch_free(batch);
    for (int w = 0; w < WAVES; w++)
        fm_model_free(waves[w]);
    return worst;
}

static void in_double_fish_swim_with_the_bits_of_a_world(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        assert_same(fly(models[i], still, "deflection='10 deg' depth='2 m'", 0, NULL), 0);
    assert_same(fly(models[ELONGATED], still, "turning='tail-force'", 0, NULL), 0);
}

static void noise_and_currents_carry_fish_in_lanes_as_in_a_world(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        assert_same(fly(models[i], moving, "", 0, NULL), 0);
}

static void fish_have_these_bits_by_every_instruction_set(void **unused)
{
    (void)unused;
    static const char *const sets[] = {"avx512", "avx2", "sse2", "neon"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (strstr(fm_lanes_sets(), sets[i]))
            assert_same(fly(models[ELONGATED], moving, "", 0, sets[i]), 0);
}

static void in_float_fish_swim_to_a_thousandth(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        double off = fly(models[i], moving, "", 1, NULL);
        print_message("%s in float: off by %.2g\n", models[i], off);
        assert_between(0, off, 1e-3);
    }
}

/* With the orders of its birth, the phase of its beat and its momentum, as at first. */
static void a_fish_that_begins_again_begins_as_at_first(void **unused)
{
    (void)unused;
    fm_model *model = load_fish("robotic-fish-elongated", 1, 10, moving, "deflection='20 deg'");
    fm_error error = {0};
    fm_batch *batch = fm_batch_create(model, 3, &(fm_batch_options){.backend = FM_BATCH_SIMD}, &error);
    double first[13 * 3], later[13 * 3], orders[3 * 3];
    assert_non_null(batch);
    assert_int_equal(fm_batch_step(batch, 40, &error), FM_OK);
    assert_int_equal(fm_batch_get(batch, FM_BATCH_STATE, first, &error), FM_OK);
    assert_int_equal(fm_batch_put(batch, FM_BATCH_ORDERS, (const double[9]){2, 2, 2}, &error), FM_OK);
    assert_int_equal(fm_batch_step(batch, 33, &error), FM_OK);
    assert_int_equal(fm_batch_reset(batch, (const unsigned char[]){0, 1, 0}, &error), FM_OK);
    assert_int_equal(fm_batch_get(batch, FM_BATCH_ORDERS, orders, &error), FM_OK);
    assert_same(orders[1], 1.1);
    assert_nearer(orders[3 + 1], 20 * FM_PI / 180, 1e-15);
    assert_same(orders[6 + 1], 3);
    assert_int_equal(fm_batch_step(batch, 40, &error), FM_OK);
    assert_int_equal(fm_batch_get(batch, FM_BATCH_STATE, later, &error), FM_OK);
    for (int k = 0; k < 13; k++)
        assert_same(first[3 * k + 1], later[3 * k + 1]);
    assert_different(first[0], later[0]);
    fm_batch_free(batch);
    fm_model_free(model);
}

/* A fish that is given the wave of another swims as that one does. */
static void numbers_of_a_fish_are_parameters(void **unused)
{
    (void)unused;
    fm_model *slow = load_fish("robotic-fish-elongated", 1, 9, still, ""),
             *fast = load_fish("robotic-fish-elongated", 1, 11, still, "");
    fm_error error = {0};
    fm_batch_options options = {
        .backend = FM_BATCH_SIMD, .parameters = (const char *const[]){"/v/wave/k"}, .parameter_count = 1};
    fm_batch *one = fm_batch_create(slow, 2, &options, &error), *other = fm_batch_create(fast, 2, NULL, &error);
    double waves[2], mine[2 * 13], state[2 * 13];
    assert_non_null(one);
    assert_non_null(other);
    assert_int_equal(fm_batch_get(one, FM_BATCH_PARAMETERS, waves, &error), FM_OK);
    assert_same(waves[0], 9);
    assert_same(waves[1], 9);
    assert_int_equal(fm_batch_put(one, FM_BATCH_PARAMETERS, (const double[]){9, 11}, &error), FM_OK);
    assert_int_equal(fm_batch_refresh(one, &error), FM_OK);
    assert_int_equal(fm_batch_reset(one, NULL, &error), FM_OK);
    assert_int_equal(fm_batch_step(one, 100, &error), FM_OK);
    assert_int_equal(fm_batch_step(other, 100, &error), FM_OK);
    assert_int_equal(fm_batch_get(one, FM_BATCH_STATE, mine, &error), FM_OK);
    assert_int_equal(fm_batch_get(other, FM_BATCH_STATE, state, &error), FM_OK);
    for (size_t i = 0; i < 13; i++)
        assert_same(mine[2 * i + 1], state[2 * i + 1]);
    assert_different(mine[2 * 7], mine[2 * 7 + 1]);
    fm_batch_free(one);
    fm_batch_free(other);
    fm_model_free(slow);
    fm_model_free(fast);
}

/* --- whole runs --- */

/* Half of them are crushed on the way. Orders, water that begins to move, a live wave that the servos follow, noise. */
static const char course[] =
    "<fathom version='1'><world dt='0.05 s' duration='40 s'><water-noise amplitude='3 3 0 mm' wavelength='0.5 0.5 0.5 "
    "m'/><current velocity='0.05 0 0 m/s'/></world><vehicle name='v' model='%s' position='0 0 3 m' velocity='0.1 0 0 "
    "m/s'><orders><at t='0 s' frequency='1 Hz'/><at t='8 s' deflection='20 deg' depth='5 "
    "m'/><at t='20 s' frequency='2.2 Hz'/></orders></vehicle><faults><at t='5 s' path='/current/velocity/y' "
    "value='0.04 m/s'/><at t='37 s' path='/v/wave/k' value='8 1/m'/><at t='25 s' path='/v/fish/deflection' value='-30 "
    "deg'/></faults></fathom>";

static void fish_in_lanes_give_the_bits_of_worlds(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char text[2048];
        snprintf(text, sizeof text, course, models[i]);
        write_file("course.xml", text);
        same_by_lanes("course.xml --vary '/v/limits/crush-depth=4.2,50 m' --vary /v/wave/c1=0.04,0.06 --metric "
                      "'v.[!m]*' --metric v.max_depth",
                      "5");
    }
    all_by_lanes("course.xml --duration 5 --vary '/v/velocity/x=0,0.2 m/s'");
}

static const char pool[] =
    "<fathom version='1'><world dt='0.05 s' duration='30 s'><pool name='pool' size='8 6 3 m'/><column name='pile' "
    "position='5 3 -0.1 m' radius='0.3 m' height='3.1 m'/></world><vehicle name='v' model='robotic-fish' position='2 3 "
    "1 "
    "m'><orders><at t='0 s' frequency='1.8 Hz'/></orders></vehicle></fathom>";

/* Some fish meet the pile or a wall, and a world says how they go on; the others are the lanes' own. */
static void fish_that_come_near_to_something_are_left_to_worlds(void **unused)
{
    (void)unused;
    write_file("pool.xml", pool);
    same_by_lanes("pool.xml --vary '/v/attitude/z=-30:30:30 deg' --vary '/v/fish/deflection=0,40 deg'", "7");
    run_fathom(&r, "sweep pool.xml --vary '/v/fish/deflection=0,40 deg' --backend simd --csv -");
    expect(0, "1 of these runs were repeated by worlds");
    all_by_lanes("pool.xml --duration 4 --vary '/v/fish/deflection=-20,20 deg'");
}

static void what_lanes_cannot_take_of_a_fish_is_named(void **unused)
{
    (void)unused;
    write_file("pool.xml", pool);
    run_fathom(&r, "sweep pool.xml --runs 2 --csv - --backend simd --set /v/contact/clearance=true --metric "
                   "v.min_clearance");
    expect(1, "the metric 'min_clearance' is measured by worlds alone");
    run_fathom(&r, "sweep " SCENARIO("fish-pool") " --duration 1 --runs 2 --csv - --backend simd");
    expect(1, "more than one vehicle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_double_fish_swim_with_the_bits_of_a_world),
        cmocka_unit_test(noise_and_currents_carry_fish_in_lanes_as_in_a_world),
        cmocka_unit_test(fish_have_these_bits_by_every_instruction_set),
        cmocka_unit_test(in_float_fish_swim_to_a_thousandth),
        cmocka_unit_test(a_fish_that_begins_again_begins_as_at_first),
        cmocka_unit_test(numbers_of_a_fish_are_parameters),
        cmocka_unit_test(fish_in_lanes_give_the_bits_of_worlds),
        cmocka_unit_test(fish_that_come_near_to_something_are_left_to_worlds),
        cmocka_unit_test(what_lanes_cannot_take_of_a_fish_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
