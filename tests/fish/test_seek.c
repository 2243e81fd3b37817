/* A colour in pictures, and what a fish does about it: against drawn pictures whose geometry is known. */
#include "support/cmocka_all.h"
#include "support/near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fish/colour_blob.h"
#include "fish/seek.h"
#include "physics/real.h"

#define DEG (FM_PI / 180)
enum { WIDE = 160, HIGH = 120 };
static const double red[3] = {0.75, 0.12, 0.06};
static uint8_t picture[3 * WIDE * HIGH];

static uint8_t byte_of(double light)
{
    return (uint8_t)(255 * sqrt(light) + 0.5);
}

static void paint(int left, int top, int right, int bottom, const double colour[3])
{
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            for (int k = 0; k < 3; k++)
                picture[3 * (y * WIDE + x) + k] = byte_of(colour[k]);
}

/* An eye that looks `axis` to starboard with a field of view of `view`, rad. */
static fm_eye_lens eye(double axis, double view)
{
    return (fm_eye_lens){.width = WIDE,
                         .height = HIGH,
                         .pixel = 2 * tan(0.5 * view) / WIDE,
                         .rotation = {cos(axis), -sin(axis), 0, sin(axis), cos(axis), 0, 0, 0, 1}};
}

static fm_hue hue_of(const double colour[3])
{
    fm_hue hue;
    assert_true(fm_hue_of(colour, 30 * DEG, &hue));
    return hue;
}

/* (I9): a surface of this colour in half light, seen through r m of the default water. */
static void seen_through(double r, const double colour[3], uint8_t rgb[3])
{
    static const double loss[3] = {0.35, 0.08, 0.06}, water[3] = {0.10, 0.42, 0.50};
    for (int k = 0; k < 3; k++)
        rgb[k] = byte_of(0.4 * colour[k] * exp(-loss[k] * r) + 0.75 * water[k] * (1 - exp(-loss[k] * r)));
}

/* Red, green, blue, yellow, grey and black, up to 1.8 m each; red up to 3 m. Beyond that yellow has lost its red. */
static void a_hue_is_known_through_water_and_others_are_not_taken_for_it(void **state)
{
    (void)state;
    static const double colours[][3] = {{0.75, 0.12, 0.06}, {0.10, 0.60, 0.12}, {0.08, 0.15, 0.75},
                                        {0.80, 0.70, 0.08}, {0.55, 0.55, 0.50}, {0, 0, 0}};
    uint8_t rgb[3];
    for (int sought = 0; sought < 4; sought++) {
        fm_hue hue = hue_of(colours[sought]);
        for (int other = 0; other < 6; other++)
            for (double r = 0.2; r < (sought == 0 ? 3 : 1.9); r += 0.2) {
                seen_through(r, colours[other], rgb);
                if (fm_hue_matches(&hue, rgb) != (other == sought))
                    fail_msg("colour %d for %d at %g m", other, sought, r);
            }
    }
    fm_hue green = hue_of(colours[1]), hue = hue_of(red);
    seen_through(3, colours[3], rgb);
    assert_true(fm_hue_matches(&green, rgb));
    seen_through(6, red, rgb);
    assert_false(fm_hue_matches(&hue, rgb));                         /* red light has gone */
    assert_false(fm_hue_matches(&hue, (const uint8_t[3]){9, 2, 2})); /* too dark to tell */
    assert_true(fm_hue_matches(&hue, (const uint8_t[3]){40, 12, 10}));
    assert_false(fm_hue_of((const double[3]){0.5, 0.5, 0.48}, 0.5, &hue)); /* grey */
    assert_false(fm_hue_of((const double[3]){0, 0, 0}, 0.5, &hue));
}

