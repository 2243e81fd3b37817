/* The sum over the components of a sea, several at a time in the lanes of a vector. The same bits at every width: each
 * component's share is that of the scalar functions, and the shares are added in the order of the components.
 *
 * sea_sum_narrow.c and sea_sum_wide.c are this for the registers that every processor has and for wide ones. */
#ifndef FM_OCEAN_SEA_SUM_H
#define FM_OCEAN_SEA_SUM_H

#include "ocean/waves.h"

enum fm_sea_wants {
    FM_SEA_ELEVATION = 1,
    FM_SEA_VELOCITY = 2,
    FM_SEA_ACCELERATION = 4, /* and velocity */
    FM_SEA_PRESSURE = 8      /* all of them */
};

/* Adds what is wanted at time t and (x, y, z) to *out; z is not above the mean surface and not below the bottom. */
typedef void fm_sea_summer(const fm_sea *sea, double t, const double position[3], double z, int wants,
                           fm_sea_sample *out);
fm_sea_summer fm_sea_sum_narrow;
fm_sea_summer fm_sea_sum_wide; /* if the processor has AVX2; elsewhere like the narrow one */

/* Sums over a hull, FM_HULL_SUMS numbers each; the pose as numbers. */
typedef void fm_sea_hull_summer(const fm_sea *sea, const struct fm_wave_grid *grid, int near, const double *pose,
                                double *value, double *rate);
fm_sea_hull_summer fm_sea_sum_hull_narrow;
fm_sea_hull_summer fm_sea_sum_hull_wide;

#ifdef FM_LANES
#include "physics/hull_waves.h"

/* Components from `waves` on; lanes beyond `count` hold the last of them, without amplitude. */
static inline fm_wave_component fm_wave_gather(const fm_wave *waves, size_t count)
{
    fm_wave_component w = {0};
    for (size_t i = 0; i < FM_LANES; i++) {
        const fm_wave *from = &waves[i < count ? i : count - 1];
        w.amplitude[i] = i < count ? from->amplitude : 0;
        w.frequency[i] = from->frequency;
        w.number[i] = from->number;
        w.north[i] = from->travel[0];
        w.east[i] = from->travel[1];
        w.phase[i] = from->phase;
        w.echo[i] = from->echo;
    }
    return w;
}

/* Velocity, acceleration and pressure of `count` components, if they are needed. */
static inline void fm_wave_add_motion(const fm_sea *sea, const fm_wave_component *w, fm_real c, fm_real s, double z,
                                      size_t count, int wants, fm_sea_sample *out)
{
    fm_wave_decay d = fm_wave_decay_at(w, sea->depth <= 0, fm_const(sea->depth), fm_const(z));
    fm_wave_motion m = fm_wave_move(w, &d, c, s);
    fm_real weight = sea->density * sea->gravity * w->amplitude * d.pressure * c, deep = w->number * z;
    for (size_t i = 0; i < count; i++) {
        if (!(deep[i] < FM_WAVE_FELT))
            continue;
        for (int k = 0; k < 3; k++)
            out->velocity[k] += m.velocity[k][i];
        if (wants < FM_SEA_ACCELERATION)
            continue;
        for (int k = 0; k < 3; k++)
            out->acceleration[k] += m.acceleration[k][i];
        for (int k = 0; k < FM_WAVE_GRADIENT; k++)
            out->gradient[k] += m.gradient[k][i];
        out->pressure += weight[i];
    }
}

static inline void fm_sea_sum_lanes(const fm_sea *sea, double t, const double position[3], double z, int wants,
                                    fm_sea_sample *out)
{
    for (size_t at = 0; at < sea->count; at += FM_LANES) {
        size_t count = sea->count - at < FM_LANES ? sea->count - at : FM_LANES;
        fm_wave_component w = fm_wave_gather(sea->waves + at, count);
        int felt = wants >= FM_SEA_VELOCITY && fm_any(w.number * z < fm_const(FM_WAVE_FELT));
        if (!felt && !(wants & FM_SEA_ELEVATION))
            continue;
        fm_real theta = fm_wave_angle(&w, fm_const(t), fm_const(position[0]), fm_const(position[1]));
        fm_real c = fm_cos(theta), high = w.amplitude * c;
        for (size_t i = 0; i < count && wants & FM_SEA_ELEVATION; i++)
            out->elevation += high[i];
        if (felt)
            fm_wave_add_motion(sea, &w, c, fm_sin(theta), z, count, wants, out);
    }
}

/* The four sums by twos; of components `first` … of each four in the first lanes. */
static inline void fm_sea_fold(const fm_hull_sums *sums, double *out, int more)
{
    const fm_real *from = sums->velocity[0];
    for (int i = 0; i < FM_HULL_SUMS; i++) {
#if FM_LANES == 4
        double folded = (from[i][0] + from[i][1]) + (from[i][2] + from[i][3]);
#else
        double folded = from[i][0] + from[i][1];
#endif
        out[i] = more ? out[i] + folded : folded;
    }
}

/* Components by fours, one after the other of each four: the order of physics/surroundings_water.h. */
static inline void fm_sea_sum_hull_lanes(const fm_sea *sea, const fm_wave_grid *grid, int near, const double *pose,
                                         double *value, double *rate)
{
    fm_wave_pose wide;
    fm_real *numbers = &wide.time;
    for (int i = 0; i < FM_WAVE_POSE_NUMBERS; i++)
        numbers[i] = fm_const(pose[i]);
    for (size_t first = 0; first < 4; first += FM_LANES) {
        fm_hull_sums sums[2];
        fm_hull_sums_clear(&sums[0]);
        fm_hull_sums_clear(&sums[1]);
        for (size_t at = first; at < sea->count; at += 4) {
            size_t count = sea->count - at < FM_LANES ? sea->count - at : FM_LANES;
            const fm_wave_component w = fm_wave_gather(sea->waves + at, count);
            fm_hull_wave(grid, &w, sea->depth <= 0, fm_const(sea->depth), near, &wide, &sums[0], &sums[1]);
        }
        fm_sea_fold(&sums[0], value, first > 0);
        fm_sea_fold(&sums[1], rate, first > 0);
    }
}
#endif

#endif
