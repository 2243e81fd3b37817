/* UUV Simulator: hydrodynamics and buoyancy (uuv_underwater_object), thrusters and fins. Its coefficients are those of
 * axes forward-starboard-down; positions are forward-port-up. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "imports/robot.h"
#include "physics/angle.h"

/* ---- hydrodynamics ---- */

typedef struct box {
    double length, width, height; /* m; 0: not given */
} box;

/* 6 or 36 numbers into a matrix; false: the element is not there. */
static bool read_matrix(fm_import *m, fm_foreign *model, const char *name, double matrix[6][6])
{
    double list[36];
    fm_foreign *xml = fm_foreign_child(model, name);
    memset(matrix, 0, 36 * sizeof(double));
    if (!xml)
        return false;
    const size_t count = fm_import_list(m, xml, xml->text, list, 36);
    if (m->status == FM_OK && count != 6 && count != 36)
        fm_import_fail(m, xml, FM_ERR_SYNTAX, "has %zu numbers: must be 6 or 36", count);
    for (int i = 0; i < 6 && m->status == FM_OK; i++)
        for (int j = 0; j < 6; j++)
            matrix[i][j] = count == 36 ? list[6 * i + j] : i == j ? list[i] : 0;
    return m->status == FM_OK;
}

static void take_fossen(fm_import *m, fm_foreign *model)
{
    double matrix[6][6];
    if (read_matrix(m, model, "added_mass", matrix))
        fm_import_added(m, fm_foreign_child(model, "added_mass"), true, matrix);
    if (read_matrix(m, model, "linear_damping", matrix))
        for (int i = 0; i < 36; i++)
            fm_import_term(m, model, true, FM_TERM_LINEAR, (const int[]){i / 6, i % 6, 0}, matrix[i / 6][i % 6]);
    if (read_matrix(m, model, "linear_damping_forward_speed", matrix))
        for (int i = 0; i < 36; i++)
            fm_import_term(m, model, true, FM_TERM_PRODUCT, (const int[]){i / 6, i % 6, 0}, matrix[i / 6][i % 6]);
    if (!read_matrix(m, model, "quadratic_damping", matrix))
        return;
    bool coupled = false;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            coupled |= i != j && matrix[i][j] != 0;
    for (int i = 0; i < 6; i++)
        fm_import_term(m, model, true, FM_TERM_ABS, (const int[]){i, i, i}, matrix[i][i]);
    if (coupled)
        fm_import_lose(m, fm_foreign_child(model, "quadratic_damping"),
                       "terms off the diagonal: UUV Simulator does not use them either");
}

static void put_diagonal(fm_import *m, fm_foreign *model, const double added[6], const double drag[3])
{
    double matrix[6][6] = {{0}};
    for (int i = 0; i < 6; i++)
        matrix[i][i] = added[i];
    fm_import_added(m, model, true, matrix);
    for (int i = 0; i < 3; i++)
        fm_import_term(m, model, true, FM_TERM_ABS, (const int[]){i, i, i}, -drag[i]);
}

static double smallest(const box *b)
{
    return fmin(b->length, fmin(b->width, b->height));
}

static double greatest(const box *b)
{
    return fmax(b->length, fmax(b->width, b->height));
}

static double size_of(fm_import *m, fm_foreign *model, const char *name, double fallback)
{
    const double size = fm_import_number(m, model, name, fallback, 1e-6, 1000);
    if (m->status == FM_OK && !(size > 0))
        fm_import_fail(m, model, FM_ERR_SYNTAX, "has no <%s>, and its link no <box> to take it from", name);
    return size;
}

/* Drag 0.5 of the cross-section, added mass of half the displaced water. */
static void take_sphere(fm_import *m, fm_foreign *model, const box *b)
{
    const double r = size_of(m, model, "radius", smallest(b)), rho = m->density;
    const double added = 2.0 / 3.0 * rho * FM_PI * r * r * r, drag = 0.5 * rho * 0.5 * FM_PI * r * r;
    put_diagonal(m, model, (const double[]){added, added, added, 0, 0, 0}, (const double[]){drag, drag, drag});
}

/* UUV Simulator's coefficient for a ratio of length and diameter. */
static double step_value(double ratio, const double bounds[], const double values[], size_t count)
{
    size_t i = 0;
    while (i + 1 < count && ratio > bounds[i])
        i++;
    return values[i];
}

