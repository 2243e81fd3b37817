/* One description serves both directions: each function below walks the fields of a record in order, and a cursor
 * writes or reads them. */
#include "bridges/dis/dis_wire.h"

#include <math.h>
#include <string.h>

#define HOUR 3600.0
#define UNITS 2147483648.0 /* of a timestamp in an hour */

typedef struct cursor {
    uint8_t *out;      /* writing; NULL: reading */
    const uint8_t *in; /* reading */
    size_t size, at;
    int failed; /* beyond the end */
    int odd;    /* a number was not finite */
} cursor;

static int has_room(cursor *c, size_t count)
{
    c->failed |= count > c->size - c->at;
    return !c->failed;
}

static void walk_bits(cursor *c, uint64_t *bits, size_t bytes)
{
    if (!has_room(c, bytes))
        return;
    if (c->out) {
        for (size_t i = 0; i < bytes; i++)
            c->out[c->at + i] = (uint8_t)(*bits >> 8 * (bytes - 1 - i));
    } else {
        *bits = 0;
        for (size_t i = 0; i < bytes; i++)
            *bits = *bits << 8 | c->in[c->at + i];
    }
    c->at += bytes;
}

static void walk_u8(cursor *c, uint8_t *value)
{
    uint64_t bits = *value;
    walk_bits(c, &bits, 1);
    *value = (uint8_t)bits;
}

static void walk_u16(cursor *c, uint16_t *value)
{
    uint64_t bits = *value;
    walk_bits(c, &bits, 2);
    *value = (uint16_t)bits;
}

static void walk_u32(cursor *c, uint32_t *value)
{
    uint64_t bits = *value;
    walk_bits(c, &bits, 4);
    *value = (uint32_t)bits;
}

static void walk_i16(cursor *c, int16_t *value)
{
    uint16_t bits;
    memcpy(&bits, value, sizeof bits);
    walk_u16(c, &bits);
    memcpy(value, &bits, sizeof bits);
}

static void walk_i32(cursor *c, int32_t *value)
{
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    walk_u32(c, &bits);
    memcpy(value, &bits, sizeof bits);
}

/* Bits that may be no number. */
static void walk_raw_float(cursor *c, float *value)
{
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    walk_u32(c, &bits);
    memcpy(value, &bits, sizeof bits);
}

static void walk_floats(cursor *c, float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        walk_raw_float(c, &values[i]);
        c->odd |= !isfinite(values[i]);
    }
}

static void walk_doubles(cursor *c, double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        walk_bits(c, &bits, 8);
        memcpy(&values[i], &bits, sizeof bits);
        c->odd |= !isfinite(values[i]);
    }
}

static void walk_bytes(cursor *c, void *bytes, size_t count)
{
    if (!has_room(c, count))
        return;
    if (c->out)
        memcpy(c->out + c->at, bytes, count);
    else
        memcpy(bytes, c->in + c->at, count);
    c->at += count;
}

/* --- records --- */

static void walk_header(cursor *c, fm_dis_header *h)
{
    walk_u8(c, &h->version);
    walk_u8(c, &h->exercise);
    walk_u8(c, &h->type);
    walk_u8(c, &h->family);
    walk_u32(c, &h->timestamp);
    walk_u16(c, &h->length);
    walk_u8(c, &h->status);
    walk_u8(c, &h->padding);
}

static void walk_id(cursor *c, fm_dis_id *id)
{
    walk_u16(c, &id->site);
    walk_u16(c, &id->application);
    walk_u16(c, &id->entity);
}

static void walk_entity_type(cursor *c, fm_dis_entity_type *t)
{
    walk_u8(c, &t->kind);
    walk_u8(c, &t->domain);
    walk_u16(c, &t->country);
    walk_u8(c, &t->category);
    walk_u8(c, &t->subcategory);
    walk_u8(c, &t->specific);
    walk_u8(c, &t->extra);
}

static void walk_part(cursor *c, fm_dis_part *p)
{
    walk_u8(c, &p->designator);
    walk_u8(c, &p->change);
    walk_u16(c, &p->attached);
    walk_u32(c, &p->type);
    walk_raw_float(c, &p->value);
    walk_u32(c, &p->rest);
    c->odd |= p->designator == 0 && !isfinite(p->value);
}

static void walk_entity(cursor *c, fm_dis_entity *e)
{
    walk_id(c, &e->id);
    walk_u8(c, &e->force);
    walk_u8(c, &e->part_count);
    walk_entity_type(c, &e->type);
    walk_entity_type(c, &e->alternative);
    walk_floats(c, e->velocity, 3);
    walk_doubles(c, e->location, 3);
    walk_floats(c, e->orientation, 3);
    walk_u32(c, &e->appearance);
    walk_u8(c, &e->reckoning);
    walk_bytes(c, e->reckoning_other, sizeof e->reckoning_other);
    walk_floats(c, e->acceleration, 3);
    walk_floats(c, e->rates, 3);
    walk_u8(c, &e->character_set);
    walk_bytes(c, e->marking, sizeof e->marking);
    walk_u32(c, &e->capabilities);
    for (size_t i = 0; i < e->part_count && !c->failed; i++)
        walk_part(c, &e->parts[i]);
    c->odd |= e->reckoning > 9;
}

