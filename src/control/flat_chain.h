/* What decides, measures and may be touched, in a block of physics/flat.h. */
#ifndef FM_CONTROL_FLAT_CHAIN_H
#define FM_CONTROL_FLAT_CHAIN_H

#include "control/follower.h"
#include "control/helm.h"
#include "control/sensor_suite.h"
#include "physics/diver.h"
#include "physics/flat.h"
#include "physics/ground.h"

static_assert(FM_HELM_INTEGERS == 5 && FM_HELM_NUMBERS == 97 && FM_SET_INTEGERS == 4 && FM_SET_NUMBERS == 7 &&
                  FM_ROUTE_INTEGERS == 3 && FM_ROUTE_NUMBERS == 7 && FM_FOLLOWER_INTEGERS == 17 &&
                  FM_FOLLOWER_NUMBERS == 31,
              "the shapes of physics/flat.h");
static_assert(offsetof(fm_helm, loops) + FM_HELM_NUMBERS * sizeof(fm_var) == sizeof(fm_helm) &&
                  offsetof(fm_set_points, depth) + FM_SET_NUMBERS * sizeof(fm_var) == sizeof(fm_set_points) &&
                  offsetof(fm_piloted_fin, mix) + 4 * sizeof(fm_var) == sizeof(fm_piloted_fin) &&
                  offsetof(fm_piloted_thruster, gain) + FM_THRUSTER_NUMBERS * sizeof(fm_var) ==
                      sizeof(fm_piloted_thruster) &&
                  offsetof(fm_mission_step, t) + FM_MISSION_STEP_NUMBERS * sizeof(fm_var) == sizeof(fm_mission_step) &&
                  offsetof(fm_route_params, lookahead) + FM_ROUTE_NUMBERS * sizeof(fm_var) == sizeof(fm_route_params) &&
                  offsetof(fm_stay_params, position) + FM_STAY_NUMBERS * sizeof(fm_var) == sizeof(fm_stay_params) &&
                  sizeof(fm_route_leg) == 2 * sizeof(fm_var) && sizeof(fm_helm_state) == FM_HELM_KEPT * sizeof(fm_real),
              "records of an autopilot: integers first, numbers next to each other");

static_assert(offsetof(fm_diver, a) + 11 * sizeof(fm_var) == sizeof(fm_diver) &&
                  offsetof(fm_follower, frame) + FM_FOLLOWER_NUMBERS * sizeof(fm_var) == sizeof(fm_follower) &&
                  sizeof(fm_follower_kept) == FM_FOLLOWER_KEPT * sizeof(fm_real),
              "the same of one that dives and follows the bottom");

static_assert(FM_SUITE_INTEGERS == 70 && FM_SUITE_NUMBERS == 4 && FM_INSTRUMENT_INTEGERS == 8 &&
                  FM_INSTRUMENT_NUMBERS == 53 && FM_FLAW_INTEGERS == 1 && FM_FLAW_NUMBERS == 17,
              "the shapes of physics/flat.h");
static_assert(offsetof(fm_suite, current) + FM_SUITE_NUMBERS * sizeof(fm_var) == sizeof(fm_suite) &&
                  offsetof(fm_suite_instrument, position) + FM_INSTRUMENT_NUMBERS * sizeof(fm_var) ==
                      sizeof(fm_suite_instrument) &&
                  offsetof(fm_flaw_params, noise) + FM_FLAW_NUMBERS * sizeof(fm_var) == sizeof(fm_flaw_params) &&
                  sizeof(fm_suite_kept) == (FM_SUITE_HEAD + FM_SUITE_INSTRUMENTS * FM_SENSED_NUMBERS) * sizeof(fm_real),
              "the same of a navigation and its instruments");

/* The autopilot in a block of this build, where its count of FM_FLAT_PILOT is 1; what solves for limited thrusters is
 * the caller's. */
FM_FN fm_helm_craft fm_flat_pilot(const fm_flat *flat)
{
    const char *block = (const char *)flat;
    fm_helm_craft c;
    c.p = (const fm_helm *)(const void *)(block + flat->at[FM_FLAT_PILOT]);
    c.set = (const fm_set_points *)(const void *)(block + flat->at[FM_FLAT_SET]);
    c.fins = (const fm_piloted_fin *)(const void *)(block + flat->at[FM_FLAT_FINS]);
    c.fin_count = (int)flat->count[FM_FLAT_FINS];
    c.thrusters.each = (const fm_piloted_thruster *)(const void *)(block + flat->at[FM_FLAT_THRUSTERS]);
    c.thrusters.count = (int)flat->count[FM_FLAT_THRUSTERS];
    c.thrusters.solve = NULL;
    c.mission.steps = (const fm_mission_step *)(const void *)(block + flat->at[FM_FLAT_STEPS]);
    c.mission.count = (int)flat->count[FM_FLAT_STEPS];
    c.route.p = (const fm_route_params *)(const void *)(block + flat->at[FM_FLAT_ROUTE]);
    c.route.points = (const fm_var(*)[3])(const void *)(block + flat->at[FM_FLAT_POINTS]);
    c.route.legs = (const fm_route_leg *)(const void *)(block + flat->at[FM_FLAT_LEGS]);
    c.route.count = (int)flat->count[FM_FLAT_POINTS];
    c.stay = (const fm_stay_params *)(const void *)(block + flat->at[FM_FLAT_STAY]);
    c.dt = (fm_par)flat->step_s;
    return c;
}

/* The navigation, where the count of FM_FLAT_SUITE is 1. */
FM_FN fm_suite_craft fm_flat_suite(const fm_flat *flat)
{
    const char *block = (const char *)flat;
    fm_suite_craft c;
    c.p = (const fm_suite *)(const void *)(block + flat->at[FM_FLAT_SUITE]);
    c.instruments = (const fm_suite_instrument *)(const void *)(block + flat->at[FM_FLAT_INSTRUMENTS]);
    c.flaws = (const fm_flaw_params *)(const void *)(block + flat->at[FM_FLAT_FLAWS]);
    c.dt = (fm_par)flat->step_s;
    return c;
}

#endif
