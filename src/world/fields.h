/* Fields of a type (fathom/fields.h): what they are called, and where their numbers are. */
#ifndef FM_WORLD_FIELDS_H
#define FM_WORLD_FIELDS_H

#include <fathom/fields.h>

#include "base/memory.h"

struct fm_type;

/* What a field is read from. */
typedef enum fm_record_field_source {
    FM_FIELD_TIME,
    FM_FIELD_POSE, /* from number `at` of position, Euler angles, velocity on */
    FM_FIELD_ATTITUDE,
    FM_FIELD_SPEED,
    FM_FIELD_CHARGE,
    FM_FIELD_CONTACT,
    FM_FIELD_ACTUATOR, /* number `at` */
    FM_FIELD_RECORD    /* `at`: bytes from the start of the record */
} fm_record_field_source;

typedef struct fm_record_field {
    fm_field_info info; /* without a vehicle */
    fm_record_field_source source;
    size_t at;
    double scale, shift; /* to SI */
} fm_record_field;

/* The fields of a type whose record is laid out. 0: no memory. */
int fm_fields_list(fm_arena *arena, struct fm_type *type);
/* Field `i` of a model and the vehicle that it is of (-1: the world); NULL: no such field. */
const fm_record_field *fm_record_field_find(const fm_model *model, size_t i, int *vehicle);
/* Writes its numbers, SI; the field is of the vehicle in this slot. */
void fm_record_field_read(const fm_world *world, int slot, const fm_record_field *field, double *values);
/* One of its numbers. */
double fm_record_field_number(const fm_world *world, int slot, const fm_record_field *field, size_t element);
/* The slot where vehicle `vehicle` of the scenario is; -1: it was removed. */
int fm_record_field_slot(const fm_world *world, int vehicle);

#endif
