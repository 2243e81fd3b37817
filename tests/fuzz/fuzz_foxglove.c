/* libFuzzer target: what a viewer says, text or binary, is answered or refused, and every frame that is due can be
 * given. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "page/foxglove.h"

static fm_status set_param(fm_show *show, const char *path, double value, fm_error *error)
{
    if (!(value > 0))
        return fm_fail(error, FM_ERR_RANGE, "%s: %g is not above 0", path, value);
    fm_show_param_changed(show, path, value);
    return FM_OK;
}

static fm_status call(fm_show *show, const char *service, const json_t *request, json_t *reply, fm_error *error)
{
    (void)show;
    (void)reply;
    return json_object_size(request) < 3 ? FM_OK : fm_fail(error, FM_ERR_ARGUMENT, "%s", service);
}

static void play(fm_show *show, const fm_play *wanted, fm_play *now)
{
    (void)show;
    *now = *wanted;
}

static const fm_show_service services[] = {{"/step", "steps", "{}"}};

/* As fm_show_open does, but with a ring of 64 kB: 32 MB to clear each time are most of the time. */
static void open_show(fm_show *show)
{
    *show = (fm_show){.hub = fm_hub_create(1 << 16), .metadata = json_object(), .name = "Fathom"};
    pthread_mutex_init(&show->lock, NULL);
    if (!show->hub || !show->metadata || fm_show_reserve(show, 1, NULL) != FM_OK)
        abort();
    show->params[0] = (fm_show_param){.path = "/a", .unit = "", .text = "", .live = 1, .numeric = 1, .value = 1};
    show->set = set_param;
    show->call = call;
    show->play = play;
    show->services = services;
    show->service_count = 1;
    fm_hub_add(show->hub, &(fm_hub_channel){"/x", "json", "t", "{}", "jsonschema", 0});
    fm_hub_publish(show->hub, &(fm_hub_message){0, 1, "{}", 2});
}

/* One message a line of the input; the first byte of each says whether it is text. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_show show;
    open_show(&show);
    fm_foxglove *viewer = fm_foxglove_open(&show);
    while (viewer && size) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t length = end ? (size_t)(end - data) : size;
        fm_foxglove_frame frame;
        if (length && fm_foxglove_take(viewer, data[0] & 1, data + 1, length - 1, NULL) != FM_OK)
            break;
        for (int n = 0; n < 100 && fm_foxglove_next(viewer, &frame) == 1; n++)
            if (!frame.size)
                abort();
        data += length + (end != NULL);
        size -= length + (end != NULL);
    }
    fm_foxglove_close(viewer);
    fm_show_close(&show);
    return 0;
}
