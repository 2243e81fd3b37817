/* Source of an MCAP file's bytes: a file read piece by piece, or memory. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "telemetry/mcap_internal.h"

enum { AHEAD = 64 << 10 }; /* minimum size of a window in bytes: consecutive records are read together */

static fm_status make_room(const fm_mcap_reader *r, fm_mcap_window *w, size_t size, fm_error *error)
{
    w->size = 0;
    if (size <= w->room)
        return FM_OK;
    uint8_t *buffer = fm_realloc(w->buffer, size);
    if (!buffer)
        return fm_fail(error, FM_ERR_MEMORY, "%s: out of memory for %zu bytes", r->path, size);
    w->buffer = buffer;
    w->room = size;
    return FM_OK;
}

/* Fills the window with at least `least` bytes, and up to `most` if the file has them. */
static fm_status fill(const fm_mcap_reader *r, fm_mcap_window *w, uint64_t at, size_t least, size_t most,
                      fm_error *error)
{
    fm_status status = make_room(r, w, most, error);
    if (status != FM_OK)
        return status;
    w->at = at;
    while (w->size < least) {
        ssize_t got = pread(r->file, w->buffer + w->size, most - w->size, (off_t)(at + w->size));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fm_fail(error, FM_ERR_FILE, "%s: %s", r->path, strerror(errno));
        if (got == 0)
            return fm_fail(error, FM_ERR_FILE, "%s: the file is shorter than when it was opened: no byte %llu of %llu",
                           r->path, (unsigned long long)(at + w->size), (unsigned long long)r->size);
        w->size += (size_t)got;
    }
    return FM_OK;
}

fm_status fm_mcap_fetch(const fm_mcap_reader *r, uint64_t at, uint64_t size, fm_mcap_window *w, const uint8_t **bytes,
                        fm_error *error)
{
    *bytes = NULL;
    if (at > r->size || size > r->size - at)
        return fm_fail(error, FM_ERR_RANGE, "%s: %llu bytes at byte %llu lie outside of the file", r->path,
                       (unsigned long long)size, (unsigned long long)at);
    if (r->file < 0) {
        *bytes = r->memory + at;
        return FM_OK;
    }
    if (at < w->at || at - w->at > w->size || size > w->size - (at - w->at)) {
        uint64_t most = size < AHEAD ? AHEAD : size;
        fm_status status = fill(r, w, at, (size_t)size, (size_t)(most < r->size - at ? most : r->size - at), error);
        if (status != FM_OK)
            return status;
    }
    *bytes = w->buffer + (at - w->at);
    return FM_OK;
}

fm_status fm_mcap_crc(const fm_mcap_reader *r, uint64_t at, uint64_t size, fm_mcap_window *w, uint32_t *crc,
                      fm_error *error)
{
    fm_status status = FM_OK;
    *crc = 0;
    for (uint64_t part; size > 0 && status == FM_OK; at += part, size -= part) {
        const uint8_t *bytes;
        part = size < AHEAD ? size : AHEAD;
        status = fm_mcap_fetch(r, at, part, w, &bytes, error);
        if (status == FM_OK)
            *crc = (uint32_t)crc32_z(*crc, bytes, (size_t)part);
    }
    return status;
}

int fm_mcap_record_head(fm_mcap_reader *r, uint64_t at, uint64_t end, uint8_t *op, uint64_t *length)
{
    const uint8_t *head;
    if (at > end || end - at < FM_MCAP_RECORD_HEAD)
        return 0;
    fm_status status = fm_mcap_fetch(r, at, FM_MCAP_RECORD_HEAD, &r->window, &head, NULL);
    r->starved |= status == FM_ERR_MEMORY;
    if (status != FM_OK)
        return 0;
    *op = head[0];
    memcpy(length, head + 1, 8);
    return *length <= end - at - FM_MCAP_RECORD_HEAD;
}

int fm_mcap_record_read(fm_mcap_reader *r, uint64_t *at, uint8_t *op, fm_byte_view *body)
{
    uint64_t length;
    const uint8_t *bytes;
    if (!fm_mcap_record_head(r, *at, r->size, op, &length))
        return 0;
    if (length > fm_mcap_index_budget(r)) {
        r->crowded = 1;
        return 0;
    }
    fm_status status = fm_mcap_fetch(r, *at + FM_MCAP_RECORD_HEAD, length, &r->window, &bytes, NULL);
    r->starved |= status == FM_ERR_MEMORY;
    if (status != FM_OK)
        return 0;
    *body = (fm_byte_view){bytes, (size_t)length, 0, 0};
    *at += FM_MCAP_RECORD_HEAD + length;
    return 1;
}

fm_status fm_mcap_source_open(fm_mcap_reader *r, const char *path, fm_error *error)
{
    struct stat stat;
    r->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO would wait for its writer */
    if (r->file < 0)
        return fm_fail(error, FM_ERR_FILE, "%s: %s", path, strerror(errno));
    if (fstat(r->file, &stat) != 0 || !S_ISREG(stat.st_mode))
        return fm_fail(error, FM_ERR_FILE, "%s is not a regular file", path);
    r->size = (uint64_t)stat.st_size;
    r->device = stat.st_dev;
    r->inode = stat.st_ino;
    return FM_OK;
}

void fm_mcap_source_close(fm_mcap_reader *r)
{
    if (r->file >= 0)
        close(r->file);
    fm_free(r->window.buffer);
    fm_free(r->summary.buffer);
}
