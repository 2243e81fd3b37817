/* Units as the CF conventions want them: by the names of UDUNITS, which has other meanings for some of ours. */
#ifndef FM_BASE_CF_UNITS_H
#define FM_BASE_CF_UNITS_H

#include <stddef.h>

/* "lb*ft" becomes "lbf*ft" (UDUNITS' lb is a mass), "nmi" "nautical_mile" (its nmi is a thousand-millionth of a mile);
 * "" becomes "1". What UDUNITS knows by the same name stays. */
const char *fm_unit_cf(const char *unit, char *buffer, size_t size);

#endif
