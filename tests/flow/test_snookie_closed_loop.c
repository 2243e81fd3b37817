/* The reflex in a closed loop: Snookie, in the horizontal plane, swims at a wall, feels it, stops, backs, turns and
 * leaves.
 *
 * A small independent integration (forward–left–up axes, as in docs/theory/snookie.md) so that lateral line, reflex,
 * thermistors and flow are tested together against the reference program's runs. */
#include <math.h>

#include "base/memory.h"
#include "control/reflex.h"
#include "flow/wall_table.h"
#include "physics/spheroid.h"
#include "sensors/thermistor.h"
#include "support/near.h"
#include "support/rows.h"

enum { SENSORS = 8 };
static const double A = 0.125, LENGTH = 0.74, DT = 1e-3;
static fm_wall_table table;

/* Planar motion: surge, sway, yaw in the horizontal plane; the wall is x·n = distance with n to the left ahead. */
typedef struct vehicle {
    double x, y, yaw, surge, sway, rate;
    double mass_x, mass_y, inertia; /* with added mass */
    double t[SENSORS], felt[SENSORS];
} vehicle;

typedef struct run {
    double detection_gap, direction, new_yaw, closest, path_to_stop;
    int detections, touched;
    double mode;
} run;

typedef struct pool {
    double normal[2], distance; /* towards the wall; m from the origin */
    int exact;
} pool;

static double clearance(const vehicle *v, const pool *w)
{
    double nearest = 1e9;
    for (int end = -1; end <= 1; end += 2) {
        double s = end * (LENGTH / 2 - A), x = v->x + s * cos(v->yaw), y = v->y + s * sin(v->yaw);
        nearest = fmin(nearest, w->distance - x * w->normal[0] - y * w->normal[1] - A);
    }
    return nearest;
}

static double nose_distance(const vehicle *v, const pool *w)
{
    double s = LENGTH / 2 - A;
    return w->distance - (v->x + s * cos(v->yaw)) * w->normal[0] - (v->y + s * sin(v->yaw)) * w->normal[1];
}

/* Speeds at the sensors, in body axes. */
static void feel_water(const vehicle *v, const pool *w, const double directions[SENSORS][3], double speed[SENSORS])
{
    double c = cos(v->yaw), s = sin(v->yaw), lever = LENGTH / 2 - A;
    double wall[3] = {c * w->normal[0] + s * w->normal[1], -s * w->normal[0] + c * w->normal[1], 0};
    double velocity[3] = {v->surge, v->sway + v->rate * lever, 0}, turning[3] = {0, 0, v->rate},
           h = nose_distance(v, w);
    fm_wall_series series = {0};
    if (w->exact)
        fm_wall_series_at(&table, h / A - 1, &series);
    for (int i = 0; i < SENSORS; i++) {
        const double *u = directions[i];
        double r[3] = {A * u[0], A * u[1], 0}, along[3] = {-u[1], u[0], 0}, water[3] = {0};
        if (w->exact) {
            fm_wall_velocity(&series, u, wall, velocity, water);
        } else {
            fm_flow_dipole_add(r, velocity, A, water);
            fm_flow_mirror_add(r, velocity, wall, h, A, water);
        }
        fm_flow_from_hull(velocity, turning, r, water);
        speed[i] = fm_dot(water, along);
    }
}

static double clamp(double x, double limit)
{
    return fmax(-limit, fmin(limit, x));
}

