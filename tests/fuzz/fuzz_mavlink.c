/* Any bytes as a stream of MAVLink, whole and in pieces of one byte: both see the same frames, and each is read as its
 * message and written again as one that reads the same.
 *
 * After an 'F' they are what a ground station sends two vehicles, a message with its number, its payload and a count of
 * steps each: whatever it is, the vehicles go on, and every answer is a frame. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/priority.h"
#include "bridges/mavlink/mavlink_ground.h"
#include "world/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MESSAGE(name, NAME, id, extra)                                                                                 \
    static size_t rewrite_##name(const fm_mav_frame *frame, uint8_t bytes[FM_MAV_MOST])                                \
    {                                                                                                                  \
        fm_mav_sender from = {frame->system, frame->component, frame->sequence};                                       \
        fm_mav_##name message;                                                                                         \
        fm_mav_##name##_read(frame, &message);                                                                         \
        return fm_mav_##name##_write(&from, &message, bytes);                                                          \
    }
#include "bridges/mavlink/mavlink_table.h"

static size_t rewrite(const fm_mav_frame *frame, uint8_t bytes[FM_MAV_MOST])
{
#define MESSAGE(name, NAME, number, extra)                                                                             \
    if (frame->id == (number))                                                                                         \
        return rewrite_##name(frame, bytes);
#include "bridges/mavlink/mavlink_table.h"
    abort();
}

/* What was behind the known members or behind the end of a text is gone the first time, and no more after that. */
static void check_frame(const fm_mav_frame *frame)
{
    uint8_t first[FM_MAV_MOST], second[FM_MAV_MOST];
    fm_mav_frame again;
    size_t used, size = rewrite(frame, first);
    if (fm_mav_open(first, size, &again, &used) != FM_MAV_FINE || used != size || again.id != frame->id)
        abort();
    if (rewrite(&again, second) != size || memcmp(first, second, size) != 0)
        abort();
}

static size_t count_frames(const uint8_t *data, size_t size, size_t piece)
{
    fm_mav_stream stream = {.size = 0};
    fm_mav_frame frame;
    size_t count = 0;
    for (size_t at = 0; at < size; at += piece) {
        const uint8_t *next = data + at;
        size_t left = size - at < piece ? size - at : piece;
        fm_mav_fault fault;
        while ((fault = fm_mav_stream_take(&stream, &next, &left, &frame)) != FM_MAV_MORE)
            if (fault == FM_MAV_FINE) {
                check_frame(&frame);
                count++;
            }
        if (left != 0)
            abort();
    }
    return count;
}

/* --- a station and two vehicles --- */

static const char text[] =
    "<fathom version='1'><world dt='0.1 s' latitude='60 deg' longitude='10 deg'/><vehicle name='a' model='lauv' "
    "position='0 0 5 m'><waypoints room='8'><waypoint position='50 0 5 m'/></waypoints><autopilot steering='fins'>"
    "<heading kp='1'/><depth kp='0.3 rad/m'/><pitch kp='1.5'/><speed kp='20 N*s/m'/></autopilot></vehicle>"
    "<vehicle name='b' model='bluerov2' position='0 30 5 m'/></fathom>";

static const uint32_t ids[] = {
#define MESSAGE(name, NAME, id, extra) id,
#include "bridges/mavlink/mavlink_table.h"
};

/* A number that no message has stands for one of them. */
static uint32_t id_of(unsigned number)
{
    const size_t count = sizeof ids / sizeof *ids;
    for (size_t i = 0; i < count; i++)
        if (ids[i] == number)
            return number;
    return ids[number % count];
}

static void check_letters(fm_mav_outbox *letters)
{
    fm_mav_sender sender = {letters->system, 1, 0};
    for (size_t at = 0, used; at < letters->size; at += used) {
        fm_mav_frame frame;
        if (fm_mav_number(&sender, letters->bytes + at) > letters->size - at ||
            fm_mav_open(letters->bytes + at, letters->size - at, &frame, &used) != FM_MAV_FINE)
            abort();
    }
    letters->size = 0;
}

static void step(fm_mav_ground *g, fm_run *run, unsigned steps)
{
    for (; steps > 0; steps--) {
        const fm_event *events;
        fm_mav_ground_steer(g, run);
        if (fm_run_step(run, NULL) != FM_OK)
            break; /* its own orders may break a vehicle */
        const size_t count = fm_world_events(fm_run_world(run), &events);
        for (size_t i = 0; i < count; i++)
            fm_mav_ground_event(g, run, &events[i]);
        fm_mav_ground_step(g, run);
        check_letters(&g->news);
    }
}

/* Number (2 bytes), vehicle (255: the clock), length, steps, payload. */
static void order(fm_mav_ground *g, fm_run *run, const uint8_t *data, size_t size)
{
    fm_mav_errand e = {.ground = g, .used = 1, .framed = 1, .trusted = 1};
    fm_mav_outbox out = {.size = 0};
    enum { HEAD = 5 };
    for (size_t length; size >= HEAD; data += HEAD + length, size -= HEAD + length) {
        length = data[3] < size - HEAD ? data[3] : size - HEAD;
        e.frame = (fm_mav_frame){.version = 2, .system = 255, .id = id_of(data[0] | (unsigned)data[1] << 8)};
        e.now += data[4] * 20u;
        e.framed = data[2] != UINT8_MAX;
        memcpy(e.frame.payload, data + HEAD, length);
        fm_mav_ground alone = *g; /* which is meant by messages to all */
        alone.systems += data[2] % 2;
        alone.count = 1;
        fm_mav_request_answer(data[2] & 2 ? g : &alone, run, &e, &out);
        check_letters(&out);
        step(g, run, data[4] % 8);
    }
    fm_mav_outbox_free(&out);
}

static void fly(const uint8_t *data, size_t size)
{
    static fm_model *model;
    fm_error error;
    const char *folders[] = {FATHOM_SOURCE_DIR "/models"};
    const fm_load_options options = {.model_dirs = folders, .model_dir_count = 1};
    if (!model && !(model = fm_model_load_memory(text, sizeof text - 1, "flight.xml", &options, &error)))
        abort();
    fm_run *run = fm_run_create(model, &(fm_run_options){.duration = HUGE_VAL}, &error);
    fm_mav_system systems[2];
    fm_mav_params params[2];
    fm_mav_ground g = {.origin = {model->settings.latitude, model->settings.longitude, 0},
                       .systems = systems,
                       .count = 2,
                       .params = params,
                       .type_count = model->type_count,
                       .stride = 1};
    if (!run || model->type_count != 2)
        abort();
    fm_lock_create(&g.lock);
    for (int i = 0; i < 2; i++) {
        systems[i] = (fm_mav_system){.sender = {(uint8_t)(i + 1), 1, 0}, .slot = i, .mission = {.origin = g.origin}};
        if (fm_mav_params_create(&params[i], model, &model->types[i], &error) != FM_OK)
            abort();
    }
    order(&g, run, data, size);
    for (int i = 0; i < 2; i++) {
        fm_mav_mission_free(&systems[i].mission);
        fm_mav_params_free(&params[i]);
    }
    fm_mav_outbox_free(&g.news);
    pthread_mutex_destroy(&g.lock);
    fm_run_free(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 1 && data[0] == 'F')
        fly(data + 1, size - 1);
    else if (size > 0 && count_frames(data, size, size) != count_frames(data, size, 1))
        abort();
    return 0;
}
