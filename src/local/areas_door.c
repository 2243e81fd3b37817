/* The shared-memory areas as a door of a server. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "local/areas.h"
#include "local/local_doors.h"
#include "server/server.h"

enum { STATE_EVERY = 50 }; /* ms */

typedef struct areas_door {
    fm_server *server;
    fm_areas *areas;
    char instance[FM_SHARED_PATH_SIZE];
    uv_timer_t timer;
    fm_client_info *clients;
    fm_areas_link *links;
    size_t room;
} areas_door;

/* --- the stepping thread --- */

static void begin_door(void *user, fm_run *run)
{
    areas_door *door = user;
    fm_areas_publish(door->areas, run); /* also where it begins stopped */
}

static void steer_door(void *user, fm_run *run)
{
    areas_door *door = user;
    fm_areas_steer(door->areas, fm_run_world(run));
}

static void step_door(void *user, fm_run *run)
{
    areas_door *door = user;
    fm_areas_publish(door->areas, run);
}

/* --- the loop's thread --- */

static uint64_t state_of(int state)
{
    return state == FM_WIRE_RUNNING ? FM_SHARED_RUNNING : state == FM_WIRE_OVER ? FM_SHARED_ENDED : FM_SHARED_STOPPED;
}

static void fill_link(const fm_client_info *c, fm_areas_link *link)
{
    fm_shared_connection *k = &link->connection;
    memset((void *)link, 0, sizeof *link);
    k->id = c->id;
    k->type = c->role == FM_WIRE_EMULATOR ? FM_SHARED_WRITER : (uint64_t)c->role;
    k->connected = (uint64_t)(c->connected != 0);
    k->vehicle = c->slot;
    memcpy(k->name, c->name, sizeof k->name);
    k->reply = c->reply;
    k->silence = c->silence;
    k->pings = c->pings;
    k->pongs = c->pongs;
    k->received = c->received;
    k->sent = c->sent;
    k->dropped = c->dropped;
    memcpy(link->address, c->address, sizeof link->address);
    memcpy(link->model, c->model, sizeof link->model);
    link->port = c->port;
}

static void tell_state(uv_timer_t *timer)
{
    areas_door *door = timer->data;
    fm_server_state s = fm_server_get_state(door->server);
    fm_areas_set_state(door->areas, &(fm_areas_state){state_of(s.state), s.speed, s.clients, s.counts.late});
    size_t count = fm_server_clients(door->server, door->clients, door->room);
    count = count < door->room ? count : door->room;
    for (size_t i = 0; i < count; i++)
        fill_link(&door->clients[i], &door->links[i]);
    fm_areas_set_links(door->areas, door->links, count);
}

static fm_status open_door(void *user, fm_host *host, fm_error *error)
{
    areas_door *door = user;
    door->server = fm_host_server(host);
    fm_areas_options options = {.instance = door->instance, .connections = door->room};
    fm_status status = fm_areas_create(fm_host_model(host), &options, &door->areas, error);
    if (status != FM_OK)
        return status;
    uv_timer_init(fm_host_loop(host), &door->timer);
    door->timer.data = door;
    uv_timer_start(&door->timer, tell_state, 0, STATE_EVERY);
    return FM_OK;
}

static void close_door(void *user)
{
    areas_door *door = user;
    if (door->areas)
        uv_close((uv_handle_t *)&door->timer, NULL);
}

static void release_door(void *user)
{
    areas_door *door = user;
    fm_areas_free(door->areas);
    fm_free(door->clients);
    fm_free(door->links);
    fm_free(door);
}

fm_status fm_server_share(fm_server *server, const char *instance, fm_error *error)
{
    areas_door *door = fm_alloc(sizeof *door);
    if (!door || !instance || strlen(instance) >= sizeof door->instance) {
        fm_free(door);
        return fm_fail(error, FM_ERR_ARGUMENT, "the name of the shared memory is invalid: must be up to 40 characters");
    }
    strcpy(door->instance, instance);
    door->room = 2048;
    door->clients = fm_alloc(door->room * sizeof *door->clients);
    door->links = fm_alloc(door->room * sizeof *door->links);
    if (!door->clients || !door->links) {
        release_door(door);
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for shared-memory areas");
    }
    fm_door table = {.name = "shared memory",
                     .open = open_door,
                     .close = close_door,
                     .release = release_door,
                     .begin = begin_door,
                     .steer = steer_door,
                     .step = step_door,
                     .user = door};
    return fm_server_add_door(server, &table, error);
}
