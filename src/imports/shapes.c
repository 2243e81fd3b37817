/* Shapes: collisions as hulls and as displaced volume, visuals as the look. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "imports/robot.h"
#include "physics/angle.h"

/* ---- geometry ---- */

typedef struct shape {
    const char *kind; /* of Fathom: box, sphere, cylinder, capsule, ellipsoid, cone; NULL: another one */
    double size[3];   /* m, own axes of the source */
    double volume;    /* m3 */
    bool upright;     /* its axis is z in the source and x in Fathom */
} shape;

/* URDF has attributes where SDF has elements. */
static double dimension(fm_import *m, fm_foreign *geometry, const char *name)
{
    const double most = 1e5;
    double value = fm_import_attr(m, geometry, name, -1, 0, most);
    if (value < 0)
        value = fm_import_number(m, geometry, name, -1, 0, most);
    if (m->status == FM_OK && value < 0)
        fm_import_fail(m, geometry, FM_ERR_SYNTAX, "has no %s", name);
    return value;
}

static void dimensions(fm_import *m, fm_foreign *geometry, const char *name, double out[3])
{
    const char *text = fm_foreign_attr_get(geometry, name);
    if (text ? !fm_import_numbers(m, geometry, text, out, 3) : !fm_import_vector(m, geometry, name, out))
        fm_import_fail(m, geometry, FM_ERR_SYNTAX, "has no %s", name);
    for (int i = 0; i < 3; i++)
        if (!(out[i] >= 0 && out[i] <= 1e5))
            fm_import_fail(m, geometry, FM_ERR_RANGE, "%s %g is out of range: must be 0 to 100000 m", name, out[i]);
}

static shape measure(fm_import *m, fm_foreign *geometry)
{
    shape s = {0};
    geometry->read = true;
    if (fm_foreign_is(geometry, "box")) {
        s.kind = "box";
        dimensions(m, geometry, "size", s.size);
        s.volume = s.size[0] * s.size[1] * s.size[2];
    } else if (fm_foreign_is(geometry, "sphere")) {
        const double r = dimension(m, geometry, "radius");
        s = (shape){"sphere", {2 * r, 2 * r, 2 * r}, 4.0 / 3.0 * FM_PI * r * r * r, false};
    } else if (fm_foreign_is(geometry, "cylinder") || fm_foreign_is(geometry, "capsule")) {
        const bool round = fm_foreign_is(geometry, "capsule");
        const double r = dimension(m, geometry, "radius"), l = dimension(m, geometry, "length");
        s = (shape){round ? "capsule" : "cylinder",
                    {2 * r, 2 * r, l + (round ? 2 * r : 0)},
                    FM_PI * r * r * l + (round ? 4.0 / 3.0 * FM_PI * r * r * r : 0),
                    true};
    } else if (fm_foreign_is(geometry, "cone")) {
        const double r = dimension(m, geometry, "radius"), l = dimension(m, geometry, "length");
        s = (shape){"cone", {2 * r, 2 * r, l}, FM_PI * r * r * l / 3, true};
    } else if (fm_foreign_is(geometry, "ellipsoid")) {
        dimensions(m, geometry, "radii", s.size);
        s.kind = "ellipsoid";
        s.volume = 4.0 / 3.0 * FM_PI * s.size[0] * s.size[1] * s.size[2];
        for (int i = 0; i < 3; i++)
            s.size[i] *= 2;
    }
    return s;
}

