/* fathom view: a scenario or a recording in the browser. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "bridges.h"
#include "clock.h"
#include "commands.h"
#include "inputs.h"
#include "interrupt.h"
#include "listing.h"
#include "overlay.h"
#include "page.h"
#include "page/json_text.h"
#include "page/live_show.h"
#include "page/player.h"
#include "page/show_calls.h"
#include "page/web.h"
#include "page/web_address.h"
#include "realtime.h"
#include "run/run.h"
#include "scenario.h"

typedef struct view_options {
    cli_scenario scenario;
    const char *http, *token, *log, *second;
    double speed, rate;
    int64_t seed, threads, priority;
    bool paused, endless, no_browser;
    cli_bridges bridges;
    cli_overlays overlays;
} view_options;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(view_options, scenario.file), .noun = "scenario or recording", .required = true,
     .path = CLI_FILE, .endings = ".xml .mcap",
     .text = "a scenario (a file, or a name listed by `fathom scenarios`), or a log (.mcap)"},
    {"OTHER", CLI_FIELD(view_options, second), .noun = "recording", .path = CLI_FILE, .endings = ".mcap",
     .text = "a second log, to compare with the first in one sea"},
};

static const cli_option option_table[] = {
    {"http", CLI_FIELD(view_options, http), .value = "ADDR:PORT",
     .text = "address of the page; default: 127.0.0.1 and the first free port from 8080"},
    {"token", CLI_FIELD(view_options, token), .value = "TEXT",
     .text = "token that viewers need; default: one is generated if the address is not loopback"},
    {"speed", CLI_FIELD(view_options, speed), .value = "X", .min = 0, .max = 1e6, .fallback = "1",
     .text = "times real time; 0: as fast as possible"},
    {"paused", CLI_FIELD(view_options, paused), .text = "wait for Start"},
    {"endless", CLI_FIELD(view_options, endless), .text = "do not pause at the scenario's duration"},
    {"no-browser", CLI_FIELD(view_options, no_browser),
     .text = "do not open a browser; without it one is opened on a desktop, when the program is started by hand"},
    {"rate", CLI_FIELD(view_options, rate), .value = "HZ", .min = 0.1, .max = 1e4, .fallback = "30",
     .text = "samples per second of each vehicle and instrument"},
    {"log", CLI_FIELD(view_options, log), .value = "FILE.mcap", .path = CLI_FILE, .endings = ".mcap",
     .text = "record the run, including the actions of viewers"},
    {"seed", CLI_FIELD(view_options, seed), .value = "N", .min = 0, .max = 9007199254740992.0,
     .text = "seed of the random numbers; default: the scenario's"},
    {"threads", CLI_FIELD(view_options, threads), .value = "N", .min = 1, .max = 1024, .fallback = "1",
     .text = "number of threads; the result does not depend on it"},
    {"set", CLI_FIELD(view_options, scenario.sets), .value = "PATH=VALUE",
     .text = "set a parameter (see `fathom params FILE`); may be repeated"},
    CLI_PRIORITY_OPTION(view_options, priority),
    CLI_OVERLAY_OPTIONS(view_options, overlays),
    CLI_BRIDGE_OPTIONS(view_options, bridges),
};

const cli_command cli_view_command = {
    .name = "view",
    .section = "simulate",
    .text = "show a scenario or a recording in the browser",
    .about =
        "Simulates a scenario and serves a page to watch and control it, or plays a recording. A scenario pauses at "
        "its duration; Start continues. Other viewers can connect to the same address with the Foxglove protocol.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom view showcase\n"
                "  fathom view scenarios/fish-pool.xml --http 127.0.0.1:9000 --speed 2\n"
                "  fathom view run.mcap\n"
                "  fathom view before.mcap after.mcap\n",
    .interrupted = "a log is complete up to that time",
    .main = cli_view,
};

/* --- a run and the thread that steps it --- */

typedef struct stage {
    fm_model *model;
    fm_run *run;
    fm_live_show live;
    cli_run_host_options around;
    cli_run_host *run_host;
    cli_overlay_counts *counts; /* of live telemetry */
    pthread_t stepping;
    pthread_mutex_t lock;
    pthread_cond_t woken;
    bool awake; /* someone has woken the stepping thread */
    int64_t priority;
    bool started; /* it is there */
    atomic_bool failed;
} stage;

