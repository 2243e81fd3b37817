/* What can be written of a fish. */
#ifndef FM_KINDS_FISH_ELEMENTS_H
#define FM_KINDS_FISH_ELEMENTS_H

#include <fathom/describe.h>

typedef struct fm_fish_wave_config {
    double c1, c2, k, frequency;
} fm_fish_wave_config;

typedef struct fm_fish_swimming_config {
    double strouhal, turn_gain, frequency_max, deflection_max, viscosity, density, depth_rate;
    int64_t reynolds; /* 0: the tail's length, 1: the body's */
} fm_fish_swimming_config;

typedef struct fm_fish_servo_config {
    int64_t rows;
    double limit, rate; /* rad, rad/s */
    const char *file;
    fm_list swing, lag; /* rad; empty: not written */
} fm_fish_servo_config;

typedef struct fm_fish_section_config {
    double x, points[12];
} fm_fish_section_config;

typedef struct fm_fish_fin_config {
    int64_t which;
    double leading[12], trailing[12];
} fm_fish_fin_config;

typedef struct fm_fish_body_config {
    double head, mass, area, tail_width, scale;
    fm_list links; /* m; empty: not written */
} fm_fish_body_config;

typedef struct fm_fish_fins_config {
    double area, aspect, limit, pitch_max;
} fm_fish_fins_config;

/* <fish>, with its children. */
typedef struct fm_fish_written {
    int64_t thrust;           /* 0: the paper's, 1: elongated-body theory */
    int64_t turning;          /* 0: the paper's, 1: by the tail's force */
    double deflection, depth; /* rad, m: orders at the start */
    fm_fish_wave_config wave;
    fm_fish_swimming_config swimming;
    fm_fish_servo_config servo;
    fm_fish_body_config body;
    fm_fish_fins_config fins;
} fm_fish_written;

enum { FM_FISH_WAVE_ATTRS = 4 };
extern const fm_attr fm_fish_wave_attrs[FM_FISH_WAVE_ATTRS];
enum { FM_FISH_ATTR_THRUST, FM_FISH_ATTR_TURNING, FM_FISH_ATTR_DEFLECTION, FM_FISH_ATTR_DEPTH, FM_FISH_ATTRS };
extern const fm_attr fm_fish_attrs[FM_FISH_ATTRS];
extern const fm_element fm_fish_kind_element;

#endif
