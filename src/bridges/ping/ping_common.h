/* What both devices answer the same way. */
#ifndef FM_BRIDGES_PING_PING_COMMON_H
#define FM_BRIDGES_PING_PING_COMMON_H

#include <string.h>

#include "bridges/ping/ping_wire.h"

/* The id that a frame asks for, by a general_request or, as older clients do, by an empty message of that id; 0: the
 * frame is no request. */
static inline uint16_t fm_ping_requested(const fm_ping_frame *frame)
{
    if (frame->id == FM_PING_GENERAL_REQUEST)
        return (uint16_t)fm_ping_number(frame, 0, 2);
    return frame->size == 0 ? frame->id : 0;
}

static inline void fm_ping_acknowledge(const fm_ping_frame *frame, uint8_t own, fm_ping_message *answer)
{
    fm_ping_begin(answer, FM_PING_ACK, own, frame->from);
    fm_ping_add(answer, 2, frame->id);
    fm_ping_end(answer);
}

static inline void fm_ping_refuse(const fm_ping_frame *frame, uint16_t id, uint8_t own, const char *why,
                                  fm_ping_message *answer)
{
    fm_ping_begin(answer, FM_PING_NACK, own, frame->from);
    fm_ping_add(answer, 2, id);
    fm_ping_add_bytes(answer, why, strlen(why));
    fm_ping_end(answer);
}

/* device_information, or protocol_version; 0: another id, nothing is added. */
static inline int fm_ping_add_identity(uint16_t id, const uint8_t information[6], fm_ping_message *message)
{
    static const uint8_t version[4] = {1, 0, 0, 0};
    if (id == FM_PING_DEVICE_INFORMATION)
        fm_ping_add_bytes(message, information, 6);
    else if (id == FM_PING_PROTOCOL_VERSION)
        fm_ping_add_bytes(message, version, sizeof version);
    else
        return 0;
    return 1;
}

#endif
