/* How scenarios come in through the program: seeds, settings, what is refused and how it is reported. */
#include <sys/stat.h>

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
    expect_run(&r, 1, "model 'lav' (lav.xml) not found");
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
    expect_line(7, "model 'no-such' (no-such.xml) not found");
    expect_line(9, "0.07 s");
    expect_line(10, "0.03 s");
    expect_line(12, "<compas>");
    expect_line(13, "mass");
    expect_line(9, "warning: <autopilot>: has no <speed>");
    if (count_lines(r.err) != 10)
        fail_msg("expected ten lines: %s", r.err);
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
    expect_run(&r, 1, "must be whole multiples of the world's dt");
}

/* --- words --- */

#define WORLD(inside) "<fathom version='1'><world dt='0.05 s'>" inside "</world>\n"
#define BODY "<mass mass='20 kg' inertia='0.5 0.5 0.5 kg*m2'/>"

static void each_fault_has_the_right_words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *words;
    } cases[] = {
        {WORLD("") "<vehicle name='v' model='nps-auv-i'/></fathom>", 2, "did you mean 'nps-auv-ii'?"},
        {WORLD("") "<vehicle name='v'>" BODY "<water/></vehicle></fathom>", 2,
         "<water> is not known inside <vehicle>; it belongs inside <world>"},
        {WORLD("<autopilot/>") "</fathom>", 1, "it belongs inside <vehicle>"},
        {WORLD("") "<vehicle name='v' position='0,5 0 0 m'>" BODY "</vehicle></fathom>", 2, "decimal point"},
        {WORLD("") "<vehicle name='v'><mass mass='20 kg' inertia='1 1 5 kg*m2'/></vehicle></fathom>", 2,
         "1 1 5 kg*m2 is impossible: each principal moment is at most the sum of the other two"},
        {WORLD("") "<vehicle name='v'><mass mass='20 kg' inertia='1 1 1 kg*m2' products='0.9 0 0 "
                   "kg*m2'/></vehicle></fathom>",
         2, "is impossible: each principal moment"},
        {WORLD("") "<vehicle name='v' period='0.1000000010 s'>" BODY "</vehicle></fathom>", 2,
         "0.100000001 s is out of range: must be whole multiples of the world's dt of 0.05 s (0.1 s)"},
        {WORLD("") "<vehicle name='water'>" BODY "</vehicle></fathom>", 2, "'water' is an element of the scenario"},
        {WORLD("<current><grid file='http://127.0.0.1:1/x.nc'/></current>") "</fathom>", 1,
         "network addresses are not opened"},
        {WORLD("<water><profile file='dods://127.0.0.1/x.nc'/></water>") "</fathom>", 1, "network addresses"},
        {WORLD("") "<vehicle name='v'>" BODY "<zigzag plugin='libm.so.6'/></vehicle></fathom>", 2,
         "no file 'libm.so.6'"},
        {WORLD("") "<vehicle name='v'>" BODY
                   "</vehicle><faults><at t='1 s' path='/v/mass/mass' value='2 kg'/></faults></fathom>",
         2, "'/v/mass/mass' is fixed when the scenario is loaded"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_text(cases[i].text);
        if (r.status != 1)
            fail_msg("case %zu was accepted", i);
        expect_line(cases[i].line, cases[i].words);
    }
}

static void names_of_five_thousand_characters_are_told_by_their_length(void **state)
{
    (void)state;
    static char text[12000], name[5001];
    memset(name, 'n', sizeof name - 1);
    snprintf(text, sizeof text, WORLD("<sphere name='%s' position='0 0 5 m' radius='1 m'/>") "</fathom>", name);
    check_text(text);
    expect_line(1, "a name of 5000 characters");
    snprintf(text, sizeof text, WORLD("") "<vehicle name='%s'>" BODY "</vehicle></fathom>", name);
    check_text(text);
    expect_line(2, "must be at most");
    snprintf(text, sizeof text, WORLD("") "<vehicle name='%.60s'>" BODY "</vehicle></fathom>", name);
    check_text(text);
    expect_line(2, "60 characters given: must be at most 31");
}

