/* libFuzzer target: the reader of columns takes any bytes and either gives a table or says why not; a table that is
 * written out reads back the same. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/columns.h"
#include "base/text.h"

static void write_table(const fm_columns *table, fm_text *out)
{
    for (size_t i = 0; i < table->columns; i++)
        fm_text_add(out, "%s%s", i ? "," : "", table->names[i]);
    for (size_t row = 0; row < table->rows; row++)
        for (size_t i = 0; i < table->columns; i++) {
            const double value = table->values[i][row];
            fm_text_add(out, "%s", i ? "," : "\n");
            if (!isnan(value))
                fm_text_add(out, "%.17g", value);
            else if (table->columns == 1)
                abort(); /* an empty line is no row */
        }
}

static void read_back(const fm_columns *table, fm_arena *arena)
{
    fm_text text = {0};
    fm_columns again;
    fm_error error = {0};
    write_table(table, &text);
    if (text.failed || fm_columns_parse(&again, text.data, text.length, "again.csv", arena, &error) != FM_OK ||
        again.columns != table->columns || again.rows != table->rows)
        abort();
    for (size_t i = 0; i < table->columns; i++)
        for (size_t row = 0; row < table->rows; row++) {
            const double a = table->values[i][row], b = again.values[i][row];
            if (isinf(a) || !(a == b || (isnan(a) && isnan(b))))
                abort();
        }
    fm_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_arena arena = {0};
    fm_columns table;
    fm_error error = {0};
    if (fm_columns_parse(&table, (const char *)data, size, "fuzz.csv", &arena, &error) == FM_OK) {
        if (table.columns == 0 || table.columns > FM_COLUMNS_MOST || table.rows == 0)
            abort();
        for (size_t i = 0; i < table.columns; i++)
            if (!fm_columns_find(&table, table.names[i]))
                abort();
        read_back(&table, &arena);
    } else if (error.text[0] == '\0') {
        abort();
    }
    fm_arena_free(&arena);
    return 0;
}
