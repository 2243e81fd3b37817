#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* posix_openpt, ptsname_r */
#endif
#include "serial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static int make_raw(int fd)
{
    struct termios settings;
    if (tcgetattr(fd, &settings) != 0)
        return -1;
    cfmakeraw(&settings);
    return tcsetattr(fd, TCSANOW, &settings);
}

/* Only a link is replaced, never a file. */
static int link_as(const char *name, const char *link)
{
    struct stat there;
    if (lstat(link, &there) == 0) {
        if (!S_ISLNK(there.st_mode)) {
            errno = EEXIST;
            return -1;
        }
        if (unlink(link) != 0)
            return -1;
    }
    return symlink(name, link);
}

static int open_pair(broker_serial *serial, char name[64])
{
    serial->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (serial->master < 0 || grantpt(serial->master) != 0 || unlockpt(serial->master) != 0 ||
        ptsname_r(serial->master, name, 64) != 0)
        return -1;
    serial->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    return serial->slave < 0 ? -1 : make_raw(serial->slave);
}

int broker_serial_open(broker_serial *serial, const char *link)
{
    char name[64];
    memset(serial, 0, sizeof *serial);
    serial->master = serial->slave = -1;
    if (strlen(link) >= sizeof serial->link) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (open_pair(serial, name) != 0 || link_as(name, link) != 0) {
        int why = errno;
        broker_serial_close(serial);
        errno = why;
        return -1;
    }
    memcpy(serial->link, link, strlen(link) + 1);
    return 0;
}

/* What lies unread since long is thrown away first, so that a late reader gets news. */
void broker_serial_write(broker_serial *serial, const void *bytes, size_t count)
{
    ssize_t went = write(serial->master, bytes, count);
    if (went < 0 && errno == EAGAIN) {
        tcflush(serial->slave, TCIFLUSH);
        went = write(serial->master, bytes, count);
    }
    serial->lost += count - (went < 0 ? 0 : (size_t)went);
}

int broker_serial_read(broker_serial *serial)
{
    char c;
    while (read(serial->master, &c, 1) == 1) {
        if (c == '\n' || c == '\r') {
            size_t count = serial->count;
            serial->count = 0;
            if (count > 0 && count < sizeof serial->line) {
                serial->line[count] = 0;
                return 1;
            }
        } else if (serial->count < sizeof serial->line - 1) {
            serial->line[serial->count++] = c;
        } else {
            serial->count = sizeof serial->line;
        }
    }
    return 0;
}

void broker_serial_close(broker_serial *serial)
{
    if (serial->link[0])
        unlink(serial->link);
    if (serial->slave >= 0)
        close(serial->slave);
    if (serial->master >= 0)
        close(serial->master);
    serial->master = serial->slave = -1;
    serial->link[0] = 0;
}
