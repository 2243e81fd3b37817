/* Tethers of a scenario. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scenario/build.h"
#include "world/tether.h"

typedef struct tether_config {
    const char *name, *from, *to;
    double from_point[3], to_point[3], length, diameter, mass, stiffness, damping, drag_across, drag_along, rate,
        elongation;
    int64_t pieces;
} tether_config;

enum { LENGTH_ATTR = 5, PIECES_MOST = 256, SUBSTEPS_MOST = 20000 };
static const fm_attr attrs[] = {
    FM_NAME_ATTR(tether_config, name, "name", NULL, FM_ATTR_REQUIRED, "of the tether"),
    FM_NAME_ATTR(tether_config, from, "from", NULL, 0, "vehicle at its first end; left out: a fixed point"),
    FM_VECTOR_ATTR(tether_config, from_point, 3, "from-point", "m", 0, 0, "0 0 0 m", 0,
                   "in body axes of the vehicle, or north, east, depth of the fixed point"),
    FM_NAME_ATTR(tether_config, to, "to", NULL, 0, "vehicle at its second end; left out: a fixed point"),
    FM_VECTOR_ATTR(tether_config, to_point, 3, "to-point", "m", 0, 0, "0 0 0 m", 0,
                   "in body axes of the vehicle, or north, east, depth of the fixed point"),
    FM_REAL_ATTR(tether_config, length, "length", "m", 1e-2, 1e5, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "natural length; as a live parameter the length ordered from the winch"),
    FM_REAL_ATTR(tether_config, rate, "rate", "m/s", 0, 100, "0.5 m/s", 0, "of pay-out and haul-in"),
    FM_REAL_ATTR(tether_config, diameter, "diameter", "m", 1e-4, 1, "10 mm", 0, "of the cable"),
    FM_REAL_ATTR(tether_config, mass, "mass", "kg/m", 1e-4, 1e3, "0.1 kg/m", 0, "in air, per length"),
    FM_REAL_ATTR(tether_config, stiffness, "stiffness", "N", 1, 1e9, "20000 N", 0, "EA"),
    FM_REAL_ATTR(tether_config, damping, "damping", "N*s", 0, 1e7, "50 N*s", 0, "structural: tension per strain rate"),
    FM_REAL_ATTR(tether_config, drag_across, "drag-across", "", 0, 5, "1.2", 0, "drag coefficient of flow across"),
    FM_REAL_ATTR(tether_config, drag_along, "drag-along", "", 0, 1, "0.02", 0, "friction coefficient of flow along"),
    FM_REAL_ATTR(
        tether_config, elongation, "elongation", "", 0.01, 100, "0.5", 0,
        "part of its length by which its ends may be farther apart than it is long: beyond, it parts or the run "
        "ends, as <world on-runaway> says"),
    FM_INT_ATTR(tether_config, pieces, "pieces", 2, PIECES_MOST, "20", 0, "straight pieces of the lumped-mass model"),
};
const fm_element fm_tether_element =
    FM_TABLE_ELEMENT(tether_config, "tether", attrs, NULL, 0,
                     "A cable between a vehicle and a vehicle, buoy or fixed point: lumped "
                     "masses with weight, drag, tension and pay-out.");

static fm_status find_end(fm_builder *b, const fm_node *node, const char *attr, const char *name, const double point[3],
                          fm_tether_end *end)
{
    end->vehicle = -1;
    end->period = 1;
    memcpy(end->point, point, sizeof end->point);
    fm_nearest nearest = {.wanted = name ? name : ""};
    for (size_t i = 0; name && i < b->model->vehicle_count; i++) {
        if (strcmp(b->model->vehicles[i].name, name) == 0)
            end->vehicle = (int)i;
        fm_nearest_offer(&nearest, b->model->vehicles[i].name);
    }
    if (end->vehicle >= 0)
        end->period = b->model->types[b->model->vehicles[end->vehicle].type].period;
    char near[160];
    if (name && end->vehicle < 0)
        return fm_node_fail(node, attr, b->report, FM_ERR_NAME, "unknown vehicle '%s'%s", name,
                            fm_nearest_write(&nearest, near, sizeof near));
    return FM_OK;
}

/* Sub-steps that keep the stiffest mode stable: ω = 2 √(k/m) of a segment, h ω ≤ 1, and h c k-damping ≤ 1/2. */
static int stable_substeps(const fm_cable *c, double length, double dt)
{
    double piece = length / c->pieces;
    double mass = (c->mass + c->water_density * FM_PI / 4 * c->diameter * c->diameter) * piece;
    double omega = 2 * sqrt(c->stiffness / piece / mass), rate = 4 * c->damping / piece / mass;
    return (int)fmin(ceil(dt * (omega + rate)) + 1, SUBSTEPS_MOST + 1);
}

