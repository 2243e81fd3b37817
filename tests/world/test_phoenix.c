/* NPS AUV II Phoenix against the dissertation's equations as an independent program solved them: mass matrix, hull,
 * force and acceleration at chosen states, manoeuvres (a)-(g) and their trajectories. Reference data are in feet,
 * slugs, pounds and seconds. */
#include "support/scenario.h"

#include "world/world.h"

#include <gsl/gsl_eigen.h>

#define FT 0.3048
#define LBF (0.45359237 * 9.80665)
#define SLUG (LBF / FT)
#define DEG (FM_PI / 180)

/* Fresh water and g of the dissertation, reference strips (14 intervals by 8 midpoints). */
static fm_world *phoenix(double dt, const char *attributes, const char *orders)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='%.17g s' duration='300 s' gravity='32.174 ft/s2'><water density='1.94 "
             "slug/ft3' surface='none'/></world>"
             "<vehicle name='phoenix' model='nps-auv-ii' %s><cross-flow rule='midpoint' count='8'/>"
             "<orders><at t='0 s' %s/></orders></vehicle></fathom>",
             dt, attributes, orders);
    return start(text);
}

static fm_world *rk4(double dt, const char *attributes, const char *orders)
{
    char text[512];
    snprintf(text, sizeof text, "integrator='rk4' %s", attributes);
    return phoenix(dt, text, orders);
}

#define CRUISE "velocity='2 0 0 ft/s'"
#define TURN "propellers='700 rpm' bow-rudder='15 deg' stern-rudder='-15 deg'"
#define DIVE "propellers='700 rpm' bow-planes='-15 deg' stern-planes='15 deg'"

static const fm_type *type_of(const fm_world *world)
{
    return &fm_world_model(world)->types[0];
}

/* Unit of element (r, c) of a mass matrix: slug, slug ft, slug ft². */
static double mass_unit(int r, int c)
{
    return SLUG * (r >= 3 ? FT : 1) * (c >= 3 ? FT : 1);
}

/* --- constants --- */

static void the_mass_matrix_is_that_of_table_6_2(void **unused)
{
    (void)unused;
    static const double diagonal[6] = {14.585262150090731, 26.474302821314236, 49.13448199137174,
                                       7.533001173761037,  167.85940556669368, 54.46462729861536};
    static const struct {
        int r, c;
        double value;
    } off[] = {
        {1, 3, -1.2055541741779077}, {1, 5, 5.049675761902818}, {2, 4, 6.836335683980244}, {0, 4, 1.2055541741779077}};
    fm_world *world = rk4(0.02, "", "propellers='0 rpm'");
    const double *m = type_of(world)->mass.virtual_mass;
    for (int i = 0; i < 6; i++)
        near("M(i,i)", m[7 * i] / mass_unit(i, i), diagonal[i], 1e-9 * diagonal[i]);
    for (size_t k = 0; k < FM_COUNT(off); k++) {
        double tolerance = 1e-9 * fabs(off[k].value), unit = mass_unit(off[k].r, off[k].c);
        near("M(r,c)", m[6 * off[k].c + off[k].r] / unit, off[k].value, tolerance);
        near("M(c,r)", m[6 * off[k].r + off[k].c] / unit, off[k].value, tolerance);
    }
    finish(world);
}

static void the_smallest_eigenvalue_of_the_mass_matrix_is_positive(void **unused)
{
    (void)unused;
    fm_world *world = rk4(0.02, "", "propellers='0 rpm'");
    gsl_matrix *a = gsl_matrix_alloc(6, 6);
    gsl_vector *values = gsl_vector_alloc(6);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(6);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            gsl_matrix_set(a, (size_t)r, (size_t)c, type_of(world)->mass.virtual_mass[6 * c + r] / mass_unit(r, c));
    gsl_eigen_symm(a, values, work);
    near("smallest eigenvalue", gsl_vector_min(values), 7.454345631167677, 1e-8);
    gsl_eigen_symm_free(work);
    gsl_vector_free(values);
    gsl_matrix_free(a);
    finish(world);
}

