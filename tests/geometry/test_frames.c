/* Frames: kinematics and their inverse, and places on the ellipsoid against published points. */
#include <fathom/frames.h>
#include <math.h>

#include "physics/earth.h"
#include "physics/posture.h"
#include "support/cmocka_all.h"
#include "support/near.h"

/* Numbers between −1 and 1 that repeat. */
static double next_number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1;
}

static void draw_attitude(unsigned *seed, double e[3])
{
    e[0] = 3 * next_number(seed);
    e[1] = 1.5 * next_number(seed);
    e[2] = 3 * next_number(seed);
}

/* --- kinematics --- */

static void velocities_come_back_from_the_world(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (int n = 0; n < 1000; n++) {
        double e[3], body[6], world[6], back[6];
        draw_attitude(&seed, e);
        for (int i = 0; i < 6; i++)
            body[i] = next_number(&seed);
        fm_frames_to_world(e, body, world);
        fm_frames_to_body(e, world, back);
        for (int i = 0; i < 6; i++)
            assert_near(back[i], body[i], 1e-13 / cos(e[1]));
    }
}

/* Angles that change linearly turn the body; the derivative of the matrix shows by how much: Rᵀ Ṙ = S(ω). */
static void body_rates_are_those_that_turn_the_matrix(void **state)
{
    (void)state;
    unsigned seed = 2;
    for (int n = 0; n < 200; n++) {
        const double h = 1e-4;
        double e[3], world[6] = {0}, body[6], R[9], fore[9], aft[9], ahead[3], astern[3], turn[9];
        draw_attitude(&seed, e);
        for (int i = 0; i < 3; i++) {
            world[3 + i] = next_number(&seed);
            ahead[i] = e[i] + h * world[3 + i];
            astern[i] = e[i] - h * world[3 + i];
        }
        fm_euler_matrix(e, R);
        fm_euler_matrix(ahead, fore);
        fm_euler_matrix(astern, aft);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                turn[3 * i + k] = 0;
                for (int m = 0; m < 3; m++)
                    turn[3 * i + k] += R[3 * m + i] * (fore[3 * m + k] - aft[3 * m + k]) / (2 * h);
            }
        fm_frames_to_body(e, world, body);
        assert_near(body[3], turn[7], 1e-7);
        assert_near(body[4], turn[2], 1e-7);
        assert_near(body[5], turn[3], 1e-7);
    }
}

static void straight_up_and_down_body_rates_are_finite(void **state)
{
    (void)state;
    const double up[3] = {0.3, FM_PI / 2, 1}, down[3] = {0.3, -FM_PI / 2, 1}, world[6] = {0, 0, 0, 0.2, 0.1, 0.5};
    double body[6];
    fm_frames_to_body(up, world, body);
    assert_near(body[3], 0.2 - 0.5, 1e-15); /* roll and heading turn about one axis */
    assert_near(body[4], 0.1 * cos(0.3), 1e-15);
    assert_near(body[5], -0.1 * sin(0.3), 1e-15);
    fm_frames_to_body(down, world, body);
    assert_near(body[3], 0.2 + 0.5, 1e-15);
}

static void the_inverse_of_the_rates_is_not_the_transpose(void **state)
{
    (void)state;
    const double e[3] = {0.4, 0.7, 0.2};
    double T[9], inverse[9], transposed = 0;
    for (int k = 0; k < 3; k++) {
        double unit[6] = {0}, out[6];
        unit[3 + k] = 1;
        fm_frames_to_world(e, unit, out);
        for (int i = 0; i < 3; i++)
            T[3 * i + k] = out[3 + i];
        fm_frames_to_body(e, unit, out);
        for (int i = 0; i < 3; i++)
            inverse[3 * i + k] = out[3 + i];
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double product = 0;
            for (int m = 0; m < 3; m++)
                product += T[3 * i + m] * inverse[3 * m + k];
            assert_near(product, i == k, 1e-15);
            transposed = fmax(transposed, fabs(T[3 * k + i] - inverse[3 * i + k]));
        }
    assert_greater(transposed, 0.1);
}

