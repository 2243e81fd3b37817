/* SDF: models with nested and included ones, in a world or alone. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geometry/file.h"
#include "imports/robot.h"
#include "physics/angle.h"
#include "physics/posture.h"

/* The model at hand: what its names begin with, and its own frame. */
typedef struct level {
    const char *scope, *frame;
    int depth;
} level;

enum { LEVELS_MOST = 16 };

static const char *scoped(fm_import *m, const level *at, const char *name)
{
    if (!*name || strcmp(name, "__model__") == 0)
        return at->frame;
    return *at->scope ? fm_import_print(m, "%s%s", at->scope, name) : name;
}

/* ---- poses ---- */

/* x y z, then a quaternion x y z w. */
static fm_robot_pose read_quaternion(fm_import *m, fm_foreign *pose)
{
    double numbers[7], square = 0;
    fm_robot_pose mount = fm_robot_pose_none();
    if (!fm_import_numbers(m, pose, pose->text, numbers, 7))
        return mount;
    for (int i = 3; i < 7; i++)
        square += numbers[i] * numbers[i];
    if (!(square > 1e-12 && square < 1e12)) {
        fm_import_fail(m, pose, FM_ERR_RANGE, "its quaternion has no length: must be 1");
        return mount;
    }
    const double *q = numbers + 3, length = sqrt(square);
    fm_quat_matrix((const double[]){q[3] / length, q[0] / length, q[1] / length, q[2] / length}, mount.R);
    memcpy(mount.position, numbers, sizeof mount.position);
    return mount;
}

/* The <pose> of an element; *relative: the frame that it names, unchanged if it names none. */
static fm_robot_pose read_pose(fm_import *m, fm_foreign *parent, const char **relative)
{
    fm_foreign *pose = fm_foreign_child(parent, "pose");
    const char *to = fm_foreign_attr_get(pose, "relative_to"), *degrees = fm_foreign_attr_get(pose, "degrees"),
               *format = fm_foreign_attr_get(pose, "rotation_format");
    double numbers[6] = {0};
    if (to && *to && relative)
        *relative = to;
    else if (to && *to)
        fm_import_fail(m, pose, FM_ERR_NAME, "relative_to is not supported here");
    if (!pose || !*pose->text || m->status != FM_OK)
        return fm_robot_pose_none();
    if (format && strcmp(format, "quat_xyzw") == 0)
        return read_quaternion(m, pose);
    fm_import_numbers(m, pose, pose->text, numbers, 6);
    const double scale = degrees && (strcmp(degrees, "true") == 0 || strcmp(degrees, "1") == 0) ? FM_DEGREE : 1;
    for (int i = 3; i < 6; i++)
        numbers[i] *= scale;
    return fm_robot_pose_from(numbers, numbers + 3);
}

/* One that may not name a frame. */
static fm_robot_pose read_mount(fm_import *m, fm_foreign *parent)
{
    return read_pose(m, parent, NULL);
}

/* ---- links ---- */

static void read_inertial(fm_import *m, fm_robot_link *link)
{
    fm_foreign *inertial = fm_foreign_child(link->xml, "inertial");
    link->mass = 1;
    for (int i = 0; i < 3; i++)
        link->inertia[4 * i] = 1;
    link->inertial = fm_robot_pose_none();
    if (!inertial) {
        fm_import_remark(m, link->xml,
                         "has no <inertial>: its mass is 1 kg, its moments are 1 kg m2, the defaults of SDF");
        return;
    }
    link->mass = fm_import_number(m, inertial, "mass", 1, 0, 1e9);
    link->inertial = read_mount(m, inertial);
    link->added_mass = fm_foreign_child(inertial, "fluid_added_mass");
    fm_foreign *inertia = fm_foreign_child(inertial, "inertia");
    fm_robot_inertia_read(m, link, inertia, fm_import_number, 1);
    if (!inertia)
        fm_import_remark(m, inertial, "has no <inertia>: the moments are 1 kg m2, the default of SDF");
}

static void add_sensor(fm_import *m, fm_robot_link *link, fm_foreign *xml)
{
    fm_robot_sensor **end = &link->sensors;
    while (*end)
        end = &(*end)->next;
    if ((*end = fm_import_alloc(m, sizeof **end)))
        **end = (fm_robot_sensor){.xml = xml, .mount = read_mount(m, xml)};
}

static const char *name_of(fm_import *m, fm_foreign *xml)
{
    const char *name = fm_foreign_attr_get(xml, "name");
    if (!name || !*name)
        fm_import_fail(m, xml, FM_ERR_NAME, "has no name");
    return name && *name ? name : "?";
}