static void walk_shaft(cursor *c, fm_dis_shaft *s)
{
    walk_i16(c, &s->rpm);
    walk_i16(c, &s->ordered);
    walk_i32(c, &s->change);
}

static void walk_beam(cursor *c, fm_dis_beam *b)
{
    walk_u8(c, &b->words);
    walk_u8(c, &b->number);
    walk_u16(c, &b->padding);
    walk_u16(c, &b->emission);
    walk_u16(c, &b->pattern);
    walk_floats(c, &b->azimuth, 1);
    walk_floats(c, &b->azimuth_width, 1);
    walk_floats(c, &b->elevation, 1);
    walk_floats(c, &b->elevation_width, 1);
}

static void walk_system(cursor *c, fm_dis_system *s)
{
    walk_u8(c, &s->words);
    walk_u8(c, &s->beam_count);
    walk_u16(c, &s->padding);
    walk_u16(c, &s->name);
    walk_u8(c, &s->function);
    walk_u8(c, &s->id);
    walk_floats(c, s->location, 3);
}

/* Returns 0 if there are more records than fit. */
static int walk_acoustic(cursor *c, fm_dis_acoustic *a)
{
    walk_id(c, &a->emitter);
    walk_id(c, &a->event);
    walk_u8(c, &a->change);
    walk_u8(c, &a->padding);
    walk_u16(c, &a->passive_index);
    walk_u8(c, &a->plant);
    walk_u8(c, &a->shaft_count);
    walk_u8(c, &a->passive_count);
    walk_u8(c, &a->system_count);
    if (a->shaft_count > FM_DIS_SHAFTS_MOST || a->passive_count > FM_DIS_PASSIVES_MOST ||
        a->system_count > FM_DIS_SYSTEMS_MOST)
        return 0;
    for (size_t i = 0; i < a->shaft_count && !c->failed; i++)
        walk_shaft(c, &a->shafts[i]);
    for (size_t i = 0; i < a->passive_count && !c->failed; i++) {
        walk_u16(c, &a->passives[i].parameter);
        walk_i16(c, &a->passives[i].value);
    }
    size_t beam = 0;
    for (size_t i = 0; i < a->system_count && !c->failed; i++) {
        walk_system(c, &a->systems[i]);
        for (size_t k = 0; k < a->systems[i].beam_count && !c->failed; k++, beam++) {
            if (beam == FM_DIS_BEAMS_MOST)
                return 0;
            walk_beam(c, &a->beams[beam]);
        }
    }
    return 1;
}

static void walk_collision(cursor *c, fm_dis_collision *x)
{
    walk_id(c, &x->issuer);
    walk_id(c, &x->other);
    walk_id(c, &x->event);
    walk_u8(c, &x->type);
    walk_u8(c, &x->padding);
    walk_floats(c, x->velocity, 3);
    walk_floats(c, &x->mass, 1);
    walk_floats(c, x->location, 3);
}

static void walk_clock(cursor *c, fm_dis_clock *clock)
{
    walk_i32(c, &clock->hour);
    walk_u32(c, &clock->past);
}

static void walk_start(cursor *c, fm_dis_start *s)
{
    walk_id(c, &s->from);
    walk_id(c, &s->to);
    walk_clock(c, &s->real);
    walk_clock(c, &s->simulation);
    walk_u32(c, &s->request);
}

static void walk_stop(cursor *c, fm_dis_stop *s)
{
    walk_id(c, &s->from);
    walk_id(c, &s->to);
    walk_clock(c, &s->real);
    walk_u8(c, &s->reason);
    walk_u8(c, &s->behaviour);
    walk_u16(c, &s->padding);
    walk_u32(c, &s->request);
}

static void walk_acknowledge(cursor *c, fm_dis_acknowledge *a)
{
    walk_id(c, &a->from);
    walk_id(c, &a->to);
    walk_u16(c, &a->flag);
    walk_u16(c, &a->response);
    walk_u32(c, &a->request);
}

/* Returns 0 if there are more records than fit. */
static int walk_body(cursor *c, fm_dis_pdu *pdu)
{
    switch (pdu->header.type) {
    case FM_DIS_ENTITY_STATE: walk_entity(c, &pdu->entity); break;
    case FM_DIS_COLLISION: walk_collision(c, &pdu->collision); break;
    case FM_DIS_START_RESUME: walk_start(c, &pdu->start); break;
    case FM_DIS_STOP_FREEZE: walk_stop(c, &pdu->stop); break;
    case FM_DIS_ACKNOWLEDGE: walk_acknowledge(c, &pdu->acknowledge); break;
    case FM_DIS_ACOUSTIC: return walk_acoustic(c, &pdu->acoustic);
    default: break;
    }
    return 1;
}

