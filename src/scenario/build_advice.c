/* Warnings: the table of all of them, and steps that are too long. */
#include "scenario/build_advice.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_known(const fm_report *report, const fm_error *warning)
{
    for (size_t i = 0; fm_report_get(report, i); i++) {
        const fm_error *other = fm_report_get(report, i);
        if (other->line == warning->line && !strcmp(other->file, warning->file) && !strcmp(other->text, warning->text))
            return true;
    }
    return false;
}

void fm_advice_warn(fm_builder *b, const fm_node *node, const char *attr, const char *format, ...)
{
    char text[480];
    fm_error warning = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fm_node_error(node, attr, &warning, FM_OK, text);
    if (!is_known(b->warnings, &warning))
        fm_report_add_error(b->warnings, &warning);
}

/* --- steps --- */

/* "at rest, a swing of 3.2 rad/s grows 12-fold …" */
static void write_growth(const fm_step_advice *a, double step, const char *integrator, char *text, size_t size)
{
    char motion[96], factor[80] = "more than 1000-fold within the run, or until drag limits it,";
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
                 "be divided into %d parts: must be at most 256",
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
    fm_advice_warn(b, vehicle, fm_node_written(vehicle, "period") ? "period" : NULL, "%s", text);
}

/* --- all of them --- */

static const struct {
    enum { AS_WRITTEN, AS_BUILT } when; /* before any vehicle is built, or after a load without errors */
    void (*vehicle)(fm_builder *b, const fm_node *vehicle); /* of each <vehicle> and <type> */
    void (*world)(fm_builder *b);
} advice[] = {
    {AS_WRITTEN, fm_advice_guidance, NULL}, {AS_WRITTEN, fm_advice_navigation, NULL},
    {AS_WRITTEN, fm_advice_speed, NULL},    {AS_WRITTEN, fm_advice_waypoints, NULL},
    {AS_BUILT, NULL, fm_advice_numbers},    {AS_BUILT, NULL, fm_advice_starts},
    {AS_BUILT, NULL, fm_advice_schedule},   {AS_BUILT, NULL, fm_advice_obstacles},
};

static void advise_vehicles(fm_builder *b, void (*look)(fm_builder *b, const fm_node *vehicle))
{
    static const char *const kinds[] = {"vehicle", "type"};
    for (size_t i = 0; i < FM_COUNT(kinds); i++)
        for (const fm_node *vehicle = NULL; (vehicle = fm_node_next(b->tree->root, kinds[i], vehicle));)
            look(b, vehicle);
}

static void advise(fm_builder *b, int when)
{
    for (size_t i = 0; b->warnings && i < FM_COUNT(advice); i++) {
        if ((int)advice[i].when != when)
            continue;
        if (advice[i].vehicle)
            advise_vehicles(b, advice[i].vehicle);
        if (advice[i].world)
            advice[i].world(b);
    }
}

void fm_build_advise(fm_builder *b)
{
    advise(b, AS_WRITTEN);
}

void fm_build_advise_built(fm_builder *b)
{
    advise(b, AS_BUILT);
}
