/* A small table of elements that has one of everything, for the tests and the fuzzer of the reader. */
#ifndef SEA_TABLE_H
#define SEA_TABLE_H

#include "base/describe.h"
#include "base/registry.h"

#include <math.h>
#include <stddef.h>

typedef struct sea_config {
    double dt;
    int64_t seed, tides;
    const char *title;
} sea_config;

typedef struct water_config {
    double density, temperature;
    fm_list depths;
} water_config;

typedef struct hull_config {
    double length, width;
} hull_config;

typedef struct boat_config {
    const char *name, *model, *mesh;
    double position[3], heading, speed;
    int64_t integrator;
    hull_config hull;
} boat_config;

typedef struct motor_config {
    const char *name;
    double gain, speed;
} motor_config;

static const char *const integrators[] = {"euler", "heun", "rk4", NULL};

static const fm_attr water_attrs[] = {
    {.name = "density",
     .type = FM_ATTR_REAL,
     .offset = offsetof(water_config, density),
     .unit = "kg/m3",
     .min = 900,
     .max = 1200,
     .fallback = "1025 kg/m3",
     .text = "Density of the water.",
     .flags = FM_ATTR_LIVE},
    {.name = "temperature",
     .type = FM_ATTR_REAL,
     .offset = offsetof(water_config, temperature),
     .unit = "degC",
     .min = -2,
     .max = 40,
     .fallback = "10 degC",
     .text = "Temperature of the water."},
    {.name = "depths",
     .type = FM_ATTR_LIST,
     .offset = offsetof(water_config, depths),
     .unit = "m",
     .max = INFINITY,
     .count = 5,
     .text = "Depths of layers."},
};
static const fm_element water_element = {.name = "water",
                                         .text = "The water.",
                                         .attrs = water_attrs,
                                         .attr_count = FM_COUNT(water_attrs),
                                         .config_size = sizeof(water_config),
                                         .flags = FM_ELEMENT_ONCE};

static const fm_attr motor_attrs[] = {
    {.name = "name",
     .type = FM_ATTR_NAME,
     .offset = offsetof(motor_config, name),
     .unit = "",
     .text = "Name of the motor."},
    {.name = "gain",
     .type = FM_ATTR_REAL,
     .offset = offsetof(motor_config, gain),
     .unit = "N/V2",
     .max = 1e6,
     .text = "Thrust per square of the voltage.",
     .flags = FM_ATTR_REQUIRED},
    {.name = "max-speed",
     .type = FM_ATTR_REAL,
     .offset = offsetof(motor_config, speed),
     .unit = "rad/s",
     .fallback = "700 rpm",
     .text = "Fastest rotation."},
};
static const fm_element motor_element = {.name = "motor",
                                         .text = "A motor.",
                                         .attrs = motor_attrs,
                                         .attr_count = FM_COUNT(motor_attrs),
                                         .config_size = sizeof(motor_config)};
static const fm_element pump_element = {.name = "pump",
                                        .text = "A ballast pump.",
                                        .attrs = motor_attrs,
                                        .attr_count = FM_COUNT(motor_attrs),
                                        .config_size = sizeof(motor_config)};

static const fm_attr rest_attrs[] = {
    {.name = "after",
     .type = FM_ATTR_REAL,
     .offset = 0,
     .unit = "s",
     .max = 1e6,
     .text = "When to rest.",
     .flags = FM_ATTR_REQUIRED},
};
static const fm_element rest_element = {.name = "rest",
                                        .text = "A rest.",
                                        .attrs = rest_attrs,
                                        .attr_count = 1,
                                        .config_size = sizeof(double),
                                        .flags = FM_ELEMENT_OPEN};
static const fm_element *const plan_children[] = {&rest_element, NULL};
static const fm_element plan_element = {
    .name = "plan", .text = "What to do.", .children = plan_children, .flags = FM_ELEMENT_ONCE};

static const fm_attr hull_attrs[] = {
    {.name = "length",
     .type = FM_ATTR_REAL,
     .offset = offsetof(hull_config, length),
     .unit = "m",
     .max = 1000,
     .fallback = "10 ft",
     .text = "Length over all."},
    {.name = "width",
     .type = FM_ATTR_REAL,
     .offset = offsetof(hull_config, width),
     .unit = "m",
     .max = 1000,
     .fallback = "1 m",
     .text = "Greatest width."},
};
static const fm_element hull_element = {.name = "hull",
                                        .text = "The hull.",
                                        .attrs = hull_attrs,
                                        .attr_count = FM_COUNT(hull_attrs),
                                        .config_size = sizeof(hull_config),
                                        .parent_offset = offsetof(boat_config, hull),
                                        .flags = FM_ELEMENT_ONCE};

