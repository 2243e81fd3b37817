/* Entities of other simulators in the world: vehicles of kind foreign that appear with their first PDU, move by dead
 * reckoning, and are removed when they say so or time out. Stepping thread only. */
#ifndef FM_BRIDGES_DIS_DIS_OTHERS_H
#define FM_BRIDGES_DIS_DIS_OTHERS_H

#include <fathom/run.h>

#include "bridges/dis/dis_frame.h"

enum { FM_DIS_OTHERS_MOST = 512 };
#define FM_DIS_FAR 1e6 /* m from the origin: entities beyond it are ignored */

typedef struct fm_dis_other {
    int used;
    fm_dis_id id;
    char name[32]; /* of its vehicle */
    fm_reckon_track track;
    int algorithm;
    double time; /* s: time of that state, and of the last PDU */
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
    const char *like; /* type that they are spawned as; NULL: none */
    double timeout;   /* s */
    double last;      /* s: time of the last look */
    size_t refused;   /* by the world, since the last look */
    fm_dis_other list[FM_DIS_OTHERS_MOST];
} fm_dis_others;

fm_dis_taken fm_dis_others_hear(fm_dis_others *others, const fm_dis_entity *entity, const fm_geodetic *origin,
                                double time);
/* Just before a step: applies new data to the world, and removes entities that have timed out. Returns their number. */
size_t fm_dis_others_steer(fm_dis_others *others, fm_world *world);
/* Entity of a vehicle; NULL: not a foreign entity. */
const fm_dis_other *fm_dis_others_find(const fm_dis_others *others, const char *vehicle);

#endif