/* PD on yaw, P on speed with drag feed-forward, four forward motors of ±7 N; then one step of the rigid body. */
static void move(vehicle *v, const fm_reflex_output *order)
{
    double error = remainder(order->yaw - v->yaw, 2 * FM_PI);
    double torque = v->inertia * (4 * error - 4 * v->rate);
    double thrust = 150 * (order->speed - v->surge) + 7.3631077818510775 * order->speed * fabs(order->speed);
    double left = clamp(0.25 * thrust - 1.5625 * torque, 7), right = clamp(0.25 * thrust + 1.5625 * torque, 7);
    if (order->reverse > 0.5)
        left = right = -7;
    double fx = 2 * (left + right) - 7.3631077818510775 * v->surge * fabs(v->surge);
    double fy = -25.738107781851078 * v->sway * fabs(v->sway), mz = 2 * 0.16 * (right - left);
    double ax = (fx + v->rate * v->mass_y * v->sway) / v->mass_x,
           ay = (fy - v->rate * v->mass_x * v->surge) / v->mass_y;
    double az = (mz - (v->mass_y - v->mass_x) * v->surge * v->sway) / v->inertia;
    v->x += DT * (v->surge * cos(v->yaw) - v->sway * sin(v->yaw));
    v->y += DT * (v->surge * sin(v->yaw) + v->sway * cos(v->yaw));
    v->yaw += DT * v->rate;
    v->surge += DT * ax, v->sway += DT * ay, v->rate += DT * az;
}

static void place_sensors(double directions[SENSORS][3], fm_lateral_params *par)
{
    const double angles[4] = {52.5, 65, 77.5, 90};
    *par = (fm_lateral_params){.count = SENSORS, .spread = 1e-3, .norm = 1e-3};
    for (int i = 0; i < SENSORS; i++) {
        double angle = (i < 4 ? 1 : -1) * angles[i % 4] * FM_PI / 180;
        directions[i][0] = cos(angle), directions[i][1] = sin(angle), directions[i][2] = 0;
        for (int k = 0; k < 3; k++)
            par->position[i][k] = A * directions[i][k];
    }
    fm_lateral_set_step(par, DT, 2, 0.3);
}

static vehicle start_vehicle(void)
{
    fm_spheroid added = fm_spheroid_added_mass(A, LENGTH / 2, 1000);
    const double mass = 32.23404962277027, inertia = 1.305336860835852; /* of a capsule of water, kg, kg m2 */
    return (vehicle){
        .surge = 0.1, .mass_x = mass + added.m11, .mass_y = mass + added.m22, .inertia = inertia + added.m55};
}

static run swim(double alpha, double gap, int exact, int printed, double duration)
{
    pool w = {.normal = {sin(alpha), cos(alpha)}, .exact = exact};
    w.distance = gap + A + (LENGTH / 2 - A) * sin(alpha);
    vehicle v = start_vehicle();
    fm_thermistor bead = fm_thermistor_printed();
    fm_lateral_params par;
    fm_lateral_state line;
    fm_lateral_feel feel;
    fm_reflex_params reflex = {.cruise_speed = 0.1,
                               .back_speed = 0.5,
                               .brake_speed = 0.01,
                               .turn_error = 2 * FM_PI / 180,
                               .turn_rate = 0.05,
                               .calm = 0.075e-3,
                               .calm_time = 1,
                               .resume_timeout = 8,
                               .reverse_timeout = 5,
                               .brake_timeout = 10,
                               .turn_timeout = 20};
    fm_reflex_state mind = fm_reflex_start(0);
    fm_reflex_output order;
    double directions[SENSORS][3], speed[SENSORS], u[SENSORS], path = 0;
    run out = {.closest = 1e9, .path_to_stop = -1};
    reflex.printed = printed;
    place_sensors(directions, &par);
    feel_water(&v, &w, directions, v.felt);
    for (int i = 0; i < SENSORS; i++) {
        v.t[i] = fm_thermistor_steady(&bead, v.felt[i]);
        u[i] = fm_thermistor_voltage(&bead, v.t[i]);
    }
    fm_lateral_reset(&par, u, &line);
    for (int n = 0; n < (int)(duration / DT); n++) {
        feel_water(&v, &w, directions, speed);
        for (int i = 0; i < SENSORS; i++) {
            v.t[i] = fm_thermistor_step(&bead, v.t[i], 0.5 * (fabs(v.felt[i]) + fabs(speed[i])), DT);
            v.felt[i] = speed[i], u[i] = fm_thermistor_voltage(&bead, v.t[i]);
        }
        fm_lateral_step(&par, u, fm_reflex_blind(&reflex, &mind), &line, &feel);
        fm_reflex_input imu = {.yaw = remainder(v.yaw, 2 * FM_PI), .yaw_rate = v.rate, .forward = v.surge};
        fm_reflex_step(&reflex, &feel, &imu, DT, &mind, &order);
        if (order.detected > 0.5 && mind.detections == 1) {
            out.detection_gap = nose_distance(&v, &w) - A;
            out.direction = atan2(mind.direction[1], mind.direction[0]) * 180 / FM_PI;
            out.new_yaw = mind.new_course * 180 / FM_PI;
        }
        move(&v, &order);
        path += DT * v.surge;
        if (out.path_to_stop < 0 && v.surge <= 0)
            out.path_to_stop = path;
        out.closest = fmin(out.closest, clearance(&v, &w));
    }
    out.detections = (int)mind.detections, out.touched = out.closest <= 0, out.mode = mind.mode;
    return out;
}

