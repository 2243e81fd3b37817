/* Colour maps are curves through OKLab (B. Ottosson, 2020), walked at constant speed, so that equal steps of the value
 * look equally large; lightness rises all the way, so that they survive grey printing. */
#include "plot/colour.h"

#include <math.h>
#include <string.h>

#include "base/describe.h"

fm_colour fm_colour_hex(uint32_t rgb)
{
    return (fm_colour){((rgb >> 16) & 255u) / 255.0, ((rgb >> 8) & 255u) / 255.0, (rgb & 255u) / 255.0, 1};
}

fm_colour fm_colour_faded(fm_colour colour, double alpha)
{
    colour.alpha *= alpha;
    return colour;
}

fm_colour fm_colour_series(fm_theme theme, size_t index)
{
    static const uint32_t light[FM_SERIES_COLOURS] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                                      0xe69f00, 0x56b4e9, 0x000000, 0xb8a800};
    static const uint32_t dark[FM_SERIES_COLOURS] = {0x56b4e9, 0xe69f00, 0x2fc79a, 0xcc79a7,
                                                     0xf0e442, 0xd55e00, 0xe8e8e8, 0x4c9bd6};
    return fm_colour_hex((theme == FM_THEME_DARK ? dark : light)[index % FM_SERIES_COLOURS]);
}

bool fm_colour_named(fm_theme theme, const char *name, fm_colour *colour)
{
    static const struct {
        const char *name;
        uint32_t light, dark;
    } names[] = {{"red", 0xd0342c, 0xf0645a},    {"green", 0x009e73, 0x2fc79a},  {"blue", 0x0072b2, 0x56b4e9},
                 {"orange", 0xe07b00, 0xe69f00}, {"yellow", 0xc9b400, 0xf0e442}, {"purple", 0x8a4fa8, 0xb98ad0},
                 {"pink", 0xcc79a7, 0xe39ac0},   {"brown", 0x8c5a2b, 0xc08a58},  {"black", 0x000000, 0xe8e8e8},
                 {"grey", 0x707880, 0xaab2ba},   {"cyan", 0x1fa8c9, 0x4cc9e6},   {"magenta", 0xc2258f, 0xe05bb8}};
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    for (size_t i = 0; i < FM_COUNT(names); i++)
        if (strlen(names[i].name) == length && strncmp(name, names[i].name, length) == 0) {
            *colour = fm_colour_hex(theme == FM_THEME_DARK ? names[i].dark : names[i].light);
            return true;
        }
    return false;
}

fm_theme_colours fm_theme_colours_of(fm_theme theme)
{
    if (theme == FM_THEME_DARK)
        return (fm_theme_colours){.paper = fm_colour_hex(0x14181d),
                                  .panel = fm_colour_hex(0x1a2027),
                                  .ink = fm_colour_hex(0xe6e9ec),
                                  .soft_ink = fm_colour_hex(0xaab2ba),
                                  .grid = fm_colour_hex(0x2c343d),
                                  .frame = fm_colour_hex(0x87919b)};
    return (fm_theme_colours){.paper = fm_colour_hex(0xffffff),
                              .panel = fm_colour_hex(0xffffff),
                              .ink = fm_colour_hex(0x15181b),
                              .soft_ink = fm_colour_hex(0x555d65),
                              .grid = fm_colour_hex(0xe4e7ea),
                              .frame = fm_colour_hex(0x4a5158)};
}

static double srgb_of_linear(double c)
{
    return c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

/* Linear sRGB of OKLab; values outside 0 … 1 are outside what a screen can show. */
static void linear_rgb_of_oklab(const double lab[3], double rgb[3])
{
    double l = lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2];
    double m = lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2];
    double s = lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2];
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
}

