#include "sensors/beams.h"

#include <math.h>

#include "physics/posture.h"

/* By Cramer's rule. */
int fm_beams_velocity(const double beams[FM_BEAMS][3], const double u[FM_BEAMS], double v[3])
{
    double m[3][3] = {{0}}, y[3] = {0}, minor[3][3];
    for (int i = 0; i < FM_BEAMS; i++)
        for (int a = 0; a < 3 && isfinite(u[i]); a++) {
            y[a] += beams[i][a] * u[i];
            for (int b = 0; b < 3; b++)
                m[a][b] += beams[i][a] * beams[i][b];
        }
    for (int a = 0; a < 3; a++)
        fm_cross(m[(a + 1) % 3], m[(a + 2) % 3], minor[a]);
    double det = fm_dot(m[0], minor[0]);
    if (!(fabs(det) > 1e-9))
        return 0;
    for (int a = 0; a < 3; a++)
        v[a] = (minor[0][a] * y[0] + minor[1][a] * y[1] + minor[2][a] * y[2]) / det;
    return 1;
}
