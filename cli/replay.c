/* `fathom replay`: repeats the scenario of a log. */
#include <inttypes.h>
#include <stdio.h>

#include "commands.h"
#include "log_file.h"
#include "repeat.h"

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

static int replay(const char *file, int threads)
{
    fm_verify_result result;
    fm_mcap_reader *reader = cli_open_log("replay", file);
    if (!reader)
        return CLI_FAILED;
    int code = CLI_FAILED;
    if (cli_repeat_log("replay", file, reader, threads, NULL, &result))
        code = print_result(file, &result, fm_mcap_get_info(reader));
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
