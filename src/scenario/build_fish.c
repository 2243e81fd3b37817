/* The robotic fish of a scenario: from its elements to the kind's config, its actuators and live parameters. */
#include <string.h>

#include "environment/environment.h"
#include "fish/elongated.h"
#include "fish/preset.h"
#include "kinds/fish.h"
#include "scenario/build.h"
#include "scenario/fish_elements.h"

enum { STATIONS = 65, SEEN_RINGS = 40, SEEN_AROUND = 18 };

static const double default_fin_area = 0.0010; /* m², of the default fish's fins as the lift model counts them */

/* Fills a config from the child of this element, or with its defaults. */
static fm_status fill_child(fm_builder *b, const fm_node *vehicle, const fm_element *element, void *config)
{
    const fm_node *node = fm_node_child(vehicle, element->name);
    fm_error error = {0};
    memset(config, 0, element->config_size);
    if (!node && !(node = fm_node_add(b->tree, NULL, element, NULL, vehicle->file, vehicle->line, &error)))
        return fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the fish");
    fm_node_fill(node, config);
    return FM_OK;
}

/* --- body --- */

static fm_status read_sections(fm_builder *b, const fm_node *body, fm_fish_shape *shape)
{
    int count = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(body, "section", node)); count++) {
        fm_fish_section_config c;
        fm_node_fill(node, &c);
        if (count < FM_FISH_SECTIONS) {
            shape->section[count].x = c.x;
            memcpy(shape->section[count].point, c.points, sizeof c.points);
        }
    }
    if (count != 0 && count != FM_FISH_SECTIONS)
        return fm_node_fail(body, NULL, b->report, FM_ERR_MODEL,
                            "found %d sections, accepted are %d (or none: the default fish)", count, FM_FISH_SECTIONS);
    for (const fm_node *node = NULL; (node = fm_node_next(body, "fin-splines", node));) {
        fm_fish_fin_config c;
        fm_node_fill(node, &c);
        memcpy(shape->fin[c.place].spline[0], c.leading, sizeof c.leading);
        memcpy(shape->fin[c.place].spline[1], c.trailing, sizeof c.trailing);
    }
    return FM_OK;
}

static fm_status read_body(fm_builder *b, const fm_node *vehicle, fm_fish_config *fish, fm_fish_measures *measures,
                           double density)
{
    fm_fish_body_config c;
    fm_error error = {0};
    const fm_node *node = fm_node_child(vehicle, "fish-body");
    fm_status status = fill_child(b, vehicle, &fm_fish_body_element, &c);
    if (status != FM_OK)
        return status;
    fish->shape = fm_fish_shape_preset();
    fish->shape.head_length = c.head;
    memcpy(fish->shape.link, c.links, sizeof c.links);
    if (node && (status = read_sections(b, node, &fish->shape)) != FM_OK)
        return status;
    fm_fish_shape_scale(&fish->shape, c.scale);
    if (fm_fish_shape_check(&fish->shape, &error) != FM_OK ||
        fm_fish_shape_measure(&fish->shape, measures, &error) != FM_OK)
        return fm_node_fail(node ? node : vehicle, NULL, b->report, error.status, "%s", error.text);
    double s = c.scale;
    fish->par.mass = c.mass > 0 ? c.mass * s * s * s : measures->volume * density;
    fish->par.wetted_area = c.area > 0 ? c.area * s * s : measures->wetted_area;
    fish->skin = c.skin;
    memcpy(fish->head_box, measures->head_box, sizeof fish->head_box);
    memcpy(fish->tail_box, measures->tail_box, sizeof fish->tail_box);
    if (c.tail_width > 0)
        fish->tail_box[0] = c.tail_width * s;
    return FM_OK;
}

/* The mesh that cameras see, in the model's memory, coloured by the formula. */
static fm_status make_skin(fm_builder *b, const fm_node *vehicle, fm_fish_config *fish)
{
    fm_fish_mesh mesh;
    fm_error error = {0};
    if (fm_fish_mesh_build(&mesh, &fish->shape, SEEN_RINGS, SEEN_AROUND, &error) != FM_OK)
        return fm_node_fail(vehicle, NULL, b->report, error.status, "%s", error.text);
    size_t vertices = mesh.vertices, triangles = mesh.triangles;
    fish->seen =
        (fm_fish_mesh){.vertices = mesh.vertices, .triangles = mesh.triangles, .trunk_triangles = mesh.trunk_triangles};
    fish->seen.position = fm_build_alloc(b, 3 * vertices * sizeof(double));
    fish->seen.normal = fm_build_alloc(b, 3 * vertices * sizeof(double));
    fish->seen.index = fm_build_alloc(b, 3 * triangles * sizeof(uint32_t));
    double(*colour)[3] = fm_build_alloc(b, vertices * sizeof *colour);
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
                : fm_node_fail(vehicle, NULL, b->report, FM_ERR_MEMORY, "no memory for the fish's skin of %zu vertices",
                               vertices);
}

