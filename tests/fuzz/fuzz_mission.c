/* libFuzzer target: missions. The first byte chooses the format: P, a plan; T, text; G, GeoJSON. A file is refused with
 * a reason, or its waypoints are finite and come back from all three formats. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "missions/mission_file.h"

static const fm_geodetic origin = {1.1, 0.18, 0};
static const double speed = 1.25;

static void refused(const fm_error *error)
{
    if (!error->text[0])
        abort();
}

static void check_waypoint(const fm_waypoint *w)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(w->position[k]) <= 1e7))
            abort();
    if (!(w->speed == -1 || (w->speed >= 0 && w->speed <= 100)) || !(w->hold >= 0 && w->hold <= FM_MISSION_FOR_GOOD))
        abort();
}

/* Tolerance: a billionth of a degree. */
static void compare(const fm_waypoint *a, const fm_waypoint *b)
{
    for (int k = 0; k < 2; k++)
        if (!(fabs(a->position[k] - b->position[k]) < 1e-3))
            abort();
    if (a->position[2] != b->position[2] || a->hold != b->hold || b->speed != (a->speed < 0 ? speed : a->speed))
        abort();
}

static void read_back(const fm_mission_plan *made, fm_mission_format format, const fm_waypoint *list, size_t count)
{
    char *text;
    size_t size, found;
    fm_error error = {0};
    fm_mission_plan again;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        abort();
    if (format == FM_MISSION_PLAN)
        fm_mission_plan_write(file, made);
    else if (format == FM_MISSION_TEXT)
        fm_mission_text_write(file, made);
    else
        fm_mission_geojson_write(file, made, "fuzz");
    fclose(file);
    if (fm_mission_parse(format, "again", text, size, &again, &error) != FM_OK)
        abort();
    fm_waypoint *back = fm_alloc((again.count + 1) * sizeof *back);
    if (!back || fm_mission_to_waypoints(&again, &origin, NAN, back, &found, &error) != FM_OK || found != count)
        abort();
    for (size_t i = 0; i < count; i++)
        compare(&list[i], &back[i]);
    fm_free(back);
    fm_mission_free(&again);
    free(text);
}

static void make_again(const fm_waypoint *list, size_t count)
{
    const fm_mission_source source = {.list = list, .count = count, .speed = speed, .radius = 2, .origin = origin};
    fm_error error = {0};
    fm_mission_plan made = fm_mission_begin("fuzz", "item");
    if (2 * count < FM_MISSION_ITEMS_MOST / 2) { /* a speed for each waypoint doubles them */
        if (fm_mission_from_waypoints(&source, &made, &error) != FM_OK)
            abort();
        for (int format = FM_MISSION_PLAN; format <= FM_MISSION_GEOJSON; format++)
            read_back(&made, (fm_mission_format)format, list, count);
    }
    fm_mission_free(&made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char letters[] = "PTG";
    const char *letter = size ? strchr(letters, data[0]) : NULL;
    fm_mission_plan plan;
    fm_error error = {0};
    double radius;
    const long before = fm_alloc_live();
    char *text = malloc(size + 1);
    if (!text || !letter || !*letter)
        return free(text), 0;
    memcpy(text, data, size);
    text[size] = 0;
    if (fm_mission_parse((fm_mission_format)(letter - letters), "fuzz", text + 1, size - 1, &plan, &error) == FM_OK) {
        size_t count;
        fm_waypoint *list = fm_alloc((plan.count + 1) * sizeof *list);
        if (fm_mission_radius(&plan, &radius, &error) != FM_OK)
            refused(&error);
        if (list && fm_mission_to_waypoints(&plan, &origin, 3, list, &count, &error) == FM_OK) {
            for (size_t i = 0; i < count; i++)
                check_waypoint(&list[i]);
            make_again(list, count);
        } else {
            refused(&error);
        }
        fm_free(list);
    } else {
        refused(&error);
    }
    fm_mission_free(&plan);
    free(text);
    if (fm_alloc_live() != before)
        abort();
    return 0;
}
