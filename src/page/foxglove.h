/* One viewer's connection in the Foxglove WebSocket protocol (foxglove.sdk.v1, foxglove.websocket.v1): what it asks
 * for, and the frames that are due to it. No sockets here. */
#ifndef FM_PAGE_FOXGLOVE_H
#define FM_PAGE_FOXGLOVE_H

#include "page/show.h"

enum { FM_FOXGLOVE_FRONT = 64 }; /* free bytes in front of each frame, for whoever sends it */

typedef struct fm_foxglove fm_foxglove;

/* A new connection; its first frames (server, channels, services) wait already. NULL: no memory. */
fm_foxglove *fm_foxglove_open(fm_show *show);
void fm_foxglove_close(fm_foxglove *connection);

/* A whole message of the viewer. FM_OK also where the viewer is told of its error; another status: hang up. */
fm_status fm_foxglove_take(fm_foxglove *connection, int binary, const void *data, size_t size, fm_error *error);

typedef struct fm_foxglove_frame {
    int binary;
    uint8_t *data; /* behind FM_FOXGLOVE_FRONT free bytes; until the next call */
    size_t size;
} fm_foxglove_frame;
/* The next frame that is due. 0: none now; -1: no memory. */
int fm_foxglove_next(fm_foxglove *connection, fm_foxglove_frame *frame);

#endif
