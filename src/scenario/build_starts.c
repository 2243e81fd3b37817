/* Checks that the vehicles of the file can be placed in their world. */
#include "geometry/broadphase.h"
#include "scenario/build.h"
#include "world/admission.h"

static fm_entrant entrant_of(const fm_placement *p)
{
    return (fm_entrant){p->name, p->type, p->position, p->euler, p->velocity};
}

static fm_status check_start(fm_builder *b, const fm_admission *where, const fm_node *node, const fm_placement *p)
{
    fm_error error = {0};
    fm_entrant entrant = entrant_of(p);
    fm_status status = fm_entrant_check(where, &entrant, &error);
    return status == FM_OK ? FM_OK : fm_node_fail(node, *where->what, b->report, status, "%s", error.text);
}

/* The element of the vehicle with this number. */
static const fm_node *find_node(fm_builder *b, size_t vehicle)
{
    const fm_node *node = NULL;
    for (size_t at = 0; (node = fm_node_next(b->tree->root, "vehicle", node));) {
        at += (size_t)fm_node_value(node, "count")->integer;
        if (vehicle < at)
            return node;
    }
    return node;
}

/* The first two that begin inside each other. */
static void warn_of_pairs(fm_builder *b, const fm_admission *where, const fm_broadphase_pair *pairs, size_t count)
{
    const fm_model *model = b->model;
    for (size_t i = 0; i < count; i++) {
        fm_entrant first = entrant_of(&model->vehicles[pairs[i].first]);
        fm_entrant second = entrant_of(&model->vehicles[pairs[i].second]);
        fm_error found = {0}, warning = {0};
        if (fm_entrants_check_apart(where, &second, &first, &found) == FM_OK)
            continue;
        fm_node_error(find_node(b, pairs[i].second), "position", &warning, FM_OK, found.text);
        fm_report_add_error(b->warnings, &warning);
        return;
    }
}

/* Hulls against each other: contact separates those of a file as well as it can, so that this is only a warning. */
static void inspect_hulls(fm_builder *b, const fm_admission *where)
{
    const fm_model *model = b->model;
    size_t count = model->vehicle_count, pair_count = 0;
    const fm_broadphase_pair *pairs = NULL;
    fm_aabb *boxes = count > 1 ? fm_alloc(count * sizeof *boxes) : NULL;
    fm_broadphase *broadphase = boxes ? fm_broadphase_create(count, 32 * count + 8192, NULL) : NULL;
    for (size_t i = 0; broadphase && i < count; i++) {
        fm_entrant entrant = entrant_of(&model->vehicles[i]);
        if (!fm_entrant_box(where, &entrant, &boxes[i]))
            boxes[i] = (fm_aabb){{1, 1, 1}, {0, 0, 0}}; /* overlaps nothing */
    }
    if (broadphase && fm_broadphase_pairs(broadphase, count, boxes, NULL, &pairs, &pair_count, NULL) == FM_OK)
        warn_of_pairs(b, where, pairs, pair_count);
    fm_broadphase_free(broadphase);
    fm_free(boxes);
}

fm_status fm_build_check_starts(fm_builder *b)
{
    const char *what = "position";
    const fm_admission where = {b->model, b->model->environment, 0, &what};
    fm_status first = FM_OK;
    size_t at = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(b->tree->root, "vehicle", node));)
        for (int64_t i = 0, count = fm_node_value(node, "count")->integer; i < count; i++, at++) {
            fm_status status = check_start(b, &where, node, &b->model->vehicles[at]);
            first = first == FM_OK ? status : first;
        }
    if (first == FM_OK && b->warnings)
        inspect_hulls(b, &where);
    return first;
}
