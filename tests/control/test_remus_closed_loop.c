/* The bottom-following runs of the REMUS paper against an independent program: trajectories, metrics, step phases. */
#include "support/near.h"

#include <stddef.h>
#include <stdio.h>

#include "control/remus_case.h"

static fm_remus_metrics run(const remus_case *c)
{
    fm_remus_metrics m;
    fm_error error = {0};
    if (remus_run(c, &m, &error) != FM_OK)
        fail_msg("%s", error.text);
    return m;
}

static fm_remus_metrics run_standard(double gain, int stabilised)
{
    const remus_case c = remus_standard(gain, stabilised);
    return run(&c);
}

static double degrees(double radians)
{
    return radians / FM_DEGREE;
}

/* min altitude [m], peak pitch [deg], reversals, late pitch range [deg], late mean altitude [m], peak threat (0: not
 * given) */
static void matches(const fm_remus_metrics *m, const double expected[6])
{
    near("min altitude", m->altitude.low, expected[0], 1e-6);
    near("peak pitch", degrees(m->pitch.high), expected[1], 1e-5);
    near("reversals", m->reversals.count, expected[2], 0);
    near("late pitch range", degrees(fm_measure_range(&m->late_pitch)), expected[3], 1e-4);
    near("late mean altitude", fm_measure_mean(&m->late_altitude), expected[4], 1e-6);
    if (expected[5] > 0)
        near("peak threat", m->threat.high, expected[5], 1e-6);
}

/* ---- trajectories -------------------------------------------------------------------------------------------------
 */

typedef struct reference {
    FILE *file;
    int rows;
} reference;

/* Reference numbers have 6 digits; the runs with banging amplify the last one. */
static void compare_row(void *user, int step, const fm_diving_state *s, double depth, double h_com, double threat,
                        double delta)
{
    reference *r = user;
    double v[11];
    if (step % 4 != 0)
        return;
    for (int i = 0; i < 11; i++)
        assert_int_equal(fscanf(r->file, i < 10 ? "%lf," : "%lf", &v[i]), 1);
    const double found[11] = {step * 0.05, s->x, s->z, depth, depth - s->z, h_com, threat, s->theta, s->q, s->w, delta};
    static const char *const names[11] = {"t", "X", "Z", "H", "h", "hcom", "threat", "theta", "q", "w", "delta"};
    for (int i = 0; i < 11; i++)
        if (!(fabs(found[i] - v[i]) <= 1e-5 + 1e-5 * fabs(v[i])))
            fail_msg("t = %g s: %s is %.9g, the reference has %.9g", v[0], names[i], found[i], v[i]);
    r->rows++;
}

static void follows_reference(const char *name, double gain, int stabilised)
{
    char path[512], header[128];
    snprintf(path, sizeof path, "%s/remus/remus_%s.csv", TEST_DATA, name);
    reference r = {.file = fopen(path, "r")};
    assert_non_null(r.file);
    assert_non_null(fgets(header, sizeof header, r.file));
    remus_case c = remus_standard(gain, stabilised);
    c.sample = compare_row;
    c.user = &r;
    run(&c);
    fclose(r.file);
    assert_int_equal(r.rows, 751);
}

static void every_reference_trajectory_is_followed_to_its_last_digit(void **state)
{
    (void)state;
    follows_reference("no_lookahead_a0", 0, 1);
    follows_reference("a3_stabilised", 3, 1);
    follows_reference("a7_stabilised", 7, 1);
    follows_reference("a3_unstabilised", 3, 0);
}

/* ---- the four published cases ---------------------------------------------------------------------------------------
 */

static void without_look_ahead_the_vehicle_passes_through_the_step_pitching_over_30_degrees(void **state)
{
    (void)state;
    const fm_remus_metrics m = run_standard(0, 1);
    matches(&m, (double[]){-1.0010253081607132, 32.138641651256926, 1, 0, 2.999878078145497, 14.70079350347987});
    assert_at_most(m.altitude.low, -0.9);
    assert_greater(degrees(m.pitch.high), 30);
}

static void with_threat_gain_3_the_step_is_cleared_and_the_vehicle_settles(void **state)
{
    (void)state;
    const fm_remus_metrics m = run_standard(3, 1);
    matches(&m, (double[]){1.678169108159997, 38.38296966815153, 6, 1.7723146886097243, 3.2243874690454324,
                           6.1525034954183315});
}

