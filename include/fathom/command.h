/* Commands: what can be said to a world and to its run, from any door. The types come from command_table.h, where each
 * command and each of its arguments is described. */
#ifndef FATHOM_COMMAND_H
#define FATHOM_COMMAND_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* FM_COMMAND_START = 1, FM_COMMAND_STOP = 2 …: numbers are those of the wire and of the log. */
typedef enum fm_command_kind {
    FM_COMMAND_NONE,
#define FM_COMMAND_WITH(name, NAME, number, ...) FM_COMMAND_##NAME = number,
#include <fathom/command_table.h>
    FM_COMMAND_KINDS /* one more than the last */
} fm_command_kind;

/* Bytes that one sound carries at most, everywhere: <transducer payload>, fm_emission, ACOUSTIC_SEND, the SDK. The
 * frame of a modem spends 8 of them on its head. */
enum { FM_SOUND_BYTES_MOST = 256 };
/* The bytes of a message or sound; a plain copy. */
typedef struct fm_command_bytes {
    uint64_t size;
    unsigned char items[FM_SOUND_BYTES_MOST];
} fm_command_bytes;

/* fm_command_order, fm_command_spawn …: the arguments of each command. */
#define FM_COMMAND_PLAIN(...)
#define FM_COMMAND_WITH(name, ...) typedef struct fm_command_##name {
#define FM_ARG_NAME(self, member, size, ...) char member[size];
#define FM_ARG_NUMBER(self, member, ...) double member;
#define FM_ARG_VECTOR(self, member, ...) double member[3];
#define FM_ARG_WHOLE(self, member, ...) int64_t member;
#define FM_ARG_BYTES(self, member, ...) fm_command_bytes member;
#define FM_COMMAND_END(self)                                                                                           \
    }                                                                                                                  \
    fm_command_##self;
#include <fathom/command_table.h>

/* One command: {.kind = FM_COMMAND_ORDER, .order = {.vehicle = "lauv", .actuator = "propeller", .value = 120}}. */
typedef struct fm_command {
    fm_command_kind kind;
    union {
#define FM_COMMAND_PLAIN(...)
#define FM_COMMAND_WITH(name, ...) fm_command_##name name;
#include <fathom/command_table.h>
    };
} fm_command;

#ifdef __cplusplus
}
#endif
#endif
