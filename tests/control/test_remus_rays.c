/* REMUS over a rise of the bottom by a sonar of rays: its image against closed forms, and the behaviours of the paper
 * with the one set of assumptions. docs/theory/remus.md (R9a), (R12) */
#include "support/scenario.h"

#include "support/program.h"

static fm_world *begin(const char *gain, const char *more, const char *yet_more)
{
    const char *sets[] = {gain, more, yet_more, NULL};
    return start_scenario("remus-rise", sets);
}

typedef struct outcome {
    double least, reversals, late, altitude; /* m, -, deg, m */
} outcome;

static outcome run(const char *gain, const char *more, const char *yet_more)
{
    fm_world *world = begin(gain, more, yet_more);
    run_until(world, fm_model_duration(fm_world_model(world)));
    const outcome o = {metric_of(world, 0, "min_altitude"), metric_of(world, 0, "pitch_reversals"),
                       metric_of(world, 0, "late_pitch_pp") / DEGREE, metric_of(world, 0, "late_altitude")};
    finish(world);
    return o;
}

/* --- the image --- */

enum { BINS = 40, BEAMS = 20, RAYS = 8 };

/* m along a ray of this bearing [rad, down positive] from x and z [m] to the rise: level bottom at 20 m, a face from
 * (59.5, 20) to (60, 16) on the line 8 (x - 59.5) + (z - 20) = 0, and its top at 16 m. */
static double range_of_ray(double x, double z, double bearing)
{
    const double s = sin(bearing), c = cos(bearing), level = (20 - z) / s, top = (16 - z) / s;
    if (x < 59.5 && s > 0 && x + level * c <= 59.5)
        return level;
    const double face = (20 - z + 8 * (59.5 - x)) / (s + 8 * c), depth = z + face * s;
    if (x < 59.5 && depth >= 16 && depth <= 20)
        return face;
    return s > 0 && z < 16 ? top : HUGE_VAL;
}

/* Rays of each beam that end in each bin, seen from x and z [m], the fan pitched up by theta [rad]. */
static void rays_in_pixels(double x, double z, double theta, int rays[BINS][BEAMS])
{
    memset(rays, 0, BINS * BEAMS * sizeof(int));
    for (int k = 0; k < BEAMS; k++)
        for (int j = 0; j < RAYS; j++) {
            const double r = range_of_ray(x, z, (k - 10 + (j + 0.5) / RAYS) * DEGREE - theta);
            if (r < 40)
                rays[(int)r][k]++;
        }
}

/* Σ W_r W_b over the pixels with more than `least` rays. */
static double threat_of_pixels(const int rays[BINS][BEAMS], int least, double edge)
{
    double threat = 0;
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < BEAMS; k++)
            if (rays[i][k] > least)
                threat += (0.2 - 0.05 * (i + 0.5) / 20) * 0.5 * (1 + cos((k - 9.5) * 180 * DEGREE / edge));
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
    fail_msg("no instrument measures '%s'", name);
    return (fm_sample){0};
}

static void image_is(const fm_world *world, const int rays[BINS][BEAMS], int least)
{
    const fm_sample image = field_of(world, "image.data"), nearest = field_of(world, "nearest");
    assert_int_equal(image.count, BINS * BEAMS);
    assert_int_equal(nearest.count, BEAMS);
    for (int k = 0; k < BEAMS; k++) {
        double first = HUGE_VAL;
        for (int i = BINS - 1; i >= 0; i--) {
            const int returns = rays[i][k] > least;
            assert_int_equal(((const uint8_t *)image.data)[i * BEAMS + k], returns ? 255 : 0);
            first = returns ? i + 0.5 : first;
        }
        assert_same(((const double *)nearest.data)[k], first);
    }
}

/* Every half second before the edge, and some of them with the rise in sight. */
static void the_image_holds_the_pixels_that_rays_end_in_and_the_threat_is_their_weighted_sum(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        int least;
        double pitched, edge;
    } rows[] = {{"/remus/avoid/gain=3", 1, 0, 20},
                {"/remus/sonar/threshold=0.5", 4, 0, 20},
                {"/remus/avoid/edge=zero", 1, 0, 10},
                {"/remus/avoid/stabilised=false", 1, 1, 20}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        fm_world *world = begin(rows[n].set, "/remus/sonar/frame=0 s", NULL);
        int rays[BINS][BEAMS];
        double most = 0;
        for (double t = 0.5; t < 60; t += 0.5) {
            run_until(world, t);
            const fm_pose p = pose_of(world, 0);
            step(world, 1);
            if (p.position[0] > 59.5 && p.position[0] < 60)
                continue; /* above the face itself */
            const double pitch = remainder(p.euler[1], 360 * DEGREE);
            rays_in_pixels(p.position[0], p.position[2], rows[n].pitched * pitch, rays);
            const double threat = threat_of_pixels(rays, rows[n].least, rows[n].edge);
            near("threat", column_of(world, 0, "avoid.threat"), threat, 1e-9);
            rays_in_pixels(p.position[0], p.position[2], 0, rays);
            image_is(world, rays, rows[n].least);
            most = fmax(most, threat);
        }
        assert_greater(most, 0.8);
        finish(world);
    }
}

