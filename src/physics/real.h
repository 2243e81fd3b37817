/* fm_real: the number type of every kernel in this folder.
 *
 * The kernels are compiled three times from one source:
 *   scalar   fm_real is double (the live engine)
 *   lanes    FM_LANES is defined (8): fm_real is a vector of FM_LANES doubles, one vehicle a lane (the CPU batch
 * engine) CUDA     compiled by nvcc: fm_real is double (or float with FM_FLOAT), one vehicle a thread
 *
 * Rules for kernels: C17 and C++17 at once; FM_FN on every function; state is fm_real, parameters are fm_par (plain
 * numbers, shared by all lanes); constants through fm_const; choices on state through fm_select, `if` only on
 * parameters; no libm: the fm_sin … below give the same bits in every build (SLEEF's deterministic functions). */
#ifndef FM_PHYSICS_REAL_H
#define FM_PHYSICS_REAL_H

#include <stddef.h>
#include <stdint.h>

/* Kernels are inlined whole, so that parameters become constants. Unoptimised and sanitiser builds define
 * FM_PLAIN_INLINE: the same bits, but inlining everything would take a compiler minutes there. */
#ifdef FM_PLAIN_INLINE
#define FM_INLINE static inline __attribute__((unused))
#else
#define FM_INLINE static inline __attribute__((always_inline, unused))
#endif

#if defined(__CUDACC__)

#include <math.h>
#define FM_FN static inline __host__ __device__
#ifdef FM_FLOAT
typedef float fm_real;
#else
typedef double fm_real;
#endif
typedef fm_real fm_par;
typedef bool fm_mask;
#define fm_const(x) ((fm_real)(x))
FM_FN fm_real fm_select(fm_mask m, fm_real a, fm_real b)
{
    return m ? a : b;
}
FM_FN bool fm_any(fm_mask m)
{
    return m;
}
FM_FN fm_real fm_sqrt(fm_real a)
{
    return sqrt(a);
}
FM_FN fm_real fm_abs(fm_real a)
{
    return fabs(a);
}
FM_FN fm_real fm_sin(fm_real a)
{
    return sin(a);
}
FM_FN fm_real fm_cos(fm_real a)
{
    return cos(a);
}
FM_FN fm_real fm_exp(fm_real a)
{
    return exp(a);
}
FM_FN fm_real fm_expm1(fm_real a)
{
    return expm1(a);
}
FM_FN fm_real fm_log(fm_real a)
{
    return log(a);
}
FM_FN fm_real fm_tanh(fm_real a)
{
    return tanh(a);
}
FM_FN fm_real fm_asin(fm_real a)
{
    return asin(a);
}
FM_FN fm_real fm_atan2(fm_real y, fm_real x)
{
    return atan2(y, x);
}
FM_FN fm_real fm_pow(fm_real a, fm_real b)
{
    return pow(a, b);
}

#elif defined(FM_LANES)

#include <emmintrin.h>
#include <sleef.h>
#define FM_FN FM_INLINE
typedef double fm_real __attribute__((vector_size(8 * FM_LANES)));
typedef int64_t fm_mask __attribute__((vector_size(8 * FM_LANES)));
typedef double fm_par;
FM_FN fm_real fm_const(double x)
{
    return (fm_real){0} + x;
}
FM_FN fm_real fm_select(fm_mask m, fm_real a, fm_real b)
{
    return (fm_real)(((fm_mask)a & m) | ((fm_mask)b & ~m));
}
FM_FN int fm_any(fm_mask m)
{
    int64_t any = 0;
    for (int i = 0; i < FM_LANES; i++)
        any |= m[i];
    return any != 0;
}
FM_FN fm_real fm_abs(fm_real a)
{
    return (fm_real)((fm_mask)a & (((fm_mask){0}) + INT64_MAX));
}
/* Two lanes at a time through the SSE2 form: SLEEF's cinz functions give the same bits at every width. */
#define FM_LANES_1(name, call)                                                                                         \
    FM_FN fm_real name(fm_real a)                                                                                      \
    {                                                                                                                  \
        union {                                                                                                        \
            fm_real v;                                                                                                 \
            __m128d d[FM_LANES / 2];                                                                                   \
        } x = {a};                                                                                                     \
        for (int i = 0; i < FM_LANES / 2; i++)                                                                         \
            x.d[i] = call(x.d[i]);                                                                                     \
        return x.v;                                                                                                    \
    }
