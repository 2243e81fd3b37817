/* One line on a terminal that shows the progress of a command. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

/* Replaces the line on stderr. It is cut at the width of the terminal, so that it never scrolls. */
void cli_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_progress_clear(void);

/* Shows "  WHAT NAME, 3 s" from 2 s on, if stderr is a terminal, until cli_life_end. */
void cli_life_begin(const char *what, const char *name);
void cli_life_end(void);

#endif
