/* A ground station flies vehicles through MAVLink: armed and not, modes, guided points, sticks, missions, parameters,
 * and what is refused. Their logs replay bit for bit. */
#include "net/ground.h"

enum { ARM = 400, SET_MODE = 176, REPOSITION = 192, LATER = 1, DENIED = 2, UNSUPPORTED = 3 };
enum { MANUAL = 19, GUIDED = 4, AUTO = 3, HOLD = 16 }; /* of a submarine */

/* Thrusters on all sides: it hovers. */
static const char rov[] =
    "<fathom version='1'><world dt='0.02 s' duration='900 s' seed='1' latitude='63.44 deg' longitude='10.4 deg'>"
    "<water density='1000 kg/m3'/><current velocity='0.1 -0.05 0 m/s'/></world>"
    "<vehicle name='rov' model='bluerov2' position='0 0 5 m'><autopilot steering='thrusters'>"
    "<heading thrust-kp='2 N*m/rad' thrust-ki='0.1 N*m/rad/s' thrust-kd='2 N*m*s/rad'/>"
    "<depth thrust-kp='20 N/m' thrust-ki='2 N/m/s' thrust-kd='40 N*s/m'/>"
    "<speed kp='40 N*s/m' ki='10 N/m'/><sway kp='40 N*s/m' ki='10 N/m'/></autopilot></vehicle></fathom>";

/* Fins and a propeller, and waypoints of its own: north, then back. */
static const char auv[] =
    "<fathom version='1'><world dt='0.02 s' duration='1800 s' seed='1' latitude='63.44 deg' longitude='10.4 deg'>"
    "<water density='1025 kg/m3'/></world><vehicle name='auv' model='lauv' position='0 0 3 m' velocity='1.3 0 0 m/s'>"
    "<waypoints speed='1.3 m/s' radius='3 m'><waypoint position='500 0 3 m'/><waypoint position='0 0 3 m'/></waypoints>"
    "<autopilot steering='fins' design-speed='1.3 m/s'><heading kp='1' ki='0.02 1/s' kd='1 s'/>"
    "<depth kp='0.3 rad/m' ki='0.01 rad/m/s' kd='0.1 rad*s/m'/><pitch kp='1.5' ki='0.1 1/s' kd='0.5 s'/>"
    "<roll kp='0.2' kd='0.1 s' limit='5 deg'/><speed kp='20 N*s/m' ki='2 N/m' feed='4 kg/m'/></autopilot>"
    "</vehicle></fathom>";

static ground begin_flight(outside *o, const char *name, const char *text, double speed, const char *more)
{
    char file[64];
    fm_mav_heartbeat beat;
    ground g = open_ground();
    snprintf(file, sizeof file, "%s.xml", name);
    write_file(file, text);
    begin_fathom(o, name, "run %s --quiet --speed %g --log %s.mcap --bridge \"mavlink port=%d rate='10 Hz' %s\"", file,
                 speed, name, g.port, more);
    HEAR(&g, heartbeat, HEARTBEAT, &beat);
    assert_int_equal(beat.mavlink_version, 3);
    return g;
}

/* Ends the program; its log is the same run again. */
static void end_flight(outside *o, ground *g, const char *name)
{
    static program_run r;
    kill(o->child, SIGINT);
    end_fathom(o, NULL);
    assert_int_equal(g->faults, 0);
    close(g->fd);
    run_fathom(&r, "replay %s.mcap --verify", name);
    expect_run(&r, 0, "the same");
}

static fm_mav_local_position_ned position_now(ground *g)
{
    fm_mav_local_position_ned p;
    catch_up(g);
    HEAR(g, local_position_ned, LOCAL_POSITION_NED, &p);
    return p;
}

static fm_mav_heartbeat heartbeat_now(ground *g)
{
    fm_mav_heartbeat h;
    catch_up(g);
    HEAR(g, heartbeat, HEARTBEAT, &h);
    return h;
}

/* Position after this many seconds of simulated time. */
static fm_mav_local_position_ned position_after(ground *g, double seconds)
{
    fm_mav_local_position_ned p = position_now(g);
    const double until = p.time_boot_ms * 1e-3 + seconds;
    while (p.time_boot_ms * 1e-3 < until)
        HEAR(g, local_position_ned, LOCAL_POSITION_NED, &p);
    return p;
}

static double distance_from(const fm_mav_local_position_ned *p, double north, double east)
{
    return hypot((double)p->x - north, (double)p->y - east);
}

