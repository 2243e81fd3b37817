/* libfathom-client: software outside steers and listens to vehicles in `fathom serve` (docs/sdk.md, docs/protocol.md).
 * It needs the C library alone.
 *
 *     fm_client_options options = {.name = "rover", .role = FM_CLIENT_CONTROLLER, .model = "lauv"};
 *     fm_client *client = fm_client_open("127.0.0.1:4040", &options, &error);
 *     while (fm_client_poll(client, 1) >= 0 && fm_client_state_read(client, &state))
 *         fm_client_actuate(client, FM_CLIENT_NATIVE, orders, count, 0.5, &error);
 *     fm_client_close(client);
 *
 * Three ways to hear of news, which may be mixed: callbacks out of fm_client_poll; the latest state and samples, read
 * when it suits; a file descriptor for a loop of one's own. And a fourth: messages in a POSIX queue, with a signal (see
 * mail below). Lost datagrams, repeats, keep-alive and a lost connection are seen to inside fm_client_poll.
 *
 * SI and radians; world north-east-down, body forward-starboard-down; quaternions w x y z, body → world. `stamp` is a
 * moment of the simulation in whole tenths of a millisecond. Any thread may call; callbacks come on the thread that
 * polls, and may call everything but fm_client_close. Functions take NULL for a client that could not be made. */
#ifndef FATHOM_CLIENT_H
#define FATHOM_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#include <fathom/command.h>
#include <fathom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fm_client fm_client;

enum {
    FM_CLIENT_KEY = 32,        /* bytes of a key */
    FM_CLIENT_MAC = 16,        /* bytes of a MAC */
    FM_CLIENT_NAME = 32,       /* bytes of a name with its end */
    FM_CLIENT_ACTUATORS = 255, /* of a vehicle at most */
    FM_CLIENT_BYTES = 256      /* that one sound carries at most; a transducer or modem may take less */
};

typedef enum fm_client_role {
    FM_CLIENT_SURFACE = 1,
    FM_CLIENT_UNDERWATER = 2,
    FM_CLIENT_BUOY = 3,
    FM_CLIENT_OBSERVER = 4,
    FM_CLIENT_COMMANDER = 5,
    FM_CLIENT_CONTROLLER = 6, /* of a vehicle that is there */
    FM_CLIENT_EMULATOR = 7    /* gives the values of sensors */
} fm_client_role;

typedef enum fm_client_link {
    FM_CLIENT_CONNECTING,
    FM_CLIENT_CONNECTED,
    FM_CLIENT_LOST, /* nothing heard for too long: it asks to be taken back */
    FM_CLIENT_OVER  /* refused, ended by the server, or given up; the code says why */
} fm_client_link;

/* How the simulation stands. */
typedef enum fm_client_simulation {
    FM_CLIENT_STOPPED = 0,
    FM_CLIENT_RUNNING = 1,
    FM_CLIENT_ENDED = 2,
    FM_CLIENT_WAITING = 3 /* for clients that the scenario names */
} fm_client_simulation;

/* What the numbers of an actuation mean, and which actuators they go to: see docs/protocol.md. */
typedef enum fm_client_mode {
    FM_CLIENT_FORCE = 0,      /* N */
    FM_CLIENT_NORMALISED = 1, /* −1 … 1 of the limits */
    FM_CLIENT_RPM = 2,        /* rev/min */
    FM_CLIENT_FIN = 3,        /* rad */
    FM_CLIENT_NATIVE = 4      /* each in its own unit, all of them */
} fm_client_mode;

/* Why something was refused, in fm_client_result.code and so on: the codes of docs/protocol.md, 0: done. */

/* --- what comes --- */

