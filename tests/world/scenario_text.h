/* Worlds from scenario text, for tests. */
#ifndef TESTS_WORLD_SCENARIO_TEXT_H
#define TESTS_WORLD_SCENARIO_TEXT_H

#include <fathom/fathom.h>
#include <stdio.h>
#include <string.h>

static inline void print_load_error(void *user, const fm_error *error)
{
    (void)user;
    fprintf(stderr, "%s:%d: %s\n", error->file, error->line, error->text);
}

/* NULL and a message on stderr where the text is refused. */
static inline fm_model *model_from_text(const char *text)
{
    static const char *const dirs[] = {FATHOM_SOURCE_DIR "/models"};
    fm_load_options options = {.model_dirs = dirs, .model_dir_count = 1, .report = print_load_error};
    fm_error error = {0};
    return fm_model_load_memory(text, strlen(text), "test.xml", &options, &error);
}

#endif
