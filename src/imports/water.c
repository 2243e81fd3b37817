/* Hydrodynamics: the coefficients of any source in body axes, and the plugins Hydrodynamics and Buoyancy of Gazebo Sim.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "imports/robot.h"

static const char rows[] = "XYZKMN", velocities[] = "uvwpqr";

/* ---- axes ---- */

/* The velocity of the body that is velocity i of the source, and its sign: all axes are parallel or square. */
static int turned(const fm_import *m, bool ned, int i, double *sign)
{
    static const fm_robot_pose over = {.R = {1, 0, 0, 0, -1, 0, 0, 0, -1}};
    const fm_robot_pose inverse = fm_robot_pose_inverse(&m->robot.body);
    fm_robot_pose link = fm_robot_pose_chain(&inverse, &m->robot.base->frame->whole);
    if (ned)
        link = fm_robot_pose_chain(&link, &over);
    int to = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(link.R[3 * k + i % 3]) > fabs(link.R[3 * to + i % 3]))
            to = k;
    *sign = link.R[3 * to + i % 3] < 0 ? -1 : 1;
    return to + (i < 3 ? 0 : 3);
}

void fm_import_term(fm_import *m, const fm_foreign *at, bool ned, fm_term_kind kind, const int ijk[3], double value)
{
    fm_import_hydrodynamics *h = &m->hydro;
    double si, sj, sk;
    int i = turned(m, ned, ijk[0], &si), j = turned(m, ned, ijk[1], &sj), k = turned(m, ned, ijk[2], &sk);
    if (value == 0 || m->status != FM_OK)
        return;
    if (kind == FM_TERM_LINEAR) {
        h->linear[i][j] += si * sj * value;
    } else if (kind == FM_TERM_ABS && j == k) {
        h->own[i][j] += si * sj * value;
    } else if (kind == FM_TERM_ABS && k == 0) {
        h->absu[i][j] += si * sj * value;
    } else if (kind == FM_TERM_ABS) {
        fm_import_lose(m, at, "%g in the equation of %c for %c|%c| (body axes): Fathom has %c|%c| and %c|u| there",
                       value, rows[i], velocities[j], velocities[k], velocities[j], velocities[j], velocities[j]);
    } else {
        h->product[i][j < k ? j : k][j < k ? k : j] += si * sj * sk * value;
    }
}

void fm_import_added(fm_import *m, const fm_foreign *at, bool ned, double added[6][6])
{
    double largest = 0, worst = 0, a = 0, b = 0;
    if (m->status != FM_OK)
        return;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            largest = fmax(largest, fabs(added[i][j]));
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            if (fabs(added[i][j] - added[j][i]) > worst) {
                worst = fabs(added[i][j] - added[j][i]);
                a = added[i][j];
                b = added[j][i];
            }
    if (worst > 1e-9 * largest)
        fm_import_remark(m, at, "the added mass is not symmetric (%g and %g): means are taken", a, b);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double si, sj;
            const int to = turned(m, ned, i, &si), from = turned(m, ned, j, &sj);
            m->hydro.added[to][from] += si * sj * 0.5 * (added[i][j] + added[j][i]);
        }
    m->hydro.has_added |= largest > 0;
}

/* ---- <fluid_added_mass> ---- */

void fm_import_fluid_added_mass(fm_import *m)
{
    static const char names[] = "xyzpqr";
    fm_foreign *xml = m->robot.base->added_mass;
    double added[6][6] = {{0}};
    for (fm_robot_link *link = m->robot.links; link; link = link->next)
        if (link->added_mass && link != m->robot.base)
            fm_import_lose(m, link->added_mass, "is of a link that is not the base link '%.60s'", m->robot.base->name);
    if (!xml)
        return;
    for (int i = 0; i < 6; i++)
        for (int j = i; j < 6; j++) {
            const char name[3] = {names[i], names[j], 0};
            added[i][j] = added[j][i] = fm_import_number(m, xml, name, 0, -1e12, 1e12);
        }
    fm_import_added(m, xml, false, added);
}

/* ---- gz::sim::systems::Hydrodynamics ---- */

static const char forces[] = "xyzkmn", speeds[] = "UVWPQR";

/* Coefficients are named xU, xUabsU, xUU, xDotU. */
typedef struct coefficient {
    int ijk[3];
    enum { NO_COEFFICIENT, DAMPING, DAMPING_ABS, DAMPING_PRODUCT, ADDED } kind;
} coefficient;

static int place_in(const char *letters, char letter)
{
    const char *at = letter ? strchr(letters, letter) : NULL;
    return at ? (int)(at - letters) : -1;
}

