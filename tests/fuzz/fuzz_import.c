/* libFuzzer target: robots of URDF and SDF. A file is refused with a reason, or becomes a model that is well-formed XML
 * and a report whose every line names the file. No other file is opened. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "imports/foreign_xml.h"
#include "imports/import.h"

static void check_xml(const char *text)
{
    fm_arena arena = {0};
    fm_error error = {0};
    if (!text || !fm_foreign_parse(&arena, "written", text, strlen(text), &error))
        abort();
    fm_arena_free(&arena);
}

static void check_report(const char *report)
{
    while (report && *report) {
        if (strncmp(report, "fuzz:", 5) != 0 || !(report = strchr(report, '\n')))
            abort();
        report++;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_error error = {0};
    fm_import_result result;
    const fm_import_options options = {.closed = 1, .forward = size ? (fm_import_forward)(data[0] & 3) : FM_IMPORT_X};
    const long before = fm_alloc_live();
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    if (fm_import_parse("fuzz", text, size, &options, &result, &error) == FM_OK) {
        check_xml(result.model);
        check_xml(result.scenario);
        check_report(result.report);
    } else if (!error.text[0]) {
        abort();
    }
    fm_import_free(&result);
    free(text);
    if (fm_alloc_live() != before)
        abort();
    return 0;
}
