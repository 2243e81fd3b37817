/* Processes started together by mpirun or srun, through a module of its own (libfathom-mpi.so): built if Open MPI is
 * available, loaded if the environment shows that there are several. A single process does not need it. */
#ifndef FM_STUDIES_CLUSTER_RANKS_H
#define FM_STUDIES_CLUSTER_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who this process is. */
typedef struct fm_ranks {
    int rank, count;
    int local_rank, local_count; /* among those on this computer */
    char host[128];
    double silence;                       /* s after which a silent rank is considered lost */
    const struct fm_ranks_module *module; /* NULL: alone */
} fm_ranks;

/* The table that the module exports as fm_ranks_module_table. One thread calls all of it. Functions that return a text
 * return NULL, or the error. */
typedef struct fm_ranks_module {
    uint32_t version; /* FM_RANKS_VERSION */
    const char *(*open)(fm_ranks *ranks);
    /* Ends together with the other ranks; `broken`: without them, and it ends them. */
    void (*close)(bool broken, int status);
    /* The next message that waits, if any. */
    bool (*probe)(int *from, int *tag, size_t *bytes);
    const char *(*receive)(int from, int tag, void *data, size_t bytes);
    const char *(*send)(int to, int tag, const void *data, size_t bytes);
    /* Of rank 0 to all. */
    const char *(*broadcast)(void *data, size_t bytes);
    /* Whether it is so in all of them. */
    bool (*agree)(bool so);
    double (*clock)(void); /* s */
} fm_ranks_module;

enum { FM_RANKS_VERSION = 1 };

/* The contents of mpirun's or srun's environment, read without any library; false: this process is alone. */
bool fm_ranks_told(int *rank, int *count);
/* The index of this process among those on its computer, from the same source; −1: unknown. */
int fm_ranks_told_local(void);
/* NULL and the reason if it is not available. */
const fm_ranks_module *fm_ranks_find(char *reason, size_t size);
/* The GPU of a rank: an entry of `visible` (as CUDA_VISIBLE_DEVICES: "0,1,3"), or if that is NULL a number below
 * `count`; ranks of a computer use them in turn. false: no GPU to choose. */
bool fm_ranks_device(const char *visible, int count, int local_rank, char *device, size_t size);

#endif
