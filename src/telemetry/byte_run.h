/* A growing buffer of bytes, written little-endian. When memory runs out, it sets `failed` and accepts no more
 * bytes. */
#ifndef FM_TELEMETRY_BYTE_RUN_H
#define FM_TELEMETRY_BYTE_RUN_H

#include <stddef.h>
#include <stdint.h>

typedef struct fm_byte_run {
    uint8_t *data;
    size_t size, capacity;
    int failed;
} fm_byte_run;

uint8_t *fm_byte_run_extend(fm_byte_run *bytes, size_t size); /* space for `count` more bytes, or NULL */
void fm_byte_run_put(fm_byte_run *bytes, const void *data, size_t size);
void fm_byte_run_put_u8(fm_byte_run *bytes, unsigned value);
void fm_byte_run_put_u16(fm_byte_run *bytes, unsigned value);
void fm_byte_run_put_u32(fm_byte_run *bytes, size_t value);
void fm_byte_run_put_u64(fm_byte_run *bytes, uint64_t value);
void fm_byte_run_put_text(fm_byte_run *bytes, const char *text); /* its length, then its bytes */

#endif
