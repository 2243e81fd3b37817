/* The lists of a robot, and what URDF and SDF write the same way. */
#include <string.h>

#include "imports/robot.h"

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

/* ---- parts of links ---- */

void fm_robot_inertia_read(fm_import *m, fm_robot_link *link, fm_foreign *inertia, fm_robot_number *number,
                           double moment)
{
    static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    static const int at[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    for (int k = 0; k < 6; k++) {
        const bool diagonal = at[k][0] == at[k][1];
        const double value = number(m, inertia, names[k], diagonal ? moment : 0, diagonal ? 0 : -1e12, 1e12);
        link->inertia[3 * at[k][0] + at[k][1]] = link->inertia[3 * at[k][1] + at[k][0]] = value;
    }
}

fm_robot_shape *fm_robot_shapes_read(fm_import *m, fm_foreign *link, const char *name,
                                     fm_robot_pose (*mount)(fm_import *m, fm_foreign *shape))
{
    fm_robot_shape *first = NULL, **end = &first;
    for (fm_foreign *xml = NULL; (xml = fm_foreign_next(link, name, xml));) {
        fm_foreign *geometry = fm_foreign_child(xml, "geometry");
        if (!geometry || !geometry->first || !(*end = fm_import_alloc(m, sizeof **end))) {
            fm_import_fail(m, xml, FM_ERR_SYNTAX, "has no <geometry> with a shape");
            return first;
        }
        fm_foreign_attr_get(xml, "name");
        **end = (fm_robot_shape){.xml = xml, .geometry = geometry->first, .mount = mount(m, xml)};
        end = &(*end)->next;
    }
    return first;
}
