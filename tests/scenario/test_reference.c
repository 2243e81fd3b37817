/* The reference page in the tree is the one that the table gives now, and its links lead somewhere. `make reference`
 * writes it anew. */
#include "support/files.h"

#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/schema.h"

static const char page_path[] = FATHOM_SOURCE_DIR "/docs/reference.md";

static void the_reference_page_is_fresh(void **unused)
{
    (void)unused;
    fm_registry registry = {0};
    fm_text manual = {0};
    fm_error error = {0};
    assert_int_equal(fm_registry_add_built_ins(&registry, &error), FM_OK);
    assert_int_equal(fm_manual_write(&fm_fathom_element, &registry, &manual, &error), FM_OK);
    char *kept = read_file(page_path, NULL);
    if (strcmp(kept, manual.data) != 0)
        fail_msg("%s is not what the table gives now: `make reference` writes it anew", page_path);
    free(kept);
    fm_text_free(&manual);
    fm_registry_free(&registry);
}

/* How often a page has <a id="ANCHOR"></a>, or the heading that GitHub gives this anchor. */
static int anchors(const char *text, const char *anchor, size_t length)
{
    char tag[160];
    int count = 0;
    snprintf(tag, sizeof tag, "<a id=\"%.*s\"></a>", (int)length, anchor);
    for (const char *at = text; (at = strstr(at, tag)); at++)
        count++;
    for (const char *line = text; line; line = (line = strchr(line, '\n')) ? line + 1 : NULL) {
        size_t hashes = strspn(line, "#"), i = 0;
        const char *word = line + hashes + (line[hashes] == ' ');
        while (hashes && i < length && (anchor[i] == '-' ? word[i] == ' ' : anchor[i] == (word[i] | 32)))
            i++;
        count += hashes && i == length && word[i] == '\n';
    }
    return count;
}

/* Follows the link "FILE#ANCHOR)" of a page in docs/. */
static void follow(const char *page, const char *link)
{
    char path[512];
    size_t length = strcspn(link, ")"), file = strcspn(link, "#)");
    snprintf(path, sizeof path, FATHOM_SOURCE_DIR "/docs/%.*s", (int)file, link);
    char *other = file ? read_file(path, NULL) : NULL;
    if (file < length && anchors(other ? other : page, link + file + 1, length - file - 1) != 1)
        fail_msg("%s: '%.*s' leads to no one place", page_path, (int)length, link);
    free(other);
}

static void every_link_of_the_reference_page_leads_to_one_place(void **unused)
{
    (void)unused;
    char *page = read_file(page_path, NULL);
    int count = 0, equations = 0;
    for (const char *at = page; (at = strstr(at, "](")); at++, count++) {
        follow(page, at + 2);
        equations += strncmp(at + 2, "theory/", 7) == 0 && strstr(at, "#") < strstr(at, ")");
    }
    assert_greater(count, 500);
    assert_greater(equations, 20);
    free(page);
}

/* A name in the index that no element has would stand there without a link. */
static void the_index_by_task_knows_its_elements(void **unused)
{
    (void)unused;
    char *page = read_file(page_path, NULL);
    char *at = strstr(page, "| A torpedo"), *end = strstr(page, "All elements:");
    assert_true(at && end);
    *end = 0;
    for (; (at = strstr(at, "`<")); at++)
        if (at[-1] != '[')
            fail_msg("%s: no element is meant by %.30s", page_path, at);
    free(page);
}

/* 246 coefficients of an element are one rule, not a row each. */
static void coefficients_are_told_by_a_rule(void **unused)
{
    (void)unused;
    char *page = read_file(page_path, NULL);
    assert_null(strstr(page, "\n| `Y_uv` | "));
    assert_non_null(strstr(page, "| `u` `v` `w` | N*s/m | N*m*s/m |\n"));
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_page_is_fresh),
        cmocka_unit_test(every_link_of_the_reference_page_leads_to_one_place),
        cmocka_unit_test(the_index_by_task_knows_its_elements),
        cmocka_unit_test(coefficients_are_told_by_a_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
