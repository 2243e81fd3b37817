/* PX4's link to its simulator: PX4 connects through TCP, receives sensor data, and steps the run with its answers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/accept.h"
#include "base/memory.h"
#include "base/random.h"
#include "bridges/mavlink/mavlink_bridge.h"
#include "bridges/mavlink/mavlink_fill.h"
#include "bridges/pilot/pilot.h"
#include "bridges/pilot/pilot_view.h"
#include "physics/magnetic_field.h"
#include "run/run.h"
#include "server/socket.h"
#include "world/world.h"

enum { WATCH_MS = 200, CONTROLS = 16, FIRST_PORT = 4560, INSTANCES = 256 };
#define SENSOR_PERIOD 0.004 /* s: of IMU, magnetometer, barometer */
#define GPS_PERIOD 0.1      /* s */
#define BOOT 120.0          /* s of the clock until its first controls */
#define MAGNETIC_NOISE 30.0 /* nT, and … */
#define PRESSURE_NOISE 0.05 /* … Pa: standard deviations */

struct fm_mav_simulator {
    fm_host *host;
    const fm_mavlink_config *config;
    fm_pilot pilot;
    int piloted;
    uint64_t steps; /* of the world from one sensor message to the next */
    double year;    /* decimal, when the run begins: of the magnetic field */

    /* --- the loop's thread --- */
    uv_tcp_t server, peer;
    uv_timer_t watch, idle;
    int listening, connected, closing;
    int waits; /* a new connection arrived while the previous one was closing */
    fm_mav_stream stream;
    fm_mav_sender sender;
    char room[4096];
    uint64_t heard;             /* ms of the loop's clock: its last frame … */
    uint64_t came;              /* … and when it connected */
    int flying;                 /* it has sent controls: from now on the run waits for them */
    int pending;                /* steps are being made */
    double gps;                 /* s: when its position was last sent … */
    double truth, truth_period; /* … and its true state; s; 0: not requested */
    fm_mav_counters counters;
    fm_counter *frames, *early, *timeouts, *second;

    /* --- under pilot.lock --- */
    fm_pilot_view view;
    int fresh; /* it was not sent yet */
    int over;  /* the run has ended */
};

/* --- the stepping thread --- */

void fm_mav_simulator_begin(fm_mav_simulator *m, fm_run *run)
{
    pthread_mutex_lock(&m->pilot.lock);
    m->over = 0;
    pthread_mutex_unlock(&m->pilot.lock);
    fm_pilot_begin(&m->pilot, run);
}

/* PX4 gives up a sensor whose values stay the same, which those of a vehicle at rest would. */
static void add_noise(const fm_world *world, int slot, fm_pilot_view *view)
{
    const fm_random_key key = {world->head->seed, (uint32_t)slot, 0x50583400};
    const uint64_t tick = fm_world_tick(world);
    for (uint32_t i = 0; i < 3; i++)
        view->magnetic[i] += MAGNETIC_NOISE * fm_random_normal(key, tick, i);
    view->air_pressure += PRESSURE_NOISE * fm_random_normal(key, tick, 3);
}

void fm_mav_simulator_step(fm_mav_simulator *m, fm_run *run)
{
    const fm_world *world = fm_run_world(run);
    fm_pilot_view view;
    int slot = fm_world_find(world, m->pilot.vehicle);
    if (!fm_pilot_step(&m->pilot) || !fm_pilot_view_fill(world, slot, &view))
        return;
    fm_pilot_view_measure(world, slot, &view);
    fm_pilot_view_magnetic(world, slot, m->year, &view);
    add_noise(world, slot, &view);
    pthread_mutex_lock(&m->pilot.lock);
    m->view = view;
    m->fresh = 1;
    pthread_mutex_unlock(&m->pilot.lock);
}

void fm_mav_simulator_end(fm_mav_simulator *m, fm_run *run)
{
    pthread_mutex_lock(&m->pilot.lock);
    m->over = 1;
    pthread_mutex_unlock(&m->pilot.lock);
    if (atomic_load(m->frames) > 0)
        fm_host_tell(m->host, "mavlink: the run %s at %.10g s: the link to PX4 is closed",
                     fm_run_complete(run) ? "has reached its end" : "was stopped", fm_world_time(fm_run_world(run)));
    fm_pilot_end(&m->pilot);
}

