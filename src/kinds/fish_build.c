/* Builds the robotic fish from its elements: its config, its orders and its live parameters. */
#include <string.h>

#include "environment/environment.h"
#include "fish/elongated.h"
#include "kinds/fish.h"
#include "kinds/fish_elements.h"

enum { STATIONS = 65, SEEN_RINGS = 40, SEEN_AROUND = 18 };

static const double default_fin_area = 0.0010; /* m², of the default fish's fins as the lift model counts them */

/* --- body --- */

static fm_status read_sections(fm_part_load *load, fm_fish_shape *shape, fm_error *error)
{
    size_t count = fm_load_child_count(load, "fish-body/section"),
           fins = fm_load_child_count(load, "fish-body/fin-splines");
    fm_status status = FM_OK;
    if (count != 0 && count != FM_FISH_SECTIONS)
        return fm_load_fail_at(load, "fish-body", 0, NULL, error, FM_ERR_MODEL,
                               "%zu sections given: must be %d (or none: the default fish)", count, FM_FISH_SECTIONS);
    for (size_t i = 0; i < count && status == FM_OK; i++) {
        fm_fish_section_config c = {0};
        status = fm_load_child(load, "fish-body/section", i, &c, error);
        shape->section[i].x = c.x;
        memcpy(shape->section[i].point, c.points, sizeof c.points);
    }
    for (size_t i = 0; i < fins && status == FM_OK; i++) {
        fm_fish_fin_config c = {0};
        status = fm_load_child(load, "fish-body/fin-splines", i, &c, error);
        memcpy(shape->fin[c.which].spline[0], c.leading, sizeof c.leading);
        memcpy(shape->fin[c.which].spline[1], c.trailing, sizeof c.trailing);
    }
    return status;
}

static fm_status read_body(fm_part_load *load, const fm_fish_body_config *c, fm_fish_config *fish,
                           fm_fish_measures *measures, fm_error *error)
{
    fm_error found = {0};
    fish->shape = fm_fish_shape_preset();
    fish->shape.head_length = c->head;
    if (c->links.count > 0) {
        fish->shape.tail = (fm_fish_tail){.joints = (int)c->links.count};
        memcpy(fish->shape.tail.link, c->links.values, c->links.count * sizeof *c->links.values);
    }
    fm_status status = read_sections(load, &fish->shape, error);
    if (status != FM_OK)
        return status;
    fm_fish_shape_scale(&fish->shape, c->scale);
    if (fm_fish_shape_check(&fish->shape, &found) != FM_OK ||
        fm_fish_shape_measure(&fish->shape, measures, &found) != FM_OK)
        return fm_load_fail_at(load, "fish-body", 0, NULL, error, found.status, "%s", found.text);
    double s = c->scale;
    fish->par.mass = c->mass > 0 ? c->mass * s * s * s : measures->volume * fish->par.density;
    fish->par.wetted_area = c->area > 0 ? c->area * s * s : measures->wetted_area;
    memcpy(fish->head_box, measures->head_box, sizeof fish->head_box);
    memcpy(fish->tail_box, measures->tail_box, sizeof fish->tail_box);
    if (c->tail_width > 0)
        fish->tail_box[0] = c->tail_width * s;
    return FM_OK;
}