static void sleep_until_woken(void *user, double moment)
{
    stage *s = user;
    struct timespec t = {(time_t)moment, (long)((moment - floor(moment)) * 1e9)};
    pthread_mutex_lock(&s->lock);
    while (!s->awake && pthread_cond_timedwait(&s->woken, &s->lock, &t) == 0)
        ;
    s->awake = false;
    pthread_mutex_unlock(&s->lock);
}

static void wake_stepping(void *user)
{
    stage *s = user;
    pthread_mutex_lock(&s->lock);
    s->awake = true;
    pthread_cond_signal(&s->woken);
    pthread_mutex_unlock(&s->lock);
}

static void *step_along(void *user)
{
    stage *s = user;
    const fm_run_clock clock = {cli_clock, sleep_until_woken, wake_stepping, s};
    fm_error error = {0};
    cli_realtime_begin("view", s->priority);
    /* Viewers see how things stand before the first step, also while it is waited for. */
    if (fm_run_begin_sinks(s->run, &error) != FM_OK || fm_run_go(s->run, &clock, &error) != FM_OK) {
        cli_print_error(&error);
        s->failed = true;
    }
    return NULL;
}

static void free_stage(stage *s)
{
    if (!s)
        return;
    if (s->started) {
        fm_run_stop(s->run);
        pthread_join(s->stepping, NULL);
        cli_interrupt_calm();
    }
    fm_error error = {0};
    if (s->run && fm_run_finish(s->run, &error) != FM_OK && !s->failed)
        cli_print_error(&error);
    cli_run_host_close("view", s->run_host);
    fm_run_free(s->run);
    cli_overlays_close("view", s->counts);
    fm_live_show_close(&s->live);
    fm_model_free(s->model);
    pthread_cond_destroy(&s->woken);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static stage *new_stage(void)
{
    stage *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&s->woken, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

/* Room for vehicles that viewers add. */
static const char spare[] = "/world/spare=8";

static bool prepare_stage(stage *s, const view_options *o, const cli_scenario *scenario, const char *log)
{
    fm_error error = {0};
    const fm_world_options world = {
        .seeded = o->seed >= 0, .seed = (uint64_t)o->seed, .threads = (int)o->threads, .on_runaway = FM_RUNAWAY_REMOVE};
    fm_run_options options = {.world = &world, .duration = HUGE_VAL, .pace = {.speed = o->speed}};
    cli_scenario roomy = *scenario;
    cli_list *sets = &roomy.sets;
    if (sets->count < CLI_LIST_MOST) { /* first: a value of the user counts more */
        memmove(sets->items + 1, sets->items, sets->count++ * sizeof *sets->items);
        sets->items[0] = spare;
    }
    s->model = cli_load(&roomy);
    if (!s->model)
        return false;
    if (log && !cli_output_apart_from_model("view", "--log", log, s->model))
        return false;
    s->run = fm_run_create(s->model, &options, &error);
    if (s->run && scenario == &o->scenario && !cli_overlays_attach("view", s->run, &o->overlays, NULL, &s->counts))
        return false;
    if (!s->run || fm_live_show_open(&s->live, s->run, scenario->file, o->rate, o->speed, o->paused, &error) != FM_OK)
        return cli_print_error(&error), false;
    if (log && fm_run_record(s->run, log, NULL, &error) != FM_OK)
        return fprintf(stderr, "fathom view: --log %s: %s\n", log, error.text), false;
    fm_run_set_until(s->run, FM_RUN_UNTIL_DURATION, NULL); /* the page can step and reset what has ended */
    if (!o->endless)
        fm_live_show_end_at(&s->live, fm_model_duration(s->model));
    s->around = (cli_run_host_options){.command = "view", .speed = o->speed, .show = &s->live};
    return cli_run_host_open(&s->around, s->run, &s->run_host);
}

/* A run that steps; NULL: the reason was printed. */
static stage *open_stage(const view_options *o, const cli_scenario *scenario, const char *log)
{
    stage *s = new_stage();
    if (!s || !prepare_stage(s, o, scenario, log))
        return free_stage(s), NULL;
    if (o->paused)
        fm_run_pause(s->run);
    s->started = pthread_create(&s->stepping, NULL, step_along, s) == 0;
    if (!s->started)
        return fprintf(stderr, "fathom view: no thread to step the run\n"), free_stage(s), NULL;
    return s;
}

/* --- the loop --- */

typedef struct view {
    const view_options *options;
    uv_loop_t loop;
    uv_signal_t signals[3];
    uv_timer_t timer;
    fm_web *web;
    stage *now, *next, *old;                      /* the next one is loaded; the old one is freed when no viewer uses
                                                   * it */
    fm_player *player, *next_player, *old_player; /* the next one is asked for; the old one goes like an old stage */
    json_t *scenarios;
    bool reload;
    int signal;        /* that ends it; 0: none */
    fm_player *faulty; /* whose fault was printed */
    struct {           /* files are opened by a thread of the pool, one at a time: the loop serves meanwhile */
        uv_work_t work;
        bool busy;
        char file[4096]; /* a scenario, or the second recording; "": none */
        fm_error error;
        fm_player *player;
        stage *stage;
        fm_show_call *call; /* that waits for it */
    } opening;
} view;

static fm_status begin_opening(view *v, const char *file, uv_work_cb open, uv_after_work_cb done, fm_error *error)
{
    if (v->opening.busy)
        return fm_fail(error, FM_ERR_STATE, "another file is being opened");
    v->opening.error = (fm_error){0};
    v->opening.player = NULL;
    v->opening.stage = NULL;
    v->opening.call = NULL;
    v->opening.work.data = v;
    snprintf(v->opening.file, sizeof v->opening.file, "%s", file);
    v->opening.busy = uv_queue_work(&v->loop, &v->opening.work, open, done) == 0;
    return v->opening.busy ? FM_OK : fm_fail(error, FM_ERR_LIBRARY, "no thread to open a file");
}

static void want_reload(void *user)
{
    view *v = user;
    v->reload = true;
}

static void offer_scenarios(view *v)
{
    v->now->live.scenarios = v->scenarios;
    v->now->live.load = want_reload;
    v->now->live.load_user = v;
}

static void load_stage(uv_work_t *work)
{
    view *v = work->data;
    const cli_scenario scenario = {.file = v->opening.file, .warned = true};
    v->opening.stage = open_stage(v->options, &scenario, NULL);
}

/* Viewers get their answer before they are disconnected. */
static void take_stage(uv_work_t *work, int status)
{
    view *v = work->data;
    (void)status;
    v->opening.busy = false;
    v->next = v->opening.stage;
    fm_show_answer(v->now->live.loading, v->next ? FM_OK : FM_ERR_FILE,
                   "it cannot be loaded; the program has printed why");
    v->now->live.loading = NULL;
}

static void load_scenario(view *v)
{
    if (!v->old && !v->next && begin_opening(v, v->now->live.wanted, load_stage, take_stage, NULL) == FM_OK)
        v->reload = false;
}

static void change_scenario(view *v)
{
    fprintf(stderr, "fathom view: %s\n", v->opening.file);
    v->old = v->now;
    v->now = v->next;
    v->next = NULL;
    offer_scenarios(v);
    fm_web_change(v->web, &v->now->live.show);
}

static void change_player(view *v)
{
    if (v->next_player && !v->old_player) {
        v->old_player = v->player;
        v->player = v->next_player;
        v->next_player = NULL;
        fm_player_follow(v->player, v->old_player);
        fm_web_change(v->web, fm_player_show(v->player));
    } else if (v->old_player && !fm_web_stale(v->web) && !v->opening.busy) {
        fm_player_close(v->old_player);
        v->old_player = NULL;
    }
}

/* A recording that can no longer be read completely; reported once. */
static void print_fault(view *v)
{
    fm_error fault;
    if (v->player == v->faulty || !fm_player_fault(v->player, &fault))
        return;
    fprintf(stderr, "fathom view: warning: %s\n", fault.text);
    v->faulty = v->player;
}

static void watch_child(uv_timer_t *timer)
{
    view *v = timer->data;
    if (!v->now) {
        change_player(v);
        print_fault(v);
        return;
    }
    fm_live_show_tell(&v->now->live, cli_clock(NULL));
    if (v->next)
        change_scenario(v);
    if (v->reload)
        load_scenario(v);
    if (v->old && !fm_web_stale(v->web)) {
        free_stage(v->old);
        v->old = NULL;
    }
}

static void end_loop(uv_signal_t *handle, int number)
{
    view *v = handle->data;
    v->signal = number;
    if (v->now) {
        fm_run_stop(v->now->run);
        cli_interrupt_hurry(fm_run_world(v->now->run), number);
    }
    uv_stop(handle->loop);
}

static void begin_loop(view *v)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    uv_loop_init(&v->loop);
    for (int i = 0; i < 3; i++) {
        uv_signal_init(&v->loop, &v->signals[i]);
        v->signals[i].data = v;
        uv_signal_start(&v->signals[i], end_loop, numbers[i]);
    }
    uv_timer_init(&v->loop, &v->timer);
    v->timer.data = v;
    uv_timer_start(&v->timer, watch_child, 200, 200);
}

static void close_loop(view *v)
{
    while (v->opening.busy)
        uv_run(&v->loop, UV_RUN_ONCE);
    fm_web_close(v->web);
    for (int i = 0; i < 3; i++)
        uv_close((uv_handle_t *)&v->signals[i], NULL);
    uv_close((uv_handle_t *)&v->timer, NULL);
    uv_run(&v->loop, UV_RUN_DEFAULT);
    uv_loop_close(&v->loop);
}

/* On a desktop, from a terminal. */
static void open_browser(const view_options *o, const char *url)
{
    const char *display = getenv("WAYLAND_DISPLAY") ? getenv("WAYLAND_DISPLAY") : getenv("DISPLAY");
    if (o->no_browser || !display || !*display || getenv("SSH_CONNECTION") || !isatty(STDOUT_FILENO))
        return;
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_RDWR);
        setsid();
        if (fork() != 0)
            _exit(0); /* the browser is no child of ours */
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execlp("xdg-open", "xdg-open", url, (char *)NULL);
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

static int serve(view *v, fm_show *show)
{
    const view_options *o = v->options;
    fm_web_address where;
    fm_error error = {0};
    if (fm_web_address_read(o->http, o->token, &where, &error) != FM_OK)
        return fprintf(stderr, "fathom view: --http %s\n", error.text), CLI_USAGE;
    begin_loop(v);
    v->web = fm_web_open(&v->loop, show, &where.options, &error);
    if (v->web) {
        fm_web_url urls[CLI_PAGE_URLS];
        size_t count = fm_web_urls(v->web, urls, CLI_PAGE_URLS);
        cli_page_print(stdout, "", urls, count);
        if (count > 0)
            open_browser(o, urls[0].text);
        uv_run(&v->loop, UV_RUN_DEFAULT);
    } else
        fprintf(stderr, "fathom view: %s\n", error.text);
    int status = v->web ? CLI_DONE : CLI_FAILED;
    status = v->web && v->signal ? 128 + v->signal : status;
    close_loop(v);
    return status;
}

/* --- the command --- */

static bool is_recording(const char *file)
{
    size_t length = strlen(file);
    return length > 5 && strcmp(file + length - 5, ".mcap") == 0;
}

/* --- recordings next to the first one: those of its folder --- */

static size_t folder_length(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? (size_t)(slash - file) + 1 : 0;
}

static bool join_path(const view *v, const char *name, char *path, size_t room)
{
    const char *first = v->options->scenario.file;
    int n = snprintf(path, room, "%.*s%s", (int)folder_length(first), first, name);
    return n > 0 && (size_t)n < room;
}

static json_t *list_recordings(void *user)
{
    view *v = user;
    char path[4096];
    json_t *list = json_array();
    DIR *folder = join_path(v, ".", path, sizeof path) ? opendir(path) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat about;
        if (is_recording(entry->d_name) && join_path(v, entry->d_name, path, sizeof path) && stat(path, &about) == 0 &&
            S_ISREG(about.st_mode))
            json_array_append_new(
                list, json_pack("{s:o,s:I}", "name", fm_json_text(entry->d_name), "bytes", (json_int_t)about.st_size));
    }
    if (folder)
        closedir(folder);
    return list;
}

