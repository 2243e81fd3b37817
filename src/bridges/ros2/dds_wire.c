#include "bridges/ros2/dds_wire.h"

#include <dds/ddsi/ddsi_domaingv.h>
#include <dds/ddsi/ddsi_tran.h>
#include <dds/ddsi/q_protocol.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"

/* Parameters of inline QoS (RTPS 9.6.2, DDS-RPC 7.8.2). Fast DDS up to 2.6 knows only its own number, and later
 * versions ignore that one from other vendors. */
enum { SENTINEL = 1, RELATED = 0x0083, RELATED_FAST = 0x800f, IDENTITY = FM_DDS_GUID + 8 };
enum { QOS = 2 * (4 + IDENTITY) + 4 }; /* bytes */
enum { HAS_QOS = 2, LITTLE = 1 };      /* flags of a submessage */

struct fm_dds_wire {
    ddsi_tran_write_fn_t write; /* Cyclone's own */
    pthread_mutex_t lock;       /* of the relations, and while they are on their way out */
    fm_dds_relation *relations;
    _Atomic size_t count, users;
};

/* --- what came in --- */

static uint16_t take_u16(const unsigned char *at, int little)
{
    return (uint16_t)(little ? at[0] | at[1] << 8 : at[1] | at[0] << 8);
}

/* The guid in a list of parameters; 0: there is none. */
static int find_related(const unsigned char *at, const unsigned char *end, int little, uint8_t guid[FM_DDS_GUID])
{
    while (end - at >= 4) {
        uint16_t id = take_u16(at, little), length = take_u16(at + 2, little);
        at += 4;
        if (id == SENTINEL || length > end - at)
            return 0;
        if ((id == RELATED || id == RELATED_FAST) && length >= FM_DDS_GUID) {
            memcpy(guid, at, FM_DDS_GUID);
            return 1;
        }
        at += length;
    }
    return 0;
}

static int is_unknown(const uint8_t guid[FM_DDS_GUID])
{
    static const uint8_t unknown[FM_DDS_GUID] = {0};
    return memcmp(guid, unknown, FM_DDS_GUID) == 0;
}

/* Cyclone has turned the words of the header's prefix, and the fields of the submessage, into those of the host. */
static void write_guid(const Header_t *header, ddsi_entityid_t writer, uint8_t guid[FM_DDS_GUID])
{
    for (size_t i = 0; i < 4; i++) {
        uint32_t word = ddsrt_toBE4u(i < 3 ? header->guid_prefix.u[i] : writer.u);
        memcpy(guid + 4 * i, &word, 4);
    }
}

int fm_dds_wire_read(const struct nn_rdata *fragment, fm_dds_identity *identity)
{
    const unsigned char *packet = NN_RMSG_PAYLOAD(fragment->rmsg);
    const unsigned char *payload = packet + NN_RDATA_PAYLOAD_OFF(fragment);
    const Data_DataFrag_common_t *data = (const void *)(packet + NN_RDATA_SUBMSG_OFF(fragment));
    const unsigned char *qos =
        (const unsigned char *)&data->octetsToInlineQos + sizeof data->octetsToInlineQos + data->octetsToInlineQos;
    if (!(data->smhdr.flags & HAS_QOS) || qos >= payload ||
        !find_related(qos, payload, data->smhdr.flags & LITTLE, identity->guid))
        return 0;
    if (is_unknown(identity->guid))
        write_guid((const Header_t *)(const void *)packet, data->writerId, identity->guid);
    identity->number = (int64_t)data->writerSN.high << 32 | data->writerSN.low;
    return 1;
}

/* --- what goes out --- */

static unsigned char *put(unsigned char *to, const void *value, size_t size)
{
    memcpy(to, value, size);
    return to + size;
}

/* In the order of bytes of this machine, which is that of Cyclone's submessages. */
static void write_qos(const fm_dds_identity *identity, unsigned char qos[QOS])
{
    static const uint16_t ids[] = {RELATED, RELATED_FAST};
    const uint16_t length = IDENTITY, end[2] = {SENTINEL, 0};
    const int32_t high = (int32_t)(identity->number >> 32);
    const uint32_t low = (uint32_t)identity->number;
    unsigned char *to = qos;
    for (size_t i = 0; i < 2; i++) {
        to = put(to, &ids[i], 2);
        to = put(to, &length, 2);
        to = put(to, identity->guid, FM_DDS_GUID);
        to = put(to, &high, 4);
        to = put(to, &low, 4);
    }
    put(to, end, sizeof end);
}

/* A packet in pieces. A submessage DATA or DATA_FRAG ends with a piece of the sample; its head is at the end of the
 * piece before. */
enum { PIECES = 256, HEADS = 32 };
typedef struct packet {
    ddsrt_iovec_t pieces[PIECES];
    size_t count;
    struct {
        union {
            Data_DataFrag_common_t common;
            DataFrag_t frag;
            unsigned char bytes[sizeof(DataFrag_t)];
        } head;
        unsigned char qos[QOS];
    } added[HEADS];
    size_t added_count;
} packet;

/* Bytes of the head of a submessage with this payload and without inline QoS at the end of a piece; 0: there is none.
 */
