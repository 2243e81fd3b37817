/* The reader and the generated RELAX NG schema, validated by libxml2, accept and refuse the same documents. */
#include "support/cmocka_all.h"

#include <stddef.h>

#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/schema.h"
#include "scenario/sea_table.h"
#include "support/files.h"

#include <glob.h>
#include <libxml/relaxng.h>
#include <stdio.h>
#include <string.h>

static void ignore(void *user, const char *format, ...)
{
    (void)user, (void)format;
}

static void ignore_error(void *user, xmlErrorPtr error)
{
    (void)user, (void)error;
}

static bool reader_accepts(const fm_registry *registry, const char *text)
{
    fm_tree tree = {0};
    fm_report report = {0};
    fm_status status = fm_tree_read_memory(&tree, text, strlen(text), "x.xml", &sea_element, registry, 0, &report);
    fm_tree_free(&tree);
    fm_report_free(&report);
    return status == FM_OK;
}

static bool schema_accepts(xmlRelaxNGPtr schema, const char *text)
{
    xmlDocPtr document = xmlReadMemory(text, (int)strlen(text), "x.xml", NULL, XML_PARSE_NONET | XML_PARSE_NOERROR);
    if (!document)
        return false;
    xmlRelaxNGValidCtxtPtr context = xmlRelaxNGNewValidCtxt(schema);
    xmlRelaxNGSetValidErrors(context, ignore, ignore, NULL);
    xmlRelaxNGSetValidStructuredErrors(context, ignore_error, NULL);
    bool valid = xmlRelaxNGValidateDoc(context, document) == 0;
    xmlRelaxNGFreeValidCtxt(context);
    xmlFreeDoc(document);
    return valid;
}

static xmlRelaxNGPtr parse_schema(const fm_text *text)
{
    xmlRelaxNGParserCtxtPtr parser = xmlRelaxNGNewMemParserCtxt(text->data, (int)text->length);
    xmlRelaxNGPtr schema = xmlRelaxNGParse(parser);
    xmlRelaxNGFreeParserCtxt(parser);
    assert_non_null(schema);
    return schema;
}

#define SEA(inside) "<sea version='1'>" inside "</sea>"
#define BOAT(attributes, inside) SEA("<world/><boat name='b' " attributes ">" inside "</boat>")

static const char *const good[] = {
    SEA("<world/>"),
    SEA("<boat name='a'/><world/><boat name='b'/>"),
    SEA("<world dt='10 ms' seed='0' tides='no' title=''><water/></world>"),
    SEA("<world dt=' 1e-2   s '><water density='1.03 t/m3' temperature='18 degC' depths='1 ft'/></world>"),
    SEA("<world><water density='64 lbm/ft3' depths='0 1. .5 +2 1e1 m'/></world>"),
    SEA("<world dt='0.1 1/Hz'/>"),
    SEA("<world dt='10ms'><water density='1.03t/m3' depths='0 1. 2e1m'/></world>"),
    BOAT("heading='-3 rad' speed='3 knot' integrator='euler' mesh='a b.stl' model='x y'", ""),
    BOAT("speed='36 km/h' position='0 -1 1e3 fathom'", "<hull length='3 yd'/><plan/>"),
    BOAT("",
         "<motor name='a' gain='1 lb/V2'/><pump gain='1 N/V2'/><motor name='c' gain='1 lbf/V^2' max-speed='7 rpm'/>"),
    BOAT("", "<plan><rest after='1 s' rudder='1 deg'/><rest after='1 h'/></plan><hull/>"),
};

