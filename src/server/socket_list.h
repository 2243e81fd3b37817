/* The UDP sockets of this process, to handle those that a library opens. */
#ifndef FM_SERVER_SOCKET_LIST_H
#define FM_SERVER_SOCKET_LIST_H

#include "server/socket.h"

enum { FM_SOCKET_LIST = 1024 };

typedef struct fm_socket_list {
    size_t count;
    int fds[FM_SOCKET_LIST];
} fm_socket_list;

/* The sockets open now; if there are more than `room`, the first ones. */
void fm_socket_list_open(fm_socket_list *list);
/* Restricts all sockets opened since then, and bound to every address, to this computer. 0: the system refuses
 * (errno). */
int fm_socket_list_keep_local(const fm_socket_list *before);

#endif
