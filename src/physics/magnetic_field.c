#include "physics/magnetic_field.h"

#include <math.h>
#include <stdio.h>

#include "base/calendar.h"
#include "base/number.h"
#include "physics/earth.h"

enum { DEGREES = 12 };   /* of the model: n and m */
#define RADIUS 6371200.0 /* m, geomagnetic reference radius */
#define FIRST 2025.0     /* the year of the coefficients */
#define LAST (FIRST + 5) /* until which they hold */

/* WMM.COF of 13 November 2024, nT and nT per year. The model is in the public domain. */
typedef struct coefficient {
    int n, m;
    double g, h, g_rate, h_rate;
} coefficient;

/* clang-format off */
static const coefficient coefficients[] = {
    {1, 0, -29351.8, 0, 12, 0},
    {1, 1, -1410.8, 4545.4, 9.7, -21.5},
    {2, 0, -2556.6, 0, -11.6, 0},
    {2, 1, 2951.1, -3133.6, -5.2, -27.7},
    {2, 2, 1649.3, -815.1, -8, -12.1},
    {3, 0, 1361, 0, -1.3, 0},
    {3, 1, -2404.1, -56.6, -4.2, 4},
    {3, 2, 1243.8, 237.5, 0.4, -0.3},
    {3, 3, 453.6, -549.5, -15.6, -4.1},
    {4, 0, 895, 0, -1.6, 0},
    {4, 1, 799.5, 278.6, -2.4, -1.1},
    {4, 2, 55.7, -133.9, -6, 4.1},
    {4, 3, -281.1, 212, 5.6, 1.6},
    {4, 4, 12.1, -375.6, -7, -4.4},
    {5, 0, -233.2, 0, 0.6, 0},
    {5, 1, 368.9, 45.4, 1.4, -0.5},
    {5, 2, 187.2, 220.2, 0, 2.2},
    {5, 3, -138.7, -122.9, 0.6, 0.4},
    {5, 4, -142, 43, 2.2, 1.7},
    {5, 5, 20.9, 106.1, 0.9, 1.9},
    {6, 0, 64.4, 0, -0.2, 0},
    {6, 1, 63.8, -18.4, -0.4, 0.3},
    {6, 2, 76.9, 16.8, 0.9, -1.6},
    {6, 3, -115.7, 48.8, 1.2, -0.4},
    {6, 4, -40.9, -59.8, -0.9, 0.9},
    {6, 5, 14.9, 10.9, 0.3, 0.7},
    {6, 6, -60.7, 72.7, 0.9, 0.9},
    {7, 0, 79.5, 0, -0, 0},
    {7, 1, -77, -48.9, -0.1, 0.6},
    {7, 2, -8.8, -14.4, -0.1, 0.5},
    {7, 3, 59.3, -1, 0.5, -0.8},
    {7, 4, 15.8, 23.4, -0.1, 0},
    {7, 5, 2.5, -7.4, -0.8, -1},
    {7, 6, -11.1, -25.1, -0.8, 0.6},
    {7, 7, 14.2, -2.3, 0.8, -0.2},
    {8, 0, 23.2, 0, -0.1, 0},
    {8, 1, 10.8, 7.1, 0.2, -0.2},
    {8, 2, -17.5, -12.6, 0, 0.5},
    {8, 3, 2, 11.4, 0.5, -0.4},
    {8, 4, -21.7, -9.7, -0.1, 0.4},
    {8, 5, 16.9, 12.7, 0.3, -0.5},
    {8, 6, 15, 0.7, 0.2, -0.6},
    {8, 7, -16.8, -5.2, -0, 0.3},
    {8, 8, 0.9, 3.9, 0.2, 0.2},
    {9, 0, 4.6, 0, -0, 0},
    {9, 1, 7.8, -24.8, -0.1, -0.3},
    {9, 2, 3, 12.2, 0.1, 0.3},
    {9, 3, -0.2, 8.3, 0.3, -0.3},
    {9, 4, -2.5, -3.3, -0.3, 0.3},
    {9, 5, -13.1, -5.2, 0, 0.2},
    {9, 6, 2.4, 7.2, 0.3, -0.1},
    {9, 7, 8.6, -0.6, -0.1, -0.2},
    {9, 8, -8.7, 0.8, 0.1, 0.4},
    {9, 9, -12.9, 10, -0.1, 0.1},
    {10, 0, -1.3, 0, 0.1, 0},
    {10, 1, -6.4, 3.3, 0, 0},
    {10, 2, 0.2, 0, 0.1, -0},
    {10, 3, 2, 2.4, 0.1, -0.2},
    {10, 4, -1, 5.3, -0, 0.1},
    {10, 5, -0.6, -9.1, -0.3, -0.1},
    {10, 6, -0.9, 0.4, 0, 0.1},
    {10, 7, 1.5, -4.2, -0.1, 0},
    {10, 8, 0.9, -3.8, -0.1, -0.1},
    {10, 9, -2.7, 0.9, -0, 0.2},
    {10, 10, -3.9, -9.1, -0, -0},
    {11, 0, 2.9, 0, 0, 0},
    {11, 1, -1.5, 0, -0, -0},
    {11, 2, -2.5, 2.9, 0, 0.1},
    {11, 3, 2.4, -0.6, 0, -0},
    {11, 4, -0.6, 0.2, 0, 0.1},
    {11, 5, -0.1, 0.5, -0.1, -0},
    {11, 6, -0.6, -0.3, 0, -0},
    {11, 7, -0.1, -1.2, -0, 0.1},
    {11, 8, 1.1, -1.7, -0.1, -0},
    {11, 9, -1, -2.9, -0.1, 0},
    {11, 10, -0.2, -1.8, -0.1, 0},
    {11, 11, 2.6, -2.3, -0.1, 0},
    {12, 0, -2, 0, 0, 0},
    {12, 1, -0.2, -1.3, 0, -0},
    {12, 2, 0.3, 0.7, -0, 0},
    {12, 3, 1.2, 1, -0, -0.1},
    {12, 4, -1.3, -1.4, -0, 0.1},
    {12, 5, 0.6, -0, -0, -0},
    {12, 6, 0.6, 0.6, 0.1, -0},
    {12, 7, 0.5, -0.1, -0, -0},
    {12, 8, -0.1, 0.8, 0, 0},
    {12, 9, -0.4, 0.1, 0, -0},
    {12, 10, -0.2, -1, -0.1, -0},
    {12, 11, -1.3, 0.1, -0, 0},
    {12, 12, -0.7, 0.2, -0.1, -0.1},
};
/* clang-format on */