/* --- wave, swimming, servo table --- */

static fm_status read_swimming(fm_builder *b, const fm_node *vehicle, fm_fish_config *fish)
{
    fm_fish_wave_config wave;
    fm_fish_swimming_config c;
    fm_status status = fill_child(b, vehicle, &fm_fish_wave_element, &wave);
    if (status == FM_OK)
        status = fill_child(b, vehicle, &fm_fish_swimming_element, &c);
    if (status != FM_OK)
        return status;
    const fm_node *body = fm_node_child(vehicle, "fish-body");
    double scale = body ? fm_node_value(body, "scale")->numbers[0] : 1;
    fm_fish_params *p = &fish->par;
    p->c1 = wave.c1;
    p->c2 = wave.c2 / scale;
    p->k = wave.k / scale;
    p->strouhal = c.strouhal;
    p->turn_gain = c.turn_gain;
    p->frequency_max = c.frequency_max;
    p->deflection_max = c.deflection_max;
    p->viscosity = c.viscosity;
    p->density = c.density > 0 ? c.density : b->model->settings.density;
    fish->depth_rate = c.depth_rate;
    fish->start[FM_FISH_FREQUENCY] = wave.frequency;
    p->tail_length = 0; /* until the links are known */
    p->reynolds_length = c.reynolds ? 1 : 0;
    if (wave.frequency > c.frequency_max)
        return fm_node_fail(fm_node_child(vehicle, "wave"), "frequency", b->report, FM_ERR_RANGE,
                            "found %g Hz, accepted up to the fish's %g Hz", wave.frequency, c.frequency_max);
    return FM_OK;
}

static void finish_lengths(fm_fish_config *fish)
{
    fm_fish_params *p = &fish->par;
    for (int j = 0; j < FM_FISH_JOINTS; j++)
        p->tail_length += fish->shape.link[j];
    p->reynolds_length = p->tail_length + (p->reynolds_length > 0 ? fish->shape.head_length : 0);
}

static fm_status read_servo_table(fm_builder *b, const fm_node *vehicle, fm_fish_config *fish)
{
    fm_fish_servo_config c;
    fm_error error = {0};
    const fm_node *node = fm_node_child(vehicle, "servo-table");
    fm_status status = fill_child(b, vehicle, &fm_fish_servo_element, &c);
    if (status != FM_OK)
        return status;
    status = fm_servo_table_fit(&fish->table, &fish->par, fish->shape.link, (int)c.rows, c.limit, &error);
    if (status == FM_OK && c.file) {
        status = fm_servo_table_load(&fish->table, c.file, c.limit, &error);
        fish->table_from_file = 1;
    }
    if (status == FM_OK)
        return FM_OK;
    if (error.file[0])
        return fm_report_add_error(b->report, &error), status;
    return fm_node_fail(node ? node : vehicle, NULL, b->report, status, "%s", error.text);
}

/* --- options --- */

static fm_status read_theory(fm_builder *b, const fm_node *vehicle, fm_fish_config *fish)
{
    fm_error error = {0};
    fm_fish_station stations[STATIONS];
    fm_fish_elongated_setup setup = fm_fish_elongated_defaults(&fish->par, fish->shape.head_length, fish->shape.link);
    fm_fish_shape_stations(&fish->shape, stations, STATIONS);
    if (fm_fish_elongated_build(&fish->theory, &setup, stations, STATIONS, &error) != FM_OK)
        return fm_node_fail(vehicle, "thrust", b->report, error.status, "%s", error.text);
    return FM_OK;
}

static void read_fins(const fm_node *vehicle, const fm_fish_measures *measures, fm_fish_config *fish)
{
    const fm_node *node = fm_node_child(vehicle, "pectoral-fins");
    if (!node)
        return;
    fm_fish_fins_config c;
    fm_node_fill(node, &c);
    fish->has_fins = 1;
    fish->fins = fm_fish_fins_preset();
    fish->fins.density = fish->par.density;
    fish->fins.area = c.area > 0 ? c.area : measures->fin_area[1] > 0 ? measures->fin_area[1] : default_fin_area;
    fish->fins.lift_slope = fm_fish_fin_lift_slope(c.aspect);
    fish->fins.angle_max = c.limit;
    fish->fins.pitch_max = c.pitch_max;
}

