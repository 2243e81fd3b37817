#include "ranks.h"

#include "interrupt.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- who speaks --- */

bool cli_ranks_hushed(void)
{
    int rank, count;
    return fm_ranks_told(&rank, &count) && rank > 0;
}

void cli_ranks_hush(bool on)
{
    static int kept[2] = {-1, -1}; /* standard output and error */
    fflush(NULL);
    for (int i = 0; i < 2; i++) {
        int nothing = on ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
        if (on && nothing >= 0) {
            kept[i] = fcntl(i + 1, F_DUPFD_CLOEXEC, 3);
            (void)dup2(nothing, i + 1);
            close(nothing);
        } else if (!on && kept[i] >= 0) {
            (void)dup2(kept[i], i + 1);
            close(kept[i]);
            kept[i] = -1;
        }
    }
}

/* --- GPUs --- */

/* That the driver has here. */
static int count_devices(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/driver/nvidia/gpus");
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

static void choose_device(int local_rank)
{
    char device[128];
    if (fm_ranks_device(getenv("CUDA_VISIBLE_DEVICES"), count_devices(), local_rank, device, sizeof device))
        setenv("CUDA_VISIBLE_DEVICES", device, 1);
}

/* --- together --- */

/* s; FATHOM_SILENCE, else 30. */
static double read_silence(void)
{
    const char *text = getenv("FATHOM_SILENCE");
    double seconds = text ? atof(text) : 0;
    return seconds > 0 ? seconds : 30;
}

/* The GPU is chosen before MPI begins, which may open it too; if its number is unknown then, as soon as MPI knows
 * it. */
bool cli_ranks_open(cli_ranks *r, const char *command, bool device)
{
    int rank, count, local = fm_ranks_told_local();
    char reason[256] = "";
    *r = (cli_ranks){.command = command, .self = {.count = 1, .local_count = 1, .silence = read_silence()}};
    if (!fm_ranks_told(&rank, &count))
        return true;
    if (device)
        choose_device(local);
    const fm_ranks_module *module = fm_ranks_find(reason, sizeof reason);
    const char *failed = module ? module->open(&r->self) : NULL;
    if (module && !failed && r->self.count == count) {
        r->self.module = module;
        if (device && local < 0)
            choose_device(r->self.local_rank);
        return true;
    }
    if (rank == 0 && !module)
        fprintf(stderr, "fathom %s: started as %d processes together, but without MPI: %s; alone it needs no mpirun\n",
                command, count, reason);
    else if (rank == 0 && failed)
        fprintf(stderr, "fathom %s: MPI could not be started: %s\n", command, failed);
    else if (rank == 0)
        fprintf(stderr,
                "fathom %s: %d processes were started together, but MPI knows of %d; with srun give --mpi=pmix\n",
                command, count, r->self.count);
    return false;
}

bool cli_ranks_wait(cli_ranks *r)
{
    char ready = 0;
    if (!r->self.module || r->self.rank == 0)
        return true;
    if (!r->self.module->broadcast(&ready, 1) && ready)
        return true;
    r->settled = true;
    return false;
}

bool cli_ranks_ready(cli_ranks *r, bool ready)
{
    char own = ready;
    if (!r->self.module || r->settled)
        return ready;
    r->settled = true;
    if (r->self.rank == 0 && (r->self.module->broadcast(&own, 1) || !ready))
        return false;
    if (!ready)
        fprintf(stderr, "fathom %s: that is rank %d, on %s\n", r->command, r->self.rank, r->self.host);
    return r->self.module->agree(ready);
}

/* All ranks usually fail alike, and mpirun ends them with the first that does: rank 0 gets the time to print why. */
bool cli_ranks_end_together(const cli_ranks *r)
{
    for (int i = 0; r->self.module && i < 200 && !cli_interrupt_signal(); i++)
        usleep(10000);
    return cli_interrupt_signal() != 0;
}

void cli_ranks_close(cli_ranks *r, bool broken, int status)
{
    if (!r->self.module)
        return;
    (void)cli_ranks_ready(r, false);
    fflush(NULL);
    r->self.module->close(broken, status);
    r->self.module = NULL;
}

/* --- what a rank may use --- */

int cli_ranks_threads(const cli_ranks *r)
{
    cpu_set_t own;
    long all = sysconf(_SC_NPROCESSORS_ONLN), part = all / r->self.local_count;
    if (sched_getaffinity(0, sizeof own, &own) == 0 && CPU_COUNT(&own) > 0 && CPU_COUNT(&own) < part)
        part = CPU_COUNT(&own);
    return part > 1 ? (int)part : 1;
}