static void with_threat_gain_7_the_vehicle_never_settles(void **state)
{
    (void)state;
    const fm_remus_metrics m = run_standard(7, 1);
    matches(&m, (double[]){2.2663275034630797, 39.58324632319106, 31, 17.117103128308138, 3.319523672791155,
                           4.256457932410715});
}

static void without_pitch_stabilisation_the_pitch_bangs(void **state)
{
    (void)state;
    const fm_remus_metrics m = run_standard(3, 0);
    matches(&m, (double[]){-0.8819233072928867, 32.111312324623114, 55, 37.28764850982334, 4.574907099475174,
                           8.564259496526681});
}

/* The rise at other places: other phases of the sonar frame. Ranges: min altitude, peak pitch, reversals, late pitch
 * range. */
static void any_phase(double gain, int stabilised, const double low[4], const double high[4])
{
    double least[4] = {1e9, 1e9, 1e9, 1e9}, most[4] = {-1e9, -1e9, -1e9, -1e9};
    static const char *const names[4] = {"min altitude", "peak pitch", "reversals", "late pitch range"};
    for (int phase = 0; phase < 7; phase++) {
        remus_case c = remus_standard(gain, stabilised);
        c.x_step = 60 + 0.5 * phase;
        const fm_remus_metrics m = run(&c);
        const double v[4] = {m.altitude.low, degrees(m.pitch.high), m.reversals.count,
                             degrees(fm_measure_range(&m.late_pitch))};
        for (int i = 0; i < 4; i++) {
            least[i] = fmin(least[i], v[i]);
            most[i] = fmax(most[i], v[i]);
        }
    }
    for (int i = 0; i < 4; i++) {
        near(names[i], least[i], low[i], 1e-5);
        near(names[i], most[i], high[i], 1e-5);
    }
}

static void the_place_of_the_step_changes_the_results_only_within_the_reference_ranges(void **state)
{
    (void)state;
    any_phase(0, 1, (double[]){-1.0010276180995525, 32.13708994933413, 1, 0},
              (double[]){-1.001006741406517, 32.138641651256926, 1, 0});
    any_phase(3, 1, (double[]){1.4737594559445917, 38.14796358612022, 4, 1.7662583833555356},
              (double[]){2.9992295199550973, 40.13496045623269, 6, 1.7741381286049216});
    any_phase(7, 1, (double[]){1.7549200638697577, 38.32947257253233, 27, 17.117103128308138},
              (double[]){2.9990650374339154, 40.2062184376394, 31, 19.71335145917856});
    any_phase(3, 0, (double[]){-0.9177337340753269, 26.355429649030636, 55, 37.28746067698219},
              (double[]){1.538850852723673, 38.17197558887868, 58, 37.288109089666875});
}

/* ---- variations
 * ------------------------------------------------------------------------------------------------------ */

typedef struct variation {
    const char *name;
    double gain;
    int stabilised;
    double dt, spacing, frame, speed;
    int scaled, large_angle_statics, trimmed;
    double expected[6]; /* as in matches */
} variation;

