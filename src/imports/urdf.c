/* URDF: links, joints, and what <gazebo> adds to them. */
#include <string.h>

#include "imports/robot.h"

/* ---- shared with SDF: the lists of a robot ---- */

fm_robot_frame *fm_robot_frame_add(fm_import *m, const char *name, const char *relative, fm_foreign *xml,
                                   fm_robot_pose raw)
{
    fm_robot_frame *frame = fm_import_alloc(m, sizeof *frame);
    if (!frame)
        return NULL;
    if (fm_robot_frame_find(&m->robot, name))
        fm_import_fail(m, xml, FM_ERR_NAME, "'%.60s' is the name of another link, joint or frame too", name);
    *frame = (fm_robot_frame){.name = name, .relative = relative, .xml = xml, .raw = raw, .next = m->robot.frames};
    m->robot.frames = frame;
    if (++m->robot.frame_count > FM_ROBOT_FRAMES_MOST)
        fm_import_fail(m, xml, FM_ERR_RANGE, "more than %d links, joints and frames", FM_ROBOT_FRAMES_MOST);
    return frame;
}

fm_robot_frame *fm_robot_frame_find(const fm_robot *robot, const char *name)
{
    fm_robot_frame *frame = robot->frames;
    while (frame && strcmp(frame->name, name) != 0)
        frame = frame->next;
    return frame;
}

fm_robot_link *fm_robot_link_find(const fm_robot *robot, const char *scope, const char *name)
{
    const size_t length = strlen(scope);
    fm_robot_link *link = robot->links;
    while (link && !(strncmp(link->name, scope, length) == 0 && strcmp(link->name + length, name) == 0))
        link = link->next;
    return link;
}

fm_robot_joint *fm_robot_joint_find(const fm_robot *robot, const char *scope, const char *name)
{
    const size_t length = strlen(scope);
    fm_robot_joint *joint = robot->joints;
    while (joint && !(strncmp(joint->name, scope, length) == 0 && strcmp(joint->name + length, name) == 0))
        joint = joint->next;
    return joint;
}

void fm_robot_plugin_add(fm_import *m, fm_foreign *xml, const char *scope)
{
    fm_robot_plugin *plugin = fm_import_alloc(m, sizeof *plugin), **end = &m->robot.plugins;
    if (!plugin)
        return;
    *plugin = (fm_robot_plugin){.xml = xml, .scope = scope};
    while (*end)
        end = &(*end)->next;
    *end = plugin;
}

/* ---- URDF ---- */

static fm_robot_pose read_origin(fm_import *m, fm_foreign *parent)
{
    double position[3] = {0}, angles[3] = {0};
    fm_foreign *origin = fm_foreign_child(parent, "origin");
    fm_import_numbers(m, origin, fm_foreign_attr_get(origin, "xyz"), position, 3);
    fm_import_numbers(m, origin, fm_foreign_attr_get(origin, "rpy"), angles, 3);
    return fm_robot_pose_from(position, angles);
}

