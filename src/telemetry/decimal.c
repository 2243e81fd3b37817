#include "telemetry/decimal.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

typedef unsigned __int128 u128;

enum { POWER_MIN = -300, POWER_MAX = 345 };

/* 10^k = mantissa · 2^exponent, mantissa with its top bit set, to half a unit of its last bit. */
struct fm_decimal {
    uint64_t mantissa[POWER_MAX - POWER_MIN + 1];
    int exponent[POWER_MAX - POWER_MIN + 1];
};

static void store_power(fm_decimal *d, int k, u128 m, int exponent)
{
    uint64_t high = (uint64_t)(m >> 64);
    if ((uint64_t)m >> 63 && high != UINT64_MAX)
        high++;
    d->mantissa[k - POWER_MIN] = high;
    d->exponent[k - POWER_MIN] = exponent + 64;
}

/* From 10^0 up by multiplication and down by division, with 128 bits: 345 roundings at 2^-127 do not reach 2^-64. */
fm_decimal *fm_decimal_create(void)
{
    fm_decimal *d = fm_alloc(sizeof *d);
    if (!d)
        return NULL;
    u128 m = (u128)1 << 127;
    int exponent = -127;
    for (int k = 0; k <= POWER_MAX; k++) {
        store_power(d, k, m, exponent);
        u128 eight = m >> 1, rest = m >> 3; /* m·10 = (m/2 + m/8)·16, and m/2 + m/8 may pass 2^128 */
        u128 sum = eight + rest;
        int carry = sum < eight;
        m = carry ? (sum >> 1) | ((u128)1 << 127) : sum;
        exponent += carry ? 5 : 4;
        while (!(m >> 127)) {
            m <<= 1;
            exponent--;
        }
    }
    m = (u128)1 << 127;
    exponent = -127;
    for (int k = -1; k >= POWER_MIN; k--) {
        u128 quotient = m / 10, rest = m % 10;
        int shift = quotient >> 124 ? 3 : 4;
        quotient = quotient << shift | ((rest << shift) / 10);
        if (!(quotient >> 127)) {
            shift++;
            quotient <<= 1;
        }
        m = quotient;
        exponent -= shift;
        store_power(d, k, m, exponent);
    }
    return d;
}

/* The decimal digits·10^exponent nearest to m·2^e among the shortest that lie closer than half way to the neighbours.
 */
typedef struct shortest {
    uint64_t digits;
    int exponent;
} shortest;

static const uint64_t tens[] = {1ull,
                                10ull,
                                100ull,
                                1000ull,
                                10000ull,
                                100000ull,
                                1000000ull,
                                10000000ull,
                                100000000ull,
                                1000000000ull,
                                10000000000ull,
                                100000000000ull,
                                1000000000000ull,
                                10000000000000ull,
                                100000000000000ull,
                                1000000000000000ull,
                                10000000000000000ull,
                                100000000000000000ull};

/* product = v·10^k·2^point; below and above: half the distances to the neighbours in the same units, less the error of
 * 10^k. */
static shortest shorten(u128 product, int point, u128 below, u128 above, int k)
{
    uint64_t whole = (uint64_t)(product >> point), reach = (uint64_t)(above >> point) + 1;
    u128 fraction = product & (((u128)1 << point) - 1);
    shortest best = {whole + (uint64_t)(fraction >> (point - 1)), -k};
    for (int n = 1; n <= 17; n++) {
        uint64_t rest = whole % tens[n], more = tens[n] - rest;
        int down = rest <= reach && ((u128)rest << point) + fraction < below;
        int up = more <= reach && ((u128)more << point) - fraction < above;
        if (!down && !up)
            break;
        if (down && up)
            up = more < rest || (more == rest && fraction > 0);
        best = (shortest){whole / tens[n] + (up ? 1 : 0), n - k};
    }
    return best;
}

