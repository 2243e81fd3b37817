/* How scenarios come in through the program: seeds, settings, what is refused and how it is told. */
#include "support/files.h"
#include "support/program.h"

#define FILE_NAME "loading.xml"

static program_run r;

static void run_well(const char *arguments)
{
    if (run_fathom(&r, "%s", arguments) != 0)
        fail_msg("fathom %s: %s", arguments, r.err);
}

static void hash_of(const char *arguments, char hash[17])
{
    run_well(arguments);
    const char *at = strstr(r.out, "\"state_hash\": \"");
    assert_non_null(at);
    snprintf(hash, 17, "%s", at + strlen("\"state_hash\": \""));
}

/* --- seeds --- */

#define RANDOM_WORLD                                                                                                   \
    "<fathom version='1'><world dt='0.05 s' duration='5 s'>"                                                           \
    "<current><gauss-markov deviation='0.1 0.1 0 m/s' time='60 s'/></current>"                                         \
    "<waves><wave amplitude='0.2 m' period='8 s'/><jonswap height='1 m' period='6 s' spreading='8'/>"                  \
    "<jonswap height='0.3 m' period='4 s' direction='90 deg'/></waves></world>"                                        \
    "<vehicle name='v' model='lauv' position='0 0 3 m'/></fathom>\n"

static void a_seed_of_the_run_reseeds_the_sea_too(void **state)
{
    (void)state;
    char run[17], set[17], plain[17];
    write_file(FILE_NAME, RANDOM_WORLD);
    hash_of("run " FILE_NAME " --seed 5 --summary -", run);
    hash_of("run " FILE_NAME " --set /world/seed=5 --summary -", set);
    hash_of("run " FILE_NAME " --set /world/seed=5 --seed 1 --summary -", plain);
    assert_string_equal(run, set);
    hash_of("run " FILE_NAME " --summary -", set);
    assert_string_equal(plain, set);
    assert_string_not_equal(run, plain);
    remove(FILE_NAME);
}

static void a_seeded_log_replays_with_its_sea(void **state)
{
    (void)state;
    write_file(FILE_NAME, RANDOM_WORLD);
    run_well("run " FILE_NAME " --seed 9 --log loading.mcap");
    run_well("replay loading.mcap --verify");
    assert_non_null(strstr(r.out, "the same"));
    remove(FILE_NAME);
    remove("loading.mcap");
}

/* --- settings --- */

static void a_set_model_is_the_model_that_runs(void **state)
{
    (void)state;
    char set[17], written[17];
    write_file(FILE_NAME, "<fathom version='1'><world dt='0.05 s' duration='2 s'/>"
                          "<vehicle name='v' model='nps-auv-ii' position='0 0 5 m' velocity='1 0 0 m/s'/></fathom>");
    hash_of("run " FILE_NAME " --set /v/model=lauv --summary -", set);
    run_fathom(&r, "run " FILE_NAME " --set /v/model=lav");
    expect_run(&r, 1, "there is no model 'lav'");
    write_file(FILE_NAME, "<fathom version='1'><world dt='0.05 s' duration='2 s'/>"
                          "<vehicle name='v' model='lauv' position='0 0 5 m' velocity='1 0 0 m/s'/></fathom>");
    hash_of("run " FILE_NAME " --summary -", written);
    assert_string_equal(set, written);
    remove(FILE_NAME);
}

/* --- all that is wrong, at once --- */

static void check_text(const char *text)
{
    write_file(FILE_NAME, text);
    run_fathom(&r, "check " FILE_NAME);
    remove(FILE_NAME);
}

/* A line that begins with file and line and has these words. */
static void expect_line(int line, const char *words)
{
    char start[64];
    snprintf(start, sizeof start, FILE_NAME ":%d: ", line);
    for (const char *at = r.err; (at = strstr(at, start)); at++) {
        const char *end = strchr(at, '\n'), *found = strstr(at, words);
        if (found && (!end || found < end))
            return;
    }
    fail_msg("no '%s…%s' in: %s", start, words, r.err);
}

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void check_tells_the_errors_of_every_stage_at_once(void **state)
{
    (void)state;
    check_text("<fathom version='1'>\n"
               "<world dt='0.05 s' duratoin='3 s'>\n"            /* reading: an attribute */
               "<water density='1025 kg'/>\n"                    /* reading: a unit, with a default */
               "<bottom><mesh file='not-there.obj'/></bottom>\n" /* the sea */
               "<sphere name='rock' position='90 0 9 m'/>\n"     /* completing: no radius */
               "</world>\n"
               "<vehicle name='a' model='no-such'/>\n" /* models */
               "<vehicle name='b' model='lauv' position='0 0 5 m'>\n"
               "<autopilot steering='fins' period='0.07 s'><depth/></autopilot>\n" /* building: a period */
               "<echosounder period='0.03 s'/>\n"                                  /* building: another */
               "</vehicle>\n"
               "<vehicle name='c' model='lauv'><approach to='rock' gap='1 m'/><compas/></vehicle>\n"
               "<vehicle name='d'><thruster name='t' direction='0 0 0' thrust='5 N'/></vehicle>\n"
               "<faults><at t='1 s' path='/b/nothing' value='1'/></faults>\n"
               "</fathom>\n");
    assert_int_equal(r.status, 1);
    expect_line(2, "duratoin");
    expect_line(3, "a density in kg/m3");
    expect_line(4, "not-there.obj");
    expect_line(5, "'radius' is missing");
    expect_line(7, "no model 'no-such'");
    expect_line(9, "0.07 s");
    expect_line(10, "0.03 s");
    expect_line(12, "<compas>");
    expect_line(13, "mass");
    if (count_lines(r.err) != 9)
        fail_msg("expected nine lines: %s", r.err);
}

static void a_fault_of_a_model_is_told_once_for_all_its_vehicles(void **state)
{
    (void)state;
    write_file("loading-model.xml", "<model name='loading-model'><mass mass='5 m' inertia='1 1 1 kg*m2'/></model>");
    check_text("<fathom version='1'><world/><vehicle name='a' model='loading-model'/>"
               "<vehicle name='b' model='loading-model'/></fathom>");
    remove("loading-model.xml");
    assert_int_equal(r.status, 1);
    if (count_lines(r.err) != 1 || !strstr(r.err, "loading-model.xml:1: mass of <mass>"))
        fail_msg("%s", r.err);
}

static void a_period_that_does_not_fit_is_told_though_others_read_the_part(void **state)
{
    (void)state;
    run_fathom(&r, "check " FATHOM_SOURCE_DIR "/scenarios/phoenix-dive.xml --set '/world/dt=0.0685 s'");
    expect_run(&r, 1, "accepted whole multiples of the world's dt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_of_the_run_reseeds_the_sea_too),
        cmocka_unit_test(a_seeded_log_replays_with_its_sea),
        cmocka_unit_test(a_set_model_is_the_model_that_runs),
        cmocka_unit_test(check_tells_the_errors_of_every_stage_at_once),
        cmocka_unit_test(a_fault_of_a_model_is_told_once_for_all_its_vehicles),
        cmocka_unit_test(a_period_that_does_not_fit_is_told_though_others_read_the_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
