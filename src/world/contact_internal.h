/* Shared by the files of the contact stage. */
#ifndef FM_WORLD_CONTACT_INTERNAL_H
#define FM_WORLD_CONTACT_INTERNAL_H

#include "environment/solids.h"
#include "geometry/sweep.h"
#include "world/contact.h"

enum {
    FM_CONTACT_SHAPES = 8,
    FM_CONTACT_POINTS = 64, /* solved together; contacts left out are still stopped by the sweep */
    FM_CONTACT_EVENTS = 16, /* of one vehicle in one step with others; then it waits for the next step */
    FM_CONTACT_LEGS = 64    /* of a path through one step; a vehicle that needs more stays where it is, with an event */
};

/* m: hulls normally stay at least this far from everything, and always at least half of it. */
#define FM_CONTACT_TOUCH 4e-5
/* m: what is as near as this bears. */
#define FM_CONTACT_NEAR (2.5 * FM_CONTACT_TOUCH)

/* Objects touched in a step: bodies (FM_BODY_OBSTACLE + index, FM_BODY_BOTTOM) or slots, increasing. A list without
 * space records nothing. */
typedef struct fm_touch_list {
    uint32_t count, overflow; /* overflow: there were more */
    uint32_t room;
    uint32_t *ids;
} fm_touch_list;

/* --- contact_solve.c: impulses at the points of contact --- */

typedef struct fm_touch {
    double point[3];  /* m, NED */
    double normal[3]; /* unit, NED, from the other body to this one */
    double gap;       /* m; below 0: overlap */
    double drift[3];  /* m/s, NED, of what is no vehicle */
    double pivot[3];  /* m, NED: the centre of the hull's curvature there, about which it rolls or tips */
} fm_touch;

/* One side of a contact. */
typedef struct fm_touch_side {
    const double *inverse; /* M⁻¹, 6 × 6; NULL: its motion is prescribed */
    double position[3];    /* m, NED */
    double R[9];           /* body → world */
    double velocity[6];    /* m/s, rad/s, body axes: changed by the impulses */
    double gained[6];      /* the change caused by the forces of this step */
    double coming[6];      /* the part of its velocity that the forces cause in the rest of the step, m/s, rad/s */
} fm_touch_side;

/* One direction at one point: velocity along it = row · ν of each side. */
typedef struct fm_contact_row {
    double row_a[6], pushed_a[6], row_b[6], pushed_b[6];
    double still;    /* m/s: of a side with prescribed motion, along the direction */
    double softness; /* 1/kg: Σ row · M⁻¹ row */
    double impulse;  /* N s */
} fm_contact_row;

typedef struct fm_contact_point {
    fm_contact_row normal, across[2];
    double target; /* m/s of parting */
    double gained; /* m/s of approach that the forces of the step cause */
    double met[3]; /* m/s along the three directions before the impulses */
    bool stays;    /* a hop that would end within the step: it is suppressed */
} fm_contact_point;

/* Impulses through the virtual masses, with restitution and Coulomb friction, at all points together. b may be NULL: a
 * fixed object, or one that moves with the contact's drift. */
void fm_contact_solve(fm_touch_side *a, fm_touch_side *b, const fm_touch *touches, size_t count, double restitution,
                      double friction);

/* A point between two of many sides; the first of them can be pushed. */
#define FM_NO_SIDE UINT32_MAX
typedef struct fm_joint {
    uint32_t a, b; /* sides; b may be FM_NO_SIDE: a fixed object, or one that moves with the contact's drift */
    bool open;     /* it is solved */
    double friction;
    fm_touch touch;
    fm_contact_point point;
} fm_joint;

/* Adds a point without a bounce; `scale` is raised to its approach speed, m/s. */
void fm_joint_open(fm_touch_side *sides, fm_joint *joint, double *scale);
/* Whether the two approach fast enough to bounce. */
bool fm_joint_bounces(fm_touch_side *sides, fm_joint *joint, double restitution);
double fm_joint_approach(const fm_touch_side *sides, const fm_joint *joint); /* of two vehicles, m/s */
/* Impulses at all open points of many sides together, starting from the present ones, in at most `rounds` rounds. */
void fm_contact_solve_joints(fm_touch_side *sides, fm_joint *joints, size_t count, double scale, int rounds);
/* Inverse of the effective mass of a side at a point along a direction, 1/kg; 0: prescribed motion. */
double fm_contact_yield(const fm_touch_side *side, const double point[3], const double direction[3]);

/* --- contact_points.c: contact points of a hull --- */

