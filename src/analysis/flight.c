#include "analysis/flight.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/error.h"
#include "physics/vehicle.h"

#define DEEP 100.0 /* m: no surface near */

const char *const fm_flight_state_names[FM_FLIGHT_STATES] = {"u", "v",    "w",     "p",   "q",
                                                             "r", "roll", "pitch", "yaw", "depth"};

fm_status fm_flight_accepts(const fm_type *type, fm_error *error)
{
    if (!type->kind->rigid)
        return fm_fail(error, FM_ERR_MODEL, "'%s' is of the kind '%s'; this is known of 6-DOF bodies only", type->name,
                       type->kind->name);
    if (type->actuator_count > FM_FLIGHT_ACTUATORS)
        return fm_fail(error, FM_ERR_MODEL, "'%s' has %zu actuators: must be up to %d", type->name,
                       type->actuator_count, FM_FLIGHT_ACTUATORS);
    return FM_OK;
}

/* --- the kernel's answer --- */

/* A full battery without load. */
static fm_supply full_supply(const fm_type *type)
{
    return fm_craft_supply(&type->craft, type->battery.capacity, 0);
}

/* A thruster ordered by force produces it, also one with a table: its dead band has no slope to find a trim with. */
static double thrust_of(const fm_actuator *a, const fm_supply *supply, double value)
{
    return a->law == FM_LAW_TABLE && a->table.forces ? value : fm_actuator_thrust(a, supply, value);
}

static fm_body_input input_of(const fm_type *type, const double *value)
{
    fm_body_input input = {.fin[0] = 1, .density_ratio = 1};
    fm_supply supply = full_supply(type);
    for (size_t i = 0; i < type->actuator_count; i++) {
        const fm_actuator *a = &type->actuators[i];
        if (a->kind == FM_ACT_THRUST && a->fin) {
            fm_actuator_state now = {.value = value[i], .force = thrust_of(a, &supply, value[i])};
            fm_actuator_feed(a, &(fm_actuator_fault){.efficiency = 1}, &supply, &now, &input);
        } else if (a->kind == FM_ACT_THRUST) {
            for (int k = 0; k < 6; k++)
                input.force[k] += a->column[k] * thrust_of(a, &supply, value[i]);
        } else if (a->kind == FM_ACT_FIN) {
            fm_actuator_deflect(a, value[i], &input);
        }
    }
    return input;
}

/* Moves moving masses to these values. */
static fm_mass mass_of(const fm_type *type, const double *value)
{
    fm_mass own = type->mass;
    if (type->moving_count) {
        fm_actuator_state states[FM_FLIGHT_ACTUATORS] = {{0}};
        for (size_t i = 0; i < type->actuator_count; i++)
            states[i].value = value[i];
        fm_craft_weigh(&type->craft, states, &own);
    }
    return own;
}

static const fm_stream still_water = {.surface = 0};

static void rate_of(const fm_type *type, const fm_body_state *body, const double *value, fm_body_state *rate)
{
    fm_body_input input = input_of(type, value);
    fm_mass own = mass_of(type, value);
    fm_body_rate(&type->body, &own, &input, &still_water, body, rate);
}

static fm_body_state body_of(const fm_type *type, const double state[FM_FLIGHT_STATES])
{
    fm_body_state body = {.position = {0, 0, state[FM_FLIGHT_DEPTH]}};
    if (type->body.euler)
        memcpy(body.attitude, state + FM_FLIGHT_ROLL, 3 * sizeof *state);
    else
        fm_quat_from_euler(state + FM_FLIGHT_ROLL, body.attitude);
    memcpy(body.velocity, state, 6 * sizeof *state);
    return body;
}

void fm_flight_rate(const fm_type *type, const fm_flight *flight, double rate[FM_FLIGHT_STATES])
{
    const double *s = flight->state;
    fm_body_state body = body_of(type, s), change;
    rate_of(type, &body, flight->value, &change);
    memcpy(rate, change.velocity, 6 * sizeof *rate);
    double R[9];
    fm_euler_matrix(s + FM_FLIGHT_ROLL, R);
    fm_euler_rate(s + FM_FLIGHT_ROLL, R, s + FM_FLIGHT_P, rate + FM_FLIGHT_ROLL);
    rate[FM_FLIGHT_DEPTH] = change.position[2];
}

