/* Every failure is reported and leaks nothing: memory that runs out, states that cannot be, depths that crush;
 * and a step allocates nothing. */
#include "support/scenario.h"

#include <libxml/parser.h>

#include "base/memory.h"
#include "world/scenes.h"

/* --- allocations of the whole process, counted by standing in front of the C library --- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COUNTED 0
#else
#define COUNTED 1
#endif
#else
#define COUNTED 1
#endif

static long allocations;

#if COUNTED
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
    __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
    return __libc_realloc(old, size);
}
#endif

static void a_thousand_steps_allocate_nothing(void **unused)
{
    (void)unused;
    if (!COUNTED)
        skip();
    void *probe = malloc(1);
    assert_greater(allocations, 0); /* the counter counts */
    free(probe);
    for (int s = 0; s < SCENES; s++)
        for (int threads = 1; threads <= 2; threads++) {
            fm_model *model = load(scenes[s].text);
            fm_world *world = create(model, threads);
            fm_error error = {0};
            long before = __atomic_load_n(&allocations, __ATOMIC_RELAXED);
            fm_status status = FM_OK;
            for (int i = 0; i < 1000 && status == FM_OK; i++)
                status = fm_world_step(world, &error);
            long after = __atomic_load_n(&allocations, __ATOMIC_RELAXED);
            assert_int_equal(status, FM_OK);
            assert_int_equal(after - before, 0);
            fm_world_free(world);
            fm_model_free(model);
        }
}

/* --- memory that runs out --- */

/* Loads and creates with the N-th allocation failing; 1: it went through. */
static int survives(const char *text, long n)
{
    fm_error error = {0};
    long before = fm_alloc_live();
    fm_alloc_fail_after(n);
    fm_model *model = try_load(text, &error);
    fm_world_options options = {.threads = 2};
    fm_world *world = model ? fm_world_create(model, &options, &error) : NULL;
    fm_alloc_fail_after(-1);
    if (!world && error.status == FM_OK)
        fail_msg("allocation %ld failed without an error", n);
    if (!world && !error.text[0])
        fail_msg("allocation %ld failed without a message", n);
    fm_world_free(world);
    fm_model_free(model);
    if (fm_alloc_live() != before)
        fail_msg("failing allocation %ld leaks %ld pieces", n, fm_alloc_live() - before);
    return world != NULL;
}

static void failing_any_allocation_is_an_error_and_leaks_nothing(void **unused)
{
    (void)unused;
    for (int s = 0; s < SCENES; s++) {
        long n = 0;
        if (s == 1) /* as the first, more vehicles */
            continue;
        while (n < 100000 && !survives(scenes[s].text, n))
            n++;
        assert_between(10, n, 100000);
        print_message("%s: %ld allocations\n", scenes[s].name, n);
    }
}

/* Failures inside libxml2: its own allocator refuses from the N-th call on. */
static long xml_left;
static void *xml_malloc(size_t size)
{
    return xml_left-- > 0 ? malloc(size) : NULL;
}
static void *xml_realloc(void *old, size_t size)
{
    return xml_left-- > 0 ? realloc(old, size) : NULL;
}
static char *xml_strdup(const char *text)
{
    char *copy = xml_malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

static void failures_inside_the_xml_library_are_errors_without_a_crash(void **unused)
{
    (void)unused;
    xmlFreeFunc old_free;
    xmlMallocFunc old_malloc;
    xmlReallocFunc old_realloc;
    xmlStrdupFunc old_strdup;
    xmlMemGet(&old_free, &old_malloc, &old_realloc, &old_strdup);
    xmlInitParser();
    int refused = 0;
    for (long n = 0; n < 80; n++) {
        fm_error error = {0};
        xml_left = n;
        xmlMemSetup(free, xml_malloc, xml_realloc, xml_strdup);
        fm_model *model = try_load(scenes[0].text, &error);
        xmlMemSetup(old_free, old_malloc, old_realloc, old_strdup);
        if (!model) {
            refused++;
            assert_different(error.status, FM_OK);
        }
        fm_model_free(model);
    }
    assert_greater(refused, 10);
}

/* --- states that cannot be --- */

static void run_into(const char *attributes, const char *inside, const char *quantity)
{
    char text[1024];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.1 s' duration='100 s'/><vehicle name='calm' position='0 90 5 m'>"
             "<mass mass='10 kg' inertia='1 1 1 kg*m2'/></vehicle><vehicle name='wild' integrator='euler' position='0 "
             "0 50 m' %s>"
             "<mass mass='10 kg' inertia='1 1 1 kg*m2'/>%s</vehicle></fathom>",
             attributes, inside);
    fm_world *world = start(text);
    fm_error error = {0};
    fm_status status = fm_world_run_until(world, 100, &error);
    char tick[64];
    snprintf(tick, sizeof tick, "tick %llu", (unsigned long long)fm_world_tick(world));
    if (status != FM_ERR_STATE || !strstr(error.text, "'wild'") || !strstr(error.text, quantity) ||
        !strstr(error.text, tick))
        fail_msg("status %d, '%s'; expected it to name 'wild', %s and %s", (int)status, error.text, quantity, tick);
    finish(world);
}

