/* Attributes of bridges that give a value to some vehicles of the scenario: forces="otter=opposing". */
#ifndef FM_BRIDGES_VEHICLE_VALUES_H
#define FM_BRIDGES_VEHICLE_VALUES_H

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/named_values.h"
#include "base/text.h"
#include "world/model.h"

/* What is wrong with a value is written to `why`; false: it is wrong. */
typedef bool fm_value_check(const char *value, char *why, size_t size);

static inline fm_status fm_vehicle_value_check(const fm_model *model, const fm_named_value *pair, fm_value_check *check,
                                               fm_error *error)
{
    char near[160], why[160] = "";
    fm_nearest nearest = {.wanted = pair->name};
    for (size_t i = 0; i < model->vehicle_count; i++) {
        if (strcmp(model->vehicles[i].name, pair->name) != 0) {
            fm_nearest_offer(&nearest, model->vehicles[i].name);
            continue;
        }
        if (check(pair->value, why, sizeof why))
            return FM_OK;
        return fm_fail(error, FM_ERR_RANGE, "'%s' of '%s' %s", pair->value, pair->name, why);
    }
    return fm_fail(error, FM_ERR_NAME, "no vehicle '%s'%s", pair->name, fm_nearest_write(&nearest, near, sizeof near));
}

/* Checks every pair of an attribute; NULL is an empty list. */
static inline fm_status fm_vehicle_values_check(const fm_model *model, const char *list, fm_value_check *check,
                                                fm_error *error)
{
    fm_named_value pair;
    int found;
    while (list && (found = fm_named_value_next(&list, &pair)) != 0) {
        if (found < 0)
            return fm_fail(error, FM_ERR_RANGE, "must be VEHICLE=VALUE, separated by spaces, each up to 63 characters");
        fm_status status = fm_vehicle_value_check(model, &pair, check, error);
        if (status != FM_OK)
            return status;
    }
    return FM_OK;
}

#endif
