/* Missions from JSON: QGroundControl's plan and GeoJSON, read with jansson. Part of libfathom-jansson.so. */
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "missions/mission_file.h"
#include "physics/angle.h"

typedef struct reader {
    fm_mission_plan *plan;
    fm_mission_item item; /* at hand: number, part */
    fm_error *error;
} reader;

#define REFUSE(r, ...) fm_mission_refuse((r)->plan, &(r)->item, (r)->error, FM_ERR_SYNTAX, __VA_ARGS__)

/* Of the file as a whole. */
__attribute__((format(printf, 2, 3))) static fm_status refuse_file(const reader *r, const char *format, ...)
{
    char text[240];
    va_list arguments;
    va_start(arguments, format);
    fm_text_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    return fm_fail(r->error, FM_ERR_SYNTAX, "%.200s: %s", r->plan->name, text);
}

/* NaN: null or not a number. */
static double number_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool is_number_or_null(const json_t *value)
{
    return json_is_number(value) || json_is_null(value);
}

/* -1: it is not a whole number of 0 to 65535. */
static int whole_of(const json_t *value)
{
    const double number = number_of(value);
    return number >= 0 && number <= 65535 && number == floor(number) ? (int)number : -1;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* --- QGroundControl's plan --- */

/* Latitude, longitude, altitude; degrees and m. */
static void put_position(const double numbers[3], fm_mission_item *item)
{
    item->latitude = numbers[0] * FM_DEGREE;
    item->longitude = numbers[1] * FM_DEGREE;
    item->altitude = numbers[2];
}

/* `count` numbers or nulls; false: it is not that. */
static bool read_numbers(const json_t *array, size_t count, double *numbers)
{
    if (json_array_size(array) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!is_number_or_null(json_array_get(array, i)))
            return false;
        numbers[i] = number_of(json_array_get(array, i));
    }
    return true;
}

/* Version 2 has four parameters and a coordinate, version 3 seven parameters. */
static fm_status read_params(reader *r, const json_t *object)
{
    const json_t *params = json_object_get(object, "params"), *coordinate = json_object_get(object, "coordinate");
    double numbers[7];
    const bool known = coordinate ? read_numbers(params, 4, numbers) && read_numbers(coordinate, 3, numbers + 4)
                                  : read_numbers(params, 7, numbers);
    if (!known)
        return REFUSE(r, "params must be 7 numbers, or 4 with a coordinate of 3");
    memcpy(r->item.params, numbers, sizeof r->item.params);
    put_position(numbers + 4, &r->item);
    return FM_OK;
}

static fm_status read_simple(reader *r, const json_t *object)
{
    r->item.command = whole_of(json_object_get(object, "command"));
    r->item.frame = whole_of(json_object_get(object, "frame"));
    if (r->item.command < 0 || r->item.frame < 0)
        return REFUSE(r, "command and frame must be whole numbers 0 to 65535");
    fm_status status = read_params(r, object);
    return status == FM_OK ? fm_mission_add(r->plan, &r->item, r->error) : status;
}

/* A survey or a corridor: QGroundControl writes the items that it consists of as well. */
static fm_status read_complex(reader *r, const json_t *object)
{
    const char *kind = text_of(object, "complexItemType");
    const json_t *items = json_object_get(json_object_get(object, "TransectStyleComplexItem"), "Items");
    fm_status status = FM_OK;
    if (strcmp(kind, "survey") != 0 && strcmp(kind, "CorridorScan") != 0)
        return REFUSE(r, "complex item \"%.40s\" is not supported: must be survey or CorridorScan", kind);
    if (!json_is_array(items))
        return REFUSE(r, "%s has no TransectStyleComplexItem with Items: save the plan again", kind);
    for (size_t i = 0; i < json_array_size(items) && status == FM_OK; i++) {
        r->item.part = (int)i + 1;
        const json_t *part = json_array_get(items, i);
        status =
            strcmp(text_of(part, "type"), "SimpleItem") == 0 ? read_simple(r, part) : REFUSE(r, "must be a SimpleItem");
    }
    return status;
}

