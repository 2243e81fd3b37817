/* Units for the CF conventions: converts names that have another meaning in UDUNITS. */
#ifndef FM_BASE_CF_UNITS_H
#define FM_BASE_CF_UNITS_H

#include <stddef.h>

/* "lb*ft" becomes "lbf*ft" (UDUNITS' lb is a mass), "nmi" "nautical_mile" (its nmi is a thousand-millionth of a mile);
 * "" becomes "1". Names with the same meaning in UDUNITS are kept. */
const char *fm_unit_cf(const char *unit, char *buffer, size_t size);

#endif
