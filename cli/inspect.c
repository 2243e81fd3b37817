/* fathom check: checks scenarios and models without running them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "listing.h"
#include "scenario.h"
#include "scenario/load.h"

typedef struct inspect_options {
    cli_words files;
    cli_list sets;
} inspect_options;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(inspect_options, files), .noun = "scenario", .required = true, .path = CLI_FILE,
     .endings = ".xml",
     .text = "scenarios (files, or names listed by `fathom scenarios`) and models; - is standard input"},
};

static const cli_option option_table[] = {
    {"set", CLI_FIELD(inspect_options, sets), .value = "PATH=VALUE",
     .text = "set a parameter; may be repeated; the vehicle of a model file is named /vehicle"},
};

const cli_command cli_check_command = {
    .name = "check",
    .section = "simulate",
    .text = "report every error in scenarios and models",
    .about =
        "Reports every error in scenarios and their models: file, line, element, what is wrong and what is valid. A "
        "model file is checked on its own. Warnings name input that is valid but probably a mistake: guidance after "
        "the autopilot that should read it, obstacles below the floor or out of reach, starts in the air, faults after "
        "the end of the run, damping with the wrong sign, a top-heavy vehicle, steps that are too long.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .done = "all are fine",
    .failed = "one has errors",
    .main = cli_check,
};

static void print_error(void *user, const fm_error *error)
{
    (void)user;
    cli_print_error(error);
}

/* Whether the first element of a text is <model>. */
static bool is_model(const char *text)
{
    while ((text = strchr(text, '<'))) {
        const char *end = strncmp(text, "<!--", 4) == 0 ? "-->" : text[1] == '?' ? "?>" : NULL;
        if (!end)
            return strncmp(text, "<model", 6) == 0 && strchr(" \t\r\n/>", text[6]);
        if (!(text = strstr(text, end)))
            return false;
    }
    return false;
}

/* Standard input as text with a terminating NUL, to be freed; NULL and a message if it cannot be read. */
static char *read_input(size_t *size)
{
    enum { MOST = 64 << 20 };
    char *text = NULL;
    size_t room = 0;
    *size = 0;
    do {
        char *more = realloc(text, room = room ? 2 * room : 65536);
        if (!more)
            break;
        text = more;
        *size += fread(text + *size, 1, room - *size - 1, stdin);
    } while (*size == room - 1 && room <= MOST);
    if (text && !ferror(stdin) && *size < room - 1)
        return text[*size] = 0, text;
    fprintf(stderr, "fathom check: standard input cannot be read or is longer than %d bytes\n", MOST);
    free(text);
    return NULL;
}

/* The beginning of a file shows its type; the loader reports whether it can be read. */
static bool is_model_file(const char *path)
{
    char head[65536];
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    head[file ? fread(head, 1, sizeof head - 1, file) : 0] = 0;
    if (file)
        fclose(file);
    return is_model(head);
}

static fm_model *load_any(const char *path, const fm_load_options *options)
{
    fm_error error = {0};
    if (strcmp(path, "-") != 0)
        return is_model_file(path) ? fm_model_load_vehicle(NULL, 0, path, options, &error)
                                   : fm_model_load(path, options, &error);
    size_t size;
    char *text = read_input(&size);
    if (!text)
        return NULL;
    fm_model *model = is_model(text) ? fm_model_load_vehicle(text, size, "standard input", options, &error)
                                     : fm_model_load_memory(text, size, "standard input", options, &error);
    free(text);
    return model;
}

static int check_file(const char *file, const fm_load_options *options)
{
    char found[4096];
    const char *path = cli_scenario_file(file, found, sizeof found);
    fm_model *model = load_any(path, options);
    if (!model && strcmp(path, "-") != 0 && access(path, F_OK) != 0)
        cli_scenario_hint(file);
    if (!model)
        return CLI_FAILED;
    size_t vehicles = fm_model_vehicle_count(model);
    printf("%s: fine: %zu vehicle%s, %zu parameters\n", path, vehicles, vehicles == 1 ? "" : "s",
           fm_model_param_count(model));
    fm_model_free(model);
    return CLI_DONE;
}

int cli_check(int argc, char **argv)
{
    inspect_options o = {0};
    int status, result = CLI_DONE;
    if (!cli_options_read(&cli_check_command, argc, argv, &o, &status))
        return status;
    const fm_load_options options = {
        .set = o.sets.items, .set_count = o.sets.count, .report = print_error, .warn = cli_print_warning};
    for (size_t i = 0; i < o.files.count; i++)
        if (check_file(o.files.items[i], &options) != CLI_DONE)
            result = CLI_FAILED;
    return result;
}
