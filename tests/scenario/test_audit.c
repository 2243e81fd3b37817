/* Every parameter acts: a scenario with another value is refused, or moves, senses or tells something else. What does
 * nothing here stands in a list with its reason. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/params.h"
#include "support/scenario.h"
#include "world/world.h"

enum { TICKS = 60, ATTRS_MOST = 2048 };

/* --- what a scenario does --- */

static uint64_t fold(uint64_t hash, const void *data, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, (const char *)data + 8 * i, sizeof word);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 29;
    }
    return hash;
}

/* All of a vehicle but the live parameters themselves, which change with what is set whether anybody reads them or not.
 */
static uint64_t fold_vehicle(uint64_t hash, const fm_slot *slot)
{
    fm_vehicle *v = slot->vehicle;
    const fm_type *type = slot->type;
    hash = fold(hash, v, sizeof *v / 8);
    hash = fold(hash, fm_vehicle_words(v, type->actuator_block), type->actuator_block.words);
    hash = fold(hash, fm_vehicle_words(v, type->metric_block), type->metric_block.words);
    hash = fold(hash, fm_vehicle_words(v, type->kind_block), type->kind_block.words);
    for (size_t i = 0; i < type->part_count; i++) {
        hash = fold(hash, fm_vehicle_words(v, type->parts[i].state), type->parts[i].state.words);
        hash = fold(hash, fm_vehicle_words(v, type->parts[i].output), type->parts[i].output.words);
    }
    return hash;
}

static uint64_t fold_world(uint64_t hash, const fm_world *world)
{
    hash = fold(hash, world->subsystems, world->model->subsystem_words);
    hash = fold(hash, &world->head->events, 1);
    for (int i = 0; i < world->slot_count; i++)
        if (fm_slot_occupied(world, i))
            hash = fold_vehicle(hash, &world->slots[i]);
    return hash;
}

static uint64_t fold_model(const fm_model *model)
{
    double facts[] = {fm_model_dt(model), fm_model_duration(model), (double)model->change_count};
    uint64_t hash = fold(1, facts, sizeof facts / 8);
    for (size_t i = 0; i < model->change_count; i++)
        hash = fold(hash, &model->changes[i].tick, 1);
    return hash;
}

/* 0: refused. */
static uint64_t behaviour(const char *text, const char *file, const char *const *sets, fm_error *error)
{
    static const char *const dirs[] = {FATHOM_SOURCE_DIR "/models"};
    fm_load_options options = {.model_dirs = dirs, .model_dir_count = 1, .set = sets, .set_count = sets ? 1 : 0};
    fm_model *model = fm_model_load_memory(text, strlen(text), file, &options, error);
    if (!model)
        return 0;
    fm_world *world = fm_world_create(model, NULL, error);
    uint64_t hash = fold_model(model);
    hash ^= (uint64_t)(world ? world->slot_count : 0);
    for (int i = 0; i < TICKS && world && fm_world_step(world, error) == FM_OK; i++)
        hash = fold_world(hash, world);
    fm_world_free(world);
    fm_model_free(model);
    return hash ? hash : 1;
}

/* --- other values --- */

static bool within(const fm_attr *attr, double x)
{
    return (attr->min == 0 && attr->max == 0) || (x >= attr->min && x <= attr->max);
}

static double other_number(const fm_attr *attr, double x, int attempt)
{
    static const double factors[] = {1.37, 0.61, 2.9, 0.1}, adds[] = {0.13, -0.13, 1.7, 30};
    double span = attr->max > attr->min && isfinite(attr->max - attr->min) ? attr->max - attr->min : 1;
    double tries[] = {x * factors[attempt & 3], x + adds[attempt & 3], x + span * 0.01,
                      x - span * 0.01,          x + span * 0.3,        x - span * 0.3};
    for (size_t i = x == 0 ? 1 : 0; i < sizeof tries / sizeof *tries; i++)
        if (within(attr, tries[i]) && tries[i] != x)
            return tries[i];
    return x;
}

static void write_numbers(const fm_attr *attr, const fm_value *value, int attempt, char *out, size_t size)
{
    size_t count = attr->type == FM_ATTR_REAL ? 1 : attr->type == FM_ATTR_VECTOR ? attr->count : value->count;
    size_t used = 0;
    char number[40];
    if (!count)
        count = 2;
    for (size_t i = 0; i < count && used < size; i++) {
        double x = value->count > i ? value->numbers[i] : attr->min > 0 ? attr->min : 0;
        used += (size_t)snprintf(out + used, size - used, "%s ",
                                 fm_text_number_write(number, sizeof number, other_number(attr, x, attempt)));
    }
    snprintf(out + used, size - used, "%s", attr->unit);
}

/* Another value of an attribute; false: there is no other of this number. */
static bool other_value(const fm_attr *attr, const fm_value *value, int attempt, char *out, size_t size)
{
    switch (attr->type) {
    case FM_ATTR_REAL:
    case FM_ATTR_VECTOR:
    case FM_ATTR_LIST: write_numbers(attr, value, attempt, out, size); return attempt < 4;
    case FM_ATTR_INT: {
        static const int64_t adds[] = {1, -1, 3, 10};
        int64_t n = value->integer + adds[attempt & 3];
        snprintf(out, size, "%lld", (long long)(within(attr, (double)n) ? n : value->integer));
        return attempt < 4;
    }
    case FM_ATTR_BOOL: snprintf(out, size, "%s", value->integer ? "false" : "true"); return attempt < 1;
    case FM_ATTR_CHOICE: {
        int n = 0;
        while (attr->choices[n])
            n++;
        snprintf(out, size, "%s", attr->choices[(value->integer + 1 + attempt) % n]);
        return attempt < n - 1;
    }
    case FM_ATTR_NAME:
    case FM_ATTR_TEXT: snprintf(out, size, "/no/such/thing" + (attr->type == FM_ATTR_NAME ? 9 : 0)); return attempt < 1;
    case FM_ATTR_FILE: snprintf(out, size, "no-such-file.xml"); return attempt < 1;
    }
    return false;
}

