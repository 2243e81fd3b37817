/* Obstacles that no vehicle can reach: below the floor, in the air, behind a wall, too far away; and obstacles that
 * hang in the water without support. Obstacles on tracks are not checked. */
#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "scenario/build_advice.h"
#include "scenario/build_environment.h"

enum { WARNINGS_MOST = 20, COMPARED_MOST = 20000000 };

/* Data for the check of all obstacles. */
typedef struct scene {
    fm_builder *builder;
    const fm_environment *sea;
    const fm_obstacle **planes; /* walls and floors */
    size_t plane_count;
    double *reach; /* m, for each vehicle within the run; NULL: unknown for some */
    size_t compared, warned;
} scene;

/* An obstacle with its node. */
typedef struct standing {
    scene *in;
    const fm_node *node;
    const fm_obstacle *obstacle;
    fm_aabb box;
    double floor[2]; /* m: minimum and maximum depth of the floor under it; HUGE_VAL: none */
} standing;

static double height_of(const standing *s)
{
    return s->box.high[2] - s->box.low[2];
}

/* What counts as touching, m. */
static double slack_of(const standing *s)
{
    return fmax(0.01, 0.02 * height_of(s));
}

/* --- walls and floors --- */

static bool is_floor(const fm_obstacle *plane)
{
    return fm_shape_plane_normal(&plane->shape).z < -0.9;
}

/* Depth of a tilted floor of planes, m. */
static double plane_depth(const fm_shape *plane, double x, double y)
{
    const fm_d3 n = fm_shape_plane_normal(plane);
    const double *p = plane->position;
    return p[2] - (n.x * (x - p[0]) + n.y * (y - p[1])) / n.z;
}

/* Depth of the bottom, or of the floor of a pool above it, m. */
static double floor_at(const scene *in, double x, double y)
{
    double depth = fm_environment_depth(in->sea, x, y);
    for (size_t i = 0; i < in->plane_count; i++)
        if (is_floor(in->planes[i]))
            depth = fmin(depth, plane_depth(&in->planes[i]->shape, x, y));
    return depth;
}

static void inspect_floor(standing *s)
{
    enum { SAMPLES = 3 };
    s->floor[0] = HUGE_VAL, s->floor[1] = -HUGE_VAL;
    for (int i = 0; i < SAMPLES; i++)
        for (int k = 0; k < SAMPLES; k++) {
            double x = s->box.low[0] + (s->box.high[0] - s->box.low[0]) * i / (SAMPLES - 1);
            double y = s->box.low[1] + (s->box.high[1] - s->box.low[1]) * k / (SAMPLES - 1);
            double depth = floor_at(s->in, x, y);
            s->floor[0] = fmin(s->floor[0], depth);
            s->floor[1] = fmax(s->floor[1], depth);
        }
}

/* How far it extends from a wall into the water (outward 1), or into the wall (-1), m. */
static double reach_through(const standing *s, const fm_obstacle *wall, double outward)
{
    const fm_d3 n = fm_shape_plane_normal(&wall->shape);
    const double direction[3] = {outward * n.x, outward * n.y, outward * n.z}, *p = wall->shape.position;
    double far[3];
    fm_shape_support(&s->obstacle->shape, direction, far);
    return direction[0] * (far[0] - p[0]) + direction[1] * (far[1] - p[1]) + direction[2] * (far[2] - p[2]);
}

/* --- places without vehicles; each returns whether it has warned --- */

static bool advise_buried(const standing *s)
{
    if (!(s->box.low[2] >= s->floor[1]))
        return false;
    fm_advice_warn(s->in->builder, s->node, "position",
                   "is wholly below the floor, at %.4g m and more: the water is %.4g m deep there", s->box.low[2],
                   s->floor[1]);
    return true;
}

static bool advise_in_the_air(const standing *s)
{
    if (s->in->builder->model->settings.no_surface || s->box.high[2] > 0)
        return false;
    fm_advice_warn(s->in->builder, s->node, "position",
                   "is wholly above the sea, by %.4g m: the third number is depth, positive down", -s->box.high[2]);
    return true;
}

