/* Kinds of vehicle: 6-DOF body, diving model, fish (src/kinds). A kind brings all that makes it one in this table:
 * what is written of it, its state, how it is built, moves, is touched and seen. For everyone else vehicles look alike:
 * pose and velocity stand in fm_vehicle, and no file outside src/kinds asks which kind a vehicle is of. */
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

/* Where the water's motion comes from: one stream everywhere, or the world's fields too (world/stream.h). */
typedef struct fm_stream_source {
    fm_stream fixed;
    double trough;                 /* m: depth that the surface nowhere exceeds */
    const struct fm_world *fields; /* NULL: none */
    double begins;                 /* s, against the world's time: when the vehicle's step begins */
} fm_stream_source;

/* What happens when a hull meets something solid. */
enum fm_contact_response {
    FM_CONTACT_NONE,    /* nothing is looked at */
    FM_CONTACT_COUNT,   /* counted, no force */
    FM_CONTACT_IMPULSE, /* impulse with restitution and friction through the virtual mass */
    FM_CONTACT_RESTORE  /* the pose before the step holds, the speed falls to kept_speed of itself */
};

/* A step that is too long: what grows by it alone, and what would do. */
typedef struct fm_step_advice {
    const char *when; /* "at rest", "under way", "afloat" … */
    double frequency; /* rad/s of the motion: of its swing, or one over the time in which it dies out */
    int swings;       /* it is a swing */
    double growth;    /* ln of the factor by which the integrator lets it grow over the run */
    double step;      /* s that would do with this integrator; 0: none down to 10 µs */
    int parts;        /* not 0: nothing grows, but a step at the surface would have to be divided into so many */
} fm_step_advice;

/* Something in the numbers of a type that is accepted and is probably a mistake. */
enum { FM_REMARK_PLACES = 6 };
typedef struct fm_remark {
    /* Elements inside <vehicle> and their attributes that may hold the number: the first that is written is the place.
     * NULL ends the list; an attribute of NULL: the element itself. None: the vehicle. */
    struct {
        const char *element, *attr;
    } places[FM_REMARK_PLACES];
    const char *subject; /* what is wrong, for texts without a place: "Y_vv" */
    const char *text;    /* what is wrong with it, then what would be right: "is +160 in SI: …" */
} fm_remark;
typedef void fm_remark_say(void *user, const fm_remark *remark);