/* --- the loop's thread --- */

static void take_peer(fm_mav_simulator *m);

/* A new connection may have arrived while the previous one was closing. */
static void on_peer_closed(uv_handle_t *handle)
{
    fm_mav_simulator *m = handle->data;
    m->closing = 0;
    if (m->waits && !uv_is_closing((uv_handle_t *)&m->server))
        take_peer(m);
    m->waits = 0;
}

static void drop_peer(fm_mav_simulator *m)
{
    if (!m->connected)
        return;
    m->connected = m->flying = m->pending = 0;
    m->closing = 1;
    uv_timer_stop(&m->idle);
    uv_close((uv_handle_t *)&m->peer, on_peer_closed);
}

static void hang_up(fm_mav_simulator *m, const char *why)
{
    if (!m->connected)
        return;
    drop_peer(m);
    int waits = fm_pilot_is_unpaced(&m->pilot); /* it has no pace but PX4's */
    if (waits)
        fm_pilot_rest(&m->pilot);
    else
        fm_pilot_leave(&m->pilot);
    fm_host_tell(m->host, "mavlink: PX4 %s: '%s' is not steered, and the run %s", why, m->pilot.vehicle,
                 waits ? "waits for PX4" : "goes on");
}

static void send_mail(fm_mav_simulator *m, fm_mav_mail *mail)
{
    uv_buf_t buffer = uv_buf_init((char *)mail->bytes, (unsigned)mail->size);
    if (!m->connected || mail->size == 0)
        return;
    if (uv_try_write((uv_stream_t *)&m->peer, &buffer, 1) == (int)mail->size) {
        atomic_fetch_add(m->counters.sent, 1);
        return;
    }
    atomic_fetch_add(m->counters.send, 1);
    hang_up(m, "does not read");
}

/* Whether `period` has passed since *last, or time has gone back. */
static int is_due(double now, double period, double *last)
{
    if (now >= *last && now < *last + period - 1e-9)
        return 0;
    *last = now;
    return 1;
}

static void send_view(fm_mav_simulator *m, const fm_pilot_view *view)
{
    fm_mav_mail mail = {.size = 0};
    m->pending = 0;
    if (is_due(view->time, GPS_PERIOD, &m->gps))
        fm_mav_add_gps(&mail, &m->sender, view);
    if (m->truth_period > 0 && is_due(view->time, m->truth_period, &m->truth))
        fm_mav_add_truth(&mail, &m->sender, view);
    fm_mav_add_sensors(&mail, &m->sender, view); /* the last: it lets PX4 go on */
    send_mail(m, &mail);
}

void fm_mav_simulator_turn(fm_mav_simulator *m)
{
    pthread_mutex_lock(&m->pilot.lock);
    int fresh = m->fresh, over = m->over;
    fm_pilot_view view = m->view;
    m->fresh = 0;
    pthread_mutex_unlock(&m->pilot.lock);
    if (fresh)
        send_view(m, &view);
    if (over)
        drop_peer(m);
}

static void fly(fm_mav_simulator *m, const double channels[FM_PILOT_CHANNELS])
{
    m->pending = 1;
    fm_pilot_fly(&m->pilot, channels, m->steps);
}

/* PX4 is booting: until its first controls, time follows the clock. */
static void on_idle(uv_timer_t *timer)
{
    static const double neutral[FM_PILOT_CHANNELS];
    fm_mav_simulator *m = timer->data;
    if (m->connected && !m->flying && !m->pending)
        fly(m, neutral);
}

static void take_controls(fm_mav_simulator *m, const fm_mav_frame *frame)
{
    double channels[FM_PILOT_CHANNELS] = {0};
    fm_mav_hil_actuator_controls c;
    fm_mav_hil_actuator_controls_read(frame, &c);
    for (int i = 0; i < CONTROLS; i++) /* an unused output is NaN; all are invalid while disarmed */
        channels[i] = isfinite(c.controls[i]) && c.mode & FM_MAV_MODE_ARMED ? (double)c.controls[i] : 0;
    m->flying = 1;
    uv_timer_stop(&m->idle);
    if (m->pending) {
        atomic_fetch_add(m->early, 1);
        return;
    }
    atomic_fetch_add(m->frames, 1);
    fly(m, channels);
}

