/* Files that want to do harm, or that are simply broken: refused with a reason, without a leak. */
#include "support/cmocka_all.h"

#include <stddef.h>

#include "scenario/sea_table.h"
#include "scenario/tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static fm_status read_bytes(const char *bytes, size_t size, fm_error *first)
{
    long before = fm_alloc_live();
    fm_tree tree = {0};
    fm_registry registry = {0};
    fm_report report = {0};
    assert_int_equal(sea_registry(&registry), FM_OK);
    fm_status status = fm_tree_read_memory(&tree, bytes, size, "x.xml", &sea_element, &registry, 0, &report);
    assert_same(status == FM_OK, report.count == 0);
    if (first)
        *first = report.first;
    fm_tree_free(&tree);
    fm_registry_free(&registry);
    fm_report_free(&report);
    assert_int_equal(fm_alloc_live(), before);
    return status;
}

static void refuse(const char *text, fm_status status, const char *reason)
{
    fm_error error = {0};
    fm_status got = read_bytes(text, strlen(text), &error);
    if (got != status || !strstr(error.text, reason))
        fail_msg("'%.60s…': got %s: %s", text, fm_status_name(got), error.text);
}

static void entities_and_document_types_are_refused(void **state)
{
    (void)state;
    refuse("<!DOCTYPE sea [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
           "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'>]><sea version='&c;'/>",
           FM_ERR_SYNTAX, "DOCTYPE");
    refuse("<!DOCTYPE sea [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><sea version='1'><world title='&e;'/></sea>",
           FM_ERR_SYNTAX, "DOCTYPE");
    refuse("<!DOCTYPE sea SYSTEM 'http://localhost:1/sea.dtd'><sea version='1'><world/></sea>", FM_ERR_SYNTAX,
           "DOCTYPE");
    refuse("<sea version='1'><world title='&unknown;'/></sea>", FM_ERR_SYNTAX, "unknown");
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    static char text[2000000];
    size_t used = (size_t)sprintf(text, "<sea version='1'>");
    for (int i = 0; i < 100000; i++)
        used += (size_t)sprintf(text + used, "<world>");
    fm_error error = {0};
    assert_int_equal(read_bytes(text, used, &error), FM_ERR_NAME);
    used = (size_t)sprintf(text, "<sea version='1'><world>");
    for (int i = 0; i < 60; i++)
        used += (size_t)sprintf(text + used, "<world>");
    for (int i = 0; i < 61; i++)
        used += (size_t)sprintf(text + used, "</world>");
    sprintf(text + used, "</sea>");
    refuse(text, FM_ERR_NAME, "<world> is not known inside <world>");
}

static void numbers_that_are_none_are_refused(void **state)
{
    (void)state;
    refuse("<sea version='1'><world dt='nan s'/></sea>", FM_ERR_SYNTAX, "'nan s' is invalid");
    refuse("<sea version='1'><world dt='inf s'/></sea>", FM_ERR_SYNTAX, "'inf s' is invalid");
    refuse("<sea version='1'><world dt='1e999 s'/></sea>", FM_ERR_SYNTAX, "finite");
    refuse("<sea version='1'><world dt='1e308 s'/></sea>", FM_ERR_RANGE, "must be 1e-06 … 10 s");
    refuse("<sea version='1'><world dt='1e308 day'/></sea>", FM_ERR_RANGE, "too large");
    refuse("<sea version='1'><world dt='0x1p-3 s'/></sea>", FM_ERR_SYNTAX, "finite decimal");
    refuse("<sea version='1'><world seed='99999999999999999999'/></sea>", FM_ERR_RANGE, "0 … 4294967295");
    refuse("<sea version='1'><world seed='1.5'/></sea>", FM_ERR_SYNTAX, "whole number");
    refuse("<sea version='1'><world><water depths='1 2 3 4 5 6 m'/></world></sea>", FM_ERR_SYNTAX, "1 to 5");
}

static void what_is_not_xml_is_refused(void **state)
{
    (void)state;
    refuse("", FM_ERR_SYNTAX, "empty");
    refuse("dt = 0.01", FM_ERR_SYNTAX, "not well-formed");
    refuse("{\"sea\": 1}", FM_ERR_SYNTAX, "not well-formed");
    refuse("<sea version='1'><world", FM_ERR_SYNTAX, "not well-formed");
    refuse("<sea version='1'><world></sea>", FM_ERR_SYNTAX, "not well-formed");
    refuse("<sea version='1'><world dt='1 s' dt='2 s'/></sea>", FM_ERR_SYNTAX, "redefined");
    refuse("<lake version='1'/>", FM_ERR_NAME, "must be <sea>");
    refuse("<sea xmlns='http://example.org/x' version='1'><world/></sea>", FM_ERR_NAME, "namespace");
    refuse("<sea version='1' xml:lang='en'><world/></sea>", FM_ERR_NAME, "prefix");
    refuse("<sea version='1'><world><![CDATA[x]]></world></sea>", FM_ERR_SYNTAX, "text 'x' is invalid here");
}