static fm_status compare_recording(void *user, const char *name, fm_error *error);

static fm_player *open_player(view *v, const char *second, bool paused, fm_error *error)
{
    const view_options *o = v->options;
    const char *paths[FM_PLAYER_MOST] = {o->scenario.file, second};
    int ok;
    fm_overlay *overlays = cli_overlays_read("view", &o->overlays, o->scenario.file, &ok);
    if (!ok) {
        fm_overlay_free_all(overlays);
        return fm_fail(error, FM_ERR_FILE, "the telemetry cannot be combined with the recording"), NULL;
    }
    fm_player *player = fm_player_open(paths, second ? 2 : 1, o->speed, paused, overlays, error);
    if (player)
        fm_player_offer(player, &(fm_player_shelf){list_recordings, compare_recording, v});
    return player;
}

static void open_recording(uv_work_t *work)
{
    view *v = work->data;
    v->opening.player = open_player(v, v->opening.file[0] ? v->opening.file : NULL, true, &v->opening.error);
}

static void take_recording(uv_work_t *work, int status)
{
    view *v = work->data;
    (void)status;
    v->opening.busy = false;
    fm_show_answer(v->opening.call, v->opening.player ? FM_OK : v->opening.error.status, v->opening.error.text);
    if (!v->opening.player)
        return;
    fm_player_close(v->next_player); /* the last wish counts */
    v->next_player = v->opening.player;
}

