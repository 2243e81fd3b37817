/* Speed of whole scenarios relative to real time on one core: closed loops with their sensors and controllers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "ocean/waves.h"
#include "scenario.h"

/* Runs `simulated` seconds of a world, as often as the time allows, and keeps the best. */
static void time_world(bench_report *report, const fm_model *model, double simulated, bench_result *result)
{
    fm_error error = {0};
    double best = INFINITY, end = bench_now() + report->seconds;
    uint64_t steps = 0;
    do {
        fm_world *world = model ? fm_world_create(model, NULL, &error) : NULL;
        double start = bench_worked();
        if (!world || fm_world_run_until(world, simulated, &error) != FM_OK) {
            if (model)
                cli_print_error(&error);
            report->failed = 1;
            fm_world_free(world);
            return;
        }
        best = fmin(best, bench_worked() - start);
        steps = fm_world_tick(world) * fm_model_vehicle_count(model);
        result->bytes_per_vehicle = (double)fm_world_bytes_per_vehicle(world, 0);
        fm_world_free(world);
    } while (bench_now() < end);
    result->steps_per_s = (double)steps / best;
    result->real_time_factor = simulated / best;
}

int bench_find_scenario(const char *name, char *path, size_t size)
{
    static fm_folders folders;
    fm_folders_find(&folders);
    for (size_t i = 0; i < folders.count; i++) {
        snprintf(path, size, "%s/%s", folders.scenario_dirs[i], name);
        if (access(path, R_OK) == 0)
            return 1;
    }
    return 0;
}

static void bench_file(bench_report *report, const char *file, const char *set, double simulated, const char *name)
{
    bench_result *result = bench_begin(report, "%s", name);
    char path[2400];
    if (!result)
        return;
    if (!bench_find_scenario(file, path, sizeof path)) {
        fprintf(stderr, "fathom bench: unknown scenario %s\n", file);
        report->failed = 1;
        return;
    }
    cli_scenario scenario = {.file = path, .sets = {.items = {set}, .count = set ? 1 : 0}};
    fm_model *model = cli_load(&scenario);
    time_world(report, model, simulated, result);
    fm_model_free(model);
}

/* A thousand fish, 4 m² of pool each, every one with its sonars and its own decisions at 20 Hz. */
static void bench_school(bench_report *report)
{
    enum { ROWS = 25, FISH = 40 };
    bench_result *result = bench_begin(report, "fish/1000");
    if (!result)
        return;
    bench_text text;
    if (!bench_text_begin(&text)) {
        report->failed = 1;
        return;
    }
    fprintf(text.out, "<fathom version=\"1\"><world dt=\"0.05 s\"><water density=\"1000 kg/m3\"/><pool name=\"pool\" "
                      "size=\"82 52 1.5 m\"/></world>");
    for (int row = 0; row < ROWS; row++)
        fprintf(text.out,
                "<vehicle name=\"row%d\" model=\"robotic-fish\" count=\"%d\" position=\"2 %d 0.5 m\" spacing=\"2 0 "
                "0 m\" attitude=\"0 0 %d deg\" "
                "velocity=\"0.1 0 0 m/s\"><fish-brain><free-swimming/></fish-brain></vehicle>",
                row, FISH, 2 + 2 * row, 37 * row % 360);
    fprintf(text.out, "</fathom>");
    char *scenario = bench_text_end(&text);
    fm_model *model = scenario ? cli_load_text(scenario, "school") : NULL;
    time_world(report, model, 5, result);
    fm_model_free(model);
    free(scenario);
}

/* Motion and height of the water in a JONSWAP sea of 60 components; a step is one place at one moment. */
static void bench_sea(bench_report *report)
{
    enum { WAVES = 60, SAMPLES = 1000 };
    bench_result *result = bench_begin(report, "sea/60-waves");
    if (!result)
        return;
    static fm_wave waves[WAVES];
    fm_jonswap spectrum = {.significant_height = 1, .peak_period = 6, .peakedness = 3.3, .spreading = 10};
    fm_jonswap_waves(&spectrum, 40, 9.81, 1, 0, waves, WAVES);
    fm_sea sea = {.waves = waves, .count = WAVES, .depth = 40, .gravity = 9.81, .density = 1025};
    volatile double sink = 0;
    double best = INFINITY, end = bench_now() + report->seconds;
    do {
        double start = bench_now();
        for (int i = 0; i < SAMPLES; i++)
            sink += fm_sea_at(&sea, 0.01 * i, (double[3]){0.1 * i, 3, 2}).velocity[0];
        best = fmin(best, bench_now() - start);
    } while (bench_now() < end);
    (void)sink;
    result->steps_per_s = SAMPLES / best;
}

