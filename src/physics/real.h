/* fm_real: the number type of every kernel in this folder.
 *
 * The kernels are compiled three times from one source:
 *   scalar   fm_real is double (the live engine)
 *   lanes    FM_LANES is defined: fm_real is a vector of FM_LANES doubles, one vehicle a lane (the CPU batch engine).
 *            Any even number works; the one that fills a register is the fastest.
 *   CUDA     compiled by nvcc: fm_real is double, one vehicle a thread
 * and each also in float, with FM_FLOAT.
 *
 * Three kinds of numbers: fm_real is what differs from vehicle to vehicle (state, faults, masses that move); fm_var is
 * a parameter that a sweep may vary (coefficients, gains, sizes); fm_par is the same for all (time steps, tables). In
 * the live engine and on CUDA they are one type. In lanes fm_var is fm_real, or fm_par where all vehicles are of one
 * type (FM_ONE_TYPE), which saves registers.
 *
 * Rules for kernels: C17 and C++17 at once; FM_FN on every function; constants through fm_const, parameters through
 * fm_real_wide where an fm_real is needed; choices through fm_select, `if` only on integers of a type and on fm_any; no
 * libm: the fm_sin … below give the same bits in every build (SLEEF's deterministic functions). */
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

/* A kernel that was compiled for one type alone (FM_BAKED, batch/cuda/kernel.h): its loops are unrolled, and its
 * coefficients that are 0 leave no code. */
#ifdef FM_BAKED
#define FM_UNROLL _Pragma("unroll")
#define fm_baked_zero(x) ((x) == 0)
#else
#define FM_UNROLL
#define fm_baked_zero(x) 0
#endif

#if defined(__CUDACC__)

#include <math.h>
#ifdef FM_BAKED /* whole, or the numbers of the type are no constants and the state is not in registers */
#define FM_FN static __forceinline__ __host__ __device__
#define FM_WHOLE FM_FN
#else
#define FM_FN static inline __host__ __device__
#define FM_WHOLE static __noinline__ __host__ __device__ /* inlined everywhere they would take a compiler minutes */
#endif
#ifdef FM_FLOAT
typedef float fm_real;
#else
typedef double fm_real;
#endif
typedef fm_real fm_par;
typedef fm_real fm_var;
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

#else

#define FM_FN FM_INLINE
/* A kernel that is called, not inlined: what is seldom needed costs its caller no registers. */
#define FM_WHOLE static __attribute__((noinline, unused))
#ifdef FM_FLOAT
typedef float fm_par;
typedef int32_t fm_integer;
#define FM_BYTES 4
#define FM_BUILTIN(name) __builtin_##name##f
#define FM_SLEEF_NAME(name, doubles, floats, set) Sleef_cinz_##name##f##floats##_u10##set
#else
typedef double fm_par;
typedef int64_t fm_integer;
#define FM_BYTES 8
#define FM_BUILTIN(name) __builtin_##name
#define FM_SLEEF_NAME(name, doubles, floats, set) Sleef_cinz_##name##d##doubles##_u10##set
#endif

#ifdef FM_LANES

typedef fm_par fm_real __attribute__((vector_size(FM_BYTES * FM_LANES)));
typedef fm_integer fm_mask __attribute__((vector_size(FM_BYTES * FM_LANES)));
FM_FN fm_real fm_const(double x)
{
    return (fm_par)x - (fm_real){0}; /* x − 0 is x, −0 too */
}
FM_FN fm_real fm_abs(fm_real a)
{
    return (fm_real)((fm_mask)a & ~(fm_mask)fm_const(-0.0));
}
#ifdef FM_ONE_TYPE
typedef fm_par fm_var;
#else
typedef fm_real fm_var;
#endif
/* The widest vector that SLEEF has functions for in this instruction set. Their cinz form, without fused operations,
 * gives the same bits at every width and on every processor. */
#if defined(__AVX512F__) && FM_BYTES * FM_LANES % 64 == 0
#define FM_PIECE_BYTES 64
#define FM_INTRINSIC_OF(name, type) _mm512_##name##_##type
#define FM_SLEEF(name) FM_SLEEF_NAME(name, 8, 16, avx512fnofma)
#elif defined(__AVX__) && FM_BYTES * FM_LANES % 32 == 0
#define FM_PIECE_BYTES 32
#define FM_INTRINSIC_OF(name, type) _mm256_##name##_##type
#define FM_SLEEF(name) FM_SLEEF_NAME(name, 4, 8, avx)
#elif defined(__SSE2__) && FM_BYTES * FM_LANES % 16 == 0
#define FM_PIECE_BYTES 16
#define FM_INTRINSIC_OF(name, type) _mm_##name##_##type
#define FM_SLEEF(name) FM_SLEEF_NAME(name, 2, 4, sse2)
#elif defined(__ARM_NEON) && defined(__aarch64__) && FM_BYTES * FM_LANES % 16 == 0
#define FM_PIECE_BYTES 16
#define FM_SLEEF(name) FM_SLEEF_NAME(name, 2, 4, advsimdnofma)
#endif