static bool advise_behind_wall(const standing *s)
{
    for (size_t i = 0; i < s->in->plane_count; i++) {
        const fm_obstacle *wall = s->in->planes[i];
        if (is_floor(wall) || reach_through(s, wall, 1) > 0)
            continue;
        fm_advice_warn(s->in->builder, s->node, "position",
                       "is wholly behind '%s', where no vehicle can be: place it on the side that the wall's normal "
                       "points to",
                       wall->name);
        return true;
    }
    return false;
}

/* Maximum possible speed over ground, with a factor of two for its own drive, m/s; NaN: unknown. */
static double bound_of(const fm_model *model, const fm_placement *p)
{
    const fm_type *type = &model->types[p->type];
    const double *v = p->velocity, *c = model->settings.current;
    if (!type->kind->top_speed || fm_environment_has_fields(model->environment))
        return NAN;
    return 2 * type->kind->top_speed(type) + sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
           sqrt(c[0] * c[0] + c[1] * c[1]);
}

/* The farthest range of any sensor on a vehicle, m: attributes `range` below its node. */
static double sight_of(const fm_node *node)
{
    const fm_value *range = fm_node_value(node, "range");
    double most = range && range->count == 1 ? range->numbers[0] : 0;
    for (const fm_node *child = NULL; (child = fm_node_next(node, NULL, child));)
        most = fmax(most, sight_of(child));
    return most;
}

/* Horizontal distance from a place to the box of an obstacle, m. */
static double distance_to(const fm_aabb *box, const double at[3])
{
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        double off = fmax(fmax(box->low[i] - at[i], at[i] - box->high[i]), 0);
        sum += off * off;
    }
    return sqrt(sum);
}

/* Whether other vehicles may appear: types to spawn, more slots than vehicles, clients, contacts of another simulator;
 * or parameters that change: another current. */
static bool is_open(const fm_builder *b)
{
    const fm_model *model = b->model;
    return model->change_count || model->bridge_count || fm_node_child(b->tree->root, "type") ||
           fm_node_child(b->tree->root, "server") || b->slots > model->vehicle_count || !model->vehicle_count;
}

/* How far each vehicle moves or senses within the run, m; NULL: unknown. */
static double *find_reach(const fm_builder *b)
{
    const fm_model *model = b->model;
    const double sight = sight_of(b->tree->root);
    double *reach = is_open(b) ? NULL : fm_alloc(model->vehicle_count * sizeof *reach), speed = NAN;
    bool known = reach != NULL;
    for (size_t i = 0; known && i < model->vehicle_count; i++) {
        if (i == 0 || model->vehicles[i].type != model->vehicles[i - 1].type)
            speed = bound_of(model, &model->vehicles[i]);
        reach[i] = speed * model->settings.duration + sight;
        known = isfinite(reach[i]);
    }
    if (known)
        return reach;
    fm_free(reach);
    return NULL;
}

static bool advise_out_of_reach(const standing *s)
{
    const fm_model *model = s->in->builder->model;
    double nearest = HUGE_VAL, reach = 0;
    for (size_t i = 0; i < model->vehicle_count; i++) {
        double way = s->in->reach ? distance_to(&s->box, model->vehicles[i].position) : 0;
        if (!s->in->reach || way <= s->in->reach[i])
            return false;
        if (way < nearest)
            nearest = way, reach = s->in->reach[i];
    }
    fm_advice_warn(s->in->builder, s->node, "position",
                   "is out of reach: the nearest start is %.4g m away, and that vehicle neither comes nor sees farther "
                   "than %.4g m within the run; move it nearer, or make the run longer",
                   nearest, reach);
    return true;
}

/* --- what hangs in the water --- */

static bool is_near(const standing *s, const fm_obstacle *other)
{
    const double slack = slack_of(s);
    fm_aabb box;
    fm_shape_aabb(&other->shape, &box);
    for (int k = 0; k < 3; k++)
        if (box.low[k] > s->box.high[k] + slack || box.high[k] < s->box.low[k] - slack)
            return false;
    return true;
}

