/* Vehicles flown by software outside, by the telemetry record of the NPS AUV and the hardware record of Snookie. */
#include "analysis/telemetry_line.h"
#include "base/units.h"
#include "server/telegram.h"

#include <arpa/inet.h>
#include <fathom/instrument.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "net/served.h"
#include "run/run_case.h"

static const char tank[] = "<fathom version='1'><world dt='0.05 s' duration='60 s' seed='1' gravity='32.174 ft/s2'>"
                           "<water density='1.94 slug/ft3'/></world>"
                           "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 3 m' velocity='2 0 0 ft/s'/>"
                           "</fathom>";

/* --- the record --- */

static void a_record_reads_back_what_it_writes(void **state)
{
    (void)state;
    fm_telegram record, again;
    char text[FM_TELEGRAM_TEXT];
    fm_error error = {0};
    static const char words[] = "t=12.3 delta_rb=-0.1 n_port=700 V_bow_lateral=-24 x= z=9.842519685039370";
    assert_int_equal(fm_telegram_read(FM_TELEGRAM_PHOENIX, words, strlen(words), &record, &error), FM_OK);
    size_t size = fm_telegram_write(FM_TELEGRAM_PHOENIX, &record, text, sizeof text);
    assert_int_equal(fm_telegram_read(FM_TELEGRAM_PHOENIX, text, size, &again, &error), FM_OK);
    assert_memory_equal(&record, &again, sizeof record);
    assert_null(strstr(text, "x=")); /* it lacks a value */
}

