#include "flow/moving_bodies.h"

#include <math.h>

#include "physics/spheroid.h"

fm_flow_form fm_flow_form_make(double length, double width)
{
    if (!(length > width * (1 + 1e-6)))
        length = width = fm_pow(length * width * width, 1.0 / 3);
    fm_spheroid s = fm_spheroid_added_mass(width, length, 1);
    fm_flow_form form = {.focus = sqrt(fmax(length * length - width * width, 0))};
    double volume = 4.0 / 3 * FM_PI * length * width * width;
    form.core = length - form.focus;
    form.scale = volume / (4 * FM_PI) * 2 / (form.core * form.core * form.core);
    form.along = 1 + s.k1;
    form.across = 1 + s.k2;
    return form;
}

void fm_flow_line_add(const fm_flow_line *line, const double x[3], double v[3])
{
    if (line->focus > 0)
        fm_flow_foci_add(line, x, v);
    else
        fm_flow_ball_add(line, x, v);
}

void fm_flow_answer_add(const double centre[3], double a, const double u[3], fm_flow_field *field, const void *user,
                        double v[3])
{
    double sum[3] = {0}, x[3];
    for (int i = 0; i < FM_FLOW_ASKED; i++) {
        double w[3] = {0};
        fm_flow_asked_point(i, centre, a, u, x);
        field(user, x, w);
        fm_flow_asked_take(i, w, sum);
    }
    fm_flow_asked_answer(sum, u, v);
}
