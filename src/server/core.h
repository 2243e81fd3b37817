/* Internals of a server. One mutex, `lock`, guards what both threads use: sessions, outgoing records, values from
 * outside, the run. It is held briefly, never during a system call that may block.
 *
 *   server.c    both threads, doors, the end            sessions.c  who is connected: keep-alive, leaving
 *   receiving.c checks of datagrams                     joining.c   HELLO, CONNECT, resuming
 *   sending.c   datagrams to clients                    cookies.c   proofs that an address is real
 *   loop.c      libuv: sockets, timer, wakes            messages.c  requests of clients
 *   errands.c   work for the stepping thread and back   commands.c  execution of commands
 *   publish.c   data from the stepping thread           steer.c     actuations and lock-step
 *   lists.c     DESCRIBE                                samples.c   values of instruments
 *   emulation.c values of instruments from outside */
#ifndef FM_SERVER_CORE_H
#define FM_SERVER_CORE_H

#include <pthread.h>
#include <stdatomic.h>

#include <fathom/instrument.h>

#include "run/run.h"
#include "server/host.h"
#include "server/server.h"
#include "server/socket.h"
#include "server/world_command.h"
#include "world/world.h"

enum {
    FM_NET_KEPT = 64,      /* answers that a session remembers */
    FM_NET_ERRANDS = 64,   /* of a session under way at most */
    FM_NET_BUCKETS = 4096, /* of sources, for rate limits */
    FM_NET_COOKIES = 1024, /* used cookies that are remembered */
    FM_NET_VOICES = 16,    /* subscribed transducers and modems of a vehicle */
    FM_NET_INSTRUMENTS = 256
};

/* --- sessions --- */

typedef enum fm_session_life {
    FM_SESSION_FREE,
    FM_SESSION_JOINING, /* the world is being asked */
    FM_SESSION_LIVE,
    FM_SESSION_LOST /* timed out; waits to be resumed */
} fm_session_life;

/* One mode's newest actuation. */
typedef struct fm_actuation {
    uint32_t sequence; /* of its datagram; 0: none yet */
    int waits;         /* for its time, or for the next step */
    int acts;          /* its hold runs */
    uint64_t apply_at; /* 0.1 ms */
    uint64_t until;    /* 0.1 ms; 0: for ever */
    uint16_t hold;     /* ms */
    uint8_t count;
    double received; /* s of the clock */
    float values[FM_WIRE_VALUES];
} fm_actuation;

/* Answers to requests that are executed once: COMMAND, ACOUSTIC_SEND. */
typedef struct fm_kept_answer {
    uint32_t id;
    int done;
    union {
        fm_wire_result result;
        fm_wire_acoustic_status status;
    } as;
} fm_kept_answer;

/* Rate limit of a sender, in datagrams per second. */
typedef struct fm_bucket {
    uint64_t source; /* hash */
    double tokens, since;
} fm_bucket;

/* A cookie used by a CONNECT, and the answer that was sent. */
typedef struct fm_used_cookie {
    uint8_t cookie[16];
    fm_wire_code code; /* FM_WIRE_DONE: a session */
    char text[sizeof((fm_wire_reject *)0)->text];
} fm_used_cookie;

