/* The pieces of a look while it is built. */
#ifndef FM_LOOK_BUILD_H
#define FM_LOOK_BUILD_H

#include "look/elements.h"
#include "look/look.h"
#include "scenario/build.h"

typedef struct fm_look_builder {
    fm_builder *b;
    const fm_node *vehicle;
    const fm_vehicle_config *config;
    const fm_type *type;
    fm_look_config look;
    fm_look *list;
    size_t count;
    char *drawn;  /* 1: the actuator of this number is described in <look> */
    char *headed; /* the same for sensors */
} fm_look_builder;

/* A new piece at a place (m, body axes), with space for `numbers` of its size; NULL: no memory, which is reported. */
fm_look *fm_look_add(fm_look_builder *l, fm_look_kind kind, const char *name, const double position[3], size_t numbers,
                     double **size);
/* Rotates it so that its local x points along a direction (not 0). */
void fm_look_aim(fm_look *look, const double direction[3]);
/* The same with its local up along `span` and x as far forward as possible. */
void fm_look_stand(fm_look *look, const double span[3]);

/* --- build_parts.c --- */
/* Room that it may need. */
size_t fm_look_known_room(const fm_look_builder *l);
/* Pieces derived from the model: its hull, unless a loft or mesh replaces it; fins, screws and heads that <look> does
 * not describe. */
fm_status fm_look_add_hull(fm_look_builder *l);
fm_status fm_look_add_known(fm_look_builder *l);
/* Direction in which a foil along `span` turns for a positive deflection of the fin: 1 or -1; 0: unknown. */
double fm_look_fin_sense(const fm_type *type, int actuator, const double span[3]);
/* Diameter (m) of a screw from its maximum thrust. */
double fm_look_screw_diameter(const fm_look_builder *l, int actuator);
double fm_look_tunnel_length(const fm_look_builder *l, const double direction[3]);

/* --- mesh.c --- */
fm_status fm_look_read_mesh(fm_builder *b, const fm_node *node, const char *path, const fm_look_mesh **mesh);

#endif
