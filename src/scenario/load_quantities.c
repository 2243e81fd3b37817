/* Quantities that parts exchange: their definitions, checks of the classes' declarations, and lookup. */
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "physics/posture.h"
#include "scenario/build.h"

typedef struct fact {
    const char *name;
    const char *unit; /* that others read it in */
    size_t count;     /* of values; 0: any number */
} fact;

static const fact facts[FM_QUANTITY_COUNT] = {
    [FM_QUANTITY_NONE] = {"nothing", "", 0},
    [FM_QUANTITY_DEPTH] = {"depth", "m", 1},
    [FM_QUANTITY_ALTITUDE] = {"altitude", "m", 1},
    [FM_QUANTITY_POSITION] = {"position", "m", 3},
    [FM_QUANTITY_POSITION_COVARIANCE] = {"covariance of the position", "m2", 9},
    [FM_QUANTITY_BEACON_RANGE] = {"range of a known place", "m", 1},
    [FM_QUANTITY_BEACON_POSITION] = {"that known place", "m", 3},
    [FM_QUANTITY_BEACON_DEVIATION] = {"deviation of a range", "m", 1},
    [FM_QUANTITY_LATITUDE] = {"latitude", "deg", 1},
    [FM_QUANTITY_LONGITUDE] = {"longitude", "deg", 1},
    [FM_QUANTITY_HEADING] = {"heading", "rad", 1},
    [FM_QUANTITY_EULER] = {"Euler angles", "rad", 3},
    [FM_QUANTITY_ORIENTATION] = {"orientation", "", 4},
    [FM_QUANTITY_RATES] = {"rates of turn", "rad/s", 3},
    [FM_QUANTITY_ACCELERATION] = {"acceleration", "m/s2", 3},
    [FM_QUANTITY_VELOCITY] = {"velocity", "m/s", 3},
    [FM_QUANTITY_VELOCITY_MODE] = {"mode of the velocity", "", 1},
    [FM_QUANTITY_FORWARD_SPEED] = {"forward speed", "m/s", 1},
    [FM_QUANTITY_WATER_SPEED] = {"speed through the water", "m/s", 1},
    [FM_QUANTITY_RANGE] = {"range", "m", 1},
    [FM_QUANTITY_RETURNS] = {"number of returns", "", 1},
    [FM_QUANTITY_RANGES] = {"ranges", "m", 0},
    [FM_QUANTITY_BEARINGS] = {"bearings", "rad", 0},
    [FM_QUANTITY_SPACING] = {"spacing of returns", "m", 1},
    [FM_QUANTITY_PITCH] = {"pitch", "rad", 1},
    [FM_QUANTITY_DIRECTIONS] = {"directions of beams", "", 0},
    [FM_QUANTITY_ECHOES] = {"echoes", "", 0},
    [FM_QUANTITY_PICTURE] = {"picture", "", 0},
    [FM_QUANTITY_PRESSURE] = {"pressure", "Pa", 1},
    [FM_QUANTITY_TEMPERATURE] = {"temperature", "degC", 1},
    [FM_QUANTITY_CONDUCTIVITY] = {"conductivity", "S/m", 1},
    [FM_QUANTITY_SALINITY] = {"salinity", "", 1},
    [FM_QUANTITY_SOUND_SPEED] = {"speed of sound", "m/s", 1},
    [FM_QUANTITY_VOLTAGE] = {"voltage", "V", 1},
    [FM_QUANTITY_CURRENT] = {"current", "A", 1},
    [FM_QUANTITY_DEFLECTION] = {"deflection", "rad", 1},
    [FM_QUANTITY_SHAFT_SPEED] = {"shaft speed", "rad/s", 1},
    [FM_QUANTITY_CONTACT] = {"contact", "", 1},
    [FM_QUANTITY_LEAK] = {"leak", "", 1},
    [FM_QUANTITY_OWN_RETURNS] = {"number of returns in its own axes", "", 1},
    [FM_QUANTITY_FAN] = {"ranges of a fan", "m", 0},
};

/* From the unit of an output to that of its quantity; an output without a unit has the unit of the quantity. */
static fm_status find_scale(const fm_output *output, double *scale, double *shift, fm_error *error)
{
    const fact *f = &facts[output->quantity];
    fm_unit from, to;
    *scale = 1;
    *shift = 0;
    if (!output->unit || !output->unit[0] || strcmp(output->unit, f->unit) == 0)
        return FM_OK;
    fm_status status = fm_unit_parse(output->unit, &from, error);
    if (status == FM_OK)
        status = fm_unit_parse(f->unit, &to, error);
    if (status != FM_OK)
        return status;
    if (!fm_unit_compatible(&from, &to))
        return fm_fail(error, FM_ERR_MODEL, "its output '%s' is in %s; a %s is in %s", output->field, output->unit,
                       f->name, f->unit[0] ? f->unit : "no unit");
    *shift = fm_unit_convert(0, &from, &to);
    *scale = fm_unit_convert(1, &from, &to) - *shift;
    return FM_OK;
}