static const char *const bad[] = {
    "<lake version='1'/>",
    "<sea><world/></sea>",
    "<sea version='2'><world/></sea>",
    "<sea version='one'><world/></sea>",
    SEA(""),
    SEA("<world/><world/>"),
    SEA("<world/><boat/>"),
    SEA("<world/><boat name='1a'/>"),
    SEA("<world/>text"),
    SEA("<world dt='1'/>"),
    SEA("<world dt='1 m'/>"),
    SEA("<world dt='s'/>"),
    SEA("<world dt='1 2 s'/>"),
    SEA("<world dt='nan s'/>"),
    SEA("<world dt='0x1 s'/>"),
    SEA("<world dt='0,1 s'/>"),
    SEA("<world seed='1.5'/>"),
    SEA("<world seed='-1'/>"),
    SEA("<world seed='4294967296'/>"),
    SEA("<world tides='maybe'/>"),
    SEA("<world step='1 s'/>"),
    SEA("<world><water/><water/></world>"),
    SEA("<world><water depths='1 2 3 4 5 6 m'/></world>"),
    SEA("<world><water depths='m'/></world>"),
    SEA("<world><boat name='x'/></world>"),
    BOAT("position='0 0 m'", ""),
    BOAT("position='0 0 0 0 m'", ""),
    BOAT("heading='45 m'", ""),
    BOAT("heading='45 degC'", ""),
    BOAT("integrator='Heun'", ""),
    BOAT("mesh=''", ""),
    BOAT("", "<motor/>"),
    BOAT("", "<sail/>"),
    BOAT("", "<plan/><hull/><plan/>"),
    BOAT("", "<plan><rest/></plan>"),
    BOAT("", "<plan><hull/></plan>"),
    BOAT("xmlns:x='urn:x' x:speed='1 m/s'", ""),
};

static void reader_and_schema_agree(void **state)
{
    (void)state;
    fm_registry registry = {0};
    fm_text text = {0};
    assert_int_equal(sea_registry(&registry), FM_OK);
    assert_int_equal(fm_schema_write(&sea_element, &registry, 0, &text, NULL), FM_OK);
    xmlRelaxNGPtr schema = parse_schema(&text);
    for (size_t i = 0; i < FM_COUNT(good); i++) {
        if (!reader_accepts(&registry, good[i]))
            fail_msg("the reader refuses %s", good[i]);
        if (!schema_accepts(schema, good[i]))
            fail_msg("the schema refuses %s", good[i]);
    }
    for (size_t i = 0; i < FM_COUNT(bad); i++) {
        if (reader_accepts(&registry, bad[i]))
            fail_msg("the reader accepts %s", bad[i]);
        if (schema_accepts(schema, bad[i]))
            fail_msg("the schema accepts %s", bad[i]);
    }
    assert_true(schema_accepts(schema, sea_example));
    assert_true(schema_accepts(schema, "<fragment><boat name='x'/><include file='y.xml'/><hull/></fragment>"));
    assert_true(schema_accepts(schema, SEA("<include file='world.xml'/>")));
    xmlRelaxNGFree(schema);
    fm_text_free(&text);
    fm_registry_free(&registry);
}

static void accept_files(xmlRelaxNGPtr schema, const char *pattern, size_t least)
{
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_at_least(found.gl_pathc, least);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *text = read_file(found.gl_pathv[i], NULL);
        if (!schema_accepts(schema, text))
            fail_msg("the schema refuses %s", found.gl_pathv[i]);
        free(text);
    }
    globfree(&found);
}

