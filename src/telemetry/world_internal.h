/* Inside of the world's channels: world_channels.c registers, world_publish.c publishes. */
#ifndef FM_TELEMETRY_WORLD_INTERNAL_H
#define FM_TELEMETRY_WORLD_INTERNAL_H

#include "telemetry/markers.h"
#include "telemetry/part_message.h"
#include "telemetry/sea_messages.h"
#include "telemetry/world_channels.h"

enum { FM_NO_CHANNEL = UINT16_MAX };
enum { FM_EVENT_KIND = 128 }; /* bytes of the kind of an event, NUL included; longer ones are cut */

/* The parts of a type, ready for a vehicle in a slot. */
typedef struct fm_part_channel {
    uint16_t number;           /* FM_NO_CHANNEL: none */
    uint64_t stride;           /* ticks between two messages at least; 0: every sample */
    int64_t counted;           /* samples counted by the part at the last message */
    uint64_t last;             /* tick of the last message */
    char frame[FM_FRAME_SIZE]; /* that its numbers are in */
    char mount[FM_FRAME_SIZE]; /* of the instrument itself */
} fm_part_channel;

typedef struct fm_slot_channels {
    uint16_t odom, actuators, joints, wrench, battery;
    fm_part_channel **parts; /* by type, then by part; NULL: that type has no channels in this slot */
    char name[FM_NAME_SIZE]; /* of the vehicle that is there now; "": none */
    uint64_t told;           /* tick of the last sample + 1 */
} fm_slot_channels;

/* What is common to all vehicles of a type. */
typedef struct fm_type_channels {
    fm_part_message *parts;
    const char **joint_names;
    size_t *joints; /* actuators; NULL: the joints are the kind's own */
    size_t joint_count;
} fm_type_channels;

struct fm_world_channels {
    fm_channels *channels;
    fm_arena arena;
    fm_scene scene;
    fm_markers markers;
    fm_sea_messages sea;
    double dt;                     /* s */
    uint64_t stride;               /* ticks between samples; 0: each vehicle's step */
    uint64_t clock_stride, second; /* ticks: of the fastest vehicle; of 1 s */
    uint16_t clock, tf, tf_static, scene_channel, world_markers, vehicle_markers, events, inputs, metrics, diagnostics;
    uint16_t emissions, receptions; /* FM_NO_CHANNEL: there is no sound */
    uint16_t current, tethers;      /* FM_NO_CHANNEL: there is none */
    uint64_t told;                  /* tick + 1 of the last messages of the world */
    uint64_t epoch;                 /* steps before the last reset of the world: times count from its making */
    fm_type_channels *types;
    fm_slot_channels *slots;
    size_t slot_count, metric_most;
    /* messages in the making */
    fm_msg_odometry odometry;
    fm_msg_transform_stamped *transforms;
    size_t transform_count;
    double *orders, *values; /* of actuators; rates and angles of joints */
    fm_owner *owners;        /* of actuators */
    const char **owner_names;
    const char **metric_names, **metric_units;
    double *metric_values;
    char (*metric_texts)[FM_FRAME_SIZE];
    fm_msg_diagnostic_status *statuses;
    fm_msg_key_value *pairs;
    char (*pair_texts)[32];
};

#endif