static void snookie_turns_away_as_in_the_reference_runs(void **unused)
{
    (void)unused;
    for (rows r = open_rows("closed_loop.txt"); next_row(&r);) {
        char flow[16];
        double angle, gap, direction, yaw, closest, path;
        assert_int_equal(
            sscanf(r.line, "%15s %lf %lf %lf %lf %lf %lf", flow, &angle, &gap, &direction, &yaw, &closest, &path), 7);
        run found = swim(angle * FM_PI / 180, 0.45, strcmp(flow, "exact") == 0, 0, 25);
        near("detection gap", found.detection_gap, gap, 5e-3);
        near("direction", found.direction, direction, 2);
        near("new yaw", remainder(found.new_yaw - yaw, 360), 0, 4);
        near("closest", found.closest, closest, 10e-3);
        near("path to stop", found.path_to_stop, path, 10e-3);
        assert_int_equal(found.detections, 1);
        assert_false(found.touched);
        assert_same(found.mode, FM_REFLEX_CRUISE);
    }
}

static void figure_9_stops_after_34_centimetres(void **unused)
{
    (void)unused;
    run found = swim(FM_PI / 4, 0.4027, 0, 0, 20);
    near("path to stop", found.path_to_stop, 0.33992423620168205, 5e-3);
    near("detection gap", found.detection_gap, 0.16673848682302944, 5e-3);
    near("closest", found.closest, 0.1622669723532889, 5e-3);
}

static void no_angle_between_10_and_90_degrees_leads_to_a_touch(void **unused)
{
    (void)unused;
    for (double angle = 10; angle <= 90; angle += 16)
        for (double gap = 0.3; gap < 0.75; gap += 0.2) {
            run found = swim(angle * FM_PI / 180, gap, 1, 0, 12 + gap / (0.1 * sin(angle * FM_PI / 180)));
            assert_false(found.touched);
            assert_int_equal(found.detections, 1);
        }
}

static void the_printed_rule_raises_false_alarms_that_the_default_does_not(void **unused)
{
    (void)unused;
    run printed = swim(FM_PI / 4, 0.45, 0, 1, 45), ours = swim(FM_PI / 4, 0.45, 0, 0, 45);
    print_message("detections in 45 s: printed %d, default %d\n", printed.detections, ours.detections);
    assert_greater(printed.detections, 1);
    assert_int_equal(ours.detections, 1);
}

static int fill_table(void **unused)
{
    (void)unused;
    return fm_wall_table_fill(&table, NULL) != FM_OK;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snookie_turns_away_as_in_the_reference_runs),
        cmocka_unit_test(figure_9_stops_after_34_centimetres),
        cmocka_unit_test(no_angle_between_10_and_90_degrees_leads_to_a_touch),
        cmocka_unit_test(the_printed_rule_raises_false_alarms_that_the_default_does_not),
    };
    return cmocka_run_group_tests(tests, fill_table, NULL);
}
