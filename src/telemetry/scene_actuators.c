#include "telemetry/scene_actuators.h"

#include <math.h>
#include <string.h>

#include "telemetry/frames.h"

static void make_unit(const double v[3], double out[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        out[i] = length > 0 ? v[i] / length : 0;
}

static const fm_moving_mass *find_mass(const fm_type *type, size_t actuator)
{
    for (size_t i = 0; i < type->moving_count; i++)
        if (type->moving[i].actuator == (int32_t)actuator)
            return &type->moving[i];
    return NULL;
}

/* The weight of a full tank, or the moment of a moved weight. */
static void add_weight(const fm_moving_mass *mass, double order, double gravity, double effect[6])
{
    double down[3] = {0, 0, (mass->moves ? mass->mass : order) * gravity}, arm[3];
    for (int i = 0; i < 3; i++)
        arm[i] = mass->moves ? mass->axis[i] * order : mass->position[i];
    if (!mass->moves)
        memcpy(effect, down, sizeof down);
    fm_cross(arm, down, effect + 3);
}

/* Force and moment at the greatest order, N and N·m, body axes. */
static void find_effect(const fm_type *type, size_t i, double gravity, double effect[6])
{
    const fm_actuator *a = &type->actuators[i];
    const fm_supply supply = {type->tables, 0};
    double size = 0;
    if (a->kind == FM_ACT_THRUST) {
        size = fm_actuator_thrust(a, &supply, a->high);
        memcpy(effect, a->column, sizeof a->column);
    } else if (a->kind == FM_ACT_FIN && type->kind->fin_column) {
        size = a->high;
        type->kind->fin_column(type, a->fin, effect);
    } else if (a->kind == FM_ACT_FREE && i < type->kind->order_count) {
        size = 1;
        memcpy(effect, type->kind->orders[i].effect, sizeof type->kind->orders[i].effect);
    }
    for (int k = 0; k < 6; k++)
        effect[k] *= size;
    if (a->kind == FM_ACT_MASS)
        add_weight(find_mass(type, i), a->high, gravity, effect);
}

/* What force terms make of it. */
static void add_terms(const fm_type *type, size_t i, double density, double effect[6])
{
    for (size_t k = 0; k < type->force_count; k++) {
        const fm_part *part = &type->parts[type->force_first + k];
        if (part->part_class->effect)
            part->part_class->effect(part->config, (int)i, type->actuators[i].high, density, effect);
    }
}

void fm_scene_actuators(const fm_model *model, size_t number, double gravity, fm_msg_scene_actuator *out)
{
    const fm_type *type = &model->types[number];
    for (size_t i = 0; i < type->actuator_count; i++) {
        const fm_moving_mass *mass = find_mass(type, i);
        double effect[6] = {0}, direction[3];
        find_effect(type, i, gravity, effect);
        add_terms(type, i, model->settings.density, effect);
        make_unit(mass && mass->moves ? mass->axis : effect, direction);
        out[i] = (fm_msg_scene_actuator){.type = (uint32_t)number,
                                         .name = type->actuator_names[i],
                                         .kind = type->fittings[i].element,
                                         .unit = type->actuator_units[i],
                                         .low = type->actuators[i].low,
                                         .high = type->actuators[i].high,
                                         .position = fm_flu_point_from_frd(type->fittings[i].position),
                                         .direction = fm_flu_from_frd(direction),
                                         .effect = {fm_flu_from_frd(effect), fm_flu_from_frd(effect + 3)}};
    }
}
