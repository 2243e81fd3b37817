/* The bridge to ArduPilot, met by a client that behaves as the SITL binary does. */
#include "net/sitl.h"

#define DT 0.0025

static const char rov[] = "<fathom version='1'><world dt='0.0025 s' duration='%s' seed='1'>"
                          "<water density='1000 kg/m3'/><bottom depth='30 m'/><wind velocity='3 4 0 m/s'/></world>"
                          "<vehicle name='rov' model='bluerov2' position='1 2 5 m' attitude='0 0 20 deg'>"
                          "<battery capacity='266 W*h' voltage='16 V' hotel='10 W'/><echosounder range='50 m'/>"
                          "</vehicle></fathom>";
static const char boat[] = "<fathom version='1'><world dt='0.01 s' duration='20 s' seed='1'/>"
                           "<vehicle name='otter' model='otter'/></fathom>";

static double heading(const sitl *s)
{
    const double *q = s->quaternion;
    return atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
}

static void begin_rov(outside *o, const char *name, const char *duration, int port, const char *more)
{
    char file[64], text[2048];
    snprintf(file, sizeof file, "%s.xml", name);
    snprintf(text, sizeof text, rov, duration);
    write_file(file, text);
    begin_fathom(o, name, "run %s --quiet --bridge \"ardupilot port=%d %s\" --log %s.mcap", file, port, more, name);
}

static void replays(const char *name)
{
    static program_run r;
    run_fathom(&r, "replay %s.mcap --verify", name);
    expect_run(&r, 0, "the same");
}

/* --- facts --- */

static void every_frame_is_one_step_and_the_log_replays(void **state)
{
    outside o;
    sitl s;
    int port = free_port(SOCK_DGRAM);
    (void)state;
    begin_rov(&o, "ardupilot_steps", "1 s", port, "");
    boot(&s, port, 400);
    for (int i = 1; i <= 400; i++) {
        if (i == 100) { /* down, motors 5 and 6 of ArduSub's vectored frame */
            s.servos.pwm[4] = s.servos.pwm[5] = 1700;
            drain(&s);
        }
        fly(&s);
        assert_nearer(s.time, i * DT, 1e-6);
    }
    assert_int_equal(end_fathom(&o, NULL), 0);
    assert_greater(s.velocity[2], 0.1);
    assert_greater(s.position[2], 5.02);
    assert_nearer(number(&s, "", "rng_1"), 30 - s.position[2], 0.1);
    assert_nearer(number(&s, "battery", "voltage"), 16, 0.01);
    assert_greater(number(&s, "battery", "current"), 10 / 16.0);
    assert_nearer(number(&s, "windvane", "speed"), 5, 0.5);
    replays("ardupilot_steps");
}

/* A pilot as ArduSub's depth and heading hold, mixed by its own factors, on the vehicle of six and that of eight. */
static void an_ardusub_holds_depth_and_heading(void **state)
{
    outside o;
    sitl s;
    int port = free_port(SOCK_DGRAM);
    (void)state;
    begin_rov(&o, "ardupilot_hold", "25 s", port, "");
    boot(&s, port, 50); /* eight steps of the world a frame */
    for (int i = 0; i < 1250; i++) {
        double throttle = fmax(-0.4, fmin(0.4, 0.5 * (s.position[2] - 6.5) + 1.0 * s.velocity[2]));
        double gyro[3] = {0}, error = i ? remainder(1.2 - heading(&s), 2 * acos(-1)) : 0;
        if (i)
            list(&s, "imu", "gyro", gyro, 3);
        double yaw = fmax(-0.3, fmin(0.3, 2 * error - 1.5 * gyro[2]));
        static const double turns[4] = {1, -1, -1, 1}; /* factors of yaw of motors 1 to 4 */
        for (int k = 0; k < 4; k++)
            s.servos.pwm[k] = (uint16_t)(1500 + 400 * yaw * turns[k]);
        s.servos.pwm[4] = s.servos.pwm[5] = (uint16_t)(1500 - 400 * throttle); /* their factor of throttle is −1 */
        fly(&s);
        if (i == 0)
            drain(&s);
        if (i != 0)
            assert_nearer(s.time, (i + 1) * 0.02, 1e-6);
    }
    assert_int_equal(end_fathom(&o, NULL), 0);
    assert_nearer(s.position[2], 6.5, 0.3);
    assert_nearer(heading(&s), 1.2, 0.1);
    replays("ardupilot_hold");
}

static void a_frame_that_is_sent_again_is_answered_without_a_step(void **state)
{
    outside o;
    sitl s;
    char line[2048], *told;
    int port = free_port(SOCK_DGRAM);
    (void)state;
    begin_rov(&o, "ardupilot_again", "0.05 s", port, "");
    boot(&s, port, 400);
    fly(&s);
    drain(&s);
    fly(&s);
    memcpy(line, s.line, sizeof line);
    s.servos.frame_count--;
    for (int i = 0; i < 5; i++) {
        send_servos(&s);
        assert_true(hear(&s, 5000));
        assert_string_equal(s.line, line);
    }
    s.servos.frame_count += 4; /* three frames were lost on the way: what comes is one step all the same */
    fly(&s);
    assert_nearer(s.time, 3 * DT, 1e-6);
    for (int i = 3; i < 20; i++)
        fly(&s);
    assert_int_equal(end_fathom(&o, &told), 0);
    assert_null(strstr(told, "drop"));
    free(told);
}