#else

typedef fm_par fm_real;
typedef fm_par fm_var;
typedef int fm_mask;
#define fm_const(x) ((fm_par)(x))
FM_FN fm_real fm_select(fm_mask m, fm_real a, fm_real b)
{
    return m ? a : b;
}
FM_FN int fm_any(fm_mask m)
{
    return m;
}
FM_FN fm_real fm_abs(fm_real a)
{
    return FM_BUILTIN(fabs)(a);
}

#endif

#ifdef FM_INTRINSIC_OF
#include <immintrin.h>
#ifdef FM_FLOAT
#define FM_INTRINSIC(name) FM_INTRINSIC_OF(name, ps)
#else
#define FM_INTRINSIC(name) FM_INTRINSIC_OF(name, pd)
#endif
#endif

#ifdef FM_PIECE_BYTES
typedef fm_par fm_piece __attribute__((vector_size(FM_PIECE_BYTES)));
FM_FN fm_piece fm_piece_sqrt(fm_piece a)
{
    fm_piece r = a;
    for (int i = 0; i < FM_PIECE_BYTES / FM_BYTES; i++)
        r[i] = FM_BUILTIN(sqrt)(a[i]);
    return r;
}
#else
typedef fm_par fm_piece;
#define FM_PIECE_BYTES FM_BYTES
#define FM_SLEEF(name) FM_SLEEF_NAME(name, 1, 1, purec)
#define fm_piece_sqrt FM_BUILTIN(sqrt)
#endif

typedef union fm_pieces {
    fm_real whole;
    fm_piece piece[sizeof(fm_real) / FM_PIECE_BYTES];
} fm_pieces;

#define FM_FUNCTION_1(name, call)                                                                                      \
    FM_FN fm_real name(fm_real a)                                                                                      \
    {                                                                                                                  \
        fm_pieces x = {a};                                                                                             \
        for (size_t i = 0; i < sizeof(fm_real) / FM_PIECE_BYTES; i++)                                                  \
            x.piece[i] = call(x.piece[i]);                                                                             \
        return x.whole;                                                                                                \
    }
#define FM_FUNCTION_2(name, call)                                                                                      \
    FM_FN fm_real name(fm_real a, fm_real b)                                                                           \
    {                                                                                                                  \
        fm_pieces x = {a}, y = {b};                                                                                    \
        for (size_t i = 0; i < sizeof(fm_real) / FM_PIECE_BYTES; i++)                                                  \
            x.piece[i] = call(x.piece[i], y.piece[i]);                                                                 \
        return x.whole;                                                                                                \
    }
#ifdef FM_LANES
/* Selection in one operation if the processor has it. For two zeros, or if one is NaN, fm_min and fm_max return b, as
 * the comparison does. */
#ifdef FM_INTRINSIC
FM_FUNCTION_2(fm_min, FM_INTRINSIC(min))
FM_FUNCTION_2(fm_max, FM_INTRINSIC(max))
FM_FN int fm_any(fm_mask m)
{
    fm_pieces x = {(fm_real)m};
    int any = 0;
    for (size_t i = 0; i < sizeof(fm_real) / FM_PIECE_BYTES; i++)
#if FM_PIECE_BYTES == 64
        any |= _mm512_test_epi64_mask((__m512i)x.piece[i], (__m512i)x.piece[i]);
#else
        any |= FM_INTRINSIC(movemask)(x.piece[i]);
#endif
    return any != 0;
}
#else
FM_FN int fm_any(fm_mask m)
{
    fm_integer any = 0;
    for (int i = 0; i < FM_LANES; i++)
        any |= m[i];
    return any != 0;
}
#endif
FM_FN fm_real fm_select(fm_mask m, fm_real a, fm_real b)
{
#if defined(FM_INTRINSIC) && FM_PIECE_BYTES == 32
    fm_pieces which = {(fm_real)m}, x = {a}, y = {b};
    for (size_t i = 0; i < sizeof(fm_real) / FM_PIECE_BYTES; i++)
        x.piece[i] = FM_INTRINSIC(blendv)(y.piece[i], x.piece[i], which.piece[i]);
    return x.whole;
#else
    return (fm_real)(((fm_mask)a & m) | ((fm_mask)b & ~m));
#endif
}
#endif

/* sleef.h brings every vector intrinsic along, which would double the time to compile most files: its functions of one
 * number are declared here instead. tests/physics/test_lanes.c includes both. */