static fm_status read_item(reader *r, const json_t *object)
{
    const char *type = text_of(object, "type");
    if (strcmp(type, "SimpleItem") == 0 || strcmp(type, "missionItem") == 0)
        return read_simple(r, object);
    if (strcmp(type, "ComplexItem") == 0)
        return read_complex(r, object);
    return REFUSE(r, "type is \"%.40s\": must be SimpleItem or ComplexItem", type);
}

static bool has_fence(const json_t *root)
{
    const json_t *fence = json_object_get(root, "geoFence");
    return json_array_size(json_object_get(fence, "polygons")) > 0 ||
           json_array_size(json_object_get(fence, "circles")) > 0 ||
           json_array_size(json_object_get(json_object_get(root, "rallyPoints"), "points")) > 0;
}

static fm_status read_home(reader *r, const json_t *mission)
{
    double numbers[3];
    const json_t *home = json_object_get(mission, "plannedHomePosition");
    if (!read_numbers(home, 3, numbers))
        return refuse_file(r, "mission.plannedHomePosition must be 3 numbers: latitude, longitude, altitude");
    r->plan->has_home = !isnan(numbers[0]) && !isnan(numbers[1]);
    r->plan->home = (fm_geodetic){numbers[0] * FM_DEGREE, numbers[1] * FM_DEGREE, 0};
    return FM_OK;
}

static fm_status read_plan(reader *r, const json_t *root)
{
    const json_t *mission = json_object_get(root, "mission"), *items = json_object_get(mission, "items");
    if (strcmp(text_of(root, "fileType"), "Plan") != 0)
        return refuse_file(r, "fileType is \"%.40s\": must be \"Plan\"", text_of(root, "fileType"));
    if (whole_of(json_object_get(root, "version")) != 1 || whole_of(json_object_get(mission, "version")) != 2)
        return refuse_file(r, "version must be 1, and version of its mission 2");
    if (!json_is_array(items))
        return refuse_file(r, "mission.items must be an array");
    r->plan->cruise_speed = number_of(json_object_get(mission, "cruiseSpeed"));
    r->plan->fenced = has_fence(root);
    fm_status status = read_home(r, mission);
    for (size_t i = 0; i < json_array_size(items) && status == FM_OK; i++) {
        r->item = (fm_mission_item){.number = (int)i + 1};
        status = read_item(r, json_array_get(items, i));
    }
    return status;
}

/* --- GeoJSON --- */

/* What a file has of each kind of geometry. */
typedef struct geometries {
    size_t points, lines;
} geometries;

/* A property that is a number, or is not given (NaN). */
static fm_status read_property(reader *r, const json_t *properties, const char *name, double *number)
{
    const json_t *value = json_object_get(properties, name);
    *number = number_of(value);
    if (value && !is_number_or_null(value))
        return REFUSE(r, "its property %s must be a number", name);
    return FM_OK;
}

/* Depth, or altitude, instead of the third coordinate; hold and radius. */
static fm_status read_properties(reader *r, const json_t *properties, double *speed)
{
    double depth, altitude;
    fm_status status = read_property(r, properties, "depth", &depth);
    if (status == FM_OK)
        status = read_property(r, properties, "altitude", &altitude);
    if (status == FM_OK)
        status = read_property(r, properties, "hold", &r->item.params[0]);
    if (status == FM_OK)
        status = read_property(r, properties, "radius", &r->item.params[1]);
    if (status == FM_OK)
        status = read_property(r, properties, "speed", speed);
    if (status == FM_OK && !isnan(depth))
        r->item.altitude = 0 - depth;
    else if (status == FM_OK && !isnan(altitude))
        r->item.altitude = altitude;
    return status;
}

/* Speeds hold from waypoint to waypoint: the next begins with its own. */
static fm_status add_speed(reader *r, double speed)
{
    fm_mission_item item = r->item;
    item.command = FM_MISSION_CHANGE_SPEED;
    item.params[0] = 0;
    item.params[1] = isnan(speed) ? -2 : speed;
    return fm_mission_add(r->plan, &item, r->error);
}

