/* kill -9 at random moments: of `fathom serve`, of its clients, of `fathom emulate` and of programs that write to the
 * shared memory as fast as they can. After each, every process goes on or comes back; what a killed server leaves (log,
 * shared memory, semaphore, queue, socket) is readable, or taken over by the next.
 * usage: net_test_kill [KILLS [SEED]] */
#include "net/served.h"

#include <dirent.h>
#include <fathom/client.h>
#include <fathom/emulator.h>
#include <mqueue.h>
#include <stdatomic.h>
#include <sys/mman.h>

static const char sea[] =
    "<fathom version='1'><world dt='0.01 s' seed='1' capacity='3'><water density='1025 kg/m3'/>"
    "<current velocity='0 0 0 m/s'/><bottom depth='40 m'/></world>"
    "<server keep-alive='0.1 s' timeout='0.4 s' keep='0.1 s'/>"
    "<vehicle name='auv' model='wavesim-auv' position='0 0 10 m'><ctd/><pressure/><depth/></vehicle></fathom>";

enum { SERVER, THERMOMETER, BAROMETER, HAMMER, OTHER_HAMMER, PILOT, CHIEF, ACTORS };
static const char *const actor_names[ACTORS] = {"server",       "thermometer", "barometer", "hammer",
                                                "other hammer", "pilot",       "chief"};
/* What each gives a value to; NULL: nothing. */
static const char *const targets[ACTORS] = {
    [THERMOMETER] = "ctd/temperature", [BAROMETER] = "ctd/pressure", [HAMMER] = "depth/value"};

#define PATIENCE 20.0 /* s until something counts as hanging; most takes some hundredths */

static int kills = 8;
static uint64_t dice = 1;
static pid_t actors[ACTORS];
static atomic_ullong *progress; /* [ACTORS], shared with the children */
static char instance[32], log_name[64];
static int port, servers, killed[ACTORS];
static program_run r;