static void expect_text(ground *g, const char *words)
{
    char all[256] = "";
    fm_mav_statustext t;
    do {
        HEAR(g, statustext, STATUSTEXT, &t);
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s", t.text);
    } while (t.id != 0 && strlen(t.text) == 50);
    if (!strstr(all, words))
        fail_msg("'%s' is not in '%s'", words, all);
}

/* --- guided --- */

static void guide_to(ground *g, float north, float east, float down)
{
    TELL(g, set_position_target_local_ned, .x = north, .y = east, .z = down, .type_mask = 0xDF8, .target_system = 1,
         .target_component = 1, .coordinate_frame = 1);
}

static void a_guided_vehicle_goes_north_west_and_down_and_hovers_there(void **state)
{
    outside o;
    (void)state;
    ground g = begin_flight(&o, "mavlink_guided", rov, 20, "");
    assert_int_equal(COMMAND(&g, SET_MODE, .param1 = 1, .param2 = GUIDED), 0);
    assert_int_equal(COMMAND(&g, ARM, .param1 = 1), 0);
    fm_mav_heartbeat h = heartbeat_now(&g);
    assert_int_equal(h.custom_mode, GUIDED);
    assert_int_equal(h.base_mode & 128, 128);
    guide_to(&g, 12, -8, 9);
    fm_mav_local_position_ned p = position_after(&g, 90);
    assert_less(distance_from(&p, 12, -8), 0.5);
    assert_less(fabsf(p.z - 9), 0.3f);
    p = position_after(&g, 30); /* it stays, in a current */
    assert_less(distance_from(&p, 12, -8), 0.5);

    /* 10 m to the east of here and 3 m up, by latitude and longitude: at 63.44 degrees 1e-7 degrees are 4.99 mm */
    fm_mav_global_position_int at;
    HEAR(&g, global_position_int, GLOBAL_POSITION_INT, &at);
    TELL(&g, set_position_target_global_int, .lat_int = at.lat, .lon_int = at.lon + (int32_t)(10 / 4.99e-3), .alt = -6,
         .type_mask = 0xDF8, .target_system = 1, .target_component = 1, .coordinate_frame = 5);
    p = position_after(&g, 90);
    assert_less(distance_from(&p, 12, 2), 0.6);
    assert_less(fabsf(p.z - 6), 0.3f);

    /* 0.3 m/s to the south for as long as it is repeated, then it stops */
    for (int i = 0; i < 20; i++) {
        TELL(&g, set_position_target_local_ned, .vx = -0.3f, .type_mask = 0xDC7, .target_system = 1,
             .target_component = 1, .coordinate_frame = 1);
        position_after(&g, 1);
    }
    fm_mav_local_position_ned q = position_now(&g);
    assert_less(fabsf(q.vx + 0.3f), 0.1f);
    assert_less(q.x, p.x - 3);
    q = position_after(&g, 20);
    assert_less(fabsf(q.vx), 0.05f);

    /* without a position: here, as QGroundControl's "Pause" */
    assert_int_equal(
        COMMAND(&g, REPOSITION, .param1 = -1, .param2 = 1, .param4 = NAN, .param5 = NAN, .param6 = NAN, .param7 = NAN),
        0);

    /* HOLD stays here; a point is refused in it */
    assert_int_equal(COMMAND(&g, SET_MODE, .param1 = 1, .param2 = HOLD), 0);
    guide_to(&g, 50, 50, 5);
    expect_text(&g, "is in mode HOLD: must be GUIDED");
    p = position_now(&g);
    q = position_after(&g, 20);
    assert_less(distance_from(&q, (double)p.x, (double)p.y), 0.5);
    end_flight(&o, &g, "mavlink_guided");
}

/* A <station> and an autopilot that only hovers. */
static void a_vehicle_that_keeps_its_station_is_moved_to_another(void **state)
{
    outside o;
    fm_mav_heartbeat beat;
    ground g = open_ground();
    (void)state;
    begin_fathom(&o, "mavlink_station",
                 "run phoenix-hover --quiet --duration 2000 --speed 40 --log mavlink_station.mcap "
                 "--bridge \"mavlink port=%d\"",
                 g.port);
    HEAR(&g, heartbeat, HEARTBEAT, &beat);
    assert_int_equal(COMMAND(&g, SET_MODE, .param1 = 1, .param2 = GUIDED), 0);
    guide_to(&g, -6, 9, 7);
    fm_mav_local_position_ned p = position_after(&g, 150);
    assert_less(distance_from(&p, -6, 9), 0.5);
    assert_less(fabsf(p.z - 7), 0.3f);
    assert_int_equal(COMMAND(&g, SET_MODE, .param1 = 1, .param2 = AUTO), 0); /* the place of the file */
    p = position_after(&g, 150);
    assert_less(distance_from(&p, 0, 0), 0.5);
    end_flight(&o, &g, "mavlink_station");
}