/* A box with an upright face 15 m ahead, 4 m high on a bottom at 20 m: what is above it is dark, and nothing returns
 * from beyond. */
static void an_upright_face_returns_at_its_distance_over_the_cosine_of_the_bearing(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version='1'><world dt='0.05 s'><bottom depth='20 m'/><box name='block' position='20 0 18 m' "
              "size='10 60 4 m'/></world><vehicle name='remus' model='remus-diving' position='0 0 17 m'>"
              "<node-sonar range='40 m' spacing='0.5 m' bin='0.1 m' beam='0.5 deg' rays='1'/></vehicle>"
              "</fathom>");
    step(world, 1);
    const fm_sample nearest = field_of(world, "nearest");
    assert_int_equal(nearest.count, 40);
    for (int k = 0; k < 40; k++) {
        const double bearing = (0.5 * k - 9.75) * DEGREE, face = 15 / cos(bearing),
                     seen = ((const double *)nearest.data)[k];
        if (15 * tan(bearing) > -1)
            near("range", seen, face, 0.05 + 1e-9);
        else
            assert_same(seen, HUGE_VAL);
    }
    finish(world);
}

/* A vehicle 15 m ahead, 1.57 m long and 0.19 m thick, 0.73 degrees high from here. */
static void another_vehicle_ahead_returns_where_its_stern_is(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version='1'><world dt='0.05 s'/><vehicle name='remus' model='remus-diving' "
                            "position='0 0 17 m'><node-sonar range='40 m' spacing='0.5 m' bin='0.1 m' beam='0.5 deg' "
                            "rays='4'/></vehicle><vehicle name='other' model='remus-diving' position='15 0 17 m'/>"
                            "</fathom>");
    step(world, 1);
    const fm_sample nearest = field_of(world, "nearest");
    for (int k = 0; k < 40; k++) {
        const double found = ((const double *)nearest.data)[k];
        if (k == 19 || k == 20)
            near("range of the stern", found, 15 - 0.7874, 0.1);
        else if (k < 18 || k > 21)
            assert_same(found, HUGE_VAL);
    }
    finish(world);
}

/* Over a level bottom alone every ray ends at h / sin b, and rays that graze or look up end nowhere. */
static void a_level_bottom_returns_at_the_altitude_over_the_sine_of_the_bearing(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version='1'><world dt='0.05 s'><bottom depth='20 m'/></world><vehicle "
                            "name='remus' model='remus-diving' position='0 0 17 m'><node-sonar range='40 m' "
                            "spacing='0.5 m' bin='0.05 m' beam='0.5 deg' rays='1'/></vehicle></fathom>");
    step(world, 1);
    const fm_sample nearest = field_of(world, "nearest");
    int seen = 0;
    for (int k = 0; k < 40; k++) {
        const double range = 3 / sin((0.5 * k - 9.75) * DEGREE), found = ((const double *)nearest.data)[k];
        if (range > 0 && range < 40)
            near("range", found, range, 0.025 + 1e-9);
        else
            assert_same(found, HUGE_VAL);
        seen += range > 0 && range < 40;
    }
    assert_int_equal(seen, 11); /* bearings from 4.75 to 9.75 degrees: 3 m / sin 4.3 degrees = 40 m */
    finish(world);
}

static void an_image_is_held_for_its_frame_and_a_high_threshold_leaves_it_dark(void **state)
{
    (void)state;
    fm_world *world = begin("/remus/sonar/frame=2.5 s", NULL, NULL);
    run_until(world, 28);
    const double held = column_of(world, 0, "avoid.threat");
    assert_greater(held, 1);
    run_until(world, 29.9);
    near("threat in the frame", column_of(world, 0, "avoid.threat"), held, 0);
    set_live(world, "/remus/sonar/threshold", 1);
    run_until(world, 33);
    near("threat above the threshold", column_of(world, 0, "avoid.threat"), 0, 0);
    finish(world);
}

/* --- what the paper says, with one set of assumptions --- */

/* By another program of the same equations, rays and pixels. */
static void every_behaviour_of_the_paper_comes_with_one_set_of_assumptions(void **state)
{
    (void)state;
    const outcome none = run("/remus/avoid/gain=0", NULL, NULL), three = run("/remus/avoid/gain=3", NULL, NULL),
                  seven = run("/remus/avoid/gain=7", NULL, NULL),
                  bangs = run("/remus/avoid/stabilised=false", NULL, NULL);
    near("least altitude without look-ahead", none.least, -1.00102, 1e-4);
    near("least altitude with gain 3", three.least, 2.08698, 1e-3);
    near("reversals with gain 3", three.reversals, 6, 0);
    below("late swing with gain 3", three.late, 0.01);
    near("altitude kept after the rise with gain 3", three.altitude, 3.24456, 1e-3);
    near("reversals with gain 7", seven.reversals, 43, 1);
    near("late swing with gain 7", seven.late, 17.2391, 0.1);
    near("reversals when not stabilised", bangs.reversals, 49, 1);
    near("late swing when not stabilised", bangs.late, 15.917, 0.1);
}

