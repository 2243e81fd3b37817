/* A log drawn, from file to file (fathom/figures.h). */
#include "base/error.h"
#include "plot/overview.h"
#include "plot/run_report.h"

static fm_status open_log(const char *log, const char *file, fm_mcap_reader **reader, fm_error *error)
{
    if (!log || !file)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s must not be NULL", log ? "file" : "log");
    return fm_mcap_open(log, reader, error);
}

fm_status fm_log_report(const char *log, const char *file, fm_error *error)
{
    fm_mcap_reader *reader;
    fm_status status = open_log(log, file, &reader, error);
    if (status != FM_OK)
        return status;
    status = fm_run_report_save(reader, NULL, log, file, error);
    fm_mcap_reader_close(reader);
    return status;
}

static fm_status draw(fm_mcap_reader *reader, const char *log, const char *file, fm_theme theme, fm_error *error)
{
    fm_error found = {0};
    fm_run_data run;
    fm_status status = fm_run_data_read(reader, NULL, &run, &found);
    if (status == FM_OK) {
        const fm_run_data *runs[] = {&run};
        fm_figure *figure = fm_overview_draw(runs, 1, theme);
        status = fm_figure_write(figure, file, error);
        fm_figure_destroy(figure);
    } else {
        fm_fail(error, status, "%s: %s", log, found.text);
    }
    fm_run_data_free(&run);
    return status;
}

fm_status fm_log_draw(const char *log, const char *file, fm_theme theme, fm_error *error)
{
    fm_mcap_reader *reader;
    fm_status status = open_log(log, file, &reader, error);
    if (status != FM_OK)
        return status;
    status = draw(reader, log, file, theme, error);
    fm_mcap_reader_close(reader);
    return status;
}
