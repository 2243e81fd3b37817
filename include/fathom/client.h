/* libfathom-client: controls and observes vehicles in `fathom serve` from other software (docs/sdk.md,
 * docs/protocol.md). It needs only the C library.
 *
 *     fm_client_options options = {.name = "rover", .role = FM_CLIENT_CONTROLLER, .model = "lauv"};
 *     fm_client *client = fm_client_open("127.0.0.1:4040", &options, &error);
 *     while (fm_client_poll(client, 1) >= 0 && fm_client_state_read(client, &state))
 *         fm_client_actuate(client, FM_CLIENT_NATIVE, orders, count, 0.5, &error);
 *     fm_client_close(client);
 *
 * Four ways to receive data, which may be combined:
 * - callbacks, called by fm_client_poll,
 * - the latest state and samples, read at any time,
 * - a file descriptor for an event loop,
 * - messages in a POSIX queue, with a signal (see mail below).
 *
 * fm_client_poll also handles lost datagrams, retransmission, keep-alive and reconnection.
 *
 * SI and radians; world north-east-down, body forward-starboard-down; quaternions w x y z, body → world. `stamp` is a
 * moment of the simulation in whole tenths of a millisecond. Any thread may call these functions; callbacks run on
 * the thread that polls and may call everything except fm_client_close. Functions accept NULL as client and fail. */
#ifndef FATHOM_CLIENT_H
#define FATHOM_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#include <fathom/command.h>
#include <fathom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A connection to a server. Any thread may use it; close it with fm_client_close when no thread uses it any more. */
typedef struct fm_client fm_client;

enum {
    FM_CLIENT_KEY = 32,        /* bytes of a key */
    FM_CLIENT_MAC = 16,        /* bytes of a MAC */
    FM_CLIENT_NAME = 32,       /* bytes of a name, including NUL */
    FM_CLIENT_ACTUATORS = 255, /* maximum per vehicle */
    FM_CLIENT_BYTES = 256      /* maximum per sound; a transducer or modem may accept fewer */
};

/* What the client is in the simulation. */
typedef enum fm_client_role {
    FM_CLIENT_SURFACE = 1,
    FM_CLIENT_UNDERWATER = 2,
    FM_CLIENT_BUOY = 3,
    FM_CLIENT_OBSERVER = 4,
    FM_CLIENT_COMMANDER = 5,
    FM_CLIENT_CONTROLLER = 6, /* controls an existing vehicle */
    FM_CLIENT_EMULATOR = 7    /* supplies the values of sensors */
} fm_client_role;

/* State of the connection. */
typedef enum fm_client_link {
    FM_CLIENT_CONNECTING,
    FM_CLIENT_CONNECTED,
    FM_CLIENT_LOST, /* timed out: it tries to reconnect */
    FM_CLIENT_OVER  /* refused, ended by the server, or given up; the code gives the reason */
} fm_client_link;

/* State of the simulation. */
typedef enum fm_client_simulation {
    FM_CLIENT_STOPPED = 0,
    FM_CLIENT_RUNNING = 1,
    FM_CLIENT_ENDED = 2,
    FM_CLIENT_WAITING = 3 /* for clients named in the scenario */
} fm_client_simulation;

/* The meaning of the numbers of an actuation, and which actuators they apply to: see docs/protocol.md. */
typedef enum fm_client_mode {
    FM_CLIENT_FORCE = 0,      /* N */
    FM_CLIENT_NORMALISED = 1, /* −1 … 1 of the limits */
    FM_CLIENT_RPM = 2,        /* rev/min */
    FM_CLIENT_FIN = 3,        /* rad */
    FM_CLIENT_NATIVE = 4      /* all actuators, each in its own unit */
} fm_client_mode;

/* Members `code` give the reason for a refusal: the codes of docs/protocol.md; 0: success. */

/* --- received data --- */

