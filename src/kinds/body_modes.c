/* The longest stable step of a body: its small motions at rest, under way and afloat, and the effect of its integrator
 * on them. docs/theory/rigid-body.md, "Integrators". */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "kinds/body.h"
#include "physics/actuator.h"
#include "physics/integrate.h"
#include "world/model.h"

/* --- afloat --- */

/* Force and moment on the resting body at this depth and attitude (body → world), and its mass there (NULL: not
 * wanted). */
static void restoring_turned(const fm_type *type, double depth, const double R[9], double f[6], double *m)
{
    fm_submersion cut = fm_submersion_at(&type->body.hull, depth, R + 6);
    memset(f, 0, 6 * sizeof *f);
    fm_floating_add_cut(&type->body.hull, &type->mass, depth, 1, &cut, R + 6, f);
    if (m)
        fm_body_wet_mass(&type->body, &type->mass, fm_submersion_part(&type->body.hull, &cut), m);
}

/* Heave, roll and pitch, at this depth and heel. */
static void restoring_at(const fm_type *type, double depth, double roll, double pitch, double f[6], double m[36])
{
    double R[9];
    fm_euler_matrix((const double[3]){roll, pitch, 0}, R);
    restoring_turned(type, depth, R, f, m);
}

/* Highest frequency (rad/s) of heave, roll and pitch, over depths at which the surface cuts the level hull. */
static double floating_frequency(const fm_type *type)
{
    enum { DEPTHS = 40 };
    const double reach = type->body.hull.reach, dz = 1e-4 * reach, turn = 1e-4;
    const double turns[4][3] = {{-turn, 0, 0}, {turn, 0, 0}, {0, -turn, 0}, {0, turn, 0}};
    double most = 0, level[9], R[4][9];
    fm_euler_matrix((const double[3]){0, 0, 0}, level);
    for (int k = 0; k < 4; k++)
        fm_euler_matrix(turns[k], R[k]);
    for (int i = 0; i <= DEPTHS; i++) {
        double z = reach * (2.0 * i / DEPTHS - 1), low[6], high[6], m[36];
        restoring_turned(type, z - dz, level, low, NULL);
        restoring_turned(type, z + dz, level, high, m);
        most = fmax(most, (low[2] - high[2]) / (2 * dz) / m[14]);
        restoring_turned(type, z, R[0], low, NULL);
        restoring_turned(type, z, R[1], high, m);
        most = fmax(most, (low[3] - high[3]) / (2 * turn) / m[21]);
        restoring_turned(type, z, R[2], low, NULL);
        restoring_turned(type, z, R[3], high, m);
        most = fmax(most, (low[4] - high[4]) / (2 * turn) / m[28]);
    }
    return sqrt(most);
}

/* Number of parts such that the fastest floating motion turns per part by no more than the integrator tolerates without
 * visible energy gain (Heun: (ω h)⁴/4 per step). */
enum { SURFACE_PARTS_MOST = 256 };
static double surface_parts(const fm_type *type, double step)
{
    static const double turns[] = {
        [FM_EULER] = 1.0 / 16, [FM_HEUN] = 1.0 / 16, [FM_RK4] = 0.5, [FM_TEXT] = 1.0 / 16, [FM_MIDPOINT] = 0.5};
    return fmax(ceil(step / type->substeps * floating_frequency(type) / turns[type->integrator]), 1);
}

int32_t fm_body_surface_parts(const fm_type *type)
{
    return (int32_t)fmin(surface_parts(type, type->step_s), SURFACE_PARTS_MOST);
}

/* --- small motions --- */

enum { STATES = 9 }; /* u v w p q r, roll, pitch, depth */

/* Depth at which the level hull floats, m; if it does not, one well below the surface. */
static double depth_of_rest(const fm_type *type, int afloat)
{
    double reach = type->body.hull.reach, low = -reach, high = reach, f[6], m[36];
    for (int i = 0; i < 60 && afloat; i++) {
        double middle = 0.5 * (low + high);
        restoring_at(type, middle, 0, 0, f, m);
        if (f[2] > 0)
            low = middle;
        else
            high = middle;
    }
    return afloat ? low : reach + 100;
}

static int floats(const fm_type *type)
{
    double f[6], m[36];
    if (!type->body.hull.count)
        return 0; /* no surface */
    restoring_at(type, type->body.hull.reach, 0, 0, f, m);
    return f[2] < 0;
}

static int dives(const fm_type *type)
{
    const fm_floating_hull *hull = &type->body.hull;
    return !floats(type) || hull->holds >= FM_HULL_DIVES * hull->volume;
}

void fm_body_rest_wrench(const fm_type *type, double depth, double roll, double pitch, double f[6])
{
    double m[36];
    restoring_at(type, depth, roll, pitch, f, m);
}

double fm_body_rest_depth(const fm_type *type)
{
    return depth_of_rest(type, !dives(type));
}