/* The mesh that cameras see, in the model's memory, coloured by the formula. */
static fm_status make_skin(fm_part_load *load, fm_fish_config *fish, fm_error *error)
{
    fm_fish_mesh mesh;
    fm_error found = {0};
    if (fm_fish_mesh_build(&mesh, &fish->shape, SEEN_RINGS, SEEN_AROUND, &found) != FM_OK)
        return fm_load_fail(load, error, found.status, "%s", found.text);
    size_t vertices = mesh.vertices, triangles = mesh.triangles;
    fish->seen =
        (fm_fish_mesh){.vertices = mesh.vertices, .triangles = mesh.triangles, .trunk_triangles = mesh.trunk_triangles};
    fish->seen.position = fm_load_alloc(load, 3 * vertices * sizeof(double));
    fish->seen.normal = fm_load_alloc(load, 3 * vertices * sizeof(double));
    fish->seen.index = fm_load_alloc(load, 3 * triangles * sizeof(uint32_t));
    double(*colour)[3] = fm_load_alloc(load, vertices * sizeof *colour);
    int made = fish->seen.position && fish->seen.normal && fish->seen.index && colour && vertices <= FM_SKIN_VERTICES;
    for (size_t i = 0; made && i < vertices; i++) {
        uint8_t rgb[3];
        fm_fish_skin_colour(mesh.uv[2 * i], mesh.uv[2 * i + 1], rgb);
        for (int k = 0; k < 3; k++)
            colour[i][k] = rgb[k] / 255.0 * (rgb[k] / 255.0); /* from the eye's curve to light, about */
    }
    if (made) {
        memcpy(fish->seen.position, mesh.position, 3 * vertices * sizeof(double));
        memcpy(fish->seen.normal, mesh.normal, 3 * vertices * sizeof(double));
        memcpy(fish->seen.index, mesh.index, 3 * triangles * sizeof(uint32_t));
    }
    fish->seen_colour = (const double(*)[3])colour;
    fm_fish_mesh_free(&mesh);
    return made ? FM_OK
                : fm_load_fail(load, error, FM_ERR_MEMORY, "no memory for the fish's skin of %zu vertices", vertices);
}

/* --- wave, swimming, servo table --- */

static fm_status read_swimming(fm_part_load *load, const fm_fish_written *w, fm_fish_config *fish, fm_error *error)
{
    const fm_fish_swimming_config *c = &w->swimming;
    fm_fish_params *p = &fish->par;
    p->c1 = w->wave.c1;
    p->c2 = w->wave.c2 / w->body.scale;
    p->k = w->wave.k / w->body.scale;
    p->strouhal = c->strouhal;
    p->turn_gain = c->turn_gain;
    p->frequency_max = c->frequency_max;
    p->deflection_max = c->deflection_max;
    p->viscosity = c->viscosity;
    p->density = c->density > 0 ? c->density : fm_load_environment(load)->density;
    fish->depth_rate = c->depth_rate;
    fish->start[FM_FISH_FREQUENCY] = w->wave.frequency;
    p->tail_length = 0; /* until the links are known */
    p->reynolds_length = c->reynolds ? 1 : 0;
    if (w->wave.frequency > c->frequency_max)
        return fm_load_fail_at(load, "wave", 0, "frequency", error, FM_ERR_RANGE,
                               "%g Hz is out of range: must be up to the fish's %g Hz", w->wave.frequency,
                               c->frequency_max);
    return FM_OK;
}

static void finish_lengths(fm_fish_config *fish)
{
    fm_fish_params *p = &fish->par;
    for (int j = 0; j < fish->shape.tail.joints; j++)
        p->tail_length += fish->shape.tail.link[j];
    p->reynolds_length = p->tail_length + (p->reynolds_length > 0 ? fish->shape.head_length : 0);
}

/* Sines instead of the wave: one number per joint. */
static fm_status read_swings(fm_part_load *load, const fm_fish_servo_config *c, fm_fish_config *fish, fm_error *found)
{
    const size_t joints = (size_t)fish->shape.tail.joints;
    double lag[FM_FISH_JOINTS_MOST] = {0};
    if (c->file)
        return fm_load_fail_at(load, "servo-table", 0, "file", found, FM_ERR_MODEL,
                               "given together with swing: give only one of them");
    if (c->swing.count != joints)
        return fm_load_fail_at(load, "servo-table", 0, "swing", found, FM_ERR_RANGE,
                               "%zu numbers given: must be %zu: one for each joint", c->swing.count, joints);
    if (c->lag.count != 0 && c->lag.count != joints)
        return fm_load_fail_at(load, "servo-table", 0, "lag", found, FM_ERR_RANGE,
                               "%zu numbers given: must be %zu: one for each joint", c->lag.count, joints);
    if (c->lag.count)
        memcpy(lag, c->lag.values, joints * sizeof *lag);
    fm_status status =
        fm_servo_table_swing(&fish->table, &fish->shape.tail, c->swing.values, lag, (int)c->rows, c->limit, found);
    fish->table_given = 1;
    fish->par.c1 = fm_servo_table_reach(&fish->table) / fish->par.tail_length; /* A of (H6) is the tip's */
    fish->par.c2 = 0;
    return status;
}

