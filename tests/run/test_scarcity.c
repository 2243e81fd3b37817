/* Any single allocation may fail, in any thread, while all others succeed: a run with a log, the readers of that log,
 * what is drawn and exported of it. Nothing crashes or leaks; every failure is reported, or nothing is missing. */
#include "run/run_case.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "plot/overview.h"
#include "run/verify.h"
#include "telemetry/export.h"

static const char text[] =
    "<fathom version='1'><world dt='0.05 s' duration='1 s' seed='7' capacity='2'><bottom depth='30 m'/>"
    "<sphere name='rock' position='30 0 5 m' radius='2 m'/></world>"
    "<vehicle name='a' position='3 4 10 m' velocity='1 0 0 m/s'><mass mass='10 kg' inertia='1 1 1 kg*m2'/>"
    "<buoyancy force='98 N'/><thruster name='jet' direction='1 0 0' thrust='9 N'/><depth/><hull kind='box' "
    "size='1 1 1 m'/><orders><at t='0 s' jet='2 N'/></orders></vehicle></fathom>";

static fm_model *model;
static uint64_t written; /* messages of an undisturbed run */

/* One thing to do; 1: it said that all went well, 0: *error says what did not. */
typedef int work(fm_error *error);

/* Does it with each single allocation failing in turn, every `stride`-th of them. */
static void with_any_failing(const char *name, work *do_it, long stride)
{
    long failed = 0, n = 0;
    for (;; n += stride) {
        fm_error error = {0};
        long before = fm_alloc_live_everywhere();
        fm_alloc_fail_once(n);
        int well = do_it(&error), happened = fm_alloc_failed_once();
        fm_alloc_fail_once(-1);
        if (fm_alloc_live_everywhere() != before)
            fail_msg("%s: failing allocation %ld leaks %ld pieces", name, n, fm_alloc_live_everywhere() - before);
        if (!well && !error.text[0])
            fail_msg("%s: failing allocation %ld is not reported", name, n);
        if (!happened) {
            if (!well)
                fail_msg("%s: %s", name, error.text);
            break;
        }
        failed += !well;
    }
    print_message("%s: %ld allocations, %ld of those that failed were reported\n", name, n, failed);
    assert_greater(failed, 0);
}

/* --- a run with its log, whose recorder is a thread of its own --- */

static int record(fm_error *error)
{
    fm_log_result result = {0};
    fm_run *run = fm_run_create(model, NULL, error);
    fm_status status = run ? FM_OK : FM_ERR_MEMORY;
    if (status == FM_OK)
        status = fm_run_record(run, "scarcity_try.mcap", &(fm_log_options){.result = &result}, error);
    if (status == FM_OK)
        status = fm_run_go(run, NULL, error);
    if (status == FM_OK)
        status = fm_run_finish(run, error);
    fm_run_free(run);
    if (status == FM_OK && result.error.status != FM_OK) {
        *error = result.error;
        status = result.error.status;
    }
    if (status == FM_OK && written && result.written != written)
        fail_msg("%llu of %llu messages are there, and no error reports it", (unsigned long long)result.written,
                 (unsigned long long)written);
    if (!written)
        written = result.written;
    return status == FM_OK;
}

static void a_run_and_its_recorder_tell_of_any_failing_allocation(void **unused)
{
    (void)unused;
    with_any_failing("record", record, 1);
}

/* --- loading --- */

static int load_it(fm_error *error)
{
    fm_model *loaded_model = try_load(text, error);
    fm_world *world = loaded_model ? fm_world_create(loaded_model, &(fm_world_options){.threads = 2}, error) : NULL;
    int well = world != NULL;
    fm_world_free(world);
    fm_model_free(loaded_model);
    return well;
}

static void loading_tells_of_any_failing_allocation(void **unused)
{
    (void)unused;
    with_any_failing("load", load_it, 3);
}

/* --- readers --- */

static fm_mcap_reader *open_log(fm_error *error)
{
    fm_mcap_reader *reader = NULL;
    return fm_mcap_open("scarcity.mcap", &reader, error) == FM_OK ? reader : NULL;
}

static int export_it(fm_error *error)
{
    fm_export_result result = {0};
    fm_mcap_reader *reader = open_log(error);
    int well = reader && fm_export_csv(reader, "scarcity_csv", &(fm_export_options){.ned = 1}, &result, error) == FM_OK;
    if (well && result.channels == 0)
        fail_msg("an export without channels");
    fm_mcap_reader_close(reader);
    return well;
}

static int draw_it(fm_error *error)
{
    fm_mcap_reader *reader = open_log(error);
    if (!reader)
        return 0;
    fm_run_data data;
    fm_status status = fm_run_data_read(reader, NULL, &data, error);
    if (status == FM_OK) {
        fm_figure *figure = fm_overview_draw((const fm_run_data *const[]){&data}, 1, FM_THEME_LIGHT);
        status = figure ? fm_figure_write(figure, "scarcity.svg", error) : fm_run_data_no_memory(error);
        fm_figure_destroy(figure);
    }
    fm_run_data_free(&data);
    fm_mcap_reader_close(reader);
    return status == FM_OK;
}

static int replay_it(fm_error *error)
{
    fm_verify_result result;
    fm_mcap_reader *reader = open_log(error);
    fm_world *world = reader ? fm_world_create(model, NULL, error) : NULL;
    int well = world && fm_log_repeat(reader, world, NULL, &result, error) == FM_OK;
    if (well && !result.same)
        fail_msg("%s %s differs at tick %llu", result.topic, result.field, (unsigned long long)result.tick);
    fm_world_free(world);
    fm_mcap_reader_close(reader);
    return well;
}

static void exporting_tells_of_any_failing_allocation(void **unused)
{
    (void)unused;
    with_any_failing("export", export_it, 1);
}

static void drawing_tells_of_any_failing_allocation(void **unused)
{
    (void)unused;
    with_any_failing("draw", draw_it, 23);
}

static void replaying_tells_of_any_failing_allocation(void **unused)
{
    (void)unused;
    with_any_failing("replay", replay_it, 1);
}

static int set_up(void **unused)
{
    (void)unused;
    fm_error error = {0};
    model = load(text);
    if (!record(&error))
        fail_msg("%s", error.text);
    return rename("scarcity_try.mcap", "scarcity.mcap");
}

static int tear_down(void **unused)
{
    (void)unused;
    fm_model_free(model);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_and_its_recorder_tell_of_any_failing_allocation),
        cmocka_unit_test(loading_tells_of_any_failing_allocation),
        cmocka_unit_test(exporting_tells_of_any_failing_allocation),
        cmocka_unit_test(drawing_tells_of_any_failing_allocation),
        cmocka_unit_test(replaying_tells_of_any_failing_allocation),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