/* What a model says, an instance need not; and what a plugin brings, the table cannot know. */
static void every_shipped_model_and_scenario_is_accepted(void **state)
{
    (void)state;
    fm_registry registry = {0};
    fm_text text = {0};
    assert_int_equal(fm_registry_add_built_ins(&registry, NULL), FM_OK);
    assert_int_equal(fm_schema_write(&fm_fathom_element, &registry, 0, &text, NULL), FM_OK);
    xmlRelaxNGPtr schema = parse_schema(&text);
    accept_files(schema, FATHOM_SOURCE_DIR "/models/*.xml", 10);
    accept_files(schema, FATHOM_SOURCE_DIR "/scenarios/*.xml", 20);
#define VEHICLE(inside) "<fathom version='1'><world/><vehicle name='v' model='lauv'>" inside "</vehicle></fathom>"
    assert_true(schema_accepts(schema, VEHICLE("<fin name='rudder-top' limit='10deg'/>")));
    assert_true(schema_accepts(schema, VEHICLE("<zigzag plugin='./libzigzag.so' angle='20 deg'><leg/></zigzag>")));
    assert_false(schema_accepts(schema, VEHICLE("<zigzag angle='20 deg'/>")));
    assert_false(schema_accepts(schema, VEHICLE("<fin name='rudder-top' limits='10deg'/>")));
    assert_false(schema_accepts(schema, VEHICLE("<propeller name='p' rated='10 kg'/>")));
    assert_false(schema_accepts(schema, VEHICLE("<drag X_u='a lot'/>")));
    xmlRelaxNGFree(schema);
    fm_text_free(&text);
    fm_registry_free(&registry);
}

static void a_partial_schema_requires_nothing(void **state)
{
    (void)state;
    fm_text text = {0};
    assert_int_equal(fm_schema_write(&sea_element, NULL, FM_READ_PARTIAL, &text, NULL), FM_OK);
    xmlRelaxNGPtr schema = parse_schema(&text);
    assert_true(schema_accepts(schema, "<sea><boat/></sea>"));
    assert_false(schema_accepts(schema, "<sea><boat/><tree/></sea>"));
    xmlRelaxNGFree(schema);
    fm_text_free(&text);
}

static void the_reference_page_has_every_element_and_attribute(void **state)
{
    (void)state;
    fm_registry registry = {0};
    fm_text text = {0};
    const fm_element *list[FM_SCHEMA_ELEMENTS];
    assert_int_equal(sea_registry(&registry), FM_OK);
    for (size_t i = 0; i <= fm_manual_page_count(); i++)
        assert_int_equal(fm_manual_write(&sea_element, &registry, i, &text, NULL), FM_OK);
    size_t count = fm_elements_collect(&sea_element, &registry, list);
    assert_int_equal(count, 9);
    for (size_t i = 0; i < count; i++) {
        char wanted[100];
        snprintf(wanted, sizeof wanted, "</a>`<%s>`\n\n%s\n", list[i]->name, list[i]->text);
        const char *section = strstr(text.data, wanted);
        assert_non_null(section);
        for (size_t k = 0; k < list[i]->attr_count; k++) {
            snprintf(wanted, sizeof wanted, "\n| `%s` | ", list[i]->attrs[k].name);
            assert_non_null(strstr(section, wanted));
        }
    }
    assert_non_null(strstr(text.data, "| `density` | number, kg/m3, live | 1025 kg/m3 | 900 … 1200 kg/m3 | "
                                      "Density of the water. |\n"));
    fm_text_free(&text);
    fm_registry_free(&registry);
}

static void without_memory_there_is_no_schema(void **state)
{
    (void)state;
    long before = fm_alloc_live();
    for (long n = 0; n < 6; n++) {
        fm_text schema = {0}, manual = {0};
        fm_alloc_fail_after(n);
        fm_status status = fm_schema_write(&sea_element, NULL, 0, &schema, NULL);
        fm_alloc_fail_after(n < 4 ? n : 4);
        fm_status page = fm_manual_write(&sea_element, NULL, 0, &manual, NULL);
        fm_alloc_fail_after(-1);
        assert_int_equal(status, FM_ERR_MEMORY);
        assert_int_equal(page, FM_ERR_MEMORY);
        fm_text_free(&schema);
        fm_text_free(&manual);
    }
    assert_int_equal(fm_alloc_live(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reader_and_schema_agree),
        cmocka_unit_test(a_partial_schema_requires_nothing),
        cmocka_unit_test(every_shipped_model_and_scenario_is_accepted),
        cmocka_unit_test(the_reference_page_has_every_element_and_attribute),
        cmocka_unit_test(without_memory_there_is_no_schema),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
