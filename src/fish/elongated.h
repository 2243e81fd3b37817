/* Set-up of the elongated-body model (physics/fish_elongated.h) from a table of stations along the body. */
#ifndef FM_FISH_ELONGATED_H
#define FM_FISH_ELONGATED_H

#include <fathom/status.h>

#include "physics/fish_elongated.h"

/* A cross-section of the body; between stations height and width run linearly. */
typedef struct fm_fish_station {
    double x;      /* behind the nose, m */
    double height; /* m */
    double width;  /* m */
} fm_fish_station;

typedef struct fm_fish_elongated_setup {
    double head_length; /* nose to joint 1, m */
    fm_fish_tail tail;
    double mass;        /* kg; spread as the volume */
    double wetted_area; /* m2; spread as the girth */
    double density;     /* of water, kg/m3 */
    double viscosity;   /* m2/s */
    double cross_drag;  /* 1 */
    int head_elements, link_elements;
} fm_fish_elongated_setup;

/* Defaults for a fish: 16 elements on the head, about 32 on the links, cross-flow drag coefficient 1. */
fm_fish_elongated_setup fm_fish_elongated_defaults(const fm_fish_params *fish, double head_length,
                                                   const fm_fish_tail *tail);

/* `elements` are what `out` refers to from then on. */
fm_status fm_fish_elongated_build(fm_fish_elongated_params *out, fm_fish_element elements[FM_FISH_ELEMENTS_MAX],
                                  const fm_fish_elongated_setup *setup, const fm_fish_station *stations, int count,
                                  fm_error *error);

/* Circumference of an ellipse with these axes (Ramanujan's second formula), m. */
double fm_fish_ellipse_girth(double height, double width);

#endif