static fm_status build_tether(fm_builder *b, const fm_node *node, fm_tether *t, uint32_t state)
{
    tether_config c;
    fm_node_fill(node, &c);
    const fm_settings *s = &b->model->settings;
    double volume = FM_PI / 4 * c.diameter * c.diameter;
    *t = (fm_tether){.name = c.name,
                     .length = c.length,
                     .rate = c.rate,
                     .elongation = c.elongation,
                     .state = state,
                     .cable = {.stiffness = c.stiffness,
                               .damping = c.damping,
                               .diameter = c.diameter,
                               .mass = c.mass,
                               .wet_mass = c.mass - s->density * volume,
                               .water_density = s->density,
                               .drag_across = c.drag_across,
                               .drag_along = c.drag_along,
                               .pieces = (int)c.pieces}};
    t->cable.substeps = stable_substeps(&t->cable, c.length, s->dt);
    if (t->cable.substeps > SUBSTEPS_MOST)
        return fm_node_fail(node, "stiffness", b->report, FM_ERR_RANGE,
                            "%g N is too stiff: with %d pieces and a tick of %g s the cable needs more than %d "
                            "sub-steps; make it softer, heavier or coarser",
                            c.stiffness, t->cable.pieces, s->dt, SUBSTEPS_MOST);
    if (!c.from && !c.to)
        return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL, "one end at least must be a vehicle");
    fm_status status = find_end(b, node, "from", c.from, c.from_point, &t->ends[0]);
    if (status == FM_OK)
        status = find_end(b, node, "to", c.to, c.to_point, &t->ends[1]);
    char path[128];
    snprintf(path, sizeof path, "/%.100s/length", c.name);
    return status == FM_OK ? fm_build_world_live(b, path, &attrs[LENGTH_ATTR], 0, c.length, &t->live) : status;
}

/* A cable that is stretched at the start throws its vehicles together. */
static void advise_tether(fm_builder *b, const fm_node *node, const fm_tether *t)
{
    double span = fm_tether_start_span(b->model, t), strain = span / t->length - 1;
    char text[240];
    fm_error warning = {0};
    if (!b->warnings || strain < 0.02) /* a taut mooring */
        return;
    snprintf(
        text, sizeof text,
        "tether '%.40s' begins stretched: its ends are %.4g m apart, and it pulls them with %.3g N; place them nearer "
        "to each other, or make it at least that long",
        t->name, span, strain * t->cable.stiffness);
    fm_node_error(node, "length", &warning, FM_OK, text);
    fm_report_add_error(b->warnings, &warning);
}

static size_t count_tethers(const fm_builder *b)
{
    size_t count = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(b->tree->root, "tether", node));)
        count++;
    return count;
}

fm_status fm_build_tethers(fm_builder *b)
{
    size_t count = count_tethers(b), words = 0;
    if (!count)
        return FM_OK;
    fm_tether *list = fm_build_alloc(b, count * sizeof *list);
    fm_tethers *tethers = fm_build_alloc(b, sizeof *tethers);
    if (!list || !tethers)
        return FM_ERR_MEMORY;
    *tethers = (fm_tethers){.list = list};
    fm_status first = FM_OK;
    for (const fm_node *node = NULL; (node = fm_node_next(b->tree->root, "tether", node));) {
        fm_tether *tether = &list[tethers->count++];
        fm_status status = build_tether(b, node, tether, (uint32_t)words);
        words += fm_tether_words(tether);
        if (status == FM_OK)
            advise_tether(b, node, tether);
        first = first == FM_OK ? status : first;
    }
    return first == FM_OK ? fm_build_subsystem(b, &fm_tethers_subsystem, tethers, words) : first;
}
