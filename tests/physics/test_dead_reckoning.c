/* Dead reckoning: the nine algorithms against quadrature of the motion that each assumes. */
#include <string.h>

#include "physics/dead_reckoning.h"
#include "support/near.h"

static const fm_reckon_track vehicle = {.position = {10, -20, 5},
                                        .attitude = {0.8, 0.2, -0.4, 0.4},
                                        .velocity = {1.2, 0.3, -0.1},
                                        .acceleration = {0.05, -0.02, 0.01},
                                        .rates = {0.3, -0.2, 0.5}};

/* The displacement that docs give for these numbers, found by other means: (1.645817990, 1.218997502, 0.419468206) m in
 * the axes that the body had, after 1.7 s. */
static void a_turning_body_goes_the_published_way(void **state)
{
    (void)state;
    double out[3], expected[3] = {1.645817990, 1.218997502, 0.419468206};
    fm_reckon_curved(&vehicle, 1, 1.7, out);
    for (int i = 0; i < 3; i++)
        near("displacement", out[i], expected[i], 1e-9);
}

/* The motion itself in small steps: attitude by its rate (6.65), position by the velocity turned into the world. */
static void walk(const fm_reckon_track *track, int algorithm, double t, int steps, fm_reckoned *out)
{
    double h = t / steps, q[4], p[3];
    memcpy(q, track->attitude, sizeof q);
    memcpy(p, track->position, sizeof p);
    for (int k = 0; k < steps; k++) {
        double v[3], R[9], moved[3], rate[4], middle[4];
        for (int i = 0; i < 3; i++)
            v[i] = algorithm == FM_RECKON_STATIC
                       ? 0
                       : track->velocity[i] +
                             (fm_reckon_speeds_up(algorithm) ? track->acceleration[i] * (k + 0.5) * h : 0);
        memcpy(middle, q, sizeof middle);
        if (fm_reckon_turns(algorithm)) { /* midpoint rule */
            fm_quat_rate(q, track->rates, rate);
            for (int i = 0; i < 4; i++)
                middle[i] = q[i] + 0.5 * h * rate[i];
            fm_quat_rate(middle, track->rates, rate);
            for (int i = 0; i < 4; i++)
                q[i] += h * rate[i];
            fm_quat_normalise(q);
            fm_quat_normalise(middle);
        }
        fm_quat_matrix(middle, R);
        memcpy(moved, v, sizeof moved);
        if (fm_reckon_in_body(algorithm))
            fm_vector_to_world(R, v, moved);
        for (int i = 0; i < 3; i++)
            p[i] += h * moved[i];
    }
    memcpy(out->position, p, sizeof p);
    memcpy(out->attitude, q, sizeof q);
}

static void each_algorithm_is_the_integral_of_the_motion_it_assumes(void **state)
{
    (void)state;
    for (int algorithm = 1; algorithm <= 9; algorithm++)
        for (int k = 0; k < 4; k++) {
            const double times[] = {0.003, 0.9, 2.5, -1.1};
            fm_reckoned found, walked = {0};
            fm_track_reckon(&vehicle, algorithm, times[k], &found);
            walk(&vehicle, algorithm, times[k], 20000, &walked);
            for (int i = 0; i < 3; i++)
                near("position", found.position[i], walked.position[i], 2e-8);
            for (int i = 0; i < 4; i++)
                near("attitude", found.attitude[i], walked.attitude[i], 2e-8);
        }
}

/* Below a turn of 0.01 rad a series takes over: no step at the seam, none at rest. */
static void the_series_meets_the_closed_form(void **state)
{
    (void)state;
    fm_reckon_track track = vehicle;
    for (int k = 0; k < 2; k++) {
        double sides[2][3], w = fm_norm(track.rates), t = 0.01 / w;
        fm_reckon_curved(&track, 1, t * (1 - 1e-12), sides[0]);
        fm_reckon_curved(&track, 1, t * (1 + 1e-12), sides[1]);
        for (int i = 0; i < 3; i++)
            near("seam", sides[0][i], sides[1][i], 1e-9 * t);
        for (int i = 0; i < 3; i++)
            track.rates[i] *= 0.02;
    }
    double straight[3], curved[3];
    memset(track.rates, 0, sizeof track.rates);
    fm_reckon_straight(&track, 1, 3, straight);
    fm_reckon_curved(&track, 1, 3, curved);
    for (int i = 0; i < 3; i++)
        near("at rest", curved[i], straight[i], 1e-14);
}

/* The velocity is the rate of change of the position. */
static void velocity_is_the_rate_of_position(void **state)
{
    (void)state;
    for (int algorithm = 1; algorithm <= 9; algorithm++) {
        fm_reckoned before, now, after;
        double R[9], world[3], h = 1e-5;
        fm_track_reckon(&vehicle, algorithm, 1.3 - h, &before);
        fm_track_reckon(&vehicle, algorithm, 1.3, &now);
        fm_track_reckon(&vehicle, algorithm, 1.3 + h, &after);
        fm_quat_matrix(now.attitude, R);
        fm_vector_to_world(R, now.velocity, world);
        for (int i = 0; i < 3; i++)
            near("velocity", (after.position[i] - before.position[i]) / (2 * h), world[i], 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turning_body_goes_the_published_way),
        cmocka_unit_test(each_algorithm_is_the_integral_of_the_motion_it_assumes),
        cmocka_unit_test(the_series_meets_the_closed_form),
        cmocka_unit_test(velocity_is_the_rate_of_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
