/* Warnings: what is accepted and yet hardly meant. Parts read those that stand before them in the file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "environment/environment.h"
#include "scenario/build.h"

static void warn(fm_builder *b, const fm_node *node, const char *attr, const char *text)
{
    fm_error warning = {0};
    fm_node_error(node, attr, &warning, FM_OK, text);
    fm_report_add_error(b->warnings, &warning);
}

static bool is_one_of(const fm_node *node, const char *const *names)
{
    for (size_t i = 0; names[i]; i++)
        if (strcmp(node->element->name, names[i]) == 0)
            return true;
    return false;
}

static const char *const guides[] = {"waypoints", "station", "mission", NULL};
static const char *const readers[] = {"waypoints", "station", "mission", "autopilot", "bottom-following", NULL};

/* --- order --- */

/* Guidance that no autopilot reads: all stand before it, or there is none. */
static void advise_guidance(fm_builder *b, const fm_node *vehicle)
{
    const fm_node *autopilot = fm_node_child(vehicle, "autopilot");
    bool behind = false;
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, NULL, node));) {
        behind |= strcmp(node->element->name, "autopilot") == 0;
        if (!is_one_of(node, guides) || (autopilot && !behind))
            continue;
        warn(b, node, NULL,
             autopilot ? "stands behind <autopilot>, which reads only guidance that stands before it: it has no effect"
                       : "the vehicle has no <autopilot> behind it that would follow: it has no effect");
    }
}

static void advise_navigation(fm_builder *b, const fm_node *vehicle)
{
    const fm_node *reader = NULL;
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, NULL, node));) {
        if (!reader && is_one_of(node, readers))
            reader = node;
        if (reader && strcmp(node->element->name, "navigation") == 0) {
            warn(b, node, NULL, "stands behind parts that would read it; they read the true state instead");
            return;
        }
    }
}

/* --- speed --- */

static bool has_orders(const fm_node *vehicle)
{
    const fm_node *orders = fm_node_child(vehicle, "orders");
    return orders && orders->first;
}

static void advise_speed(fm_builder *b, const fm_node *vehicle)
{
    const fm_node *autopilot = fm_node_child(vehicle, "autopilot");
    const fm_value *steering = autopilot ? fm_node_value(autopilot, "steering") : NULL;
    if (!steering || !steering->text || strcmp(steering->text, "fins") != 0 || fm_node_child(autopilot, "speed") ||
        !fm_node_child(vehicle, "propeller") || has_orders(vehicle))
        return;
    warn(b, autopilot, NULL,
         "has no <speed>, and no <orders> are given: nothing drives the propeller, and fins need way");
}

/* --- waypoints --- */

static void advise_waypoints(fm_builder *b, const fm_node *vehicle)
{
    for (const fm_node *list = NULL; (list = fm_node_next(vehicle, "waypoints", list));)
        for (const fm_node *node = NULL; (node = fm_node_next(list, "waypoint", node));) {
            const fm_value *position = fm_node_value(node, "position");
            if (!position || position->count != 3)
                continue;
            if (position->numbers[2] < 0)
                warn(b, node, "position", "lies above the sea: the third number is depth, positive down");
            else if (position->numbers[2] >=
                     fm_environment_depth(b->model->environment, position->numbers[0], position->numbers[1]))
                warn(b, node, "position", "lies below the bottom");
        }
}

/* --- columns --- */

/* Depth of the ground under a place: the bottom, or the floor of a pool around it. Infinite: there is none. */
static double ground_at(const fm_builder *b, const fm_node *world, const double *place)
{
    double ground = fm_environment_depth(b->model->environment, place[0], place[1]);
    for (const fm_node *pool = NULL; (pool = fm_node_next(world, "pool", pool));) {
        const double *corner = fm_node_value(pool, "position")->numbers, *size = fm_node_value(pool, "size")->numbers;
        if (place[0] >= corner[0] && place[0] <= corner[0] + size[0] && place[1] >= corner[1] &&
            place[1] <= corner[1] + size[1])
            ground = fmin(ground, corner[2] + size[2]);
    }
    return ground;
}

