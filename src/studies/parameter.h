/* Parameters of a model by path, for studies: whole ones, and single numbers of a vector ("/v/position/z"). */
#ifndef FM_STUDIES_PARAMETER_H
#define FM_STUDIES_PARAMETER_H

#include <fathom/model.h>
#include <stdbool.h>

typedef struct fm_parameter {
    fm_param_info info;
    int number; /* which number of a vector; -1: the whole parameter */
} fm_parameter;

/* A parameter has priority over a number of a vector. False: the model has none with this path. */
bool fm_parameter_find(const fm_model *model, const char *path, fm_parameter *parameter);
/* Its number in the model, in `unit`. False: it is not a single number, or has another dimension. */
bool fm_parameter_value(const fm_parameter *parameter, const char *unit, double *value);

#endif