#ifdef FM_LANES
#include <sleef.h>
#define FM_SLEEF_1 FM_FUNCTION_1
#define FM_SLEEF_2 FM_FUNCTION_2
#else
#define FM_SLEEF_1(name, call)                                                                                         \
    fm_piece call(fm_piece);                                                                                           \
    FM_FUNCTION_1(name, call)
#define FM_SLEEF_2(name, call)                                                                                         \
    fm_piece call(fm_piece, fm_piece);                                                                                 \
    FM_FUNCTION_2(name, call)
#endif
FM_FUNCTION_1(fm_sqrt, fm_piece_sqrt)
FM_SLEEF_1(fm_sin, FM_SLEEF(sin))
FM_SLEEF_1(fm_cos, FM_SLEEF(cos))
FM_SLEEF_1(fm_exp, FM_SLEEF(exp))
FM_SLEEF_1(fm_expm1, FM_SLEEF(expm1))
FM_SLEEF_1(fm_log, FM_SLEEF(log))
FM_SLEEF_1(fm_tanh, FM_SLEEF(tanh))
FM_SLEEF_1(fm_asin, FM_SLEEF(asin))
FM_SLEEF_2(fm_atan2, FM_SLEEF(atan2))
FM_SLEEF_2(fm_pow, FM_SLEEF(pow))

#endif

/* a / √b. In float, lanes take the processor's approximation of 1/√b and one step of Newton's: 3e-7 of it at most, for
 * b within what floats hold in full. */
#if defined(FM_FLOAT) && defined(FM_INTRINSIC)
FM_FN fm_real fm_over_root(fm_real a, fm_real b)
{
    fm_pieces x = {b};
    for (size_t i = 0; i < sizeof(fm_real) / FM_PIECE_BYTES; i++)
#if FM_PIECE_BYTES == 64
        x.piece[i] = _mm512_rsqrt14_ps(x.piece[i]);
#else
        x.piece[i] = FM_INTRINSIC(rsqrt)(x.piece[i]);
#endif
    fm_real guess = x.whole, half = fm_const(0.5) * b * guess;
    return a * (guess * (fm_const(1.5) - half * guess));
}
#else
FM_FN fm_real fm_over_root(fm_real a, fm_real b)
{
    return a / fm_sqrt(b);
}
#endif

/* A parameter as an fm_real, a constant as a parameter, and a number that is the same in all lanes as a parameter. */
#if defined(FM_LANES) && defined(FM_ONE_TYPE) && !defined(__CUDACC__)
FM_FN fm_real fm_real_wide(fm_var x)
{
    return x - (fm_real){0};
}
#define fm_var_const(x) ((fm_par)(x))
FM_FN fm_var fm_var_of(fm_real x)
{
    return x[0];
}
#else
#define fm_real_wide(x) (x)
#define fm_var_const(x) fm_const(x)
#define fm_var_of(x) (x)
#endif

#if !defined(FM_INTRINSIC) || defined(__CUDACC__)
FM_FN fm_real fm_min(fm_real a, fm_real b)
{
    return fm_select(a < b, a, b);
}
FM_FN fm_real fm_max(fm_real a, fm_real b)
{
    return fm_select(a > b, a, b);
}
#endif
FM_FN fm_real fm_clamp(fm_real a, fm_real low, fm_real high)
{
    return fm_min(fm_max(a, low), high);
}
/* -1, 0 or 1 */
FM_FN fm_real fm_sign(fm_real a)
{
    return fm_select(a > fm_const(0), fm_const(1), fm_select(a < fm_const(0), fm_const(-1), fm_const(0)));
}

/* The whole part of a number that is not negative and fits an int32_t, and the entry of a table with that number. */
#if defined(FM_LANES) && !defined(__CUDACC__)
FM_FN fm_real fm_real_floor(fm_real a)
{
    for (int i = 0; i < FM_LANES; i++)
        a[i] = (fm_par)(int32_t)a[i];
    return a;
}
FM_FN fm_real fm_table_entry(const fm_par *table, fm_real at)
{
    for (int i = 0; i < FM_LANES; i++)
        at[i] = table[(int32_t)at[i]];
    return at;
}
#else
FM_FN fm_real fm_real_floor(fm_real a)
{
    return (fm_real)(int32_t)a;
}
FM_FN fm_real fm_table_entry(const fm_par *table, fm_real at)
{
    return table[(int32_t)at];
}
#endif

#define FM_PI 3.14159265358979323846
/* Avoids a division by zero and changes nothing else. */
#ifdef FM_FLOAT
#define FM_TINY 1e-30
#define FM_HUGE 1e30
#else
#define FM_TINY 1e-300
#define FM_HUGE 1e300
#endif

#endif
