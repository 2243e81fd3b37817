#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "studies/result.h"

/* A record: run, outcome, values, a checksum over them. The first one is a header of the same size: a mark, the
 * identity. */
enum { HEAD_WORDS = 3 };
static const uint64_t mark = UINT64_C(0x316c6e72756f6a66); /* "fjournl1" */

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

static void put_word(double *record, size_t i, uint64_t word)
{
    memcpy(&record[i], &word, sizeof word);
}

static uint64_t get_word(const double *record, size_t i)
{
    uint64_t word;
    memcpy(&word, &record[i], sizeof word);
    return word;
}

static fm_status write_record(fm_journal *j, fm_error *error)
{
    put_word(j->record, j->words - 1, sum_words(j->record, j->words - 1));
    const char *at = (const char *)j->record;
    size_t left = j->words * sizeof(double);
    while (left > 0) {
        ssize_t wrote = write(j->file, at, left);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return fm_fail(error, FM_ERR_FILE, "%s: %s", j->path, strerror(errno));
        at += wrote;
        left -= (size_t)wrote;
    }
    return FM_OK;
}

static bool read_record(fm_journal *j, size_t i)
{
    size_t size = j->words * sizeof(double);
    return pread(j->file, j->record, size, (off_t)(i * size)) == (ssize_t)size &&
           get_word(j->record, j->words - 1) == sum_words(j->record, j->words - 1);
}

static fm_status take_records(fm_journal *j, fm_sweep *s, fm_error *error)
{
    if (!read_record(j, 0) || get_word(j->record, 0) != mark)
        return fm_fail(error, FM_ERR_SYNTAX, "%s: that is no journal of a sweep with these parameters and metrics",
                       j->path);
    if (get_word(j->record, 1) != s->identity)
        return fm_fail(error, FM_ERR_MODEL,
                       "%s belongs to another sweep: scenario, the files it reads, --vary, --design, --runs, --seed, "
                       "--set, --duration, "
                       "--metric, --series, --every and --precision must be those that it began with",
                       j->path);
    size_t i = 1;
    for (; read_record(j, i); i++) {
        uint64_t run = get_word(j->record, 0), outcome = get_word(j->record, 1);
        if (run >= s->plan->total || outcome > FM_OUTCOME_FAILED || s->outcomes[run] != FM_OUTCOME_NONE)
            continue;
        s->outcomes[run] = (uint8_t)outcome;
        memcpy(s->values + run * s->width, j->record + 2, s->width * sizeof(double));
        s->found++;
        s->failed += outcome == FM_OUTCOME_FAILED;
    }
    /* a truncated record is written again */
    if (ftruncate(j->file, (off_t)(i * j->words * sizeof(double))) != 0 || lseek(j->file, 0, SEEK_END) < 0)
        return fm_fail(error, FM_ERR_FILE, "%s: %s", j->path, strerror(errno));
    j->empty = i == 1;
    return FM_OK;
}

static fm_status begin_records(fm_journal *j, const fm_sweep *s, fm_error *error)
{
    memset(j->record, 0, j->words * sizeof *j->record);
    put_word(j->record, 0, mark);
    put_word(j->record, 1, s->identity);
    j->empty = true;
    return write_record(j, error);
}

fm_status fm_journal_open(fm_journal *j, const char *result, fm_sweep *s, bool resume, fm_error *error)
{
    *j = (fm_journal){.file = -1, .words = HEAD_WORDS + s->width};
    if ((size_t)snprintf(j->path, sizeof j->path, "%s.journal", result) >= sizeof j->path)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s: the name is too long", result);
    if (!(j->record = fm_alloc(j->words * sizeof *j->record)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a journal");
    j->file = open(j->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (j->file < 0)
        return fm_fail(error, FM_ERR_FILE, "%s: %s", j->path, strerror(errno));
    if (flock(j->file, LOCK_EX | LOCK_NB) != 0)
        return fm_fail(error, FM_ERR_FILE, "%s: another sweep is writing it", j->path);
    off_t size = lseek(j->file, 0, SEEK_END);
    if (size == 0)
        return begin_records(j, s, error);
    if (!resume)
        return fm_fail(error, FM_ERR_FILE,
                       "%s is there: a sweep was cut off. --resume goes on with it; remove the file to begin again",
                       j->path);
    return take_records(j, s, error);
}

void fm_journal_add(fm_journal *j, const fm_sweep *s, size_t run)
{
    if (j->file < 0)
        return;
    j->empty = false;
    put_word(j->record, 0, run);
    put_word(j->record, 1, s->outcomes[run]);
    memcpy(j->record + 2, s->values + run * s->width, s->width * sizeof(double));
    if (j->failed.status == FM_OK)
        (void)write_record(j, &j->failed);
}

void fm_journal_close(fm_journal *j, bool remove)
{
    if (j->file >= 0) {
        if (remove || j->empty)
            unlink(j->path);
        close(j->file);
    }
    fm_free(j->record);
    *j = (fm_journal){.file = -1};
}
