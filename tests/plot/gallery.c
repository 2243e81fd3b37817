/* Draws every kind of plot once, in each format: the pictures of docs/plotting.md. usage: plot_gallery FOLDER */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot/figure.h"

enum { N = 601 };

static void save(fm_figure *figure, const char *folder, const char *name)
{
    static const char *const formats[] = {"png", "svg", "pdf"};
    for (int i = 0; i < 3; i++) {
        char path[4096];
        fm_error error = {0};
        snprintf(path, sizeof path, "%s/%s.%s", folder, name, formats[i]);
        if (fm_figure_write(figure, path, &error) != FM_OK) {
            fprintf(stderr, "gallery: %s\n", error.text);
            exit(1);
        }
    }
    fm_figure_destroy(figure);
}

/* A step response with a band, its order, an event and stacked plots that share time. */
static void responses(const char *folder, fm_theme theme, const char *name)
{
    static double t[N], depth[N], order[N], low[N], high[N], pitch[N], rpm[N];
    for (int i = 0; i < N; i++) {
        t[i] = 0.5 * i;
        double s = fmax(t[i] - 30, 0);
        order[i] = t[i] < 30 ? 5 : t[i] < 210 ? 20 : 12;
        depth[i] = 5 + 15 * (1 - exp(-s / 28) * (cos(s / 16) + 0.5 * sin(s / 16)));
        if (t[i] > 210)
            depth[i] -= 8 * (1 - exp(-(t[i] - 210) / 20));
        low[i] = depth[i] - 0.4 - 0.01 * s;
        high[i] = depth[i] + 0.4 + 0.01 * s;
        pitch[i] = t[i] > 150 && t[i] < 160 ? NAN : -18 * exp(-s / 30) * sin(s / 14) * (s > 0);
        rpm[i] = t[i] < 30 ? 400 : t[i] < 210 ? 700 : 550;
    }
    fm_figure *figure = fm_figure_create(170, 130, theme);
    fm_figure_share_x(figure);
    fm_figure_row_height(figure, 0, 1.6);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_title(a, "Depth change under autopilot");
    fm_axes_y(a, &(fm_axis_style){.label = "depth", .unit = "m", .reversed = true});
    fm_axes_band(a, t, low, high, N,
                 &(fm_area_style){.label = "95 % of 200 runs", .colour = fm_colour_series(theme, 0)});
    fm_axes_line(a, t, depth, N, &(fm_line_style){.label = "depth"});
    fm_axes_line(a, t, order, N, &(fm_line_style){.label = "ordered", .dash = FM_DASH_DASHED, .step = true});
    fm_axes_event(a, 30, "dive", NULL);
    fm_axes_event(a, 210, "rise", NULL);
    fm_axes *b = fm_figure_axes(figure, 1, 0, 1, 1);
    fm_axes_y(b, &(fm_axis_style){.label = "pitch", .unit = "°"});
    fm_axes_line(b, t, pitch, N, NULL);
    fm_axes_level(b, 0, NULL, NULL);
    fm_axes *c = fm_figure_axes(figure, 2, 0, 1, 1);
    fm_axes_x(c, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(c, &(fm_axis_style){.label = "propeller", .unit = "rpm", .min = 0, .max = 800});
    fm_axes_line(c, t, rpm, N, &(fm_line_style){.step = true, .colour = fm_colour_series(theme, 2)});
    save(figure, folder, name);
}

/* A track among obstacles in a current, with equal axes. */
static void track(const char *folder)
{
    static double north[N], east[N], x[48], y[48], u[48], v[48];
    double wall_x[] = {22, 26, 26, 22}, wall_y[] = {-12, -12, 6, 6}, rock_x[24], rock_y[24];
    for (int i = 0; i < N; i++) {
        double s = i / (double)(N - 1);
        east[i] = 50 * s;
        north[i] = 14 * exp(-pow((s - 0.48) / 0.13, 2)) - 4 + 2 * sin(9 * s);
    }
    for (int i = 0; i < 24; i++) {
        rock_x[i] = 38 + 4 * cos(i * M_PI / 12) + 0.5 * sin(i * 2.0);
        rock_y[i] = -9 + 3 * sin(i * M_PI / 12) + 0.4 * cos(i * 3.0);
    }
    for (int i = 0; i < 48; i++) {
        x[i] = 3 + 6.4 * (i % 8);
        y[i] = -13 + 6 * (i / 8);
        u[i] = 0.15 + 0.05 * sin(0.2 * x[i]);
        v[i] = 0.08 * cos(0.25 * x[i] + 0.1 * y[i]);
    }
    fm_figure *figure = fm_figure_create(140, 95, FM_THEME_LIGHT);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_title(a, "Way round a wall in a current");
    fm_axes_equal(a);
    fm_axes_x(a, &(fm_axis_style){.label = "east", .unit = "m"});
    fm_axes_y(a, &(fm_axis_style){.label = "north", .unit = "m"});
    fm_colour soft = fm_colour_hex(0x9aa4ad);
    fm_axes_arrows(a, x, y, u, v, 48,
                   &(fm_arrow_style){.label = "current, 0.2 m/s", .key = 0.2, .colour = soft, .width = 0.7});
    fm_axes_polygon(a, wall_x, wall_y, 4, &(fm_area_style){.label = "obstacle", .line = fm_colour_hex(0x555d65)});
    fm_axes_polygon(a, rock_x, rock_y, 24, &(fm_area_style){.line = fm_colour_hex(0x555d65)});
    fm_axes_line(a, east, north, N, &(fm_line_style){.label = "vehicle", .width = 1.8});
    fm_axes_scatter(a, (double[]){0, 50}, (double[]){north[0], north[N - 1]}, 2,
                    &(fm_scatter_style){.label = "way point", .size = 7, .marker = FM_MARKER_DIAMOND});
    fm_axes_text(a, 24, 8.2, "closest, 2.1 m", &(fm_text_style){.dx = 26, .dy = 14, .pointer = true});
    save(figure, folder, "track");
}

/* Heat maps: a sequential and a diverging one. */
static void maps(const char *folder, fm_theme theme, const char *name)
{
    enum { C = 90, R = 60 };
    static double speed[C * R], anomaly[C * R];
    for (int r = 0; r < R; r++)
        for (int c = 0; c < C; c++) {
            double z = 2.5 * (r + 0.5), x = c + 0.5;
            speed[r * C + c] = 1490 + 30 * exp(-z / 45) + 0.05 * z + 3 * sin(x / 12) * exp(-z / 60);
            anomaly[r * C + c] = c > 70 && r > 50 ? NAN : sin(x / 9) * cos(z / 22) * 0.4 - 0.002 * z + 0.05;
        }
    fm_figure *figure = fm_figure_create(170, 75, theme);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_title(a, "Sound speed");
    fm_axes_x(a, &(fm_axis_style){.label = "range", .unit = "km"});
    fm_axes_y(a, &(fm_axis_style){.label = "depth", .unit = "m", .reversed = true});
    fm_axes_heat(a, (fm_extent){0, C, 0, 150}, speed, C, R,
                 &(fm_heat_style){.value_label = "sound speed", .value_unit = "m/s"});
    fm_axes_line(a, (double[]){0, 20, 45, 70, 90}, (double[]){20, 90, 40, 110, 60}, 5,
                 &(fm_line_style){.label = "ray", .colour = fm_colour_hex(0xd55e00)});
    fm_axes *b = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_axes_title(b, "Temperature anomaly");
    fm_axes_x(b, &(fm_axis_style){.label = "range", .unit = "km"});
    fm_axes_y(b, &(fm_axis_style){.label = "depth", .unit = "m", .reversed = true});
    fm_axes_heat(b, (fm_extent){0, C, 0, 150}, anomaly, C, R,
                 &(fm_heat_style){
                     .map = FM_MAP_DIVERGING, .min = -0.5, .max = 0.5, .value_label = "anomaly", .value_unit = "K"});
    save(figure, folder, name);
}

/* Log axes, scatter by value, an image, and a crowded plot whose legend stands above. */
static void others(const char *folder)
{
    static double f[N], absorption[N], salt[N], sx[300], sy[300], sv[300], t[N], many[5][N];
    static uint8_t picture[40 * 60 * 3];
    for (int i = 0; i < N; i++) {
        f[i] = pow(10, 2 + 4 * i / (double)(N - 1));
        double k = f[i] / 1000;
        salt[i] = 0.1 * k * k / (1 + k * k) + 40 * k * k / (4100 + k * k);
        absorption[i] = salt[i] + 3e-4 * k * k;
        t[i] = 0.02 * i;
        for (int m = 0; m < 5; m++)
            many[m][i] = sin(t[i] * (1 + 0.4 * m)) * (1 + 0.3 * m) * 2e5;
    }
    for (int i = 0; i < 300; i++) {
        double angle = 2.4 * i, radius = sqrt(i) / 2;
        sx[i] = radius * cos(angle);
        sy[i] = radius * sin(angle);
        sv[i] = exp(-radius * radius / 30);
    }
    for (int r = 0; r < 40; r++)
        for (int c = 0; c < 60; c++) {
            uint8_t *p = picture + 3 * (r * 60 + c);
            p[0] = (uint8_t)(40 + 2 * r), p[1] = (uint8_t)(90 + 2 * c),
            p[2] = (uint8_t)(140 + ((r / 5 + c / 5) % 2) * 40);
        }
    fm_figure *figure = fm_figure_create(170, 130, FM_THEME_LIGHT);
    fm_figure_title(figure, "Four kinds of plot");
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_title(a, "Absorption of sound");
    fm_axes_x(a, &(fm_axis_style){.label = "frequency", .unit = "Hz", .scale = FM_SCALE_LOG});
    fm_axes_y(a, &(fm_axis_style){.label = "absorption", .unit = "dB/km", .scale = FM_SCALE_LOG});
    fm_axes_line(a, f, absorption, N, &(fm_line_style){.label = "sea water"});
    fm_axes_line(a, f, salt, N, &(fm_line_style){.label = "relaxation only", .dash = FM_DASH_DOTTED});
    fm_axes *b = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_axes_title(b, "Samples");
    fm_axes_equal(b);
    fm_axes_x(b, &(fm_axis_style){.label = "x", .unit = "m"});
    fm_axes_y(b, &(fm_axis_style){.label = "y", .unit = "m"});
    fm_axes_scatter(b, sx, sy, 300, &(fm_scatter_style){.values = sv, .value_label = "concentration"});
    fm_axes *c = fm_figure_axes(figure, 1, 0, 1, 1);
    fm_axes_title(c, "Pressure at five ports");
    fm_axes_x(c, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(c, &(fm_axis_style){.label = "pressure", .unit = "Pa"});
    const char *const names[] = {"port 1", "port 2", "port 3", "port 4", "port 5"};
    for (int m = 0; m < 5; m++)
        fm_axes_line(c, t, many[m], N, &(fm_line_style){.label = names[m]});
    fm_axes *d = fm_figure_axes(figure, 1, 1, 1, 1);
    fm_axes_title(d, "Camera");
    fm_axes_equal(d);
    fm_axes_y(d, &(fm_axis_style){.label = "row", .reversed = true});
    fm_axes_x(d, &(fm_axis_style){.label = "column"});
    fm_axes_image(d, (fm_extent){0, 60, 0, 40}, picture, 60, 40);
    save(figure, folder, "kinds");
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    responses(argv[1], FM_THEME_LIGHT, "responses");
    responses(argv[1], FM_THEME_DARK, "responses-dark");
    track(argv[1]);
    maps(argv[1], FM_THEME_LIGHT, "maps");
    maps(argv[1], FM_THEME_DARK, "maps-dark");
    others(argv[1]);
    return 0;
}
