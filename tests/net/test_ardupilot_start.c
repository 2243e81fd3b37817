/* What a user meets when starting ArduPilot: the command that the program prints, the parameter files beside the
 * scenarios, where the vehicles start, and warnings. */
#include "net/sitl.h"

#define SUB "<fathom version='1'><world dt='%s' duration='0.1 s'%s/><vehicle name='rov' model='bluerov2'/></fathom>"

/* A shipped scenario, flown at a free port. */
static void begin_shipped(outside *o, const char *name, const char *bridge, int port, const char *more)
{
    begin_fathom(o, name, "run %s --quiet --no-bridges --bridge \"ardupilot port=%d %s\" %s", name, port, bridge, more);
}

/* --- parameter files --- */

enum { OUTPUTS = 16 };

typedef struct parameters {
    char *text;
    int functions[OUTPUTS + 1]; /* of outputs, from 1; 0: none */
} parameters;

/* The value of a parameter; NaN: the file does not have it. */
static double value(const parameters *p, const char *name)
{
    size_t size = strlen(name);
    for (const char *line = p->text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, name, size) == 0 && line[size] == ' ')
            return atof(line + size);
    return NAN;
}

static double value_of_output(const parameters *p, const char *format, int output)
{
    char name[32];
    snprintf(name, sizeof name, format, output);
    return value(p, name);
}

/* Each line is empty, a comment, or a name of up to 16 characters and a number, as ArduPilot reads it. */
static void check_lines(const char *text)
{
    char copy[8192], *rest = copy, *line;
    snprintf(copy, sizeof copy, "%s", text);
    while ((line = strsep(&rest, "\n")) != NULL) {
        size_t name = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        char *end = line + name;
        if (*line == 0 || *line == '#')
            continue;
        if (name > 0 && name <= 16 && *end == ' ')
            strtod(line + name, &end);
        if (*end != 0 || end == line + name)
            fail_msg("'%s' is not a parameter", line);
    }
}

static void read_parameters(const char *scenario, parameters *p)
{
    char path[256];
    snprintf(path, sizeof path, FATHOM_SOURCE_DIR "/scenarios/%s.parm", scenario);
    *p = (parameters){.text = read_file(path, NULL)};
    check_lines(p->text);
    for (int i = 1; i <= OUTPUTS; i++) {
        double function = value_of_output(p, "SERVO%d_FUNCTION", i);
        p->functions[i] = isfinite(function) ? (int)function : 0;
    }
}

/* Sets the pulses of all outputs that have a function. */
static void set_pulses(sitl *s, const parameters *p, double pulse)
{
    for (int i = 1; i <= OUTPUTS; i++)
        s->servos.pwm[i - 1] = (uint16_t)(p->functions[i] ? pulse : 0);
}

/* Where a shipped scenario is after a second with these pulses at every output that has a function. */
static void fly_second(const char *scenario, const char *bridge, const parameters *p, double pulse, double velocity[3])
{
    outside o;
    sitl s;
    int port = free_port(SOCK_DGRAM);
    begin_shipped(&o, scenario, bridge, port, "--duration 1");
    boot(&s, port, 400);
    set_pulses(&s, p, pulse);
    while (s.time < 1 - 1e-9)
        fly(&s);
    memcpy(velocity, s.velocity, sizeof s.velocity);
    close(s.fd);
    end_fathom(&o, NULL);
}

/* The minimum and maximum are full command: more changes nothing, less does. The trim is none. */
static void check_pulses(const char *scenario, const char *bridge, const parameters *p)
{
    double least = value(p, "SERVO1_MIN"), trim = value(p, "SERVO1_TRIM"), most = value(p, "SERVO1_MAX");
    const double pairs[][2] = {{most, most + 60}, {least, least - 60}, {trim, 0}};
    for (int i = 1; i <= OUTPUTS; i++)
        if (p->functions[i]) {
            assert_same(value_of_output(p, "SERVO%d_MIN", i), least);
            assert_same(value_of_output(p, "SERVO%d_TRIM", i), trim);
            assert_same(value_of_output(p, "SERVO%d_MAX", i), most);
        }
    for (int i = 0; i < 3; i++) {
        double at[3], beyond[3], within[3];
        fly_second(scenario, bridge, p, pairs[i][0], at);
        fly_second(scenario, bridge, p, pairs[i][1], beyond);
        assert_memory_equal(at, beyond, sizeof at);
        fly_second(scenario, bridge, p, pairs[i][0] + (i == 0 ? -60 : 60), within);
        assert_memory_not_equal(at, within, sizeof at);
    }
}