/* If there are too many to compare, it is assumed. */
static bool touches_another(const standing *s)
{
    const fm_environment *sea = s->in->sea;
    for (size_t i = 0; i < s->in->plane_count; i++)
        if (!is_floor(s->in->planes[i]) && reach_through(s, s->in->planes[i], -1) > -slack_of(s))
            return true;
    for (size_t i = 0; i < sea->obstacle_count; i++)
        if (++s->in->compared > COMPARED_MOST ||
            (&sea->obstacles[i] != s->obstacle && sea->obstacles[i].shape.kind != FM_SHAPE_PLANE &&
             is_near(s, &sea->obstacles[i])))
            return true;
    return false;
}

/* An obstacle that reaches the surface floats or hangs from above; a box or a sphere may also lie on another one. */
static bool advise_floating(const standing *s)
{
    const bool column = fm_node_is(s->node, "column");
    const double gap = s->floor[0] - s->box.high[2];
    if (!isfinite(s->floor[0]) || gap <= slack_of(s) || s->box.low[2] <= slack_of(s) ||
        fm_node_value(s->node, "floats")->integer)
        return false;
    if (column)
        fm_advice_warn(s->in->builder, s->node, "height",
                       "ends %.4g m above the floor: %.4g m from its top, at a depth of %.4g m, reach it; "
                       "floats=\"true\" where it is meant to float",
                       gap, s->floor[0] - s->box.low[2], s->box.low[2]);
    else if (!touches_another(s))
        fm_advice_warn(
            s->in->builder, s->node, "position",
            "hangs %.4g m above the floor, and nothing holds it: lower it, or write floats=\"true\" where it "
            "is moored",
            gap);
    else
        return false;
    return true;
}

/* A column that is at least half in the ground: its position was probably meant as its centre or foot. */
static bool advise_sunken(const standing *s)
{
    const double inside = s->box.high[2] - s->floor[1];
    if (!fm_node_is(s->node, "column") || !(inside > 0.499 * height_of(s)))
        return false;
    fm_advice_warn(s->in->builder, s->node, "position",
                   "puts %.4g m of its %.4g m below the floor: it is the middle of the top, which is at a depth of "
                   "%.4g m, and %.4g m of height reach the floor",
                   inside, height_of(s), s->box.low[2], s->floor[1] - s->box.low[2]);
    return true;
}

/* --- all of it --- */

static void advise_obstacle(standing *s)
{
    static bool (*const all[])(const standing *) = {advise_buried, advise_in_the_air, advise_behind_wall,
                                                    advise_sunken, advise_floating,   advise_out_of_reach};
    fm_shape_aabb(&s->obstacle->shape, &s->box);
    inspect_floor(s);
    for (size_t i = 0; i < FM_COUNT(all); i++)
        if (all[i](s)) {
            s->in->warned++;
            return;
        }
}

static void inspect_all(scene *in)
{
    const fm_node *world = fm_node_child(in->builder->tree->root, "world");
    size_t at = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(world, NULL, node)) && in->warned < WARNINGS_MOST;) {
        size_t count = fm_build_obstacle_count(node);
        const fm_obstacle *obstacle = &in->sea->obstacles[at];
        at += count;
        if (count == 1 && obstacle->shape.kind != FM_SHAPE_PLANE && !obstacle->track_count)
            advise_obstacle(&(standing){.in = in, .node = node, .obstacle = obstacle});
    }
}

void fm_advice_obstacles(fm_builder *b)
{
    scene in = {.builder = b, .sea = b->model->environment, .reach = find_reach(b)};
    in.planes = fm_alloc((in.sea->obstacle_count + 1) * sizeof *in.planes);
    for (size_t i = 0; in.planes && i < in.sea->obstacle_count; i++)
        if (in.sea->obstacles[i].shape.kind == FM_SHAPE_PLANE)
            in.planes[in.plane_count++] = &in.sea->obstacles[i];
    if (in.planes)
        inspect_all(&in);
    fm_free(in.planes);
    fm_free(in.reach);
}
