/* Good values for every argument of the public functions, for null_calls.py; one call each. */
#include <fathom/fathom.h>
#include <fathom/figures.h>
#ifdef WITH_NET
#include <fathom/server.h>
#endif
#include <stddef.h>

struct things {
    char text[256];
    double doubles[65536];
    int ints[4096];
    size_t size;
    void *memory, *pointer;
    void (*release)(void *);
    fm_error *fm_error;
    fm_model *fm_model;
    fm_world *fm_world;
    fm_run *fm_run;
    fm_batch *fm_batch;
    fm_batch_view *fm_batch_view;
    unsigned char bytes[64];
    fm_sink *fm_sink;
    fm_figures *fm_figures;
    fm_part_load *fm_part_load;
    const fm_part_context *fm_part_context;
    fm_figures_options *fm_figures_options;
    fm_input *fm_input;
    fm_load_options *fm_load_options;
    fm_log_options *fm_log_options;
    fm_world_options *fm_world_options;
    fm_run_options *fm_run_options;
    fm_run_clock *fm_run_clock;
    fm_run_pace *fm_run_pace;
    fm_run_task *fm_run_task;
    fm_sink_config *fm_sink_config;
    fm_output *fm_output;
    fm_pose *fm_pose;
    fm_quantity_view *fm_quantity_view;
    fm_sample *fm_sample;
    fm_waypoint *fm_waypoint;
    fm_sighting *fm_sighting;
    fm_water_info *fm_water_info;
    fm_echo_info *fm_echo_info;
    int64_t *int64_t;
    fm_emission *fm_emission;
    fm_reception *fm_reception;
    fm_modem_message *fm_modem_message;
    fm_geodetic *fm_geodetic;
    fm_sound_here *fm_sound_here;
    fm_owner *fm_owner;
    fm_tail *fm_tail;
    fm_flow_options *fm_flow_options;
    fm_flow *fm_flow;
    fm_bead *fm_bead;
    fm_log_reader *fm_log_reader;
    fm_log_table *fm_log_table;
    fm_log_table_options *fm_log_table_options;
    fm_study_options *fm_study_options;
    fm_study *fm_study;
    fm_study_sobol *fm_study_sobol;
    fm_study_morris *fm_study_morris;
    fm_search_options *fm_search_options;
    fm_search *fm_search;
    fm_fit_options *fm_fit_options;
    fm_fit *fm_fit;
    fm_fit_sample *fm_fit_sample;
    fm_env *fm_env;
    fm_env_state *fm_env_state;
    uint64_t seeds[8], *uint64_t;
    uint32_t rows[8], *uint32_t;
    uint8_t *uint8_t;
#ifdef WITH_NET
    fm_server *fm_server;
    fm_server_options *fm_server_options;
    fm_server_page *fm_server_page;
    fm_telegram_loop_options *fm_telegram_loop_options;
#endif
};

struct public_call {
    int (*call)(struct things *things);
    const char *where; /* it can be made: "program", or "load" or "context" of a plugin */
    const char *text;
};
extern const struct public_call public_calls[];
extern const size_t public_call_count, public_function_count;
