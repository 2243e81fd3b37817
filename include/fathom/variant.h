/* Variants: a loaded model with other numbers, made without text. A number of a parameter has a handle; a variant is
 * the model with some of them changed, and has the bits of a model that is loaded with the same values in
 * fm_load_options.set.
 *
 *     size_t mass, trim;
 *     fm_model_param_find(model, "/rov/mass/mass", &mass, &error);
 *     fm_model_param_find(model, "/rov/mass/centre/z", &trim, &error);
 *     fm_model *variant = fm_model_variant(model, (size_t[]){mass, trim}, (double[]){11.5, 0.02}, 2, &error);
 */
#ifndef FATHOM_VARIANT_H
#define FATHOM_VARIANT_H

#include <fathom/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Finds a number by the path of its parameter ("/rov/mass/mass"), or of one component of a vector
 * ("/rov/mass/centre/z", "/rov/drag/linear/3"). *number is its handle, valid for this model. (A variant has handles of
 * its own: they differ if it was given an element that the model has not.)
 * FM_ERR_NAME: no such parameter, it is not one number, or it has no value in the model. */
FM_API fm_status fm_model_param_find(const fm_model *model, const char *path, size_t *number, fm_error *error);
/* A number of a model. The texts belong to the model. */
typedef struct fm_number_info {
    const char *parameter; /* path of its parameter; NULL: not a handle of this model */
    int component;         /* of a vector, from 0; -1: the parameter is one number */
    const char *unit;      /* SI; "": no dimension */
    double min, max;       /* of the parameter; min == max == 0: no limits */
    double value;          /* SI, in this model */
} fm_number_info;
/* Describes a number by its handle. */
FM_API fm_number_info fm_model_number(const fm_model *model, size_t number);

/* Returns the model with other numbers: values[i] (SI) for the number with the handle numbers[i]. Of a handle that
 * occurs twice the last value counts. What does not depend on the changed numbers is shared with `model`, which must
 * outlive the variant. Returns NULL and sets *error, with the path, if a value is out of range or the model is invalid
 * with it. Any number of threads may make variants of a model at a time. Free it with fm_model_free. */
FM_API fm_model *fm_model_variant(const fm_model *model, const size_t *numbers, const double *values, size_t count,
                                  fm_error *error);

#ifdef __cplusplus
}
#endif
#endif
