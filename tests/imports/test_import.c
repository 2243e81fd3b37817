/* Imports from memory: out of memory at each allocation, files that are large or deep, frames of frames. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka_all.h"

#include "base/memory.h"
#include "imports/foreign_xml.h"
#include "imports/import.h"
#include "support/compare.h"
#include "support/files.h"

static const fm_import_options alone = {.closed = 1};

static void memory_that_runs_out_is_reported_and_none_is_lost(void **state)
{
    (void)state;
    static const char *const files[] = {TEST_DATA "/import/rov.sdf", TEST_DATA "/import/work-rov.urdf"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        size_t size;
        char *text = read_file(files[f], &size);
        const long before = fm_alloc_live();
        fm_status status = FM_ERR_MEMORY;
        long n = 0;
        for (; status != FM_OK && n < 100000; n++) {
            fm_error error = {0};
            fm_import_result result;
            fm_alloc_fail_after(n);
            status = fm_import_parse(files[f], text, size, &alone, &result, &error);
            fm_alloc_fail_after(-1);
            if (status != FM_OK)
                assert_int_equal(status, FM_ERR_MEMORY);
            fm_import_free(&result);
            assert_int_equal(fm_alloc_live(), before);
        }
        assert_int_equal(status, FM_OK);
        assert_greater(n, 10);
        free(text);
    }
}

static fm_status parse(const char *text, fm_error *error)
{
    fm_import_result result;
    const fm_status status = fm_import_parse("robot", text, strlen(text), &alone, &result, error);
    fm_import_free(&result);
    return status;
}

#define ONE "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"

/* A chain of links, each 1 m to port of the one before: the centre is in its middle. */
static void a_chain_of_links_is_as_long_as_its_links(void **state)
{
    (void)state;
    enum { LINKS = 500 };
    size_t at = 0, room = 400 * LINKS + 1000;
    char *text = malloc(room);
    assert_non_null(text);
    at += (size_t)snprintf(text + at, room - at, "<robot name='r'><link name='l0'>" ONE "</link>");
    for (int i = 1; i < LINKS; i++)
        at += (size_t)snprintf(text + at, room - at,
                               "<link name='l%d'>" ONE "</link><joint name='j%d' type='fixed'><origin xyz='0 1 0'/>"
                               "<parent link='l%d'/><child link='l%d'/></joint>",
                               i, i, i - 1, i);
    snprintf(text + at, room - at, "</robot>");
    fm_error error = {0};
    fm_import_result result;
    assert_int_equal(fm_import_parse("robot", text, strlen(text), &alone, &result, &error), FM_OK);
    const char *centre = strstr(result.model, "centre=\"0 ");
    assert_non_null(centre);
    assert_near(strtod(centre + 10, NULL), -(LINKS - 1) / 2.0, 1e-9);
    fm_import_free(&result);
    free(text);
}

static void too_many_and_too_deep_elements_are_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    char *text = malloc(64 * FM_FOREIGN_ELEMENTS_MOST);
    assert_non_null(text);
    size_t at = (size_t)sprintf(text, "<robot name='r'>");
    for (int i = 0; i < 300; i++)
        at += (size_t)sprintf(text + at, "<a>");
    assert_int_equal(parse(text, &error), FM_ERR_RANGE);
    assert_non_null(strstr(error.text, "200 inside each other"));
    at = (size_t)sprintf(text, "<robot name='r'>");
    for (int i = 0; i < FM_FOREIGN_ELEMENTS_MOST; i++)
        at += (size_t)sprintf(text + at, "<a/>");
    sprintf(text + at, "</robot>");
    assert_int_equal(parse(text, &error), FM_ERR_RANGE);
    at = (size_t)sprintf(text, "<robot name='r'>");
    for (int i = 0; i < 5000; i++)
        at += (size_t)sprintf(text + at, "<link name='l%d'/>", i);
    sprintf(text + at, "</robot>");
    assert_int_equal(parse(text, &error), FM_ERR_RANGE);
    assert_non_null(strstr(error.text, "more than 4096 links, joints and frames"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_runs_out_is_reported_and_none_is_lost),
        cmocka_unit_test(a_chain_of_links_is_as_long_as_its_links),
        cmocka_unit_test(too_many_and_too_deep_elements_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
