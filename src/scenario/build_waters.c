/* The live parameters of the sea: gravity, density, sound, pressure, profiles, spots and the bottom become words of the
 * world's live block. */
#include <stdio.h>
#include <string.h>

#include "scenario/build_environment.h"
#include "scenario/params.h"
#include "world/waters.h"

enum { PROFILE_NUMBERS = 5 }; /* of fm_segments */

typedef struct words {
    fm_builder *b;
    fm_waters_word *list;
    size_t count;
} words;

static const fm_attr *find_attr(const fm_element *element, const char *name)
{
    size_t i = 0;
    while (strcmp(element->attrs[i].name, name) != 0)
        i++;
    return &element->attrs[i];
}

static const fm_element *find_child(const fm_element *element, const char *name)
{
    size_t i = 0;
    while (strcmp(element->children[i]->name, name) != 0)
        i++;
    return element->children[i];
}

/* Attributes of one element, each a number, consecutive in the table. */
static fm_status add_table(words *w, const char *prefix, const fm_element *element, const char *first,
                           const double *start, uint32_t count, fm_waters_what what)
{
    const fm_attr *attr = find_attr(element, first);
    fm_status status = FM_OK;
    for (uint32_t i = 0; i < count && status == FM_OK; i++) {
        fm_waters_word word = {.what = what, .number = i};
        char path[FM_PATH_SIZE];
        snprintf(path, sizeof path, "%s/%s", prefix, attr[i].name);
        for (char *c = path; *c; c++)
            *c = *c == '-' ? '_' : *c;
        status = fm_build_world_live(w->b, path, &attr[i], 0, start[i], &word.word);
        if (status == FM_OK)
            w->list[w->count++] = word;
    }
    return status;
}

/* One number, or the numbers of a vector, each under its own path. */
static fm_status add_numbers(words *w, const char *path, const fm_attr *attr, const double *start, uint32_t count,
                             fm_waters_word what)
{
    static const char *const axes[3] = {"/x", "/y", "/z"};
    fm_status status = FM_OK;
    for (uint32_t i = 0; i < count && status == FM_OK; i++) {
        char full[FM_PATH_SIZE];
        snprintf(full, sizeof full, "%.*s%s", FM_PATH_SIZE - 4, path, count > 1 ? axes[i] : "");
        status = fm_build_world_live(w->b, full, attr, i, start[i], &what.word);
        if (status == FM_OK)
            w->list[w->count++] = what;
        what.number++;
    }
    return status;
}

/* A spot or mound of the tree. */
static fm_status add_hill(words *w, const fm_node *node, const char *top, fm_waters_what what, uint32_t index)
{
    const char *const names[3] = {top, "centre", "sigma"};
    static const uint32_t first[3] = {FM_WATERS_AMPLITUDE, FM_WATERS_CENTRE, FM_WATERS_SIGMA}, counts[3] = {1, 3, 3};
    fm_status status = FM_OK;
    for (int i = 0; i < 3 && status == FM_OK; i++) {
        char path[FM_PATH_SIZE];
        fm_node_path(node, names[i], path, sizeof path);
        status = add_numbers(w, path, find_attr(node->element, names[i]), fm_node_value(node, names[i])->numbers,
                             counts[i], (fm_waters_word){.what = what, .index = index, .number = first[i]});
    }
    return status;
}

static fm_status add_hills(words *w, const fm_node *parent, const char *element, const char *top, fm_waters_what what)
{
    fm_status status = FM_OK;
    uint32_t index = 0;
    for (const fm_node *node = NULL; parent && status == FM_OK && (node = fm_node_next(parent, element, node));)
        status = add_hill(w, node, top, what, index++);
    return status;
}

/* Density and sound always have their paths. */
static fm_status add_water(words *w)
{
    const fm_environment *e = w->b->model->environment;
    const fm_element *sound = find_child(&fm_water_element, "sound");
    const int64_t formula = (int64_t)e->column.sound;
    const double speed = e->column.sound_speed > 0 ? e->column.sound_speed : 1500;
    double whole;
    memcpy(&whole, &formula, sizeof whole);
    fm_status status = add_numbers(w, "/water/density", find_attr(&fm_water_element, "density"), &e->density, 1,
                                   (fm_waters_word){.what = FM_WATERS_DENSITY});
    if (status == FM_OK)
        status = add_numbers(w, "/water/sound/formula", find_attr(sound, "formula"), &whole, 1,
                             (fm_waters_word){.what = FM_WATERS_FORMULA});
    if (status == FM_OK)
        status = add_numbers(w, "/water/sound/speed", find_attr(sound, "speed"), &speed, 1,
                             (fm_waters_word){.what = FM_WATERS_SPEED});
    return status;
}

