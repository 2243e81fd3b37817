#include "bridges/mavlink/mavlink_station.h"

void fm_mav_station_init(fm_mav_station *s, const fm_address *configured)
{
    *s = (fm_mav_station){.configured = *configured, .group = fm_address_is_group(configured)};
}

static int is_guest(const fm_mav_station *s, const fm_address *from)
{
    return s->has_guest && fm_address_equal(&s->guest, from);
}

static void forget_guest(fm_mav_station *s, uint64_t now)
{
    if (s->has_guest && now - s->heard >= FM_MAV_STATION_SILENCE)
        s->has_guest = 0;
}

int fm_mav_station_hear(fm_mav_station *s, const fm_address *from, size_t size, uint64_t now, uint64_t random)
{
    forget_guest(s, now);
    if (fm_address_equal(&s->configured, from)) {
        s->answered = now + 1;
        s->has_guest = 0;
        return 1;
    }
    int present = s->answered && now + 1 - s->answered < FM_MAV_STATION_SILENCE;
    if (!is_guest(s, from)) {
        if (s->has_guest || present)
            return 0;
        s->guest = *from;
        s->has_guest = 1;
        s->verified = fm_address_is_loopback(from);
        s->challenge = random;
        s->budget = 0;
    }
    s->heard = now;
    s->budget += FM_MAV_STATION_FACTOR * size;
    return 1;
}

void fm_mav_station_verify(fm_mav_station *s, const fm_address *from, uint64_t challenge)
{
    if (is_guest(s, from) && challenge == s->challenge)
        s->verified = 1;
}

int fm_mav_station_is_trusted(const fm_mav_station *s, const fm_address *from)
{
    return fm_address_equal(&s->configured, from) || (is_guest(s, from) && s->verified);
}

size_t fm_mav_station_list(fm_mav_station *s, uint64_t now, fm_address to[2])
{
    size_t count = 0;
    forget_guest(s, now);
    if (!s->group || !s->has_guest)
        to[count++] = s->configured;
    if (s->has_guest)
        to[count++] = s->guest;
    return count;
}

int fm_mav_station_may_send(fm_mav_station *s, const fm_address *to, size_t size)
{
    if (!is_guest(s, to) || s->verified)
        return 1;
    if (size > s->budget)
        return 0;
    s->budget -= size;
    return 1;
}