static void read_inertial(fm_import *m, fm_robot_link *link)
{
    static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    static const int at[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    fm_foreign *inertial = fm_foreign_child(link->xml, "inertial"), *mass = fm_foreign_child(inertial, "mass"),
               *inertia = fm_foreign_child(inertial, "inertia");
    if (!inertial)
        return;
    link->inertial = read_origin(m, inertial);
    if (!mass)
        fm_import_fail(m, inertial, FM_ERR_SYNTAX, "has no <mass>");
    link->mass = fm_import_attr(m, mass, "value", 0, 0, 1e9);
    for (int k = 0; k < 6; k++) {
        const double value = fm_import_attr(m, inertia, names[k], 0, at[k][0] == at[k][1] ? 0 : -1e12, 1e12);
        link->inertia[3 * at[k][0] + at[k][1]] = link->inertia[3 * at[k][1] + at[k][0]] = value;
    }
}

static fm_robot_shape *read_shapes(fm_import *m, fm_foreign *link, const char *name)
{
    fm_robot_shape *first = NULL, **end = &first;
    for (fm_foreign *xml = NULL; (xml = fm_foreign_next(link, name, xml));) {
        fm_foreign *geometry = fm_foreign_child(xml, "geometry");
        if (!geometry || !geometry->first || !(*end = fm_import_alloc(m, sizeof **end))) {
            fm_import_fail(m, xml, FM_ERR_SYNTAX, "has no <geometry> with a shape");
            return first;
        }
        fm_foreign_attr_get(xml, "name");
        **end = (fm_robot_shape){.xml = xml, .geometry = geometry->first, .mount = read_origin(m, xml)};
        end = &(*end)->next;
    }
    return first;
}

static void read_links(fm_import *m, fm_foreign *root)
{
    fm_robot_link **end = &m->robot.links;
    for (fm_foreign *xml = NULL; m->status == FM_OK && (xml = fm_foreign_next(root, "link", xml));) {
        const char *name = fm_foreign_attr_get(xml, "name");
        if (!name || !*name) {
            fm_import_fail(m, xml, FM_ERR_NAME, "has no name");
            return;
        }
        if (!(*end = fm_import_alloc(m, sizeof **end)))
            return;
        **end = (fm_robot_link){.name = name, .xml = xml, .inertial = fm_robot_pose_none()};
        if (fm_robot_link_find(&m->robot, "", name) != *end)
            fm_import_fail(m, xml, FM_ERR_NAME, "'%.60s' is the name of another link too", name);
        read_inertial(m, *end);
        (*end)->collisions = read_shapes(m, xml, "collision");
        (*end)->visuals = read_shapes(m, xml, "visual");
        end = &(*end)->next;
    }
}

static fm_robot_link *end_of(fm_import *m, fm_foreign *joint, const char *end)
{
    fm_foreign *xml = fm_foreign_child(joint, end);
    const char *name = fm_foreign_attr_get(xml, "link");
    fm_robot_link *link = name ? fm_robot_link_find(&m->robot, "", name) : NULL;
    if (!link)
        fm_import_fail(m, xml ? xml : joint, FM_ERR_NAME, "%s%s%.60s%s", end, name ? " '" : " is missing",
                       name ? name : "", name ? "' is not a link of this robot" : "");
    return link;
}

static void read_joint(fm_import *m, fm_robot_joint *joint)
{
    const double unlimited = 1e16;
    fm_foreign *axis = fm_foreign_child(joint->xml, "axis"), *limit = fm_foreign_child(joint->xml, "limit");
    joint->type = fm_foreign_attr_get(joint->xml, "type");
    joint->parent = end_of(m, joint->xml, "parent");
    joint->child = end_of(m, joint->xml, "child");
    joint->axis[0] = 1;
    fm_import_numbers(m, axis, fm_foreign_attr_get(axis, "xyz"), joint->axis, 3);
    joint->lower = fm_import_attr(m, limit, "lower", 0, -1e300, 1e300);
    joint->upper = fm_import_attr(m, limit, "upper", 0, -1e300, 1e300);
    joint->speed = fm_import_attr(m, limit, "velocity", 0, -1e300, 1e300);
    fm_foreign_attr_get(limit, "effort");
    if (!joint->type) {
        fm_import_fail(m, joint->xml, FM_ERR_SYNTAX, "has no type");
        return;
    }
    if (strcmp(joint->type, "continuous") == 0) {
        joint->lower = -unlimited;
        joint->upper = unlimited;
    }
    if (m->status != FM_OK)
        return;
    if (joint->child->frame)
        fm_import_fail(m, joint->xml, FM_ERR_MODEL, "link '%.60s' is the child of two joints", joint->child->name);
    joint->child->frame =
        fm_robot_frame_add(m, joint->child->name, joint->parent->name, joint->xml, read_origin(m, joint->xml));
    joint->frame = joint->axis_frame = joint->child->frame;
}

static void read_joints(fm_import *m, fm_foreign *root)
{
    fm_robot_joint **end = &m->robot.joints;
    for (fm_foreign *xml = NULL; m->status == FM_OK && (xml = fm_foreign_next(root, "joint", xml));) {
        if (!(*end = fm_import_alloc(m, sizeof **end)))
            return;
        **end = (fm_robot_joint){.name = fm_foreign_attr_get(xml, "name"), .xml = xml};
        if (!(*end)->name)
            fm_import_fail(m, xml, FM_ERR_NAME, "has no name");
        else
            read_joint(m, *end);
        end = &(*end)->next;
    }
}

/* <gazebo reference="LINK"> adds sensors, <gazebo> plugins. Other children are left for the report. */
static void read_gazebo(fm_import *m, fm_foreign *root)
{
    for (fm_foreign *xml = NULL; m->status == FM_OK && (xml = fm_foreign_next(root, "gazebo", xml));) {
        const char *name = fm_foreign_attr_get(xml, "reference");
        fm_robot_link *link = name ? fm_robot_link_find(&m->robot, "", name) : NULL;
        for (fm_foreign *plugin = NULL; (plugin = fm_foreign_next(xml, "plugin", plugin));)
            fm_robot_plugin_add(m, plugin, "");
        for (fm_foreign *sensor = NULL; link && (sensor = fm_foreign_next(xml, "sensor", sensor));) {
            fm_robot_sensor **end = &link->sensors;
            double pose[6] = {0};
            fm_foreign *own = fm_foreign_child(sensor, "pose");
            fm_import_numbers(m, own, own && *own->text ? own->text : NULL, pose, 6);
            while (*end)
                end = &(*end)->next;
            if ((*end = fm_import_alloc(m, sizeof **end)))
                **end = (fm_robot_sensor){.xml = sensor, .mount = fm_robot_pose_from(pose, pose + 3)};
        }
    }
}

void fm_import_urdf(fm_import *m, fm_foreign *root)
{
    const char *name = fm_foreign_attr_get(root, "name");
    fm_foreign_attr_get(root, "version");
    m->robot.name = name ? name : "robot";
    read_links(m, root);
    if (!m->robot.links)
        fm_import_fail(m, root, FM_ERR_MODEL, "has no <link>");
    read_joints(m, root);
    for (fm_robot_link *link = m->robot.links; link && m->status == FM_OK; link = link->next)
        if (!link->frame)
            link->frame = fm_robot_frame_add(m, link->name, "", link->xml, fm_robot_pose_none());
    read_gazebo(m, root);
}
