#include "local.h"

#include <stdio.h>

#include "net/areas.h"

int cli_local_attach(fm_run *run, const cli_local *local)
{
    fm_error error = {0};
    if (local->shared && fm_run_share(run, &(fm_areas_options){.instance = local->shared}, &error) != FM_OK)
        return fprintf(stderr, "fathom run: --shared: %s\n", error.text), 0;
    return 1;
}