/* Flags of a state. */
enum { FM_CLIENT_ALIVE = 1, FM_CLIENT_TOUCHED = 2, FM_CLIENT_ZEROED = 4, FM_CLIENT_SURFACED = 8 };
/* The owner of an actuator; every actuator has exactly one. */
enum {
    FM_CLIENT_OWNER_SCHEDULE = 0,   /* the schedule of the scenario */
    FM_CLIENT_OWNER_CONTROLLER = 1, /* a controller of the vehicle */
    FM_CLIENT_OWNER_SELF = 2,       /* this client */
    FM_CLIENT_OWNER_OTHER = 3       /* another client, or a bridge */
};
/* State of a vehicle; a plain copy. */
typedef struct fm_client_state {
    uint64_t stamp;
    uint16_t vehicle; /* its number */
    unsigned flags;   /* FM_CLIENT_ALIVE … */
    double position[3];
    double attitude[4];
    double velocity[3];     /* m/s over ground, body axes */
    double rates[3];        /* rad/s, body axes */
    double acceleration[3]; /* m/s², body axes */
    double flow[3];         /* m/s, NED: velocity of the water */
    size_t actuator_count;
    double actuators[FM_CLIENT_ACTUATORS]; /* present values, each in its unit */
    uint8_t owners[FM_CLIENT_ACTUATORS];   /* owners: FM_CLIENT_OWNER_… */
} fm_client_state;

/* Flags of a sample. */
enum { FM_CLIENT_VALID = 1, FM_CLIENT_EXTERNAL = 2, FM_CLIENT_STALE = 4 };
/* A sample of an instrument; `bytes` is valid until the callback returns. */
typedef struct fm_client_sample {
    uint64_t stamp;
    uint16_t vehicle, instrument;
    unsigned flags; /* FM_CLIENT_VALID … */
    size_t size;
    const uint8_t *bytes; /* as sent; fm_client_sample_values converts them to numbers */
} fm_client_sample;

/* A sound that was heard; a plain copy. */
typedef struct fm_client_sound {
    uint64_t stamp;
    uint32_t nanoseconds; /* in addition to the stamp */
    uint32_t number;      /* counts the sounds sent to this session: a gap means a loss */
    uint32_t signal;      /* number of the emission: the same for other paths and transducers */
    uint8_t transducer, kind, path;
    uint16_t from, to, code;      /* sender (0: none) and destination (0: broadcast) address, code */
    double frequency, level, snr; /* Hz, dB, dB */
    double azimuth, elevation;    /* rad, direction towards its origin */
    size_t size;
    uint8_t bytes[FM_CLIENT_BYTES];
} fm_client_sound;

/* The outcome of fm_client_sound_send; a plain copy. */
typedef struct fm_client_sent {
    uint32_t id;
    int code;
    uint64_t emitted;  /* stamp: when it is sent */
    uint64_t ready_at; /* stamp: when the transducer can send again; if busy: after the previous sound */
    char text[96];     /* why it was refused */
} fm_client_sent;

/* The answer to a command; a plain copy. */
typedef struct fm_client_result {
    uint32_t id;
    int code;
    unsigned verb;
    uint64_t stamp; /* when it was done */
    double value;
    char text[160];
} fm_client_result;

/* An event of the simulation; a plain copy. */
typedef struct fm_client_event {
    uint64_t stamp;
    unsigned kind; /* 1 joined, 2 left, 3 contact with a vehicle, 4 other contact, 5 state, 6 world, 7 refused */
    uint16_t vehicle;
    uint32_t number; /* counts the events sent to this session */
    double value;
    char text[128];
} fm_client_event;

/* Called by fm_client_poll on its thread; all may be NULL. Arguments are valid until the callback returns. */
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

/* Computes the keyed BLAKE2b hash of 16 bytes (RFC 7693). */
typedef void fm_client_hash(const uint8_t key[FM_CLIENT_KEY], const uint8_t *bytes, size_t size,
                            uint8_t mac[FM_CLIENT_MAC]);

/* How to connect; zero-initialise for the defaults. Read only during fm_client_open; callbacks and key are copied. */
typedef struct fm_client_options {
    const char *name; /* name of the client and of the vehicle that it adds: letters, digits, - _ . */
    fm_client_role role;
    const char *model;    /* vehicle model to add; for a controller or emulator: name of the existing vehicle */
    double pose[6];       /* of a vehicle to add: m NED, rad roll pitch heading */
    double state_period;  /* s between states; 0: the server's period; below 0: no states */
    double sensor_period; /* s between samples; 0: every sample; below 0: no samples */
    uint16_t address;     /* acoustic address of a vehicle to add; 0: any free one */
    int lockstep;         /* 1: every step waits for fm_client_ready */
    const uint8_t *key;   /* key of the server (fm_client_key_read); NULL: none */
    fm_client_hash *hash; /* NULL: from libsodium, loaded at run time */
    double timeout;       /* s that fm_client_open waits; 0: 5 s */
    double patience;      /* s of attempts to reconnect; 0: 30 s; below 0: never reconnects */
    fm_client_callbacks callbacks;
} fm_client_options;