static fm_status read_servo_table(fm_part_load *load, const fm_fish_servo_config *c, fm_fish_config *fish,
                                  fm_error *error)
{
    fm_error found = {0};
    fm_status status;
    fish->servo_rate = c->rate;
    if (c->swing.count > 0) {
        status = read_swings(load, c, fish, &found);
    } else if (c->lag.count > 0) {
        status = fm_load_fail_at(load, "servo-table", 0, "lag", &found, FM_ERR_MODEL, "given without swing");
    } else {
        status = fm_servo_table_fit(&fish->table, &fish->par, &fish->shape.tail, (int)c->rows, c->limit, &found);
        if (status == FM_OK && c->file) {
            status = fm_servo_table_load(&fish->table, c->file, c->limit, &found);
            fish->table_given = 1;
        }
    }
    if (status == FM_OK)
        return FM_OK;
    if (!found.file[0])
        return fm_load_fail_at(load, "servo-table", 0, NULL, error, status, "%s", found.text);
    *error = found; /* at its location in the table's own file */
    return status;
}

/* --- options --- */

static fm_status read_theory(fm_part_load *load, fm_fish_config *fish, fm_error *error)
{
    fm_error found = {0};
    fm_fish_station stations[STATIONS];
    fm_fish_elongated_setup setup = fm_fish_elongated_defaults(&fish->par, fish->shape.head_length, &fish->shape.tail);
    fm_fish_shape_stations(&fish->shape, stations, STATIONS);
    if (fm_fish_elongated_build(&fish->theory, fish->elements, &setup, stations, STATIONS, &found) != FM_OK)
        return fm_load_fail_at(load, NULL, 0, "thrust", error, found.status, "%s", found.text);
    return FM_OK;
}

static void read_fins(const fm_fish_fins_config *c, const fm_fish_measures *measures, fm_fish_config *fish)
{
    fish->has_fins = 1;
    fish->fins = fm_fish_fins_preset();
    fish->fins.density = fish->par.density;
    fish->fins.area = c->area > 0 ? c->area : measures->fin_area[1] > 0 ? measures->fin_area[1] : default_fin_area;
    fish->fins.lift_slope = fm_fish_fin_lift_slope(c->aspect);
    fish->fins.angle_max = c->limit;
    fish->fins.pitch_max = c->pitch_max;
}

static fm_status read_orders(fm_part_load *load, const fm_fish_written *w, fm_fish_config *fish, fm_error *error)
{
    fish->start[FM_FISH_DEFLECTION] = w->deflection;
    fish->start[FM_FISH_DEPTH] = w->depth;
    fish->depth_given = fm_load_has_attribute(load, "depth");
    double most = fish->par.deflection_max;
    if (w->deflection > most || w->deflection < -most)
        return fm_load_fail_at(load, NULL, 0, "deflection", error, FM_ERR_RANGE,
                               "%g rad is out of range: must be up to the fish's %g rad either way", w->deflection,
                               most);
    return FM_OK;
}

static void finish_type(const fm_fish_config *fish, const fm_shape *shapes, fm_type *type)
{
    type->kind_config = fish;
    type->joint_count = (size_t)fish->shape.tail.joints;
    type->shapes = shapes; /* placed by the kind */
    type->shape_count = 2;
    type->length = type->length > 0 ? type->length : fish->shape.head_length + fish->par.tail_length;
    type->width = type->width > 0 ? type->width : fish->head_box[1];
    type->height = type->height > 0 ? type->height : fish->head_box[2];
}

