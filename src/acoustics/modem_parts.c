/* Access of parts to a modem of their vehicle (fathom/modem.h). */
#include <string.h>

#include "acoustics/modem.h"
#include "acoustics/parts.h"
#include "world/inputs.h"
#include "world/world.h"

/* State of a modem of the part's vehicle, and its config; NULL: no modem with this number. */
static fm_modem_state *find_own(const fm_part_context *context, int modem, const fm_modem **config)
{
    if (!context || !context->world)
        return NULL;
    const fm_slot *slot = &context->world->slots[context->slot];
    if (modem < 0 || (size_t)modem >= slot->type->part_count || slot->type->parts[modem].role != FM_ROLE_MODEM)
        return NULL;
    *config = slot->type->parts[modem].config;
    return (fm_modem_state *)(void *)fm_vehicle_words(slot->vehicle, slot->type->parts[modem].state);
}

int fm_modem_send(const fm_part_context *context, int modem, int64_t to, const void *data, size_t size)
{
    const fm_modem *config;
    fm_modem_state *state = find_own(context, modem, &config);
    return state ? fm_modem_put(context, config, state, to, data, size) : 0;
}

static int receive(const fm_modem_state *state, int64_t *seen, fm_modem_message *message, void *data, size_t room)
{
    if (!state || !seen || !message || *seen >= state->received)
        return 0;
    const int64_t oldest = state->received - FM_MODEM_INBOX + 1, number = *seen + 1 > oldest ? *seen + 1 : oldest;
    const fm_modem_kept *kept = &state->inbox[(number - 1) % FM_MODEM_INBOX];
    *message = kept->message;
    *seen = number;
    if (data)
        memcpy(data, kept->data, (size_t)kept->message.size < room ? (size_t)kept->message.size : room);
    return 1;
}

int fm_modem_receive(const fm_part_context *context, int modem, int64_t *seen, fm_modem_message *message, void *data,
                     size_t room)
{
    const fm_modem *config;
    return receive(find_own(context, modem, &config), seen, message, data, room);
}

int fm_world_modem_receive(const fm_world *world, const char *vehicle, const char *modem, int64_t *seen,
                           fm_modem_message *message, void *data, size_t room)
{
    const int slot = world && vehicle ? fm_world_find(world, vehicle) : -1;
    const int part = slot < 0 ? -1 : fm_type_find_part(world->slots[slot].type, FM_ROLE_MODEM, modem);
    return part >= 0 && receive((const fm_modem_state *)(const void *)fm_vehicle_words(
                                    world->slots[slot].vehicle, world->slots[slot].type->parts[part].state),
                                seen, message, data, room);
}
