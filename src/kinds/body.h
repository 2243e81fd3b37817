/* The 6-DOF body: the default kind of vehicle. */
#ifndef FM_KINDS_BODY_H
#define FM_KINDS_BODY_H

#include "world/kind.h"

extern const fm_kind fm_kind_body;

/* body_build.c */
fm_status fm_body_build(fm_part_load *load, const void *config, fm_type *type, fm_error *error);
/* body_hull.c; call when mass and buoyancy are known. */
fm_status fm_body_build_hull(fm_part_load *load, fm_type *type, fm_error *error);
/* body_grid.c; call when the columns of the hull are known. */
fm_status fm_body_build_grid(fm_part_load *load, fm_type *type);
/* body_hull.c: fm_kind's weigh. */
void fm_body_weigh(fm_type *type, double ratio);
/* body_modes.c: the longest stable step of the body. The number of parts that a step at the surface is divided into, so
 * that floating produces no visible energy; and fm_kind's judge_step. */
int32_t fm_body_surface_parts(const fm_type *type);
int fm_body_judge_step(const fm_type *type, double speed, double duration, fm_step_advice *advice);
/* body_modes.c: fm_kind's top_speed: forward, with the thrusters whose law is known. */
double fm_body_top_speed(const fm_type *type);
/* body_modes.c: weight and buoyancy and their moments (N, N m, body axes) on the resting body, its origin at this depth
 * (m) below a flat surface; the depth at which it floats level, or one far below the surface if it does not float. */
void fm_body_rest_wrench(const fm_type *type, double depth, double roll, double pitch, double f[6]);
double fm_body_rest_depth(const fm_type *type);
/* body_inspect.c: fm_kind's inspect: signs of damping and lift, balance, buoyancy, Coriolis terms that count twice. */
void fm_body_inspect(const fm_type *type, fm_remark_say *say, void *user);

/* body_foils.c: fin `i` of a vehicle, given by its size. */
struct fm_actuator_config;
fm_status fm_body_build_foil(fm_part_load *load, size_t i, const struct fm_actuator_config *c, double density,
                             fm_foil *foil, fm_error *error);

#endif
