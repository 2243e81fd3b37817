/* Fins given by their size. */
#include <math.h>
#include <string.h>

#include "kinds/body.h"
#include "physics/vector.h"
#include "world/actuator_config.h"

/* Number, from 1, of the propeller of this name among those with an open-water curve; 0: it has none, -1: unknown. */
static int find_screw(fm_part_load *load, const char *name, fm_error *error)
{
    int number = 0;
    for (size_t i = 0; i < fm_load_child_count(load, "propeller"); i++) {
        fm_actuator_config c = {0};
        if (fm_load_child(load, "propeller", i, &c, error) != FM_OK)
            return -1;
        number += c.diameter > 0;
        if (strcmp(c.name, name) == 0)
            return c.diameter > 0 ? number : 0;
    }
    return -1;
}

/* Chord: ahead, square to the lift. */
static int aim(const fm_actuator_config *c, fm_foil *foil)
{
    double lift = sqrt(fm_dot(c->direction, c->direction)), ahead = 0;
    for (int i = 0; i < 3 && lift > 1e-9; i++)
        foil->lift[i] = c->direction[i] / lift;
    for (int i = 0; i < 3; i++) {
        foil->chord[i] = (i == 0) - foil->lift[0] * foil->lift[i];
        ahead += foil->chord[i] * foil->chord[i];
    }
    for (int i = 0; i < 3 && ahead > 1e-9; i++)
        foil->chord[i] /= sqrt(ahead);
    return lift > 1e-9 && ahead > 1e-9;
}

fm_status fm_body_build_foil(fm_part_load *load, size_t i, const fm_actuator_config *c, double density, fm_foil *foil,
                             fm_error *error)
{
    double slope = c->lift_slope > 0 ? c->lift_slope : fm_foil_slope(c->aspect);
    /* A slope alone determines the aspect ratio: a = 2πΛ/(2 + √(4 + Λ²)). */
    double part = fmin(slope / (2 * FM_PI), 0.99), aspect = c->aspect > 0 ? c->aspect : 4 * part / (1 - part * part);
    *foil = (fm_foil){.input = (int32_t)i + 1,
                      .half_area = 0.5 * density * c->area,
                      .slope = slope,
                      .stall_squared = fm_sin(c->stall) * fm_sin(c->stall),
                      .profile = c->profile,
                      .induced = 1 / (FM_PI * c->span_efficiency * aspect),
                      .separated = c->separated,
                      .covered = c->covered};
    memcpy(foil->position, c->position, sizeof c->position);
    if (!aim(c, foil))
        return fm_load_fail_at(load, "fin", i, "direction", error, FM_ERR_RANGE,
                               "is along the vehicle: a fin lifts sideways or up and down");
    if (!c->behind)
        return FM_OK;
    foil->screw = find_screw(load, c->behind, error);
    return foil->screw > 0 ? FM_OK
                           : fm_load_fail_at(load, "fin", i, "behind", error, FM_ERR_NAME,
                                             foil->screw ? "names no <propeller> of this vehicle"
                                                         : "names a propeller without a diameter: its slipstream is "
                                                           "not known");
}
