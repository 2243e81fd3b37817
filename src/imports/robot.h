/* A robot as URDF and SDF describe it, and what an import makes of it. Frames of the source are forward-port-up (x, y,
 * z); frames of Fathom are forward-starboard-down. */
#ifndef FM_IMPORTS_ROBOT_H
#define FM_IMPORTS_ROBOT_H

#include "base/text.h"
#include "imports/foreign_xml.h"
#include "imports/import.h"

/* How something is mounted in another frame: x_outer = R x_inner + position. */
typedef struct fm_robot_pose {
    double R[9];        /* by row */
    double position[3]; /* m */
} fm_robot_pose;

fm_robot_pose fm_robot_pose_none(void);
/* Fixed-axis angles (rad) of URDF and SDF. */
fm_robot_pose fm_robot_pose_from(const double position[3], const double angles[3]);
fm_robot_pose fm_robot_pose_chain(const fm_robot_pose *outer, const fm_robot_pose *inner);
fm_robot_pose fm_robot_pose_inverse(const fm_robot_pose *mount);
void fm_robot_pose_point(const fm_robot_pose *mount, const double point[3], double out[3]);
void fm_robot_pose_turn(const fm_robot_pose *mount, const double vector[3], double out[3]);
/* Roll, pitch, yaw (rad) in [-pi, pi]. */
void fm_robot_pose_angles(const fm_robot_pose *mount, double angles[3]);

/* A named frame, its mount in another one. */
typedef struct fm_robot_frame {
    const char *name, *relative; /* relative "": the frame of the robot */
    fm_foreign *xml;
    fm_robot_pose raw, whole; /* in `relative`; in the frame of the robot */
    int state;                /* 0: not resolved, 1: under way, 2: resolved */
    struct fm_robot_frame *next;
} fm_robot_frame;

typedef struct fm_robot_shape {
    fm_foreign *xml, *geometry; /* `geometry`: <box>, <mesh> … */
    fm_robot_pose mount;        /* in its link */
    struct fm_robot_shape *next;
} fm_robot_shape;

typedef struct fm_robot_sensor {
    fm_foreign *xml;
    fm_robot_pose mount; /* in its link */
    struct fm_robot_sensor *next;
} fm_robot_sensor;

typedef struct fm_robot_link {
    const char *name; /* with the names of nested models: "arm::hand" */
    fm_foreign *xml;
    fm_robot_frame *frame;
    double mass, inertia[9]; /* kg, kg m2 about the centre of mass, axes of `inertial` */
    fm_robot_pose inertial;  /* in the link */
    fm_foreign *added_mass;  /* <fluid_added_mass>; NULL: none */
    fm_robot_shape *collisions, *visuals;
    fm_robot_sensor *sensors;
    bool attached; /* part of the vehicle */
    struct fm_robot_link *next;
} fm_robot_link;

typedef struct fm_robot_joint {
    const char *name, *type;
    fm_foreign *xml;
    fm_robot_link *parent, *child;
    fm_robot_frame *frame, *axis_frame;
    double axis[3], lower, upper, speed; /* axis in axis_frame; rad or m; rad/s or m/s, 0: no limit */
    bool driven;                         /* an actuator moves it */
    struct fm_robot_joint *next;
} fm_robot_joint;

typedef struct fm_robot_plugin {
    fm_foreign *xml;
    const char *scope; /* name of the nested model that it belongs to, with "::" at its end; "": the robot itself */
    struct fm_robot_plugin *next;
} fm_robot_plugin;

enum { FM_ROBOT_FRAMES_MOST = 4096 };

typedef struct fm_robot {
    const char *name;
    fm_robot_frame *frames;
    size_t frame_count;
    fm_robot_link *links;
    fm_robot_joint *joints;
    fm_robot_plugin *plugins;
    fm_robot_link *base; /* whose frame the body's is, turned by `forward` */
    fm_robot_pose body;  /* of the body, forward-starboard-down, in the frame of the robot */
} fm_robot;

/* ---- hydrodynamics ---- */

/* One term of the drag: of row i (X Y Z K M N) and the velocities j and k (u v w p q r). */
typedef enum fm_term_kind { FM_TERM_LINEAR, FM_TERM_ABS, FM_TERM_PRODUCT } fm_term_kind; /* v_j, v_j|v_k|, v_j v_k */

