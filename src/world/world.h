/* The world's state block and the data derived from it. */
#ifndef FM_WORLD_WORLD_H
#define FM_WORLD_WORLD_H

#include "world/model.h"

enum { FM_NAME_SIZE = 32 };
enum fm_life { FM_EMPTY, FM_ALIVE, FM_ENDED };

/* Limits that a vehicle has exceeded, so that each is reported once. */
enum {
    FM_PASSED_RATED = 1,   /* the rated depth */
    FM_PASSED_SURFACE = 2, /* part of the hull is out of the water */
    FM_PASSED_AIR = 4,     /* all of it is */
    FM_PASSED_BROACH = 8,  /* for a diver: a tenth of it is, or was since it was last fully submerged */
    FM_PASSED_RUNAWAY = 16 /* its state has diverged: it is removed at the start of the next step */
};

/* The head of a vehicle's record. All fields are 8 bytes wide: no padding, hashed as words. Its actuators, faults, live
 * parameters, parts, metrics and the state of its kind follow (fm_type's blocks).
 *
 * fm_vehicle_start (vehicle.c) sets all of them; each group names what writes them in a step. The order is that of
 * saved states. */
struct fm_vehicle {
    /* --- identity: only fm_vehicle_start, except for `life` --- */
    char name[FM_NAME_SIZE];
    int64_t life;      /* enum fm_life; ended by fm_contact_conclude, fm_stage_check and fm_runaway_mark */
    int64_t type;      /* index in the model */
    int64_t placement; /* index in the scenario, -1: spawned */
    int64_t born;      /* tick */
    /* --- inputs: fm_stage_deliver --- */
    int64_t next_order; /* of the placement's timed orders: take_timed_orders (inputs.c) */
    /* --- limits: fm_stage_move, fm_stage_check --- */
    int64_t settled; /* actuators are at rest: `input` still holds; actuate (motion.c), cleared by orders and faults */
    int64_t passed;  /* FM_PASSED_…: note_surface (motion.c), check_limits (world.c), fm_runaway_mark */
    /* --- motion: fm_stage_move, then the stage that collides --- */
    fm_body_state body;     /* pose and velocity over ground: step of its kind, contact (contact.c, contact_pairs.c) */
    double acceleration[6]; /* m/s², rad/s²: change of velocity over the last step; move_one (motion.c) */
    double water[3];        /* velocity of the water, m/s, NED: make_view (parts.c), when parts run */
    fm_body_input input;    /* actuators, held over a step: actuate (motion.c) */
    /* --- inputs: fm_stage_deliver --- */
    int64_t pushed;    /* some of the next is not zero: fm_force_take (steering.c) */
    double outside[6]; /* force and moment of FM_COMMAND_PUSH: N, N·m, body axes; the same */
    /* --- motion: fm_stage_move --- */
    double charge;            /* J left in the battery: actuate (motion.c) */
    double power;             /* W drawn now: the same */
    double distance;          /* m travelled over ground: keep_count (motion.c), as the next three */
    double max_depth;         /* m */
    double max_speed_squared; /* m²/s² */
    double peak_sine_pitch;   /* largest sin theta: nose up */
    /* --- contact: the stage that collides --- */
    int64_t contacts;         /* onsets with obstacles and bottom: fm_contact_conclude, as min_clearance */
    int64_t vehicle_contacts; /* onsets with other vehicles: fm_contact_conclude_partners, as min_separation */
    double min_clearance;     /* m, to obstacles and bottom; infinite: not computed yet */
    double min_separation;    /* m, to the hulls of other vehicles; infinite: not computed yet */
};

typedef struct fm_world_head {
    uint64_t tick;
    uint64_t seed;
    uint64_t inputs_taken; /* since the start */
    uint64_t events;       /* since the start */
} fm_world_head;

/* The world's live block begins with these. */
enum { FM_LIVE_CURRENT = 0 /* 3 words: uniform current, m/s, NED */ };

enum { FM_EVENTS_PER_VEHICLE = 8 };

