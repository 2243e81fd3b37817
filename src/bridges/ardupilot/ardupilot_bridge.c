/* ArduPilot's SITL steps the run: each of its packets contains commands and permits a number of steps; the answer is
 * the state after them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "bridges/ardupilot/ardupilot_launch.h"
#include "bridges/ardupilot/ardupilot_wire.h"
#include "bridges/list.h"
#include "bridges/pilot/pilot.h"
#include "bridges/pilot/pilot_view.h"
#include "run/run.h"
#include "server/socket.h"

enum {
    WATCH_MS = 200,
    OWNER_MS = 1000 /* after a packet, in which other senders are ignored; SITL sends again sooner */
};
#define LONGEST 0.1 /* s of a frame: SITL takes no more */
#define BOOT 10.0   /* s of simulation after which every output of the frame has pulses */

typedef struct ardupilot_bridge {
    const fm_ardupilot_config *config;
    fm_host *host;
    fm_pilot pilot;
    int piloted; /* it is made */
    const fm_ardupilot_craft *craft;

    /* --- the loop's thread --- */
    uv_udp_t socket;
    uv_timer_t watch;
    int bound;
    char room[2048]; /* of a packet */
    fm_address peer; /* of the last packet */
    uint64_t heard;  /* ms of the loop's clock, when it arrived */
    int known;       /* there is a peer */
    uint32_t frame;  /* its last */
    int pending;     /* that is not answered yet */
    int silent;      /* it has sent nothing for `patience`, and the run waits */
    double flown;    /* s of simulation since it started; HUGE_VAL: its pulses are checked */
    uint32_t pulsed; /* outputs that have had pulses since then */
    fm_counter *frames, *resends, *lost, *restarts, *timeouts, *send, *stranger, *faults[FM_ARDUPILOT_FAULTS];
    char answer[FM_ARDUPILOT_LINE]; /* to the last frame */
    size_t answer_size;

    /* --- under pilot.lock --- */
    char line[FM_ARDUPILOT_LINE]; /* of the last step of a frame */
    size_t line_size;
    int fresh; /* it is not sent yet */
    int over;  /* the run has ended */
} ardupilot_bridge;

/* --- the stepping thread --- */

static void tell_state(const fm_pilot_view *v, fm_ardupilot_state *s)
{
    *s = (fm_ardupilot_state){.time = v->time, .battery = {v->battery[0], v->battery[1]}, .airspeed = NAN};
    memcpy(s->gyro, v->rates, sizeof s->gyro);
    memcpy(s->acceleration, v->force, sizeof s->acceleration);
    memcpy(s->position, v->position, sizeof s->position);
    memcpy(s->velocity, v->velocity, sizeof s->velocity);
    memcpy(s->attitude, v->attitude, sizeof s->attitude);
    memcpy(s->wind, v->wind, sizeof s->wind);
    for (size_t i = 0; i < FM_ARDUPILOT_RANGES; i++)
        s->ranges[i] = i < v->range_count ? v->ranges[i].distance : (double)NAN;
    fm_pilot_apparent_wind(v, s->apparent);
    if (isfinite(s->apparent[1]))
        s->airspeed = s->apparent[1];
}

static void write_line(ardupilot_bridge *d, const fm_world *world)
{
    fm_pilot_view view;
    fm_ardupilot_state state;
    char line[FM_ARDUPILOT_LINE];
    if (!fm_pilot_view_fill(world, fm_world_find(world, d->pilot.vehicle), &view))
        return; /* the vehicle was removed */
    tell_state(&view, &state);
    size_t size = fm_ardupilot_write(&state, line);
    pthread_mutex_lock(&d->pilot.lock);
    memcpy(d->line, line, size);
    d->line_size = size;
    d->fresh = size > 0;
    pthread_mutex_unlock(&d->pilot.lock);
}

static void begin(void *user, fm_run *run)
{
    ardupilot_bridge *d = user;
    pthread_mutex_lock(&d->pilot.lock);
    d->over = 0;
    pthread_mutex_unlock(&d->pilot.lock);
    fm_pilot_begin(&d->pilot, run);
}