static void what_is_no_record_is_refused(void **state)
{
    (void)state;
    fm_telegram record;
    static const struct {
        const char *text, *words;
    } wrong[] = {{"t=1 rudder=3", "not a NAME=VALUE"},
                 {"t=1 n_port", "not a NAME=VALUE"},
                 {"t=nan", "t: 'nan' is invalid"},
                 {"t=1 V_stern_vertical=24.1", "must be a number -24 … 24"},
                 {"t=1 delta_rb=1.6", "delta_rb"},
                 {"t=1 x=1e999", "x: '1e999' is invalid"},
                 {"t=1 n_stbd=1e3x", "n_stbd: '1e3x' is invalid"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fm_error error = {0};
        assert_different(fm_telegram_read(FM_TELEGRAM_PHOENIX, wrong[i].text, strlen(wrong[i].text), &record, &error),
                         FM_OK);
        if (!strstr(error.text, wrong[i].words))
            fail_msg("'%s' does not say '%s'", error.text, wrong[i].words);
    }
}

/* --- Phoenix --- */

enum { PSI = 7, THETA = 6, Z = 4, Q = 18, R = 19, FIRST_ORDER = 26, EXCHANGES = 600 };

static double limit(double x, double most)
{
    return fmax(-most, fmin(most, x));
}

/* The on-board controller, in the units of the record: heading 0.8 rad by rudders, depth 16 ft by planes and tunnels.
 */
static void decide(const fm_telegram *now, double orders[10])
{
    const double *v = now->values;
    double rudder = limit(1.2 * remainder(0.8 - v[PSI], 2 * acos(-1)) - 1.5 * v[R], 0.4);
    double nose_up = limit(0.04 * (v[Z] - 16), 0.3), planes = limit(1.5 * (nose_up - v[THETA]) - 1.5 * v[Q], 0.4);
    const double all[10] = {rudder, -rudder, planes, -planes, 700, 690, limit(16 - v[Z], 24), limit(16 - v[Z], 24),
                            0,      0};
    memcpy(orders, all, sizeof all);
}

/* As software on board: every 0.1 s its orders and its clock, nothing else. */
static int fly_from_outside(int port, const char *file)
{
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int line = socket(AF_INET, SOCK_DGRAM, 0);
    FILE *track = fopen(file, "w");
    static char text[4096];
    fm_telegram now = {.given = 1};
    size_t count;
    const fm_telegram_field *fields = fm_telegram_fields(FM_TELEGRAM_PHOENIX, &count);
    if (connect(line, (struct sockaddr *)&to, sizeof to) != 0 || !track)
        return 1;
    for (int i = 0; i <= EXCHANGES; i++) {
        double orders[10] = {0};
        int used = snprintf(text, sizeof text, "t=%.17g", i * 0.1);
        if (i > 0)
            decide(&now, orders);
        for (int k = 0; i > 0 && k < 10; k++)
            used +=
                snprintf(text + used, sizeof text - (size_t)used, " %s=%.17g", fields[FIRST_ORDER + k].name, orders[k]);
        if (send(line, text, (size_t)used, 0) < 0)
            return 2;
        ssize_t size = recv(line, text, sizeof text, 0);
        if (size <= 0 || fm_telegram_read(FM_TELEGRAM_PHOENIX, text, (size_t)size, &now, NULL) != FM_OK)
            return 3;
        for (int k = 2; k < 26; k++)
            fprintf(track, "%.17g ", now.values[k]);
        fprintf(track, "\n");
    }
    return fclose(track);
}

/* The same controller within the process, and how far the two are apart at any moment in any variable. */
static double compare_with_inside(const char *file)
{
    fm_world *world = start(tank);
    FILE *track = fopen(file, "r");
    fm_error error = {0};
    size_t count;
    const fm_telegram_field *fields = fm_telegram_fields(FM_TELEGRAM_PHOENIX, &count);
    double worst = 0;
    assert_non_null(track);
    for (int i = 0; i <= EXCHANGES; i++) {
        fm_telegram now = {0};
        double orders[10], outside;
        fm_telegram_fill(FM_TELEGRAM_PHOENIX, world, 0, &now);
        for (int k = 2; k < 26; k++) {
            assert_int_equal(fscanf(track, "%lf", &outside), 1);
            worst = fmax(worst, fabs(outside - now.values[k]));
        }
        decide(&now, orders);
        for (int k = 0; k < 10; k++)
            assert_int_equal(fm_world_order(world, "phoenix", fields[FIRST_ORDER + k].actuator,
                                            orders[k] * fields[FIRST_ORDER + k].unit, &error),
                             FM_OK);
        step(world, 2);
    }
    fm_pose pose = pose_of(world, 0);
    near("heading", pose.euler[2], 0.8, 0.05); /* it follows its orders */
    near("depth, ft", pose.position[2] / 0.3048, 16, 1.5);
    fclose(track);
    finish(world);
    return worst;
}

static void phoenix_flies_from_outside_as_from_within(void **state)
{
    (void)state;
    static program_run r;
    int port = 0, status;
    fm_model *own = load(tank);
    fm_run *run = case_run(own, NULL);
    assert_well(fm_run_record(run, "record_loop.mcap", NULL, e));
    assert_well(fm_run_loop(run, &(fm_telegram_loop_options){.form = FM_TELEGRAM_PHOENIX}, &port, e));
    pid_t child = fork();
    if (child == 0)
        _exit(fly_from_outside(port, "record_loop.txt"));
    assert_well(fm_run_go(run, NULL, e));
    fm_run_free(run);
    fm_model_free(own);
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_same(WEXITSTATUS(status), 0);
    assert_less(compare_with_inside("record_loop.txt"), 1e-9);
    assert_int_equal(run_fathom(&r, "replay record_loop.mcap --verify"), 0);
}

/* Orders of Table 6.1 reach their actuators in its units; sensors that the record has are left as they are; a record
 * that comes again moves nothing. */
static int talk(int port)
{
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int line = socket(AF_INET, SOCK_DGRAM, 0);
    static char first[4096], again[4096];
    static const char order[] = "t=0.1 n_port=700 n_stbd=700 V_bow_vertical=12 delta_rb=0.1 z=77.5 phi=";
    if (connect(line, (struct sockaddr *)&to, sizeof to) != 0)
        return 1;
    send(line, "t=0", 3, 0);
    first[recv(line, first, sizeof first - 1, 0)] = 0;
    if (!strstr(first, " u=2 ") || !strstr(first, " z=9.8425196850393") || strstr(first, "n_port"))
        return 2;
    send(line, order, strlen(order), 0);
    first[recv(line, first, sizeof first - 1, 0)] = 0;
    send(line, order, strlen(order), 0);
    again[recv(line, again, sizeof again - 1, 0)] = 0;
    if (strcmp(first, again) != 0 || !strstr(first, " z=77.5 ") || !strstr(first, " phi=") ||
        !strstr(first, "n_port=700"))
        return 3;
    send(line, "t=100", 5, 0);
    again[recv(line, again, sizeof again - 1, 0)] = 0;
    if (!strstr(again, "s beyond the last record is out of range"))
        return 4;
    send(line, "hello", 5, 0);
    again[recv(line, again, sizeof again - 1, 0)] = 0;
    return strstr(again, "error: 'hello'") ? 0 : 5;
}

static void a_record_is_answered_in_its_own_units(void **state)
{
    (void)state;
    int port = 0, status = -1;
    fm_model *own = load(tank);
    fm_run *run = case_run(own, NULL);
    assert_well(fm_run_loop(run, &(fm_telegram_loop_options){.form = FM_TELEGRAM_PHOENIX}, &port, e));
    pid_t child = fork();
    if (child == 0)
        _exit(talk(port));
    double wait;
    while (waitpid(child, &status, WNOHANG) == 0)
        assert_well(fm_run_advance(run, 0, &wait, e));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    const fm_world *world = fm_run_world(run);
    assert_int_equal(fm_world_tick(world), 2);
    near("rad/s", column_of(world, 0, "port-propeller"), 700 * 2 * acos(-1) / 60, 1e-9);
    near("V", column_of(world, 0, "bow-vertical"), 12, 1e-12);
    near("rad", column_of(world, 0, "bow-rudder"), 0.1, 1e-12);
    fm_run_free(run);
    fm_model_free(own);
}

static void a_vehicle_without_these_actuators_is_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_model *own = load(tank);
    fm_run *run = case_run(own, NULL);
    assert_int_equal(fm_run_loop(run, &(fm_telegram_loop_options){.form = FM_TELEGRAM_SNOOKIE}, NULL, &error),
                     FM_ERR_MODEL);
    assert_non_null(strstr(error.text, "no actuator 'port-upper'"));
    fm_run_free(run);
    fm_model_free(own);
}