double fm_magnetic_year(double moment)
{
    char text[24];
    double begin, end;
    int year = fm_calendar_from(moment, 0).year;
    if (!(year >= FIRST))
        return FIRST;
    if (year >= LAST)
        return LAST;
    snprintf(text, sizeof text, "%04d-01-01", year);
    fm_calendar_read(text, &begin);
    snprintf(text, sizeof text, "%04d-01-01", year + 1);
    fm_calendar_read(text, &end);
    return year + (moment - begin) / (end - begin);
}

/* --- geocentric --- */

/* A position in spherical coordinates. */
typedef struct sphere {
    double radius;       /* m */
    double sine, cosine; /* of the geocentric latitude */
} sphere;

static sphere sphere_of(const fm_geodetic *position)
{
    double meridian, across, s = fm_sin(position->latitude), c = fm_cos(position->latitude);
    fm_earth_radii(position->latitude, &meridian, &across);
    double axis = ((1 - FM_EARTH_SQUARE) * across + position->height) * s;
    double equator = (across + position->height) * c;
    double radius = sqrt(axis * axis + equator * equator);
    return (sphere){radius, axis / radius, equator / radius};
}

/* Schmidt's functions of the sine of the latitude; those of m > 0 are divided by the cosine, which is 0 at the
 * poles. */