static void step(void *user, fm_run *run)
{
    ardupilot_bridge *d = user;
    if (fm_pilot_step(&d->pilot))
        write_line(d, fm_run_world(run));
}

static void end(void *user, fm_run *run)
{
    ardupilot_bridge *d = user;
    pthread_mutex_lock(&d->pilot.lock);
    d->over = 1;
    pthread_mutex_unlock(&d->pilot.lock);
    if (atomic_load(d->frames) > 0)
        fm_host_tell(d->host, "ardupilot: the run %s at %.10g s: the link to SITL is closed",
                     fm_run_complete(run) ? "has reached its end" : "was stopped", fm_world_time(fm_run_world(run)));
    fm_pilot_end(&d->pilot);
}

/* --- the loop's thread: sending --- */

static void send_answer(ardupilot_bridge *d)
{
    uv_buf_t buffer = uv_buf_init(d->answer, (unsigned)d->answer_size);
    if (uv_udp_try_send(&d->socket, &buffer, 1, (const struct sockaddr *)(const void *)&d->peer.at) < 0)
        atomic_fetch_add(d->send, 1);
}

static void turn(void *user)
{
    ardupilot_bridge *d = user;
    pthread_mutex_lock(&d->pilot.lock);
    int fresh = d->fresh;
    if (fresh) {
        memcpy(d->answer, d->line, d->line_size);
        d->answer_size = d->line_size;
        d->fresh = 0;
    }
    pthread_mutex_unlock(&d->pilot.lock);
    if (!fresh || !d->pending)
        return;
    d->pending = 0;
    send_answer(d);
}

/* --- the loop's thread: receiving --- */

/* Another SITL, or the same one restarted: it sends from a different port. */
static int is_stranger(const ardupilot_bridge *d, const fm_address *from)
{
    return d->known && !fm_address_equal(&d->peer, from) && uv_now(d->socket.loop) - d->heard < OWNER_MS;
}

static uint64_t steps_of(const ardupilot_bridge *d, unsigned rate)
{
    double dt = d->pilot.dt, wanted = floor(1 / (rate * dt) + 0.5), most = floor(LONGEST / dt + 1e-9);
    return (uint64_t)fmax(1, fmin(wanted, most));
}

/* Fraction of full command; no pulses mean no command. */
static double value_of(const double pulses[3], unsigned pwm)
{
    double least = pulses[0] * 1e6, neutral = pulses[1] * 1e6, most = pulses[2] * 1e6;
    if (pwm == 0)
        return 0;
    return pwm < neutral ? (pwm - neutral) / (neutral - least) : (pwm - neutral) / (most - neutral);
}

/* Once, after SITL has booted: outputs of the frame without pulses have no function in SITL's parameters. */
static void watch_pulses(ardupilot_bridge *d, const fm_ardupilot_servos *servos, double seconds)
{
    char list[128], file[FM_ARDUPILOT_COMMAND / 2] = "";
    for (unsigned i = 0; i < servos->channels; i++)
        d->pulsed |= servos->pwm[i] ? (uint32_t)1 << i : 0;
    d->flown += seconds;
    if (d->flown < BOOT || d->flown == HUGE_VAL)
        return;
    d->flown = HUGE_VAL;
    uint32_t missing = fm_pilot_outputs_channels(&d->pilot.outputs) & ~d->pulsed;
    if (!missing)
        return;
    fm_ardupilot_list(missing, list, sizeof list);
    int found = fm_ardupilot_parameters(d->craft, file, sizeof file);
    fm_host_tell(d->host, "ardupilot: output%s %s of '%s' received no pulses in %g s: set SERVOn_FUNCTION%s%s",
                 missing & (missing - 1) ? "s" : "", list, d->pilot.vehicle, BOOT,
                 found ? ", or start SITL with --add-param-file=" : "", file);
}