typedef struct fm_session {
    fm_session_life life;
    uint16_t id;
    uint32_t generation; /* increases when another client takes the slot */
    fm_wire_role role;
    fm_wire_connect asked;
    fm_address address;
    uint64_t token;
    uint32_t sequence; /* of the last datagram sent */
    fm_wire_window window;
    fm_bucket rate;
    int errands; /* under way */

    /* keep-alive; s of the clock */
    double heard, pinged, lost;
    uint64_t ping;
    double reply; /* s; NaN: none yet */
    uint64_t pings, pongs, received, sent, dropped;

    /* what it wants */
    uint32_t mask;
    uint64_t state_ticks;    /* 0: none */
    double sensor_period;    /* s; below 0: none */
    uint16_t watched;        /* number of a vehicle; 0: its own, or all */
    uint64_t next_state;     /* tick */
    uint32_t events, sounds; /* reported so far */

    /* its vehicle */
    char vehicle[32];
    int slot; /* -1: not in the water yet */
    int64_t touches;
    int brought;          /* by this client, into the world */
    int zeroed, silenced; /* an actuation has expired; the client was lost and its actuators must stop */
    fm_actuation actuations[FM_WIRE_MODES];
    uint64_t samples[FM_NET_INSTRUMENTS]; /* last report of each instrument … */
    double sampled[FM_NET_INSTRUMENTS];   /* … and when, s of simulation */
    int listens;                          /* 0: receptions so far are not for this client */
    int64_t heard_sounds[FM_NET_VOICES], heard_messages[FM_NET_VOICES];

    /* lock-step */
    int participant; /* number in the run; 0: none */
    int repeats;     /* its last state must be sent again */
    double told;     /* s of the clock: when the state was last sent */

    fm_kept_answer commands[FM_NET_KEPT], sends[FM_NET_KEPT];
} fm_session;

/* --- outgoing records, one after the other --- */
typedef struct fm_outgoing {
    uint32_t generation;
    uint16_t session; /* id */
    uint16_t type, source, size;
    uint64_t time; /* 0.1 ms */
} fm_outgoing;
typedef struct fm_outbox {
    uint8_t *bytes;
    size_t size, room;
} fm_outbox;

/* --- errands: to the stepping thread and back --- */
typedef struct fm_errand {
    fm_run_task task; /* first */
    fm_server *server;
    struct fm_errand *next;
    /* Stepping thread, between steps; NULL run: no more steps will come. */
    void (*work)(fm_server *server, fm_run *run, struct fm_errand *errand);
    /* The loop's thread; the errand is freed afterwards. */
    void (*done)(fm_server *server, struct fm_errand *errand);
    uint16_t session;    /* id; 0: none */
    uint32_t generation; /* of the session */
    fm_command command;
    uint32_t id;                 /* of the command, in its session; 0: none */
    char vehicle[32];            /* the client to be removed, or that sends a sound */
    char holder[FM_HOLDER_SIZE]; /* under which its orders hold actuators */
    fm_wire_result result;
    fm_command_done *tell;
    void *user;
    uv_work_t opening; /* of the command `log`: a thread of the pool opens its file … */
    fm_log_file *log;  /* … before the stepping thread records into it */
    fm_wire_describe describe;
    fm_wire_acoustic_send send;
    fm_wire_acoustic_send_tail send_tail;
    fm_wire_acoustic_status status;
    uint8_t bytes[FM_WIRE_MOST]; /* payload of the request or of the answer */
    size_t size;
} fm_errand;

/* --- values of an instrument from outside --- */
typedef struct fm_emulated {
    char vehicle[32], instrument[32];
    uint16_t session; /* id of the emulator */
    uint32_t generation;
    int waits;      /* news, for the next step */
    int ends;       /* the built-in instrument must measure again */
    int stale;      /* no values for some time, and the world has been notified */
    double arrived; /* s of simulation since the world was made: of the last values */
    uint8_t *values;
    size_t size;
    struct fm_emulated *next;
} fm_emulated;

/* State of the loop, in loop.c. */
typedef struct fm_net_loop fm_net_loop;

struct fm_server {
    const fm_model *model;
    const fm_server_settings *settings;
    fm_server_options options;
    uint8_t key[FM_WIRE_KEY], secret[FM_WIRE_KEY];
    int keyed;

    pthread_mutex_t lock;

    /* sessions: [id - 1]; NULL: never used */
    fm_session **sessions;
    size_t session_room, session_count; /* places used so far */
    fm_bucket *buckets;
    fm_bucket hellos;
    fm_used_cookie *used_cookies; /* FM_NET_COOKIES of them, a ring */
    size_t used_next;
    uint64_t cookies_after; /* ms: cookies issued up to then are rejected */
    uint64_t taken, sent, drops[FM_WIRE_FAULTS];
    double now; /* s of the clock: when the loop last checked */

