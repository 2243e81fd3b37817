/* An ROV with a dead thruster through the program: what its autopilot knows of it, and what it still holds. */
#include <math.h>

#include "support/files.h"
#include "support/near.h"
#include "support/program.h"

static program_run r;

/* BlueROV2 Heavy at 5 m with a roll and pitch of 10 degrees, 20 N of trim weight, to go to 6 m and level. */
static void write_scenario(const char *dead, const char *autopilot, const char *rest)
{
    char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='40 s'><water density='1000 kg/m3'/></world>"
             "<vehicle name='rov' model='bluerov2-heavy' position='0 0 5 m' attitude='10 10 0 deg'>"
             "<mass mass='15.5 kg'/>%s"
             "<autopilot steering='thrusters' %s><depth order='6 m' thrust-kp='80 N/m' thrust-ki='10 N/m/s' "
             "thrust-kd='60 N*s/m'/><roll thrust-kp='15 N*m/rad' thrust-ki='3 N*m/rad/s' thrust-kd='4 N*m*s/rad'/>"
             "<pitch thrust-kp='15 N*m/rad' thrust-ki='3 N*m/rad/s' thrust-kd='4 N*m*s/rad'/>"
             "<heading order='0 deg' thrust-kp='5 N*m/rad' thrust-kd='4 N*m*s/rad'/></autopilot></vehicle>%s</fathom>",
             dead, autopilot, rest);
    write_file("dead.xml", text);
}

/* What was held over the last ten seconds, and the greatest order of the dead one over the whole run. */
typedef struct held {
    double depth, roll, pitch, order; /* greatest: m off, rad, rad, N */
} held;

static int column_of(const char *line, const char *name)
{
    int column = 0;
    for (const char *at = line; at; column++) {
        if (!strncmp(at, name, strlen(name)) && (at[strlen(name)] == ' ' || at[strlen(name)] == ','))
            return column;
        at = strchr(at, ',');
        at = at ? at + 1 : NULL;
    }
    fail_msg("no column %s in %.600s", name, line);
    return -1;
}

static double cell(const char *line, int column)
{
    for (int i = 0; i < column; i++)
        line = strchr(line, ',') + 1;
    return atof(line);
}

static held run_scenario(void)
{
    static char line[65536];
    held h = {0};
    if (run_fathom(&r, "run dead.xml --csv dead") != 0)
        fail_msg("%s", r.err);
    FILE *in = fopen("dead/rov.csv", "r");
    assert_non_null(in);
    assert_non_null(fgets(line, sizeof line, in));
    const int z = column_of(line, "z"), roll = column_of(line, "phi"), pitch = column_of(line, "theta"),
              order = column_of(line, "rear-starboard-vertical.order");
    while (fgets(line, sizeof line, in)) {
        h.order = fmax(h.order, fabs(cell(line, order)));
        if (cell(line, 0) < 30)
            continue;
        h.depth = fmax(h.depth, fabs(cell(line, z) - 6));
        h.roll = fmax(h.roll, fabs(cell(line, roll)));
        h.pitch = fmax(h.pitch, fabs(cell(line, pitch)));
    }
    fclose(in);
    return h;
}

#define DEAD "<thruster name='rear-starboard-vertical' efficiency='0'/>"

static void an_rov_with_a_dead_vertical_thruster_holds_depth_and_attitude(void **state)
{
    (void)state;
    write_scenario(DEAD, "", "");
    const held h = run_scenario();
    below("depth off, m", h.depth, 0.01);
    below("roll", h.roll, 0.5 * DEGREE);
    below("pitch", h.pitch, 0.5 * DEGREE);
    assert_near(h.order, 0, 0);
    write_scenario("", "", "");
    assert_greater(run_scenario().order, 1); /* the healthy one works */
}

/* A fault that the scenario injects is not known, unless the autopilot detects faults. */
static void a_fault_in_the_run_is_known_only_where_it_is_detected(void **state)
{
    (void)state;
    const char *fault = "<faults><at t='2 s' path='/rov/rear-starboard-vertical/efficiency' value='0'/></faults>";
    write_scenario("", "", fault);
    assert_greater(run_scenario().order, 1);
    write_scenario("", "fault-aware='true'", fault);
    const held h = run_scenario();
    below("depth off, m", h.depth, 0.01);
    below("roll", h.roll, 0.5 * DEGREE);
    below("pitch", h.pitch, 0.5 * DEGREE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_rov_with_a_dead_vertical_thruster_holds_depth_and_attitude),
        cmocka_unit_test(a_fault_in_the_run_is_known_only_where_it_is_detected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