/* Connects to "127.0.0.1:4040", "[::1]:4040", "host:4040", or "unix:/path". Returns when the server has accepted the
 * client and sent the lists of its vehicle, if it has one. Returns NULL and sets *error on failure. Close it with
 * fm_client_close. */
FM_API fm_client *fm_client_open(const char *address, const fm_client_options *options, fm_error *error);
/* Disconnects, waits at most 0.6 s for the answer, and frees the client; NULL is allowed. */
FM_API void fm_client_close(fm_client *client);
/* Reads a key from a file: 32 bytes, or 64 hexadecimal digits. */
FM_API fm_status fm_client_key_read(const char *file, uint8_t key[FM_CLIENT_KEY], fm_error *error);

/* Receives messages, makes the callbacks, and handles retransmission and keep-alive. Waits at most `seconds` for a
 * message (0: does not wait). Returns the number of messages processed; −1: the connection is over. */
FM_API int fm_client_poll(fm_client *client, double seconds);
/* Returns a file descriptor for select, poll or epoll: readable when fm_client_poll has work, including retransmission.
 * It belongs to the client: do not close it. */
FM_API int fm_client_fd(const fm_client *client);

/* Status of the connection and the simulation; a plain copy. */
typedef struct fm_client_status {
    fm_client_link link;
    int code; /* why the connection is over */
    fm_client_simulation simulation;
    uint64_t stamp;             /* latest simulation time received */
    uint16_t id, vehicle;       /* numbers of the client and its vehicle (0: none, or not yet added) */
    double dt;                  /* s, tick of the world */
    double keep_alive, timeout; /* s */
    double latitude, longitude; /* rad, of the origin */
    int lockstep, resumed;
    unsigned long received, dropped; /* datagrams */
    unsigned long repeated;          /* requests sent again */
    unsigned long reconnected;
    unsigned long mail_lost; /* messages dropped because the queue was full */
} fm_client_status;
/* Returns the present status. */
FM_API fm_client_status fm_client_status_get(const fm_client *client);

/* --- a vehicle --- */

/* An actuator of a vehicle; a plain copy. */
typedef struct fm_client_actuator {
    char name[FM_CLIENT_NAME], unit[16];
    double low, high; /* both 0: no limits */
    unsigned modes;   /* bit m: accepts mode m */
} fm_client_actuator;
/* Returns the number of actuators of the client's vehicle; 0: no vehicle. */
FM_API size_t fm_client_actuator_count(const fm_client *client);
/* Copies actuator `i` to *actuator and returns 1; 0: unknown. */
FM_API int fm_client_actuator_get(const fm_client *client, size_t i, fm_client_actuator *actuator);
/* Returns the index of the actuator with this name; −1: unknown. */
FM_API int fm_client_actuator_find(const fm_client *client, const char *name);

/* Orders the actuators that accept the mode, in their order. The client owns them until it releases them, for `hold`
 * seconds of simulation (0: no limit), or until it disconnects. Then the previous owner has them again: a controller of
 * the vehicle, the schedule of the scenario, or none (orders of zero). In lock-step the orders are sent with the next
 * fm_client_ready. */
FM_API fm_status fm_client_actuate(fm_client *client, fm_client_mode mode, const double *values, size_t count,
                                   double hold, fm_error *error);
/* Stores an order for one actuator, in its unit; fm_client_orders_send sends all stored orders. */
FM_API fm_status fm_client_order(fm_client *client, const char *actuator, double value, fm_error *error);
/* Sends the stored orders of fm_client_order; `hold` as in fm_client_actuate. */
FM_API fm_status fm_client_orders_send(fm_client *client, double hold, fm_error *error);
/* The following commands apply to the client's own vehicle; a NULL name means all. They are repeated until the server
 * has answered (callback `result`). */

/* Takes an actuator or a group with its present order: orders of others are refused. */
FM_API fm_status fm_client_take(fm_client *client, const char *actuator, fm_error *error);
/* Releases an actuator, a group or a setpoint. */
FM_API fm_status fm_client_release(fm_client *client, const char *what, fm_error *error);
/* Disengages a controller: it writes no actuators, which go to the last order of the scenario, or to zero. */
FM_API fm_status fm_client_disengage(fm_client *client, const char *controller, fm_error *error);
/* Engages a controller again. */
FM_API fm_status fm_client_engage(fm_client *client, const char *controller, fm_error *error);
/* Sets a setpoint of a controller ("depth", "heading", "speed" …), SI. */
FM_API fm_status fm_client_desire(fm_client *client, const char *setpoint, double value, fm_error *error);