static coefficient parse_name(const char *name)
{
    coefficient c = {.ijk = {place_in(forces, name[0]), -1, 0}};
    const char *rest = name + 1;
    if (c.ijk[0] < 0)
        return c;
    if (strncmp(rest, "Dot", 3) == 0) {
        c.ijk[1] = place_in(speeds, rest[3]);
        c.kind = c.ijk[1] >= 0 && !rest[4] ? ADDED : NO_COEFFICIENT;
        return c;
    }
    if ((c.ijk[1] = place_in(speeds, rest[0])) < 0)
        return c;
    const bool absolute = strncmp(rest + 1, "abs", 3) == 0;
    const char *last = rest + (absolute ? 4 : 1);
    c.ijk[2] = *last ? place_in(speeds, *last) : 0;
    if (!*last && !absolute)
        c.kind = DAMPING;
    else if (*last && c.ijk[2] >= 0 && !last[1])
        c.kind = absolute ? DAMPING_ABS : DAMPING_PRODUCT;
    return c;
}

static bool has_kind(const fm_foreign *plugin, int kind)
{
    for (const fm_foreign *x = plugin->first; x; x = x->next)
        if ((int)parse_name(x->name).kind == kind)
            return true;
    return false;
}

/* Until Gazebo Garden <xUU> multiplies u|u|; since Harmonic that is <xUabsU>, and <xUU> the square. */
static void take_damping(fm_import *m, fm_foreign *plugin)
{
    const bool old = !has_kind(plugin, DAMPING_ABS);
    for (fm_foreign *x = plugin->first; x && m->status == FM_OK; x = x->next) {
        const coefficient c = parse_name(x->name);
        double value = 0;
        if (c.kind == NO_COEFFICIENT || c.kind == ADDED)
            continue;
        x->read = true;
        if (!fm_import_numbers(m, x, x->text, &value, 1) || value == 0)
            continue;
        if (c.kind == DAMPING)
            fm_import_term(m, x, false, FM_TERM_LINEAR, c.ijk, value);
        else if (c.kind == DAMPING_ABS)
            fm_import_term(m, x, false, FM_TERM_ABS, c.ijk, value);
        else if (old && c.ijk[0] == c.ijk[1] && c.ijk[1] == c.ijk[2]) {
            fm_import_remark(m, x, "is read as the drag of %c|%c|, as Gazebo has it up to Garden and as <%c%cabs%c>",
                             velocities[c.ijk[1]], velocities[c.ijk[1]], forces[c.ijk[0]], speeds[c.ijk[1]],
                             speeds[c.ijk[2]]);
            fm_import_term(m, x, false, FM_TERM_ABS, c.ijk, value);
        } else {
            fm_import_term(m, x, false, FM_TERM_PRODUCT, c.ijk, value);
        }
    }
}

/* Up to Fortress linear damping that is not written is 20. */
static void list_defaults(fm_import *m, fm_foreign *plugin)
{
    const char *name = fm_foreign_attr_get(plugin, "name");
    if (!name || strncmp(name, "ignition::", 10) != 0)
        return;
    for (int i = 0; i < 6; i++) {
        const char element[3] = {forces[i], speeds[i], 0};
        if (!fm_foreign_child(plugin, element))
            fm_import_remark(m, plugin, "has no <%s>: it is 0; Gazebo up to Fortress takes 20, which drives the motion",
                             element);
    }
}

/* Up to Gazebo Garden added mass is written above zero; later, as in tables of derivatives, below. */
static void take_added(fm_import *m, fm_foreign *plugin, bool disabled)
{
    double added[6][6] = {{0}}, least = 0, most = 0;
    fm_foreign *first = NULL;
    for (fm_foreign *x = plugin->first; x && m->status == FM_OK; x = x->next) {
        const coefficient c = parse_name(x->name);
        double value = 0;
        if (c.kind != ADDED)
            continue;
        x->read = true;
        if (!fm_import_numbers(m, x, x->text, &value, 1) || value == 0)
            continue;
        first = first ? first : x;
        added[c.ijk[0]][c.ijk[1]] = value;
        if (c.ijk[0] == c.ijk[1]) {
            least = fmin(least, value);
            most = fmax(most, value);
        }
    }
    if (!first)
        return;
    if (disabled) {
        fm_import_remark(m, first, "the added mass is switched off with <disable_added_mass>");
        return;
    }
    if (least < 0 && most > 0) {
        fm_import_fail(
            m, first, FM_ERR_MODEL,
            "added mass along the diagonal is %g to %g: all must be below zero (since Gazebo Harmonic) or above "
            "(before)",
            least, most);
        return;
    }
    const double sign = most > 0 ? 1 : -1;
    for (int i = 0; i < 36; i++)
        added[i / 6][i % 6] *= sign;
    if (most > 0)
        fm_import_remark(m, first,
                         "added mass above zero is read as mass that is added, as Gazebo has it up to Garden");
    fm_import_added(m, first, false, added);
}

