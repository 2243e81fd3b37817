/* Sticks on the actuators of any vehicle: each is ordered by how much it acts along the axes that the sticks ask for.
 */
#include <math.h>
#include <string.h>

#include "bridges/mavlink/mavlink_flight.h"
#include "bridges/pilot/pilot_outputs.h"

/* What 1 of its value pushes and turns; 0: it acts on neither. */
static int find_effect(const fm_type *type, size_t i, double effect[FM_MAV_STICKS])
{
    const fm_actuator *a = &type->actuators[i];
    memset(effect, 0, FM_MAV_STICKS * sizeof *effect);
    if (a->kind == FM_ACT_THRUST) {
        memcpy(effect, a->column, sizeof a->column);
        return 1;
    }
    if (a->kind != FM_ACT_FIN || !type->kind->fin_column)
        return 0;
    type->kind->fin_column(type, a->fin, effect);
    effect[0] = effect[1] = effect[2] = 0; /* a fin turns the vehicle */
    return 1;
}

static int is_fin(const fm_type *type, size_t i)
{
    return type->actuators[i].kind == FM_ACT_FIN;
}

/* Greatest effect on each axis, of thrusters [0] and of fins [1]. */
static void find_most(const fm_type *type, double most[2][FM_MAV_STICKS])
{
    double effect[FM_MAV_STICKS];
    memset(most, 0, 2 * sizeof *most);
    for (size_t i = 0; i < type->actuator_count; i++)
        for (int k = 0; find_effect(type, i, effect) && k < FM_MAV_STICKS; k++)
            most[is_fin(type, i)][k] = fmax(most[is_fin(type, i)][k], fabs(effect[k]));
}

size_t fm_mav_sticks_mix(const fm_type *type, const double sticks[FM_MAV_STICKS], double *orders, uint8_t *used)
{
    double most[2][FM_MAV_STICKS], effect[FM_MAV_STICKS];
    size_t count = 0;
    find_most(type, most);
    for (size_t i = 0; i < type->actuator_count; i++) {
        const double *largest = most[is_fin(type, i)];
        double sum = 0;
        used[i] = (uint8_t)find_effect(type, i, effect);
        for (int k = 0; used[i] && k < FM_MAV_STICKS; k++) { /* planes climb by pitching */
            const double wanted = sticks[k] - (k == 4 && is_fin(type, i) ? sticks[2] : 0);
            sum += largest[k] > 1e-9 ? wanted * effect[k] / largest[k] : 0;
        }
        orders[i] = used[i] ? fm_pilot_outputs_order(type, i, sum) : 0;
        count += used[i];
    }
    return count;
}
