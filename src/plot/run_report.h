/* The report of a run: one HTML page that needs nothing else. */
#ifndef FM_PLOT_RUN_REPORT_H
#define FM_PLOT_RUN_REPORT_H

#include "base/text.h"
#include "plot/run_data.h"

/* An answer about the run (ask/probe.h). */
typedef struct fm_run_answer {
    const char *name, *text, *unit; /* the expression; SI */
    int condition;
    double value; /* NaN: unknown */
} fm_run_answer;

typedef struct fm_run_answers {
    const fm_run_answer *list;
    size_t count;
} fm_run_answers;

/* Appends the page: how it ended, overview figure, metrics, answers (NULL: none), events, parameters, scenario,
 * files. */
fm_status fm_run_report_write(const fm_mcap_reader *reader, const fm_run_data *run, const fm_run_answers *answers,
                              const char *name, fm_text *page, fm_error *error);
/* The page of a log that is open, into a file; `name` is what the page calls the log. */
fm_status fm_run_report_save(fm_mcap_reader *reader, const fm_run_answers *answers, const char *name, const char *file,
                             fm_error *error);

#endif