/* UUV Simulator's own formulas; `axis` i, j or k: forward, across, up. */
static void take_cylinder(fm_import *m, fm_foreign *model, const box *b)
{
    static const double round_bounds[] = {1, 2, 4}, round_values[] = {0.91, 0.85, 0.87, 0.99},
                        side_bounds[] = {1, 2, 5, 10}, side_values[] = {0.63, 0.68, 0.74, 0.82, 0.98};
    const double r = size_of(m, model, "radius", smallest(b)), l = size_of(m, model, "length", greatest(b));
    const double rho = m->density, section = FM_PI * r * r, ratio = l / (2 * r);
    const char *word = fm_import_text(model, "axis");
    int axis = greatest(b) == b->length ? 0 : greatest(b) == b->width ? 1 : 2;
    if (word && (strlen(word) != 1 || !strchr("ijk", *word)))
        fm_import_fail(m, fm_foreign_child(model, "axis"), FM_ERR_SYNTAX, "'%.20s': must be i, j or k", word);
    else if (word)
        axis = *word - 'i';
    double added[6], drag[3];
    for (int i = 0; i < 3; i++) {
        added[i] = i == axis ? rho * section : rho * section * l;
        added[3 + i] = i == axis ? 0 : rho * section * l * l * l / 12;
        drag[i] = i == axis ? 0.5 * step_value(ratio, round_bounds, round_values, 4) * section * rho
                            : 0.5 * step_value(ratio, side_bounds, side_values, 5) * r * l * rho;
    }
    put_diagonal(m, model, added, drag);
    fm_import_remark(m, model,
                     "the numbers of UUV Simulator's cylinder are taken as it has them: added mass along the "
                     "axis is rho pi r^2 for a length of 1 m, and the area from the side is r l");
}

/* Lamb's factors are Fathom's own. */
static void take_spheroid(fm_import *m, fm_foreign *model, const box *b)
{
    const double r = size_of(m, model, "radius", smallest(b)), l = size_of(m, model, "length", greatest(b));
    if (m->options->forward >= FM_IMPORT_Y)
        fm_import_lose(m, model, "a spheroid across the vehicle: Fathom's lies along x");
    else if (m->status == FM_OK) {
        fm_text_add(&m->floats, "  <spheroid");
        fm_import_put_one(&m->floats, "length", 2 * l, "m");
        fm_import_put_one(&m->floats, "diameter", 2 * r, "m");
        fm_text_add(&m->floats, "/>\n");
    }
    fm_import_remark(m, model,
                     "radius and length are half axes; the added mass is Lamb's of the displaced water, where "
                     "UUV Simulator takes the mass of the link");
}

static void take_box(fm_import *m, fm_foreign *model, const box *b)
{
    const double cd = fm_import_number(m, model, "cd", 1, 0, 100), l = size_of(m, model, "length", b->length),
                 w = size_of(m, model, "width", b->width), h = size_of(m, model, "height", b->height);
    const double half = 0.5 * m->density * cd;
    put_diagonal(m, model, (const double[6]){0}, (const double[]){half * w * h, half * l * h, half * w * l});
    fm_import_remark(m, model, "the drag of the box acts here; UUV Simulator computes it and does not apply it");
}

static void take_model(fm_import *m, fm_foreign *link, fm_foreign *model, const box *b)
{
    static const struct {
        const char *type;
        void (*take)(fm_import *m, fm_foreign *model, const box *b);
    } shapes[] = {{"sphere", take_sphere}, {"cylinder", take_cylinder}, {"spheroid", take_spheroid}, {"box", take_box}};
    const char *type = fm_import_text(model, "type");
    if (!type) {
        fm_import_fail(m, model, FM_ERR_SYNTAX, "has no <type>");
        return;
    }
    m->hydro.xml = link;
    take_fossen(m, model);
    if (strcmp(type, "fossen") == 0)
        return;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(type, shapes[i].type) == 0) {
            shapes[i].take(m, model, b);
            return;
        }
    fm_import_fail(m, fm_foreign_child(model, "type"), FM_ERR_NAME,
                   "'%.40s': must be fossen, sphere, cylinder, spheroid or box", type);
}