static void read_link(fm_import *m, const level *at, fm_foreign *xml)
{
    fm_robot_link **end = &m->robot.links, *link = fm_import_alloc(m, sizeof *link);
    const char *relative = NULL, *name = scoped(m, at, name_of(m, xml));
    if (!link || m->status != FM_OK)
        return;
    while (*end)
        end = &(*end)->next;
    *end = link;
    *link = (fm_robot_link){.name = name, .xml = xml};
    const fm_robot_pose raw = read_pose(m, xml, &relative);
    link->frame = fm_robot_frame_add(m, name, relative ? scoped(m, at, relative) : at->frame, xml, raw);
    read_inertial(m, link);
    link->collisions = fm_robot_shapes_read(m, xml, "collision", read_mount);
    link->visuals = fm_robot_shapes_read(m, xml, "visual", read_mount);
    for (fm_foreign *sensor = NULL; (sensor = fm_foreign_next(xml, "sensor", sensor));)
        add_sensor(m, link, sensor);
}

static void read_frame(fm_import *m, const level *at, fm_foreign *xml)
{
    const char *relative = fm_foreign_attr_get(xml, "attached_to"), *name = scoped(m, at, name_of(m, xml));
    const fm_robot_pose raw = read_pose(m, xml, &relative);
    fm_robot_frame_add(m, name, scoped(m, at, relative ? relative : ""), xml, raw);
}

/* ---- joints ---- */

static void read_axis(fm_import *m, const level *at, fm_robot_joint *joint)
{
    fm_foreign *axis = fm_foreign_child(joint->xml, "axis"), *xyz = fm_foreign_child(axis, "xyz"),
               *limit = fm_foreign_child(axis, "limit");
    const char *in = fm_foreign_attr_get(xyz, "expressed_in");
    joint->axis_frame = joint->frame;
    joint->axis[2] = 1;
    fm_import_numbers(m, xyz, xyz ? xyz->text : NULL, joint->axis, 3);
    if (in && *in && !(joint->axis_frame = fm_robot_frame_find(&m->robot, scoped(m, at, in))))
        fm_import_fail(m, xyz, FM_ERR_NAME, "expressed_in is '%.60s', which is not a frame of this model", in);
    joint->lower = fm_import_number(m, limit, "lower", -1e16, -1e300, 1e300);
    joint->upper = fm_import_number(m, limit, "upper", 1e16, -1e300, 1e300);
    joint->speed = fm_import_number(m, limit, "velocity", 0, -1e300, 1e300);
    fm_foreign_child(limit, "effort");
}

static fm_robot_link *end_of(fm_import *m, const level *at, fm_foreign *joint, const char *end)
{
    fm_foreign *xml = fm_foreign_child(joint, end);
    fm_robot_link *link = xml ? fm_robot_link_find(&m->robot, at->scope, xml->text) : NULL;
    if (!link && !(xml && strcmp(xml->text, "world") == 0))
        fm_import_fail(m, xml ? xml : joint, FM_ERR_NAME, "%s%s%.60s%s", end, xml ? " '" : " is missing",
                       xml ? xml->text : "", xml ? "' is not a link of this model" : "");
    return link;
}

static void read_joint(fm_import *m, const level *at, fm_foreign *xml)
{
    fm_robot_joint **end = &m->robot.joints, *joint = fm_import_alloc(m, sizeof *joint);
    if (!joint)
        return;
    *joint = (fm_robot_joint){.name = scoped(m, at, name_of(m, xml)), .xml = xml};
    joint->type = fm_foreign_attr_get(xml, "type");
    joint->parent = end_of(m, at, xml, "parent");
    joint->child = end_of(m, at, xml, "child");
    if (!joint->type)
        fm_import_fail(m, xml, FM_ERR_SYNTAX, "has no type");
    if (m->status == FM_OK && (!joint->parent || !joint->child)) {
        fm_import_lose(m, xml, "holds the model in the world: vehicles of Fathom are free");
        return;
    }
    while (*end)
        end = &(*end)->next;
    *end = joint;
    if (m->status != FM_OK)
        return;
    const char *relative = NULL;
    const fm_robot_pose raw = read_pose(m, xml, &relative);
    joint->frame =
        fm_robot_frame_add(m, joint->name, relative ? scoped(m, at, relative) : joint->child->name, xml, raw);
    read_axis(m, at, joint);
}

/* ---- models ---- */