/* The rise lies anywhere between two images. */
static void wherever_the_rise_is_gain_3_settles_gain_7_does_not_and_the_pitch_bangs(void **state)
{
    (void)state;
    for (int phase = 1; phase < 7; phase++) {
        char place[64];
        snprintf(place, sizeof place, "/bottom/rise/x=%g m", 60 + 0.5 * phase);
        const outcome three = run("/remus/avoid/gain=3", place, NULL), seven = run("/remus/avoid/gain=7", place, NULL),
                      bangs = run("/remus/avoid/stabilised=false", place, NULL);
        assert_greater(three.least, 2);
        assert_at_most(three.reversals, 8);
        below("late swing with gain 3", three.late, 0.01);
        assert_at_least(seven.reversals, 40);
        assert_greater(seven.late, 15);
        assert_at_least(bangs.reversals, 30);
        assert_greater(bangs.late, 15);
    }
}

/* What the instabilities rest on. */
static void without_delay_nothing_bangs_and_out_of_the_level_bottom_s_sight_gain_7_settles_at_3_m(void **state)
{
    (void)state;
    near("reversals without delay", run("/remus/avoid/stabilised=false", "/remus/sonar/frame=0 s", NULL).reversals, 1,
         0);
    for (int gain = 3; gain <= 7; gain += 4) {
        char text[32];
        snprintf(text, sizeof text, "/remus/avoid/gain=%d", gain);
        const outcome narrow = run(text, "/remus/avoid/sector=16 deg", NULL);
        below("late swing", narrow.late, 0.01);
        near("altitude", narrow.altitude, 3, 0.001);
    }
    const outcome falling = run("/remus/avoid/gain=7", "/remus/avoid/end-weight=0", NULL);
    below("late swing where the range weight falls to zero", falling.late, 0.1);
}

/* Normal altitude following is what follows the rise: one avoidance, and no threat to speak of from 10 s after it. */
static void the_threat_is_there_until_the_rise_and_goes_away_after_it(void **state)
{
    (void)state;
    fm_world *world = begin("/remus/avoid/gain=3", NULL, NULL);
    double began = 0, passed = 0, least = HUGE_VAL, after = 0, off = 0;
    for (double t = 0.05; t < 150; t += 0.05) {
        run_until(world, t);
        const double threat = column_of(world, 0, "avoid.threat"), *at = pose_of(world, 0).position;
        began = began == 0 && threat > 1 ? t : began;
        passed = passed == 0 && at[0] >= 60 ? t : passed;
        if (began > 0 && passed == 0)
            least = fmin(least, threat);
        if (passed > 0 && t > passed + 15) {
            after = fmax(after, threat);
            off = fmax(off, fabs(16 - at[2] - 3));
        }
    }
    assert_greater(passed - began, 10);
    assert_greater(least, 0.8);
    below("threat after the rise, of a peak of 1.74", after, 0.1);
    below("distance from 3 m after the rise", off, 0.3);
    finish(world);
}

/* --- through the program --- */

static void the_image_stands_in_the_log(void **state)
{
    (void)state;
    static program_run r;
    assert_int_equal(run_fathom(&r, "run %s --duration 2 --log remus-pixels.mcap", scenario_path("remus-rise")), 0);
    assert_int_equal(run_fathom(&r, "info remus-pixels.mcap"), 0);
    const char *line = strstr(r.out, "/remus/sonar ");
    assert_non_null(line);
    char type[128];
    int messages;
    assert_int_equal(sscanf(line, "/remus/sonar %127s %d", type, &messages), 2);
    assert_string_equal(type, "marine_acoustic_msgs/msg/ProjectedSonarImage");
    near("images", messages, 2, 0); /* at once, and 1.05 s later */
    remove("remus-pixels.mcap");
    assert_int_not_equal(run_fathom(&r, "check %s --set '/remus/sonar/bin=0.01 m' --set '/remus/sonar/beam=0.1 deg'",
                                    scenario_path("remus-rise")),
                         0);
    assert_non_null(strstr(r.err, "must be at most 65536"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_image_holds_the_pixels_that_rays_end_in_and_the_threat_is_their_weighted_sum),
        cmocka_unit_test(an_upright_face_returns_at_its_distance_over_the_cosine_of_the_bearing),
        cmocka_unit_test(another_vehicle_ahead_returns_where_its_stern_is),
        cmocka_unit_test(a_level_bottom_returns_at_the_altitude_over_the_sine_of_the_bearing),
        cmocka_unit_test(an_image_is_held_for_its_frame_and_a_high_threshold_leaves_it_dark),
        cmocka_unit_test(every_behaviour_of_the_paper_comes_with_one_set_of_assumptions),
        cmocka_unit_test(wherever_the_rise_is_gain_3_settles_gain_7_does_not_and_the_pitch_bangs),
        cmocka_unit_test(without_delay_nothing_bangs_and_out_of_the_level_bottom_s_sight_gain_7_settles_at_3_m),
        cmocka_unit_test(the_threat_is_there_until_the_rise_and_goes_away_after_it),
        cmocka_unit_test(the_image_stands_in_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