/* Derived per slot, not saved. */
typedef struct fm_slot {
    /* --- memory: allocate (world.c) --- */
    fm_vehicle *vehicle; /* inside the state block */
    uint32_t room;       /* words of the record */
    /* --- events: fm_event_add; fm_stage_publish gathers them --- */
    uint32_t event_count;
    /* --- the vehicle: fm_slot_refresh, fm_slot_weigh (vehicle.c) --- */
    const fm_type *type; /* of the vehicle now in the slot; NULL: none */
    /* --- posture: fm_slot_rotation (vehicle.c), on demand --- */
    double rotation[9];     /* body → world */
    double quaternion[4];   /* the same */
    uint64_t rotation_tick; /* they belong to this tick + 1; 0: stale */
    /* --- the water in the record: parts.c, when parts run --- */
    uint64_t water_round; /* the round of the world for which the water was sampled, + 1; 0: none */
    /* --- mass: fm_slot_mass (motion.c), when it is asked for --- */
    fm_mass *own_mass;     /* with moving masses; else NULL */
    uint64_t own_mass_key; /* hash of the actuator values it was derived from; 0: stale */
    /* --- pull: fm_subsystems_pull --- */
    double external[6]; /* pull of subsystems (tethers): N, N·m, body axes; of this step */
} fm_slot;

struct fm_world {
    const fm_model *model;
    const fm_environment *environment; /* the model's, or that of `waters` */
    const fm_type *types;              /* the model's, or those of `waters` if gravity differs */
    struct fm_waters *waters;          /* waters.c: own copy with waves and live parameters; NULL: none */
    fm_world_head *head;               /* start of the state block */
    double *live;                      /* live parameters of the world, in the state block */
    size_t state_words;
    uint64_t epoch; /* steps before the last reset; no part of the state */
    fm_slot *slots;
    int slot_count;
    int ends_by_route;        /* vehicles have lists of waypoints with then="end" */
    struct fm_owners *owners; /* owners.c: of each slot; belongs to the state */
    uint8_t *writers;         /* theirs, writer_room each */
    size_t writer_room;
    /* vehicle_names.c: slots by the names of their vehicles */
    struct fm_vehicle_names *names;
    double *subsystems;      /* their blocks (subsystem.h), in the state block */
    fm_stream_source stream; /* motion of the water */
    fm_input *inputs;        /* waiting */
    size_t input_count, input_room;
    size_t input_first; /* inputs that wait for the present state: those after the last reset */
    fm_input *taken;    /* in the last step */
    size_t taken_count;
    fm_event *events; /* in a step FM_EVENTS_PER_VEHICLE per slot; after it the actual events, in the order of slots */
    size_t event_count, event_room;
    uint64_t events_lost;
    int any_events;             /* some slot has events of this step */
    size_t next_change;         /* of the model's timed changes: earlier ones are in the past; derived from the tick */
    uint64_t next_order;        /* tick of the earliest waiting timed order; 0: unknown */
    struct fm_threads *threads; /* NULL: one thread */
    int any_sensors, any_controllers, any_forces, any_pulls;
    struct fm_due *due;             /* parts.c: per type */
    uint64_t water_round;           /* counts steps, also across resets: water sampled in an earlier one is stale */
    int any_due;                    /* some sensor or controller, in this tick */
    struct fm_stretch *stretch;     /* stretch.c */
    struct fm_formation *formation; /* formation.c; NULL: vehicles move one by one */
    int live_written;               /* some word of `live` may be another than what is in force */
    int water_changed;              /* in this tick */
    const struct fm_energy_check *energy; /* energy.h; NULL: energy is not checked */
    double *energy_words;                 /* its words, in the state block */
    struct fm_contact_state *contact;     /* contact.c; NULL: no vehicle has a shape */
    struct fm_vicinity *vicinity;         /* vicinity.c; NULL: not needed */
    struct fm_sound *sound;               /* sound.c; NULL: no vehicle has a transducer */
    int bad_slot;                         /* of a vehicle with an invalid state; -1: none */
    int bad_tether;                       /* index of one that has diverged; -1: none */
    fm_runaway on_runaway;                /* never FM_RUNAWAY_DEFAULT */
    int any_runaway;                      /* some vehicle is removed at the start of the next step */
    /* fm_world_cancel; atomic */
    int cancelled;
    int cut_short;     /* a step was cancelled: none is made before a reset or a restore */
    const char *stage; /* that is being made; NULL: none */
    int at_slot;       /* that it works on; -1: none */
};

/* Checked by every loop of a step that may take long: whether to stop. */
static inline int fm_world_is_cancelled(const fm_world *world)
{
    return __atomic_load_n(&world->cancelled, __ATOMIC_RELAXED);
}