static void take_frame(ardupilot_bridge *d, const fm_ardupilot_servos *servos)
{
    double channels[FM_PILOT_CHANNELS] = {0};
    for (unsigned i = 0; i < servos->channels; i++)
        channels[i] = value_of(d->config->pulses, servos->pwm[i]);
    uint64_t steps = steps_of(d, servos->frame_rate);
    d->frame = servos->frame_count;
    d->pending = 1;
    atomic_fetch_add(d->frames, 1);
    watch_pulses(d, servos, (double)steps * d->pilot.dt);
    fm_pilot_fly(&d->pilot, channels, steps);
}

static void start_again(ardupilot_bridge *d)
{
    int reset = d->config->restart == FM_ARDUPILOT_RESET;
    atomic_fetch_add(d->restarts, 1);
    d->flown = 0;
    d->pulsed = 0;
    fm_host_tell(d->host, "ardupilot: SITL has started again; the run %s", reset ? "starts again too" : "continues");
    if (reset)
        fm_pilot_reset(&d->pilot);
}

static void meet_peer(ardupilot_bridge *d, const fm_address *from)
{
    char text[48];
    uint16_t port;
    if (d->known && fm_address_equal(&d->peer, from))
        return;
    d->peer = *from;
    fm_address_write(from, text, &port);
    fm_host_tell(d->host, "ardupilot: SITL at %s:%u flies '%s'", text, port, d->pilot.vehicle);
}

static void take_servos(ardupilot_bridge *d, const fm_ardupilot_servos *servos, const fm_address *from)
{
    int known = d->known;
    uint32_t last = d->frame;
    meet_peer(d, from);
    d->known = 1;
    d->heard = uv_now(d->socket.loop);
    d->silent = 0;
    if (known && servos->frame_count == last && (d->pending || d->answer_size)) {
        atomic_fetch_add(d->resends, 1);
        if (!d->pending)
            send_answer(d);
        return;
    }
    if (known && servos->frame_count < last)
        start_again(d);
    else if (known && servos->frame_count > last + 1)
        atomic_fetch_add(d->lost, servos->frame_count - last - 1);
    take_frame(d, servos);
}

static int is_over(ardupilot_bridge *d)
{
    pthread_mutex_lock(&d->pilot.lock);
    int over = d->over;
    pthread_mutex_unlock(&d->pilot.lock);
    return over;
}

static void on_packet(uv_udp_t *socket, ssize_t size, const uv_buf_t *buffer, const struct sockaddr *from,
                      unsigned flags)
{
    ardupilot_bridge *d = socket->data;
    fm_ardupilot_servos servos;
    (void)flags;
    if (!from || size < 0 || is_over(d))
        return;
    fm_address address = fm_address_of(from);
    fm_ardupilot_fault fault = fm_ardupilot_read((const uint8_t *)buffer->base, (size_t)size, &servos);
    if (fault != FM_ARDUPILOT_FINE)
        atomic_fetch_add(d->faults[fault], 1);
    else if (is_stranger(d, &address))
        atomic_fetch_add(d->stranger, 1);
    else
        take_servos(d, &servos, &address);
}

static void give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    ardupilot_bridge *d = handle->data;
    (void)suggested;
    *buffer = uv_buf_init(d->room, sizeof d->room);
}

/* A paced run continues without SITL. Any other run has no pace but SITL's: it waits, as for the first packet. */
static void on_watch(uv_timer_t *timer)
{
    ardupilot_bridge *d = timer->data;
    double silence = (double)(uv_now(timer->loop) - d->heard) * 1e-3;
    if (!d->known || d->silent || silence < d->config->patience || !fm_pilot_is_joined(&d->pilot) || is_over(d))
        return;
    atomic_fetch_add(d->timeouts, 1);
    if (fm_pilot_is_unpaced(&d->pilot)) {
        d->silent = 1;
        fm_host_tell(d->host, "ardupilot: SITL has been silent for %.1f s: the run waits for it", silence);
        return;
    }
    fm_pilot_leave(&d->pilot);
    d->pending = 0;
    fm_host_tell(d->host, "ardupilot: SITL has been silent for %.1f s: '%s' is not steered, and the run goes on",
                 silence, d->pilot.vehicle);
}

/* --- coming and going --- */

