/* A server: a running scenario that other software connects to (`fathom serve`, docs/protocol.md). In libfathom-net. */
#ifndef FATHOM_SERVER_H
#define FATHOM_SERVER_H

#include <fathom/log.h>
#include <fathom/model.h>
#include <fathom/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A server. One thread creates, runs and frees it; free it before its model. */
typedef struct fm_server fm_server;

/* How to serve; zero-initialise for the defaults, which come from <server> of the scenario. Read only during
 * fm_server_create, except `tell` and `user`. */
typedef struct fm_server_options {
    const char *address; /* numeric IPv4 or IPv6 address to bind to; NULL: 127.0.0.1 */
    int port;            /* 0: <server port>; -1: any free port */
    const char *socket;  /* path of an additional Unix-domain socket; NULL: none */
    const uint8_t *key;  /* 32 bytes; NULL: none, allowed only on loopback addresses */
    double speed;        /* times real time; 0: real time, or as fast as possible with `unpaced` */
    int unpaced;         /* 1: a speed of 0 means as fast as possible */
    int lockstep;        /* steps wait for the clients that participate */
    int stopped;         /* starts in the state "stopped" */
    const char *log;     /* file to record to; NULL: none */
    double duration;     /* s; 0: endless */
    int64_t seed;        /* -1: the seed of the scenario */
    int threads;         /* of the world; 0 or 1: one */
    int no_bridges;      /* 1: does not open the bridges of the scenario */
    /* Receives one line of text per noteworthy event: clients that join and leave, problems. Called by the thread of
     * fm_server_run and by the stepping thread. May be NULL. */
    void (*tell)(void *user, const char *text);
    void *user;
} fm_server_options;

/* Creates a server and binds its sockets, so that clients can connect; it does not step yet. Returns NULL and sets
 * *error on failure. The model must outlive it. Free it with fm_server_free. */
FM_API fm_server *fm_server_create(const fm_model *model, const fm_server_options *options, fm_error *error);
/* Serves until it is stopped, a client sends `quit`, or the run fails. Call it once. */
FM_API fm_status fm_server_run(fm_server *server, fm_error *error);
/* Stops the server: clients are notified, the log is closed, fm_server_run returns. Any thread, also from a signal
 * handler. */
FM_API void fm_server_stop(fm_server *server);
/* Returns the port that the server is bound to. */
FM_API int fm_server_port(const fm_server *server);
/* Frees a server that is not running; NULL is allowed. */
FM_API void fm_server_free(fm_server *server);

#ifdef __cplusplus
}
#endif
#endif
