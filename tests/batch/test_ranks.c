/* `fathom sweep` under mpirun: one result whatever the number of ranks, and what is left when one of them dies. */
#include "studies/cluster/ranks.h"

#include "studies/sweep.h"
#include "support/files.h"
#include "support/program.h"

#define WALL FATHOM_SOURCE_DIR "/scenarios/snookie-wall.xml"
/* Open MPI unloads its parts before the leak check, which could not name them. */
#define MPIRUN                                                                                                         \
    "ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 env --default-signal=INT "  \
    "mpirun --oversubscribe "
#define SWEEP                                                                                                          \
    " sweep " WALL " --backend worlds --duration 0.5 --vary '/snookie/approach/angle=10:80:1 deg' "                    \
    "--metric snookie.distance "

static program_run r;

static void expect(int status, const char *words)
{
    expect_run(&r, status, words);
}

static void need_mpirun(void)
{
    if (run_shell(&r, "command -v mpirun && ls ../libfathom-mpi.so") != 0) {
        print_message("no mpirun here, or a build without MPI (packages.txt: openmpi-bin, libopenmpi-dev)\n");
        skip();
    }
}

static void ranks_do_not_change_a_sweep(void **unused)
{
    (void)unused;
    need_mpirun();
    run_fathom(&r, SWEEP "--threads 1 --csv ranks_1.csv");
    expect(0, "71 of 71 runs");
    run_shell(&r, MPIRUN "-n 2 " FATHOM_PROGRAM SWEEP "--threads 1 --csv ranks_2.csv");
    expect(0, "71 of 71 runs, 71 of them now");
    expect(0, "worlds, 2 ranks)");
    run_shell(&r, "rm -f ranks.nc; " MPIRUN "-n 4 " FATHOM_PROGRAM SWEEP "--threads 2 -o ranks.nc --csv ranks_4.csv");
    expect(0, "worlds, 4 ranks)");
    run_shell(&r, "cmp ranks_1.csv ranks_2.csv && cmp ranks_1.csv ranks_4.csv && test ! -e ranks.nc.journal");
    expect(0, "");
    run_fathom(&r, SWEEP "-o ranks.nc --csv ranks_again.csv --resume");
    expect(0, "71 of 71 runs, 0 of them now");
    run_shell(&r, "cmp ranks_1.csv ranks_again.csv");
    expect(0, "");
}

#define LANES                                                                                                          \
    " sweep " WALL " --duration 0.2 --runs 40 --vary '/snookie/approach/angle=10,40,200 deg' --set "                   \
    "'/snookie/lateral_line/noise=0.1 mV' --metric snookie.distance "

/* An angle that is refused fails its runs, wherever they are made. */
static void lanes_and_failures_are_the_same_on_ranks(void **unused)
{
    (void)unused;
    need_mpirun();
    run_fathom(&r, LANES "--csv lanes_1.csv");
    expect(1, "40 of 120 runs failed");
    run_shell(&r, MPIRUN "-n 2 " FATHOM_PROGRAM LANES "--csv lanes_2.csv");
    expect(1, "40 of 120 runs failed");
    expect(1, "run 80: ");
    expect(1, "'200 deg' is out of range");
    run_shell(&r, "cmp lanes_1.csv lanes_2.csv");
    expect(0, "");
}

/* Starts two ranks on NAME.nc and, once some runs are in its journal, strikes one of them ($1, $2), in the
 * background: mpirun takes two seconds to end when one of them dies. */
#define CUT(NAME, OPTIONS, BLOW)                                                                                       \
    "(rm -f " NAME ".nc " NAME ".nc.journal; " MPIRUN OPTIONS " -n 2 " FATHOM_PROGRAM SWEEP "--threads 1 -o " NAME     \
    ".nc >" NAME ".txt 2>&1 & pid=$!; "                                                                                \
    "until [ $(stat -c %%s " NAME ".nc.journal 2>/dev/null || echo 0) -gt 120 ] || ! kill -0 $pid; do sleep 0.01; "    \
    "done; set -- $(cat /proc/$pid/task/$pid/children); " BLOW "; wait $pid; echo $? >" NAME ".status) & "

static void expect_same_end(const char *name)
{
    run_fathom(&r, SWEEP "-o %s.nc --csv %s.csv --resume", name, name);
    expect(0, "71 of 71 runs");
    run_shell(&r, "cmp ranks_1.csv %s.csv", name);
    expect(0, "");
}

