#include "page/json_text.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"

json_t *fm_json_text(const char *text)
{
    json_t *plain = json_string(text ? text : "");
    if (plain)
        return plain;
    size_t size = strlen(text) + 1;
    char *clean = fm_alloc(size);
    if (!clean)
        return NULL;
    memcpy(clean, text, size);
    fm_text_clean(clean);
    plain = json_string(clean);
    fm_free(clean);
    return plain;
}
