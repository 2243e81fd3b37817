/* Elements and attributes of <look>. */
#ifndef FM_LOOK_ELEMENTS_H
#define FM_LOOK_ELEMENTS_H

#include "base/describe.h"

typedef struct fm_look_config {
    double colour[3], trim[3];
    const char *mesh;
    double scale, position[3], attitude[3];
    int64_t parts;
} fm_look_config;

typedef struct fm_solid_config {
    const char *name, *sensor;
    int64_t kind, glows; /* kind: fm_look_kind */
    double size[3], position[3], attitude[3], colour[3], opacity;
} fm_solid_config;

typedef struct fm_bar_config {
    const char *name;
    double from[3], to[3], radius, colour[3];
} fm_bar_config;

typedef struct fm_loft_config {
    const char *name;
    fm_list x, breadth, height, centre, exponent;
    double position[3], colour[3];
} fm_loft_config;

typedef struct fm_torpedo_config {
    const char *name;
    double length, diameter, nose, tail, stern, position[3], colour[3];
} fm_torpedo_config;

typedef struct fm_foil_config {
    const char *name, *actuator;
    double position[3], direction[3], span, chord, tip, sweep, thickness, hinge, colour[3];
    int64_t reversed;
} fm_foil_config;

typedef struct fm_screw_config {
    const char *name, *actuator;
    double position[3], direction[3], diameter, duct, colour[3];
    int64_t blades;
} fm_screw_config;

typedef struct fm_tunnel_config {
    const char *actuator;
    double diameter, length;
} fm_tunnel_config;

enum { FM_STUDS_MOST = 128 };
typedef struct fm_studs_config {
    const char *sensor;
    fm_list angles;
    double centre[3], radius, size, colour[3];
} fm_studs_config;

typedef struct fm_band_config {
    double from, to, colour[3];
} fm_band_config;

extern const fm_element fm_look_element;

#endif
