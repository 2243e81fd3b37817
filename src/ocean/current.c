#include "ocean/current.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "ocean/axis.h"
#include "physics/real.h"

/* Random-number channels of the ocean lie above those of sensors. */
enum { CHANNEL = 0x0cea0000 };

static void add_scaled(double out[3], double factor, const double v[3])
{
    for (int i = 0; i < 3; i++)
        out[i] += factor * v[i];
}

static void add_profile(const fm_current_profile *p, double z, double out[3])
{
    fm_axis_place place = fm_axis_find(p->depth, p->count, z);
    add_scaled(out, 1 - place.fraction, p->velocity[place.low]);
    add_scaled(out, place.fraction, p->velocity[place.high]);
}

static void add_tide(const fm_current_tide *tide, double t, double out[3])
{
    for (size_t i = 0; i < tide->count; i++) {
        const fm_tide_constituent *c = &tide->constituents[i];
        double angle = c->speed * t - c->phase;
        double along = c->major * fm_cos(angle), across = c->minor * fm_sin(angle);
        double cosine = fm_cos(c->direction), sine = fm_sin(c->direction);
        out[0] += along * cosine - across * sine;
        out[1] += along * sine + across * cosine;
    }
}

/* Swirl velocity per radius, 1/s, at squared radius r². */
static double swirl(const fm_current_vortex *v, double t, double r2)
{
    double factor = v->circulation / (2 * FM_PI);
    if (v->model == FM_VORTEX_RANKINE)
        return factor / fm_max(r2, v->core * v->core);
    double core2 = v->core * v->core + 4 * v->viscosity * fm_max(t, 0), q = r2 / core2;
    if (q < 1e-12) /* −expm1(−q)/q → 1 */
        return factor / core2;
    return factor * -fm_expm1(-q) / r2;
}

static void add_vortex(const fm_current_vortex *v, double t, const double position[3], double out[3])
{
    double dx = position[0] - v->centre[0] - v->drift[0] * t, dy = position[1] - v->centre[1] - v->drift[1] * t;
    double rate = swirl(v, t, dx * dx + dy * dy);
    out[0] -= rate * dy;
    out[1] += rate * dx;
}

static void add_jet(const fm_current_jet *jet, const double position[3], double out[3])
{
    double cosine = fm_cos(jet->direction), sine = fm_sin(jet->direction);
    double across = cosine * (position[1] - jet->point[1]) - sine * (position[0] - jet->point[0]);
    double th = fm_tanh(across / jet->width), speed = jet->speed * (1 - th * th);
    if (jet->height > 0) {
        double d = (position[2] - jet->depth) / jet->height;
        speed *= d * d < 700 ? fm_exp(-d * d) : 0;
    }
    out[0] += speed * cosine;
    out[1] += speed * sine;
}

static void add_grid(const fm_current_grid *g, double t, const double position[3], double out[3])
{
    fm_axis_place place[4] = {fm_axis_find(g->time, g->times, t), fm_axis_find(g->depth, g->depths, position[2]),
                              fm_axis_find(g->north, g->norths, position[0]),
                              fm_axis_find(g->east, g->easts, position[1])};
    const size_t length[4] = {g->times, g->depths, g->norths, g->easts};
    for (unsigned corner = 0; corner < 16; corner++) {
        size_t index = 0;
        double weight = 1;
        for (int axis = 0; axis < 4; axis++) {
            int high = (corner >> axis) & 1;
            index = index * length[axis] + (high ? place[axis].high : place[axis].low);
            weight *= high ? place[axis].fraction : 1 - place[axis].fraction;
        }
        if (weight != 0)
            add_scaled(out, weight, g->velocity[index]);
    }
}

static void add_component(const fm_current_component *c, const double *state, double t, const double position[3],
                          double out[3])
{
    switch (c->kind) {
    case FM_CURRENT_UNIFORM: add_scaled(out, 1, c->uniform); break;
    case FM_CURRENT_PROFILE: add_profile(&c->profile, position[2], out); break;
    case FM_CURRENT_GAUSS_MARKOV: add_scaled(out, 1, state); break;
    case FM_CURRENT_TIDE: add_tide(&c->tide, t, out); break;
    case FM_CURRENT_VORTEX: add_vortex(&c->vortex, t, position, out); break;
    case FM_CURRENT_JET: add_jet(&c->jet, position, out); break;
    case FM_CURRENT_GRID: add_grid(c->grid, t, position, out); break;
    case FM_CURRENT_STREET: fm_vortex_street_add(&c->street, t, position, out); break;
    }
}

