/* What a fish decided is in the log, by name, with the ranges it was decided on: through the program. */
#include "support/files.h"
#include "support/program.h"

#include <stdlib.h>
#include <string.h>

#define DIR "fish_log"
#define SCENARIO FATHOM_SOURCE_DIR "/scenarios/fish-behaviours.xml"

static program_run r;

static void log_holds_what_was_decided_and_on_which_ranges(void **unused)
{
    (void)unused;
    assert_int_equal(run_shell(&r, "rm -rf " DIR " && mkdir -p " DIR), 0);
    assert_int_equal(run_fathom(&r, "run " SCENARIO " --quiet --log " DIR "/run.mcap"), 0);
    assert_int_equal(run_fathom(&r, "info " DIR "/run.mcap"), 0);
    assert_non_null(strstr(r.out, "fathom_msgs/msg/FishDecision"));
    assert_int_equal(run_fathom(&r, "export " DIR "/run.mcap --csv " DIR " /several/fish-brain /avoiding/fish-brain"),
                     0);
    char *several = read_file(DIR "/several.fish-brain.csv", NULL);
    static const char *const names[] = {"accelerate", "constant", "turn", "decelerate", "hover"};
    const char *at = several;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) { /* in this order */
        char cell[32];
        snprintf(cell, sizeof cell, ",%s,", names[i]);
        if (!(at = strstr(at, cell)))
            fail_msg("'%s' is not in the log, or not in its turn", names[i]);
    }
    free(several);
    char *avoiding = read_file(DIR "/avoiding.fish-brain.csv", NULL);
    assert_non_null(strstr(avoiding, "behaviour_name"));
    assert_non_null(strstr(avoiding, "ranges[49]"));
    assert_non_null(strstr(avoiding, "bearings[49]"));
    assert_non_null(strstr(avoiding, ",avoid,"));
    assert_non_null(strstr(avoiding, ",sonar,"));
    free(avoiding);
    assert_int_equal(run_fathom(&r, "plot " DIR "/run.mcap /avoiding/fish-brain.behaviour "
                                    "/avoiding/fish-brain.nearest -o " DIR "/plot.svg"),
                     0);
    assert_int_equal(run_shell(&r, "rm -rf " DIR), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(log_holds_what_was_decided_and_on_which_ranges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