static const struct {
    const char *scenario, *bridge, *frame;
    double frame_value;
    int functions[OUTPUTS + 1]; /* ArduPilot's: 33 … 40 motor 1 … 8, 73 throttle left, 74 throttle right */
} shipped[] = {
    {"ardupilot-bluerov2", "vehicle=rov outputs=vectored", "FRAME_CONFIG", 1, {0, 33, 34, 35, 36, 37, 38}},
    {"ardupilot-bluerov2-heavy",
     "vehicle=rov outputs=vectored-6dof",
     "FRAME_CONFIG",
     2,
     {0, 33, 34, 35, 36, 37, 38, 39, 40}},
    {"ardupilot-otter", "vehicle=otter outputs=skid-steering", "FRAME_CLASS", 2, {0, 73, 0, 74}},
};
enum { SHIPPED = sizeof shipped / sizeof *shipped };

static void every_parameter_file_fits_its_scenario(void **state)
{
    (void)state;
    for (int i = 0; i < SHIPPED; i++) {
        parameters p;
        char path[256], *scenario;
        read_parameters(shipped[i].scenario, &p);
        assert_same(value(&p, shipped[i].frame), shipped[i].frame_value);
        assert_memory_equal(p.functions, shipped[i].functions, sizeof p.functions);
        for (int k = 1; k <= OUTPUTS && i < 2; k++)
            if (p.functions[k])
                assert_same(value_of_output(&p, "MOT_%d_DIRECTION", k), 1);
        if (i < 2)
            assert_same(value(&p, "BARO_SPEC_GRAV"), 1.024);
        snprintf(path, sizeof path, FATHOM_SOURCE_DIR "/scenarios/%s.xml", shipped[i].scenario);
        scenario = read_file(path, NULL); /* what the bridge of the test replaces */
        if (!strstr(scenario, strstr(shipped[i].bridge, "outputs=") + 8))
            fail_msg("%s has other outputs than %s", path, shipped[i].bridge);
        assert_null(strstr(scenario, "pulses="));
        free(scenario);
        check_pulses(shipped[i].scenario, shipped[i].bridge, &p);
        free(p.text);
    }
}

/* For ten seconds, which is the time after which it warns. Its instruments are those that the file configures. */
static void with_the_outputs_of_its_file_nothing_is_missing(void **state)
{
    (void)state;
    for (int i = 0; i < SHIPPED; i++) {
        outside o;
        sitl s;
        parameters p;
        char *told;
        int port = free_port(SOCK_DGRAM);
        read_parameters(shipped[i].scenario, &p);
        begin_shipped(&o, shipped[i].scenario, shipped[i].bridge, port, "--duration 10.5");
        boot(&s, port, 400);
        set_pulses(&s, &p, 1500);
        while (s.time < 10.5 - 1e-9)
            fly(&s);
        double range = number(&s, "", "rng_1");
        assert_between(value(&p, "RNGFND1_MIN"), range, value(&p, "RNGFND1_MAX"));
        assert_same(value(&p, "RNGFND1_MAX_CM"), 100 * value(&p, "RNGFND1_MAX"));
        assert_same(value(&p, "RNGFND1_TYPE"), 100);
        assert_same(value(&p, "BATT_MONITOR"), 4);
        assert_greater(number(&s, "battery", "voltage"), 10);
        assert_int_equal(end_fathom(&o, &told), 0);
        if (strstr(told, "pulses") || strstr(told, "too long"))
            fail_msg("%s: %s", shipped[i].scenario, told);
        assert_non_null(strstr(told, "ardupilot: the run has reached its end at 10.5 s: the link to SITL is closed"));
        free(told);
        free(p.text);
    }
}

static void an_output_without_pulses_is_named_with_the_file_that_helps(void **state)
{
    outside o;
    sitl s;
    parameters p;
    char *told;
    int port = free_port(SOCK_DGRAM);
    (void)state;
    read_parameters("ardupilot-bluerov2", &p); /* six motors for a vehicle of eight */
    begin_shipped(&o, "ardupilot-bluerov2-heavy", "vehicle=rov outputs=vectored-6dof", port, "--duration 10.5");
    boot(&s, port, 400);
    set_pulses(&s, &p, 1500);
    while (s.time < 10.5 - 1e-9)
        fly(&s);
    assert_int_equal(end_fathom(&o, &told), 0);
    const char *words = strstr(told, "ardupilot: outputs 7 and 8 of 'rov' received no pulses in 10 s: set "
                                     "SERVOn_FUNCTION, or start SITL with --add-param-file=/");
    if (!words || !strstr(words, "/scenarios/ardupilot-bluerov2-heavy.parm\n"))
        fail_msg("said: %s", told);
    free(told);
    free(p.text);
}

/* --- the command --- */

static char *start_lines(const char *name, const char *dt, const char *world, const char *bridge)
{
    outside o;
    sitl s;
    char text[1024], *told;
    int port = free_port(SOCK_DGRAM);
    snprintf(text, sizeof text, SUB, dt, world);
    write_file("ardupilot_start.xml", text);
    begin_fathom(&o, name, "run ardupilot_start.xml --quiet --bridge \"ardupilot port=%d %s\"", port, bridge);
    boot(&s, port, 400);
    while (s.time < 0.1 - 1e-9)
        fly(&s);
    close(s.fd);
    assert_int_equal(end_fathom(&o, &told), 0);
    return told;
}

