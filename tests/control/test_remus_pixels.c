/* REMUS over a rise of the bottom by a sonar of pixels: its image against plain geometry, and the behaviours of the
 * paper over the size of the pixels. docs/theory/remus.md (R9a), (R12) */
#include "support/scenario.h"

#include "support/program.h"

static fm_world *begin(const char *gain, const char *more, const char *yet_more)
{
    const char *sets[] = {gain, more, yet_more, NULL};
    return start_scenario("remus-rise-pixels", sets);
}

typedef struct outcome {
    double least, reversals, late; /* m, -, deg */
} outcome;

static outcome run(const char *gain, const char *more, const char *yet_more)
{
    fm_world *world = begin(gain, more, yet_more);
    run_until(world, fm_model_duration(fm_world_model(world)));
    const outcome o = {metric_of(world, 0, "min_altitude"), metric_of(world, 0, "pitch_reversals"),
                       metric_of(world, 0, "late_pitch_pp") / DEGREE};
    finish(world);
    return o;
}

/* --- the image --- */

enum { BINS = 20, BEAMS = 20, NODES = 100 };

/* Metres of bottom in each pixel of 2 m by 1 degree, seen from x and z [m], the fan pitched by theta [rad]. */
static void bottom_in_pixels(double x, double z, double theta, double length[BINS][BEAMS])
{
    memset(length, 0, BINS * BEAMS * sizeof(double));
    for (int i = 1; i <= NODES; i++) {
        const double node = 0.5 * (floor(x / 0.5) + i), below = (node < 59.75 ? 20 : 16) - z,
                     r = hypot(node - x, below), b = (asin(below / r) + theta) / DEGREE;
        if (r < 40 && fabs(b) < 10)
            length[(int)(r / 2)][(int)floor(b + 10)] += 0.5;
    }
}

/* Σ W_r W_b (bin / 0.5 m) over the pixels with more than `threshold` metres. */
static double threat_of_pixels(const double length[BINS][BEAMS], double threshold, double edge)
{
    double threat = 0;
    for (int i = 0; i < BINS; i++)
        for (int k = 0; k < BEAMS; k++)
            if (length[i][k] > threshold)
                threat += 1.3 * fmax(0, 1 - (2 * i + 1) / 20.0) * 0.5 * (1 + cos((k - 9.5) * 180 * DEGREE / edge)) * 4;
    return threat;
}

static fm_sample field_of(const fm_world *world, const char *name)
{
    for (size_t i = 0; i < fm_world_instrument_count(world, 0); i++)
        for (size_t k = 0; k < fm_world_instrument(world, 0, i).field_count; k++) {
            const fm_sample sample = fm_world_instrument_field(world, 0, i, k);
            if (strcmp(sample.name, name) == 0)
                return sample;
        }
    fail_msg("no instrument tells '%s'", name);
    return (fm_sample){0};
}

static void image_is(const fm_world *world, const double length[BINS][BEAMS], double threshold)
{
    const fm_sample image = field_of(world, "image.data"), nearest = field_of(world, "nearest");
    assert_int_equal(image.count, BINS * BEAMS);
    assert_int_equal(nearest.count, BEAMS);
    for (int k = 0; k < BEAMS; k++) {
        double first = HUGE_VAL;
        for (int i = BINS - 1; i >= 0; i--) {
            const int returns = length[i][k] > threshold;
            assert_int_equal(((const uint8_t *)image.data)[i * BEAMS + k], returns ? 255 : 0);
            first = returns ? 2 * i + 1 : first;
        }
        assert_true(((const double *)nearest.data)[k] == first);
    }
}

/* Every half second of the whole run, and some of them with the rise in sight. */
static void the_image_holds_the_pixels_that_the_bottom_lies_in_and_the_threat_is_their_weighted_sum(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        double threshold, pitched, edge;
    } rows[] = {{"/remus/avoid/gain=3", 0, 0, 20},
                {"/remus/sonar/threshold=0.75 m", 0.75, 0, 20},
                {"/remus/avoid/edge=zero", 0, 0, 10},
                {"/remus/avoid/stabilised=false", 0, 1, 20}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        fm_world *world = begin(rows[n].set, NULL, NULL);
        double length[BINS][BEAMS], most = 0;
        for (double t = 0.5; t < 60; t += 0.5) {
            run_until(world, t);
            const fm_pose p = pose_of(world, 0);
            step(world, 1);
            const double pitch = remainder(p.euler[1], 360 * DEGREE);
            bottom_in_pixels(p.position[0], p.position[2], rows[n].pitched * pitch, length);
            const double threat = threat_of_pixels(length, rows[n].threshold, rows[n].edge);
            near("threat", column_of(world, 0, "avoid.threat"), threat, 1e-9);
            bottom_in_pixels(p.position[0], p.position[2], 0, length);
            image_is(world, length, rows[n].threshold);
            most = fmax(most, threat);
        }
        assert_true(most > 1);
        finish(world);
    }
}

