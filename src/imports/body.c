/* The body: frames put in place, links merged into one, their mass, centre and inertia. */
#include <math.h>
#include <string.h>

#include "imports/robot.h"

/* ---- frames ---- */

static void resolve(fm_import *m, fm_robot_frame *frame, int depth)
{
    if (m->status != FM_OK || frame->state == 2)
        return;
    if (frame->state == 1 || depth > FM_ROBOT_FRAMES_MOST + FM_IMPORT_FILES_MOST) {
        fm_import_fail(m, frame->xml, FM_ERR_MODEL, "its pose refers to itself through other frames");
        return;
    }
    frame->state = 1;
    if (!*frame->relative || strcmp(frame->relative, "world") == 0) {
        frame->whole = frame->raw;
    } else {
        fm_robot_frame *outer = fm_robot_frame_find(&m->robot, frame->relative);
        if (!outer) {
            fm_import_fail(m, frame->xml, FM_ERR_NAME, "its pose is relative to '%.60s', which does not exist",
                           frame->relative);
            return;
        }
        resolve(m, outer, depth + 1);
        frame->whole = fm_robot_pose_chain(&outer->whole, &frame->raw);
    }
    frame->state = 2;
}

void fm_import_frames(fm_import *m)
{
    for (fm_robot_frame *frame = m->robot.frames; frame; frame = frame->next)
        resolve(m, frame, 0);
}

/* ---- the base link ---- */

static fm_robot_link *named_by_water(fm_import *m)
{
    for (fm_robot_plugin *p = m->robot.plugins; p; p = p->next) {
        const fm_foreign *x = p->xml;
        const char *name = NULL;
        for (const fm_foreign_attr *a = x->attrs; a; a = a->next)
            if (!name && fm_import_holds(a->value, "underwater_object"))
                for (const fm_foreign *c = x->first; c && !name; c = c->next)
                    for (const fm_foreign_attr *b = fm_foreign_is(c, "link") ? c->attrs : NULL; b; b = b->next)
                        name = strcmp(b->name, "name") == 0 ? b->value : name;
            else if (!name && fm_import_holds(a->value, "hydrodynamics"))
                for (const fm_foreign *c = x->first; c && !name; c = c->next)
                    name = fm_foreign_is(c, "link_name") ? c->text : NULL;
        fm_robot_link *link = name ? fm_robot_link_find(&m->robot, p->scope, name) : NULL;
        if (link)
            return link;
    }
    return NULL;
}

static bool is_child(const fm_robot *robot, const fm_robot_link *link)
{
    for (const fm_robot_joint *joint = robot->joints; joint; joint = joint->next)
        if (joint->child == link)
            return true;
    return false;
}

static fm_robot_link *find_base(fm_import *m)
{
    fm_robot_link *base = named_by_water(m);
    for (fm_robot_link *link = m->robot.links; link && !base; link = link->next)
        if (!is_child(&m->robot, link))
            base = link;
    return base ? base : m->robot.links;
}

/* The link that a DetachableJoint holds at the start. */
static fm_robot_link *held_by(fm_import *m, fm_robot_plugin *plugin)
{
    const fm_foreign *child = NULL;
    bool detachable = false;
    for (const fm_foreign_attr *a = plugin->xml->attrs; a; a = a->next)
        detachable |= fm_import_holds(a->value, "detachablejoint");
    for (const fm_foreign *x = plugin->xml->first; x && detachable; x = x->next)
        child = fm_foreign_is(x, "child_link") ? x : child;
    return child ? fm_robot_link_find(&m->robot, plugin->scope, child->text) : NULL;
}

/* All links that joints connect with the base. */
static void attach(fm_import *m)
{
    bool more = true;
    for (fm_robot_plugin *p = m->robot.plugins; p; p = p->next) {
        fm_robot_link *held = held_by(m, p);
        if (held)
            held->attached = true;
    }
    m->robot.base->attached = true;
    while (more) {
        more = false;
        for (fm_robot_joint *joint = m->robot.joints; joint; joint = joint->next)
            if (joint->parent->attached != joint->child->attached)
                joint->parent->attached = joint->child->attached = more = true;
    }
    for (fm_robot_link *link = m->robot.links; link; link = link->next)
        if (!link->attached) {
            fm_import_lose(m, link->xml, "no joint connects '%.60s' with '%.60s'", link->name, m->robot.base->name);
            fm_foreign_accept(link->xml);
        }
}