static void read_model(fm_import *m, const level *at, fm_foreign *model);

static level deeper(fm_import *m, const level *at, fm_foreign *xml, const char *name)
{
    const char *relative = NULL, *frame = scoped(m, at, name);
    const fm_robot_pose raw = read_pose(m, xml, &relative);
    fm_robot_frame_add(m, frame, relative ? scoped(m, at, relative) : at->frame, xml, raw);
    if (at->depth >= LEVELS_MOST)
        fm_import_fail(m, xml, FM_ERR_RANGE, "models are nested deeper than %d", LEVELS_MOST);
    return (level){fm_import_print(m, "%s::", frame), frame, at->depth + 1};
}

/* The <model> of an included file. */
static fm_foreign *open_include(fm_import *m, fm_foreign *include, fm_foreign *uri)
{
    char *text;
    size_t size;
    fm_error error = {0};
    const char *path = fm_import_find(m, uri, uri->text);
    if (!path) {
        fm_import_lose(m, include, "'%.120s' is not resolved: give the folder that contains it as --models", uri->text);
        return NULL;
    }
    if (m->root_count == FM_IMPORT_FILES_MOST) {
        fm_import_fail(m, include, FM_ERR_RANGE, "more than %d files are included", FM_IMPORT_FILES_MOST);
        return NULL;
    }
    if (fm_geometry_file(path, &text, &size, &error) != FM_OK) {
        fm_import_fail(m, include, error.status, "'%.120s': %s", path, error.text);
        return NULL;
    }
    fm_foreign *root = fm_foreign_parse(&m->arena, path, text, size, m->error);
    fm_free(text);
    if (!root) {
        m->status = m->error->status;
        return NULL;
    }
    root->read = true;
    m->roots[m->root_count++] = root;
    fm_foreign_attr_get(root, "version");
    fm_foreign *model = fm_foreign_child(root, "model");
    if (!model)
        fm_import_fail(m, root, FM_ERR_MODEL, "has no <model>");
    return model;
}

/* Sensors that <experimental:params> adds to links of the included model. */
static void read_params(fm_import *m, const level *at, fm_foreign *include)
{
    fm_foreign *params = fm_foreign_child(include, "params");
    for (fm_foreign *sensor = params ? params->first : NULL; sensor; sensor = sensor->next) {
        const char *action = fm_foreign_attr_get(sensor, "action"), *id = fm_foreign_attr_get(sensor, "element_id");
        fm_robot_link *link = id ? fm_robot_link_find(&m->robot, at->scope, id) : NULL;
        if (link && fm_foreign_is(sensor, "sensor") && action && strcmp(action, "add") == 0) {
            sensor->read = true;
            add_sensor(m, link, sensor);
        }
    }
}

static void read_plugins(fm_import *m, fm_foreign *from, const char *scope)
{
    for (fm_foreign *plugin = NULL; (plugin = fm_foreign_next(from, "plugin", plugin));)
        fm_robot_plugin_add(m, plugin, scope);
}

static void read_include(fm_import *m, const level *at, fm_foreign *include)
{
    fm_foreign *uri = fm_foreign_child(include, "uri"), *model = uri ? open_include(m, include, uri) : NULL;
    const char *merge = fm_foreign_attr_get(include, "merge"), *name = fm_import_text(include, "name");
    if (!uri)
        fm_import_fail(m, include, FM_ERR_SYNTAX, "has no <uri>");
    if (!model || m->status != FM_OK)
        return;
    const bool merged = merge && (strcmp(merge, "true") == 0 || strcmp(merge, "1") == 0);
    if (merged)
        name = fm_import_print(m, "@%zu", m->root_count);
    else if (!name)
        name = name_of(m, model);
    if (m->status != FM_OK)
        return;
    level inner = deeper(m, at, include, name);
    if (merged)
        inner.scope = at->scope;
    read_model(m, &inner, model);
    read_params(m, &inner, include);
    read_plugins(m, include, inner.scope);
}

static void read_model(fm_import *m, const level *at, fm_foreign *model)
{
    fm_foreign_attr_get(model, "name");
    for (fm_foreign *x = NULL; m->status == FM_OK && (x = fm_foreign_next(model, "link", x));)
        read_link(m, at, x);
    for (fm_foreign *x = NULL; m->status == FM_OK && (x = fm_foreign_next(model, "frame", x));)
        read_frame(m, at, x);
    for (fm_foreign *x = NULL; m->status == FM_OK && (x = fm_foreign_next(model, "model", x));) {
        const level inner = deeper(m, at, x, name_of(m, x));
        if (m->status == FM_OK)
            read_model(m, &inner, x);
    }
    for (fm_foreign *x = NULL; m->status == FM_OK && (x = fm_foreign_next(model, "include", x));)
        read_include(m, at, x);
    for (fm_foreign *x = NULL; m->status == FM_OK && (x = fm_foreign_next(model, "joint", x));)
        read_joint(m, at, x);
    read_plugins(m, model, at->scope);
}