/* DO_REPOSITION by COMMAND_INT takes a survey vehicle off its lanes; it circles the point, and AUTO goes on. */
static void a_vehicle_with_fins_circles_its_point_and_returns_to_its_waypoints(void **state)
{
    outside o;
    fm_mav_command_ack ack;
    fm_mav_global_position_int at;
    (void)state;
    ground g = begin_flight(&o, "mavlink_circle", auv, 60, "");
    HEAR(&g, global_position_int, GLOBAL_POSITION_INT, &at);
    fm_mav_local_position_ned p = position_now(&g);
    assert_greater(p.vx, 1);
    TELL(&g, command_int, .command = REPOSITION, .target_system = 1, .target_component = 1, .frame = 5, .param1 = -1,
         .param2 = 1, .param3 = 20, .param4 = NAN, .x = 634400000 + 3600, .y = 104000000 + 12000, .z = -8);
    do
        HEAR(&g, command_ack, COMMAND_ACK, &ack);
    while (ack.command != REPOSITION);
    assert_int_equal(ack.result, 0);
    assert_int_equal(heartbeat_now(&g).custom_mode, GUIDED);
    position_after(&g, 120);
    for (int i = 0; i < 10; i++) { /* 3600e-7 degrees of latitude are 40.1 m, 12000e-7 of longitude 59.9 m */
        p = position_after(&g, 10);
        assert_less(fabs(distance_from(&p, 40.1, 59.9) - 20), 4);
        assert_less(fabsf(p.z - 8), 0.5f);
    }
    assert_int_equal(COMMAND(&g, SET_MODE, .param1 = 1, .param2 = AUTO), 0);
    p = position_after(&g, 90);
    assert_less(fabsf(p.z - 3), 0.5f);
    assert_less(fabsf(p.y), 20);
    assert_greater(p.vx, 1); /* north, to its first waypoint */
    end_flight(&o, &g, "mavlink_circle");
}

/* --- not armed, stopped --- */

static void a_vehicle_that_is_not_armed_takes_no_orders_to_move(void **state)
{
    outside o;
    (void)state;
    ground g = begin_flight(&o, "mavlink_safe", auv, 40, "");
    fm_mav_heartbeat h = heartbeat_now(&g);
    assert_int_equal(h.base_mode & 128, 128); /* its waypoints move it */
    assert_int_equal(h.custom_mode, AUTO);
    assert_int_equal(h.system_status, 4);
    assert_int_equal(COMMAND(&g, ARM, .param1 = 0), 0);
    h = heartbeat_now(&g);
    assert_int_equal(h.base_mode & 128, 0);
    assert_int_equal(h.system_status, 3);
    assert_less(position_after(&g, 60).vx, 0.3f); /* it has lost its way */
    assert_int_equal(COMMAND(&g, SET_MODE, .param1 = 1, .param2 = GUIDED), 0);
    assert_int_equal(COMMAND(&g, REPOSITION, .param1 = -1, .param4 = NAN, .param5 = 63.4403f, .param6 = 10.4f), LATER);
    expect_text(&g, "'auv' is not armed");
    guide_to(&g, 100, 100, 5);
    expect_text(&g, "'auv' is not armed");
    assert_less(position_after(&g, 20).vx, 0.3f);
    assert_int_equal(COMMAND(&g, ARM, .param1 = 3), DENIED);
    assert_int_equal(COMMAND(&g, SET_MODE, .param1 = 1, .param2 = 99), DENIED);
    assert_int_equal(COMMAND(&g, SET_MODE, .param1 = 157, .param2 = 4, .param3 = 3), DENIED); /* PX4's LOITER */
    assert_int_equal(COMMAND(&g, ARM, .param1 = 1), 0);
    guide_to(&g, 300, 100, 5);
    assert_greater(position_after(&g, 30).vx, 0.5f);
    end_flight(&o, &g, "mavlink_safe");
}

