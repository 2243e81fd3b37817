/* State of a show besides its messages. */
#include "page/show.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/priority.h"
#include "page/show_calls.h"

fm_status fm_show_open(fm_show *show, const char *name, fm_error *error)
{
    *show = (fm_show){.hub = fm_hub_create(0), .metadata = json_object()};
    fm_lock_create(&show->lock);
    snprintf(show->name, sizeof show->name, "%s", name);
    if (show->hub && show->metadata)
        return FM_OK;
    fm_show_close(show);
    return fm_fail(error, FM_ERR_MEMORY, "out of memory for a show");
}

void fm_show_close(fm_show *show)
{
    while (show->calls)
        fm_show_call_free(show->calls);
    fm_hub_free(show->hub);
    json_decref(show->metadata);
    fm_free(show->params);
    pthread_mutex_destroy(&show->lock);
    *show = (fm_show){0};
}

fm_status fm_show_reserve(fm_show *show, size_t count, fm_error *error)
{
    show->params = count ? fm_alloc(count * sizeof *show->params) : NULL;
    if (count && !show->params)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for %zu parameters", count);
    show->param_count = count;
    return FM_OK;
}

static fm_show_param *find(const fm_show *show, const char *path)
{
    for (size_t i = 0; i < show->param_count; i++)
        if (strcmp(show->params[i].path, path) == 0)
            return &show->params[i];
    return NULL;
}

const fm_show_param *fm_show_find_param(const fm_show *show, const char *path)
{
    return find(show, path);
}

void fm_show_param_changed(fm_show *show, const char *path, double value)
{
    pthread_mutex_lock(&show->lock);
    fm_show_param *param = find(show, path);
    if (param && param->numeric) {
        param->value = value;
        param->version = ++show->param_version;
    }
    pthread_mutex_unlock(&show->lock);
}

void fm_show_params_reset(fm_show *show)
{
    pthread_mutex_lock(&show->lock);
    uint64_t version = ++show->param_version;
    for (size_t i = 0; i < show->param_count; i++) {
        fm_show_param *param = &show->params[i];
        if (!param->numeric || param->value == param->first)
            continue;
        param->value = param->first;
        param->version = version;
    }
    pthread_mutex_unlock(&show->lock);
}
