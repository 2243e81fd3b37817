#include "ocean/current.h"

#include <math.h>
#include <string.h>

/* Components of a model and their random parts, for physics/current_slope.h. */
typedef struct model_field {
    const fm_current *current;
    const double *state;
    double since; /* s: the tick to which the state belongs */
    double moves; /* 0: random parts keep the value of that tick; 1: they continue to the next tick */
} model_field;

static void field_velocity(const model_field *f, double t, const double position[3], double out[3]);
static void smooth_velocity(const model_field *f, double t, const double position[3], double out[3]);

#define FM_SLOPE_TYPE model_field
#define FM_SLOPE_VELOCITY field_velocity
#define FM_SLOPE_SMOOTH smooth_velocity
#include "physics/current_slope.h"

/* (O4.6) Linear in each of the four axes. */
static void add_grid(const fm_current_grid *g, double t, const double position[3], double out[3])
{
    fm_axis_cell cell[4] = {
        fm_axis_find(g->time, (int32_t)g->times, t), fm_axis_find(g->depth, (int32_t)g->depths, position[2]),
        fm_axis_find(g->north, (int32_t)g->norths, position[0]), fm_axis_find(g->east, (int32_t)g->easts, position[1])};
    const size_t length[4] = {g->times, g->depths, g->norths, g->easts};
    for (unsigned corner = 0; corner < 16; corner++) {
        size_t index = 0;
        double weight = 1;
        for (int axis = 0; axis < 4; axis++) {
            int high = (corner >> axis) & 1;
            index = index * length[axis] + (size_t)(high ? cell[axis].high : cell[axis].low);
            weight *= high ? cell[axis].fraction : 1 - cell[axis].fraction;
        }
        if (weight != 0)
            fm_current_add_scaled(weight, g->velocity[index], out);
    }
}

/* age: s since the tick of the random state. */
static void add_component(const fm_current_component *c, const double *state, double age, double t,
                          const double position[3], double out[3])
{
    switch (c->kind) {
    case FM_CURRENT_UNIFORM: fm_current_add_scaled(1, c->uniform, out); break;
    case FM_CURRENT_PROFILE:
        fm_current_add_profile(c->profile.depth, c->profile.velocity, (int32_t)c->profile.count, position[2], out);
        break;
    case FM_CURRENT_GAUSS_MARKOV: fm_current_add_drift(state, age, out); break;
    case FM_CURRENT_TIDE:
        for (size_t i = 0; i < c->tide.count; i++)
            fm_current_add_tide(&c->tide.constituents[i], t, out);
        break;
    case FM_CURRENT_VORTEX: fm_current_add_vortex(&c->vortex, t, position, out); break;
    case FM_CURRENT_JET: fm_current_add_jet(&c->jet, position, out); break;
    case FM_CURRENT_GRID: add_grid(c->grid, t, position, out); break;
    case FM_CURRENT_STREET: fm_vortex_street_add(&c->street, t, position, out); break;
    }
}

static void add_field(const model_field *f, int streets, double t, const double position[3], double out[3])
{
    const double *state = f->state, age = f->moves * (t - f->since);
    out[0] = out[1] = out[2] = 0;
    for (size_t i = 0; i < f->current->count; i++) {
        const fm_current_component *c = &f->current->components[i];
        if (streets || c->kind != FM_CURRENT_STREET)
            add_component(c, state, age, t, position, out);
        if (c->kind == FM_CURRENT_GAUSS_MARKOV)
            state += FM_DRIFT_NUMBERS;
    }
}

static void field_velocity(const model_field *f, double t, const double position[3], double out[3])
{
    add_field(f, 1, t, position, out);
}

static void smooth_velocity(const model_field *f, double t, const double position[3], double out[3])
{
    add_field(f, 0, t, position, out);
}

void fm_current_velocity(const fm_current *current, const double *state, double t, const double position[3],
                         double out[3])
{
    field_velocity(&(model_field){current, state, t, 0}, t, position, out);
}

static int is_vortical(const fm_current_component *c)
{
    return c->kind == FM_CURRENT_VORTEX || c->kind == FM_CURRENT_STREET;
}

int fm_current_has_vortices(const fm_current *current)
{
    for (size_t i = 0; i < current->count; i++)
        if (is_vortical(&current->components[i]))
            return 1;
    return 0;
}

void fm_current_vortices_add(const fm_current *current, double t, const double position[3], double v[3])
{
    for (size_t i = 0; i < current->count; i++)
        if (is_vortical(&current->components[i]))
            add_component(&current->components[i], NULL, 0, t, position, v);
}

void fm_current_meet(const fm_current *current, const double *state, double since, double t, const fm_body *body,
                     const fm_body_state *met, fm_stream *out)
{
    double R[9], over_ground[3];
    fm_body_matrix(body, met->attitude, R);
    fm_vector_to_world(R, met->velocity, over_ground);
    fm_slope_meet(&(model_field){current, state, since, t >= since}, t, body, met->position, over_ground, R, out);
}

/* ---- the random part ---- */

size_t fm_current_state_count(const fm_current *current)
{
    size_t count = 0;
    for (size_t i = 0; i < current->count; i++)
        count += current->components[i].kind == FM_CURRENT_GAUSS_MARKOV ? FM_DRIFT_NUMBERS : 0;
    return count;
}