typedef struct fm_import_hydrodynamics {
    fm_foreign *xml; /* where it was read; NULL: none */
    bool has_added, rigid_body;
    double added[6][6], linear[6][6], own[6][6], absu[6][6], product[6][6][6]; /* SI; product: j <= k */
} fm_import_hydrodynamics;

/* ---- the import ---- */

typedef struct fm_import_note {
    const char *file, *element, *reason;
    int line;
    bool lost; /* not imported; otherwise imported, with a remark */
    size_t order;
} fm_import_note;

typedef struct fm_import {
    fm_arena arena;
    fm_status status; /* the first failure */
    fm_error *error;
    const fm_import_options *options;
    fm_robot robot;
    fm_foreign *roots[FM_IMPORT_FILES_MOST]; /* of all files */
    size_t root_count;
    bool urdf;

    fm_import_note *notes;
    size_t note_count, note_capacity;

    /* of the vehicle, body axes */
    double mass, centre[3], inertia[9];
    bool graded, uniform, by_volume; /* the water has a surface; it has none; volumes are given, not those of shapes */
    fm_foreign *surface;             /* <graded_buoyancy> */
    double volume, volume_moment[3]; /* m3, m4 */
    double least[3], most[3];        /* corners around all shapes, m */
    bool has_size;
    double density, gravity, current[3]; /* kg/m3, m/s2, m/s north, east, down */
    bool has_density;
    fm_import_hydrodynamics hydro;
    fm_text actuators, sensors, hulls, floats, looks, look, orders;
    bool has_mesh, has_battery;
    const char *names[FM_IMPORT_NAMES_MOST]; /* in use */
    size_t name_count;
    fm_import_result *result;
} fm_import;