/* A pipe without a writer would wait for ever. */
static void pipes_and_devices_are_refused_before_they_are_opened(void **state)
{
    (void)state;
    static const char *const worlds[] = {WORLD("<bottom><mesh file='loading.fifo'/></bottom>"),
                                         WORLD("<bottom><heightmap file='loading.fifo'/></bottom>"),
                                         WORLD("<current><grid file='loading.fifo'/></current>"),
                                         WORLD("<water><profile file='loading.fifo'/></water>"),
                                         WORLD("<include file='loading.fifo'/>")};
    remove("loading.fifo");
    assert_int_equal(mkfifo("loading.fifo", 0600), 0);
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        write_file(FILE_NAME, worlds[i]);
        FILE *out = fopen(FILE_NAME, "a");
        assert_non_null(out);
        fputs("</fathom>", out);
        fclose(out);
        run_shell(&r, "timeout 20 %s check " FILE_NAME, FATHOM_PROGRAM);
        expect_run(&r, 1, "regular file");
    }
    run_shell(&r, "timeout 20 %s check loading.fifo", FATHOM_PROGRAM);
    expect_run(&r, 1, "not a regular file");
    run_shell(&r, "timeout 20 %s check /dev/zero", FATHOM_PROGRAM);
    expect_run(&r, 1, "not a regular file");
    remove("loading.fifo");
    remove(FILE_NAME);
}

/* --- one number of several --- */

static void one_component_of_a_vector_is_set_by_its_name(void **state)
{
    (void)state;
    char part[17], whole[17];
    write_file(FILE_NAME,
               "<fathom version='1'><world dt='0.05 s' duration='2 s'><current velocity='0.1 0 0 m/s'/></world>"
               "<vehicle name='v' model='lauv' position='0 0 5 m'/></fathom>");
    hash_of("run " FILE_NAME " --set '/current/velocity/y=20 cm/s' --summary -", part);
    hash_of("run " FILE_NAME " --set '/current/velocity=0.1 0.2 0 m/s' --summary -", whole);
    assert_string_equal(part, whole);
    hash_of("run " FILE_NAME " --set '/v/position/z=7 m' --summary -", part);
    hash_of("run " FILE_NAME " --set '/v/position=0 0 7 m' --summary -", whole);
    assert_string_equal(part, whole);
    run_fathom(&r, "check " FILE_NAME " --set '/current/velocity/q=1 m/s'");
    expect_run(&r, 1, "no parameter '/current/velocity/q'");
    run_fathom(&r, "check " FILE_NAME " --set '/current/velocity/y=1 kg'");
    expect_run(&r, 1, "a speed in m/s");
    remove(FILE_NAME);
}

/* --- what is checked --- */

static void check_takes_models_several_files_and_standard_input(void **state)
{
    (void)state;
    run_fathom(&r, "check " FATHOM_SOURCE_DIR "/models/*.xml " FATHOM_SOURCE_DIR "/scenarios/phoenix-turn.xml");
    assert_int_equal(r.status, 0);
    assert_at_least(count_lines(r.out), 12);
    assert_true(!r.err[0]);
    run_shell(&r, "%s check - < " FATHOM_SOURCE_DIR "/models/lauv.xml", FATHOM_PROGRAM);
    expect_run(&r, 0, "-: fine: 1 vehicle");
    run_shell(&r, "sed 's/model=\"lauv\"/model=\"luav\"/' " FATHOM_SOURCE_DIR "/scenarios/lauv-survey.xml | %s check -",
              FATHOM_PROGRAM);
    expect_run(&r, 1, "standard input:");
    write_file("loading-a.xml", "<?xml version='1.0'?><!-- <fathom> -->\n<model name='a'><mass mass='1 m'/></model>");
    write_file("loading-b.xml", "<fathom version='1'><world dt='1 kg'/></fathom>");
    run_fathom(&r, "check loading-a.xml loading-b.xml " FATHOM_SOURCE_DIR "/models/lauv.xml");
    expect_run(&r, 1, "loading-a.xml:2: mass of <mass>");
    expect_run(&r, 1, "loading-b.xml:1: dt of <world>");
    expect_run(&r, 1, "lauv.xml: fine");
    remove("loading-a.xml");
    remove("loading-b.xml");
}

#define GUIDED(parts)                                                                                                  \
    WORLD("<bottom depth='50 m'/>")                                                                                    \
    "<vehicle name='v' model='lauv' position='0 0 5 m'>" parts "</vehicle></fathom>"
