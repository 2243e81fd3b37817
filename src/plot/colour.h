/* Colours of figures: themes, a series palette and colour maps that stay readable with every kind of colour vision. */
#ifndef FM_PLOT_COLOUR_H
#define FM_PLOT_COLOUR_H

#include <fathom/figures.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* sRGB, each 0 … 1. Alpha 0 in a style means: choose for me. */
typedef struct fm_colour {
    double red, green, blue, alpha;
} fm_colour;

typedef enum fm_colour_map {
    FM_MAP_SEQUENTIAL, /* dark blue to light yellow, lightness and steps uniform */
    FM_MAP_DIVERGING,  /* blue, light, red: for values around zero */
    FM_MAP_GREY        /* black to white, uniform in lightness */
} fm_colour_map;

enum { FM_MAP_SIZE = 256, FM_SERIES_COLOURS = 8 };

/* 0xrrggbb, opaque */
fm_colour fm_colour_hex(uint32_t rgb);
fm_colour fm_colour_faded(fm_colour colour, double alpha);

/* The index-th series colour, cyclic: the palette of Okabe and Ito, ordered by contrast with the background. */
fm_colour fm_colour_series(fm_theme theme, size_t index);

/* A thing called "red" or "blue-2" has that colour: the one of the series that is nearest to it by name. False: the
 * name is of no colour. */
bool fm_colour_named(fm_theme theme, const char *name, fm_colour *colour);

/* The colours of a map in FM_MAP_SIZE steps that are equal in OKLab, lowest value first. */
void fm_colour_table(fm_colour_map map, fm_colour table[FM_MAP_SIZE]);

/* Style of everything except data. */
typedef struct fm_theme_colours {
    fm_colour paper, panel, ink, soft_ink, grid, frame;
} fm_theme_colours;

fm_theme_colours fm_theme_colours_of(fm_theme theme);

#endif
