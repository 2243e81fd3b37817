/* Tests that speak with a running program: start it, find free ports, wait for its end. */
#ifndef TESTS_NET_OUTSIDE_H
#define TESTS_NET_OUTSIDE_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>

#include "support/files.h"
#include "support/program.h"

/* A program that runs beside the test. */
typedef struct outside {
    pid_t child;
    char err[64]; /* file of its error output */
} outside;

static inline struct sockaddr_in local_port(int port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

/* One that is free at present. */
static inline int free_port(int type)
{
    struct sockaddr_in at = local_port(0);
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, type, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    close(fd);
    return ntohs(at.sin_port);
}

/* `fathom` with these arguments, in the background; its error output goes to a file of this name. */
__attribute__((format(printf, 3, 4))) static inline void begin_fathom(outside *o, const char *name, const char *format,
                                                                      ...)
{
    char line[4096];
    va_list arguments;
    int n = snprintf(line, sizeof line, "exec %s ", FATHOM_PROGRAM);
    va_start(arguments, format);
    vsnprintf(line + n, sizeof line - (size_t)n, format, arguments);
    va_end(arguments);
    snprintf(o->err, sizeof o->err, "%s.err", name);
    write_file(o->err, ""); /* nothing of an earlier run is read from it */
    fflush(NULL);
    o->child = fork();
    assert_at_least(o->child, 0);
    if (o->child == 0) {
        if (!freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stdout) || !freopen(o->err, "w", stderr))
            _exit(126);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
}

/* Its exit status; *told, if not NULL, is its output, to be freed. */
static inline int end_fathom(outside *o, char **told)
{
    int status;
    assert_int_equal(waitpid(o->child, &status, 0), o->child);
    if (told)
        *told = read_file(o->err, NULL);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits until these words are in its error output. */
static inline void await_words(const outside *o, const char *words)
{
    for (double until = clock_now() + 20;; usleep(10000)) {
        char *told = read_file(o->err, NULL);
        int there = strstr(told, words) != NULL;
        if (!there && clock_now() > until)
            fail_msg("'%s' was not said: %s", words, told);
        free(told);
        if (there)
            return;
    }
}

#endif
