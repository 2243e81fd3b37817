#include "sensors/beams.h"

#include <string.h>

int fm_beams_velocity(const double beams[FM_BEAMS][3], const double u[FM_BEAMS], double v[3])
{
    double found[3];
    if (!fm_beams_solve(beams, u, found))
        return 0;
    memcpy(v, found, sizeof found);
    return 1;
}
