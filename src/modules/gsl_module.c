/* The table that libfathom-gsl.so exports. */
#include "modules/gsl.h"

FM_API const fm_gsl_module fm_gsl_module_table = {
    .version = FATHOM_VERSION, .descend = fm_fit_descend, .keep_run = fm_fit_keep_run, .student = fm_fit_student};
