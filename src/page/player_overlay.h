/* Archived telemetry of a real vehicle over a recording: published with each sample of the recorded vehicle, so that
 * both stay in step at every position. */
#ifndef FM_PAGE_PLAYER_OVERLAY_H
#define FM_PAGE_PLAYER_OVERLAY_H

#include "page/hub.h"
#include "telemetry/mcap_reader.h"
#include "telemetry/overlay.h"

typedef struct fm_player_overlay fm_player_overlay;

/* Takes ownership of the overlays, also on failure; an overlay without a vehicle applies to the first of the recording.
 * NULL and no error if there are none. */
fm_player_overlay *fm_player_overlay_open(fm_overlay *overlays, const fm_mcap_reader *recording, fm_hub *hub,
                                          fm_error *error);
void fm_player_overlay_close(fm_player_overlay *overlay); /* NULL is fine */
/* Called after a message of the recording was published, on the thread that plays. */
void fm_player_overlay_take(fm_player_overlay *overlay, const fm_mcap_message *message);

#endif
