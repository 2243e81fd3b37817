#include "base/named_values.h"

#include <string.h>

/* Copies up to one of the characters of `end`. */
static bool take(const char **text, const char *end, char to[FM_NAMED_VALUE_SIZE])
{
    size_t length = strcspn(*text, end);
    if (length == 0 || length >= FM_NAMED_VALUE_SIZE)
        return false;
    memcpy(to, *text, length);
    to[length] = 0;
    *text += length;
    return true;
}

int fm_named_value_next(const char **text, fm_named_value *pair)
{
    *text += strspn(*text, " \t\r\n");
    if (**text == 0)
        return 0;
    if (!take(text, "= \t\r\n", pair->name) || *(*text)++ != '=' || !take(text, " \t\r\n", pair->value))
        return -1;
    return 1;
}

const char *fm_named_value_find(const char *list, const char *name, fm_named_value *pair)
{
    while (list && fm_named_value_next(&list, pair) > 0)
        if (strcmp(pair->name, name) == 0)
            return pair->value;
    return NULL;
}