static void put_shape(fm_text *text, const shape *s, const fm_robot_pose *at, const char *where)
{
    /* from the shape's axes of Fathom to its axes of the source */
    static const fm_robot_pose over = {.R = {1, 0, 0, 0, -1, 0, 0, 0, -1}}, along = {.R = {0, 0, -1, 0, 1, 0, 1, 0, 0}};
    const fm_robot_pose turned = fm_robot_pose_chain(at, s->upright ? &along : &over);
    const double size[3] = {s->upright ? s->size[2] : s->size[0], s->size[1], s->upright ? s->size[0] : s->size[2]};
    double angles[3];
    fm_robot_pose_angles(&turned, angles);
    fm_text_add(text, " kind=\"%s\"", s->kind);
    fm_import_put(text, "size", size, 3, "m");
    fm_import_put(text, where, at->position, 3, "m");
    if (fabs(angles[0]) > 1e-9 || fabs(angles[1]) > 1e-9 || fabs(angles[2]) > 1e-9)
        fm_import_put(text, "attitude", angles, 3, "rad");
}

static void grow(fm_import *m, const shape *s, const fm_robot_pose *at)
{
    for (int i = 0; i < 3; i++) {
        double half = 0;
        for (int j = 0; j < 3; j++)
            half += 0.5 * fabs(at->R[3 * i + j]) * s->size[j];
        m->least[i] = m->has_size ? fmin(m->least[i], at->position[i] - half) : at->position[i] - half;
        m->most[i] = m->has_size ? fmax(m->most[i], at->position[i] + half) : at->position[i] + half;
    }
    m->has_size = true;
}

static bool fits(const shape *s, double least)
{
    return fmin(s->size[0], fmin(s->size[1], s->size[2])) >= least &&
           fmax(s->size[0], fmax(s->size[1], s->size[2])) <= 1000;
}

/* ---- displaced water ---- */

/* As a float, where the water has a surface: only upright, lying ahead, or round. */
static bool put_float(fm_import *m, const shape *s, const fm_robot_pose *at)
{
    int axis[3];
    double size[3];
    if (!fits(s, 0.001) || strcmp(s->kind, "capsule") == 0 || strcmp(s->kind, "cone") == 0)
        return false;
    const bool ball = strcmp(s->kind, "sphere") == 0;
    for (int i = 0; i < 3; i++) {
        axis[i] = 0;
        for (int j = 1; j < 3; j++)
            if (fabs(at->R[3 * i + j]) > fabs(at->R[3 * i + axis[i]]))
                axis[i] = j;
        if (!ball && fabs(at->R[3 * i + axis[i]]) < 1 - 1e-5)
            return false;
        size[i] = s->size[axis[i]];
    }
    if (s->upright && axis[1] == 2) /* across */
        return false;
    fm_text_add(&m->floats, "  <float shape=\"%s\"",
                s->upright                    ? (axis[0] == 2 ? "lying-cylinder" : "cylinder")
                : strcmp(s->kind, "box") == 0 ? "box"
                                              : "ellipsoid");
    fm_import_put(&m->floats, "size", size, 3, "m");
    fm_import_put(&m->floats, "centre", at->position, 3, "m");
    fm_text_add(&m->floats, "/>\n");
    return true;
}

static bool floats_all(fm_import *m, bool write)
{
    bool all = true;
    const size_t before = m->floats.length;
    for (fm_robot_link *link = m->robot.links; link && all; link = link->next)
        for (fm_robot_shape *x = link->attached ? link->collisions : NULL; x && all; x = x->next) {
            const shape s = measure(m, x->geometry);
            const fm_robot_pose at = fm_import_in_body(m, link, &x->mount);
            all = m->status == FM_OK && s.kind && put_float(m, &s, &at);
        }
    if ((!write || !all) && m->floats.data) {
        m->floats.length = before;
        m->floats.data[before] = 0;
    }
    return all;
}

static void displace(fm_import *m, const shape *s, const fm_robot_pose *at)
{
    double centre[3] = {0};
    if (strcmp(s->kind, "cone") == 0)
        centre[2] = -s->size[2] / 4;
    fm_robot_pose_point(at, centre, centre);
    m->volume += s->volume;
    for (int i = 0; i < 3; i++)
        m->volume_moment[i] += s->volume * centre[i];
}

/* ---- collisions ---- */

