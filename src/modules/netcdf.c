/* NetCDF in libfathom: functions that load libfathom-netcdf.so and call it. */
#include "modules/netcdf.h"

#include "base/module.h"

static const fm_netcdf_module *find(fm_error *error)
{
    static fm_module module = {"libfathom-netcdf.so", "fm_netcdf_module_table", "reading and writing NetCDF",
                               "libnetcdf-dev", NULL};
    return fm_module_find(&module, error);
}

#define FM_FORWARD(name, parameters, arguments, where, first)                                                          \
    fm_status name parameters                                                                                          \
    {                                                                                                                  \
        first;                                                                                                         \
        const fm_netcdf_module *module = find(where);                                                                  \
        return module ? module->name arguments : FM_ERR_MISSING;                                                       \
    }
FM_NETCDF_FUNCTIONS(FM_FORWARD)

/* Called on an open file: the module is loaded. */
void fm_netcdf_close(fm_netcdf *file)
{
    const fm_netcdf_module *module = find(NULL);
    if (module)
        module->fm_netcdf_close(file);
}

bool fm_netcdf_has(const fm_netcdf *file, const char *const *standard_names, const char *const *names)
{
    const fm_netcdf_module *module = find(NULL);
    return module && module->fm_netcdf_has(file, standard_names, names);
}
