#include "bridges/mavlink/mavlink_letters.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"

void fm_mav_letters_free(fm_mav_letters *l)
{
    fm_free(l->bytes);
    l->bytes = NULL;
    l->size = l->room = 0;
}

static int make_room(fm_mav_letters *l, size_t more)
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

uint8_t *fm_mav_letters_next(fm_mav_letters *l)
{
    return make_room(l, FM_MAV_MOST) ? l->bytes + l->size : NULL;
}

void fm_mav_letters_move(fm_mav_letters *to, fm_mav_letters *from)
{
    if (from->size && make_room(to, from->size)) {
        memcpy(to->bytes + to->size, from->bytes, from->size);
        to->size += from->size;
    }
    from->size = 0;
}

/* A part of 50 bytes says that another follows: a text that ends with one is followed by an empty part. */
void fm_mav_letters_text(fm_mav_letters *l, int severity, const char *text)
{
    enum { PART = 50 };
    char all[200];
    fm_text_shorten(all, sizeof all, text);
    const size_t length = strlen(all), parts = length > PART ? length / PART + 1 : 1;
    for (size_t i = 0; i < parts; i++) {
        fm_mav_statustext m = {.severity = (uint8_t)severity, .id = parts > 1, .chunk_seq = (uint8_t)i};
        memcpy(m.text, all + i * PART, strnlen(all + i * PART, PART));
        fm_mav_sender from = {l->system, 1, 0};
        uint8_t *next = fm_mav_letters_next(l);
        if (next)
            l->size += fm_mav_statustext_write(&from, &m, next);
    }
}
