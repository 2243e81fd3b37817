/* One build of physics/glide.h: cmake/Lanes.cmake compiles this file for each instruction set and defines FM_LANES,
 * FM_ONE_TYPE, FM_LANES_SET and FM_LANES_BUILD. */
#include "physics/glide.h"

#include <string.h>

#include "physics/flat.h"
#include "physics/vehicle.h"

_Static_assert(FM_LANES <= FM_GLIDE_WIDEST && sizeof(fm_par) == sizeof(double), "lanes of doubles");
_Static_assert(sizeof(fm_body_state) == FM_GLIDE_BODY * sizeof(fm_real) &&
                   sizeof(fm_tally) == FM_GLIDE_TALLY * sizeof(fm_real) &&
                   offsetof(fm_body_input, fin) == 6 * sizeof(fm_real) &&
                   offsetof(fm_body_input, density_ratio) == (7 + 2 * FM_FINS) * sizeof(fm_real),
               "numbers next to each other");

/* --- a type --- */

typedef struct glide_craft {
    fm_craft craft;
    int fins; /* deflections that are read, with the 1 before them */
    fm_sparse_terms sparse;
} glide_craft;

static size_t head_bytes(void)
{
    return (sizeof(glide_craft) + FM_FLAT_ALIGN - 1) / FM_FLAT_ALIGN * FM_FLAT_ALIGN;
}

static size_t count_bytes(const fm_flat *doubles)
{
    return head_bytes() + fm_flat_head(doubles).bytes;
}

static void prepare(const fm_flat *doubles, void *craft)
{
    glide_craft *g = craft;
    fm_flat *flat = (fm_flat *)(void *)((char *)craft + head_bytes());
    fm_stream still;
    memset((void *)&still, 0, sizeof still);
    *flat = fm_flat_head(doubles);
    for (int lane = 0; lane < FM_LANES; lane++)
        fm_flat_fill(flat, lane, doubles);
    g->craft = fm_flat_open(flat);
    fm_hydro *hydro = &g->craft.body.hydro;
    fm_body_know(&g->craft.body, g->craft.mass, &still);
    hydro->strip_count = fm_hydro_strips(hydro);
    g->fins = 1;
    for (int32_t t = 0; t < hydro->term_count; t++)
        g->fins = hydro->terms[t].fin >= g->fins ? hydro->terms[t].fin + 1 : g->fins;
    if (fm_sparse_fill(hydro, &g->sparse)) {
        hydro->sparse = &g->sparse;
        if (g->sparse.fins && g->fins < 1 + FM_FINS + g->sparse.fins) /* it reads both numbers of each of them */
            g->fins = 1 + FM_FINS + g->sparse.fins;
    }
}

/* --- a group of vehicles --- */

typedef struct bounds {
    fm_real centre[3], radius, low[3], high[3];
} bounds;

typedef struct group {
    fm_body_state body;
    fm_real velocity[6]; /* before the last tick */
    fm_tally tally;
    fm_body_input input;
    bounds bounds;
} group;

/* The lanes without a vehicle of their own repeat the first. */
static const fm_glider *glider_in(const fm_glide_job *job, int lane)
{
    return &job->glider[lane < job->count ? lane : 0];
}

static void gather(const double *from, int lane, void *to, size_t count)
{
    double *numbers = (double *)to + lane;
    for (size_t i = 0; i < count; i++)
        numbers[i * FM_LANES] = from[i];
}

static void scatter(const void *from, int lane, double *to, size_t count)
{
    const double *numbers = (const double *)from + lane;
    for (size_t i = 0; i < count; i++)
        to[i] = numbers[i * FM_LANES];
}

static void load(const fm_glide_job *job, int fins, group *g)
{
    for (int lane = 0; lane < FM_LANES; lane++) {
        const fm_glider *v = glider_in(job, lane);
        gather(v->body, lane, &g->body, FM_GLIDE_BODY);
        gather(v->tally, lane, &g->tally, FM_GLIDE_TALLY);
        gather(v->input, lane, &g->input, 6 + (size_t)fins);
        gather(v->input + 7 + 2 * FM_FINS, lane, &g->input.density_ratio, 1);
        if (job->bounds)
            gather(job->bounds[lane < job->count ? lane : 0].centre, lane, &g->bounds,
                   sizeof(bounds) / sizeof(fm_real));
    }
    memcpy((void *)g->velocity, (const void *)g->body.velocity, sizeof g->velocity);
}

