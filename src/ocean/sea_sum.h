/* The sum over the components of a sea, several at a time in the lanes of a vector. The same bits at every width: each
 * component's share is that of the scalar functions, components are added by fours, one after the other of each four,
 * and then the four sums by twos, as physics/surroundings_water.h adds them.
 *
 * sea_sum_narrow.c, sea_sum_wide.c and sea_sum_widest.c are this for the registers that every processor has, for those
 * of AVX2 and for those of AVX-512. */
#ifndef FM_OCEAN_SEA_SUM_H
#define FM_OCEAN_SEA_SUM_H

#include "ocean/waves.h"

enum fm_sea_wants {
    FM_SEA_ELEVATION = 1,
    FM_SEA_VELOCITY = 2,
    FM_SEA_ACCELERATION = 4, /* and velocity */
    FM_SEA_PRESSURE = 8      /* all of them */
};

/* What is wanted at time t and (x, y, z) in *out; z is not above the mean surface and not below the bottom. */
typedef void fm_sea_summer(const fm_sea *sea, double t, const double position[3], double z, int wants,
                           fm_sea_sample *out);
fm_sea_summer fm_sea_sum_narrow;
fm_sea_summer fm_sea_sum_wide;   /* where the processor has AVX2; elsewhere as narrow */
fm_sea_summer fm_sea_sum_widest; /* where it has AVX-512; elsewhere as wide */

/* Sums over a hull, FM_HULL_SUMS numbers each; the pose as numbers. */
typedef void fm_sea_hull_summer(const fm_sea *sea, const struct fm_wave_grid *grid, int near, const double *pose,
                                double *value, double *rate);
fm_sea_hull_summer fm_sea_sum_hull_narrow;
fm_sea_hull_summer fm_sea_sum_hull_wide;

#ifdef FM_LANES
#include "physics/hull_waves.h"

/* `count` components from `at` on; lanes beyond them hold the last, without amplitude. */
static inline fm_wave_component fm_wave_gather(const fm_sea *sea, size_t at, size_t count)
{
    fm_wave_component w = {0};
    for (size_t i = 0; i < FM_LANES; i++) {
        const fm_wave *from = &sea->waves[at + (i < count ? i : count - 1)];
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

/* Four sums, each of every fourth component; fewer lanes hold some of them at a time. */
#if FM_LANES < 4
typedef fm_real fm_fourth;
#else
typedef fm_par fm_fourth __attribute__((vector_size(4 * FM_BYTES)));
#endif

/* Adds the lanes of `more` that are among the first `count`. */
static inline void fm_fourth_add(fm_fourth *sum, fm_real more)
{
#if FM_LANES > 4
    union {
        fm_real whole;
        fm_fourth half[2];
    } lanes = {more};
    *sum += lanes.half[0];
    *sum += lanes.half[1];
#else
    *sum += more;
#endif
}

static inline double fm_fourth_fold(fm_fourth sum)
{
#if FM_LANES < 4
    return sum[0] + sum[1];
#else
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
#endif
}

enum { FM_SEA_SUMS = 1 + 3 + 3 + FM_WAVE_GRADIENT + 1 }; /* numbers of an fm_sea_sample */
_Static_assert(sizeof(fm_sea_sample) == FM_SEA_SUMS * sizeof(double), "a sample is numbers alone");

/* Velocity, acceleration, gradient and pressure of components; those that are not felt are without amplitude. */
static inline void fm_wave_add_motion(const fm_sea *sea, const fm_wave_component *w, fm_real c, fm_real s, double z,
                                      int wants, fm_fourth sums[FM_SEA_SUMS])
{
    fm_wave_decay d = fm_wave_decay_at(w, sea->depth <= 0, fm_const(sea->depth), fm_const(z));
    fm_wave_motion m = fm_wave_move(w, &d, c, s);
    const fm_mask felt = w->number * z < fm_const(FM_WAVE_FELT);
    const fm_real zero = fm_const(0);
    for (int k = 0; k < 3; k++)
        fm_fourth_add(&sums[1 + k], fm_select(felt, m.velocity[k], zero));
    if (wants < FM_SEA_ACCELERATION)
        return;
    for (int k = 0; k < 3; k++)
        fm_fourth_add(&sums[4 + k], fm_select(felt, m.acceleration[k], zero));
    for (int k = 0; k < FM_WAVE_GRADIENT; k++)
        fm_fourth_add(&sums[7 + k], fm_select(felt, m.gradient[k], zero));
    fm_real weight = sea->density * sea->gravity * w->amplitude * d.pressure * c;
    fm_fourth_add(&sums[7 + FM_WAVE_GRADIENT], fm_select(felt, weight, zero));
}

/* The sums over every group of FM_LANES components that begins at `first` and at each `step` from there on. */
static inline void fm_sea_sum_fourths(const fm_sea *sea, size_t first, size_t step, double t, const double position[3],
                                      double z, int wants, fm_fourth sums[FM_SEA_SUMS])
{
    for (size_t at = first; at < sea->count; at += step) {
        size_t count = sea->count - at < FM_LANES ? sea->count - at : FM_LANES;
        fm_wave_component w = fm_wave_gather(sea, at, count);
        int felt = wants >= FM_SEA_VELOCITY && fm_any(w.number * z < fm_const(FM_WAVE_FELT));
        if (!felt && !(wants & FM_SEA_ELEVATION))
            continue;
        fm_real c, s;
        fm_wave_turn(fm_wave_angle(&w, fm_const(t), fm_const(position[0]), fm_const(position[1])), &c, &s);
        if (wants & FM_SEA_ELEVATION)
            fm_fourth_add(&sums[0], w.amplitude * c);
        if (felt)
            fm_wave_add_motion(sea, &w, c, s, z, wants, sums);
    }
}

static inline void fm_sea_sum_lanes(const fm_sea *sea, double t, const double position[3], double z, int wants,
                                    fm_sea_sample *out)
{
    double *to = &out->elevation;
    for (size_t first = 0; first < 4; first += FM_LANES) {
        fm_fourth sums[FM_SEA_SUMS] = {0};
        fm_sea_sum_fourths(sea, first, FM_LANES > 4 ? FM_LANES : 4, t, position, z, wants, sums);
        for (int i = 0; i < FM_SEA_SUMS; i++)
            to[i] = first ? to[i] + fm_fourth_fold(sums[i]) : fm_fourth_fold(sums[i]);
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
            const fm_wave_component w = fm_wave_gather(sea, at, count);
            fm_hull_wave(grid, &w, sea->depth <= 0, fm_const(sea->depth), near, &wide, &sums[0], &sums[1]);
        }
        fm_sea_fold(&sums[0], value, first > 0);
        fm_sea_fold(&sums[1], rate, first > 0);
    }
}
#endif

#endif