/* ---- buoyancy ---- */

static void take_buoyancy(fm_import *m, fm_foreign *xml, const fm_robot_link *link)
{
    double centre[3] = {0}, in_body[3];
    const double volume = fm_import_number(m, xml, "volume", 0, 0, 1e6);
    fm_import_vector(m, xml, "center_of_buoyancy", centre);
    const double own = fm_import_flag(m, xml, "neutrally_buoyant", false) ? link->mass / m->density : volume;
    const fm_robot_pose none = fm_robot_pose_none(), mount = fm_import_in_body(m, link, &none);
    fm_robot_pose_point(&mount, centre, in_body);
    m->by_volume = true;
    m->volume += own;
    for (int i = 0; i < 3; i++)
        m->volume_moment[i] += own * in_body[i];
    if (fabs(link->inertial.position[0]) + fabs(link->inertial.position[1]) + fabs(link->inertial.position[2]) > 0)
        fm_import_remark(m, xml,
                         "forces of the water act at the origin of '%.60s'; Gazebo Classic has them at its centre "
                         "of mass",
                         link->name);
}

static void take_link(fm_import *m, fm_foreign *xml)
{
    const char *name = fm_foreign_attr_get(xml, "name");
    fm_robot_link *link = name ? fm_robot_link_find(&m->robot, "", name) : NULL;
    if (!link || !link->attached) {
        fm_import_fail(m, xml, FM_ERR_NAME, "'%.60s' is not a link of the vehicle", name ? name : "");
        return;
    }
    fm_foreign *size = fm_foreign_child(xml, "box"), *model = fm_foreign_child(xml, "hydrodynamic_model");
    const box b = {fm_import_number(m, size, "length", 0, 0, 1000), fm_import_number(m, size, "width", 0, 0, 1000),
                   fm_import_number(m, size, "height", 0, 0, 1000)};
    take_buoyancy(m, xml, link);
    if (model && link == m->robot.base)
        take_model(m, xml, model, &b);
    else if (model) {
        fm_import_lose(m, model, "a body of Fathom has one set of coefficients, and has those of '%.60s'",
                       m->robot.base->name);
        fm_foreign_accept(model);
    }
}

void fm_import_uuv_water(fm_import *m, fm_robot_plugin *plugin)
{
    m->density = fm_import_number(m, plugin->xml, "fluid_density", 1028, 1, 2000);
    m->has_density = true;
    if (m->gravity == 9.80665)
        m->gravity = 9.8; /* of Gazebo Classic's worlds */
    for (fm_foreign *x = NULL; m->status == FM_OK && (x = fm_foreign_next(plugin->xml, "link", x));)
        take_link(m, x);
}

/* ---- thrusters ---- */

typedef struct conversion {
    enum { BASIC, BESSA, INTERPOLATED } type;
    double constant, left, right, delta_left, delta_right;
    double in[256], out[256];
    size_t count;
    double gain, efficiency, slowed; /* of the order, of the thrust, of the rotor */
    double least, most;              /* thrust, N */
} conversion;

static double value_between(const conversion *c, double x)
{
    size_t i = 1;
    while (i + 1 < c->count && x > c->in[i])
        i++;
    if (c->count == 1)
        return c->out[0];
    const double part = (x - c->in[i - 1]) / (c->in[i] - c->in[i - 1]);
    return c->out[i - 1] + fmax(0, fmin(part, 1)) * (c->out[i] - c->out[i - 1]);
}

/* Thrust (N) of an order. */
static double thrust_of(const conversion *c, double order)
{
    const double x = c->slowed * c->gain * order, square = x * fabs(x);
    double thrust = c->constant * square;
    if (c->type == BESSA)
        thrust = square <= c->delta_left    ? c->left * (square - c->delta_left)
                 : square >= c->delta_right ? c->right * (square - c->delta_right)
                                            : 0;
    if (c->type == INTERPOLATED)
        thrust = value_between(c, x);
    return fmax(c->least, fmin(c->efficiency * thrust, c->most));
}

static double required(fm_import *m, fm_foreign *parent, const char *name, double min, double max)
{
    if (parent && !fm_foreign_child(parent, name))
        fm_import_fail(m, parent, FM_ERR_SYNTAX, "has no <%s>", name);
    return fm_import_number(m, parent, name, 0, min, max);
}

