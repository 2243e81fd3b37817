/* Counters and the list of clients; any thread. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "server/core.h"

typedef struct counter_list {
    fm_wire_counter *at;
    size_t count, room;
} counter_list;

static void add(counter_list *list, const char *name, double value)
{
    if (list->count < list->room) {
        fm_wire_counter *c = &list->at[list->count];
        *c = (fm_wire_counter){.value = value};
        snprintf(c->name, sizeof c->name, "%s", name);
    }
    list->count++;
}

/* In s. */
static void add_delays(counter_list *list, const char *what, const fm_run_delays *d)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"p50", d->p50}, {"p99", d->p99}, {"p99.9", d->p999}, {"worst", d->worst}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char name[48];
        snprintf(name, sizeof name, "%s/%s", what, numbers[i].name);
        add(list, name, numbers[i].value);
    }
}

static size_t count_clients(const fm_server *server)
{
    size_t count = 0;
    for (size_t i = 0; i < server->session_count; i++)
        count += server->sessions[i]->life == FM_SESSION_LIVE;
    return count;
}

size_t fm_counters_read(fm_server *server, fm_wire_counter *counters, size_t room)
{
    counter_list list = {.at = counters, .room = room};
    fm_run_counts counts = fm_run_get_counts(server->run);
    add(&list, "clients", (double)count_clients(server));
    add(&list, "time", (double)server->time * 1e-4);
    add(&list, "state", fm_server_how(server));
    add(&list, "speed", server->pace.speed);
    add(&list, "steps", (double)counts.steps);
    add(&list, "steps/late", (double)counts.late);
    add(&list, "steps/latest", counts.latest);
    add_delays(&list, "lateness", &counts.lateness);
    add_delays(&list, "response", &counts.response);
    add(&list, "steps/missed", (double)counts.missed);
    add(&list, "inputs", (double)counts.inputs);
    add(&list, "inputs/refused", (double)counts.refused);
    add(&list, "received", (double)server->taken);
    add(&list, "sent", (double)server->sent);
    add(&list, "log/dropped", (double)(server->log_past.dropped + server->log_now.dropped));
    add(&list, "log/lost", (double)(server->log_past.lost + server->log_now.lost));
    for (int i = 1; i < FM_WIRE_FAULTS; i++) {
        char name[48];
        snprintf(name, sizeof name, "drop/%s", fm_wire_fault_name((fm_wire_fault)i));
        add(&list, name, (double)server->drops[i]);
    }
    size_t free_room = list.count < room ? room - list.count : 0;
    return list.count + fm_host_counters(&server->host, free_room ? counters + list.count : NULL, free_room);
}

size_t fm_server_counters(fm_server *server, fm_wire_counter *counters, size_t room)
{
    fm_server_lock(server);
    size_t count = fm_counters_read(server, counters, room);
    fm_server_unlock(server);
    return count;
}

fm_server_state fm_server_get_state(fm_server *server)
{
    fm_server_lock(server);
    fm_server_state state = {.state = fm_server_how(server),
                             .time = server->time,
                             .speed = server->pace.speed,
                             .lockstep = server->pace.lockstep,
                             .counts = fm_run_get_counts(server->run),
                             .clients = count_clients(server)};
    fm_server_unlock(server);
    return state;
}

static void fill_client(const fm_server *server, const fm_session *s, fm_client_info *c)
{
    *c = (fm_client_info){.id = s->id,
                          .role = s->role,
                          .connected = s->life == FM_SESSION_LIVE,
                          .lockstep = s->participant > 0,
                          .slot = s->slot,
                          .reply = s->reply,
                          .silence = server->now - s->heard,
                          .pings = s->pings,
                          .pongs = s->pongs,
                          .received = s->received,
                          .sent = s->sent,
                          .dropped = s->dropped};
    memcpy(c->name, s->asked.name, sizeof c->name);
    memcpy(c->model, s->asked.model, sizeof c->model);
    memcpy(c->vehicle, s->vehicle, sizeof c->vehicle);
    fm_address_write(&s->address, c->address, &c->port);
}

size_t fm_server_clients(fm_server *server, fm_client_info *clients, size_t room)
{
    size_t count = 0;
    fm_server_lock(server);
    for (size_t i = 0; i < server->session_count; i++) {
        if (server->sessions[i]->life < FM_SESSION_LIVE)
            continue;
        if (count < room)
            fill_client(server, server->sessions[i], &clients[count]);
        count++;
    }
    fm_server_unlock(server);
    return count;
}
