#include "bridges/pilot/pilot_view.h"

#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "physics/magnetic_field.h"
#include "physics/posture.h"
#include "physics/thruster_table.h"
#include "sensors/readings.h"
#include "world/surface.h"
#include "world/world.h"

/* --- instruments --- */

static const fm_output *find_output(const fm_part *part, fm_quantity quantity)
{
    for (size_t i = 0; i < part->output_count; i++)
        if (part->outputs[i].quantity == quantity && part->outputs[i].type == FM_OUTPUT_REAL)
            return &part->outputs[i];
    return NULL;
}

static int read_output(const fm_slot *slot, const fm_part *part, const fm_output *output, double *values, size_t count)
{
    const char *block = (const char *)fm_vehicle_words(slot->vehicle, part->output);
    fm_reading head = {.count = 1, .valid = 1};
    if (part->part_class->counts >= FM_COUNTS_READING)
        memcpy(&head, block, sizeof head);
    memcpy(values, block + output->offset, count * sizeof *values);
    return head.count > 0 && head.valid;
}

static void add_range(const fm_slot *slot, const fm_part *part, const fm_output *output, fm_pilot_view *v)
{
    static const double ahead[3] = {1, 0, 0};
    const fm_mount *mount = fm_part_mount(part);
    fm_pilot_range *r = &v->ranges[v->range_count++];
    int valid = read_output(slot, part, output, &r->distance, 1);
    r->nearest = mount ? mount->nearest : 0;
    r->farthest = mount && mount->farthest > 0 ? mount->farthest : 100;
    memcpy(r->axis, ahead, sizeof r->axis);
    if (mount)
        fm_vector_to_world(mount->rotation, ahead, r->axis);
    if (valid && r->distance == -HUGE_VAL)
        r->distance = r->nearest;
    else if (!valid || !(r->distance <= r->farthest))
        r->distance = 1.1 * r->farthest;
}

static void fill_ranges(const fm_slot *slot, fm_pilot_view *v)
{
    v->range_count = 0;
    for (size_t i = 0; i < slot->type->sensor_count && v->range_count < FM_PILOT_RANGES; i++) {
        const fm_part *part = &slot->type->parts[i];
        const fm_output *output = find_output(part, FM_QUANTITY_RANGE);
        if (output)
            add_range(slot, part, output, v);
    }
}

int fm_pilot_view_measure(const fm_world *world, int slot, fm_pilot_view *view)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    for (size_t i = 0; s && i < s->type->sensor_count; i++) {
        const fm_part *part = &s->type->parts[i];
        const fm_output *rates = find_output(part, FM_QUANTITY_RATES);
        const fm_output *force = find_output(part, FM_QUANTITY_ACCELERATION);
        double told[6];
        if (!rates || !force || rates->count != 3 || force->count != 3)
            continue;
        if (!read_output(s, part, rates, told, 3) || !read_output(s, part, force, told + 3, 3))
            return 0;
        memcpy(view->rates, told, sizeof view->rates);
        memcpy(view->force, told + 3, sizeof view->force);
        return 1;
    }
    return 0;
}

/* --- the truth --- */

static void fill_motion(const fm_world *world, int slot, const fm_slot *s, fm_pilot_view *v)
{
    const double *R = fm_slot_rotation(world, slot), down[3] = {0, 0, world->environment->gravity};
    const fm_vehicle *vehicle = s->vehicle;
    double turning[3], gravity[3], water[3];
    fm_pose pose;
    fm_world_pose(world, slot, &pose);
    memcpy(v->position, pose.position, sizeof v->position);
    memcpy(v->attitude, pose.attitude, sizeof v->attitude);
    memcpy(v->euler, pose.euler, sizeof v->euler);
    memcpy(v->rates, pose.velocity + 3, sizeof v->rates);
    fm_vector_to_world(R, pose.velocity, v->velocity);
    fm_cross(v->rates, pose.velocity, turning); /* ω × v: velocity is given in rotating axes */
    fm_vector_to_body(R, down, gravity);
    fm_vector_to_body(R, vehicle->water, water);
    for (int i = 0; i < 3; i++)
        v->force[i] = vehicle->acceleration[i] + turning[i] - gravity[i];
    v->ahead = pose.velocity[0] - water[0];
}

static void fill_surroundings(const fm_world *world, fm_pilot_view *v)
{
    const fm_environment *e = world->environment;
    const fm_geodetic origin = {e->latitude, e->longitude, 0};
    v->geodetic = fm_geodetic_from_chart(&origin, v->position[0], v->position[1]);
    v->geodetic.height = -v->position[2];
    v->pressure = fm_water_column_pressure(&e->column, fmax(v->position[2], 0));
    v->air_pressure = fm_water_column_pressure(&e->column, 0);
    v->temperature = fm_water_column_temperature(&e->column, v->position[0], v->position[1], fmax(v->position[2], 0));
    int still = e->wind[0] == 0 && e->wind[1] == 0 && e->wind[2] == 0;
    for (int i = 0; i < 3; i++)
        v->wind[i] = still ? (double)NAN : e->wind[i];
}

static void fill_battery(const fm_slot *s, fm_pilot_view *v)
{
    const fm_battery *b = &s->type->battery;
    v->remaining = v->battery[0] = v->battery[1] = NAN;
    if (!(b->capacity > 0))
        return;
    v->remaining = s->vehicle->charge / b->capacity;
    if (!(b->voltage > 0))
        return;
    double open = fm_supply_open(b->voltage, b->empty, v->remaining);
    v->battery[1] = fm_supply_current(open, b->resistance, s->vehicle->power);
    v->battery[0] = open - b->resistance * v->battery[1];
}

int fm_pilot_view_fill(const fm_world *world, int slot, fm_pilot_view *view)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    if (!s)
        return 0;
    view->time = fm_world_time(world);
    fill_motion(world, slot, s, view);
    fill_surroundings(world, view);
    fill_battery(s, view);
    fill_ranges(s, view);
    view->boat = fm_type_floats(s->type);
    view->dry = fm_slot_antenna_dry(world, slot);
    return 1;
}

void fm_pilot_view_magnetic(const fm_world *world, int slot, double year, fm_pilot_view *view)
{
    double field[3];
    fm_magnetic_field(&view->geodetic, year, field);
    fm_vector_to_body(fm_slot_rotation(world, slot), field, view->magnetic);
}

void fm_pilot_apparent_wind(const fm_pilot_view *view, double apparent[2])
{
    const double turn = view->euler[2];
    double air[2] = {view->wind[0] - view->velocity[0], view->wind[1] - view->velocity[1]};
    apparent[0] = apparent[1] = NAN;
    if (!isfinite(view->wind[0]))
        return;
    double ahead = fm_cos(turn) * air[0] + fm_sin(turn) * air[1];
    double starboard = fm_cos(turn) * air[1] - fm_sin(turn) * air[0];
    apparent[0] = fm_atan2(-starboard, -ahead);
    apparent[1] = sqrt(ahead * ahead + starboard * starboard);
}