static void expect_words(char *told, const char *words, int there)
{
    if ((strstr(told, words) != NULL) != there)
        fail_msg("'%s' is %s in: %s", words, there ? "not" : "still", told);
}

/* Its parameter file exists, its place has altitude 0 and is the origin of the scenario. */
static void the_line_while_it_waits_starts_sitl(void **state)
{
    (void)state;
    char *told = start_lines("ardupilot_line", "0.0025 s", " latitude='-35.363262 deg' longitude='149.165237 deg'", "");
    expect_words(told, "sim_vehicle.py -v ArduSub --model JSON:127.0.0.1 ", 1);
    expect_words(told, " --custom-location=-35.363262,149.165237,0,0 ", 1);
    expect_words(told, "too long", 0);
    char *file = strstr(told, "--add-param-file="), path[1024] = "";
    assert_non_null(file);
    assert_int_equal(sscanf(file, "--add-param-file=%1023s", path), 1);
    assert_greater(size_of(path), 500);
    expect_words(told, "/scenarios/ardupilot-bluerov2.parm ", 1);
    free(told);
}

/* SITL would replace latitude and longitude 0 with a place 584 m above the sea. */
static void a_world_without_a_place_is_next_to_where_sitl_would_have_none(void **state)
{
    (void)state;
    char *told = start_lines("ardupilot_zero", "0.0025 s", "", "");
    expect_words(told, " --custom-location=0.000001,0,0,0 ", 1);
    free(told);
}

/* Instance n of SITL sends to 9002 + 10 n. */
static void the_line_names_the_instance_that_sends_to_the_port(void **state)
{
    (void)state;
    for (int found = 0; found != 3;) {
        outside o;
        int port = free_port(SOCK_DGRAM), kind = port % 10 == 2 ? 1 : 2;
        char words[96], *told;
        if (port < 9002 || found & kind)
            continue;
        write_file("ardupilot_port.xml", "<fathom version='1'><world dt='0.01 s' duration='1 s'/><vehicle name='boat' "
                                         "model='otter'/></fathom>");
        begin_fathom(&o, "ardupilot_port", "run ardupilot_port.xml --quiet --bridge \"ardupilot port=%d\"", port);
        if (kind == 1)
            snprintf(words, sizeof words, "sim_vehicle.py -v Rover --model JSON:127.0.0.1 -I %d --add",
                     (port - 9002) / 10);
        else
            snprintf(words, sizeof words, "--model JSON:127.0.0.1 -A '--sim-port-out %d' --add-param-file=", port);
        await_words(&o, words);
        kill(o.child, SIGINT);
        end_fathom(&o, &told);
        expect_words(told, "the link to SITL is closed", 0); /* there was none */
        free(told);
        found |= kind;
    }
}

static void outputs_that_are_listed_have_no_parameter_file(void **state)
{
    (void)state;
    char *told = start_lines("ardupilot_listed", "0.0025 s", "", "outputs='1:front-port 2:front-starboard'");
    expect_words(told, "sim_vehicle.py -v ArduSub --model JSON:127.0.0.1 ", 1);
    expect_words(told, "--add-param-file", 0);
    free(told);
}

static void a_step_too_long_for_the_autopilot_is_named(void **state)
{
    (void)state;
    char *told = start_lines("ardupilot_slow", "0.01 s", "", "");
    expect_words(told,
                 "the world's step of 10 ms is too long for the 400 Hz of ArduSub, whose loop then runs at 100 Hz", 1);
    free(told);
}

/* --- the surface --- */

/* ArduSub sets its barometer to zero where it boots, and every depth counts from there. */
static void an_rov_starts_at_the_surface_and_stays_while_sitl_boots(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        outside o;
        sitl s;
        int port = free_port(SOCK_DGRAM);
        begin_shipped(&o, shipped[i].scenario, shipped[i].bridge, port, "--duration 30");
        boot(&s, port, 400);
        fly(&s);
        double start = s.position[2];
        assert_nearer(start, 0, 0.1);
        while (s.time < 30 - 1e-9) {
            fly(&s);
            assert_nearer(s.position[2], start, 0.005);
        }
        assert_int_equal(end_fathom(&o, NULL), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_parameter_file_fits_its_scenario),
        cmocka_unit_test(with_the_outputs_of_its_file_nothing_is_missing),
        cmocka_unit_test(an_output_without_pulses_is_named_with_the_file_that_helps),
        cmocka_unit_test(the_line_while_it_waits_starts_sitl),
        cmocka_unit_test(a_world_without_a_place_is_next_to_where_sitl_would_have_none),
        cmocka_unit_test(the_line_names_the_instance_that_sends_to_the_port),
        cmocka_unit_test(outputs_that_are_listed_have_no_parameter_file),
        cmocka_unit_test(a_step_too_long_for_the_autopilot_is_named),
        cmocka_unit_test(an_rov_starts_at_the_surface_and_stays_while_sitl_boots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