typedef struct schmidt {
    double p[DEGREES + 1][DEGREES + 1];
} schmidt;

static double root(int n, int m)
{
    return sqrt((double)(n * n - m * m));
}

/* (I16) */
static void fill_schmidt(const sphere *at, schmidt *s)
{
    for (int m = 0; m <= DEGREES; m++) {
        s->p[m][m] = m < 2 ? 1 : s->p[m - 1][m - 1] * sqrt((2 * m - 1) / (2.0 * m)) * at->cosine;
        for (int n = m + 1; n <= DEGREES; n++) {
            double before = n - 2 >= m ? root(n - 1, m) * s->p[n - 2][m] : 0;
            s->p[n][m] = ((2 * n - 1) * at->sine * s->p[n - 1][m] - before) / root(n, m);
        }
    }
}

/* (I17) North, east, down in geocentric axes, nT. */
static void add_term(const schmidt *s, const sphere *at, int n, int m, const double wave[2], double sum[3])
{
    double p = s->p[n][m], along = m ? at->cosine * p : p, slope; /* slope: towards the south */
    if (m == 0)
        slope = -sqrt(n * (n + 1) / 2.0) * at->cosine * s->p[n][1];
    else
        slope = n * at->sine * p - (n > m ? root(n, m) * s->p[n - 1][m] : 0);
    sum[0] += wave[0] * slope;
    sum[1] += m ? m * wave[1] * p : 0;
    sum[2] -= (n + 1) * wave[0] * along;
}

/* Sines and cosines of the multiples of the longitude. */
typedef struct waves {
    double sine[DEGREES + 1], cosine[DEGREES + 1];
} waves;

static waves waves_of(double longitude)
{
    waves w = {.cosine[0] = 1};
    double s = fm_sin(longitude), c = fm_cos(longitude);
    for (int m = 1; m <= DEGREES; m++) {
        w.sine[m] = w.sine[m - 1] * c + w.cosine[m - 1] * s;
        w.cosine[m] = w.cosine[m - 1] * c - w.sine[m - 1] * s;
    }
    return w;
}

/* (I18) From geocentric to geodetic axes: about the east axis by the difference of the two latitudes. */
static void turn_to_geodetic(const sphere *at, double latitude, const double v[3], double field[3])
{
    double s = fm_sin(latitude), c = fm_cos(latitude);
    double sine = at->sine * c - at->cosine * s, cosine = at->cosine * c + at->sine * s;
    field[0] = v[0] * cosine - v[2] * sine;
    field[1] = v[1];
    field[2] = v[0] * sine + v[2] * cosine;
}

void fm_magnetic_field(const fm_geodetic *position, double year, double field[3])
{
    const sphere at = sphere_of(position);
    const waves w = waves_of(position->longitude);
    double factors[DEGREES + 1], sum[3] = {0}, since = fm_min(fm_max(year, FIRST), LAST) - FIRST;
    schmidt s;
    fill_schmidt(&at, &s);
    factors[0] = RADIUS / at.radius * (RADIUS / at.radius);
    for (int n = 1; n <= DEGREES; n++)
        factors[n] = factors[n - 1] * (RADIUS / at.radius);
    for (size_t i = 0; i < sizeof coefficients / sizeof *coefficients; i++) {
        const coefficient *c = &coefficients[i];
        double g = c->g + since * c->g_rate, h = c->h + since * c->h_rate;
        const double wave[2] = {factors[c->n] * (g * w.cosine[c->m] + h * w.sine[c->m]),
                                factors[c->n] * (g * w.sine[c->m] - h * w.cosine[c->m])};
        add_term(&s, &at, c->n, c->m, wave, sum);
    }
    turn_to_geodetic(&at, position->latitude, sum, field);
}
