/* The message of a part (sensor, controller), filled from its output block by the field paths that its class declares.
 */
#ifndef FM_TELEMETRY_PART_MESSAGE_H
#define FM_TELEMETRY_PART_MESSAGE_H

#include "telemetry/covariance.h"
#include "telemetry/message.h"
#include "telemetry/scene.h"
#include "world/model.h"

/* How one number (or a run of numbers, or a quaternion) gets from the output block into the C struct of the message. */
typedef struct fm_part_copy {
    uint32_t source;     /* byte of the output block */
    uint32_t bytes;      /* nonzero: this number of bytes is copied unchanged */
    uint32_t quaternion; /* nonzero: four values w x y z become a Quaternion; 1 + fm_output_frame */
    int heading;         /* the value is a heading (rad from north over east) and becomes a level Quaternion */
    fm_output_type from;
    fm_field_type type;
    void *target;
    double scale, shift; /* of the unit, and -1 for axes that change sign */
    const char **names;  /* of a NAME: the names of its values */
    size_t name_count;
} fm_part_copy;

/* The frame of the numbers of a message: that of the instrument (of the vehicle if it is not mounted), the axes of the
 * vehicle, the world's, or the optical frame of a camera. */
typedef enum fm_part_frame { FM_FRAME_MOUNT, FM_FRAME_VEHICLE, FM_FRAME_MAP, FM_FRAME_OPTICAL } fm_part_frame;

typedef struct fm_part_message {
    const fm_message *type; /* NULL: the part publishes nothing */
    void *message;          /* its C struct; the constant fields are filled in */
    fm_msg_header *header;  /* inside it; NULL where it has none */
    const char **child;     /* the child_frame_id inside it; NULL if it has none */
    fm_part_frame frame;
    fm_part_copy *copies;
    size_t copy_count;
    fm_covariance covariances[FM_COVARIANCES]; /* that depend on live parameters or on the sample */
    size_t covariance_count;
    size_t max_size; /* bytes, with the longest frame id */
} fm_part_message;

/* Memory is taken from the arena. FM_ERR_NAME and FM_ERR_MODEL if the class names an unknown message, field or unit. */
fm_status fm_part_message_make(const fm_part *part, fm_arena *arena, fm_part_message *out, fm_error *error);

/* Copies the values from the output block; the caller fills the header and publishes. Never allocates. `live`: the
 * part's parameters in force, for covariances. */
void fm_part_message_fill(fm_part_message *message, const void *output, const void *live);

/* The output that gives the orientation of an Imu by a heading alone (a compass); NULL: none. */
const fm_output *fm_part_message_heading(const fm_part *part, const fm_message *type);

#endif
