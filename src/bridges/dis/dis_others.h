/* Entities of other simulators in the world: vehicles of kind foreign that come with the first word, go by dead
 * reckoning, and leave when they say so or are silent for too long. The stepping thread alone. */
#ifndef FM_BRIDGES_DIS_DIS_OTHERS_H
#define FM_BRIDGES_DIS_DIS_OTHERS_H

#include <fathom/run.h>

#include "bridges/dis/dis_frame.h"

enum { FM_DIS_OTHERS_MOST = 512 };
#define FM_DIS_FAR 1e6 /* m from the origin: what is beyond is no part of this sea */

typedef struct fm_dis_other {
    int used;
    fm_dis_id id;
    char name[32]; /* of its vehicle */
    fm_reckon_track track;
    int algorithm;
    double time; /* s: when that held, and when it was last heard */
    int fresh;   /* the world does not know it yet */
} fm_dis_other;

/* What became of a word. */
typedef enum fm_dis_taken {
    FM_DIS_TAKEN,
    FM_DIS_LEFT,    /* it said that it leaves */
    FM_DIS_NO_TYPE, /* the scenario has no <type> of kind foreign */
    FM_DIS_BEYOND,  /* farther than FM_DIS_FAR */
    FM_DIS_CROWDED  /* no room in the list */
} fm_dis_taken;

typedef struct fm_dis_others {
    const char *like; /* type that they are spawned of; NULL: none */
    double timeout;   /* s */
    double last;      /* s: time of the last look */
    size_t refused;   /* by the world, since the last look */
    fm_dis_other list[FM_DIS_OTHERS_MOST];
} fm_dis_others;

fm_dis_taken fm_dis_others_hear(fm_dis_others *others, const fm_dis_entity *entity, const fm_geodetic *origin,
                                double time);
/* Just before a step: gives the world what is new, and takes away who was silent for too long. Returns how many were.
 */
size_t fm_dis_others_steer(fm_dis_others *others, fm_world *world);
/* Entity of a vehicle; NULL: it is none of them. */
const fm_dis_other *fm_dis_others_find(const fm_dis_others *others, const char *vehicle);

#endif