/* clang-format off */
static const variation variations[] = {
    {"dt=0.01, a0", 0, 1, 0.01, 0.5, 2.5, 1.54, 1, 0, 1, {-1.00098993695, 32.0976497353, 1, 0, 2.99987807815, 0}},
    {"dt=0.01, a3", 3, 1, 0.01, 0.5, 2.5, 1.54, 1, 0, 1, {1.70584526984, 38.4365555296, 6, 1.77187833509, 3.22219266877, 0}},
    {"dt=0.01, a7", 7, 1, 0.01, 0.5, 2.5, 1.54, 1, 0, 1, {2.28855411124, 39.6533150646, 31, 17.3135160326, 3.32217445982, 0}},
    {"dt=0.01, a3u", 3, 0, 0.01, 0.5, 2.5, 1.54, 1, 0, 1, {-0.877117775734, 32.1160313314, 55, 36.5878805344, 4.58881639559, 0}},
    {"dx=0.25 normalised, a0", 0, 1, 0.05, 0.25, 2.5, 1.54, 1, 0, 1, {-1.00104537324, 32.1385929876, 1, 0, 2.99987807815, 0}},
    {"dx=0.25 normalised, a3", 3, 1, 0.05, 0.25, 2.5, 1.54, 1, 0, 1, {1.47514153888, 38.2984352585, 6, 1.70447499832, 3.22137427407, 0}},
    {"dx=0.25 normalised, a7", 7, 1, 0.05, 0.25, 2.5, 1.54, 1, 0, 1, {2.02000929342, 39.3144711363, 31, 17.8048677393, 3.33986258661, 0}},
    {"dx=0.25 normalised, a3u", 3, 0, 0.05, 0.25, 2.5, 1.54, 1, 0, 1, {-0.892843585902, 37.4194350131, 56, 37.2875303207, 4.57491811775, 0}},
    {"dx=0.1 normalised, a0", 0, 1, 0.05, 0.1, 2.5, 1.54, 1, 0, 1, {-1.00105238075, 32.1384049241, 1, 0, 2.99987807815, 0}},
    {"dx=0.1 normalised, a3", 3, 1, 0.05, 0.1, 2.5, 1.54, 1, 0, 1, {1.31885284589, 38.2746799611, 6, 0.892441691321, 3.21969960603, 0}},
    {"dx=0.1 normalised, a7", 7, 1, 0.05, 0.1, 2.5, 1.54, 1, 0, 1, {2.00252855803, 38.8334310427, 31, 18.0711927747, 3.34304236667, 0}},
    {"dx=0.1 normalised, a3u", 3, 0, 0.05, 0.1, 2.5, 1.54, 1, 0, 1, {-0.89887055615, 36.495407674, 56, 37.2875626689, 4.57491738044, 0}},
    {"frame=1.0, a0", 0, 1, 0.05, 0.5, 1, 1.54, 1, 0, 1, {-1.00102530816, 32.1386416513, 1, 0, 2.99987807815, 0}},
    {"frame=1.0, a3", 3, 1, 0.05, 0.5, 1, 1.54, 1, 0, 1, {1.27792959514, 38.7747991543, 6, 3.0691354995, 3.22549726575, 0}},
    {"frame=1.0, a7", 7, 1, 0.05, 0.5, 1, 1.54, 1, 0, 1, {1.32949385649, 38.7287741741, 12, 8.03563756903, 3.28501335244, 0}},
    {"frame=1.0, a3u", 3, 0, 0.05, 0.5, 1, 1.54, 1, 0, 1, {1.19182244917, 22.3757019351, 59, 26.0920033358, 4.30810870319, 0}},
    {"frame=2.0, a0", 0, 1, 0.05, 0.5, 2, 1.54, 1, 0, 1, {-1.00102530816, 32.1386416513, 1, 0, 2.99987807815, 0}},
    {"frame=2.0, a3", 3, 1, 0.05, 0.5, 2, 1.54, 1, 0, 1, {0.661741580785, 38.7477881428, 6, 3.98912146462, 3.22564226008, 0}},
    {"frame=2.0, a7", 7, 1, 0.05, 0.5, 2, 1.54, 1, 0, 1, {0.955088195645, 39.0981463588, 19, 11.4424948585, 3.28995835653, 0}},
    {"frame=2.0, a3u", 3, 0, 0.05, 0.5, 2, 1.54, 1, 0, 1, {1.53193244582, 28.9638552504, 71, 25.937780923, 4.3106599896, 0}},
    {"frame continuous, a0", 0, 1, 0.05, 0.5, 0, 1.54, 1, 0, 1, {-1.00102530816, 32.1386416513, 1, 0, 2.99987807815, 0}},
    {"frame continuous, a3", 3, 1, 0.05, 0.5, 0, 1.54, 1, 0, 1, {2.16767431991, 38.324739733, 6, 0.226290988762, 3.21914881694, 0}},
    {"frame continuous, a7", 7, 1, 0.05, 0.5, 0, 1.54, 1, 0, 1, {2.40888302375, 38.8872925585, 6, 0.386549011777, 3.28348547872, 0}},
    {"frame continuous, a3u", 3, 0, 0.05, 0.5, 0, 1.54, 1, 0, 1, {2.00613917469, 11.5090623364, 1, 0.217419012706, 3.74855036435, 0}},
    {"large-angle statics, a0", 0, 1, 0.05, 0.5, 2.5, 1.54, 1, 1, 1, {-1.00119215452, 32.4225612301, 1, 0, 2.99971052951, 0}},
    {"large-angle statics, a3", 3, 1, 0.05, 0.5, 2.5, 1.54, 1, 1, 1, {1.61437518334, 39.5350984592, 6, 1.77257232284, 3.22067055666, 0}},
    {"large-angle statics, a7", 7, 1, 0.05, 0.5, 2.5, 1.54, 1, 1, 1, {2.17234178961, 41.3431942551, 31, 18.6848219623, 3.36160162327, 0}},
    {"large-angle statics, a3u", 3, 0, 0.05, 0.5, 2.5, 1.54, 1, 1, 1, {-0.892651558859, 32.4152780911, 55, 37.1457652057, 4.53915759538, 0}},
    {"U=1.5 scaled, a0", 0, 1, 0.05, 0.5, 2.5, 1.5, 1, 0, 1, {-1.0010289818, 33.1048719596, 1, 0, 2.99986018286, 0}},
    {"U=1.5 scaled, a3", 3, 1, 0.05, 0.5, 2.5, 1.5, 1, 0, 1, {2.74144579242, 39.2889588796, 6, 1.25854218763, 3.22386363396, 0}},
    {"U=1.5 scaled, a7", 7, 1, 0.05, 0.5, 2.5, 1.5, 1, 0, 1, {2.99897665512, 40.8989098813, 31, 22.6374470755, 3.34812696809, 0}},
    {"U=1.5 scaled, a3u", 3, 0, 0.05, 0.5, 2.5, 1.5, 1, 0, 1, {-0.917296964532, 38.9277271892, 56, 38.2434281107, 4.47540311871, 0}},
    {"U=2.0 scaled, a0", 0, 1, 0.05, 0.5, 2.5, 2, 1, 0, 1, {-1.00036629867, 24.1780970598, 1, 0, 2.99996822728, 0}},
    {"U=2.0 scaled, a3", 3, 1, 0.05, 0.5, 2.5, 2, 1, 0, 1, {2.99970850732, 30.6052806146, 2, 1.94907111023, 3.23378988171, 0}},
    {"U=2.0 scaled, a7", 7, 1, 0.05, 0.5, 2.5, 2, 1, 0, 1, {2.99965231853, 30.5958923188, 18, 9.96802061832, 3.30522563714, 0}},
    {"U=2.0 scaled, a3u", 3, 0, 0.05, 0.5, 2.5, 2, 1, 0, 1, {0.638640583558, 18.0488607612, 57, 26.8224737116, 5.22111010762, 0}},
    {"U=2.0 table coef, a0", 0, 1, 0.05, 0.5, 2.5, 2, 0, 0, 1, {-1.0005432106, 24.4086719111, 1, 0, 2.99993016213, 0}},
    {"U=2.0 table coef, a3", 3, 1, 0.05, 0.5, 2.5, 2, 0, 0, 1, {2.99959273627, 30.5328962644, 2, 2.22373496381, 3.2136515182, 0}},
    {"U=2.0 table coef, a7", 7, 1, 0.05, 0.5, 2.5, 2, 0, 0, 1, {2.99951499689, 30.5251696426, 4, 6.67465373193, 3.31011104414, 0}},
    {"U=2.0 table coef, a3u", 3, 0, 0.05, 0.5, 2.5, 2, 0, 0, 1, {0.181372767173, 20.1401365952, 57, 28.9500664356, 4.74906635609, 0}},
    {"no trim feed-forward, a0", 0, 1, 0.05, 0.5, 2.5, 1.54, 1, 0, 0, {-0.830110614298, 34.9365787691, 1, 0, 3.17095195607, 0}},
    {"no trim feed-forward, a3", 3, 1, 0.05, 0.5, 2.5, 1.54, 1, 0, 0, {2.96452341161, 45.5287420073, 5, 1.23577030701, 3.29022072339, 0}},
};
/* clang-format on */

