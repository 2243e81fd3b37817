/* The six services of rcl_interfaces: the live parameters of the world and of the vehicles in it by path, and the speed
 * of the run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "bridges/ros2/ros2_call.h"
#include "world/inputs.h"

/* Types of rcl_interfaces/ParameterType. Every parameter is a double that takes an integer or a bool too. */
enum { NOT_SET = 0, DOUBLE = 3 };

static const char speed[] = "speed";

static int is_speed(const char *name)
{
    return strcmp(name, speed) == 0;
}

/* --- live parameters: the stepping thread --- */

static void write_path(const char *vehicle, const fm_live_param *live, char path[FM_ROS2_PATH])
{
    if (vehicle)
        snprintf(path, FM_ROS2_PATH, "/%.31s/%.62s", vehicle, live->path);
    else
        fm_text_copy(path, FM_ROS2_PATH, live->path);
}

/* Calls `take` with the path of every live parameter of the world and of its vehicles. */
static void visit(const fm_world *world, void (*take)(fm_ros2_call *call, const char *path), fm_ros2_call *call)
{
    char path[FM_ROS2_PATH];
    for (size_t i = 0; i < world->model->live_count; i++) {
        write_path(NULL, &world->model->live[i], path);
        take(call, path);
    }
    for (int slot = 0; slot < world->slot_count; slot++) {
        const char *name = fm_world_name(world, slot);
        const fm_type *type = name ? world->slots[slot].type : NULL;
        for (size_t i = 0; type && i < type->live_count; i++) {
            write_path(name, &type->live[i], path);
            take(call, path);
        }
    }
}

static const fm_attr *find_among(const fm_live_param *live, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(live[i].path, path) == 0)
            return live[i].attr;
    return NULL;
}

static const fm_attr *find_attribute(const fm_world *world, const char *path)
{
    const fm_attr *found = find_among(world->model->live, world->model->live_count, path);
    for (int slot = 0; slot < world->slot_count && !found; slot++) {
        const char *name = fm_world_name(world, slot);
        size_t length = name ? strlen(name) : 0;
        if (name && path[0] == '/' && strncmp(path + 1, name, length) == 0 && path[1 + length] == '/')
            found = find_among(world->slots[slot].type->live, world->slots[slot].type->live_count, path + 2 + length);
    }
    return found;
}

static void ask_values(fm_run *run, fm_run_task *task)
{
    fm_ros2_call *call = (fm_ros2_call *)(void *)task;
    const fm_world *world = fm_run_world(run);
    for (size_t i = 0; i < call->count; i++) {
        fm_ros2_question *q = &call->questions[i];
        if (fm_world_get(world, q->name, &q->value, NULL) != FM_OK)
            q->value = (double)NAN;
        if (call->ear->service == FM_ROS2_CALL_DESCRIBE)
            q->attr = find_attribute(world, q->name);
    }
    fm_ros2_call_return(call);
}

/* Checks all before the first is given, so that they are applied together, at the start of the next step, or not. */
static void set_all(fm_run *run, fm_run_task *task)
{
    fm_ros2_call *call = (fm_ros2_call *)(void *)task;
    fm_world *world = fm_run_world(run);
    fm_error error = {0};
    fm_status status = FM_OK;
    for (int checked = 0; checked < 2 && status == FM_OK; checked++)
        for (size_t i = 0; i < call->count && status == FM_OK; i++) {
            fm_ros2_question *q = &call->questions[i];
            fm_input input;
            if (is_speed(q->name))
                continue;
            status = fm_input_value(&input, FM_COMMAND_SET, NULL, q->name, q->value, &error);
            fm_input_set_holder(&input, "ros2");
            if (status == FM_OK)
                status = checked ? fm_world_input(world, &input, &error) : fm_parameter_check(world, &input, &error);
        }
    if (call->count) {
        call->questions[0].fine = status == FM_OK;
        fm_text_shorten(call->questions[0].text, sizeof call->questions[0].text, error.text);
    }
    fm_ros2_call_return(call);
}

/* --- lists: the stepping thread --- */

/* What is left of a name below a prefix; NULL: it is not below it. */
static const char *below(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0)
        return NULL;
    return name + length + (name[length] == '/' && length > 0);
}

static int is_listed(const fm_ros2_call *call, const char *name)
{
    int listed = 0;
    for (size_t i = 0; i < call->prefix_count || (i == 0 && call->prefix_count == 0); i++) {
        const char *rest = below(name, call->prefix_count ? call->prefixes[i] : "");
        uint64_t depth = 1;
        for (const char *c = rest && *rest == '/' ? rest + 1 : rest; c && *c; c++)
            depth += *c == '/';
        listed |= rest && (call->depth == 0 || depth <= call->depth);
    }
    return listed;
}

static void count_name(fm_ros2_call *call, const char *path)
{
    call->name_count += is_listed(call, path) ? 1 : 0;
}

static void note_name(fm_ros2_call *call, const char *path)
{
    if (is_listed(call, path))
        memcpy(call->names[call->name_count++], path, FM_ROS2_PATH);
}

