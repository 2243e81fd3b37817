/* The published REMUS: coefficients of the diving model, and the sonar's threat. In every build of the kernels. */
#ifndef FM_TESTS_REMUS_PARAMS_H
#define FM_TESTS_REMUS_PARAMS_H

#include "control/threat.h"
#include "physics/angle.h"
#include "physics/diving.h"

static inline fm_diving_params remus_params(double speed)
{
    return (fm_diving_params){.mass = 30.48,
                              .inertia = 3.45,
                              .weight = 299,
                              .buoyancy = 306,
                              .centre_of_gravity = 0.0196,
                              .z_w = -66.6,
                              .z_q = -9.67,
                              .z_wdot = -35.5,
                              .z_qdot = -1.93,
                              .z_delta = -50.6,
                              .m_w = 30.7,
                              .m_q = -6.87,
                              .m_wdot = -1.93,
                              .m_qdot = -4.88,
                              .m_delta = -34.6,
                              .table_speed = 1.54,
                              .speed = speed,
                              .scaled = 1};
}

static inline fm_threat_params remus_threat(double gain, int stabilised)
{
    return (fm_threat_params){.range = 40,
                              .zone = 20,
                              .weight = 1.3,
                              .half_sector = 10 * FM_DEGREE,
                              .spacing = 0.5,
                              .reference_spacing = 0.5,
                              .frame = 2.5,
                              .gain = gain,
                              .altitude = 3,
                              .stabilised = stabilised};
}

#endif
