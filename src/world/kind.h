/* Kinds of vehicle: 6-DOF body, diving model, fish (src/kinds). This table defines all properties of a kind: its
 * elements, its state, and how it is built, moved, touched and seen. All other code treats vehicles alike: pose and
 * velocity are in fm_vehicle, and no file outside src/kinds asks for the kind of a vehicle. */
#ifndef FM_WORLD_KIND_H
#define FM_WORLD_KIND_H

#include <fathom/model.h>
#include <fathom/part.h>
#include <fathom/world.h>

#include "geometry/shape.h"
#include "physics/craft.h"
#include "physics/diving.h"

typedef struct fm_type fm_type;
typedef struct fm_vehicle fm_vehicle;
struct fm_skin; /* environment/environment.h */
struct fm_flat; /* physics/flat.h */

/* Source of the water's motion: a uniform stream, or also the world's fields (world/stream.h). */
typedef struct fm_stream_source {
    fm_stream fixed;
    double trough;                 /* m: maximum depth of the surface */
    const struct fm_world *fields; /* NULL: none */
    double begins;                 /* s, relative to the world's time: start of the vehicle's step */
} fm_stream_source;

/* The response when a hull meets something solid. */
enum fm_contact_response {
    FM_CONTACT_NONE,    /* nothing is looked at */
    FM_CONTACT_COUNT,   /* counted, no force */
    FM_CONTACT_IMPULSE, /* impulse with restitution and friction through the virtual mass */
    FM_CONTACT_RESTORE  /* the pose before the step is kept, the speed is reduced to kept_speed of itself */
};

/* A step that is too long: the growing motion, and a suitable step. */
typedef struct fm_step_advice {
    const char *when; /* "at rest", "under way", "afloat" … */
    double frequency; /* rad/s of the motion: of its oscillation, or the reciprocal of its decay time */
    int swings;       /* it is a swing */
    double growth;    /* ln of the factor by which the integrator lets it grow over the run */
    double step;      /* s that would be stable with this integrator; 0: none down to 10 µs */
    int parts;        /* nonzero: nothing grows, but a step at the surface would have to be divided into this number of
                       * parts */
} fm_step_advice;

/* A number of a type that is valid but probably a mistake. */
enum { FM_REMARK_NODES = 6 };
typedef struct fm_remark {
    /* Elements inside <vehicle> and their attributes that may contain the number: the first one in the file is its
     * location. NULL ends the list; an attribute of NULL: the element itself. None: the vehicle. */
    struct {
        const char *element, *attr;
    } nodes[FM_REMARK_NODES];
    const char *subject; /* the number, for texts without a location: "Y_vv" */
    const char *text;    /* the problem, then the expectation: "is +160 in SI: …" */
} fm_remark;
typedef void fm_remark_say(void *user, const fm_remark *remark);

/* An actuator that every vehicle of a kind has, before those of the file. */
typedef struct fm_kind_order {
    const char *name, *unit;
    double effect[6]; /* direction in which a larger order pushes and turns the vehicle: unit vector, body axes */
} fm_kind_order;

/* A live parameter of a kind: a word of the vehicle's record. */
enum { FM_KIND_LIVE_MOST = 8 };
typedef struct fm_kind_live {
    const char *prefix; /* path of its element below the vehicle: "wave" */
    const fm_attr *attr;
    uint32_t word;
} fm_kind_live;

