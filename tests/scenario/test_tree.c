#include "support/cmocka_all.h"

#include <stddef.h>

#include "scenario/sea_table.h"
#include "scenario/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fixture {
    fm_tree tree;
    fm_registry registry;
    fm_report report;
    long live; /* allocations before */
} fixture;

static fixture begin(void)
{
    fixture f = {.live = fm_alloc_live()};
    assert_int_equal(sea_registry(&f.registry), FM_OK);
    return f;
}

static void end(fixture *f)
{
    fm_tree_free(&f->tree);
    fm_registry_free(&f->registry);
    fm_report_free(&f->report);
    assert_int_equal(fm_alloc_live(), f->live);
}

static fm_status read_text(fixture *f, const char *text)
{
    return fm_tree_read_memory(&f->tree, text, strlen(text), "folder/sea.xml", &sea_element, &f->registry, 0,
                               &f->report);
}

static void must_read(fixture *f, const char *text)
{
    if (read_text(f, text) != FM_OK)
        fail_msg("line %d: %s", f->report.first.line, f->report.first.text);
}

static void a_sound_table_passes_and_an_unsound_one_does_not(void **state)
{
    (void)state;
    fixture f = begin();
    fm_error error = {0};
    if (fm_element_check(&sea_element, &f.registry, &error) != FM_OK)
        fail_msg("%s", error.text);
    fm_attr attr = water_attrs[0];
    const fm_element element = {.name = "e", .text = "E.", .attrs = &attr, .attr_count = 1, .config_size = 8};
    assert_int_equal(fm_element_check(&element, NULL, &error), FM_OK);
    attr.fallback = "1025 kg";
    assert_int_equal(fm_element_check(&element, NULL, &error), FM_ERR_ARGUMENT);
    attr.fallback = "1 kg/m3";
    assert_int_equal(fm_element_check(&element, NULL, &error), FM_ERR_ARGUMENT);
    attr.fallback = NULL;
    attr.offset = 1;
    assert_int_equal(fm_element_check(&element, NULL, &error), FM_ERR_ARGUMENT);
    attr.offset = 0;
    attr.unit = "kg/bushel";
    assert_int_equal(fm_element_check(&element, NULL, &error), FM_ERR_ARGUMENT);
    end(&f);
}

static void what_is_written_arrives_in_si_units(void **state)
{
    (void)state;
    fixture f = begin();
    must_read(&f, sea_example);
    sea_config sea;
    fm_node *world = fm_node_child(f.tree.root, "world");
    fm_node_fill(world, &sea);
    assert_same(sea.dt, 0.035);
    assert_same(sea.seed, 7);
    assert_same(sea.tides, 1);
    assert_string_equal(sea.title, "a <calm> sea");
    water_config water;
    fm_node_fill(fm_node_child(world, "water"), &water);
    assert_same(water.density, 1030);
    assert_same(water.temperature, 10);
    assert_int_equal(water.depths.count, 3);
    assert_same(water.depths.values[2], 20 * 0.3048);
    fm_node *boat = fm_node_child(f.tree.root, "boat");
    boat_config *config = fm_node_config(&f.tree, boat, NULL);
    assert_string_equal(config->name, "phoenix");
    assert_string_equal(config->mesh, "folder/hull.stl");
    assert_null(config->model);
    assert_same(config->position[1], 2 * 0.3048);
    assert_same(config->heading, 3.14159265358979323846);
    assert_int_equal(config->integrator, 2);
    assert_int_equal(boat->line, 7);
    assert_int_equal(fm_node_value(boat, "position")->line, 8);
    assert_int_equal(fm_node_value(boat, "heading")->line, 9);
    end(&f);
}

static void a_child_that_occurs_once_fills_its_place_in_the_parent(void **state)
{
    (void)state;
    fixture f = begin();
    must_read(&f, "<sea version='1'><world/><boat name='a'/><boat name='b'><hull width='2 m'/></boat></sea>");
    fm_node *boat = fm_node_child(f.tree.root, "boat");
    boat_config config;
    assert_int_equal(fm_node_fill_all(&f.tree, boat, &config, NULL), FM_OK);
    assert_same(config.hull.length, 10 * 0.3048);
    assert_same(config.hull.width, 1);
    assert_int_equal(fm_node_fill_all(&f.tree, boat->next, &config, NULL), FM_OK);
    assert_same(config.hull.length, 10 * 0.3048);
    assert_same(config.hull.width, 2);
    assert_string_equal(config.name, "b");
    end(&f);
}

