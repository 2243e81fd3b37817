/* Makes every call of calls.c in a process of its own. Built twice: as the plugin, which makes those that only a plugin
 * can make, and as the program, which makes the others and loads the plugin. Prints what crashed, hung or gave no
 * error. */
#include "null.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void release_nothing(void *thing)
{
    (void)thing;
}

static struct things *make_things(void)
{
    static fm_error error;
    static const char *const names[] = {"nothing"};
    static fm_figures_options figures = {.names = names, .name_count = 1};
    static fm_input input = {
        .command = {.kind = FM_COMMAND_ORDER, .order = {.vehicle = "phoenix", .actuator = "bow-rudder"}}};
    static fm_load_options load;
    static fm_log_options log;
    static fm_world_options world;
    static fm_batch_view batch_view;
    static fm_run_options run = {.duration = 1};
    static fm_run_clock clock;
    static fm_run_pace pace;
    static fm_run_task task;
    static fm_sink_config sink = {.delivery = FM_SINK_DIRECT};
    static fm_output output = {.field = "x", .unit = "m", .count = 1};
    static fm_pose pose = {.attitude = {1, 0, 0, 0}};
    static fm_quantity_view view = {.part = 0, .count = 1, .scale = 1};
    static fm_sample sample;
    static fm_waypoint waypoint;
    static fm_sighting sighting = {.algorithm = 1};
    static fm_water_info water;
    static fm_echo_info echoes[4];
    static int64_t seen;
    static fm_emission emission;
    static fm_reception reception;
    static fm_modem_message message;
    static fm_geodetic position;
    static fm_sound_here here;
    static fm_owner owner;
    static fm_tail tail = {.joints = 1, .link = {1}};
    static fm_flow_options flow = {.size = sizeof flow, .radius = 1};
    static fm_bead bead;
    static fm_log_table_options table = {.size = sizeof table};
    static fm_study_sobol sobol;
    static fm_study_morris morris;
    static const char *const ranges[] = {"/phoenix/position/z=1:5 m"}, *const goals[] = {"phoenix.z"};
    static fm_search_options search = {.size = sizeof search,
                                       .vary = ranges,
                                       .vary_count = 1,
                                       .minimise = goals,
                                       .minimise_count = 1,
                                       .generations = 1,
                                       .population = 4,
                                       .duration = 0.1};
    static const char *const sought[] = {"/phoenix/velocity/x"}, *const records[] = {"null.mcap"};
    static fm_fit_options fit = {.size = sizeof fit,
                                 .parameters = sought,
                                 .parameter_count = 1,
                                 .records = records,
                                 .record_count = 1,
                                 .iterations = 1};
    static fm_study_options study = {.size = sizeof study, .duration = 0.1};
    struct things *t = calloc(1, sizeof *t);
    strcpy(t->text, "phoenix");
    t->memory = calloc(1, 4 << 20);
    t->release = release_nothing;
    t->fm_error = &error;
    t->fm_figures_options = &figures;
    t->fm_input = &input;
    t->fm_load_options = &load;
    t->fm_log_options = &log;
    t->fm_world_options = &world;
    t->fm_batch_view = &batch_view;
    t->uint64_t = t->seeds;
    t->uint32_t = t->rows;
    t->uint8_t = t->bytes;
    t->fm_run_options = &run;
    t->fm_run_clock = &clock;
    t->fm_run_pace = &pace;
    t->fm_run_task = &task;
    t->fm_sink_config = &sink;
    t->fm_output = &output;
    t->fm_pose = &pose;
    t->fm_quantity_view = &view;
    t->fm_sample = &sample;
    t->fm_waypoint = &waypoint;
    t->fm_sighting = &sighting;
    t->fm_water_info = &water;
    t->fm_echo_info = echoes;
    t->int64_t = &seen;
    t->fm_emission = &emission;
    t->fm_reception = &reception;
    t->fm_modem_message = &message;
    t->fm_geodetic = &position;
    t->fm_sound_here = &here;
    t->fm_owner = &owner;
    t->fm_tail = &tail;
    t->fm_flow_options = &flow;
    t->fm_bead = &bead;
    t->fm_study_options = &study;
    t->fm_study_sobol = &sobol;
    t->fm_study_morris = &morris;
    t->fm_search_options = &search;
    t->fm_fit_options = &fit;
    t->fm_fit_sample = t->memory; /* room for all */
    t->fm_log_table_options = &table;
    return t;
}

/* 1: it went wrong. */
static int make_call(const struct public_call *call, struct things *things)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        alarm(5);
        _exit(call->call(things));
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return fprintf(stderr, "%s: no process\n", call->text), 1;
    if (WIFSIGNALED(status))
        fprintf(stderr, "%s: signal %d\n", call->text, WTERMSIG(status));
    else if (WEXITSTATUS(status))
        fprintf(stderr, "%s: no error\n", call->text);
    return status != 0;
}

static int make_calls(const char *where, struct things *things)
{
    int wrong = 0, made = 0;
    for (size_t i = 0; i < public_call_count; i++)
        if (strcmp(public_calls[i].where, where) == 0)
            wrong += make_call(&public_calls[i], things), made++;
    printf("%s: %d calls, %d wrong\n", where, made, wrong);
    fflush(stdout);
    return made && !wrong;
}

