/* Services: requests become commands or queries to the world; replies are sent when these are answered. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "bridges/ros2/ros2_bridge.h"

enum { QUESTIONS = 4096 }; /* parameters of one request at most */

typedef struct question {
    fm_ros2_call *call;
    char name[96];
    double value;   /* NaN: there is none */
    int fine;       /* it was done */
    char text[160]; /* why not */
} question;

/* A request in progress. */
struct fm_ros2_call {
    fm_run_task task; /* first: it is found by it */
    fm_ros2_bridge *bridge;
    fm_ros2_call *next;     /* of all */
    fm_ros2_call *answered; /* the next on its way back */
    const fm_ros2_ear *ear;
    uint8_t frame[FM_ROS2_FRAME];
    size_t count, left; /* queries; those not yet answered */
    question questions[];
};

static void drop_call(fm_ros2_call *call)
{
    fm_ros2_call **at = &call->bridge->calls;
    while (*at != call)
        at = &(*at)->next;
    *at = call->next;
    fm_free(call);
}

/* --- replies --- */

static void send_reply(fm_ros2_bridge *bridge, const fm_ros2_ear *ear, const uint8_t *frame, const void *message)
{
    fm_arena arena = {0};
    size_t size = 0;
    uint8_t *bytes = fm_ros2_reply_write((fm_ros2_service_kind)ear->service, frame, message, &arena, &size);
    fm_ros2_tally(bridge, bytes && fm_dds_write(&ear->reply, bytes, size) ? FM_ROS2_SENT : FM_ROS2_DROP_WRITE);
    fm_arena_free(&arena);
}

static void reply_done(const fm_ros2_call *call)
{
    /* SetBool answers with the same fields. */
    const question *q = &call->questions[0];
    send_reply(call->bridge, call->ear, call->frame, &(fm_msg_trigger_response){(uint8_t)q->fine, q->text});
}

static void reply_set(const fm_ros2_call *call)
{
    fm_msg_set_parameters_result *results = fm_alloc((call->count + 1) * sizeof *results);
    for (size_t i = 0; results && i < call->count; i++)
        results[i] = (fm_msg_set_parameters_result){(uint8_t)call->questions[i].fine, call->questions[i].text};
    if (results)
        send_reply(call->bridge, call->ear, call->frame,
                   &(fm_msg_set_parameters_response){.results = {results, call->count}});
    fm_free(results);
}

static void reply_get(const fm_ros2_call *call)
{
    fm_msg_parameter_value *values = fm_alloc((call->count + 1) * sizeof *values);
    for (size_t i = 0; values && i < call->count; i++)
        values[i] = fm_ros2_parameter_value(call->questions[i].value);
    if (values)
        send_reply(call->bridge, call->ear, call->frame,
                   &(fm_msg_get_parameters_response){.values = {values, call->count}});
    fm_free(values);
}

static void finish_call(fm_ros2_call *call)
{
    if (call->ear->service == FM_ROS2_CALL_SET)
        reply_set(call);
    else if (call->ear->service == FM_ROS2_CALL_GET)
        reply_get(call);
    else
        reply_done(call);
    drop_call(call);
}

static void count_down(fm_ros2_call *call)
{
    if (--call->left == 0)
        finish_call(call);
}

/* --- commands --- */

static void take_result(void *user, const fm_wire_result *result)
{
    question *q = user;
    q->fine = result->code == FM_WIRE_DONE;
    if (!q->fine) {
        fm_ros2_tally(q->call->bridge, FM_ROS2_DROP_REFUSED);
        fm_text_copy(q->text, sizeof q->text, result->text[0] ? result->text : "refused");
    }
    count_down(q->call);
}

static void order_one(fm_ros2_call *call, const fm_command *command)
{
    fm_host_execute(call->bridge->host, command, "ros2", take_result, &call->questions[0]);
}

static void order_parameters(fm_ros2_call *call, const fm_msg_set_parameters_request *request)
{
    for (size_t i = 0; i < call->count; i++) {
        question *q = &call->questions[i];
        fm_command command;
        fm_error error = {0};
        if (fm_ros2_parameter_read(&request->parameters.items[i], &command, &error) == FM_OK) {
            fm_host_execute(call->bridge->host, &command, "ros2", take_result, q);
            continue;
        }
        fm_ros2_tally(call->bridge, FM_ROS2_DROP_VALUE);
        fm_text_copy(q->text, sizeof q->text, error.text);
        count_down(call);
    }
}

static void order_command(fm_ros2_call *call, const void *request)
{
    const fm_command_kind kind = (fm_command_kind)(call->ear->service - FM_ROS2_CALL_COMMAND);
    fm_command command;
    fm_error error = {0};
    if (fm_ros2_command_read(kind, request, &command, &error) == FM_OK) {
        order_one(call, &command);
        return;
    }
    fm_ros2_tally(call->bridge, FM_ROS2_DROP_VALUE);
    fm_text_copy(call->questions[0].text, sizeof call->questions[0].text, error.text);
    count_down(call);
}

/* --- questions to the world --- */

static void ask_world(fm_run *run, fm_run_task *task)
{
    fm_ros2_call *call = (fm_ros2_call *)(void *)task;
    fm_ros2_bridge *bridge = call->bridge;
    for (size_t i = 0; i < call->count; i++)
        if (fm_world_get(fm_run_world(run), call->questions[i].name, &call->questions[i].value, NULL) != FM_OK)
            call->questions[i].value = (double)NAN;
    pthread_mutex_lock(&bridge->lock);
    call->answered = bridge->answered;
    bridge->answered = call;
    pthread_mutex_unlock(&bridge->lock);
    uv_async_send(&bridge->wake);
}

