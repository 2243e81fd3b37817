#include "control/echo_points.h"

#include <math.h>

#include "physics/posture.h"

static int is_image(fm_part_load *load, size_t part, fm_echo_view *v)
{
    return fm_load_quantity(load, part, FM_QUANTITY_RANGES, &v->ranges) &&
           fm_load_quantity(load, part, FM_QUANTITY_DIRECTIONS, &v->beams) &&
           fm_load_quantity(load, part, FM_QUANTITY_ECHOES, &v->echoes) &&
           v->echoes.count == v->beams.count / 3 * v->ranges.count;
}

static int gives_returns(fm_part_load *load, size_t part, fm_echo_view *v)
{
    return fm_load_quantity(load, part, FM_QUANTITY_RANGES, &v->ranges) &&
           fm_load_quantity(load, part, FM_QUANTITY_BEARINGS, &v->bearings) &&
           fm_load_quantity(load, part, FM_QUANTITY_RETURNS, &v->returns) &&
           fm_load_quantity(load, part, FM_QUANTITY_PITCH, &v->pitch);
}

/* Whether a part is a sonar of one of the supported kinds; fills the view. */
static int take(fm_part_load *load, size_t part, fm_echo_view *v)
{
    *v = (fm_echo_view){.part = (int64_t)part};
    if (gives_returns(load, part, v))
        return 1;
    v->returns.count = 0;
    if (is_image(load, part, v))
        return 1;
    *v = (fm_echo_view){.part = (int64_t)part};
    if (fm_load_part_info(load, part).part_class->kind != FM_PART_SENSOR)
        return 0;
    return fm_load_quantity(load, part, FM_QUANTITY_RANGE, &v->range);
}

fm_status fm_echo_view_load(fm_part_load *load, const char *name, fm_echo_view *view, fm_error *error)
{
    const int named = name ? fm_load_sensor(load, name, error) : -1;
    if (name && named < 0)
        return error->status;
    if (named >= 0 && take(load, (size_t)named, view))
        return FM_OK;
    for (size_t i = 0; named < 0 && i < fm_load_part_count(load); i++)
        if (take(load, i, view))
            return FM_OK;
    return fm_load_fail(load, error, FM_ERR_MODEL,
                        "%s%s%s: must be a sonar that gives echoes of beams (multibeam, scanning-sonar), returns with "
                        "bearings (node-sonar) or a range (sonar)",
                        name ? "'" : "", name ? name : "the vehicle has no sonar", name ? "' is none" : "");
}

size_t fm_echo_view_most(const fm_echo_view *view)
{
    return view->range.count ? 1 : view->returns.count ? view->ranges.count : view->beams.count / 3;
}

/* A point at distance `r` along `own` (unit, the instrument's axes) of an instrument. */
static int place(const fm_mount *mount, const double own[3], double r, double body[3])
{
    double way[3];
    if (!(r > 0 && r < HUGE_VAL))
        return 0;
    fm_vector_to_world(mount->rotation, own, way);
    for (int k = 0; k < 3; k++)
        body[k] = mount->position[k] + r * way[k];
    return 1;
}

/* The nearest echo of a beam. */
static int place_beam(const fm_part_context *context, const fm_echo_view *v, size_t beam, double body[3])
{
    const size_t beams = v->beams.count / 3;
    const void *echoes = fm_quantity_data(context, &v->echoes), *directions = fm_quantity_data(context, &v->beams);
    size_t bin = 0;
    while (bin < v->ranges.count && fm_quantity_at(&v->echoes, echoes, bin * beams + beam) == 0)
        bin++;
    if (bin == v->ranges.count)
        return 0;
    double own[3];
    for (size_t k = 0; k < 3; k++)
        own[k] = fm_quantity_at(&v->beams, directions, 3 * beam + k);
    return place(v->beams.mount, own, fm_quantity_value(context, &v->ranges, bin), body);
}

/* Bearings of returns are relative to the horizontal: converts to body axes with the pitch of the time of the image. */
static int place_return(const fm_part_context *context, const fm_echo_view *v, size_t i, double body[3])
{
    if (!((double)i < fm_quantity_value(context, &v->returns, 0)))
        return 0;
    const double r = fm_quantity_value(context, &v->ranges, i),
                 b = fm_quantity_value(context, &v->bearings, i) + fm_quantity_value(context, &v->pitch, 0);
    if (!(r > 0 && r < HUGE_VAL))
        return 0;
    body[0] = v->ranges.mount->position[0] + r * fm_cos(b);
    body[1] = v->ranges.mount->position[1];
    body[2] = v->ranges.mount->position[2] + r * fm_sin(b);
    return 1;
}

int fm_echo_view_point(const fm_part_context *context, const fm_echo_view *view, size_t i, double body[3])
{
    static const double ahead[3] = {1, 0, 0};
    if (view->range.count)
        return place(view->range.mount, ahead, fm_quantity_value(context, &view->range, 0), body);
    return view->returns.count ? place_return(context, view, i, body) : place_beam(context, view, i, body);
}
