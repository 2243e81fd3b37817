/* Programs in fresh processes: what they exit with and what they say. A program_run is large: make it static. */
#ifndef TESTS_SUPPORT_PROGRAM_H
#define TESTS_SUPPORT_PROGRAM_H

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cmocka_all.h"

#define FATHOM_PROGRAM "../fathom" /* beside the folder that tests work in (anchor.c) */

typedef struct program_run {
    char line[4096]; /* as given to the shell */
    int status;      /* of its exit; 128 + the signal's number where one ended it */
    double seconds;  /* of the processor that it took */
    long megabytes;  /* of memory that it had at most */
    char out[1 << 20], err[1 << 16];
} program_run;

static inline void read_stream(FILE *stream, char *text, size_t size)
{
    rewind(stream);
    text[fread(text, 1, size - 1, stream)] = 0;
    fclose(stream);
}

/* Runs r->line in a shell. Standard input is empty. */
static inline void run_line(program_run *r)
{
    FILE *out = tmpfile(), *err = tmpfile();
    assert_non_null(out);
    assert_non_null(err);
    fflush(NULL);
    pid_t child = fork();
    assert_at_least(child, 0);
    if (child == 0) {
        int nothing = open("/dev/null", O_RDONLY);
        if (dup2(nothing, 0) < 0 || dup2(fileno(out), 1) < 0 || dup2(fileno(err), 2) < 0)
            _exit(126);
        execl("/bin/sh", "sh", "-c", r->line, (char *)NULL);
        _exit(127);
    }
    int status;
    struct rusage used;
    assert_int_equal(wait4(child, &status, 0, &used), child);
    r->seconds = (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec;
    r->megabytes = used.ru_maxrss / 1024;
    r->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    read_stream(out, r->out, sizeof r->out);
    read_stream(err, r->err, sizeof r->err);
}

/* Any program; returns the exit status. */
__attribute__((format(printf, 2, 3))) static inline int run_shell(program_run *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->line, sizeof r->line, format, arguments);
    va_end(arguments);
    run_line(r);
    return r->status;
}

/* `fathom` with these arguments; returns the exit status. */
__attribute__((format(printf, 2, 3))) static inline int run_fathom(program_run *r, const char *format, ...)
{
    va_list arguments;
    int n = snprintf(r->line, sizeof r->line, "%s ", FATHOM_PROGRAM);
    va_start(arguments, format);
    vsnprintf(r->line + n, sizeof r->line - (size_t)n, format, arguments);
    va_end(arguments);
    run_line(r);
    return r->status;
}

/* Whether these words are in its output or errors. */
static inline int said(const program_run *r, const char *words)
{
    return strstr(r->out, words) || strstr(r->err, words);
}

/* The exit status and words that must stand in the output or among the errors. */
static inline void expect_run(const program_run *r, int status, const char *words)
{
    if (r->status != status || !said(r, words))
        fail_msg("%s: exit status %d, expected %d with '%s'; said: %.3000s%.3000s", r->line, r->status, status, words,
                 r->out, r->err);
}

#endif