/* --- what types there are --- */

typedef struct pdu_kind {
    uint8_t type, family;
    const char *name;
} pdu_kind;
static const pdu_kind kinds[] = {{FM_DIS_ENTITY_STATE, 1, "Entity State"}, {FM_DIS_COLLISION, 1, "Collision"},
                                 {FM_DIS_START_RESUME, 5, "Start/Resume"}, {FM_DIS_STOP_FREEZE, 5, "Stop/Freeze"},
                                 {FM_DIS_ACKNOWLEDGE, 5, "Acknowledge"},   {FM_DIS_ACOUSTIC, 6, "Underwater Acoustic"}};

static const pdu_kind *find_kind(unsigned type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].type == type)
            return &kinds[i];
    return NULL;
}

const char *fm_dis_type_name(unsigned type)
{
    const pdu_kind *kind = find_kind(type);
    return kind ? kind->name : NULL;
}

const char *fm_dis_result_name(fm_dis_result result)
{
    static const char *const names[] = {"well", "short", "version", "length", "type", "room", "value"};
    return (unsigned)result < FM_DIS_RESULTS ? names[result] : "unknown";
}

/* --- both ways --- */

/* The lengths that systems and beams declare. */
static int words_fit(const fm_dis_acoustic *a)
{
    size_t beam = 0;
    for (size_t i = 0; i < a->system_count; i++) {
        if (a->systems[i].words != 5 + 6 * a->systems[i].beam_count)
            return 0;
        for (size_t k = 0; k < a->systems[i].beam_count; k++, beam++)
            if (a->beams[beam].words != 6)
                return 0;
    }
    return 1;
}

fm_dis_result fm_dis_decode(const uint8_t *bytes, size_t size, fm_dis_pdu *pdu, size_t *used)
{
    cursor c = {.in = bytes, .size = size};
    *used = 0;
    memset(&pdu->header, 0, sizeof pdu->header);
    if (size < FM_DIS_HEADER)
        return FM_DIS_SHORT;
    walk_header(&c, &pdu->header);
    if (pdu->header.length < FM_DIS_HEADER || pdu->header.length > size || pdu->header.length > FM_DIS_MOST)
        return FM_DIS_SHORT;
    *used = c.size = pdu->header.length;
    if (pdu->header.version != 6 && pdu->header.version != 7)
        return FM_DIS_VERSION;
    if (!find_kind(pdu->header.type))
        return FM_DIS_TYPE;
    if (!walk_body(&c, pdu))
        return FM_DIS_ROOM;
    if (c.failed || c.at != c.size || (pdu->header.type == FM_DIS_ACOUSTIC && !words_fit(&pdu->acoustic)))
        return FM_DIS_LENGTH;
    return c.odd ? FM_DIS_VALUE : FM_DIS_WELL;
}

static void set_words(fm_dis_acoustic *a)
{
    for (size_t i = 0; i < a->system_count && i < FM_DIS_SYSTEMS_MOST; i++)
        a->systems[i].words = (uint8_t)(5 + 6 * a->systems[i].beam_count);
    for (size_t i = 0; i < FM_DIS_BEAMS_MOST; i++)
        a->beams[i].words = 6;
}

size_t fm_dis_encode(const fm_dis_pdu *pdu, uint8_t *bytes, size_t room)
{
    const pdu_kind *kind = find_kind(pdu->header.type);
    fm_dis_pdu own = *pdu; /* the cursor wants to write as well */
    cursor c = {.out = bytes, .size = room < FM_DIS_MOST ? room : FM_DIS_MOST};
    if (!kind)
        return 0;
    own.header.family = kind->family;
    if (kind->type == FM_DIS_ACOUSTIC)
        set_words(&own.acoustic);
    walk_header(&c, &own.header);
    if (!walk_body(&c, &own) || c.failed)
        return 0;
    own.header.length = (uint16_t)c.at;
    c.at = 0;
    walk_header(&c, &own.header);
    return own.header.length;
}

/* --- time --- */

/* Units past the hour, rounded to the nearest; whole hours go to *hours. */
static uint32_t units_past(double seconds, double *hours)
{
    double hour = floor(seconds / HOUR), units = floor((seconds - hour * HOUR) / HOUR * UNITS + 0.5);
    if (units >= UNITS) {
        units -= UNITS;
        hour++;
    }
    *hours = hour;
    return (uint32_t)units;
}

uint32_t fm_dis_timestamp(double seconds, int absolute)
{
    double hours;
    return units_past(seconds, &hours) << 1 | (absolute != 0);
}

double fm_dis_timestamp_seconds(uint32_t timestamp)
{
    return (timestamp >> 1) * (HOUR / UNITS);
}

fm_dis_clock fm_dis_clock_from(double seconds)
{
    double hours;
    uint32_t past = units_past(seconds, &hours);
    return (fm_dis_clock){(int32_t)hours, past << 1};
}