static void read_points(fm_import *m, fm_foreign *xml, conversion *c)
{
    fm_foreign *in = fm_foreign_child(xml, "inputValues"), *out = fm_foreign_child(xml, "outputValues");
    if (!in || !out) {
        fm_import_fail(m, xml, FM_ERR_SYNTAX, "has no <inputValues> and <outputValues>");
        return;
    }
    c->count = fm_import_list(m, in, in->text, c->in, 256);
    const size_t other = fm_import_list(m, out, out->text, c->out, 256);
    if (m->status == FM_OK && (c->count != other || c->count < 2))
        fm_import_fail(m, in, FM_ERR_RANGE, "has %zu numbers and <outputValues> %zu: must be 2 or more of each",
                       c->count, other);
    for (size_t i = 1; i < c->count && m->status == FM_OK; i++)
        if (!(c->in[i] > c->in[i - 1]))
            fm_import_fail(m, in, FM_ERR_RANGE, "number %zu, %g, does not rise: must be above %g", i + 1, c->in[i],
                           c->in[i - 1]);
}

static void read_conversion(fm_import *m, fm_foreign *plugin, conversion *c)
{
    fm_foreign *xml = fm_foreign_child(plugin, "conversion");
    const char *type = fm_import_text(xml, "type");
    if (!type) {
        fm_import_fail(m, xml ? xml : plugin, FM_ERR_SYNTAX, "has no %s", xml ? "<type>" : "<conversion>");
    } else if (strcmp(type, "Basic") == 0) {
        c->constant = required(m, xml, "rotorConstant", -1e9, 1e9);
    } else if (strcmp(type, "Bessa") == 0) {
        c->type = BESSA;
        c->left = required(m, xml, "rotorConstantL", 0, 1e9);
        c->right = required(m, xml, "rotorConstantR", 0, 1e9);
        c->delta_left = required(m, xml, "deltaL", -1e12, 0);
        c->delta_right = required(m, xml, "deltaR", 0, 1e12);
    } else if (strcmp(type, "LinearInterp") == 0) {
        c->type = INTERPOLATED;
        read_points(m, xml, c);
    } else {
        fm_import_fail(m, fm_foreign_child(xml, "type"), FM_ERR_NAME, "'%.40s': must be Basic, Bessa or LinearInterp",
                       type);
    }
    c->gain = fm_import_number(m, plugin, "gain", 1, -1e9, 1e9);
    c->efficiency = fm_import_number(m, plugin, "thrust_efficiency", 1, 0, 1);
    c->slowed = fm_import_number(m, plugin, "propeller_efficiency", 1, 0, 1);
    c->least = fm_import_number(m, plugin, "thrustMin", -1e7, -1e7, 1e7);
    c->most = fm_import_number(m, plugin, "thrustMax", 1e7, -1e7, 1e7);
    if (m->status == FM_OK && (c->gain == 0 || c->slowed == 0 || c->efficiency == 0 || !(c->least < c->most)))
        fm_import_fail(m, plugin, FM_ERR_RANGE,
                       "never thrusts: gain, efficiencies and thrustMax - thrustMin must be "
                       "above 0");
}

/* The greatest order: a clamp, what reaches the greatest thrust, the end of the points, or 1000 N. */
static double greatest_order(fm_import *m, fm_foreign *plugin, const conversion *c)
{
    const double clamp = fm_import_number(m, plugin, "clampMax", 0, -1e300, 1e300),
                 low = fm_import_number(m, plugin, "clampMin", -clamp, -1e300, 1e300),
                 scale = fabs(c->gain * c->slowed);
    double order = clamp;
    if (clamp > 0 && clamp < 1e5) {
        if (low != -clamp)
            fm_import_lose(m, plugin, "orders go from %g to %g: in Fathom as far either way", low, clamp);
        return order;
    }
    if (c->type == INTERPOLATED)
        return fmax(fabs(c->in[0]), fabs(c->in[c->count - 1])) / scale;
    const double constant = c->type == BASIC ? fabs(c->constant) : c->right, most = c->most < 1e7 ? c->most : 1000;
    if (c->most >= 1e7)
        fm_import_remark(m, plugin, "has neither <thrustMax> nor <clampMax>: orders go to 1000 N");
    order = sqrt((most / (c->efficiency * constant) + (c->type == BESSA ? c->delta_right : 0))) / scale;
    if (!(order > 0 && order < 1e9))
        fm_import_fail(m, plugin, FM_ERR_RANGE, "its rotor constant %g gives no thrust", constant);
    return order;
}

