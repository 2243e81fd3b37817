/* Internals of the world's channels: world_channels.c registers those of the world, vehicle_channels.c those of
 * vehicles, world_publish.c publishes. */
#ifndef FM_TELEMETRY_WORLD_INTERNAL_H
#define FM_TELEMETRY_WORLD_INTERNAL_H

#include "telemetry/markers.h"
#include "telemetry/part_message.h"
#include "telemetry/sea_messages.h"
#include "telemetry/world_channels.h"

#define FM_NO_CHANNEL UINT32_MAX
enum { FM_EVENT_KIND = 128 }; /* bytes of the kind of an event, NUL included; longer ones are cut */

typedef struct fm_part_channel {
    uint32_t number;           /* FM_NO_CHANNEL: none */
    uint32_t info;             /* of a camera: that of its CameraInfo; FM_NO_CHANNEL: none */
    uint64_t stride;           /* minimum ticks between two messages; 0: every sample */
    int64_t counted;           /* samples counted by the part at the last message */
    uint64_t last;             /* tick of the last message */
    char frame[FM_FRAME_SIZE]; /* that its numbers are in */
    char mount[FM_FRAME_SIZE]; /* of the instrument itself */
} fm_part_channel;

enum { FM_OF_ODOM, FM_OF_ACTUATORS, FM_OF_JOINTS, FM_OF_WRENCH, FM_OF_BATTERY, FM_OF_SETPOINTS, FM_OF_VEHICLE };

/* The channels of one vehicle: open under its name while it is in the water, then free for the next of its type. */
typedef struct fm_channel_set {
    struct fm_channel_set *next; /* of the free ones */
    size_t type;
    uint32_t own[FM_OF_VEHICLE]; /* FM_NO_CHANNEL: vehicles of this type have no such channel */
    fm_part_channel *parts;      /* by part */
    size_t part_count;
    double *setpoints; /* as last published */
} fm_channel_set;

typedef struct fm_slot_channels {
    fm_channel_set *set;      /* the vehicle that uses them now; NULL: none */
    char name[FM_NAME_SIZE];  /* of that vehicle; "": none */
    uint64_t told;            /* tick of the last sample + 1 */
    char base[FM_FRAME_SIZE]; /* frame of that vehicle */
} fm_slot_channels;

/* A channel that every vehicle of a type has: its topic without the vehicle's name, "odom", and how it is
 * registered. */
typedef struct fm_channel_pattern {
    const char *name;
    fm_channel_options options;
} fm_channel_pattern;

/* Shared by all vehicles of a type. */
typedef struct fm_type_channels {
    fm_part_message *parts;
    const char **joint_names;
    size_t *joints; /* actuators; NULL: the joints belong to the kind */
    size_t joint_count;
    const char **setpoint_names, **setpoint_units; /* "hover-pd/depth", "m" */
    size_t setpoint_count;
    fm_channel_pattern *patterns; /* FM_OF_VEHICLE, one per part, one per part for its CameraInfo; name NULL: none */
    size_t pattern_count;
    fm_channel_load load; /* of a vehicle */
    fm_channel_set *free; /* sets without a vehicle */
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
    uint32_t clock, tf, tf_static, scene_channel, world_markers, vehicle_markers, events, inputs, metrics, diagnostics;
    uint32_t emissions, receptions; /* FM_NO_CHANNEL: the world has no sound */
    uint32_t current, tethers;      /* FM_NO_CHANNEL: there is none */
    int begun;                      /* the scene was published */
    uint64_t told;                  /* tick + 1 of the last messages of the world */
    uint64_t epoch;                 /* steps before the last reset of the world: times count from its creation */
    fm_type_channels *types;
    fm_slot_channels *slots;
    size_t slot_count, metric_most;
    fm_overlay_channels *overlays; /* of real vehicles */
    size_t overlay_count;
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

fm_status fm_channels_no_memory(fm_error *error);
double fm_world_channels_rate(const fm_world_channels *w, uint64_t ticks); /* Hz, of what is due every `ticks` */

/* --- vehicle_channels.c --- */

/* The patterns of a type; called after its parts and joints are known. */
fm_status fm_vehicle_channels_plan(fm_world_channels *w, const fm_type *type, fm_type_channels *out, fm_error *error);
/* Space in rings for a vehicle in every slot. */
void fm_vehicle_channels_reserve(fm_world_channels *w, const fm_world *world);
/* Closes the channels of vehicles that have left and opens those of vehicles that have arrived, at `now` (ns). Returns
 * whether there were any; *status reports missing memory, and the vehicle is tried again in the next step. */
int fm_vehicle_channels_follow(fm_world_channels *w, const fm_world *world, uint64_t now, fm_status *status,
                               fm_error *error);

#endif
