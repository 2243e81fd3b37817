/* The methods of <planner>: contour following, potential field, search over cells. */
#include <math.h>

#include "control/planner.h"
#include "control/potential_field.h"
#include "physics/angle.h"

static double distance(const double a[2], const double b[2])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
}

/* `along` m from a place on a course. */
static void go(const double at[2], double course, double along, double out[2])
{
    out[0] = at[0] + along * fm_cos(course);
    out[1] = at[1] + along * fm_sin(course);
}

/* --- contour following (K5) --- */

enum { TURNS = 120 }; /* courses tried in a full turn */

/* Whether a strip of `width` to both sides of a course is free for `length`. */
static int is_course_free(const fm_plan_map *map, const double at[2], double course, double length, double width)
{
    double end[2];
    go(at, course, length, end);
    return fm_plan_map_free(map, at, end, width);
}

/* The first free course, turning to starboard (side 1) or port (-1); counted in turns from it, TURNS: none. */
static int find_free(const fm_plan_map *map, const double at[2], double course, int64_t side, double length,
                     double width)
{
    int i = 0;
    while (i < TURNS && !is_course_free(map, at, course + (double)(i * side) * 2 * FM_PI / TURNS, length, width))
        i++;
    return i;
}

/* The side for going around: the one that needs the smaller turn; in the vertical plane always upwards. */
static int64_t choose_side(const fm_planner_config *live, const fm_plan_map *map, const double at[2], double to_goal,
                           double length)
{
    const double width = live->clearance;
    if (map->frame->plane == FM_PLANE_UPRIGHT)
        return -1;
    return find_free(map, at, to_goal, 1, length, width) <= find_free(map, at, to_goal, -1, length, width) ? 1 : -1;
}

/* Along the edge: if the last course is no longer free, away from the edge until one is; if it is, back towards the
 * edge up to the last free one. NaN: the edge is lost, or all courses are blocked. */
static double follow_edge(const fm_planner_config *live, const fm_plan_map *map, const fm_planner_state *s,
                          const double at[2])
{
    const double turn = (double)s->following * 2 * FM_PI / TURNS;
    const int away = find_free(map, at, s->course, s->following, live->lookahead, live->clearance);
    if (away > 0)
        return away < TURNS ? fm_angle_wrap_pi(s->course + away * turn) : NAN;
    for (int i = 1; i <= TURNS / 3; i++)
        if (!is_course_free(map, at, s->course - i * turn, live->lookahead, live->clearance))
            return fm_angle_wrap_pi(s->course - (i - 1) * turn);
    return NAN;
}

static double decide_contour(const fm_planner_config *live, const fm_plan_map *map, fm_planner_state *s,
                             const double at[2])
{
    const double *goal = map->frame->goal, left = distance(at, goal), far = fmin(live->lookahead, left),
                 to_goal = fm_atan2(goal[1] - at[1], goal[0] - at[0]);
    const int clear = is_course_free(map, at, to_goal, far, live->clearance);
    if (s->following && clear && left < s->hit)
        s->following = 0;
    if (!s->following && clear)
        return to_goal;
    if (!s->following) {
        s->following = choose_side(live, map, at, to_goal, far);
        s->hit = left;
        s->course = to_goal;
    }
    const double course = follow_edge(live, map, s, at);
    if (!isnan(course))
        return course;
    s->following = 0;
    return to_goal;
}

/* --- potential field (K6) --- */

typedef struct slope {
    fm_potential_params p;
    double at[2], gradient[2], weight;
} slope;

static void add_hill(void *user, const double centre[2])
{
    slope *s = user;
    const double offset[2] = {s->at[0] - centre[0], s->at[1] - centre[1]};
    double part[2];
    fm_potential_hill(&s->p, s->weight, offset, part);
    s->gradient[0] += part[0];
    s->gradient[1] += part[1];
}

static double decide_potential(const fm_planner_config *live, const fm_plan_map *map, const fm_planner_state *s,
                               const double at[2])
{
    const double *goal = map->frame->goal, offset[2] = {at[0] - goal[0], at[1] - goal[1]};
    slope u = {.p = {.well = live->well, .hill = live->hill, .far = live->influence, .near = map->frame->cell},
               .at = {at[0], at[1]},
               .weight = map->frame->cell / live->influence};
    fm_potential_well(&u.p, offset, u.gradient);
    fm_plan_map_visit(map, at, live->influence, add_hill, &u);
    if (u.gradient[0] == 0 && u.gradient[1] == 0)
        return s->course;
    return fm_atan2(-u.gradient[1], -u.gradient[0]);
}

/* --- search over cells (K3), (K4), (K7) --- */

/* The farthest cell of the path within the look-ahead that can be reached in a straight line at no higher cost than the
 * path's. */
static void find_aim(const fm_planner_config *live, const fm_plan_map *map, const fm_replan *plan, const double at[2],
                     double aim[2])
{
    int32_t cell = (int32_t)plan->head->start, dear = 0;
    double centre[2];
    for (int32_t next; (next = fm_replan_next(plan, cell)) >= 0; cell = next) {
        fm_plan_frame_centre(map->frame, next, centre);
        dear = map->cost[next] > dear ? map->cost[next] : dear;
        if (distance(at, centre) > live->lookahead || fm_plan_map_dearest(map, at, centre) > dear)
            break;
        aim[0] = centre[0];
        aim[1] = centre[1];
    }
}

/* If no path exists, the vehicle circles to starboard. */
static double decide_cells(const fm_planner_config *live, const fm_plan_map *map, const fm_replan *plan,
                           fm_planner_state *s, const double at[2])
{
    const int32_t cell = fm_plan_frame_nearest_cell(map->frame, at), goal = (int32_t)plan->head->goal;
    if (cell != plan->head->start)
        fm_replan_move(plan, cell);
    s->replans += s->grown;
    s->grown = 0;
    const int32_t cost = fm_replan_search(plan);
    s->lost = cost == FM_REPLAN_FAR;
    s->way = s->lost ? HUGE_VAL : (double)cost / FM_REPLAN_STRAIGHT * map->frame->cell;
    s->aim[0] = map->frame->goal[0];
    s->aim[1] = map->frame->goal[1];
    if (s->lost)
        return fm_angle_wrap_pi(s->course + 0.25 * FM_PI);
    if (cell == goal)
        return s->course;
    int32_t next = fm_replan_next(plan, cell);
    fm_plan_frame_centre(map->frame, next, s->aim);
    if (next != goal)
        find_aim(live, map, plan, at, s->aim);
    return fm_atan2(s->aim[1] - at[1], s->aim[0] - at[0]);
}

void fm_planner_decide(const fm_planner_config *config, const fm_planner_config *live, fm_planner_state *state,
                       const double at[2])
{
    const fm_plan_map map = fm_planner_map(config, state);
    if (config->method == FM_PLAN_CELLS) {
        const fm_replan plan = fm_planner_search(config, state);
        state->course = decide_cells(live, &map, &plan, state, at);
        return;
    }
    state->course = config->method == FM_PLAN_CONTOUR ? decide_contour(live, &map, state, at)
                                                      : decide_potential(live, &map, state, at);
    go(at, state->course, live->lookahead, state->aim);
}
