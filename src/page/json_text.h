/* Texts of unknown origin as JSON. */
#ifndef FM_PAGE_JSON_TEXT_H
#define FM_PAGE_JSON_TEXT_H

#include <jansson.h>

/* A JSON string, also for bytes that are not UTF-8, which jansson refuses: they become '?'. "" for NULL; NULL: out of
 * memory. A new reference. */
json_t *fm_json_text(const char *text);

#endif