/* --- Snookie --- */

#define BODY                                                                                                           \
    "<fathom version='1'><world dt='0.005 s' duration='20 s' seed='1' gravity='9.81 m/s2'>"                            \
    "<water density='1000 kg/m3'/></world>"                                                                            \
    "<vehicle name='snookie' position='0 0 3 m' attitude='0 0 90 deg' velocity='0.1 0 0 m/s' coriolis='full' "         \
    "length='0.74 m' width='0.25 m' height='0.25 m'>"                                                                  \
    "<mass mass='32.2340 kg' centre='0 0 0.01 m' inertia='0.239045 1.305337 1.305337 kg*m2' about='centre'/>"          \
    "<spheroid length='0.74 m' diameter='0.25 m'/>"                                                                    \
    "<drag X_u_absu='-7.3631 N*s2/m2' Y_across_v='-25.738 N*s2/m2' Z_across_w='-25.738 N*s2/m2'/>" MOTOR(              \
        "port-upper", "-0.10 -0.16 -0.10", "1 0 0") MOTOR("port-lower", "-0.10 -0.16 0.10", "1 0 0")                   \
        MOTOR("starboard-upper", "-0.10 0.16 -0.10", "1 0 0") MOTOR("starboard-lower", "-0.10 0.16 0.10", "1 0 0")     \
            MOTOR("port-vertical", "0 -0.16 0", "0 0 1")                                                               \
                MOTOR("starboard-vertical", "0 0.16 0", "0 0 1") "<hull kind='capsule' size='0.74 0.25 0.25 m'/>"
#define MOTOR(name, at, to) "<thruster name='" name "' position='" at " m' direction='" to "' thrust='7 N'/>"
#define PILOT                                                                                                          \
    "<imu-record/><hover-pd speed='0.2 m/s' depth='4 m' bearing='120 deg' feed-forward='7.3631 kg/m'>"                 \
    "<roll kp='2.180 N*m' kd='1.454 N*m*s'/><pitch kp='6.589 N*m' kd='6.589 N*m*s'/>"                                  \
    "<yaw kp='6.576 N*m' kd='6.576 N*m*s'/><depth kp='51.63 N/m' kd='103.26 kg/s'/></hover-pd>"
#define TAIL "</vehicle></fathom>"