#define FM_LANES_2(name, call)                                                                                         \
    FM_FN fm_real name(fm_real a, fm_real b)                                                                           \
    {                                                                                                                  \
        union {                                                                                                        \
            fm_real v;                                                                                                 \
            __m128d d[FM_LANES / 2];                                                                                   \
        } x = {a}, y = {b};                                                                                            \
        for (int i = 0; i < FM_LANES / 2; i++)                                                                         \
            x.d[i] = call(x.d[i], y.d[i]);                                                                             \
        return x.v;                                                                                                    \
    }
FM_LANES_1(fm_sqrt, _mm_sqrt_pd)
FM_LANES_1(fm_sin, Sleef_cinz_sind2_u10sse2)
FM_LANES_1(fm_cos, Sleef_cinz_cosd2_u10sse2)
FM_LANES_1(fm_exp, Sleef_cinz_expd2_u10sse2)
FM_LANES_1(fm_expm1, Sleef_cinz_expm1d2_u10sse2)
FM_LANES_1(fm_log, Sleef_cinz_logd2_u10sse2)
FM_LANES_1(fm_tanh, Sleef_cinz_tanhd2_u10sse2)
FM_LANES_1(fm_asin, Sleef_cinz_asind2_u10sse2)
FM_LANES_2(fm_atan2, Sleef_cinz_atan2d2_u10sse2)
FM_LANES_2(fm_pow, Sleef_cinz_powd2_u10sse2)

#else

#include <sleef.h>
#define FM_FN FM_INLINE
typedef double fm_real;
typedef double fm_par;
typedef int fm_mask;
#define fm_const(x) ((double)(x))
FM_FN fm_real fm_select(fm_mask m, fm_real a, fm_real b)
{
    return m ? a : b;
}
FM_FN int fm_any(fm_mask m)
{
    return m;
}
FM_FN fm_real fm_sqrt(fm_real a)
{
    return __builtin_sqrt(a);
}
FM_FN fm_real fm_abs(fm_real a)
{
    return __builtin_fabs(a);
}
FM_FN fm_real fm_sin(fm_real a)
{
    return Sleef_cinz_sind1_u10purec(a);
}
FM_FN fm_real fm_cos(fm_real a)
{
    return Sleef_cinz_cosd1_u10purec(a);
}
FM_FN fm_real fm_exp(fm_real a)
{
    return Sleef_cinz_expd1_u10purec(a);
}
FM_FN fm_real fm_expm1(fm_real a)
{
    return Sleef_cinz_expm1d1_u10purec(a);
}
FM_FN fm_real fm_log(fm_real a)
{
    return Sleef_cinz_logd1_u10purec(a);
}
FM_FN fm_real fm_tanh(fm_real a)
{
    return Sleef_cinz_tanhd1_u10purec(a);
}
FM_FN fm_real fm_asin(fm_real a)
{
    return Sleef_cinz_asind1_u10purec(a);
}
FM_FN fm_real fm_atan2(fm_real y, fm_real x)
{
    return Sleef_cinz_atan2d1_u10purec(y, x);
}
FM_FN fm_real fm_pow(fm_real a, fm_real b)
{
    return Sleef_cinz_powd1_u10purec(a, b);
}

#endif

FM_FN fm_real fm_min(fm_real a, fm_real b)
{
    return fm_select(a < b, a, b);
}
FM_FN fm_real fm_max(fm_real a, fm_real b)
{
    return fm_select(a > b, a, b);
}
FM_FN fm_real fm_clamp(fm_real a, fm_real low, fm_real high)
{
    return fm_min(fm_max(a, low), high);
}
/* -1, 0 or 1 */
FM_FN fm_real fm_sign(fm_real a)
{
    return fm_select(a > fm_const(0), fm_const(1), fm_select(a < fm_const(0), fm_const(-1), fm_const(0)));
}

#define FM_PI 3.14159265358979323846

#endif
