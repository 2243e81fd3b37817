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
    size_t size;         /* sizeof(fm_server_options); 0: the members of version 0.1 */
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
    int priority;   /* real-time priority of the stepping thread, 1 … 99, with all memory locked, and of the thread of
                       fm_server_run, which gets one less; 0: none. Where the system does not permit it, `tell` is
                       called and the server runs without it */
    int no_bridges; /* 1: does not open the bridges of the scenario */
    /* Receives one line of text per noteworthy event: clients that join and leave, problems. Called by the thread of
     * fm_server_run and by the stepping thread. May be NULL. */
    void (*tell)(void *user, const char *text);
    void *user;
} fm_server_options;

/* Creates a server and binds its sockets, so that clients can connect; it does not step yet. Returns NULL and sets
 * *error on failure. The model must outlive it. Free it with fm_server_free. */
FM_API fm_server *fm_server_create(const fm_model *model, const fm_server_options *options, fm_error *error);
/* The page of a server; zero-initialise for the defaults. Texts are copied. */
typedef struct fm_server_page {
    size_t size;          /* sizeof(fm_server_page); 0: the members of version 0.1 */
    const char *http;     /* "ADDRESS:PORT"; NULL: 127.0.0.1 and a free port from 8080 on */
    const char *token;    /* required from viewers; NULL: none on loopback addresses, a random one on others */
    const char *scenario; /* file name to show; NULL: none */
    /* Called once per address of the page when it can be opened, by the thread of fm_server_run. May be NULL. */
    void (*opened)(void *user, const char *url);
    void *user;
} fm_server_page;
/* Adds the page (docs/viewer.md) to a server, before fm_server_run; `page` may be NULL. */
FM_API fm_status fm_server_add_page(fm_server *server, const fm_server_page *page, fm_error *error);
/* Serves until it is stopped, a client sends `quit`, or the run fails. Call it once. */
FM_API fm_status fm_server_run(fm_server *server, fm_error *error);
/* Stops the server: clients are notified, the log is closed, fm_server_run returns. Any thread, also from a signal
 * handler. */
FM_API void fm_server_stop(fm_server *server);
/* Returns the port that the server is bound to. */
FM_API int fm_server_port(const fm_server *server);
/* The records of a telemetry loop. */
typedef enum fm_telegram_form {
    FM_TELEGRAM_PHOENIX, /* of the NPS AUV's software */
    FM_TELEGRAM_SNOOKIE  /* the hardware record of Snookie */
} fm_telegram_form;
/* A telemetry loop; zero-initialise for the defaults. Texts are copied. */
typedef struct fm_telegram_loop_options {
    size_t size; /* sizeof(fm_telegram_loop_options); 0: the members of version 0.1 */
    fm_telegram_form form;
    const char *vehicle; /* NULL: the first */
    int port;            /* UDP port of 127.0.0.1; 0: any free port */
} fm_telegram_loop_options;
/* Adds a telemetry loop to a run (docs/shared-memory.md): from now on the run advances only with the records that a
 * vehicle's own software sends, and answers each with the values of the sensors. *port receives the port that the loop
 * is bound to. Stepping thread, between steps. */
FM_API fm_status fm_run_loop(fm_run *run, const fm_telegram_loop_options *options, int *port, fm_error *error);
/* Frees a server that is not running; NULL is allowed. */
FM_API void fm_server_free(fm_server *server);

#ifdef __cplusplus
}
#endif
#endif
