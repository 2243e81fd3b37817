/* MCAP: constants shared by its writer and its reader. A file is magic, records, magic; a record is an opcode, a u64
 * length and a body; all numbers are little-endian; a string is a u32 length and UTF-8. Times are in ns. */
#ifndef FM_TELEMETRY_MCAP_H
#define FM_TELEMETRY_MCAP_H

#include <fathom/log.h>
#include <stdint.h>

#define FM_MCAP_MAGIC "\x89MCAP0\r\n"
enum { FM_MCAP_MAGIC_SIZE = 8, FM_MCAP_RECORD_HEAD = 9 };

typedef enum fm_mcap_op {
    FM_MCAP_HEADER = 1,
    FM_MCAP_FOOTER,
    FM_MCAP_SCHEMA,
    FM_MCAP_CHANNEL,
    FM_MCAP_MESSAGE,
    FM_MCAP_CHUNK,
    FM_MCAP_MESSAGE_INDEX,
    FM_MCAP_CHUNK_INDEX,
    FM_MCAP_ATTACHMENT,
    FM_MCAP_ATTACHMENT_INDEX,
    FM_MCAP_STATISTICS,
    FM_MCAP_METADATA,
    FM_MCAP_METADATA_INDEX,
    FM_MCAP_SUMMARY_OFFSET,
    FM_MCAP_DATA_END
} fm_mcap_op;

typedef struct fm_mcap_pair {
    const char *key, *value;
} fm_mcap_pair;

#endif
