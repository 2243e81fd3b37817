/* What is at the surface, asked of boats, buoys and divers by everyone who wants to know. */
#include <fathom/instrument.h>

#include "support/scenario.h"

#include "bridges/pilot/pilot_view.h"
#include "world/surface.h"

typedef struct craft {
    const char *model;
    double depth;
    int floats, surfaced, dry;
} craft;

/* Divers lie at the surface with their origin in the water plane, or well below. */
static int surfaced(const fm_world *world)
{
    return (world->slots[0].vehicle->passed & FM_PASSED_SURFACE) != 0;
}

static const craft crafts[] = {
    {"otter", 0, 1, 1, 1},          {"heron", 0, 1, 1, 1},     {"kvlcc2", 0, 1, 1, 1},     {"wavesim-buoy", 0, 1, 1, 1},
    {"wavesim-asv", 0, 1, 1, 1},    {"lauv", 0, 0, 1, 1},      {"remus-100", 0, 0, 1, 1},  {"nps-auv-ii", 0, 0, 1, 1},
    {"lauv", 5, 0, 0, 0},           {"remus-100", 2, 0, 0, 0}, {"nps-auv-ii", 3, 0, 0, 0}, {"wavesim-auv", 4, 0, 0, 0},
    {"bluerov2-heavy", 2, 0, 0, 0},
};

static fm_world *launch(const craft *c, const char *parts)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.01 s' duration='30 s'/><vehicle name='it' model='%s' position='0 0 %g m'>"
        "%s</vehicle></fathom>",
        c->model, c->depth, parts);
    return start(text);
}

static void expect(const craft *c, const char *what, int found, int wanted)
{
    if (found != wanted)
        fail_msg("%s at %g m: %s is %d, not %d", c->model, c->depth, what, found, wanted);
}

static void check(const craft *c, const fm_world *world)
{
    fm_pilot_view view;
    expect(c, "floats", fm_type_floats(world->slots[0].type), c->floats);
    expect(c, "surfaced", surfaced(world), c->surfaced);
    expect(c, "antenna dry", fm_slot_antenna_dry(world, 0), c->dry);
    assert_true(fm_pilot_view_fill(world, 0, &view));
    expect(c, "boat of the pilot's view", view.boat, c->floats);
    expect(c, "dry of the pilot's view", view.dry, c->dry);
}

static void boats_and_divers_at_the_surface_are_surfaced_and_no_others(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < FM_COUNT(crafts); i++) {
        fm_world *world = launch(&crafts[i], "");
        check(&crafts[i], world);                /* at once */
        step(world, crafts[i].floats ? 500 : 3); /* one that is half out of the water at first sinks back */
        check(&crafts[i], world);
        finish(world);
    }
}

/* Fixes in five seconds at 10 Hz. */
static void a_gps_without_a_place_has_a_fix_all_the_time_on_a_boat_and_none_below(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < FM_COUNT(crafts); i++) {
        fm_world *world = launch(&crafts[i], "<gps period='0.1 s'/>");
        size_t gps = (size_t)fm_world_instrument_find(world, 0, "gps");
        step(world, 20);
        uint64_t before = fm_world_instrument(world, 0, gps).samples;
        step(world, crafts[i].floats ? 500 : 50);
        fm_instrument_info info = fm_world_instrument(world, 0, gps);
        expect(&crafts[i], "fixes", (int)(info.samples - before), crafts[i].dry ? crafts[i].floats ? 50 : 5 : 0);
        expect(&crafts[i], "antenna dry", fm_slot_antenna_dry(world, 0), crafts[i].dry);
        finish(world);
    }
}

static void an_antenna_that_is_mounted_under_water_stays_wet(void **unused)
{
    (void)unused;
    fm_world *world = launch(&crafts[0], "<gps position='0 0 0.3 m'/>");
    step(world, 300);
    assert_true(surfaced(world) && !fm_slot_antenna_dry(world, 0));
    finish(world);
}

static void a_transducer_without_a_place_is_under_a_boat_and_in_the_middle_of_a_diver(void **unused)
{
    (void)unused;
    fm_world *boat = launch(&crafts[0], "<transducer/>"), *diver = launch(&crafts[8], "<transducer/>");
    const double z = fm_part_mount(&boat->slots[0].type->parts[0])->position[2];
    near("below the lowest float", z, 0.0914634 + 0.0853658 / 2 + FM_KEEL_DEPTH, 1e-6);
    near("in the middle", fm_part_mount(&diver->slots[0].type->parts[0])->position[2], 0, 0);
    finish(boat);
    finish(diver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boats_and_divers_at_the_surface_are_surfaced_and_no_others),
        cmocka_unit_test(a_gps_without_a_place_has_a_fix_all_the_time_on_a_boat_and_none_below),
        cmocka_unit_test(an_antenna_that_is_mounted_under_water_stays_wet),
        cmocka_unit_test(a_transducer_without_a_place_is_under_a_boat_and_in_the_middle_of_a_diver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
