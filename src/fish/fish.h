/* The data of a robotic fish. Its kind (kinds/fish.c) moves it with the kernel of physics/fish_body.h, which also
 * defines its stored words; its brain (fish/brain.c) decides. Theory: docs/theory/fish.md. */
#ifndef FM_FISH_FISH_H
#define FM_FISH_FISH_H

#include "fish/body.h"
#include "fish/servo_table.h"
#include "physics/fish_body.h"

enum fm_fish_thrust_model { FM_FISH_PAPER, FM_FISH_ELONGATED };

/* kind_config of a fish (world/model.h). */
typedef struct fm_fish_config {
    fm_fish_params par;
    fm_servo_table table;
    double servo_rate; /* fastest turn of a joint, rad/s */
    int table_given;   /* a file's angles or written swings hold; a live wave then changes speed only */
    enum fm_fish_thrust_model thrust;
    fm_fish_elongated_params theory; /* of FM_FISH_ELONGATED */
    fm_fish_element elements[FM_FISH_ELEMENTS_MAX];
    int turns_by_tail; /* yaw by the force of the deflected tail; else (H9) */
    int has_fins;      /* pectoral fins hold depth and balance; else depth follows its order at depth_rate */
    fm_fish_fins_params fins;
    double depth_rate;              /* m/s */
    double start[FM_FISH_ORDERS];   /* Hz, rad, m: orders at birth */
    int depth_given;                /* else the fish keeps the depth it starts at */
    double head_box[3];             /* length, width, height, m */
    double tail_box[2];             /* width, height, m; its length follows the joints */
    fm_fish_shape shape;            /* traverse points and fins */
    fm_fish_mesh seen;              /* its skin for cameras, at rest; at most FM_SKIN_VERTICES */
    const double (*seen_colour)[3]; /* of its vertices, by the formula */
} fm_fish_config;

/* The parameters in force: those of the type with the live wave. */
static inline fm_fish_params fm_fish_par_now(const fm_fish_config *config, const fm_fish_words *words)
{
    return fm_fish_params_now(&config->par, words);
}

#endif
