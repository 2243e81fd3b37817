/* The run of a log again: its files, its settings, its inputs. */
#include "repeat.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log_file.h"
#include "scenario.h"
#include "scenario/plugins.h"
#include "telemetry/attachments.h"

static void print_each(void *user, const fm_error *error)
{
    (void)user;
    cli_print_error(error);
}

/* Folders of all attachments: models are found in the one they came from. */
static size_t list_folders(const fm_mcap_reader *reader, const char *folder, char (*dirs)[1024], const char **names,
                           size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < fm_mcap_attachment_count(reader) && count < most; i++) {
        const char *name = fm_mcap_attachment_at(reader, i)->name, *slash = strrchr(name, '/');
        snprintf(dirs[count], sizeof *dirs, "%s/%.*s", folder, slash ? (int)(slash - name) : 0, name);
        size_t k = 0;
        while (k < count && strcmp(dirs[k], dirs[count]) != 0)
            k++;
        names[count] = dirs[count];
        count += k == count;
    }
    return count;
}

/* --- plugins: not attached, but found at their original path, or next to the log --- */

typedef struct recorded_plugins {
    char folders[FM_PLUGINS_MOST + 1][1024];
    const char *names[FM_PLUGINS_MOST + 1]; /* of these folders */
    size_t count;
} recorded_plugins;

static const char *recorded(const fm_mcap_reader *reader, size_t i, const char *what)
{
    char key[48];
    snprintf(key, sizeof key, "plugin.%zu%s", i, what);
    return fm_mcap_get_metadata(reader, "run", key);
}

static void add_folder(recorded_plugins *plugins, const char *file)
{
    const char *slash = strrchr(file, '/');
    char *to = plugins->folders[plugins->count];
    snprintf(to, sizeof plugins->folders[0], "%.*s", slash ? (int)(slash - file) : 1, slash ? file : ".");
    plugins->names[plugins->count++] = to;
}

static void find_plugins(const fm_mcap_reader *reader, const char *log, recorded_plugins *plugins)
{
    const char *path;
    plugins->count = 0;
    for (size_t i = 0; i < FM_PLUGINS_MOST && (path = recorded(reader, i, "")); i++)
        add_folder(plugins, path);
    add_folder(plugins, log);
}

/* Reports a plugin that differs from the one that the log was recorded with. */
static void compare_plugins(const char *command, const fm_mcap_reader *reader, const fm_model *model)
{
    const char *hash;
    for (size_t i = 0; i < model->plugin_count && (hash = recorded(reader, i, ".hash")); i++)
        if (strtoull(hash, NULL, 16) != model->plugins[i].hash)
            fprintf(stderr, "fathom %s: note: the plugin %s is not the one that the log was recorded with\n", command,
                    model->plugins[i].path);
}

static fm_model *load_scenario(const char *command, const fm_mcap_reader *reader, const char *log, const char *folder)
{
    static char dirs[64][1024];
    static recorded_plugins plugins;
    const char *names[64], *sets[CLI_LIST_MOST], *scenario = fm_mcap_get_metadata(reader, "run", "scenario");
    char path[1400], key[32];
    fm_error error = {0};
    size_t set_count = 0;
    for (; set_count < CLI_LIST_MOST; set_count++) {
        snprintf(key, sizeof key, "set.%zu", set_count);
        if (!(sets[set_count] = fm_mcap_get_metadata(reader, "run", key)))
            break;
    }
    fm_load_options options = {.set = sets,
                               .set_count = set_count,
                               .model_dirs = names,
                               .model_dir_count = list_folders(reader, folder, dirs, names, 64),
                               .report = print_each};
    find_plugins(reader, log, &plugins);
    options.plugin_dirs = plugins.names;
    options.plugin_dir_count = plugins.count;
    snprintf(path, sizeof path, "%s/%.300s", folder, scenario);
    fm_model *model = fm_model_load(path, &options, &error);
    if (model)
        compare_plugins(command, reader, model);
    return model;
}

/* --- a signal: removes the folder of unpacked files with the program --- */

typedef struct cleaner {
    const fm_mcap_reader *reader;
    const char *folder;
    sigset_t signals;
    pthread_mutex_t unpacking; /* held while files are written */
    pthread_t thread;
    atomic_bool done; /* nothing is left to remove: SIGUSR1 ends the thread */
    bool works;
} cleaner;

static void *clean_on_signal(void *user)
{
    cleaner *c = user;
    int number;
    do {
        if (sigwait(&c->signals, &number) != 0 || atomic_load(&c->done))
            return NULL;
    } while (number == SIGUSR1);
    pthread_mutex_lock(&c->unpacking);
    fm_attachments_remove(c->reader, c->folder);
    fprintf(stderr, "fathom: interrupted\n");
    _exit(128 + number);
}

/* Makes the folder, and a thread that waits for signals, so that it may do more than a handler; signals that the caller
 * of the program ignores stay ignored. */
