/* Looks derived from the model itself. */
#include <math.h>
#include <string.h>

#include "look/build.h"
#include "physics/posture.h"

size_t fm_look_known_room(const fm_look_builder *l)
{
    size_t count = 1 + l->type->actuator_count + l->type->sensor_count;
    for (const fm_node *node = NULL; (node = fm_node_next(l->vehicle, "hull", node));)
        count++;
    return count;
}

/* --- hull --- */

static fm_look_kind look_of_hull(int64_t kind)
{
    static const fm_look_kind kinds[] = {[FM_HULL_BOX] = FM_LOOK_BOX,
                                         [FM_HULL_SPHERE] = FM_LOOK_SPHERE,
                                         [FM_HULL_CAPSULE] = FM_LOOK_CAPSULE,
                                         [FM_HULL_CYLINDER] = FM_LOOK_CYLINDER,
                                         [FM_HULL_ELLIPSOID] = FM_LOOK_ELLIPSOID};
    return kinds[kind];
}

static fm_status add_hull(fm_look_builder *l, fm_look_kind kind, const fm_hull_config *c)
{
    double *size;
    fm_look *look = fm_look_add(l, kind, c->name ? c->name : "hull", c->centre, 3, &size);
    if (!look)
        return FM_ERR_MEMORY;
    memcpy(size, c->size, sizeof c->size);
    fm_quat_from_euler(c->attitude, look->quaternion);
    return FM_OK;
}

/* Only a length: the vehicle is drawn eight times as long as wide. */
static fm_hull_config overall(const fm_vehicle_config *c)
{
    double width = c->width > 0 ? c->width : c->length / 8;
    return (fm_hull_config){.size = {c->length, width, c->height > 0 ? c->height : width}};
}

fm_status fm_look_add_hull(fm_look_builder *l)
{
    fm_status status = FM_OK;
    int count = 0;
    if (l->type->kind->skin) /* it is drawn by that */
        return FM_OK;
    for (const fm_node *node = NULL; status == FM_OK && (node = fm_node_next(l->vehicle, "hull", node)); count++) {
        fm_hull_config c;
        fm_node_fill(node, &c);
        status = add_hull(l, look_of_hull(c.kind), &c);
    }
    if (!count && l->config->length > 0) {
        fm_hull_config c = overall(l->config);
        int round = fabs(c.size[1] - c.size[2]) < 0.05 * c.size[1] && c.size[0] > c.size[1];
        status = add_hull(l, round ? FM_LOOK_CAPSULE : FM_LOOK_ELLIPSOID, &c);
    }
    return status;
}

/* --- fins --- */

double fm_look_fin_sense(const fm_type *type, int actuator, const double span[3])
{
    double column[6] = {0}, ahead[3] = {1, 0, 0}, axis[3];
    if (type->kind->fin_column)
        type->kind->fin_column(type, type->actuators[actuator].fin, column);
    fm_cross(ahead, column, axis); /* its leading edge turns to the direction of the lift */
    double along = axis[0] * span[0] + axis[1] * span[1] + axis[2] * span[2];
    return along > 0 ? 1 : along < 0 ? -1 : 0;
}

/* A fin given by its area extends from the axis of the hull, with its middle at the point of the force. */
static fm_status add_fin(fm_look_builder *l, int actuator, const fm_actuator_config *c)
{
    double out = sqrt(c->position[1] * c->position[1] + c->position[2] * c->position[2]), *size;
    if (!(c->area > 0 && out > 0))
        return FM_OK;
    double span = sqrt(1.4 * c->area), chord = c->area / (0.85 * span), root[3] = {c->position[0], 0, 0};
    double way[3] = {0, c->position[1] / out, c->position[2] / out};
    for (int i = 1; i < 3; i++)
        root[i] = c->position[i] - 0.5 * span * way[i];
    fm_look *look = fm_look_add(l, FM_LOOK_FOIL, c->name, root, 6, &size);
    if (!look)
        return FM_ERR_MEMORY;
    memcpy(size, (const double[6]){span, chord, 0.7 * chord, 0.15 * chord, 0.12 * chord, 0.25}, 6 * sizeof *size);
    fm_look_stand(look, way);
    look->actuator = actuator;
    double sense = fm_look_fin_sense(l->type, actuator, way);
    look->turn = sense != 0 ? sense : 1;
    return FM_OK;
}

