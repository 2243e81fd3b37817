/* A command under mpirun or srun: several processes that do one thing together; rank 0 speaks for them. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "studies/cluster/ranks.h"

typedef struct cli_ranks {
    const char *command;
    fm_ranks self; /* module NULL: alone */
    bool settled;  /* all know whether they begin */
} cli_ranks;

/* Whether another rank says what there is to say; from the environment alone. */
bool cli_ranks_hushed(void);
/* While what all ranks would print alike is printed; `on` false: back again. */
void cli_ranks_hush(bool on);

/* Alone without mpirun or srun; false: they started it, and this build has no MPI, or it failed. `device`: each rank of
 * a computer takes a GPU of its own, as far as there are any (CUDA_VISIBLE_DEVICES). */
bool cli_ranks_open(cli_ranks *ranks, const char *command, bool device);
/* Ranks but 0: waits until rank 0 has its part ready; false: it could not, and says why. */
bool cli_ranks_wait(cli_ranks *ranks);
/* Everyone's part is ready, or it is not: true where all are. Who is alone is as ready as it says. */
bool cli_ranks_ready(cli_ranks *ranks, bool ready);
/* Ends MPI; `broken`: without those that are gone, by ending all. Who never became ready says so first. */
void cli_ranks_close(cli_ranks *ranks, bool broken, int status);

/* Threads for one rank: the processors that it may use, shared with the others on its computer. */
int cli_ranks_threads(const cli_ranks *ranks);

#endif
