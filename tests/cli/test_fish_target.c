/* A fish that looks for a colour, and columns where they are meant to be: through the program. */
#include "support/files.h"
#include "support/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIR "fish_target"
#define SCENARIO(name) FATHOM_SOURCE_DIR "/scenarios/" name ".xml"

static program_run r;

static void expect_in_order(const char *text, const char *const *words)
{
    for (const char *at = text; *words; words++)
        if (!(at = strstr(at, *words)))
            fail_msg("'%s' is not in the log, or not in its turn", *words);
}

/* It begins with its tail to the red column; the log has what it saw and did, in order. */
static void a_fish_searches_approaches_and_circles_the_red_column(void **unused)
{
    (void)unused;
    assert_int_equal(run_shell(&r, "rm -rf " DIR " && mkdir -p " DIR), 0);
    assert_int_equal(run_fathom(&r, "check " SCENARIO("fish-target")), 0);
    assert_non_null(strstr(r.out, "fine"));
    assert_null(strstr(r.err, "warning"));
    assert_int_equal(run_fathom(&r, "run " SCENARIO("fish-target") " --quiet --duration 60 --log " DIR "/run.mcap"), 0);
    assert_int_equal(
        run_fathom(&r, "export " DIR "/run.mcap --csv " DIR " /events /fish/fish-brain /fish/left-eye/image_raw"), 0);
    char *events = read_file(DIR "/events.csv", NULL), *brain = read_file(DIR "/fish.fish-brain.csv", NULL);
    expect_in_order(events, (const char *const[]){"target found", "target reached", NULL});
    expect_in_order(brain, (const char *const[]){"target_bearing", ",search,", ",approach,", ",circle,", NULL});
    assert_null(strstr(events, "contact"));
    free(events);
    free(brain);
}

/* With the colour of the green column it goes to that one: 1.3 m east and 5.2 m north of the corner. */
static void another_colour_leads_to_another_column(void **unused)
{
    (void)unused;
    assert_int_equal(run_fathom(&r,
                                "run " SCENARIO("fish-target") " --quiet --duration 40 --csv " DIR
                                                               " --set '/fish/fish-brain/seek/colour=0.10 0.60 0.12'"),
                     0);
    char *rows = read_file(DIR "/fish.csv", NULL), *last = rows;
    for (char *line = rows; (line = strchr(line, '\n')) && line[1]; line++)
        last = line + 1;
    double t, x, y;
    assert_int_equal(sscanf(last, "%lf,%lf,%lf", &t, &x, &y), 3);
    double d = hypot(x - 5.2, y - 1.3);
    print_message("%.2f m from the green column\n", d);
    assert_between(0.5, d, 1.2);
    free(rows);
    assert_int_equal(run_shell(&r, "rm -rf " DIR), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_fish_searches_approaches_and_circles_the_red_column),
                                       cmocka_unit_test(another_colour_leads_to_another_column)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
