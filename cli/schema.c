/* fathom schema: what can be written in a scenario, from the table that reads it. */
#include <stdio.h>

#include "base/outfile.h"
#include "commands.h"
#include "scenario.h"

#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/schema.h"

typedef struct schema_options {
    bool rng, manual;
    const char *file;
} schema_options;

static const cli_option option_table[] = {
    {"rng", CLI_FIELD(schema_options, rng), .excludes = "manual",
     .text = "RELAX NG schema of scenario files, for editors (the default)"},
    {"manual", CLI_FIELD(schema_options, manual), .text = "reference page in Markdown (docs/reference.md)"},
    {"output", 'o', CLI_FIELD(schema_options, file), .value = "FILE", .path = CLI_FILE,
     .text = "output file; default: standard output"},
};

const cli_command cli_schema_command = {
    .name = "schema",
    .section = "simulate",
    .text = "print the RELAX NG schema or the reference page of scenarios",
    .about = "Prints all elements and attributes of a scenario, from the table that reads it.",
    CLI_OPTIONS(option_table),
    .main = cli_schema,
};

static int print_table(int manual, const char *file)
{
    fm_registry registry = {0};
    fm_text text = {0};
    fm_error error = {0};
    fm_status status = fm_registry_add_built_ins(&registry, &error);
    if (status == FM_OK)
        status = manual ? fm_manual_write(&fm_fathom_element, &registry, &text, &error)
                        : fm_schema_write(&fm_fathom_element, &registry, 0, &text, &error);
    if (status == FM_OK && file)
        status = fm_outfile_write(file, text.data, text.length, &error);
    else if (status == FM_OK)
        fwrite(text.data, 1, text.length, stdout);
    if (status != FM_OK)
        cli_print_error(&error);
    fm_text_free(&text);
    fm_registry_free(&registry);
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}

int cli_schema(int argc, char **argv)
{
    schema_options o = {0};
    int status;
    if (!cli_options_read(&cli_schema_command, argc, argv, &o, &status))
        return status;
    return print_table(o.manual, o.file);
}
