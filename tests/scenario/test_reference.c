/* The reference page in the tree is the one that the table gives now. `make reference` writes it anew. */
#include "support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/schema.h"

static void compare_with_file(const fm_text *text, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s is missing: `make reference` writes it", path);
    char *kept = malloc(text->length + 2);
    size_t length = fread(kept, 1, text->length + 1, file);
    fclose(file);
    int same = length == text->length && memcmp(kept, text->data, length) == 0;
    free(kept);
    if (!same)
        fail_msg("%s is not what the table gives now: `make reference` writes it anew", path);
}

static void the_reference_page_is_fresh(void **unused)
{
    (void)unused;
    fm_registry registry = {0};
    fm_text manual = {0};
    fm_error error = {0};
    assert_int_equal(fm_registry_add_built_ins(&registry, &error), FM_OK);
    assert_int_equal(fm_manual_write(&fm_fathom_element, &registry, &manual, &error), FM_OK);
    compare_with_file(&manual, FATHOM_SOURCE_DIR "/docs/reference.md");
    fm_text_free(&manual);
    fm_registry_free(&registry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_reference_page_is_fresh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
