/* Tethers of a scenario. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scenario/build.h"
#include "world/tether.h"

typedef struct tether_config {
    const char *name, *from, *to;
    double from_point[3], to_point[3], length, diameter, mass, stiffness, damping, drag_across, drag_along, rate;
    int64_t pieces;
} tether_config;

#define REAL .type = FM_ATTR_REAL
#define VEC3 .type = FM_ATTR_VECTOR, .count = 3
#define T(field) .offset = offsetof(tether_config, field)
enum { LENGTH_ATTR = 5, PIECES_MOST = 256, SUBSTEPS_MOST = 20000 };
static const fm_attr attrs[] = {
    {.name = "name", .type = FM_ATTR_NAME, T(name), .flags = FM_ATTR_REQUIRED, .text = "of the tether"},
    {.name = "from", .type = FM_ATTR_NAME, T(from), .text = "vehicle at its first end; left out: a fixed point"},
    {.name = "from-point",
     VEC3,
     T(from_point),
     .unit = "m",
     .fallback = "0 0 0 m",
     .text = "in body axes of the vehicle, or north, east, depth of the fixed point"},
    {.name = "to", .type = FM_ATTR_NAME, T(to), .text = "vehicle at its second end; left out: a fixed point"},
    {.name = "to-point", VEC3, T(to_point), .unit = "m", .fallback = "0 0 0 m", .text = "likewise"},
    {.name = "length",
     REAL,
     T(length),
     .unit = "m",
     .min = 1e-2,
     .max = 1e5,
     .flags = FM_ATTR_REQUIRED | FM_ATTR_LIVE,
     .text = "natural length; as a live parameter the length ordered from the winch"},
    {.name = "rate",
     REAL,
     T(rate),
     .unit = "m/s",
     .min = 0,
     .max = 100,
     .fallback = "0.5 m/s",
     .text = "of pay-out and haul-in"},
    {.name = "diameter",
     REAL,
     T(diameter),
     .unit = "m",
     .min = 1e-4,
     .max = 1,
     .fallback = "10 mm",
     .text = "of the cable"},
    {.name = "mass",
     REAL,
     T(mass),
     .unit = "kg/m",
     .min = 1e-4,
     .max = 1e3,
     .fallback = "0.1 kg/m",
     .text = "in air, per length"},
    {.name = "stiffness", REAL, T(stiffness), .unit = "N", .min = 1, .max = 1e9, .fallback = "20000 N", .text = "EA"},
    {.name = "damping",
     REAL,
     T(damping),
     .unit = "N*s",
     .min = 0,
     .max = 1e7,
     .fallback = "50 N*s",
     .text = "structural: tension per strain rate"},
    {.name = "drag-across",
     REAL,
     T(drag_across),
     .unit = "",
     .min = 0,
     .max = 5,
     .fallback = "1.2",
     .text = "drag coefficient of flow across"},
    {.name = "drag-along",
     REAL,
     T(drag_along),
     .unit = "",
     .min = 0,
     .max = 1,
     .fallback = "0.02",
     .text = "friction coefficient of flow along"},
    {.name = "pieces",
     .type = FM_ATTR_INT,
     T(pieces),
     .min = 2,
     .max = PIECES_MOST,
     .fallback = "20",
     .text = "straight pieces of the lumped-mass model"}};
const fm_element fm_tether_element = {.name = "tether",
                                      .text = "A cable between a vehicle and a vehicle, buoy or fixed point: lumped "
                                              "masses with weight, drag, tension and pay-out.",
                                      .attrs = attrs,
                                      .attr_count = FM_COUNT(attrs),
                                      .config_size = sizeof(tether_config)};

size_t fm_build_count_tethers(const fm_builder *b)
{
    size_t count = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(b->tree->root, "tether", node));)
        count++;
    return count;
}

fm_status fm_build_tether_lengths(fm_builder *b, fm_live_param *live, double *start)
{
    fm_model *model = b->model;
    for (const fm_node *node = NULL; (node = fm_node_next(b->tree->root, "tether", node));) {
        char path[128];
        snprintf(path, sizeof path, "/%.100s/length", fm_node_name(node));
        char *kept = fm_arena_text(&model->arena, path);
        if (!kept)
            return fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the model");
        live[model->live_count++] = (fm_live_param){kept, &attrs[LENGTH_ATTR], (uint32_t)model->live_words, 0};
        start[model->live_words++] = fm_node_value(node, "length")->numbers[0];
    }
    return FM_OK;
}

static fm_status find_end(fm_builder *b, const fm_node *node, const char *attr, const char *name, const double point[3],
                          fm_tether_end *end)
{
    end->vehicle = -1;
    memcpy(end->point, point, sizeof end->point);
    fm_nearest nearest = {.wanted = name ? name : ""};
    for (size_t i = 0; name && i < b->model->vehicle_count; i++) {
        if (strcmp(b->model->vehicles[i].name, name) == 0)
            end->vehicle = (int)i;
        fm_nearest_offer(&nearest, b->model->vehicles[i].name);
    }
    char near[160];
    if (name && end->vehicle < 0)
        return fm_node_fail(node, attr, b->report, FM_ERR_NAME, "there is no vehicle '%s'%s", name,
                            fm_nearest_write(&nearest, near, sizeof near));
    return FM_OK;
}

/* Sub-steps that keep the stiffest mode stable: ω = 2 √(k/m) of a piece, h ω ≤ 1, and h c k-damping ≤ 1/2. */
static int stable_substeps(const fm_cable *c, double length, double dt)
{
    double piece = length / c->pieces;
    double mass = (c->mass + c->water_density * FM_PI / 4 * c->diameter * c->diameter) * piece;
    double omega = 2 * sqrt(c->stiffness / piece / mass), rate = 4 * c->damping / piece / mass;
    return (int)fmin(ceil(dt * (omega + rate)) + 1, SUBSTEPS_MOST + 1);
}