/* ---- files ---- */

/* Its pose places the vehicle in a world, not in its own frame. */
static void begin_model(fm_import *m, fm_foreign *model)
{
    const level own = {"", "", 0};
    m->robot.name = name_of(m, model);
    fm_foreign *pose = fm_foreign_child(model, "pose");
    if (pose)
        fm_foreign_accept(pose);
    read_model(m, &own, model);
}

static void begin_include(fm_import *m, fm_foreign *include)
{
    const level own = {"", "", 0};
    fm_foreign *uri = fm_foreign_child(include, "uri"), *model;
    const char *name = fm_import_text(include, "name");
    if (!uri) {
        fm_import_fail(m, include, FM_ERR_SYNTAX, "has no <uri>");
        return;
    }
    if (!(model = open_include(m, include, uri))) {
        fm_import_fail(m, uri, FM_ERR_FILE, "'%.120s' is not resolved: give the folder that contains it as --models",
                       uri->text);
        return;
    }
    fm_foreign *pose = fm_foreign_child(include, "pose");
    if (pose)
        fm_foreign_accept(pose);
    m->robot.name = name ? name : name_of(m, model);
    read_model(m, &own, model);
    read_params(m, &own, include);
    read_plugins(m, include, "");
}

static bool is_model(const fm_foreign *x)
{
    return fm_foreign_is(x, "model") || fm_foreign_is(x, "include");
}

static bool is_named(const fm_foreign *x, const char *name)
{
    for (const fm_foreign_attr *a = x->attrs; a; a = a->next)
        if (strcmp(a->name, "name") == 0 && strcmp(a->value, name) == 0)
            return true;
    for (const fm_foreign *child = x->first; child; child = child->next)
        if (strcmp(child->name, "name") == 0 && strcmp(child->text, name) == 0)
            return true;
    return false;
}

/* The model of a world that is meant: the one with this name, or else the only one with hydrodynamics or alone. */
static fm_foreign *choose(fm_import *m, fm_foreign *world)
{
    fm_foreign *found = NULL;
    size_t count = 0;
    for (fm_foreign *x = world->first; x; x = x->next)
        if (is_model(x) && (!m->options->model || is_named(x, m->options->model))) {
            found = found ? found : x;
            count++;
        }
    if (!count)
        fm_import_fail(m, world, FM_ERR_NAME, "%s%.60s%s", m->options->model ? "has no model '" : "has no <model>",
                       m->options->model ? m->options->model : "", m->options->model ? "'" : "");
    else if (count > 1)
        fm_import_fail(m, world, FM_ERR_NAME, "has %zu models: choose one with --model", count);
    return m->status == FM_OK ? found : NULL;
}

static void read_world(fm_import *m, fm_foreign *world)
{
    double gravity[3] = {0, 0, -9.8};
    fm_foreign *model = choose(m, world);
    fm_foreign_attr_get(world, "name");
    if (fm_import_vector(m, world, "gravity", gravity) &&
        !(gravity[0] == 0 && gravity[1] == 0 && gravity[2] <= -0.1 && gravity[2] >= -100))
        fm_import_fail(m, fm_foreign_child(world, "gravity"), FM_ERR_RANGE, "must be 0 0 -100 to 0 0 -0.1");
    m->gravity = -gravity[2];
    if (!model)
        return;
    model->read = true;
    if (fm_foreign_is(model, "model"))
        begin_model(m, model);
    else
        begin_include(m, model);
    read_plugins(m, world, "");
}

void fm_import_sdf(fm_import *m, fm_foreign *root)
{
    fm_foreign_attr_get(root, "version");
    fm_foreign *world = fm_foreign_child(root, "world"), *model = world ? NULL : fm_foreign_child(root, "model");
    if (world)
        read_world(m, world);
    else if (model)
        begin_model(m, model);
    else
        fm_import_fail(m, root, FM_ERR_MODEL, "has neither <model> nor <world>");
    if (m->status == FM_OK && !m->robot.links)
        fm_import_fail(m, model ? model : root, FM_ERR_MODEL, "has no <link>");
}