/* A setpoint of a vehicle; a plain copy. */
typedef struct fm_client_setpoint {
    char part[FM_CLIENT_NAME], name[FM_CLIENT_NAME], unit[16];
    double least, most; /* both 0: no limits */
    double value;       /* NaN: not set */
    int optional;       /* it can be unset */
} fm_client_setpoint;
/* Asks the server for the setpoints of the client's vehicle and waits for the answer. Writes at most `room` and returns
 * the total number; 0: none, or an error in *error. */
FM_API size_t fm_client_setpoints_read(fm_client *client, fm_client_setpoint *setpoints, size_t room, fm_error *error);
/* The owner of an actuator; a plain copy. */
typedef struct fm_client_owner {
    char actuator[FM_CLIENT_NAME];
    char name[FM_CLIENT_NAME]; /* "schedule", a controller, a client or a bridge */
    int kind;                  /* FM_CLIENT_OWNER_… */
    int taken;                 /* orders of others are refused */
    double order;              /* in force, in the actuator's unit */
} fm_client_owner;
/* Asks the server for the owners of the actuators; room and result as in fm_client_setpoints_read. */
FM_API size_t fm_client_owners_read(fm_client *client, fm_client_owner *owners, size_t room, fm_error *error);

/* Lock-step: reports that the client has processed the latest state, so the world may step. */
FM_API fm_status fm_client_ready(fm_client *client, fm_error *error);

/* Copies the latest state of the client's vehicle, or of the watched one, and returns 1; 0: none yet. */
FM_API int fm_client_state_read(const fm_client *client, fm_client_state *state);

/* An instrument of a vehicle; a plain copy. */
typedef struct fm_client_instrument {
    uint16_t id;
    char name[FM_CLIENT_NAME], kind[FM_CLIENT_NAME];
    double period; /* s */
    size_t size;   /* bytes of a sample */
} fm_client_instrument;
/* Returns the number of instruments of the client's vehicle, or of the watched one. */
FM_API size_t fm_client_instrument_count(const fm_client *client);
/* Copies instrument `i` to *instrument and returns 1; 0: unknown. */
FM_API int fm_client_instrument_get(const fm_client *client, size_t i, fm_client_instrument *instrument);
/* Reads the latest sample of an instrument: writes at most `room` values of a field (NULL: its first), SI, and returns
 * the total number; 0: no sample yet, or unknown instrument or field. *stamp and *flags (FM_CLIENT_VALID …) may be
 * NULL. */
FM_API size_t fm_client_read(const fm_client *client, const char *instrument, const char *field, double *values,
                             size_t room, uint64_t *stamp, unsigned *flags);
/* The same for a given sample. */
FM_API size_t fm_client_sample_values(const fm_client *client, const fm_client_sample *sample, const char *field,
                                      double *values, size_t room);
/* Emulators: sets the values of an instrument, SI, all fields in order. `count` 0 returns it to the built-in model. */
FM_API fm_status fm_client_put(fm_client *client, const char *instrument, const double *values, size_t count,
                               fm_error *error);

/* --- sound --- */

/* A transducer or modem of a vehicle; a plain copy. */
typedef struct fm_client_voice {
    uint8_t number;
    int modem; /* 1: a modem, 0: a transducer */
    char name[FM_CLIENT_NAME];
    uint16_t address;
    double frequency, level; /* Hz, dB */
    size_t most;             /* maximum bytes of one message */
} fm_client_voice;
/* Returns the number of transducers and modems of the client's vehicle. */
FM_API size_t fm_client_voice_count(const fm_client *client);
/* Copies transducer or modem `i` to *voice and returns 1; 0: unknown. */
FM_API int fm_client_voice_get(const fm_client *client, size_t i, fm_client_voice *voice);

/* Kinds of sounds. */
enum {
    FM_CLIENT_PING = 0,
    FM_CLIENT_QUERY = 1,
    FM_CLIENT_REPLY = 2,
    FM_CLIENT_DATA = 3,
    FM_CLIENT_MODEM = 4 /* a message of the modem with that number */
};
/* A sound to be sent; it and its bytes are copied. */
typedef struct fm_client_emission {
    uint8_t transducer, kind;
    uint16_t to, code;       /* destination address (0: broadcast), code */
    double frequency, level; /* Hz, dB; 0: the transducer's own */
    const void *bytes;
    size_t size;
} fm_client_emission;
/* Sends a sound; repeated until the server has answered (callback `sent`). *id (may be NULL) identifies the answer.
 * FM_ERR_FULL: as for fm_client_command_send. */
