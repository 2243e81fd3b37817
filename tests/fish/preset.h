/* The four-joint robotic fish: 0.40 m long with a head of 0.16 m, in fresh water. St, nu and the 1.2 of (H9) are from
 * the paper; the others are chosen (docs/theory/fish.md). The product has these numbers in models/robotic-fish.xml. */
#ifndef TESTS_FISH_PRESET_H
#define TESTS_FISH_PRESET_H

#include "physics/fish.h"

#define HEAD_LENGTH 0.16 /* nose to joint 1, m */
#define HEAD_WIDTH 0.055 /* of the head's collision box, m */
#define TAIL_WIDTH 0.050 /* of the tail's collision box, m */
#define SERVO_ROWS 18    /* M */

static const fm_fish_tail preset_tail = {.joints = 4, .link = {0.060, 0.060, 0.050, 0.070}};

static inline fm_fish_params preset_fish(void)
{
    return (fm_fish_params){
        .c1 = 0.05,
        .c2 = 0.05 / 0.24,
        .k = 2 * FM_PI / 0.60,
        .tail_length = 0.24,
        .strouhal = 0.30,
        .wetted_area = 0.06059004729686285,
        .mass = 0.6591008970453396,
        .density = 1000,
        .viscosity = 1.12e-6,
        .reynolds_length = 0.24,
        .turn_gain = 1.2,
        .frequency_max = 2.5,
        .deflection_max = 50 * FM_PI / 180,
    };
}

#endif
