/* The shared-memory areas: what they tell, who may write, and what is left when somebody is killed. */
#include <fathom/emulator.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "local/areas.h"
#include "run/run_case.h"
#include "support/program.h"

static const char sea[] =
    "<fathom version='1'><world dt='0.05 s' duration='600 s' seed='1' capacity='3'>"
    "<water density='1025 kg/m3'>"
    "<temperature surface='18 degC' z1='5 m' z2='20 m' slope1='-0.3 K/m' slope2='-0.02 K/m'/>"
    "<sound formula='constant' speed='1500 m/s'/></water>"
    "<current velocity='0.1 0.2 0 m/s'/><bottom depth='40 m'/></world>"
    "<vehicle name='auv' model='wavesim-auv' position='3 4 10 m' attitude='0 0 30 deg' velocity='0.5 0 0 m/s'>"
    "<ctd period='0.1 s' position='0.3 0 0.1 m'/><echosounder range='60 m' mode='formula'/><dvl range='60 m'/>"
    "</vehicle></fathom>";
static const char sea_file[] = "areas_sea.xml";

static char instance[32]; /* of this process: tests run side by side */
static fm_shared_client seen;

static int begin_all(void **state)
{
    (void)state;
    FILE *out = fopen(sea_file, "w");
    snprintf(instance, sizeof instance, "test-%d", (int)getpid());
    return !out || fputs(sea, out) < 0 || fclose(out) != 0;
}

static fm_run *share(const char *name, double timeout)
{
    model = load(sea);
    fm_run *run = case_run(model, NULL);
    assert_well(fm_run_share(run, &(fm_areas_options){.instance = name, .timeout = timeout}, e));
    return run;
}

static void end(fm_run *run)
{
    fm_run_free(run);
    fm_model_free(model);
}

static void steps(fm_run *run, int count)
{
    for (int i = 0; i < count; i++)
        assert_well(fm_run_step(run, e));
}

static const fm_shared_value *value_named(const char *name)
{
    for (size_t i = 0; i < seen.value_count; i++)
        if (!strcmp(seen.values[i].name, name))
            return &seen.values[i];
    fail_msg("no value '%s' is published", name);
    return NULL;
}

static void look(const char *vehicle)
{
    fm_shared_map map;
    assert_int_equal(fm_shared_open(&map, "clients", instance, 0), 0);
    assert_true(fm_shared_client_find(&map, vehicle, &seen));
    fm_shared_close(&map);
}

static int gone(const char *what)
{
    fm_shared_map map;
    return fm_shared_open(&map, what, instance, 0) != 0 && errno == ENOENT;
}

/* --- what they tell --- */

