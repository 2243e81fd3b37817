/* Making, checking and taking inputs. Makers check the lengths of names; all else is checked by fm_world_input. */
#ifndef FM_WORLD_INPUTS_H
#define FM_WORLD_INPUTS_H

#include <fathom/sound.h>
#include <fathom/world.h>

fm_status fm_input_order(fm_input *input, const char *vehicle, const char *actuator, double value, fm_error *error);
fm_status fm_input_parameter(fm_input *input, const char *path, double value, fm_error *error);
fm_status fm_input_spawn(fm_input *input, const char *name, const char *like, const double position[3],
                         const double euler[3], fm_error *error);
fm_status fm_input_remove(fm_input *input, const char *name, fm_error *error);
fm_status fm_input_desire(fm_input *input, const char *vehicle, const char *what, double value, fm_error *error);
/* `target` may be NULL: all of the vehicle. `kind`: FM_INPUT_TAKE, RELEASE, ENGAGE, DISENGAGE. */
fm_status fm_input_steer(fm_input *input, fm_input_kind kind, const char *vehicle, const char *target, fm_error *error);
/* Who gives it. */
void fm_input_set_holder(fm_input *input, const char *holder);
fm_status fm_input_force(fm_input *input, const char *vehicle, const double force[6], fm_error *error);
fm_status fm_input_sense(fm_input *input, const char *vehicle, const char *what, double value, fm_error *error);
fm_status fm_input_sight(fm_input *input, const char *vehicle, const fm_sighting *seen, fm_error *error);
/* `kind` is FM_INPUT_WAYPOINT_…; `list` may be NULL; without `waypoint` for FM_INPUT_WAYPOINT_CLEAR. */
fm_status fm_input_waypoint(fm_input *input, fm_input_kind kind, const char *vehicle, const char *list, int place,
                            const fm_waypoint *waypoint, fm_error *error);
/* `modem` and `transducer` may be NULL. */
fm_status fm_input_message(fm_input *input, const char *vehicle, const char *modem, int64_t to, const void *data,
                           size_t size, fm_error *error);
fm_status fm_input_emission(fm_input *input, const char *vehicle, const char *transducer, const fm_emission *emission,
                            fm_error *error);

/* steering.c: checking inputs of these kinds, and taking them. */
fm_status fm_desire_check(const struct fm_world *world, const fm_input *input, fm_error *error);
int fm_desire_take(struct fm_world *world, const fm_input *input); /* 0: it changed nothing */
struct fm_type;
struct fm_part;
/* The setpoints of a type in the order of the file, and the part that has each. */
size_t fm_type_setpoint_count(const struct fm_type *type);
const fm_setpoint *fm_type_setpoint(const struct fm_type *type, size_t i, const struct fm_part **part);
int fm_desire_known(const struct fm_world *world, int slot, const char *what);
int fm_desire_release(struct fm_world *world, int slot, const char *what); /* "": all; 0: it changed nothing */
fm_status fm_force_check(const struct fm_world *world, const fm_input *input, fm_error *error);
void fm_force_take(struct fm_world *world, const fm_input *input);
fm_status fm_waypoint_check(const struct fm_world *world, const fm_input *input, fm_error *error);
void fm_waypoint_take(struct fm_world *world, const fm_input *input);
fm_status fm_sighting_check(const struct fm_world *world, const fm_input *input, fm_error *error);
void fm_sighting_take(struct fm_world *world, const fm_input *input);
/* sound_inputs.c: the same. */
fm_status fm_message_check(const struct fm_world *world, const fm_input *input, fm_error *error);
void fm_message_take(struct fm_world *world, const fm_input *input);
fm_status fm_emission_check(const struct fm_world *world, const fm_input *input, fm_error *error);
void fm_emission_take(struct fm_world *world, const fm_input *input);
/* sound_address.c: the acoustic address that a spawn asks for; giving it, or a free one. */
fm_status fm_address_check(const struct fm_world *world, const fm_input *input, fm_error *error);
void fm_address_give(struct fm_world *world, int slot, int64_t asked);
/* sensing.c */
fm_status fm_sense_check(const struct fm_world *world, const fm_input *input, fm_error *error);
void fm_sense_take(struct fm_world *world, const fm_input *input);

/* inputs.c: the type of a vehicle of the scenario, or one by its name; -1: there is none. */
int fm_model_find_type(const struct fm_model *model, const char *like);
/* Whether a live parameter is a whole number in the record; and whether it takes a value. */
struct fm_attr;
int fm_live_is_whole(const struct fm_attr *attr);
fm_status fm_live_check(const struct fm_attr *attr, const char *path, double value, fm_error *error);

#endif