static void write_text(const char *file, const char *text)
{
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* The last row of a table: t, x, y, z, phi, theta, psi … */
static void last_row(const char *file, double row[13])
{
    static char line[8192], kept[8192];
    FILE *in = fopen(file, "r");
    assert_non_null(in);
    while (fgets(line, sizeof line, in))
        memcpy(kept, line, sizeof kept);
    fclose(in);
    char *at = kept;
    for (int i = 0; i < 13; i++, at++)
        row[i] = strtod(at, &at);
}

/* The controller is a program in Python that sees depth, angles and rates alone. */
static void snookie_flies_by_its_hardware_record_as_by_its_own_controller(void **state)
{
    (void)state;
    static program_run r;
    double inside[13], outside[13];
    write_text("record_snookie_own.xml", BODY PILOT TAIL);
    write_text("record_snookie_bare.xml", BODY TAIL);
    assert_int_equal(run_fathom(&r, "run record_snookie_own.xml --quiet --csv record_snookie_own"), 0);
    run_shell(&r,
              "rm -f record_port; %s run record_snookie_bare.xml --quiet --hardware-loop 0 --csv record_snookie_bare "
              "2>record_port & "
              "for i in $(seq 200); do grep -q port record_port 2>/dev/null && break; sleep 0.05; done; "
              "python3 %s/tests/net/snookie_controller.py $(sed 's/.*port //' record_port) 20 4 %.17g 0.2; "
              "code=$?; wait; exit $code",
              FATHOM_PROGRAM, FATHOM_SOURCE_DIR, 120 * acos(-1) / 180);
    if (r.status != 0)
        fail_msg("the controller ended with %d: %s%s", r.status, r.out, r.err);
    last_row("record_snookie_own/snookie.csv", inside);
    last_row("record_snookie_bare/snookie.csv", outside);
    assert_same(inside[0], 20);
    assert_same(outside[0], 20);
    near("depth that was asked for", inside[3], 4, 0.05);
    for (int i = 1; i < 13; i++)
        near("inside and outside", outside[i], inside[i], 1e-6);
}

/* The same loop in a server, by its settings; the log is of the server's run. */
static void a_server_advances_by_hardware_records_too(void **state)
{
    (void)state;
    static program_run r;
    char text[4096];
    snprintf(text, sizeof text, "%s</vehicle><server hardware-loop='%d'/></fathom>", BODY,
             20000 + (int)getpid() % 20000);
    write_text("record_snookie_served.xml", text);
    run_shell(&r,
              "rm -f record_port; %s serve record_snookie_served.xml --quiet --port 0 --duration 20 --log "
              "record_snookie_served.mcap 2>record_port & "
              "for i in $(seq 200); do grep -q port record_port 2>/dev/null && break; sleep 0.05; done; "
              "python3 %s/tests/net/snookie_controller.py $(sed 's/.*port //' record_port) 20 4 %.17g 0.2; "
              "code=$?; wait; exit $code",
              FATHOM_PROGRAM, FATHOM_SOURCE_DIR, 120 * acos(-1) / 180);
    if (r.status != 0)
        fail_msg("the controller ended with %d: %s%s", r.status, r.out, r.err);
    assert_int_equal(run_fathom(&r, "replay record_snookie_served.mcap --verify"), 0);
    assert_non_null(strstr(r.out, "the same"));
}

/* Phoenix flown by the record of Table 6.1 through a server, another process, while a client watches: as from within.
 */
static void a_server_advances_by_telemetry_records_too(void **state)
{
    (void)state;
    static program_run r;
    static served server;
    char said[256] = "";
    int port = 0;
    write_text("record_served.xml", tank);
    unlink("record_served_port");
    serve(&server, "record_served.xml --telemetry-loop 0 --duration 60 --log record_served.mcap 2>record_served_port");
    for (int i = 0; i < 400 && !port; i++) {
        FILE *in = fopen("record_served_port", "r");
        if (in && fgets(said, sizeof said, in) && strstr(said, "port "))
            port = atoi(strstr(said, "port ") + 5);
        if (in)
            fclose(in);
        usleep(25000);
    }
    assert_greater(port, 0);
    fm_caller *watch = call_as(&server, FM_WIRE_OBSERVER, "watch", "", FM_WIRE_NONE);
    assert_same(counter_of(watch, "time"), 0); /* nothing moves before the first record */
    assert_int_equal(fly_from_outside(port, "record_served.txt"), 0);
    fm_caller_drop(watch);
    assert_int_equal(end_of(&server), 0);
    assert_less(compare_with_inside("record_served.txt"), 1e-9);
    run_fathom(&r, "replay record_served.mcap --verify");
    expect_run(&r, 0, "the same");
}

/* --- what the instruments show --- */

/* A variable of a record, SI; NaN: it has no value, or is not there. */
static double variable(fm_telegram_form form, const fm_telegram *record, const char *name)
{
    size_t count;
    const fm_telegram_field *fields = fm_telegram_fields(form, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return record->given >> i & 1 ? record->values[i] * fields[i].unit : (double)NAN;
    fail_msg("the record has no %s", name);
    return NAN;
}

static double shown(const fm_world *world, const char *instrument, const char *field, size_t i)
{
    size_t number = (size_t)fm_world_instrument_find(world, 0, instrument);
    for (size_t k = 0; k < fm_world_instrument(world, 0, number).field_count; k++) {
        fm_sample sample = fm_world_instrument_field(world, 0, number, k);
        if (strcmp(sample.name, field) == 0)
            return ((const double *)sample.data)[i];
    }
    fail_msg("%s has no %s", instrument, field);
    return NAN;
}

static void the_telemetry_record_is_what_the_instruments_show(void **state)
{
    (void)state;
    fm_world *world = start_scenario("phoenix-telemetry", NULL);
    fm_telegram now = {0};
    char text[FM_TELEGRAM_TEXT];
    fm_error error = {0};
    assert_int_equal(fm_world_order(world, "phoenix", "port-propeller", 50, &error), FM_OK);
    step(world, 200);
    fm_telegram_fill(FM_TELEGRAM_PHOENIX, world, 0, &now);
    double z = variable(FM_TELEGRAM_PHOENIX, &now, "z"), truth = pose_of(world, 0).position[2];
    near("depth as the gauge shows it", z, shown(world, "depth", "value", 0), 1e-12);
    assert_between(1e-4, fabs(z - truth), 0.1); /* noise and bias */
    near("through the water", variable(FM_TELEGRAM_PHOENIX, &now, "u"), shown(world, "speed-log", "twist.linear.x", 0),
         1e-12);
    assert_greater(fabs(variable(FM_TELEGRAM_PHOENIX, &now, "v") - pose_of(world, 0).velocity[1]),
                   0.05); /* the current */
    near("shaft", variable(FM_TELEGRAM_PHOENIX, &now, "n_port_shaft"), shown(world, "port-shaft", "velocity", 0),
         1e-12);
    near("where the second sonar looks", variable(FM_TELEGRAM_PHOENIX, &now, "ST725_bearing"), acos(-1) / 6, 1e-12);
    assert_int_equal(fm_world_set(world, "/phoenix/depth/fault", 1, &error), FM_OK);
    step(world, 20);
    now = (fm_telegram){0};
    fm_telegram_fill(FM_TELEGRAM_PHOENIX, world, 0, &now);
    fm_telegram_write(FM_TELEGRAM_PHOENIX, &now, text, sizeof text);
    assert_true(isnan(variable(FM_TELEGRAM_PHOENIX, &now, "z")));
    assert_non_null(strstr(text, " z= ")); /* dead */
    finish(world);
}

static void the_hardware_record_has_the_voltages_of_the_lateral_line(void **state)
{
    (void)state;
    fm_world *world = start_scenario("snookie-hardware", NULL);
    fm_telegram now = {0};
    step(world, 100);
    fm_telegram_fill(FM_TELEGRAM_SNOOKIE, world, 0, &now);
    for (size_t i = 0; i < 8; i++) {
        char name[4] = {'V', (char)('1' + i), 0};
        double voltage = variable(FM_TELEGRAM_SNOOKIE, &now, name);
        near("voltage", voltage, shown(world, "lateral-line", "voltages", i), 1e-12);
        assert_greater(voltage, 0.1);
    }
    finish(world);
}

/* The example clients in processes of their own, against the shipped scenarios; what each prints. */
static void fly_example(program_run *r, const char *scenario, const char *loop, const char *client, int seconds)
{
    run_shell(r,
              "rm -f example_port; %s run %s/scenarios/%s.xml --quiet --%s 0 --duration %d 2>example_port & "
              "for i in $(seq 400); do grep -q port example_port 2>/dev/null && break; sleep 0.05; done; "
              "./%s $(sed 's/.*port //' example_port) %d; code=$?; wait; exit $code",
              FATHOM_PROGRAM, FATHOM_SOURCE_DIR, scenario, loop, seconds, client, seconds);
    if (r->status != 0)
        fail_msg("%s ended with %d: %s%s", client, r->status, r->out, r->err);
}

static void the_example_of_the_telemetry_loop_flies_phoenix_and_notices_the_dead_gauge(void **state)
{
    (void)state;
    static program_run r;
    double psi = 0, u = 0, port = 0, starboard = 0, echo = 0;
    fly_example(&r, "phoenix-telemetry", "telemetry-loop", "example_telemetry_loop", 60);
    assert_non_null(strstr(r.out, "40.1 s: the depth gauge shows nothing"));
    const char *last = strstr(r.out, "psi ");
    assert_non_null(last);
    assert_int_equal(sscanf(last, "psi %lf rad, u %lf ft/s through the water, shafts %lf and %lf rpm, nearest echo %lf",
                            &psi, &u, &port, &starboard, &echo),
                     5);
    near("heading", psi, 0.3, 0.06);
    near("shaft", port, 500, 10);
    near("shaft", starboard, 500, 10);
    assert_greater(u, 1);
    assert_less(echo, 60);
}

static void the_example_of_the_hardware_loop_turns_snookie_away_from_the_wall(void **state)
{
    (void)state;
    static program_run r;
    double depth = 0, yaw = 0;
    fly_example(&r, "snookie-hardware", "hardware-loop", "example_hardware_loop", 22);
    assert_non_null(strstr(r.out, "the lateral line feels a wall"));
    assert_non_null(strstr(r.out, " 1 walls felt"));
    const char *last = strstr(r.out, "depth ");
    assert_non_null(last);
    assert_int_equal(sscanf(last, "depth %lf m, yaw %lf", &depth, &yaw), 2);
    near("depth", depth, 3, 0.02);
    assert_between(1.5, yaw, 2.2);
}

/* Two tables list the dissertation's variables: that of the telemetry loop, and that of lines. */
static void the_loop_and_the_overlay_read_the_same_record(void **state)
{
    (void)state;
    static const char *const shared[] = {"x", "y", "z", "phi", "theta", "psi", "u", "v", "w", "p", "q", "r"};
    size_t count, found = 0;
    const fm_telegram_field *fields = fm_telegram_fields(FM_TELEGRAM_PHOENIX, &count);
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        for (size_t k = 0; k < count; k++)
            for (size_t n = 0; fm_telemetry_name_at(n); n++) {
                const fm_telemetry_name *name = fm_telemetry_name_at(n);
                fm_unit from, to;
                if (strcmp(fields[k].name, shared[i]) != 0 || strcmp(name->name, shared[i]) != 0)
                    continue;
                assert_int_equal(fm_unit_parse(name->unit, &from, NULL), FM_OK);
                assert_int_equal(fm_unit_parse(fm_kinematics_infos[name->quantity].unit, &to, NULL), FM_OK);
                assert_true(fm_unit_compatible(&from, &to));
                assert_near(fm_unit_convert(1, &from, &to), fields[k].unit, 1e-15);
                found++;
            }
    assert_int_equal(found, sizeof shared / sizeof *shared);
}

int main(void)
{
    const struct CMUnitTest facts[] = {
        cmocka_unit_test(the_telemetry_record_is_what_the_instruments_show),
        cmocka_unit_test(the_hardware_record_has_the_voltages_of_the_lateral_line),
        cmocka_unit_test(the_example_of_the_telemetry_loop_flies_phoenix_and_notices_the_dead_gauge),
        cmocka_unit_test(the_example_of_the_hardware_loop_turns_snookie_away_from_the_wall),
        cmocka_unit_test(the_loop_and_the_overlay_read_the_same_record),
        cmocka_unit_test(a_record_reads_back_what_it_writes),
        cmocka_unit_test(what_is_no_record_is_refused),
        cmocka_unit_test(phoenix_flies_from_outside_as_from_within),
        cmocka_unit_test(a_record_is_answered_in_its_own_units),
        cmocka_unit_test(a_vehicle_without_these_actuators_is_refused),
        cmocka_unit_test(snookie_flies_by_its_hardware_record_as_by_its_own_controller),
        cmocka_unit_test(a_server_advances_by_hardware_records_too),
        cmocka_unit_test(a_server_advances_by_telemetry_records_too),
    };
    return cmocka_run_group_tests(facts, NULL, NULL);
}
