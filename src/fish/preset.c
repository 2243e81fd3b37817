#include "fish/preset.h"

const fm_fish_tail fm_fish_preset_tail = {.joints = 4, .link = {0.060, 0.060, 0.050, 0.070}};

fm_fish_params fm_fish_preset(void)
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