/* SITL is started again: its counter begins at 0, and so does the simulation. */
static void a_restart_of_sitl_begins_the_run_anew(void **state)
{
    outside o;
    sitl s;
    int port = free_port(SOCK_DGRAM);
    char *told;
    (void)state;
    begin_rov(&o, "ardupilot_restart", "0.5 s", port, "");
    boot(&s, port, 400);
    s.servos.pwm[4] = s.servos.pwm[5] = 1900;
    for (int i = 0; i < 150; i++)
        fly(&s);
    assert_greater(s.time, 0.3);
    assert_greater(s.position[2], 5.005);
    s.servos.frame_count = 0;
    fly(&s);
    assert_nearer(s.time, DT, 1e-6);
    assert_nearer(s.position[2], 5, 1e-4);
    for (int i = 1; i < 150; i++)
        fly(&s);
    assert_greater(s.position[2], 5.005); /* its motors were ordered again */
    for (int i = 150; i < 200; i++)
        fly(&s);
    assert_int_equal(end_fathom(&o, &told), 0);
    assert_non_null(strstr(told, "SITL has started again"));
    free(told);
    replays("ardupilot_restart");
}

static void a_run_may_go_on_when_sitl_begins_anew(void **state)
{
    outside o;
    sitl s;
    int port = free_port(SOCK_DGRAM);
    (void)state;
    begin_rov(&o, "ardupilot_go_on", "0.1 s", port, "restart=continue");
    boot(&s, port, 400);
    for (int i = 0; i < 20; i++)
        fly(&s);
    double time = s.time;
    s.servos.frame_count = 0;
    for (int i = 0; i < 20; i++)
        fly(&s);
    assert_nearer(s.time - time, 20 * DT, 1e-6);
    assert_int_equal(end_fathom(&o, NULL), 0);
}

static void a_paced_run_goes_on_alone_when_sitl_falls_silent(void **state)
{
    outside o;
    sitl s;
    int port = free_port(SOCK_DGRAM);
    char *told, text[2048];
    (void)state;
    snprintf(text, sizeof text, rov, "2 s");
    write_file("ardupilot_silent.xml", text);
    begin_fathom(&o, "ardupilot_silent",
                 "run ardupilot_silent.xml --realtime --quiet --log ardupilot_silent.mcap --bridge \"ardupilot port=%d "
                 "patience='0.4 s'\"",
                 port);
    boot(&s, port, 400);
    s.servos.pwm[4] = s.servos.pwm[5] = 1900;
    fly_frames(&s, 100);
    close(s.fd);
    assert_int_equal(end_fathom(&o, &told), 0);
    assert_non_null(strstr(told, "SITL has been silent for 0."));
    assert_non_null(strstr(told, "the run has reached its end at 2 s: the link to SITL is closed"));
    free(told);
    replays("ardupilot_silent"); /* with the orders that stopped its motors */
}

/* It has no pace but SITL's. What SITL sends after its silence is the next frame, as if there had been none. */
static void a_run_without_a_pace_waits_when_sitl_falls_silent(void **state)
{
    outside o;
    sitl s;
    int port = free_port(SOCK_DGRAM);
    char *told;
    (void)state;
    begin_rov(&o, "ardupilot_waits", "0.5 s", port, "patience='0.4 s'");
    boot(&s, port, 400);
    s.servos.pwm[4] = s.servos.pwm[5] = 1900;
    fly_frames(&s, 100);
    drain(&s);
    poll(NULL, 0, 1200); /* milliseconds: three times its patience */
    assert_int_equal(waitpid(o.child, NULL, WNOHANG), 0);
    fly(&s);
    assert_nearer(s.time, 101 * DT, 1e-6);
    fly_frames(&s, 99);
    assert_int_equal(end_fathom(&o, &told), 0);
    assert_non_null(strstr(told, "SITL has been silent for 0."));
    assert_non_null(strstr(told, ": the run waits for it"));
    assert_null(strstr(strstr(told, "the run waits for it") + 1, "the run waits for it")); /* once */
    free(told);
    replays("ardupilot_waits");
}

static void what_is_not_from_sitl_is_counted_and_changes_nothing(void **state)
{
    outside o;
    sitl s, other;
    int port = free_port(SOCK_DGRAM);
    struct sockaddr_in to = local_port(port);
    char *told;
    (void)state;
    begin_rov(&o, "ardupilot_noise", "0.05 s", port, "");
    boot(&s, port, 400);
    fly(&s);
    drain(&s);
    boot(&other, port, 400);
    fly(&s); /* it was heard just now: another is a stranger */
    send_servos(&other);
    for (int i = 0; i < 3; i++)
        sendto(other.fd, "hello, is anybody there", 23, 0, (struct sockaddr *)&to, sizeof to);
    sendto(other.fd, "\x1A\x48", 2, 0, (struct sockaddr *)&to, sizeof to);
    for (int i = 2; i < 20; i++) {
        fly(&s);
        assert_nearer(s.time, (i + 1) * DT, 1e-6);
    }
    assert_false(hear(&other, 50));
    assert_int_equal(end_fathom(&o, &told), 0);
    assert_non_null(strstr(told, "ardupilot/drop/magic: 3"));
    assert_non_null(strstr(told, "ardupilot/drop/length: 1"));
    assert_non_null(strstr(told, "ardupilot/drop/stranger: 1"));
    free(told);
}

