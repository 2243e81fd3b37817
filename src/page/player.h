/* A recording as a show: an MCAP log that can be played, paused and sought; or two of them at once, to compare them.
 * Only the part being played is read. */
#ifndef FM_PAGE_PLAYER_H
#define FM_PAGE_PLAYER_H

#include "page/show.h"
#include "telemetry/overlay.h"

typedef struct fm_player fm_player;

enum { FM_PLAYER_MOST = 2 };
#define FM_PLAYER_SECOND "/compare" /* prefix for topics of the second recording */

/* One path or two. `speed`: times real time; `paused`: starts paused; `overlays`: telemetry of real vehicles over the
 * first recording; takes ownership, also on failure; NULL: none. */
fm_player *fm_player_open(const char *const *paths, size_t count, double speed, int paused, fm_overlay *overlays,
                          fm_error *error);
fm_show *fm_player_show(fm_player *player);
/* Whether a piece of a recording could not be read (damaged, or the file became shorter), and which one was the
 * first. */
int fm_player_fault(fm_player *player, fm_error *fault);

/* Recordings that viewers may compare with the first one. Called on the thread that serves. */
typedef struct fm_player_shelf {
    json_t *(*list)(void *user);                                         /* a new list of {"name", "bytes"} */
    fm_status (*compare)(void *user, const char *name, fm_error *error); /* "": none; may be deferred */
    void *user;
} fm_player_shelf;
void fm_player_offer(fm_player *player, const fm_player_shelf *shelf);
/* Moves to the position of another player and copies its speed and pause. */
void fm_player_follow(fm_player *player, fm_player *before);

void fm_player_close(fm_player *player);

#endif
