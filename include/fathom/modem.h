/* Acoustic messages: what parts of a vehicle (built-in or plugin) and programs send and receive through its <modem>. */
#ifndef FATHOM_MODEM_H
#define FATHOM_MODEM_H

#include <fathom/part.h>
#include <fathom/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A message received by this vehicle. */
typedef struct fm_modem_message {
    int64_t number;   /* counts the messages received by this modem, from 1 */
    int64_t from, to; /* sender and destination address (0: broadcast) */
    int64_t hops;     /* modems that relayed it */
    double sent;      /* s: when its last hop was sent; only a simulator knows this */
    double time;      /* s: when it was completely received */
    double snr;       /* dB */
    int64_t size;     /* bytes */
} fm_modem_message;

/* At load: returns the index of the modem with this name (NULL: the first modem), which must precede its user in the
 * file. Returns -1 and sets *error if there is none. */
FM_API int fm_load_modem(fm_part_load *load, const char *name, fm_error *error);
/* In a step: queues bytes for an address (0: broadcast). Returns 1 if queued, 0 if there are too many bytes or the
 * queue is full. The data is copied. */
FM_API int fm_modem_send(const fm_part_context *context, int modem, int64_t to, const void *data, size_t size);
/* In a step: fetches the first message after number *seen (0: from the beginning). Fills *message and at most `room`
 * bytes of data (may be NULL), updates *seen and returns 1; returns 0 if there is none. A modem keeps its last 8
 * messages. */
FM_API int fm_modem_receive(const fm_part_context *context, int modem, int64_t *seen, fm_modem_message *message,
                            void *data, size_t room);

/* --- from outside --- */
/* An input of the world (world.h): queues bytes at a modem of a vehicle (NULL: the first modem) at the start of the
 * next step. They are sent like those of a part and recorded in the log. FM_ERR_FULL: the queue is full; FM_ERR_RANGE:
 * too many bytes, or an invalid address. */
FM_API fm_status fm_world_modem_send(fm_world *world, const char *vehicle, const char *modem, int64_t to,
                                     const void *data, size_t size, fm_error *error);
/* Same as fm_modem_receive, for the stepping thread between steps and in the callbacks of a sink. Every message is also
 * published on the modem's channel (fathom_msgs/ModemMessage), regardless of the rate. */
FM_API int fm_world_modem_receive(const fm_world *world, const char *vehicle, const char *modem, int64_t *seen,
                                  fm_modem_message *message, void *data, size_t room);

#ifdef __cplusplus
}
#endif
#endif
