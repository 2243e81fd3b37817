/* Services: requests become commands or queries to the world; replies are sent when these are answered. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "bridges/ros2/ros2_call.h"

enum { QUESTIONS = 4096 };       /* parameters of one request at most */
enum { TURN = 10, TURNS = 200 }; /* ms between two attempts to send a reply; attempts, then it is sent all the same */

static void drop_call(fm_ros2_call *call)
{
    fm_ros2_call **at = &call->bridge->calls;
    while (*at != call)
        at = &(*at)->next;
    *at = call->next;
    fm_ros2_parameters_drop(call);
    fm_free(call);
}

static int is_of_parameters(int service)
{
    return service >= FM_ROS2_CALL_SET && service <= FM_ROS2_CALL_LIST;
}

/* --- replies --- */

static void retry(uv_timer_t *timer)
{
    fm_ros2_replies_retry(timer->data);
}

/* A client of Fast DDS may call before this side has met the reader that takes its replies. */
static int hold_reply(const fm_ros2_call *call, const uint8_t *bytes, size_t size)
{
    fm_ros2_bridge *bridge = call->bridge;
    fm_ros2_reply *reply = fm_alloc(sizeof *reply + size);
    if (!reply)
        return 0;
    reply->writer = &call->ear->reply;
    reply->to = call->sender.origin;
    reply->size = size;
    memcpy(reply->bytes, bytes, size);
    reply->next = bridge->held;
    bridge->held = reply;
    uv_timer_start(&bridge->retry, retry, TURN, TURN);
    return 1;
}

void fm_ros2_reply_send(const fm_ros2_call *call, const void *message)
{
    fm_arena arena = {0};
    size_t size = 0;
    const fm_ros2_sender *to = &call->sender;
    const fm_ros2_service_kind kind = (fm_ros2_service_kind)call->ear->service;
    uint8_t *bytes = fm_ros2_reply_write(kind, to->related ? NULL : to->frame, message, &arena, &size);
    if (bytes && to->related && !fm_dds_is_ready(&call->ear->reply, &to->origin) && hold_reply(call, bytes, size))
        return fm_arena_free(&arena);
    int sent = bytes && (to->related ? fm_dds_write_related(&call->ear->reply, bytes, size, &to->origin)
                                     : fm_dds_write(&call->ear->reply, bytes, size));
    fm_ros2_tally(call->bridge, sent ? FM_ROS2_SENT : FM_ROS2_DROP_WRITE);
    fm_arena_free(&arena);
}

void fm_ros2_replies_retry(fm_ros2_bridge *bridge)
{
    for (fm_ros2_reply **at = &bridge->held, *reply; (reply = *at);) {
        if (!fm_dds_is_ready(reply->writer, &reply->to) && ++reply->turns < TURNS) {
            at = &reply->next;
            continue;
        }
        int sent = fm_dds_write_related(reply->writer, reply->bytes, reply->size, &reply->to);
        fm_ros2_tally(bridge, sent ? FM_ROS2_SENT : FM_ROS2_DROP_WRITE);
        *at = reply->next;
        fm_free(reply);
    }
    if (!bridge->held)
        uv_timer_stop(&bridge->retry);
}

static void reply_done(const fm_ros2_call *call)
{
    /* SetBool answers with the same fields. */
    const fm_ros2_question *q = &call->questions[0];
    fm_ros2_reply_send(call, &(fm_msg_trigger_response){(uint8_t)q->fine, q->text});
}

static void finish_call(fm_ros2_call *call)
{
    if (is_of_parameters(call->ear->service))
        fm_ros2_parameters_reply(call);
    else
        reply_done(call);
    drop_call(call);
}

void fm_ros2_call_count_down(fm_ros2_call *call)
{
    if (--call->left == 0)
        finish_call(call);
}

/* --- commands --- */

void fm_ros2_call_take_result(void *user, const fm_wire_result *result)
{
    fm_ros2_question *q = user;
    q->fine = result->code == FM_WIRE_DONE;
    if (!q->fine) {
        fm_ros2_tally(q->call->bridge, FM_ROS2_DROP_REFUSED);
        fm_text_shorten(q->text, sizeof q->text, result->text[0] ? result->text : "refused");
    }
    fm_ros2_call_count_down(q->call);
}

static void order_one(fm_ros2_call *call, const fm_command *command)
{
    fm_host_execute(call->bridge->host, command, "ros2", fm_ros2_call_take_result, &call->questions[0]);
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
    fm_text_shorten(call->questions[0].text, sizeof call->questions[0].text, error.text);
    fm_ros2_call_count_down(call);
}

/* --- questions to the world --- */

void fm_ros2_call_return(fm_ros2_call *call)
{
    fm_ros2_bridge *bridge = call->bridge;
    pthread_mutex_lock(&bridge->lock);
    call->answered = bridge->answered;
    bridge->answered = call;
    pthread_mutex_unlock(&bridge->lock);
    uv_async_send(&bridge->wake);
}

void fm_ros2_call_post(fm_ros2_call *call, void (*ask)(fm_run *run, fm_run_task *task))
{
    fm_ros2_bridge *bridge = call->bridge;
    call->task.call = ask;
    pthread_mutex_lock(&bridge->lock);
    int asked = ask && bridge->run && fm_run_post(bridge->run, &call->task) == FM_OK;
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

/* --- requests --- */

static fm_ros2_call *make_call(fm_ros2_bridge *bridge, const fm_ros2_ear *ear, const fm_ros2_sender *sender,
                               size_t count)
{
    fm_ros2_call *call = count <= QUESTIONS ? fm_alloc(sizeof *call + count * sizeof *call->questions) : NULL;
    if (!call)
        return NULL;
    call->bridge = bridge;
    call->ear = ear;
    call->sender = *sender;
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
    default: order_command(call, request);
    }
    fm_ros2_call_count_down(call);
}

void fm_ros2_serve(fm_ros2_bridge *bridge, const fm_ros2_ear *ear, const void *data, size_t size,
                   const fm_dds_identity *origin)
{
    fm_ros2_sender sender = {.related = origin != NULL};
    void *request = NULL;
    fm_error error = {0};
    if (origin)
        sender.origin = *origin;
    fm_status status = fm_ros2_request_read((fm_ros2_service_kind)ear->service, data, size,
                                            origin ? NULL : sender.frame, &request, &bridge->arena, &error);
    if (status != FM_OK) {
        fm_ros2_tally(bridge, status == FM_ERR_ARGUMENT ? FM_ROS2_DROP_FRAMING : FM_ROS2_DROP_SYNTAX);
        return;
    }
    fm_ros2_call *call = make_call(bridge, ear, &sender, fm_ros2_parameters_count(ear->service, request));
    if (!call)
        fm_ros2_tally(bridge, FM_ROS2_DROP_FULL);
    else if (is_of_parameters(ear->service))
        fm_ros2_parameters_work(call, request);
    else
        work_call(call, request);
}

void fm_ros2_calls_drop(fm_ros2_bridge *bridge)
{
    while (bridge->calls)
        drop_call(bridge->calls);
    while (bridge->held) {
        fm_ros2_reply *reply = bridge->held;
        bridge->held = reply->next;
        fm_free(reply);
    }
}