int fm_flight_floats(const fm_type *type)
{
    double rest[FM_FLIGHT_ACTUATORS] = {0}, nu[6] = {0}, down[3] = {0, 0, 1}, f[6];
    fm_body_input input = input_of(type, rest);
    fm_body_force(&type->body, &type->mass, &input, &still_water, nu, DEEP, down, f);
    return f[2] < -0.1 * type->mass.weight;
}

/* --- actuators --- */

int fm_flight_drives(const fm_type *type, size_t actuator)
{
    const fm_actuator *a = &type->actuators[actuator];
    return a->kind == FM_ACT_THRUST && a->column[0] > 0.5;
}

double fm_flight_order(const fm_actuator *a, double value)
{
    return a->dynamics == FM_DYN_DC_MOTOR ? value * (1 + a->zeta * fabs(value) / a->high) : value;
}

double fm_flight_power(const fm_type *type, const fm_flight *flight)
{
    fm_actuator_state actuators[FM_FLIGHT_ACTUATORS] = {{0}};
    fm_supply supply = full_supply(type);
    for (size_t i = 0; i < type->actuator_count; i++)
        if (type->actuators[i].kind == FM_ACT_THRUST) {
            actuators[i].value = flight->value[i];
            actuators[i].force = thrust_of(&type->actuators[i], &supply, flight->value[i]);
        }
    fm_body_state body = body_of(type, flight->state);
    return fm_craft_power(&type->craft, &(fm_craft_state){.body = &body, .actuators = actuators}, &supply);
}

/* Greatest value that orders reach. */
static double limit_of(const fm_actuator *a, int negative)
{
    double most = negative ? -a->low : a->high;
    if (a->dynamics == FM_DYN_DC_MOTOR && a->zeta > 0 && most > 0) /* x (1 + ζ x/high) = most */
        most = a->high * (sqrt(1 + 4 * a->zeta * most / a->high) - 1) / (2 * a->zeta);
    return most;
}

/* Effort, -1 … 1 within the limits: a fraction of the largest force or deflection. Unlike the value of a propeller it
 * has no zero slope at rest. */
static double value_of_effort(const fm_actuator *a, double effort)
{
    double most = limit_of(a, effort < 0), part = fabs(effort);
    if (a->kind == FM_ACT_THRUST && fm_actuator_is_square(a))
        part = sqrt(part);
    return a->kind == FM_ACT_THRUST || a->kind == FM_ACT_FIN ? copysign(part * most, effort) : 0;
}

/* --- trim --- */

enum { HEAVE, SWAY, ROLL, PITCH, DEPTH, EFFORTS, UNKNOWNS = EFFORTS + FM_FLIGHT_ACTUATORS, EQUATIONS = 7 };

typedef struct problem {
    const fm_type *type;
    double speed;
    int floats;
    size_t unknowns;
    double scale[UNKNOWNS]; /* effect of a unit of each: the cheapest are used first */
    int fixed[UNKNOWNS];    /* actuators that are fixed at their limit */
} problem;

static problem problem_of(const fm_type *type, double speed)
{
    problem p = {.type = type, .speed = speed, .floats = fm_flight_floats(type)};
    p.unknowns = EFFORTS + type->actuator_count;
    p.scale[HEAVE] = p.scale[SWAY] = 0.05 + 0.3 * speed;
    p.scale[ROLL] = p.scale[PITCH] = 0.2;
    p.scale[DEPTH] = p.floats ? 1 : 0;
    for (size_t i = 0; i < type->actuator_count; i++) {
        int kind = type->actuators[i].kind;
        p.scale[EFFORTS + i] = fm_flight_drives(type, i) ? 3
                               : kind == FM_ACT_FIN      ? 0.5
                               : kind == FM_ACT_THRUST   ? 0.1
                                                         : 0;
    }
    return p;
}

