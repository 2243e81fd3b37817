/* The summary of an MCAP file: the records after its data. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/outfile.h"
#include "telemetry/mcap_writer_internal.h"

/* --- chunk indexes spilled to a file --- */

enum { SPILL_BYTES = 65536 };

void fm_mcap_spill_open(fm_mcap_writer *w, const char *path)
{
    struct stat found;
    w->spilt.file = -1;
    if (fstat(w->file, &found) != 0 || !S_ISREG(found.st_mode) || !realpath(path, w->spilt.beside))
        w->spilt.beside[0] = 0;
}

void fm_mcap_spill_close(fm_mcap_writer *w)
{
    if (w->spilt.file >= 0)
        close(w->spilt.file);
}

/* Indexes that do not fit there (a full disk) stay in memory; the next call tries again. */
void fm_mcap_spill(fm_mcap_writer *w)
{
    fm_index_file *s = &w->spilt;
    fm_byte_run *x = &w->chunk_indexes;
    if (x->failed || x->size < SPILL_BYTES || !s->beside[0])
        return;
    if (s->file < 0)
        s->file = fm_outfile_nameless(s->beside);
    for (size_t done = 0; s->file >= 0 && done < x->size;) {
        ssize_t wrote = pwrite(s->file, x->data + done, x->size - done, (off_t)(s->size + done));
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return;
        done += (size_t)wrote;
    }
    if (s->file < 0)
        return;
    s->size += x->size;
    x->size = 0;
}

static fm_status copy_spilt(fm_mcap_writer *w, fm_error *error)
{
    fm_byte_run *b = &w->packed;
    fm_status status = FM_OK;
    for (uint64_t done = 0; status == FM_OK && done < w->spilt.size; done += b->size) {
        uint64_t left = w->spilt.size - done;
        b->size = 0;
        uint8_t *to = fm_byte_run_extend(b, left < SPILL_BYTES ? (size_t)left : SPILL_BYTES);
        ssize_t got = to ? pread(w->spilt.file, to, b->size, (off_t)done) : 0;
        if (to && got <= 0)
            return fm_mcap_remember(w, FM_ERR_FILE, got < 0 ? strerror(errno) : "its chunk indexes are cut off", error);
        b->size = to ? (size_t)got : 0;
        status = fm_mcap_put(w, b, error);
    }
    return status;
}

/* --- the records --- */

static void put_statistics(const fm_mcap_writer *w, fm_byte_run *b)
{
    size_t start = b->size, used = 0;
    for (size_t i = 0; i < w->channel_count; i++)
        used += w->channels[i].messages > 0 ? 1 : 0;
    fm_byte_run_put_u8(b, FM_MCAP_STATISTICS);
    fm_byte_run_put_u64(b, 0);
    fm_byte_run_put_u64(b, w->messages);
    fm_byte_run_put_u16(b, (unsigned)w->schema_count);
    fm_byte_run_put_u32(b, w->channel_count);
    fm_byte_run_put_u32(b, w->attachments);
    fm_byte_run_put_u32(b, w->metadata);
    fm_byte_run_put_u32(b, w->chunks);
    fm_byte_run_put_u64(b, w->start);
    fm_byte_run_put_u64(b, w->end);
    fm_byte_run_put_u32(b, used * 10);
    for (size_t i = 0; i < w->channel_count; i++)
        if (w->channels[i].messages > 0) {
            fm_byte_run_put_u16(b, (unsigned)i + 1);
            fm_byte_run_put_u64(b, w->channels[i].messages);
        }
    fm_mcap_end_record(b, start);
}

static void put_summary_offset(fm_byte_run *b, fm_mcap_op op, uint64_t start, uint64_t length)
{
    size_t record = b->size;
    if (length == 0)
        return;
    fm_byte_run_put_u8(b, FM_MCAP_SUMMARY_OFFSET);
    fm_byte_run_put_u64(b, 0);
    fm_byte_run_put_u8(b, op);
    fm_byte_run_put_u64(b, start);
    fm_byte_run_put_u64(b, length);
    fm_mcap_end_record(b, record);
}

/* A group of records of the same kind, and its position in `offsets`. */
static fm_status write_group(fm_mcap_writer *w, fm_mcap_op op, const fm_byte_run *records, fm_byte_run *offsets,
                             fm_error *error)
{
    uint64_t start = w->position;
    fm_status status = op == FM_MCAP_CHUNK_INDEX ? copy_spilt(w, error) : FM_OK;
    if (status == FM_OK)
        status = fm_mcap_put(w, records, error);
    put_summary_offset(offsets, op, start, w->position - start);
    return status;
}

static fm_status write_groups(fm_mcap_writer *w, fm_byte_run *offsets, fm_error *error)
{
    fm_byte_run statistics = {0};
    put_statistics(w, &statistics);
    const struct {
        fm_mcap_op op;
        const fm_byte_run *records;
    } groups[] = {{FM_MCAP_SCHEMA, &w->schema_records},
                  {FM_MCAP_CHANNEL, &w->channel_records},
                  {FM_MCAP_STATISTICS, &statistics},
                  {FM_MCAP_CHUNK_INDEX, &w->chunk_indexes},
                  {FM_MCAP_ATTACHMENT_INDEX, &w->attachment_indexes},
                  {FM_MCAP_METADATA_INDEX, &w->metadata_indexes}};
    fm_status status = FM_OK;
    for (size_t i = 0; status == FM_OK && i < sizeof groups / sizeof groups[0]; i++)
        status = write_group(w, groups[i].op, groups[i].records, offsets, error);
    fm_free(statistics.data);
    return status;
}

fm_status fm_mcap_write_summary(fm_mcap_writer *w, fm_error *error)
{
    fm_byte_run b = {0};
    uint64_t summary = w->position;
    w->crc = 0;
    fm_status status = write_groups(w, &b, error);
    if (status == FM_OK) {
        uint64_t offsets = w->position;
        fm_byte_run_put_u8(&b, FM_MCAP_FOOTER);
        fm_byte_run_put_u64(&b, 20);
        fm_byte_run_put_u64(&b, summary);
        fm_byte_run_put_u64(&b, offsets);
        fm_byte_run_put_u32(&b, b.failed ? 0 : crc32_z(w->crc, b.data, b.size));
        fm_byte_run_put(&b, FM_MCAP_MAGIC, FM_MCAP_MAGIC_SIZE);
        status = fm_mcap_put(w, &b, error);
    }
    if (status != FM_OK)
        fm_mcap_take_back(w, summary);
    fm_free(b.data);
    return status;
}
