/* What was not read, as a report; the model and the scenario as XML. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "imports/robot.h"

/* ---- what was not read ---- */

/* Elements of the source that are known and have no counterpart; others are not known. */
static const struct {
    const char *name, *reason;
} reasons[] = {
    {"topic", "Fathom names its topics after vehicle and instrument"},
    {"sensor_topic", "Fathom names its topics after vehicle and instrument"},
    {"namespace", "Fathom names its topics after vehicle and actuator"},
    {"robot_namespace", "Fathom names its topics after the vehicle"},
    {"flow_velocity_topic", "the current is that of the scenario"},
    {"current_velocity_topic", "the current is that of the scenario"},
    {"visualize", "of Gazebo's window"},
    {"enable_gazebo_messages", "of Gazebo's messages"},
    {"enable_local_ned_frame", "Fathom's axes are north-east-down"},
    {"static_reference_frame", "Fathom's axes are north-east-down"},
    {"debug", "of UUV Simulator's messages"},
    {"velocity_control", "turns the visible propeller; the thrust does not follow from it"},
    {"p_gain", "of a controller inside Gazebo: orders act at once, or as <fin dynamics> says"},
    {"i_gain", "of a controller inside Gazebo: orders act at once, or as <fin dynamics> says"},
    {"d_gain", "of a controller inside Gazebo: orders act at once, or as <fin dynamics> says"},
    {"use_velocity_commands", "of a controller inside Gazebo"},
    {"surface", "contact is that of <contact>"},
    {"friction", "contact is that of <contact>"},
    {"dynamics", "friction and springs of a joint"},
    {"transmission", "of ros_control"},
    {"mimic", "joints do not follow each other"},
    {"self_collide", "parts of one vehicle do not touch each other"},
    {"selfCollide", "parts of one vehicle do not touch each other"},
    {"gravity", "every part of a vehicle has weight"},
    {"kinematic", "vehicles move by forces"},
    {"static", "vehicles move"},
    {"enable_wind", "wind acts on <wind-area>"},
    {"wind", "wind is that of the scenario"},
    {"physics", "the integrator is Fathom's own"},
    {"scene", "of Gazebo's window"},
    {"light", "of Gazebo's window"},
    {"gui", "of Gazebo's window"},
    {"material", "colours are taken, textures are not"},
    {"pbr", "colours are taken, textures are not"},
    {"specular", "colours are taken, textures are not"},
    {"ambient", "colours are taken, textures are not"},
    {"script", "colours are taken, textures are not"},
    {"model", "another model of this world: choose it with --model"},
    {"include", "another model of this world: choose it with --model"},
    {"spherical_coordinates", "write latitude and longitude in <world>"},
    {"plugin", "this plugin is not known to `fathom import`"},
    {"velocity_sensing", "Fathom's <gps> gives the position"},
    {"vertical_velocity", "Fathom's <depth> gives the depth"},
    {"aperture", "a beam of Fathom is a ray"},
    {"type", "kinds of one instrument are not distinguished"},
    {"reference_frame", "velocities are in the axes of the instrument"},
    {"resolution", "ranges and velocities are not rounded"},
    {"orientation_reference_frame", "orientation is that against north, east and down"},
    {"enable_orientation", "an <imu> always gives its orientation"},
    {"standard_pressure", "the pressure follows from the water of the scenario"},
    {"kPa_per_meter", "the pressure follows from the water of the scenario"},
    {"submesh", "a mesh is drawn as a whole"},
};

static const char *reason_for(const char *name)
{
    const char *colon = strchr(name, ':');
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strcmp(reasons[i].name, colon ? colon + 1 : name) == 0)
            return reasons[i].reason;
    return "not known to `fathom import`";
}

/* Plugins without a counterpart, by a part of their name. */
static const struct {
    const char *part, *reason;
} plugins[] = {
    {"buoyancyengine", "add a <ballast> that changes the weight instead of the volume"},
    {"ros_rpt", "add <usbl> or <lbl> with their transducers"},
    {"ros_pose_gt", "every log has the true pose"},
    {"ardupilot", "add <bridge kind=\"ardupilot\"/> to the scenario"},
    {"joint_state", "every log has the values of the actuators"},
    {"jointstatepublisher", "every log has the values of the actuators"},
    {"posepublisher", "every log has the true pose"},
    {"odometrypublisher", "every log has the true pose"},
};

static const char *plugin_reason(const fm_foreign *plugin)
{
    for (const fm_foreign_attr *a = plugin->attrs; a; a = a->next)
        for (size_t i = 0; i < sizeof plugins / sizeof *plugins; i++)
            if (fm_import_holds(a->value, plugins[i].part))
                return plugins[i].reason;
    return reason_for("plugin");
}