static void take_collision(fm_import *m, const fm_robot_link *link, fm_robot_shape *x)
{
    const shape s = measure(m, x->geometry);
    const fm_robot_pose at = fm_import_in_body(m, link, &x->mount);
    if (m->status != FM_OK)
        return;
    if (!s.kind) {
        fm_import_lose(m, x->geometry, "%s",
                       fm_foreign_is(x->geometry, "mesh")
                           ? "a hull of Fathom is made of plain shapes: it neither touches nor "
                             "displaces water"
                           : "is not a shape of Fathom: box, sphere, cylinder, capsule, ellipsoid or "
                             "cone");
        fm_foreign_accept(x->geometry);
        return;
    }
    if (!m->by_volume)
        displace(m, &s, &at);
    if (strcmp(s.kind, "cone") == 0 || !fits(&s, 1e-4)) {
        fm_import_lose(m, x->xml, "a %s of %g x %g x %g m is no hull of Fathom: %s", s.kind, s.size[0], s.size[1],
                       s.size[2], strcmp(s.kind, "cone") == 0 ? "no cones" : "sizes must be 0.0001 to 1000 m");
        return;
    }
    grow(m, &s, &at);
    fm_text_add(&m->hulls, "  <hull");
    put_shape(&m->hulls, &s, &at, "centre");
    fm_text_add(&m->hulls, "/>\n");
}

/* ---- visuals ---- */

static bool read_colour(fm_import *m, fm_foreign *visual, double colour[4])
{
    fm_foreign *material = fm_foreign_child(visual, "material");
    const char *name = m->urdf ? fm_foreign_attr_get(material, "name") : NULL;
    fm_foreign *own = fm_foreign_child(material, m->urdf ? "color" : "diffuse");
    for (fm_foreign *x = NULL; name && !own && (x = fm_foreign_next(m->roots[0], "material", x));) {
        const char *other = fm_foreign_attr_get(x, "name");
        own = other && strcmp(other, name) == 0 ? fm_foreign_child(x, "color") : NULL;
    }
    const char *text = m->urdf ? fm_foreign_attr_get(own, "rgba") : own ? own->text : NULL;
    const size_t count = text ? fm_import_list(m, own, text, colour, 4) : 0;
    if (m->status == FM_OK && text && count < 3)
        fm_import_fail(m, own, FM_ERR_SYNTAX, "has %zu numbers: must be 3 or 4", count);
    for (size_t i = 0; i < count && i < 3; i++)
        colour[i] = fmax(0, fmin(colour[i], 1));
    return count >= 3;
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t a = strlen(text), b = strlen(ending);
    return a >= b && strcasecmp(text + a - b, ending) == 0;
}

static double read_scale(fm_import *m, fm_foreign *mesh)
{
    double scale[3] = {1, 1, 1};
    const char *text = fm_foreign_attr_get(mesh, "scale");
    if (!text || !fm_import_numbers(m, mesh, text, scale, 3))
        fm_import_vector(m, mesh, "scale", scale);
    if (scale[0] != scale[1] || scale[0] != scale[2])
        fm_import_lose(m, mesh, "scale %g %g %g: a mesh of Fathom has one scale, here %g", scale[0], scale[1], scale[2],
                       scale[0]);
    if (!(scale[0] >= 1e-6 && scale[0] <= 1e6))
        fm_import_fail(m, mesh, FM_ERR_RANGE, "scale %g is out of range: must be 1e-06 to 1e+06", scale[0]);
    return scale[0];
}

