/* A server: a scenario that software outside connects to (`fathom serve`, docs/protocol.md). In libfathom-net. */
#ifndef FATHOM_SERVER_H
#define FATHOM_SERVER_H

#include <fathom/log.h>
#include <fathom/model.h>
#include <fathom/run.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fm_server fm_server;

/* Zero-initialise for the defaults; what is not given holds as <server> of the scenario says. */
typedef struct fm_server_options {
    const char *address; /* numbers of IPv4 or IPv6 to bind to; NULL: 127.0.0.1 */
    int port;            /* 0: <server port>; -1: any that is free */
    const char *socket;  /* path of a Unix-domain socket as well; NULL: none */
    const uint8_t *key;  /* 32 bytes; NULL: none, which only loopback addresses are served without */
    double speed;        /* times real time; 0: as fast as it goes */
    int unpaced;         /* speed 0 is meant; else 0 stands for 1 */
    int lockstep;        /* steps wait for the clients that take part */
    int stopped;         /* begins stopped */
    const char *log;     /* file to record to; NULL: none */
    double duration;     /* s; 0: no end */
    int64_t seed;        /* -1: the scenario's */
    int threads;
    int no_bridges; /* the <bridge>s of the scenario are not opened */
    /* What is worth a line: who comes and goes, trouble. By either thread. May be NULL. */
    void (*tell)(void *user, const char *text);
    void *user;
} fm_server_options;

/* Binds its sockets, so that clients may come, but does not step yet. NULL and *error where it cannot. The model must
 * outlive it. */
FM_API fm_server *fm_server_create(const fm_model *model, const fm_server_options *options, fm_error *error);
/* Serves until it is stopped, told to quit, or the run fails. Once. */
FM_API fm_status fm_server_run(fm_server *server, fm_error *error);
/* Any thread, also a signal handler: clients are told, the log is closed, fm_server_run returns. */
FM_API void fm_server_stop(fm_server *server);
FM_API int fm_server_port(const fm_server *server); /* that it is bound to */
FM_API void fm_server_free(fm_server *server);

#ifdef __cplusplus
}
#endif
#endif
