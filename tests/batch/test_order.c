/* The parts of a vehicle run in file order, in lanes as in worlds: every order of several parts gives the same bytes.
 */
#define TABLES "order"
#include "batch/both.h"

#define MOST 4

static const char *lauv_parts[MOST] = {
    "<navigation attitude='imu' heading='compass imu' depth='depth' velocity='speed-log' period='0.04 s'/>",
    "<waypoints speed='1.3 m/s' lookahead='5 m' integral='0.1 1/s' radius='3 m'><waypoint position='6 0 4 "
    "m'/><waypoint "
    "position='6 9 3 m'/></waypoints>",
    "<autopilot steering='fins' design-speed='1.3 m/s'><heading order='20 deg' kp='1' ki='0.02 1/s' kd='1 s' limit='20 "
    "deg'/><depth order='5 m' kp='0.3 rad/m' ki='0.01 rad/m/s' kd='0.1 rad*s/m' limit='20 deg'/><pitch kp='1.5' "
    "ki='0.1 1/s' kd='0.5 s' limit='20 deg'/><speed order='1.2 m/s' kp='20 N*s/m' ki='2 N/m' feed='4 kg/m'/>"
    "</autopilot>",
    ("<mission period='0.1 s'><at t='1 s' heading='30 deg'/><at t='3 s' depth='3.5 m' speed='1 m/s'/></mission>"
     "<zigzag-test angle='8 deg' heading='3 deg' from='2 s' rudder='upper-rudder'/>")};

static const char lauv[] =
    "<fathom version='1'><world dt='0.02 s' duration='6 s'><bottom depth='25 m'/><current velocity='0.05 0.1 0 m/s'/>"
    "</world><vehicle name='v' model='lauv' position='0 0 3 m' velocity='1.3 0 0 m/s'><imu><gyro noise='0.05 deg/s'/>"
    "</imu><compass noise='0.5 deg'/><depth noise='1 cm'/><speed-log noise='2 cm/s'/>%s%s%s%s<turning-circle from='1 "
    "s'/></vehicle></fathom>";

static const char *remus_parts[MOST] = {
    "<avoid gain='2' altitude='3 m' zone='20 m' weight='1.3' sector='20 deg' reference-spacing='0.5 m'/>",
    "<bottom-following altitude='3 m' speed='1.54 m/s' poles='-0.6 -0.65 -0.7 1/s' sliding-rate='0.5 m/s' "
    "boundary-layer='1 m' late='2 s' reversal='1 deg'/>",
    "<mission><at t='1 s' depth='14 m' heading='10 deg'/><at t='3 s' altitude='4 m'/></mission>",
    "<autopilot steering='fins' design-speed='1.54 m/s'><heading order='0 deg' kp='1' kd='1 s' limit='10 deg'/><depth "
    "order='15 m' kp='0.3 rad/m' limit='5 deg'/><pitch kp='1.5' limit='10 deg'/><speed order='1.54 m/s' kp='20 N*s/m' "
    "ki='2 N/m' feed='1.62 kg/m'/></autopilot>"};

static const char remus[] =
    "<fathom version='1'><world dt='0.05 s' duration='8 s'><water density='1030 kg/m3'/><bottom depth='20 m'><mound "
    "height='3 m' centre='9 0 0 m' sigma='4 4 1 m'/></bottom></world><vehicle name='v' model='remus-100' position='0 0 "
    "16 m' velocity='1.54 0 0 m/s'><node-sonar range='40 m' spacing='0.5 m'/>%s%s%s%s</vehicle></fathom>";

/* --- */

typedef struct crowd {
    const char *scenario, *const *parts, *options;
    int refused, ran;
} crowd;

static void run_order(crowd *c, const int order[MOST])
{
    char text[8192];
    snprintf(text, sizeof text, c->scenario, c->parts[order[0]], c->parts[order[1]], c->parts[order[2]],
             c->parts[order[3]]);
    write_file("order.xml", text);
    run_fathom(&r, "check order.xml");
    if (r.status) { /* a file cannot have it */
        c->refused++;
        return;
    }
    same_by_lanes(c->options, "3");
    all_by_lanes(c->options);
    c->ran++;
}

static void run_every_order(crowd *c, int order[MOST], int placed)
{
    if (placed == MOST)
        run_order(c, order);
    for (int next = 0; next < MOST; next++) {
        int used = placed == MOST;
        for (int i = 0; i < placed; i++)
            used |= order[i] == next;
        if (used)
            continue;
        order[placed] = next;
        run_every_order(c, order, placed + 1);
    }
}

