/* Rays of the forward-looking sonar against closed forms, and its pixels. docs/theory/remus.md (R9a) */
#include "support/cmocka_all.h"

#include <math.h>

#include "sensors/fan_rays.h"

enum { NODES = 100 };

typedef struct sea {
    fm_node_line line;
    double below[NODES];
} sea;

/* A bottom at 20 m that rises to `top` [m] over the node interval that ends at 60 m, seen from (x, z) [m]. */
static fm_fan_profile make_sea(sea *s, double x, double z, double top)
{
    s->line = fm_node_line_of((double[]){x, 0, z}, 0, 0.5);
    for (int i = 0; i < NODES; i++)
        s->below[i] = fm_fan_below(x + fm_node_ahead(&s->line, i, 0.5) >= 60 - 1e-9 ? top : 20, z);
    return (fm_fan_profile){&s->line, s->below, NODES, 0.5};
}

static double range_at(const fm_fan_profile *p, double degrees)
{
    return fm_fan_meet(p, cos(degrees * FM_DEGREE), sin(degrees * FM_DEGREE));
}

static void a_ray_ends_on_the_level_bottom_on_the_face_and_on_the_top_where_geometry_says(void **state)
{
    (void)state;
    sea s;
    fm_fan_profile p = make_sea(&s, 40.3, 17, 16);
    /* the face is the line 8 (x - 59.5) + (z - 20) = 0 */
    for (double b = -2.75; b < 10; b += 0.25) {
        const double sine = sin(b * FM_DEGREE), cosine = cos(b * FM_DEGREE), level = 3 / sine,
                     face = (3 + 8 * 19.2) / (sine + 8 * cosine);
        const double expected = b > 0 && level * cosine < 19.2 ? level : face;
        assert_nearer(range_at(&p, b), expected, 1e-9);
    }
    assert_at_least(range_at(&p, -2.95), FM_HUGE); /* over the edge, 1 m up in 19.7 m: 2.906 degrees */
    assert_less(range_at(&p, -2.85), 20);
    p = make_sea(&s, 40.3, 15, 16); /* from above the top: beyond the edge it is met at 1 m / sin b */
    assert_nearer(range_at(&p, 2.5), 1 / sin(2.5 * FM_DEGREE), 1e-9);
    assert_nearer(range_at(&p, 4), (5 + 8 * 19.2) / (sin(4 * FM_DEGREE) + 8 * cos(4 * FM_DEGREE)), 1e-9);
    assert_at_least(range_at(&p, 0), FM_HUGE);
    assert_at_least(range_at(&p, -5), FM_HUGE);
}

static void a_ray_that_grazes_an_edge_ends_there_and_what_is_hidden_returns_nothing(void **state)
{
    (void)state;
    sea s;
    fm_fan_profile p = make_sea(&s, 50, 17, 16);
    const double edge = -atan(1 / 10.0) / FM_DEGREE, far = range_at(&p, edge + 1e-9);
    assert_nearer(far, sqrt(101), 1e-6); /* the edge itself */
    for (double b = edge + 0.01; b < 10; b += 0.1)
        assert_less(range_at(&p, b), 10.2); /* nothing of the top, which the edge hides */
    p = make_sea(&s, 50, 17,
                 22); /* a step down by 2 m: the first ray past its edge, 3 m below in 9.5 m, meets the deep */
    const double past = atan(3 / 9.5) / FM_DEGREE;
    assert_nearer(range_at(&p, past + 0.01), 3 / sin((past + 0.01) * FM_DEGREE), 1e-9);
    assert_nearer(range_at(&p, past - 0.01), 5 / sin((past - 0.01) * FM_DEGREE), 1e-9);
}

/* Without a bottom, and from below it. */
static void without_a_bottom_nothing_returns(void **state)
{
    (void)state;
    sea s;
    fm_fan_profile p = make_sea(&s, 0, 17, HUGE_VAL);
    for (int i = 0; i < NODES; i++)
        s.below[i] = fm_fan_below(HUGE_VAL, 17);
    for (double b = -10; b <= 10; b += 1)
        assert_at_least(range_at(&p, b), 1000);
    p = make_sea(&s, 62, 17, 16); /* inside the rise */
    for (double b = -10; b <= 10; b += 1)
        assert_at_least(range_at(&p, b), FM_HUGE);
}

static void a_pixel_returns_once_where_more_than_the_threshold_of_its_rays_end(void **state)
{
    (void)state;
    fm_fan f = {.beams = 20, .rays = 8, .range = 40, .bin = 1, .beam = FM_DEGREE, .half = 10 * FM_DEGREE};
    const double ranges[8] = {9.2, 9.9, 12.5, 9.5, 40.5, FM_HUGE, 12.1, 30};
    double bins[8];
    for (int j = 0; j < 8; j++)
        bins[j] = fm_fan_bin(&f, ranges[j]);
    assert_same(bins[0], 9);
    assert_same(bins[2], 12);
    assert_same(bins[4], -1);
    assert_same(bins[5], -1);
    static const struct {
        double threshold;
        int returns[8];
    } rows[] = {{0, {1, 0, 1, 0, 0, 0, 0, 1}},
                {0.2, {1, 0, 1, 0, 0, 0, 0, 0}},
                {0.25, {1, 0, 0, 0, 0, 0, 0, 0}},
                {0.4, {0, 0, 0, 0, 0, 0, 0, 0}}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        f.threshold = rows[n].threshold;
        for (int j = 0; j < 8; j++)
            assert_int_equal(fm_fan_returns(&f, bins, j), rows[n].returns[j]);
    }
    assert_nearer(fm_fan_bearing(&f, 0) + 9.5 * FM_DEGREE, 0, 1e-15);
    assert_nearer(fm_fan_ray(&f, 19, 7), 9.9375 * FM_DEGREE, 1e-15);
    assert_same(fm_fan_range(&f, 9), 9.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ray_ends_on_the_level_bottom_on_the_face_and_on_the_top_where_geometry_says),
        cmocka_unit_test(a_ray_that_grazes_an_edge_ends_there_and_what_is_hidden_returns_nothing),
        cmocka_unit_test(without_a_bottom_nothing_returns),
        cmocka_unit_test(a_pixel_returns_once_where_more_than_the_threshold_of_its_rays_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
