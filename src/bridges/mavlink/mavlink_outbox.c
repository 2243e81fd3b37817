#include "bridges/mavlink/mavlink_outbox.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"

void fm_mav_outbox_free(fm_mav_outbox *l)
{
    fm_free(l->bytes);
    l->bytes = NULL;
    l->size = l->room = 0;
}

static int make_room(fm_mav_outbox *l, size_t more)
{
    if (l->room - l->size >= more)
        return 1;
    const size_t room = 2 * (l->size + more);
    uint8_t *bytes = fm_realloc(l->bytes, room);
    if (!bytes)
        return 0;
    l->bytes = bytes;
    l->room = room;
    return 1;
}

uint8_t *fm_mav_outbox_next(fm_mav_outbox *l)
{
    return make_room(l, FM_MAV_MOST) ? l->bytes + l->size : NULL;
}

void fm_mav_outbox_move(fm_mav_outbox *to, fm_mav_outbox *from)
{
    if (from->size && make_room(to, from->size)) {
        memcpy(to->bytes + to->size, from->bytes, from->size);
        to->size += from->size;
    }
    from->size = 0;
}

/* Stations show ASCII: an ellipsis becomes three dots, other characters a question mark. */
static void spell(const char *text, char *to, size_t size)
{
    static const char dots[] = "…";
    size_t n = 0;
    for (; *text && n + 4 < size; text++) {
        const unsigned char c = (unsigned char)*text;
        if (strncmp(text, dots, sizeof dots - 1) == 0) {
            memcpy(to + n, "...", 3);
            n += 3;
            text += sizeof dots - 2;
        } else if (c < 128)
            to[n++] = *text;
        else if (c >= 192) /* the first of several bytes */
            to[n++] = '?';
    }
    to[n] = 0;
}

/* A part of 50 bytes says that another follows: a text that ends with one is followed by an empty part. */
void fm_mav_outbox_text(fm_mav_outbox *l, int severity, const char *text)
{
    enum { PART = 50 };
    char cut[190], all[200];
    fm_text_shorten(cut, sizeof cut, text);
    spell(cut, all, sizeof all);
    const size_t length = strlen(all), parts = length > PART ? length / PART + 1 : 1;
    for (size_t i = 0; i < parts; i++) {
        fm_mav_statustext m = {.severity = (uint8_t)severity, .chunk_seq = (uint8_t)i};
        if (parts > 1) /* a number that joins its parts */
            m.id = (uint16_t)(fm_mav_crc(0xFFFF, all, length) | 1);
        memcpy(m.text, all + i * PART, strnlen(all + i * PART, PART));
        FM_MAV_PUT(l, statustext, &m);
    }
}