static void rates_come_back_from_those_of_the_quaternion(void **state)
{
    (void)state;
    unsigned seed = 3;
    for (int n = 0; n < 200; n++) {
        double e[3], w[3], q[4], rate[4], back[3];
        draw_attitude(&seed, e);
        for (int i = 0; i < 3; i++)
            w[i] = next_number(&seed);
        fm_quat_from_euler(e, q);
        fm_quat_rate(q, w, rate);
        fm_rates_from_quat(q, rate, back);
        for (int i = 0; i < 3; i++)
            assert_near(back[i], w[i], 1e-15);
    }
}

/* Rodrigues' formula: v cos D + (a × v) sin D + a (a·v)(1 − cos D). */
static void a_turn_about_an_axis_is_that_of_rodrigues(void **state)
{
    (void)state;
    const double axis[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7}, v[3] = {0.3, -1.1, 0.4};
    for (double angle = -6; angle < 6; angle += 0.37) {
        double q[4], R[9], turned[3], cross[3];
        fm_quat_from_axis(axis, angle, q);
        fm_quat_matrix(q, R);
        fm_vector_to_world(R, v, turned);
        fm_cross(axis, v, cross);
        for (int i = 0; i < 3; i++)
            assert_near(turned[i],
                        v[i] * cos(angle) + cross[i] * sin(angle) + axis[i] * fm_dot(axis, v) * (1 - cos(angle)),
                        1e-14);
    }
}

/* --- places --- */

/* The worked examples of the IOGP's guidance note 7-2: geographic to geocentric, geocentric to topocentric. */
static const fm_geodetic north_sea = {(53 + 48 / 60.0 + 33.820 / 3600) * DEGREE,
                                      (2 + 7 / 60.0 + 46.380 / 3600) * DEGREE, 73};
static const double north_sea_xyz[3] = {3771793.968, 140253.342, 5124304.349};

static void a_published_point_is_where_it_is_published(void **state)
{
    (void)state;
    const fm_geodetic origin = {55 * DEGREE, 5 * DEGREE, 200};
    const double neu[3] = {-128642.040, -189013.869, -4220.171}; /* north, east, up */
    double xyz[3], ned[3];
    fm_geodetic_to_geocentric(&north_sea, xyz);
    fm_geodetic_to_local(&origin, &north_sea, ned);
    for (int i = 0; i < 3; i++) {
        assert_near(xyz[i], north_sea_xyz[i], 1e-3);
        assert_near(i == 2 ? -ned[i] : ned[i], neu[i], 1e-3);
    }
    fm_geodetic back = fm_geodetic_from_geocentric(north_sea_xyz);
    assert_near(back.latitude, north_sea.latitude, 1e-10);
    assert_near(back.longitude, north_sea.longitude, 1e-10);
    assert_near(back.height, 73, 1e-3);
}

static void equator_and_pole_lie_on_the_axes(void **state)
{
    (void)state;
    double xyz[3];
    fm_geodetic_to_geocentric(&(fm_geodetic){0, FM_PI / 2, -100}, xyz);
    assert_near(xyz[1], 6378137 - 100, 1e-9);
    fm_geodetic_to_geocentric(&(fm_geodetic){FM_PI / 2, 0, 0}, xyz);
    assert_near(xyz[2], 6356752.314245, 1e-6); /* semi-minor axis of WGS 84 */
    fm_geodetic pole = fm_geodetic_from_geocentric((const double[3]){0, 0, -6356752.314245});
    assert_near(pole.latitude, -FM_PI / 2, 1e-12);
    assert_near(pole.height, 0, 1e-6);
}

static void radii_of_curvature_are_those_of_the_tables(void **state)
{
    (void)state;
    double meridian, across;
    fm_earth_radii(0, &meridian, &across);
    assert_near(meridian, 6335439.3273, 1e-3); /* a (1 − e²) */
    assert_near(across, 6378137, 1e-9);
    fm_earth_radii(FM_PI / 2, &meridian, &across);
    assert_near(meridian, 6399593.6258, 1e-3); /* polar radius of curvature, WGS 84 */
    assert_near(across, 6399593.6258, 1e-3);
}

