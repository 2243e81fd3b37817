/* The reference in the tree is the one that the table gives now, and each of its links leads to one place. `make
 * reference` writes it. */
#include "support/files.h"

#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/schema.h"

static const char folder[] = FATHOM_SOURCE_DIR "/docs/reference";

/* The text of a page in the tree; the caller frees it. */
static char *read_page(size_t number)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.md", folder, fm_manual_page_name(number));
    return read_file(path, NULL);
}

static void the_reference_is_what_the_table_gives(void **unused)
{
    (void)unused;
    fm_registry registry = {0};
    fm_error error = {0};
    assert_int_equal(fm_registry_add_built_ins(&registry, &error), FM_OK);
    for (size_t i = 0; i <= fm_manual_page_count(); i++) {
        fm_text manual = {0};
        assert_int_equal(fm_manual_write(&fm_fathom_element, &registry, i, &manual, &error), FM_OK);
        char *kept = read_page(i);
        if (strcmp(kept, manual.data) != 0)
            fail_msg("%s/%s.md is not what the table gives now: run `make reference`", folder, fm_manual_page_name(i));
        free(kept);
        fm_text_free(&manual);
    }
    fm_registry_free(&registry);
}

/* A page is read in one sitting, and a browser shows it at once. */
static void no_page_of_the_reference_is_larger_than_100_kB(void **unused)
{
    (void)unused;
    for (size_t i = 0; i <= fm_manual_page_count(); i++) {
        char *page = read_page(i);
        if (strlen(page) >= 100000)
            fail_msg("%s.md has %zu bytes", fm_manual_page_name(i), strlen(page));
        free(page);
    }
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

/* Follows the link "FILE#ANCHOR)" of a page of the reference. */
static void follow(const char *name, const char *page, const char *link)
{
    char path[512];
    size_t length = strcspn(link, ")"), file = strcspn(link, "#)");
    snprintf(path, sizeof path, "%s/%.*s", folder, (int)file, link);
    char *other = file ? read_file(path, NULL) : NULL;
    if (file < length && anchors(other ? other : page, link + file + 1, length - file - 1) != 1)
        fail_msg("%s.md: '%.*s' does not lead to one place", name, (int)length, link);
    free(other);
}

static void every_link_of_the_reference_leads_to_one_place(void **unused)
{
    (void)unused;
    int count = 0, equations = 0;
    for (size_t i = 0; i <= fm_manual_page_count(); i++) {
        char *page = read_page(i);
        for (const char *at = page; (at = strstr(at, "](")); at++, count++) {
            follow(fm_manual_page_name(i), page, at + 2);
            equations += strncmp(at + 2, "../theory/", 10) == 0 && strstr(at, "#") < strstr(at, ")");
        }
        free(page);
    }
    assert_greater(count, 500);
    assert_greater(equations, 20);
}

/* A name in the index that no element has would have no link. */
static void the_index_by_task_knows_its_elements(void **unused)
{
    (void)unused;
    char *page = read_page(fm_manual_page_count());
    char *at = strstr(page, "| A torpedo"), *end = strstr(page, "## All elements");
    assert_true(at && end);
    *end = 0;
    for (; (at = strstr(at, "`<")); at++)
        if (at[-1] != '[')
            fail_msg("README.md: no element is meant by %.30s", at);
    free(page);
}

/* Each element has its section on one page: that of the sensors has the DVL, and no other page has it. */
static void every_element_is_on_one_page(void **unused)
{
    (void)unused;
    static const struct {
        const char *anchor, *page;
    } rows[] = {{"dvl", "sensors"}, {"imu-gyro", "sensors"}, {"water", "sea"},         {"heightmap", "sea"},
                {"fin", "vehicle"}, {"mass", "body"},        {"autopilot", "control"}, {"look", "look"},
                {"band", "look"},   {"wind-area", "forces"}, {"fathom", "scenario"},   {"bridge-dis", "bridges"}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t i = 0; i <= fm_manual_page_count(); i++) {
            char *page = read_page(i);
            int here = strcmp(fm_manual_page_name(i), rows[r].page) == 0;
            if (anchors(page, rows[r].anchor, strlen(rows[r].anchor)) != here)
                fail_msg("<%s>: expected once in %s.md and nowhere else, %s.md differs", rows[r].anchor, rows[r].page,
                         fm_manual_page_name(i));
            free(page);
        }
}

/* 246 coefficients of an element are one rule, not a row each. */
static void coefficients_are_one_rule(void **unused)
{
    (void)unused;
    int rules = 0;
    for (size_t i = 0; i <= fm_manual_page_count(); i++) {
        char *page = read_page(i);
        assert_null(strstr(page, "\n| `Y_uv` | "));
        rules += strstr(page, "| `u` `v` `w` | N*s/m | N*m*s/m |\n") != NULL;
        free(page);
    }
    assert_int_equal(rules, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_is_what_the_table_gives),
        cmocka_unit_test(no_page_of_the_reference_is_larger_than_100_kB),
        cmocka_unit_test(every_link_of_the_reference_leads_to_one_place),
        cmocka_unit_test(the_index_by_task_knows_its_elements),
        cmocka_unit_test(every_element_is_on_one_page),
        cmocka_unit_test(coefficients_are_one_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