#ifdef PLUGIN
typedef struct null_config {
    double unused;
} null_config;
static const fm_attr attrs[] = {
    FM_REAL_ATTR(null_config, unused, "unused", "m", 0, 0, "0 m", 0, "nothing"),
};
static const fm_element element = FM_TABLE_ELEMENT(null_config, "controller", attrs, NULL, 0, "Makes calls.");

static fm_status load(fm_part_load *part, void *config, fm_error *error)
{
    (void)config, (void)error;
    struct things *things = make_things();
    things->fm_part_load = part;
    make_calls("load", things);
    free(things->memory);
    free(things);
    return FM_OK;
}

static void run(const fm_part_context *context)
{
    if (context->tick || *(int64_t *)context->state)
        return;
    *(int64_t *)context->state = 1;
    struct things *things = make_things();
    things->fm_part_context = context;
    make_calls("context", things);
    free(things->memory);
    free(things);
}

static const fm_part_class null_class = {
    .kind = FM_PART_CONTROLLER, .element = &element, .load = load, .run = run, .state_size = 8, .output_size = 8};
static const fm_part_class *const classes[] = {&null_class};
FM_API const fm_plugin fm_plugin_v1 = {.abi = FM_PLUGIN_ABI, .class_count = 1, .classes = classes};
#else
static const char scenario[] =
    "<fathom version='1'><world dt='0.1 s' duration='1 s' capacity='3'/><vehicle name='phoenix' model='nps-auv-ii'>"
    "<depth period='0.1 s'/><controller plugin='./libnull.so'/></vehicle></fathom>";

static const char without_plugin[] =
    "<fathom version='1'><world dt='0.1 s' duration='1 s'/><vehicle name='phoenix' model='nps-auv-ii' velocity='1 0 0 "
    "m/s'/></fathom>";

int main(void)
{
    struct things *t = make_things();
    fm_error error = {0};
    t->fm_model = fm_model_load_memory(scenario, sizeof scenario - 1, "null.xml", NULL, &error);
    t->fm_world = fm_world_create(t->fm_model, NULL, &error);
    if (!t->fm_world || fm_world_step(t->fm_world, &error) != FM_OK)
        return fprintf(stderr, "%s\n", error.text), 1;
    t->fm_batch = fm_batch_create(t->fm_model, 2, NULL, &error);
    t->fm_env = fm_env_create(t->fm_model, 2, NULL, &error);
    t->fm_env_state = fm_env_state_create(t->fm_env, &error);
    if (!t->fm_env_state)
        return fprintf(stderr, "%s\n", error.text), 1;
    fm_run *recorded = fm_run_create(t->fm_model, t->fm_run_options, &error);
    if (fm_run_record(recorded, "null.mcap", NULL, &error) != FM_OK || fm_run_until(recorded, 1, &error) != FM_OK)
        return fprintf(stderr, "%s\n", error.text), 1;
    fm_run_free(recorded);
    t->fm_log_reader = fm_log_open("null.mcap", &error);
    t->fm_log_table = fm_log_table_read(t->fm_log_reader, "/phoenix/odom", NULL, &error);
    fm_model *plain = fm_model_load_memory(without_plugin, sizeof without_plugin - 1, "plain.xml", NULL, &error);
    t->fm_search = fm_search_create(plain, t->fm_search_options, &error);
    t->fm_fit = t->fm_search ? fm_fit_create(plain, t->fm_fit_options, &error) : NULL;
    if (!t->fm_fit)
        return fprintf(stderr, "%s\n", error.text), 1;
    if (!t->fm_log_table)
        return fprintf(stderr, "%s\n", error.text), 1;
    t->fm_run = fm_run_create(t->fm_model, t->fm_run_options, &error);
    if (fm_run_attach(t->fm_run, t->fm_sink_config, &t->fm_sink, &error) != FM_OK)
        return fprintf(stderr, "%s\n", error.text), 1;
    t->fm_flow = fm_flow_create(t->fm_flow_options, &error);
    fm_world_instrument_read(t->fm_world, "phoenix", "depth", NULL, t->fm_sample, &error);
#ifdef WITH_NET
    static fm_server_options serving = {.port = -1, .stopped = 1, .seed = -1};
    t->fm_server_options = &serving;
    static fm_server_page page = {.http = "127.0.0.1:0"};
    t->fm_server_page = &page;
    static fm_telegram_loop_options loop;
    t->fm_telegram_loop_options = &loop;
    t->fm_server = fm_server_create(t->fm_model, &serving, &error);
    fm_server_stop(t->fm_server); /* so that it ends when it is run */
#endif
    int good = make_calls("program", t);
    printf("%zu functions\n", public_function_count);
#ifdef WITH_NET
    fm_server_free(t->fm_server);
#endif
    fm_env_state_free(t->fm_env_state);
    fm_env_free(t->fm_env);
    fm_log_table_free(t->fm_log_table);
    fm_log_close(t->fm_log_reader);
    fm_flow_free(t->fm_flow);
    fm_run_free(t->fm_run);
    fm_world_free(t->fm_world);
    fm_model_free(t->fm_model);
    free(t->memory);
    free(t);
    return !good;
}
#endif
