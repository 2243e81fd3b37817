/* One viewer's connection in the Foxglove WebSocket protocol (foxglove.sdk.v1, foxglove.websocket.v1): handles its
 * requests and produces the frames for it. No sockets here. */
#ifndef FM_PAGE_FOXGLOVE_H
#define FM_PAGE_FOXGLOVE_H

#include "page/show.h"

enum { FM_FOXGLOVE_FRONT = 64 }; /* free bytes in front of each frame, for the header of the transport */

typedef struct fm_foxglove fm_foxglove;

/* A new connection; its first frames (server, channels, services) are already queued. NULL: no memory. */
fm_foxglove *fm_foxglove_open(fm_show *show);
void fm_foxglove_close(fm_foxglove *connection);

/* A complete message from the viewer. FM_OK also if the viewer is sent an error; another status: close the
 * connection. */
fm_status fm_foxglove_take(fm_foxglove *connection, int binary, const void *data, size_t size, fm_error *error);

typedef struct fm_foxglove_frame {
    int binary;
    uint8_t *data; /* preceded by FM_FOXGLOVE_FRONT free bytes; valid until the next call */
    size_t size;
} fm_foxglove_frame;
/* The next frame to send. 0: none now; -1: no memory. */
int fm_foxglove_next(fm_foxglove *connection, fm_foxglove_frame *frame);
/* The same without messages of channels: what is still owed to a viewer before it is disconnected. */
int fm_foxglove_next_answer(fm_foxglove *connection, fm_foxglove_frame *frame);

#endif
