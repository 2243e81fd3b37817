/* State of a run shown to viewers, and the list of connected clients. */
#include <math.h>

#include "base/memory.h"
#include "page/json_text.h"
#include "page/live_show.h"
#include "run/run.h"
#include "server/server.h"

fm_server *fm_live_show_server(const fm_live_show *live)
{
    return live->host ? fm_host_server(live->host) : NULL;
}

int fm_live_show_paused(fm_live_show *live)
{
    fm_server *server = fm_live_show_server(live);
    int state = server ? fm_server_get_state(server).state : FM_WIRE_RUNNING;
    return server ? state == FM_WIRE_STOPPED || state == FM_WIRE_WAITING : atomic_load(&live->paused);
}

static double measure_factor(fm_live_show *live, double clock)
{
    double time = 1e-9 * (double)fm_hub_time(live->show.hub), passed = clock - live->last_clock;
    if (passed < 0.5)
        return live->factor;
    double factor = live->last_clock > 0 ? (time - live->last_time) / passed : 0;
    live->last_clock = clock;
    live->last_time = time;
    return live->factor = factor > 0 ? factor : 0; /* below 0 just after a reset */
}

/* s that a step must have waited for a participant until viewers are notified */
#define PATIENCE 0.5

static const char *name_state(fm_live_show *live, double clock)
{
    if (atomic_load(&live->over))
        return "over";
    if (fm_live_show_paused(live))
        return atomic_load(&live->ended) ? "ended" : "paused";
    return clock - fm_run_waits_since(live->run) > PATIENCE ? "waiting" : "running";
}

static void tell_run(fm_live_show *live, double clock)
{
    fm_run_counts counts = fm_run_get_counts(live->run);
    double factor = measure_factor(live, clock);
    const double dt = fm_model_dt(fm_world_model(fm_run_world(live->run)));
    fm_server *server = fm_live_show_server(live);
    double speed = server ? fm_server_get_state(server).speed : live->pace.speed;
    pthread_mutex_lock(&live->show.lock); /* of the failure and the last message */
    json_t *state = json_pack(
        "{s:s,s:f,s:f,s:f,s:o,s:I,s:I,s:f,s:I,s:I,s:o}", "state", name_state(live, clock), "speed", speed, "factor",
        isfinite(factor) ? factor : 0, "time", dt * (double)atomic_load(&live->tick), "told", fm_json_text(live->told),
        "steps", (json_int_t)counts.steps, "late", (json_int_t)counts.late, "latest", counts.latest, "inputs",
        (json_int_t)counts.inputs, "refused", (json_int_t)counts.refused, "failure", fm_json_text(live->failure));
    pthread_mutex_unlock(&live->show.lock);
    fm_live_show_publish(live, live->run_channel, state);
}

/* --- clients of a server --- */

enum { CLIENTS_EVERY = 1 /* s */, CLIENTS_MOST = 4096 };

static json_t *describe_client(const fm_client_info *c)
{
    json_t *about = json_pack("{s:i,s:o,s:s,s:o,s:o,s:o,s:i,s:b,s:b}", "id", c->id, "name", fm_json_text(c->name),
                              "role", fm_role_name(c->role), "vehicle", fm_json_text(c->vehicle), "model",
                              fm_json_text(c->model), "address", fm_json_text(c->address), "port", c->port, "connected",
                              c->connected, "lockstep", c->lockstep);
    if (about && isfinite(c->reply))
        json_object_set_new(about, "reply", json_real(1e-4 * floor(c->reply * 1e4)));
    return about;
}

static json_t *list_clients(fm_server *server)
{
    size_t room = fm_server_get_state(server).clients + 64;
    fm_client_info *clients = fm_alloc(room * sizeof *clients);
    size_t count = clients ? fm_server_clients(server, clients, room) : 0;
    json_t *list = json_array();
    for (size_t i = 0; i < count && i < room && i < CLIENTS_MOST; i++)
        json_array_append_new(list, describe_client(&clients[i]));
    fm_free(clients);
    return list;
}

/* When something is new. */
static void tell_clients(fm_live_show *live, double clock)
{
    fm_server *server = fm_live_show_server(live);
    if (!server || clock - live->clients_told < CLIENTS_EVERY)
        return;
    live->clients_told = clock;
    json_t *list = list_clients(server);
    if (live->clients && json_equal(live->clients, list)) {
        json_decref(list);
        return;
    }
    json_decref(live->clients);
    live->clients = json_incref(list);
    fm_live_show_publish(live, live->clients_channel, json_pack("{s:o}", "clients", list));
}

void fm_live_show_tell(fm_live_show *live, double clock)
{
    tell_run(live, clock);
    tell_clients(live, clock);
}
