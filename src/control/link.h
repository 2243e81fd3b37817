/* The chain of a vehicle of a batch: its parts in file order, one link for each part that runs before the body moves.
 * Worlds go through fm_type.parts the same way (world/parts.c). */
#ifndef FM_CONTROL_LINK_H
#define FM_CONTROL_LINK_H

#include "control/due.h"
#include "physics/flat.h"

/* What a part runs as: its fm_lane_part.link. Uniform across a batch. */
enum fm_link_id {
    FM_LINK_NONE,
    FM_LINK_LAW, /* control/law.h */
    FM_LINK_NAVIGATION,
    FM_LINK_MISSION,
    FM_LINK_WAYPOINTS,
    FM_LINK_STATION,
    FM_LINK_AUTOPILOT,
    FM_LINK_AVOID,
    FM_LINK_BOTTOM_FOLLOWING,
    FM_LINK_REFLEX,
    FM_LINK_HOVER_PD,
    FM_LINK_AVOIDANCE_RECORD
};

/* A record of FM_FLAT_LINKS: integers alone. */
typedef struct fm_link {
    int32_t id, period; /* FM_LINK_…; steps */
    int32_t at;         /* of a law: its record; of a guidance: its place among guidances; of what follows guidances:
                           how many are before it */
    int32_t believes;   /* 1: a <navigation> before it says where the vehicle is */
} fm_link;
static_assert(sizeof(fm_link) == 4 * sizeof(int32_t), "the shape of physics/flat.h");

FM_FN const fm_link *fm_flat_links(const fm_flat *flat)
{
    return (const fm_link *)(const void *)((const char *)flat + flat->at[FM_FLAT_LINKS]);
}

#endif