static void take_current(fm_import *m, fm_foreign *plugin)
{
    double enu[3];
    if (!fm_import_vector(m, plugin, "default_current", enu))
        return;
    for (int i = 0; i < 3; i++)
        if (!(fabs(enu[i]) <= 20))
            fm_import_fail(m, fm_foreign_child(plugin, "default_current"), FM_ERR_RANGE, "must be up to 20 m/s");
    m->current[0] = enu[1];
    m->current[1] = enu[0];
    m->current[2] = -enu[2];
    if (enu[0] != 0 || enu[1] != 0 || enu[2] != 0)
        fm_import_remark(m, fm_foreign_child(plugin, "default_current"), "belongs to the water: see the scenario");
}

void fm_import_gz_hydrodynamics(fm_import *m, fm_robot_plugin *plugin)
{
    fm_foreign *xml = plugin->xml, *name = fm_foreign_child(xml, "link_name");
    const fm_robot_link *link = name ? fm_robot_link_find(&m->robot, plugin->scope, name->text) : NULL;
    if (!name)
        fm_import_fail(m, xml, FM_ERR_SYNTAX, "has no <link_name>");
    else if (!link)
        fm_import_fail(m, name, FM_ERR_NAME, "'%.60s' is not a link of this model", name->text);
    if (m->status != FM_OK)
        return;
    if (link != m->robot.base || m->hydro.xml) {
        fm_import_lose(m, xml, "a body of Fathom has one set of coefficients, and has those of '%.60s'",
                       m->robot.base->name);
        fm_foreign_accept(xml);
        return;
    }
    m->hydro.xml = xml;
    m->hydro.rigid_body =
        fm_import_flag(m, xml, "disable_coriolis", false) || !fm_import_flag(m, xml, "enable_coriolis", true);
    const bool disabled = fm_import_flag(m, xml, "disable_added_mass", false);
    for (int i = 0; i < 2; i++) {
        const double density = fm_import_number(m, xml, i ? "waterDensity" : "water_density", NAN, 1, 2000);
        if (!m->has_density && density > 0)
            m->density = density;
    }
    take_damping(m, xml);
    list_defaults(m, xml);
    take_added(m, xml, disabled);
    take_current(m, xml);
    fm_foreign_child(xml, "namespace");
}

/* ---- gz::sim::systems::Buoyancy ---- */

static void take_graded(fm_import *m, fm_foreign *graded)
{
    m->graded = true;
    m->density = fm_import_number(m, graded, "default_density", 1000, 1, 2000);
    m->has_density = true;
    for (fm_foreign *x = NULL; (x = fm_foreign_next(graded, "density_change", x));) {
        const double above = fm_import_number(m, x, "above_depth", 0, -1e9, 1e9),
                     density = fm_import_number(m, x, "density", 1, 0, 1e9);
        if (above != 0 || density > 10)
            fm_import_lose(m, x, "%g kg/m3 above %g m: Fathom has air above 0 m", density, above);
    }
}

/* Gazebo Classic's plugin names volumes link by link. */
static void take_volumes(fm_import *m, fm_robot_plugin *plugin)
{
    for (fm_foreign *x = NULL; m->status == FM_OK && (x = fm_foreign_next(plugin->xml, "link", x));) {
        const char *name = fm_foreign_attr_get(x, "name");
        const fm_robot_link *link = name ? fm_robot_link_find(&m->robot, plugin->scope, name) : NULL;
        double centre[3] = {0};
        const double volume = fm_import_number(m, x, "volume", 0, 0, 1e6);
        fm_import_vector(m, x, "center_of_volume", centre);
        if (!link || !link->attached) {
            fm_import_fail(m, x, FM_ERR_NAME, "'%.60s' is not a link of the vehicle", name ? name : "");
            return;
        }
        const fm_robot_pose none = fm_robot_pose_none(), at = fm_import_in_body(m, link, &none);
        fm_robot_pose_point(&at, centre, centre);
        m->by_volume = true;
        m->volume += volume;
        for (int i = 0; i < 3; i++)
            m->volume_moment[i] += volume * centre[i];
    }
}

void fm_import_gz_buoyancy(fm_import *m, fm_robot_plugin *plugin)
{
    fm_foreign *graded = fm_foreign_child(plugin->xml, "graded_buoyancy");
    if (graded) {
        take_graded(m, graded);
    } else {
        const double classic = fm_import_number(m, plugin->xml, "fluid_density", 1000, 1, 2000);
        m->uniform = true;
        m->density = fm_import_number(m, plugin->xml, "uniform_fluid_density", classic, 1, 2000);
        m->has_density = true;
    }
    take_volumes(m, plugin);
    for (fm_foreign *x = NULL; (x = fm_foreign_next(plugin->xml, "enable", x));)
        fm_import_remark(m, x, "every link of this model counts as enabled");
}