typedef struct fm_touch_set {
    fm_touch touch[FM_CONTACT_POINTS];
    size_t count;
    bool overlap; /* something is closer than half of FM_CONTACT_TOUCH */
} fm_touch_set;

/* Adds the points where a shape in the world touches fixed and moving objects at time t (s), and the bodies to
 * `bodies`. */
void fm_contact_find_standing(const fm_environment *e, const fm_shape *shape, double t, fm_touch_set *set,
                              fm_touch_list *bodies);
/* The same of two shapes of vehicles; true where they touch. */
bool fm_contact_find_pair(const fm_shape *a, const fm_shape *b, fm_touch_set *set);

/* --- contact_course.c: the path of one vehicle through the step --- */

enum fm_course_way {
    FM_COURSE_GOAL, /* straight to `goal` */
    FM_COURSE_FREE, /* as the velocity leads */
    FM_COURSE_HELD  /* it stays */
};

/* The remaining path: from a time within the step on. */
typedef struct fm_plan {
    enum fm_course_way way;
    double since; /* 0 … 1, part of the step gone */
    double pose[FM_POSE], goal[FM_POSE];
    double velocity[6]; /* m/s, rad/s, body axes in `pose` */
    double pivot[3];    /* m, body axes, of a free way */
    double gained[3];   /* m/s, NED: change of velocity caused by the forces of the step */
    int impacts;
} fm_plan;

/* A stretch between two events; its motion is defined to the end of the step. */
typedef struct fm_leg {
    double from, to; /* 0 … 1 */
    fm_motion motion;
    double velocity[6]; /* m/s, rad/s, body axes in the motion's start */
} fm_leg;

typedef struct fm_course {
    int count;
    fm_leg leg[FM_CONTACT_LEGS + 1];
} fm_course;

/* A vehicle while it is looked at. */
typedef struct fm_mover {
    fm_world *world;
    int index;
    const fm_slot *slot;
    fm_shape shapes[FM_CONTACT_SHAPES]; /* body axes */
    size_t shape_count;
    double step, start; /* s: length of the vehicle's step, and its start */
    fm_touch_list *bodies;
    fm_sweep_axes bearings; /* normals of the contact points at the last contact: the next motion along them is open */
    bool overlap;           /* the hull began or ended up inside an object */
    bool tight;             /* it has come closer than FM_CONTACT_TOUCH */
    bool silent;            /* no events: only a query where it would go */
} fm_mover;

void fm_mover_begin(fm_world *world, int index, fm_touch_list *bodies, fm_mover *out);
/* The plan of a step before any contact. */
fm_plan fm_mover_plan(const fm_mover *m);
/* Moves a plan to position s of a motion: its pose, and its velocity, which is constant in the world. */
void fm_plan_advance(fm_plan *plan, const fm_motion *motion, double s);
/* The motion that a plan has left. */
fm_motion fm_mover_motion(const fm_mover *m, const fm_plan *plan);
/* Follows the plan to the end of the step, with all fixed objects; course may be NULL. False: no contact. */
bool fm_mover_run(fm_mover *m, fm_plan *plan, fm_course *course);
/* How close a hull may come after this number of contacts in one step, m. */
double fm_contact_nearest(int impacts);
/* First contact of the motion with a fixed object. `since`: fraction of the step at which it begins. */
bool fm_mover_meets(fm_mover *m, const fm_motion *motion, double since, double touch, double *s);
/* All that the motion touches. */
void fm_mover_count(fm_mover *m, const fm_motion *motion);
/* Moves the pose by `way` (m, NED), or as far as there is space. */
void fm_mover_shift(fm_mover *m, double pose[FM_POSE], const double way[3]);
fm_touch_side fm_mover_side(const fm_mover *m, const fm_plan *plan);
/* Continues a plan with a new velocity about the contact points. */
void fm_plan_deflect(fm_plan *plan, const fm_touch_side *side, const fm_touch *touches, size_t count);
/* The same about a point `middle`, m, NED, from the vehicle's origin. A speed below `residue` of what the forces of a
 * step cause counts as zero. */
void fm_plan_set_free(fm_plan *plan, const fm_touch_side *side, const double middle[3], double residue);

/* --- contact_record.c: present contacts, and their counts --- */

void fm_touch_list_add(fm_touch_list *list, uint32_t id);
/* Counts new contacts with fixed objects, and updates the minimum clearance, at the end of a vehicle's step. */
void fm_contact_conclude(fm_world *world, int index);
/* Counts new contacts with other vehicles. */
void fm_contact_conclude_partners(fm_world *world);

