#include "bridges/ros2/dds_bytes.h"

#include <dds/ddsi/q_radmin.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "bridges/ros2/dds.h"

typedef struct byte_sample {
    struct ddsi_serdata base;
    size_t size;
    int received_related; /* relation.identity is that of the client to answer */
    fm_dds_wire *wire;    /* of a reply with an identity; NULL: none */
    fm_dds_relation relation;
    unsigned char data[]; /* CDR with its encapsulation; zeros up to a multiple of 4 */
} byte_sample;

typedef struct byte_type {
    struct ddsi_sertype base;
    fm_dds_wire *wire;
} byte_type;

/* --- samples --- */

static byte_sample *make_sample(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, size_t size)
{
    if (size > UINT32_MAX - 4)
        return NULL;
    byte_sample *s = fm_alloc(sizeof *s + (size + 3) / 4 * 4);
    if (!s)
        return NULL;
    ddsi_serdata_init(&s->base, type, kind);
    s->base.hash = type->serdata_basehash; /* no keys: all are one instance */
    s->size = size;
    return s;
}

static void free_sample(struct ddsi_serdata *base)
{
    byte_sample *s = (byte_sample *)base;
    if (s->wire)
        fm_dds_wire_forget(s->wire, &s->relation);
    fm_free(s);
}

static uint32_t sample_size(const struct ddsi_serdata *base)
{
    return (uint32_t)((const byte_sample *)base)->size;
}

static bool same_key(const struct ddsi_serdata *a, const struct ddsi_serdata *b)
{
    (void)a;
    (void)b;
    return true;
}

/* Fragments as received from the network; they may overlap. */
static struct ddsi_serdata *from_fragments(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind,
                                           const struct nn_rdata *fragment, size_t size)
{
    byte_sample *s = size <= FM_DDS_TAKEN_MOST ? make_sample(type, kind, size) : NULL;
    size_t at = 0;
    if (s)
        s->received_related = fm_dds_wire_read(fragment, &s->relation.identity);
    for (; s && fragment; fragment = fragment->nextfrag) {
        if (fragment->maxp1 <= at || fragment->min > at)
            continue;
        size_t end = fragment->maxp1 < size ? fragment->maxp1 : size;
        const unsigned char *payload = NN_RMSG_PAYLOADOFF(fragment->rmsg, NN_RDATA_PAYLOAD_OFF(fragment));
        if (end > at)
            memcpy(s->data + at, payload + (at - fragment->min), end - at);
        at = end;
    }
    return s ? &s->base : NULL;
}

static struct ddsi_serdata *from_pieces(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind,
                                        ddsrt_msg_iovlen_t count, const ddsrt_iovec_t *pieces, size_t size)
{
    byte_sample *s = make_sample(type, kind, size);
    size_t at = 0;
    for (ddsrt_msg_iovlen_t i = 0; s && i < count && at < size; i++) {
        size_t part = pieces[i].iov_len < size - at ? pieces[i].iov_len : size - at;
        memcpy(s->data + at, pieces[i].iov_base, part);
        at += part;
    }
    return s ? &s->base : NULL;
}

static struct ddsi_serdata *from_keyhash(const struct ddsi_sertype *type, const struct ddsi_keyhash *keyhash)
{
    (void)keyhash;
    byte_sample *s = make_sample(type, SDK_KEY, 0);
    return s ? &s->base : NULL;
}

static void relate_sample(byte_sample *s, fm_dds_wire *wire, const fm_dds_identity *identity)
{
    s->wire = wire;
    s->relation.data = s->data;
    s->relation.size = s->size;
    s->relation.identity = *identity;
    if (wire)
        fm_dds_wire_relate(wire, &s->relation);
}

static struct ddsi_serdata *from_bytes(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, const void *sample)
{
    const fm_dds_bytes *bytes = sample;
    size_t size = kind == SDK_DATA ? bytes->size : 0;
    byte_sample *s = make_sample(type, kind, size);
    if (s && size)
        memcpy(s->data, bytes->data, size);
    if (s && size && bytes->related)
        relate_sample(s, ((const byte_type *)type)->wire, bytes->related);
    return s ? &s->base : NULL;
}

static void to_buffer(const struct ddsi_serdata *base, size_t offset, size_t size, void *buffer)
{
    memcpy(buffer, ((const byte_sample *)base)->data + offset, size);
}

static struct ddsi_serdata *lend(const struct ddsi_serdata *base, size_t offset, size_t size, ddsrt_iovec_t *piece)
{
    struct ddsi_serdata *held = ddsi_serdata_ref(base);
    piece->iov_base = ((byte_sample *)held)->data + offset;
    piece->iov_len = size;
    return held;
}