/* A vehicle of Fathom has one mesh. */
static void take_mesh(fm_import *m, const fm_robot_pose *at, fm_foreign *mesh)
{
    const char *attribute = fm_foreign_attr_get(mesh, "filename"),
               *uri = attribute ? attribute : fm_import_text(mesh, "uri");
    if (!uri) {
        fm_import_fail(m, mesh, FM_ERR_SYNTAX, "names no file");
        return;
    }
    const double scale = read_scale(m, mesh);
    const char *path = m->has_mesh ? NULL : fm_import_find(m, mesh, uri);
    const bool readable = ends_with(uri, ".glb") || ends_with(uri, ".obj") || ends_with(uri, ".stl");
    if (m->has_mesh)
        fm_import_lose(m, mesh, "'%.120s': a look of Fathom has one mesh, and it has one", uri);
    else if (!readable)
        fm_import_lose(
            m, mesh, "'%.120s': meshes must be .glb, .obj or .stl: convert it, and name it in <look mesh=\"…\">", uri);
    else if (!path)
        fm_import_lose(m, mesh, "'%.120s' is not resolved: give the folder that contains it as --models", uri);
    if (m->has_mesh || !readable || !path)
        return;
    path = fm_import_whole_path(m, path); /* the model may be elsewhere */
    if (strpbrk(path, "\"&<>")) {
        fm_import_lose(m, mesh, "'%.120s': its path contains one of \" & < >", path);
        return;
    }
    m->has_mesh = true;
    fm_text_add(&m->look, " mesh=\"%s\"", path);
    fm_import_put_one(&m->look, "scale", scale, "");
    fm_import_put_mount(&m->look, at);
}

static void take_visual(fm_import *m, const fm_robot_link *link, fm_robot_shape *x)
{
    const fm_robot_pose at = fm_import_in_body(m, link, &x->mount);
    double colour[4];
    if (fm_foreign_is(x->geometry, "mesh")) {
        x->geometry->read = true;
        take_mesh(m, &at, x->geometry);
        return;
    }
    const shape s = measure(m, x->geometry);
    if (m->status != FM_OK)
        return;
    if (!s.kind || !fits(&s, 1e-5)) {
        fm_import_lose(m, x->geometry, "is not drawn: %s",
                       s.kind ? "sizes must be 1e-05 to 1000 m" : "not a plain shape");
        fm_foreign_accept(x->geometry);
        return;
    }
    if (!m->hulls.length)
        grow(m, &s, &at);
    fm_text_add(&m->looks, "    <solid");
    put_shape(&m->looks, &s, &at, "position");
    if (read_colour(m, x->xml, colour))
        fm_import_put(&m->looks, "colour", colour, 3, "");
    fm_text_add(&m->looks, "/>\n");
}

/* ---- all ---- */

static void end_buoyancy(fm_import *m)
{
    if (m->by_volume)
        return;
    if (m->graded && m->volume > 0 && floats_all(m, true)) {
        m->volume = 0;
        return;
    }
    if (m->graded && m->volume > 0)
        fm_import_remark(m, m->robot.base->xml,
                         "its shapes displace water as one volume: a float of Fathom is a box, an "
                         "ellipsoid, or a cylinder upright or lying ahead");
    if (!m->graded && !m->uniform && m->volume > 0)
        fm_import_remark(m, m->robot.base->xml,
                         "no plugin says what floats: the collision shapes displace water, %g m3", m->volume);
    if (!(m->volume > 0) && m->status == FM_OK)
        fm_import_remark(m, m->robot.base->xml,
                         "nothing displaces water: the model is neutrally buoyant, its centre of "
                         "buoyancy the origin of '%.60s'",
                         m->robot.base->name);
}

void fm_import_shapes(fm_import *m)
{
    for (fm_robot_link *link = m->robot.links; link && m->status == FM_OK; link = link->next)
        for (fm_robot_shape *x = link->attached ? link->collisions : NULL; x; x = x->next)
            take_collision(m, link, x);
    for (fm_robot_link *link = m->robot.links; link && m->status == FM_OK; link = link->next)
        for (fm_robot_shape *x = link->attached ? link->visuals : NULL; x; x = x->next)
            take_visual(m, link, x);
    if (m->status == FM_OK)
        end_buoyancy(m);
}