/* One craft alone, for `simulated` seconds in steps of 10 ms. */
static void bench_craft(bench_report *report, const char *name, double simulated, const char *world,
                        const char *vehicle)
{
    bench_result *result = bench_begin(report, "%s", name);
    char text[4096];
    if (!result)
        return;
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s'><water density='1025 kg/m3'/>%s</world>%s</fathom>", world,
             vehicle);
    fm_model *model = cli_load_text(text, name);
    time_world(report, model, simulated, result);
    fm_model_free(model);
}

/* 40 waves, which act along the hulls. */
#define WAVES "<waves><jonswap height='0.1 m' period='2.5 s' direction='90 deg'/></waves>"
#define UNDER_WAY(model, orders)                                                                                       \
    "<vehicle name='v' model='" model "'><orders><at t='0 s' " orders "/></orders></vehicle>"
#define OTTER UNDER_WAY("otter", "propellers='60 rad/s'")
#define HERON UNDER_WAY("heron", "thrusters='20 N'")

/* LAUV on its way, whose place is known from a filter of all its instruments. */
#define NAVIGATING                                                                                                     \
    "<vehicle name='v' model='lauv' position='0 0 3 m' velocity='1.3 0 0 m/s'><gps noise='1 m' period='1 s'/>"         \
    "<compass noise='1 deg' period='0.1 s'/><depth noise='5 cm' period='0.1 s'/>"                                      \
    "<dvl noise='1 cm/s' period='0.2 s' range='60 m'/><navigation heading='compass' depth='depth' velocity='dvl' "     \
    "position='gps'><filter initial='1 m' heading-noise='1 deg' velocity-noise='1 1 1 cm/s'/></navigation>"            \
    "<waypoints speed='1.3 m/s' lookahead='5 m' radius='3 m'><waypoint position='300 0 3 m'/></waypoints>"             \
    "<autopilot steering='fins' design-speed='1.3 m/s'><heading kp='1' kd='1 s' limit='20 deg'/>"                      \
    "<depth kp='0.3 rad/m' kd='0.1 rad*s/m' limit='20 deg'/><pitch kp='1.5' kd='0.5 s' limit='20 deg'/>"               \
    "<speed kp='20 N*s/m' ki='2 N/m' feed='4 kg/m'/></autopilot></vehicle>"

static void bench_crafts(bench_report *report)
{
    bench_file(report, "bluerov2-hover.xml", NULL, 20, "bluerov2/hover");
    bench_craft(report, "otter/rest", 20, "", "<vehicle name='v' model='otter'/>");
    bench_craft(report, "otter/calm", 20, "", OTTER);
    bench_craft(report, "otter/waves", 20, WAVES, OTTER);
    bench_craft(report, "heron/calm", 20, "", HERON);
    bench_craft(report, "heron/waves", 20, WAVES, HERON);
    bench_file(report, "kvlcc2-circle.xml", NULL, 60, "kvlcc2/circle");
    bench_craft(report, "buoy/calm", 20, "", "<vehicle name='v' model='wavesim-buoy'/>");
    bench_craft(report, "buoy/waves", 20, WAVES, "<vehicle name='v' model='wavesim-buoy'/>");
    bench_craft(report, "navigation/filter", 20, "<bottom depth='30 m'/>", NAVIGATING);
}

void bench_scenarios(bench_report *report)
{
    bench_crafts(report);
    bench_file(report, "snookie-wall.xml", "/snookie/flow/model=wall", 10, "snookie/wall/8-sensors");
    bench_file(report, "snookie-corridor.xml", NULL, 5, "snookie/sources/room");
    bench_file(report, "remus-rise.xml", NULL, 150, "remus/rise");
    bench_file(report, "remus-reef-planned.xml", "/remus/planner/method=contour", 140, "planner/contour");
    bench_file(report, "remus-reef-planned.xml", "/remus/planner/method=potential", 140, "planner/potential");
    bench_file(report, "remus-reef-planned.xml", "/remus/planner/method=cells", 140, "planner/cells");
    bench_file(report, "phoenix-mission.xml", NULL, 60, "phoenix/mission");
    bench_file(report, "showcase.xml", NULL, 10, "showcase");
    bench_sea(report);
    bench_school(report);
}
