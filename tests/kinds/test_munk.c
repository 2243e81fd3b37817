/* The Munk moment of a spheroid through the program, against Lamb's coefficients: H. Lamb, Hydrodynamics, art. 114. */
#include <math.h>

#include "support/files.h"
#include "support/near.h"
#include "support/program.h"

static program_run r;

static const double a = 0.8, b = 0.1, density = 1025; /* m, m, kg/m³ */

typedef struct lamb {
    double mass, along, across, turning; /* kg displaced; added mass of x, of y and z (kg), of pitch and yaw (kg m²) */
} lamb;

static lamb added_by_lamb(void)
{
    const double pi = 3.14159265358979323846, e = sqrt(1 - b * b / (a * a)), logarithm = log((1 + e) / (1 - e));
    const double alpha = 2 * (1 - e * e) / (e * e * e) * (logarithm / 2 - e);
    const double beta = 1 / (e * e) - (1 - e * e) / (2 * e * e * e) * logarithm;
    const double mass = density * 4 / 3 * pi * a * b * b, inertia = mass * (a * a + b * b) / 5;
    const double k = e * e * e * e * (beta - alpha) / ((2 - e * e) * (2 * e * e - (2 - e * e) * (beta - alpha)));
    return (lamb){mass, mass * alpha / (2 - alpha), mass * beta / (2 - beta), inertia * k};
}

/* Number of a column in the first line of a table. */
static int column_of(const char *line, const char *name)
{
    int column = 0;
    for (const char *at = line; at; column++) {
        if (!strncmp(at, name, strlen(name)) && at[strlen(name)] == ' ')
            return column;
        at = strchr(at, ',');
        at = at ? at + 1 : NULL;
    }
    fail_msg("no column %s in %s", name, line);
    return -1;
}

/* The last value of a column. */
static double last_of(const char *file, const char *name)
{
    char line[8192];
    FILE *in = fopen(file, "r");
    double value = NAN;
    assert_non_null(in);
    assert_non_null(fgets(line, sizeof line, in));
    const int column = column_of(line, name);
    while (fgets(line, sizeof line, in)) {
        const char *at = line;
        for (int i = 0; i < column; i++)
            at = strchr(at, ',') + 1;
        value = atof(at);
    }
    fclose(in);
    return value;
}

/* Turning acceleration of a neutral spheroid that begins with this velocity, rad/s²: over 10 ms, in which it hardly
 * turns. */
static double turning(const char *coriolis, const char *added, const char *velocity, const char *rate)
{
    const lamb l = added_by_lamb();
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.001 s' duration='0.01 s'><water density='1025 kg/m3'/></world>"
             "<vehicle name='v' integrator='rk4' %s position='0 0 50 m' velocity='%s m/s'>"
             "<mass mass='%.17g kg' inertia='0.1 4 4 kg*m2'/>%s<hull kind='capsule' size='1.6 0.2 0.2 m'/></vehicle>"
             "</fathom>",
             coriolis, velocity, l.mass, added);
    write_file("munk.xml", text);
    if (run_fathom(&r, "run munk.xml --csv munk") != 0)
        fail_msg("%s", r.err);
    remove("munk.xml");
    return last_of("munk/v.csv", rate) / 0.01;
}

#define SPHEROID "<spheroid length='1.6 m' diameter='0.2 m'/>"

/* M = (A_ww − A_uu) u w turns the nose up for a body that moves down and ahead: it increases the angle of attack; N is
 * −(A_vv − A_uu) u v. */
static void a_spheroid_at_an_angle_of_attack_feels_the_munk_moment(void **state)
{
    (void)state;
    const lamb l = added_by_lamb();
    const double u = 1.5, w = 0.2, up = (l.across - l.along) * u * w / (4 + l.turning);
    assert_greater(up, 0.5);
    assert_near(turning("", SPHEROID, "1.5 0 0.2", "q"), up, 1e-3 * up);
    assert_near(turning("", SPHEROID, "1.5 0 -0.2", "q"), -up, 1e-3 * up);
    assert_near(turning("", SPHEROID, "1.5 0.2 0", "r"), -up, 1e-3 * up);
    assert_near(turning("coriolis='full'", SPHEROID, "1.5 0 0.2", "q"), up, 1e-3 * up);
}

static void a_matrix_of_added_mass_brings_the_same_moment(void **state)
{
    (void)state;
    const lamb l = added_by_lamb();
    char added[512];
    snprintf(added, sizeof added, "<added-mass-matrix linear='%.17g %.17g %.17g kg' angular='0 %.17g %.17g kg*m2'/>",
             l.along, l.across, l.across, l.turning, l.turning);
    const double up = (l.across - l.along) * 1.5 * 0.2 / (4 + l.turning);
    assert_near(turning("", added, "1.5 0 0.2", "q"), up, 1e-3 * up);
}

/* A table of coefficients that holds it already leaves it out. */
static void a_rigid_body_alone_has_no_munk_moment(void **state)
{
    (void)state;
    assert_near(turning("coriolis='rigid-body'", SPHEROID, "1.5 0 0.2", "q"), 0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spheroid_at_an_angle_of_attack_feels_the_munk_moment),
        cmocka_unit_test(a_matrix_of_added_mass_brings_the_same_moment),
        cmocka_unit_test(a_rigid_body_alone_has_no_munk_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
