/* Any bytes as a message or a request of another node: the first byte picks the topic or the service. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridges/ros2/ros2_inlet.h"
#include "bridges/ros2/ros2_service.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is taken is finite and has names that end. */
static void take(void *user, const fm_ros2_inlet *inlet, const fm_wire_command *command)
{
    (void)user;
    (void)inlet;
    int fine = isfinite(command->value) && memchr(command->target, 0, sizeof command->target) != NULL;
    for (int i = 0; i < 6; i++)
        fine &= isfinite(command->pose[i]) != 0;
    if (!fine)
        abort();
}

static void read_request(fm_ros2_service_kind kind, const uint8_t *data, size_t size, fm_arena *arena)
{
    uint8_t frame[FM_ROS2_FRAME];
    void *message;
    fm_error error;
    fm_wire_command command;
    if (fm_ros2_request_read(kind, data, size, frame, &message, arena, &error) != FM_OK)
        return;
    if (memcmp(frame, data + 4, sizeof frame) != 0)
        abort();
    const fm_msg_set_parameters_request *set = message;
    for (size_t i = 0; kind == FM_ROS2_CALL_SET && i < set->parameters.count; i++)
        if (fm_ros2_parameter_read(&set->parameters.items[i], &command, &error) == FM_OK)
            take(NULL, NULL, &command);
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