static void ask_parameters(fm_ros2_call *call, const fm_msg_get_parameters_request *request)
{
    fm_ros2_bridge *bridge = call->bridge;
    for (size_t i = 0; i < call->count; i++) {
        snprintf(call->questions[i].name, sizeof call->questions[i].name, "%.95s", request->names.items[i]);
        call->questions[i].value = (double)NAN;
    }
    call->task.call = ask_world;
    pthread_mutex_lock(&bridge->lock);
    int asked = bridge->run && fm_run_post(bridge->run, &call->task) == FM_OK;
    pthread_mutex_unlock(&bridge->lock);
    if (!asked)
        finish_call(call);
}

void fm_ros2_calls_answer(fm_ros2_bridge *bridge)
{
    pthread_mutex_lock(&bridge->lock);
    fm_ros2_call *call = bridge->answered;
    bridge->answered = NULL;
    pthread_mutex_unlock(&bridge->lock);
    for (fm_ros2_call *next; call; call = next) {
        next = call->answered;
        finish_call(call);
    }
}

static int has_prefix(const fm_msg_list_parameters_request *request, const char *path)
{
    int wanted = request->prefixes.count == 0;
    for (size_t i = 0; i < request->prefixes.count && !wanted; i++)
        wanted = strncmp(path, request->prefixes.items[i], strlen(request->prefixes.items[i])) == 0;
    return wanted;
}

/* Live parameters, and the speed of the run. */
static void list_parameters(fm_ros2_bridge *bridge, const fm_ros2_ear *ear, const uint8_t *frame,
                            const fm_msg_list_parameters_request *request)
{
    const fm_model *model = fm_host_model(bridge->host);
    const char **names = fm_alloc((fm_model_param_count(model) + 1) * sizeof *names);
    size_t count = 0;
    if (!names)
        return;
    if (has_prefix(request, "speed"))
        names[count++] = "speed";
    for (size_t i = 0; i < fm_model_param_count(model); i++) {
        fm_param_info info = fm_model_param(model, i);
        if (info.live && has_prefix(request, info.path))
            names[count++] = info.path;
    }
    send_reply(bridge, ear, frame, &(fm_msg_list_parameters_response){.result.names = {names, count}});
    fm_free(names);
}

/* --- requests --- */

static size_t question_count(int service, const void *request)
{
    const fm_msg_set_parameters_request *set = request;
    const fm_msg_get_parameters_request *get = request;
    return service == FM_ROS2_CALL_SET ? set->parameters.count : service == FM_ROS2_CALL_GET ? get->names.count : 1;
}

static fm_ros2_call *make_call(fm_ros2_bridge *bridge, const fm_ros2_ear *ear, const uint8_t *frame, size_t count)
{
    fm_ros2_call *call = count <= QUESTIONS ? fm_alloc(sizeof *call + count * sizeof *call->questions) : NULL;
    if (!call)
        return NULL;
    call->bridge = bridge;
    call->ear = ear;
    memcpy(call->frame, frame, FM_ROS2_FRAME);
    call->count = count;
    call->left = count + 1; /* ours: replies wait until all parts were requested */
    for (size_t i = 0; i < count; i++)
        call->questions[i].call = call;
    call->next = bridge->calls;
    bridge->calls = call;
    return call;
}

static void work_call(fm_ros2_call *call, const void *request)
{
    const fm_msg_set_bool_request *pause = request;
    switch (call->ear->service) {
    case FM_ROS2_CALL_PAUSE:
        order_one(call, &(fm_command){.kind = pause->data ? FM_COMMAND_STOP : FM_COMMAND_START});
        break;
    case FM_ROS2_CALL_STEP: order_one(call, &(fm_command){.kind = FM_COMMAND_STEP, .step.steps = 1}); break;
    case FM_ROS2_CALL_RESET: order_one(call, &(fm_command){.kind = FM_COMMAND_RESET}); break;
    case FM_ROS2_CALL_SET: order_parameters(call, request); break;
    case FM_ROS2_CALL_GET: ask_parameters(call, request); return; /* answered as a whole */
    default: order_command(call, request);
    }
    count_down(call);
}

void fm_ros2_serve(fm_ros2_bridge *bridge, const fm_ros2_ear *ear, const void *data, size_t size)
{
    uint8_t frame[FM_ROS2_FRAME];
    void *request = NULL;
    fm_error error = {0};
    fm_status status =
        fm_ros2_request_read((fm_ros2_service_kind)ear->service, data, size, frame, &request, &bridge->arena, &error);
    if (status != FM_OK) {
        fm_ros2_tally(bridge, status == FM_ERR_ARGUMENT ? FM_ROS2_DROP_FRAMING : FM_ROS2_DROP_SYNTAX);
        return;
    }
    if (ear->service == FM_ROS2_CALL_LIST) {
        list_parameters(bridge, ear, frame, request);
        return;
    }
    fm_ros2_call *call = make_call(bridge, ear, frame, question_count(ear->service, request));
    if (call)
        work_call(call, request);
    else
        fm_ros2_tally(bridge, FM_ROS2_DROP_FULL);
}

void fm_ros2_calls_drop(fm_ros2_bridge *bridge)
{
    while (bridge->calls)
        drop_call(bridge->calls);
}
