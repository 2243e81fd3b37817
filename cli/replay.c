/* `fathom replay`: repeats the scenario of a log. */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "log_file.h"
#include "run/verify.h"
#include "scenario.h"
#include "scenario/plugins.h"
#include "telemetry/attachments.h"

typedef struct replay_options {
    const char *file;
    bool verify;
    int64_t threads;
} replay_options;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(replay_options, file), .noun = "log", .required = true, .path = CLI_FILE, .endings = ".mcap",
     .text = "a log of `fathom run --log`"},
};

static const cli_option option_table[] = {
    {"verify", CLI_FIELD(replay_options, verify), .required = true, .text = "compare all messages"},
    {"threads", CLI_FIELD(replay_options, threads), .value = "N", .min = 1, .max = 1024, .fallback = "1",
     .text = "number of threads; the result does not depend on it"},
};

const cli_command cli_replay_command = {
    .name = "replay",
    .section = "logs",
    .text = "repeat the run of a log and compare bit for bit",
    .about = "Repeats the run of a log from its attached files, with its seed, settings and every recorded input, and "
             "compares all messages bit for bit. The bits are the same on the same build; others may differ in the "
             "last ones.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .done = "nothing differs",
    .failed = "something differs or the log cannot be replayed",
    .main = cli_replay,
};

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
static void compare_plugins(const fm_mcap_reader *reader, const fm_model *model)
{
    const char *hash;
    for (size_t i = 0; i < model->plugin_count && (hash = recorded(reader, i, ".hash")); i++)
        if (strtoull(hash, NULL, 16) != model->plugins[i].hash)
            fprintf(stderr, "fathom replay: note: the plugin %s is not the one that the log was recorded with\n",
                    model->plugins[i].path);
}

static fm_model *load_scenario(const fm_mcap_reader *reader, const char *log, const char *folder)
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
        compare_plugins(reader, model);
    return model;
}

static int print_result(const char *file, const fm_verify_result *r, const fm_mcap_info *info)
{
    if (!r->same) {
        printf("%s: differs at tick %" PRIu64 " in %s %s: recorded %s, now %s (%" PRIu64
               " messages before it are the same)\n",
               file, r->tick, r->topic, r->field, r->recorded, r->now, r->compared ? r->compared - 1 : 0);
        return CLI_FAILED;
    }
    printf("%s: the same: %" PRIu64 " messages, %" PRIu64 " inputs, %.9g s", file, r->compared, r->inputs, r->time);
    if (r->missing)
        printf("; %" PRIu64 " messages of the run are not in the log%s", r->missing,
               info->recovered ? ", which was truncated" : "");
    printf("\n");
    return CLI_DONE;
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

static int verify(const char *file, fm_mcap_reader *reader, cleaner *files, int threads)
{
    fm_error error = {0};
    fm_verify_result result;
    const char *seed = fm_mcap_get_metadata(reader, "run", "seed"),
               *runaway = fm_mcap_get_metadata(reader, "run", "on_runaway");
    fm_world_options options = {.seeded = seed != NULL,
                                .seed = seed ? strtoull(seed, NULL, 10) : 0,
                                .threads = threads,
                                .on_runaway =
                                    runaway && !strcmp(runaway, "remove") ? FM_RUNAWAY_REMOVE : FM_RUNAWAY_END};
    fm_status status = fm_mcap_check(reader, &error);
    if (status == FM_OK)
        status = unpack(files, &error);
    fm_model *model = status == FM_OK ? load_scenario(reader, file, files->folder) : NULL;
    fm_world *world = model ? fm_world_create(model, &options, &error) : NULL;
    int code = CLI_FAILED;
    if (status != FM_OK || (model && !world) || (world && fm_log_verify(reader, world, &result, &error) != FM_OK))
        fprintf(stderr, "fathom replay: %s: %s\n", file, error.text);
    else if (!model)
        fprintf(stderr, "fathom replay: %s: the scenario in the log cannot be loaded\n", file);
    else
        code = print_result(file, &result, fm_mcap_get_info(reader));
    fm_world_free(world);
    fm_model_free(model);
    return code;
}

static int replay(const char *file, int threads)
{
    char folder[256];
    const char *base = getenv("TMPDIR");
    fm_mcap_reader *reader = cli_open_log("replay", file);
    if (!reader)
        return CLI_FAILED;
    int code = CLI_FAILED;
    snprintf(folder, sizeof folder, "%.200s/fathom-replay-XXXXXX", base && *base ? base : "/tmp");
    const char *version = fm_mcap_get_metadata(reader, "run", "version");
    if (version && strcmp(version, FATHOM_VERSION) != 0)
        fprintf(stderr, "fathom replay: note: the log was written by version %s, this is %s\n", version,
                FATHOM_VERSION);
    cleaner files = {.reader = reader};
    if (!fm_mcap_get_metadata(reader, "run", "scenario")) {
        fprintf(stderr, "fathom replay: %s: no scenario in this log; it was not written by `fathom run --log`\n", file);
    } else {
        if (!open_folder(&files, folder))
            perror("fathom replay: a folder for the files of the log");
        else
            code = verify(file, reader, &files, threads);
        close_folder(&files);
    }
    fm_mcap_reader_close(reader);
    return code;
}

int cli_replay(int argc, char **argv)
{
    replay_options o = {0};
    int status;
    if (!cli_options_read(&cli_replay_command, argc, argv, &o, &status))
        return status;
    return replay(o.file, (int)o.threads);
}