static void an_image_is_held_for_its_frame_and_a_high_threshold_leaves_it_dark(void **state)
{
    (void)state;
    fm_world *world = begin("/remus/sonar/frame=2.5 s", NULL, NULL);
    run_until(world, 33);
    const double held = column_of(world, 0, "avoid.threat");
    assert_true(held > 1);
    run_until(world, 34.9);
    near("threat in the frame", column_of(world, 0, "avoid.threat"), held, 0);
    set_live(world, "/remus/sonar/threshold", 100);
    run_until(world, 38);
    near("threat above the threshold", column_of(world, 0, "avoid.threat"), 0, 0);
    finish(world);
}

/* --- what the paper saw --- */

/* Bins of 1.5 and 2 m, beams of 0.5 to 2 degrees, no delay. */
static void with_gain_3_the_vehicle_settles_and_with_gain_7_never_for_bins_of_1_5_and_2_m(void **state)
{
    (void)state;
    static const char *const bins[] = {"/remus/sonar/bin=1.5 m", "/remus/sonar/bin=2 m"},
                             *const beams[] = {"/remus/sonar/beam=0.5 deg", "/remus/sonar/beam=1 deg",
                                               "/remus/sonar/beam=2 deg"};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 3; k++) {
            const outcome low = run("/remus/avoid/gain=3", bins[i], beams[k]),
                          high = run("/remus/avoid/gain=7", bins[i], beams[k]);
            near("reversals with gain 3", low.reversals, 6, 0);
            below("late swing with gain 3", low.late, 2.5);
            assert_true(low.least > 2);
            near("reversals with gain 7", high.reversals, 57, 1);
            near("late swing with gain 7", high.late, 15, 2);
            assert_true(high.least > 2);
        }
}

static void with_bins_of_1_and_1_25_m_or_a_weight_that_fades_gain_7_settles_too(void **state)
{
    (void)state;
    static const char *const calm[] = {"/remus/sonar/bin=1 m", "/remus/sonar/bin=1.25 m", "/remus/avoid/edge=zero"};
    for (size_t i = 0; i < 3; i++) {
        const outcome o = run("/remus/avoid/gain=7", calm[i], NULL);
        below("reversals", o.reversals, 8);
        below("late swing", o.late, 2.5);
    }
}

/* Pitch banging needs the sonar's delay, pixels or not. */
static void without_stabilisation_the_pitch_bangs_only_with_a_delay(void **state)
{
    (void)state;
    const outcome at_once = run("/remus/avoid/stabilised=false", "/remus/sonar/frame=0 s", NULL),
                  held = run("/remus/avoid/stabilised=false", "/remus/sonar/frame=2.5 s", NULL);
    near("reversals without delay", at_once.reversals, 1, 0);
    near("reversals with delay", held.reversals, 55, 1);
    near("late swing with delay", held.late, 37.29, 0.05);
}

/* The threat does not come back once the rise is 5 s behind, but for the level bottom's own. */
static void the_threat_goes_away_when_the_rise_is_behind(void **state)
{
    (void)state;
    fm_world *world = begin("/remus/avoid/gain=3", NULL, NULL);
    double before = 0, passed = 0, after = 0;
    for (double t = 0.05; t < 150; t += 0.05) {
        run_until(world, t);
        const double threat = column_of(world, 0, "avoid.threat");
        passed = passed > 0 || pose_of(world, 0).position[0] < 60 ? passed : t;
        if (passed == 0)
            before = fmax(before, threat);
        else if (t > passed + 5)
            after = fmax(after, threat);
    }
    assert_true(before > 4);
    below("threat after the rise", after, 0.45);
    finish(world);
}

/* --- through the program --- */

static void the_image_stands_in_the_log(void **state)
{
    (void)state;
    static program_run r;
    assert_int_equal(run_fathom(&r, "run %s --duration 2 --log remus-pixels.mcap", scenario_path("remus-rise-pixels")),
                     0);
    assert_int_equal(run_fathom(&r, "info remus-pixels.mcap"), 0);
    const char *line = strstr(r.out, "/remus/sonar ");
    assert_non_null(line);
    char type[128];
    int messages;
    assert_int_equal(sscanf(line, "/remus/sonar %127s %d", type, &messages), 2);
    assert_string_equal(type, "marine_acoustic_msgs/msg/ProjectedSonarImage");
    near("images", messages, 40, 1);
    remove("remus-pixels.mcap");
    assert_int_not_equal(run_fathom(&r, "check %s --set '/remus/sonar/bin=0.01 m' --set '/remus/sonar/beam=0.1 deg'",
                                    scenario_path("remus-rise-pixels")),
                         0);
    assert_non_null(strstr(r.err, "accepted at most 65536"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_image_holds_the_pixels_that_the_bottom_lies_in_and_the_threat_is_their_weighted_sum),
        cmocka_unit_test(an_image_is_held_for_its_frame_and_a_high_threshold_leaves_it_dark),
        cmocka_unit_test(with_gain_3_the_vehicle_settles_and_with_gain_7_never_for_bins_of_1_5_and_2_m),
        cmocka_unit_test(with_bins_of_1_and_1_25_m_or_a_weight_that_fades_gain_7_settles_too),
        cmocka_unit_test(without_stabilisation_the_pitch_bangs_only_with_a_delay),
        cmocka_unit_test(the_threat_goes_away_when_the_rise_is_behind),
        cmocka_unit_test(the_image_stands_in_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