static void the_hull_has_the_area_and_third_moment_of_the_table(void **unused)
{
    (void)unused;
    fm_world *world = rk4(0.02, "", "propellers='0 rpm'");
    const fm_hydro *hydro = &type_of(world)->body.hydro;
    double half_rho = 0.5 * 1.94 * SLUG / (FT * FT * FT), area[2] = {0}, third[2] = {0}, first[2] = {0};
    assert_int_equal(hydro->strip_count, 14 * 8);
    for (int s = 0; s < hydro->strip_count; s++) {
        double x = hydro->strip_x[s] / FT, h = hydro->strip_h[s] / half_rho / 0.5 / (FT * FT);
        double b = hydro->strip_b[s] / half_rho / 0.6 / (FT * FT), cube = fabs(x * x * x);
        area[0] += h, area[1] += b;
        first[0] += x * h, first[1] += x * b;
        third[0] += cube * h, third[1] += cube * b;
    }
    near("A_h", area[0], 5.281284722222222, 1e-9);
    near("A_b", area[1], 9.598506944444445, 1e-9);
    near("S_h", first[0], 0.9556155711986392, 1e-9);
    near("S_b", first[1], -1.5291961556893812, 1e-9);
    near("integral of |x|^3 h", third[0], 44.82892103600461, 1e-8);
    near("integral of |x|^3 b", third[1], 105.93456382206656, 1e-8);
    finish(world);
}

/* --- force and acceleration at chosen states --- */

enum { ROW = 6 + 3 + 10 + 36 };

static double order_unit(int i)
{
    return i < 4 ? 1 : i < 6 ? 2 * FM_PI / 60 : 1;
}

/* Actuators of the model in the order of the file's columns. */
static void set_actuators(const fm_type *type, const double *orders, fm_body_input *input)
{
    static const char *const names[10] = {"bow-rudder",     "stern-rudder",        "bow-planes",   "stern-planes",
                                          "port-propeller", "starboard-propeller", "bow-vertical", "stern-vertical",
                                          "bow-lateral",    "stern-lateral"};
    memset(input, 0, sizeof *input);
    input->fin[0] = 1;
    input->density_ratio = 1;
    for (size_t a = 0; a < type->actuator_count; a++) {
        fm_actuator_state state = {0};
        for (int i = 0; i < 10; i++) {
            const char *group = type->actuator_groups[a];
            if (strcmp(names[i], type->actuator_names[a]) == 0 || (group && strcmp(names[i], group) == 0))
                state.order = orders[i] * order_unit(i);
        }
        fm_actuator_step(&type->actuators[a], &type->faults[a], &(fm_supply){0}, 0.01, &state, input);
    }
}

static void check_row(const fm_type *type, const double *row)
{
    const double *expected = row + 19;
    fm_body_state state = {0}, rate;
    for (int i = 0; i < 6; i++)
        state.velocity[i] = row[i] * (i < 3 ? FT : 1);
    fm_quat_from_euler(row + 6, state.attitude);
    fm_body_input input;
    set_actuators(type, row + 9, &input);
    fm_stream still = {0};
    double R[9], f[6], coriolis[6] = {0}, restoring[6] = {0};
    fm_quat_matrix(state.attitude, R);
    fm_body_add_coriolis(&type->mass, state.velocity, coriolis);
    fm_body_add_restoring(&type->mass, type->mass.buoyancy, R + 6, restoring);
    fm_body_force(&type->body, &type->mass, &input, &still, state.velocity, 0, R + 6, f);
    fm_body_rate(&type->body, &type->mass, &input, &still, &state, &rate);
    double size[2] = {0}, fast = 0; /* scale of force and moment, for the relative error */
    for (int i = 0; i < 6; i++) {
        size[i / 3] = fmax(size[i / 3], fabs(expected[24 + i]));
        fast = fmax(fast, fabs(expected[30 + i]));
    }
    for (int i = 0; i < 6; i++) {
        double unit = LBF * (i < 3 ? 1 : FT), tolerance = 1e-9 * size[i / 3];
        near("Coriolis", coriolis[i] / unit, expected[i], tolerance);
        near("restoring", restoring[i] / unit, expected[18 + i], tolerance);
        near("force", f[i] / unit, expected[24 + i], tolerance);
        near("acceleration", rate.velocity[i] / (i < 3 ? FT : 1), expected[30 + i], 1e-9 * fast);
    }
}