static fm_flight flight_of(const problem *p, const double *x)
{
    fm_flight f = {.state = {p->speed, x[SWAY], x[HEAVE], 0, 0, 0, x[ROLL], x[PITCH], 0, p->floats ? x[DEPTH] : DEEP}};
    for (size_t i = 0; i < p->type->actuator_count; i++)
        f.value[i] = value_of_effort(&p->type->actuators[i], x[EFFORTS + i]);
    return f;
}

/* Six accelerations, and the rate of change of depth. */
static void misses(const problem *p, const double *x, double e[EQUATIONS])
{
    fm_flight f = flight_of(p, x);
    double rate[FM_FLIGHT_STATES];
    fm_flight_rate(p->type, &f, rate);
    memcpy(e, rate, 6 * sizeof *e);
    e[6] = p->floats ? 0 : rate[FM_FLIGHT_DEPTH];
}

static void slopes(const problem *p, const double *x, double j[EQUATIONS][UNKNOWNS])
{
    double at[UNKNOWNS], above[EQUATIONS], below[EQUATIONS];
    memcpy(at, x, sizeof at);
    for (size_t k = 0; k < p->unknowns; k++) {
        double h = 1e-6 * (p->scale[k] > 0 ? p->scale[k] : 1);
        at[k] = x[k] + h;
        misses(p, at, above);
        at[k] = x[k] - h;
        misses(p, at, below);
        at[k] = x[k];
        for (int i = 0; i < EQUATIONS; i++)
            j[i][k] = (above[i] - below[i]) / (2 * h);
    }
}

/* The next iterate: of all x with J (x − x0) = −e the one with the smallest Σ (x/scale)². */
static void newton(const problem *p, double *x, const double e[EQUATIONS])
{
    double j[EQUATIONS][UNKNOWNS], normal[EQUATIONS * EQUATIONS], b[EQUATIONS], trace = 0;
    slopes(p, x, j);
    for (int i = 0; i < EQUATIONS; i++) {
        b[i] = -e[i];
        for (size_t k = 0; k < p->unknowns; k++)
            b[i] += p->fixed[k] ? 0 : j[i][k] * x[k];
        for (int m = 0; m < EQUATIONS; m++) {
            normal[EQUATIONS * i + m] = 0;
            for (size_t k = 0; k < p->unknowns; k++)
                normal[EQUATIONS * i + m] += p->fixed[k] ? 0 : j[i][k] * p->scale[k] * p->scale[k] * j[m][k];
        }
        trace += normal[EQUATIONS * i + i];
    }
    for (int i = 0; i < EQUATIONS; i++)
        normal[EQUATIONS * i + i] += 1e-12 * (trace + 1e-30);
    if (fm_dense_solve_positive(EQUATIONS, normal, b))
        return; /* a remaining acceleration is reported as not held */
    for (size_t k = 0; k < p->unknowns; k++) {
        double next = 0;
        if (p->fixed[k])
            continue;
        for (int i = 0; i < EQUATIONS; i++)
            next += j[i][k] * b[i];
        next *= p->scale[k] * p->scale[k];
        int screw = k >= EFFORTS && p->type->actuators[k - EFFORTS].law == FM_LAW_SCREW;
        double most = k == ROLL || k == PITCH ? 0.2 : k == DEPTH ? 0.2 : 3 * p->scale[k] + 0.5;
        if (screw)
            most = 0.5 * fabs(x[k]) + 1e-3; /* its curve bends */
        x[k] += fmax(-most, fmin(most, next - x[k]));
    }
}

/* Actuators stay within their limits; only those that act forward may exceed them, so that a speed has its order. */
static void hold_limits(problem *p, double *x)
{
    for (size_t i = 0; i < p->type->actuator_count; i++) {
        double *effort = &x[EFFORTS + i];
        if (fm_flight_drives(p->type, i) || fabs(*effort) <= 1)
            continue;
        *effort = copysign(1, *effort);
        p->fixed[EFFORTS + i] = 1;
    }
}

