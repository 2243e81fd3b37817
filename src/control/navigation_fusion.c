#include "control/navigation_fusion.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "physics/posture.h"

enum { N = FM_ERROR_STATES };
static const double trail_step = 0.1; /* s between marks of the trail */
static const double least = 1e-6;     /* m²: fixes count as no better than a millimetre */

static double squared(double x)
{
    return x * x;
}

void fm_fusion_start(const fm_part_context *context, const fm_fusion_config *c, fm_fusion *f, fm_estimate *n)
{
    const fm_random_key key = {context->seed, context->entity, context->channel};
    const double start[N] = {c->initial,       c->initial,       c->initial,       c->heading_bias,
                             c->velocity_bias, c->velocity_bias, c->current_error, c->current_error};
    for (int i = 0; i < N; i++)
        f->filter.p[i * N + i] = squared(start[i]);
    for (uint32_t i = 0; i < 3; i++)
        n->position[i] += c->initial * fm_random_normal(key, context->tick, i);
}

/* --- the trail: position of the vehicle when a sample was taken --- */

static void leave_mark(fm_fusion *f)
{
    const fm_fusion_mark *last = &f->trail[(f->marks + FM_FUSION_TRAIL - 1) % FM_FUSION_TRAIL];
    if (!f->marks || f->now.time - last->time >= trail_step)
        f->trail[f->marks++ % FM_FUSION_TRAIL] = f->now;
}

/* Interpolates between two marks. */
static fm_fusion_mark between(const fm_fusion_mark *earlier, const fm_fusion_mark *later, double time)
{
    const double part = (time - earlier->time) / (later->time - earlier->time);
    fm_fusion_mark mark = *earlier;
    for (int k = 0; k < 3; k++)
        mark.moved[k] += part * (later->moved[k] - earlier->moved[k]);
    for (int k = 0; k < 9; k++)
        mark.wrong[k] += part * (later->wrong[k] - earlier->wrong[k]);
    return mark;
}

/* Displacement and uncertainty since `time`; older than the trail: since its oldest mark. */
static fm_fusion_mark since(const fm_fusion *f, double time)
{
    const int64_t oldest = f->marks > FM_FUSION_TRAIL ? f->marks - FM_FUSION_TRAIL : 0;
    fm_fusion_mark then = f->now, way = f->now;
    for (int64_t i = f->marks - 1; i >= oldest && then.time > time; i--) {
        const fm_fusion_mark *mark = &f->trail[i % FM_FUSION_TRAIL];
        then = mark->time < time ? between(mark, &then, time) : *mark;
        if (mark->time < time)
            break;
    }
    for (int k = 0; k < 3; k++)
        way.moved[k] -= then.moved[k];
    for (int k = 0; k < 9; k++)
        way.wrong[k] -= then.wrong[k];
    return way;
}

void fm_fusion_reckon(const fm_part_context *context, const fm_fusion_config *c, fm_fusion *f, const double R[9],
                      int through_water, const double intervals[2], fm_estimate *n)
{
    fm_reckoning r = {.dt = context->period,
                      .through_water = through_water,
                      .heading_pd = squared(c->heading_noise) * intervals[1],
                      .heading_walk = c->heading_walk,
                      .velocity_walk = c->velocity_walk,
                      .current_walk = c->current_walk};
    double q[9];
    fm_vector_to_world(R, n->velocity, r.velocity);
    memcpy(r.rotation, R, sizeof r.rotation);
    for (int i = 0; i < 3; i++) {
        r.velocity_pd[i] = squared(c->velocity_noise[i]) * intervals[0];
        n->position[i] += r.velocity[i] * r.dt;
        f->now.moved[i] += r.velocity[i] * r.dt;
    }
    fm_reckoning_noise(&r, q);
    for (int i = 0; i < 9; i++)
        f->now.wrong[i] += q[i];
    f->now.time = context->time;
    leave_mark(f);
    fm_error_filter_predict(&f->filter, &r);
}