static void find_counters(ardupilot_bridge *d)
{
    char name[48];
    d->frames = fm_host_count(d->host, "ardupilot/frames");
    d->resends = fm_host_count(d->host, "ardupilot/resends");
    d->lost = fm_host_count(d->host, "ardupilot/lost");
    d->restarts = fm_host_count(d->host, "ardupilot/restarts");
    d->timeouts = fm_host_count(d->host, "ardupilot/timeouts");
    d->send = fm_host_count(d->host, "ardupilot/drop/send");
    d->stranger = fm_host_count(d->host, "ardupilot/drop/stranger");
    d->pilot.full = fm_host_count(d->host, "ardupilot/drop/full");
    for (int i = FM_ARDUPILOT_FINE + 1; i < FM_ARDUPILOT_FAULTS; i++) {
        snprintf(name, sizeof name, "ardupilot/drop/%s", fm_ardupilot_fault_name((fm_ardupilot_fault)i));
        d->faults[i] = fm_host_count(d->host, name);
    }
}

static fm_status bind_socket(ardupilot_bridge *d, fm_error *error)
{
    const char *text = d->config->address;
    int port = (int)d->config->port;
    fm_address address;
    fm_status status = fm_address_read(text, port, &address, error);
    if (status != FM_OK)
        return status;
    uv_timer_init(fm_host_loop(d->host), &d->watch);
    status = fm_socket_open_udp(fm_host_loop(d->host), &d->socket, &address, FM_SOCKET_UDP, error);
    d->socket.data = d->watch.data = d;
    d->bound = 1;
    if (status != FM_OK)
        return status;
    uv_udp_recv_start(&d->socket, give_room, on_packet);
    uv_timer_start(&d->watch, on_watch, WATCH_MS, WATCH_MS);
    return FM_OK;
}

static void tell_how_to_start(ardupilot_bridge *d, const fm_model *model)
{
    char command[FM_ARDUPILOT_COMMAND];
    const fm_ardupilot_config *c = d->config;
    double dt = d->pilot.dt, loop = d->craft->loop;
    if (dt * loop > 1 + 1e-9)
        fm_host_tell(d->host,
                     "ardupilot: the world's step of %g ms is too long for the %g Hz of %s, whose loop then runs at "
                     "%g Hz: dt of <world> must be at most %g ms",
                     dt * 1e3, loop, d->craft->firmware, 1 / dt, 1e3 / loop);
    fm_ardupilot_command(d->craft, c, model->settings.latitude, model->settings.longitude, command);
    fm_host_tell(d->host, "ardupilot: waits for SITL at UDP %s:%d; start it with\n%s", c->address, (int)c->port,
                 command);
}

static fm_status open_bridge(void *user, fm_bridge *bridge, fm_error *error)
{
    static const char *const frames[] = {"vectored-6dof", "vectored", "skid-steering", NULL};
    ardupilot_bridge *d = user;
    d->config = bridge->config;
    d->host = bridge->host;
    fm_status status =
        fm_pilot_init(&d->pilot, "ardupilot", bridge->model, d->config->vehicle, d->config->outputs, frames, error);
    d->piloted = 1;
    find_counters(d);
    if (status == FM_OK)
        status = bind_socket(d, error);
    if (status != FM_OK)
        return status;
    d->craft = fm_ardupilot_craft_of(&d->pilot.outputs);
    tell_how_to_start(d, bridge->model);
    return FM_OK;
}

static void close_bridge(void *user)
{
    ardupilot_bridge *d = user;
    if (!d->bound)
        return;
    uv_close((uv_handle_t *)&d->socket, NULL);
    uv_close((uv_handle_t *)&d->watch, NULL);
}

static void release_bridge(void *user)
{
    ardupilot_bridge *d = user;
    if (d->piloted)
        fm_pilot_destroy(&d->pilot);
}

const fm_bridge_calls fm_ardupilot_calls = {.size = sizeof(fm_bridge_calls),
                                            .state_size = sizeof(ardupilot_bridge),
                                            .open = open_bridge,
                                            .turn = turn,
                                            .close = close_bridge,
                                            .release = release_bridge,
                                            .begin = begin,
                                            .step = step,
                                            .end = end};