fm_status fm_fish_build(fm_part_load *load, const void *config, fm_type *type, fm_error *error)
{
    const fm_fish_written *w = config;
    fm_fish_config *fish = fm_load_alloc(load, sizeof *fish);
    fm_shape *shapes = fm_load_alloc(load, 2 * sizeof *shapes);
    fm_fish_measures measures;
    if (!fish || !shapes)
        return FM_ERR_MEMORY;
    fish->thrust = w->thrust == 1 ? FM_FISH_ELONGATED : FM_FISH_PAPER;
    fish->turns_by_tail = w->turning == 1;
    if (fish->turns_by_tail && fish->thrust != FM_FISH_ELONGATED)
        return fm_load_fail_at(load, NULL, 0, "turning", error, FM_ERR_MODEL,
                               "tail-force is valid only with thrust=\"elongated-body\"");
    fm_status status = read_swimming(load, w, fish, error);
    if (status == FM_OK)
        status = read_body(load, &w->body, fish, &measures, error);
    if (status == FM_OK)
        status = make_skin(load, fish, error);
    if (status != FM_OK)
        return status;
    finish_lengths(fish);
    if ((status = read_servo_table(load, &w->servo, fish, error)) != FM_OK ||
        (status = read_orders(load, w, fish, error)) != FM_OK)
        return status;
    if (fish->thrust == FM_FISH_ELONGATED && (status = read_theory(load, fish, error)) != FM_OK)
        return status;
    if (fm_load_has_child(load, "pectoral-fins"))
        read_fins(&w->fins, &measures, fish);
    finish_type(fish, shapes, type);
    return FM_OK;
}

/* --- orders and live parameters --- */

const fm_kind_order fm_fish_orders[FM_FISH_ORDERS] = {[FM_FISH_FREQUENCY] = {"frequency", "Hz", {1, 0, 0, 0, 0, 0}},
                                                      [FM_FISH_DEFLECTION] = {"deflection", "rad", {0, 0, 0, 0, 0, 1}},
                                                      [FM_FISH_DEPTH] = {"depth", "m", {0, 0, 1, 0, 0, 0}}};

void fm_fish_limit_orders(const fm_type *type, fm_actuator *actuators)
{
    const fm_fish_config *fish = type->kind_config;
    const double low[FM_FISH_ORDERS] = {0, -fish->par.deflection_max, 0},
                 high[FM_FISH_ORDERS] = {fish->par.frequency_max, fish->par.deflection_max, 12000};
    for (int i = 0; i < FM_FISH_ORDERS; i++) {
        actuators[i].low = low[i];
        actuators[i].high = high[i];
    }
}

/* Frequency, deflection and depth are the orders themselves; the wave is at the head of the kind's block. */
size_t fm_fish_live(const fm_type *type, fm_kind_live out[FM_KIND_LIVE_MOST])
{
    uint32_t order = type->actuator_block.offset + (uint32_t)(offsetof(fm_actuator_state, order) / 8),
             per = sizeof(fm_actuator_state) / 8;
    size_t n = 0;
    for (uint32_t i = 0; i < 3; i++)
        out[n++] = (fm_kind_live){"wave", &fm_fish_wave_attrs[i], type->kind_block.offset + i};
    out[n++] = (fm_kind_live){"wave", &fm_fish_wave_attrs[3], order + FM_FISH_FREQUENCY * per};
    out[n++] = (fm_kind_live){"fish", &fm_fish_attrs[FM_FISH_ATTR_DEFLECTION], order + FM_FISH_DEFLECTION * per};
    out[n++] = (fm_kind_live){"fish", &fm_fish_attrs[FM_FISH_ATTR_DEPTH], order + FM_FISH_DEPTH * per};
    return n;
}
