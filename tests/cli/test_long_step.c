/* A signal ends a step that takes longer than a second, with the stage and the vehicle. */
#include <signal.h>

#include "support/files.h"
#include "support/program.h"

enum { TETHERS = 100 };

static program_run r;

/* Each tether takes 19,000 sub-steps of 256 pieces: one step of the world takes the better part of a minute. */
static void write_slow(void)
{
    static char text[64 + 256 * (TETHERS + 4)];
    int n = snprintf(text, sizeof text,
                     "<fathom version='1'><world dt='10 s' duration='100 s'><water surface='none'/></world>"
                     "<vehicle name='slow' model='nps-auv-ii' position='0 0 50 m'/>");
    for (int i = 0; i < TETHERS; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "<tether name='t%d' from='slow' to-point='200 0 50 m' length='256 m' pieces='256' mass='1 kg/m' "
                      "stiffness='9.6e5 N' damping='0 N*s'/>",
                      i);
    snprintf(text + n, sizeof text - (size_t)n, "</fathom>");
    write_file("long_step.xml", text);
}

/* Runs `fathom` with these arguments, and signals it when it has computed for a second: it is in its first step then.
 */
static void run_signalled(const char *arguments)
{
    run_shell(&r,
              "%s %s & child=$!; while [ -e /proc/$child/stat ] && [ $(cut -d' ' -f14 /proc/$child/stat) -lt 100 ]; do "
              "sleep 0.05; done; kill -TERM $child; wait $child",
              FATHOM_PROGRAM, arguments);
}

static void a_signal_ends_a_long_step_and_names_stage_and_vehicle(void **unused)
{
    (void)unused;
    write_slow();
    run_signalled("run long_step.xml --quiet");
    expect_run(&r, 128 + SIGTERM, "tick 0 (t = 0 s) was cancelled in its stage 'tethers', at vehicle 'slow'");
    run_signalled("serve --port 0 --quiet --fast long_step.xml");
    expect_run(&r, 1, "tick 0 (t = 0 s) was cancelled in its stage 'tethers', at vehicle 'slow'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_ends_a_long_step_and_names_stage_and_vehicle),
    };
    return cmocka_run_group_tests_name("long step", tests, NULL, NULL);
}
