/* Builds the model from the checked tree of a scenario. */
#ifndef FM_SCENARIO_BUILD_H
#define FM_SCENARIO_BUILD_H

#include "base/names.h"
#include "scenario/tree.h"
#include "scenario/vehicle_elements.h"
#include "world/model.h"

typedef struct fm_builder {
    fm_model *model;
    fm_tree *tree;
    const fm_model *base;     /* of which the tree is a copy with other numbers; NULL: none */
    const fm_node *base_root; /* of its tree */
    fm_report *report;
    fm_report *warnings; /* NULL: no warnings wanted */
    size_t slots;        /* vehicles that the world will hold */
    fm_name_set names;   /* of vehicles, while they are built; '-' and '_' are the same */
    bool alone;          /* a model file: its vehicle has no position, and it is not meant to run */
    bool gaps; /* something was left out because of reported errors: a lookup that fails by name reports nothing */
} fm_builder;

/* The argument of a part's load function and a kind's build function. */
struct fm_part_load {
    fm_builder *builder;
    const fm_node *vehicle;
    const fm_node *node; /* of the part, or of the kind */
    fm_type *type;
    fm_part *part; /* NULL: a kind */
    int oversize;  /* it requested more state or output than allowed */
};

extern const fm_element fm_fathom_element; /* root of a scenario file */

/* --- build_kind.c: the kind of a vehicle, and its consequences --- */
fm_status fm_build_kind(fm_builder *b, const fm_node *vehicle, const fm_vehicle_config *config, fm_type *type);

/* --- build_hull.c --- */
fm_status fm_build_hull(fm_builder *b, const fm_node *vehicle, const fm_vehicle_config *config, fm_type *type);

/* --- look/build.c: the drawing; after actuators and parts --- */
fm_status fm_build_look(fm_builder *b, const fm_node *vehicle, const fm_vehicle_config *config, fm_type *type);

/* --- build_actuators.c --- */
/* The node of an actuator, or of the first of a group, by name; NULL: none. */
const fm_node *fm_build_actuator_node(const fm_node *vehicle, const char *name);
fm_status fm_build_actuators(fm_builder *b, const fm_node *vehicle, fm_type *type);
fm_status fm_build_orders(fm_builder *b, const fm_node *vehicle, const fm_type *type, fm_placement *placement);

/* --- build_parts.c: sensors, controllers, force terms, live parameters, columns --- */
fm_status fm_build_parts(fm_builder *b, const fm_node *vehicle, fm_type *type);
fm_status fm_build_live(fm_builder *b, const fm_node *vehicle, fm_type *type);

/* --- load_quantities.c --- */
/* Derives the mount of a part from its attributes. */
void fm_build_mount(const fm_part_class *class, void *config);
/* Whether the outputs of a part contain the quantities that it declares. */
fm_status fm_build_check_quantities(const fm_part *part, fm_error *error);

/* --- load_children.c --- */
/* Reports the error of a load function, at its node if the error has no location. */
fm_status fm_build_report(fm_builder *b, const fm_node *node, fm_status status, const fm_error *error);

/* --- build_tethers.c --- */
extern const fm_element fm_tether_element;
fm_status fm_build_tethers(fm_builder *b);

/* --- build_acoustics.c: sound, if a vehicle has a transducer --- */
extern const fm_element fm_acoustics_element;
fm_status fm_build_acoustics(fm_builder *b);

/* --- build_energy.c; after the tethers --- */
fm_status fm_build_energy_check(fm_builder *b);

/* --- build_end.c: a condition that ends the run; the last subsystem --- */
extern const fm_element fm_end_element;
fm_status fm_build_end(fm_builder *b);

/* --- build_faults.c: live parameters that change at given times --- */
extern const fm_element fm_faults_element;
fm_status fm_build_faults(fm_builder *b);

/* --- build_bridges.c --- */
fm_status fm_build_add_bridges(fm_tree *tree, const fm_load_options *options, fm_report *report);
fm_status fm_build_bridges(fm_builder *b);

/* --- build_view.c: what the page shows first, and the comment at the head of the scenario --- */
extern const fm_element fm_view_element;
fm_status fm_build_view(fm_builder *b);
fm_status fm_build_about(fm_builder *b);

/* --- build_server.c --- */
extern const fm_element fm_server_element;
fm_status fm_build_server(fm_builder *b);

/* --- build_approach.c --- */
fm_status fm_build_approach(fm_builder *b, const fm_node *vehicle, const fm_vehicle_config *config,
                            fm_placement *placement);

/* --- build_starts.c: refuses vehicles that begin inside something --- */
fm_status fm_build_check_starts(fm_builder *b);

/* --- build_advice.c: input that is valid and probably a mistake --- */
void fm_build_advise(fm_builder *b);
/* Checks that need the complete model. */
void fm_build_advise_built(fm_builder *b);
/* A step that is too long for the vehicle. */
void fm_build_advise_step(fm_builder *b, const fm_node *vehicle, const fm_vehicle_config *config, const fm_type *type);

/* The type that this one is a variant of; NULL: there is none. */
const fm_type *fm_build_base_type(const fm_builder *b, const fm_type *type);

/* --- build_params.c: the parameters that the model lists --- */
fm_status fm_build_params(fm_builder *b);

/* --- build.c --- */
fm_status fm_build_world(fm_builder *b);
/* A live parameter of the world itself at this path, a word with this initial value; *word: its index in the live
 * block. */
fm_status fm_build_world_live(fm_builder *b, const char *path, const fm_attr *attr, uint32_t component, double start,
                              uint32_t *word);
/* A subsystem with state in the world (world/subsystem.h); refusals are reported. */
fm_status fm_build_subsystem(fm_builder *b, const fm_subsystem *subsystem, const void *config, size_t words);
/* A period in s as a whole number of ticks; 0 and a report if it is not one. */
uint64_t fm_build_ticks(fm_builder *b, const fm_node *node, const char *attr, double seconds);
/* Zeroed memory in the model's arena; reports an error when out of memory. */
void *fm_build_alloc(fm_builder *b, size_t size);

#endif
