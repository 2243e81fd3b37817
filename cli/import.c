/* `fathom import`: a robot of URDF or SDF as a model. */
#include <stdio.h>
#include <string.h>

#include "base/outfile.h"
#include "base/text.h"
#include "commands.h"
#include "imports/import.h"
#include "inputs.h"
#include "scenario.h"

typedef struct request {
    const char *file, *output, *scenario, *name, *model;
    int forward;
    cli_list folders;
} request;

static const cli_choice axes[] = {
    {"x", FM_IMPORT_X}, {"-x", FM_IMPORT_MINUS_X}, {"y", FM_IMPORT_Y}, {"-y", FM_IMPORT_MINUS_Y}, {NULL, 0}};

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(request, file), .noun = "robot", .required = true, .path = CLI_FILE,
     .endings = ".urdf .sdf .xml", .text = "the robot: URDF, or SDF with a model or a world"},
};

static const cli_option option_table[] = {
    {"output", 'o', CLI_FIELD(request, output), .value = "FILE.xml", .path = CLI_FILE, .endings = ".xml",
     .text = "write the model to this file; default: NAME.xml"},
    {"scenario", CLI_FIELD(request, scenario), .value = "FILE.xml", .path = CLI_FILE, .endings = ".xml",
     .text = "also write a scenario with this vehicle, next to the model"},
    {"name", CLI_FIELD(request, name), .value = "NAME",
     .text = "of the model; default: that of --output, or of the robot"},
    {"models", CLI_FIELD(request, folders), .value = "DIR", .path = CLI_FOLDER,
     .text = "directory in which model://, package:// and included models are looked up; may be repeated"},
    {"model", CLI_FIELD(request, model), .value = "NAME", .text = "of an SDF world with several models: the vehicle"},
    {"forward", CLI_FIELD(request, forward), .value = "AXIS", .choices = axes, .fallback = "x",
     .text = "axis of the base link that points ahead"},
};

const cli_command cli_import_command = {
    .name = "import",
    .section = "simulate",
    .text = "turn a robot of URDF or SDF into a model",
    .about =
        "Writes a robot of URDF or SDF as a model of Fathom: its links merged into one body, with the hydrodynamics, "
        "thrusters, fins and sensors of Gazebo Sim's plugins and of UUV Simulator's. Vectors and matrices are "
        "converted "
        "from forward-port-up to forward-starboard-down.\n\n"
        "What has no counterpart is listed on standard error with file and line, and at the top of the model. xacro is "
        "not expanded: run `xacro FILE > FILE.urdf` first.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom import rexrov.urdf -o rexrov.xml --scenario rexrov-run.xml\n"
                "  fathom import tethys_equipped/model.sdf --models models --forward -x -o tethys.xml\n",
    .main = cli_import,
};

/* The part of a path after its last slash. */
static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The name that the output gives: "sub" of "models/sub.xml". */
static bool name_from(const char *path, char *name, size_t size)
{
    fm_text_copy(name, size, base_of(path));
    char *dot = strrchr(name, '.');
    if (dot && strcmp(dot, ".xml") == 0)
        *dot = 0;
    return fm_text_name_valid(name) && strlen(name) <= 31;
}

/* Paths, checked before the work is done. */
static bool choose_names(request *r, char *name, size_t size, char *output, size_t output_size)
{
    const char *given = r->name ? r->name : r->output;
    if (given && !name_from(given, name, size)) {
        fprintf(stderr,
                "fathom import: --%s %s: the name of a model has up to 31 letters, digits, '_', '-' and '.', and "
                "begins with a letter\n",
                r->name ? "name" : "output", given);
        return false;
    }
    r->name = given ? name : NULL;
    fm_text_copy(output, output_size, r->output ? r->output : "");
    return true;
}

/* The scenario finds the model by its name in its own folder. */
static bool are_together(const request *r, const char *output, const char *name)
{
    char own[48];
    const size_t a = (size_t)(base_of(output) - output), b = (size_t)(base_of(r->scenario) - r->scenario);
    if (a != b || strncmp(output, r->scenario, a) != 0)
        fprintf(stderr, "fathom import: --scenario %s: must be in the same directory as the model, %s\n", r->scenario,
                output);
    else if (!name_from(output, own, sizeof own) || strcmp(own, name) != 0)
        fprintf(stderr, "fathom import: --output %s: must be %s.xml: a scenario finds a model by its file's name\n",
                output, name);
    else
        return true;
    return false;
}

