/* Datagrams by the system: UDP and Unix-domain sockets, many at a time. */
#ifndef FM_NET_SOCKET_H
#define FM_NET_SOCKET_H

#include <fathom/status.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "net/wire.h"

/* Where a datagram comes from or goes to, and by which socket. */
typedef struct fm_address {
    struct sockaddr_un at; /* large enough for the others too */
    socklen_t size;
    int local; /* by the Unix-domain socket */
} fm_address;

int fm_address_equal(const fm_address *a, const fm_address *b);
/* "127.0.0.1" and its port; of a local socket its path, and 0. */
void fm_address_write(const fm_address *address, char text[48], uint16_t *port);
/* From numbers of IPv4 or IPv6. */
fm_status fm_address_read(const char *text, int port, fm_address *address, fm_error *error);
int fm_address_is_loopback(const fm_address *address);

/* Non-blocking; *fd -1 and an error where it cannot be. *port: that was bound. */
fm_status fm_socket_bind(const fm_address *address, int *fd, int *port, fm_error *error);
/* At a path, mode 0600. A socket file that nobody listens at any more is replaced. */
fm_status fm_socket_bind_local(const char *path, int *fd, fm_error *error);

/* Up to FM_SOCKET_BATCH datagrams that wait; 0: none. */
enum { FM_SOCKET_BATCH = 64 };
typedef struct fm_datagram {
    fm_address address;
    size_t size;
    uint8_t bytes[FM_WIRE_MOST + 1]; /* one more: longer ones are seen to be too long */
} fm_datagram;
size_t fm_socket_receive(int fd, int local, fm_datagram datagrams[FM_SOCKET_BATCH]);
/* Returns how many the system took. */
size_t fm_socket_send(int fd, const fm_datagram *datagrams, size_t count);

#endif
