#include "page/page_door.h"

#include <stdio.h>

#include "base/memory.h"
#include "page/live_show.h"
#include "page/web_address.h"
#include "server/clock.h"

enum { TELL_EVERY = 200 /* ms */, RATE = 30, URLS = 16 };

typedef struct page_door {
    fm_page_options options;
    char scenario[256];
    fm_web_address where;
    fm_live_show live;
    fm_web *web;
    uv_timer_t timer;
    int timed;
} page_door;

static void tell(uv_timer_t *timer)
{
    fm_live_show_tell(timer->data, fm_clock_now(NULL));
}

static fm_status open_door(void *user, fm_host *host, fm_error *error)
{
    page_door *door = user;
    uv_loop_t *loop = fm_host_loop(host);
    fm_status status = fm_live_show_open(&door->live, fm_host_run(host), door->scenario, door->options.rate,
                                         door->options.speed, 0, error);
    if (status != FM_OK)
        return status;
    door->live.host = host;
    door->web = fm_web_open(loop, &door->live.show, &door->where.options, error);
    if (!door->web)
        return error->status;
    uv_timer_init(loop, &door->timer);
    door->timed = 1;
    door->timer.data = &door->live;
    uv_timer_start(&door->timer, tell, TELL_EVERY, TELL_EVERY);
    fm_web_url urls[URLS];
    size_t count = fm_web_urls(door->web, urls, URLS);
    if (door->options.opened)
        door->options.opened(door->options.user, urls, count < URLS ? count : URLS);
    return FM_OK;
}

static void close_door(void *user)
{
    page_door *door = user;
    if (door->timed)
        uv_close((uv_handle_t *)&door->timer, NULL);
    fm_web_hang_up(door->web);
}

static void release_door(void *user)
{
    page_door *door = user;
    fm_web_free(door->web);
    fm_live_show_close(&door->live);
    fm_free(door);
}

fm_status fm_page_door(const fm_page_options *options, fm_door *door, fm_error *error)
{
    page_door *page = fm_alloc(sizeof *page);
    if (!page)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the page");
    page->options = *options;
    page->options.rate = options->rate > 0 ? options->rate : RATE;
    snprintf(page->scenario, sizeof page->scenario, "%s", options->scenario ? options->scenario : "");
    fm_status status = fm_web_address_read(options->http, options->token, &page->where, error);
    if (status != FM_OK) {
        fm_free(page);
        return status;
    }
    *door = (fm_door){.name = "page", .open = open_door, .close = close_door, .release = release_door, .user = page};
    return FM_OK;
}