static void give_back(struct ddsi_serdata *base, const ddsrt_iovec_t *piece)
{
    (void)piece;
    ddsi_serdata_unref(base);
}

/* Samples are taken as encoded bytes (dds_takecdr): this is never used. */
static bool refuse_sample(const struct ddsi_serdata *base, void *sample, void **buffer, void *limit)
{
    (void)base;
    (void)sample;
    (void)buffer;
    (void)limit;
    return false;
}

static bool refuse_untyped(const struct ddsi_sertype *type, const struct ddsi_serdata *base, void *sample,
                           void **buffer, void *limit)
{
    (void)type;
    return refuse_sample(base, sample, buffer, limit);
}

static struct ddsi_serdata *to_untyped(const struct ddsi_serdata *base)
{
    byte_sample *s = make_sample(base->type, SDK_KEY, 0);
    if (s)
        s->base.type = NULL;
    return s ? &s->base : NULL;
}

static size_t print_sample(const struct ddsi_sertype *type, const struct ddsi_serdata *base, char *text, size_t size)
{
    (void)type;
    int n = snprintf(text, size, "%zu bytes", ((const byte_sample *)base)->size);
    return n < 0 ? 0 : (size_t)n;
}

static void no_keyhash(const struct ddsi_serdata *base, struct ddsi_keyhash *keyhash, bool force)
{
    (void)base;
    (void)force;
    memset(keyhash, 0, sizeof *keyhash);
}

static const struct ddsi_serdata_ops sample_functions = {
    .eqkey = same_key,
    .get_size = sample_size,
    .from_ser = from_fragments,
    .from_ser_iov = from_pieces,
    .from_keyhash = from_keyhash,
    .from_sample = from_bytes,
    .to_ser = to_buffer,
    .to_ser_ref = lend,
    .to_ser_unref = give_back,
    .to_sample = refuse_sample,
    .to_untyped = to_untyped,
    .untyped_to_sample = refuse_untyped,
    .free = free_sample,
    .print = print_sample,
    .get_keyhash = no_keyhash,
};

fm_dds_bytes fm_dds_bytes_of(const struct ddsi_serdata *sample)
{
    const byte_sample *s = (const byte_sample *)sample;
    return (fm_dds_bytes){s->data, s->size, s->received_related ? &s->relation.identity : NULL};
}

/* --- the type --- */

static void free_type(struct ddsi_sertype *type)
{
    ddsi_sertype_fini(type);
    fm_free(type);
}

static void zero_samples(const struct ddsi_sertype *type, void *samples, size_t count)
{
    (void)type;
    memset(samples, 0, count * sizeof(fm_dds_bytes));
}

/* Loans of samples are never requested; Cyclone frees with these two what it allocates. */
static void resize_samples(void **samples, const struct ddsi_sertype *type, void *old, size_t old_count, size_t count)
{
    (void)old_count;
    char *all = dds_realloc(old, count * sizeof(fm_dds_bytes));
    if (all)
        zero_samples(type, all, count);
    for (size_t i = 0; all && i < count; i++)
        samples[i] = all + i * sizeof(fm_dds_bytes);
}

static void free_samples(const struct ddsi_sertype *type, void **samples, size_t count, dds_free_op_t what)
{
    (void)type;
    if (count && (what & DDS_FREE_ALL_BIT))
        dds_free(samples[0]);
}

static bool same_type(const struct ddsi_sertype *a, const struct ddsi_sertype *b)
{
    (void)a;
    (void)b;
    return true; /* Cyclone has compared the names */
}

static uint32_t hash_of_type(const struct ddsi_sertype *type)
{
    (void)type;
    return 0;
}

static const struct ddsi_sertype_ops type_functions = {
    .version = ddsi_sertype_v0,
    .free = free_type,
    .zero_samples = zero_samples,
    .realloc_samples = resize_samples,
    .free_samples = free_samples,
    .equal = same_type,
    .hash = hash_of_type,
};

struct ddsi_sertype *fm_dds_bytes_type(const char *name, fm_dds_wire *wire)
{
    byte_type *type = fm_alloc(sizeof *type);
    if (!type)
        return NULL;
    ddsi_sertype_init_flags(&type->base, name, &type_functions, &sample_functions, DDSI_SERTYPE_FLAG_TOPICKIND_NO_KEY);
    type->base.allowed_data_representation = DDS_DATA_REPRESENTATION_FLAG_XCDR1;
    type->wire = wire;
    return &type->base;
}
