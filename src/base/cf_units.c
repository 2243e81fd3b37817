#include "base/cf_units.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *ours, *theirs;
} names[] = {
    {"deg", "degree"}, {"rev", "revolution"}, {"kn", "knot"},  {"nmi", "nautical_mile"}, {"lb", "lbf"},
    {"lbm", "lb"},     {"gn", "gravity"},     {"Wh", "(W*h)"}, {"kWh", "(kW*h)"},        {"Ah", "(A*h)"},
    {"mAh", "(mA*h)"}, {"dB", "1"},           {"psu", "1"},
};

const char *fm_unit_cf(const char *unit, char *buffer, size_t size)
{
    size_t used = 0;
    if (size)
        buffer[0] = 0;
    for (const char *at = unit[0] ? unit : "1"; *at && used + 1 < size;) {
        size_t length = 0;
        while (isalpha((unsigned char)at[length]))
            length++;
        const char *name = at;
        int width = length ? (int)length : 1;
        at += width;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strlen(names[i].ours) == length && memcmp(names[i].ours, name, length) == 0) {
                name = names[i].theirs;
                width = (int)strlen(name);
                break;
            }
        used += (size_t)snprintf(buffer + used, size - used, "%.*s", width, name);
    }
    return buffer;
}
