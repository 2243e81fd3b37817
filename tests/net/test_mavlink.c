/* The bridges by MAVLink, met by clients that behave as PX4 and a ground station do. */
#include <math.h>

#include "bridges/mavlink/mavlink_fill.h"
#include "net/outside.h"

#define DT 0.004

static const char rov[] =
    "<fathom version='1'><world dt='0.004 s' duration='%s' seed='1' latitude='47.4 deg' "
    "longitude='8.5 deg'><water density='1000 kg/m3'/><bottom depth='20 m'/></world>"
    "<vehicle name='rov' model='bluerov2-heavy' position='0 0 5 m'>"
    "<battery capacity='266 W*h' hotel='15 W' voltage='16 V'/><imu><gyro noise='0.001 rad/s'/></imu>"
    "<echosounder range='50 m'/></vehicle></fathom>";

/* --- someone at the other end --- */

typedef struct link_end {
    int fd;
    fm_mav_stream stream;
    fm_mav_sender sender;
    uint8_t bytes[4096];
    const uint8_t *next;
    size_t left;
    size_t faults;
} link_end;

/* The next frame of this number; 0: none within the time. */
static int hear(link_end *l, uint32_t id, fm_mav_frame *frame, double seconds)
{
    for (double until = clock_now() + seconds; clock_now() < until;) {
        fm_mav_fault fault = fm_mav_stream_take(&l->stream, &l->next, &l->left, frame);
        struct pollfd wait = {.fd = l->fd, .events = POLLIN};
        if (fault == FM_MAV_FINE && frame->id == id)
            return 1;
        l->faults += fault > FM_MAV_MORE;
        if (fault != FM_MAV_MORE || poll(&wait, 1, 50) <= 0)
            continue;
        ssize_t size = recv(l->fd, l->bytes, sizeof l->bytes, 0);
        if (size <= 0)
            return 0;
        l->next = l->bytes;
        l->left = (size_t)size;
    }
    return 0;
}

/* Connects as soon as the program listens. */
static link_end connect_px4(int port)
{
    struct sockaddr_in to = local_port(port);
    for (int tries = 0; tries < 400; tries++) {
        link_end l = {.fd = socket(AF_INET, SOCK_STREAM, 0), .sender = {1, 1, 0}};
        if (connect(l.fd, (struct sockaddr *)&to, sizeof to) == 0)
            return l;
        close(l.fd);
        usleep(50000);
    }
    fail_msg("no program listens at port %d", port);
    return (link_end){0};
}

