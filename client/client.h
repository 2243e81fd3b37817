/* Internals of libfathom-client. Everything under client->lock; times are ns of the monotonic clock. */
#ifndef FM_CLIENT_CLIENT_H
#define FM_CLIENT_CLIENT_H

#include <fathom/client.h>
#include <pthread.h>

#include "server/wire.h"
#include "server/wire_command.h"

enum {
    FM_CLIENT_REQUESTS = 32, /* waiting for an answer at once */
    FM_CLIENT_KEPT = 64,     /* ids that the server remembers */
    FM_CLIENT_LETTERS = 64,  /* waiting for room in the queue */
    FM_CLIENT_MODES = 5
};
#define FM_CLIENT_RETRY 200000000ull       /* ns until a request is repeated */
#define FM_CLIENT_READY_RETRY 100000000ull /* the same of READY */

typedef enum fm_client_phase { FM_PHASE_HELLO, FM_PHASE_CONNECT, FM_PHASE_OPEN, FM_PHASE_OVER } fm_client_phase;

/* A COMMAND or ACOUSTIC_SEND that has no answer yet. */
typedef struct fm_client_request {
    uint16_t type; /* 0: free */
    uint32_t id;
    uint64_t next;
    size_t size;
    uint8_t payload[FM_WIRE_PAYLOAD];
} fm_client_request;

typedef struct fm_client_field {
    uint16_t instrument;
    char name[48];
    uint8_t type;
    size_t count, offset;
    double scale, shift;
} fm_client_field;

/* The latest sample of an instrument; parts of the next one. */
typedef struct fm_client_instrument_row {
    fm_client_instrument info;
    uint8_t *bytes, *coming; /* info.size each; NULL: no memory allocated yet */
    uint64_t stamp, coming_stamp;
    unsigned flags;
    uint8_t parts[32]; /* bits of pieces that have come */
    unsigned part_count;
    int have;
} fm_client_instrument_row;

/* Lists of the watched vehicle, requested one after the other: `what` is the present one, 0: all have arrived. */
typedef struct fm_client_lists {
    uint16_t vehicle; /* number of their vehicle; 0: the client's own */
    uint16_t what;
    uint64_t next;
    fm_client_actuator *actuators;
    fm_client_instrument_row *instruments;
    fm_client_field *fields;
    fm_client_voice *voices;
    size_t actuator_count, instrument_count, field_count, voice_count;
    double *orders; /* of fm_client_order, one per actuator */
} fm_client_lists;

/* An answer that a thread waits for: DESCRIPTION of parameters, vehicles; RESULT of one id. */
typedef struct fm_client_wait {
    uint16_t what; /* of DESCRIBE; 0: none */
    uint16_t vehicle;
    uint32_t first, total;
    char pattern[96];
    uint64_t next;
    int done;
    void (*take)(void *user, uint32_t number, fm_wire_in *record);
    void *user;
} fm_client_wait;

typedef struct fm_client_actuation {
    int given;
    double hold;
    size_t count;
    float values[FM_WIRE_VALUES];
} fm_client_actuation;

struct fm_client {
    pthread_mutex_t lock; /* recursive: callbacks call back */
    int socket, epoll, timer;
    fm_client_options options; /* strings are copies */
    char name[FM_CLIENT_NAME], model[FM_CLIENT_NAME];
    uint8_t key[FM_CLIENT_KEY];
    void *sodium; /* what was loaded */

    fm_client_phase phase;
    int code; /* why it is over */
    char why[sizeof((fm_wire_reject *)0)->text];
    int ever; /* it was connected once */
    uint64_t nonce, resume, token;
    uint8_t cookie[16];
    uint32_t sequence;
    fm_wire_window window;
    fm_wire_welcome welcome;
    uint64_t heard, next_try, give_up; /* ns */
    int simulation;

    fm_client_state state;
    int have_state;
    uint32_t state_sequence;
    uint16_t watched; /* number; 0: one's own */

    fm_client_lists lists;
    fm_client_wait wait;
    fm_client_request requests[FM_CLIENT_REQUESTS];
    uint32_t command_id, sound_id;
    uint32_t waited_id; /* command that fm_client_command_do waits for */
    fm_client_result waited;
    int waited_done;

    fm_client_actuation actuations[FM_CLIENT_MODES]; /* for READY */
    uint8_t ready[FM_WIRE_PAYLOAD];
    size_t ready_size;
    uint64_t ready_next; /* 0: none to repeat */

    int queue; /* of mail; −1: none */
    char queue_name[64];
    pthread_t thread;
    int thread_runs, thread_stop;
    fm_mail *letters;
    size_t letter_first, letter_count;
    fm_client_status info;
};

fm_status fm_client_fail(fm_error *error, fm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
uint64_t fm_client_now(void);
void fm_client_lock(const fm_client *client);
void fm_client_unlock(const fm_client *client);

/* address.c: a socket connected to the server; −1 with *error. */
int fm_client_socket_open(const char *address, fm_error *error);
/* mac.c */
fm_status fm_client_hash_find(fm_client *client, fm_error *error);

/* session.c */
size_t fm_client_datagram_send(fm_client *client, uint16_t type, const uint8_t *payload, size_t size);
void fm_client_link_set(fm_client *client, fm_client_link link, int code, const char *text);
uint32_t fm_client_period(double seconds); /* µs; 0: the server's; below 0: none */
void fm_client_timer_set(fm_client *client);
/* Polls until *done or the time in seconds has passed. */
fm_status fm_client_await(fm_client *client, const int *done, double seconds, const char *what, fm_error *error);

/* send.c: a list of the server, row by row; waits for it. */
typedef void fm_client_list_row(void *user, uint32_t number, fm_wire_in *record);
fm_status fm_client_list_ask(fm_client *client, uint16_t what, const char *pattern, fm_client_list_row *take,
                             void *user, uint32_t *total, fm_error *error);

/* receive.c: handles messages of a session. */
void fm_client_message_take(fm_client *client, const fm_wire_header *header, fm_wire_in *in);

/* lists.c */
void fm_client_lists_begin(fm_client *client, uint16_t vehicle);
void fm_client_lists_free(fm_client_lists *lists);
void fm_client_lists_due(fm_client *client, uint64_t now);
uint64_t fm_client_lists_next(const fm_client *client);
void fm_client_description_take(fm_client *client, fm_wire_in *in);
void fm_client_sensors_take(fm_client *client, const fm_wire_header *header, fm_wire_in *in);

/* mail.c */
void fm_client_mail(fm_client *client, const fm_mail *mail);
void fm_client_mail_due(fm_client *client);
void fm_client_mail_end(fm_client *client);

#endif