static size_t head_size(const ddsrt_iovec_t *piece, size_t payload)
{
    static const struct {
        uint8_t id;
        size_t size;
    } kinds[] = {{SMID_DATA, sizeof(Data_t)}, {SMID_DATA_FRAG, sizeof(DataFrag_t)}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        SubmessageHeader_t head;
        if (piece->iov_len < kinds[i].size)
            continue;
        memcpy(&head, (const unsigned char *)piece->iov_base + piece->iov_len - kinds[i].size, sizeof head);
        if (head.submessageId == kinds[i].id && !(head.flags & HAS_QOS) &&
            head.octetsToNextHeader == kinds[i].size - sizeof head + payload)
            return kinds[i].size;
    }
    return 0;
}

static const fm_dds_relation *find_relation(const fm_dds_wire *wire, const void *data)
{
    for (const fm_dds_relation *r = wire->relations; r; r = r->next)
        if ((const unsigned char *)data >= r->data && (const unsigned char *)data < r->data + r->size)
            return r;
    return NULL;
}

static void add_piece(packet *p, const void *data, size_t size)
{
    p->pieces[p->count].iov_base = (void *)(uintptr_t)data;
    p->pieces[p->count++].iov_len = size;
}

/* Takes the head off the last piece and adds it again, with the identity after it. */
static void add_identity(packet *p, size_t size, const fm_dds_identity *identity)
{
    ddsrt_iovec_t *last = &p->pieces[p->count - 1];
    unsigned char *head = p->added[p->added_count].head.bytes, *qos = p->added[p->added_count].qos;
    SubmessageHeader_t *common = &p->added[p->added_count++].head.common.smhdr;
    last->iov_len -= size;
    memcpy(head, (const unsigned char *)last->iov_base + last->iov_len, size);
    common->flags |= HAS_QOS;
    common->octetsToNextHeader = (uint16_t)(common->octetsToNextHeader + QOS);
    write_qos(identity, qos);
    p->count -= last->iov_len == 0;
    add_piece(p, head, size);
    add_piece(p, qos, QOS);
}

static ssize_t write_related(ddsi_tran_conn_t to, const ddsi_locator_t *where, size_t count,
                             const ddsrt_iovec_t *pieces, uint32_t flags)
{
    fm_dds_wire *wire = (fm_dds_wire *)(void *)__atomic_load_n(&to->m_conn, __ATOMIC_ACQUIRE);
    if (atomic_load(&wire->count) == 0)
        return wire->write(to, where, count, pieces, flags);
    packet p = {.count = 0};
    pthread_mutex_lock(&wire->lock);
    for (size_t i = 0; i < count && p.count + 3 <= PIECES; i++) {
        const fm_dds_relation *r = i && p.added_count < HEADS ? find_relation(wire, pieces[i].iov_base) : NULL;
        size_t head = r ? head_size(&pieces[i - 1], pieces[i].iov_len) : 0;
        if (head)
            add_identity(&p, head, &r->identity);
        add_piece(&p, pieces[i].iov_base, pieces[i].iov_len);
    }
    ssize_t sent = wire->write(to, where, p.count, p.pieces, flags);
    pthread_mutex_unlock(&wire->lock);
    return sent;
}

void fm_dds_wire_relate(fm_dds_wire *wire, fm_dds_relation *relation)
{
    pthread_mutex_lock(&wire->lock);
    relation->next = wire->relations;
    relation->at = &wire->relations;
    if (relation->next)
        relation->next->at = &relation->next;
    wire->relations = relation;
    atomic_fetch_add(&wire->count, 1);
    pthread_mutex_unlock(&wire->lock);
}

void fm_dds_wire_forget(fm_dds_wire *wire, fm_dds_relation *relation)
{
    pthread_mutex_lock(&wire->lock);
    *relation->at = relation->next;
    if (relation->next)
        relation->next->at = relation->at;
    atomic_fetch_sub(&wire->count, 1);
    pthread_mutex_unlock(&wire->lock);
}

/* --- the way out --- */

/* Connections of datagrams do not use their field m_conn, which other kinds have for the one they accept. */
fm_dds_wire *fm_dds_wire_open(struct ddsi_domaingv *domain)
{
    ddsi_tran_conn_t first = domain->n_interfaces > 0 ? domain->xmit_conns[0] : NULL;
    if (!first || !first->m_connless || first->m_stream)
        return NULL;
    if (first->m_base.gv == domain && first->m_write_fn == write_related) {
        fm_dds_wire *shared = (fm_dds_wire *)(void *)first->m_conn;
        atomic_fetch_add(&shared->users, 1);
        return shared;
    }
    fm_dds_wire *wire = fm_alloc(sizeof *wire);
    if (!wire)
        return NULL;
    pthread_mutex_init(&wire->lock, NULL);
    wire->write = first->m_write_fn;
    atomic_store(&wire->users, 1);
    for (int i = 0; i < domain->n_interfaces; i++)
        if (domain->xmit_conns[i]->m_write_fn == wire->write) {
            /* threads of the domain may already write: they find the wire complete */
            __atomic_store_n(&domain->xmit_conns[i]->m_conn, (ddsi_tran_conn_t)(void *)wire, __ATOMIC_RELEASE);
            __atomic_store_n(&domain->xmit_conns[i]->m_write_fn, write_related, __ATOMIC_RELEASE);
        }
    return wire;
}

void fm_dds_wire_close(fm_dds_wire *wire)
{
    if (!wire || atomic_fetch_sub(&wire->users, 1) > 1)
        return;
    pthread_mutex_destroy(&wire->lock);
    fm_free(wire);
}
