#include "studies/cluster/ranks.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/module.h"

static int number_of(const char *name)
{
    const char *text = getenv(name);
    return text && *text ? atoi(text) : -1;
}

/* Open MPI's mpirun; srun, in each of its steps; PMI, as other launchers use it. */
bool fm_ranks_told(int *rank, int *count)
{
    static const char *const names[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                           {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
                                           {"PMI_SIZE", "PMI_RANK"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *count = number_of(names[i][0]);
        *rank = number_of(names[i][1]);
        if (*count > 1 && *rank >= 0)
            return true;
    }
    *rank = 0;
    *count = 1;
    return false;
}

/* In the same order. */
int fm_ranks_told_local(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID", "MPI_LOCALRANKID"};
    int local = -1;
    for (size_t i = 0; i < sizeof names / sizeof *names && local < 0; i++)
        local = number_of(names[i]);
    return local;
}

/* Open MPI's components search its symbols among all of the program's: RTLD_GLOBAL. */
const fm_ranks_module *fm_ranks_find(char *reason, size_t size)
{
    void *handle = fm_module_open("libfathom-mpi.so", RTLD_NOW | RTLD_GLOBAL);
    const fm_ranks_module *module = handle ? (const fm_ranks_module *)dlsym(handle, "fm_ranks_module_table") : NULL;
    if (module && module->version == FM_RANKS_VERSION)
        return module;
    if (module)
        snprintf(reason, size, "libfathom-mpi.so is of another version of Fathom");
    else
        snprintf(reason, size, "libfathom-mpi.so was not found (it is built where libopenmpi-dev is)");
    return NULL;
}

/* CUDA uses the entries before the first invalid one. */
static int count_entries(const char *visible)
{
    int count = 0;
    for (; *visible && *visible != ',' && *visible != '-'; count++) {
        visible += strcspn(visible, ",");
        visible += *visible == ',';
    }
    return count;
}

bool fm_ranks_device(const char *visible, int count, int local_rank, char *device, size_t size)
{
    if (visible)
        count = count_entries(visible);
    if (count < 1 || local_rank < 0)
        return false;
    int own = local_rank % count;
    if (!visible)
        return snprintf(device, size, "%d", own), true;
    for (; own > 0; own--)
        visible = strchr(visible, ',') + 1;
    snprintf(device, size, "%.*s", (int)strcspn(visible, ","), visible);
    return true;
}
