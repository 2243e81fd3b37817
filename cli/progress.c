#include "progress.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

static size_t terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void cli_progress(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t width = terminal_width() - 1; /* the last column may already wrap */
    fprintf(stderr, "\r%.*s\033[K", (int)(width < sizeof text ? width : sizeof text), text);
    fflush(stderr);
}

void cli_progress_clear(void)
{
    fputs("\r\033[K", stderr);
    fflush(stderr);
}

/* --- life --- */

static struct {
    char text[128];
    size_t length; /* of it, without the seconds */
    size_t width;
    volatile sig_atomic_t seconds, shown;
    struct sigaction before;
} life;

/* In a signal handler: only write is called. */
static void show_life(int signal)
{
    (void)signal;
    char line[180], digits[12];
    size_t used = 0, count = 0;
    life.seconds++;
    for (int n = (int)life.seconds + 1; n > 0 && count < sizeof digits; n /= 10)
        digits[count++] = (char)('0' + n % 10);
    line[used++] = '\r';
    for (size_t i = 0; i < life.length; i++)
        line[used++] = life.text[i];
    while (count > 0)
        line[used++] = digits[--count];
    line[used++] = ' ';
    line[used++] = 's';
    if (used > life.width)
        used = life.width;
    for (const char *end = "\033[K"; *end; end++)
        line[used++] = *end;
    life.shown = write(STDERR_FILENO, line, used) > 0;
}

void cli_life_begin(const char *what, const char *name)
{
    if (!isatty(STDERR_FILENO))
        return;
    snprintf(life.text, sizeof life.text, "  %s %.80s, ", what, name);
    life.length = strlen(life.text);
    life.width = terminal_width();
    life.seconds = life.shown = 0;
    struct sigaction action = {.sa_handler = show_life, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, &life.before);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_sec = 2}, .it_interval = {.tv_sec = 1}}, NULL);
}

void cli_life_end(void)
{
    if (!life.length)
        return;
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    sigaction(SIGALRM, &life.before, NULL);
    if (life.shown)
        cli_progress_clear();
    life.length = 0;
}