    /* the run */
    fm_run *run;
    fm_sink *log_sink;
    fm_log_result log_result;
    fm_log_counts log_past, log_now; /* of closed logs; of the open log */
    fm_run_pace pace;
    int stopped, waiting, over; /* state of the run: paused; for named clients; no more steps */
    _Atomic int stop_asked;     /* by fm_server_stop */
    _Atomic uint64_t time;      /* 0.1 ms: of the last published state */
    _Atomic uint64_t tick;

    fm_outbox boxes[2];          /* the stepping thread fills boxes[0] */
    fm_errand *finished_errands; /* for the loop */
    fm_emulated *emulated;
    uint8_t *scratch; /* stepping thread: a sample */
    size_t scratch_room;

    fm_host host;

    /* Connection to the outside: sockets or, in tests, a simulated network. */
    double (*clock)(void *user);                                            /* s, monotonic */
    size_t (*send)(void *user, const fm_datagram *datagrams, size_t count); /* how many were taken */
    void (*wake)(void *user); /* asks the loop to call fm_server_turn; any thread */
    void *outside;
    fm_datagram *batch; /* FM_SOCKET_BATCH of them, waiting to be sent */
    size_t batch_count;
    fm_net_loop *loop; /* NULL: none */
};

/* --- loop.c --- */
void fm_loop_free(fm_net_loop *loop);
void fm_loop_stop(fm_net_loop *loop); /* any thread, also a signal handler */

/* --- server.c --- */
/* Without sockets and threads: `outside` is the caller's. */
fm_server *fm_server_make(const fm_model *model, const fm_server_options *options, fm_error *error);
/* Stepping thread: begin, end, and the loop between them. */
fm_status fm_server_begin(fm_server *server, fm_error *error);
fm_status fm_server_end(fm_server *server, fm_error *error);
fm_status fm_server_go(fm_server *server, const fm_run_clock *clock, fm_error *error);
/* Restarts the scenario within the run. Stepping thread, between steps. */
fm_status fm_server_reset(fm_server *server, fm_error *error);
void fm_server_lock(fm_server *server);
void fm_server_unlock(fm_server *server);

/* --- sessions.c, receiving.c, sending.c; the loop's thread, with the lock --- */
void fm_server_receive(fm_server *server, const fm_datagram *datagrams, size_t count); /* takes the lock itself */
void fm_server_turn(fm_server *server);           /* loop's thread, with the lock: sends the results of steps */
void fm_server_tick(fm_server *server);           /* loop's thread, with the lock: pings, time-outs */
void fm_server_close_sessions(fm_server *server); /* loop's thread, with the lock: BYE to all */
void fm_drop_count(fm_server *server, fm_session *session, fm_wire_fault fault);
fm_session *fm_session_find(fm_server *server, uint16_t id, uint32_t generation); /* live ones; NULL: gone */
void fm_session_leave(fm_server *server, fm_session *session, fm_wire_code reason);
/* Adds one datagram to a session to the batch. */
void fm_session_send(fm_server *server, fm_session *session, fm_wire_type type, uint16_t source, uint64_t time,
                     const void *payload, size_t size);
void fm_batch_flush(fm_server *server); /* gives the lock back meanwhile */
void fm_session_answer_rejection(fm_server *server, const fm_address *to, uint64_t nonce, fm_wire_code code,
                                 const char *text);
/* EVENT to all who listen. */
void fm_sessions_tell(fm_server *server, int kind, uint16_t vehicle, double value, const char *text);
int fm_server_how(const fm_server *server);                        /* FM_WIRE_STOPPED … */
void fm_session_restart(fm_session *session);                      /* its vehicle begins again */
void fm_session_take_part(fm_server *server, fm_session *session); /* in lock-step */
/* Adds waiting vehicles to the world in the order of their names, independent of which client was faster. Stepping
 * thread. */
