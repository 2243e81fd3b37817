/* Signals in flight and their next events, in one block of words without pointers: a table of signals and a heap of
 * events, the earliest first. Saved, restored and hashed with the world. Nothing is allocated; signals that do not fit
 * are counted. */
#ifndef FM_ACOUSTICS_SIGNALS_H
#define FM_ACOUSTICS_SIGNALS_H

#include <stddef.h>
#include <stdint.h>

/* A signal from its request until its last event is over. 8-byte fields. */
typedef struct fm_signal {
    int64_t number;     /* from 1 on; 0: not sent yet */
    int64_t source;     /* transducer */
    int64_t type, part; /* of its vehicle, in the model */
    int64_t kind, from, to, code, answers, size;
    int64_t uses;                  /* pending events of it; 0: its entry is free */
    int64_t next;                  /* next free entry after this one, + 1 */
    int64_t again;                 /* 1: when it is sent, the next ping is due */
    double sent;                   /* s */
    double duration;               /* s */
    double frequency;              /* Hz */
    double level;                  /* dB at 1 m */
    double ambient;                /* dB re 1 µPa²/Hz at this frequency */
    double absorption;             /* dB/m where it left */
    double origin[3], velocity[3]; /* m, m/s: of its source at emission */
    double axis[3];                /* unit: where its source looks */
} fm_signal;                       /* the payload follows */

enum fm_moment_kind {
    FM_MOMENT_SEND,  /* the signal leaves its source */
    FM_MOMENT_ARRIVE /* the earliest time at which the signal may arrive at a transducer */
};

typedef struct fm_moment {
    double time;        /* s: not before this it happens */
    double guess;       /* s: estimated time, which sorts the due events */
    int64_t order;      /* order among events of the same time; unique */
    int32_t signal;     /* place in the table */
    int32_t transducer; /* that sends or hears */
    int32_t way;        /* number of the way */
    int16_t kind;       /* enum fm_moment_kind */
    int16_t exact;      /* 1: it arrives at this very time */
    int64_t born;       /* tick at which its vehicle arrived; if another vehicle is there, the event is dropped */
    double launch;      /* rad, of a ray */
    int64_t next;       /* index of the next one in the wheel or free list, + 1 */
} fm_moment;

typedef struct fm_signals_size {
    size_t signals, moments; /* room */
    size_t payload;          /* words of data a signal */
    double dt;               /* s, a tick of the world */
} fm_signals_size;

typedef struct fm_signals {
    int64_t free;        /* first free entry of the table + 1; 0: none */
    int64_t used;        /* places that were ever used */
    int64_t free_moment; /* the same of moments */
    int64_t used_moments;
    int64_t due;    /* events in the heap: those of ticks up to the present */
    int64_t turned; /* the tick whose events move to the heap next */
    int64_t orders; /* given out */
    int64_t sent;   /* signals, since the start */
    int64_t lost;   /* signals and arrivals that did not fit */
} fm_signals;       /* wheel, heap, events and the table follow */

size_t fm_signals_words(const fm_signals_size *size);

/* Advances to a tick: events up to its time become due. */
void fm_signals_turn(const fm_signals_size *size, fm_signals *signals, uint64_t tick);
/* Estimated time of the first due event, s; HUGE_VAL: none is due. */
double fm_signals_first(fm_signals *signals);
/* Takes it out; *moment is filled. */
void fm_signals_take(const fm_signals_size *size, fm_signals *signals, fm_moment *moment);
/* Adds an event and a use of its signal. 0: no space, counted. O(1); events of the present tick O(log n). */
int fm_signals_add(const fm_signals_size *size, fm_signals *signals, fm_moment moment);

/* Makes all pending arrivals due at once: the water has changed, and their times must be computed again. */
void fm_signals_hasten(const fm_signals_size *size, fm_signals *signals);

/* An entry for a signal, zeroed; -1: no space, counted. It is kept until fm_signals_leave finds it unused. */
int64_t fm_signals_reserve(const fm_signals_size *size, fm_signals *signals);
fm_signal *fm_signals_at(const fm_signals_size *size, fm_signals *signals, int64_t index);
void *fm_signals_data(const fm_signals_size *size, fm_signals *signals, int64_t index);
/* A moment of it is over. */
void fm_signals_leave(const fm_signals_size *size, fm_signals *signals, int64_t index);

#endif
