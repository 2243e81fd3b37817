/* The report of a run: one HTML page that needs nothing else. */
#ifndef FM_PLOT_RUN_REPORT_H
#define FM_PLOT_RUN_REPORT_H

#include "base/text.h"
#include "plot/run_data.h"

/* Appends the page: how it ended, overview figure, metrics, events, parameters, scenario, files. */
fm_status fm_run_report_write(const fm_mcap_reader *reader, const fm_run_data *run, const char *name, fm_text *page,
                              fm_error *error);
/* The page of a log that is open, into a file; `name` is what the page calls the log. */
fm_status fm_run_report_save(fm_mcap_reader *reader, const char *name, const char *file, fm_error *error);

#endif