/* --- screws --- */

/* The disc whose jet at maximum thrust reaches 4 m/s far downstream, 2 m/s in the disc: T = 2 rho A v². */
double fm_look_screw_diameter(const fm_look_builder *l, int actuator)
{
    const fm_actuator *a = &l->type->actuators[actuator];
    double thrust = fm_actuator_is_square(a) ? a->gain * a->high * a->high : a->high;
    double area = thrust / (2 * l->b->model->settings.density * 4);
    return fmax(sqrt(4 * area / 3.14159265358979323846), 0.02);
}

double fm_look_tunnel_length(const fm_look_builder *l, const double direction[3])
{
    double length = fabs(direction[0]) * l->config->length + fabs(direction[1]) * l->config->width +
                    fabs(direction[2]) * l->config->height;
    return 1.01 * (length > 0 ? length : 0.1);
}

static fm_status add_thruster(fm_look_builder *l, int actuator, const fm_actuator_config *c, int tunnel)
{
    double diameter = fm_look_screw_diameter(l, actuator), *size;
    fm_look *look =
        fm_look_add(l, tunnel ? FM_LOOK_TUNNEL : FM_LOOK_SCREW, c->name, c->position, tunnel ? 2 : 3, &size);
    if (!look)
        return FM_ERR_MEMORY;
    size[0] = diameter;
    size[1] = tunnel ? fm_look_tunnel_length(l, c->direction) : 3;
    if (!tunnel)
        size[2] = 0;
    fm_look_aim(look, c->direction);
    look->actuator = actuator;
    return FM_OK;
}

static fm_status add_actuator(fm_look_builder *l, int actuator)
{
    fm_actuator_config c = {0};
    const fm_node *node = fm_build_actuator_node(l->vehicle, l->type->actuator_names[actuator]);
    if (!node)
        return FM_OK; /* one of the kind itself */
    fm_node_fill(node, &c);
    switch (l->type->actuators[actuator].kind) {
    case FM_ACT_FIN: return add_fin(l, actuator, &c);
    case FM_ACT_THRUST: return add_thruster(l, actuator, &c, strcmp(node->element->name, "tunnel-thruster") == 0);
    default: return FM_OK;
    }
}

/* --- instruments --- */

/* The head of an instrument with a direction, on the hull: a small cylinder along it. */
static fm_status add_head(fm_look_builder *l, const fm_part *sensor)
{
    const fm_mount *mount = fm_part_mount(sensor);
    double across = fmin(l->config->width, l->config->height), *size;
    if (!mount || !(mount->farthest > 0) || !(across > 0) ||
        (mount->position[0] == 0 && mount->position[1] == 0 && mount->position[2] == 0))
        return FM_OK;
    fm_look *look = fm_look_add(l, FM_LOOK_CYLINDER, sensor->name, mount->position, 3, &size);
    if (!look)
        return FM_ERR_MEMORY;
    memcpy(size, (const double[3]){0.12 * across, 0.2 * across, 0.2 * across}, 3 * sizeof *size);
    memcpy(look->quaternion, mount->quaternion, sizeof look->quaternion);
    memcpy(look->colour, l->look.trim, 3 * sizeof *look->colour);
    return FM_OK;
}

fm_status fm_look_add_known(fm_look_builder *l)
{
    fm_status status = FM_OK;
    for (size_t i = 0; i < l->type->actuator_count && status == FM_OK; i++)
        if (!l->drawn[i])
            status = add_actuator(l, (int)i);
    for (size_t i = 0; i < l->type->sensor_count && status == FM_OK && !l->type->kind->skin; i++)
        if (!l->headed[i])
            status = add_head(l, &l->type->parts[i]);
    return status;
}
