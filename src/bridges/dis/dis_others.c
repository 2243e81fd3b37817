#include "bridges/dis/dis_others.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEACTIVATED (1u << 23) /* of the appearance */

static int same_id(fm_dis_id a, fm_dis_id b)
{
    return a.site == b.site && a.application == b.application && a.entity == b.entity;
}

static fm_dis_other *find_id(fm_dis_others *others, fm_dis_id id)
{
    for (size_t i = 0; i < FM_DIS_OTHERS_MOST; i++)
        if (others->list[i].used && same_id(others->list[i].id, id))
            return &others->list[i];
    return NULL;
}

const fm_dis_other *fm_dis_others_find(const fm_dis_others *others, const char *vehicle)
{
    for (size_t i = 0; i < FM_DIS_OTHERS_MOST; i++)
        if (others->list[i].used && strcmp(others->list[i].name, vehicle) == 0)
            return &others->list[i];
    return NULL;
}

/* From its marking, converted to a name, with its id as a suffix, which is unique. */
static void name_other(fm_dis_other *other, const fm_dis_entity *entity)
{
    char marking[12] = "";
    size_t length = 0;
    for (size_t i = 0; i < sizeof entity->marking && entity->marking[i]; i++)
        if (isalnum((unsigned char)entity->marking[i]) || entity->marking[i] == '-')
            marking[length++] = (char)tolower((unsigned char)entity->marking[i]);
    marking[length] = 0;
    if (!isalpha((unsigned char)marking[0]))
        memcpy(marking, "dis", sizeof "dis");
    snprintf(other->name, sizeof other->name, "%s-%u-%u-%u", marking, entity->id.site, entity->id.application,
             entity->id.entity);
}

static fm_dis_other *add_other(fm_dis_others *others, const fm_dis_entity *entity)
{
    for (size_t i = 0; i < FM_DIS_OTHERS_MOST; i++)
        if (!others->list[i].used) {
            others->list[i] = (fm_dis_other){.used = 1, .id = entity->id};
            name_other(&others->list[i], entity);
            return &others->list[i];
        }
    return NULL;
}

fm_dis_taken fm_dis_others_hear(fm_dis_others *others, const fm_dis_entity *entity, const fm_geodetic *origin,
                                double time)
{
    fm_reckon_track track;
    fm_dis_other *other = find_id(others, entity->id);
    if (!others->like)
        return FM_DIS_NO_TYPE;
    if (entity->appearance & DEACTIVATED) {
        if (other)
            other->time = -HUGE_VAL; /* silent for ever */
        return FM_DIS_LEFT;
    }
    fm_dis_entity_get_track(entity, origin, &track);
    if (!(fm_norm(track.position) < FM_DIS_FAR))
        return FM_DIS_BEYOND;
    if (!other)
        other = add_other(others, entity);
    if (!other)
        return FM_DIS_CROWDED;
    other->track = track;
    other->algorithm = entity->reckoning ? entity->reckoning : FM_RECKON_STATIC;
    other->time = time;
    other->fresh = 1;
    return FM_DIS_TAKEN;
}

static void euler_of(const double attitude[4], double euler[3])
{
    double R[9];
    fm_quat_matrix(attitude, R);
    fm_euler_from_matrix(R, euler);
}

/* Extrapolates an earlier track to the present. */
static fm_sighting sight_now(const fm_dis_other *other, double time)
{
    fm_reckoned now;
    double since = time - other->time, R[9];
    fm_sighting seen = {.algorithm = other->algorithm};
    fm_track_reckon(&other->track, other->algorithm, since, &now);
    memcpy(seen.position, now.position, sizeof seen.position);
    euler_of(now.attitude, seen.euler);
    memcpy(seen.velocity, now.velocity, sizeof seen.velocity);
    if (!fm_reckon_in_body(other->algorithm)) {
        fm_quat_matrix(now.attitude, R);
        fm_vector_to_world(R, now.velocity, seen.velocity);
    }
    memcpy(seen.acceleration, other->track.acceleration, sizeof seen.acceleration);
    memcpy(seen.rates, other->track.rates, sizeof seen.rates);
    return seen;
}

/* Applies new data to the world: first the vehicle, in the next step its motion. */
static void give(fm_dis_others *others, fm_dis_other *other, fm_world *world, double time)
{
    fm_sighting seen = sight_now(other, time);
    if (fm_world_find(world, other->name) < 0) {
        if (fm_world_spawn(world, other->name, others->like, seen.position, seen.euler, NULL) != FM_OK) {
            other->fresh = 0; /* tried again with the next word */
            others->refused++;
        }
        return;
    }
    others->refused += fm_world_sight(world, other->name, &seen, NULL) != FM_OK;
    other->fresh = 0;
}

size_t fm_dis_others_steer(fm_dis_others *others, fm_world *world)
{
    double time = fm_world_time(world);
    size_t gone = 0;
    others->refused = 0;
    if (time < others->last) /* a reset: all vehicles are gone, and entities that still send return */
        for (size_t i = 0; i < FM_DIS_OTHERS_MOST; i++)
            others->list[i].fresh = 1, others->list[i].time = time;
    others->last = time;
    for (size_t i = 0; i < FM_DIS_OTHERS_MOST; i++) {
        fm_dis_other *other = &others->list[i];
        if (!other->used)
            continue;
        if (time - other->time > others->timeout) {
            if (fm_world_find(world, other->name) >= 0)
                fm_world_remove(world, other->name, NULL);
            other->used = 0;
            gone++;
        } else if (other->fresh) {
            give(others, other, world, time);
        }
    }
    return gone;
}
