/* libFuzzer target: any bytes as a log, read as plot and export read it: columns of every channel, the overview. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "plot/overview.h"
#include "telemetry/export.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One input of eight, by its bytes: drawing takes most of the time. */
static int is_drawn(const uint8_t *data, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 16777619u;
    return hash % 8 == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_error error = {0};
    fm_mcap_reader *reader;
    fm_export_set set = {0};
    fm_run_data run;
    if (fm_mcap_open_memory(data, size, &reader, &error) != FM_OK)
        return 0;
    if (fm_export_prepare(reader, &(fm_export_options){.ned = 1}, '.', &set, &error) == FM_OK)
        fm_export_set_free(&set);
    if (fm_run_data_read(reader, NULL, &run, &error) == FM_OK && is_drawn(data, size))
        fm_figure_destroy(fm_overview_draw((const fm_run_data *const[]){&run}, 1, FM_THEME_LIGHT));
    fm_run_data_free(&run);
    fm_mcap_reader_close(reader);
    return 0;
}