static void navigation_guides_autopilot_and_laws_run_in_every_order(void **unused)
{
    (void)unused;
    int order[MOST] = {0};
    crowd c = {lauv, lauv_parts, "order.xml --seed 3 --runs 2", 0, 0};
    run_every_order(&c, order, 0);
    assert_int_equal(c.ran, 24);
}

static void what_follows_the_bottom_runs_in_every_order(void **unused)
{
    (void)unused;
    int order[MOST] = {0};
    crowd c = {remus, remus_parts, "order.xml --vary '/v/position/z=15.5,16 m'", 0, 0};
    run_every_order(&c, order, 0);
    assert_int_equal(c.ran, 24);
}

/* The order matters: what comes later has the last word on an actuator, and only what comes earlier is followed. */
static void another_order_gives_another_track(void **unused)
{
    (void)unused;
    static const int orders[3][MOST] = {{0, 1, 2, 3}, {3, 0, 1, 2}, {2, 1, 0, 3}};
    char tables[3][32];
    crowd c = {lauv, lauv_parts, "order.xml --seed 3 --runs 2", 0, 0};
    for (int i = 0; i < 3; i++) {
        run_order(&c, orders[i]);
        snprintf(tables[i], sizeof tables[i], "order_%d.csv", i);
        run_shell(&r, "cp " TABLES "_lanes.csv %s", tables[i]);
        expect(0, "");
        for (int k = 0; k < i; k++) {
            run_shell(&r, "diff -q %s %s", tables[k], tables[i]);
            expect(1, "differ");
        }
    }
}

/* A <reflex> that feels a wall, with parts between and after those of its chain. */
static void parts_between_those_that_feel_walls_run_in_lanes_as_in_worlds(void **unused)
{
    (void)unused;
    static const char insert[] =
        "awk '{ if (/<hover-pd/) print \"<mission><at t=\\\"1 s\\\" depth=\\\"3.2 "
        "m\\\"/></mission><turning-circle/>\"; "
        "if (/<avoidance-record/) print \"<autopilot steering=\\\"thrusters\\\"><heading thrust-kp=\\\"6.5 N*m/rad\\\" "
        "thrust-kd=\\\"6.5 N*m*s/rad\\\"/><depth thrust-kp=\\\"50 N/m\\\" thrust-kd=\\\"100 kg/s\\\"/></autopilot>\"; "
        "print }' " FATHOM_SOURCE_DIR "/models/snookie.xml | sed 's/name=\"snookie\"/name=\"mixed\"/' > mixed.xml";
    run_shell(&r, "%s", insert);
    expect(0, "");
    write_file(
        "order.xml",
        "<fathom version='1'><world dt='0.02 s' duration='6 s'><wall name='quay' position='1.6 0 0 m' normal='-1 0 "
        "0'/></world><vehicle name='v' model='mixed' position='0 0 3 m' velocity='0.2 0 0 m/s'>"
        "<lateral-line noise='0.02 mV'/></vehicle></fathom>");
    same_by_lanes("order.xml --seed 3 --vary '/v/attitude/z=-10:10:10 deg'", "4");
    all_by_lanes("order.xml --seed 3 --vary '/v/attitude/z=-10:10:10 deg'");
}

/* Two parts with one metric would each keep it for themselves. */
static void two_laws_that_measure_the_same_are_left_to_worlds(void **unused)
{
    (void)unused;
    write_file("order.xml", "<fathom version='1'><world dt='0.02 s' duration='1 s'/><vehicle name='v' model='lauv' "
                            "position='0 0 3 m' velocity='1 0 0 m/s'><turning-circle name='a'/><turning-circle "
                            "name='b' from='1 s'/></vehicle></fathom>");
    run_fathom(&r, "sweep order.xml --runs 2 --csv - --backend simd");
    expect(1, "two of its controllers measure the same");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(navigation_guides_autopilot_and_laws_run_in_every_order),
        cmocka_unit_test(what_follows_the_bottom_runs_in_every_order),
        cmocka_unit_test(another_order_gives_another_track),
        cmocka_unit_test(parts_between_those_that_feel_walls_run_in_lanes_as_in_worlds),
        cmocka_unit_test(two_laws_that_measure_the_same_are_left_to_worlds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