static const fm_attr boat_attrs[] = {
    {.name = "name",
     .type = FM_ATTR_NAME,
     .offset = offsetof(boat_config, name),
     .unit = "",
     .text = "Name of the boat.",
     .flags = FM_ATTR_REQUIRED},
    {.name = "model", .type = FM_ATTR_TEXT, .offset = offsetof(boat_config, model), .unit = "", .text = "Its model."},
    {.name = "mesh", .type = FM_ATTR_FILE, .offset = offsetof(boat_config, mesh), .unit = "", .text = "Its shape."},
    {.name = "position",
     .type = FM_ATTR_VECTOR,
     .offset = offsetof(boat_config, position),
     .unit = "m",
     .count = 3,
     .fallback = "0 0 0 m",
     .text = "Where it starts: north, east, down."},
    {.name = "heading",
     .type = FM_ATTR_REAL,
     .offset = offsetof(boat_config, heading),
     .unit = "rad",
     .min = -3.14159265358979323846,
     .max = 3.14159265358979323846,
     .fallback = "0 deg",
     .text = "Heading."},
    {.name = "speed",
     .type = FM_ATTR_REAL,
     .offset = offsetof(boat_config, speed),
     .unit = "m/s",
     .fallback = "0 m/s",
     .max = 100,
     .text = "Speed through the water."},
    {.name = "integrator",
     .type = FM_ATTR_CHOICE,
     .offset = offsetof(boat_config, integrator),
     .unit = "",
     .fallback = "heun",
     .choices = integrators,
     .text = "How it is integrated."},
};
static const fm_element *const boat_children[] = {&plan_element, &hull_element, NULL};
static const char *const boat_groups[] = {"actuator", NULL};
static const fm_element boat_element = {.name = "boat",
                                        .text = "A boat.",
                                        .attrs = boat_attrs,
                                        .attr_count = FM_COUNT(boat_attrs),
                                        .children = boat_children,
                                        .groups = boat_groups,
                                        .config_size = sizeof(boat_config)};

/* The root of a model file: it knows less than a <boat>. */
static const fm_attr model_attrs[] = {
    {.name = "author", .type = FM_ATTR_TEXT, .offset = 0, .unit = "", .text = "Who measured it."},
    {.name = "mesh", .type = FM_ATTR_FILE, .offset = sizeof(char *), .unit = "", .text = "Its shape."},
    {.name = "speed", .type = FM_ATTR_REAL, .offset = 2 * sizeof(char *), .unit = "m/s", .text = "Cruising speed."},
};
static const fm_element *const model_children[] = {&plan_element, NULL};
static const fm_element model_element = {.name = "model",
                                         .text = "A kind of boat.",
                                         .attrs = model_attrs,
                                         .attr_count = FM_COUNT(model_attrs),
                                         .children = model_children,
                                         .groups = boat_groups,
                                         .config_size = 3 * sizeof(char *)};

static const fm_attr world_attrs[] = {
    {.name = "dt",
     .type = FM_ATTR_REAL,
     .offset = offsetof(sea_config, dt),
     .unit = "s",
     .min = 1e-6,
     .max = 10,
     .fallback = "0.01 s",
     .text = "Time step."},
    {.name = "seed",
     .type = FM_ATTR_INT,
     .offset = offsetof(sea_config, seed),
     .unit = "",
     .max = 4294967295.0,
     .fallback = "1",
     .text = "Seed of all random numbers."},
    {.name = "tides",
     .type = FM_ATTR_BOOL,
     .offset = offsetof(sea_config, tides),
     .unit = "",
     .fallback = "false",
     .text = "Whether there are tides."},
    {.name = "title", .type = FM_ATTR_TEXT, .offset = offsetof(sea_config, title), .unit = "", .text = "A title."},
};
static const fm_element *const world_children[] = {&water_element, NULL};
static const fm_element world_element = {.name = "world",
                                         .text = "The world.",
                                         .attrs = world_attrs,
                                         .attr_count = FM_COUNT(world_attrs),
                                         .children = world_children,
                                         .config_size = sizeof(sea_config),
                                         .flags = FM_ELEMENT_ONCE | FM_ELEMENT_REQUIRED | FM_ELEMENT_TRANSPARENT};

static const fm_attr sea_attrs[] = {
    {.name = "version",
     .type = FM_ATTR_INT,
     .offset = 0,
     .unit = "",
     .min = 1,
     .max = 1,
     .text = "Version.",
     .flags = FM_ATTR_REQUIRED},
};
static const fm_element *const sea_children[] = {&world_element, &boat_element, NULL};
static const fm_element sea_element = {.name = "sea",
                                       .text = "A sea with boats.",
                                       .attrs = sea_attrs,
                                       .attr_count = 1,
                                       .children = sea_children,
                                       .config_size = sizeof(int64_t),
                                       .flags = FM_ELEMENT_TRANSPARENT};

static inline fm_status sea_registry(fm_registry *registry)
{
    static const char motor_class[] = "motor class", pump_class[] = "pump class";
    fm_status status = fm_registry_add(registry, "actuator", &motor_element, motor_class, NULL);
    if (status == FM_OK)
        status = fm_registry_add(registry, "actuator", &pump_element, pump_class, NULL);
    return status;
}

static const char *const sea_example = "<?xml version=\"1.0\"?>\n"
                                       "<sea version=\"1\">\n"
                                       "  <!-- a comment -->\n"
                                       "  <world dt=\"35 ms\" seed=\"7\" tides=\"yes\" title=\"a &lt;calm&gt; sea\">\n"
                                       "    <water density=\"1.03 t/m3\" depths=\"0 10 20 ft\"/>\n"
                                       "  </world>\n"
                                       "  <boat name=\"phoenix\" mesh=\"hull.stl\"\n"
                                       "        position=\"1 2 3 ft\"\n"
                                       "        heading=\"180 deg\" integrator=\"rk4\">\n"
                                       "    <motor name=\"port\" gain=\"0.5 lb/V2\"/>\n"
                                       "    <motor name=\"starboard\" gain=\"0.6 lb/V2\" max-speed=\"1000 rpm\"/>\n"
                                       "    <pump gain=\"1 N/V2\"/>\n"
                                       "    <plan><rest after=\"1 min\"/><rest after=\"2 min\"/></plan>\n"
                                       "  </boat>\n"
                                       "</sea>\n";

#endif