static bool write_text(const char *path, const char *text)
{
    fm_error error = {0};
    if (fm_outfile_write(path, text, strlen(text), &error) == FM_OK)
        return true;
    fprintf(stderr, "fathom import: %s: %s\n", path, error.text);
    return false;
}

/* What is written must load; errors and warnings are those of `fathom check`. */
static bool loads(const char *output)
{
    char text[256], name[48];
    if (!name_from(output, name, sizeof name))
        return true; /* a model with such a name is used by its path alone */
    snprintf(text, sizeof text, "<fathom version=\"1\"><world/><vehicle name=\"%s\" model=\"%s\"/></fathom>", name,
             name);
    fm_model *model =
        cli_load_text_with(text, &(cli_scenario){.file = output, .of_model = true, .warned = true, .unbridged = true});
    fm_model_free(model);
    if (!model)
        fprintf(stderr, "fathom import: %s is written, and must be corrected before it can be used\n", output);
    return model != NULL;
}

static int write_result(const request *r, const fm_import_result *result, const char *output)
{
    char path[FM_OUTFILE_PATH];
    const int folder = (int)(base_of(output) - output);
    bool done = write_text(output, result->model);
    for (size_t i = 0; i < result->table_count && done; i++) {
        snprintf(path, sizeof path, "%.*s%s", folder, output, result->tables[i].file);
        done = write_text(path, result->tables[i].text);
    }
    done = done && (!r->scenario || write_text(r->scenario, result->scenario));
    if (done)
        printf("%s: %zu elements not imported, %zu notes%s%s\n", output, result->lost, result->remarks,
               r->scenario ? "; run it with: fathom run " : "", r->scenario ? r->scenario : "");
    done = done && loads(output);
    return done ? CLI_DONE : CLI_FAILED;
}

static int import(const request *r, char *output, size_t output_size)
{
    fm_import_options options = {
        .name = r->name, .model = r->model, .forward = (fm_import_forward)r->forward, .folder_count = r->folders.count};
    fm_import_result result;
    fm_error error = {0};
    for (size_t i = 0; i < r->folders.count; i++)
        options.folders[i] = r->folders.items[i];
    if (fm_import_read(r->file, &options, &result, &error) != FM_OK) {
        if (error.file[0] && error.line)
            fprintf(stderr, "fathom import: %s:%d: %s\n", error.file, error.line, error.text);
        else
            fprintf(stderr, "fathom import: %s: %s\n", error.file[0] ? error.file : r->file, error.text);
        fm_import_free(&result);
        return CLI_FAILED;
    }
    if (!*output)
        snprintf(output, output_size, "%s.xml", result.name);
    int status = CLI_USAGE;
    if (result.report)
        fputs(result.report, stderr);
    if (cli_output_apart("import", "--output", output, r->file) &&
        (!r->scenario || (cli_output_apart("import", "--scenario", r->scenario, r->file) &&
                          cli_outputs_apart("import", "--output", output, "--scenario", r->scenario) &&
                          are_together(r, output, result.name))))
        status = write_result(r, &result, output);
    fm_import_free(&result);
    return status;
}

int cli_import(int argc, char **argv)
{
    request r = {0};
    char name[48], output[FM_OUTFILE_PATH];
    int status;
    if (!cli_options_read(&cli_import_command, argc, argv, &r, &status))
        return status;
    if (r.folders.count > FM_IMPORT_FOLDERS_MOST) {
        fprintf(stderr, "fathom import: --models is given %zu times: must be up to %d\n", r.folders.count,
                FM_IMPORT_FOLDERS_MOST);
        return CLI_USAGE;
    }
    if (!choose_names(&r, name, sizeof name, output, sizeof output) ||
        !cli_output_ready("import", "--output", r.output) || !cli_output_ready("import", "--scenario", r.scenario))
        return CLI_USAGE;
    return import(&r, output, sizeof output);
}
