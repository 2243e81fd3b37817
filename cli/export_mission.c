#include "export_mission.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "environment/environment.h"
#include "inputs.h"
#include "world/inputs.h"
#include "world/model.h"

static const char *const options[CLI_MISSION_FORMATS] = {
    [FM_MISSION_PLAN] = "--plan", [FM_MISSION_TEXT] = "--waypoints", [FM_MISSION_GEOJSON] = "--geojson"};

/* --- whose waypoints --- */

typedef struct chosen {
    char vehicle[96];
    const char *list; /* NULL: the first */
} chosen;

/* The only vehicle with waypoints. */
static int choose_only(const fm_world *world, chosen *c)
{
    int found = 0;
    fm_text names = {0};
    for (int i = 0; i < fm_world_slots(world); i++) {
        const char *name = fm_world_name(world, i);
        if (!name || !fm_world_waypoint_list(world, name, NULL))
            continue;
        fm_text_add(&names, "%s%s", found++ ? ", " : "", name);
        fm_text_copy(c->vehicle, sizeof c->vehicle, name);
    }
    if (found == 0)
        fprintf(stderr, "fathom export: no vehicle of the scenario has <waypoints>\n");
    else if (found > 1)
        fprintf(stderr, "fathom export: several vehicles have waypoints: give one as --vehicle (%s)\n",
                names.data ? names.data : "");
    fm_text_free(&names);
    return found == 1 ? CLI_DONE : CLI_USAGE;
}

static int choose(const fm_world *world, const char *asked, chosen *c)
{
    c->list = NULL;
    if (!asked)
        return choose_only(world, c);
    fm_text_copy(c->vehicle, sizeof c->vehicle, asked);
    char *slash = strchr(c->vehicle, '/');
    if (slash) {
        *slash = 0;
        c->list = slash + 1;
    }
    if (fm_world_find(world, c->vehicle) < 0)
        fprintf(stderr, "fathom export: --vehicle %s: no such vehicle\n", c->vehicle);
    else if (!fm_world_waypoint_list(world, c->vehicle, c->list))
        fprintf(stderr, "fathom export: --vehicle %s: the vehicle has no such <waypoints>\n", asked);
    else
        return CLI_DONE;
    return CLI_USAGE;
}

/* --- its plan --- */

static double number_of(const fm_world *world, const chosen *c, const char *attribute)
{
    char path[256];
    double value = 0;
    snprintf(path, sizeof path, "/%s/%s/%s", c->vehicle, fm_world_waypoint_list(world, c->vehicle, c->list), attribute);
    return fm_world_get(world, path, &value, NULL) == FM_OK ? value : NAN;
}

/* The home position is where the vehicle starts. */
static fm_status make_plan(const fm_world *world, const chosen *c, fm_mission_plan *plan, fm_error *error)
{
    const fm_environment *e = fm_world_model(world)->environment;
    fm_mission_source source = {.origin = {e->latitude, e->longitude, 0},
                                .speed = number_of(world, c, "speed"),
                                .radius = number_of(world, c, "radius")};
    fm_pose pose;
    fm_status status = fm_world_pose(world, fm_world_find(world, c->vehicle), &pose);
    if (status != FM_OK)
        return status;
    source.home[0] = pose.position[0];
    source.home[1] = pose.position[1];
    source.count = fm_world_waypoints(world, c->vehicle, c->list, NULL, 0);
    fm_waypoint *list = calloc(source.count + 1, sizeof *list);
    if (!list)
        return FM_ERR_MEMORY;
    fm_world_waypoints(world, c->vehicle, c->list, list, source.count);
    source.list = list;
    status = fm_mission_from_waypoints(&source, plan, error);
    free(list);
    return status;
}

static int write_plan(const cli_mission_export *r, const chosen *c, const fm_mission_plan *plan)
{
    fm_error error = {0};
    for (int i = 0; i < CLI_MISSION_FORMATS; i++) {
        if (!r->paths[i])
            continue;
        if (fm_mission_write(r->paths[i], (fm_mission_format)i, plan, c->vehicle, &error) != FM_OK) {
            fprintf(stderr, "fathom export: %s: %s\n", r->paths[i], error.text);
            return CLI_FAILED;
        }
        size_t waypoints = 0;
        for (size_t k = 0; k < plan->count; k++)
            waypoints += plan->items[k].command == FM_MISSION_WAYPOINT;
        printf("%zu waypoints of %s to %s\n", waypoints, c->vehicle, r->paths[i]);
    }
    return CLI_DONE;
}

static int export_world(const cli_mission_export *r, const fm_world *world)
{
    fm_error error = {0};
    fm_mission_plan plan = fm_mission_begin(NULL, "item");
    chosen c;
    if (!fm_world_model(world)->environment->has_origin) {
        fprintf(stderr, "fathom export: the scenario has no origin on the Earth: must have latitude and longitude in "
                        "<world>\n");
        return CLI_FAILED;
    }
    int status = choose(world, r->vehicle, &c);
    if (status == CLI_DONE && make_plan(world, &c, &plan, &error) != FM_OK) {
        fprintf(stderr, "fathom export: %s\n", error.text);
        status = CLI_FAILED;
    }
    if (status == CLI_DONE)
        status = write_plan(r, &c, &plan);
    fm_mission_free(&plan);
    return status;
}

int cli_export_mission(const cli_mission_export *r)
{
    fm_error error = {0};
    fm_model *model = cli_load(&r->scenario);
    if (!model)
        return CLI_FAILED;
    for (int i = 0; i < CLI_MISSION_FORMATS; i++)
        if (r->paths[i] && !cli_output_apart_from_model("export", options[i], r->paths[i], model)) {
            fm_model_free(model);
            return CLI_USAGE;
        }
    fm_world *world = fm_world_create(model, NULL, &error);
    int status = world ? export_world(r, world) : CLI_FAILED;
    if (!world)
        fprintf(stderr, "fathom export: %s\n", error.text);
    fm_world_free(world);
    fm_model_free(model);
    return status;
}