static void force_and_acceleration_at_chosen_states_agree(void **unused)
{
    (void)unused;
    fm_world *world = rk4(0.02, "", "propellers='0 rpm'");
    FILE *in = fopen(TEST_DATA "/nps/pointwise.txt", "r");
    assert_non_null(in);
    int rows = 0, c;
    while ((c = fgetc(in)) != '\n' && c != EOF)
        ;
    for (;; rows++) {
        double row[ROW];
        int k = 0;
        while (k < ROW && fscanf(in, "%lf", &row[k]) == 1)
            k++;
        if (k < ROW)
            break;
        check_row(type_of(world), row);
    }
    fclose(in);
    assert_int_equal(rows, 6);
    finish(world);
}

/* --- trajectories --- */

/* Reads one row of 13 numbers; 0 at the end. */
static int read_row(FILE *in, double row[13])
{
    for (int i = 0; i < 13; i++)
        if (fscanf(in, i ? ",%lf" : "%lf", &row[i]) != 1)
            return 0;
    return 1;
}

/* Compares with t,u,v,w,p,q,r,x,y,z,phi,theta,psi to the nine digits of the file, and the steps' own error. */
static void follow_reference(const char *name, fm_world *world, double relative)
{
    char path[512], header[200];
    snprintf(path, sizeof path, "%s/nps/nps_%s.csv", TEST_DATA, name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_non_null(fgets(header, sizeof header, in));
    double row[13];
    int rows = 0;
    for (; read_row(in, row); rows++) {
        run_until(world, row[0]);
        fm_pose pose = pose_of(world, 0);
        for (int i = 0; i < 6; i++)
            near(name, pose.velocity[i] / (i < 3 ? FT : 1), row[1 + i], 5e-9 + relative * fabs(row[1 + i]));
        for (int i = 0; i < 3; i++) {
            near(name, pose.position[i] / FT, row[7 + i], 5e-9 + relative * fabs(row[7 + i]));
            near(name, angle_between(pose.euler[i], row[10 + i]), 0, 5e-9 + relative * fabs(row[10 + i]));
        }
    }
    fclose(in);
    assert_greater(rows, 30);
    finish(world);
}

static void the_reference_trajectories_are_followed_to_their_last_digit(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *attributes, *orders;
        double dt;
    } cases[] = {
        {"a_surge700", "", "propellers='700 rpm'", 0.02},
        {"b_turn15", CRUISE, TURN, 0.02},
        {"c_dive15", CRUISE, DIVE, 0.01},
        {"d_vert24", "", "vertical-thrusters='24 V'", 0.02},
        {"d_bowvert24", "", "bow-vertical='24 V'", 0.01},
        {"d_lat24", "", "lateral-thrusters='24 V'", 0.02},
        {"d_yawcouple24", "", "bow-lateral='24 V' stern-lateral='-24 V'", 0.02},
        {"f_portonly", "", "port-propeller='700 rpm'", 0.02},
        {"g_pitch10", "position='0 0 10 ft' attitude='0 10 0 deg'", "propellers='0 rpm'", 0.01},
        {"g_roll10", "position='0 0 10 ft' attitude='10 0 0 deg'", "propellers='0 rpm'", 0.005},
    };
    for (size_t i = 0; i < FM_COUNT(cases); i++)
        follow_reference(cases[i].name, rk4(cases[i].dt, cases[i].attributes, cases[i].orders), 3e-8);
}

/* --- manoeuvres, with the published tolerances; ft, s, degrees --- */

typedef struct moment {
    double u, v, w, p, q, r, x, y, z, phi, theta, psi; /* ft/s, deg/s, ft, deg */
} moment;

static moment now(const fm_world *world)
{
    fm_pose s = pose_of(world, 0);
    return (moment){s.velocity[0] / FT,  s.velocity[1] / FT,
                    s.velocity[2] / FT,  s.velocity[3] / DEG,
                    s.velocity[4] / DEG, s.velocity[5] / DEG,
                    s.position[0] / FT,  s.position[1] / FT,
                    s.position[2] / FT,  angle_between(s.euler[0], 0) / DEG,
                    s.euler[1] / DEG,    s.euler[2] / DEG};
}

