/* libFuzzer target: any bytes as the messages of a session that libfathom-client takes: each two bytes of type, two of
 * length, and a payload. What they say is then asked for, as a program would. */
#include <fathom/client.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "client.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask_all(fm_client *client)
{
    fm_client_state state;
    fm_client_actuator actuator;
    fm_client_instrument instrument;
    fm_client_voice voice;
    double values[16];
    fm_client_state_read(client, &state);
    for (size_t i = 0; fm_client_actuator_get(client, i, &actuator); i++)
        fm_client_order(client, actuator.name, 1, NULL);
    for (size_t i = 0; fm_client_instrument_get(client, i, &instrument); i++)
        fm_client_read(client, instrument.name, NULL, values, 16, NULL, NULL);
    for (size_t i = 0; i < client->lists.field_count; i++)
        fm_client_read(client, "a", client->lists.fields[i].name, values, 16, NULL, NULL);
    fm_client_voice_get(client, 0, &voice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fm_client client;
    fm_wire_header header = {.source = 7, .time = 1};
    memset(&client, 0, sizeof client);
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&client.lock, &recursive);
    client.socket = client.epoll = client.timer = client.queue = -1;
    client.phase = FM_PHASE_OPEN;
    client.options.role = FM_CLIENT_CONTROLLER;
    client.welcome.vehicle = 7;
    fm_client_lists_begin(&client, 0);
    for (size_t at = 0; at + 4 <= size;) {
        size_t length = data[at + 2] | (size_t)data[at + 3] << 8;
        header.type = (uint16_t)(data[at] | data[at + 1] << 8);
        header.sequence++;
        at += 4;
        length = length < size - at ? length : size - at;
        fm_wire_in in = {.bytes = data + at, .size = length};
        fm_client_message_take(&client, &header, &in);
        at += length;
    }
    ask_all(&client);
    fm_client_lists_free(&client.lists);
    pthread_mutex_destroy(&client.lock);
    pthread_mutexattr_destroy(&recursive);
    return 0;
}
