/* What a program of another project does with the libraries, for test_embedding.sh; public headers alone.
 *
 *   embedding serve SCENARIO LOG SECONDS     serves, with bridges and page, and records; prints the page's address
 *   embedding figures FOLDER NAME…           draws figures */
#include <fathom/fathom.h>
#include <fathom/figures.h>
#include <fathom/server.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int fail(const fm_error *error)
{
    fprintf(stderr, "%s:%d: %s\n", error->file, error->line, error->text);
    return 1;
}

/* A run that waits for software outside (an autopilot) would never end: it is stopped a second after it says so. */
static atomic_bool waits;

static void *stop_what_waits(void *server)
{
    while (!waits)
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    fm_server_stop(server);
    return NULL;
}

static void print_url(void *user, const char *url)
{
    (void)user;
    printf("page at %s\n", url);
}

static void print_line(void *user, const char *text)
{
    (void)user;
    printf("%s\n", text);
    if (strstr(text, "waits for"))
        waits = true;
}

static int serve(const char *scenario, const char *log, double seconds)
{
    fm_error error = {0};
    const fm_server_options options = {.size = sizeof options,
                                       .port = -1,
                                       .unpaced = 1,
                                       .log = log,
                                       .duration = seconds,
                                       .seed = -1,
                                       .tell = print_line};
    const fm_server_page page = {.size = sizeof page, .scenario = scenario, .opened = print_url};
    fm_model *model = fm_model_load(scenario, NULL, &error);
    fm_server *server = model ? fm_server_create(model, &options, &error) : NULL;
    fm_status status = server ? fm_server_add_page(server, &page, &error) : FM_ERR_MODEL;
    pthread_t timer;
    const int started = status == FM_OK && pthread_create(&timer, NULL, stop_what_waits, server) == 0;
    if (status == FM_OK)
        status = fm_server_run(server, &error);
    if (started) {
        pthread_cancel(timer);
        pthread_join(timer, NULL);
    }
    fm_server_free(server);
    fm_model_free(model);
    return status == FM_OK ? 0 : fail(&error);
}

static int draw(const char *folder, const char *const *names, size_t count)
{
    fm_error error = {0};
    const fm_figures_options options = {.size = sizeof options, .dir = folder, .names = names, .name_count = count};
    fm_figures *figures = fm_figures_run(&options, &error);
    if (!figures)
        return fail(&error);
    fm_figures_free(figures);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "serve") == 0)
        return serve(argv[2], argv[3], atof(argv[4]));
    if (argc > 3 && strcmp(argv[1], "figures") == 0)
        return draw(argv[2], (const char *const *)(argv + 3), (size_t)argc - 3);
    fprintf(stderr, "usage: embedding serve SCENARIO LOG SECONDS | figures FOLDER NAME…\n");
    return 2;
}
