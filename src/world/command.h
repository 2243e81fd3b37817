/* Descriptions of commands: rows and arguments of the table, and generic functions with which every door handles
 * commands. Needs only the C library and base/error.h; the client library compiles it too. */
#ifndef FM_WORLD_COMMAND_H
#define FM_WORLD_COMMAND_H

#include <stddef.h>

#include <fathom/command.h>
#include <fathom/status.h>

typedef enum fm_argument_type {
    FM_ARGUMENT_NAME,   /* char[size] */
    FM_ARGUMENT_NUMBER, /* double */
    FM_ARGUMENT_VECTOR, /* double[3] */
    FM_ARGUMENT_WHOLE,  /* int64_t */
    FM_ARGUMENT_BYTES   /* fm_command_bytes */
} fm_argument_type;
typedef enum fm_argument_need { FM_ARGUMENT_NEEDED, FM_ARGUMENT_OPTIONAL, FM_ARGUMENT_UNSET } fm_argument_need;
typedef enum fm_argument_role { FM_ARGUMENT_PLAIN, FM_ARGUMENT_VEHICLE, FM_ARGUMENT_PATH } fm_argument_role;

typedef struct fm_argument {
    const char *name;
    const char *words; /* of a vector: names of its numbers, separated by spaces */
    const char *unit, *about;
    fm_argument_type type;
    fm_argument_need need;
    fm_argument_role role;
    size_t offset; /* in fm_command */
    size_t size;   /* bytes of a name, NUL included */
    double fallback, least, most;
} fm_argument;

typedef enum fm_command_thread { FM_COMMAND_THREAD_LOOP, FM_COMMAND_THREAD_STEP } fm_command_thread;
typedef enum fm_command_who { FM_COMMAND_WHO_COMMANDER, FM_COMMAND_WHO_ALL } fm_command_who;
typedef enum fm_command_door {
    FM_COMMAND_DOOR_WIRE,
    FM_COMMAND_DOOR_TEXT,
    FM_COMMAND_DOOR_PAGE,
    FM_COMMAND_DOOR_ROS2,
    FM_COMMAND_DOORS
} fm_command_door;

typedef struct fm_command_row {
    const char *word, *title, *about;
    fm_command_kind kind;
    fm_command_thread thread;
    fm_command_who who;
    const char *refused[FM_COMMAND_DOORS]; /* why a door does not offer it; NULL: it does */
    const fm_argument *arguments;
    size_t argument_count;
} fm_command_row;

/* Maximum names besides the vehicle, and numbers, of any command. */
enum { FM_COMMAND_NAMES_MOST = 4, FM_COMMAND_NUMBERS_MOST = 24 };

const fm_command_row *fm_command_row_of(fm_command_kind kind); /* NULL: no such command */
const fm_command_row *fm_command_row_find(const char *word);   /* '-' and '_' are the same; NULL: none */
const fm_argument *fm_command_argument(const fm_command_row *row, fm_argument_role role); /* the first; NULL: none */

/* The position of an argument in a command. */
void *fm_argument_at(const fm_argument *argument, fm_command *command);
const void *fm_argument_in(const fm_argument *argument, const fm_command *command);
/* Numbers of an argument: 0, 1 or 3. A whole number is read and written as a double. */
size_t fm_argument_numbers(const fm_argument *argument);
void fm_argument_read(const fm_argument *argument, const fm_command *command, double *numbers);
/* Refuses numbers that are out of range or not whole. */
fm_status fm_argument_write(const fm_argument *argument, fm_command *command, const double *numbers, fm_error *error);
fm_status fm_argument_write_name(const fm_argument *argument, fm_command *command, const char *name, fm_error *error);
fm_status fm_argument_write_bytes(const fm_argument *argument, fm_command *command, const void *bytes, size_t size,
                                  fm_error *error);

/* A command with the defaults of its arguments and no names; FM_ERR_ARGUMENT: unknown command. */
fm_status fm_command_begin(fm_command *command, fm_command_kind kind, fm_error *error);
/* Checks that names are terminated and present, numbers in range, whole numbers whole: everything that needs no
 * world. */
fm_status fm_command_check(const fm_command *command, fm_error *error);
/* The same command with zeros in unused places, so that equal commands have equal bytes. It must have been checked. */
void fm_command_copy(fm_command *to, const fm_command *from);

/* Its vehicle, its first other name, and its first number; "" and 0 if it has none. */
const char *fm_command_vehicle(const fm_command *command);
const char *fm_command_target(const fm_command *command);
double fm_command_value(const fm_command *command);

#endif
