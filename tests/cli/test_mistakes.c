/* Mistakes at the first try: the answer names the nearest scenario, model, parameter, or what to write instead. */
#include "support/files.h"
#include "support/program.h"

static program_run r;

static void expect(const char *arguments, int status, const char *words)
{
    run_fathom(&r, "%s", arguments);
    expect_run(&r, status, words);
}

static void scenarios_run_by_name_from_any_folder(void **state)
{
    (void)state;
    run_shell(&r, "mkdir -p mistakes_empty && cd mistakes_empty && ../" FATHOM_PROGRAM
                  " run phoenix-turn --duration 1 --summary - && ../" FATHOM_PROGRAM " check phoenix-turn");
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "\"vehicles\""));
    assert_non_null(strstr(r.out, "phoenix-turn.xml: fine"));
}

static void a_path_that_does_not_exist_hints_at_the_name(void **state)
{
    (void)state;
    expect("run elsewhere/phoenix-turn.xml", 1, "write phoenix-turn instead of elsewhere/phoenix-turn.xml");
    expect("check elsewhere/phoenix-turn", 1, "write phoenix-turn instead of elsewhere/phoenix-turn");
    expect("run phoenix-trun", 1, "did you mean 'phoenix-turn'");
    expect("run lauv_survy.xml", 1, "did you mean 'lauv-survey'");
    expect("run qqqqqqqq", 1, "`fathom scenarios` lists");
    assert_null(strstr(r.err, "did you mean"));
}

static void models_are_suggested_by_letters_by_words_and_by_their_description(void **state)
{
    (void)state;
    expect("trim bluerv2", 1, "did you mean 'bluerov2'");
    expect("trim remus", 1, "'remus-100'");
    expect("stability phoenix", 1, "did you mean 'nps-auv-ii'");
    expect("trim nope", 1, "`fathom models` lists");
    expect("trim nope", 1, "fathom: model 'nope'");
    assert_null(strstr(r.err, "vehicle")); /* none was written */
    write_file("mistakes_model.xml", "<fathom version='1'><world dt='0.01 s' duration='1 s'/>\n"
                                     "<vehicle name='a' model='remus' position='0 0 1 m'/></fathom>");
    expect("check mistakes_model.xml", 1, "mistakes_model.xml:2: model of <vehicle name=\"a\">");
    assert_non_null(strstr(r.err, "'remus-100'"));
}

static void parameter_paths_with_dots_or_without_a_slash_are_recognised(void **state)
{
    (void)state;
    expect("run lauv-survey --duration 0 --set water/density=1000", 1, "did you mean '/water/density'?");
    expect("run lauv-survey --duration 0 --set water.density=1000", 1, "did you mean '/water/density'?");
    expect("run lauv-survey --duration 0 --set water.densty=1000", 1, "did you mean '/water/density'?");
    expect("run lauv-survey --duration 0 --set lauv.autopilot.heading.kp=1", 1, "'/lauv/autopilot/heading/kp'");
    expect("sweep lauv-survey --vary lauv/mass/mass=1:2:2 -o mistakes.nc", 1, "'/lauv/mass/mass'");
    expect("run lauv-survey --duration 0 --set '/water/density=1000 kg/m3'", 0, "");
}

static void check_text(const char *text, const char *words)
{
    write_file("mistakes.xml", text);
    expect("check mistakes.xml", 1, words);
}

static void files_are_answered_in_their_own_words(void **state)
{
    (void)state;
    check_text("<fathom version='1' title='a & b'><world dt='0.01 s' duration='1 s'/></fathom>",
               "write '&amp;' for '&'");
    assert_null(strstr(r.err, "xmlParse"));
    check_text("<fathom version='1'><world dt='0.01 s' duration='1 s'/>"
               "<vehicle name='a' model='remus-100' position='0 0 1 m' attitude='0 0 20°'/></fathom>",
               "'20°' is invalid: use deg for °");
    check_text("<fathom version='1'><world dt='0.01 s' duration='1 s'/><vehicle name='a' model='nps-auv-ii' "
               "position='0 0 1 m'><orders><at t='0 s' propellers='100 N'/></orders></vehicle></fathom>",
               "e.g. '100 rpm'");
}

static void the_steps_that_fit_all_parts_are_named(void **state)
{
    (void)state;
    static const char fish[] = "<fathom version='1'><world dt='%s s' duration='1 s'/><vehicle name='f' "
                               "model='robotic-fish' position='0 0 1 m'/></fathom>";
    char text[512];
    snprintf(text, sizeof text, fish, "0.02");
    check_text(text, "all periods fit dt=\"0.0125 s\" or dt=\"0.025 s\"");
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, fish, i ? "0.025" : "0.0125");
        write_file("mistakes_fits.xml", text);
        expect("check mistakes_fits.xml", 0, "fine");
    }
}

static void the_version_has_a_short_option(void **state)
{
    (void)state;
    static program_run other;
    run_fathom(&r, "-V");
    run_fathom(&other, "--version");
    assert_int_equal(r.status, 0);
    assert_string_equal(r.out, other.out);
    assert_int_equal(strncmp(r.out, "fathom 0.", 9), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenarios_run_by_name_from_any_folder),
        cmocka_unit_test(a_path_that_does_not_exist_hints_at_the_name),
        cmocka_unit_test(models_are_suggested_by_letters_by_words_and_by_their_description),
        cmocka_unit_test(parameter_paths_with_dots_or_without_a_slash_are_recognised),
        cmocka_unit_test(files_are_answered_in_their_own_words),
        cmocka_unit_test(the_steps_that_fit_all_parts_are_named),
        cmocka_unit_test(the_version_has_a_short_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