void fm_spawns_sort(fm_world *world);
uint64_t fm_session_period(const fm_server *server, uint32_t us); /* in ticks; 0: none */

/* --- messages.c --- */
void fm_session_take(fm_server *server, fm_session *session, const fm_wire_header *header, fm_wire_in *payload);
void fm_session_send_error(fm_server *server, fm_session *session, const fm_wire_header *header, fm_wire_code code);
void fm_session_finish_command(fm_server *server, uint16_t id, uint32_t generation, const fm_wire_result *result);

/* --- errands.c --- */
fm_errand *fm_errand_create(fm_server *server, const fm_session *session);
void fm_errand_post(fm_server *server, fm_errand *errand);  /* with the lock, which it may release for a while */
void fm_errand_bring(fm_server *server, fm_errand *errand); /* any thread: `done` on the loop's */
void fm_errands_finish(fm_server *server);                  /* the loop's thread, with the lock: calls `done` */
void fm_errands_free(fm_server *server);

/* --- publish.c; stepping thread --- */
void fm_server_publish(fm_server *server, fm_run *run);
void fm_server_publish_event(fm_server *server, fm_run *run, const fm_event *event);
/* Appends to the outbox, for a session; with the lock. */
void fm_session_put(fm_server *server, fm_session *session, fm_wire_type type, uint16_t source, uint64_t time,
                    const void *payload, size_t size);
int fm_outbox_put(fm_outbox *box, const fm_outgoing *head, const void *payload);

/* --- steer.c; stepping thread, with the lock --- */
const char *fm_session_holder(const fm_session *session);               /* the name under which it holds actuators */
int fm_session_owner(const fm_session *session, const fm_owner *owner); /* FM_WIRE_OWNER_…, as sent to clients */
void fm_sessions_steer(fm_server *server, fm_run *run);
size_t fm_actuator_mode_count(const fm_type *type, int mode);
int fm_actuator_takes(const fm_type *type, size_t i, int mode);
/* With the lock, the loop's thread. */
fm_wire_fault fm_session_actuate(fm_server *server, fm_session *session, uint32_t sequence, fm_wire_in *payload);

/* --- samples.c; stepping thread --- */
typedef struct fm_sample_head {
    double time;    /* s; NaN: there is none */
    uint64_t count; /* a change means news */
    int flags;      /* FM_WIRE_SAMPLE_… */
} fm_sample_head;
/* Size of its values in bytes; up to `room` of them are written. */
size_t fm_sample_read(const fm_world *world, int slot, size_t instrument, fm_sample_head *head, uint8_t *values,
                      size_t room);
int fm_sample_type(const fm_sample *sample);    /* FM_WIRE_F64 …; 0: not sent */
size_t fm_sample_size(const fm_sample *sample); /* bytes */

/* --- emulation.c; with the lock --- */
void fm_session_put_samples(fm_server *server, fm_session *session, const fm_wire_header *header, fm_wire_in *payload);
void fm_session_give_back(fm_server *server, const fm_session *session); /* what it emulated */
void fm_emulated_steer(fm_server *server, fm_run *run);                  /* stepping thread, before a step */
void fm_emulated_free(fm_server *server);

/* --- lists.c --- */
/* Writes header and records; stepping thread, with the lock. `run` NULL: requests that need no world. */
void fm_list_write(fm_server *server, fm_run *run, const fm_session *session, const fm_wire_describe *ask,
                   fm_wire_out *out);

/* --- counters.c; with the lock --- */
size_t fm_counters_read(fm_server *server, fm_wire_counter *counters, size_t room);

/* --- commands.c --- */
void fm_server_note_log(fm_server *server); /* a log is closed: what it lost */
fm_status fm_server_record(fm_server *server, fm_run *run, const char *path, fm_error *error); /* stepping thread */
/* With the lock, the loop's thread. `session`: the one that asked, with this id; NULL: calls `tell`. */
void fm_server_do(fm_server *server, const fm_command *command, const char *holder, const fm_session *session,
                  uint32_t id, fm_command_done *tell, void *user);

#endif
