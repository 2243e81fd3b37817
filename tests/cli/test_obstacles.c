/* Scenarios full of obstacles, through the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "support/cmocka_all.h"

#define PROGRAM "../fathom" /* beside the folder the tests run in */
#define FILE_NAME "obstacles.xml"

/* `count` spheres 3 m apart on the bottom, and a box called `box` far off. */
static void write_field(int count, const char *box)
{
    FILE *out = fopen(FILE_NAME, "w");
    assert_non_null(out);
    fputs("<fathom version='1'><world dt='0.05 s' duration='1 s'><bottom depth='100 m'/>\n", out);
    for (int i = 0; i < count; i++)
        fprintf(out, "<sphere name='rock-%d' position='%d %d 99 m' radius='1 m'/>\n", i, i % 300 * 3, i / 300 * 3);
    fprintf(out, "<box name='%s' position='-50 -50 99 m' size='1 1 1 m'/></world>\n", box);
    fputs("<vehicle name='v' model='nps-auv-ii' position='0 0 10 m'/></fathom>\n", out);
    assert_int_equal(fclose(out), 0);
}

/* Exit status of `fathom ARGUMENTS`; what it says, and the processor time it took, s. */
static int run(const char *arguments, char text[4096], double *seconds)
{
    char line[512];
    struct rusage before, after;
    getrusage(RUSAGE_CHILDREN, &before);
    snprintf(line, sizeof line, "FATHOM_MODELS=" FATHOM_SOURCE_DIR "/models " PROGRAM " %s 2>&1", arguments);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    text[fread(text, 1, 4095, pipe)] = 0;
    int status = WEXITSTATUS(pclose(pipe));
    getrusage(RUSAGE_CHILDREN, &after);
    *seconds = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
               1e-6 * (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec);
    return status;
}

/* In proportion to their number it is a second or two; by pairs it was minutes. */
static void a_hundred_thousand_obstacles_load_in_seconds(void **state)
{
    (void)state;
    char text[4096];
    double seconds;
    write_field(100000, "crate");
    if (run("check " FILE_NAME, text, &seconds) != 0)
        fail_msg("%s", text);
    if (seconds > 20)
        fail_msg("took %.1f s", seconds);
    remove(FILE_NAME);
}

static void two_obstacles_of_one_name_are_refused_among_thousands(void **state)
{
    (void)state;
    char text[4096];
    double seconds;
    write_field(3000, "rock-17");
    assert_int_not_equal(run("check " FILE_NAME, text, &seconds), 0);
    assert_non_null(strstr(text, "two obstacles are called 'rock-17'"));
    remove(FILE_NAME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hundred_thousand_obstacles_load_in_seconds),
        cmocka_unit_test(two_obstacles_of_one_name_are_refused_among_thousands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