/* A block of columns [left, right) of an eye that looks to `axis`: edges at atan of their place on the plane. */
static void bearing_width_and_area_of_a_block_are_those_of_its_edges(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        double axis = side * 30 * DEG, view = 60 * DEG, f = WIDE / (2 * tan(0.5 * view));
        fm_eye_lens lens = eye(axis, view);
        fm_hue hue = hue_of(red);
        fm_blob_bins bins;
        fm_blob blob;
        paint(0, 0, WIDE, HIGH, (const double[3]){0.1, 0.42, 0.5});
        paint(20, 50, 50, 70, red);
        fm_blob_begin(&bins);
        fm_blob_add(&bins, &hue, &lens, picture);
        assert_true(fm_blob_find(&bins, 1e-6, &blob));
        double left = axis + atan((20 - 80) / f), right = axis + atan((50 - 80) / f), area = 0;
        for (int y = 50; y < 70; y++)
            for (int x = 20; x < 50; x++) {
                double u = (x + 0.5 - 80) / f, v = (y + 0.5 - 60) / f;
                area += 1 / (f * f) / pow(1 + u * u + v * v, 1.5);
            }
        near("bearing", blob.bearing, 0.5 * (left + right), 0.3 * DEG);
        near("width", blob.width, right - left, 0.2 * DEG);
        near("area", blob.area, area, 1e-9);
    }
}

/* Half of it in each eye is one thing dead ahead; of two things the larger counts. */
static void what_two_eyes_share_is_one_thing_and_the_larger_thing_counts(void **state)
{
    (void)state;
    fm_hue hue = hue_of(red);
    fm_eye_lens left = eye(-30 * DEG, 60 * DEG), right = eye(30 * DEG, 60 * DEG);
    fm_blob_bins bins;
    fm_blob blob;
    fm_blob_begin(&bins);
    paint(0, 0, WIDE, HIGH, (const double[3]){0.1, 0.42, 0.5});
    paint(140, 50, WIDE, 70, red);
    paint(5, 50, 15, 60, red);
    fm_blob_add(&bins, &hue, &left, picture);
    paint(0, 0, WIDE, HIGH, (const double[3]){0.1, 0.42, 0.5});
    paint(0, 50, 20, 70, red);
    fm_blob_add(&bins, &hue, &right, picture);
    assert_true(fm_blob_find(&bins, 1e-6, &blob));
    double edge = 30 * DEG - atan(60 / (WIDE / (2 * tan(30 * DEG))));
    near("dead ahead", blob.bearing, 0, 0.1 * DEG);
    near("both halves", blob.width, 2 * edge, 0.2 * DEG);
    assert_false(fm_blob_find(&bins, 1, &blob)); /* a steradian is asked for */
    fm_blob_begin(&bins);
    assert_false(fm_blob_find(&bins, 0, &blob));
}

static const fm_seek_params params = {.size = 30 * DEG, .turn = 0.5, .leg = 6, .widest = 110 * DEG};

static void the_fish_turns_to_the_side_of_what_it_sees(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        fm_seek_state s;
        fm_seek_begin(&s);
        fm_seek_see(&params, &s, &(fm_blob){side * 20 * DEG, 5 * DEG, 0.01});
        fm_fish_decision d = fm_seek_decide(&params, &s, 0.2, 0, 0.05);
        assert_int_equal(d.behaviour, FM_FISH_APPROACH);
        near("twice the bearing", d.turn, side * 2 * 20 * DEG, 1e-12);
        near("at full speed", d.speed, 0.2, 1e-12);
        d = fm_seek_decide(&params, &s, 0.2, side * 1.0, 0.1); /* its own turn counts until the next picture */
        near("less is left", d.turn, side * 2 * (20 * DEG - 0.1), 1e-12);
        for (int i = 0; i < 3; i++)
            fm_seek_see(&params, &s, NULL);
        d = fm_seek_decide(&params, &s, 0.2, 0, 0.05);
        assert_int_equal(d.behaviour, FM_FISH_SEARCH);
        near("the search goes to the side where it was", d.turn, side * 0.5, 1e-12);
    }
}

