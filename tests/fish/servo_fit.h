/* How well a servo table follows the wave that it was fitted to. */
#ifndef TESTS_FISH_SERVO_FIT_H
#define TESTS_FISH_SERVO_FIT_H

#include <math.h>

#include "fish/servo_table.h"

typedef struct servo_fit {
    double deviation;            /* largest distance of the wave from the chord's line, m */
    double tip_amplitude;        /* largest lateral excursion of the tip, m */
    double tip_x_min, tip_x_max; /* m aft of joint 1 */
    double length_error;         /* largest error of a link's length, m */
} servo_fit;

/* Largest distance of the wave between two joints from the chord through them. */
static inline double chord_deviation(const fm_fish_params *wave, double cycles, const double a[2], const double b[2])
{
    double worst = 0, length = hypot(b[0] - a[0], b[1] - a[1]);
    for (int i = 1; i < 50; i++) {
        double x = a[0] + (b[0] - a[0]) * i / 50, y = fm_fish_wave(wave, x, cycles);
        double off = fabs((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / length;
        worst = fmax(worst, off);
    }
    return worst;
}

static inline servo_fit fit_of(const fm_servo_table *table, const fm_fish_params *wave)
{
    const int joints = table->tail.joints;
    servo_fit fit = {.tip_x_min = INFINITY, .tip_x_max = -INFINITY};
    for (int i = 0; i < table->rows; i++) {
        double x[FM_FISH_JOINTS_MOST + 1], y[FM_FISH_JOINTS_MOST + 1];
        fm_fish_chain(&table->tail, table->angle + i * joints, x, y);
        for (int j = 0; j < joints; j++) { /* the body frame turned by 180 degrees is the wave's */
            double a[2] = {-x[j], -y[j]}, b[2] = {-x[j + 1], -y[j + 1]};
            fit.deviation = fmax(fit.deviation, chord_deviation(wave, (double)i / table->rows, a, b));
            fit.length_error = fmax(fit.length_error, fabs(hypot(b[0] - a[0], b[1] - a[1]) - table->tail.link[j]));
        }
        fit.tip_amplitude = fmax(fit.tip_amplitude, fabs(y[joints]));
        fit.tip_x_min = fmin(fit.tip_x_min, -x[joints]);
        fit.tip_x_max = fmax(fit.tip_x_max, -x[joints]);
    }
    return fit;
}

#endif
