/* Virtual mass at load: the kernels of physics/mass.h, with a message for every failed check. */
#include <math.h>

#include "base/error.h"
#include "world/model.h"

static const char *const axis_names = "uvwpqr";

static fm_status check_symmetric(const double m[36], fm_error *error)
{
    for (int c = 0; c < 6; c++)
        for (int r = 0; r < c; r++) {
            double a = m[6 * c + r], b = m[6 * r + c];
            double size = sqrt(fabs(m[7 * c] * m[7 * r]));
            if (!(fabs(a - b) <= 1e-6 * size))
                return fm_fail(error, FM_ERR_MODEL,
                               "virtual mass is not symmetric: element (%c,%c) is %g and (%c,%c) is %g", axis_names[r],
                               axis_names[c], a, axis_names[c], axis_names[r], b);
        }
    return FM_OK;
}

fm_status fm_mass_derive(const fm_mass_properties *properties, const double added[36], int full_coriolis, fm_mass *mass,
                         fm_error *error)
{
    int minor = (int)fm_mass_assemble(properties, added, full_coriolis, mass);
    for (int i = 0; i < 36; i++)
        if (!isfinite(mass->virtual_mass[i]))
            return fm_fail(error, FM_ERR_MODEL, "virtual mass has a non-finite element");
    fm_status status = check_symmetric(mass->virtual_mass, error);
    if (status != FM_OK || minor == 0)
        return status;
    return fm_fail(error, FM_ERR_MODEL,
                   "virtual mass (rigid body and added mass) is not positive definite: its leading minor of order %d "
                   "is not positive, so the body would accelerate against a force along or about %c",
                   minor, axis_names[minor - 1]);
}