enum { FM_CLIENT_ALIVE = 1, FM_CLIENT_TOUCHED = 2, FM_CLIENT_ZEROED = 4, FM_CLIENT_SURFACED = 8 };
/* Every actuator has one owner at any time. */
enum {
    FM_CLIENT_OWNER_SCHEDULE = 0,   /* the orders of the scenario */
    FM_CLIENT_OWNER_CONTROLLER = 1, /* of the vehicle */
    FM_CLIENT_OWNER_SELF = 2,       /* this client */
    FM_CLIENT_OWNER_OTHER = 3       /* another client, or a bridge */
};
typedef struct fm_client_state {
    uint64_t stamp;
    uint16_t vehicle; /* number */
    unsigned flags;   /* FM_CLIENT_ALIVE … */
    double position[3];
    double attitude[4];
    double velocity[3];     /* m/s over ground, body axes */
    double rates[3];        /* rad/s, body axes */
    double acceleration[3]; /* m/s², body axes */
    double flow[3];         /* m/s, NED: of the water there */
    size_t actuator_count;
    double actuators[FM_CLIENT_ACTUATORS]; /* what each does now, in its unit */
    uint8_t owners[FM_CLIENT_ACTUATORS];   /* who orders each: FM_CLIENT_OWNER_… */
} fm_client_state;

enum { FM_CLIENT_VALID = 1, FM_CLIENT_EXTERNAL = 2, FM_CLIENT_STALE = 4 };
typedef struct fm_client_sample {
    uint64_t stamp;
    uint16_t vehicle, instrument;
    unsigned flags; /* FM_CLIENT_VALID … */
    size_t size;
    const uint8_t *bytes; /* as sent; fm_client_sample_values makes numbers of them */
} fm_client_sample;

/* Something heard. */
typedef struct fm_client_sound {
    uint64_t stamp;
    uint32_t nanoseconds; /* beyond the stamp */
    uint32_t number;      /* counts what this session was sent: a gap is a loss */
    uint32_t signal;      /* of the sound in this simulation: the same by another way, or at another transducer */
    uint8_t transducer, kind, path;
    uint16_t from, to, code;      /* addresses; 0: nobody, everybody */
    double frequency, level, snr; /* Hz, dB, dB */
    double azimuth, elevation;    /* rad, where it comes from */
    size_t size;
    uint8_t bytes[FM_CLIENT_BYTES];
} fm_client_sound;

/* What became of a sound that was to be sent. */
typedef struct fm_client_sent {
    uint32_t id;
    int code;
    uint64_t emitted;  /* stamp: when it leaves */
    uint64_t ready_at; /* stamp: when the transducer can send again, after this sound; busy: after the one before */
    char text[96];     /* why it was refused */
} fm_client_sent;

typedef struct fm_client_result {
    uint32_t id;
    int code;
    unsigned verb;
    uint64_t stamp; /* when it was done */
    double value;
    char text[160];
} fm_client_result;

typedef struct fm_client_event {
    uint64_t stamp;
    unsigned kind; /* 1 joined, 2 left, 3 touched a vehicle, 4 touched something, 5 state, 6 world, 7 refused */
    uint16_t vehicle;
    uint32_t number; /* counts what this session was told */
    double value;
    char text[128];
} fm_client_event;

/* All may be NULL. */
typedef struct fm_client_callbacks {
    void (*state)(void *user, const fm_client_state *state);
    void (*sample)(void *user, const fm_client_sample *sample);
    void (*sound)(void *user, const fm_client_sound *sound);
    void (*sent)(void *user, const fm_client_sent *sent);
    void (*result)(void *user, const fm_client_result *result);
    void (*event)(void *user, const fm_client_event *event);
    void (*link)(void *user, fm_client_link link, int code, const char *text);
    void *user;
} fm_client_callbacks;

/* --- connecting --- */

/* Keyed BLAKE2b of 16 bytes (RFC 7693). */
typedef void fm_client_hash(const uint8_t key[FM_CLIENT_KEY], const uint8_t *bytes, size_t size,
                            uint8_t mac[FM_CLIENT_MAC]);

typedef struct fm_client_options {
    const char *name; /* of the client, and of the vehicle that it brings: letters, digits, - _ . */
    fm_client_role role;
    const char *model;    /* to bring; of a controller or an emulator: the vehicle that is there */
    double pose[6];       /* of a vehicle to bring: m NED, rad roll pitch heading */
    double state_period;  /* s; 0: the server's; below 0: none */
    double sensor_period; /* s; 0: every sample; below 0: none */
    uint16_t address;     /* acoustic, of a vehicle to bring; 0: one that is free */
    int lockstep;         /* 1: every step waits for fm_client_ready */
    const uint8_t *key;   /* of the server (fm_client_key_read); NULL: none */
    fm_client_hash *hash; /* NULL: that of libsodium, which is then loaded at run time */
    double timeout;       /* s that fm_client_open waits; 0: 5 */
    double patience;      /* s after which a lost connection is given up; 0: 30; below 0: never taken up again */
    fm_client_callbacks callbacks;
} fm_client_options;