/* A table of the thrust beside the model. */
static void put_table(fm_import *m, const conversion *c, double most, const char *name)
{
    enum { ROWS = 201 };
    fm_import_result *result = m->result;
    fm_text text = {0};
    char numbers[2][64];
    if (result->table_count == FM_IMPORT_TABLES_MOST) {
        fm_import_fail(m, NULL, FM_ERR_RANGE, "more than %d thrusters have a table", FM_IMPORT_TABLES_MOST);
        return;
    }
    fm_text_add(&text, "command,thrust_N\n");
    for (int i = 0; i < ROWS; i++) {
        const double command = (double)(2 * i - (ROWS - 1)) / (ROWS - 1);
        fm_text_add(&text, "%s,%s\n", fm_text_number_write(numbers[0], sizeof numbers[0], command),
                    fm_text_number_write(numbers[1], sizeof numbers[1], thrust_of(c, command * most)));
    }
    if (text.failed) {
        fm_text_free(&text);
        fm_import_fail(m, NULL, FM_ERR_MEMORY, "out of memory");
        return;
    }
    fm_import_table *table = &result->tables[result->table_count++];
    table->text = text.data;
    fm_text_copy(table->file, sizeof table->file, fm_import_print(m, "%s-%s.csv", m->result->name, name));
    fm_text_add(&m->actuators, " table=\"%s\" orders=\"command\"", table->file);
}

/* The lag of rotor or fin. */
static void put_dynamics(fm_import *m, fm_foreign *plugin)
{
    fm_foreign *xml = fm_foreign_child(plugin, "dynamics");
    const char *type = fm_import_text(xml, "type");
    if (!type)
        fm_import_fail(m, xml ? xml : plugin, FM_ERR_SYNTAX, "has no %s", xml ? "<type>" : "<dynamics>");
    else if (strcmp(type, "FirstOrder") == 0) {
        fm_text_add(&m->actuators, " dynamics=\"first-order\"");
        fm_import_put_one(&m->actuators, "time-constant", required(m, xml, "timeConstant", 1e-4, 1000), "s");
    } else if (strcmp(type, "Yoerger") == 0 || strcmp(type, "Bessa") == 0) {
        fm_import_lose(m, xml, "%s: the lag of this rotor depends on its speed; it follows its order at once", type);
        fm_foreign_accept(xml);
    } else if (strcmp(type, "ZeroOrder") != 0)
        fm_import_fail(m, fm_foreign_child(xml, "type"), FM_ERR_NAME,
                       "'%.40s': must be ZeroOrder, FirstOrder, Yoerger or Bessa", type);
}

static fm_robot_joint *joint_for(fm_import *m, fm_foreign *xml, const char *link_element, const char *joint_element)
{
    fm_foreign *on = fm_foreign_child(xml, link_element), *by = fm_foreign_child(xml, joint_element);
    fm_robot_joint *joint = by ? fm_robot_joint_find(&m->robot, "", by->text) : NULL;
    if (!by)
        fm_import_fail(m, xml, FM_ERR_SYNTAX, "has no <%s>", joint_element);
    else if (!joint || !joint->child->attached)
        fm_import_fail(m, by, FM_ERR_NAME, "'%.60s' is not a joint of the vehicle", by->text);
    else if (on && strcmp(joint->child->name, on->text) != 0)
        fm_import_fail(m, on, FM_ERR_NAME, "'%.60s' is not the child of joint '%.60s'", on->text, by->text);
    return m->status == FM_OK ? joint : NULL;
}