/* An actuator that every vehicle of a kind has, before those of the file. */
typedef struct fm_kind_order {
    const char *name, *unit;
    double effect[6]; /* which way a greater order pushes and turns the vehicle: unit vector, body axes */
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
    /* Its element inside <vehicle>, which says that the vehicle is of this kind. A kind without one is that of the
     * vehicles that say nothing: it brings `elements` (NULL-terminated) to <vehicle> itself. */
    const fm_element *element;
    const fm_element *const *elements;
    size_t state_size; /* bytes of its block in the record: 8-byte fields (double, int64_t), zeroed at birth */
    int rigid;         /* a rigid body whose whole state is pose and velocity: it can be placed, takes impulses through
                          type->mass, may keep its posture as Euler angles */
    enum fm_contact_response contact; /* unless <contact> says another */
    /* Checks, derives, fills the type: kind_config, mass, hydrodynamics, shapes … `config` is that of its element, as
     * a part's, and `load` stands there (without an element: config is NULL, `load` stands at <vehicle>). */
    fm_status (*build)(fm_part_load *load, const void *config, fm_type *type, fm_error *error);
    const fm_kind_order *orders;
    size_t order_count;
    void (*limit_orders)(const fm_type *type, fm_actuator *actuators); /* least and greatest order of each */
    /* Writes its live parameters, when the layout of the record is known; returns how many. May be NULL. */
    size_t (*live)(const fm_type *type, fm_kind_live out[FM_KIND_LIVE_MOST]);
    /* What controllers ask. Force and moment (N, N·m, body axes) of 1 rad of a fin at 1 m/s ahead; linear heave and
     * pitch by these fins, deflected alike, at `speed` (m/s); the speed through the water that the kind keeps by
     * itself (m/s). NULL: it has no such thing. */
    void (*fin_column)(const fm_type *type, int fin, double column[6]);
    fm_diving_model (*diving_model)(const fm_type *type, double speed, const int *fins, size_t fin_count);
    double (*own_speed)(const fm_type *type);
    /* Is the vehicle's step too long for it, at rest, afloat, or at up to `speed` (m/s), over a run of `duration` s?
     * Returns 0 where it is not. NULL: its own step is never too long. */
    int (*judge_step)(const fm_type *type, double speed, double duration, fm_step_advice *advice);
    /* Calls `say` for each number that looks wrong. NULL: the kind knows of none. */
    void (*inspect)(const fm_type *type, fm_remark_say *say, void *user);
    /* Speed (m/s, through the water) that the vehicle does not exceed by its own drive; NaN: not known. NULL: never
     * known. */
    double (*top_speed)(const fm_type *type);
    /* Makes the type `ratio` times as heavy, its water too, as another gravity does, and derives again what follows
     * from that; kind_config is a copy of its own where config_size says how large it is. NULL: it has no weight. */
    void (*weigh)(fm_type *type, double ratio);
    size_t config_size; /* bytes of a kind_config that holds weights; 0: it holds none */

    /* --- in a run --- */
    /* State of the kind at birth; vehicle->water holds the velocity of the water. May be NULL. */
    void (*start)(const struct fm_model *model, const fm_type *type, fm_vehicle *vehicle);
    /* Advances pose and velocity by one vehicle step. `thrust`: the part of the input's force that needs water (N,
     * N·m). Returns the part of the hull that is under water then, 0 … 1. */
    double (*step)(const fm_environment *sea, const fm_type *type, fm_vehicle *vehicle, const fm_stream_source *water,
                   const fm_mass *mass, const double thrust[6], double dt);
    /* Shapes of a hull that bends, in body axes, type->shape_count of them; NULL: those of the type. */
    void (*shapes)(const fm_type *type, const fm_vehicle *vehicle, fm_shape *out);
    /* What cameras see of a hull that bends, in body axes, and the radius about the origin that holds it; NULL: its
     * shapes. */
    void (*skin)(const fm_type *type, const fm_vehicle *vehicle, struct fm_skin *out);
    double (*skin_radius)(const fm_type *type);
    /* Told of a contact that `restore` has answered, so that the kind can slow down its own state; may be NULL. */
    void (*touched)(const fm_type *type, fm_vehicle *vehicle);
    /* What another simulator says of a vehicle that it moves (FM_COMMAND_SIGHT). NULL: it moves by itself. */
    void (*sight)(const fm_type *type, fm_vehicle *vehicle, const fm_sighting *seen);

    /* --- what is told of it --- */
    /* Joints, for recording as JointState: angles (rad) and rates (rad/s), type->joint_count of each, which the kind's
     * build says. There are as many names as a type may have; columns of the angles come before the others. */
    const char *const *joint_names;
    size_t joint_offset; /* of the first angle in the kind's block, bytes */
    void (*joints)(const fm_type *type, const fm_vehicle *vehicle, double *angle, double *rate);
    /* How far ahead of the joint before it (the first: of the body origin) a joint sits at rest, m; it turns about body
     * z. */
    double (*joint_place)(const fm_type *type, size_t i);
    /* Further columns: words of the kind's block (offset in bytes from its start). */
    const fm_output *columns;
    size_t column_count;

    const struct fm_kind_lanes *lanes; /* how batches move it; NULL: worlds alone do */
} fm_kind;

/* A kind in lanes and on a GPU (control/chain.h, physics/own_body.h). */
typedef struct fm_kind_lanes {
    /* Why lanes cannot move this vehicle; NULL: they can. */
    const char *(*verdict)(const fm_environment *sea, const fm_type *type);
    /* How many records its own sections of a flat block have, and what is in them. NULL: it has none, but is a rigid
     * body. */
    void (*count)(const fm_type *type, struct fm_flat *head);
    void (*describe)(const fm_environment *sea, const fm_type *type, struct fm_flat *flat);
    /* Radius about the origin that holds its shapes however they bend, with what its velocity does not tell of its way
     * in a step, m. NULL: they do not bend. */
    double (*reach)(const fm_environment *sea, const fm_type *type);
    int own_rows;     /* the words of its block are rows of the table of a batch, in their order */
    int begins_alone; /* a world of one vehicle says how it begins: pose, velocity and the words of its block */
} fm_kind_lanes;

#endif