static fm_status compare_recording(void *user, const char *name, fm_error *error)
{
    view *v = user;
    char path[4096];
    if (*name && (strchr(name, '/') || !is_recording(name) || !join_path(v, name, path, sizeof path)))
        return fm_fail(error, FM_ERR_ARGUMENT,
                       "%s: must be the name of a recording (.mcap) in the directory of the first one", name);
    fm_status status = begin_opening(v, *name ? path : "", open_recording, take_recording, error);
    if (status == FM_OK)
        v->opening.call = fm_show_defer(fm_player_show(v->player));
    return status;
}

static int view_recording(view *v)
{
    fm_error error = {0};
    v->player = open_player(v, v->options->second, v->options->paused, &error);
    if (!v->player)
        return cli_print_error(&error), CLI_FAILED;
    int status = serve(v, fm_player_show(v->player));
    fm_player_close(v->old_player);
    fm_player_close(v->next_player);
    fm_player_close(v->player);
    return status;
}

static void note_scenario(void *user, const char *name, const char *title)
{
    json_array_append_new(user, json_pack("{s:o,s:o}", "name", fm_json_text(name), "title", fm_json_text(title)));
}

static int view_scenario(view *v)
{
    v->scenarios = json_array();
    cli_scenario_each(note_scenario, v->scenarios);
    v->now = open_stage(v->options, &v->options->scenario, v->options->log);
    int status = CLI_FAILED;
    if (v->now) {
        offer_scenarios(v);
        status = serve(v, &v->now->live.show);
        status = status != CLI_USAGE && v->now->failed ? CLI_FAILED : status;
    }
    free_stage(v->old);
    free_stage(v->next);
    free_stage(v->now);
    json_decref(v->scenarios);
    return status;
}

int cli_view(int argc, char **argv)
{
    view_options o = {.seed = -1};
    int status;
    if (!cli_options_read(&cli_view_command, argc, argv, &o, &status))
        return status;
    o.scenario.warned = true;
    cli_bridges_give(&o.bridges, &o.scenario);
    view v = {.options = &o};
    if (o.second && !(is_recording(o.scenario.file) && is_recording(o.second)))
        return fprintf(stderr, "fathom view: %s: only two recordings (.mcap) can be compared\n", o.second), CLI_USAGE;
    return is_recording(o.scenario.file) ? view_recording(&v) : view_scenario(&v);
}
