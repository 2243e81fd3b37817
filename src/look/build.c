/* Builds the drawn pieces from <look>. */
#include "look/build.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "physics/posture.h"

/* --- pieces --- */

static void paint(fm_look *look, const double colour[3])
{
    memcpy(look->colour, colour, 3 * sizeof *colour);
    look->colour[3] = 1;
}

fm_look *fm_look_add(fm_look_builder *l, fm_look_kind kind, const char *name, const double position[3], size_t numbers,
                     double **size)
{
    double *room = fm_build_alloc(l->b, (numbers + 1) * sizeof *room);
    if (!room)
        return NULL;
    fm_look *look = &l->list[l->count++];
    *look = (fm_look){
        .kind = kind, .name = name ? name : "", .quaternion = {1}, .size = room, .size_count = numbers, .actuator = -1};
    memcpy(look->position, position, sizeof look->position);
    int small = kind == FM_LOOK_FOIL || kind == FM_LOOK_SCREW || kind == FM_LOOK_TUNNEL || kind == FM_LOOK_BAND;
    paint(look, small ? l->look.trim : l->look.colour);
    *size = room;
    return look;
}

/* The quaternion of the axes x, y, z (columns, orthonormal). */
static void from_axes(const double x[3], const double y[3], const double z[3], double q[4])
{
    double trace = x[0] + y[1] + z[2];
    if (trace > 0) {
        double s = 2 * sqrt(1 + trace);
        memcpy(q, (const double[4]){s / 4, (y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s}, 4 * sizeof *q);
    } else if (x[0] > y[1] && x[0] > z[2]) {
        double s = 2 * sqrt(1 + x[0] - y[1] - z[2]);
        memcpy(q, (const double[4]){(y[2] - z[1]) / s, s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s}, 4 * sizeof *q);
    } else if (y[1] > z[2]) {
        double s = 2 * sqrt(1 + y[1] - x[0] - z[2]);
        memcpy(q, (const double[4]){(z[0] - x[2]) / s, (y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s}, 4 * sizeof *q);
    } else {
        double s = 2 * sqrt(1 + z[2] - x[0] - y[1]);
        memcpy(q, (const double[4]){(x[1] - y[0]) / s, (z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4}, 4 * sizeof *q);
    }
}

static void make_unit(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] /= length;
}

/* `v` without its component along the unit vector `axis`, normalised; 0: nothing remains. */
static int part_across(const double v[3], const double axis[3], double out[3])
{
    double along = v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2];
    for (int i = 0; i < 3; i++)
        out[i] = v[i] - along * axis[i];
    if (out[0] * out[0] + out[1] * out[1] + out[2] * out[2] < 1e-6)
        return 0;
    make_unit(out);
    return 1;
}

void fm_look_aim(fm_look *look, const double direction[3])
{
    static const double down[3] = {0, 0, 1}, astern[3] = {-1, 0, 0};
    double x[3] = {direction[0], direction[1], direction[2]}, y[3], z[3];
    make_unit(x);
    if (!part_across(down, x, z))
        part_across(astern, x, z);
    fm_cross(z, x, y);
    from_axes(x, y, z, look->quaternion);
}

void fm_look_stand(fm_look *look, const double span[3])
{
    static const double ahead[3] = {1, 0, 0}, down[3] = {0, 0, 1};
    double z[3] = {-span[0], -span[1], -span[2]}, x[3], y[3];
    make_unit(z);
    if (!part_across(ahead, z, x))
        part_across(down, z, x);
    fm_cross(z, x, y);
    from_axes(x, y, z, look->quaternion);
}

/* --- names --- */

static fm_status unknown_name(const fm_look_builder *l, const fm_node *node, const char *attr, const char *what,
                              const char *name, fm_nearest *nearest)
{
    char near[160];
    fm_nearest_write(nearest, near, sizeof near);
    return fm_node_fail(node, attr, l->b->report, FM_ERR_NAME, "the vehicle has no %s '%s'%s", what, name, near);
}

/* *actuator is unchanged if none is named. */
static fm_status find_actuator(const fm_look_builder *l, const fm_node *node, const char *name, int *actuator)
{
    const fm_type *type = l->type;
    fm_nearest nearest = {.wanted = name};
    if (!name)
        return FM_OK;
    for (size_t i = 0; i < type->actuator_count; i++)
        if (strcmp(type->actuator_names[i], name) == 0) {
            *actuator = (int)i;
            l->drawn[i] = 1;
            return FM_OK;
        }
    for (size_t i = 0; i < type->actuator_count; i++)
        fm_nearest_offer(&nearest, type->actuator_names[i]);
    return unknown_name(l, node, "actuator", "actuator", name, &nearest);
}

static fm_status find_sensor(const fm_look_builder *l, const fm_node *node, const char *name, const fm_part **sensor)
{
    const fm_type *type = l->type;
    fm_nearest nearest = {.wanted = name};
    for (size_t i = 0; i < type->sensor_count; i++)
        if (strcmp(type->parts[i].name, name) == 0) {
            *sensor = &type->parts[i];
            l->headed[i] = 1;
            return FM_OK;
        }
    for (size_t i = 0; i < type->sensor_count; i++)
        fm_nearest_offer(&nearest, type->parts[i].name);
    return unknown_name(l, node, "sensor", "sensor", name, &nearest);
}

/* --- elements --- */

static fm_status add_solid(fm_look_builder *l, const fm_node *node)
{
    fm_solid_config c;
    const fm_part *sensor = NULL;
    double *size;
    fm_node_fill(node, &c);
    fm_status status = c.sensor ? find_sensor(l, node, c.sensor, &sensor) : FM_OK;
    fm_look *look =
        status == FM_OK ? fm_look_add(l, (fm_look_kind)c.kind, c.name ? c.name : c.sensor, c.position, 3, &size) : NULL;
    if (!look)
        return status ? status : FM_ERR_MEMORY;
    memcpy(size, c.size, sizeof c.size);
    fm_quat_from_euler(c.attitude, look->quaternion);
    const fm_mount *mount = sensor ? fm_part_mount(sensor) : NULL;
    if (mount && !fm_node_written(node, "position"))
        memcpy(look->position, mount->position, sizeof look->position);
    if (mount && !fm_node_written(node, "attitude"))
        memcpy(look->quaternion, mount->quaternion, sizeof look->quaternion);
    if (fm_node_written(node, "colour"))
        paint(look, c.colour);
    look->colour[3] = c.opacity;
    look->glows = (int)c.glows;
    return FM_OK;
}

static fm_status add_bar(fm_look_builder *l, const fm_node *node)
{
    fm_bar_config c;
    double along[3], middle[3], *size;
    fm_node_fill(node, &c);
    for (int i = 0; i < 3; i++) {
        along[i] = c.to[i] - c.from[i];
        middle[i] = 0.5 * (c.to[i] + c.from[i]);
    }
    double length = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    if (!(length > 1e-6))
        return fm_node_fail(node, "to", l->b->report, FM_ERR_RANGE, "a bar of length 0 is invalid: must not be zero");
    fm_look *look = fm_look_add(l, FM_LOOK_CYLINDER, c.name, middle, 3, &size);
    if (!look)
        return FM_ERR_MEMORY;
    memcpy(size, (const double[3]){length, 2 * c.radius, 2 * c.radius}, 3 * sizeof *size);
    fm_look_aim(look, along);
    paint(look, fm_node_written(node, "colour") ? c.colour : l->look.trim);
    return FM_OK;
}

static double station_value(fm_list list, size_t i, double fallback)
{
    return list.count > 1 ? list.values[i] : list.count ? list.values[0] : fallback;
}

/* By default, the hull of <cross-flow>. */
static void take_cross_flow(const fm_look_builder *l, fm_loft_config *c)
{
    const fm_node *flow = c->x.count ? NULL : fm_node_child(l->vehicle, "cross-flow");
    const fm_value *x = flow ? fm_node_value(flow, "x") : NULL, *b = flow ? fm_node_value(flow, "breadth") : NULL,
                   *h = flow ? fm_node_value(flow, "height") : NULL;
    if (!x || !b || !h)
        return;
    c->x = (fm_list){x->numbers, x->count};
    c->breadth = (fm_list){b->numbers, b->count};
    c->height = (fm_list){h->numbers, h->count};
}

static fm_status check_loft(const fm_look_builder *l, const fm_node *node, const fm_loft_config *c)
{
    const struct {
        const char *name;
        size_t count;
        int one;
    } lists[] = {{"breadth", c->breadth.count, 0},
                 {"height", c->height.count, 0},
                 {"centre", c->centre.count, 1},
                 {"exponent", c->exponent.count, 1}};
    if (c->x.count < 2)
        return fm_node_fail(node, "x", l->b->report, FM_ERR_RANGE, "%zu stations given: must be 2 or more", c->x.count);
    for (size_t i = 1; i < c->x.count; i++)
        if (!(c->x.values[i] > c->x.values[i - 1]))
            return fm_node_fail(node, "x", l->b->report, FM_ERR_RANGE, "stations do not increase at number %zu", i + 1);
    for (size_t i = 0; i < FM_COUNT(lists); i++)
        if (lists[i].count != c->x.count && !(lists[i].one && lists[i].count < 2))
            return fm_node_fail(node, lists[i].name, l->b->report, FM_ERR_RANGE,
                                "%zu numbers given: must be %zu: one per station", lists[i].count, c->x.count);
    return FM_OK;
}

static fm_status add_loft(fm_look_builder *l, const fm_node *node)
{
    fm_loft_config c;
    double *size;
    fm_node_fill(node, &c);
    take_cross_flow(l, &c);
    fm_status status = check_loft(l, node, &c);
    fm_look *look = status ? NULL : fm_look_add(l, FM_LOOK_LOFT, c.name, c.position, 5 * c.x.count, &size);
    if (!look)
        return status ? status : FM_ERR_MEMORY;
    for (size_t i = 0; i < c.x.count; i++) {
        double middle = -station_value(c.centre, i, 0), half = 0.5 * c.height.values[i];
        memcpy(size + 5 * i,
               (const double[5]){c.x.values[i], 0.5 * c.breadth.values[i], middle - half, middle + half,
                                 station_value(c.exponent, i, 2)},
               5 * sizeof *size);
    }
    if (fm_node_written(node, "colour"))
        paint(look, c.colour);
    return FM_OK;
}

/* Radius of a torpedo at a distance (m) from its stern. */
static double torpedo_radius(const fm_torpedo_config *c, double at)
{
    double radius = 0.5 * c->diameter, end = 0.5 * c->stern;
    if (at < c->tail) {
        double share = 1 - at / c->tail;
        return radius - (radius - end) * share * share;
    }
    double share = (at - (c->length - c->nose)) / c->nose;
    return share > 0 ? radius * sqrt(fmax(1 - share * share, 0)) : radius;
}

static fm_status add_torpedo(fm_look_builder *l, const fm_node *node)
{
    enum { TAIL = 12, NOSE = 16, STATIONS = TAIL + NOSE + 2 };
    fm_torpedo_config c;
    double *size;
    fm_node_fill(node, &c);
    c.length = c.length > 0 ? c.length : l->config->length;
    c.diameter = c.diameter > 0 ? c.diameter : l->config->height;
    c.nose = c.nose > 0 ? c.nose : 0.15 * c.length;
    c.tail = c.tail > 0 ? c.tail : 0.3 * c.length;
    c.stern = fm_node_written(node, "stern") ? c.stern : 0.2 * c.diameter;
    if (!(c.length > 0 && c.diameter > 0) || c.nose + c.tail > c.length || c.stern > c.diameter)
        return fm_node_fail(node, NULL, l->b->report, FM_ERR_RANGE,
                            "length %g m, diameter %g m, nose %g m, tail %g m, stern %g m; nose and tail must fit into "
                            "the length, the stern into the diameter",
                            c.length, c.diameter, c.nose, c.tail, c.stern);
    fm_look *look = fm_look_add(l, FM_LOOK_LOFT, c.name, c.position, 5 * (size_t)STATIONS, &size);
    if (!look)
        return FM_ERR_MEMORY;
    for (int i = 0; i < STATIONS; i++) {
        /* closer together towards the tip, where it is round */
        double left = (double)(STATIONS - 1 - i) / NOSE;
        double at = i <= TAIL ? c.tail * i / TAIL : c.length - c.nose * left * left, r = torpedo_radius(&c, at);
        memcpy(size + 5 * (size_t)i, (const double[5]){at - 0.5 * c.length, r, -r, r, 2}, 5 * sizeof *size);
    }
    if (fm_node_written(node, "colour"))
        paint(look, c.colour);
    return FM_OK;
}

static fm_status add_foil(fm_look_builder *l, const fm_node *node)
{
    fm_foil_config c;
    double *size;
    int actuator = -1;
    fm_node_fill(node, &c);
    fm_status status = find_actuator(l, node, c.actuator, &actuator);
    if (status == FM_OK && actuator >= 0 && l->type->actuators[actuator].kind != FM_ACT_FIN)
        status = fm_node_fail(node, "actuator", l->b->report, FM_ERR_MODEL, "'%s' is no fin", c.actuator);
    if (status == FM_OK && c.direction[0] == 0 && c.direction[1] == 0 && c.direction[2] == 0)
        status = fm_node_fail(node, "direction", l->b->report, FM_ERR_RANGE,
                              "a direction of length 0 is invalid: must not be zero");
    fm_look *look = status ? NULL : fm_look_add(l, FM_LOOK_FOIL, c.name ? c.name : c.actuator, c.position, 6, &size);
    if (!look)
        return status ? status : FM_ERR_MEMORY;
    double tip = fm_node_written(node, "tip") ? c.tip : 0.7 * c.chord;
    double sweep = fm_node_written(node, "sweep") ? c.sweep : 0.5 * (c.chord - tip);
    memcpy(size, (const double[6]){c.span, c.chord, tip, sweep, c.thickness * c.chord, c.hinge}, 6 * sizeof *size);
    fm_look_stand(look, c.direction);
    look->actuator = actuator;
    double sense = actuator < 0 ? 0 : fm_look_fin_sense(l->type, actuator, c.direction);
    look->turn = actuator < 0 ? 0 : (sense != 0 ? sense : 1) * (c.reversed ? -1 : 1);
    if (fm_node_written(node, "colour"))
        paint(look, c.colour);
    return FM_OK;
}

static fm_status add_screw(fm_look_builder *l, const fm_node *node)
{
    fm_screw_config c;
    fm_actuator_config a = {.direction = {1, 0, 0}};
    double *size;
    int actuator = -1;
    fm_node_fill(node, &c);
    fm_status status = find_actuator(l, node, c.actuator, &actuator);
    if (status == FM_OK && actuator >= 0 && l->type->actuators[actuator].kind != FM_ACT_THRUST)
        status =
            fm_node_fail(node, "actuator", l->b->report, FM_ERR_MODEL, "'%s' is no propeller or thruster", c.actuator);
    if (status != FM_OK)
        return status;
    if (actuator >= 0)
        fm_node_fill(fm_build_actuator_node(l->vehicle, c.actuator), &a);
    const double *point = fm_node_written(node, "position") ? c.position : a.position;
    const double *way = fm_node_written(node, "direction") ? c.direction : a.direction;
    if (way[0] == 0 && way[1] == 0 && way[2] == 0)
        return fm_node_fail(node, "direction", l->b->report, FM_ERR_RANGE,
                            "a direction of length 0 is invalid: must not be zero");
    fm_look *look = fm_look_add(l, FM_LOOK_SCREW, c.name ? c.name : c.actuator, point, 3, &size);
    if (!look)
        return FM_ERR_MEMORY;
    memcpy(size, (const double[3]){c.diameter, (double)c.blades, c.duct}, 3 * sizeof *size);
    fm_look_aim(look, way);
    look->actuator = actuator;
    if (fm_node_written(node, "colour"))
        paint(look, c.colour);
    return FM_OK;
}

static fm_status add_tunnel(fm_look_builder *l, const fm_node *node)
{
    fm_tunnel_config c;
    fm_actuator_config a = {0};
    double *size;
    int actuator = -1;
    fm_node_fill(node, &c);
    fm_status status = find_actuator(l, node, c.actuator, &actuator);
    if (status == FM_OK && l->type->actuators[actuator].kind != FM_ACT_THRUST)
        status = fm_node_fail(node, "actuator", l->b->report, FM_ERR_MODEL, "'%s' is no thruster", c.actuator);
    if (status != FM_OK)
        return status;
    fm_node_fill(fm_build_actuator_node(l->vehicle, c.actuator), &a);
    fm_look *look = fm_look_add(l, FM_LOOK_TUNNEL, c.actuator, a.position, 2, &size);
    if (!look)
        return FM_ERR_MEMORY;
    size[0] = fm_node_written(node, "diameter") ? c.diameter : fm_look_screw_diameter(l, actuator);
    size[1] = fm_node_written(node, "length") ? c.length : fm_look_tunnel_length(l, a.direction);
    fm_look_aim(look, a.direction);
    look->actuator = actuator;
    return FM_OK;
}

/* Positions from the lateral line and the flow of the vehicle, if the studs have none. */
static void take_sphere(const fm_look_builder *l, const fm_node *node, fm_studs_config *c)
{
    const fm_node *flow = fm_node_child(l->vehicle, "flow");
    const fm_value *radius = flow ? fm_node_value(flow, "radius") : NULL,
                   *centre = flow ? fm_node_value(flow, "centre") : NULL;
    if (!fm_node_written(node, "radius") && radius && radius->count)
        c->radius = radius->numbers[0];
    if (!fm_node_written(node, "centre") && centre && centre->count == 3)
        memcpy(c->centre, centre->numbers, sizeof c->centre);
    if (c->angles.count || !c->sensor)
        return;
    for (const fm_node *part = NULL; (part = fm_node_next(l->vehicle, NULL, part));) {
        const char *name = fm_node_name(part) ? fm_node_name(part) : part->element->name;
        const fm_value *angles = strcmp(name, c->sensor) == 0 ? fm_node_value(part, "angles") : NULL;
        if (angles)
            c->angles = (fm_list){angles->numbers, angles->count};
    }
}

static fm_status add_studs(fm_look_builder *l, const fm_node *node)
{
    fm_studs_config c;
    const fm_part *sensor = NULL;
    double *size;
    fm_node_fill(node, &c);
    fm_status status = c.sensor ? find_sensor(l, node, c.sensor, &sensor) : FM_OK;
    if (status != FM_OK)
        return status;
    take_sphere(l, node, &c);
    if (c.angles.count > FM_STUDS_MOST)
        return fm_node_fail(node, "angles", l->b->report, FM_ERR_RANGE, "%zu angles given: must be at most %d",
                            c.angles.count, FM_STUDS_MOST);
    if (!c.angles.count || !(c.radius > 0))
        return fm_node_fail(node, NULL, l->b->report, FM_ERR_MODEL,
                            "give angles and radius, or a sensor with angles and a <flow> with a radius");
    for (size_t i = 0; i < c.angles.count; i++) {
        double a = c.angles.values[i], way[3] = {fm_cos(a), fm_sin(a), 0}, point[3];
        for (int k = 0; k < 3; k++)
            point[k] = c.centre[k] + c.radius * way[k];
        fm_look *look = fm_look_add(l, FM_LOOK_CYLINDER, c.sensor, point, 3, &size);
        if (!look)
            return FM_ERR_MEMORY;
        memcpy(size, (const double[3]){0.6 * c.size, c.size, c.size}, 3 * sizeof *size);
        fm_look_aim(look, way);
        paint(look, fm_node_written(node, "colour") ? c.colour : l->look.trim);
    }
    return FM_OK;
}

static fm_status add_band(fm_look_builder *l, const fm_node *node)
{
    static const double origin[3];
    fm_band_config c;
    double *size;
    fm_node_fill(node, &c);
    if (!(c.to > c.from))
        return fm_node_fail(node, "to", l->b->report, FM_ERR_RANGE,
                            "%g m is out of range: must be more than from, %g m", c.to, c.from);
    fm_look *look = fm_look_add(l, FM_LOOK_BAND, NULL, origin, 2, &size);
    if (!look)
        return FM_ERR_MEMORY;
    size[0] = c.from;
    size[1] = c.to;
    if (fm_node_written(node, "colour"))
        paint(look, c.colour);
    return FM_OK;
}

static fm_status add_mesh(fm_look_builder *l, const fm_node *node)
{
    double *size;
    fm_look *look = fm_look_add(l, FM_LOOK_MESH, "mesh", l->look.position, 1, &size);
    if (!look)
        return FM_ERR_MEMORY;
    size[0] = l->look.scale;
    fm_quat_from_euler(l->look.attitude, look->quaternion);
    return fm_look_read_mesh(l->b, node, l->look.mesh, &look->mesh);
}

/* --- all --- */

static const struct {
    const char *element;
    fm_status (*add)(fm_look_builder *l, const fm_node *node);
} adders[] = {{"loft", add_loft},     {"torpedo", add_torpedo}, {"solid", add_solid},
              {"bar", add_bar},       {"foil", add_foil},       {"screw", add_screw},
              {"tunnel", add_tunnel}, {"studs", add_studs},     {"band", add_band}};

static fm_status add_element(fm_look_builder *l, const fm_node *node)
{
    for (size_t i = 0; i < FM_COUNT(adders); i++)
        if (strcmp(node->element->name, adders[i].element) == 0)
            return adders[i].add(l, node);
    return FM_OK;
}

static size_t count_pieces(const fm_look_builder *l, const fm_node *look)
{
    size_t count = fm_look_known_room(l) + 1;
    for (const fm_node *node = NULL; look && (node = fm_node_next(look, NULL, node));) {
        const fm_value *angles = fm_node_value(node, "angles");
        count += angles ? FM_STUDS_MOST : 1;
    }
    return count;
}

static fm_status add_described(fm_look_builder *l, const fm_node *look)
{
    fm_status status = FM_OK;
    int hull = look && (l->look.mesh || fm_node_child(look, "loft") || fm_node_child(look, "torpedo"));
    if (!hull)
        status = fm_look_add_hull(l);
    if (status == FM_OK && l->look.mesh)
        status = add_mesh(l, look);
    for (const fm_node *node = NULL; look && status == FM_OK && (node = fm_node_next(look, NULL, node));)
        status = add_element(l, node);
    return status;
}

static int is_zero(const double v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

/* Default pose of a mesh; attributes equal to the defaults are allowed. */
static fm_status check_idle(const fm_look_builder *l, const fm_node *look)
{
    const char *idle = l->look.mesh                 ? NULL
                       : l->look.scale != 1         ? "scale"
                       : !is_zero(l->look.position) ? "position"
                       : !is_zero(l->look.attitude) ? "attitude"
                                                    : NULL;
    return idle ? fm_node_fail(look, idle, l->b->report, FM_ERR_MODEL, "has no effect without mesh") : FM_OK;
}

fm_status fm_build_look(fm_builder *b, const fm_node *vehicle, const fm_vehicle_config *config, fm_type *type)
{
    const fm_node *look = fm_node_child(vehicle, "look");
    fm_look_builder l = {.b = b, .vehicle = vehicle, .config = config, .type = type};
    l.look = (fm_look_config){.colour = {0.79, 0.83, 0.85}, .trim = {0.16, 0.18, 0.2}, .scale = 1, .parts = 1};
    if (look)
        fm_node_fill(look, &l.look);
    if (look && !fm_node_written(look, "parts"))
        l.look.parts = !l.look.mesh;
    l.list = fm_build_alloc(b, count_pieces(&l, look) * sizeof *l.list);
    l.drawn = fm_build_alloc(b, type->actuator_count + 1);
    l.headed = fm_build_alloc(b, type->sensor_count + 1);
    if (!l.list || !l.drawn || !l.headed)
        return FM_ERR_MEMORY;
    fm_status status = look ? check_idle(&l, look) : FM_OK;
    if (status == FM_OK)
        status = add_described(&l, look);
    if (status == FM_OK && l.look.parts)
        status = fm_look_add_known(&l);
    type->looks = l.list;
    type->look_count = l.count;
    return status;
}
