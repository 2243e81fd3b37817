/* URDF: links, joints, and what <gazebo> adds to them. */
#include <string.h>

#include "imports/robot.h"

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
    fm_foreign *inertial = fm_foreign_child(link->xml, "inertial"), *mass = fm_foreign_child(inertial, "mass"),
               *inertia = fm_foreign_child(inertial, "inertia");
    if (!inertial)
        return;
    link->inertial = read_origin(m, inertial);
    if (!mass)
        fm_import_fail(m, inertial, FM_ERR_SYNTAX, "has no <mass>");
    link->mass = fm_import_attr(m, mass, "value", 0, 0, 1e9);
    fm_robot_inertia_read(m, link, inertia, fm_import_attr, 0);
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
        (*end)->collisions = fm_robot_shapes_read(m, xml, "collision", read_origin);
        (*end)->visuals = fm_robot_shapes_read(m, xml, "visual", read_origin);
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
