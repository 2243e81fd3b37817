/* Files that become shorter under the program: the log that it shows, the shared memory that it writes and reads. */
#include <fathom/emulator.h>

#include "net/served.h"

enum { PATIENCE = 60 }; /* s for what happens at once on an idle machine */

/* A process of the program; what it prints goes to a file each. */
typedef struct child {
    pid_t pid;
    char out[64], err[64];
} child;

__attribute__((format(printf, 2, 3))) static child start(const char *name, const char *format, ...)
{
    child c;
    char line[4096];
    int n = snprintf(line, sizeof line, "exec %s ", FATHOM_PROGRAM);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + n, sizeof line - (size_t)n, format, arguments);
    va_end(arguments);
    snprintf(c.out, sizeof c.out, "truncated_%s.out", name);
    snprintf(c.err, sizeof c.err, "truncated_%s.err", name);
    unlink(c.out);
    unlink(c.err);
    fflush(NULL);
    c.pid = fork();
    assert_at_least(c.pid, 0);
    if (c.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (!freopen(c.out, "w", stdout) || !freopen(c.err, "w", stderr))
            _exit(126);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    return c;
}

/* Waits until a file holds these words; the process must live on meanwhile. */
static void wait_for_words(const child *c, const char *path, const char *words)
{
    static char text[65536];
    for (double end = seconds_now() + PATIENCE; seconds_now() < end; usleep(10000)) {
        FILE *file = fopen(path, "r");
        size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
        text[got] = 0;
        if (file)
            fclose(file);
        if (strstr(text, words))
            return;
        int status;
        if (waitpid(c->pid, &status, WNOHANG) == c->pid)
            fail_msg("it ended (%s %d) before it said '%s': %s", WIFSIGNALED(status) ? "signal" : "status",
                     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), words, text);
    }
    fail_msg("'%s' is not in %s: %s", words, path, text);
}

static int end_child(const child *c, int number)
{
    int status;
    if (number)
        kill(c->pid, number);
    assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void a_log_may_shrink_while_it_is_shown(void **unused)
{
    (void)unused;
    static program_run r;
    run_fathom(&r, "run phoenix-turn --duration 60 --quiet --log truncated.mcap");
    expect_run(&r, 0, "");
    child view = start("view", "view truncated.mcap --speed 20 --http 127.0.0.1:%d", 20000 + (int)(getpid() % 20000));
    wait_for_words(&view, view.out, "http://");
    assert_int_equal(truncate("truncated.mcap", 5000), 0);
    wait_for_words(&view, view.err, "the file is shorter than when it was opened");
    assert_int_equal(end_child(&view, SIGTERM), 128 + SIGTERM);
    unlink("truncated.mcap");
}

/* --- shared memory --- */

static const char sea[] =
    "<fathom version='1'><world dt='0.05 s' duration='100000 s' seed='1'><water density='1025 kg/m3'/></world>"
    "<vehicle name='auv' model='wavesim-auv' position='3 4 10 m'><ctd period='0.1 s'/></vehicle></fathom>";

static char instance[32];

static int begin_all(void **state)
{
    (void)state;
    FILE *out = fopen("truncated_sea.xml", "w");
    snprintf(instance, sizeof instance, "cut-%d", (int)getpid());
    return !out || fputs(sea, out) < 0 || fclose(out) != 0;
}

/* The steps that the simulation says it has made, once both areas can be opened and are those of a generation. */
static uint64_t wait_for_steps(uint64_t beyond, uint64_t *generation)
{
    static fm_shared_client seen;
    for (double end = seconds_now() + PATIENCE; seconds_now() < end; usleep(10000)) {
        fm_shared_map simulation, clients;
        fm_shared_simulation s = {0};
        int found = 0;
        if (fm_shared_open(&simulation, "simulation", instance, 0) != 0)
            continue;
        if (fm_shared_open(&clients, "clients", instance, 0) == 0) {
            const fm_shared_simulation *at = fm_shared_simulation_of(&simulation);
            found = at && fm_shared_copy(&s, at, sizeof s, 100) && s.steps > beyond &&
                    fm_shared_client_find(&clients, "auv", &seen) && seen.steps > beyond;
            *generation = fm_shared_head_of(&clients)->generation;
            fm_shared_close(&clients);
        }
        fm_shared_close(&simulation);
        if (found)
            return s.steps;
    }
    fail_msg("the areas of '%s' do not show a step beyond %llu", instance, (unsigned long long)beyond);
    return 0;
}

static void truncate_area(const char *what, off_t size)
{
    char path[128];
    snprintf(path, sizeof path, "/dev/shm/fathom-%s-%s", what, instance);
    assert_int_equal(truncate(path, size), 0);
}

static void a_server_makes_truncated_areas_whole_again(void **unused)
{
    (void)unused;
    served s;
    uint64_t before, after, steps;
    serve(&s, "truncated_sea.xml --shared %s", instance);
    steps = wait_for_steps(0, &before);
    static const off_t sizes[] = {0, 4096, 100};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        truncate_area(i % 2 ? "simulation" : "clients", sizes[i]);
        truncate_area(i % 2 ? "clients" : "simulation", sizes[i]);
        steps = wait_for_steps(steps + 5, &after);
        assert_greater(after, before);
        before = after;
    }
    assert_int_equal(stop_serving(&s), 0);
}

/* A reader of its own that never looks away: it meets each truncation in the middle of its work. */
static void truncations_in_quick_succession_end_no_process(void **unused)
{
    (void)unused;
    served s;
    uint64_t generation;
    serve(&s, "truncated_sea.xml --speed 100 --shared %s", instance);
    wait_for_steps(0, &generation);
    child emulate = start(
        "emulate", "emulate temperature truncated_sea.xml --vehicle auv --wait --period 0.001 --shared %s", instance);
    wait_for_words(&emulate, emulate.err, "now supplying");
    for (int i = 0; i < 300; i++) {
        truncate_area(i % 3 ? "clients" : "simulation", i % 2 ? 0 : 8192);
        usleep(1000);
    }
    uint64_t steps = wait_for_steps(0, &generation);
    wait_for_steps(steps + 5, &generation);
    int status;
    assert_int_equal(waitpid(emulate.pid, &status, WNOHANG), 0); /* it lives */
    assert_int_equal(end_child(&emulate, SIGTERM), 128 + SIGTERM);
    assert_int_equal(stop_serving(&s), 0);
}

static void a_run_goes_on_with_truncated_areas(void **unused)
{
    (void)unused;
    uint64_t before, after;
    child run = start("run", "run truncated_sea.xml --realtime --quiet --shared %s", instance);
    uint64_t steps = wait_for_steps(0, &before);
    truncate_area("clients", 0);
    truncate_area("simulation", 0);
    wait_for_steps(steps + 5, &after);
    assert_greater(after, before);
    assert_int_equal(end_child(&run, SIGTERM), 128 + SIGTERM);
}

int main(void)
{
    const struct CMUnitTest facts[] = {
        cmocka_unit_test(a_log_may_shrink_while_it_is_shown),
        cmocka_unit_test(a_server_makes_truncated_areas_whole_again),
        cmocka_unit_test(truncations_in_quick_succession_end_no_process),
        cmocka_unit_test(a_run_goes_on_with_truncated_areas),
    };
    return cmocka_run_group_tests(facts, begin_all, NULL);
}