static void list_unread(fm_import *m, const fm_foreign *element)
{
    for (const fm_foreign_attr *a = element->attrs; a; a = a->next)
        if (!a->read && *a->value)
            fm_import_lose(m, element, "attribute %.40s=\"%.40s\": not known to `fathom import`", a->name, a->value);
    for (const fm_foreign *x = element->first; x; x = x->next)
        if (x->read)
            list_unread(m, x);
        else if (*x->text && strlen(x->text) <= 60)
            fm_import_lose(m, x, "'%s': %s", x->text, reason_for(x->name));
        else if (fm_foreign_is(x, "plugin"))
            fm_import_lose(m, x, "'%.60s': %s", x->attrs ? x->attrs->value : "", plugin_reason(x));
        else
            fm_import_lose(m, x, "%s", reason_for(x->name));
}

/* ---- the report ---- */

static int compare_notes(const void *a, const void *b)
{
    const fm_import_note *x = a, *y = b;
    const int files = strcmp(x->file, y->file);
    if (files)
        return files;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

void fm_import_report(fm_import *m)
{
    fm_text text = {0};
    for (size_t i = 0; i < m->root_count; i++)
        list_unread(m, m->roots[i]);
    if (m->status != FM_OK)
        return;
    if (m->note_count)
        qsort(m->notes, m->note_count, sizeof *m->notes, compare_notes);
    for (size_t i = 0; i < m->note_count; i++) {
        const fm_import_note *n = &m->notes[i];
        fm_text_add(&text, "%s:%d: <%s>: %s%s\n", n->file, n->line, n->element,
                    n->lost ? "not imported: " : "note: ", n->reason);
        m->result->lost += n->lost;
        m->result->remarks += !n->lost;
    }
    if (text.failed)
        fm_import_fail(m, NULL, FM_ERR_MEMORY, "out of memory");
    if (text.data)
        fm_text_clean(text.data);
    m->result->report = text.data;
}

/* ---- coefficients ---- */

static const char *const velocities[6] = {"u", "v", "w", "p", "q", "r"};

/* The unit of a coefficient of these velocities, -1: none. */
static void put_coefficient(fm_text *text, int row, const char *product, int j, int k, double value)
{
    static const char *const linear[2] = {"s/m", "s/rad"}, *const square[3] = {"s2/m2", "s2/m/rad", "s2/rad2"};
    char name[32], unit[32];
    if (value == 0)
        return;
    snprintf(name, sizeof name, "%c_%s", "XYZKMN"[row], product);
    snprintf(unit, sizeof unit, "%s*%s", row < 3 ? "N" : "N*m", k < 0 ? linear[j > 2] : square[(j > 2) + (k > 2)]);
    fm_text_add(text, "\n       ");
    fm_import_put_one(text, name, value, unit);
}

static void put_drag(const fm_import *m, fm_text *text)
{
    const fm_import_hydrodynamics *h = &m->hydro;
    fm_text drag = {0};
    char product[24];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            put_coefficient(&drag, i, velocities[j], j, -1, h->linear[i][j]);
            snprintf(product, sizeof product, "%s_abs%s", velocities[j], velocities[j]);
            put_coefficient(&drag, i, product, j, j, h->own[i][j]);
            snprintf(product, sizeof product, "absu_%s", velocities[j]);
            put_coefficient(&drag, i, product, 0, j, h->absu[i][j]);
            for (int k = j; k < 6; k++) {
                snprintf(product, sizeof product, j == k ? "%s2" : "%s%s", velocities[j], velocities[k]);
                put_coefficient(&drag, i, product, j, k, h->product[i][j][k]);
            }
        }
    if (drag.length)
        fm_text_add(text, "  <drag%s/>\n", drag.data);
    text->failed |= drag.failed;
    fm_text_free(&drag);
}

static void put_added(const fm_import *m, fm_text *text)
{
    const double(*a)[6] = m->hydro.added;
    double linear[9], coupled[9], angular[9];
    bool full = false;
    if (!m->hydro.has_added)
        return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            linear[3 * i + j] = a[i][j];
            coupled[3 * i + j] = a[i][3 + j];
            angular[3 * i + j] = a[3 + i][3 + j];
            full |= (i != j && (a[i][j] != 0 || a[3 + i][3 + j] != 0)) || a[i][3 + j] != 0;
        }
    fm_text_add(text, "  <added-mass-matrix");
    if (full) {
        fm_import_put(text, "linear-full", linear, 9, "kg");
        fm_import_put(text, "coupled", coupled, 9, "kg*m");
        fm_import_put(text, "angular-full", angular, 9, "kg*m2");
    } else {
        fm_import_put(text, "linear", (const double[]){a[0][0], a[1][1], a[2][2]}, 3, "kg");
        fm_import_put(text, "angular", (const double[]){a[3][3], a[4][4], a[5][5]}, 3, "kg*m2");
    }
    fm_text_add(text, "/>\n");
}

/* ---- the model ---- */

/* Two dashes end a comment. */
static void put_comment(fm_text *text, const char *plain)
{
    for (char before = 0; *plain; before = *plain++)
        fm_text_add(text, "%s%c", *plain == '-' && before == '-' ? " " : "", *plain);
}

