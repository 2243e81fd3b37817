/* Transducers and modems of clients' vehicles, numbered from 0 in the order of the file. */
#ifndef FM_SERVER_VOICES_H
#define FM_SERVER_VOICES_H

#include "server/core.h"

const fm_part *fm_voice_find(const fm_type *type, int modem, size_t number); /* NULL: no more */
fm_wire_voice fm_voice_describe(const fm_world *world, int slot, const fm_part *part, int modem, size_t number);
/* Stepping thread. *ready: s, when it may send again: after this sound, or after the previous one if it is busy. For a
 * modem the earliest time, if nothing else is queued. */
fm_wire_code fm_voice_send(fm_run *run, const fm_errand *errand, double *ready, fm_error *error);
/* Stepping thread, with the lock: sends what its vehicle has heard since, in order of time. Skips receptions from
 * before a controller joined, and those it did not subscribe to. */
void fm_session_hear(fm_server *server, fm_run *run, fm_session *session, uint64_t now);

#endif