static void a_stopped_run_is_not_armed(void **state)
{
    outside o;
    fm_mav_heartbeat h;
    ground g = open_ground();
    (void)state;
    write_file("mavlink_stopped.xml", auv);
    begin_fathom(&o, "mavlink_stopped", "serve mavlink_stopped.xml --port %d --stopped --bridge \"mavlink port=%d\"",
                 free_port(SOCK_DGRAM), g.port);
    HEAR(&g, heartbeat, HEARTBEAT, &h);
    assert_int_equal(h.base_mode & 128, 0);
    assert_int_equal(h.system_status, 3);
    assert_int_equal(COMMAND(&g, ARM, .param1 = 0), 0);
    assert_int_equal(COMMAND(&g, ARM, .param1 = 1), LATER);
    expect_text(&g, "the run is stopped");
    catch_up(&g);
    kill(o.child, SIGINT);
    do /* its last one */
        HEAR(&g, heartbeat, HEARTBEAT, &h);
    while (h.system_status == 3);
    assert_int_equal(h.system_status, 7);
    assert_int_equal(h.base_mode & 128, 0);
    end_fathom(&o, NULL);
    close(g.fd);
}

/* --- sticks --- */

static fm_mav_attitude attitude_now(ground *g)
{
    fm_mav_attitude a;
    catch_up(g);
    HEAR(g, attitude, ATTITUDE, &a);
    return a;
}

/* Sticks for some seconds of simulated time. */
static void move_sticks(ground *g, const fm_mav_manual_control *m, double seconds)
{
    uint8_t bytes[FM_MAV_MOST];
    fm_mav_local_position_ned p = position_now(g);
    const double until = p.time_boot_ms * 1e-3 + seconds;
    while (p.time_boot_ms * 1e-3 < until) {
        tell_frame(g, bytes, fm_mav_manual_control_write(&g->sender, m, bytes));
        HEAR(g, local_position_ned, LOCAL_POSITION_NED, &p);
    }
}

static void sticks_take_over_from_the_autopilot_and_are_centred_when_they_fall_silent(void **state)
{
    outside o;
    (void)state;
    ground g = begin_flight(&o, "mavlink_sticks", auv, 6, "");
    assert_int_equal(COMMAND(&g, SET_MODE, .param1 = 1, .param2 = MANUAL), 0);
    const float yaw = attitude_now(&g).yaw;
    move_sticks(&g, &(fm_mav_manual_control){.x = 1000, .r = 400, .target = 1}, 8);
    fm_mav_attitude a = attitude_now(&g);
    const float turned = (float)remainder((double)(a.yaw - yaw), 2 * 3.14159265358979);
    assert_greater(turned, 0.2f); /* to starboard */
    assert_greater(a.yawspeed, 0.02f);
    const float depth = position_now(&g).z;
    move_sticks(&g, &(fm_mav_manual_control){.x = 1000, .z = -600, .target = 1}, 8);
    assert_greater(position_now(&g).z, depth + 0.5f); /* down */
    expect_text(&g, "no MANUAL_CONTROL");
    fm_mav_local_position_ned p = position_after(&g, 30);
    assert_less(hypotf(p.vx, p.vy), 0.5f); /* the propeller is at rest */
    assert_int_equal(COMMAND(&g, SET_MODE, .param1 = 1, .param2 = AUTO), 0);
    TELL(&g, manual_control, .x = -1000, .target = 1);
    expect_text(&g, "is in mode AUTO: must be MANUAL");
    p = position_after(&g, 20);
    assert_greater(hypotf(p.vx, p.vy), 1);
    end_flight(&o, &g, "mavlink_sticks");
}

/* --- missions --- */

static const fm_mav_mission_item_int course[] = {
    {.command = 178, .frame = 2, .param1 = 0, .param2 = 1.5f, .param3 = -1, .seq = 0},
    {.command = 16, .frame = 6, .x = 634405013, .y = 104000021, .z = -4, .param4 = NAN, .seq = 1},
    {.command = 206, .frame = 2, .param1 = 5, .seq = 2}, /* a camera, which is skipped */
    {.command = 16, .frame = 3, .x = 634405017, .y = 104010007, .z = -6, .param4 = NAN, .seq = 3},
    {.command = 20, .frame = 2, .seq = 4},
};
enum { ITEMS = sizeof course / sizeof *course };

