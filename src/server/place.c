/* A place and its doors. */
#include "server/place.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define DOORS(place, callback, ...)                                                                                    \
    for (size_t door_ = 0; door_ < (place)->door_count; door_++)                                                       \
        if ((place)->doors[door_].callback)                                                                            \
    (place)->doors[door_].callback(__VA_ARGS__)
#define USER(place) (place)->doors[door_].user

void fm_place_init(fm_place *place, const fm_model *model)
{
    place->model = model;
    pthread_mutex_init(&place->lock, NULL);
    snprintf(place->counters[0].name, sizeof place->counters[0].name, "others");
    place->counter_count = 1;
}

void fm_place_destroy(fm_place *place)
{
    DOORS(place, release, USER(place));
    pthread_mutex_destroy(&place->lock);
}

fm_status fm_place_add(fm_place *place, const fm_door *door, fm_error *error)
{
    if (place->door_count < FM_PLACE_DOORS) {
        place->doors[place->door_count++] = *door;
        return FM_OK;
    }
    if (door->release)
        door->release(door->user);
    return fm_fail(error, FM_ERR_FULL, "there is room for %d doors", FM_PLACE_DOORS);
}

uv_loop_t *fm_place_loop(fm_place *place)
{
    return place->loop;
}

const fm_model *fm_place_model(const fm_place *place)
{
    return place->model;
}

fm_run *fm_place_run(const fm_place *place)
{
    return place->run;
}

fm_server *fm_place_server(const fm_place *place)
{
    return place->server;
}

void fm_place_tell(fm_place *place, const char *format, ...)
{
    char text[256];
    va_list arguments;
    if (!place->tell)
        return;
    va_start(arguments, format);
    fm_text_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    place->tell(place->tell_user, text);
}

void fm_place_execute(fm_place *place, const fm_command *command, const char *holder, fm_command_done *done, void *user)
{
    place->execute(place->execute_user, command, holder, done, user);
}

/* --- counters --- */

fm_counter *fm_place_count(fm_place *place, const char *name)
{
    size_t i = 0;
    pthread_mutex_lock(&place->lock);
    while (i < place->counter_count && strcmp(place->counters[i].name, name) != 0)
        i++;
    if (i == place->counter_count && i < FM_PLACE_COUNTERS)
        snprintf(place->counters[place->counter_count++].name, sizeof place->counters[0].name, "%s", name);
    pthread_mutex_unlock(&place->lock);
    return &place->counters[i < FM_PLACE_COUNTERS ? i : 0].value;
}

/* "others" is listed only if it has counted something. */
size_t fm_place_counters(fm_place *place, fm_wire_counter *counters, size_t room)
{
    size_t count = 0;
    pthread_mutex_lock(&place->lock);
    for (size_t i = atomic_load(&place->counters[0].value) == 0; i < place->counter_count; i++, count++)
        if (count < room) {
            counters[count] = (fm_wire_counter){.value = (double)atomic_load(&place->counters[i].value)};
            snprintf(counters[count].name, sizeof counters[count].name, "%s", place->counters[i].name);
        }
    pthread_mutex_unlock(&place->lock);
    return count;
}

/* --- the loop's thread --- */

fm_status fm_place_open(fm_place *place, fm_error *error)
{
    for (fm_status status; place->opened < place->door_count;) {
        const fm_door *door = &place->doors[place->opened++];
        if (door->open && (status = door->open(door->user, place, error)) != FM_OK)
            return status;
    }
    return FM_OK;
}

void fm_place_turn(fm_place *place)
{
    DOORS(place, turn, USER(place));
}

void fm_place_close(fm_place *place)
{
    for (size_t i = 0; i < place->opened; i++)
        if (place->doors[i].close)
            place->doors[i].close(place->doors[i].user);
    place->opened = 0;
}

/* --- the stepping thread --- */

void fm_place_begin(fm_place *place, fm_run *run)
{
    DOORS(place, begin, USER(place), run);
}

void fm_place_steer(fm_place *place, fm_run *run)
{
    DOORS(place, steer, USER(place), run);
}

void fm_place_step(fm_place *place, fm_run *run)
{
    DOORS(place, step, USER(place), run);
}

void fm_place_event(fm_place *place, fm_run *run, const fm_event *event)
{
    DOORS(place, event, USER(place), run, event);
}

void fm_place_end(fm_place *place, fm_run *run)
{
    DOORS(place, end, USER(place), run);
}