/* A column that neither floats nor stands: most likely its centre was written for its top. */
static void advise_columns(fm_builder *b)
{
    const fm_node *world = fm_node_child(b->tree->root, "world");
    for (const fm_node *node = NULL; world && (node = fm_node_next(world, "column", node));) {
        const double *top = fm_node_value(node, "position")->numbers,
                     height = fm_node_value(node, "height")->numbers[0], foot = top[2] + height,
                     ground = ground_at(b, world, top);
        char text[256];
        if (fm_node_child(node, "track") || !(top[2] > 0) || !isfinite(ground) || foot >= ground)
            continue;
        snprintf(
            text, sizeof text,
            "is the middle of its top: the column hangs in the water, from %g m to %g m deep over a ground at %g m; "
            "it floats with a top at 0 m or above (negative), and stands with one at %g m",
            top[2], foot, ground, ground - height);
        warn(b, node, "position", text);
    }
}

/* --- steps --- */

/* "at rest a swing of 3.2 rad/s grows 12-fold …" */
static void write_growth(const fm_step_advice *a, double step, const char *integrator, char *text, size_t size)
{
    char motion[96], factor[48] = "without end";
    snprintf(motion, sizeof motion, a->swings ? "a swing of %.3g rad/s" : "a motion that dies out within %.2g s",
             a->swings ? a->frequency : 1 / a->frequency);
    if (a->growth < 7)
        snprintf(factor, sizeof factor, "%.3g-fold within the run", fm_exp(a->growth));
    snprintf(text, size, "a step of %g s is too long for it: %s, %s grows %s by the integrator '%s' alone", step,
             a->when, motion, factor, integrator);
}

static void write_advice(const fm_type *type, const fm_step_advice *a, char *text, size_t size)
{
    static const char *const integrators[] = {
        [FM_EULER] = "euler", [FM_HEUN] = "heun", [FM_RK4] = "rk4", [FM_TEXT] = "text", [FM_MIDPOINT] = "midpoint"};
    char what[256], cure[64] = "";
    if (a->parts)
        snprintf(what, sizeof what,
                 "a step of %g s is too long for it: afloat it swings with up to %.3g rad/s and a step would have to "
                 "be divided into %d parts, accepted at most 256",
                 type->step_s, a->frequency, a->parts);
    else
        write_growth(a, type->step_s, integrators[type->integrator], what, sizeof what);
    if (a->step > 0)
        snprintf(cure, sizeof cure, "a step of %g s would do, or ", a->step);
    snprintf(text, size, "%s; %ssubsteps, tolerance%s", what, cure,
             a->parts || type->integrator == FM_MIDPOINT ? "" : " or integrator=\"midpoint\"");
}

void fm_build_advise_step(fm_builder *b, const fm_node *vehicle, const fm_vehicle_config *c, const fm_type *type)
{
    const double *v = c->velocity;
    double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    fm_step_advice advice;
    char text[480];
    if (!b->warnings || !type->kind->judge_step ||
        !type->kind->judge_step(type, speed, b->model->settings.duration, &advice))
        return;
    write_advice(type, &advice, text, sizeof text);
    warn(b, vehicle, fm_node_value(vehicle, "period")->source == FM_VALUE_WRITTEN ? "period" : NULL, text);
}

void fm_build_advise(fm_builder *b)
{
    static const char *const kinds[] = {"vehicle", "type"};
    if (b->warnings)
        advise_columns(b);
    for (size_t i = 0; b->warnings && i < FM_COUNT(kinds); i++)
        for (const fm_node *vehicle = NULL; (vehicle = fm_node_next(b->tree->root, kinds[i], vehicle));) {
            advise_guidance(b, vehicle);
            advise_navigation(b, vehicle);
            advise_speed(b, vehicle);
            advise_waypoints(b, vehicle);
        }
}
