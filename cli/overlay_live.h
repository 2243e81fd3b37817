/* --overlay udp:…: live telemetry; in programs with a server. */
#ifndef CLI_OVERLAY_LIVE_H
#define CLI_OVERLAY_LIVE_H

#include "overlay.h"

/* `at`: "[ADDR:]PORT". */
int cli_overlay_live_attach(const char *command, fm_run *run, const char *vehicle, const char *at, struct fm_host *host,
                            cli_overlay_counts **counts);

#endif
