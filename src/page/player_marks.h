/* Events and pings of a recording, as the timeline of a viewer shows them. */
#ifndef FM_PAGE_PLAYER_MARKS_H
#define FM_PAGE_PLAYER_MARKS_H

#include <jansson.h>

#include "telemetry/mcap_reader.h"

/* Appends them to the list: time (s), vehicle, kind, text, second. */
void fm_player_list_marks(fm_mcap_reader *reader, int second, json_t *list);

#endif