static void the_areas_tell_the_world_as_it_is(void **state)
{
    (void)state;
    fm_run *run = share(instance, 0);
    const fm_world *world = fm_run_world(run);
    fm_shared_map map;
    fm_shared_simulation s = {0};
    assert_well(fm_run_order(run, "auv", "port", 3, e));
    steps(run, 41);
    look("auv");
    fm_pose pose = pose_of(world, 0);
    for (int i = 0; i < 3; i++) {
        assert_same(seen.matrix[4 * i + 3], pose.position[i]);
        assert_same(seen.velocity[i], pose.velocity[i]);
        assert_same(seen.velocity[3 + i], pose.velocity[3 + i]);
    }
    near("forward axis north", seen.matrix[0], cos(pose.euler[1]) * cos(pose.euler[2]), 1e-12);
    near("forward axis down", seen.matrix[8], -sin(pose.euler[1]), 1e-12);
    near("length of the quaternion",
         pow(seen.quaternion[0], 2) + pow(seen.quaternion[1], 2) + pow(seen.quaternion[2], 2) +
             pow(seen.quaternion[3], 2),
         1, 1e-12);
    assert_same(seen.matrix[12], 0);
    assert_same(seen.matrix[15], 1);
    assert_true(seen.used);
    assert_same(seen.steps, 41);
    assert_string_equal(seen.model, "wavesim-auv");
    near("water", seen.water[1], 0.2, 1e-12);
    near("temperature, K", value_named("ctd/temperature")->value, 273.15 + 18 - 0.3 * (pose.position[2] + 0.1 - 5),
         0.02);
    near("altitude", value_named("echosounder/range")->value, 40 - pose.position[2], 0.05);
    near("speed", value_named("dvl/velocity[0]")->value, pose.velocity[0], 0.02);
    assert_same(value_named("dvl/velocity[0]")->state, FM_SHARED_VALID);
    assert_greater(seen.actuator_count, 0);
    assert_true(seen.actuators[0].name[0]);

    assert_int_equal(fm_shared_open(&map, "simulation", instance, 0), 0);
    assert_true(fm_shared_copy(&s, fm_shared_simulation_of(&map), sizeof s, 10));
    near("time", s.time, 41 * 0.05, 1e-12);
    assert_same(s.stamp, 20500);
    assert_same(s.tick, 41);
    assert_same(s.vehicles, 1);
    assert_same(s.state, FM_SHARED_RUNNING);
    near("sound speed", s.sound_speed, 1500, 0);
    near("density", s.density, 1025, 1e-9);
    near("flow", s.flow[0], 0.1, 1e-12);
    near("bottom", s.bottom, 40, 1e-9);
    assert_well(fm_run_set(run, "/current/velocity/x", 0.35, e));
    steps(run, 1);
    fm_shared_parameter p = {0};
    int found = 0;
    for (uint64_t i = 0; i < s.parameters && !found; i++) {
        assert_true(fm_shared_copy(&p, fm_shared_parameter_at(&map, i), sizeof p, 10));
        found = !strcmp(p.path, "/current/velocity/x");
    }
    assert_true(found);
    assert_same(p.value, 0.35);
    fm_shared_close(&map);
    end(run);
    assert_true(gone("simulation") && gone("clients"));
}

static void vehicles_come_and_go_in_their_records(void **state)
{
    (void)state;
    const double there[3] = {20, 0, 5}, level[3] = {0};
    fm_run *run = share(instance, 0);
    steps(run, 2);
    assert_well(fm_run_spawn(run, "guest", "auv", there, level, e));
    steps(run, 2);
    look("guest");
    near("north", seen.matrix[3], 20, 0.1);
    assert_well(fm_run_remove(run, "guest", e));
    steps(run, 2);
    fm_shared_map map;
    assert_int_equal(fm_shared_open(&map, "clients", instance, 0), 0);
    assert_false(fm_shared_client_find(&map, "guest", &seen));
    fm_shared_close(&map);
    end(run);
}

/* A reader in another process, while the world is stepped: time and place belong together. */
static void a_reader_never_sees_half_a_record(void **state)
{
    (void)state;
    fm_run *run = share(instance, 0);
    steps(run, 1);
    pid_t child = fork();
    if (child == 0) {
        fm_shared_map map;
        int torn = fm_shared_open(&map, "clients", instance, 0) != 0, looks = 0;
        for (uint64_t last = 0; !torn && looks < 20000 && !fm_shared_head_of(&map)->closed; looks++) {
            if (!fm_shared_copy(&seen, fm_shared_client_at(&map, 0), sizeof seen, 1000)) {
                sched_yield(); /* the writer does not run just now, and stands within a record */
                continue;
            }
            torn = seen.time != (double)seen.steps * 0.05 || seen.steps < last || seen.name[0] != 'a';
            last = seen.steps;
        }
        _exit(torn);
    }
    int status = 0;
    for (int i = 0; i < 100000 && waitpid(child, &status, WNOHANG) == 0; i++)
        steps(run, 1);
    end(run); /* informs the reader, if it still reads */
    if (!WIFEXITED(status) || kill(child, 0) == 0)
        waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_same(WEXITSTATUS(status), 0);
}