typedef struct fm_kind {
    const char *name;

    /* --- at load --- */
    /* Its element inside <vehicle>, which selects this kind. The kind without an element is the default: it adds
     * `elements` (NULL-terminated) to <vehicle> itself. */
    const fm_element *element;
    const fm_element *const *elements;
    size_t state_size; /* bytes of its block in the record: 8-byte fields (double, int64_t), initially zero */
    int rigid;         /* a rigid body whose whole state is pose and velocity: it can be placed, takes impulses through
                                      type->mass, may keep its posture as Euler angles */
    enum fm_contact_response contact; /* unless <contact> says another */
    /* Checks, derives, fills the type: kind_config, mass, hydrodynamics, shapes … `config` is that of its element, like
     * a part's, and `load` refers to it (without an element: config is NULL, `load` refers to <vehicle>). */
    fm_status (*build)(fm_part_load *load, const void *config, fm_type *type, fm_error *error);
    const fm_kind_order *orders;
    size_t order_count;
    void (*limit_orders)(const fm_type *type, fm_actuator *actuators); /* least and greatest order of each */
    /* Writes its live parameters, when the layout of the record is known; returns their number. May be NULL. */
    size_t (*live)(const fm_type *type, fm_kind_live out[FM_KIND_LIVE_MOST]);
    /* Queries of controllers. Force and moment (N, N·m, body axes) of 1 rad of a fin at 1 m/s ahead; the linear heave
     * and pitch model with these fins, deflected equally, at `speed` (m/s); the constant speed through the water of the
     * kind (m/s). NULL: not available. */
    void (*fin_column)(const fm_type *type, int fin, double column[6]);
    fm_diving_model (*diving_model)(const fm_type *type, double speed, const int *fins, size_t fin_count);
    double (*own_speed)(const fm_type *type);
    /* Whether the vehicle's step is too long, at rest, afloat, or at up to `speed` (m/s), over a run of `duration` s.
     * Returns 0 if it is not. NULL: the step is never too long. */
    int (*judge_step)(const fm_type *type, double speed, double duration, fm_step_advice *advice);
    /* Calls `say` for each suspicious number. NULL: the kind has no such check. */
    void (*inspect)(const fm_type *type, fm_remark_say *say, void *user);
    /* Maximum speed (m/s, through the water) with its own drive; NaN: unknown. NULL: always unknown. */
    double (*top_speed)(const fm_type *type);
    /* Scales the weight of the type and of its water by `ratio`, for another gravity, and derives the dependent values
     * again; kind_config is a private copy if config_size gives its size. NULL: it has no weight. */
    void (*weigh)(fm_type *type, double ratio);
    size_t config_size; /* bytes of a kind_config that contains weights; 0: it contains none */

    /* --- in a run --- */
    /* Initial state of the kind; vehicle->water is the velocity of the water. May be NULL. */
    void (*start)(const struct fm_model *model, const fm_type *type, fm_vehicle *vehicle);
    /* Advances pose and velocity by one vehicle step. `thrust`: the part of the input's force that needs water (N,
     * N·m). Returns the fraction of the hull that is under water, 0 … 1. */
    double (*step)(const fm_environment *sea, const fm_type *type, fm_vehicle *vehicle, const fm_stream_source *water,
                   const fm_mass *mass, const double thrust[6], double dt);
    int step_of_craft; /* 1: `step` is fm_craft_integrate and nothing else, so that several can be made in one call */
    /* Shapes of a hull that bends, in body axes, type->shape_count of them; NULL: those of the type. */
    void (*shapes)(const fm_type *type, const fm_vehicle *vehicle, fm_shape *out);
    /* The skin of a hull that bends, for cameras, in body axes, and the radius about the origin that contains it; NULL:
     * its shapes. */
    void (*skin)(const fm_type *type, const fm_vehicle *vehicle, struct fm_skin *out);
    double (*skin_radius)(const fm_type *type);
    /* Called after a contact that `restore` has resolved, so that the kind can slow down its own state; may be NULL. */
    void (*touched)(const fm_type *type, fm_vehicle *vehicle);
    /* Sets the state of a vehicle that another simulator moves (FM_COMMAND_SIGHT). NULL: it moves by itself. */
    void (*sight)(const fm_type *type, fm_vehicle *vehicle, const fm_sighting *seen);

    /* --- what is published about it --- */
    /* Joints, for recording as JointState: angles (rad) and rates (rad/s), type->joint_count of each, set by the kind's
     * build. There are as many names as a type may have; columns of the angles come before the others. */
    const char *const *joint_names;
    size_t joint_offset; /* of the first angle in the kind's block, bytes */
    void (*joints)(const fm_type *type, const fm_vehicle *vehicle, double *angle, double *rate);
    /* Distance of a joint ahead of the joint before it (the first: ahead of the body origin) at rest, m; it turns about
     * body z. */
    double (*joint_position)(const fm_type *type, size_t i);
    /* Further columns: words of the kind's block (offset in bytes from its start). */
    const fm_output *columns;
    size_t column_count;

    const struct fm_kind_lanes *lanes; /* how batches move it; NULL: only worlds do */
} fm_kind;

/* A kind in lanes and on a GPU (control/chain.h, physics/own_body.h). */
typedef struct fm_kind_lanes {
    /* The reason if lanes cannot move this vehicle; NULL: they can. */
    const char *(*verdict)(const fm_environment *sea, const fm_type *type);
    /* The number of records in its own sections of a flat block, and their contents. NULL: it has none, but is a rigid
     * body. */
    void (*count)(const fm_type *type, struct fm_flat *head);
    void (*describe)(const fm_environment *sea, const fm_type *type, struct fm_flat *flat);
    /* Radius about the origin that contains its shapes however they bend, plus the displacement in a step that its
     * velocity does not show, m. NULL: they do not bend. */
    double (*reach)(const fm_environment *sea, const fm_type *type);
    int own_rows;     /* the words of its block are rows of a batch's table, in the same order */
    int begins_alone; /* a world with one vehicle gives its initial state: pose, velocity and the words of its block */
} fm_kind_lanes;

#endif