static void every_truncation_is_refused(void **state)
{
    (void)state;
    size_t size = strlen(sea_example);
    assert_int_equal(read_bytes(sea_example, size, NULL), FM_OK);
    for (size_t cut = 0; cut < size - 1; cut++)
        assert_int_not_equal(read_bytes(sea_example, cut, NULL), FM_OK);
}

static void other_encodings_and_nul_bytes_are_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    refuse("<?xml version='1.0' encoding='ISO-8859-1'?><sea version='1'><world title='\xe9'/></sea>", FM_ERR_SYNTAX,
           "must be UTF-8");
    refuse("<sea version='1'><world title='\xe9\xff'/></sea>", FM_ERR_SYNTAX, "UTF-8");
    assert_int_equal(read_bytes("\xff\xfe<\0s\0/\0>\0", 10, &error), FM_ERR_SYNTAX);
    assert_int_equal(read_bytes("<sea version='1'>\0<world/></sea>", 32, &error), FM_ERR_SYNTAX);
    assert_non_null(strstr(error.text, "byte 17 is NUL"));
    const char *bom =
        "\xef\xbb\xbf<?xml version='1.0' encoding='utf-8'?><sea version='1'><world title='\xc3\xa9'/></sea>";
    assert_int_equal(read_bytes(bom, strlen(bom), NULL), FM_OK);
}

static fm_status read_path(const char *path)
{
    fm_tree tree = {0};
    fm_report report = {0};
    fm_status status = fm_tree_read(&tree, path, &sea_element, NULL, 0, &report);
    assert_different(report.first.text[0], 0);
    fm_tree_free(&tree);
    fm_report_free(&report);
    return status;
}

static void files_that_are_too_large_or_no_files_are_refused(void **state)
{
    (void)state;
    char path[] = "fathom-sparse-XXXXXX";
    int file = mkstemp(path);
    assert_at_least(file, 0);
    assert_int_equal(ftruncate(file, 100000000), 0);
    close(file);
    assert_int_equal(read_path(path), FM_ERR_FILE);
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(read_path(path), FM_ERR_SYNTAX);
    unlink(path);
    assert_int_equal(read_path(path), FM_ERR_FILE);
    assert_int_equal(read_path("/dev/zero"), FM_ERR_FILE);
    assert_int_equal(read_path("/"), FM_ERR_FILE);
}

static void errors_beyond_the_limit_end_the_reading(void **state)
{
    (void)state;
    static char text[200000];
    size_t used = (size_t)sprintf(text, "<sea version='1'>");
    for (int i = 0; i < 10000; i++)
        used += (size_t)sprintf(text + used, "<x%d/>", i);
    sprintf(text + used, "</sea>");
    refuse(text, FM_ERR_NAME, "<x0> is not known");
}

/* Both a good file and one full of errors. */
static void a_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    const char *bad = "<sea version='2'><wrld/><boat/><boat nam='x'/><boat name='1'/><boat name='a'/><boat name='a'/>"
                      "<boat a='1' b='2' c='3' d='4'/></sea>";
    const char *texts[] = {sea_example, bad};
    for (size_t k = 0; k < 2; k++) {
        long before = fm_alloc_live();
        for (long n = 0;; n++) {
            fm_registry registry = {0};
            fm_tree tree = {0};
            fm_report report = {0};
            assert_int_equal(sea_registry(&registry), FM_OK);
            fm_alloc_fail_after(n);
            fm_status status =
                fm_tree_read_memory(&tree, texts[k], strlen(texts[k]), "x.xml", &sea_element, &registry, 0, &report);
            fm_alloc_fail_after(-1);
            fm_tree_free(&tree);
            fm_report_free(&report);
            fm_registry_free(&registry);
            assert_int_equal(fm_alloc_live(), before);
            if (status != FM_ERR_MEMORY) {
                assert_int_equal(status, k == 0 ? FM_OK : FM_ERR_RANGE);
                assert_greater(n, 3);
                break;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entities_and_document_types_are_refused),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(what_is_not_xml_is_refused),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(other_encodings_and_nul_bytes_are_refused),
        cmocka_unit_test(files_that_are_too_large_or_no_files_are_refused),
        cmocka_unit_test(errors_beyond_the_limit_end_the_reading),
        cmocka_unit_test(a_failing_allocation_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