static fm_status add_profile(words *w, const char *name, const fm_segments *s, fm_waters_what what)
{
    const double start[PROFILE_NUMBERS] = {s->surface, s->z1, s->z2, s->slope1, s->slope2};
    char prefix[64];
    snprintf(prefix, sizeof prefix, "/water/%s", name);
    return add_table(w, prefix, find_child(&fm_water_element, name), "surface", start, PROFILE_NUMBERS, what);
}

/* Profiles from numbers; profiles from a file cannot be changed. */
static fm_status add_profiles(words *w)
{
    const fm_water_column *c = &w->b->model->environment->column;
    fm_status status = FM_OK;
    if (!c->profile)
        status = add_profile(w, "temperature", &c->temperature.profile, FM_WATERS_TEMPERATURE_PROFILE);
    if (status == FM_OK && !c->profile)
        status = add_profile(w, "salinity", &c->salinity.profile, FM_WATERS_SALINITY_PROFILE);
    if (status == FM_OK && c->conductivity_mode == FM_CONDUCTIVITY_PRINTED)
        status = add_profile(w, "conductivity", &c->conductivity.profile, FM_WATERS_CONDUCTIVITY_PROFILE);
    return status;
}

/* Gravity and pressure, always; the plane if the bottom is one. */
static fm_status add_world(words *w)
{
    const fm_environment *e = w->b->model->environment;
    const fm_bottom *b = e->bottom;
    const double plane[3] = {b ? b->depth : 0, b ? b->slope_x : 0, b ? b->slope_y : 0};
    fm_status status = add_table(w, "/world", &fm_world_element, "gravity", &e->gravity, 1, FM_WATERS_GRAVITY);
    if (status == FM_OK)
        status = add_table(w, "/water/pressure", find_child(&fm_water_element, "pressure"), "p0", e->column.pressure, 3,
                           FM_WATERS_PRESSURE);
    if (status == FM_OK && b && b->kind == FM_BOTTOM_PLANE)
        status = add_table(w, "/bottom", &fm_bottom_element, "depth", plane, 3, FM_WATERS_PLANE);
    return status;
}

static size_t count_children(const fm_node *parent, const char *element)
{
    size_t count = 0;
    for (const fm_node *node = NULL; parent && (node = fm_node_next(parent, element, node));)
        count++;
    return count;
}

fm_status fm_build_waters(fm_builder *b)
{
    static const char *const fields[] = {"temperature", "salinity", "conductivity"};
    enum { NUMBERS = 7, OTHERS = 3 + 1 + 3 + 3 + 3 * PROFILE_NUMBERS };
    const fm_node *world = fm_node_child(b->tree->root, "world"), *water = fm_node_child(world, "water"),
                  *bottom = fm_node_child(world, "bottom");
    size_t hills = count_children(bottom, "mound");
    for (size_t i = 0; water && i < FM_COUNT(fields); i++)
        hills += count_children(fm_node_child(water, fields[i]), "spot");
    words w = {.b = b, .list = fm_build_alloc(b, (OTHERS + NUMBERS * hills) * sizeof *w.list)};
    if (!w.list)
        return FM_ERR_MEMORY;
    fm_status status = add_water(&w);
    for (size_t i = 0; water && i < FM_COUNT(fields) && status == FM_OK; i++)
        status = add_hills(&w, fm_node_child(water, fields[i]), "spot", "amplitude",
                           (fm_waters_what)(FM_WATERS_TEMPERATURE_SPOT + i));
    if (status == FM_OK)
        status = add_hills(&w, bottom, "mound", "height", FM_WATERS_MOUND);
    if (status == FM_OK)
        status = add_world(&w);
    if (status == FM_OK)
        status = add_profiles(&w);
    b->model->waters = w.list;
    b->model->waters_count = w.count;
    return status;
}
