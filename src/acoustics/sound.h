/* The sound stage: signals are emitted and arrive at their own times, within the tick. A subsystem whose words are the
 * signals in flight (acoustics/signals.h); transducers keep their receptions in their own state. */
#ifndef FM_ACOUSTICS_SOUND_H
#define FM_ACOUSTICS_SOUND_H

#include <fathom/sound.h>

#include "acoustics/medium.h"
#include "acoustics/ray_ways.h"
#include "acoustics/signals.h"
#include "acoustics/transducer.h"
#include "world/world.h"

typedef struct fm_sound_config {
    fm_medium medium;
    fm_signals_size size;
    size_t memories;         /* of rays between pairs, after the signals */
    size_t per_slot;         /* transducers of a vehicle, at most */
    const int *parts;        /* by type and number: index of the part; -1: no such transducer */
    double quietest;         /* dB above the ambient spectral level, threshold of the most sensitive transducer */
    double lowest;           /* dB: the lowest threshold */
    double loudest, highest; /* dB: the same of the dullest */
    double lever;            /* m: the farthest that a transducer is from the origin of its vehicle */
    uint32_t noise, speed;   /* words of the world's live block + 1: of fixed noise and of a constant speed; 0: none */
} fm_sound_config;

/* Config: fm_sound_config, words: fm_signals_words, then the memories. */
extern const fm_subsystem fm_sound_subsystem;

/* A transducer, by slot × per_slot + number. */
typedef struct fm_sound_device {
    const fm_transducer *is;   /* as written */
    const fm_transducer *live; /* the same with live parameters applied; only those */
    fm_transducer_state *state;
    fm_transducer_output *output;
    const fm_part *part;
    int slot;
} fm_sound_device;

/* Where a transducer is: at `time` at `position`, with velocity and acceleration (m, m/s, m/s², NED). */
typedef struct fm_sound_motion {
    uint64_t tick; /* tick for which it was computed, + 1; 0: stale */
    int exists;    /* on a living vehicle */
    int there;     /* and in the water */
    fm_sound_device device;
    int64_t born; /* tick at which its vehicle came */
    double time;  /* s */
    double position[3], velocity[3], acceleration[3];
    double axis[3];                   /* unit: where it looks */
    double absorption, absorption_hz; /* dB/m there at the last requested frequency; 0 Hz: none */
} fm_sound_motion;

/* Data beside the state: it can be recomputed from the state at any time. */
typedef struct fm_sound {
    const fm_sound_config *config;
    fm_medium medium;         /* the config's, for the sea of this world with its live parameters */
    fm_arena room;            /* for its layers, if they follow live parameters */
    size_t nodes;             /* maximum number of its layers; 0: they follow none */
    int waiting;              /* some transducer may have a request, or is new */
    size_t count;             /* transducers: slots × per_slot */
    fm_sound_motion *motions; /* of transducers */
    uint32_t *near;           /* slots within reach of the signal that spreads */
    uint64_t near_tick;       /* for which fm_vicinity_find is up to date, + 1; 0: none */
    fm_sound_record *records; /* of this step */
    size_t record_count, record_room;
    uint64_t records_lost;
} fm_sound;

/* Of the subsystem, in sound_motion.c. */
fm_subsystem_check fm_sound_create;
void fm_sound_free(fm_world *world);
void fm_sound_forget(fm_world *world);
/* The sea has changed: recomputes the layers from its live parameters. Derived, like the medium; never allocates. */
void fm_sound_follow_sea(fm_world *world);
/* Noise and speed of sound from the live parameters of <acoustics>; 1: sound paths have changed. */
int fm_sound_refresh(fm_world *world);
/* As a result the paths of signals too: searches rays again and recomputes signals in flight. Called in a step. */
void fm_sound_renew(fm_world *world);
/* A vehicle was added: starts its beacons. */
void fm_sound_notice(fm_world *world, int slot);

/* --- sound.c --- */
/* dB: ambient noise in the band of a transducer, and the noise of its own vehicle's propulsion. (A6.4) */
double fm_sound_noise(const fm_world *world, const fm_sound_device *device, const fm_signal *signal);

/* --- sound_parts.c --- */
/* The result fm_sound_emit would return; nothing is sent. */
fm_sound_answer fm_sound_ask(const fm_part_context *context, int transducer, const fm_emission *emission);

/* Like fm_world_hear, by the numbers of slot and part. */
int fm_slot_hear(const fm_world *world, int slot, int part, int64_t *seen, fm_reception *reception, void *data,
                 size_t room);
/* A transducer by the numbers of slot and part; 0: no such transducer. */
int fm_slot_voice(const fm_world *world, int slot, int part, fm_sound_device *device);

/* --- sound_motion.c --- */
/* 0: no such transducer now. */
int fm_sound_device_find(const fm_world *world, int64_t transducer, fm_sound_device *device);
fm_sound_motion *fm_sound_motion_of(fm_world *world, int64_t transducer);
void fm_sound_position(const fm_sound_motion *motion, double time, double out[3]);
/* Calls visit for every transducer in the water within `reach` (m) of a place, and for some beyond. */
typedef void fm_sound_visit(fm_world *world, int64_t transducer, void *user);
void fm_sound_near(fm_world *world, const double point[3], double reach, fm_sound_visit *visit, void *user);

#endif