/* --- the audit --- */

/* What changes nothing in phoenix-turn, and why. */
static const struct {
    const char *element, *attr, *reason;
} idle[] = {
    {"fathom", "version", "there is one version"},
    {"fathom", "title", "for people"},
    {"world", "seed", "nothing here is random"},
    {"world", "latitude", "nothing here asks where on the globe it is"},
    {"world", "longitude", "nothing here asks where on the globe it is"},
    {"vehicle", "spacing", "there is one vehicle"},
    {"vehicle", "text", "for people"},
    {"vehicle", "length", "for figures; the hull is given by shapes"},
    {"vehicle", "width", "for figures; the hull is given by shapes"},
    {"vehicle", "height", "for figures; the hull is given by shapes"},
    {"propeller", "time-constant", "of other dynamics"},
    {"propeller", "damping", "of other dynamics"},
    {"propeller", "thrust-reverse", "nobody reverses"},
    {"tunnel-thruster", "*", "nobody orders them"},
    {"propeller", "power", "there is no battery to drain"},
    {"water", "surface", "there is no surface near"},
    {"fin", "position", "the fins are given by coefficients"},
    {"fin", "area", "the fins are given by coefficients"},
    {"fin", "lift-slope", "the fins are given by coefficients"},
    {"fin", "direction", "the fins are given by coefficients"},
    {"fin", "group", "orders name the fins themselves"},
    {"fin", "time-constant", "of other dynamics"},
    {"fin", "damping", "of other dynamics"},
    {"limits", "rated-depth", "not so deep"},
    {"hull", "*", "there is nothing to touch"},
    {"cross-flow", "count", "stations are listed"},
    {"turning-circle", "steady", "the circle is not closed yet"},
};

static const char *reason_of(const char *element, const char *attr)
{
    for (size_t i = 0; i < FM_COUNT(idle); i++)
        if (strcmp(idle[i].element, element) == 0 && (idle[i].attr[0] == '*' || strcmp(idle[i].attr, attr) == 0))
            return idle[i].reason;
    return NULL;
}

typedef struct audit {
    const char *text, *file;
    uint64_t base;
    long tried;
    size_t count;
    const fm_attr *attrs[ATTRS_MOST];
    const char *elements[ATTRS_MOST];
    bool acts[ATTRS_MOST];
} audit;

static bool acts(audit *a, const char *path, const fm_attr *attr, const fm_value *value)
{
    char other[4096], set[FM_PATH_SIZE + 4200];
    for (int attempt = 0; other_value(attr, value, attempt, other, sizeof other); attempt++) {
        fm_error error = {0};
        snprintf(set, sizeof set, "%s=%s", path, other);
        const char *const sets[] = {set, NULL};
        a->tried++;
        if (behaviour(a->text, a->file, sets, &error) != a->base)
            return true;
    }
    return false;
}

/* The place of an attribute of the table in the list. */
static size_t place_of(audit *a, const fm_param *param)
{
    size_t i = 0;
    while (i < a->count && a->attrs[i] != param->attr)
        i++;
    assert_true(i < ATTRS_MOST);
    if (i == a->count) {
        a->attrs[a->count] = param->attr;
        a->elements[a->count++] = param->node->element->name;
    }
    return i;
}

/* One that acts in one place of the scenario acts. */
static bool try_param(void *user, const fm_param *param)
{
    audit *a = user;
    size_t i = place_of(a, param);
    if (!a->acts[i] && !reason_of(a->elements[i], param->attr->name))
        a->acts[i] = acts(a, param->path, param->attr, param->written);
    return true;
}

static void report_idle(const audit *a)
{
    int count = 0;
    for (size_t i = 0; i < a->count; i++)
        if (!a->acts[i] && !reason_of(a->elements[i], a->attrs[i]->name)) {
            print_error("%s of <%s> is accepted and does nothing\n", a->attrs[i]->name, a->elements[i]);
            count++;
        }
    assert_int_equal(count, 0);
}

/* What its models say stands in the text already. */
static void forget_models(char *text)
{
    for (char *at = text; (at = strstr(at, "<vehicle")); at++) {
        char *model = strstr(at, " model=\""), *end = strchr(at, '>');
        if (model && model < end)
            memset(model, ' ', (size_t)(strchr(model + 8, '"') + 1 - model));
    }
}

static void every_parameter_of_a_turning_phoenix_acts_or_has_a_reason(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_registry registry = {0};
    fm_tree tree = {0};
    fm_report report = {0};
    fm_model *model = load_scenario("phoenix-turn", NULL);
    char *text = fm_model_write(model);
    forget_models(text);
    static audit a;
    a = (audit){.text = text, .file = scenario_path("phoenix-turn")};
    a.base = behaviour(text, a.file, NULL, &error);
    if (!a.base)
        fail_msg("%s", error.text);
    assert_int_equal(fm_registry_add_built_ins(&registry, &error), FM_OK);
    assert_int_equal(
        fm_tree_read_memory(&tree, text, strlen(text), a.file, &fm_fathom_element, &registry, FM_READ_PARTIAL, &report),
        FM_OK);
    assert_true(fm_tree_params(&tree, try_param, &a));
    assert_true(a.tried > 300);
    report_idle(&a);
    fm_tree_free(&tree);
    fm_report_free(&report);
    fm_registry_free(&registry);
    fm_free(text);
    fm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_parameter_of_a_turning_phoenix_acts_or_has_a_reason)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