static void a_state_that_cannot_be_stops_the_run_and_is_named(void **unused)
{
    (void)unused;
    /* drag too stiff for the step: overshoots more each time */
    run_into("velocity='9 0 0 m/s'", "<drag X_u_absu='-90 N*s2/m2'/>", "u is");
    run_into("velocity='0 0 1 m/s'", "<drag Z_w='-900 N*s/m'/>", "w is");
    run_into("rates='0 0 1 rad/s'", "<drag N_r='-90 N*m*s/rad'/>", "r is");
    run_into("", "<thruster name='jet' direction='1 0 0' thrust='1e6 N'/><orders><at t='0 s' jet='1e6 N'/></orders>",
             "u is");
}

static void a_number_that_is_none_is_found_in_the_same_step(void **unused)
{
    (void)unused;
    static const struct {
        int field;
        const char *name;
    } fields[] = {{0, "x is"}, {2, "z is"}, {3, "attitude is"}, {7, "u is"}, {12, "r is"}};
    for (size_t i = 0; i < FM_COUNT(fields); i++) {
        fm_world *world = start("<fathom version='1'><world dt='0.1 s' duration='100 s'/><vehicle name='hurt'>"
                                "<mass mass='10 kg' inertia='1 1 1 kg*m2'/></vehicle></fathom>");
        fm_error error = {0};
        step(world, 3);
        ((double *)&world->slots[0].vehicle->body)[fields[i].field] = i % 2 ? NAN : INFINITY;
        assert_int_equal(fm_world_step(world, &error), FM_ERR_STATE);
        assert_non_null(strstr(error.text, "'hurt'"));
        assert_non_null(strstr(error.text, "tick 3"));
        assert_int_equal(fm_world_tick(world), 3);
        finish(world);
    }
}

/* --- depth --- */

static void passing_the_rated_depth_is_an_event_and_crush_depth_ends_the_vehicle(void **unused)
{
    (void)unused;
    fm_world *world =
        start("<fathom version='1'><world dt='0.1 s' duration='100 s'/><vehicle name='stone' position='0 0 90 m'>"
              "<mass mass='10 kg' inertia='1 1 1 kg*m2'/><buoyancy force='80 N'/><drag Z_w='-10 N*s/m'/>"
              "<limits rated-depth='100 m' crush-depth='120 m'/></vehicle></fathom>");
    int rated = 0, crushed = 0;
    double at_rated = 0, at_crushed = 0;
    for (int i = 0; i < 1000; i++) {
        const fm_event *events;
        step(world, 1);
        for (size_t k = 0, count = fm_world_events(world, &events); k < count; k++) {
            if (strcmp(events[k].kind, "rated depth passed") == 0)
                rated++, at_rated = events[k].value;
            if (strcmp(events[k].kind, "crushed") == 0)
                crushed++, at_crushed = events[k].value;
        }
    }
    assert_int_equal(rated, 1);
    assert_int_equal(crushed, 1);
    near("depth of the event", at_rated, 100, 0.4);
    near("depth of the end", at_crushed, 120, 0.4);
    near("it moves no more", pose_of(world, 0).position[2], at_crushed, 1e-12);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_steps_allocate_nothing),
        cmocka_unit_test(failing_any_allocation_is_an_error_and_leaks_nothing),
        cmocka_unit_test(failures_inside_the_xml_library_are_errors_without_a_crash),
        cmocka_unit_test(a_state_that_cannot_be_stops_the_run_and_is_named),
        cmocka_unit_test(a_number_that_is_none_is_found_in_the_same_step),
        cmocka_unit_test(passing_the_rated_depth_is_an_event_and_crush_depth_ends_the_vehicle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