static void ask_list(fm_run *run, fm_run_task *task)
{
    static const char own[FM_ROS2_PATH] = "speed";
    fm_ros2_call *call = (fm_ros2_call *)(void *)task;
    count_name(call, own);
    visit(fm_run_world(run), count_name, call);
    call->names = fm_alloc((call->name_count + 1) * sizeof *call->names);
    call->name_count = 0;
    if (call->names) {
        note_name(call, own);
        visit(fm_run_world(run), note_name, call);
    }
    fm_ros2_call_return(call);
}

static int copy_prefixes(fm_ros2_call *call, const fm_msg_list_parameters_request *request)
{
    call->prefixes = fm_alloc((request->prefixes.count + 1) * sizeof *call->prefixes);
    call->depth = request->depth;
    call->prefix_count = call->prefixes ? request->prefixes.count : 0;
    for (size_t i = 0; i < call->prefix_count; i++)
        fm_text_copy(call->prefixes[i], FM_ROS2_PATH, request->prefixes.items[i]);
    return call->prefixes != NULL;
}

void fm_ros2_parameters_drop(fm_ros2_call *call)
{
    fm_free(call->prefixes);
    fm_free(call->names);
}

/* --- replies: the loop's thread --- */

static void reply_set(const fm_ros2_call *call)
{
    fm_msg_set_parameters_result *results = fm_alloc((call->count + 1) * sizeof *results);
    for (size_t i = 0; results && i < call->count; i++)
        results[i] = (fm_msg_set_parameters_result){(uint8_t)call->questions[i].fine, call->questions[i].text};
    if (results)
        fm_ros2_reply_send(call, &(fm_msg_set_parameters_response){.results = {results, call->count}});
    fm_free(results);
}

/* An empty set succeeds. */
static void reply_atomically(const fm_ros2_call *call)
{
    const fm_ros2_question *q = call->questions;
    fm_ros2_reply_send(call, &(fm_msg_set_parameters_atomically_response){
                                 .result = {call->count == 0 || q->fine, call->count ? q->text : ""}});
}

static void reply_get(const fm_ros2_call *call)
{
    fm_msg_parameter_value *values = fm_alloc((call->count + 1) * sizeof *values);
    for (size_t i = 0; values && i < call->count; i++)
        values[i] = fm_ros2_parameter_value(call->questions[i].value);
    if (values)
        fm_ros2_reply_send(call, &(fm_msg_get_parameters_response){.values = {values, call->count}});
    fm_free(values);
}

static uint8_t type_of(const fm_ros2_question *q)
{
    return is_speed(q->name) || !isnan(q->value) ? DOUBLE : NOT_SET;
}

static void reply_types(const fm_ros2_call *call)
{
    uint8_t *types = fm_alloc(call->count + 1);
    for (size_t i = 0; types && i < call->count; i++)
        types[i] = type_of(&call->questions[i]);
    if (types)
        fm_ros2_reply_send(call, &(fm_msg_get_parameter_types_response){.types = {types, call->count}});
    fm_free(types);
}

typedef struct description {
    fm_msg_floating_point_range range;
    char text[400];
} description;

static fm_msg_parameter_descriptor describe(const fm_ros2_question *q, description *d)
{
    fm_msg_parameter_descriptor m = {
        .name = q->name, .type = type_of(q), .description = "", .dynamic_typing = type_of(q) != NOT_SET};
    if (is_speed(q->name))
        m.description = "times real time; 0: as fast as possible";
    if (!q->attr)
        return m;
    const int unit = q->attr->unit && q->attr->unit[0];
    snprintf(d->text, sizeof d->text, "%.300s%s%s%s", q->attr->text ? q->attr->text : "", unit ? " [" : "",
             unit ? q->attr->unit : "", unit ? "]" : "");
    m.description = d->text;
    if (q->attr->min != 0 || q->attr->max != 0) {
        d->range = (fm_msg_floating_point_range){q->attr->min, q->attr->max, 0};
        m.floating_point_range.items = &d->range;
        m.floating_point_range.count = 1;
    }
    return m;
}

static void reply_descriptions(const fm_ros2_call *call)
{
    fm_msg_parameter_descriptor *all = fm_alloc((call->count + 1) * sizeof *all);
    description *texts = fm_alloc((call->count + 1) * sizeof *texts);
    for (size_t i = 0; all && texts && i < call->count; i++)
        all[i] = describe(&call->questions[i], &texts[i]);
    if (all && texts)
        fm_ros2_reply_send(call, &(fm_msg_describe_parameters_response){.descriptors = {all, call->count}});
    fm_free(all);
    fm_free(texts);
}

