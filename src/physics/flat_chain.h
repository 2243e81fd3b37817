/* What decides, measures and may be touched, in a block of physics/flat.h. */
#ifndef FM_PHYSICS_FLAT_CHAIN_H
#define FM_PHYSICS_FLAT_CHAIN_H

#include "physics/diver.h"
#include "physics/flat.h"
#include "physics/follower.h"
#include "physics/ground.h"
#include "physics/helm.h"
#include "physics/turn_record.h"

static_assert(FM_HELM_INTEGERS == 22 && FM_HELM_NUMBERS == 117 && FM_GROUND_INTEGERS == 6 && FM_GROUND_NUMBERS == 6 &&
                  FM_FOLLOWER_INTEGERS == 15 && FM_FOLLOWER_NUMBERS == 26,
              "the shapes of physics/flat.h");
static_assert(offsetof(fm_helm, loops) + FM_HELM_NUMBERS * sizeof(fm_var) == sizeof(fm_helm) &&
                  offsetof(fm_helm_fin, mix) + 4 * sizeof(fm_var) == sizeof(fm_helm_fin) &&
                  offsetof(fm_helm_thruster, gain) + 16 * sizeof(fm_var) == sizeof(fm_helm_thruster) &&
                  offsetof(fm_helm_step, t) + 6 * sizeof(fm_var) == sizeof(fm_helm_step) &&
                  sizeof(fm_helm_leg) == 2 * sizeof(fm_var) && sizeof(fm_helm_state) == FM_HELM_KEPT * sizeof(fm_real),
              "records of an autopilot: integers first, numbers next to each other");

static_assert(offsetof(fm_turn_record, from) + 2 * sizeof(fm_var) == sizeof(fm_turn_record) &&
                  sizeof(fm_turn_kept) == FM_TURN_NUMBERS * sizeof(fm_real) &&
                  offsetof(fm_ground, depth) + FM_GROUND_NUMBERS * sizeof(fm_var) == sizeof(fm_ground) &&
                  sizeof(fm_ground_mound) == 5 * sizeof(fm_var) &&
                  offsetof(fm_ground_solid, centre) + 15 * sizeof(fm_var) == sizeof(fm_ground_solid),
              "the same of a turn and of what may be touched");

static_assert(offsetof(fm_diver, a) + 11 * sizeof(fm_var) == sizeof(fm_diver) &&
                  offsetof(fm_follower, frame) + FM_FOLLOWER_NUMBERS * sizeof(fm_var) == sizeof(fm_follower) &&
                  sizeof(fm_follower_kept) == FM_FOLLOWER_KEPT * sizeof(fm_real),
              "the same of one that dives and follows the bottom");

/* The autopilot in a block of this build, where its count of FM_FLAT_PILOT is 1; `share` is the caller's. */
FM_FN fm_helm_craft fm_flat_pilot(const fm_flat *flat)
{
    const char *block = (const char *)flat;
    fm_helm_craft c;
    c.p = (const fm_helm *)(const void *)(block + flat->at[FM_FLAT_PILOT]);
    c.fins = (const fm_helm_fin *)(const void *)(block + flat->at[FM_FLAT_FINS]);
    c.thrusters = (const fm_helm_thruster *)(const void *)(block + flat->at[FM_FLAT_THRUSTERS]);
    c.steps = (const fm_helm_step *)(const void *)(block + flat->at[FM_FLAT_STEPS]);
    c.points = (const fm_var(*)[3])(const void *)(block + flat->at[FM_FLAT_POINTS]);
    c.legs = (const fm_helm_leg *)(const void *)(block + flat->at[FM_FLAT_LEGS]);
    c.share = NULL;
    c.dt = (fm_par)flat->step_s;
    return c;
}

/* What is around the vehicle, where the count of FM_FLAT_GROUND is 1. */
FM_FN fm_ground_craft fm_flat_ground(const fm_flat *flat)
{
    const char *block = (const char *)flat;
    fm_ground_craft c;
    c.p = (const fm_ground *)(const void *)(block + flat->at[FM_FLAT_GROUND]);
    c.nodes = (const fm_var *)(const void *)(block + flat->at[FM_FLAT_NODES]);
    c.mounds = (const fm_ground_mound *)(const void *)(block + flat->at[FM_FLAT_MOUNDS]);
    c.solids = (const fm_ground_solid *)(const void *)(block + flat->at[FM_FLAT_SOLIDS]);
    c.dt = (fm_par)flat->step_s;
    return c;
}

#endif