/* "127.0.0.1:4040", "[::1]:4040", "host:4040", or "unix:/path". Returns when the server has said welcome, and the
 * vehicle's lists are there if it is in the water; NULL: *error says why. */
FM_API fm_client *fm_client_open(const char *address, const fm_client_options *options, fm_error *error);
/* Says goodbye, waits at most 0.6 s for the answer, and frees everything. */
FM_API void fm_client_close(fm_client *client);
/* 32 bytes, or 64 hexadecimal digits in a file. */
FM_API fm_status fm_client_key_read(const char *file, uint8_t key[FM_CLIENT_KEY], fm_error *error);

/* Takes what has come, calls back, and does what is due; waits at most so many seconds for something to come (0: not at
 * all). How many messages it took; −1: the connection is over. */
FM_API int fm_client_poll(fm_client *client, double seconds);
/* For select, poll, epoll: readable when fm_client_poll has something to do, be it only a repetition that is due. */
FM_API int fm_client_fd(const fm_client *client);

typedef struct fm_client_status {
    fm_client_link link;
    int code; /* why it is over */
    fm_client_simulation simulation;
    uint64_t stamp;             /* newest moment that was heard of */
    uint16_t id, vehicle;       /* of the client, of its vehicle (0: none, or not yet in the water) */
    double dt;                  /* s, step of the world */
    double keep_alive, timeout; /* s */
    double latitude, longitude; /* rad, of the origin */
    int lockstep, resumed;
    unsigned long received, dropped; /* datagrams */
    unsigned long repeated;          /* requests that were sent again */
    unsigned long reconnected;
    unsigned long mail_lost; /* messages that found no room in the queue */
} fm_client_status;
FM_API fm_client_status fm_client_status_get(const fm_client *client);

/* --- a vehicle --- */

typedef struct fm_client_actuator {
    char name[FM_CLIENT_NAME], unit[16];
    double low, high; /* both 0: no limits */
    unsigned modes;   /* bit m: takes mode m */
} fm_client_actuator;
/* Of the client's vehicle; numbers go from 0. 0: there is none. */
FM_API size_t fm_client_actuator_count(const fm_client *client);
FM_API int fm_client_actuator_get(const fm_client *client, size_t i, fm_client_actuator *actuator);
FM_API int fm_client_actuator_find(const fm_client *client, const char *name); /* −1: none of that name */

/* Orders to those actuators that take the mode, in their order. They hold the actuators until they are released, for
 * `hold` seconds of simulation (0: without end) or until the client leaves; then the previous owner has them again: a
 * controller of the vehicle, the orders of the scenario, or none (zero). In lock-step they go with the next
 * fm_client_ready. */
FM_API fm_status fm_client_actuate(fm_client *client, fm_client_mode mode, const double *values, size_t count,
                                   double hold, fm_error *error);
/* One actuator by name, in its unit: kept, and sent with all others by fm_client_orders_send. */
FM_API fm_status fm_client_order(fm_client *client, const char *actuator, double value, fm_error *error);
FM_API fm_status fm_client_orders_send(fm_client *client, double hold, fm_error *error);
/* Steering the client's own vehicle; a NULL name means all. Repeated until the server has answered (callback
 * `result`). */
/* Holds an actuator or a group with its present order, and refuses the orders of others. */
FM_API fm_status fm_client_take(fm_client *client, const char *actuator, fm_error *error);
/* Gives back an actuator, a group or a set point. */
FM_API fm_status fm_client_release(fm_client *client, const char *what, fm_error *error);
/* A controller that is disengaged writes no actuators; they go to zero, or to the last order of the scenario. */
FM_API fm_status fm_client_disengage(fm_client *client, const char *controller, fm_error *error);
FM_API fm_status fm_client_engage(fm_client *client, const char *controller, fm_error *error);
/* A set point of a controller ("depth", "heading", "speed" …), SI. */
FM_API fm_status fm_client_desire(fm_client *client, const char *setpoint, double value, fm_error *error);