static void rate_of(const fm_type *type, const double x[STATES], double out[STATES])
{
    fm_body_state state = {.position = {0, 0, x[8]}}, rate;
    fm_body_input input = {.fin = {1}, .density_ratio = 1};
    fm_stream still = {0};
    const double euler[3] = {x[6], x[7], 0};
    memcpy(state.velocity, x, sizeof state.velocity);
    if (type->body.euler)
        memcpy(state.attitude, euler, sizeof euler);
    else
        fm_quat_from_euler(euler, state.attitude);
    fm_body_rate(&type->body, &type->mass, &input, &still, &state, &rate);
    memcpy(out, rate.velocity, sizeof rate.velocity);
    out[6] = x[3]; /* level: the angles' rates are the body's */
    out[7] = x[4];
    out[8] = rate.position[2];
}

/* Motion about level flight at this speed and depth: ẋ = A x, by row, from central differences: of 0.1 m/s and rad/s,
 * so that quadratic drag damps an oscillation as it does in water, and small ones of posture and depth. */
static void linearise(const fm_type *type, double speed, double depth, double a[STATES * STATES])
{
    double low[STATES], high[STATES];
    for (int k = 0; k < STATES; k++) {
        double h = k < 6 ? 0.1 : 1e-5, x[STATES] = {[0] = speed, [8] = depth}, at = x[k];
        x[k] = at - h;
        rate_of(type, x, low);
        x[k] = at + h;
        rate_of(type, x, high);
        for (int i = 0; i < STATES; i++)
            a[STATES * i + k] = (high[i] - low[i]) / (2 * h);
    }
}

/* --- the effect of an integrator on them --- */

/* y = x + h A z */
static void advance(const double *a, const double x[STATES], double h, const double z[STATES], double y[STATES])
{
    double rate[STATES];
    fm_dense_apply(STATES, STATES, a, z, rate);
    for (int i = 0; i < STATES; i++)
        y[i] = x[i] + h * rate[i];
}

/* Like fm_body_step_text: the velocity by Heun at a fixed posture, then the posture with the new velocity. */
static void step_text(const double *a, double h, double x[STATES])
{
    double one[STATES], two[STATES], held[STATES];
    advance(a, x, h, x, one);
    memcpy(one + 6, x + 6, 3 * sizeof *x);
    advance(a, one, h, one, two);
    for (int i = 0; i < 6; i++)
        held[i] = 0.5 * (x[i] + two[i]);
    memcpy(held + 6, x + 6, 3 * sizeof *x);
    advance(a, held, h, held, two);
    memcpy(x, held, 6 * sizeof *x);
    memcpy(x + 6, two + 6, 3 * sizeof *x);
}

/* One step of h of the linear motion by the integrators of physics/integrate.h. */
static void step_linear(enum fm_integrator integrator, const double *a, double h, double x[STATES])
{
    double y[STATES], z[STATES];
    memcpy(y, x, sizeof y);
    switch (integrator) {
    case FM_EULER: advance(a, x, h, x, y); break;
    case FM_HEUN:
        advance(a, x, h / 2, x, z);
        advance(a, x, h, z, y);
        break;
    case FM_RK4:
        for (int k = 4; k >= 1; k--) {
            memcpy(z, y, sizeof z);
            advance(a, x, h / k, z, y);
        }
        break;
    case FM_TEXT: step_text(a, h, y); break;
    case FM_MIDPOINT:
        for (int k = 0; k < FM_MIDPOINT_MOST; k++) {
            memcpy(z, y, sizeof z);
            advance(a, x, h / 2, z, y);
        }
        memcpy(z, y, sizeof z);
        advance(a, x, h, z, y);
        break;
    }
    memcpy(x, y, sizeof y);
}

/* ln of the factor by which the integrator lets the motion grow per second; 0: hardly, or the motion itself grows at
 * least half as fast. Modes that rotate by less than a thousandth per step are left out: no integrator affects them,
 * and drift is not growth. */
static double growth_rate(enum fm_integrator integrator, const double *a, double h)
{
    double g[STATES * STATES], re[STATES], im[STATES], most = 0, own = 0;
    for (int k = 0; k < STATES; k++) {
        double x[STATES] = {0};
        x[k] = 1;
        step_linear(integrator, a, h, x);
        for (int i = 0; i < STATES; i++) {
            if (!(fabs(x[i]) < 1e100))
                return 1e100;
            g[STATES * i + k] = x[i];
        }
    }
    fm_dense_eigenvalues(STATES, g, re, im);
    for (int i = 0; i < STATES; i++)
        if ((re[i] - 1) * (re[i] - 1) + im[i] * im[i] > 1e-6)
            most = fmax(most, 0.5 * fm_log(fmax(re[i] * re[i] + im[i] * im[i], 1)));
    fm_dense_eigenvalues(STATES, a, re, im);
    for (int i = 0; i < STATES; i++)
        own = fmax(own, re[i]);
    return most / h > 2 * own ? most / h : 0;
}

static void note_fastest(const double *a, fm_step_advice *advice)
{
    double re[STATES], im[STATES];
    fm_dense_eigenvalues(STATES, a, re, im);
    for (int i = 0; i < STATES; i++) {
        double size = sqrt(re[i] * re[i] + im[i] * im[i]);
        if (size <= advice->frequency)
            continue;
        advice->frequency = size;
        advice->swings = fabs(im[i]) > fabs(re[i]);
    }
}

