#include "acoustics/beacons.h"

static const fm_attr attrs[] = {
    FM_INT_ATTR(fm_beacon, address, "address", 1, 65535, NULL, FM_ATTR_REQUIRED, "of its transducer"),
    FM_VECTOR_ATTR(fm_beacon, position, 3, "position", "m", 0, 0, NULL, FM_ATTR_REQUIRED,
                   "north, east, depth of its transducer, as surveyed"),
    FM_REAL_ATTR(fm_beacon, delay, "delay", "s", 0, 1e3, "0 s", 0, "of its answers, as known"),
    FM_REAL_ATTR(fm_beacon, frequency, "frequency", "Hz", 0, 1e7, "0 Hz", 0,
                 "that it sends; 0: that of the own transducer"),
};
const fm_element fm_beacon_element =
    FM_TABLE_ELEMENT(fm_beacon, "beacon", attrs, NULL, 0, "A beacon or transponder with a known position.");

static fm_status read_beacons(fm_part_load *load, fm_listener *listener, size_t least, fm_error *error)
{
    size_t count = fm_load_child_count(load, "beacon");
    if (count < least || count > FM_BEACONS_MOST)
        return fm_load_fail(load, error, FM_ERR_RANGE, "%zu beacons given: must be %zu … %d", count, least,
                            FM_BEACONS_MOST);
    fm_beacon *list = fm_load_alloc(load, (count + 1) * sizeof *list);
    if (!list)
        return FM_ERR_MEMORY;
    listener->beacons = list;
    for (size_t i = 0; i < count; i++) {
        fm_status status = fm_load_child(load, "beacon", i, &list[i], error);
        if (status != FM_OK)
            return status;
        if (fm_listener_beacon(listener, list[i].address))
            return fm_load_fail_at(load, "beacon", i, "address", error, FM_ERR_NAME,
                                   "%lld is already the address of another beacon", (long long)list[i].address);
        listener->beacon_count++;
    }
    return FM_OK;
}

fm_status fm_listener_load(fm_part_load *load, fm_listener *listener, fm_instrument *instrument, size_t least,
                           fm_error *error)
{
    int part = fm_load_transducer(load, listener->transducer, error);
    if (part < 0)
        return error->status;
    listener->part = part;
    fm_part_info info = fm_load_part_info(load, (size_t)part);
    const char *config = info.config;
    instrument->mount = *(const fm_mount *)(const void *)(config + info.part_class->mount - 1);
    return least ? read_beacons(load, listener, least, error) : FM_OK;
}

const fm_beacon *fm_listener_beacon(const fm_listener *listener, int64_t address)
{
    for (size_t i = 0; i < listener->beacon_count; i++)
        if (listener->beacons[i].address == address)
            return &listener->beacons[i];
    return NULL;
}

void fm_listener_give(const fm_part_context *context, const fm_instrument *instrument, const fm_health *health,
                      double moment, const void *values)
{
    fm_instrument_give(context, instrument, health, 1, values);
    fm_reading *head = context->output;
    if (head->valid && health->fault == FM_FAULT_HEALTHY)
        head->time += moment - context->time;
}

/* --- asking --- */

int fm_asking_ask(const fm_part_context *context, const fm_listener *listener, fm_asking *asking, double interval,
                  int64_t to)
{
    if (context->time < asking->next - 1e-9)
        return 0;
    fm_emission query = {.kind = FM_SOUND_QUERY, .to = to, .code = asking->asked + 1};
    if (fm_sound_emit(context, (int)listener->part, &query) != FM_SOUND_TAKEN)
        return 0;
    asking->asked++;
    asking->asked_at = context->time;
    asking->next = context->time + interval;
    return 1;
}

int fm_asking_hear(const fm_part_context *context, const fm_listener *listener, fm_asking *asking,
                   fm_reception *reception)
{
    while (fm_sound_hear(context, (int)listener->part, &asking->seen, reception, NULL, 0))
        if (reception->kind == FM_SOUND_REPLY && reception->code == asking->asked && reception->time > asking->asked_at)
            return 1;
    return 0;
}

int fm_asking_fresh(fm_asking *asking, const fm_reception *reception)
{
    int64_t *last = &asking->last[reception->from % 8];
    const int64_t heard = reception->answers ? reception->answers : reception->signal;
    const int fresh = *last != heard;
    *last = heard;
    return fresh;
}

/* --- bearings --- */

const fm_output fm_bearing_outputs[FM_BEARING_OUTPUTS] = {
    FM_OUTPUT_NUMBER(fm_bearing_reading, range, "range", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_bearing_reading, azimuth, "azimuth", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_bearing_reading, elevation, "elevation", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_FIELD(fm_bearing_reading, position, "position", "m", 3, FM_OUTPUT_BODY, FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_bearing_reading, deviation[0], "bearing_deviation", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_bearing_reading, deviation[1], "range_deviation", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_bearing_reading, address, "address", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_bearing_reading, snr, "snr", "dB", FM_QUANTITY_NONE),
};
