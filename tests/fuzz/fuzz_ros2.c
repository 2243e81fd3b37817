/* Any bytes as a message or a request of another node: the first byte picks the topic or the service. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridges/ros2/ros2_inlet.h"
#include "bridges/ros2/ros2_service.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is taken has names that end, and finite numbers. */
static void take(void *user, const fm_ros2_inlet *inlet, const fm_command *command, const double *velocity)
{
    (void)user;
    (void)inlet;
    const fm_command_row *row = command ? fm_command_row_of(command->kind) : NULL;
    for (int i = 0; velocity && i < 6; i++)
        if (!isfinite(velocity[i]))
            abort();
    for (size_t i = 0; row && i < row->argument_count; i++) {
        const fm_argument *a = &row->arguments[i];
        double numbers[3] = {0};
        fm_argument_read(a, command, numbers);
        if (!isfinite(numbers[0]) || !isfinite(numbers[1]) || !isfinite(numbers[2]) ||
            (a->type == FM_ARGUMENT_NAME && !memchr(fm_argument_in(a, command), 0, a->size)))
            abort();
    }
}

static void read_request(fm_ros2_service_kind kind, const uint8_t *data, size_t size, fm_arena *arena)
{
    uint8_t frame[FM_ROS2_FRAME];
    void *message;
    fm_error error;
    fm_command command;
    if (!fm_ros2_service_of(kind).request ||
        fm_ros2_request_read(kind, data, size, frame, &message, arena, &error) != FM_OK)
        return;
    if (memcmp(frame, data + 4, sizeof frame) != 0)
        abort();
    if (kind > FM_ROS2_CALL_COMMAND)
        fm_ros2_command_read((fm_command_kind)(kind - FM_ROS2_CALL_COMMAND), message, &command, &error);
    const fm_msg_set_parameters_request *set = message;
    for (size_t i = 0; kind == FM_ROS2_CALL_SET && i < set->parameters.count; i++)
        if (fm_ros2_parameter_read(&set->parameters.items[i], &command, &error) == FM_OK)
            take(NULL, NULL, &command, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_arena arena = {0};
    fm_error error;
    if (size == 0 || size > 1 << 16)
        return 0;
    unsigned choice = data[0] % (FM_ROS2_INLET_KINDS + FM_ROS2_SERVICE_KINDS);
    fm_ros2_inlet inlet = {.kind = (fm_ros2_inlet_kind)choice, .owner = "auv", .target = "fin"};
    if (choice < FM_ROS2_INLET_KINDS)
        fm_ros2_inlet_read(&inlet, data + 1, size - 1, &arena, take, NULL, &error);
    else
        read_request((fm_ros2_service_kind)(choice - FM_ROS2_INLET_KINDS), data + 1, size - 1, &arena);
    fm_arena_free(&arena);
    return 0;
}