static void take_command(fm_mav_simulator *m, const fm_mav_frame *frame)
{
    fm_mav_mail mail = {.size = 0};
    fm_mav_command_long c;
    fm_mav_command_long_read(frame, &c);
    int known = c.command == FM_MAV_CMD_SET_MESSAGE_INTERVAL && c.param1 == FM_MAV_ID_HIL_STATE_QUATERNION;
    int fine = fm_number_accept("interval", (double)c.param2, (fm_number_range){-1, 1e9, false}, NULL) == FM_OK;
    if (known && fine) /* µs; 0: as it comes, below 0: none */
        m->truth_period = c.param2 > 0 ? (double)c.param2 * 1e-6 : c.param2 < 0 ? 0 : SENSOR_PERIOD;
    FM_MAV_ADD(&mail, &m->sender, command_ack,
               {.command = c.command,
                .result = !known ? FM_MAV_RESULT_UNSUPPORTED
                          : fine ? FM_MAV_RESULT_ACCEPTED
                                 : FM_MAV_RESULT_DENIED,
                .target_system = frame->system,
                .target_component = frame->component});
    send_mail(m, &mail);
}

static void take_bytes(fm_mav_simulator *m, const uint8_t *bytes, size_t size)
{
    fm_mav_frame frame;
    fm_mav_fault fault;
    while (m->connected && (fault = fm_mav_stream_take(&m->stream, &bytes, &size, &frame)) != FM_MAV_MORE) {
        if (fault != FM_MAV_FINE) {
            atomic_fetch_add(m->counters.faults[fault], 1);
            continue;
        }
        atomic_fetch_add(m->counters.received, 1);
        m->heard = uv_now(m->server.loop);
        if (frame.id == FM_MAV_ID_HIL_ACTUATOR_CONTROLS)
            take_controls(m, &frame);
        else if (frame.id == FM_MAV_ID_COMMAND_LONG)
            take_command(m, &frame);
    }
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
    fm_mav_simulator *m = stream->data;
    if (size < 0)
        hang_up(m, "has gone");
    else
        take_bytes(m, (const uint8_t *)buffer->base, (size_t)size);
}

static void give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    fm_mav_simulator *m = handle->data;
    (void)suggested;
    *buffer = uv_buf_init(m->room, sizeof m->room);
}

static void free_handle(uv_handle_t *handle)
{
    fm_free(handle);
}

/* One at a time. */
static void turn_away(fm_mav_simulator *m)
{
    uv_tcp_t *other = fm_alloc(sizeof *other);
    atomic_fetch_add(m->second, 1);
    if (!other)
        return;
    uv_tcp_init(m->server.loop, other);
    uv_accept((uv_stream_t *)&m->server, (uv_stream_t *)other);
    uv_close((uv_handle_t *)other, free_handle);
}

static void take_peer(fm_mav_simulator *m)
{
    uv_tcp_init(m->server.loop, &m->peer);
    m->peer.data = m;
    uv_accept((uv_stream_t *)&m->server, (uv_stream_t *)&m->peer);
    uv_tcp_nodelay(&m->peer, 1);
    m->connected = 1;
    m->heard = m->came = uv_now(m->server.loop);
    m->stream.size = 0;
    m->gps = m->truth = -HUGE_VAL;
    m->truth_period = 0;
    uv_read_start((uv_stream_t *)&m->peer, give_room, on_read);
    uv_timer_start(&m->idle, on_idle, 0, (uint64_t)fmax(1, SENSOR_PERIOD * 1e3));
    fm_host_tell(m->host, "mavlink: PX4 has connected and flies '%s'", m->pilot.vehicle);
}

static void on_connection(uv_stream_t *server, int status)
{
    fm_mav_simulator *m = server->data;
    if (status != 0)
        return;
    if (m->connected)
        turn_away(m);
    else if (m->closing)
        m->waits = 1;
    else
        take_peer(m);
}

static void on_watch(uv_timer_t *timer)
{
    fm_mav_simulator *m = timer->data;
    uint64_t now = uv_now(timer->loop);
    if (m->flying && m->pending) /* it waits for the run, which may be paused */
        m->heard = now;
    double silence = (double)(now - m->heard) * 1e-3, booting = (double)(now - m->came) * 1e-3;
    if (!m->connected || (silence < m->config->patience && (m->flying || booting < BOOT)))
        return;
    atomic_fetch_add(m->timeouts, 1);
    hang_up(m, m->flying ? "has fallen silent" : "has connected and sent no controls");
}

