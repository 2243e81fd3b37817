/* The page beside a run that steps by itself: served by a thread of its own (`--http`). */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <fathom/run.h>

typedef struct cli_page cli_page;

/* Prints the address on standard error. NULL: it was told why not. `http` is ADDR:PORT, `speed` the pace of the run. */
cli_page *cli_page_open(const char *command, fm_run *run, const char *scenario, const char *http, double speed);
/* After the run has finished. */
void cli_page_close(cli_page *page);

#endif