static moment at(fm_world *world, double t)
{
    run_until(world, t);
    return now(world);
}

static void two_propellers_at_700_rpm_reach_2_ft_per_second(void **unused)
{
    (void)unused;
    fm_world *world = rk4(0.02, "", "propellers='700 rpm'");
    double most = 0;
    for (int i = 0; i < 1500; i++) {
        step(world, 1);
        most = fmax(most, fabs(now(world).theta));
        if (i == 499)
            near("u(10)", now(world).u, 1.0036251300669967, 1e-3);
    }
    near("greatest pitch", most, 0.32546858528138145, 1e-4);
    near("u(60)", at(world, 60).u, 1.9946808907747806, 1e-5);
    near("x(60)", now(world).x, 94.92403852890521, 1e-5);
    near("u(120) = 2 tanh(t/18.123)", at(world, 120).u, 2 * tanh(120 / 18.123386094123077), 1e-5);
    finish(world);
}

static void coasting_slows_as_the_inverse_of_time(void **unused)
{
    (void)unused;
    fm_world *world = rk4(0.02, CRUISE, "propellers='0 rpm'");
    near("u(20)", at(world, 20).u, 0.9507780498489014, 1e-6);
    near("2/(1 + t/18.123)", now(world).u, 2 / (1 + 20 / 18.123386094123077), 1e-3);
    near("u(60)", at(world, 60).u, 0.4639678579756062, 1e-6);
    finish(world);
}

static void fifteen_degrees_of_rudder_turn_a_circle_of_24_ft_radius(void **unused)
{
    (void)unused;
    fm_world *world = rk4(0.02, CRUISE, TURN);
    double last_heading = 0, advance = NAN, diameter = NAN, transfer = NAN;
    for (int i = 0; i < 6000; i++) {
        step(world, 1);
        moment m = now(world);
        if (last_heading < 90 && m.psi >= 90 && isnan(advance))
            advance = m.x, transfer = m.y;
        if (last_heading < 180 && m.psi >= 180 && isnan(diameter))
            diameter = m.y;
        last_heading = m.psi;
    }
    run_until(world, 200);
    moment m = now(world);
    double speed = sqrt(m.u * m.u + m.v * m.v + m.w * m.w);
    near("u", m.u, 1.742591994596576, 1e-8);
    near("v", m.v, -0.16936902784018432, 1e-8);
    near("r", m.r, 4.234746015737035, 1e-8);
    near("radius", speed / (m.r * DEG), 23.68823258317161, 1e-6);
    near("drift angle", atan2(-m.v, m.u) / DEG, 5.551354221956361, 1e-6);
    near("heel", m.phi, 0.22577576820890186, 1e-6);
    near("advance", advance, 27.55190012353055, 0.01);
    near("transfer", transfer, 21.478795934949282, 0.05);
    near("tactical diameter", diameter, 47.318663120230326, 0.01);
    finish(world);
}

static void twenty_degrees_of_rudder_turn_tighter(void **unused)
{
    (void)unused;
    fm_world *world = rk4(0.02, CRUISE, "propellers='700 rpm' bow-rudder='20 deg' stern-rudder='-20 deg'");
    moment m = at(world, 200);
    near("r", m.r, 4.84877650214042, 1e-7);
    near("radius", sqrt(m.u * m.u + m.v * m.v + m.w * m.w) / (m.r * DEG), 19.268687194584942, 1e-5);
    finish(world);
}

static void a_port_turn_mirrors_a_starboard_turn(void **unused)
{
    (void)unused;
    fm_world *right = rk4(0.02, CRUISE, TURN);
    fm_world *left = rk4(0.02, CRUISE, "propellers='700 rpm' bow-rudder='-15 deg' stern-rudder='15 deg'");
    moment a = at(right, 60), b = at(left, 60);
    near("yaw rate", a.r, -b.r, 1e-12);
    near("y", a.y, -b.y, 1e-10);
    near("x", a.x, b.x, 1e-10);
    near("heel", a.phi, -b.phi, 1e-11);
    finish(right);
    finish(left);
}