void fm_current_velocity(const fm_current *current, const double *state, double t, const double position[3],
                         double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (size_t i = 0; i < current->count; i++) {
        add_component(&current->components[i], state, t, position, out);
        if (current->components[i].kind == FM_CURRENT_GAUSS_MARKOV)
            state += 3;
    }
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
            add_component(&current->components[i], NULL, t, position, v);
}

void fm_current_gradient(const fm_current *current, const double *state, double t, const double position[3],
                         double out[9])
{
    const double h = 0.01; /* m */
    for (int j = 0; j < 3; j++) {
        double before[3], after[3], p[3] = {position[0], position[1], position[2]};
        p[j] = position[j] - h;
        fm_current_velocity(current, state, t, p, before);
        p[j] = position[j] + h;
        fm_current_velocity(current, state, t, p, after);
        for (int i = 0; i < 3; i++)
            out[3 * i + j] = (after[i] - before[i]) / (2 * h);
    }
}

void fm_current_rate(const fm_current *current, const double *state, double t, const double position[3], double out[3])
{
    const double h = 0.01; /* s */
    double before[3], after[3];
    fm_current_velocity(current, state, t - h, position, before);
    fm_current_velocity(current, state, t + h, position, after);
    for (int i = 0; i < 3; i++)
        out[i] = (after[i] - before[i]) / (2 * h);
}

/* ---- the random part ---- */

size_t fm_current_state_count(const fm_current *current)
{
    size_t count = 0;
    for (size_t i = 0; i < current->count; i++)
        count += current->components[i].kind == FM_CURRENT_GAUSS_MARKOV ? 3 : 0;
    return count;
}

void fm_current_begin(const fm_current *current, uint64_t seed, uint32_t entity, double *state)
{
    uint32_t channel = CHANNEL;
    for (size_t i = 0; i < current->count; i++) {
        const fm_current_component *c = &current->components[i];
        if (c->kind != FM_CURRENT_GAUSS_MARKOV)
            continue;
        for (uint32_t axis = 0; axis < 3; axis++)
            *state++ =
                c->gauss_markov.deviation[axis] * fm_random_normal((fm_random_key){seed, entity, channel}, 0, axis);
        channel++;
    }
}

/* v' = φ v + σ √(1 − φ²) n with φ = exp(−dt/τ): exact for any dt. */
void fm_current_advance(const fm_current *current, uint64_t seed, uint32_t entity, uint64_t tick, double dt,
                        double *state)
{
    uint32_t channel = CHANNEL;
    for (size_t i = 0; i < current->count; i++) {
        const fm_current_component *c = &current->components[i];
        if (c->kind != FM_CURRENT_GAUSS_MARKOV)
            continue;
        double keep = fm_exp(-dt / c->gauss_markov.time), fresh = fm_sqrt(-fm_expm1(-2 * dt / c->gauss_markov.time));
        for (uint32_t axis = 0; axis < 3; axis++, state++) {
            double n = fm_random_normal((fm_random_key){seed, entity, channel}, tick, axis);
            *state = keep * *state + fresh * c->gauss_markov.deviation[axis] * n;
        }
        channel++;
    }
}

/* ---- checks and names ---- */

static fm_status increasing(const double *axis, size_t count, const char *name, size_t which, fm_error *error)
{
    if (count == 0)
        return fm_fail(error, FM_ERR_MODEL, "current %zu: no %s given", which, name);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(axis[i]) || (i && !(axis[i] > axis[i - 1])))
            return fm_fail(error, FM_ERR_RANGE, "current %zu: %s number %zu is %g; they must increase", which, name,
                           i + 1, axis[i]);
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
        return fm_fail(error, FM_ERR_RANGE,
                       "current %zu: the wake is %g m long; accepted %g to %g m (2 to %d spacings)", which, s->length,
                       s->formation + 2 * spacing, s->formation + FM_STREET_MOST * spacing, (int)FM_STREET_MOST);
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
                       "current %zu: vortex core is %g m, viscosity %g m2/s; core > 0 and viscosity ≥ 0 are needed",
                       which, c->vortex.core, c->vortex.viscosity);
    case FM_CURRENT_STREET: return check_street(&c->street, which, error);
    case FM_CURRENT_JET:
        if (c->jet.width > 0 && c->jet.height >= 0)
            return FM_OK;
        return fm_fail(error, FM_ERR_RANGE,
                       "current %zu: jet width is %g m, height %g m; width > 0 and height ≥ 0 are needed", which,
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
