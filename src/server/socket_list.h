/* The UDP sockets of this process, for those that a library opens by itself. */
#ifndef FM_SERVER_SOCKET_LIST_H
#define FM_SERVER_SOCKET_LIST_H

#include "server/socket.h"

enum { FM_SOCKET_LIST = 1024 };

typedef struct fm_socket_list {
    size_t count;
    int fds[FM_SOCKET_LIST];
} fm_socket_list;

/* Those that are open now; of more than there is room for, the first. */
void fm_socket_list_open(fm_socket_list *list);
/* Keeps all that were opened since, and are bound to every address, to this computer. 0: the system refuses (errno). */
int fm_socket_list_keep_local(const fm_socket_list *before);

#endif