/* --- those that are killed --- */

static void what_a_killed_simulator_left_is_taken_over(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        pid_t child = fork();
        if (child == 0) {
            fm_run *run = share(instance, 0);
            steps(run, 3);
            raise(SIGKILL);
        }
        int status;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status));
    }
    fm_shared_map before;
    assert_int_equal(fm_shared_open(&before, "clients", instance, 0), 0);
    assert_int_equal(fm_shared_head_of(&before)->generation, 5);
    fm_run *run = share(instance, 0);
    steps(run, 2);
    assert_int_equal(fm_shared_head_of(&before)->generation, 6);
    assert_int_equal(fm_shared_head_of(&before)->server, getpid());
    fm_shared_close(&before);
    look("auv");
    assert_int_equal(seen.steps, 2);
    end(run);
    assert_true(gone("simulation") && gone("clients"));
    assert_ptr_equal(sem_open("/fathom-clients-none", 0), SEM_FAILED);
}

static void two_simulations_have_two_names(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_run *run = share(instance, 0), *other = case_run(model, NULL);
    assert_int_equal(fm_run_share(other, &(fm_areas_options){.instance = instance}, &error), FM_ERR_STATE);
    assert_non_null(strstr(error.text, "in use by another simulation"));
    char second[48];
    snprintf(second, sizeof second, "%s-b", instance);
    assert_well(fm_run_share(other, &(fm_areas_options){.instance = second}, e));
    assert_int_equal(fm_run_share(other, &(fm_areas_options){.instance = "a/b"}, &error), FM_ERR_ARGUMENT);
    fm_run_free(other);
    end(run);
}

/* --- emulators --- */

static void a_value_from_outside_counts_until_it_is_stale(void **state)
{
    (void)state;
    fm_run *run = share(instance, 1);
    fm_emulator emulator;
    steps(run, 10);
    double own = (look("auv"), value_named("ctd/temperature")->value);
    assert_int_equal(fm_emulator_open(&emulator, instance, "auv", "ctd/temperature", 1), 0);
    assert_int_equal(fm_emulator_put(&emulator, 300, 0.5, 1), 0);
    steps(run, 2);
    look("auv");
    near("temperature", value_named("ctd/temperature")->value, 300, 1e-9);
    assert_int_equal(value_named("ctd/temperature")->state, FM_SHARED_VALID | FM_SHARED_EXTERNAL);
    assert_int_equal(emulator.slot->state, FM_SHARED_IN_FORCE);
    steps(run, 25); /* 1.25 s */
    look("auv");
    assert_int_equal(value_named("ctd/temperature")->state, FM_SHARED_EXTERNAL); /* stale */
    assert_int_equal(emulator.slot->state, FM_SHARED_STALE);
    assert_int_equal(fm_emulator_put(&emulator, 301, 1.8, 1), 0);
    steps(run, 2);
    look("auv");
    assert_int_equal(value_named("ctd/temperature")->state, FM_SHARED_VALID | FM_SHARED_EXTERNAL);
    fm_emulator_close(&emulator);
    steps(run, 4);
    look("auv");
    near("its own again", value_named("ctd/temperature")->value, own, 0.1);
    assert_int_equal(value_named("ctd/temperature")->state, FM_SHARED_VALID);
    end(run);
}

static void what_the_vehicle_does_not_have_is_refused(void **state)
{
    (void)state;
    fm_run *run = share(instance, 1);
    fm_emulator emulator;
    steps(run, 1);
    assert_int_equal(fm_emulator_open(&emulator, instance, "auv", "sonar/range", 1), 0);
    assert_int_equal(fm_emulator_put(&emulator, 3, 0, 1), 0);
    steps(run, 1);
    assert_int_equal(emulator.slot->state, FM_SHARED_REFUSED);
    fm_emulator_close(&emulator);
    end(run);
    assert_int_equal(fm_emulator_open(&emulator, instance, "auv", "ctd/temperature", 1), -1);
    assert_int_equal(errno, ENOENT);
}

