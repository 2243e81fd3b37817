/* The table that libfathom-netcdf.so exports. */
#include "modules/netcdf.h"

#define FM_ROW(name, parameters, arguments, where, first) .name = name,
FM_API const fm_netcdf_module fm_netcdf_module_table = {.version = FATHOM_VERSION,
                                                        FM_NETCDF_FUNCTIONS(FM_ROW).fm_netcdf_close = fm_netcdf_close,
                                                        .fm_netcdf_has = fm_netcdf_has};