static void planes_hard_down_dive_at_seven_degrees(void **unused)
{
    (void)unused;
    fm_world *world = rk4(0.01, CRUISE, DIVE);
    double lowest = 0, when = 0;
    for (int i = 0; i < 3000; i++) {
        step(world, 1);
        if (now(world).theta < lowest)
            lowest = now(world).theta, when = fm_world_time(world);
    }
    near("lowest pitch", lowest, -8.529061496505372, 1e-6);
    near("its time", when, 7.53, 0.011);
    near("depth after 60 s", at(world, 60).z, 13.251119279691101, 1e-6);
    double z = at(world, 120).z, later = at(world, 121).z;
    near("steady pitch", now(world).theta, -6.915203989539076, 1e-5);
    near("steady speed", now(world).u, 1.8416456503822025, 1e-6);
    near("steady rate of descent", later - z, 0.22173463738311044, 1e-6);
    finish(world);
}

static void vertical_thrusters_push_down_and_the_bow_one_also_pitches_down(void **unused)
{
    (void)unused;
    fm_world *both = rk4(0.02, "", "vertical-thrusters='24 V'");
    moment m = at(both, 60);
    near("w(60)", m.w, 0.8405196687943264, 1e-6);
    near("pitch(60)", m.theta, -0.9296859613834023, 1e-5);
    near("z(60)", m.z, 44.336986774030606, 1e-5);
    finish(both);
    fm_world *bow = rk4(0.02, "", "bow-vertical='24 V'");
    m = at(bow, 5);
    near("w(5)", m.w, 0.1939625295759522, 1e-6);
    near("pitch(5)", m.theta, -7.249034432348239, 1e-5);
    finish(bow);
}

static void lateral_thrusters_turn_or_push_aside(void **unused)
{
    (void)unused;
    fm_world *couple = rk4(0.02, "", "bow-lateral='24 V' stern-lateral='-24 V'");
    near("r(2)", at(couple, 2).r, 11.196277806122175, 1e-5);
    near("r(60)", at(couple, 60).r, 13.34112673750597, 1e-5);
    finish(couple);
    fm_world *both = rk4(0.02, "", "lateral-thrusters='24 V'");
    near("v(5)", at(both, 5).v, 0.6720347591636346, 1e-6);
    near("r(5)", now(both).r, -2.186898856726137, 1e-5);
    near("v(20)", at(both, 20).v, 0.9518412440216116, 1e-6);
    moment m = at(both, 120);
    assert_nearer(m.v, 0, 2);
    assert_nearer(m.w, 0, 0.1);
    assert_nearer(m.u, 0, 2); /* stays bounded astern */
    finish(both);
}

static void one_propeller_alone_turns_away_from_its_side(void **unused)
{
    (void)unused;
    fm_world *port = rk4(0.02, "", "port-propeller='700 rpm'");
    moment m = at(port, 60);
    near("u(60)", m.u, 1.3821674710312772, 1e-6);
    near("r(60)", m.r, 0.7638705846955359, 1e-6);
    near("heading(60)", m.psi, 55.93921102092404, 1e-4);
    finish(port);
    fm_world *twist = rk4(0.02, "", "port-propeller='700 rpm' starboard-propeller='-700 rpm'");
    m = at(twist, 20);
    near("r(20)", m.r, 3.12396792956314, 1e-6);
    near("u(20)", m.u, -0.006527671045038363, 1e-8);
    finish(twist);
}

static void a_heeled_vehicle_rights_itself(void **unused)
{
    (void)unused;
    fm_world *world = rk4(0.005, "position='0 0 10 ft' attitude='10 0 0 deg'", "propellers='0 rpm'");
    near("phi(1)", at(world, 1).phi, 4.654833371964654, 1e-5);
    double lowest = 0, when = 0;
    for (int i = 0; i < 1000; i++) {
        step(world, 1);
        if (now(world).phi < lowest)
            lowest = now(world).phi, when = fm_world_time(world);
    }
    near("lowest roll", lowest, -0.2902018927890242, 1e-5);
    near("its time", when, 3.195, 0.006);
    finish(world);
}