/* --- judging --- */

static const double growth_most = 0.1; /* ln: 10 % over the run from the steps alone */

/* Lengths of 1, 2 and 5 times a power of ten, s. */
static const double plain_steps[] = {5,    2,    1,    0.5,  0.2,  0.1,  0.05, 0.02, 0.01,
                                     5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5};

/* How a step of this length is made: the integrator, and the length of a part. */
static enum fm_integrator parts_of(const fm_type *type, double step, int afloat, double *part)
{
    *part = step / type->substeps;
    if (!afloat)
        return type->integrator;
    *part /= fmin(surface_parts(type, step), SURFACE_PARTS_MOST);
    return fm_body_surface_integrator(type->integrator);
}

static double growth_of(const fm_type *type, const double *a, double step, double duration, int afloat)
{
    double part;
    enum fm_integrator integrator = parts_of(type, step, afloat, &part);
    return growth_rate(integrator, a, part) * duration;
}

static int judge_motion(const fm_type *type, int afloat, double speed, double duration, fm_step_advice *advice)
{
    static const char *const when[2][2] = {{"at rest", "under way"}, {"afloat", "afloat under way"}};
    double a[STATES * STATES];
    linearise(type, speed, depth_of_rest(type, afloat), a);
    double growth = growth_of(type, a, type->step_s, duration, afloat);
    if (!(growth > growth_most))
        return 0;
    *advice = (fm_step_advice){.when = when[afloat][speed > 0], .growth = growth};
    note_fastest(a, advice);
    for (size_t i = 0; i < sizeof plain_steps / sizeof *plain_steps && advice->step == 0; i++)
        if (plain_steps[i] < type->step_s && growth_of(type, a, plain_steps[i], duration, afloat) <= growth_most)
            advice->step = plain_steps[i];
    return 1;
}

static int judge_parts(const fm_type *type, fm_step_advice *advice)
{
    double parts = surface_parts(type, type->step_s);
    if (!type->body.hull.count || parts <= SURFACE_PARTS_MOST)
        return 0;
    *advice = (fm_step_advice){
        .when = "afloat", .frequency = floating_frequency(type), .swings = 1, .parts = (int)fmin(parts, 1e9)};
    for (size_t i = 0; i < sizeof plain_steps / sizeof *plain_steps && advice->step == 0; i++)
        if (plain_steps[i] * parts <= type->step_s * SURFACE_PARTS_MOST)
            advice->step = plain_steps[i];
    return 1;
}

/* Forward force of all thrusters at maximum orders, N. */
static double thrust_ahead(const fm_type *type)
{
    double sum = 0;
    fm_supply supply = {type->tables, type->battery.voltage};
    for (size_t i = 0; i < type->actuator_count; i++) {
        const fm_actuator *a = &type->actuators[i];
        if (a->kind == FM_ACT_THRUST)
            sum += fmax(a->column[0] * fm_actuator_thrust(a, &supply, a->high),
                        a->column[0] * fm_actuator_thrust(a, &supply, a->low));
    }
    return fmax(sum, 0);
}

/* Speed at which the thrusters balance drag, m/s; at most 30. */
static double speed_by_thrust(const fm_type *type)
{
    double force = thrust_ahead(type), f[6], speed = 0, high = 30;
    fm_body_input input = {.fin = {1}, .density_ratio = 1};
    fm_stream still = {0};
    for (int i = 0; i < 40 && force > 0; i++) {
        double middle = 0.5 * (speed + high), nu[6] = {middle};
        memset(f, 0, sizeof f);
        fm_strip_sums strips = fm_body_cross_flow(&type->body, &still, nu);
        fm_body_add_flow(&type->body, &input, &still, &strips, nu, f);
        if (f[0] + force > 0)
            speed = middle;
        else
            high = middle;
    }
    return speed;
}

/* Unknown if anything other than plain thrusters drives it: a screw with its own curve, a force term. */
double fm_body_top_speed(const fm_type *type)
{
    const double most = 30, speed = speed_by_thrust(type); /* m/s: of speed_by_thrust */
    for (size_t i = 0; i < type->actuator_count; i++) {
        int kind = type->actuators[i].kind;
        if ((kind != FM_ACT_THRUST && kind != FM_ACT_FIN) || type->actuators[i].law == FM_LAW_SCREW)
            return NAN;
    }
    return type->force_count == 0 && speed > 0 && speed < 0.99 * most ? speed : NAN;
}

int fm_body_judge_step(const fm_type *type, double speed, double duration, fm_step_advice *advice)
{
    if (type->tolerance > 0)
        return 0; /* as many sub-steps as it needs */
    speed = fmax(speed, speed_by_thrust(type));
    for (int afloat = !dives(type); afloat <= floats(type); afloat++)
        if (judge_motion(type, afloat, 0, duration, advice) ||
            (speed > 0 && judge_motion(type, afloat, speed, duration, advice)))
            return 1;
    return judge_parts(type, advice);
}