static void put_head(const fm_import *m, fm_text *text)
{
    fm_text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Imported by `fathom import` from ");
    put_comment(text, m->roots[0]->file);
    fm_text_add(text, ".\n     Axes are forward, starboard, down; the origin is that of the link ");
    put_comment(text, m->robot.base->name);
    fm_text_add(text, ".\n");
    if (m->note_count) {
        fm_text_add(text, "     Not imported, or with a remark:\n");
        put_comment(text, m->result->report);
    }
    fm_text_add(text, " -->\n");
}

static void put_mass(const fm_import *m, fm_text *text)
{
    const double *I = m->inertia, off = fabs(I[1]) + fabs(I[2]) + fabs(I[5]);
    fm_text_add(text, "  <mass");
    fm_import_put_one(text, "mass", m->mass, "kg");
    fm_import_put(text, "centre", m->centre, 3, "m");
    fm_import_put(text, "inertia", (const double[]){I[0], I[4], I[8]}, 3, "kg*m2");
    if (off > 1e-12 * (I[0] + I[4] + I[8]))
        fm_import_put(text, "products", (const double[]){-I[1], -I[2], -I[5]}, 3, "kg*m2");
    fm_text_add(text, " about=\"centre\"/>\n");
    if (m->volume > 0) {
        double centre[3];
        for (int i = 0; i < 3; i++)
            centre[i] = m->volume_moment[i] / m->volume;
        fm_text_add(text, "  <buoyancy");
        fm_import_put_one(text, "volume", m->volume, "m3");
        fm_import_put(text, "centre", centre, 3, "m");
        fm_text_add(text, "/>\n");
    } else if (m->by_volume) {
        fm_text_add(text, "  <buoyancy volume=\"0 m3\"/>\n");
    }
}

static void put_part(fm_text *text, const fm_text *part)
{
    if (part->length)
        fm_text_add(text, "%s", part->data);
    text->failed |= part->failed;
}

static void put_model(const fm_import *m, fm_text *text)
{
    static const char *const names[3] = {"length", "width", "height"};
    put_head(m, text);
    fm_text_add(text, "<model name=\"%s\" text=\"", m->result->name);
    fm_text_add_escaped(text, m->robot.name);
    fm_text_add(text, ", imported\" coriolis=\"%s\"", m->hydro.rigid_body ? "rigid-body" : "full");
    for (int i = 0; i < 3 && m->has_size; i++)
        fm_import_put_one(text, names[i], fmin(m->most[i] - m->least[i], 1000), "m");
    fm_text_add(text, ">\n");
    put_mass(m, text);
    put_part(text, &m->floats);
    put_added(m, text);
    put_drag(m, text);
    put_part(text, &m->actuators);
    put_part(text, &m->hulls);
    put_part(text, &m->sensors);
    if (m->looks.length || m->look.length) {
        fm_text_add(text, "  <look");
        put_part(text, &m->look);
        fm_text_add(text, m->looks.length ? ">\n" : "/>\n");
        put_part(text, &m->looks);
        fm_text_add(text, "%s", m->looks.length ? "  </look>\n" : "");
    }
    fm_text_add(text, "</model>\n");
}

/* ---- the scenario ---- */

static void put_scenario(const fm_import *m, fm_text *text)
{
    fm_text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fathom version=\"1\" title=\"%s, imported\">\n",
                m->result->name);
    fm_text_add(text, "  <world dt=\"0.01 s\" duration=\"60 s\"");
    fm_import_put_one(text, "gravity", m->gravity, "m/s2");
    fm_text_add(text, ">\n    <water");
    fm_import_put_one(text, "density", m->density, "kg/m3");
    fm_text_add(text, "%s/>\n", m->uniform ? " surface=\"none\"" : "");
    if (m->current[0] != 0 || m->current[1] != 0 || m->current[2] != 0) {
        fm_text_add(text, "    <current");
        fm_import_put(text, "velocity", m->current, 3, "m/s");
        fm_text_add(text, "/>\n");
    }
    fm_text_add(text, "  </world>\n  <vehicle name=\"%s\" model=\"%s\" position=\"0 0 10 m\">\n", m->result->name,
                m->result->name);
    if (m->orders.length)
        fm_text_add(text,
                    "    <!-- change these orders, or add <at> elements for later ones -->\n"
                    "    <orders>\n      <at t=\"0 s\"%s/>\n    </orders>\n",
                    m->orders.data);
    fm_text_add(text, "  </vehicle>\n</fathom>\n");
    text->failed |= m->orders.failed;
}

void fm_import_write(fm_import *m)
{
    fm_text model = {0}, scenario = {0};
    if (m->status != FM_OK)
        return;
    put_model(m, &model);
    put_scenario(m, &scenario);
    if (model.data)
        fm_text_clean(model.data);
    m->result->model = model.data;
    m->result->scenario = scenario.data;
    if (model.failed || scenario.failed)
        fm_import_fail(m, NULL, FM_ERR_MEMORY, "out of memory");
}
