/* A hull that widens with the warmth of the water around it (V7), beside compression: closed forms, through the
 * program.
 */
#include "support/files.h"
#include "support/near.h"
#include "support/program.h"

static program_run r;

#define GRAVITY 9.80665

/* A neutral body of 100 kg without added mass and drag, 50 m deep in water of one density. */
#define SEA(profile)                                                                                                   \
    "<fathom version='1'><world dt='0.01 s' duration='60 s'><water density='1000 kg/m3'>" profile "</water></world>"
#define BODY(name, buoyancy)                                                                                           \
    "<vehicle name='" name                                                                                             \
    "' position='0 0 50 m'><mass mass='100 kg' inertia='10 10 10 kg*m2'/><buoyancy volume='0.1 m3' " buoyancy          \
    "/></vehicle>"
#define EVENLY_25 "<temperature surface='25 degC' slope1='0 K/m' slope2='0 K/m'/>"

/* Depth in the last row of a vehicle's table. */
static double last_depth(const char *scenario, const char *vehicle)
{
    char path[256], line[1024], last[1024] = "";
    double t = 0, x = 0, y = 0, z = NAN;
    write_file("expansion.xml", scenario);
    run_fathom(&r, "run expansion.xml --csv expansion --csv-rate 1");
    if (r.status != 0)
        fail_msg("%s%s", r.out, r.err);
    snprintf(path, sizeof path, "expansion/%s.csv", vehicle);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        memcpy(last, line, sizeof last);
    fclose(file);
    assert_int_equal(sscanf(last, "%lf,%lf,%lf,%lf", &t, &x, &y, &z), 4);
    near("time", t, 60, 1e-9);
    return z;
}

/* 1e-5 1/K and 10 K: buoyancy less weight is 1e-4 of the weight, upwards where the water is warmer. */
static void in_warmer_water_a_neutral_hull_rises_with_g_alpha_delta_t(void **unused)
{
    (void)unused;
    const double way = 0.5 * GRAVITY * 1e-4 * 60 * 60;
    static const char warm[] =
        SEA(EVENLY_25) BODY("v", "expansion='1e-5 1/K' reference-temperature='15 degC'") "</fathom>";
    static const char cold[] =
        SEA(EVENLY_25) BODY("v", "expansion='1e-5 1/K' reference-temperature='35 degC'") "</fathom>";
    static const char same[] =
        SEA(EVENLY_25) BODY("v", "expansion='1e-5 1/K' reference-temperature='25 degC'") "</fathom>";
    near("10 K above the reference", last_depth(warm, "v"), 50 - way, 1e-3 * way);
    near("10 K below it", last_depth(cold, "v"), 50 + way, 1e-3 * way);
    near("at it", last_depth(same, "v"), 50, 1e-9);
}

/* Water that is warmer below brings a neutral hull back: z = z0 + a cos(t √(g α dT/dz)). Here 0.05 rad/s and a = 4 m.
 */
static void in_water_that_warms_with_depth_it_swings_as_the_closed_form_says(void **unused)
{
    (void)unused;
    static const char text[] =
        SEA("<temperature surface='10 degC' z1='0 m' z2='1000 m' slope1='0.25 K/m' slope2='0 K/m'/>")
            BODY("v", "expansion='1e-3 1/K' reference-temperature='21.5 degC'") "</fathom>";
    const double rate = sqrt(GRAVITY * 1e-3 * 0.25);
    near("depth after 60 s", last_depth(text, "v"), 46 + 4 * cos(60 * rate), 0.01);
}

/* At the depth where compression takes what the warmth gives, the hull is neutral. */
static void expansion_and_compression_balance_where_their_parts_are_equal(void **unused)
{
    (void)unused;
    static const char text[] =
        SEA(EVENLY_25) BODY("v", "compression='2e-5 1/m' expansion='1.001001e-4 1/K' reference-temperature='15 degC'")
            BODY("w", "compression='2e-5 1/m'") "</fathom>";
    near("balanced", last_depth(text, "v"), 50, 0.02);
    near("compressed alone", last_depth(text, "w"), 50 + 50 * (cosh(60 * sqrt(GRAVITY * 2e-5)) - 1), 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_warmer_water_a_neutral_hull_rises_with_g_alpha_delta_t),
        cmocka_unit_test(in_water_that_warms_with_depth_it_swings_as_the_closed_form_says),
        cmocka_unit_test(expansion_and_compression_balance_where_their_parts_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