typedef struct fm_client_setpoint {
    char part[FM_CLIENT_NAME], name[FM_CLIENT_NAME], unit[16];
    double least, most; /* both 0: no limits */
    double value;       /* NaN: not set */
    int optional;       /* it can be not set */
} fm_client_setpoint;
/* Writes the first `room`; returns how many there are, 0: none, or *error says why. */
FM_API size_t fm_client_setpoints_read(fm_client *client, fm_client_setpoint *setpoints, size_t room, fm_error *error);
typedef struct fm_client_owner {
    char actuator[FM_CLIENT_NAME];
    char name[FM_CLIENT_NAME]; /* "schedule", a controller, a client or a bridge */
    int kind;                  /* FM_CLIENT_OWNER_… */
    int taken;                 /* orders of others are refused */
    double order;              /* in force, in the actuator's unit */
} fm_client_owner;
FM_API size_t fm_client_owners_read(fm_client *client, fm_client_owner *owners, size_t room, fm_error *error);

/* Lock-step: done with the latest state; the world may step. */
FM_API fm_status fm_client_ready(fm_client *client, fm_error *error);

/* The latest state of the client's vehicle, or of the one it watches. 1: there is one. */
FM_API int fm_client_state_read(const fm_client *client, fm_client_state *state);

typedef struct fm_client_instrument {
    uint16_t id;
    char name[FM_CLIENT_NAME], kind[FM_CLIENT_NAME];
    double period; /* s */
    size_t size;   /* bytes of a sample */
} fm_client_instrument;
FM_API size_t fm_client_instrument_count(const fm_client *client);
FM_API int fm_client_instrument_get(const fm_client *client, size_t i, fm_client_instrument *instrument);
/* The latest sample of an instrument: writes the first `room` values of a field (NULL: its first), SI; returns how many
 * there are, 0: none yet, or no such instrument or field. *stamp and *flags (FM_CLIENT_VALID …) may be NULL. */
FM_API size_t fm_client_read(const fm_client *client, const char *instrument, const char *field, double *values,
                             size_t room, uint64_t *stamp, unsigned *flags);
/* The same of a sample in hand. */
FM_API size_t fm_client_sample_values(const fm_client *client, const fm_client_sample *sample, const char *field,
                                      double *values, size_t room);
/* Emulators: the values of an instrument, all its fields one behind the other. `count` 0 gives it back. */
FM_API fm_status fm_client_put(fm_client *client, const char *instrument, const double *values, size_t count,
                               fm_error *error);

/* --- sound --- */

typedef struct fm_client_voice {
    uint8_t number;
    int modem; /* 1: a modem, 0: a transducer */
    char name[FM_CLIENT_NAME];
    uint16_t address;
    double frequency, level; /* Hz, dB */
    size_t most;             /* bytes of one message, at most */
} fm_client_voice;
FM_API size_t fm_client_voice_count(const fm_client *client);
FM_API int fm_client_voice_get(const fm_client *client, size_t i, fm_client_voice *voice);

enum {
    FM_CLIENT_PING = 0,
    FM_CLIENT_QUERY = 1,
    FM_CLIENT_REPLY = 2,
    FM_CLIENT_DATA = 3,
    FM_CLIENT_MODEM = 4 /* a message of the modem of that number */
};
typedef struct fm_client_emission {
    uint8_t transducer, kind;
    uint16_t to, code;       /* address; 0: everybody */
    double frequency, level; /* 0: the transducer's own */
    const void *bytes;
    size_t size;
} fm_client_emission;
/* Repeated until the server has answered (callback `sent`). *id may be NULL. FM_ERR_FULL as of commands below. */
FM_API fm_status fm_client_sound_send(fm_client *client, const fm_client_emission *emission, uint32_t *id,
                                      fm_error *error);

/* --- commands and parameters --- */