void fm_import_uuv_thruster(fm_import *m, fm_robot_plugin *plugin)
{
    fm_foreign *xml = plugin->xml;
    conversion c = {0};
    double position[3], axis[3];
    fm_robot_joint *joint = joint_for(m, xml, "linkName", "jointName");
    read_conversion(m, xml, &c);
    fm_foreign_child(xml, "thrusterID");
    if (!joint || m->status != FM_OK)
        return;
    const double most = greatest_order(m, xml, &c);
    const char *name = fm_import_name(m, joint->name);
    fm_import_axis(m, joint, position, axis);
    joint->driven = true;
    const double x = c.slowed * c.gain * most, ahead = c.efficiency * c.constant * x * fabs(x);
    const bool square = c.type == BASIC && fabs(ahead) <= fmin(c.most, -c.least) * (1 + 1e-9);
    for (int i = 0; i < 3 && square && ahead < 0; i++)
        axis[i] = -axis[i];
    fm_import_begin_actuator(m, square ? "propeller" : "thruster", name, position, axis);
    if (square) {
        fm_import_put_one(&m->actuators, "rated", most, "rad/s");
        fm_import_put_one(&m->actuators, "thrust", fabs(ahead), "N");
    } else {
        put_table(m, &c, most, name);
        fm_import_remark(m, xml, "its thrust is a table of 201 points; order 1 is the source's %g", most);
    }
    put_dynamics(m, xml);
    fm_text_add(&m->actuators, "/>\n");
    fm_import_add_order(m, name, square ? "0 rad/s" : "0");
}

/* ---- fins ---- */

void fm_import_uuv_fin(fm_import *m, fm_robot_plugin *plugin)
{
    static const double across[3] = {0, 1, 0};
    fm_foreign *xml = plugin->xml, *lift = fm_foreign_child(xml, "liftdrag");
    const char *type = fm_import_text(lift, "type");
    fm_robot_joint *joint = joint_for(m, xml, "link_name", "joint_name");
    if (!type)
        fm_import_fail(m, lift ? lift : xml, FM_ERR_SYNTAX, "has no %s", lift ? "<type>" : "<liftdrag>");
    if (!joint || m->status != FM_OK)
        return;
    double up[3];
    const fm_robot_pose none = fm_robot_pose_none(), in_body = fm_import_in_body(m, joint->child, &none);
    const char *name = fm_import_name(m, joint->name);
    joint->driven = true;
    fm_robot_pose_turn(&in_body, across, up);
    fm_import_put_fin(m, joint, name, in_body.position, up);
    fm_foreign_child(xml, "fin_id");
    if (strcmp(type, "Quadratic") == 0) {
        /* lift constant x angle x speed^2 is rho/2 area x angle x speed^2 with a slope of 1 */
        const double rise = required(m, lift, "lift_constant", 1e-9, 1e5),
                     drag = required(m, lift, "drag_constant", 0, 1e9);
        const double aspect = drag > 0 ? rise / (FM_PI * drag) : 100;
        fm_import_put_one(&m->actuators, "area", 2 * rise / m->density, "m2");
        fm_import_put_one(&m->actuators, "lift-slope", 1, "1/rad");
        fm_import_put_one(&m->actuators, "aspect-ratio", fmax(0.1, fmin(aspect, 100)), "");
        fm_text_add(&m->actuators, " span-efficiency=\"1\" stall=\"1.5 rad\" profile-drag=\"0\"");
        if (!(aspect >= 0.1 && aspect <= 100))
            fm_import_lose(m, fm_foreign_child(lift, "drag_constant"), "%g: with this lift it must be from %g to %g",
                           drag, rise / (100 * FM_PI), rise / (0.1 * FM_PI));
    } else if (strcmp(type, "TwoLines") == 0) {
        const double area = required(m, lift, "area", 1e-9, 100),
                     density = required(m, lift, "fluid_density", 0.1, 2000),
                     stall = required(m, lift, "alpha_stall", 0.02, 10);
        fm_import_put_one(&m->actuators, "area", area * density / m->density, "m2");
        fm_import_put_one(&m->actuators, "lift-slope", required(m, lift, "cla", 1e-3, 10), "1/rad");
        fm_import_put_one(&m->actuators, "stall", fmin(stall, 1.5), "rad");
        fm_text_add(&m->actuators, " profile-drag=\"0\"");
        fm_import_lose_of_lift(m, lift);
    } else {
        fm_import_fail(m, fm_foreign_child(lift, "type"), FM_ERR_NAME, "'%.40s': must be Quadratic or TwoLines", type);
    }
    put_dynamics(m, xml);
    fm_text_add(&m->actuators, "/>\n");
    fm_import_add_order(m, name, "0 deg");
}
