/* Addresses, sockets bound to exactly one of them, and datagrams in batches. */
#ifndef FM_SERVER_SOCKET_H
#define FM_SERVER_SOCKET_H

#include <fathom/status.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <uv.h>

#include "server/wire.h"

/* The source or destination of a datagram, and the socket used. */
typedef struct fm_address {
    struct sockaddr_un at; /* large enough for the others too */
    socklen_t size;
    int local; /* by the Unix-domain socket */
} fm_address;

int fm_address_equal(const fm_address *a, const fm_address *b);
/* "127.0.0.1" and its port; for a local socket its path, and 0. */
void fm_address_write(const fm_address *address, char text[48], uint16_t *port);
/* From numbers of IPv4 or IPv6. */
fm_status fm_address_read(const char *text, int port, fm_address *address, fm_error *error);
int fm_address_is_loopback(const fm_address *address);
int fm_address_is_group(const fm_address *address); /* multicast, or a broadcast address of this computer */
fm_address fm_address_of(const struct sockaddr *address);
/* The address of this computer used for datagrams to another one, with port 0. */
fm_status fm_address_towards(const fm_address *to, fm_address *own, fm_error *error);

/* The address at which answers to datagrams sent to `to` arrive: for a loopback address itself; otherwise the local
 * address towards it; for a group every address, since answers come to the local one. */
fm_status fm_address_to_hear(const fm_address *to, int port, fm_address *own, fm_error *error);

/* Binds a socket to exactly this address: an address that this computer does not have, or that is in use, is an
 * error that names it (FM_ERR_STATE if it is in use). Non-blocking. *fd is -1 on failure; *port, if given, is the
 * bound port. */
typedef enum fm_socket_kind {
    FM_SOCKET_UDP,
    FM_SOCKET_UDP_SHARED, /* several programs may receive the same group */
    FM_SOCKET_TCP
} fm_socket_kind;
fm_status fm_socket_bind(const fm_address *address, fm_socket_kind kind, int *fd, int *port, fm_error *error);
/* The same for handles of libuv, which are initialised in any case and must be closed. */
fm_status fm_socket_open_udp(uv_loop_t *loop, uv_udp_t *handle, const fm_address *address, fm_socket_kind kind,
                             fm_error *error);
fm_status fm_socket_open_tcp(uv_loop_t *loop, uv_tcp_t *handle, const fm_address *address, int waiting,
                             uv_connection_cb taken, fm_error *error);
/* Only datagrams from this computer reach the socket, whatever address it is bound to. 0: the system refuses. */
int fm_socket_keep_local(int fd);
/* At a path, mode 0600. Replaces a socket file that no process listens at. */
fm_status fm_socket_bind_local(const char *path, int *fd, fm_error *error);

/* Up to FM_SOCKET_BATCH waiting datagrams; 0: none. */
enum { FM_SOCKET_BATCH = 64 };
typedef struct fm_datagram {
    fm_address address;
    size_t size;
    uint8_t bytes[FM_WIRE_MOST + 1]; /* one more byte: longer ones are recognised as too long */
} fm_datagram;
size_t fm_socket_receive(int fd, int local, fm_datagram datagrams[FM_SOCKET_BATCH]);
/* Returns how many the system took. */
size_t fm_socket_send(int fd, const fm_datagram *datagrams, size_t count);

#endif