/* Sends any command of fathom/command_table.h, which describes them: {.kind = FM_COMMAND_SPAWN, .spawn = {…}}.
 * Repeated until the server has answered (callback `result`); it does each once. *id may be NULL. FM_ERR_FULL: 32 wait
 * for their answers, or one of 64 before does; poll, then try again. */
FM_API fm_status fm_client_command_send(fm_client *client, const fm_command *command, uint32_t *id, fm_error *error);
/* The same, and waits for the answer, at most `seconds`. An answer other than 0 is an error, with its text. */
FM_API fm_status fm_client_command_do(fm_client *client, const fm_command *command, double seconds,
                                      fm_client_result *result, fm_error *error);
FM_API fm_status fm_client_parameter_set(fm_client *client, const char *path, double value, fm_error *error);
typedef struct fm_client_parameter {
    char path[96], unit[16];
    double value, least, most; /* least and most 0: no limits */
    int live;
} fm_client_parameter;
/* Those whose path is `pattern` or contains it: writes the first `room`; returns how many there are, 0 with *error. */
FM_API size_t fm_client_parameters_read(fm_client *client, const char *pattern, fm_client_parameter *parameters,
                                        size_t room, fm_error *error);
/* What is sent without asking: FM_CLIENT_WANT_…; `period` as state_period; `vehicle` by name, NULL: one's own, without
 * one all. A vehicle that is named is watched: fm_client_state_read and fm_client_read tell of it. */
enum { FM_CLIENT_WANT_STATE = 1, FM_CLIENT_WANT_SENSORS = 2, FM_CLIENT_WANT_EVENTS = 4, FM_CLIENT_WANT_SOUND = 8 };
FM_API fm_status fm_client_subscribe(fm_client *client, unsigned wants, double period, const char *vehicle,
                                     fm_error *error);

/* --- mail: messages dropped into a POSIX queue --- */

enum { FM_MAIL_BYTES = 4096 };
typedef enum fm_mail_kind {
    FM_MAIL_STATE = 1,
    FM_MAIL_SAMPLE,
    FM_MAIL_SOUND,
    FM_MAIL_SENT,
    FM_MAIL_RESULT,
    FM_MAIL_EVENT,
    FM_MAIL_LINK
} fm_mail_kind;
typedef struct fm_mail {
    uint32_t kind; /* fm_mail_kind */
    union {
        fm_client_state state;
        fm_client_sample sample; /* its bytes stand in `bytes` below */
        fm_client_sound sound;
        fm_client_sent sent;
        fm_client_result result;
        fm_client_event event;
        struct {
            uint32_t link; /* fm_client_link */
            int32_t code;
        } link;
    } is;
    uint8_t bytes[FM_MAIL_BYTES]; /* of a sample */
} fm_mail;

/* From now on everything that comes is also dropped into the queue `name` ("/rover"), by a thread of the client's own,
 * so that nobody need poll. The queue is made where there is none. Where it is full, states and samples are lost (newer
 * ones follow) and counted; the rest waits. */
FM_API fm_status fm_client_deliver(fm_client *client, const char *name, fm_error *error);

/* The other end, in this process or another: opens the queue, made where there is none, and asks for the signal (0:
 * none) whenever a message comes into the empty queue. */
typedef struct fm_mailbox {
    int queue, signal;
} fm_mailbox;
FM_API fm_status fm_mailbox_open(fm_mailbox *box, const char *name, int signal, fm_error *error);
/* The next message; 0: none. After the signal, call it until it says 0: only then will the next signal come. It may be
 * called from the handler itself. */
FM_API int fm_mailbox_next(fm_mailbox *box, fm_mail *mail);
FM_API void fm_mailbox_close(fm_mailbox *box);

/* --- the command queue of a server on the same computer (`fathom serve --shared NAME`) --- */

/* One command as text ("stop", "step 10", "set /current/velocity/x 0.2"), and its answer; needs no connection.
 * `instance`: the NAME; NULL: that without one. */
FM_API fm_status fm_client_queue_ask(const char *instance, const char *command, double seconds, fm_error *error);

#ifdef __cplusplus
}
#endif
#endif
