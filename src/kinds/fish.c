/* The robotic fish as a vehicle: kinematics, water noise, joints and boxes; collision is the world's contact stage. */
#include "kinds/fish.h"

#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "kinds/fish_elements.h"
#include "world/stream.h"

_Static_assert(sizeof(fm_fish_words) == FM_FISH_WORDS * sizeof(double), "numbers alone");

const fm_fish_config *fm_fish_of(const fm_type *type)
{
    return strcmp(type->kind->name, "fish") == 0 ? type->kind_config : NULL;
}

fm_fish_words *fm_fish_words_of(const fm_type *type, const fm_vehicle *vehicle)
{
    return (fm_fish_words *)(void *)((uint64_t *)(uintptr_t)(const void *)vehicle + type->kind_block.offset);
}

/* As the kernel reads it; `noise` of the water may be NULL. */
static fm_fish_craft craft_of(const fm_type *type, const fm_water_noise *noise)
{
    const fm_fish_config *c = type->kind_config;
    return (fm_fish_craft){.par = &c->par,
                           .tail = &c->table.tail,
                           .table = c->table.angle,
                           .theory = c->thrust == FM_FISH_ELONGATED ? &c->theory : NULL,
                           .fins = c->has_fins ? &c->fins : NULL,
                           .noise = noise,
                           .start = c->start,
                           .rows = c->table.rows,
                           .table_given = c->table_given,
                           .turns_by_tail = c->turns_by_tail,
                           .depth_given = c->depth_given,
                           .substeps = type->substeps,
                           .limit = c->table.limit,
                           .servo_rate = c->servo_rate,
                           .depth_rate = c->depth_rate};
}

static void start(const fm_model *model, const fm_type *type, fm_vehicle *vehicle)
{
    const fm_fish_craft craft = craft_of(type, NULL);
    fm_fish_words *words = fm_fish_words_of(type, vehicle);
    words->time = (double)vehicle->born * model->settings.dt;
    fm_fish_begin(&craft, vehicle->water, fm_actuator_states(type, vehicle), words, &vehicle->body);
}

static double step(const fm_environment *sea, const fm_type *type, fm_vehicle *vehicle, const fm_stream_source *water,
                   const fm_mass *mass, const double thrust[6], double dt)
{
    (void)mass, (void)thrust;
    fm_stream_room room;
    const fm_stream *stream = fm_stream_at(water, &type->body, 0, &vehicle->body, &room);
    const fm_fish_craft craft = craft_of(type, sea->noise);
    fm_fish_move(&craft, fm_actuator_states(type, vehicle), fm_actuator_faults(type, vehicle), stream->velocity, dt,
                 fm_fish_words_of(type, vehicle), &vehicle->body);
    return 1;
}

/* --- contact --- */

/* The two boxes of Fig. 8: the head along the heading, the tail from joint 1 to the tip. */
static void shapes(const fm_type *type, const fm_vehicle *vehicle, fm_shape *out)
{
    const fm_fish_config *c = type->kind_config;
    const double *tip = fm_fish_words_of(type, vehicle)->tip;
    double length = fm_max(fm_sqrt(tip[0] * tip[0] + tip[1] * tip[1]), 1e-9), cosine = -tip[0] / length,
           sine = -tip[1] / length;
    double head[3] = {0.5 * c->head_box[0], 0, 0}, tail[3] = {0.5 * tip[0], 0.5 * tip[1], 0};
    double level[4] = {1, 0, 0, 0}, half = fm_sqrt(fm_max(0.5 * (1 + cosine), 0));
    double turned[4] = {half, 0, 0, half > 1e-6 ? 0.5 * sine / half : 1};
    out[0] = fm_shape_box(0.5 * c->head_box[0], 0.5 * c->head_box[1], 0.5 * c->head_box[2]);
    out[1] = fm_shape_box(0.5 * length, 0.5 * c->tail_box[0], 0.5 * c->tail_box[1]);
    fm_shape_place(&out[0], head, level);
    fm_shape_place(&out[1], tail, turned);
}

/* For cameras: the body of the traverse points, bent by the joints. */
static void skin(const fm_type *type, const fm_vehicle *vehicle, fm_skin *out)
{
    const fm_fish_config *c = type->kind_config;
    fm_fish_mesh_bend(&c->seen, &c->shape, fm_fish_words_of(type, vehicle)->angle, out->point[0], out->normal[0]);
    out->vertices = c->seen.vertices;
    out->triangles = c->seen.triangles;
    out->index = c->seen.index;
    out->colour = c->seen_colour;
}

static double skin_radius(const fm_type *type)
{
    const fm_fish_config *c = type->kind_config;
    return 1.1 * fm_max(c->shape.head_length, c->par.tail_length) + c->head_box[2];
}

/* After a restored pose: the speed is reduced to kept_speed of itself, and the noise to that of the pose. */
static void touched(const fm_type *type, fm_vehicle *vehicle)
{
    fm_fish_words *words = fm_fish_words_of(type, vehicle);
    const double kept = type->contact.kept_speed;
    words->speed *= kept;
    words->momentum[0] *= kept;
    words->momentum[1] *= kept;
    words->spin *= kept;
    memcpy(words->noise, words->noise_before, sizeof words->noise);
}

/* --- what is published about a fish --- */

static const char *const joint_names[FM_FISH_JOINTS_MOST] = {"joint1", "joint2", "joint3", "joint4",
                                                             "joint5", "joint6", "joint7", "joint8"};

static void joints(const fm_type *type, const fm_vehicle *vehicle, double *angle, double *rate)
{
    const fm_fish_words *words = fm_fish_words_of(type, vehicle);
    memcpy(angle, words->angle, type->joint_count * sizeof *angle);
    memcpy(rate, words->rate, type->joint_count * sizeof *rate);
}

/* Joint 1 is the body origin; each other joint is one link's length further aft. */
static double joint_position(const fm_type *type, size_t i)
{
    const fm_fish_config *fish = type->kind_config;
    return i ? -fish->table.tail.link[i - 1] : 0;
}

static const fm_output columns[] = {
    FM_OUTPUT_NUMBER(fm_fish_words, cycles, "phase", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_fish_words, speed, "water-speed", "m/s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_fish_words, deflection, "tail-deflection", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_fish_words, tail_force, "tail-force", "N", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_fish_words, efficiency, "efficiency", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_fish_words, strouhal, "strouhal", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_fish_words, fin_starboard, "starboard-fin", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_fish_words, fin_port, "port-fin", "rad", FM_QUANTITY_NONE),
};

const fm_kind fm_kind_fish = {.name = "fish",
                              .element = &fm_fish_kind_element,
                              .state_size = sizeof(fm_fish_words),
                              .contact = FM_CONTACT_RESTORE,
                              .build = fm_fish_build,
                              .orders = fm_fish_orders,
                              .order_count = FM_FISH_ORDERS,
                              .limit_orders = fm_fish_limit_orders,
                              .live = fm_fish_live,
                              .start = start,
                              .step = step,
                              .shapes = shapes,
                              .skin = skin,
                              .skin_radius = skin_radius,
                              .touched = touched,
                              .joint_names = joint_names,
                              .joint_offset = offsetof(fm_fish_words, angle),
                              .joints = joints,
                              .joint_position = joint_position,
                              .columns = columns,
                              .column_count = FM_COUNT(columns),
                              .lanes = &fm_fish_lanes};
