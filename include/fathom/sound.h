/* Underwater sound: what parts of a vehicle send and hear through its transducers (<transducer>), and the record of all
 * sounds in a world. Directions and positions in world axes north-east-down; SI; levels in dB re 1 µPa. */
#ifndef FATHOM_SOUND_H
#define FATHOM_SOUND_H

#include <fathom/part.h>
#include <fathom/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Purpose of a sound. */
typedef enum fm_sound_kind {
    FM_SOUND_PING,  /* expects no answer */
    FM_SOUND_QUERY, /* transponders answer it */
    FM_SOUND_REPLY, /* the answer of a transponder */
    FM_SOUND_DATA   /* carries bytes */
} fm_sound_kind;

/* A sound to be sent; zero-initialise for the defaults. It and its data are copied. */
typedef struct fm_emission {
    double time;      /* s since the start; in the past: now */
    double frequency; /* Hz; 0: the transducer's */
    double level;     /* dB at 1 m; 0: the transducer's */
    double duration;  /* s; 0: the transducer's pulse */
    int64_t kind;     /* fm_sound_kind */
    int64_t to;       /* destination address; 0: broadcast */
    int64_t code;     /* meaning agreed on by sender and receiver */
    int64_t answers;  /* signal that it replies to; 0: none */
    const void *data; /* at most <transducer payload> bytes */
    size_t size;
} fm_emission;

/* Result of a request to send. */
typedef enum fm_sound_answer {
    FM_SOUND_TAKEN,  /* accepted: it is sent at its time, unless the transducer is busy or broken then */
    FM_SOUND_BUSY,   /* the transducer already has a request, is sending or is recharging */
    FM_SOUND_REFUSED /* unknown transducer, frequency outside its band, level above its maximum, too many bytes */
} fm_sound_answer;

/* A sound received by a transducer. The members from `sent` on are known only to a simulator, not to an instrument. */
typedef struct fm_reception {
    int64_t number;      /* counts the sounds heard by this transducer, from 1 */
    int64_t signal;      /* number of the emission in this world, from 1 */
    int64_t answers;     /* signal that it replies to; 0: none */
    int64_t kind;        /* fm_sound_kind */
    int64_t from, to;    /* sender and destination address (0: broadcast) */
    int64_t code, size;  /* code of the emission; bytes of data */
    double time;         /* s: when its start arrives, resolved much finer than a tick */
    int64_t stamp;       /* the same in whole tenths of a millisecond */
    double duration;     /* s */
    double frequency;    /* Hz, as heard */
    double level;        /* dB, as received from its direction */
    double noise;        /* dB, in the band of the transducer */
    double snr;          /* dB */
    double direction[3]; /* unit vector towards its origin */
    double speed;        /* m/s, of sound at the transducer */
    double sent;         /* s: when it was sent */
    double source_level; /* dB at 1 m, in the direction it was sent */
    double source_hz;    /* Hz, as sent */
    double origin[3];    /* m: where it was sent */
    double radius;       /* m, length of its path */
    double travelled;    /* s, travel time */
    int64_t source;      /* transducer that sent it: slot × transducers per slot + number */
    int64_t surface;     /* reflections at the surface */
    int64_t bottom;      /* reflections at the bottom */
} fm_reception;

/* --- at load --- */
/* Returns the index of the vehicle's transducer with this name (NULL: the first), which must precede its user in the
 * file; -1 and *error: none. */
FM_API int fm_load_transducer(fm_part_load *load, const char *name, fm_error *error);

/* --- in a step: transducers of the part's own vehicle --- */
/* Requests a transducer to send. One request per step and transducer; it is processed after all controllers have run.
 */