static void believe(fm_fusion *f, const double correction[N], fm_estimate *n)
{
    for (int i = 0; i < 3; i++)
        n->position[i] += correction[i];
    f->heading_bias += correction[FM_ERROR_HEADING];
    f->velocity_bias[0] += correction[FM_ERROR_AHEAD];
    f->velocity_bias[1] += correction[FM_ERROR_STARBOARD];
    f->current[0] += correction[FM_ERROR_CURRENT_NORTH];
    f->current[1] += correction[FM_ERROR_CURRENT_EAST];
}

void fm_fusion_depth(const fm_fusion_config *c, fm_fusion *f, double depth, fm_estimate *n)
{
    const double h[N] = {[FM_ERROR_DOWN] = 1}, noise = squared(c->depth_noise), off = depth - n->position[2];
    double correction[N];
    fm_error_filter_correct(&f->filter, 1, h, &noise, NULL, &off, HUGE_VAL, correction);
    believe(f, correction, n);
}

/* Fixes and ranges pass the gate or are rejected. After give_up rejections in a row the reckoning must be wrong: the
 * uncertainty of its position is raised to the size of the innovation. */
static void correct(const fm_part_context *context, const fm_fusion_config *c, fm_fusion *f, int count, const double *h,
                    const double *noise, const double wrong[9], const double *innovation, fm_estimate *n)
{
    double correction[N], length = 0;
    const double distance =
        fm_error_filter_correct(&f->filter, count, h, noise, wrong, innovation, c->gate, correction);
    believe(f, correction, n);
    if (distance >= 0 && distance <= squared(c->gate)) {
        f->taken++;
        f->in_a_row = 0;
        return;
    }
    f->refused++;
    if (++f->in_a_row < c->give_up)
        return;
    for (int i = 0; i < count; i++)
        length += squared(innovation[i]);
    f->filter.p[FM_ERROR_NORTH * N + FM_ERROR_NORTH] += length;
    f->filter.p[FM_ERROR_EAST * N + FM_ERROR_EAST] += length;
    f->in_a_row = 0;
    fm_event_emit(context, "navigation doubts its place", sqrt(length));
}

void fm_fusion_fix(const fm_part_context *context, const fm_fusion_config *c, fm_fusion *f, double time,
                   const double fix[2], const double arm[3], const double variance[3], fm_estimate *n)
{
    const double own = squared(c->position_noise);
    const double noise[4] = {variance ? fmax(variance[0], least) : own, variance ? variance[1] : 0,
                             variance ? variance[1] : 0, variance ? fmax(variance[2], least) : own};
    const fm_fusion_mark way = since(f, time);
    double h[2 * N] = {0}, off[2];
    for (int i = 0; i < 2; i++) {
        h[i * N + i] = 1;
        off[i] = fix[i] + way.moved[i] - arm[i] - n->position[i];
    }
    h[FM_ERROR_HEADING] = arm[1];
    h[N + FM_ERROR_HEADING] = -arm[0];
    correct(context, c, f, 2, h, noise, way.wrong, off, n);
}

void fm_fusion_range(const fm_part_context *context, const fm_fusion_config *c, fm_fusion *f, double time, double range,
                     const double beacon[3], const double arm[3], double deviation, fm_estimate *n)
{
    const double noise = squared(deviation > 0 ? deviation : c->range_noise);
    const fm_fusion_mark way = since(f, time);
    double h[N] = {0}, line[3], length = 0;
    for (int i = 0; i < 3; i++) {
        line[i] = n->position[i] + arm[i] - way.moved[i] - beacon[i];
        length += squared(line[i]);
    }
    length = sqrt(length);
    if (!(length > 0))
        return;
    for (int i = 0; i < 3; i++)
        h[i] = line[i] / length;
    h[FM_ERROR_HEADING] = h[FM_ERROR_NORTH] * arm[1] - h[FM_ERROR_EAST] * arm[0];
    const double off = range - length;
    correct(context, c, f, 1, h, &noise, way.wrong, &off, n);
}
