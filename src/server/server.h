/* The server as its doors (door.h) see it: the list of clients, and the execution of commands. */
#ifndef FM_SERVER_SERVER_H
#define FM_SERVER_SERVER_H

#include <fathom/server.h>

#include "server/door.h"

/* --- doors --- */
fm_host *fm_server_host(fm_server *server);
/* Before fm_server_run: fm_host_add. */
fm_status fm_server_add_door(fm_server *server, const fm_door *door, fm_error *error);

/* State of the simulation; any thread. */
typedef struct fm_server_state {
    int state;     /* FM_WIRE_STOPPED … */
    uint64_t time; /* 0.1 ms */
    double speed;  /* times real time; 0: as fast as possible */
    int lockstep;
    fm_run_counts counts;
    size_t clients; /* connected */
} fm_server_state;
fm_server_state fm_server_get_state(fm_server *server);

/* --- clients; any thread --- */
typedef struct fm_client_info {
    uint16_t id;
    fm_wire_role role;
    int connected; /* 0: waits to be resumed */
    int lockstep;
    char name[32], model[32];
    char vehicle[32]; /* the vehicle that it brought or steers; "": none */
    int slot;         /* of that vehicle in the world; -1: none, or not yet */
    char address[48]; /* "127.0.0.1", "::1", or the path of a local socket */
    uint16_t port;    /* 0: a local socket */
    double reply;     /* s from the last PING to its PONG; NaN: none yet */
    double silence;   /* s since it was last heard */
    uint64_t pings, pongs, received, sent, dropped;
} fm_client_info;
/* The number of clients, and the first `room` of them. */
size_t fm_server_clients(fm_server *server, fm_client_info *clients, size_t room);

/* Counters by name ("drop/crc", "steps/late" …): their number, and the first `room` of them; any thread. */
size_t fm_server_counters(fm_server *server, fm_wire_counter *counters, size_t room);

/* --- commands; any thread --- */
/* As fm_host_execute. */
void fm_server_execute(fm_server *server, const fm_command *command, const char *holder, fm_command_done *done,
                       void *user);
const char *fm_role_name(fm_wire_role role); /* "surface", "controller" …; "?": unknown */

#endif
