/* Preloaded into a program: a disk that takes its time (SLOW_DISK seconds) for each of the first chunks of an MCAP log.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK = 6, SLOW_ONES = 3 }; /* first byte of such a record; how many take long */

ssize_t write(int file, const void *bytes, size_t size)
{
    static int chunks; /* one thread writes them */
    ssize_t (*next)(int, const void *, size_t);
    void *found = dlsym(RTLD_NEXT, "write");
    const char *seconds = getenv("SLOW_DISK");
    memcpy(&next, &found, sizeof next);
    if (seconds && file > 2 && size > 500 && *(const unsigned char *)bytes == CHUNK && chunks++ < SLOW_ONES) {
        double s = atof(seconds);
        struct timespec t = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};
        nanosleep(&t, NULL);
    }
    return next(file, bytes, size);
}
