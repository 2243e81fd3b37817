#include "studies/rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

/* A record: two keys, the numbers, a checksum over them. The first one is a header of the same size: a mark, the
 * identity. */
enum { EXTRA = 3 };
static const uint64_t mark = UINT64_C(0x31776f7273776f72);

static uint64_t sum_words(const double *record, size_t words)
{
    uint64_t sum = 0xcbf29ce484222325u, bits;
    for (size_t i = 0; i < words; i++) {
        memcpy(&bits, &record[i], sizeof bits);
        sum = (sum ^ bits) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
    }
    return sum;
}

static uint64_t get_word(const double *record, size_t i)
{
    uint64_t word;
    memcpy(&word, &record[i], sizeof word);
    return word;
}

static fm_status write_record(fm_rows *r, uint64_t first, uint64_t second, const double *numbers, fm_error *error)
{
    const size_t words = r->words + EXTRA;
    memcpy(&r->row[0], &first, sizeof first);
    memcpy(&r->row[1], &second, sizeof second);
    if (numbers)
        memcpy(r->row + 2, numbers, r->words * sizeof *numbers);
    else
        memset(r->row + 2, 0, r->words * sizeof *r->row);
    const uint64_t sum = sum_words(r->row, words - 1);
    memcpy(&r->row[words - 1], &sum, sizeof sum);
    const char *at = (const char *)r->row;
    for (size_t left = words * sizeof(double); left > 0;) {
        ssize_t wrote = write(r->file, at, left);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return fm_fail(error, FM_ERR_FILE, "%s: %s", r->path, strerror(errno));
        at += wrote;
        left -= (size_t)wrote;
    }
    return FM_OK;
}

/* Record i; the header is 0. */
static bool read_record(fm_rows *r, size_t i)
{
    const size_t words = r->words + EXTRA, size = words * sizeof(double);
    return pread(r->file, r->row, size, (off_t)(i * size)) == (ssize_t)size &&
           get_word(r->row, words - 1) == sum_words(r->row, words - 1);
}

static fm_status take_rows(fm_rows *r, uint64_t identity, const char *what, fm_error *error)
{
    const size_t size = (r->words + EXTRA) * sizeof(double);
    const off_t length = lseek(r->file, 0, SEEK_END);
    if (!read_record(r, 0) || get_word(r->row, 0) != mark)
        return fm_fail(error, FM_ERR_SYNTAX, "%s: not the journal of a %s with these options", r->path, what);
    if (get_word(r->row, 1) != identity)
        return fm_fail(error, FM_ERR_MODEL,
                       "%s belongs to another %s: the scenario, the files that it reads and the options must be those "
                       "that it began with",
                       r->path, what);
    if (!(r->keys = fm_alloc(2 * ((size_t)length / size + 1) * sizeof *r->keys)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the journal of a %s", what);
    while (read_record(r, r->count + 1)) {
        r->keys[2 * r->count] = get_word(r->row, 0);
        r->keys[2 * r->count + 1] = get_word(r->row, 1);
        r->count++;
    }
    /* a truncated record is written again */
    if (ftruncate(r->file, (off_t)((r->count + 1) * size)) != 0 || lseek(r->file, 0, SEEK_END) < 0)
        return fm_fail(error, FM_ERR_FILE, "%s: %s", r->path, strerror(errno));
    return FM_OK;
}

fm_status fm_rows_open(fm_rows *r, const char *path, size_t words, uint64_t identity, bool resume, const char *what,
                       fm_error *error)
{
    *r = (fm_rows){.file = -1, .words = words};
    if ((size_t)snprintf(r->path, sizeof r->path, "%s", path) >= sizeof r->path)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s: the name is too long", path);
    if (!(r->row = fm_alloc((words + EXTRA) * sizeof *r->row)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the journal of a %s", what);
    r->file = open(r->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (r->file < 0)
        return fm_fail(error, FM_ERR_FILE, "%s: %s", r->path, strerror(errno));
    if (flock(r->file, LOCK_EX | LOCK_NB) != 0) {
        close(r->file);
        r->file = -1;
        return fm_fail(error, FM_ERR_FILE, "%s: another %s is writing it", r->path, what);
    }
    const off_t size = lseek(r->file, 0, SEEK_END);
    if (size < (off_t)((words + EXTRA) * sizeof(double)) && (size == 0 || resume)) /* nothing, or half a header */
        return ftruncate(r->file, 0) == 0 && lseek(r->file, 0, SEEK_SET) == 0
                   ? write_record(r, mark, identity, NULL, error)
                   : fm_fail(error, FM_ERR_FILE, "%s: %s", r->path, strerror(errno));
    fm_status status = resume ? take_rows(r, identity, what, error)
                              : fm_fail(error, FM_ERR_FILE,
                                        "%s exists: a %s was interrupted. --resume continues it; remove the file to "
                                        "begin again",
                                        r->path, what);
    if (status != FM_OK) { /* it is not ours: it stays as it is */
        close(r->file);
        r->file = -1;
    }
    return status;
}

bool fm_rows_find(fm_rows *r, uint64_t first, uint64_t second, double *numbers)
{
    for (size_t n = 0; r->file >= 0 && n < r->count; n++) {
        const size_t i = (r->next + n) % r->count;
        if (r->keys[2 * i] != first || r->keys[2 * i + 1] != second || !read_record(r, i + 1))
            continue;
        memcpy(numbers, r->row + 2, r->words * sizeof *numbers);
        r->next = i + 1;
        return true;
    }
    return false;
}

void fm_rows_add(fm_rows *r, uint64_t first, uint64_t second, const double *numbers)
{
    if (r->file < 0 || r->failed.status != FM_OK)
        return;
    r->added++;
    (void)write_record(r, first, second, numbers, &r->failed);
}

void fm_rows_close(fm_rows *r, bool remove)
{
    if (r->file >= 0) {
        if (remove || r->count + r->added == 0)
            unlink(r->path);
        close(r->file);
    }
    fm_free(r->row);
    fm_free(r->keys);
    *r = (fm_rows){.file = -1};
}
