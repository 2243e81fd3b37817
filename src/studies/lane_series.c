#include "studies/lane_series.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "batch/ends.h"

fm_status fm_lane_series_begin(fm_lane_series *l, const fm_sweep *sweep, size_t models, size_t vehicles,
                               fm_error *error)
{
    *l = (fm_lane_series){.sweep = sweep, .row = sweep->series_count * sweep->samples};
    if (l->row == 0)
        return FM_OK;
    l->courses = fm_alloc(models * sizeof *l->courses);
    l->rows = fm_alloc(vehicles * l->row * sizeof *l->rows);
    if (!l->courses || !l->rows)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the series of %zu runs", vehicles);
    for (size_t i = 0; i < vehicles * l->row; i++)
        l->rows[i] = NAN;
    return FM_OK;
}

fm_status fm_lane_series_add(fm_lane_series *l, const fm_model *model, size_t first, size_t count, fm_error *error)
{
    if (l->row == 0)
        return FM_OK;
    fm_lane_course *c = &l->courses[l->count++];
    *c = (fm_lane_course){.first = first, .count = count};
    c->world = fm_world_create(model, &(fm_world_options){.seeded = 1, .threads = 1}, error);
    return c->world ? fm_sweep_begin_series(l->sweep, model, &c->panel, error) : FM_ERR_MEMORY;
}

fm_status fm_lane_series_note(fm_lane_series *l, fm_batch *batch, uint64_t tick, fm_error *error)
{
    if (l->row == 0 || tick % l->sweep->stride != 0)
        return FM_OK;
    double *table = fm_ends_read(batch, error);
    if (!table)
        return error->status;
    for (size_t i = 0; i < l->count; i++) {
        fm_lane_course *c = &l->courses[i];
        for (size_t k = 0; k < c->count; k++) {
            fm_ends_put(batch, table, c->first + k, c->world, tick);
            fm_ask_panel_begin(c->panel);
            fm_sweep_note_series(l->sweep, c->world, c->panel, l->rows + (c->first + k) * l->row);
        }
    }
    fm_free(table);
    return FM_OK;
}

uint64_t fm_lane_series_next(const fm_lane_series *l, uint64_t tick)
{
    return l->row ? (tick / l->sweep->stride + 1) * l->sweep->stride : UINT64_MAX;
}

void fm_lane_series_read(const fm_lane_series *l, size_t vehicle, double *row)
{
    if (l->row)
        memcpy(row + l->sweep->column_count, l->rows + vehicle * l->row, l->row * sizeof *row);
}

void fm_lane_series_free(fm_lane_series *l)
{
    for (size_t i = 0; i < l->count; i++) {
        fm_ask_panel_free(l->courses[i].panel);
        fm_world_free(l->courses[i].world);
    }
    fm_free(l->courses);
    fm_free(l->rows);
    *l = (fm_lane_series){0};
}