/* v = m·2^e; `narrow`: the neighbour below is only half as far as the one above. */
static shortest find_shortest(const fm_decimal *d, uint64_t m, int e, int narrow)
{
    int shift = __builtin_clzll(m);
    uint64_t normal = m << shift;
    int top = e - shift + 63, k = 16 - (int)floor(top * 0.30102999566398120);
    for (;;) {
        uint64_t power = d->mantissa[k - POWER_MIN];
        int point = -(e - shift + d->exponent[k - POWER_MIN]);
        u128 product = (u128)normal * power;
        if (product >> point >= tens[17]) { /* the estimate of the decimal exponent was one too low */
            k--;
            continue;
        }
        u128 half = (u128)power << (shift - 1), error = (u128)1 << 64;
        return shorten(product, point, (half >> narrow) - error, half - error, k);
    }
}

static size_t put_digits(uint64_t value, char *text)
{
    char reversed[20];
    size_t count = 0;
    do {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t i = 0; i < count; i++)
        text[i] = reversed[count - 1 - i];
    return count;
}

size_t fm_decimal_uint(uint64_t value, char *text)
{
    return put_digits(value, text);
}

size_t fm_decimal_int(int64_t value, char *text)
{
    if (value >= 0)
        return put_digits((uint64_t)value, text);
    text[0] = '-';
    return 1 + put_digits(0 - (uint64_t)value, text + 1);
}

size_t fm_decimal_seconds(uint64_t ns, char *text)
{
    size_t length = put_digits(ns / 1000000000u, text);
    uint64_t rest = ns % 1000000000u;
    if (rest == 0)
        return length;
    text[length++] = '.';
    for (uint64_t unit = 100000000u; rest > 0; rest %= unit, unit /= 10)
        text[length++] = (char)('0' + rest / unit);
    return length;
}

/* digits·10^exponent: plain between 1e-5 and 1e17, else with an exponent. */
static size_t put_decimal(shortest s, char *text)
{
    char digits[20];
    int count = (int)put_digits(s.digits, digits), point = count + s.exponent; /* digits before the point */
    size_t length = 0;
    if (point > 17 || point < -4) {
        text[length++] = digits[0];
        if (count > 1) {
            text[length++] = '.';
            memcpy(text + length, digits + 1, (size_t)count - 1);
            length += (size_t)count - 1;
        }
        text[length++] = 'e';
        return length + fm_decimal_int(point - 1, text + length);
    }
    if (point <= 0) {
        memcpy(text, "0.0000", (size_t)(2 - point));
        length = (size_t)(2 - point);
        memcpy(text + length, digits, (size_t)count);
        return length + (size_t)count;
    }
    for (int i = 0; i < (point > count ? point : count); i++) {
        if (i == point)
            text[length++] = '.';
        text[length++] = i < count ? digits[i] : '0';
    }
    return length;
}

static size_t put_special(double value, char *text)
{
    const char *word = isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    memcpy(text, word, strlen(word));
    return strlen(word);
}

size_t fm_decimal_real(const fm_decimal *decimal, double value, char *text)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
    size_t sign = bits >> 63;
    if (exponent == 0x7ff)
        return put_special(value, text);
    text[0] = '-';
    text += sign;
    if (fabs(value) < 9007199254740992.0 && value == floor(value)) /* whole numbers, and zero with its sign */
        return sign + put_digits((uint64_t)fabs(value), text);
    int narrow = mantissa == 0 && exponent > 1;
    uint64_t m = exponent > 0 ? mantissa | (uint64_t)1 << 52 : mantissa;
    return sign + put_decimal(find_shortest(decimal, m, (exponent > 0 ? exponent : 1) - 1075, narrow), text);
}

size_t fm_decimal_single(const fm_decimal *decimal, float value, char *text)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    int exponent = (int)(bits >> 23 & 0xff);
    uint32_t mantissa = bits & ((1u << 23) - 1);
    size_t sign = bits >> 31;
    if (exponent == 0xff)
        return put_special(value, text);
    text[0] = '-';
    text += sign;
    if (fabsf(value) < 16777216.0f && value == floorf(value))
        return sign + put_digits((uint64_t)fabsf(value), text);
    int narrow = mantissa == 0 && exponent > 1;
    uint64_t m = exponent > 0 ? mantissa | 1u << 23 : mantissa;
    return sign + put_decimal(find_shortest(decimal, m, (exponent > 0 ? exponent : 1) - 150, narrow), text);
}
