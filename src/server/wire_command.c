#include "server/wire_command.h"

#include <string.h>

static void put_argument(fm_wire_out *out, const fm_argument *a, const fm_command *command)
{
    const void *at = fm_argument_in(a, command);
    const fm_command_bytes *bytes = at;
    switch (a->type) {
    case FM_ARGUMENT_NAME: fm_wire_put_text(out, at, a->size); break;
    case FM_ARGUMENT_NUMBER:
    case FM_ARGUMENT_VECTOR:
        for (size_t i = 0; i < fm_argument_numbers(a); i++)
            fm_wire_put_f64(out, ((const double *)at)[i]);
        break;
    case FM_ARGUMENT_WHOLE: fm_wire_put_u64(out, (uint64_t) * (const int64_t *)at); break;
    case FM_ARGUMENT_BYTES:
        fm_wire_put_u16(out, (uint16_t)bytes->size);
        fm_wire_put_bytes(out, bytes->items, bytes->size);
    }
}

void fm_wire_put_arguments(fm_wire_out *out, const fm_command *command)
{
    const fm_command_row *row = fm_command_row_of(command->kind);
    for (size_t i = 0; row && i < row->argument_count; i++)
        put_argument(out, &row->arguments[i], command);
}

static void get_bytes(fm_wire_in *in, fm_command_bytes *bytes)
{
    const uint16_t size = fm_wire_get_u16(in);
    const uint8_t *items = fm_wire_get_bytes(in, size);
    if (items && size > sizeof bytes->items)
        in->fault = FM_WIRE_FAULT_VALUE;
    if (!items || in->fault)
        return;
    bytes->size = size;
    memcpy(bytes->items, items, size);
}

static void get_argument(fm_wire_in *in, const fm_argument *a, fm_command *command)
{
    void *at = fm_argument_at(a, command);
    switch (a->type) {
    case FM_ARGUMENT_NAME: fm_wire_get_text(in, at, a->size); break;
    case FM_ARGUMENT_NUMBER:
    case FM_ARGUMENT_VECTOR:
        for (size_t i = 0; i < fm_argument_numbers(a); i++)
            ((double *)at)[i] = fm_wire_get_f64(in);
        break;
    case FM_ARGUMENT_WHOLE: *(int64_t *)at = (int64_t)fm_wire_get_u64(in); break;
    case FM_ARGUMENT_BYTES: get_bytes(in, at);
    }
}

int fm_wire_get_arguments(fm_wire_in *in, fm_command_kind kind, fm_command *command)
{
    const fm_command_row *row = fm_command_row_of(kind);
    if (fm_command_begin(command, kind, NULL) != FM_OK)
        in->fault = in->fault ? in->fault : FM_WIRE_FAULT_VALUE;
    for (size_t i = 0; row && i < row->argument_count; i++)
        get_argument(in, &row->arguments[i], command);
    if (!in->fault && in->at != in->size)
        in->fault = FM_WIRE_FAULT_PAYLOAD;
    return !in->fault;
}
