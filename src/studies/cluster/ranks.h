/* Processes that mpirun or srun started together, by a module of its own (libfathom-mpi.so): built where Open MPI is,
 * loaded where the environment says that there are several. A program that is alone does without. */
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
    double silence;                       /* s after which a rank that says nothing is given up */
    const struct fm_ranks_module *module; /* NULL: alone */
} fm_ranks;

/* What the module exports as fm_ranks_module_table. One thread calls all of it. Functions that return a text return
 * NULL, or what went wrong. */
typedef struct fm_ranks_module {
    uint32_t version; /* FM_RANKS_VERSION */
    const char *(*open)(fm_ranks *ranks);
    /* Ends together with the others; `broken`: without them, and it ends them. */
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

/* What mpirun or srun says in the environment, read without any library; false: this process is alone. */
bool fm_ranks_told(int *rank, int *count);
/* The place of this process among those on its computer, told in the same way; −1: nobody says. */
int fm_ranks_told_local(void);
/* NULL and the reason where there is none. */
const fm_ranks_module *fm_ranks_find(char *reason, size_t size);
/* The GPU of a rank: an entry of `visible` (as CUDA_VISIBLE_DEVICES: "0,1,3"), or where that is NULL a number below
 * `count`; ranks of a computer take them in turn. false: there is none to choose from. */
bool fm_ranks_device(const char *visible, int count, int local_rank, char *device, size_t size);

#endif
