/* What the files of the contact stage share. */
#ifndef FM_WORLD_CONTACT_INTERNAL_H
#define FM_WORLD_CONTACT_INTERNAL_H

#include "environment/environment.h"
#include "geometry/broadphase.h"
#include "geometry/distance.h"
#include "world/contact.h"

enum { FM_CONTACT_SHAPES = 8, FM_CONTACT_POINTS = 8 };

struct fm_contact_state {
    fm_bodies bodies;
    fm_ray_body *list; /* of vehicles, then of moving obstacles */
    uint32_t *first;   /* per slot: where its shapes begin */
    fm_aabb *boxes;
    uint32_t *groups;
    fm_broadphase *broadphase; /* NULL: one vehicle only */
    size_t vehicle_bodies, room;
    double *reach;       /* per type: radius about the body origin that holds its shapes, m; < 0: they move */
    int overflow;        /* more pairs of near vehicles than there is room for */
    int any_partners;    /* some vehicles touch each other */
    double (*before)[7]; /* per slot: pose before the step, for `restore` and fast movers */
};

/* contact_bodies.c */
size_t fm_body_shapes(const fm_slot *slot, fm_shape out[FM_CONTACT_SHAPES]); /* in body axes; returns how many */
void fm_body_quaternion(const fm_slot *slot, double q[4]);
void fm_contact_place_body(fm_world *world, int slot);

/* contact_response.c: one touch, and the impulse it gives. */
typedef struct fm_touch {
    double point[3];  /* m, NED */
    double normal[3]; /* unit, NED, from the other body to this one */
    double depth;     /* m, of penetration */
} fm_touch;

/* One side of a contact: a vehicle that can be pushed, or something that stands or goes its own way (vehicle NULL). */
typedef struct fm_touch_side {
    fm_vehicle *vehicle;
    const fm_mass *mass;
    double step;              /* s, of the vehicle */
    double R[9];              /* body → world */
    double row[6], pushed[6]; /* contact row, M⁻¹ row */
    double drift[3];          /* m/s, NED, of what is no vehicle */
} fm_touch_side;

/* Places where a shape is inside another; returns how many. */
size_t fm_contact_find_touches(const fm_shape *shape, const fm_shape *other, fm_touch out[FM_CONTACT_POINTS]);
/* Impulse along the normal through the virtual masses, with restitution and Coulomb friction. */
void fm_contact_exchange(fm_touch_side *a, fm_touch_side *b, const fm_touch *touch, double restitution,
                         double friction);
/* Sets the row of a touch along a direction; returns row · M⁻¹ row (1/kg). */
double fm_contact_touch_row(fm_touch_side *s, const double point[3], const double direction[3]);

#endif