/* Returns MAV_MISSION_RESULT. */
static int send_mission(ground *g, const fm_mav_mission_item_int *items, unsigned count)
{
    fm_mav_mission_ack ack;
    fm_mav_mission_request_int r;
    uint8_t bytes[FM_MAV_MOST];
    TELL(g, mission_count, .count = (uint16_t)count, .target_system = 1, .target_component = 1);
    for (unsigned i = 0; i < count; i++) {
        HEAR(g, mission_request_int, MISSION_REQUEST_INT, &r);
        assert_int_equal(r.seq, i);
        assert_int_equal(r.target_system, 255);
        fm_mav_mission_item_int item = items[i];
        item.target_system = item.target_component = item.autocontinue = 1;
        if (i == 2) /* lost once: it is requested again */
            HEAR(g, mission_request_int, MISSION_REQUEST_INT, &r);
        assert_int_equal(r.seq, i);
        tell_frame(g, bytes, fm_mav_mission_item_int_write(&g->sender, &item, bytes));
    }
    HEAR(g, mission_ack, MISSION_ACK, &ack);
    return ack.type;
}

static fm_mav_mission_item_int fetch_item(ground *g, unsigned seq)
{
    fm_mav_mission_item_int item;
    TELL(g, mission_request_int, .seq = (uint16_t)seq, .target_system = 1, .target_component = 1);
    HEAR(g, mission_item_int, MISSION_ITEM_INT, &item);
    assert_int_equal(item.seq, seq);
    return item;
}

static unsigned fetch_count(ground *g, unsigned kind)
{
    fm_mav_mission_count count;
    TELL(g, mission_request_list, .target_system = 1, .target_component = 1, .mission_type = (uint8_t)kind);
    HEAR(g, mission_count, MISSION_COUNT, &count);
    assert_int_equal(count.mission_type, kind);
    return count.count;
}

static void a_mission_goes_up_and_down_unchanged_and_is_flown(void **state)
{
    outside o;
    fm_mav_mission_item_reached r;
    fm_mav_mission_current now;
    (void)state;
    ground g = begin_flight(&o, "mavlink_mission", auv, 10, "");
    assert_int_equal(fetch_count(&g, 0), 3); /* its own: a speed and two waypoints; 500 m north are 0.0044856 degrees */
    fm_mav_mission_item_int own = fetch_item(&g, 1);
    assert_less(abs(own.x - 634444856), 100);
    assert_less(abs(own.y - 104000000), 1);
    assert_same(own.z, -3);
    assert_int_equal(COMMAND(&g, ARM, .param1 = 0), 0);
    assert_int_equal(send_mission(&g, course, ITEMS), 0);
    assert_int_equal(fetch_count(&g, 0), ITEMS);
    for (unsigned i = 0; i < ITEMS; i++) {
        fm_mav_mission_item_int item = fetch_item(&g, i);
        assert_int_equal(item.x, course[i].x);
        assert_int_equal(item.y, course[i].y);
        assert_int_equal(item.command, course[i].command);
        assert_int_equal(item.frame, course[i].frame);
        assert_same(item.z, course[i].z);
        assert_same(item.param2, course[i].param2);
    }
    assert_int_equal(COMMAND(&g, ARM, .param1 = 1), 0);
    assert_int_equal(COMMAND(&g, 300, .param1 = 0), 0);
    static const struct {
        unsigned seq;
        double north, east, down;
    } reached[] = {{1, 55.85, 0.1, 4}, {3, 55.85, 50, 6}, {4, 0, 0, 6}};
    for (int i = 0; i < 3; i++) {
        HEAR(&g, mission_item_reached, MISSION_ITEM_REACHED, &r);
        assert_int_equal(r.seq, reached[i].seq);
        fm_mav_local_position_ned p;
        HEAR(&g, local_position_ned, LOCAL_POSITION_NED, &p);
        assert_less(distance_from(&p, reached[i].north, reached[i].east), 4);
        assert_less(fabs((double)p.z - reached[i].down), 1.5);
    }
    do
        HEAR(&g, mission_current, MISSION_CURRENT, &now);
    while (now.mission_state != 5);
    assert_int_equal(now.total, ITEMS);
    /* from another item on */
    TELL(&g, mission_set_current, .seq = 3, .target_system = 1, .target_component = 1);
    HEAR(&g, mission_item_reached, MISSION_ITEM_REACHED, &r);
    assert_int_equal(r.seq, 3);
    assert_int_equal(fetch_count(&g, 0), ITEMS);
    TELL(&g, mission_clear_all, .target_system = 1, .target_component = 1);
    fm_mav_mission_ack ack;
    HEAR(&g, mission_ack, MISSION_ACK, &ack);
    assert_int_equal(ack.type, 0);
    assert_int_equal(fetch_count(&g, 0), 0);
    end_flight(&o, &g, "mavlink_mission");
}

