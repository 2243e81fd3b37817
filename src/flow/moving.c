#include "flow/moving.h"

#include <math.h>

#include "physics/flow_dipole.h"
#include "physics/spheroid.h"

/* Gauss–Legendre on −1 … 1. */
enum { NODES = 8 };
static const double PLACES[NODES] = {-0.960289856497536232, -0.796666477413626740, -0.525532409916328986,
                                     -0.183434642495649805, 0.183434642495649805,  0.525532409916328986,
                                     0.796666477413626740,  0.960289856497536232};
static const double WEIGHTS[NODES] = {0.101228536290376259, 0.222381034453374471, 0.313706645877887287,
                                      0.362683783378361983, 0.362683783378361983, 0.313706645877887287,
                                      0.222381034453374471, 0.101228536290376259};

fm_flow_line fm_flow_line_make(const double centre[3], const double axis[3], double length, double width,
                               const double velocity[3])
{
    if (!(length > width * (1 + 1e-6)))
        length = width = fm_pow(length * width * width, 1.0 / 3);
    fm_spheroid s = fm_spheroid_added_mass(width, length, 1);
    fm_flow_line line = {.focus = sqrt(fmax(length * length - width * width, 0))};
    line.core = length - line.focus;
    double along = fm_dot(velocity, axis), volume = 4.0 / 3 * FM_PI * length * width * width;
    double scale = volume / (4 * FM_PI) * 2 / (line.core * line.core * line.core);
    for (int k = 0; k < 3; k++) {
        line.centre[k] = centre[k], line.axis[k] = axis[k];
        line.strength[k] = scale * ((1 + s.k1) * along * axis[k] + (1 + s.k2) * (velocity[k] - along * axis[k]));
    }
    return line;
}

void fm_flow_line_add(const fm_flow_line *line, const double x[3], double v[3])
{
    for (int i = 0; i < (line->focus > 0 ? NODES : 1); i++) {
        double place = line->focus > 0 ? PLACES[i] : 0, r[3], part[3];
        double share = line->focus > 0 ? 0.75 * WEIGHTS[i] * (1 - place * place) : 1;
        for (int k = 0; k < 3; k++) {
            r[k] = x[k] - line->centre[k] - line->focus * place * line->axis[k];
            part[k] = share * line->strength[k];
        }
        fm_flow_dipole_add(r, part, line->core, v);
    }
}

void fm_flow_cylinder_add(const double offset[3], const double axis[3], const double velocity[3], double radius,
                          double v[3])
{
    double along = fm_dot(offset, axis), with = fm_dot(velocity, axis), rho[3], u[3];
    for (int k = 0; k < 3; k++) {
        rho[k] = offset[k] - along * axis[k];
        u[k] = velocity[k] - with * axis[k];
    }
    double square = fm_dot(rho, rho), scale = radius * radius / fm_max(square, radius * radius);
    double out = 2 * fm_dot(u, rho) / fm_max(square, FM_TINY);
    for (int k = 0; k < 3; k++)
        v[k] += scale * (out * rho[k] - u[k]);
}

void fm_flow_answer_add(const double centre[3], double a, const double u[3], fm_flow_field *field, const void *user,
                        double v[3])
{
    double sum[3] = {0}, x[3];
    for (int k = 0; k < 3; k++)
        x[k] = centre[k] + a * u[k];
    field(user, x, sum);
    for (int k = 0; k < 3; k++)
        sum[k] *= 2;
    for (int i = 0; i < NODES; i++) {
        double s = 0.5 * (1 + PLACES[i]), w[3] = {0};
        for (int k = 0; k < 3; k++)
            x[k] = centre[k] + s * a * u[k];
        field(user, x, w);
        for (int k = 0; k < 3; k++)
            sum[k] -= 0.5 * WEIGHTS[i] * s * w[k];
    }
    double outward = fm_dot(sum, u);
    for (int k = 0; k < 3; k++)
        v[k] += sum[k] - outward * u[k];
}