static void a_search_is_a_turn_of_400_degrees_and_a_straight_leg(void **state)
{
    (void)state;
    fm_seek_state s;
    fm_seek_begin(&s);
    double t = 0, turned = 0, rate = 0;
    for (; t < 60; t += 0.05) {
        fm_fish_decision d = fm_seek_decide(&params, &s, 0.2, rate, 0.05);
        assert_int_equal(d.behaviour, FM_FISH_SEARCH);
        if (d.turn == 0)
            break;
        rate = d.turn;
        turned += rate * 0.05;
    }
    near("turned", turned, 1.1 * 2 * FM_PI, 0.05);
    double straight = 0;
    while (fm_seek_decide(&params, &s, 0.2, 0, 0.05).turn == 0 && straight < 60)
        straight += 0.05;
    near("leg", straight, 6, 0.11);
}

/* The law of the circle in the plane: a point that swims at 0.1 m/s about a disc keeps the apparent width. */
static void circling_keeps_the_apparent_width(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        fm_seek_state s;
        fm_seek_begin(&s);
        double x = -2, y = 0.1 * side, heading = 0, radius = 0.15, swept = 0, turn = 0, width = 0, error = 0;
        double wanted = radius / sin(15 * DEG);
        for (int i = 0; i < 20 * 200; i++) {
            double d = sqrt(x * x + y * y), before = atan2(y, x);
            double bearing = remainder(atan2(-y, -x) - heading, 2 * FM_PI);
            width = 2 * asin(radius / d);
            if (i % 4 == 0)
                fm_seek_see(&params, &s, fabs(bearing) < 110 * DEG ? &(fm_blob){bearing, width, 0.1} : NULL);
            fm_fish_decision c = fm_seek_decide(&params, &s, 0.2, turn, 0.05);
            turn = c.turn;
            heading += turn * 0.05;
            x += c.speed * 0.05 * cos(heading);
            y += c.speed * 0.05 * sin(heading);
            if (i > 20 * 100) {
                swept += remainder(atan2(y, x) - before, 2 * FM_PI);
                error = fmax(error, fabs(sqrt(x * x + y * y) - wanted));
            }
        }
        print_message("swept %.2f rad, at most %.3f m off %.3f m\n", swept, error, wanted);
        assert_int_equal(s.behaviour, FM_FISH_CIRCLE);
        assert_greater(fabs(swept), 4 * FM_PI);
        assert_less(error, 0.1 * wanted);
    }
}

static void without_pictures_it_is_lost_after_three_seconds(void **state)
{
    (void)state;
    fm_seek_state s;
    fm_seek_begin(&s);
    fm_seek_see(&params, &s, &(fm_blob){0.1, 0.1, 0.01});
    double t = 0;
    while (t < 10 && fm_seek_decide(&params, &s, 0.2, 0, 0.05).behaviour != FM_FISH_SEARCH)
        t += 0.05;
    near("lost after", t, 3, 0.051);
}

static void echoes_of_what_is_approached_are_no_obstacle_unless_close(void **state)
{
    (void)state;
    fm_seek_state s;
    fm_seek_begin(&s);
    assert_false(fm_seek_wants(&s, 0, 1));
    fm_seek_see(&params, &s, &(fm_blob){20 * DEG, 10 * DEG, 0.01});
    assert_true(fm_seek_wants(&s, 20 * DEG, 1) && fm_seek_wants(&s, 24 * DEG, 0.4));
    assert_false(fm_seek_wants(&s, 20 * DEG, 0.25));
    assert_false(fm_seek_wants(&s, 32 * DEG, 1) || fm_seek_wants(&s, -20 * DEG, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hue_is_known_through_water_and_others_are_not_taken_for_it),
        cmocka_unit_test(bearing_width_and_area_of_a_block_are_those_of_its_edges),
        cmocka_unit_test(what_two_eyes_share_is_one_thing_and_the_larger_thing_counts),
        cmocka_unit_test(the_fish_turns_to_the_side_of_what_it_sees),
        cmocka_unit_test(a_search_is_a_turn_of_400_degrees_and_a_straight_leg),
        cmocka_unit_test(circling_keeps_the_apparent_width),
        cmocka_unit_test(without_pictures_it_is_lost_after_three_seconds),
        cmocka_unit_test(echoes_of_what_is_approached_are_no_obstacle_unless_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