static fm_status build_tether(fm_builder *b, const fm_node *node, fm_tether *t, uint32_t number)
{
    tether_config c;
    fm_node_fill(node, &c);
    const fm_settings *s = &b->model->settings;
    double volume = FM_PI / 4 * c.diameter * c.diameter;
    *t = (fm_tether){.name = c.name,
                     .length = c.length,
                     .rate = c.rate,
                     .live = FM_LIVE_WORDS + number,
                     .state = (uint32_t)b->model->tether_words,
                     .cable = {.stiffness = c.stiffness,
                               .damping = c.damping,
                               .diameter = c.diameter,
                               .mass = c.mass,
                               .wet_weight = (c.mass - s->density * volume) * s->gravity,
                               .water_density = s->density,
                               .drag_across = c.drag_across,
                               .drag_along = c.drag_along,
                               .pieces = (int)c.pieces}};
    t->cable.substeps = stable_substeps(&t->cable, c.length, s->dt);
    if (t->cable.substeps > SUBSTEPS_MOST)
        return fm_node_fail(node, "stiffness", b->report, FM_ERR_RANGE,
                            "found %g N: with %d pieces and a tick of %g s the cable needs more than %d sub-steps; "
                            "make it softer, heavier or coarser",
                            c.stiffness, t->cable.pieces, s->dt, SUBSTEPS_MOST);
    b->model->tether_words += fm_tether_words(t);
    if (!c.from && !c.to)
        return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL, "one end at least must be a vehicle");
    fm_status status = find_end(b, node, "from", c.from, c.from_point, &t->ends[0]);
    return status == FM_OK ? find_end(b, node, "to", c.to, c.to_point, &t->ends[1]) : status;
}

fm_status fm_build_tethers(fm_builder *b)
{
    size_t count = fm_build_count_tethers(b);
    fm_tether *tethers = fm_build_alloc(b, (count + 1) * sizeof *tethers);
    if (!tethers)
        return FM_ERR_MEMORY;
    b->model->tethers = tethers;
    fm_status first = FM_OK;
    for (const fm_node *node = NULL; (node = fm_node_next(b->tree->root, "tether", node));) {
        fm_status status = build_tether(b, node, &tethers[b->model->tether_count], (uint32_t)b->model->tether_count);
        b->model->tether_count++;
        first = first == FM_OK ? status : first;
    }
    return first;
}