static fm_status check_output(const fm_output *output, fm_error *error)
{
    double scale, shift;
    if ((unsigned)output->quantity >= FM_QUANTITY_COUNT || (output->quantity && output->type == FM_OUTPUT_TEXT))
        return fm_fail(error, FM_ERR_MODEL, "its output '%s' has no quantity of number %d: must be 0 to %d",
                       output->field, (int)output->quantity, FM_QUANTITY_COUNT - 1);
    const fact *f = &facts[output->quantity];
    if (f->count && output->count != f->count)
        return fm_fail(error, FM_ERR_MODEL, "its output '%s' has %zu values, a %s has %zu", output->field,
                       output->count, f->name, f->count);
    return output->quantity ? find_scale(output, &scale, &shift, error) : FM_OK;
}

/* Others read the output through it, so it must be inside. */
static fm_status check_view(const fm_part *part, const fm_output *output, fm_error *error)
{
    static const size_t sizes[] = {[FM_OUTPUT_REAL] = 8, [FM_OUTPUT_UINT8] = 1, [FM_OUTPUT_FLOAT32] = 4,
                                   [FM_OUTPUT_TEXT] = 1, [FM_OUTPUT_INT64] = 8, [FM_OUTPUT_NAME] = 8};
    const size_t room = (size_t)part->output.words * 8, size = sizes[output->type];
    if (output->offset % size || output->offset > room || output->count > (room - output->offset) / size)
        return fm_fail(error, FM_ERR_MODEL, "its output '%s' lies outside of its output block", output->field);
    return FM_OK;
}

fm_status fm_build_check_quantities(const fm_part *part, fm_error *error)
{
    for (size_t i = 0; i < part->output_count; i++) {
        fm_status status = check_output(&part->outputs[i], error);
        if (status == FM_OK && part->outputs[i].quantity)
            status = check_view(part, &part->outputs[i], error);
        if (status != FM_OK)
            return status;
    }
    return FM_OK;
}

void fm_build_mount(const fm_part_class *class, void *config)
{
    if (!class->mount)
        return;
    fm_mount *mount = (fm_mount *)(void *)((char *)config + class->mount - 1);
    fm_quat_from_euler(mount->attitude, mount->quaternion);
    fm_quat_matrix(mount->quaternion, mount->rotation);
}

int fm_load_quantity(fm_part_load *load, size_t part, fm_quantity quantity, fm_quantity_view *view)
{
    static const fm_mount ahead = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .quaternion = {1, 0, 0, 0}};
    if (part >= fm_load_part_count(load) || !view)
        return 0;
    const fm_part *p = &load->type->parts[part];
    for (size_t i = 0; i < p->output_count; i++) {
        const fm_output *output = &p->outputs[i];
        if (!quantity || output->quantity != quantity)
            continue;
        const fm_mount *mount = fm_part_mount(p);
        *view = (fm_quantity_view){.part = (int64_t)part,
                                   .offset = output->offset,
                                   .count = output->count,
                                   .mount = mount ? mount : &ahead,
                                   .type = output->type};
        return find_scale(output, &view->scale, &view->shift, NULL) == FM_OK;
    }
    return 0;
}

/* The sensors that provide a quantity, for people: " (depth gauge, ins do)". */
static const char *name_givers(fm_part_load *load, fm_quantity quantity, char *text, size_t size)
{
    fm_quantity_view view;
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < load->type->sensor_count && used < size; i++)
        if (fm_load_quantity(load, i, quantity, &view))
            used += (size_t)snprintf(text + used, size - used, "%s'%s'", used ? ", " : ": must be ",
                                     load->type->parts[i].name);
    return text;
}

int fm_load_find_quantity(fm_part_load *load, fm_quantity quantity, const char *name, fm_quantity_view *view,
                          fm_error *error)
{
    char text[160];
    if (!load || !view || (unsigned)quantity >= FM_QUANTITY_COUNT)
        return fm_load_fail(load, error, FM_ERR_ARGUMENT, "no place for the view, or no such quantity"), -1;
    if (name) {
        const int sensor = fm_load_sensor(load, name, error);
        if (sensor < 0 || fm_load_quantity(load, (size_t)sensor, quantity, view))
            return sensor;
        fm_load_fail(load, error, FM_ERR_MODEL, "'%s' is a <%s>, which gives no %s%s", name,
                     load->type->parts[sensor].part_class->element->name, facts[quantity].name,
                     name_givers(load, quantity, text, sizeof text));
        return -1;
    }
    for (size_t i = 0; i < load->type->sensor_count; i++)
        if (fm_load_quantity(load, i, quantity, view))
            return (int)i;
    fm_load_fail(load, error, FM_ERR_NAME, "the vehicle has no sensor that gives %s", facts[quantity].name);
    return -1;
}
