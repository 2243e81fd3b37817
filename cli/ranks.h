/* A command under mpirun or srun: several processes that work together; rank 0 prints for all. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "studies/cluster/ranks.h"

typedef struct cli_ranks {
    const char *command;
    fm_ranks self; /* module NULL: alone */
    bool settled;  /* all know whether they begin */
} cli_ranks;

/* Whether another rank prints the messages; from the environment alone. */
bool cli_ranks_hushed(void);
/* While output is printed that all ranks would print alike; `on` false: ends it. */
void cli_ranks_hush(bool on);

/* A single process without mpirun or srun; false: they started it, and this build has no MPI, or it failed. `device`:
 * each rank of a computer takes a GPU of its own, as far as available (CUDA_VISIBLE_DEVICES). */
bool cli_ranks_open(cli_ranks *ranks, const char *command, bool device);
/* Ranks other than 0: waits until rank 0 has its part ready; false: it failed, and prints the reason. */
bool cli_ranks_wait(cli_ranks *ranks);
/* Collective: true if all ranks have their part ready. A single process returns its own state. */
bool cli_ranks_ready(cli_ranks *ranks, bool ready);
/* Called by a rank other than 0 that fails where all may: true once it was ended together with rank 0; false after 2 s,
 * or without MPI: it fails alone, and prints the reason itself. */
bool cli_ranks_end_together(const cli_ranks *ranks);
/* Ends MPI; `broken`: without lost ranks, by ending all. A rank that never became ready reports it first. */
void cli_ranks_close(cli_ranks *ranks, bool broken, int status);

/* Threads for one rank: the processors available to it, shared with the others on its computer. */
int cli_ranks_threads(const cli_ranks *ranks);

#endif