FM_API fm_sound_answer fm_sound_emit(const fm_part_context *context, int transducer, const fm_emission *emission);
/* Returns when the transducer can send next, s since the start; not in the future: now. */
FM_API double fm_sound_ready(const fm_part_context *context, int transducer);
/* Returns the present address of the transducer, a live parameter; 0: none. */
FM_API int64_t fm_sound_address(const fm_part_context *context, int transducer);
/* Fetches the first sound heard after number *seen (0: from the beginning). Fills *reception and at most `room` bytes
 * of data (may be NULL), updates *seen and returns 1; returns 0 if there is none. A transducer keeps its last
 * receptions
 * (`inbox`): a gap in the numbers means that older ones were overwritten. */
FM_API int fm_sound_hear(const fm_part_context *context, int transducer, int64_t *seen, fm_reception *reception,
                         void *data, size_t room);

/* The water at a transducer, for instruments that compute echoes themselves. */
typedef struct fm_sound_here {
    double speed;      /* m/s, of sound */
    double absorption; /* dB/m */
    double noise;      /* dB, in its band, including its own vehicle */
} fm_sound_here;
/* Fills *here for a frequency (Hz; 0: that of the transducer) and returns 1; returns 0 if the transducer is unknown or
 * out of the water. */
FM_API int fm_sound_listen(const fm_part_context *context, int transducer, double frequency, fm_sound_here *here);

/* Finds the origin of a sound that arrives at a depth (m) from an elevation (rad, down positive): follows its ray back
 * through the water of <acoustics>, for the time sound needs for `slant` metres of the water here. Writes horizontal
 * distance and depth, m, to `place` and returns 1. Returns 0 if the ray reaches the surface or the bottom, or the world
 * has no <acoustics>. In water with straight rays the result is a straight line. (A8.10) */
FM_API int fm_sound_trace(const fm_part_context *context, double depth, double elevation, double slant,
                          double point[2]);

/* --- from outside --- */
/* An input of the world (world.h): makes a transducer of a vehicle (NULL: its first) send at the start of the next
 * step. Recorded in the log. At most FM_SOUND_BYTES_MOST bytes of data; no negative numbers. FM_ERR_FULL: the
 * transducer is busy; FM_ERR_RANGE: it cannot send this. */
FM_API fm_status fm_world_emit(fm_world *world, const char *vehicle, const char *transducer,
                               const fm_emission *emission, fm_error *error);
/* Same as fm_sound_hear, for the stepping thread between steps and in the callbacks of a sink. */
FM_API int fm_world_hear(const fm_world *world, const char *vehicle, const char *transducer, int64_t *seen,
                         fm_reception *reception, void *data, size_t room);

/* --- the record: what was sent and heard in the last step, in order of time --- */
/* What happened to a sound. */
typedef enum fm_sound_event {
    FM_SOUND_SENT,
    FM_SOUND_HEARD,
    FM_SOUND_WEAK,    /* not heard: below the threshold or the noise; not recorded if more than 3 dB below */
    FM_SOUND_MASKED,  /* the transducer was sending */
    FM_SOUND_DROPPED, /* lost at random or through a fault of the transducer */
    FM_SOUND_NOT_SENT /* the transducer was busy, broken or out of the water */
} fm_sound_event;
/* One entry of the record; valid until the next step. */
typedef struct fm_sound_record {
    int64_t event; /* fm_sound_event */
    int slot;      /* of the vehicle that sent or heard */
    int part;      /* its transducer */
    fm_reception sound;
} fm_sound_record;
/* Points *records to the record of the last step and returns the number of entries. Valid until the next step. */
FM_API size_t fm_world_sounds(const fm_world *world, const fm_sound_record **records);
/* Returns the name of the transducer fm_reception.source and sets *vehicle to the present name of its vehicle; NULL:
 * unknown. Valid until the vehicle is removed. */
FM_API const char *fm_world_sound_source(const fm_world *world, int64_t source, const char **vehicle);
/* Returns the kind of path: "direct", "surface", "bottom" or "multiple"; a constant string. */
FM_API const char *fm_sound_path_name(const fm_reception *reception);
/* Returns the number of sounds and records lost because the world had no space for them (<acoustics signals,
 * arrivals>). */
FM_API uint64_t fm_world_sounds_lost(const fm_world *world);

#ifdef __cplusplus
}
#endif
#endif
