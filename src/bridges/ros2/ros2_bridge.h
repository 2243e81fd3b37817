/* Internals of the bridge to ROS 2. It uses three threads: the stepping thread (begin, steer, step, end), the loop's
 * (taking, commands, services) and that of a sink (writing). Cyclone's own threads only wake the loop's. */
#ifndef FM_BRIDGES_ROS2_ROS2_BRIDGE_H
#define FM_BRIDGES_ROS2_ROS2_BRIDGE_H

#include <pthread.h>

#include "bridges/ros2/dds.h"
#include "bridges/ros2/ros2_config.h"
#include "bridges/ros2/ros2_inlet.h"
#include "bridges/ros2/ros2_names.h"
#include "bridges/ros2/ros2_service.h"
#include "server/door.h"
#include "world/world.h"

enum { FM_ROS2_TAG = 0x20520532 }; /* of inputs that come this way */
enum { CLOCK = 12 };               /* bytes of a clock */

typedef enum fm_ros2_count {
    FM_ROS2_SENT,
    FM_ROS2_TAKEN,
    FM_ROS2_DROP_RING,    /* messages of the run that came faster than they could be written */
    FM_ROS2_DROP_WRITE,   /* that DDS did not take */
    FM_ROS2_DROP_SYNTAX,  /* from outside: no such message */
    FM_ROS2_DROP_VALUE,   /* from outside: an invalid number, a name that is too long */
    FM_ROS2_DROP_FRAMING, /* requests without the header of Cyclone's services */
    FM_ROS2_DROP_FULL,    /* the queue of the run was full */
    FM_ROS2_DROP_REFUSED, /* by the world */
    FM_ROS2_COUNTS
} fm_ros2_count;

typedef struct fm_ros2_bridge fm_ros2_bridge;
typedef struct fm_ros2_call fm_ros2_call; /* ros2_services.c */

/* A reader: of a topic, or of the requests of a service. The loop's thread, except `ready`. */
typedef struct fm_ros2_ear {
    fm_ros2_bridge *bridge;
    struct fm_ros2_ear *next;
    fm_dds_end reader, casual; /* of a topic; a service has the first */
    fm_dds_end reply;          /* of a service */
    _Atomic int ready;         /* something can be taken */
    int slot;                  /* of the vehicle; -1: of the run */
    int service;               /* fm_ros2_service_kind; -1: a topic */
    fm_ros2_inlet inlet;       /* of a topic */
} fm_ros2_ear;

/* A commanded velocity of a vehicle; under the lock. */
typedef struct fm_ros2_twist {
    double velocity[6]; /* m/s, rad/s, body axes */
    int fresh;          /* came since the last step */
    int active;
    double stamp, last;        /* s of simulation: when it arrived; time up to which it was followed */
    double heading, depth;     /* rad, m: held now */
    double pitch, roll;        /* rad: the same, where their rates were ordered */
    int sways, pitches, rolls; /* these were ordered, and the vehicle has such setpoints */
} fm_ros2_twist;

/* Who is in a slot. */
typedef struct fm_ros2_name {
    char name[32]; /* "": none */
    const fm_type *type;
} fm_ros2_name;

struct fm_ros2_bridge {
    const fm_ros2_config *config;
    size_t gid_size; /* bytes of a gid in ros_discovery_info */
    fm_host *host;
    fm_dds *dds;
    uv_async_t wake;
    int opened; /* it is to be closed */
    fm_counter *counts[FM_ROS2_COUNTS];
    int slots;

    pthread_mutex_t ears_lock; /* of these; never taken in a step */
    fm_ros2_ear *ears;
    fm_ros2_name *heard; /* vehicles that have ears, by slot */
    fm_dds_end discovery;

    /* By channel. Only the sink's thread changes them once it runs, under ears_lock; it reads them without the lock. */
    fm_dds_end *writers;
    char (*names)[FM_ROS2_NAME]; /* of their topics in ROS 2; "": none */
    size_t writer_count;
    uint32_t *sequences; /* of the last message of each; the sink's thread */

    pthread_mutex_t lock; /* of these, for moments */
    fm_run *run;          /* NULL: none, or over */
    fm_ros2_name *roster; /* who is in the water, by slot */
    int roster_changed;
    fm_ros2_twist *twists;  /* by slot */
    fm_ros2_call *answered; /* by the world, on their way back */
    char refusal[160];      /* the world's answer to an input of ours; "": none new */

    pthread_mutex_t clock_lock;     /* of these, while a clock is written: none goes back */
    fm_dds_end clock;               /* writer; entity 0: none */
    uint8_t clock_bytes[CLOCK];     /* the last message */
    size_t clock_size, clock_index; /* bytes, 0: none; channel */
    uint64_t clock_time;            /* ns of the loop's clock, when it was written */

    /* the loop's thread */
    fm_arena arena;      /* of the message being read */
    fm_ros2_call *calls; /* of services, being worked on */
    struct fm_ros2_reply *held;
    uv_timer_t retry; /* of replies that are held */
    uv_timer_t beat;  /* of the clock of a paused run */
    char told[160];   /* the last refusal that was reported */
};

static inline void fm_ros2_tally(fm_ros2_bridge *bridge, fm_ros2_count what)
{
    atomic_fetch_add(bridge->counts[what], 1);
}

/* ros2_ends.c: writers, readers, and the discovery data for other nodes. */
fm_status fm_ros2_outlets_open(fm_ros2_bridge *bridge, const fm_sink *sink, fm_error *error);
/* The sink's thread: a channel of a vehicle has this topic from now on; "": none. */
fm_status fm_ros2_outlet_rename(fm_ros2_bridge *bridge, uint32_t channel, const fm_channel_info *info, fm_error *error);
fm_status fm_ros2_ears_open(fm_ros2_bridge *bridge, fm_error *error); /* of the run */
/* Creates readers for new vehicles, removes those of vehicles that left, and notifies other nodes. */
fm_status fm_ros2_ears_follow(fm_ros2_bridge *bridge, fm_error *error);
void fm_ros2_ears_close(fm_ros2_bridge *bridge); /* frees memory; the readers are deleted with their participant */

/* ros2_services.c: the loop's thread. */
/* origin: of a request of Fast DDS; NULL: of Cyclone. */
void fm_ros2_serve(fm_ros2_bridge *bridge, const fm_ros2_ear *ear, const void *data, size_t size,
                   const fm_dds_identity *origin);
void fm_ros2_calls_answer(fm_ros2_bridge *bridge); /* sends replies to requests that the world has answered */
void fm_ros2_calls_drop(fm_ros2_bridge *bridge);

void fm_ros2_replies_retry(fm_ros2_bridge *bridge);

/* ros2_clock.c */
void fm_ros2_clock_note(fm_ros2_bridge *bridge, size_t channel, const char *topic);
/* The sink's thread: writes a message of the clock; 0: DDS refused it. */
int fm_ros2_clock_write(fm_ros2_bridge *bridge, const fm_sink_message *message);
/* The loop's thread: writes it again while the run is paused, so that nodes that come now know the time. */
void fm_ros2_clock_repeat(fm_ros2_bridge *bridge);
void fm_ros2_clock_end(fm_ros2_bridge *bridge); /* the run is over */

/* ros2_twist.c: the stepping thread, just before a step; under the lock. */
void fm_ros2_twists_follow(fm_ros2_bridge *bridge, fm_world *world);

#endif
