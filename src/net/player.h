/* A recording as a show: an MCAP log, played, paused and sought. The file is read where it is played, not as a whole.
 */
#ifndef FM_NET_PLAYER_H
#define FM_NET_PLAYER_H

#include "net/show.h"

typedef struct fm_player fm_player;

/* `speed`: times real time; `paused`: waits for someone to play. */
fm_player *fm_player_open(const char *path, double speed, int paused, fm_error *error);
fm_show *fm_player_show(fm_player *player);
void fm_player_close(fm_player *player);

#endif