#define LIST "<waypoints><waypoint position='100 0 5 m'/></waypoints>"
#define PILOT "<autopilot steering='fins'><speed kp='1'/></autopilot>"

static void check_warns_of_parts_that_do_not_meet(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {GUIDED("<autopilot steering='fins'/>" LIST), "warning: <waypoints>: comes after <autopilot>"},
        {GUIDED(LIST), "warning: <waypoints>: has no effect: no <autopilot>"},
        {GUIDED(LIST "<autopilot steering='fins'/>"), "warning: <autopilot>: has no <speed>"},
        {GUIDED("<waypoints><waypoint position='1 0 -5 m'/></waypoints><autopilot steering='fins'/>"),
         "warning: position of <waypoint>: is above the sea"},
        {GUIDED("<waypoints><waypoint position='1 0 50 m'/></waypoints><autopilot steering='fins'/>"),
         "is below the bottom, which is 50 m deep there"},
        {GUIDED("<imu/><compass/><depth/><speed-log/>" LIST "<navigation/><autopilot steering='fins'/>"),
         "warning: <navigation>: comes after parts that would read it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_text(cases[i].text);
        expect_line(2, cases[i].words);
    }
    run_fathom(&r, "check " FATHOM_SOURCE_DIR "/scenarios/lauv-survey.xml");
    assert_int_equal(r.status, 0);
    assert_true(!r.err[0]);
}

/* --- little memory, many vehicles --- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NEEDS_ROOM 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define NEEDS_ROOM 1
#endif
#endif

static void little_memory_is_an_error_and_soon(void **state)
{
    (void)state;
#ifdef NEEDS_ROOM
    skip(); /* the shadow of a sanitizer alone is larger */
#endif
    static const int megabytes[] = {60, 120, 250};
    write_file(FILE_NAME, WORLD("") "<vehicle name='v' model='lauv' count='200000' position='0 0 5 m'/></fathom>");
    for (size_t i = 0; i < sizeof megabytes / sizeof *megabytes; i++) {
        run_shell(&r, "ulimit -v %d; timeout 60 %s run " FILE_NAME " --duration 0.1", megabytes[i] * 1000,
                  FATHOM_PROGRAM);
        if (r.status == 124 || r.status > 128 || r.status == 0 || !r.err[0])
            fail_msg("%d MB: exit status %d: %s", megabytes[i], r.status, r.err);
    }
    remove(FILE_NAME);
}

static void more_vehicles_than_a_log_has_channels_for_are_refused_at_once(void **state)
{
    (void)state;
    write_file(FILE_NAME, WORLD("") "<vehicle name='v' model='lauv' count='20000' position='0 0 5 m'/></fathom>");
    run_fathom(&r, "run " FILE_NAME " --duration 0.1 --log loading.mcap");
    expect_run(&r, 1, "20000 vehicles need 80000 channels at least: must be at most 65534");
    if (r.seconds > 5)
        fail_msg("took %.1f s", r.seconds);
    remove("loading.mcap");
    remove(FILE_NAME);
}

static void a_run_that_diverges_names_coefficients_and_step(void **state)
{
    (void)state;
    write_file(FILE_NAME, WORLD("") "<vehicle name='v' position='0 0 50 m' velocity='1 0 0 m/s'>" BODY
                                    "<drag X_uu='900 kg/m'/></vehicle></fathom>");
    run_fathom(&r, "run " FILE_NAME " --fast");
    expect_run(&r, 1, "check the signs and units of its X coefficients");
    expect_run(&r, 1, "a step shorter than 0.05 s");
    remove(FILE_NAME);
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
        cmocka_unit_test(each_fault_has_the_right_words),
        cmocka_unit_test(names_of_five_thousand_characters_are_told_by_their_length),
        cmocka_unit_test(pipes_and_devices_are_refused_before_they_are_opened),
        cmocka_unit_test(one_component_of_a_vector_is_set_by_its_name),
        cmocka_unit_test(check_takes_models_several_files_and_standard_input),
        cmocka_unit_test(check_warns_of_parts_that_do_not_meet),
        cmocka_unit_test(little_memory_is_an_error_and_soon),
        cmocka_unit_test(more_vehicles_than_a_log_has_channels_for_are_refused_at_once),
        cmocka_unit_test(a_run_that_diverges_names_coefficients_and_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