/* What one unit in the last place of the angles is worth on the ground, m. */
static double grain(const fm_geodetic *position)
{
    double latitude = nextafter(fabs(position->latitude), 10) - fabs(position->latitude);
    double longitude = nextafter(fabs(position->longitude), 10) - fabs(position->longitude);
    return 6.4e6 * fmax(latitude, longitude * cos(position->latitude));
}

static void places_come_back_from_the_centre_of_the_earth(void **state)
{
    (void)state;
    unsigned seed = 5;
    double worst = 0;
    for (int n = 0; n < 20000; n++) {
        fm_geodetic position = {1.57 * next_number(&seed), 3.14 * next_number(&seed), 11000 * next_number(&seed)};
        double xyz[3], again[3];
        fm_geodetic_to_geocentric(&position, xyz);
        fm_geodetic back = fm_geodetic_from_geocentric(xyz);
        fm_geodetic_to_geocentric(&back, again);
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, fabs(again[i] - xyz[i]) - grain(&position));
        assert_near(back.height, position.height, 5e-9);
    }
    assert_less(worst, 3e-9); /* three units in the last place of the radius */
}

static void local_places_come_back_to_a_billionth_of_a_metre(void **state)
{
    (void)state;
    static const fm_geodetic origins[] = {{41 * DEGREE, -8 * DEGREE, 0},
                                          {36.6 * DEGREE, -121.9 * DEGREE, 0},
                                          {-77 * DEGREE, 166 * DEGREE, 3},
                                          {0, 0, 0},
                                          {0.1, 3.14159, 0},
                                          {1.5, -1, -20}};
    unsigned seed = 6;
    double worst = 0;
    for (int n = 0; n < 20000; n++) {
        const fm_geodetic *origin = &origins[n % 6];
        double reach = n % 7 == 0 ? 1e5 : 2000, back[3];
        const double ned[3] = {reach * next_number(&seed), reach * next_number(&seed), 200 * next_number(&seed)};
        fm_geodetic position = fm_geodetic_from_local(origin, ned);
        assert_near(position.longitude, 0, FM_PI);
        fm_geodetic_to_local(origin, &position, back);
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, fabs(back[i] - ned[i]) - 0.5 * grain(&position));
    }
    assert_less(worst, 1e-9);
}

/* 1 km north is 1 km of meridian, 1 km east 1 km of parallel, and the plane leaves the sea by d²/2R. */
static void a_local_place_has_the_latitude_of_its_arc(void **state)
{
    (void)state;
    const fm_geodetic origin = {41 * DEGREE, -8 * DEGREE, 0};
    double meridian, across;
    fm_earth_radii(origin.latitude, &meridian, &across);
    fm_geodetic north = fm_geodetic_from_local(&origin, (const double[3]){1000, 0, 0});
    assert_near((north.latitude - origin.latitude) * meridian, 1000, 1e-3);
    assert_near(north.height, 1000 * 1000 / (2 * meridian), 1e-4);
    fm_geodetic east = fm_geodetic_from_local(&origin, (const double[3]){0, 1000, 0});
    assert_near((east.longitude - origin.longitude) * across * cos(origin.latitude), 1000, 1e-3);
    assert_near(east.height, 1000 * 1000 / (2 * across), 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_come_back_from_the_world),
        cmocka_unit_test(body_rates_are_those_that_turn_the_matrix),
        cmocka_unit_test(straight_up_and_down_body_rates_are_finite),
        cmocka_unit_test(the_inverse_of_the_rates_is_not_the_transpose),
        cmocka_unit_test(rates_come_back_from_those_of_the_quaternion),
        cmocka_unit_test(a_turn_about_an_axis_is_that_of_rodrigues),
        cmocka_unit_test(a_published_point_is_where_it_is_published),
        cmocka_unit_test(equator_and_pole_lie_on_the_axes),
        cmocka_unit_test(radii_of_curvature_are_those_of_the_tables),
        cmocka_unit_test(places_come_back_from_the_centre_of_the_earth),
        cmocka_unit_test(local_places_come_back_to_a_billionth_of_a_metre),
        cmocka_unit_test(a_local_place_has_the_latitude_of_its_arc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
