/* Shared by sessions.c, joining.c, cookies.c, receiving.c and sending.c. The loop's thread, with the lock. */
#ifndef FM_SERVER_SESSIONS_H
#define FM_SERVER_SESSIONS_H

#include "server/core.h"

/* --- sessions.c --- */
fm_session *fm_session_at(fm_server *server, size_t id);   /* NULL: never used */
fm_session *fm_session_next(fm_server *server, size_t *i); /* the next used session; NULL: no more */
int fm_role_brings(fm_wire_role role);                     /* a vehicle of its own */
void fm_session_note_arrival(fm_server *server, fm_session *session, const char *how);
void fm_session_free(fm_server *server, fm_session *session);
void fm_server_publish_soon(fm_server *server); /* states are due though no step is */

/* --- joining.c --- */
void fm_server_take_hello(fm_server *server, const fm_address *from, fm_wire_in *payload);
void fm_server_take_connect(fm_server *server, const fm_address *from, fm_wire_in *payload);

/* --- cookies.c --- */
void fm_cookie_make(const fm_server *server, const fm_address *from, uint64_t nonce, uint8_t cookie[16]);
int fm_cookie_holds(const fm_server *server, const fm_address *from, uint64_t nonce, const uint8_t cookie[16]);
const fm_used_cookie *fm_cookie_find(const fm_server *server, const uint8_t cookie[16]); /* NULL: not used yet */
/* A CONNECT with this cookie was answered; the world may later change the answer from "session" to a refusal. */
void fm_cookie_use(fm_server *server, const uint8_t cookie[16], fm_wire_code code, const char *text);

/* --- receiving.c --- */
int fm_bucket_take(fm_bucket *bucket, double now, double rate); /* 0: it is empty */

/* --- sending.c --- */
void fm_server_answer(fm_server *server, const fm_address *to, fm_wire_type type, const void *payload,
                      size_t size); /* without a session */

/* Sends a message of a table to a session. */
#define FM_SEND(server, session, type, name, message)                                                                  \
    do {                                                                                                               \
        uint8_t room_[FM_WIRE_SIZE_##name];                                                                            \
        fm_wire_out out_ = {.bytes = room_, .room = sizeof room_};                                                     \
        fm_wire_put_##name(&out_, message);                                                                            \
        fm_session_send(server, session, type, 0, (server)->time, room_, out_.size);                                   \
    } while (0)

#endif