/* Body axes, forward-starboard-down, in the base link's forward-port-up with `forward` ahead. */
static void place_body(fm_import *m)
{
    static const double ahead[4][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    const double *f = ahead[m->options->forward];
    const fm_robot_pose turned = {.R = {f[0], f[1], 0, f[1], -f[0], 0, 0, 0, -1}};
    m->robot.body = fm_robot_pose_chain(&m->robot.base->frame->whole, &turned);
}

fm_robot_pose fm_import_in_body(const fm_import *m, const fm_robot_link *link, const fm_robot_pose *mount)
{
    const fm_robot_pose inverse = fm_robot_pose_inverse(&m->robot.body);
    const fm_robot_pose in_robot = fm_robot_pose_chain(&link->frame->whole, mount);
    return fm_robot_pose_chain(&inverse, &in_robot);
}

void fm_import_put_mount(fm_text *text, const fm_robot_pose *in_body)
{
    /* the own axes of the source are forward-port-up: turned about forward they are forward-starboard-down */
    static const fm_robot_pose over = {.R = {1, 0, 0, 0, -1, 0, 0, 0, -1}};
    const fm_robot_pose turned = fm_robot_pose_chain(in_body, &over);
    double angles[3];
    fm_robot_pose_angles(&turned, angles);
    fm_import_put(text, "position", in_body->position, 3, "m");
    if (fabs(angles[0]) > 1e-9 || fabs(angles[1]) > 1e-9 || fabs(angles[2]) > 1e-9)
        fm_import_put(text, "attitude", angles, 3, "rad");
}

void fm_import_axis(const fm_import *m, const fm_robot_joint *joint, double position[3], double axis[3])
{
    const fm_robot_pose inverse = fm_robot_pose_inverse(&m->robot.body);
    double vector[3], length = 0;
    fm_robot_pose_point(&inverse, joint->child->frame->whole.position, position);
    fm_robot_pose_turn(&joint->axis_frame->whole, joint->axis, vector);
    fm_robot_pose_turn(&inverse, vector, axis);
    for (int i = 0; i < 3; i++)
        length += axis[i] * axis[i];
    for (int i = 0; i < 3; i++)
        axis[i] = length > 0 ? axis[i] / sqrt(length) : 0;
}

/* ---- mass ---- */

/* out = R I Rᵀ */
static void turn_tensor(const double R[9], const double I[9], double out[9])
{
    double half[9] = {0};
    memset(out, 0, 9 * sizeof *out);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                half[3 * i + j] += R[3 * i + k] * I[3 * k + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                out[3 * i + j] += half[3 * i + k] * R[3 * j + k];
}

/* Adds the inertia of a mass at a distance (parallel axes). */
static void add_distant(double I[9], double mass, const double d[3])
{
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            I[3 * i + j] += mass * ((i == j ? square : 0) - d[i] * d[j]);
}

static void sum_masses(fm_import *m)
{
    for (const fm_robot_link *link = m->robot.links; link; link = link->next) {
        const fm_robot_pose at = fm_import_in_body(m, link, &link->inertial);
        m->mass += link->attached ? link->mass : 0;
        for (int i = 0; i < 3; i++)
            m->centre[i] += link->attached ? link->mass * at.position[i] : 0;
    }
    for (int i = 0; i < 3; i++)
        m->centre[i] = m->mass > 0 ? m->centre[i] / m->mass : 0;
    for (const fm_robot_link *link = m->robot.links; link; link = link->next) {
        const fm_robot_pose at = fm_import_in_body(m, link, &link->inertial);
        double turned[9], d[3];
        if (!link->attached)
            continue;
        turn_tensor(at.R, link->inertia, turned);
        for (int i = 0; i < 3; i++)
            d[i] = at.position[i] - m->centre[i];
        for (int i = 0; i < 9; i++)
            m->inertia[i] += turned[i];
        add_distant(m->inertia, link->mass, d);
    }
}

/* Principal moments of any body: (trace/2) E - I has no negative eigenvalue; the moments are above zero. */
static void check_mass(fm_import *m)
{
    const double *I = m->inertia, half = 0.5 * 1.02 * (I[0] + I[4] + I[8]);
    const double a = half - I[0], b = half - I[4], c = half - I[8], minor = a * b - I[1] * I[1];
    const double whole = a * (b * c - I[5] * I[5]) + I[1] * (-I[1] * c - I[5] * I[2]) - I[2] * (I[1] * I[5] + b * I[2]);
    if (!(m->mass >= 1e-6 && m->mass <= 1e9))
        fm_import_fail(m, m->robot.base->xml, FM_ERR_MODEL, "the links have %g kg together: must be 1e-06 to 1e+09 kg",
                       m->mass);
    else if (!(I[0] > 0 && I[4] > 0 && I[8] > 0))
        fm_import_fail(m, m->robot.base->xml, FM_ERR_MODEL,
                       "the links have moments of inertia %g %g %g kg m2 together: must be above 0", I[0], I[4], I[8]);
    else if (!(a >= 0 && b >= 0 && c >= 0 && minor >= 0 && whole >= 0))
        fm_import_fail(m, m->robot.base->xml, FM_ERR_MODEL,
                       "the links have moments of inertia %g %g %g kg m2 together: each principal moment must be up to "
                       "the sum of the other two",
                       I[0], I[4], I[8]);
    for (int i = 0; i < 3; i++)
        if (!(fabs(m->centre[i]) <= 1000))
            fm_import_fail(m, m->robot.base->xml, FM_ERR_MODEL, "the centre of mass is %g m away: must be up to 1000 m",
                           m->centre[i]);
}

void fm_import_body(fm_import *m)
{
    if (m->status != FM_OK)
        return;
    m->robot.base = find_base(m);
    attach(m);
    place_body(m);
    sum_masses(m);
    check_mass(m);
}
