/* A mission that is steered from C while it runs, and recorded.
 *
 * Phoenix follows two waypoints. The program reads its instruments as on-board software would, turns away from a wall
 * when the sonar sees it, takes the depth into its own hands, and adds a waypoint on the other side. Everything it asks
 * for is in the log: `fathom replay live.mcap --verify` makes the same run again.
 *
 *     cc live.c $(pkg-config --cflags --libs fathom) -o live
 *     ./live MODEL_FOLDER [LOG.mcap] */
#include <fathom/fathom.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char scenario[] =
    "<fathom version='1' title='steered from C'>"
    "  <world dt='0.05 s' duration='240 s' seed='1'><water density='1025 kg/m3'/><bottom depth='30 m'/>"
    "    <box name='wall' position='60 0 15 m' size='4 30 30 m'/></world>"
    "  <vehicle name='phoenix' model='nps-auv-ii' position='0 0 3 m' velocity='0.6 0 0 m/s'>"
    "    <sonar name='ahead' range='25 m' period='0.5 s'/><depth/><compass/>"
    "    <waypoints speed='0.6 m/s' radius='4 m'><waypoint position='40 0 5 m'/><waypoint position='100 0 5 "
    "m'/></waypoints>"
    "    <autopilot steering='fins' design-speed='0.6 m/s'>"
    "      <heading kp='1.5' ki='0.05 1/s' kd='2 s' limit='25 deg'/>"
    "      <depth kp='0.25 rad/m' ki='0.004 rad/m/s' kd='0.3 rad*s/m' limit='10 deg'/>"
    "      <pitch kp='2' ki='0.8 1/s' kd='2 s' limit='25 deg'/><roll kp='1' kd='0.5 s' limit='10 deg'/>"
    "      <speed kp='100 N*s/m' ki='10 N/m' feed='19.3 kg/m'/>"
    "    </autopilot>"
    "  </vehicle>"
    "</fathom>";

/* The latest value of an instrument, SI; NaN where it has none. */
static double read_value(const fm_world *world, const char *instrument, double *time)
{
    fm_sample sample;
    double value = NAN;
    if (fm_world_instrument_read(world, "phoenix", instrument, NULL, &sample, NULL) == FM_OK)
        fm_sample_values(&sample, &value, 1);
    *time = sample.time;
    return value;
}

/* A sink: is told what happens. */
static void print_event(void *user, fm_sink *sink, const fm_event *event)
{
    (void)user;
    (void)sink;
    printf("          %s\n", event->text);
}

/* What the mission does at each second. */
static fm_status decide(fm_run *run, int *turned, fm_error *error)
{
    fm_world *world = fm_run_world(run);
    double when, range = read_value(world, "ahead", &when), depth = read_value(world, "depth", &when);
    if (*turned || !(range < 20))
        return FM_OK;
    *turned = 1;
    printf("%6.1f s  wall at %.1f m, depth %.2f m: around it by the east, at 8 m\n", fm_world_time(world), range,
           depth);
    fm_waypoint around = {{60, 35, 5}, -1, 0}; /* at the speed of the list, without a stop */
    fm_status status = fm_run_waypoint_add(run, "phoenix", NULL, 1, &around, error);
    return status == FM_OK ? fm_run_desire(run, "phoenix", "depth", 8, error) : status;
}

static fm_status fly(fm_run *run, fm_error *error)
{
    int turned = 0;
    fm_status status = FM_OK;
    for (int second = 1; status == FM_OK && !fm_run_over(run); second++) {
        status = fm_run_until(run, second, error);
        if (status == FM_OK)
            status = decide(run, &turned, error);
    }
    return status == FM_OK ? fm_run_finish(run, error) : status;
}

int main(int argc, char **argv)
{
    fm_error error = {};
    const char *const folders[] = {argc > 1 ? argv[1] : "."};
    fm_load_options options = {};
    options.model_dirs = folders;
    options.model_dir_count = 1;
    fm_model *model = fm_model_load_memory(scenario, strlen(scenario), "live.xml", &options, &error);
    fm_run *run = model ? fm_run_create(model, NULL, &error) : NULL;
    fm_sink_config events = {};
    events.event = print_event;
    fm_status status = run ? fm_run_attach(run, &events, NULL, &error) : error.status;
    if (status == FM_OK)
        status = fm_run_record(run, argc > 2 ? argv[2] : "live.mcap", NULL, &error);
    if (status == FM_OK)
        status = fly(run, &error);
    fm_pose pose = {};
    if (status == FM_OK && fm_world_pose(fm_run_world(run), 0, &pose) == FM_OK)
        printf("%6.1f s  behind the wall at %.1f m north, %.1f m east, %.2f m deep\n", fm_world_time(fm_run_world(run)),
               pose.position[0], pose.position[1], pose.position[2]);
    if (status != FM_OK)
        fprintf(stderr, "%s:%d: %s\n", error.file, error.line, error.text);
    fm_run_free(run);
    fm_model_free(model);
    return status == FM_OK ? 0 : 1;
}