static void an_open_element_keeps_attributes_the_table_does_not_know(void **state)
{
    (void)state;
    fixture f = begin();
    must_read(&f, "<sea version='1'><world/><boat name='a'><plan><rest after='1 s'\n stern-rudder='-15 deg' x='1'/>"
                  "</plan></boat></sea>");
    const fm_extra *extra = fm_node_child(f.tree.root, "boat")->first->first->extras;
    assert_string_equal(extra->name, "stern-rudder");
    assert_string_equal(extra->written, "-15 deg");
    assert_int_equal(extra->line, 2);
    assert_string_equal(extra->next->name, "x");
    end(&f);
}

static void parts_of_a_group_come_with_their_class(void **state)
{
    (void)state;
    fixture f = begin();
    must_read(&f, sea_example);
    fm_node *boat = fm_node_child(f.tree.root, "boat");
    size_t count = 0;
    for (fm_node *part = NULL; (part = fm_node_next_part(boat, "actuator", part)); count++)
        assert_string_equal((const char *)part->part->class_table, count < 2 ? "motor class" : "pump class");
    assert_int_equal(count, 3);
    end(&f);
}

static bool reported(const fm_report *report, fm_status status, int line, const char *text)
{
    const fm_error *error;
    for (size_t i = 0; (error = fm_report_get(report, i)); i++)
        if (error->status == status && error->line == line && strstr(error->text, text))
            return true;
    for (size_t i = 0; (error = fm_report_get(report, i)); i++)
        print_message("%s:%d: [%s] %s\n", error->file, error->line, fm_status_name(error->status), error->text);
    return false;
}

static void all_errors_of_a_file_are_reported_with_their_lines(void **state)
{
    (void)state;
    fixture f = begin();
    const char *text = "<sea version='1'>\n"
                       "<wrld/>\n"
                       "<boat nmae='x'\n"
                       " heading='200 deg'\n"
                       " speed='3 m'\n"
                       " integrator='hein'/>\n"
                       "<boat name='a'><motor name='p' gain='-1 lb/V2'/>words</boat>\n"
                       "<boat name='a'><motor name='p'/><motor name='p' gain='1 lb/V2'/><plan/><plan/></boat>\n"
                       "</sea>\n";
    assert_int_not_equal(read_text(&f, text), FM_OK);
    assert_true(reported(&f.report, FM_ERR_NAME, 2, "<wrld> is not known inside <sea>; did you mean 'world'?"));
    assert_true(reported(&f.report, FM_ERR_NAME, 3, "<boat> has no attribute 'nmae'; did you mean 'name'?"));
    assert_true(
        reported(&f.report, FM_ERR_RANGE, 4, "heading of <boat>: '200 deg' is out of range: must be -180 … 180 deg"));
    assert_true(reported(&f.report, FM_ERR_UNIT, 5, "must be a speed in m/s, e.g. '3 m/s'"));
    assert_true(reported(&f.report, FM_ERR_NAME, 6, "must be one of euler, heun, rk4; did you mean 'heun'?"));
    assert_true(reported(&f.report, FM_ERR_RANGE, 7, "must be 0 … 224808.943 lb/V2"));
    assert_true(reported(&f.report, FM_ERR_SYNTAX, 7, "text 'words' is invalid here"));
    assert_true(reported(&f.report, FM_ERR_NAME, 8, "two elements <boat> have the name 'a'"));
    assert_true(reported(&f.report, FM_ERR_NAME, 8, "two elements <motor> have the name 'p'"));
    assert_true(reported(&f.report, FM_ERR_NAME, 8, "<plan> occurs twice inside <boat>"));
    assert_true(reported(&f.report, FM_ERR_SYNTAX, 3, "attribute 'name' is missing"));
    assert_true(reported(&f.report, FM_ERR_SYNTAX, 8, "attribute 'gain' is missing"));
    assert_true(reported(&f.report, FM_ERR_SYNTAX, 1, "element <world> is missing"));
    end(&f);
}