/* --- contact_tracks.c: the paths of vehicles, as seen by others --- */

/* A vehicle and its path through the step. */
typedef struct fm_contact_track {
    int slot;
    uint64_t round; /* number of the fm_contact_tracks_begin in which it was found */
    fm_mover mover;
    fm_course course;
} fm_contact_track;

/* Whether the vehicle moves in this tick. */
bool fm_contact_moves(const fm_world *world, int slot);
void fm_contact_tracks_begin(fm_world *world); /* no stored data is valid any more */
/* The valid path of a vehicle. If its entry is that of `taken`, it is written to `spare`. */
const fm_contact_track *fm_contact_track_of(fm_world *world, int slot, const fm_contact_track *taken,
                                            fm_contact_track *spare);
void fm_contact_track_forget(fm_world *world, int slot); /* its plan has changed */
/* The remaining motion of the vehicle at time t, 0 … 1 of the step. */
fm_plan fm_contact_track_plan(const fm_contact_track *track, double t);
const fm_leg *fm_course_leg(const fm_course *course, double t);
/* The part of a leg's motion between two times, over 0 … 1. */
fm_motion fm_leg_piece(const fm_leg *leg, double from, double to);

/* --- contact_cluster.c: vehicles that press on each other, solved together --- */

enum { FM_CLUSTER_MEMBERS = 256, FM_CLUSTER_JOINTS = 24 }; /* at most; joints a member */

typedef struct fm_middle {
    double sum[3], count; /* m, NED */
} fm_middle;

typedef struct fm_cluster {
    size_t room, joint_room;
    int *members;   /* slots */
    fm_plan *plans; /* of each at the time of the contact, and the result */
    fm_touch_side *sides;
    fm_middle *middles; /* of the contact points of each, from its origin */
    uint8_t *inside;    /* the contact has reached it: its points are solved */
    uint8_t *changed;   /* its plan is another now */
    double moment;      /* 0 … 1, of the touch */
    uint32_t *member;   /* per slot: its number among the members, if it is one */
    fm_joint *joints;
    size_t count, joint_count;
} fm_cluster;

/* Gathers the vehicles that press on a and b at time t. False: no others, or the two bounce and have not
 * touched often in this step: they are solved as a pair. */
bool fm_cluster_gather(fm_world *world, int a, int b, double t);
/* The plans of all members reached by the contact, from there on. */
void fm_cluster_answer(fm_world *world);
bool fm_cluster_has(const fm_cluster *cluster, uint32_t slot);
int fm_cluster_allocate(fm_cluster *cluster, size_t slots); /* 0: out of memory */
void fm_cluster_free(fm_cluster *cluster);
size_t fm_cluster_bytes(const fm_cluster *cluster, size_t slots);

/* --- contact_pairs.c --- */
void fm_contact_pairs(fm_world *world);
/* Adds the contact points of two vehicles in these poses. */
void fm_contact_find_touches(const fm_mover *a, const double pose_a[FM_POSE], const fm_mover *b,
                             const double pose_b[FM_POSE], fm_touch_set *set);

/* --- contact_bodies.c --- */

void fm_contact_write_attitude(fm_slot *slot, const double quaternion[4]);   /* contact.c */
size_t fm_body_shapes(const fm_slot *slot, fm_shape out[FM_CONTACT_SHAPES]); /* in body axes; returns how many */
void fm_body_quaternion(const fm_slot *slot, double q[4]);
/* Shapes of a vehicle in the world; returns how many. */
size_t fm_contact_place_hull(const fm_world *world, int slot, fm_ray_body shapes[FM_CONTACT_SHAPES]);
/* Of the subsystem, in contact_bodies.c. */
fm_subsystem_check fm_contact_create, fm_contact_check;
fm_subsystem_call fm_contact_place_bodies, fm_contact_remember;
void fm_contact_free(fm_world *world);
void fm_contact_clear_bodies(fm_world *world);
/* Radius about the body origin that contains the vehicle's shapes, m. */
double fm_contact_reach(const fm_world *world, int slot);

/* No object is within `radius` of `centre`, or within `room` of the hull in `pose`. */
typedef struct fm_free_ball {
    double centre[3], radius; /* m */
    double pose[FM_POSE];     /* position and attitude as in the record */
    double room;              /* m; 0: not known */
} fm_free_ball;

