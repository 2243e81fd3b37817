/* Adds the page to a server, for programs. */
#include <fathom/server.h>

#include "base/memory.h"
#include "base/options.h"
#include "page/page_door.h"
#include "server/server.h"

/* receives the page's addresses; lives as long as the server */
typedef struct listener {
    void (*opened)(void *user, const char *url);
    void *user;
} listener;

static void pass_urls(void *user, const fm_web_url *urls, size_t count)
{
    listener *l = user;
    for (size_t i = 0; i < count; i++)
        l->opened(l->user, urls[i].text);
    fm_free(l);
}

fm_status fm_server_add_page(fm_server *server, const fm_server_page *page, fm_error *error)
{
    fm_server_page p;
    fm_door door;
    fm_status status = FM_READ_OPTIONS(&p, page, fm_server_page, error);
    if (status == FM_OK && !server)
        status = fm_fail(error, FM_ERR_ARGUMENT, "server must not be NULL");
    if (status != FM_OK)
        return status;
    listener *l = p.opened ? fm_alloc(sizeof *l) : NULL;
    if (p.opened && !l)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a page");
    if (l)
        *l = (listener){p.opened, p.user};
    fm_page_options options = {
        .http = p.http, .token = p.token, .scenario = p.scenario, .opened = l ? pass_urls : NULL, .user = l};
    status = fm_page_door(&options, &door, error);
    if (status == FM_OK)
        status = fm_server_add_door(server, &door, error);
    if (status != FM_OK)
        fm_free(l);
    return status;
}