static double chance(void)
{
    uint64_t z = dice += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

static void rest(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

/* --- those who are killed --- */

/* Steers over UDP; comes again whenever it is sent away. */
static void be_pilot(void)
{
    char address[64];
    snprintf(address, sizeof address, "127.0.0.1:%d", port);
    for (;; rest(0.02)) {
        fm_error error = {0};
        fm_client_state state;
        const fm_client_options options = {
            .name = "pilot", .role = FM_CLIENT_CONTROLLER, .model = "auv", .timeout = 0.5, .patience = 0.5};
        fm_client *client = fm_client_open(address, &options, &error);
        while (client && fm_client_poll(client, 0.1) >= 0)
            if (fm_client_state_read(client, &state)) {
                double orders[FM_CLIENT_ACTUATORS] = {0};
                fm_client_actuate(client, FM_CLIENT_NATIVE, orders, state.actuator_count, 0.1, &error);
                progress[PILOT]++;
            }
        fm_client_close(client);
    }
}

/* Commands over the local socket. */
static void be_chief(void)
{
    for (;; rest(0.02)) {
        fm_error error = {0};
        const fm_client_options options = {
            .name = "chief", .role = FM_CLIENT_COMMANDER, .timeout = 0.5, .patience = 0.5};
        fm_client *client = fm_client_open("unix:kill.sock", &options, &error);
        for (int k = 0; client; k++) {
            if (fm_client_parameter_set(client, "/current/velocity/x", 1e-3 * (k % 100), &error) == FM_OK)
                progress[CHIEF]++;
            else if (fm_client_poll(client, 0.01) < 0)
                break;
        }
        fm_client_close(client);
    }
}

/* Writes to the shared memory in bursts: then it is always inside the semaphore or at its door. */
static void be_hammer(int me)
{
    for (;; rest(0.01)) {
        fm_emulator e;
        if (fm_emulator_open(&e, instance, "auv", me == HAMMER ? targets[HAMMER] : "ctd/salinity", 1) != 0)
            continue;
        while (fm_emulator_put(&e, 5, 0, 1) == 0)
            if (++progress[me] % 50 == 0)
                rest(0.001);
        fm_emulator_drop(&e);
    }
}

static void be_emulator(const char *kind)
{
    execl(FATHOM_PROGRAM, FATHOM_PROGRAM, "emulate", kind, "kill.xml", "--vehicle", "auv", "--shared", instance,
          "--period", "0.001", "--wait", "--quiet", (char *)NULL);
    _exit(127);
}

static void start_actor(int who)
{
    fflush(NULL);
    actors[who] = fork();
    assert_at_least(actors[who], 0);
    if (actors[who] > 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (who == PILOT)
        be_pilot();
    if (who == CHIEF)
        be_chief();
    if (who == HAMMER || who == OTHER_HAMMER)
        be_hammer(who);
    be_emulator(who == THERMOMETER ? "temperature" : "pressure");
}

static void start_server(void)
{
    snprintf(log_name, sizeof log_name, "kill_%d.mcap", servers++);
    unlink(log_name);
    fflush(NULL);
    actors[SERVER] = fork();
    assert_at_least(actors[SERVER], 0);
    if (actors[SERVER] > 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    snprintf(r.line, sizeof r.line,
             "exec %s serve kill.xml --port %d --socket kill.sock --shared %s --speed 4 --quiet --log %s >kill.out "
             "2>kill.err",
             FATHOM_PROGRAM, port, instance, log_name);
    execl("/bin/sh", "sh", "-c", r.line, (char *)NULL);
    _exit(127);
}

static void kill_actor(int who)
{
    int status;
    kill(actors[who], SIGKILL);
    assert_int_equal(waitpid(actors[who], &status, 0), actors[who]);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
        fail_msg("the %s had ended by itself, with status 0x%x", actor_names[who], status);
    killed[who]++;
}

/* --- how they are --- */

/* Whatever counts up while an actor is well. */
static uint64_t pulse(int who)
{
    fm_shared_map map;
    uint64_t count = 0;
    if (who != SERVER && who != THERMOMETER && who != BAROMETER)
        return progress[who];
    if (fm_shared_open(&map, who == SERVER ? "simulation" : "clients", instance, 0) != 0)
        return 0;
    fm_shared_simulation s;
    fm_shared_emulator *at;
    if (who == SERVER && fm_shared_copy(&s, fm_shared_simulation_of(&map), sizeof s, 1000))
        count = s.steps;
    for (uint64_t i = 0; who != SERVER && (at = fm_shared_emulator_at(&map, i)) != NULL; i++)
        if (strcmp(at->target, targets[who]) == 0 && at->owner >> 24 == (uint64_t)actors[who])
            count = at->samples;
    fm_shared_close(&map);
    return count;
}

static void expect_alive(void)
{
    for (int who = 0; who < ACTORS; who++) {
        int status;
        if (actors[who] && waitpid(actors[who], &status, WNOHANG) != 0) {
            if (who == SERVER)
                fprintf(stderr, "%s", read_file("kill.err", NULL));
            actors[who] = 0;
            fail_msg("the %s ended by itself, with status 0x%x", actor_names[who], status);
        }
    }
}

/* Every process makes progress, within patience. */
static void expect_all_move(void)
{
    uint64_t before[ACTORS];
    double end = seconds_now() + PATIENCE;
    for (int who = 0; who < ACTORS; who++)
        before[who] = pulse(who);
    for (int who = 0; who < ACTORS; who++)
        for (uint64_t now = pulse(who); now == 0 || now == before[who]; now = pulse(who)) {
            expect_alive();
            if (seconds_now() > end)
                fail_msg("the %s does not go on (%llu)", actor_names[who], (unsigned long long)now);
            rest(0.002);
        }
}

static void expect_log_reads(void)
{
    if (size_of(log_name) <= 0)
        return; /* killed before it had one */
    run_fathom(&r, "info %s", log_name);
    expect_run(&r, 0, "");
    run_fathom(&r, "replay %s --verify", log_name);
    expect_run(&r, 0, "the same");
    unlink(log_name);
}

/* Another writer gets in, and the queue answers. */
static void expect_doors_open(void)
{
    fm_emulator e;
    fm_error error = {0};
    if (fm_emulator_open(&e, instance, "auv", "ctd/conductivity", PATIENCE) != 0)
        fail_msg("the semaphore does not let in: %s", strerror(errno));
    if (fm_emulator_put(&e, 3, 0, PATIENCE) != 0)
        fail_msg("nothing can be written: %s", strerror(errno));
    fm_emulator_close(&e);
    if (fm_client_queue_ask(instance, "set /current/velocity/y 0.01", PATIENCE, &error) != FM_OK)
        fail_msg("the queue: %s", error.text);
}

/* --- the campaign --- */

/* Every process once, then at random. */
static int choose(int before)
{
    if (before < ACTORS)
        return before;
    return chance() < 0.25 ? SERVER : THERMOMETER + (int)(chance() * (ACTORS - THERMOMETER));
}

static void kill_one(int who)
{
    kill_actor(who);
    if (who != SERVER) {
        start_actor(who);
        return;
    }
    expect_log_reads();
    start_server();
    if (chance() < 0.5) { /* and once more while it starts */
        rest(0.15 * chance());
        kill_actor(SERVER);
        expect_log_reads();
        start_server();
    }
}

static uint64_t generation(void)
{
    fm_shared_map map;
    assert_int_equal(fm_shared_open(&map, "clients", instance, 0), 0);
    uint64_t now = fm_shared_head_of(&map)->generation;
    fm_shared_close(&map);
    return now;
}

static void expect_names_gone(void)
{
    char name[64];
    struct dirent *entry;
    DIR *folder = opendir("/dev/shm");
    while (folder && (entry = readdir(folder)) != NULL)
        if (strstr(entry->d_name, instance))
            fail_msg("/dev/shm/%s is left", entry->d_name);
    if (folder)
        closedir(folder);
    snprintf(name, sizeof name, "/fathom-commands-%s", instance);
    assert_same(mq_open(name, O_RDONLY), (mqd_t)-1);
    assert_same(errno, ENOENT);
    assert_int_equal(size_of("kill.sock"), -1);
}

static void nobody_who_is_killed_takes_others_along(void **state)
{
    uint64_t first, last;
    int total = 0;
    (void)state;
    start_server();
    for (int who = THERMOMETER; who < ACTORS; who++)
        start_actor(who);
    expect_all_move();
    first = generation();
    double began = seconds_now();
    while (total < kills) {
        rest(0.05 * chance());
        kill_one(choose(total));
        expect_all_move();
        expect_doors_open();
        total = 0;
        for (int who = 0; who < ACTORS; who++)
            total += killed[who];
    }
    last = generation();
    assert_at_least(last, first);
    if (killed[SERVER] != 0)
        assert_greater(last, first); /* the areas were taken over */
    print_message("%d kills in %.1f s: ", total, seconds_now() - began);
    for (int who = 0; who < ACTORS; who++)
        print_message("%s %d%s", actor_names[who], killed[who], who < ACTORS - 1 ? ", " : "\n");
    int status;
    kill(actors[SERVER], SIGTERM);
    assert_int_equal(waitpid(actors[SERVER], &status, 0), actors[SERVER]);
    actors[SERVER] = 0;
    assert_int_equal(status, 0);
    expect_log_reads();
    expect_names_gone();
}

static int prepare(void **state)
{
    (void)state;
    served probe;
    progress = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(progress, MAP_FAILED);
    snprintf(instance, sizeof instance, "kill-%d", (int)getpid());
    write_file("kill.xml", sea);
    serve(&probe, "kill.xml"); /* a port that is free */
    port = probe.port;
    return stop_serving(&probe);
}

static int clean(void **state)
{
    (void)state;
    for (int who = 0; who < ACTORS; who++)
        if (actors[who] > 0) {
            kill(actors[who], SIGKILL);
            waitpid(actors[who], NULL, 0);
        }
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nobody_who_is_killed_takes_others_along, prepare, clean),
    };
    if (argc > 1)
        kills = atoi(argv[1]);
    if (argc > 2)
        dice = strtoull(argv[2], NULL, 10);
    if (argc > 3 || kills < 1) {
        fprintf(stderr, "usage: net_test_kill [KILLS [SEED]]\n");
        return 2;
    }
    return cmocka_run_group_tests_name("kill", tests, NULL, NULL);
}