FM_API fm_status fm_client_sound_send(fm_client *client, const fm_client_emission *emission, uint32_t *id,
                                      fm_error *error);

/* --- commands and parameters --- */

/* Sends any command of fathom/command_table.h, which describes them: {.kind = FM_COMMAND_SPAWN, .spawn = {…}}.
 * Repeated until the server has answered (callback `result`) and executed exactly once. *id (may be NULL) identifies
 * the answer. FM_ERR_FULL: 32 commands wait for answers, or one of the 64 before does; poll and try again. */
FM_API fm_status fm_client_command_send(fm_client *client, const fm_command *command, uint32_t *id, fm_error *error);
/* The same, and waits for the answer, at most `seconds`. A code other than 0 is returned as an error with its text.
 * *result may be NULL. */
FM_API fm_status fm_client_command_do(fm_client *client, const fm_command *command, double seconds,
                                      fm_client_result *result, fm_error *error);
/* Sets a live parameter by path, SI. */
FM_API fm_status fm_client_parameter_set(fm_client *client, const char *path, double value, fm_error *error);
/* A parameter of the simulation; a plain copy. */
typedef struct fm_client_parameter {
    char path[96], unit[16];
    double value, least, most; /* least and most 0: no limits */
    int live;
} fm_client_parameter;
/* Asks the server for the parameters whose path contains `pattern`, and waits for the answer. Writes at most `room` and
 * returns the total number; 0: none, or an error in *error. */
FM_API size_t fm_client_parameters_read(fm_client *client, const char *pattern, fm_client_parameter *parameters,
                                        size_t room, fm_error *error);
/* What a client can subscribe to. */
enum { FM_CLIENT_WANT_STATE = 1, FM_CLIENT_WANT_SENSORS = 2, FM_CLIENT_WANT_EVENTS = 4, FM_CLIENT_WANT_SOUND = 8 };
/* Subscribes to data (FM_CLIENT_WANT_…). `period` as state_period; `vehicle` by name, NULL: the client's own, or all if
 * it has none. A named vehicle is watched: fm_client_state_read and fm_client_read return its data. */
FM_API fm_status fm_client_subscribe(fm_client *client, unsigned wants, double period, const char *vehicle,
                                     fm_error *error);

/* --- mail: messages in a POSIX queue --- */

enum { FM_MAIL_BYTES = 4096 };
/* Which member of fm_mail is valid. */
typedef enum fm_mail_kind {
    FM_MAIL_STATE = 1,
    FM_MAIL_SAMPLE,
    FM_MAIL_SOUND,
    FM_MAIL_SENT,
    FM_MAIL_RESULT,
    FM_MAIL_EVENT,
    FM_MAIL_LINK
} fm_mail_kind;
/* One message of the queue; a plain copy. */
typedef struct fm_mail {
    uint32_t kind; /* fm_mail_kind */
    union {
        fm_client_state state;
        fm_client_sample sample; /* its bytes are in `bytes` below */
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

/* Also writes all received data to the queue `name` ("/rover"), from a thread of the client, so polling is not needed.
 * Creates the queue if necessary. If it is full, states and samples are dropped and counted (newer ones follow); other
 * messages wait. */
FM_API fm_status fm_client_deliver(fm_client *client, const char *name, fm_error *error);

/* The reading end of a queue, in this process or another. One thread uses it at a time. */
typedef struct fm_mailbox {
    int queue, signal;
} fm_mailbox;
/* Opens the queue `name`, creating it if necessary, and requests `signal` (0: none) when a message arrives in the empty
 * queue. Close it with fm_mailbox_close. */
FM_API fm_status fm_mailbox_open(fm_mailbox *box, const char *name, int signal, fm_error *error);
/* Copies the next message to *mail and returns 1; 0: none. After the signal, call it until it returns 0: only then the
 * next signal is sent. May be called from the signal handler. */
FM_API int fm_mailbox_next(fm_mailbox *box, fm_mail *mail);
/* Closes the queue. */
FM_API void fm_mailbox_close(fm_mailbox *box);

/* --- the command queue of a server on the same computer (`fathom serve --shared NAME`) --- */

/* Sends one command as text ("stop", "step 10", "set /current/velocity/x 0.2") and waits at most `seconds` for the
 * answer; needs no connection. `instance` is the NAME; NULL: the unnamed instance. */
FM_API fm_status fm_client_queue_ask(const char *instance, const char *command, double seconds, fm_error *error);

#ifdef __cplusplus
}
#endif
#endif
