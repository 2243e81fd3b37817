/* A loop with the page in a thread, beside a run. */
#include "page.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"
#include "net/live_show.h"
#include "net/web_address.h"

struct cli_page {
    fm_live_show live;
    uv_loop_t loop;
    uv_timer_t timer;
    uv_async_t stop;
    fm_web *web;
    pthread_t thread;
};

static void look_after(uv_timer_t *timer)
{
    fm_live_show_tell(timer->data, cli_clock(NULL));
}

static void end_loop(uv_async_t *handle)
{
    uv_stop(handle->loop);
}

static void *serve(void *user)
{
    cli_page *page = user;
    uv_run(&page->loop, UV_RUN_DEFAULT);
    fm_web_close(page->web);
    uv_close((uv_handle_t *)&page->timer, NULL);
    uv_close((uv_handle_t *)&page->stop, NULL);
    uv_run(&page->loop, UV_RUN_DEFAULT);
    return NULL;
}

static fm_status open_loop(cli_page *page, const char *http, fm_error *error)
{
    fm_web_address where;
    fm_status status = fm_web_address_read(http, NULL, &where, error);
    if (status != FM_OK)
        return status;
    uv_loop_init(&page->loop);
    uv_async_init(&page->loop, &page->stop, end_loop);
    uv_timer_init(&page->loop, &page->timer);
    page->timer.data = &page->live;
    uv_timer_start(&page->timer, look_after, 200, 200);
    page->web = fm_web_open(&page->loop, &page->live.show, &where.options, error);
    if (page->web && pthread_create(&page->thread, NULL, serve, page) == 0)
        return FM_OK;
    return page->web ? fm_fail(error, FM_ERR_MEMORY, "no thread for the page") : error->status;
}

cli_page *cli_page_open(const char *command, fm_run *run, const char *scenario, const char *http, double speed)
{
    fm_error error = {0};
    cli_page *page = calloc(1, sizeof *page);
    if (!page)
        return fprintf(stderr, "fathom %s: out of memory for the page\n", command), NULL;
    fm_status status = fm_live_show_open(&page->live, run, scenario, 30, speed, 0, &error);
    if (status == FM_OK)
        status = open_loop(page, http, &error);
    if (status != FM_OK) /* what was opened ends with the program */
        return fprintf(stderr, "fathom %s: --http: %s\n", command, error.text), NULL;
    fprintf(stderr, "%s\n", fm_web_url(page->web));
    return page;
}

void cli_page_close(cli_page *page)
{
    if (!page)
        return;
    uv_async_send(&page->stop);
    pthread_join(page->thread, NULL);
    uv_loop_close(&page->loop);
    fm_live_show_close(&page->live);
    free(page);
}
