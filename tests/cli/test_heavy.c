/* The BlueROV2 Heavy as a user runs it: speeds, angles and turn rates of a measured one with its tether (KTH and Saab,
 * github.com/SAABmarine-MEX/saabmarineMEX_learning; numbers only), by commands to its thrusters. */
#include "support/files.h"
#include "support/near.h"
#include "support/program.h"

enum { SURGE, SWAY, HEAVE, YAW, AXES };
enum { T, PHI = 4, THETA, U = 7, R = 12 };
static const int column[AXES] = {U, U + 1, U + 2, R};
static const double mix[AXES][8] = {{1, 1, -1, -1}, {1, -1, 1, -1}, {0, 0, 0, 0, -1, -1, -1, -1}, {1, -1, -1, 1}};
static const char *const thrusters[8] = {"front-port",         "front-starboard",        "rear-port",
                                         "rear-starboard",     "front-port-vertical",    "front-starboard-vertical",
                                         "rear-port-vertical", "rear-starboard-vertical"};
static program_run r;

/* Runs a vehicle by a command to one axis for 3 s; rows every 0.01 s. Returns the table, to be freed. */
static char *pulse(int axis, double command)
{
    char text[4000];
    size_t n =
        (size_t)snprintf(text, sizeof text,
                         "<fathom version='1'><world dt='0.01 s' duration='3 s'><water density='1000 kg/m3'/></world>"
                         "<vehicle name='rov' model='bluerov2-heavy' position='0 0 30 m'>");
    for (int k = 0; k < 8; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "<thruster name='%s' orders='command'/>", thrusters[k]);
    n += (size_t)snprintf(text + n, sizeof text - n, "<orders><at t='0 s'");
    for (int k = 0; k < 8; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, " %s='%g'", thrusters[k], mix[axis][k] * command);
    snprintf(text + n, sizeof text - n, "/></orders></vehicle></fathom>");
    write_file("heavy.xml", text);
    run_fathom(&r, "run heavy.xml --csv heavy_csv --quiet");
    expect_run(&r, 0, "");
    return read_file("heavy_csv/rov.csv", NULL);
}

static double cell(const char *line, int wanted)
{
    for (int c = 0; c < wanted; c++)
        line = strchr(line, ',') + 1;
    return atof(line);
}

/* Mean of a column from one time to another. */
static double mean(const char *table, int wanted, double from, double to)
{
    double sum = 0, count = 0;
    for (const char *line = strchr(table, '\n') + 1; *line; line = strchr(line, '\n') + 1)
        if (cell(line, T) >= from - 1e-6 && cell(line, T) <= to + 1e-6) {
            sum += cell(line, wanted);
            count++;
        }
    assert_greater(count, 0);
    return sum / count;
}

/* Mean from 1.8 to 3 s, the last 40 % of the pulse. */
static double end_of(int axis, double command, int wanted)
{
    char *table = pulse(axis, command);
    double value = mean(table, wanted, 1.8, 3);
    free(table);
    return value;
}

static void between(const char *what, double found, double least, double most)
{
    if (!(found >= least && found <= most))
        fail_msg("%s: found %g, expected %g to %g", what, found, least, most);
}

/* End speeds after 3 s, each the mean over the pulses of six runs. */
static void end_speeds_are_the_records_to_a_tenth(void **unused)
{
    (void)unused;
    static const struct {
        int axis;
        double command, speed;
    } rows[] = {{SURGE, 0.25, 0.370}, {SURGE, 0.5, 0.697},   {SURGE, 0.75, 0.975}, {SURGE, -0.5, -0.711},
                {SWAY, 0.5, 0.555},   {SWAY, -0.75, -0.721}, {HEAVE, 0.25, 0.317}, {HEAVE, -0.5, -0.548},
                {YAW, -0.25, -1.300}, {YAW, 0.625, 3.050},   {YAW, -0.625, -2.949}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *table = pulse(rows[i].axis, rows[i].command), what[64];
        snprintf(what, sizeof what, "axis %d at command %g", rows[i].axis, rows[i].command);
        near(what, mean(table, column[rows[i].axis], 3, 3), rows[i].speed, 0.1 * fabs(rows[i].speed));
        free(table);
    }
}

static void surge_lifts_the_nose_both_ways(void **unused)
{
    (void)unused;
    between("pitch at 0.5", end_of(SURGE, 0.5, THETA) / DEGREE, 4.5, 8);
    between("pitch at 0.625", end_of(SURGE, 0.625, THETA) / DEGREE, 9, 12);
    near("pitch at -0.625", end_of(SURGE, -0.625, THETA) / DEGREE, 6.3, 0.63);
}

static void sway_rolls_and_turns_to_its_own_side(void **unused)
{
    (void)unused;
    for (int side = -1; side <= 1; side += 2) {
        between("roll", side * end_of(SWAY, 0.5 * side, PHI) / DEGREE, 7.7, 9.4);
        between("yaw rate", side * end_of(SWAY, 0.5 * side, R), 0.28, 0.47);
    }
}

/* From rest the record has half of its end speed 0.46 s (command 0.5) to 0.53 s (0.25) after the order; thrusters with
 * their full bollard force and drag to match would need 0.3 s. */
static void it_starts_no_more_briskly_than_the_record(void **unused)
{
    (void)unused;
    char *table = pulse(SURGE, 0.5);
    double half = 0.5 * mean(table, U, 3, 3);
    assert_less(mean(table, U, 0.4, 0.4), half);
    assert_greater(mean(table, U, 0.7, 0.7), half);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(end_speeds_are_the_records_to_a_tenth),
        cmocka_unit_test(surge_lifts_the_nose_both_ways),
        cmocka_unit_test(sway_rolls_and_turns_to_its_own_side),
        cmocka_unit_test(it_starts_no_more_briskly_than_the_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