static void store(const fm_glide_job *job, const group *g)
{
    for (int lane = 0; lane < job->count; lane++)
        scatter(g, lane, job->glider[lane].out->body, sizeof(fm_glided) / sizeof(double));
}
_Static_assert(offsetof(group, tally) + sizeof(fm_tally) == sizeof(fm_glided) / sizeof(double) * sizeof(fm_real),
               "a group begins with what comes of it");

FM_FN fm_mask is_inside(const bounds *b, const fm_real p[3])
{
    fm_real d[3] = {p[0] - b->centre[0], p[1] - b->centre[1], p[2] - b->centre[2]};
    fm_mask inside = (b->radius > fm_const(0)) & (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < b->radius * b->radius);
    for (int k = 0; k < 3; k++)
        inside = inside & (p[k] >= b->low[k]) & (p[k] <= b->high[k]);
    return inside;
}

/* Nothing but motion has happened where the body is. */
FM_FN fm_mask is_plain(const fm_glide_job *job, const fm_body *body, const group *g, const fm_body_state *state)
{
    fm_mask plain = state->position[2] <= fm_const(job->deepest);
    if (job->bounds)
        plain = plain & is_inside(&g->bounds, state->position);
    return body->euler ? plain & fm_body_posture_sound(state->attitude) : plain;
}

FM_FN int is_any_near(const fm_body_problem *p, const fm_body_state *state)
{
    return fm_any(fm_body_near(p, state));
}

/* The ticks of a group, its state in registers; each integrator by itself, as in physics/integrate.h. */
#define GLIDE(integrator)                                                                                              \
    static __attribute__((noinline))                                                                                   \
    uint64_t glide_##integrator(const fm_glide_job *job, const fm_craft *c, const fm_body_problem *p, group *g)        \
    {                                                                                                                  \
        const fm_par h = c->step_s / (fm_par)c->substeps;                                                              \
        for (uint64_t n = 0; n < job->ticks; n++) {                                                                    \
            fm_body_state state = g->body;                                                                             \
            for (int i = 0; i < c->substeps; i++) {                                                                    \
                if (is_any_near(p, &state))                                                                            \
                    return n;                                                                                          \
                fm_body_step_##integrator(p, 0, h, &state);                                                            \
            }                                                                                                          \
            fm_tally tally = g->tally;                                                                                 \
            fm_mask plain =                                                                                            \
                fm_tally_add(&tally, &c->body, &state, g->body.position) & is_plain(job, &c->body, g, &state);         \
            if (fm_any(plain == 0))                                                                                    \
                return n;                                                                                              \
            memcpy((void *)g->velocity, (const void *)g->body.velocity, sizeof g->velocity);                           \
            g->body = state;                                                                                           \
            g->tally = tally;                                                                                          \
        }                                                                                                              \
        return job->ticks;                                                                                             \
    }
GLIDE(euler)
GLIDE(heun)
GLIDE(rk4)
GLIDE(text)
GLIDE(midpoint)

static uint64_t step(const fm_glide_job *job)
{
    const glide_craft *type = job->craft;
    fm_craft c = type->craft;
    fm_stream water;
    group g;
    memset((void *)&water, 0, sizeof water);
    for (int i = 0; i < 3; i++)
        water.velocity[i] = fm_const(job->water[i]);
    c.body.still = job->water[0] == 0 && job->water[1] == 0 && job->water[2] == 0;
    load(job, type->fins, &g);
    fm_body_problem problem = {&c.body, c.mass, &g.input, &water, g.input.force, NULL};
    uint64_t made = 0;
    if (job->bounds && fm_any(is_inside(&g.bounds, g.body.position) == 0))
        return 0;
    switch ((enum fm_integrator)c.integrator) {
    case FM_EULER: made = glide_euler(job, &c, &problem, &g); break;
    case FM_HEUN: made = glide_heun(job, &c, &problem, &g); break;
    case FM_RK4: made = glide_rk4(job, &c, &problem, &g); break;
    case FM_TEXT: made = glide_text(job, &c, &problem, &g); break;
    case FM_MIDPOINT: made = glide_midpoint(job, &c, &problem, &g); break;
    }
    if (made)
        store(job, &g);
    return made;
}

#define FM_LANES_TEXT_2(x) #x
#define FM_LANES_TEXT(x) FM_LANES_TEXT_2(x)
extern const fm_glide_build FM_LANES_BUILD;
const fm_glide_build FM_LANES_BUILD = {
    .set = FM_LANES_TEXT(FM_LANES_SET), .lanes = FM_LANES, .bytes = count_bytes, .prepare = prepare, .step = step};