/* The names, and each path above one of them once; the names of a vehicle follow each other. */
static void reply_list(const fm_ros2_call *call)
{
    const char **names = fm_alloc((2 * call->name_count + 1) * sizeof *names), **prefixes = names + call->name_count;
    char(*paths)[FM_ROS2_PATH] = fm_alloc((call->name_count + 1) * sizeof *paths);
    size_t count = 0;
    for (size_t i = 0; names && paths && i < call->name_count; i++) {
        const char *slash = strrchr(call->names[i], '/');
        size_t k = 0;
        names[i] = call->names[i];
        if (!slash || slash == call->names[i])
            continue;
        snprintf(paths[count], FM_ROS2_PATH, "%.*s", (int)(slash - call->names[i]), call->names[i]);
        while (k < count && strcmp(paths[k], paths[count]) != 0)
            k++;
        prefixes[count] = paths[count];
        count += k == count;
    }
    if (names && paths)
        fm_ros2_reply_send(call, &(fm_msg_list_parameters_response){
                                     .result = {.names = {names, call->name_count}, .prefixes = {prefixes, count}}});
    fm_free(names);
    fm_free(paths);
}

void fm_ros2_parameters_reply(fm_ros2_call *call)
{
    switch (call->ear->service) {
    case FM_ROS2_CALL_SET: reply_set(call); break;
    case FM_ROS2_CALL_SET_ATOMICALLY: reply_atomically(call); break;
    case FM_ROS2_CALL_GET: reply_get(call); break;
    case FM_ROS2_CALL_TYPES: reply_types(call); break;
    case FM_ROS2_CALL_DESCRIBE: reply_descriptions(call); break;
    default: reply_list(call);
    }
}

/* --- requests: the loop's thread --- */

size_t fm_ros2_parameters_count(int service, const void *request)
{
    const fm_msg_set_parameters_request *set = request;
    const fm_msg_get_parameters_request *get = request;
    switch (service) {
    case FM_ROS2_CALL_SET:
    case FM_ROS2_CALL_SET_ATOMICALLY: return set->parameters.count;
    case FM_ROS2_CALL_GET:
    case FM_ROS2_CALL_TYPES:
    case FM_ROS2_CALL_DESCRIBE: return get->names.count;
    default: return 1;
    }
}

static void refuse(fm_ros2_question *q, const fm_error *error)
{
    fm_ros2_tally(q->call->bridge, FM_ROS2_DROP_VALUE);
    fm_text_shorten(q->text, sizeof q->text, error->text);
}

static void order_each(fm_ros2_call *call, const fm_msg_set_parameters_request *request)
{
    for (size_t i = 0; i < call->count; i++) {
        fm_ros2_question *q = &call->questions[i];
        fm_command command;
        fm_error error = {0};
        if (fm_ros2_parameter_read(&request->parameters.items[i], &command, &error) == FM_OK) {
            fm_host_execute(call->bridge->host, &command, "ros2", fm_ros2_call_take_result, q);
            continue;
        }
        refuse(q, &error);
        fm_ros2_call_count_down(call);
    }
    fm_ros2_call_count_down(call);
}

/* The speed belongs to the run, not to the world: it cannot be set in one step with parameters of the world. */
static void order_together(fm_ros2_call *call, const fm_msg_set_parameters_atomically_request *request)
{
    fm_error error = {0};
    fm_command command = {0};
    fm_status status = FM_OK;
    for (size_t i = 0; i < call->count && status == FM_OK; i++) {
        const fm_msg_parameter *p = &request->parameters.items[i];
        status = fm_ros2_parameter_read(p, &command, &error);
        if (status == FM_OK && is_speed(p->name) && call->count > 1)
            status = fm_fail(&error, FM_ERR_RANGE, "speed: must be set alone, by set_parameters or atomically");
        snprintf(call->questions[i].name, FM_ROS2_PATH, "%.95s", p->name);
        call->questions[i].value = is_speed(p->name) ? command.speed.speed : command.set.value;
    }
    call->left = 1;
    if (status == FM_OK && call->count == 1 && is_speed(call->questions[0].name)) {
        fm_host_execute(call->bridge->host, &command, "ros2", fm_ros2_call_take_result, &call->questions[0]);
    } else if (status == FM_OK && call->count) {
        fm_text_shorten(call->questions[0].text, sizeof call->questions[0].text, "the run is over");
        fm_ros2_call_post(call, set_all);
    } else {
        if (call->count)
            refuse(&call->questions[0], &error);
        fm_ros2_call_count_down(call);
    }
}

static void ask_names(fm_ros2_call *call, const fm_msg_get_parameters_request *request)
{
    for (size_t i = 0; i < call->count; i++) {
        snprintf(call->questions[i].name, FM_ROS2_PATH, "%.95s", request->names.items[i]);
        call->questions[i].value = (double)NAN;
    }
    fm_ros2_call_post(call, ask_values);
}

void fm_ros2_parameters_work(fm_ros2_call *call, const void *request)
{
    switch (call->ear->service) {
    case FM_ROS2_CALL_SET: order_each(call, request); break;
    case FM_ROS2_CALL_SET_ATOMICALLY: order_together(call, request); break;
    case FM_ROS2_CALL_LIST:
        if (copy_prefixes(call, request)) {
            fm_ros2_call_post(call, ask_list);
        } else {
            fm_ros2_tally(call->bridge, FM_ROS2_DROP_FULL);
            fm_ros2_call_post(call, NULL);
        }
        break;
    default: ask_names(call, request); /* get, types and describe have the same request */
    }
}