static void keep_within(const problem *p, double *x)
{
    for (size_t i = 0; i < p->type->actuator_count; i++)
        if (!fm_flight_drives(p->type, i))
            x[EFFORTS + i] = fmax(-1, fmin(x[EFFORTS + i], 1));
}

static void judge(const problem *p, const double *x, const double e[EQUATIONS], fm_trim *trim)
{
    double beyond = 1 + 1e-6;
    trim->at = flight_of(p, x);
    trim->limited_by = -1;
    for (int i = 0; i < EQUATIONS; i++)
        trim->residual = fmax(trim->residual, fabs(e[i]));
    for (size_t i = 0; i < p->type->actuator_count; i++) {
        double effort = fabs(x[EFFORTS + i]);
        if (fm_flight_drives(p->type, i) && x[EFFORTS + i] > 0)
            trim->drive = fmax(trim->drive, fm_actuator_is_square(&p->type->actuators[i]) ? sqrt(effort) : effort);
        if (effort > beyond || (trim->residual >= 1e-6 && trim->limited_by < 0 && p->fixed[EFFORTS + i])) {
            beyond = fmax(effort, beyond);
            trim->limited_by = (int)i;
        }
    }
    trim->held = trim->residual < 1e-6 && trim->limited_by < 0 && fabs(x[PITCH]) < 1.2;
}

/* A propeller driven by the water does not respond to its order: the initial guess has it produce thrust. */
static void turn_screws(const problem *p, double *x)
{
    const fm_appendages *all = p->type->body.appendages;
    for (int32_t k = 0; all && k < all->screw_count; k++) {
        const fm_screw *s = &all->screws[k];
        double high = p->type->actuators[s->actuator].high;
        double pushing = 2 * FM_PI * s->through * p->speed / (0.5 * s->last * s->diameter);
        if (s->rows >= 0 && high > 0)
            x[EFFORTS + s->actuator] = pushing * pushing / (high * high);
    }
}

fm_trim fm_flight_trim(const fm_type *type, double speed)
{
    problem p = problem_of(type, speed);
    fm_trim trim = {.residual = 0};
    double x[UNKNOWNS] = {0}, e[EQUATIONS], most;
    turn_screws(&p, x);
    enum { TRIES = 200, FREE = 20 }; /* the first iterates may go too far */
    for (int step = 0; step < TRIES; step++) {
        misses(&p, x, e);
        most = 0;
        for (int i = 0; i < EQUATIONS; i++)
            most = fmax(most, fabs(e[i]));
        if (!(most > 1e-11))
            break;
        newton(&p, x, e);
        if (step >= FREE)
            hold_limits(&p, x);
        else
            keep_within(&p, x);
    }
    misses(&p, x, e);
    judge(&p, x, e, &trim);
    return trim;
}

double fm_flight_speed_at(const fm_type *type, double part)
{
    double slow = 0, fast = 0.01;
    while (fast < 64 && fm_flight_trim(type, fast).drive < part)
        slow = fast, fast *= 2;
    if (fast >= 64)
        return 0;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (slow + fast);
        if (fm_flight_trim(type, middle).drive < part)
            slow = middle;
        else
            fast = middle;
    }
    return 0.5 * (slow + fast);
}

double fm_flight_least_speed(const fm_type *type)
{
    double most = fm_flight_speed_at(type, 1), slow = 0, fast = 0;
    if (fm_flight_trim(type, 0).held)
        return 0;
    for (int i = 1; i <= 40 && fast == 0; i++)
        if (fm_flight_trim(type, most * i / 40).held)
            fast = most * i / 40, slow = most * (i - 1) / 40;
    if (fast == 0)
        return NAN;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (slow + fast);
        if (fm_flight_trim(type, middle).held)
            fast = middle;
        else
            slow = middle;
    }
    return fast;
}

/* --- turning --- */

