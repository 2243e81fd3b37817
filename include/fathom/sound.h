/* Sound under water: what the parts of a vehicle send and hear by its transducers (<transducer>), and the record of all
 * that was said in a world. Angles of arrival and places in world axes north-east-down; SI; levels in dB re 1 µPa. */
#ifndef FATHOM_SOUND_H
#define FATHOM_SOUND_H

#include <fathom/part.h>
#include <fathom/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fm_sound_kind {
    FM_SOUND_PING,  /* asks for nothing */
    FM_SOUND_QUERY, /* transponders answer it */
    FM_SOUND_REPLY, /* of a transponder */
    FM_SOUND_DATA   /* carries bytes */
} fm_sound_kind;

/* What is to be sent; zero-initialise for the defaults. */
typedef struct fm_emission {
    double time;      /* s since the start; before the present: now */
    double frequency; /* Hz; 0: the transducer's */
    double level;     /* dB at 1 m; 0: the transducer's */
    double duration;  /* s; 0: the transducer's pulse */
    int64_t kind;     /* fm_sound_kind */
    int64_t to;       /* address that is meant; 0: everybody */
    int64_t code;     /* whatever sender and receiver agree on */
    int64_t answers;  /* signal that it replies to; 0: none */
    const void *data; /* bytes, at most the payload of its <transducer> */
    size_t size;
} fm_emission;

typedef enum fm_sound_answer {
    FM_SOUND_TAKEN,  /* it will leave at its time, unless the transducer is busy or broken then */
    FM_SOUND_BUSY,   /* it has something to send already, is sending or recharges */
    FM_SOUND_REFUSED /* no such transducer, frequency out of its band, level above its own, too many bytes */
} fm_sound_answer;

/* A sound at a transducer. The last block is what a simulator knows and an instrument does not. */
typedef struct fm_reception {
    int64_t number;      /* of what this transducer has heard, from 1 on */
    int64_t signal;      /* of the emission in this world, from 1 on */
    int64_t answers;     /* signal that it replies to; 0: none */
    int64_t kind;        /* fm_sound_kind */
    int64_t from, to;    /* addresses of the sender, of whom is meant (0: everybody) */
    int64_t code, size;  /* what was sent with it; bytes of data */
    double time;         /* s: when its beginning arrives, to far less than a tick */
    int64_t stamp;       /* the same in whole tenths of a millisecond */
    double duration;     /* s */
    double frequency;    /* Hz, as heard */
    double level;        /* dB, as heard along its direction */
    double noise;        /* dB, in the band of the transducer */
    double snr;          /* dB */
    double direction[3]; /* unit: where it comes from */
    double speed;        /* m/s, of sound at the transducer */
    double sent;         /* s: when it left */
    double source_level; /* dB at 1 m, along its way out */
    double source_hz;    /* Hz, as sent */
    double origin[3];    /* m: where it left */
    double radius;       /* m of its way */
    double travelled;    /* s */
    int64_t source;      /* transducer that sent it: slot × transducers per slot + number */
    int64_t surface;     /* reflections on its way */
    int64_t bottom;
} fm_reception;

/* --- at load --- */
/* The transducer of this name, or without one (NULL) the first that the vehicle has; -1 and an error: none. It must
 * stand before its user in the file. */
FM_API int fm_load_transducer(fm_part_load *load, const char *name, fm_error *error);

/* --- in a step: of transducers of the part's own vehicle --- */
/* Asks a transducer to send. One request a step; it is taken up when all controllers have run. */
FM_API fm_sound_answer fm_sound_emit(const fm_part_context *context, int transducer, const fm_emission *emission);
/* When it may send next, s; the present or earlier: now. */
FM_API double fm_sound_ready(const fm_part_context *context, int transducer);
/* Its address now, a live parameter; 0: none. */
FM_API int64_t fm_sound_address(const fm_part_context *context, int transducer);
/* What it has heard after number *seen (0: from the beginning), in order: fills *reception, moves *seen on and returns
 * 1; 0: nothing more. A transducer keeps its last receptions (`inbox`): numbers that are skipped were overwritten.
 * data: takes up to `room` bytes, may be NULL. */
FM_API int fm_sound_hear(const fm_part_context *context, int transducer, int64_t *seen, fm_reception *reception,
                         void *data, size_t room);

/* The water as a transducer hears it, for instruments that work out echoes themselves. */
typedef struct fm_sound_here {
    double speed;      /* m/s, of sound */
    double absorption; /* dB/m */
    double noise;      /* dB, in its band, with that of its own vehicle */
} fm_sound_here;
/* At a frequency (Hz; 0: its own); 0: there is no such transducer, or it is out of the water. */
FM_API int fm_sound_listen(const fm_part_context *context, int transducer, double frequency, fm_sound_here *here);

/* Where a sound comes from that arrives at a depth (m) from an elevation (rad, down positive): back along its ray
 * through the water as <acoustics> has it, for as long as sound takes over `slant` metres of the water here. Gives the
 * horizontal distance and the depth, m. 0: such a ray meets surface or bottom, or there is no sound in this world. Ways
 * that are straight give straight ones. (A8.10) */
FM_API int fm_sound_trace(const fm_part_context *context, double depth, double elevation, double slant,
                          double place[2]);

/* --- from outside --- */
/* An input of the world (world.h): a transducer of a vehicle, by name, or (NULL) the first, is to send; it is taken at
 * the start of the next step, and stands in the log. At most FM_SOUND_BYTES_MOST bytes of data; numbers not
 * below 0. FM_ERR_FULL: it is busy; FM_ERR_RANGE: what it cannot send. */
FM_API fm_status fm_world_emit(fm_world *world, const char *vehicle, const char *transducer,
                               const fm_emission *emission, fm_error *error);
/* As fm_sound_hear, between steps and in the callbacks of a sink. */
FM_API int fm_world_hear(const fm_world *world, const char *vehicle, const char *transducer, int64_t *seen,
                         fm_reception *reception, void *data, size_t room);

/* --- the record: what was sent and heard in the last step, in order of time --- */
typedef enum fm_sound_event {
    FM_SOUND_SENT,
    FM_SOUND_HEARD,
    FM_SOUND_WEAK,    /* below the threshold or the noise: not heard; more than 3 dB below there is no record */
    FM_SOUND_MASKED,  /* the transducer was sending */
    FM_SOUND_DROPPED, /* lost by chance or by a fault of the transducer */
    FM_SOUND_NOT_SENT /* busy, broken or out of the water when it should have left */
} fm_sound_event;
typedef struct fm_sound_record {
    int64_t event; /* fm_sound_event */
    int slot;      /* of the vehicle that sent or heard */
    int part;      /* its transducer */
    fm_reception sound;
} fm_sound_record;
FM_API size_t fm_world_sounds(const fm_world *world, const fm_sound_record **records);
/* Name of a transducer by fm_reception.source; *vehicle: that of its vehicle now. NULL: there is none. */
FM_API const char *fm_world_sound_source(const fm_world *world, int64_t source, const char **vehicle);
/* "direct", "surface", "bottom" or "multiple". */
FM_API const char *fm_sound_path_name(const fm_reception *reception);
/* Sounds that were lost because the world had no room for them (<acoustics signals, arrivals>), and records likewise.
 */
FM_API uint64_t fm_world_sounds_lost(const fm_world *world);

#ifdef __cplusplus
}
#endif
#endif