/* --- coming and going --- */

/* PX4's instance n connects to port 4560 + n. */
static void tell_how_to_start(const fm_mav_simulator *m)
{
    const char *address = m->config->address, *frame = m->pilot.outputs.frame;
    int port = (int)m->config->simulator, instance = port - FIRST_PORT;
    char host[96] = "", which[32] = "";
    int known = frame && strcmp(frame, "px4-bluerov2-heavy") == 0 && instance >= 0 && instance < INSTANCES;
    if (strcmp(address, "127.0.0.1") != 0 && strcmp(address, "0.0.0.0") != 0)
        snprintf(host, sizeof host, "PX4_SIM_HOSTNAME=%s ", address);
    if (instance != 0)
        snprintf(which, sizeof which, " -i %d", instance);
    if (known)
        fm_host_tell(m->host,
                     "mavlink: waits for PX4 at TCP %s:%d; start it in its source tree with\n"
                     "PX4_SYS_AUTOSTART=1022 PX4_SIMULATOR=none %s./build/px4_sitl_default/bin/px4%s",
                     address, port, host, which);
    else
        fm_host_tell(m->host, "mavlink: waits for PX4 at TCP %s:%d", address, port);
}

static fm_status listen_for(fm_mav_simulator *m, fm_error *error)
{
    const char *text = m->config->address;
    uv_loop_t *loop = fm_host_loop(m->host);
    fm_address address;
    fm_status status = fm_address_read(text, (int)m->config->simulator, &address, error);
    if (status != FM_OK)
        return status;
    uv_timer_init(loop, &m->watch);
    uv_timer_init(loop, &m->idle);
    status = fm_socket_open_tcp(loop, &m->server, &address, 4, on_connection, error);
    m->server.data = m->watch.data = m->idle.data = m;
    m->listening = 1;
    if (status != FM_OK)
        return status;
    uv_timer_start(&m->watch, on_watch, WATCH_MS, WATCH_MS);
    tell_how_to_start(m);
    return FM_OK;
}

fm_status fm_mav_simulator_create(fm_host *host, const fm_mavlink_config *config, fm_mav_simulator **simulator,
                                  fm_error *error)
{
    static const char *const frames[] = {"px4-bluerov2-heavy", "skid-steering", NULL};
    fm_mav_simulator *m = *simulator = fm_alloc(sizeof *m);
    if (!m)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a bridge");
    m->host = host;
    m->config = config;
    m->year = fm_magnetic_year(fm_host_model(host)->settings.epoch);
    m->sender = (fm_mav_sender){(uint8_t)config->system, 200, 0};
    fm_status status =
        fm_pilot_init(&m->pilot, "px4", fm_host_model(host), config->vehicle, config->outputs, frames, error);
    m->piloted = 1;
    m->steps = (uint64_t)fmax(1, floor(SENSOR_PERIOD / m->pilot.dt + 0.5));
    fm_mav_counters_find(&m->counters, host);
    m->frames = fm_host_count(host, "mavlink/frames");
    m->early = fm_host_count(host, "mavlink/drop/early");
    m->timeouts = fm_host_count(host, "mavlink/timeouts");
    m->second = fm_host_count(host, "mavlink/drop/second");
    m->pilot.full = fm_host_count(host, "mavlink/drop/full");
    return status == FM_OK ? listen_for(m, error) : status;
}

void fm_mav_simulator_close(fm_mav_simulator *m)
{
    if (!m->listening)
        return;
    uv_close((uv_handle_t *)&m->server, NULL);
    uv_close((uv_handle_t *)&m->watch, NULL);
    uv_close((uv_handle_t *)&m->idle, NULL);
    if (m->connected)
        uv_close((uv_handle_t *)&m->peer, NULL);
    m->connected = 0;
}

void fm_mav_simulator_free(fm_mav_simulator *m)
{
    if (!m)
        return;
    if (m->piloted)
        fm_pilot_destroy(&m->pilot);
    fm_free(m);
}
