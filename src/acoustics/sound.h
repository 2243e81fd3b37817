/* The stage of sound: signals leave and arrive at their own times, within the tick. A subsystem whose words are the
 * signals in flight (acoustics/signals.h); transducers keep what they hear in their own state. */
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
    size_t memories;         /* of rays between pairs, behind the signals */
    size_t per_slot;         /* transducers of a vehicle, at most */
    const int *parts;        /* by type and number: which part; -1: it has no such transducer */
    double quietest;         /* dB above the ambient spectral level that the keenest transducer hears */
    double lowest;           /* dB: the lowest threshold */
    double loudest, highest; /* dB: the same of the dullest */
    uint32_t noise, speed;   /* words of the world's live block + 1: of fixed noise and of a constant speed; 0: none */
} fm_sound_config;

/* Config: fm_sound_config, words: fm_signals_words, then the memories. */
extern const fm_subsystem fm_sound_subsystem;

/* A transducer, by slot × per_slot + number. */
typedef struct fm_sound_device {
    const fm_transducer *is;   /* as written */
    const fm_transducer *live; /* the same with live parameters in force; only those */
    fm_transducer_state *state;
    fm_transducer_output *output;
    const fm_part *part;
    int slot;
} fm_sound_device;

/* Where a transducer is: at `time` at `position`, with velocity and acceleration (m, m/s, m/s², NED). */
typedef struct fm_sound_motion {
    uint64_t tick; /* for which it was found, + 1; 0: stale */
    int exists;    /* on a living vehicle */
    int there;     /* and in the water */
    fm_sound_device device;
    int64_t born; /* tick at which its vehicle came */
    double time;  /* s */
    double position[3], velocity[3], acceleration[3];
    double axis[3];                   /* unit: where it looks */
    double absorption, absorption_hz; /* dB/m there at a frequency, the last that was asked for; 0 Hz: none */
} fm_sound_motion;

/* What is beside the state: it can be made from it at any time. */
typedef struct fm_sound {
    const fm_sound_config *config;
    fm_medium medium;         /* the config's, in the sea of this world as its live parameters are */
    fm_arena room;            /* for its layers, where they follow live parameters */
    size_t nodes;             /* of its layers at most; 0: they follow none */
    int waiting;              /* some transducer may have a request, or is new */
    size_t count;             /* transducers: slots × per_slot */
    fm_sound_motion *motions; /* of transducers */
    uint32_t *cells;          /* the grid of receivers: first of each cell, then their numbers (sound_motion.c) */
    uint64_t cells_tick;
    size_t columns;           /* of the grid, and its rows */
    double corner[2], cell;   /* m */
    fm_sound_record *records; /* of this step */
    size_t record_count, record_room;
    uint64_t records_lost;
} fm_sound;

/* Of the subsystem, in sound_places.c. */
fm_subsystem_check fm_sound_create;
void fm_sound_free(fm_world *world);
void fm_sound_forget(fm_world *world);
/* The sea is another one: layers are made anew from its live parameters. Derived, as the medium is; never allocates. */
void fm_sound_follow_sea(fm_world *world);
/* Noise and speed of sound as the live parameters of <acoustics> say; 1: the ways of sound are others. */
int fm_sound_refresh(fm_world *world);
/* And so are the ways of signals: rays are looked for again, and what is under way is looked at again. In a step. */
void fm_sound_renew(fm_world *world);
/* A vehicle has come: its beacons are to begin. */
void fm_sound_notice(fm_world *world, int slot);

/* --- sound.c --- */
/* dB: ambient noise in the band of a transducer, and what its own vehicle's propulsion adds. (A6.4) */
double fm_sound_noise(const fm_world *world, const fm_sound_device *device, const fm_signal *signal);

/* --- sound_parts.c --- */
/* What fm_sound_emit would answer; nothing is sent. */
fm_sound_answer fm_sound_ask(const fm_part_context *context, int transducer, const fm_emission *emission);

/* As fm_world_hear, by the numbers of slot and part. */
int fm_slot_hear(const fm_world *world, int slot, int part, int64_t *seen, fm_reception *reception, void *data,
                 size_t room);
/* A transducer by the numbers of slot and part; 0: it is none. */
int fm_slot_voice(const fm_world *world, int slot, int part, fm_sound_device *device);

/* --- sound_motion.c --- */
/* 0: there is no such transducer now. */
int fm_sound_device_find(const fm_world *world, int64_t transducer, fm_sound_device *device);
fm_sound_motion *fm_sound_motion_of(fm_world *world, int64_t transducer);
void fm_sound_position(const fm_sound_motion *motion, double time, double out[3]);
/* Calls visit for every transducer in the water within `reach` (m) of a place, and for some beyond. */
typedef void fm_sound_visit(fm_world *world, int64_t transducer, void *user);
void fm_sound_near(fm_world *world, const double point[3], double reach, fm_sound_visit *visit, void *user);

#endif
