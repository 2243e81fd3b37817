/* fathom schema: the file format of a scenario, from the table that reads it. */
#include <stdio.h>

#include "base/outfile.h"
#include "commands.h"
#include "ros2_package.h"
#include "scenario.h"

#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/schema.h"

typedef struct schema_options {
    bool rng, manual, ros2;
    const char *file;
} schema_options;

static const cli_option option_table[] = {
    {"rng", CLI_FIELD(schema_options, rng), .excludes = "manual",
     .text = "RELAX NG schema of scenario files, for editors (the default)"},
    {"manual", CLI_FIELD(schema_options, manual), .text = "the reference in Markdown (docs/reference/)"},
    {"ros2", CLI_FIELD(schema_options, ros2), .excludes = "manual",
     .text = "the ROS 2 package fathom_msgs: every message and service of Fathom (ros2/fathom_msgs/)"},
    {"output", 'o', CLI_FIELD(schema_options, file), .value = "PATH", .path = CLI_FILE,
     .text = "output file, with --manual and --ros2 an existing folder; default: standard output"},
};

const cli_command cli_schema_command = {
    .name = "schema",
    .section = "simulate",
    .text = "print the RELAX NG schema or the reference of scenarios, or write the ROS 2 package of messages",
    .about =
        "Prints all elements and attributes of a scenario, from the table that reads it; or writes the messages and "
        "services of ROS 2, from theirs.",
    CLI_OPTIONS(option_table),
    .main = cli_schema,
};

/* One page, or the schema, to a file of a folder, to a file, or to standard output. */
static fm_status write_text(const schema_options *o, const char *page, const fm_text *text, fm_error *error)
{
    char path[4096];
    if (!o->file) {
        fwrite(text->data, 1, text->length, stdout);
        return FM_OK;
    }
    int length =
        page ? snprintf(path, sizeof path, "%s/%s.md", o->file, page) : snprintf(path, sizeof path, "%s", o->file);
    if (length >= (int)sizeof path)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s: the path is too long", o->file);
    return fm_outfile_write(path, text->data, text->length, error);
}

static fm_status write_manual(const schema_options *o, const fm_registry *registry, fm_error *error)
{
    fm_status status = FM_OK;
    for (size_t i = 0; status == FM_OK && i <= fm_manual_page_count(); i++) {
        size_t number = i ? i - 1 : fm_manual_page_count(); /* the index first */
        fm_text text = {0};
        status = fm_manual_write(&fm_fathom_element, registry, number, &text, error);
        if (status == FM_OK)
            status = write_text(o, fm_manual_page_name(number), &text, error);
        fm_text_free(&text);
    }
    return status;
}

static fm_status write_schema(const schema_options *o, const fm_registry *registry, fm_error *error)
{
    fm_text text = {0};
    fm_status status = fm_schema_write(&fm_fathom_element, registry, 0, &text, error);
    if (status == FM_OK)
        status = write_text(o, NULL, &text, error);
    fm_text_free(&text);
    return status;
}

int cli_schema(int argc, char **argv)
{
    schema_options o = {0};
    int status;
    if (!cli_options_read(&cli_schema_command, argc, argv, &o, &status))
        return status;
    fm_registry registry = {0};
    fm_error error = {0};
    if (o.ros2) {
        fm_status written = o.file ? cli_ros2_package_write(o.file, &error)
                                   : fm_fail(&error, FM_ERR_ARGUMENT, "--ros2 needs a folder: --output FOLDER");
        if (written != FM_OK)
            cli_print_error(&error);
        return written == FM_OK ? CLI_DONE : o.file ? CLI_FAILED : CLI_USAGE;
    }
    fm_status done = fm_registry_add_built_ins(&registry, &error);
    if (done == FM_OK)
        done = (o.manual ? write_manual : write_schema)(&o, &registry, &error);
    if (done != FM_OK)
        cli_print_error(&error);
    fm_registry_free(&registry);
    return done == FM_OK ? CLI_DONE : CLI_FAILED;
}
