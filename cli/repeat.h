/* Repeating the run of a log, as `fathom replay` does, also for what looks at it: expressions in figures and reports.
 */
#ifndef CLI_REPEAT_H
#define CLI_REPEAT_H

#include <stdbool.h>

#include "run/verify.h"

/* What looks at the run. */
typedef struct cli_repeat_watch {
    fm_status (*start)(void *user, const fm_model *model, fm_error *error); /* the model lives until `end` returns */
    void (*tick)(void *user, const fm_world *world);                        /* before the first step and after each */
    void (*end)(void *user);                                                /* always called if `start` was */
    void *user;
} cli_repeat_watch;

/* Repeats the run of an open log. Prints errors in the name of `command`; false: it could not be repeated. Whether it
 * was the same is in *result. `watch` may be NULL. */
bool cli_repeat_log(const char *command, const char *file, fm_mcap_reader *reader, int threads,
                    const cli_repeat_watch *watch, fm_verify_result *result);
/* The same for answers about the recorded run: a run that differs from the log is an error. */
bool cli_repeat_watched(const char *command, const char *file, fm_mcap_reader *reader, const cli_repeat_watch *watch);

#endif