static void step_spacing_frame_speed_and_statics_change_the_results_as_in_the_reference(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof variations / sizeof variations[0]; i++) {
        const variation *v = &variations[i];
        remus_case c = remus_standard(v->gain, v->stabilised);
        c.dt = v->dt;
        c.threat.spacing = v->spacing;
        c.threat.frame = v->frame;
        c.params.speed = v->speed;
        c.params.scaled = v->scaled;
        c.params.large_angle_statics = v->large_angle_statics;
        c.design.trimmed = v->trimmed;
        const fm_remus_metrics m = run(&c);
        print_message("             %s\n", v->name);
        matches(&m, v->expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reference_trajectory_is_followed_to_its_last_digit),
        cmocka_unit_test(without_look_ahead_the_vehicle_passes_through_the_step_pitching_over_30_degrees),
        cmocka_unit_test(with_threat_gain_3_the_step_is_cleared_and_the_vehicle_settles),
        cmocka_unit_test(with_threat_gain_7_the_vehicle_never_settles),
        cmocka_unit_test(without_pitch_stabilisation_the_pitch_bangs),
        cmocka_unit_test(the_place_of_the_step_changes_the_results_only_within_the_reference_ranges),
        cmocka_unit_test(step_spacing_frame_speed_and_statics_change_the_results_as_in_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
