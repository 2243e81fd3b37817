/* The whole of WaVeSim: vehicles that find their place by sound, map the water and talk through a relay. */
#include "support/scenario.h"

/* Four minutes of the survey: the filter is within its own covariance (a mean of 3; one run of 240 s holds about 40
 * independent fixes), the map is that of the true field to the instrument's noise, and every report came through. */
static void the_survey_finds_its_place_and_tells_it(void **state)
{
    (void)state;
    fm_world *world = start_scenario("wavesim-survey", NULL);
    run_until(world, 240);
    for (int i = 0; i < 3; i++) {
        below("error", metric_of(world, i, "position_error_rms"), 0.5);
        below("consistency", metric_of(world, i, "nees"), 5);
        below("map", metric_of(world, i, "field_error_rms"), 0.02);
        near("reports", metric_of(world, i, "messages_sent"), 5.5, 0.6);
        near("given up", metric_of(world, i, "messages_lost"), 0, 0);
    }
    const double sent = metric_of(world, 0, "messages_sent") + metric_of(world, 1, "messages_sent") +
                        metric_of(world, 2, "messages_sent");
    near("reports that reached the buoy", metric_of(world, 4, "messages_delivered"), sent, 1);
    finish(world);
}

/* Without fixes the same vehicles lose their way, and say so: the covariance grows. */
static void without_its_base_line_a_vehicle_drifts_and_knows_it(void **state)
{
    (void)state;
    fm_world *world = start_scenario("wavesim-survey", NULL);
    run_until(world, 60);
    const double known = column_of(world, 0, "navigation.covariance.north");
    set_live(world, "/auv-1/lbl/fault", 1);
    run_until(world, 200);
    below("covariance before, by a half more, against after", 1.5 * known,
          column_of(world, 0, "navigation.covariance.north"));
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_survey_finds_its_place_and_tells_it),
        cmocka_unit_test(without_its_base_line_a_vehicle_drifts_and_knows_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
