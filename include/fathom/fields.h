/* Fields and actuators of a model: what can be observed and ordered, by name, with units, limits and shapes; and access
 * to many of them at once in a world. Indices of fields and actuators are valid for a model, its variants
 * (fathom/variant.h) and its worlds.
 *
 *     size_t fields[2], room;
 *     fm_model_field_find(model, "rov.position", &fields[0], &error);      (3 numbers)
 *     fm_model_field_find(model, "rov.sonar.ranges", &fields[1], &error);
 *     fm_world_read(world, fields, 2, values, room, &error);
 */
#ifndef FATHOM_FIELDS_H
#define FATHOM_FIELDS_H

#include <fathom/quantity.h>
#include <fathom/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A field: some numbers that change in a run. Belongs to the model. The first one, "time", is the time since the start
 * of the run. Those of each vehicle of the scenario follow, in this order:
 *   x, y, z (m, NED), phi, theta, psi (rad), u, v, w, p, q, r (over ground, body axes);
 *   position (3), euler (3), velocity (6): the same as vectors; attitude (4): quaternion w x y z, body → world;
 *   speed, charge, contact (1: touches an obstacle, the bottom or a vehicle);
 *   the values of its actuators (deflection, shaft speed …), joints, columns of its kind;
 *   the outputs of its sensors and controllers, "dvl.velocity", as in fathom/instrument.h. */
typedef struct fm_field_info {
    const char *name;    /* below its vehicle: "x", "dvl.velocity"; "time"; NULL: no such field */
    const char *vehicle; /* "rov"; "": of the world */
    const char *unit;    /* SI; "": no dimension */
    double min, max;     /* limits of each number; -infinity and infinity: none */
    size_t count;        /* numbers: the product of `shape` */
    int dimensions;      /* 0: one number */
    size_t shape[3];     /* of an image: rows, columns, channels */
    fm_output_type type; /* how it is kept; fm_world_read and environments give numbers */
    int lanes;           /* 1: available in the engines simd and cuda of an environment */
} fm_field_info;
/* Returns the number of fields. */
FM_API size_t fm_model_field_count(const fm_model *model);
/* Returns field `i`, from 0. */
FM_API fm_field_info fm_model_field(const fm_model *model, size_t i);
/* Finds a field by its vehicle and name ("rov.x"); '-' and '_' are the same. A name without a vehicle ("x") means the
 * first vehicle. */
FM_API fm_status fm_model_field_find(const fm_model *model, const char *name, size_t *field, fm_error *error);

/* An actuator of a vehicle of the scenario. Belongs to the model. */
typedef struct fm_model_actuator_info {
    const char *name;    /* "stern-planes"; NULL: no such actuator */
    const char *vehicle; /* "phoenix" */
    const char *group;   /* name that orders a group of them; "": none */
    const char *element; /* "fin", "propeller" …: what wrote it */
    const char *unit;    /* of orders and values */
    double min, max;     /* accepted orders */
    double rate;         /* greatest change per second; 0: no limit */
} fm_model_actuator_info;
/* Returns the number of actuators of vehicle `vehicle` of the scenario. */
FM_API size_t fm_model_actuator_count(const fm_model *model, size_t vehicle);
/* Returns actuator `i` of a vehicle, in the order of fm_world_column. */
FM_API fm_model_actuator_info fm_model_actuator(const fm_model *model, size_t vehicle, size_t i);
/* Finds an actuator of a vehicle by name; '-' and '_' are the same. */
FM_API fm_status fm_model_actuator_find(const fm_model *model, size_t vehicle, const char *name, size_t *actuator,
                                        fm_error *error);

/* Orders all actuators of the vehicle in a slot at once: `count` values in their units, in the order of
 * fm_world_column; a NaN leaves its actuator as it is. The same as fm_world_order for each: applied at the start of
 * the next step, and recorded. If one is refused, none is ordered. */
FM_API fm_status fm_world_order_all(fm_world *world, int slot, const double *values, size_t count, fm_error *error);
/* Reads fields by index, one after the other, as numbers (SI). FM_ERR_FULL: they have more than `room` numbers. The
 * numbers of a vehicle that is not in the world are NaN. */
FM_API fm_status fm_world_read(const fm_world *world, const size_t *fields, size_t count, double *values, size_t room,
                               fm_error *error);

#ifdef __cplusplus
}
#endif
#endif
