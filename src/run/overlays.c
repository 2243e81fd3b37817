/* Telemetry of real vehicles next to a run. */
#include "base/error.h"
#include "run/run.h"
#include "telemetry/overlay.h"

#include <string.h>

static fm_status check(const fm_run *run, const char *vehicle, fm_error *error)
{
    if (run->channels)
        return fm_fail(error, FM_ERR_STATE, "an overlay must be attached before anything listens to the run");
    if (fm_world_find(run->world, vehicle) < 0)
        return fm_fail(error, FM_ERR_NAME, "no vehicle '%.40s' in the scenario", vehicle);
    for (const fm_overlay *o = run->overlays; o; o = o->next)
        if (strcmp(o->vehicle, vehicle) == 0)
            return fm_fail(error, FM_ERR_NAME, "vehicle '%.40s' has an overlay already: one per vehicle", vehicle);
    return FM_OK;
}

fm_status fm_run_overlay(fm_run *run, const char *vehicle, const fm_overlay_source *source, fm_error *error)
{
    fm_status status = check(run, vehicle, error);
    if (status != FM_OK) {
        if (source->free)
            source->free(source->user);
        return status;
    }
    fm_overlay *overlay = fm_overlay_create(vehicle, source, error);
    if (!overlay)
        return FM_ERR_MEMORY;
    fm_overlay **end = &run->overlays;
    while (*end)
        end = &(*end)->next;
    *end = overlay;
    return FM_OK;
}

void fm_run_follow_overlays(fm_run *run)
{
    for (fm_overlay *o = run->overlays; o; o = o->next)
        fm_overlay_follow(o, run->world);
}

void fm_run_free_overlays(fm_run *run)
{
    fm_overlay_free_all(run->overlays);
    run->overlays = NULL;
}
