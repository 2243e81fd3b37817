/* Creating, checking and applying inputs. Constructors check the lengths of names; fm_world_input checks everything
 * else: the arguments with the table of commands, then their effect in the world. */
#ifndef FM_WORLD_INPUTS_H
#define FM_WORLD_INPUTS_H

#include <fathom/sound.h>
#include <fathom/world.h>

#include "world/command.h"

/* A command with the defaults of its arguments: its vehicle and its first other name are set if it has them. */
fm_status fm_input_begin(fm_input *input, fm_command_kind kind, const char *vehicle, const char *target,
                         fm_error *error);
/* The same for commands whose last argument is a number: set, order, fly, desire, sense. */
fm_status fm_input_value(fm_input *input, fm_command_kind kind, const char *vehicle, const char *target, double value,
                         fm_error *error);
fm_status fm_input_spawn(fm_input *input, const char *name, const char *like, const double position[3],
                         const double euler[3], fm_error *error);
/* Who gives it. */
void fm_input_set_holder(fm_input *input, const char *holder);
fm_status fm_input_force(fm_input *input, const char *vehicle, const double force[6], fm_error *error);
fm_status fm_input_sight(fm_input *input, const char *vehicle, const fm_sighting *seen, fm_error *error);
/* `list` may be NULL. */
fm_status fm_input_waypoint(fm_input *input, const char *vehicle, const char *list, int before,
                            const fm_waypoint *waypoint, fm_error *error);
fm_status fm_input_waypoint_move(fm_input *input, const char *vehicle, const char *list, int i,
                                 const fm_waypoint *waypoint, fm_error *error);
/* `modem` and `transducer` may be NULL. */
fm_status fm_input_message(fm_input *input, const char *vehicle, const char *modem, int64_t to, const void *data,
                           size_t size, fm_error *error);
fm_status fm_input_emission(fm_input *input, const char *vehicle, const char *transducer, const fm_emission *emission,
                            fm_error *error);

/* For each executor in the table of commands: whether the world accepts an input, whose arguments are already checked;
 * and applying it at the start of a step; 0: it had no effect and is not recorded. */
struct fm_world;
#define FM_COMMAND_WITH(name, NAME, number, word, Title, thread, who, carrier, ...)                                    \
    fm_status fm_##carrier##_check(struct fm_world *world, const fm_input *input, fm_error *error);                    \
    int fm_##carrier##_take(struct fm_world *world, const fm_input *input);
#include <fathom/command_table.h>

/* Name of the part with the waypoints of a vehicle that fm_world_waypoints would return; NULL: it has none. */
const char *fm_world_waypoint_list(const struct fm_world *world, const char *vehicle, const char *name);

struct fm_type;
struct fm_part;
/* The setpoints of a type in the order of the file, and the part that has each. */
size_t fm_type_setpoint_count(const struct fm_type *type);
const fm_setpoint *fm_type_setpoint(const struct fm_type *type, size_t i, const struct fm_part **part);
int fm_desire_known(const struct fm_world *world, int slot, const char *what);
int fm_desire_release(struct fm_world *world, int slot, const char *what); /* "": all; 0: it changed nothing */
/* sound_address.c: the acoustic address that a spawn requests; assigns it, or a free one. */
fm_status fm_address_check(const struct fm_world *world, const fm_command_spawn *spawn, fm_error *error);
void fm_address_give(struct fm_world *world, int slot, int64_t asked);

/* inputs.c: the type of a vehicle of the scenario, or one by its name; -1: none. */
int fm_model_find_type(const struct fm_model *model, const char *like);
/* Whether a live parameter is a whole number in the record; and whether it accepts a value. */
struct fm_attr;
int fm_live_is_whole(const struct fm_attr *attr);
fm_status fm_live_check(const struct fm_attr *attr, const char *path, double value, fm_error *error);

#endif
