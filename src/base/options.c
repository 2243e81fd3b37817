#include "base/options.h"

#include <string.h>

fm_status fm_options_read(void *copy, size_t room, const void *given, size_t first, const char *name, fm_error *error)
{
    size_t size = first;
    memset(copy, 0, room);
    if (!given)
        return FM_OK;
    memcpy(&size, given, sizeof size);
    if (size == 0)
        size = first;
    if (size < sizeof size || size > 65536)
        return fm_fail(error, FM_ERR_ARGUMENT,
                       "%s: size is %zu: must be sizeof(%s), or 0 for the members of version 0.1", name, size, name);
    for (size_t i = room; i < size; i++)
        if (((const unsigned char *)given)[i])
            return fm_fail(error, FM_ERR_ARGUMENT,
                           "%s: a member that this version of libfathom does not know is set (size %zu, known %zu)",
                           name, size, room);
    memcpy(copy, given, size < room ? size : room);
    memcpy(copy, &room, sizeof room);
    return FM_OK;
}
