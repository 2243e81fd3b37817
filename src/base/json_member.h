/* Numbers and texts of JSON that Fathom has written itself: members are found by their keys. */
#ifndef FM_BASE_JSON_MEMBER_H
#define FM_BASE_JSON_MEMBER_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* The value of the first member of that name before `end`; NULL: none. */
static inline const char *fm_json_member_find(const char *from, const char *end, const char *key)
{
    char quoted[40];
    int length = snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(from, quoted);
    if (!found || found + length >= end)
        return NULL;
    found += length;
    while (*found == ' ')
        found++;
    return found;
}

/* NaN: no such member, or null. */
static inline double fm_json_member_number(const char *from, const char *end, const char *key)
{
    const char *at = fm_json_member_find(from, end, key);
    double number;
    return at && fm_text_number_read(&at, &number) ? number : NAN;
}

/* The end of the object that begins at `from`, after its brace; NULL: it has none. Braces in texts are part of them. */
static inline const char *fm_json_object_end(const char *from)
{
    int depth = 0, quoted = 0;
    for (; *from; from++) {
        if (quoted && *from == '\\' && from[1])
            from++;
        else if (*from == '"')
            quoted = !quoted;
        else if (!quoted && *from == '{')
            depth++;
        else if (!quoted && *from == '}' && --depth == 0)
            return from + 1;
    }
    return NULL;
}

#endif