/* Yaw acceleration for the full effort of an actuator, and the largest other rotation it causes. */
static double yaw_of(const fm_type *type, const fm_flight *at, size_t actuator, double *other)
{
    double rate[FM_FLIGHT_STATES], still[FM_FLIGHT_STATES];
    fm_flight f = *at;
    fm_flight_rate(type, &f, still);
    f.value[actuator] = value_of_effort(&type->actuators[actuator], 1);
    fm_flight_rate(type, &f, rate);
    *other = fmax(fabs(rate[FM_FLIGHT_Q] - still[FM_FLIGHT_Q]), 0.1 * fabs(rate[FM_FLIGHT_W] - still[FM_FLIGHT_W]));
    return rate[FM_FLIGHT_R] - still[FM_FLIGHT_R];
}

/* Sets every actuator of a kind that turns to starboard hard over; returns their number. */
static int hard_over(const fm_type *type, fm_flight *f, int kind)
{
    const fm_flight at = *f;
    int count = 0;
    for (size_t i = 0; i < type->actuator_count; i++) {
        double other, yaw = type->actuators[i].kind == kind ? yaw_of(type, &at, i, &other) : 0;
        if (fabs(yaw) < 1e-6 || fabs(yaw) < other)
            continue;
        f->value[i] = value_of_effort(&type->actuators[i], copysign(1, yaw));
        count++;
    }
    return count;
}

/* A step of the body in still water, actuators held. */
static void advance(const fm_type *type, const double *value, double h, fm_body_state *s)
{
    fm_body_input input = input_of(type, value);
    fm_mass own = mass_of(type, value);
    fm_body_problem p = {.body = &type->body, .mass = &own, .input = &input, .water = &still_water};
    fm_body_step_rk4(&p, 0, h, s);
}

static void euler_of(const fm_type *type, const fm_body_state *s, double e[3])
{
    double R[9];
    fm_body_matrix(&type->body, s->attitude, R);
    fm_euler_from_matrix(R, e);
}

/* Heading rate averaged over a stretch of steps, rad/s. */
static double stretch(const fm_type *type, const double *value, double h, int steps, fm_body_state *s)
{
    double turned = 0, before[3], after[3];
    for (int i = 0; i < steps; i++) {
        euler_of(type, s, before);
        advance(type, value, h, s);
        euler_of(type, s, after);
        turned += remainder(after[2] - before[2], 2 * 3.14159265358979323846);
    }
    return turned / (steps * h);
}

fm_status fm_flight_turn(const fm_type *type, const fm_trim *trim, fm_turning *turn, fm_error *error)
{
    enum { STEPS = 500, STRETCHES = 60 };
    const double h = 0.02; /* s */
    fm_flight f = trim->at;
    *turn = (fm_turning){.by_fins = hard_over(type, &f, FM_ACT_FIN) > 0};
    if (!turn->by_fins) {
        f = fm_flight_trim(type, 0).at;
        if (!hard_over(type, &f, FM_ACT_THRUST))
            return fm_fail(error, FM_ERR_MODEL, "nothing of '%s' turns it", type->name);
    }
    fm_body_state s = body_of(type, f.state);
    double last = 0, from[2];
    for (int i = 0; i < STRETCHES && !turn->steady; i++) {
        memcpy(from, s.position, sizeof from);
        turn->rate = stretch(type, f.value, h, STEPS, &s);
        turn->steady = i > 1 && fabs(turn->rate - last) < 1e-4 * fabs(turn->rate) + 1e-9;
        last = turn->rate;
    }
    double angles[3], over[3], R[9];
    euler_of(type, &s, angles);
    fm_body_matrix(&type->body, s.attitude, R);
    fm_vector_to_world(R, s.velocity, over);
    turn->speed = sqrt(over[0] * over[0] + over[1] * over[1]);
    turn->radius = turn->speed / fmax(fabs(turn->rate), 1e-12);
    turn->roll = angles[0];
    turn->pitch = angles[1];
    return FM_OK;
}
