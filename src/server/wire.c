#include "server/wire.h"

#include <math.h>
#include <string.h>

static const uint8_t magic[4] = {'F', 'T', 'H', 'M'};
enum { AT_MAJOR = 4, AT_FLAGS = 5, AT_TYPE = 6, AT_CRC = 36 }; /* in the header */

const char *fm_wire_fault_name(fm_wire_fault fault)
{
    static const char *const names[] = {"none",  "length", "magic",   "version", "type",  "payload", "crc",
                                        "rate",  "cookie", "session", "address", "mac",   "replay",  "role",
                                        "value", "stale",  "full",    "send",    "behind"};
    return (unsigned)fault < FM_WIRE_FAULTS ? names[fault] : "unknown";
}

/* --- writing --- */

void fm_wire_put_bytes(fm_wire_out *out, const void *bytes, size_t size)
{
    if (out->fault || size > out->room - out->size) {
        out->fault = FM_WIRE_FAULT_PAYLOAD;
        return;
    }
    if (size > 0)
        memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
}

static void put_whole(fm_wire_out *out, uint64_t value, size_t size)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    fm_wire_put_bytes(out, bytes, size);
}

void fm_wire_put_u8(fm_wire_out *out, uint8_t value)
{
    put_whole(out, value, 1);
}

void fm_wire_put_u16(fm_wire_out *out, uint16_t value)
{
    put_whole(out, value, 2);
}

void fm_wire_put_u32(fm_wire_out *out, uint32_t value)
{
    put_whole(out, value, 4);
}

void fm_wire_put_u64(fm_wire_out *out, uint64_t value)
{
    put_whole(out, value, 8);
}

void fm_wire_put_f32(fm_wire_out *out, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_whole(out, bits, 4);
}

void fm_wire_put_f64(fm_wire_out *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_whole(out, bits, 8);
}

/* Does not split a character of several bytes. */
static size_t cut_text(const char *text, size_t most)
{
    size_t length = strnlen(text, most + 1);
    if (length <= most)
        return length;
    for (length = most; length > 0 && ((uint8_t)text[length] & 0xC0) == 0x80; length--)
        ;
    return length;
}

void fm_wire_put_text(fm_wire_out *out, const char *text, size_t size)
{
    size_t length = cut_text(text, size - 1);
    fm_wire_put_bytes(out, text, length);
    for (; length < size; length++)
        fm_wire_put_u8(out, 0);
}

/* --- reading --- */

const uint8_t *fm_wire_get_bytes(fm_wire_in *in, size_t size)
{
    if (size > in->size - in->at) {
        in->fault = in->fault ? in->fault : FM_WIRE_FAULT_PAYLOAD;
        in->at = in->size;
        return NULL;
    }
    const uint8_t *bytes = in->bytes + in->at;
    in->at += size;
    return bytes;
}