static void send_controls(link_end *l, uint64_t time, const float controls[16], int armed)
{
    uint8_t bytes[FM_MAV_MOST];
    fm_mav_hil_actuator_controls c = {.time_usec = time, .flags = 1, .mode = armed ? 129 : 1};
    memcpy(c.controls, controls, sizeof c.controls);
    size_t size = fm_mav_hil_actuator_controls_write(&l->sender, &c, bytes);
    assert_int_equal(send(l->fd, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
}

static fm_mav_hil_sensor hear_sensors(link_end *l)
{
    fm_mav_frame frame;
    fm_mav_hil_sensor s;
    assert_true(hear(l, FM_MAV_ID_HIL_SENSOR, &frame, 20));
    fm_mav_hil_sensor_read(&frame, &s);
    return s;
}

static void begin_rov(outside *o, const char *name, const char *duration, int simulator, int ground, const char *more)
{
    char file[64], text[2048];
    snprintf(file, sizeof file, "%s.xml", name);
    snprintf(text, sizeof text, rov, duration);
    write_file(file, text);
    begin_fathom(o, name, "run %s --quiet --bridge \"mavlink simulator=%d port=%d %s\" --log %s.mcap", file, simulator,
                 ground, more, name);
}

static void replays(const char *name)
{
    static program_run r;
    run_fathom(&r, "replay %s.mcap --verify", name);
    expect_run(&r, 0, "the same");
}

/* --- PX4 --- */

/* Altitude of a pressure in hPa as PX4 computes it (getAltitudeFromPressure of its lib/atmosphere). */
static double altitude_of(double pressure)
{
    const double lapse = -0.0065, temperature = 288.15;
    return (pow(pressure / 1013.25, -(lapse * 287.1) / 9.80665) * temperature - temperature) / lapse;
}

/* Waits until these words were said, and ends a run that has lost its PX4. */
static void give_up(outside *o, const char *words)
{
    await_words(o, words);
    kill(o->child, SIGINT);
    end_fathom(o, NULL);
}

/* Field: pygeomag 1.1.0 with WMM2025 at 47.4° N, 8.5° E, 5 m deep, in 2025.0 and 2027.5. */
static void px4_has_the_earths_field_and_air_at_the_altitude_of_the_vehicle(void **state)
{
    static const struct {
        const char *epoch;
        double field[3]; /* nT */
    } years[] = {{"", {21524.4, 1283.5, 43250.2}}, {" epoch='2027-07-02T12:00:00Z'", {21532.6, 1401.7, 43369.2}}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        outside o;
        char text[1024];
        int port = free_port(SOCK_STREAM);
        snprintf(text, sizeof text,
                 "<fathom version='1'><world dt='0.004 s' duration='600 s' latitude='47.4 deg' longitude='8.5 deg'%s/>"
                 "<vehicle name='rov' model='bluerov2-heavy' position='0 0 5 m'/></fathom>",
                 years[i].epoch);
        write_file("mavlink_field.xml", text);
        begin_fathom(&o, "mavlink_field", "run mavlink_field.xml --quiet --bridge \"mavlink simulator=%d port=%d\"",
                     port, free_port(SOCK_DGRAM));
        link_end l = connect_px4(port);
        double mean[3] = {0}, altitude = 0, last = 0, north = 0;
        int changes = 0;
        for (int n = 0; n < 50; n++) {
            fm_mav_hil_sensor s = hear_sensors(&l);
            const double mag[3] = {s.xmag, s.ymag, s.zmag};
            for (int k = 0; k < 3; k++)
                mean[k] += mag[k] * 1e5 / 50; /* gauss, on an even keel */
            altitude += altitude_of(s.abs_pressure) / 50;
            assert_near(s.pressure_alt, -5, 0.04);
            changes += s.abs_pressure != last && mag[0] != north;
            last = s.abs_pressure, north = mag[0];
        }
        assert_greater(changes, 40); /* or PX4 would give them up */
        for (int k = 0; k < 3; k++)
            assert_near(mean[k], years[i].field[k], 25); /* its noise is 30 nT */
        assert_near(altitude, -5, 0.005);
        close(l.fd);
        give_up(&o, "PX4 has gone");
    }
}

/* One of PX4's instance n, 4560 + n, that is free. */
static int free_port_of_px4(void)
{
    for (int port = 4561; port < 4816; port++) {
        struct sockaddr_in at = local_port(port);
        int fd = socket(AF_INET, SOCK_STREAM, 0), free = bind(fd, (struct sockaddr *)&at, sizeof at) == 0;
        close(fd);
        if (free)
            return port;
    }
    fail_msg("every port from 4561 to 4815 is taken");
    return 0;
}

static void the_line_while_it_waits_starts_px4(void **state)
{
    outside o;
    char words[128];
    int port = free_port_of_px4();
    (void)state;
    begin_rov(&o, "mavlink_start", "1 s", port, free_port(SOCK_DGRAM), "");
    snprintf(words, sizeof words, "PX4_SYS_AUTOSTART=1022 PX4_SIMULATOR=none ./build/px4_sitl_default/bin/px4 -i %d\n",
             port - 4560);
    give_up(&o, words);
}

/* Another PX4 goes on where the one before has left. */
static void a_run_without_a_pace_waits_for_another_px4(void **state)
{
    static const float still[16] = {0};
    outside o;
    int port = free_port(SOCK_STREAM);
    (void)state;
    begin_rov(&o, "mavlink_again", "600 s", port, free_port(SOCK_DGRAM), "");
    link_end l = connect_px4(port);
    fm_mav_hil_sensor s = hear_sensors(&l);
    for (int i = 0; i < 50; i++) {
        send_controls(&l, s.time_usec, still, 1);
        s = hear_sensors(&l);
    }
    close(l.fd);
    await_words(&o, "PX4 has gone: 'rov' is not steered, and the run waits for PX4");
    usleep(300000); /* in which it would run to its end */
    l = connect_px4(port);
    uint64_t before = s.time_usec;
    s = hear_sensors(&l);
    if (s.time_usec < before || s.time_usec > before + 200000)
        fail_msg("it went on at %llu us, and had stopped at %llu us", (unsigned long long)s.time_usec,
                 (unsigned long long)before);
    close(l.fd);
    kill(o.child, SIGINT);
    char *told;
    end_fathom(&o, &told);
    assert_non_null(strstr(told, " s: the link to PX4 is closed"));
    free(told);
    replays("mavlink_again");
}

/* Outputs 5 to 8 of PX4's airframe push up, down, down and up for positive values. */
static void px4_flies_in_lock_step_and_the_log_replays(void **state)
{
    static const float still[16] = {0}, down[16] = {0, 0, 0, 0, -0.5f, 0.5f, 0.5f, -0.5f, NAN};
    outside o;
    int port = free_port(SOCK_STREAM);
    (void)state;
    begin_rov(&o, "mavlink_px4", "4 s", port, free_port(SOCK_DGRAM), "");
    link_end l = connect_px4(port);
    fm_mav_hil_sensor s = hear_sensors(&l), first;
    for (int i = 0; i < 5; i++)
        s = hear_sensors(&l); /* it boots: time goes on by itself */
    assert_int_equal(s.fields_updated, 0x1FFF);
    assert_less(fabsf(s.zacc + 9.81f), 0.3f);
    assert_less(fabsf(s.pressure_alt + 5), 0.1f);
    send_controls(&l, s.time_usec, still, 1);
    first = hear_sensors(&l);
    while (first.time_usec != 0) { /* what was under way from before the first controls */
        struct pollfd wait = {.fd = l.fd, .events = POLLIN};
        if (l.left == 0 && poll(&wait, 1, 200) <= 0)
            break;
        first = hear_sensors(&l);
    }
    for (int i = 1; i <= 500; i++) {
        send_controls(&l, first.time_usec, down, 1);
        s = hear_sensors(&l);
        assert_int_equal(s.time_usec, first.time_usec + 4000u * (unsigned)i);
    }
    assert_less(s.pressure_alt, -5.2f); /* it dives */
    assert_near(altitude_of(s.abs_pressure), s.pressure_alt, 0.01);
    close(l.fd);
    give_up(&o, "PX4 has gone: 'rov' is not steered, and the run waits for PX4");
    assert_int_equal(l.faults, 0);
    replays("mavlink_px4");
}

static void disarmed_outputs_move_nothing(void **state)
{
    static const float down[16] = {0, 0, 0, 0, -1, 1, 1, -1};
    outside o;
    int port = free_port(SOCK_STREAM);
    (void)state;
    begin_rov(&o, "mavlink_safe", "1 s", port, free_port(SOCK_DGRAM), "");
    link_end l = connect_px4(port);
    fm_mav_hil_sensor s = hear_sensors(&l);
    for (int i = 0; i < 100; i++) {
        send_controls(&l, s.time_usec, down, 0);
        s = hear_sensors(&l);
    }
    assert_less(fabsf(s.pressure_alt + 5), 0.05f);
    close(l.fd);
    give_up(&o, "PX4 has gone");
}

static void px4_is_told_the_truth_when_it_asks(void **state)
{
    outside o;
    int port = free_port(SOCK_STREAM);
    fm_mav_frame frame;
    fm_mav_command_ack ack;
    fm_mav_hil_state_quaternion q;
    fm_mav_hil_gps gps;
    uint8_t bytes[FM_MAV_MOST];
    (void)state;
    begin_rov(&o, "mavlink_truth", "1 s", port, free_port(SOCK_DGRAM), "");
    link_end l = connect_px4(port);
    assert_true(hear(&l, FM_MAV_ID_HIL_GPS, &frame, 20));
    fm_mav_hil_gps_read(&frame, &gps);
    assert_int_equal(gps.fix_type, 0); /* under water */
    assert_less(abs(gps.lat - 474000000), 10);
    assert_less(abs(gps.lon - 85000000), 10);
    fm_mav_command_long c = {.command = 511, .param1 = 115, .param2 = 5000};
    size_t size = fm_mav_command_long_write(&l.sender, &c, bytes);
    assert_int_equal(send(l.fd, "noise", 5, MSG_NOSIGNAL), 5);
    assert_int_equal(send(l.fd, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
    assert_true(hear(&l, FM_MAV_ID_COMMAND_ACK, &frame, 20));
    fm_mav_command_ack_read(&frame, &ack);
    assert_same(ack.command, 511);
    assert_same(ack.result, 0);
    assert_true(hear(&l, FM_MAV_ID_HIL_STATE_QUATERNION, &frame, 20));
    fm_mav_hil_state_quaternion_read(&frame, &q);
    assert_less(fabsf(q.attitude_quaternion[0] - 1), 0.01f);
    assert_less(abs(q.alt + 5000), 20);
    close(l.fd);
    await_words(&o, "PX4 has gone");
    kill(o.child, SIGINT);
    char *told;
    end_fathom(&o, &told);
    assert_non_null(strstr(told, "mavlink/drop/noise: 1"));
    free(told);
}

static void a_px4_boat_has_a_position_over_its_simulator_link(void **state)
{
    outside o;
    int port = free_port(SOCK_STREAM);
    fm_mav_frame frame;
    fm_mav_hil_gps gps;
    (void)state;
    write_file("mavlink_boat.xml",
               "<fathom version='1'><world dt='0.004 s' duration='3 s' seed='1' latitude='47.4 deg' "
               "longitude='8.5 deg'/><vehicle name='otter' model='otter'/></fathom>");
    begin_fathom(&o, "mavlink_boat", "run mavlink_boat.xml --quiet --bridge \"mavlink simulator=%d port=%d\"", port,
                 free_port(SOCK_DGRAM));
    link_end l = connect_px4(port);
    for (int i = 0; i < 5; i++) {
        assert_true(hear(&l, FM_MAV_ID_HIL_GPS, &frame, 20));
        fm_mav_hil_gps_read(&frame, &gps);
        assert_int_equal(gps.fix_type, 3);
        assert_less(abs(gps.lat - 474000000), 10);
        assert_less(abs(gps.lon - 85000000), 10);
    }
    close(l.fd);
    give_up(&o, "PX4 has gone");
}

static void a_px4_that_falls_silent_is_given_up(void **state)
{
    static const float still[16] = {0};
    outside o;
    int port = free_port(SOCK_STREAM);
    (void)state;
    begin_rov(&o, "mavlink_silent", "2 s", port, free_port(SOCK_DGRAM), "patience='2 s'");
    link_end l = connect_px4(port);
    send_controls(&l, hear_sensors(&l).time_usec, still, 1);
    give_up(&o, "PX4 has fallen silent");
    close(l.fd);
    replays("mavlink_silent");
}

/* Whether the program ends the connection within the time; what it sends meanwhile is read. */
static int is_hung_up(int fd, double seconds)
{
    char bytes[4096];
    for (double until = clock_now() + seconds; clock_now() < until;) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (poll(&wait, 1, 50) > 0 && recv(fd, bytes, sizeof bytes, 0) <= 0)
            return 1;
    }
    return 0;
}

/* A heartbeat now and then, or noise, is not enough: there is one place, and others wait for it. */
static void a_px4_that_connects_and_says_nothing_gives_its_place_to_the_next(void **state)
{
    outside o;
    int port = free_port(SOCK_STREAM);
    char *told, text[2048];
    (void)state;
    snprintf(text, sizeof text, rov, "600 s");
    write_file("mavlink_mute.xml", text);
    begin_fathom(&o, "mavlink_mute",
                 "run mavlink_mute.xml --quiet --realtime --bridge \"mavlink simulator=%d port=%d patience='2 s'\"",
                 port, free_port(SOCK_DGRAM));
    link_end mute = connect_px4(port), second = connect_px4(port);
    assert_true(is_hung_up(second.fd, 1.5)); /* the place is taken */
    close(second.fd);
    for (int i = 0; i < 10; i++) { /* noise is no sign of life */
        send(mute.fd, "noise", 5, MSG_NOSIGNAL);
        usleep(50000);
    }
    assert_true(is_hung_up(mute.fd, 20));
    close(mute.fd);
    link_end l = connect_px4(port);
    for (int i = 0; i < 5; i++)
        hear_sensors(&l);
    close(l.fd);
    kill(o.child, SIGINT);
    end_fathom(&o, &told);
    assert_non_null(strstr(told, "PX4 has connected and sent no controls"));
    assert_non_null(strstr(told, "mavlink/drop/second: 1"));
    free(told);
}

/* --- a ground station --- */

static void ask(link_end *l, const struct sockaddr_in *to, const uint8_t *bytes, size_t size)
{
    assert_int_equal(sendto(l->fd, bytes, size, 0, (const struct sockaddr *)to, sizeof *to), (ssize_t)size);
}

/* Type and GPS of a vehicle as a ground station is sent them. */
static void look_from_the_ground(const char *model, double depth, int *type, int *fix)
{
    outside o;
    link_end l = {.fd = socket(AF_INET, SOCK_DGRAM, 0), .sender = {255, 190, 0}};
    struct sockaddr_in at = local_port(0);
    socklen_t size = sizeof at;
    fm_mav_frame frame;
    fm_mav_heartbeat h;
    fm_mav_gps_raw_int g;
    char text[1024], *told;
    assert_int_equal(bind(l.fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(getsockname(l.fd, (struct sockaddr *)&at, &size), 0);
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.02 s' duration='600 s' latitude='47.4 deg'/><vehicle name='it' model='%s' "
        "position='0 0 %g m'/></fathom>",
        model, depth);
    write_file("mavlink_surface.xml", text);
    begin_fathom(&o, "mavlink_surface", "run mavlink_surface.xml --quiet --realtime --bridge \"mavlink port=%d\"",
                 ntohs(at.sin_port));
    assert_true(hear(&l, FM_MAV_ID_HEARTBEAT, &frame, 20));
    fm_mav_heartbeat_read(&frame, &h);
    for (int i = 0; i < 3; i++) /* not the first alone */
        assert_true(hear(&l, FM_MAV_ID_GPS_RAW_INT, &frame, 20));
    fm_mav_gps_raw_int_read(&frame, &g);
    *type = h.type;
    *fix = g.fix_type;
    kill(o.child, SIGINT);
    end_fathom(&o, &told);
    free(told);
    close(l.fd);
}

static void a_boat_is_a_boat_with_a_fix_and_a_diver_a_submarine_without_one(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        double depth;
        int type, fix;
    } seen[] = {{"otter", 0, 11, 3}, {"kvlcc2", 0, 11, 3}, {"wavesim-buoy", 0, 11, 3}, {"lauv", 5, 12, 1}};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        int type, fix;
        look_from_the_ground(seen[i].model, seen[i].depth, &type, &fix);
        if (type != seen[i].type || fix != seen[i].fix)
            fail_msg("%s: type %d, fix %d", seen[i].model, type, fix);
    }
}

/* The station gets heartbeats, asks what QGroundControl asks, and is answered. */
static void a_ground_station_sees_the_vehicle_and_is_answered(void **state)
{
    outside o;
    link_end l = {.fd = socket(AF_INET, SOCK_DGRAM, 0), .sender = {255, 190, 0}};
    struct sockaddr_in at = local_port(0), from;
    socklen_t size = sizeof at, from_size = sizeof from;
    fm_mav_frame frame;
    uint8_t bytes[FM_MAV_MOST];
    (void)state;
    assert_int_equal(bind(l.fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(getsockname(l.fd, (struct sockaddr *)&at, &size), 0);
    char text[2048];
    snprintf(text, sizeof text, rov, "60 s");
    write_file("mavlink_ground.xml", text);
    begin_fathom(&o, "mavlink_ground",
                 "run mavlink_ground.xml --quiet --realtime --bridge \"mavlink port=%d system=7\"", ntohs(at.sin_port));
    struct pollfd wait = {.fd = l.fd, .events = POLLIN};
    assert_int_equal(poll(&wait, 1, 20000), 1);
    assert_greater(recvfrom(l.fd, bytes, sizeof bytes, MSG_PEEK, (struct sockaddr *)&from, &from_size), 0);

    assert_true(hear(&l, FM_MAV_ID_HEARTBEAT, &frame, 10));
    assert_int_equal(frame.system, 7);
    fm_mav_heartbeat h;
    fm_mav_heartbeat_read(&frame, &h);
    assert_same(h.type, 12);
    assert_same(h.mavlink_version, 3);
    fm_mav_global_position_int p;
    assert_true(hear(&l, FM_MAV_ID_GLOBAL_POSITION_INT, &frame, 10));
    fm_mav_global_position_int_read(&frame, &p);
    assert_less(abs(p.lat - 474000000), 10);
    assert_less(abs(p.alt + 5000), 100);
    fm_mav_distance_sensor d;
    do { /* until the instrument has measured */
        assert_true(hear(&l, FM_MAV_ID_DISTANCE_SENSOR, &frame, 10));
        fm_mav_distance_sensor_read(&frame, &d);
    } while (d.current_distance == 0 || d.current_distance >= d.max_distance);
    assert_same(d.orientation, 25);
    assert_less(abs(d.current_distance - 1500), 20);
    assert_same(d.max_distance, 5000);
    fm_mav_sys_status b;
    assert_true(hear(&l, FM_MAV_ID_SYS_STATUS, &frame, 10));
    fm_mav_sys_status_read(&frame, &b);
    assert_same(b.voltage_battery, 16000);
    assert_at_least(b.battery_remaining, 99);
    assert_same(b.current_battery, 94);

    ask(&l, &from, bytes, fm_mav_param_request_list_write(&l.sender, &(fm_mav_param_request_list){7, 1}, bytes));
    fm_mav_param_value v;
    for (int i = 0; i < 2; i++) {
        assert_true(hear(&l, FM_MAV_ID_PARAM_VALUE, &frame, 10));
        fm_mav_param_value_read(&frame, &v);
        assert_same(v.param_index, i);
        assert_greater(v.param_count, 20); /* those of the vehicle follow */
    }
    assert_string_equal(v.param_id, "SIM_RATE_HZ");
    assert_same(v.param_value, 250);
    fm_mav_command_ack ack;
    ask(&l, &from, bytes,
        fm_mav_command_long_write(&l.sender, &(fm_mav_command_long){.param1 = 148, .command = 512, .target_system = 7},
                                  bytes));
    assert_true(hear(&l, FM_MAV_ID_COMMAND_ACK, &frame, 10));
    fm_mav_command_ack_read(&frame, &ack);
    assert_same(ack.command, 512);
    assert_same(ack.result, 0);
    assert_same(ack.target_system, 255);
    assert_true(hear(&l, FM_MAV_ID_AUTOPILOT_VERSION, &frame, 10));
    ask(&l, &from, bytes,
        fm_mav_command_long_write(&l.sender, &(fm_mav_command_long){.command = 22, .target_system = 7}, bytes));
    assert_true(hear(&l, FM_MAV_ID_COMMAND_ACK, &frame, 10));
    fm_mav_command_ack_read(&frame, &ack);
    assert_same(ack.command, 22);
    assert_same(ack.result, 3); /* it does not take off */
    ask(&l, &from, bytes, fm_mav_mission_request_list_write(&l.sender, &(fm_mav_mission_request_list){7, 1, 2}, bytes));
    fm_mav_mission_count m;
    assert_true(hear(&l, FM_MAV_ID_MISSION_COUNT, &frame, 10));
    fm_mav_mission_count_read(&frame, &m);
    assert_same(m.count, 0);
    assert_same(m.mission_type, 2);
    assert_same(m.target_system, 255);
    assert_int_equal(l.faults, 0);
    kill(o.child, SIGINT);
    end_fathom(&o, NULL);
    close(l.fd);
}

/* The stream has the one that is configured; another takes nothing away from it, and is not listened to. */
static void a_stray_heartbeat_takes_nothing_from_the_station(void **state)
{
    outside o;
    link_end l = {.fd = socket(AF_INET, SOCK_DGRAM, 0), .sender = {255, 190, 0}};
    struct sockaddr_in at = local_port(0), other = local_port(0), from;
    socklen_t size = sizeof at, from_size = sizeof from;
    int stray = socket(AF_INET, SOCK_DGRAM, 0);
    fm_mav_sender stranger = {254, 190, 0};
    fm_mav_frame frame;
    uint8_t bytes[FM_MAV_MOST];
    char text[2048], *told;
    (void)state;
    assert_int_equal(bind(l.fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(bind(stray, (struct sockaddr *)&other, sizeof other), 0);
    assert_int_equal(getsockname(l.fd, (struct sockaddr *)&at, &size), 0);
    snprintf(text, sizeof text, rov, "600 s");
    write_file("mavlink_stray.xml", text);
    begin_fathom(&o, "mavlink_stray", "run mavlink_stray.xml --quiet --realtime --bridge \"mavlink port=%d\"",
                 ntohs(at.sin_port));
    struct pollfd wait = {.fd = l.fd, .events = POLLIN};
    assert_int_equal(poll(&wait, 1, 20000), 1);
    assert_greater(recvfrom(l.fd, bytes, sizeof bytes, MSG_PEEK, (struct sockaddr *)&from, &from_size), 0);
    assert_int_equal(from.sin_addr.s_addr, htonl(INADDR_LOOPBACK)); /* it is bound there */
    fm_mav_heartbeat beat = {.type = 6, .mavlink_version = 3};
    ask(&l, &from, bytes, fm_mav_heartbeat_write(&l.sender, &beat, bytes)); /* the station is there */
    assert_true(hear(&l, FM_MAV_ID_HEARTBEAT, &frame, 10));
    for (int i = 0; i < 3; i++) {
        size_t n = fm_mav_param_request_list_write(&stranger, &(fm_mav_param_request_list){1, 1}, bytes);
        assert_int_equal(sendto(stray, bytes, n, 0, (struct sockaddr *)&from, sizeof from), (ssize_t)n);
    }
    for (int i = 0; i < 20; i++) /* two seconds of reports, and the heartbeats between them */
        assert_true(hear(&l, FM_MAV_ID_ATTITUDE, &frame, 10));
    assert_true(hear(&l, FM_MAV_ID_HEARTBEAT, &frame, 10));
    assert_less(recv(stray, bytes, sizeof bytes, MSG_DONTWAIT), 0); /* not a word */
    kill(o.child, SIGINT);
    end_fathom(&o, &told);
    assert_non_null(strstr(told, "mavlink/drop/stranger: 3"));
    free(told);
    close(l.fd);
    close(stray);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(px4_flies_in_lock_step_and_the_log_replays),
        cmocka_unit_test(px4_has_the_earths_field_and_air_at_the_altitude_of_the_vehicle),
        cmocka_unit_test(the_line_while_it_waits_starts_px4),
        cmocka_unit_test(a_run_without_a_pace_waits_for_another_px4),
        cmocka_unit_test(disarmed_outputs_move_nothing),
        cmocka_unit_test(px4_is_told_the_truth_when_it_asks),
        cmocka_unit_test(a_px4_boat_has_a_position_over_its_simulator_link),
        cmocka_unit_test(a_px4_that_falls_silent_is_given_up),
        cmocka_unit_test(a_px4_that_connects_and_says_nothing_gives_its_place_to_the_next),
        cmocka_unit_test(a_stray_heartbeat_takes_nothing_from_the_station),
        cmocka_unit_test(a_boat_is_a_boat_with_a_fix_and_a_diver_a_submarine_without_one),
        cmocka_unit_test(a_ground_station_sees_the_vehicle_and_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