static void a_mission_that_cannot_be_flown_is_refused_and_the_old_one_stays(void **state)
{
    outside o;
    (void)state;
    ground g = begin_flight(&o, "mavlink_refused", auv, 4, "");
    fm_mav_mission_item_int items[3] = {course[1], course[1], course[1]};
    for (int i = 0; i < 3; i++)
        items[i].seq = (uint16_t)i;
    items[1].command = 22; /* a take-off */
    assert_int_equal(send_mission(&g, items, 2), 3);
    expect_text(&g, "item 1: command 22 (NAV_TAKEOFF)");
    items[1].command = 16;
    items[1].frame = 10; /* heights above the terrain */
    assert_int_equal(send_mission(&g, items, 2), 3);
    expect_text(&g, "frame 10");
    items[1].frame = 3;
    items[1].param1 = 10; /* fins cannot hold a place */
    assert_int_equal(send_mission(&g, items, 2), 5);
    expect_text(&g, "to be held for 10 s");
    assert_int_equal(fetch_count(&g, 0), 3);
    assert_less(abs(fetch_item(&g, 1).x - 634444856), 100);
    fm_mav_mission_ack ack;
    TELL(&g, mission_item, .seq = 0, .target_system = 1, .target_component = 1);
    HEAR(&g, mission_ack, MISSION_ACK, &ack);
    assert_int_equal(ack.type, 3);
    TELL(&g, mission_write_partial_list, .target_system = 1, .target_component = 1);
    HEAR(&g, mission_ack, MISSION_ACK, &ack);
    assert_int_equal(ack.type, 3);
    TELL(&g, mission_count, .count = 2, .target_system = 1, .target_component = 1, .mission_type = 1);
    HEAR(&g, mission_ack, MISSION_ACK, &ack);
    assert_int_equal(ack.type, 3);
    assert_int_equal(ack.mission_type, 1);
    TELL(&g, mission_request_int, .seq = 77, .target_system = 1, .target_component = 1);
    HEAR(&g, mission_ack, MISSION_ACK, &ack);
    assert_int_equal(ack.type, 13);
    end_flight(&o, &g, "mavlink_refused");
}

/* --- parameters, questions --- */

static fm_mav_param_value parameter(ground *g, const char *name)
{
    fm_mav_param_value v;
    fm_mav_param_request_read r = {.param_index = -1, .target_system = 1, .target_component = 1};
    uint8_t bytes[FM_MAV_MOST];
    snprintf(r.param_id, sizeof r.param_id, "%s", name);
    tell_frame(g, bytes, fm_mav_param_request_read_write(&g->sender, &r, bytes));
    HEAR(g, param_value, PARAM_VALUE, &v);
    assert_string_equal(v.param_id, name);
    return v;
}

static void parameters_are_listed_read_and_set_within_their_limits(void **state)
{
    outside o;
    fm_mav_param_value v;
    (void)state;
    ground g = begin_flight(&o, "mavlink_params", auv, 4, "");
    TELL(&g, param_request_list, .target_system = 1, .target_component = 1);
    HEAR(&g, param_value, PARAM_VALUE, &v);
    const unsigned count = v.param_count;
    assert_greater(count, 50);
    char(*names)[17] = calloc(count, sizeof *names);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(v.param_index, i);
        memcpy(names[i], v.param_id, 17);
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(names[k], names[i]);
        if (i + 1 < count)
            HEAR(&g, param_value, PARAM_VALUE, &v);
    }
    free(names);
    assert_same(parameter(&g, "SIM_RATE_HZ").param_value, 50);
    assert_same(parameter(&g, "WAYPOINTS_RADIUS").param_value, 3);
    TELL(&g, param_set, .param_value = 4.25f, .target_system = 1, .target_component = 1, .param_id = "WAYPOINTS_RADIUS",
         .param_type = 9);
    HEAR(&g, param_value, PARAM_VALUE, &v);
    assert_same(v.param_value, 4.25f);
    position_after(&g, 1);
    assert_same(parameter(&g, "WAYPOINTS_RADIUS").param_value, 4.25f);
    fm_mav_param_error e;
    TELL(&g, param_set, .param_value = -5, .target_system = 1, .target_component = 1, .param_id = "WAYPOINTS_RADIUS",
         .param_type = 9);
    HEAR(&g, param_error, PARAM_ERROR, &e);
    assert_int_equal(e.error, 2);
    assert_string_equal(e.param_id, "WAYPOINTS_RADIUS");
    expect_text(&g, "-5 is out of range: must be 0.01 to 100000 m");
    HEAR(&g, param_value, PARAM_VALUE, &v);
    assert_same(v.param_value, 4.25f);
    TELL(&g, param_set, .param_value = 1, .target_system = 1, .target_component = 1, .param_id = "SIM_RATE_HZ",
         .param_type = 9);
    expect_text(&g, "SIM_RATE_HZ is read-only");
    TELL(&g, param_request_read, .param_index = -1, .target_system = 1, .target_component = 1, .param_id = "NONE");
    expect_text(&g, "no parameter NONE");
    end_flight(&o, &g, "mavlink_params");
}

