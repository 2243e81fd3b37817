/* <modem>: frames of bytes through a transducer. Config, state, and the equations of a frame. docs/theory/acoustics.md
 * (A9.1)-(A9.3) */
#ifndef FM_ACOUSTICS_MODEM_H
#define FM_ACOUSTICS_MODEM_H

#include <fathom/modem.h>
#include <fathom/sound.h>

enum fm_modulation { FM_MODULATION_BPSK, FM_MODULATION_BFSK };
enum {
    FM_MODEM_HEADER = 8, /* bytes of a frame before the message, and of its checksum after it */
    FM_MODEM_CHECKSUM = 2,
    FM_MODEM_WAITING = 8, /* messages to be sent, frames being received, received messages */
    FM_MODEM_HEARD = 16,
    FM_MODEM_INBOX = 8,
    FM_MODEM_PEERS = 16, /* senders whose last message is remembered */
    FM_MODEM_ROUTES = 16,
    FM_MODEM_HOPS_MOST = 8
};

/* A child <message>: sent at given times. */
typedef struct fm_modem_letter {
    int64_t to;
    const char *text;
    double start, period; /* s; 0: once */
} fm_modem_letter;
/* A child <route>. */
typedef struct fm_modem_route {
    int64_t to, via;
} fm_modem_route;

typedef struct fm_modem {
    const char *name;
    double period;
    const char *transducer;
    double rate;         /* bit/s */
    int64_t modulation;  /* enum fm_modulation */
    double preamble;     /* s */
    double coding_gain;  /* dB */
    double capture;      /* dB */
    int64_t size;        /* bytes of a message, at most */
    int64_t acknowledge; /* 1: messages to a single address are repeated until acknowledged */
    double timeout;      /* s */
    int64_t retries;
    int64_t carrier_sense;
    /* derived */
    int64_t part;
    double bandwidth; /* Hz */
    const fm_modem_letter *letters;
    size_t letter_count;
    const fm_modem_route *routes;
    size_t route_count;
    int64_t sent_metric, delivered_metric, lost_metric, frames_metric;
} fm_modem;

/* The header of a frame, in its first 8 bytes. */
typedef struct fm_frame_head {
    int sequence, flags, hops, origin, final;
} fm_frame_head;
enum { FM_FRAME_WANTS_ACK = 1, FM_FRAME_IS_ACK = 2 };

/* A message waiting to be sent, or to be acknowledged. */
typedef struct fm_modem_waiting {
    int64_t used, order;                   /* order: the message with the lowest value is sent first */
    int64_t to;                            /* the next hop */
    int64_t sequence, flags, hops, origin; /* of its head */
    int64_t final, tries, size;
    double due; /* s */
    unsigned char data[FM_SOUND_BYTES_MOST];
} fm_modem_waiting;

/* A sound being received: a frame, or interference. */
typedef struct fm_modem_heard {
    int64_t used;
    int64_t signal, frame; /* 1: a frame for this modem */
    double begins, ends, level, snr, sent;
    int64_t spoilt; /* 1: something else was too loud */
    int64_t from, to, size;
    unsigned char data[FM_SOUND_BYTES_MOST];
} fm_modem_heard;

typedef struct fm_modem_kept {
    fm_modem_message message;
    unsigned char data[FM_SOUND_BYTES_MOST];
} fm_modem_kept;

typedef struct fm_modem_state {
    int64_t seen, sequence, order;
    double sending_until; /* s */
    double letter_due[FM_MODEM_ROUTES];
    fm_modem_waiting waiting[FM_MODEM_WAITING];
    fm_modem_heard heard[FM_MODEM_HEARD];
    int64_t peers[FM_MODEM_PEERS][2]; /* address, 1 + last sequence number; the least recent is overwritten */
    int64_t peer_next;
    int64_t received;
    fm_modem_kept inbox[FM_MODEM_INBOX];
} fm_modem_state;

/* Output: the last message, and the number of messages. */
typedef struct fm_modem_output {
    fm_reading head;
    double from, to, hops, snr, size;
    double sent, delivered, lost;
    unsigned char data[FM_SOUND_BYTES_MOST];
} fm_modem_output;

/* (A9.1) Duration in s of a frame with this number of message bytes. */
double fm_frame_duration(const fm_modem *modem, int64_t size);
/* (A9.2) Probability that it is corrupted at this SNR (dB, in the bandwidth of the transducer). */
double fm_frame_loss(const fm_modem *modem, int64_t size, double snr);
void fm_frame_write(const fm_frame_head *head, unsigned char *bytes);
fm_frame_head fm_frame_read(const unsigned char *bytes);

/* Queues a message, like fm_modem_send. */
int fm_modem_put(const fm_part_context *context, const fm_modem *modem, fm_modem_state *state, int64_t to,
                 const void *data, size_t size);

/* Free places in the queue. */
size_t fm_modem_room(const fm_modem_state *state);

/* modem_load.c */
extern const fm_element fm_modem_element;
fm_status fm_modem_load(fm_part_load *load, void *config, fm_error *error);

#endif