/* ArduRover with two propellers, 32 channels, 50 Hz. */
static void a_rover_drives_ahead_and_turns(void **state)
{
    outside o;
    sitl s;
    int port = free_port(SOCK_DGRAM);
    (void)state;
    write_file("ardupilot_boat.xml", boat);
    begin_fathom(&o, "ardupilot_boat", "run ardupilot_boat.xml --quiet --bridge \"ardupilot port=%d\"", port);
    boot(&s, port, 50);
    s.servos.channels = 32;
    s.servos.pwm[0] = s.servos.pwm[2] = 1800; /* throttle left and right */
    for (int i = 0; i < 500; i++)
        fly(&s);
    assert_nearer(s.time, 10, 1e-6);
    assert_greater(s.position[0], 5);
    assert_nearer(s.position[1], 0, 0.1);
    assert_nearer(heading(&s), 0, 0.02);
    s.servos.pwm[2] = 1500;
    for (int i = 0; i < 500; i++)
        fly(&s);
    assert_greater(heading(&s), 0.5); /* to starboard, as port alone pushes */
    assert_int_equal(end_fathom(&o, NULL), 0);
}

/* The schedule of the scenario would drive it off at 1.4 m/s; a SITL that is not armed has its outputs at 0 or at rest,
 * and still owns every actuator. */
static void a_boat_with_a_schedule_stays_while_its_sitl_is_disarmed(void **state)
{
    static const char scheduled[] =
        "<fathom version='1'><world dt='0.01 s' duration='10 s' seed='1'/><vehicle name='otter' model='otter'>"
        "<orders><at t='0 s' port-propeller='60 rad/s' starboard-propeller='60 rad/s'/></orders></vehicle></fathom>";
    (void)state;
    write_file("ardupilot_rest.xml", scheduled);
    for (unsigned pwm = 0; pwm <= 1500; pwm += 1500) {
        outside o;
        sitl s;
        int port = free_port(SOCK_DGRAM);
        begin_fathom(&o, "ardupilot_rest", "run ardupilot_rest.xml --quiet --bridge \"ardupilot port=%d\"", port);
        boot(&s, port, 50);
        s.servos.pwm[0] = s.servos.pwm[2] = (uint16_t)pwm;
        for (int i = 0; i < 500; i++)
            fly(&s);
        if (fabs(s.position[0]) > 0.05 || fabs(s.velocity[0]) > 0.01)
            fail_msg("outputs at %u: it is at %g m with %g m/s", pwm, s.position[0], s.velocity[0]);
        end_fathom(&o, NULL);
    }
}

static void what_cannot_be_is_refused_before_the_run(void **state)
{
    static program_run r;
    (void)state;
    write_file("ardupilot_bad.xml", boat);
    run_fathom(&r, "run ardupilot_bad.xml --bridge \"ardupilot outputs=vectored\"");
    expect_run(&r, 1, "frame vectored: no thruster of 'otter' pushes as motor 1 does");
    run_fathom(&r, "run ardupilot_bad.xml --bridge \"ardupilot pulses='1500 1500 1900 us'\"");
    expect_run(&r, 1, "pulses of <bridge>: 1500 1500 1900 us are not in order: must be least, neutral, greatest");
    run_fathom(&r, "run ardupilot_bad.xml --bridge \"ardupilot address=nowhere\"");
    expect_run(&r, 1, "nowhere");
    run_fathom(&r, "run ardupilot_bad.xml --bridge \"ardupilot rate='10 Hz'\"");
    expect_run(&r, 1, "a bridge of kind 'ardupilot' has no attribute 'rate'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_is_one_step_and_the_log_replays),
        cmocka_unit_test(an_ardusub_holds_depth_and_heading),
        cmocka_unit_test(a_frame_that_is_sent_again_is_answered_without_a_step),
        cmocka_unit_test(a_restart_of_sitl_begins_the_run_anew),
        cmocka_unit_test(a_run_may_go_on_when_sitl_begins_anew),
        cmocka_unit_test(a_paced_run_goes_on_alone_when_sitl_falls_silent),
        cmocka_unit_test(a_run_without_a_pace_waits_when_sitl_falls_silent),
        cmocka_unit_test(what_is_not_from_sitl_is_counted_and_changes_nothing),
        cmocka_unit_test(a_rover_drives_ahead_and_turns),
        cmocka_unit_test(a_boat_with_a_schedule_stays_while_its_sitl_is_disarmed),
        cmocka_unit_test(what_cannot_be_is_refused_before_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