static void the_newer_emulator_takes_over(void **state)
{
    (void)state;
    fm_run *run = share(instance, 1);
    fm_emulator first, second;
    assert_int_equal(fm_emulator_open(&first, instance, "auv", "ctd/temperature", 1), 0);
    assert_int_equal(fm_emulator_put(&first, 290, 0, 1), 0);
    steps(run, 2);
    assert_int_equal(fm_emulator_open(&second, instance, "auv", "ctd/temperature", 1), 0);
    if (first.slot - second.slot != 0)
        assert_same(first.slot->owner, second.slot->owner);
    assert_int_equal(fm_emulator_put(&second, 280, 0.1, 1), 0);
    assert_int_equal(fm_emulator_put(&first, 290, 0.1, 1), -1);
    assert_int_equal(errno, EBUSY);
    fm_emulator_close(&first); /* does not give back what is not its own */
    steps(run, 2);
    look("auv");
    near("temperature", value_named("ctd/temperature")->value, 280, 1e-9);
    end(run);
    assert_int_equal(fm_emulator_put(&second, 280, 0.1, 1), -1);
    assert_int_equal(errno, EPIPE);
    fm_emulator_close(&second);
}

/* It dies inside the semaphore, at each place where it can. */
static void a_writer_that_is_killed_inside_holds_up_nobody(void **state)
{
    (void)state;
    fm_run *run = share(instance, 1);
    for (int host = 0; host < 4; host++) {
        pid_t child = fork();
        if (child == 0) {
            fm_emulator e;
            if (fm_emulator_open(&e, instance, "auv", "echosounder/range", 1) != 0)
                _exit(1);
            if (host == 0)
                sem_wait(e.semaphore); /* on the threshold */
            else if (fm_emulator_lock(&e, 1) != 0)
                _exit(1);
            if (host == 2)
                e.slot->sequence |= 1; /* in the middle of a value */
            if (host == 3)
                __atomic_store_n(&((fm_shared_head *)(void *)e.map.data)->lock_owner, (uint64_t)0, __ATOMIC_SEQ_CST);
            raise(SIGKILL);
        }
        int status;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status));
        uint64_t start = fm_emulator_now(CLOCK_MONOTONIC);
        steps(run, 100); /* the simulator does not even notice */
        fm_emulator next;
        assert_int_equal(fm_emulator_open(&next, instance, "auv", "echosounder/range", 1), 0);
        assert_int_equal(fm_emulator_put(&next, 5 + host, 0, 1), 0);
        assert_less(fm_emulator_now(CLOCK_MONOTONIC) - start, 900000000u);
        steps(run, 2);
        look("auv");
        near("range", value_named("echosounder/range")->value, 5 + host, 1e-9);
        fm_emulator_close(&next);
    }
    end(run);
}

static void one_that_lives_and_does_not_leave_is_waited_for_and_no_longer(void **state)
{
    (void)state;
    fm_run *run = share(instance, 1);
    fm_emulator inside, outside;
    assert_int_equal(fm_emulator_open(&inside, instance, "auv", "ctd/temperature", 1), 0);
    assert_int_equal(fm_emulator_open(&outside, instance, "auv", "ctd/pressure", 1), 0);
    assert_int_equal(fm_emulator_lock(&inside, 1), 0);
    assert_int_equal(fm_emulator_put(&outside, 1e5, 0, 0.1), -1);
    assert_int_equal(errno, ETIMEDOUT);
    assert_int_equal(fm_emulator_put(&outside, 1e5, 0, 2 * FM_EMULATOR_PATIENCE), 0); /* no sign of life */
    fm_emulator_unlock(&inside);                                                      /* it wakes up too late */
    assert_int_equal(fm_emulator_put(&outside, 1e5, 0, 0.1), 0);
    assert_int_equal(fm_emulator_put(&inside, 290, 0, 0.1), 0);
    fm_emulator_close(&inside);
    fm_emulator_close(&outside);
    end(run);
}

