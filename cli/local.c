#include "local.h"

#include <fathom/server.h>
#include <stdio.h>

#include "local/areas.h"

static int attach_loop(const char *command, fm_run *run, const char *option, fm_telegram_form form, int64_t wanted)
{
    fm_error error = {0};
    int port;
    if (fm_run_loop(run, &(fm_telegram_loop_options){.form = form, .port = (int)wanted}, &port, &error) != FM_OK)
        return fprintf(stderr, "fathom %s: %s: %s\n", command, option, error.text), 0;
    fprintf(stderr, "fathom %s: %s: records at 127.0.0.1, port %d\n", command, option, port);
    fflush(stderr);
    return 1;
}

int cli_local_attach(const char *command, fm_run *run, const cli_local *local)
{
    fm_error error = {0};
    if (local->shared && fm_run_share(run, &(fm_areas_options){.instance = local->shared}, &error) != FM_OK)
        return fprintf(stderr, "fathom %s: --shared: %s\n", command, error.text), 0;
    if (local->telemetry >= 0)
        return attach_loop(command, run, "--telemetry-loop", FM_TELEGRAM_PHOENIX, local->telemetry);
    return local->hardware < 0 || attach_loop(command, run, "--hardware-loop", FM_TELEGRAM_SNOOKIE, local->hardware);
}