static fm_status read_orders(fm_builder *b, const fm_node *vehicle, const fm_vehicle_config *config,
                             fm_fish_config *fish)
{
    fish->start[FM_FISH_DEFLECTION] = config->deflection;
    fish->start[FM_FISH_DEPTH] = config->depth;
    fish->depth_given = fm_node_written(vehicle, "depth");
    double most = fish->par.deflection_max;
    if (config->deflection > most || config->deflection < -most)
        return fm_node_fail(vehicle, "deflection", b->report, FM_ERR_RANGE,
                            "found %g rad, accepted up to the fish's %g rad either way", config->deflection, most);
    return FM_OK;
}

fm_status fm_build_fish(fm_builder *b, const fm_node *vehicle, const fm_vehicle_config *config, fm_type *type)
{
    fm_fish_config *fish = fm_build_alloc(b, sizeof *fish);
    fm_shape *shapes = fm_build_alloc(b, 2 * sizeof *shapes);
    fm_fish_measures measures;
    if (!fish || !shapes)
        return FM_ERR_MEMORY;
    if (config->posture == 1)
        return fm_node_fail(vehicle, "posture", b->report, FM_ERR_MODEL, "found euler, a fish accepts quaternion");
    fish->thrust = config->thrust == 1 ? FM_FISH_ELONGATED : FM_FISH_PAPER;
    fm_status status = read_swimming(b, vehicle, fish);
    if (status == FM_OK)
        status = read_body(b, vehicle, fish, &measures, fish->par.density);
    if (status == FM_OK)
        status = make_skin(b, vehicle, fish);
    if (status != FM_OK)
        return status;
    finish_lengths(fish);
    if ((status = read_servo_table(b, vehicle, fish)) != FM_OK ||
        (status = read_orders(b, vehicle, config, fish)) != FM_OK)
        return status;
    if (fish->thrust == FM_FISH_ELONGATED && (status = read_theory(b, vehicle, fish)) != FM_OK)
        return status;
    read_fins(vehicle, &measures, fish);
    type->kind = &fm_kind_fish;
    type->kind_config = fish;
    type->kind_block.words = sizeof(fm_fish_words) / 8;
    type->shapes = shapes; /* placed by the kind */
    type->shape_count = 2;
    type->length = type->length > 0 ? type->length : fish->shape.head_length + fish->par.tail_length;
    type->width = type->width > 0 ? type->width : fish->head_box[1];
    type->height = type->height > 0 ? type->height : fish->head_box[2];
    return FM_OK;
}

/* --- actuators and live parameters --- */

size_t fm_build_fish_actuators(const fm_type *type, fm_actuator *actuators, const char **names,
                               fm_actuator_fault *faults)
{
    const fm_fish_config *fish = type->kind_config;
    const double low[FM_FISH_ORDERS] = {0, -fish->par.deflection_max, 0},
                 high[FM_FISH_ORDERS] = {fish->par.frequency_max, fish->par.deflection_max, 12000};
    for (int i = 0; i < FM_FISH_ORDERS; i++) {
        actuators[i] = (fm_actuator){.kind = FM_ACT_FREE, .low = low[i], .high = high[i], .tau = 1};
        names[i] = fm_fish_order_names[i];
        faults[i] = (fm_actuator_fault){.efficiency = 1};
    }
    return FM_FISH_ORDERS;
}

/* Frequency, deflection and depth are the orders themselves; the wave lies at the head of the kind's block. */
size_t fm_build_fish_live(const fm_node *vehicle, const fm_type *type, fm_kind_live out[FM_KIND_LIVE_MOST])
{
    uint32_t order = type->actuator_block.offset + (uint32_t)(offsetof(fm_actuator_state, order) / 8),
             per = sizeof(fm_actuator_state) / 8;
    size_t n = 0;
    for (uint32_t i = 0; i < 3; i++)
        out[n++] = (fm_kind_live){"wave", &fm_fish_wave_attrs[i], type->kind_block.offset + i};
    out[n++] = (fm_kind_live){"wave", &fm_fish_wave_attrs[3], order + FM_FISH_FREQUENCY * per};
    const fm_element *element = vehicle->element;
    out[n++] =
        (fm_kind_live){NULL, &element->attrs[fm_attr_index(element, "deflection")], order + FM_FISH_DEFLECTION * per};
    out[n++] = (fm_kind_live){NULL, &element->attrs[fm_attr_index(element, "depth")], order + FM_FISH_DEPTH * per};
    return n;
}
