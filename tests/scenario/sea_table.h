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

typedef struct rest_config {
    double after;
} rest_config;

typedef struct kind_config {
    const char *author, *mesh;
    double speed;
} kind_config;

typedef struct version_config {
    int64_t version;
} version_config;

static const char *const integrators[] = {"euler", "heun", "rk4", NULL};

static const fm_attr water_attrs[] = {
    FM_REAL_ATTR(water_config, density, "density", "kg/m3", 900, 1200, "1025 kg/m3", FM_ATTR_LIVE,
                 "Density of the water."),
    FM_REAL_ATTR(water_config, temperature, "temperature", "degC", -2, 40, "10 degC", 0, "Temperature of the water."),
    FM_LIST_ATTR(water_config, depths, 5, "depths", "m", 0, INFINITY, 0, "Depths of layers."),
};
static const fm_element water_element =
    FM_TABLE_ELEMENT(water_config, "water", water_attrs, NULL, FM_ELEMENT_ONCE, "The water.");

static const fm_attr motor_attrs[] = {
    FM_NAME_ATTR(motor_config, name, "name", NULL, 0, "Name of the motor."),
    FM_REAL_ATTR(motor_config, gain, "gain", "N/V2", 0, 1e6, NULL, FM_ATTR_REQUIRED,
                 "Thrust per square of the voltage."),
    FM_REAL_ATTR(motor_config, speed, "max-speed", "rad/s", 0, 0, "700 rpm", 0, "Fastest rotation."),
};
static const fm_element motor_element = FM_TABLE_ELEMENT(motor_config, "motor", motor_attrs, NULL, 0, "A motor.");
static const fm_element pump_element = FM_TABLE_ELEMENT(motor_config, "pump", motor_attrs, NULL, 0, "A ballast pump.");

static const fm_attr rest_attrs[] = {
    FM_REAL_ATTR(rest_config, after, "after", "s", 0, 1e6, NULL, FM_ATTR_REQUIRED, "When to rest."),
};
static const fm_element rest_element =
    FM_TABLE_ELEMENT(rest_config, "rest", rest_attrs, NULL, FM_ELEMENT_OPEN, "A rest.");
static const fm_element *const plan_children[] = {&rest_element, NULL};
static const fm_element plan_element = FM_BARE_ELEMENT("plan", plan_children, FM_ELEMENT_ONCE, "What to do.");

static const fm_attr hull_attrs[] = {
    FM_REAL_ATTR(hull_config, length, "length", "m", 0, 1000, "10 ft", 0, "Length over all."),
    FM_REAL_ATTR(hull_config, width, "width", "m", 0, 1000, "1 m", 0, "Greatest width."),
};
static const fm_element hull_element =
    FM_CHILD_ELEMENT(boat_config, hull, hull_config, "hull", hull_attrs, NULL, "The hull.");

static const fm_attr boat_attrs[] = {
    FM_NAME_ATTR(boat_config, name, "name", NULL, FM_ATTR_REQUIRED, "Name of the boat."),
    FM_TEXT_ATTR(boat_config, model, "model", NULL, 0, "Its model."),
    FM_FILE_ATTR(boat_config, mesh, "mesh", NULL, 0, "Its shape."),
    FM_VECTOR_ATTR(boat_config, position, 3, "position", "m", 0, 0, "0 0 0 m", 0,
                   "Where it starts: north, east, down."),
    FM_REAL_ATTR(boat_config, heading, "heading", "rad", -3.14159265358979323846, 3.14159265358979323846, "0 deg", 0,
                 "Heading."),
    FM_REAL_ATTR(boat_config, speed, "speed", "m/s", 0, 100, "0 m/s", 0, "Speed through the water."),
    FM_CHOICE_ATTR(boat_config, integrator, integrators, "integrator", "heun", 0, "How it is integrated."),
};
static const fm_element *const boat_children[] = {&plan_element, &hull_element, NULL};
static const char *const boat_groups[] = {"actuator", NULL};
static const fm_element boat_element =
    FM_GROUPS_ELEMENT(boat_config, "boat", boat_attrs, boat_children, boat_groups, 0, "A boat.");

/* The root of a model file: it knows less than a <boat>. */
static const fm_attr model_attrs[] = {
    FM_TEXT_ATTR(kind_config, author, "author", NULL, 0, "Who measured it."),
    FM_FILE_ATTR(kind_config, mesh, "mesh", NULL, 0, "Its shape."),
    FM_REAL_ATTR(kind_config, speed, "speed", "m/s", 0, 0, NULL, 0, "Cruising speed."),
};
static const fm_element *const model_children[] = {&plan_element, NULL};
static const fm_element model_element =
    FM_GROUPS_ELEMENT(kind_config, "model", model_attrs, model_children, boat_groups, 0, "A kind of boat.");

static const fm_attr world_attrs[] = {
    FM_REAL_ATTR(sea_config, dt, "dt", "s", 1e-6, 10, "0.01 s", 0, "Time step."),
    FM_INT_ATTR(sea_config, seed, "seed", 0, 4294967295.0, "1", 0, "Seed of all random numbers."),
    FM_BOOL_ATTR(sea_config, tides, "tides", "false", 0, "Whether there are tides."),
    FM_TEXT_ATTR(sea_config, title, "title", NULL, 0, "A title."),
};
static const fm_element *const world_children[] = {&water_element, NULL};
static const fm_element world_element =
    FM_TABLE_ELEMENT(sea_config, "world", world_attrs, world_children,
                     FM_ELEMENT_ONCE | FM_ELEMENT_REQUIRED | FM_ELEMENT_TRANSPARENT, "The world.");

static const fm_attr sea_attrs[] = {
    FM_INT_ATTR(version_config, version, "version", 1, 1, NULL, FM_ATTR_REQUIRED, "Version."),
};
static const fm_element *const sea_children[] = {&world_element, &boat_element, NULL};
static const fm_element sea_element =
    FM_TABLE_ELEMENT(version_config, "sea", sea_attrs, sea_children, FM_ELEMENT_TRANSPARENT, "A sea with boats.");

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