static bool open_folder(cleaner *c, char *folder)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(&c->signals);
    sigaddset(&c->signals, SIGUSR1);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaddset(&c->signals, numbers[i]);
    }
    pthread_sigmask(SIG_BLOCK, &c->signals, NULL);
    pthread_mutex_init(&c->unpacking, NULL);
    c->folder = mkdtemp(folder);
    c->works = c->folder && pthread_create(&c->thread, NULL, clean_on_signal, c) == 0;
    if (!c->works)
        pthread_sigmask(SIG_UNBLOCK, &c->signals, NULL);
    return c->folder;
}

static void close_folder(cleaner *c)
{
    if (c->folder)
        fm_attachments_remove(c->reader, c->folder);
    if (c->works) {
        atomic_store(&c->done, true);
        pthread_kill(c->thread, SIGUSR1);
        pthread_join(c->thread, NULL);
        pthread_sigmask(SIG_UNBLOCK, &c->signals, NULL);
        pthread_sigmask(SIG_UNBLOCK, &c->signals, NULL);
    }
    pthread_mutex_destroy(&c->unpacking);
}

static fm_status unpack(cleaner *c, fm_error *error)
{
    pthread_mutex_lock(&c->unpacking);
    fm_status status = fm_attachments_unpack(c->reader, c->folder, error);
    pthread_mutex_unlock(&c->unpacking);
    return status;
}

/* --- the run --- */

typedef struct repeat {
    const char *command, *file;
    fm_mcap_reader *reader;
    int threads;
    const cli_repeat_watch *watch;
    fm_verify_result *result;
} repeat;

static fm_status go(const repeat *r, fm_world *world, fm_error *error)
{
    const cli_repeat_watch *w = r->watch;
    fm_status status = w ? w->start(w->user, fm_world_model(world), error) : FM_OK;
    const fm_verify_watch watch = {.tick = w ? w->tick : NULL, .user = w ? w->user : NULL};
    if (status == FM_OK)
        status = fm_log_repeat(r->reader, world, w ? &watch : NULL, r->result, error);
    if (w)
        w->end(w->user);
    return status;
}

static bool repeat_from(const repeat *r, cleaner *files)
{
    fm_error error = {0};
    const char *seed = fm_mcap_get_metadata(r->reader, "run", "seed"),
               *runaway = fm_mcap_get_metadata(r->reader, "run", "on_runaway");
    fm_world_options options = {.seeded = seed != NULL,
                                .seed = seed ? strtoull(seed, NULL, 10) : 0,
                                .threads = r->threads,
                                .on_runaway =
                                    runaway && !strcmp(runaway, "remove") ? FM_RUNAWAY_REMOVE : FM_RUNAWAY_END};
    fm_status status = fm_mcap_check(r->reader, &error);
    if (status == FM_OK)
        status = unpack(files, &error);
    fm_model *model = status == FM_OK ? load_scenario(r->command, r->reader, r->file, files->folder) : NULL;
    fm_world *world = model ? fm_world_create(model, &options, &error) : NULL;
    if (world)
        status = go(r, world, &error);
    const bool fine = status == FM_OK && world;
    if (status == FM_OK && !model)
        fprintf(stderr, "fathom %s: %s: the scenario in the log cannot be loaded\n", r->command, r->file);
    else if (!fine)
        fprintf(stderr, "fathom %s: %s: %s\n", r->command, r->file, error.text);
    fm_world_free(world);
    fm_model_free(model);
    return fine;
}

bool cli_repeat_log(const char *command, const char *file, fm_mcap_reader *reader, int threads,
                    const cli_repeat_watch *watch, fm_verify_result *result)
{
    char folder[256];
    const char *base = getenv("TMPDIR"), *version = fm_mcap_get_metadata(reader, "run", "version");
    const repeat r = {command, file, reader, threads, watch, result};
    snprintf(folder, sizeof folder, "%.200s/fathom-replay-XXXXXX", base && *base ? base : "/tmp");
    if (version && strcmp(version, FATHOM_VERSION) != 0)
        fprintf(stderr, "fathom %s: note: the log was written by version %s, this is %s\n", command, version,
                FATHOM_VERSION);
    if (!fm_mcap_get_metadata(reader, "run", "scenario"))
        return fprintf(stderr, "fathom %s: %s: no scenario in this log; it was not written by `fathom run --log`\n",
                       command, file),
               false;
    cleaner files = {.reader = reader};
    bool fine = false;
    if (open_folder(&files, folder))
        fine = repeat_from(&r, &files);
    else
        fprintf(stderr, "fathom %s: a folder for the files of the log: %s\n", command, strerror(errno));
    close_folder(&files);
    return fine;
}

bool cli_repeat_watched(const char *command, const char *file, fm_mcap_reader *reader, const cli_repeat_watch *watch)
{
    fm_verify_result result;
    if (!cli_repeat_log(command, file, reader, 1, watch, &result))
        return false;
    if (!result.same)
        fprintf(stderr,
                "fathom %s: %s: expressions are evaluated on a repetition of the run, and this one differs from the "
                "log at tick %" PRIu64 " in %s %s: recorded %s, now %s\n",
                command, file, result.tick, result.topic, result.field, result.recorded, result.now);
    return result.same;
}
