/* Guidance, navigation and autopilot of a vehicle as in the file. Parts read those before them in the file. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "environment/environment.h"
#include "missions/mission_file.h"
#include "scenario/build_advice.h"

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

/* Guidance that no autopilot reads: all autopilots precede it, or there is none. */
void fm_advice_guidance(fm_builder *b, const fm_node *vehicle)
{
    const fm_node *autopilot = fm_node_child(vehicle, "autopilot");
    bool after = false;
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, NULL, node));) {
        after |= strcmp(node->element->name, "autopilot") == 0;
        if (!is_one_of(node, guides) || (autopilot && !after))
            continue;
        fm_advice_warn(b, node, NULL,
                       autopilot ? "comes after <autopilot>, which reads only guidance before it: it has no effect; "
                                   "move it before <autopilot>"
                                 : "has no effect: no <autopilot> comes after it that would follow; add one");
    }
}

void fm_advice_navigation(fm_builder *b, const fm_node *vehicle)
{
    const fm_node *reader = NULL;
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, NULL, node));) {
        if (!reader && is_one_of(node, readers))
            reader = node;
        if (reader && strcmp(node->element->name, "navigation") == 0) {
            fm_advice_warn(
                b, node, NULL,
                "comes after parts that would read it; they read the true state instead: move it before them");
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

/* Whether it has a destination: waypoints, or a mission that orders a speed. */
static bool has_way_to_go(const fm_node *vehicle)
{
    if (fm_node_child(vehicle, "waypoints"))
        return true;
    for (const fm_node *mission = NULL; (mission = fm_node_next(vehicle, "mission", mission));)
        for (const fm_node *step = NULL; (step = fm_node_next(mission, NULL, step));)
            if (fm_node_written(step, "speed"))
                return true;
    return false;
}

/* Nothing propels the vehicle: fins need forward speed, and a guidance with waypoints or speeds orders one. */
void fm_advice_speed(fm_builder *b, const fm_node *vehicle)
{
    const fm_node *autopilot = fm_node_child(vehicle, "autopilot");
    const fm_value *steering = autopilot ? fm_node_value(autopilot, "steering") : NULL;
    const bool drives = fm_node_child(vehicle, "propeller") || fm_node_child(vehicle, "thruster");
    if (!steering || !steering->text || fm_node_child(autopilot, "speed") || !drives || has_orders(vehicle))
        return;
    if (strcmp(steering->text, "fins") == 0)
        fm_advice_warn(
            b, autopilot, NULL,
            "has no <speed>, and no <orders> are given: nothing drives the vehicle ahead, and fins need way; "
            "add <speed> to it");
    else if (has_way_to_go(vehicle))
        fm_advice_warn(b, autopilot, NULL,
                       "has no <speed>, but its guidance orders a speed: its thrusters do not drive it ahead; add "
                       "<speed> to it");
}

/* --- waypoints --- */

static void look_at_children(fm_builder *b, const fm_node *list)
{
    for (const fm_node *node = NULL; (node = fm_node_next(list, "waypoint", node));) {
        const fm_value *position = fm_node_value(node, "position");
        if (!position || position->count != 3)
            continue;
        const double depth = fm_environment_depth(b->model->environment, position->numbers[0], position->numbers[1]);
        if (position->numbers[2] < 0)
            fm_advice_warn(b, node, "position", "is above the sea: the third number is depth, positive down");
        else if (position->numbers[2] >= depth)
            fm_advice_warn(b, node, "position", "is below the bottom, which is %.4g m deep there", depth);
    }
}

static void look_at_positions(fm_builder *b, const fm_node *node, const char *file, const fm_waypoint *list,
                              size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double *at = list[i].position, depth = fm_environment_depth(b->model->environment, at[0], at[1]);
        if (at[2] < 0)
            fm_advice_warn(b, node, "file",
                           "%.200s: waypoint %zu is %.4g m above the sea: altitudes below it are "
                           "negative",
                           file, i + 1, -at[2]);
        else if (at[2] >= depth)
            fm_advice_warn(b, node, "file", "%.200s: waypoint %zu is below the bottom, which is %.4g m deep there",
                           file, i + 1, depth);
    }
}

static void look_at_items(fm_builder *b, const fm_node *node, const fm_mission_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        const char *skipped = fm_mission_skipped(plan->items[i].command);
        if (skipped)
            fm_advice_warn(b, node, "file", "%.200s: %s %d: %s has no effect and is skipped", plan->name, plan->noun,
                           plan->items[i].number, skipped);
    }
    if (plan->fenced)
        fm_advice_warn(b, node, "file", "%.200s: its fences and rally points have no effect", plan->name);
}

/* A mission file that cannot be read is an error of the part. */
static void look_at_file(fm_builder *b, const fm_node *node, const char *path)
{
    const fm_environment *e = b->model->environment;
    const fm_value *depth = fm_node_written(node, "depth") ? fm_node_value(node, "depth") : NULL;
    const fm_geodetic origin = {e->latitude, e->longitude, 0};
    fm_mission_plan plan;
    fm_waypoint *list = NULL;
    size_t count;
    if (fm_mission_read(path, &plan, NULL) == FM_OK && (list = fm_alloc((plan.count + 1) * sizeof *list))) {
        look_at_items(b, node, &plan);
        if (fm_mission_to_waypoints(&plan, &origin, depth && depth->count == 1 ? depth->numbers[0] : NAN, list, &count,
                                    NULL) == FM_OK)
            look_at_positions(b, node, path, list, count);
    }
    fm_free(list);
    fm_mission_free(&plan);
}

void fm_advice_waypoints(fm_builder *b, const fm_node *vehicle)
{
    for (const fm_node *list = NULL; (list = fm_node_next(vehicle, "waypoints", list));) {
        const fm_value *file = fm_node_value(list, "file");
        look_at_children(b, list);
        if (file && file->text)
            look_at_file(b, list, file->text);
    }
}
