/* Missions as QGroundControl's plan (what its PlanMasterController and MissionController read) and as GeoJSON. */
#include <math.h>

#include "base/text.h"
#include "missions/mission_file.h"
#include "physics/angle.h"

/* null: not given. */
static void write_number(FILE *file, double number)
{
    char text[40];
    fputs(isnan(number) ? "null" : fm_text_number_write(text, sizeof text, number), file);
}

/* --- .plan --- */

enum { ARDUPILOT = 3, SURFACE_BOAT = 11, SUBMARINE = 12, ALTITUDE_RELATIVE = 1 }; /* MAV_AUTOPILOT, MAV_TYPE, of QGC */

static bool has_position(const fm_mission_item *item)
{
    return item->command == FM_MISSION_WAYPOINT;
}

static void write_item(FILE *file, const fm_mission_item *item, size_t i)
{
    fprintf(file,
            "%s\n   {\"type\": \"SimpleItem\", \"command\": %d, \"frame\": %d, \"autoContinue\": true, "
            "\"doJumpId\": %zu,\n    ",
            i ? "," : "", item->command, item->frame, i + 1);
    if (has_position(item)) {
        fprintf(file, "\"AltitudeMode\": %d, \"Altitude\": ", ALTITUDE_RELATIVE);
        write_number(file, item->altitude);
        fputs(", \"AMSLAltAboveTerrain\": null,\n    ", file);
    }
    fputs("\"params\": [", file);
    for (int k = 0; k < 4; k++) {
        write_number(file, item->params[k]);
        fputs(", ", file);
    }
    if (has_position(item)) {
        fprintf(file, "%.9f, %.9f, ", item->latitude / FM_DEGREE, item->longitude / FM_DEGREE);
        write_number(file, item->altitude);
    } else {
        fputs("0, 0, 0", file);
    }
    fputs("]}", file);
}

static bool is_submerged(const fm_mission_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        if (has_position(&plan->items[i]) && plan->items[i].altitude < 0)
            return true;
    return false;
}

void fm_mission_plan_write(FILE *file, const fm_mission_plan *plan)
{
    fputs("{\"fileType\": \"Plan\", \"version\": 1, \"groundStation\": \"Fathom\",\n"
          " \"geoFence\": {\"version\": 2, \"polygons\": [], \"circles\": []},\n"
          " \"rallyPoints\": {\"version\": 2, \"points\": []},\n"
          " \"mission\": {\"version\": 2,\n",
          file);
    fprintf(file,
            "  \"firmwareType\": %d, \"vehicleType\": %d, \"globalPlanAltitudeMode\": %d, \"cruiseSpeed\": ", ARDUPILOT,
            is_submerged(plan) ? SUBMARINE : SURFACE_BOAT, ALTITUDE_RELATIVE);
    write_number(file, plan->cruise_speed);
    fputs(", \"hoverSpeed\": ", file);
    write_number(file, plan->cruise_speed);
    fprintf(file, ",\n  \"plannedHomePosition\": [%.9f, %.9f, 0],\n  \"items\": [", plan->home.latitude / FM_DEGREE,
            plan->home.longitude / FM_DEGREE);
    for (size_t i = 0; i < plan->count; i++)
        write_item(file, &plan->items[i], i);
    fputs("\n  ]}}\n", file);
}

/* --- GeoJSON --- */

static void write_position(FILE *file, const fm_mission_item *item)
{
    fprintf(file, "[%.9f, %.9f, ", item->longitude / FM_DEGREE, item->latitude / FM_DEGREE);
    write_number(file, item->altitude);
    fputs("]", file);
}

static void write_point(FILE *file, const fm_mission_item *item, double speed, int number, const char *vehicle)
{
    fprintf(file, "  {\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": ");
    write_position(file, item);
    fprintf(file, "},\n   \"properties\": {\"vehicle\": \"%s\", \"waypoint\": %d, \"depth\": ", vehicle, number);
    write_number(file, 0 - item->altitude);
    fputs(", \"speed\": ", file);
    write_number(file, speed);
    fputs(", \"hold\": ", file);
    write_number(file, item->params[0]);
    fputs(", \"radius\": ", file);
    write_number(file, item->params[1]);
    fputs("}}", file);
}

/* The line through them; it has at least two positions. */
static void write_track(FILE *file, const fm_mission_plan *plan, const char *vehicle)
{
    const char *comma = "";
    fprintf(file,
            ",\n  {\"type\": \"Feature\", \"properties\": {\"vehicle\": \"%s\"},\n   \"geometry\": {\"type\": "
            "\"LineString\", \"coordinates\": [",
            vehicle);
    for (size_t i = 0; i < plan->count; i++) {
        if (!has_position(&plan->items[i]))
            continue;
        fputs(comma, file);
        write_position(file, &plan->items[i]);
        comma = ", ";
    }
    fputs("]}}", file);
}

void fm_mission_geojson_write(FILE *file, const fm_mission_plan *plan, const char *vehicle)
{
    double speed = plan->cruise_speed;
    int number = 0;
    fputs("{\"type\": \"FeatureCollection\", \"features\": [\n", file);
    for (size_t i = 0; i < plan->count; i++) {
        const fm_mission_item *item = &plan->items[i];
        if (item->command == FM_MISSION_CHANGE_SPEED)
            speed = item->params[1];
        if (!has_position(item))
            continue;
        fputs(number++ ? ",\n" : "", file);
        write_point(file, item, speed, number, vehicle);
    }
    if (number > 1)
        write_track(file, plan, vehicle);
    fputs("\n]}\n", file);
}
