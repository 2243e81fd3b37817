/* Signals in flight and what they will do next, in one block of words without pointers: a table of signals and a heap
 * of moments, the earliest first. Saved, restored and hashed with the world. Nothing is allocated; where there is no
 * room it is counted. */
#ifndef FM_ACOUSTICS_SIGNALS_H
#define FM_ACOUSTICS_SIGNALS_H

#include <stddef.h>
#include <stdint.h>

/* A signal from the moment it is asked for until its last moment is over. 8-byte fields. */
typedef struct fm_signal {
    int64_t number;     /* from 1 on; 0: not sent yet */
    int64_t source;     /* transducer */
    int64_t type, part; /* of its vehicle, in the model */
    int64_t kind, from, to, code, answers, size;
    int64_t uses;                  /* moments that wait for it; 0: its place is free */
    int64_t next;                  /* free place behind this one, + 1 */
    int64_t again;                 /* 1: when it is sent the next ping is due */
    double sent;                   /* s */
    double duration;               /* s */
    double frequency;              /* Hz */
    double level;                  /* dB at 1 m */
    double ambient;                /* dB re 1 µPa²/Hz at this frequency */
    double absorption;             /* dB/m where it left */
    double origin[3], velocity[3]; /* m, m/s: of its source when it left */
    double axis[3];                /* unit: where its source looks */
} fm_signal;                       /* the payload follows */

enum fm_moment_kind {
    FM_MOMENT_SEND,  /* the signal leaves its source */
    FM_MOMENT_ARRIVE /* the signal may arrive at a transducer: not before */
};

typedef struct fm_moment {
    double time;        /* s: not before this it happens */
    double guess;       /* s: when it is thought to happen, which sorts those that are due */
    int64_t order;      /* of those at the same time; never twice the same */
    int32_t signal;     /* place in the table */
    int32_t transducer; /* that sends or hears */
    int32_t way;        /* number of the way */
    int16_t kind;       /* enum fm_moment_kind */
    int16_t exact;      /* 1: it arrives at this very time */
    int64_t born;       /* tick at which its vehicle came; another one is there: nothing happens */
    double launch;      /* rad, of a ray */
    int64_t next;       /* place of the one behind it in the wheel or among the free, + 1 */
} fm_moment;

typedef struct fm_signals_size {
    size_t signals, moments; /* room */
    size_t payload;          /* words of data a signal */
    double dt;               /* s, a tick of the world */
} fm_signals_size;

typedef struct fm_signals {
    int64_t free;        /* first free place in the table + 1; 0: none was freed */
    int64_t used;        /* places that were ever used */
    int64_t free_moment; /* the same of moments */
    int64_t used_moments;
    int64_t due;    /* moments in the heap: those of ticks up to the present */
    int64_t turned; /* the tick whose moments come next into the heap */
    int64_t orders; /* given out */
    int64_t sent;   /* signals, since the start */
    int64_t lost;   /* signals and arrivals for which there was no room */
} fm_signals;       /* wheel, heap, moments and the table follow */

size_t fm_signals_words(const fm_signals_size *size);

/* The world has come to a tick: what happens up to its time is due. */
void fm_signals_turn(const fm_signals_size *size, fm_signals *signals, uint64_t tick);
/* When the first moment that is due is thought to happen, s; HUGE_VAL: none is due. */
double fm_signals_first(fm_signals *signals);
/* Takes it out; *moment is filled. */
void fm_signals_take(const fm_signals_size *size, fm_signals *signals, fm_moment *moment);
/* Adds a moment; counts the use of its signal. 0: no room, counted. O(1); those of the present tick O(log n). */
int fm_signals_add(const fm_signals_size *size, fm_signals *signals, fm_moment moment);

/* All arrivals that wait are due at once: the water is another one, and when they happen is to be found again. */
void fm_signals_hasten(const fm_signals_size *size, fm_signals *signals);

/* A place for a signal, zeroed; -1: no room, counted. It stays until fm_signals_leave finds it without a use. */
int64_t fm_signals_reserve(const fm_signals_size *size, fm_signals *signals);
fm_signal *fm_signals_at(const fm_signals_size *size, fm_signals *signals, int64_t index);
void *fm_signals_data(const fm_signals_size *size, fm_signals *signals, int64_t index);
/* A moment of it is over. */
void fm_signals_leave(const fm_signals_size *size, fm_signals *signals, int64_t index);

#endif