static void every_question_has_an_answer(void **state)
{
    outside o;
    fm_mav_timesync t;
    fm_mav_file_transfer_protocol f;
    fm_mav_command_ack ack;
    fm_mav_available_modes modes;
    (void)state;
    ground g = begin_flight(&o, "mavlink_answers", rov, 1, "");
    TELL(&g, timesync, .ts1 = 123456789012);
    HEAR(&g, timesync, TIMESYNC, &t);
    assert_int_equal(t.ts1, 123456789012);
    assert_greater(t.tc1, 0);
    TELL(&g, file_transfer_protocol, .target_system = 1, .target_component = 1, .payload = {7, 0, 0, 4});
    HEAR(&g, file_transfer_protocol, FILE_TRANSFER_PROTOCOL, &f);
    assert_int_equal(f.payload[0], 8);   /* its sequence number, one more */
    assert_int_equal(f.payload[3], 129); /* NAK */
    assert_int_equal(f.payload[5], 4);
    assert_int_equal(f.payload[12], 7); /* unknown command */
    fm_mav_log_entry logs;
    TELL(&g, log_request_list, .end = 0xFFFF, .target_system = 1, .target_component = 1);
    HEAR(&g, log_entry, LOG_ENTRY, &logs);
    assert_int_equal(logs.num_logs, 0);
    TELL(&g, rc_channels_override, .chan1_raw = 1500, .target_system = 1, .target_component = 1);
    expect_text(&g, "RC_CHANNELS_OVERRIDE is not supported");
    TELL(&g, command_int, .command = 22, .target_system = 1, .target_component = 1);
    HEAR(&g, command_ack, COMMAND_ACK, &ack);
    assert_int_equal(ack.command, 22);
    assert_int_equal(ack.result, UNSUPPORTED);
    assert_int_equal(COMMAND(&g, SET_MODE, .param1 = 1, .param2 = HOLD), 0);
    TELL(&g, set_mode, .custom_mode = MANUAL, .base_mode = 1, .target_system = 1);
    do
        HEAR(&g, command_ack, COMMAND_ACK, &ack);
    while (ack.command != 11);
    assert_int_equal(ack.result, 0);
    assert_int_equal(heartbeat_now(&g).custom_mode, MANUAL);
    assert_int_equal(COMMAND(&g, 512, .param1 = 435), 0);
    static const struct {
        const char *name;
        unsigned number;
    } known[] = {{"MANUAL", MANUAL}, {"GUIDED", GUIDED}, {"AUTO", AUTO}, {"HOLD", HOLD}};
    for (unsigned i = 0; i < 4; i++) {
        HEAR(&g, available_modes, AVAILABLE_MODES, &modes);
        assert_int_equal(modes.number_modes, 4);
        assert_int_equal(modes.mode_index, i + 1);
        assert_string_equal(modes.mode_name, known[i].name);
        assert_int_equal(modes.custom_mode, known[i].number);
    }
    /* waypoints it has none */
    assert_int_equal(fetch_count(&g, 0), 0);
    assert_int_equal(send_mission(&g, course, 2), 14);
    expect_text(&g, "'rov' has no <waypoints>");
    end_flight(&o, &g, "mavlink_answers");
}

/* --- several vehicles --- */

