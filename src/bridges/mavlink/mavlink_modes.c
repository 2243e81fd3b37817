#include "bridges/mavlink/mavlink_modes.h"

enum { CUSTOM = 1, AUTO = 4, GUIDED = 8, STABILIZE = 16, MANUAL = 64 }; /* MAV_MODE_FLAG */

#define PX4(main, sub) ((uint32_t)(main) << 16 | (uint32_t)(sub) << 24)

static const struct {
    const char *name;
    uint8_t flags, standard;
    uint32_t submarine, boat, px4;
} modes[FM_MAV_MODES] = {
    [FM_MAV_MANUAL] = {"MANUAL", MANUAL, 0, 19, 0, PX4(1, 0)},
    [FM_MAV_GUIDED] = {"GUIDED", GUIDED | STABILIZE, 0, 4, 15, PX4(6, 0)},
    [FM_MAV_AUTO] = {"AUTO", AUTO | GUIDED | STABILIZE, 6, 3, 10, PX4(4, 4)},
    [FM_MAV_HOLD] = {"HOLD", GUIDED | STABILIZE, 0, 16, 4, PX4(4, 3)},
};

const char *fm_mav_mode_name(fm_mav_mode mode)
{
    return modes[mode].name;
}

uint32_t fm_mav_mode_number(int dialect, int boat, fm_mav_mode mode)
{
    return dialect == FM_MAV_DIALECT_PX4 ? modes[mode].px4 : boat ? modes[mode].boat : modes[mode].submarine;
}

uint8_t fm_mav_mode_flags(fm_mav_mode mode)
{
    return (uint8_t)(modes[mode].flags | CUSTOM);
}

uint8_t fm_mav_mode_standard(fm_mav_mode mode)
{
    return modes[mode].standard;
}

uint8_t fm_mav_dialect_autopilot(int dialect)
{
    return dialect == FM_MAV_DIALECT_PX4 ? 12 : 0; /* MAV_AUTOPILOT_PX4, MAV_AUTOPILOT_GENERIC */
}

int fm_mav_mode_find(int dialect, int boat, uint8_t base_mode, uint32_t custom_mode)
{
    if (!(base_mode & CUSTOM))
        return base_mode & AUTO     ? FM_MAV_AUTO
               : base_mode & GUIDED ? FM_MAV_GUIDED
               : base_mode & MANUAL ? FM_MAV_MANUAL
                                    : -1;
    for (int i = 0; i < FM_MAV_MODES; i++)
        if (fm_mav_mode_number(dialect, boat, (fm_mav_mode)i) == custom_mode)
            return i;
    return -1;
}

int fm_mav_mode_of_command(int dialect, int boat, double base, double main_mode, double sub_mode)
{
    const int fits = base >= 0 && base <= UINT8_MAX && main_mode >= 0 && main_mode <= UINT8_MAX;
    if (!fits || !(sub_mode >= 0 && sub_mode <= UINT8_MAX))
        return -1;
    if (dialect != FM_MAV_DIALECT_PX4 && sub_mode != 0) /* meant for PX4, whose numbers mean other modes here */
        return -1;
    const uint32_t number =
        dialect == FM_MAV_DIALECT_PX4 ? PX4((uint32_t)main_mode, (uint32_t)sub_mode) : (uint32_t)main_mode;
    return fm_mav_mode_find(dialect, boat, (uint8_t)base, number);
}
