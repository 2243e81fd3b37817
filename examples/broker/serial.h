/* Serial lines that are pseudo-terminals: what software opens as /dev/ttyUSB0 is a link to one of these. */
#ifndef BROKER_SERIAL_H
#define BROKER_SERIAL_H

#include <stddef.h>

#define BROKER_SERIAL_LINE 1024

typedef struct broker_serial {
    int master;         /* ours; −1: closed */
    int slave;          /* kept open, so that the line stays up while nobody listens */
    char link[256];     /* name under which others open it; "" has none */
    unsigned long lost; /* bytes that nobody read in time */
    size_t count;       /* of `line` */
    char line[BROKER_SERIAL_LINE];
} broker_serial;

/* Opens a raw line of 8 bits without echo and links it as `link`, in place of an older link. 0, or −1 with errno. */
int broker_serial_open(broker_serial *serial, const char *link);
/* Never waits: what does not go is counted as lost, as on a wire. */
void broker_serial_write(broker_serial *serial, const void *bytes, size_t count);
/* The next line that has come, without its end, in serial->line; 0: none. Lines that are too long are dropped. */
int broker_serial_read(broker_serial *serial);
void broker_serial_close(broker_serial *serial);

#endif