/* Where mpirun lets the others live, they make the runs of the dead one; else --resume does. */
static void a_rank_that_dies_loses_its_unfinished_runs_alone(void **unused)
{
    (void)unused;
    need_mpirun();
    run_shell(&r, CUT("killed", "", "kill -9 $2") CUT("first", "", "kill -9 $1") CUT("pressed", "", "kill -INT $1")
                      CUT("silent", "--enable-recovery -x FATHOM_SILENCE=1", "kill -9 $2") "wait");
    expect(0, "");
    run_shell(&r, "cat killed.status first.status pressed.status silent.status; cat killed.txt pressed.txt silent.txt");
    expect(0, "137\n137\n130\n0\n");
    expect(0, "--resume continues");
    expect(0, "ranks stopped responding; the others made their runs");
    expect(0, "71 of 71 runs, 71 of them now");
    assert_less(size_of("first.nc"), 0);
    assert_greater(size_of("first.nc.journal"), 120); /* it was the one that writes */
    expect_same_end("killed");
    expect_same_end("first");
    expect_same_end("pressed");
    expect_same_end("silent");
}

static void a_build_without_mpi_says_so_under_mpirun(void **unused)
{
    (void)unused;
    need_mpirun();
    run_shell(&r, "mkdir -p without_mpi && ln -f " FATHOM_PROGRAM
                  " without_mpi/fathom && cp -L ../libfathom.so.* without_mpi/");
    expect(0, "");
    run_shell(&r, MPIRUN "-n 2 env LD_LIBRARY_PATH=without_mpi without_mpi/fathom" SWEEP "--csv -");
    expect(1, "started as 2 processes together, but without MPI: libfathom-mpi.so was not found");
    run_shell(&r, "env LD_LIBRARY_PATH=without_mpi without_mpi/fathom sweep " WALL " --duration 0.1 --runs 2 --csv -");
    expect(0, "2 of 2 runs");
}

static void rank_0_alone_tells_what_is_wrong(void **unused)
{
    (void)unused;
    need_mpirun();
    run_shell(&r, MPIRUN "-n 2 " FATHOM_PROGRAM " sweep " WALL " --rns 2 --csv -");
    expect(2, "--rns");
    assert_null(strstr(strstr(r.err, "--rns") + 1, "--rns"));
    run_shell(&r, MPIRUN "-n 2 " FATHOM_PROGRAM " sweep " WALL " --runs 2 --metric snookie.nothing --csv -");
    expect(1, "snookie.nothing");
    assert_null(strstr(strstr(r.err, "snookie.nothing") + 1, "snookie.nothing"));
}

static void ranks_of_a_computer_take_its_gpus_in_turn(void **unused)
{
    (void)unused;
    char device[32];
    assert_true(fm_ranks_device(NULL, 4, 2, device, sizeof device));
    assert_string_equal(device, "2");
    assert_true(fm_ranks_device(NULL, 4, 5, device, sizeof device));
    assert_string_equal(device, "1");
    assert_true(fm_ranks_device("3,5,GPU-8932f937", -1, 2, device, sizeof device));
    assert_string_equal(device, "GPU-8932f937");
    assert_true(fm_ranks_device("3,5", 8, 2, device, sizeof device)); /* what the user allows, not what is there */
    assert_string_equal(device, "3");
    assert_false(fm_ranks_device("", 8, 0, device, sizeof device));
    assert_false(fm_ranks_device("-1", 8, 0, device, sizeof device));
    assert_true(fm_ranks_device("0,1,-1,2", 8, 2, device, sizeof device)); /* CUDA shows the GPUs before the -1 */
    assert_string_equal(device, "0");
    assert_true(fm_ranks_device("6,7,", 8, 3, device, sizeof device));
    assert_string_equal(device, "7");
    assert_false(fm_ranks_device(NULL, 0, 0, device, sizeof device));
}

/* In the shell of a job of Slurm there is one process; in a step of srun there are as many as its tasks; mpirun within
 * such a job has the last word. */
