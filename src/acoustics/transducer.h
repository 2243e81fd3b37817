/* A transducer: sends and receives for the other parts of its vehicle. The sound stage (acoustics/sound.c) operates
 * it. */
#ifndef FM_ACOUSTICS_TRANSDUCER_H
#define FM_ACOUSTICS_TRANSDUCER_H

#include <fathom/sound.h>

#include "sensors/imperfect.h"

enum fm_directivity { FM_DIRECTIVITY_OMNI, FM_DIRECTIVITY_BEAM, FM_DIRECTIVITY_CONE, FM_DIRECTIVITY_RING };

enum fm_transducer_fault { FM_TRANSDUCER_HEALTHY, FM_TRANSDUCER_DEAD, FM_TRANSDUCER_DEAF, FM_TRANSDUCER_MUTE };

/* Its attributes. Live up to `name`. */
typedef struct fm_transducer {
    fm_health health;
    double level;    /* dB re 1 µPa at 1 m: the maximum source level */
    int64_t address; /* of what it sends; 0: none */
    const char *name;
    fm_mount mount;
    double threshold;       /* dB: weaker ones are not heard */
    double detection;       /* dB of signal over noise needed for detection */
    double frequency;       /* Hz, of what it sends */
    double band[2];         /* Hz that it sends and hears */
    double bandwidth;       /* Hz, of the noise that it lets in */
    double pulse;           /* s */
    double recharge;        /* s after a pulse */
    int64_t directivity;    /* enum fm_directivity */
    double beam_width;      /* rad, whole angle to −3 dB */
    double side_level;      /* dB outside of the beam, 0 or less */
    double gain;            /* dB: directivity index, less noise from elsewhere */
    double own_noise;       /* dB re 1 µPa²/Hz at 1 kHz for 1 W of propulsion; 0: no self-noise */
    int64_t replies;        /* 1: answers queries */
    double reply_delay;     /* s */
    double reply_frequency; /* Hz; 0: its own */
    int64_t ping_kind;      /* fm_sound_kind of its own pings */
    double ping_period;     /* s; 0: does not ping by itself */
    double ping_start;      /* s after the vehicle comes */
    int64_t half_duplex;    /* deaf while it sends */
    int64_t hears_own;      /* hears other transducers of its vehicle */
    int64_t inbox;          /* receptions that are kept */
    int64_t payload;        /* maximum bytes of data that it sends and stores with a reception */
    double band_level;      /* derived, dB: 10 log10 of the bandwidth */
    double beam_factor;     /* derived, dB/rad²: of a beam's Gaussian */
} fm_transducer;

/* A request that is handled at the end of the step; its data follow in the state. */
typedef struct fm_sound_request {
    int64_t waits; /* 1: there is one */
    int64_t kind, to, code, answers, size;
    double time, frequency, level, duration;
} fm_sound_request;

/* Its state. 8-byte fields; the data of the request and the ring of the inbox follow. */
typedef struct fm_transducer_state {
    int64_t awake;       /* 1: the stage of sound has seen it */
    int64_t scheduled;   /* signals that are to leave */
    double sending_from; /* s, of the last pulse */
    double sending_till;
    double ready;    /* s: when it is recharged */
    int64_t pings;   /* sent by itself */
    int64_t refused; /* that could not leave */
    fm_sound_request request;
} fm_transducer_state;

/* Its output: the last reception. */
typedef struct fm_transducer_output {
    int64_t count;
    fm_reception heard;
} fm_transducer_output;

extern const fm_part_class fm_transducer_class;

/* Words of data that it sends and stores. */
size_t fm_transducer_words(const fm_transducer *transducer);
void *fm_transducer_request_data(fm_transducer_state *state);
/* Address of reception `number` in the inbox; its data follow it. */
fm_reception *fm_transducer_inbox(const fm_transducer *transducer, fm_transducer_state *state, int64_t number);

/* Gain (dB) along a unit vector in world axes, for one that points along `axis`. */
double fm_transducer_gain(const fm_transducer *transducer, const double axis[3], const double direction[3]);

#endif
