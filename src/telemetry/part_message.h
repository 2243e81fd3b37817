/* The message of a part (sensor, controller), filled from its output block by the field paths that its class declares.
 */
#ifndef FM_TELEMETRY_PART_MESSAGE_H
#define FM_TELEMETRY_PART_MESSAGE_H

#include "telemetry/message.h"
#include "telemetry/scene.h"
#include "world/model.h"

/* One number (or a run of them, or a quaternion) on its way from the output block into the C struct of the message. */
typedef struct fm_part_copy {
    uint32_t source;     /* byte of the output block */
    uint32_t bytes;      /* not 0: that many bytes are copied as they stand */
    uint32_t quaternion; /* not 0: four values w x y z become a Quaternion; 1 + fm_output_frame */
    fm_output_type from;
    fm_field_type type;
    void *target;
    double scale, shift; /* of the unit, and -1 for the axes that turn */
    const char **names;  /* of a NAME: what its values stand for */
    size_t name_count;
} fm_part_copy;

/* The frame that the numbers of a message are in: that of the instrument (of the vehicle where it is mounted nowhere),
 * the axes of the vehicle, or the world's. */
typedef enum fm_part_frame { FM_FRAME_MOUNT, FM_FRAME_VEHICLE, FM_FRAME_MAP } fm_part_frame;

typedef struct fm_part_message {
    const fm_message *type; /* NULL: the part tells nothing */
    void *message;          /* its C struct; all that never changes is filled in */
    fm_msg_header *header;  /* inside it; NULL where it has none */
    const char **child;     /* inside it, the child_frame_id; NULL where it has none */
    fm_part_frame frame;
    fm_part_copy *copies;
    size_t copy_count;
    size_t max_size; /* bytes, with the longest frame id */
} fm_part_message;

/* Memory comes from the arena. FM_ERR_NAME and FM_ERR_MODEL where the class names an unknown message, field or unit. */
fm_status fm_part_message_make(const fm_part *part, fm_arena *arena, fm_part_message *out, fm_error *error);

/* Takes the values out of the output block; then header and publishing are up to the caller. Never allocates. */
void fm_part_message_fill(fm_part_message *message, const void *output);

#endif