static void a_rank_is_told_by_mpirun_srun_or_pmi(void **unused)
{
    (void)unused;
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE",
                                        "OMPI_COMM_WORLD_RANK",
                                        "OMPI_COMM_WORLD_LOCAL_RANK",
                                        "SLURM_STEP_NUM_TASKS",
                                        "SLURM_PROCID",
                                        "SLURM_LOCALID",
                                        "PMI_SIZE",
                                        "PMI_RANK",
                                        "MPI_LOCALRANKID"};
    int rank, count;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    assert_false(fm_ranks_told(&rank, &count));
    assert_int_equal(fm_ranks_told_local(), -1);
    for (int i = 2; i >= 0; i--) { /* each before the one that was reported already */
        char text[3][8];
        for (int k = 0; k < 3; k++) {
            snprintf(text[k], sizeof text[k], "%d", 10 * (i + 1) - k);
            setenv(names[3 * i + k], text[k], 1);
        }
        assert_true(fm_ranks_told(&rank, &count));
        assert_int_equal(count, 10 * (i + 1));
        assert_int_equal(rank, 10 * (i + 1) - 1);
        assert_int_equal(fm_ranks_told_local(), 10 * (i + 1) - 2);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    setenv("SLURM_STEP_NUM_TASKS", "1", 1);
    setenv("SLURM_PROCID", "0", 1);
    assert_false(fm_ranks_told(&rank, &count));
    assert_int_equal(count, 1);
    unsetenv("SLURM_STEP_NUM_TASKS");
    unsetenv("SLURM_PROCID");
}

/* What this program prints as a rank: its place by the environment and by MPI, and its GPU of four. */
static int tell_place(void)
{
    char reason[256], device[32] = "none";
    fm_ranks self = {0};
    const fm_ranks_module *module = fm_ranks_find(reason, sizeof reason);
    const char *failed = module ? module->open(&self) : reason;
    if (failed)
        return fprintf(stderr, "%s\n", failed), 1;
    (void)fm_ranks_device(getenv("CUDA_VISIBLE_DEVICES"), 4, self.local_rank, device, sizeof device);
    printf("%s: %d told, %d of %d, GPU %s\n", self.host, fm_ranks_told_local(), self.local_rank, self.local_count,
           device);
    fflush(stdout);
    module->close(false, 0);
    return 0;
}

#define PLACES(BEFORE)                                                                                                 \
    MPIRUN "-n 3 sh -c '" BEFORE "LD_LIBRARY_PATH=.. exec ./batch_test_ranks place' | sed 's/^.*: //' | sort"

/* As mpirun leaves it to them; as mpirun passes on a choice of the user; as srun --gpus-per-task=1 shows each its own.
 */
static void ranks_know_their_places_and_gpus(void **unused)
{
    (void)unused;
    need_mpirun();
    run_shell(&r, PLACES("unset CUDA_VISIBLE_DEVICES; "));
    expect(0, "0 told, 0 of 3, GPU 0\n1 told, 1 of 3, GPU 1\n2 told, 2 of 3, GPU 2\n");
    run_shell(&r, PLACES("export CUDA_VISIBLE_DEVICES=6,7; "));
    expect(0, "0 told, 0 of 3, GPU 6\n1 told, 1 of 3, GPU 7\n2 told, 2 of 3, GPU 6\n");
    run_shell(&r, PLACES("export CUDA_VISIBLE_DEVICES=$((5 - $OMPI_COMM_WORLD_RANK)); "));
    expect(0, "0 told, 0 of 3, GPU 5\n1 told, 1 of 3, GPU 4\n2 told, 2 of 3, GPU 3\n");
}

/* Of 1,000 runs for 4 threads: all, in order, large parts first and single ones last. */
static void parts_become_small_towards_the_end(void **unused)
{
    (void)unused;
    size_t left = 1000, last = 1000, parts = 0;
    while (left > 0) {
        size_t part = fm_sweep_portion(left, 4, 1, 4096);
        assert_within(1, part, last);
        assert_at_most(part, left);
        last = part;
        left -= part;
        parts++;
    }
    assert_int_equal(last, 1);
    assert_int_equal(fm_sweep_portion(1000, 4, 1, 4096), 125);
    assert_less(parts, 60); /* a message each */
    assert_int_equal(fm_sweep_portion(1000, 1, 32, 128), 128);
    assert_int_equal(fm_sweep_portion(20, 4, 32, 128), 20);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "place"))
        return tell_place();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_do_not_change_a_sweep),
        cmocka_unit_test(lanes_and_failures_are_the_same_on_ranks),
        cmocka_unit_test(a_rank_that_dies_loses_its_unfinished_runs_alone),
        cmocka_unit_test(a_build_without_mpi_says_so_under_mpirun),
        cmocka_unit_test(rank_0_alone_tells_what_is_wrong),
        cmocka_unit_test(a_rank_is_told_by_mpirun_srun_or_pmi),
        cmocka_unit_test(ranks_of_a_computer_take_its_gpus_in_turn),
        cmocka_unit_test(ranks_know_their_places_and_gpus),
        cmocka_unit_test(parts_become_small_towards_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
