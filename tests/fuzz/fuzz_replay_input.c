/* libFuzzer target: any bytes as the messages of /inputs of a log, each behind its length (two bytes): they are
 * decoded, given to a world, which takes or refuses them, and the world steps on. */
#include <fathom/fathom.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "telemetry/message.h"
#include "telemetry/world_channels.h"

static const char scenario[] =
    "<fathom version='1'><world dt='0.1 s' duration='9 s' capacity='4'/>"
    "<vehicle name='auv' position='0 0 9 m'><mass mass='10 kg' inertia='1 1 1 kg*m2'/><buoyancy force='98 N'/>"
    "<thruster name='jet' direction='1 0 0' thrust='50 N'/><waypoints room='4'><waypoint position='9 0 5 "
    "m'/></waypoints>"
    "</vehicle></fathom>";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void give(fm_world *world, const uint8_t *data, size_t size)
{
    fm_arena arena = {0};
    fm_error error = {0};
    fm_msg_input message;
    fm_input input;
    if (fm_message_decode(&fm_msg_input_type, data, size, &message, &arena, &error) == FM_OK &&
        fm_input_from_message(&message, &input, &error) == FM_OK && fm_world_input(world, &input, &error) == FM_OK)
        error.text[0] = 'x';
    if (!error.text[0])
        abort(); /* neither taken nor refused with a reason */
    fm_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fm_world *world; /* made once, and reset: what an input leaves would show in the next one */
    fm_error error = {0};
    if (!world)
        world = fm_world_create(fm_model_load_memory(scenario, sizeof scenario - 1, "fuzz.xml", NULL, &error), NULL,
                                &error);
    if (!world || fm_world_reset(world, &error) != FM_OK)
        abort();
    for (size_t at = 0; at + 2 <= size;) {
        size_t length = data[at] | (size_t)data[at + 1] << 8;
        at += 2;
        length = length < size - at ? length : size - at;
        give(world, data + at, length);
        at += length;
        if (fm_world_step(world, &error) != FM_OK)
            break;
    }
    return 0;
}
