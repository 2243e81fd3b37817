/* fathom schema: what can be written in a scenario, from the table that reads it. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "scenario.h"

#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/schema.h"

static const char help[] = "usage: fathom schema [--rng | --manual]\n\n"
                           "  --rng     RELAX NG schema of scenario files, for editors (default)\n"
                           "  --manual  reference page in Markdown (docs/reference.md)";

static int print_table(int manual)
{
    fm_registry registry = {0};
    fm_text text = {0};
    fm_error error = {0};
    fm_status status = fm_registry_add_built_ins(&registry, &error);
    if (status == FM_OK)
        status = manual ? fm_manual_write(&fm_fathom_element, &registry, &text, &error)
                        : fm_schema_write(&fm_fathom_element, &registry, 0, &text, &error);
    if (status == FM_OK)
        fwrite(text.data, 1, text.length, stdout);
    else
        cli_print_error(&error);
    fm_text_free(&text);
    fm_registry_free(&registry);
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}

int cli_schema(int argc, char **argv)
{
    int manual = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return puts(help), CLI_DONE;
        if (strcmp(argv[i], "--rng") != 0 && strcmp(argv[i], "--manual") != 0)
            return fprintf(stderr, "fathom schema: found '%s', accepted --rng and --manual\n", argv[i]), CLI_USAGE;
        manual = !strcmp(argv[i], "--manual");
    }
    return print_table(manual);
}
