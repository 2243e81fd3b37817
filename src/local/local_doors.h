/* WaVeSim's local interfaces as doors of a server: the shared-memory areas and the command queue of one instance
 * (docs/shared-memory.md). */
#ifndef FM_LOCAL_LOCAL_DOORS_H
#define FM_LOCAL_LOCAL_DOORS_H

#include <fathom/server.h>

/* Call before fm_server_run. `instance`: "x" for /fathom-simulation-x, /fathom-clients-x and /fathom-commands-x; "":
 * without. */
fm_status fm_server_share(fm_server *server, const char *instance, fm_error *error);
fm_status fm_server_open_queue(fm_server *server, const char *instance, fm_error *error);

/* The other end: sends a command to the queue of an instance and waits for its answer, s. The text is written to
 * `answer`. */
fm_status fm_queue_ask(const char *instance, const char *command, double timeout, char *answer, size_t size,
                       fm_error *error);

#endif
