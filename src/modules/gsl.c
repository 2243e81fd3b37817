/* GSL in libfathom: functions that load libfathom-gsl.so and call it. */
#include "modules/gsl.h"

#include <math.h>

#include "base/module.h"

static const fm_gsl_module *find(fm_error *error)
{
    static fm_module module = {"libfathom-gsl.so", "fm_gsl_module_table", "fitting parameters", "libgsl-dev", NULL};
    return fm_module_find(&module, error);
}

fm_status fm_fit_can_descend(fm_error *error)
{
    return find(error) ? FM_OK : FM_ERR_MISSING;
}

fm_status fm_fit_descend(fm_fit_solver *s)
{
    const fm_gsl_module *module = find(&s->error);
    return module ? module->descend(s) : FM_ERR_MISSING;
}

/* Called after a fit has descended: the module is loaded. */
void fm_fit_keep_run(fm_fit_solver *s)
{
    const fm_gsl_module *module = find(NULL);
    if (module)
        module->keep_run(s);
}

double fm_fit_student(double probability, double freedom)
{
    const fm_gsl_module *module = find(NULL);
    return module ? module->student(probability, freedom) : NAN;
}
