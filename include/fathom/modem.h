/* Messages under water: what the parts of a vehicle (built in or of a plugin), and programs, send and receive by its
 * <modem>. */
#ifndef FATHOM_MODEM_H
#define FATHOM_MODEM_H

#include <fathom/part.h>
#include <fathom/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A message that has come for this vehicle. */
typedef struct fm_modem_message {
    int64_t number;   /* of what this modem has received, from 1 on */
    int64_t from, to; /* addresses of who wrote it, of whom it was meant for (0: everybody) */
    int64_t hops;     /* modems that passed it on */
    double sent;      /* s: when its last hop left; the simulator knows */
    double time;      /* s: when it was complete */
    double snr;       /* dB */
    int64_t size;     /* bytes */
} fm_modem_message;

/* The modem of this name, or without one (NULL) the first; it must stand before its user in the file. -1 and an error:
 * there is none. */
FM_API int fm_load_modem(fm_part_load *load, const char *name, fm_error *error);
/* Asks it to send bytes to an address (0: everybody). 1: they wait for their turn; 0: too many bytes, or no room. */
FM_API int fm_modem_send(const fm_part_context *context, int modem, int64_t to, const void *data, size_t size);
/* What it has received after number *seen (0: from the beginning): fills *message and up to `room` bytes of data (which
 * may be NULL), moves *seen on and returns 1; 0: nothing more. It keeps its last 8 messages. */
FM_API int fm_modem_receive(const fm_part_context *context, int modem, int64_t *seen, fm_modem_message *message,
                            void *data, size_t room);

/* --- from outside --- */
/* An input of the world (world.h): gives bytes to a modem of a vehicle, by name, or (NULL) the first. They are taken at
 * the start of the next step, go out as those of a part do, and stand in the log. FM_ERR_FULL: it has no room for more;
 * FM_ERR_RANGE: too many bytes, or no address. */
FM_API fm_status fm_world_modem_send(fm_world *world, const char *vehicle, const char *modem, int64_t to,
                                     const void *data, size_t size, fm_error *error);
/* As fm_modem_receive, between steps and in the callbacks of a sink. Messages also go out on the modem's channel
 * (fathom_msgs/ModemMessage), every one of them at any rate. */
FM_API int fm_world_modem_receive(const fm_world *world, const char *vehicle, const char *modem, int64_t *seen,
                                  fm_modem_message *message, void *data, size_t room);

#ifdef __cplusplus
}
#endif
#endif
