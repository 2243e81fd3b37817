/* A client of a server that waits for its answers: for `fathom ctl`, benchmarks and tests. Programs use client/. */
#ifndef FM_SERVER_CALLER_H
#define FM_SERVER_CALLER_H

#include <fathom/status.h>

#include "server/wire.h"
#include "world/command.h"

typedef struct fm_caller fm_caller;

/* How datagrams are sent and received; NULL functions: through a socket. */
typedef struct fm_caller_way {
    void (*send)(void *user, const uint8_t *bytes, size_t size);
    size_t (*receive)(void *user, uint8_t *bytes, size_t room, double seconds); /* 0: none came */
    double (*now)(void *user);                                                  /* s */
    void *user;
} fm_caller_way;

/* Zero-initialise for the defaults. */
typedef struct fm_caller_options {
    const char *address;     /* NULL: 127.0.0.1 */
    int port;                /* 0: 4040 */
    const char *socket;      /* path of a local socket instead */
    const uint8_t *key;      /* 32 bytes; NULL: none */
    fm_wire_connect connect; /* role, name, model, pose, periods, flags, resume */
    double patience;         /* s to wait for an answer; 0: 2 */
    fm_caller_way way;
} fm_caller_options;

/* Connects. On failure returns NULL and sets *error (FM_ERR_FILE: no answer; FM_ERR_STATE: rejected, with the code in
 * *code if given). */
fm_caller *fm_caller_open(const fm_caller_options *options, int *code, fm_error *error);
/* DISCONNECT, and frees. */
void fm_caller_close(fm_caller *caller);
void fm_caller_drop(fm_caller *caller); /* frees without sending BYE, like a process that was killed */

const fm_wire_welcome *fm_caller_welcome(const fm_caller *caller);
uint64_t fm_caller_token(const fm_caller *caller);
int fm_caller_fd(const fm_caller *caller);
/* The server has said BYE; its reason, else -1. */
int fm_caller_ended(const fm_caller *caller);

void fm_caller_send(fm_caller *caller, fm_wire_type type, const void *payload, size_t size);
/* The next message that is not a PING (answered here); 0: none within that time. The payload is valid until the next
 * call. */
int fm_caller_receive(fm_caller *caller, double seconds, fm_wire_header *header, fm_wire_in *payload);
/* Sends a command and waits for its result; drops others that arrive meanwhile. Sets its id. */
fm_status fm_caller_command(fm_caller *caller, const fm_command *command, fm_wire_result *result, fm_error *error);
/* Calls `record` for each record of a list. */
fm_status fm_caller_list(fm_caller *caller, int what, uint16_t vehicle, const char *pattern,
                         void (*record)(void *user, fm_wire_in *record), void *user, fm_error *error);

#endif