/* The vehicle that the stage is working on, for error messages; -1: none. */
static inline void fm_world_work_on(fm_world *world, int slot)
{
    __atomic_store_n(&world->at_slot, slot, __ATOMIC_RELAXED);
}

/* The same where threads may share the work: several would write to one place, so only those that are cancelled do. */
static inline void fm_world_share_on(fm_world *world, int slot)
{
    if (!world->threads || fm_world_is_cancelled(world))
        fm_world_work_on(world, slot);
}

/* Pieces of a vehicle's record. */
static inline uint64_t *fm_vehicle_words(fm_vehicle *vehicle, fm_block block)
{
    return (uint64_t *)(void *)vehicle + block.offset;
}

static inline fm_actuator_state *fm_actuator_states(const fm_type *type, fm_vehicle *vehicle)
{
    return (fm_actuator_state *)(void *)fm_vehicle_words(vehicle, type->actuator_block);
}

/* Whether an actuator turns a propeller: its value is the speed of a shaft, rad/s. */
int fm_actuator_is_shaft(const fm_type *type, size_t actuator);

static inline fm_actuator_fault *fm_actuator_faults(const fm_type *type, fm_vehicle *vehicle)
{
    return (fm_actuator_fault *)(void *)fm_vehicle_words(vehicle, type->fault_block);
}

/* Two words per metric: value and weight (count or duration of its observation). */
typedef struct fm_metric_state {
    double value, weight;
} fm_metric_state;

static inline fm_metric_state *fm_metric_states(const fm_type *type, fm_vehicle *vehicle)
{
    return (fm_metric_state *)(void *)fm_vehicle_words(vehicle, type->metric_block);
}

/* world.c: restores the state of tick 0 with its seed; discards the previous state. */
void fm_world_begin(fm_world *world);

/* Stages, in their own files. */
void fm_stage_deliver(fm_world *world);                     /* inputs.c */
void fm_stage_sense(fm_world *world);                       /* parts.c */
void fm_stage_decide(fm_world *world);                      /* parts.c */
void fm_stage_move(fm_world *world);                        /* motion.c: actuate, forces, integrate */
fm_status fm_stage_check(fm_world *world, fm_error *error); /* world.c */
void fm_stage_publish(fm_world *world);                     /* events.c: events and counters */

/* Work on all slots, in parallel where the world has threads. The order within one slot is fixed. */
void fm_world_for_slots(fm_world *world, void (*work)(fm_world *world, int slot));
/* The same in pieces, from one slot to before another. */
enum { FM_WORLD_CHUNK = 64 }; /* slots that a thread takes at a time; waking a thread for fewer does not pay */
void fm_world_for_chunks(fm_world *world, void (*work)(fm_world *world, const void *user, int first, int end),
                         const void *user);

/* motion.c */
void fm_vehicle_begin(const fm_type *type, fm_vehicle *vehicle); /* actuators, faults and battery at the start */
/* Sine of the pitch angle, positive nose up. */
double fm_sine_pitch(const fm_type *type, const fm_body_state *body);

/* vehicle.c */
const fm_slot *fm_slot_occupied(const fm_world *world, int slot); /* NULL: none, or nothing in it */
void fm_vehicle_start(fm_world *world, int slot, int type, const char *name, const double position[3],
                      const double euler[3], const double velocity[6], int64_t placement);
void fm_slot_refresh(fm_world *world, int slot);                 /* type, name and mass from the state */
void fm_slot_weigh(fm_world *world, int slot);                   /* type and mass, after gravity has changed */
const double *fm_slot_rotation(const fm_world *world, int slot); /* body → world, by row; of the present state */
const fm_mass *fm_slot_mass(const fm_world *world, int slot);    /* in force now */
/* events.c: an event of this step. `kind` must live as long as the model. The text for people is the kind, with the
 * name of the touched object; or as given. */
void fm_event_add(fm_world *world, int slot, const char *kind, double value);
void fm_event_tell(fm_world *world, int slot, const char *kind, double value, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* "crushed at 61.5 m" */
void fm_event_measure(fm_world *world, int slot, const char *kind, double value, const char *unit);

/* Lists of waypoints of living vehicles that have an end, and those of them with then="end". */
typedef struct fm_route_counts {
    size_t lists, done, marked, marked_done;
} fm_route_counts;
fm_route_counts fm_world_routes(const fm_world *world);

#endif
