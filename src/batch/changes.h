/* Changes by a scenario during the run (<faults>), for vehicles of a batch. */
#ifndef FM_BATCH_CHANGES_H
#define FM_BATCH_CHANGES_H

#include "batch/lanes.h"
#include "world/model.h"

/* The row of the table that a timed change of the scenario writes: faults and orders of actuators, words of a kind that
 * has a body of its own, the uniform current. 0: not in the table. `rows` may be NULL if only that matters. */
int fm_change_row(const fm_model *model, const fm_batch_rows *rows, const char *path, uint32_t *row);
/* Whether it is a live parameter of one of the vehicle's parts: the type changes from then on. */
int fm_change_is_of_part(const fm_type *type, const char *path);
/* Whether it is one of the water or the bottom that a batch supports: the surroundings change from then on; and whether
 * the density of the water ever changes this way. */
int fm_change_is_of_waters(const fm_model *model, const char *path);
int fm_change_has_density(const fm_model *model);
/* A world with the sea after the first `count` changes of the scenario (its environment); the caller owns it. */
fm_world *fm_waters_change(const fm_model *model, size_t count, fm_error *error);
/* The vehicle's type after the first `count` changes of the scenario: faults, and configs of parts, which begin with
 * their live values. It lives as long as arena and model. */
fm_status fm_type_change(const fm_model *model, size_t count, fm_arena *arena, fm_type *out, fm_error *error);

#endif
