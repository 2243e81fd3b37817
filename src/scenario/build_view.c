/* <view>: what the page shows first. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "scenario/build.h"

enum { CAMERA_FOLLOW, CAMERA_ORBIT, CAMERA_MAP, CAMERA_FLY, CAMERA_ONBOARD };
static const char *const camera_names[] = {
    [CAMERA_FOLLOW] = "follow", [CAMERA_ORBIT] = "orbit",     [CAMERA_MAP] = "map",
    [CAMERA_FLY] = "fly",       [CAMERA_ONBOARD] = "onboard", NULL};

typedef struct view_config {
    int64_t camera;
    double from[3], to[3]; /* m */
    const char *follow;
} view_config;

static const fm_attr view_attrs[] = {
    FM_CHOICE_ATTR(view_config, camera, camera_names, "camera", "follow", 0,
                   "follow: near the vehicle, and with it; orbit: at rest; map: from above, north up; fly: moved by "
                   "keys; onboard: from the vehicle"),
    FM_VECTOR_ATTR(view_config, from, 3, "from", "m", -1e5, 1e5, NULL, 0,
                   "place of the camera: north, east, down; with camera=\"follow\" from the vehicle: forward, "
                   "starboard, down; default: where the page sees all that is there"),
    FM_VECTOR_ATTR(view_config, to, 3, "to", "m", -1e5, 1e5, NULL, 0,
                   "point that the camera looks at, where it follows no vehicle: north, east, down; default: the "
                   "middle of the vehicles"),
    FM_TEXT_ATTR(view_config, follow, "follow", NULL, 0,
                 "name of the vehicle that is selected; default: the first one"),
};
const fm_element fm_view_element = FM_TABLE_ELEMENT(view_config, "view", view_attrs, NULL, FM_ELEMENT_ONCE,
                                                    "What the page shows first. It changes nothing in the world.");

/* "from":[1,2,3] where the attribute is written. */
static size_t add_place(char *text, size_t size, const fm_node *node, const char *name, const double at[3])
{
    char number[3][40];
    if (!fm_node_written(node, name))
        return 0;
    for (int i = 0; i < 3; i++)
        fm_text_number_write(number[i], sizeof number[i], at[i]);
    int n = snprintf(text, size, ",\"%s\":[%s,%s,%s]", name, number[0], number[1], number[2]);
    return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

static bool is_vehicle(const fm_model *model, const char *name)
{
    for (size_t i = 0; i < model->vehicle_count; i++)
        if (strcmp(model->vehicles[i].name, name) == 0)
            return true;
    return false;
}

fm_status fm_build_view(fm_builder *b)
{
    const fm_node *node = fm_node_child(b->tree->root, "view");
    char text[512];
    view_config c;
    b->model->view = "";
    if (!node)
        return FM_OK;
    fm_node_fill(node, &c);
    if (c.follow && !is_vehicle(b->model, c.follow))
        return fm_node_fail(node, "follow", b->report, FM_ERR_NAME, "'%s' is not a vehicle of the scenario", c.follow);
    size_t n = (size_t)snprintf(text, sizeof text, "{\"camera\":\"%s\"", camera_names[c.camera]);
    if (c.follow)
        n += (size_t)snprintf(text + n, sizeof text - n, ",\"follow\":\"%.80s\"", c.follow);
    n += add_place(text + n, sizeof text - n, node, "from", c.from);
    n += add_place(text + n, sizeof text - n, node, "to", c.to);
    snprintf(text + n, sizeof text - n, "}");
    b->model->view = fm_arena_text(&b->model->arena, text);
    return b->model->view ? FM_OK : fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the view");
}

/* The comment before the root element, on one line: what the scenario shows. */
fm_status fm_build_about(fm_builder *b)
{
    const fm_tree_file *file = b->tree->files;
    const char *text = file && file->data ? file->data : "", *end = text + (file && file->data ? file->size : 0);
    const char *first = NULL, *last = NULL;
    for (const char *at = text; !first && at + 4 < end && strncmp(at, "<fathom", 7) != 0; at++)
        if (strncmp(at, "<!--", 4) == 0)
            first = at + 4;
    for (const char *at = first; at && !last && at + 3 <= end; at++)
        if (strncmp(at, "-->", 3) == 0)
            last = at;
    b->model->about = "";
    if (!last)
        return FM_OK;
    char *about = fm_arena_alloc(&b->model->arena, (size_t)(last - first) + 1);
    if (!about)
        return fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the scenario's comment");
    size_t n = 0;
    for (const char *at = first; at < last; at++) {
        int blank = *at == ' ' || *at == '\n' || *at == '\t' || *at == '\r';
        if (!blank)
            about[n++] = *at;
        else if (n > 0 && about[n - 1] != ' ')
            about[n++] = ' ';
    }
    about[n > 0 && about[n - 1] == ' ' ? n - 1 : n] = 0;
    b->model->about = about;
    return FM_OK;
}
