/* The appearance of a vehicle: pieces that are drawn and take no part in contact. Built by src/look/build.c from <look>
 * and from the model's hull, actuators and instruments; published on /scene (look/scene_look.c). */
#ifndef FM_LOOK_LOOK_H
#define FM_LOOK_LOOK_H

#include <stddef.h>
#include <stdint.h>

/* Sizes in m. All extend along local x, which points forward; the numbers are those of fathom_msgs/SceneLook. */
typedef enum fm_look_kind {
    FM_LOOK_BOX,       /* length, breadth, height */
    FM_LOOK_SPHERE,    /* the same; the least counts */
    FM_LOOK_CAPSULE,   /* the same */
    FM_LOOK_CYLINDER,  /* the same */
    FM_LOOK_ELLIPSOID, /* the same */
    FM_LOOK_CONE,      /* the same; its tip is ahead */
    FM_LOOK_LOFT,      /* x, half breadth, z of keel and back (up), exponent of the section: 5 per station */
    FM_LOOK_FOIL,   /* span (along local up), chord at root and tip, how far the tip's leading edge lies astern of the
                       root's, thickness, part of the chord ahead of the hinge at the origin */
    FM_LOOK_SCREW,  /* diameter, number of blades, length of its duct (0: none); thrust is along x */
    FM_LOOK_TUNNEL, /* diameter, length; a screw is inside */
    FM_LOOK_MESH,   /* scale; triangles, or a file */
    FM_LOOK_SKIN,   /* a mesh that bends with the joints */
    FM_LOOK_BAND    /* from, to: paint on everything between these x of the body */
} fm_look_kind;

/* Triangles in forward-port-up, or an unchanged glTF file. */
typedef struct fm_look_mesh {
    const char *name;
    const float *vertices; /* m, 3 a vertex */
    const uint32_t *triangles;
    size_t vertex_count, triangle_count;
    const uint8_t *data; /* of a glTF file; NULL: none */
    size_t size;
} fm_look_mesh;

typedef struct fm_look {
    fm_look_kind kind;
    const char *name;
    double position[3], quaternion[4]; /* m, body axes; w x y z from local to body */
    const double *size;
    size_t size_count;
    double colour[4]; /* red, green, blue, opacity, 0 … 1 */
    int glows;        /* it shines by itself */
    int actuator;     /* which moves it; -1: none */
    double turn;      /* rad about local up for each rad of the actuator (foils) */
    const fm_look_mesh *mesh;
} fm_look;

#endif