static uint64_t get_whole(fm_wire_in *in, size_t size)
{
    const uint8_t *bytes = fm_wire_get_bytes(in, size);
    uint64_t value = 0;
    for (size_t i = 0; bytes && i < size; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

uint8_t fm_wire_get_u8(fm_wire_in *in)
{
    return (uint8_t)get_whole(in, 1);
}

uint16_t fm_wire_get_u16(fm_wire_in *in)
{
    return (uint16_t)get_whole(in, 2);
}

uint32_t fm_wire_get_u32(fm_wire_in *in)
{
    return (uint32_t)get_whole(in, 4);
}

uint64_t fm_wire_get_u64(fm_wire_in *in)
{
    return get_whole(in, 8);
}

static void note_value(fm_wire_in *in, int fine)
{
    if (!fine && !in->fault)
        in->fault = FM_WIRE_FAULT_VALUE;
}

float fm_wire_get_f32(fm_wire_in *in)
{
    uint32_t bits = (uint32_t)get_whole(in, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    note_value(in, isfinite(value));
    return isfinite(value) ? value : 0;
}

double fm_wire_get_f64(fm_wire_in *in)
{
    uint64_t bits = get_whole(in, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    note_value(in, isfinite(value));
    return isfinite(value) ? value : 0;
}

/* Number of bytes of the character that begins at `s`; 0: invalid (also overlong, a surrogate, beyond U+10FFFF). */
static size_t utf8_length(const uint8_t *s, size_t left)
{
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    int bad = length > 2 && ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) ||
                             (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F));
    return bad ? 0 : length;
}

/* Printable, or the end. */
static int is_text(const uint8_t *bytes, size_t size)
{
    size_t at = 0;
    while (at < size && bytes[at]) {
        size_t length = utf8_length(bytes + at, size - at);
        if (length == 0 || bytes[at] < 0x20 || bytes[at] == 0x7F)
            return 0;
        at += length;
    }
    return at < size;
}

void fm_wire_get_text(fm_wire_in *in, char *text, size_t size)
{
    const uint8_t *bytes = fm_wire_get_bytes(in, size);
    memset(text, 0, size);
    if (!bytes)
        return;
    int fine = is_text(bytes, size);
    note_value(in, fine);
    if (fine)
        memcpy(text, bytes, strlen((const char *)bytes));
}

/* --- messages --- */

#define MESSAGE(name)                                                                                                  \
    void fm_wire_put_##name(fm_wire_out *out, const fm_wire_##name *message)                                           \
    {
#define FIELD(name, type, member) fm_wire_put_##type(out, message->member);
#define ARRAY(name, type, member, count)                                                                               \
    for (size_t i = 0; i < (count); i++)                                                                               \
        fm_wire_put_##type(out, message->member[i]);
#define TEXT(name, member, size) fm_wire_put_text(out, message->member, size);
#define END(name) }
#include "server/wire_table.h"
#undef MESSAGE
#undef FIELD
#undef ARRAY
#undef TEXT
#undef END

#define MESSAGE(name)                                                                                                  \
    int fm_wire_get_##name(fm_wire_in *in, fm_wire_##name *message)                                                    \
    {
#define FIELD(name, type, member) message->member = fm_wire_get_##type(in);
#define ARRAY(name, type, member, count)                                                                               \
    for (size_t i = 0; i < (count); i++)                                                                               \
        message->member[i] = fm_wire_get_##type(in);
#define TEXT(name, member, size) fm_wire_get_text(in, message->member, size);
#define END(name)                                                                                                      \
    return !in->fault;                                                                                                 \
    }
#include "server/wire_table.h"
#undef MESSAGE
#undef FIELD
#undef ARRAY
#undef TEXT
#undef END

/* --- CRC-32C (Castagnoli, reflected 0x82F63B78) --- */

uint32_t fm_wire_crc32c(uint32_t crc, const void *bytes, size_t size)
{
    /* clang-format off */
    static const uint32_t table[256] = {
        0x00000000, 0xF26B8303, 0xE13B70F7, 0x1350F3F4, 0xC79A971F, 0x35F1141C, 0x26A1E7E8, 0xD4CA64EB,
        0x8AD958CF, 0x78B2DBCC, 0x6BE22838, 0x9989AB3B, 0x4D43CFD0, 0xBF284CD3, 0xAC78BF27, 0x5E133C24,
        0x105EC76F, 0xE235446C, 0xF165B798, 0x030E349B, 0xD7C45070, 0x25AFD373, 0x36FF2087, 0xC494A384,
        0x9A879FA0, 0x68EC1CA3, 0x7BBCEF57, 0x89D76C54, 0x5D1D08BF, 0xAF768BBC, 0xBC267848, 0x4E4DFB4B,
        0x20BD8EDE, 0xD2D60DDD, 0xC186FE29, 0x33ED7D2A, 0xE72719C1, 0x154C9AC2, 0x061C6936, 0xF477EA35,
        0xAA64D611, 0x580F5512, 0x4B5FA6E6, 0xB93425E5, 0x6DFE410E, 0x9F95C20D, 0x8CC531F9, 0x7EAEB2FA,
        0x30E349B1, 0xC288CAB2, 0xD1D83946, 0x23B3BA45, 0xF779DEAE, 0x05125DAD, 0x1642AE59, 0xE4292D5A,
        0xBA3A117E, 0x4851927D, 0x5B016189, 0xA96AE28A, 0x7DA08661, 0x8FCB0562, 0x9C9BF696, 0x6EF07595,
        0x417B1DBC, 0xB3109EBF, 0xA0406D4B, 0x522BEE48, 0x86E18AA3, 0x748A09A0, 0x67DAFA54, 0x95B17957,
        0xCBA24573, 0x39C9C670, 0x2A993584, 0xD8F2B687, 0x0C38D26C, 0xFE53516F, 0xED03A29B, 0x1F682198,
        0x5125DAD3, 0xA34E59D0, 0xB01EAA24, 0x42752927, 0x96BF4DCC, 0x64D4CECF, 0x77843D3B, 0x85EFBE38,
        0xDBFC821C, 0x2997011F, 0x3AC7F2EB, 0xC8AC71E8, 0x1C661503, 0xEE0D9600, 0xFD5D65F4, 0x0F36E6F7,
        0x61C69362, 0x93AD1061, 0x80FDE395, 0x72966096, 0xA65C047D, 0x5437877E, 0x4767748A, 0xB50CF789,
        0xEB1FCBAD, 0x197448AE, 0x0A24BB5A, 0xF84F3859, 0x2C855CB2, 0xDEEEDFB1, 0xCDBE2C45, 0x3FD5AF46,
        0x7198540D, 0x83F3D70E, 0x90A324FA, 0x62C8A7F9, 0xB602C312, 0x44694011, 0x5739B3E5, 0xA55230E6,
        0xFB410CC2, 0x092A8FC1, 0x1A7A7C35, 0xE811FF36, 0x3CDB9BDD, 0xCEB018DE, 0xDDE0EB2A, 0x2F8B6829,
        0x82F63B78, 0x709DB87B, 0x63CD4B8F, 0x91A6C88C, 0x456CAC67, 0xB7072F64, 0xA457DC90, 0x563C5F93,
        0x082F63B7, 0xFA44E0B4, 0xE9141340, 0x1B7F9043, 0xCFB5F4A8, 0x3DDE77AB, 0x2E8E845F, 0xDCE5075C,
        0x92A8FC17, 0x60C37F14, 0x73938CE0, 0x81F80FE3, 0x55326B08, 0xA759E80B, 0xB4091BFF, 0x466298FC,
        0x1871A4D8, 0xEA1A27DB, 0xF94AD42F, 0x0B21572C, 0xDFEB33C7, 0x2D80B0C4, 0x3ED04330, 0xCCBBC033,
        0xA24BB5A6, 0x502036A5, 0x4370C551, 0xB11B4652, 0x65D122B9, 0x97BAA1BA, 0x84EA524E, 0x7681D14D,
        0x2892ED69, 0xDAF96E6A, 0xC9A99D9E, 0x3BC21E9D, 0xEF087A76, 0x1D63F975, 0x0E330A81, 0xFC588982,
        0xB21572C9, 0x407EF1CA, 0x532E023E, 0xA145813D, 0x758FE5D6, 0x87E466D5, 0x94B49521, 0x66DF1622,
        0x38CC2A06, 0xCAA7A905, 0xD9F75AF1, 0x2B9CD9F2, 0xFF56BD19, 0x0D3D3E1A, 0x1E6DCDEE, 0xEC064EED,
        0xC38D26C4, 0x31E6A5C7, 0x22B65633, 0xD0DDD530, 0x0417B1DB, 0xF67C32D8, 0xE52CC12C, 0x1747422F,
        0x49547E0B, 0xBB3FFD08, 0xA86F0EFC, 0x5A048DFF, 0x8ECEE914, 0x7CA56A17, 0x6FF599E3, 0x9D9E1AE0,
        0xD3D3E1AB, 0x21B862A8, 0x32E8915C, 0xC083125F, 0x144976B4, 0xE622F5B7, 0xF5720643, 0x07198540,
        0x590AB964, 0xAB613A67, 0xB831C993, 0x4A5A4A90, 0x9E902E7B, 0x6CFBAD78, 0x7FAB5E8C, 0x8DC0DD8F,
        0xE330A81A, 0x115B2B19, 0x020BD8ED, 0xF0605BEE, 0x24AA3F05, 0xD6C1BC06, 0xC5914FF2, 0x37FACCF1,
        0x69E9F0D5, 0x9B8273D6, 0x88D28022, 0x7AB90321, 0xAE7367CA, 0x5C18E4C9, 0x4F48173D, 0xBD23943E,
        0xF36E6F75, 0x0105EC76, 0x12551F82, 0xE03E9C81, 0x34F4F86A, 0xC69F7B69, 0xD5CF889D, 0x27A40B9E,
        0x79B737BA, 0x8BDCB4B9, 0x988C474D, 0x6AE7C44E, 0xBE2DA0A5, 0x4C4623A6, 0x5F16D052, 0xAD7D5351,
    };
    /* clang-format on */
    const uint8_t *at = bytes;
    crc = ~crc;
    for (size_t i = 0; i < size; i++)
        crc = table[(crc ^ at[i]) & 0xFF] ^ (crc >> 8);
    return ~crc;
}

/* --- datagrams --- */

/* The payloads, their direction and their length. */
typedef struct layout {
    uint16_t type;
    uint8_t up, down; /* client to server, server to client */
    uint16_t least, most;
} layout;

static const layout *find_layout(uint16_t type)
{
    static const layout layouts[] = {
        {FM_WIRE_HELLO, 1, 0, FM_WIRE_SIZE_hello, FM_WIRE_SIZE_hello},
        {FM_WIRE_CHALLENGE, 0, 1, FM_WIRE_SIZE_challenge, FM_WIRE_SIZE_challenge},
        {FM_WIRE_CONNECT, 1, 0, FM_WIRE_SIZE_connect, FM_WIRE_SIZE_connect},
        {FM_WIRE_WELCOME, 0, 1, FM_WIRE_SIZE_welcome, FM_WIRE_SIZE_welcome},
        {FM_WIRE_REJECT, 0, 1, FM_WIRE_SIZE_reject, FM_WIRE_SIZE_reject},
        {FM_WIRE_DISCONNECT, 1, 1, FM_WIRE_SIZE_leave, FM_WIRE_SIZE_leave},
        {FM_WIRE_BYE, 1, 1, FM_WIRE_SIZE_leave, FM_WIRE_SIZE_leave},
        {FM_WIRE_PING, 1, 1, FM_WIRE_SIZE_ping, FM_WIRE_SIZE_ping},
        {FM_WIRE_PONG, 1, 1, FM_WIRE_SIZE_ping, FM_WIRE_SIZE_ping},
        {FM_WIRE_ACTUATE, 1, 0, FM_WIRE_SIZE_actuate, FM_WIRE_SIZE_actuate + 4 * FM_WIRE_VALUES},
        {FM_WIRE_STATE, 0, 1, FM_WIRE_SIZE_state + 4, FM_WIRE_SIZE_state + 5 * FM_WIRE_VALUES + 4},
        {FM_WIRE_SENSORS, 0, 1, FM_WIRE_SIZE_sensor, FM_WIRE_PAYLOAD},
        {FM_WIRE_SENSOR_PUT, 1, 0, FM_WIRE_SIZE_sensor, FM_WIRE_PAYLOAD},
        {FM_WIRE_READY, 1, 0, FM_WIRE_SIZE_ready, FM_WIRE_PAYLOAD},
        {FM_WIRE_ACOUSTIC_SEND, 1, 0, FM_WIRE_SIZE_acoustic_send + FM_WIRE_SIZE_acoustic_send_tail, FM_WIRE_PAYLOAD},
        {FM_WIRE_ACOUSTIC_STATUS, 0, 1, FM_WIRE_SIZE_acoustic_status, FM_WIRE_SIZE_acoustic_status},
        {FM_WIRE_ACOUSTIC_RECV, 0, 1, FM_WIRE_SIZE_acoustic_recv + FM_WIRE_SIZE_acoustic_recv_tail, FM_WIRE_PAYLOAD},
        {FM_WIRE_COMMAND, 1, 0, FM_WIRE_SIZE_command, FM_WIRE_PAYLOAD},
        {FM_WIRE_RESULT, 0, 1, FM_WIRE_SIZE_result, FM_WIRE_SIZE_result},
        {FM_WIRE_SUBSCRIBE, 1, 0, FM_WIRE_SIZE_subscribe, FM_WIRE_SIZE_subscribe},
        {FM_WIRE_EVENT, 0, 1, FM_WIRE_SIZE_event, FM_WIRE_SIZE_event},
        {FM_WIRE_DESCRIBE, 1, 0, FM_WIRE_SIZE_describe, FM_WIRE_SIZE_describe},
        {FM_WIRE_DESCRIPTION, 0, 1, FM_WIRE_SIZE_description, FM_WIRE_PAYLOAD},
        {FM_WIRE_ERROR, 0, 1, FM_WIRE_SIZE_error, FM_WIRE_SIZE_error},
    };
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].type == type)
            return &layouts[i];
    return NULL;
}

fm_wire_out fm_wire_begin(uint8_t bytes[FM_WIRE_MOST])
{
    return (fm_wire_out){.bytes = bytes, .size = FM_WIRE_HEADER, .room = FM_WIRE_MOST - FM_WIRE_MAC};
}

static void write_header(uint8_t *bytes, const fm_wire_header *h, uint32_t length, uint8_t flags)
{
    fm_wire_out out = {.bytes = bytes, .room = FM_WIRE_HEADER};
    fm_wire_put_bytes(&out, magic, sizeof magic);
    fm_wire_put_u8(&out, FM_WIRE_MAJOR);
    fm_wire_put_u8(&out, flags);
    fm_wire_put_u16(&out, h->type);
    fm_wire_put_u32(&out, length);
    fm_wire_put_u32(&out, h->sequence);
    fm_wire_put_u64(&out, h->token);
    fm_wire_put_u64(&out, h->time);
    fm_wire_put_u16(&out, h->source);
    fm_wire_put_u16(&out, h->destination);
    fm_wire_put_u32(&out, 0);
}

size_t fm_wire_finish(fm_wire_out *out, const fm_wire_header *header, const uint8_t *key, fm_wire_hash *hash)
{
    size_t length = out->size + (key ? FM_WIRE_MAC : 0);
    uint8_t flags = (uint8_t)((header->flags & ~FM_WIRE_SEALED) | (key ? FM_WIRE_SEALED : 0));
    if (out->fault)
        return 0;
    write_header(out->bytes, header, (uint32_t)length, flags);
    if (key)
        hash(key, out->bytes, out->size, out->bytes + out->size);
    fm_wire_out crc = {.bytes = out->bytes + AT_CRC, .room = 4};
    fm_wire_put_u32(&crc, fm_wire_crc32c(0, out->bytes, length));
    return length;
}

static void read_header(const uint8_t *bytes, fm_wire_header *h)
{
    fm_wire_in in = {.bytes = bytes, .at = AT_MAJOR, .size = FM_WIRE_HEADER};
    h->major = fm_wire_get_u8(&in);
    h->flags = fm_wire_get_u8(&in);
    h->type = fm_wire_get_u16(&in);
    h->length = fm_wire_get_u32(&in);
    h->sequence = fm_wire_get_u32(&in);
    h->token = fm_wire_get_u64(&in);
    h->time = fm_wire_get_u64(&in);
    h->source = fm_wire_get_u16(&in);
    h->destination = fm_wire_get_u16(&in);
    h->crc = fm_wire_get_u32(&in);
}

static uint32_t crc_of(const uint8_t *bytes, size_t size)
{
    static const uint8_t zero[4];
    uint32_t crc = fm_wire_crc32c(0, bytes, AT_CRC);
    crc = fm_wire_crc32c(crc, zero, sizeof zero);
    return fm_wire_crc32c(crc, bytes + FM_WIRE_HEADER, size - FM_WIRE_HEADER);
}

fm_wire_fault fm_wire_open(const uint8_t *bytes, size_t size, int from_server, fm_wire_header *h, fm_wire_in *payload)
{
    *h = (fm_wire_header){0};
    *payload = (fm_wire_in){0};
    if (size < FM_WIRE_HEADER || size > FM_WIRE_MOST)
        return FM_WIRE_FAULT_LENGTH;
    read_header(bytes, h);
    if (h->length != size)
        return FM_WIRE_FAULT_LENGTH;
    if (memcmp(bytes, magic, sizeof magic) != 0)
        return FM_WIRE_FAULT_MAGIC;
    if (h->major != FM_WIRE_MAJOR)
        return FM_WIRE_FAULT_VERSION;
    const layout *l = find_layout(h->type);
    if (!l || !(from_server ? l->down : l->up) || from_server != ((h->flags & FM_WIRE_FROM_SERVER) != 0))
        return FM_WIRE_FAULT_TYPE;
    size_t around = FM_WIRE_HEADER + (h->flags & FM_WIRE_SEALED ? FM_WIRE_MAC : 0);
    if (size < around + l->least || size > around + l->most)
        return FM_WIRE_FAULT_PAYLOAD;
    if (crc_of(bytes, size) != h->crc)
        return FM_WIRE_FAULT_CRC;
    *payload = (fm_wire_in){.bytes = bytes + FM_WIRE_HEADER, .size = size - around};
    return FM_WIRE_FINE;
}

int fm_wire_is_sealed(const uint8_t *bytes, const fm_wire_header *h, const uint8_t *key, fm_wire_hash *hash)
{
    uint8_t copy[FM_WIRE_MOST], mac[FM_WIRE_MAC], differs = 0;
    if (!(h->flags & FM_WIRE_SEALED) || h->length < FM_WIRE_HEADER + FM_WIRE_MAC || h->length > FM_WIRE_MOST)
        return 0;
    size_t size = h->length - FM_WIRE_MAC;
    memcpy(copy, bytes, size);
    memset(copy + AT_CRC, 0, 4);
    hash(key, copy, size, mac);
    for (size_t i = 0; i < FM_WIRE_MAC; i++) /* in constant time */
        differs |= (uint8_t)(mac[i] ^ bytes[size + i]);
    return !differs;
}

int fm_wire_window_take(fm_wire_window *w, uint32_t sequence)
{
    if (sequence == 0)
        return 0;
    if (sequence > w->newest) {
        uint32_t ahead = sequence - w->newest;
        w->seen = (ahead < 64 ? w->seen << ahead : 0) | 1;
        w->newest = sequence;
        return 1;
    }
    uint32_t back = w->newest - sequence;
    if (back >= 64 || (w->seen >> back) & 1)
        return 0;
    w->seen |= (uint64_t)1 << back;
    return 1;
}
