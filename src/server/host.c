/* A place and its doors. */
#include "server/host.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/priority.h"
#include "base/text.h"

#define DOORS(host, callback, ...)                                                                                     \
    for (size_t door_ = 0; door_ < (host)->door_count; door_++)                                                        \
        if ((host)->doors[door_].callback)                                                                             \
    (host)->doors[door_].callback(__VA_ARGS__)
#define USER(host) (host)->doors[door_].user

void fm_host_init(fm_host *host, const fm_model *model)
{
    host->model = model;
    fm_lock_create(&host->lock);
    snprintf(host->counters[0].name, sizeof host->counters[0].name, "others");
    host->counter_count = 1;
}

void fm_host_destroy(fm_host *host)
{
    DOORS(host, release, USER(host));
    pthread_mutex_destroy(&host->lock);
}

fm_status fm_host_add(fm_host *host, const fm_door *door, fm_error *error)
{
    if (host->door_count < FM_HOST_DOORS) {
        host->doors[host->door_count++] = *door;
        return FM_OK;
    }
    if (door->release)
        door->release(door->user);
    return fm_fail(error, FM_ERR_FULL, "too many doors: must be at most %d", FM_HOST_DOORS);
}

uv_loop_t *fm_host_loop(fm_host *host)
{
    return host->loop;
}

const fm_model *fm_host_model(const fm_host *host)
{
    return host->model;
}

fm_run *fm_host_run(const fm_host *host)
{
    return host->run;
}

fm_server *fm_host_server(const fm_host *host)
{
    return host->server;
}

void fm_host_tell(fm_host *host, const char *format, ...)
{
    char text[1280];
    va_list arguments;
    if (!host->tell)
        return;
    va_start(arguments, format);
    fm_text_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    host->tell(host->tell_user, text);
}

void fm_host_execute(fm_host *host, const fm_command *command, const char *holder, fm_command_done *done, void *user)
{
    host->execute(host->execute_user, command, holder, done, user);
}

/* --- counters --- */

fm_counter *fm_host_count(fm_host *host, const char *name)
{
    size_t i = 0;
    pthread_mutex_lock(&host->lock);
    while (i < host->counter_count && strcmp(host->counters[i].name, name) != 0)
        i++;
    if (i == host->counter_count && i < FM_HOST_COUNTERS)
        snprintf(host->counters[host->counter_count++].name, sizeof host->counters[0].name, "%s", name);
    pthread_mutex_unlock(&host->lock);
    return &host->counters[i < FM_HOST_COUNTERS ? i : 0].value;
}

/* "others" is listed only if it has counted something. */
size_t fm_host_counters(fm_host *host, fm_wire_counter *counters, size_t room)
{
    size_t count = 0;
    pthread_mutex_lock(&host->lock);
    for (size_t i = atomic_load(&host->counters[0].value) == 0; i < host->counter_count; i++, count++)
        if (count < room) {
            counters[count] = (fm_wire_counter){.value = (double)atomic_load(&host->counters[i].value)};
            snprintf(counters[count].name, sizeof counters[count].name, "%s", host->counters[i].name);
        }
    pthread_mutex_unlock(&host->lock);
    return count;
}

/* --- the loop's thread --- */

fm_status fm_host_open(fm_host *host, fm_error *error)
{
    for (fm_status status; host->opened < host->door_count;) {
        const fm_door *door = &host->doors[host->opened++];
        if (door->open && (status = door->open(door->user, host, error)) != FM_OK)
            return status;
    }
    return FM_OK;
}

void fm_host_turn(fm_host *host)
{
    DOORS(host, turn, USER(host));
}

void fm_host_close(fm_host *host)
{
    for (size_t i = 0; i < host->opened; i++)
        if (host->doors[i].close)
            host->doors[i].close(host->doors[i].user);
    host->opened = 0;
}

/* --- the stepping thread --- */

void fm_host_begin(fm_host *host, fm_run *run)
{
    DOORS(host, begin, USER(host), run);
}

void fm_host_steer(fm_host *host, fm_run *run)
{
    DOORS(host, steer, USER(host), run);
}

void fm_host_step(fm_host *host, fm_run *run)
{
    DOORS(host, step, USER(host), run);
}

void fm_host_event(fm_host *host, fm_run *run, const fm_event *event)
{
    DOORS(host, event, USER(host), run, event);
}

void fm_host_end(fm_host *host, fm_run *run)
{
    DOORS(host, end, USER(host), run);
}