/* A position of RFC 7946: longitude, latitude and perhaps altitude. */
static fm_status add_position(reader *r, const json_t *coordinates, const json_t *properties)
{
    const size_t count = json_array_size(coordinates);
    double numbers[3] = {NAN, NAN, NAN}, speed;
    for (size_t i = 0; i < count && i < 3; i++)
        numbers[i] = number_of(json_array_get(coordinates, i));
    if (count < 2 || isnan(numbers[0]) || isnan(numbers[1]) || (count > 2 && isnan(numbers[2])))
        return REFUSE(r, "a position must be 2 or 3 numbers: longitude, latitude, altitude");
    r->item = (fm_mission_item){.command = FM_MISSION_WAYPOINT,
                                .frame = FM_MISSION_GLOBAL,
                                .params = {NAN, NAN, NAN, NAN},
                                .latitude = numbers[1] * FM_DEGREE,
                                .longitude = numbers[0] * FM_DEGREE,
                                .altitude = numbers[2],
                                .number = r->item.number,
                                .part = r->item.part};
    fm_status status = read_properties(r, properties, &speed);
    if (status == FM_OK)
        status = add_speed(r, speed);
    return status == FM_OK ? fm_mission_add(r->plan, &r->item, r->error) : status;
}

static fm_status add_positions(reader *r, const json_t *coordinates, const json_t *properties)
{
    fm_status status = json_is_array(coordinates) ? FM_OK : REFUSE(r, "coordinates must be an array of positions");
    for (size_t i = 0; i < json_array_size(coordinates) && status == FM_OK; i++) {
        r->item.part = (int)i + 1;
        status = add_position(r, json_array_get(coordinates, i), properties);
    }
    return status;
}

/* Counts the feature; takes its positions if it is of the wanted kind. */
static fm_status read_feature(reader *r, const json_t *feature, bool lines, geometries *found)
{
    const bool bare = strcmp(text_of(feature, "type"), "Feature") != 0;
    const json_t *geometry = bare ? feature : json_object_get(feature, "geometry");
    const json_t *properties = bare ? NULL : json_object_get(feature, "properties");
    const json_t *coordinates = json_object_get(geometry, "coordinates");
    const char *type = text_of(geometry, "type");
    const bool is_line = strcmp(type, "LineString") == 0, is_point = strcmp(type, "Point") == 0;
    if (!is_line && !is_point && strcmp(type, "MultiPoint") != 0)
        return REFUSE(r, "its geometry is \"%.40s\": must be Point, MultiPoint or LineString", type);
    found->lines += is_line;
    found->points += !is_line;
    if (is_line != lines)
        return FM_OK;
    return is_point ? add_position(r, coordinates, properties) : add_positions(r, coordinates, properties);
}

static fm_status read_features(reader *r, const json_t *root, bool lines, geometries *found)
{
    const json_t *features = json_object_get(root, "features");
    fm_status status = FM_OK;
    *found = (geometries){0};
    if (strcmp(text_of(root, "type"), "FeatureCollection") != 0) {
        r->item = (fm_mission_item){.number = 1};
        return read_feature(r, root, lines, found);
    }
    if (!json_is_array(features))
        return refuse_file(r, "features must be an array");
    for (size_t i = 0; i < json_array_size(features) && status == FM_OK; i++) {
        r->item = (fm_mission_item){.number = (int)i + 1};
        status = read_feature(r, json_array_get(features, i), lines, found);
    }
    return status;
}

/* The points are the waypoints; a line beside them joins them. Without points the positions of the line are. */
static fm_status read_geojson(reader *r, const json_t *root)
{
    geometries found;
    fm_status status = read_features(r, root, false, &found);
    if (status == FM_OK && !found.points && found.lines > 1)
        return refuse_file(r, "has %zu lines and no points: must be one line, or points", found.lines);
    return status == FM_OK && !found.points ? read_features(r, root, true, &found) : status;
}

/* --- both --- */

fm_status fm_mission_json_parse(fm_mission_format format, const char *text, size_t size, fm_mission_plan *plan,
                                fm_error *error)
{
    json_error_t wrong;
    reader r = {.plan = plan, .error = error};
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &wrong);
    if (!root)
        return fm_fail(error, FM_ERR_SYNTAX, "%.200s: line %d, column %d: not JSON: %s", plan->name, wrong.line,
                       wrong.column, wrong.text);
    fm_status status = format == FM_MISSION_PLAN ? read_plan(&r, root) : read_geojson(&r, root);
    json_decref(root);
    return status;
}