/* Every function below does nothing once `status` is not FM_OK. */
void fm_import_fail(fm_import *m, const fm_foreign *at, fm_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void fm_import_lose(fm_import *m, const fm_foreign *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void fm_import_remark(fm_import *m, const fm_foreign *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void *fm_import_alloc(fm_import *m, size_t size);
const char *fm_import_print(fm_import *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- values (values.c) ---- */
/* `count` numbers of a text; false: none, or a failure. `unit`: for the message. */
bool fm_import_numbers(fm_import *m, const fm_foreign *at, const char *text, double *out, size_t count);
/* How many numbers a text holds, up to `most`, read into `out`. */
size_t fm_import_list(fm_import *m, const fm_foreign *at, const char *text, double *out, size_t most);
/* The number of a child element or the fallback; refused outside min … max. */
double fm_import_number(fm_import *m, fm_foreign *parent, const char *name, double fallback, double min, double max);
/* The same of an attribute. */
double fm_import_attr(fm_import *m, fm_foreign *element, const char *name, double fallback, double min, double max);
bool fm_import_vector(fm_import *m, fm_foreign *parent, const char *name, double out[3]);
bool fm_import_flag(fm_import *m, fm_foreign *parent, const char *name, bool fallback);
const char *fm_import_text(fm_foreign *parent, const char *name); /* NULL: none */
/* " name=\"a b c unit\"" */
void fm_import_put(fm_text *text, const char *name, const double *values, size_t count, const char *unit);
void fm_import_put_one(fm_text *text, const char *name, double value, const char *unit);
/* A name of Fathom from one of the source, the only one of its kind. */
const char *fm_import_name(fm_import *m, const char *source);
/* `text` in lower case holds `part`. */
bool fm_import_holds(const char *text, const char *part);
/* The file that a URI names in the given folders, NULL: none. */
const char *fm_import_find(fm_import *m, const fm_foreign *at, const char *uri);
/* From the root, through all links. */
const char *fm_import_whole_path(fm_import *m, const char *path);

/* ---- reading (urdf.c, sdf.c) ---- */
void fm_import_urdf(fm_import *m, fm_foreign *root);
void fm_import_sdf(fm_import *m, fm_foreign *root);

/* ---- the lists of a robot (robot.c) ---- */
fm_robot_frame *fm_robot_frame_add(fm_import *m, const char *name, const char *relative, fm_foreign *xml,
                                   fm_robot_pose raw);
fm_robot_frame *fm_robot_frame_find(const fm_robot *robot, const char *name);
fm_robot_link *fm_robot_link_find(const fm_robot *robot, const char *scope, const char *name);
fm_robot_joint *fm_robot_joint_find(const fm_robot *robot, const char *scope, const char *name);
void fm_robot_plugin_add(fm_import *m, fm_foreign *xml, const char *scope);
/* fm_import_number or fm_import_attr. */
typedef double fm_robot_number(fm_import *m, fm_foreign *element, const char *name, double fallback, double min,
                               double max);
/* ixx … izz of a link; `moment`: of the diagonal where it is not given. */
void fm_robot_inertia_read(fm_import *m, fm_robot_link *link, fm_foreign *inertia, fm_robot_number *number,
                           double moment);
/* Children of a link with a <geometry>: "collision" or "visual"; `mount` reads where one is. */
fm_robot_shape *fm_robot_shapes_read(fm_import *m, fm_foreign *link, const char *name,
                                     fm_robot_pose (*mount)(fm_import *m, fm_foreign *shape));

/* ---- the body (body.c, shapes.c) ---- */
void fm_import_frames(fm_import *m);
void fm_import_body(fm_import *m);
void fm_import_shapes(fm_import *m);
/* Of a frame mounted in a link: its place in the body; rows of R turn source axes into body axes. */
fm_robot_pose fm_import_in_body(const fm_import *m, const fm_robot_link *link, const fm_robot_pose *mount);
/* The mount of a thing whose own axes are forward-starboard-down as well: position and roll, pitch, yaw. */
void fm_import_put_mount(fm_text *text, const fm_robot_pose *in_body);

/* ---- plugins and sensors ---- */
void fm_import_plugins(fm_import *m);
void fm_import_gz_hydrodynamics(fm_import *m, fm_robot_plugin *plugin);
void fm_import_fluid_added_mass(fm_import *m); /* of the base link */
void fm_import_gz_buoyancy(fm_import *m, fm_robot_plugin *plugin);
void fm_import_gz_thruster(fm_import *m, fm_robot_plugin *plugin);
void fm_import_gz_lift(fm_import *m, fm_robot_plugin *plugin);
void fm_import_gz_servo(fm_import *m, fm_robot_plugin *plugin);
/* Of any dialect (actuators.c): the beginning of an element of the model, left open. */
void fm_import_begin_actuator(fm_import *m, const char *element, const char *name, const double position[3],
                              const double direction[3]);
/* A fin that lifts along `up`; its joint gives sense, limit and rate; left open. */
void fm_import_put_fin(fm_import *m, const fm_robot_joint *joint, const char *name, const double position[3],
                       const double up[3]);
/* Lists what LiftDrag has and a fin of Fathom has not. */
void fm_import_lose_of_lift(fm_import *m, fm_foreign *xml);
void fm_import_add_order(fm_import *m, const char *name, const char *value);
void fm_import_uuv_water(fm_import *m, fm_robot_plugin *plugin);
void fm_import_gz_battery(fm_import *m, fm_robot_plugin *plugin);
void fm_import_gz_detachable(fm_import *m, fm_robot_plugin *plugin);
void fm_import_uuv_thruster(fm_import *m, fm_robot_plugin *plugin);
void fm_import_uuv_fin(fm_import *m, fm_robot_plugin *plugin);
void fm_import_uuv_sensor(fm_import *m, fm_robot_plugin *plugin);
void fm_import_sensors(fm_import *m);
/* Adds a coefficient that the source's axes have; `ned`: they are forward-starboard-down already. */
void fm_import_term(fm_import *m, const fm_foreign *at, bool ned, fm_term_kind kind, const int ijk[3], double value);
void fm_import_added(fm_import *m, const fm_foreign *at, bool ned, double added[6][6]);
/* Where an actuator's joint acts: position of its child link, its axis; both in the body. */
void fm_import_axis(const fm_import *m, const fm_robot_joint *joint, double position[3], double axis[3]);

/* ---- writing (write.c) ---- */
void fm_import_report(fm_import *m);
void fm_import_write(fm_import *m);

#endif