/* --- the programs --- */

/* Against the closed form of the water column at the place of the instrument; killed; swapped; repeated from the log.
 */
static void the_emulators_of_the_program_measure_and_their_run_repeats(void **state)
{
    (void)state;
    static const char *const kinds[] = {"pressure", "temperature", "conductivity", "salinity", "echosounder"};
    static program_run r;
    pid_t children[5];
    fm_run *run = share(instance, 1);
    assert_well(fm_run_record(run, "areas.mcap", NULL, e));
    for (int i = 0; i < 5; i++)
        if ((children[i] = fork()) == 0) {
            execl(FATHOM_PROGRAM, "fathom", "emulate", kinds[i], sea_file, "--vehicle", "auv", "--shared", instance,
                  "--period", "0.05", "--quiet", (char *)NULL);
            _exit(127);
        }
    fm_shared_map map;
    assert_int_equal(fm_shared_open(&map, "clients", instance, 0), 0);
    uint64_t started = fm_emulator_now(CLOCK_MONOTONIC);
    for (int all = 0; all < 5; usleep(1000)) {
        steps(run, 1);
        for (int i = all = 0; i < 5; i++)
            all += fm_shared_emulator_at(&map, (uint64_t)i)->taken > 20;
        assert_less(fm_emulator_now(CLOCK_MONOTONIC) - started, 60000000000u);
    }
    look("auv");
    double depth = seen.matrix[11] + 0.3 * seen.matrix[8] + 0.1 * seen.matrix[10];
    near("temperature", value_named("ctd/temperature")->value, 273.15 + 18 - 0.3 * (depth - 5), 0.05);
    near("altitude", value_named("echosounder/range")->value, 40 - seen.matrix[11], 0.2);
    near("pressure", value_named("ctd/pressure")->value, 101325 + 1025 * 9.81 * depth, 3000);
    near("salinity", value_named("ctd/salinity")->value, 35, 0.5);
    kill(children[4], SIGKILL);
    waitpid(children[4], NULL, 0);
    usleep(20000);
    steps(run, 25);
    look("auv");
    assert_int_equal(value_named("echosounder/range")->state, FM_SHARED_EXTERNAL); /* stale */
    for (int i = 0; i < 4; i++)
        kill(children[i], SIGTERM);
    int status;
    for (int i = 0; i < 4; i++) {
        waitpid(children[i], &status, 0);
        assert_true(WIFEXITED(status));
        assert_same(WEXITSTATUS(status), 128 + SIGTERM);
    }
    steps(run, 10);
    look("auv");
    assert_int_equal(value_named("ctd/temperature")->state, FM_SHARED_VALID);
    fm_shared_close(&map);
    end(run);
    assert_int_equal(run_fathom(&r, "replay areas.mcap --verify"), 0);
    expect_run(&r, 0, "the same");
}

int main(void)
{
    const struct CMUnitTest facts[] = {
        cmocka_unit_test(the_areas_tell_the_world_as_it_is),
        cmocka_unit_test(vehicles_come_and_go_in_their_records),
        cmocka_unit_test(a_reader_never_sees_half_a_record),
        cmocka_unit_test(what_a_killed_simulator_left_is_taken_over),
        cmocka_unit_test(two_simulations_have_two_names),
        cmocka_unit_test(a_value_from_outside_counts_until_it_is_stale),
        cmocka_unit_test(what_the_vehicle_does_not_have_is_refused),
        cmocka_unit_test(the_newer_emulator_takes_over),
        cmocka_unit_test(a_writer_that_is_killed_inside_holds_up_nobody),
        cmocka_unit_test(one_that_lives_and_does_not_leave_is_waited_for_and_no_longer),
        cmocka_unit_test(the_emulators_of_the_program_measure_and_their_run_repeats),
    };
    return cmocka_run_group_tests(facts, begin_all, NULL);
}
