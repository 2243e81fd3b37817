/* Layout: the columns of a channel. Every value of a message gets a column with a dotted path
 * ("pose.pose.position.x", "covariance[2]"); sequences take as many columns as their longest message needs. Where a
 * message lists names beside sequences of numbers (fathom_msgs/Values, ActuatorState, Metrics, FlowSensors,
 * sensor_msgs/JointState), items are called by them: "rudder-top" of the field `values`, "rudder-top.orders" of others;
 * their units are those that the message lists.
 * Export, comparison and plotting read messages through a layout. */
#ifndef FM_TELEMETRY_LAYOUT_H
#define FM_TELEMETRY_LAYOUT_H

#include "telemetry/message.h"

typedef enum fm_cell_kind {
    FM_CELL_EMPTY, /* behind the end of a sequence */
    FM_CELL_REAL,
    FM_CELL_INT,
    FM_CELL_UINT,
    FM_CELL_TEXT
} fm_cell_kind;

typedef struct fm_cell {
    fm_cell_kind kind;
    union {
        double real;
        int64_t integer;
        uint64_t natural;
        struct {
            const char *start; /* within the message, not terminated */
            size_t length;
        } text;
    } value;
    float single; /* the same real when the field is a float32 */
} fm_cell;

enum { FM_FRAMES_WORLD = 1, FM_FRAMES_BODY = 2 }; /* "map" and "odom"; any other */

typedef struct fm_layout_column {
    const char *path;
    const fm_field *field;
    const char *unit;  /* its own, or inherited from the nearest enclosing field; "" for none */
    int stamp;         /* it is part of a time stamp */
    const char *alias; /* a second path that finds it; NULL: none */
    int frames;        /* of a frame_id: which were measured, FM_FRAMES_… */
} fm_layout_column;

typedef struct fm_layout {
    const fm_layout_column *columns; /* after fm_layout_finish */
    size_t count;
    const char *const *left_out; /* paths of sequences that were too long for columns */
    size_t left_out_count;
    struct fm_layout_node *root;
    const struct fm_layout_turn *turns; /* into our frames; none: rows hold the values of the messages unchanged */
    size_t turn_count;
    const struct fm_layout_pick *picks; /* per column, of a layout for tables; NULL: columns are those of messages */
    fm_cell *whole;                     /* a row of all columns of messages, picked from */
    size_t whole_count;
    struct fm_layout_names *names; /* of items; NULL: they are numbered */
    fm_arena arena;
} fm_layout;

/* Use: init, measure every message, finish, read every message. */
fm_status fm_layout_init(fm_layout *layout, const fm_message *type, fm_error *error);
fm_status fm_layout_measure(fm_layout *layout, const void *data, size_t size, fm_error *error);
/* A field that alone needs more than `max_columns` is left out and listed in left_out. */
fm_status fm_layout_finish(fm_layout *layout, size_t max_columns, fm_error *error);
/* Fills row[count]. Every length in the data is checked. */
fm_status fm_layout_read(const fm_layout *layout, const void *data, size_t size, fm_cell *row, fm_error *error);
/* From now on rows are in our frames, NED and forward-starboard-down, instead of the frames of messages, ENU and
 * forward-port-up. Components of vectors are named north, east, down or forward, starboard, down (x, y and z find them
 * too), except where the frame changes from message to message. Drawings (markers, the scene) are not converted. `type`
 * is the type of the layout. Call after fm_layout_finish. */
fm_status fm_layout_use_ned(fm_layout *layout, const fm_message *type, fm_error *error);
/* From now on rows are for tables: roll, pitch and yaw in rad follow each quaternion, and covariances are left out
 * unless they are wanted. Drawings get no angles. Call last. */
fm_status fm_layout_use_tables(fm_layout *layout, const fm_message *type, int covariances, fm_error *error);
/* The column of a path, or -1. */
long fm_layout_find(const fm_layout *layout, const char *path);
void fm_layout_free(fm_layout *layout);

/* The cell as a number; NaN for empty cells and texts. */
double fm_cell_number(const fm_cell *cell);
/* Whether two cells have the same bits. */
int fm_cell_same(const fm_cell *a, const fm_cell *b);

#endif
