/* libFuzzer target: the reader of records takes any bytes and either gives times that increase and a name for every
 * column, or says why not. What it gives can be compared with itself. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/record.h"

static void check_series(const fm_record_series *s)
{
    fm_record_pair pair;
    fm_record_error errors;
    fm_error error = {0};
    fm_arena arena = {0};
    if (!s->name[0] || !s->unit || !s->count)
        abort();
    for (size_t i = 1; i < s->count; i++)
        if (!(s->t[i] > s->t[i - 1]))
            abort();
    if (fm_record_pair_make(s, s, &pair, &error) != FM_OK)
        abort();
    if (fm_record_compare(&pair, &(fm_record_window){0}, &arena, &errors, &error) == FM_OK) {
        if (!errors.samples || errors.samples > s->count)
            abort();
    } else if (error.text[0] == '\0') {
        abort();
    }
    fm_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_record record;
    fm_error error = {0};
    if (fm_record_parse_csv(&record, (const char *)data, size, "fuzz.csv", NULL, &error) == FM_OK) {
        for (size_t i = 0; i < record.count; i++)
            check_series(&record.series[i]);
    } else if (error.text[0] == '\0') {
        abort();
    }
    fm_record_free(&record);
    return 0;
}
