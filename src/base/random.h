/* Random numbers without state: Philox4x32-10 (Salmon et al. 2011) of (seed, entity, channel, tick, index).
 *
 * The same five numbers give the same bits in every engine, on any number of threads and in any order of calls. An
 * entity is a vehicle or other owner, a channel is one use of randomness inside it (one noise of one sensor), a tick is
 * the world's integer time. Numbers of one (key, tick) are addressed by index; uniform and normal numbers of the same
 * (key, tick, index) come from the same bits, so give each use its own channel. */
#ifndef FM_BASE_RANDOM_H
#define FM_BASE_RANDOM_H

#include <stdint.h>

#include "physics/real.h"

typedef struct fm_random_key {
    uint64_t seed;    /* of the run */
    uint32_t entity;  /* who draws */
    uint32_t channel; /* for what */
} fm_random_key;

enum {
    FM_RANDOM_TICK_BITS = 40,   /* 34 years of milliseconds; the other 24 bits of two counter words number the blocks */
    FM_RANDOM_INDICES = 1 << 25 /* indices per (key, tick): two numbers a block */
};

/* One round key bump and mixing, ten times; out may be counter. */
FM_FN void fm_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* Block number `block` (0 … 2^24−1) of a key at a tick (0 … 2^40−1). */
FM_FN void fm_random_block_at(fm_random_key key, uint64_t tick, uint32_t block, uint32_t out[4])
{
    uint32_t counter[4], seed[2];
    counter[0] = (uint32_t)tick;
    counter[1] = (uint32_t)((tick >> 32) & 0xffu) | block << 8;
    counter[2] = key.entity;
    counter[3] = key.channel;
    seed[0] = (uint32_t)key.seed;
    seed[1] = (uint32_t)(key.seed >> 32);
    fm_philox(counter, seed, out);
}

/* 128 random bits: the first block. */
FM_FN void fm_random_block(fm_random_key key, uint64_t tick, uint32_t out[4])
{
    fm_random_block_at(key, tick, 0, out);
}

/* 53 bits of two words as a number in [0, 1). */
FM_FN double fm_random_unit(uint32_t low, uint32_t high)
{
    return (double)((((uint64_t)high << 32) | low) >> 11) * (1.0 / 9007199254740992.0);
}

/* Uniform in [0, 1). */
FM_FN double fm_random_uniform(fm_random_key key, uint64_t tick, uint32_t index)
{
    uint32_t bits[4];
    fm_random_block_at(key, tick, index >> 1, bits);
    return (index & 1u) ? fm_random_unit(bits[2], bits[3]) : fm_random_unit(bits[0], bits[1]);
}

/* Box–Muller: radius from u in [0, 1) (through 1−u, so the logarithm is finite), angle from v; which of the two normal
 * numbers of the pair: 0 the cosine one, 1 the sine one. */
FM_FN fm_real fm_random_normal_of(fm_real u, fm_real v, uint32_t which)
{
    fm_real radius = fm_sqrt(fm_const(-2) * fm_log(fm_const(1) - u)), angle = fm_const(2 * FM_PI) * v;
    return radius * (which ? fm_sin(angle) : fm_cos(angle));
}

/* The same as an fm_par in [0, 1); a float has room for 24 bits, and must not round to 1. */
FM_FN fm_par fm_random_part(uint32_t low, uint32_t high)
{
#ifdef FM_FLOAT
    (void)low;
    return (fm_par)(high >> 8) * (fm_par)(1.0 / 16777216);
#else
    return fm_random_unit(low, high);
#endif
}

#ifndef FM_LANES

/* Normal with mean 0 and standard deviation 1. */
FM_FN fm_real fm_random_normal(fm_random_key key, uint64_t tick, uint32_t index)
{
    uint32_t bits[4];
    fm_random_block_at(key, tick, index >> 1, bits);
    return fm_random_normal_of(fm_random_part(bits[0], bits[1]), fm_random_part(bits[2], bits[3]), index & 1u);
}

#else

/* The same numbers, one key a lane. */
FM_FN fm_real fm_random_uniform_lanes(const fm_random_key keys[FM_LANES], uint64_t tick, uint32_t index)
{
    fm_real u = fm_const(0);
    for (int i = 0; i < FM_LANES; i++) {
        uint32_t bits[4];
        fm_random_block_at(keys[i], tick, index >> 1, bits);
        u[i] = (index & 1u) ? fm_random_part(bits[2], bits[3]) : fm_random_part(bits[0], bits[1]);
    }
    return u;
}

FM_FN fm_real fm_random_normal_lanes(const fm_random_key keys[FM_LANES], uint64_t tick, uint32_t index)
{
    fm_real u = fm_const(0), v = fm_const(0);
    for (int i = 0; i < FM_LANES; i++) {
        uint32_t bits[4];
        fm_random_block_at(keys[i], tick, index >> 1, bits);
        u[i] = fm_random_part(bits[0], bits[1]);
        v[i] = fm_random_part(bits[2], bits[3]);
    }
    return fm_random_normal_of(u, v, index & 1u);
}

#endif

#endif