static void orders_name_one_of_several_vehicles(void **state)
{
    static const char two[] =
        "<fathom version='1'><world dt='0.02 s' duration='600 s' seed='1'/>"
        "<vehicle name='otter' model='otter'/><vehicle name='lauv' model='lauv' position='0 20 5 m'/></fathom>";
    outside o;
    fm_mav_heartbeat h;
    fm_mav_frame frame;
    fm_mav_command_ack ack;
    (void)state;
    ground g = begin_flight(&o, "mavlink_two", two, 4, "system=5");
    for (int seen = 0; seen != 3;) {
        assert_true(hear_frame(&g, FM_MAV_ID_HEARTBEAT, &frame, 10));
        fm_mav_heartbeat_read(&frame, &h);
        assert_int_equal(h.base_mode & 128, 0); /* nothing moves them */
        assert_int_equal(h.type, frame.system == 5 ? 11 : 12);
        assert_int_equal(h.custom_mode, frame.system == 5 ? 0 : 19);
        seen |= frame.system == 5 ? 1 : 2;
    }
    TELL(&g, command_long, .command = ARM, .param1 = 1);
    for (int i = 0; i < 2; i++) {
        HEAR(&g, command_ack, COMMAND_ACK, &ack);
        assert_int_equal(ack.result, DENIED);
    }
    TELL(&g, command_long, .command = ARM, .param1 = 1, .target_system = 5, .target_component = 1);
    assert_true(hear_frame(&g, FM_MAV_ID_COMMAND_ACK, &frame, 10));
    assert_int_equal(frame.system, 5);
    fm_mav_command_ack_read(&frame, &ack);
    assert_int_equal(ack.result, 0);
    /* without an autopilot it is not guided; the throttle of a boat is z */
    TELL(&g, command_long, .command = SET_MODE, .param1 = 1, .param2 = 15, .target_system = 5, .target_component = 1);
    HEAR(&g, command_ack, COMMAND_ACK, &ack);
    assert_int_equal(ack.result, DENIED);
    expect_text(&g, "has no <autopilot>");
    float speed = 0;
    for (int i = 0; i < 200; i++) {
        fm_mav_local_position_ned p;
        TELL(&g, manual_control, .z = 800, .target = 5);
        assert_true(hear_frame(&g, FM_MAV_ID_LOCAL_POSITION_NED, &frame, 10));
        fm_mav_local_position_ned_read(&frame, &p);
        if (frame.system == 6)
            assert_less(hypotf(p.vx, p.vy), 0.01f);
        else
            speed = p.vx;
    }
    assert_greater(speed, 0.5f);
    end_flight(&o, &g, "mavlink_two");
}

static void modes_have_the_numbers_of_px4_where_it_is_asked_for(void **state)
{
    outside o;
    (void)state;
    ground g = begin_flight(&o, "mavlink_numbers", auv, 4, "autopilot=px4");
    fm_mav_heartbeat h = heartbeat_now(&g);
    assert_int_equal(h.autopilot, 12);
    assert_int_equal(h.custom_mode, 0x04040000); /* AUTO, MISSION */
    assert_int_equal(COMMAND(&g, SET_MODE, .param1 = 157, .param2 = 4, .param3 = 3), 0);
    assert_int_equal(heartbeat_now(&g).custom_mode, 0x03040000); /* AUTO, LOITER */
    assert_int_equal(COMMAND(&g, SET_MODE, .param1 = 157, .param2 = 6), 0);
    assert_int_equal(heartbeat_now(&g).custom_mode, 0x00060000); /* OFFBOARD */
    assert_int_equal(COMMAND(&g, SET_MODE, .param1 = 157, .param2 = 2), DENIED);
    end_flight(&o, &g, "mavlink_numbers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guided_vehicle_goes_north_west_and_down_and_hovers_there),
        cmocka_unit_test(a_vehicle_that_keeps_its_station_is_moved_to_another),
        cmocka_unit_test(a_vehicle_with_fins_circles_its_point_and_returns_to_its_waypoints),
        cmocka_unit_test(a_vehicle_that_is_not_armed_takes_no_orders_to_move),
        cmocka_unit_test(a_stopped_run_is_not_armed),
        cmocka_unit_test(sticks_take_over_from_the_autopilot_and_are_centred_when_they_fall_silent),
        cmocka_unit_test(a_mission_goes_up_and_down_unchanged_and_is_flown),
        cmocka_unit_test(a_mission_that_cannot_be_flown_is_refused_and_the_old_one_stays),
        cmocka_unit_test(parameters_are_listed_read_and_set_within_their_limits),
        cmocka_unit_test(every_question_has_an_answer),
        cmocka_unit_test(orders_name_one_of_several_vehicles),
        cmocka_unit_test(modes_have_the_numbers_of_px4_where_it_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