static fm_colour colour_of_oklab(const double lab[3])
{
    double rgb[3];
    linear_rgb_of_oklab(lab, rgb);
    for (int i = 0; i < 3; i++)
        rgb[i] = srgb_of_linear(fmin(fmax(rgb[i], 0), 1));
    return (fm_colour){rgb[0], rgb[1], rgb[2], 1};
}

/* A point of a map's curve: lightness, chroma, hue (degrees). */
typedef struct knot {
    double lightness, chroma, hue;
} knot;

static const knot sequential[] = {{0.24, 0.095, 285}, {0.40, 0.135, 268}, {0.54, 0.105, 228},
                                  {0.66, 0.115, 178}, {0.79, 0.155, 135}, {0.93, 0.155, 104}};
static const knot below_zero[] = {{0.35, 0.110, 255}, {0.58, 0.130, 250}, {0.80, 0.070, 245}, {0.965, 0.0, 0}};
static const knot above_zero[] = {{0.965, 0.0, 0}, {0.80, 0.085, 45}, {0.58, 0.160, 40}, {0.37, 0.125, 35}};
static const knot grey[] = {{0.0, 0, 0}, {1.0, 0, 0}};

/* Catmull–Rom through the knots in OKLab; t 0 … 1. */
static void curve_point(const knot *knots, size_t count, double t, double lab[3])
{
    double stop = t * (double)(count - 1);
    size_t i = stop >= (double)(count - 1) ? count - 2 : (size_t)stop;
    double u = stop - (double)i, p[4][3];
    for (size_t k = 0; k < 4; k++) {
        size_t at = i + k < 1 ? 0 : i + k - 1;
        const knot *near = &knots[at > count - 1 ? count - 1 : at];
        p[k][0] = near->lightness;
        p[k][1] = near->chroma * cos(near->hue * M_PI / 180);
        p[k][2] = near->chroma * sin(near->hue * M_PI / 180);
    }
    for (int c = 0; c < 3; c++)
        lab[c] =
            0.5 * (2 * p[1][c] + (p[2][c] - p[0][c]) * u + (2 * p[0][c] - 5 * p[1][c] + 4 * p[2][c] - p[3][c]) * u * u +
                   (3 * p[1][c] - p[0][c] - 3 * p[2][c] + p[3][c]) * u * u * u);
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Walks the curve at constant speed. */
static void walk(const knot *knots, size_t count, fm_colour *table, int size)
{
    enum { FINE = 4096 };
    double lab[3], last[3], length = 0;
    curve_point(knots, count, 0, last);
    for (int i = 1; i <= FINE; i++) {
        curve_point(knots, count, (double)i / FINE, lab);
        length += distance(lab, last);
        last[0] = lab[0], last[1] = lab[1], last[2] = lab[2];
    }
    double gone = 0;
    int next = 0;
    curve_point(knots, count, 0, last);
    for (int i = 0; i <= FINE && next < size; i++) {
        curve_point(knots, count, (double)i / FINE, lab);
        gone += distance(lab, last);
        last[0] = lab[0], last[1] = lab[1], last[2] = lab[2];
        while (next < size && gone >= length * next / (size - 1) * (1 - 1e-12))
            table[next++] = colour_of_oklab(lab);
    }
    while (next < size)
        table[next++] = colour_of_oklab(lab);
}

void fm_colour_table(fm_colour_map map, fm_colour table[FM_MAP_SIZE])
{
    switch (map) {
    case FM_MAP_SEQUENTIAL: walk(sequential, FM_COUNT(sequential), table, FM_MAP_SIZE); break;
    case FM_MAP_DIVERGING: /* the middle of the range is the lightest, however long the arms */
        walk(below_zero, FM_COUNT(below_zero), table, FM_MAP_SIZE / 2);
        walk(above_zero, FM_COUNT(above_zero), table + FM_MAP_SIZE / 2, FM_MAP_SIZE / 2);
        break;
    case FM_MAP_GREY: walk(grey, FM_COUNT(grey), table, FM_MAP_SIZE); break;
    }
}