static void the_instance_wins_over_its_model(void **state)
{
    (void)state;
    fixture f = begin();
    fm_tree model = {0};
    const char *text = "<model author='me' mesh='m.stl' speed='4 knot'>"
                       "<motor name='port' gain='1 N/V2' max-speed='5 rad/s'/><motor name='stern' gain='2 N/V2'/>"
                       "<plan><rest after='5 s'/></plan></model>";
    assert_int_equal(
        fm_tree_read_memory(&model, text, strlen(text), "models/m.xml", &model_element, &f.registry, 0, &f.report),
        FM_OK);
    const char *scenario =
        "<sea version='1'><world/><boat name='b' speed='1 m/s'>"
        "<pump gain='3 N/V2'/><plan><rest after='9 s'/></plan><motor name='port' max-speed='7 rad/s'/>"
        "</boat></sea>";
    assert_int_equal(fm_tree_read_memory(&f.tree, scenario, strlen(scenario), "s.xml", &sea_element, &f.registry,
                                         FM_READ_PARTIAL, &f.report),
                     FM_OK);
    fm_node *boat = fm_node_child(f.tree.root, "boat");
    assert_int_equal(fm_node_complete(&f.tree, f.tree.root, &f.report), FM_ERR_SYNTAX); /* gain of port */
    fm_report_free(&f.report);
    assert_int_equal(fm_node_overlay(&f.tree, boat, model.root, &f.report), FM_OK);
    fm_tree_free(&model);
    assert_int_equal(fm_node_complete(&f.tree, f.tree.root, &f.report), FM_OK);
    boat_config config;
    fm_node_fill(boat, &config);
    assert_same(config.speed, 1);
    assert_string_equal(config.mesh, "models/m.stl");
    assert_string_equal(fm_node_value(boat, "mesh")->file, "models/m.xml");
    fm_node *port = boat->first, *stern = port->next, *plan = stern->next, *pump = plan->next;
    assert_string_equal(fm_node_name(port), "port");
    assert_same(fm_node_value(port, "gain")->numbers[0], 1);
    assert_same(fm_node_value(port, "max-speed")->numbers[0], 7);
    assert_same(fm_node_value(stern, "gain")->numbers[0], 2);
    assert_string_equal(pump->element->name, "pump");
    assert_null(pump->next);
    assert_ptr_equal(boat->last, pump);
    assert_same(fm_node_value(plan->first, "after")->numbers[0], 5); /* unnamed: both rests stay, the model's first */
    assert_same(fm_node_value(plan->first->next, "after")->numbers[0], 9);
    end(&f);
}

/* ---- includes ---- */

static char *make_folder(void)
{
    static char folder[64];
    snprintf(folder, sizeof folder, "fathom-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void remove_files(const char *folder, const char *const *names)
{
    char path[200];
    for (; *names; names++) {
        snprintf(path, sizeof path, "%s/%s", folder, *names);
        unlink(path);
    }
    rmdir(folder);
}

static void an_included_fragment_takes_the_place_of_the_include(void **state)
{
    (void)state;
    fixture f = begin();
    const char *folder = make_folder();
    char path[200];
    write_file(folder, "a.xml",
               "<sea version='1'><world/><boat name='b'><include file='b.xml'/><pump gain='1 N/V2'/></boat></sea>");
    write_file(folder, "b.xml", "<fragment><motor name='x' gain='1 N/V2'/>\n<include file='c.xml'/></fragment>");
    write_file(folder, "c.xml", "<fragment>\n\n<motor name='y' gain='1 N/V2'/></fragment>");
    snprintf(path, sizeof path, "%s/a.xml", folder);
    assert_int_equal(fm_tree_read(&f.tree, path, &sea_element, &f.registry, 0, &f.report), FM_OK);
    fm_node *boat = fm_node_child(f.tree.root, "boat");
    assert_string_equal(fm_node_name(boat->first), "x");
    assert_string_equal(fm_node_name(boat->first->next), "y");
    assert_int_equal(boat->first->next->line, 3);
    assert_string_equal(boat->last->element->name, "pump");
    fm_tree_free(&f.tree);
    write_file(folder, "c.xml", "<fragment><motor name='y' gain='1 m'/><include file='b.xml'/></fragment>");
    assert_int_not_equal(fm_tree_read(&f.tree, path, &sea_element, &f.registry, 0, &f.report), FM_OK);
    assert_true(reported(&f.report, FM_ERR_FILE, 1, "b.xml' includes itself"));
    assert_true(reported(&f.report, FM_ERR_UNIT, 1, "gain of <motor>"));
    fm_tree_free(&f.tree);
    fm_report_free(&f.report);
    write_file(folder, "c.xml", "<fragment><include file='gone.xml'/></fragment>");
    assert_int_equal(fm_tree_read(&f.tree, path, &sea_element, &f.registry, 0, &f.report), FM_ERR_FILE);
    assert_true(reported(&f.report, FM_ERR_FILE, 1, "gone.xml': No such file"));
    fm_tree_free(&f.tree);
    assert_int_equal(fm_tree_read(&f.tree, path, &sea_element, &f.registry, FM_READ_ALONE, &f.report), FM_ERR_NAME);
    remove_files(folder, (const char *const[]){"a.xml", "b.xml", "c.xml", NULL});
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_table_passes_and_an_unsound_one_does_not),
        cmocka_unit_test(what_is_written_arrives_in_si_units),
        cmocka_unit_test(a_child_that_occurs_once_fills_its_place_in_the_parent),
        cmocka_unit_test(an_open_element_keeps_attributes_the_table_does_not_know),
        cmocka_unit_test(parts_of_a_group_come_with_their_class),
        cmocka_unit_test(all_errors_of_a_file_are_reported_with_their_lines),
        cmocka_unit_test(the_instance_wins_over_its_model),
        cmocka_unit_test(an_included_fragment_takes_the_place_of_the_include),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