static void draw_normals(uint64_t seed, uint32_t entity, uint32_t channel, uint64_t tick, double out[3])
{
    for (uint32_t axis = 0; axis < 3; axis++)
        out[axis] = fm_random_normal((fm_random_key){seed, entity, channel}, tick, axis);
}

void fm_current_advance(const fm_current *current, uint64_t seed, uint32_t entity, uint64_t tick, double dt,
                        double *state)
{
    uint32_t channel = FM_CURRENT_CHANNEL;
    double normal[3];
    for (size_t i = 0; i < current->count; i++) {
        const fm_current_component *c = &current->components[i];
        if (c->kind != FM_CURRENT_GAUSS_MARKOV)
            continue;
        draw_normals(seed, entity, channel, tick, normal);
        if (tick > 0)
            fm_gauss_markov_advance(&c->gauss_markov, dt, normal, state);
        else
            fm_gauss_markov_begin(&c->gauss_markov, normal, state);
        draw_normals(seed, entity, channel++, tick + 1, normal);
        fm_gauss_markov_lead(&c->gauss_markov, dt, normal, state);
        state += FM_DRIFT_NUMBERS;
    }
}

/* ---- checks and names ---- */

static fm_status increasing(const double *axis, size_t count, const char *name, size_t which, fm_error *error)
{
    if (count == 0)
        return fm_fail(error, FM_ERR_MODEL, "current %zu: no %s given", which, name);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(axis[i]) || (i && !(axis[i] > axis[i - 1])))
            return fm_fail(error, FM_ERR_RANGE, "current %zu: %s number %zu is %g: must be above the one before", which,
                           name, i + 1, axis[i]);
    return FM_OK;
}

static fm_status check_grid(const fm_current_grid *g, size_t which, fm_error *error)
{
    fm_status status = increasing(g->time, g->times, "time", which, error);
    if (status == FM_OK)
        status = increasing(g->depth, g->depths, "depth", which, error);
    if (status == FM_OK)
        status = increasing(g->north, g->norths, "northing", which, error);
    return status == FM_OK ? increasing(g->east, g->easts, "easting", which, error) : status;
}

static fm_status check_street(const fm_vortex_street *s, size_t which, fm_error *error)
{
    double spacing = fm_vortex_street_spacing(s);
    if (!(s->diameter > 0) || !(spacing > 0) || !(s->core > 0) || !(s->drift < 1) || !(s->ratio > 0))
        return fm_fail(
            error, FM_ERR_RANGE,
            "current %zu: a vortex street needs diameter, strouhal, spacing ratio and core above 0 and a drift between "
            "0 and 1",
            which);
    if (!(s->length > s->formation + 2 * spacing) || s->length > s->formation + FM_STREET_MOST * spacing)
        return fm_fail(error, FM_ERR_RANGE, "current %zu: the wake is %g m long: must be %g to %g m (2 to %d spacings)",
                       which, s->length, s->formation + 2 * spacing, s->formation + FM_STREET_MOST * spacing,
                       (int)FM_STREET_MOST);
    return FM_OK;
}

static fm_status check_component(const fm_current_component *c, size_t which, fm_error *error)
{
    switch (c->kind) {
    case FM_CURRENT_UNIFORM:
    case FM_CURRENT_TIDE: return FM_OK;
    case FM_CURRENT_PROFILE: return increasing(c->profile.depth, c->profile.count, "depth", which, error);
    case FM_CURRENT_GRID: return check_grid(c->grid, which, error);
    case FM_CURRENT_GAUSS_MARKOV:
        if (c->gauss_markov.time > 0)
            return FM_OK;
        return fm_fail(error, FM_ERR_RANGE, "current %zu: correlation time is %g s; it must be above 0", which,
                       c->gauss_markov.time);
    case FM_CURRENT_VORTEX:
        if (c->vortex.core > 0 && c->vortex.viscosity >= 0)
            return FM_OK;
        return fm_fail(error, FM_ERR_RANGE,
                       "current %zu: vortex core is %g m, viscosity %g m2/s: must be core > 0 and viscosity ≥ 0", which,
                       c->vortex.core, c->vortex.viscosity);
    case FM_CURRENT_STREET: return check_street(&c->street, which, error);
    case FM_CURRENT_JET:
        if (c->jet.width > 0 && c->jet.height >= 0)
            return FM_OK;
        return fm_fail(error, FM_ERR_RANGE,
                       "current %zu: jet width is %g m, height %g m: must be width > 0 and height ≥ 0", which,
                       c->jet.width, c->jet.height);
    }
    return fm_fail(error, FM_ERR_ARGUMENT, "current %zu: unknown kind %d", which, (int)c->kind);
}

fm_status fm_current_check(const fm_current *current, fm_error *error)
{
    for (size_t i = 0; i < current->count; i++) {
        fm_status status = check_component(&current->components[i], i + 1, error);
        if (status != FM_OK)
            return status;
    }
    return FM_OK;
}

double fm_tide_speed(const char *name)
{
    static const struct {
        const char *name;
        double degrees_per_hour;
    } table[] = {{"M2", 28.9841042}, {"S2", 30.0},        {"N2", 28.4397295}, {"K2", 30.0821373},
                 {"K1", 15.0410686}, {"O1", 13.9430356},  {"P1", 14.9589314}, {"Q1", 13.3986609},
                 {"M4", 57.9682084}, {"MS4", 58.9841042}, {"Mf", 1.0980331}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (!strcmp(name, table[i].name))
            return table[i].degrees_per_hour * FM_PI / 180 / 3600;
    return 0;
}