static void a_pitched_vehicle_swings_with_a_period_of_13_s(void **unused)
{
    (void)unused;
    fm_world *world = rk4(0.005, "position='0 0 10 ft' attitude='0 10 0 deg'", "propellers='0 rpm'");
    double lowest = 0, when = 0, crossings[9], before = 10;
    int count = 0;
    for (int i = 0; i < 12000; i++) {
        step(world, 1);
        double theta = now(world).theta;
        if (theta < lowest)
            lowest = theta, when = fm_world_time(world);
        if ((before > 0) != (theta > 0) && count < 9)
            crossings[count++] = fm_world_time(world);
        before = theta;
    }
    near("lowest pitch", lowest, -7.422851092732888, 1e-5);
    near("its time", when, 6.57, 0.011);
    assert_at_least(count, 5);
    near("period", (crossings[count - 1] - crossings[0]) * 2 / (count - 1), 13.03875, 0.1);
    finish(world);
}

/* --- schemes --- */

static void the_dissertations_scheme_turns_within_its_known_error(void **unused)
{
    (void)unused;
    fm_world *fine = rk4(0.005, CRUISE, TURN), *text = phoenix(0.1, "integrator='text' posture='euler' " CRUISE, TURN);
    moment a = at(fine, 60), b = at(text, 60);
    near("position error of the text scheme", hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z), 0.011871072303118933,
         2e-4);
    near("heading error of the text scheme", b.psi - a.psi, 0.20296015859328273, 1e-3);
    finish(fine);
    finish(text);
}

static double furthest_from(fm_world *reference, fm_world *world)
{
    double worst = 0;
    for (int t = 1; t <= 50; t++)
        worst = fmax(worst, fabs(at(reference, 0.1 * t).phi - at(world, 0.1 * t).phi));
    return worst;
}

static void the_stiff_roll_damping_needs_steps_below_a_tenth_of_a_second(void **unused)
{
    (void)unused;
#define ROLL30 "position='0 0 10 ft' attitude='30 0 0 deg'"
    fm_world *reference = rk4(0.001, ROLL30, "propellers='0 rpm'");
    fm_world *coarse = phoenix(0.1, "integrator='text' " ROLL30, "propellers='0 rpm'");
    near("error of the text scheme at 0.1 s", furthest_from(reference, coarse), 9.525155079137646, 1e-3);
    finish(reference);
    finish(coarse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mass_matrix_is_that_of_table_6_2),
        cmocka_unit_test(the_smallest_eigenvalue_of_the_mass_matrix_is_positive),
        cmocka_unit_test(the_hull_has_the_area_and_third_moment_of_the_table),
        cmocka_unit_test(force_and_acceleration_at_chosen_states_agree),
        cmocka_unit_test(the_reference_trajectories_are_followed_to_their_last_digit),
        cmocka_unit_test(two_propellers_at_700_rpm_reach_2_ft_per_second),
        cmocka_unit_test(coasting_slows_as_the_inverse_of_time),
        cmocka_unit_test(fifteen_degrees_of_rudder_turn_a_circle_of_24_ft_radius),
        cmocka_unit_test(twenty_degrees_of_rudder_turn_tighter),
        cmocka_unit_test(a_port_turn_mirrors_a_starboard_turn),
        cmocka_unit_test(planes_hard_down_dive_at_seven_degrees),
        cmocka_unit_test(vertical_thrusters_push_down_and_the_bow_one_also_pitches_down),
        cmocka_unit_test(lateral_thrusters_turn_or_push_aside),
        cmocka_unit_test(one_propeller_alone_turns_away_from_its_side),
        cmocka_unit_test(a_heeled_vehicle_rights_itself),
        cmocka_unit_test(a_pitched_vehicle_swings_with_a_period_of_13_s),
        cmocka_unit_test(the_dissertations_scheme_turns_within_its_known_error),
        cmocka_unit_test(the_stiff_roll_damping_needs_steps_below_a_tenth_of_a_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