/* The last step of a vehicle in contact: the same input gives the same result. */
typedef struct fm_contact_memo {
    struct {
        double before[FM_POSE], after[FM_POSE], velocity[6], acceleration[6];
        uint64_t mass; /* own_mass_key of the slot */
    } given;
    double pose[FM_POSE], velocity[6]; /* what came of it */
    int64_t steady;                    /* and nothing else changed */
} fm_contact_memo;

/* Two vehicles near each other. */
typedef struct fm_near_pair {
    uint32_t first, second;                 /* slots */
    uint32_t next_of_first, next_of_second; /* the next pair of each; FM_NO_PAIR: it was the last */
    double moment;                          /* 0 … 1: when they touch; more: not */
    int64_t overlap;                        /* they were inside each other */
} fm_near_pair;

/* --- contact_order.c: which pair is next --- */

#define FM_NO_PAIR UINT32_MAX
struct fm_contact_state;
void fm_near_begin(struct fm_contact_state *c, size_t count); /* when all moments are known */
void fm_near_sort(struct fm_contact_state *c, uint32_t pair); /* after its moment has changed */
uint32_t fm_near_earliest(const struct fm_contact_state *c);
uint32_t fm_near_next(const fm_near_pair *pair, uint32_t slot); /* of the vehicle's pairs */

/* --- contact_islands.c: heaps at rest --- */

enum { FM_ISLAND_TOUCHED = 8, FM_ISLAND_PARTNERS = 24 }; /* an island with more contacts is not remembered */

typedef struct fm_island {
    uint32_t parent;                /* slot; the root is the least of its island */
    uint32_t size;                  /* vehicles, of a root */
    uint8_t differs, counted, done; /* differs: of a root */
} fm_island;

/* The last result for a vehicle near others. */
typedef struct fm_island_memo {
    struct {
        double before[FM_POSE], after[FM_POSE], velocity[6], acceleration[6];
        uint64_t mass; /* own_mass_key of the slot */
        int64_t broken, moves, root, size;
    } given;
    double pose[FM_POSE], velocity[6]; /* what came of it */
    uint32_t touched[FM_ISLAND_TOUCHED], partners[FM_ISLAND_PARTNERS], touched_count, partner_count;
    uint64_t round; /* in which it held */
    uint32_t events;
    uint8_t broken, steady; /* steady: nothing else changed */
} fm_island_memo;

typedef struct fm_islands {
    fm_island *of;         /* per slot */
    fm_island_memo *memos; /* per slot */
    uint64_t round;
} fm_islands;

int fm_islands_allocate(fm_islands *islands, size_t slots); /* 0: out of memory */
void fm_islands_free(fm_islands *islands);
/* Solves the near pairs whose islands have not changed; the remaining ones are moved to the front. Returns their
 * number. */
size_t fm_islands_recall(fm_world *world, size_t count);
void fm_islands_keep(fm_world *world, size_t count); /* what came of those */

struct fm_contact_state {
    fm_bodies bodies;
    /* Shapes of vehicles, then of moving obstacles, as they are at the start of the step; NULL: the poses do not change
     * while parts ask for shapes, and they are placed then. */
    fm_ray_body *list;
    uint32_t *first; /* per slot and moving obstacle: where its shapes begin */
    size_t vehicle_bodies;
    double *reach; /* per type, m; < 0: its shapes move */
    size_t moving; /* obstacles on tracks */
    int standing;  /* there is something to touch besides vehicles */
    /* per slot */
    double (*before)[FM_POSE]; /* position and attitude before the step, as in the record */
    fm_free_ball *balls;
    fm_contact_memo *memos;
    fm_touch_list *touched; /* bodies of this step */
    uint32_t *touched_ids;  /* where those lists stand */
    fm_plan *plans;         /* of vehicles whose way was broken */
    uint8_t *broken;        /* 1: by a fixed object, 2: also by another vehicle, 3: as 2, and followed to the end */
    fm_aabb *spans;         /* where the origin of one with a broken way has been */
    /* pairs of vehicles */
    fm_touch_list *partners;
    uint32_t *partner_ids;
    int pairs; /* there are some */
    size_t pair_room;
    fm_near_pair *near;
    size_t near_count;
    uint32_t *near_first;     /* per slot: its first pair in `near` */
    uint32_t *winners;        /* twice pair_room: a tree, see contact_order.c */
    fm_contact_track *tracks; /* by slot modulo track_room */
    size_t track_room;
    uint64_t round;
    fm_cluster cluster;
    fm_islands islands;
    int overflow;     /* more pairs of near vehicles than there is room for */
    int any_partners; /* some vehicles touch each other */
    int crowded;      /* slot + 1 of a vehicle with more contacts than allowed */
};

#endif
