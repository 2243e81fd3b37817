#include "ocean/netcdf_classic.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

enum { TAG_DIMENSION = 10, TAG_VARIABLE = 11, TAG_ATTRIBUTE = 12, MOST_ITEMS = 65536 };

typedef struct header {
    FILE *file;
    int version;     /* 1, 2 or 5 */
    uint64_t length; /* bytes of the file */
    bool broken;     /* the header ended early or makes no sense */
    uint64_t records;
    uint64_t *dimensions; /* lengths; 0 is the record dimension */
    uint64_t dimension_count;
    uint64_t end;                                                   /* byte after the last one needed */
    uint64_t record_size, record_end, record_variables, last_slice; /* of the record variables together */
} header;

static uint64_t read_bytes(header *h, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++) {
        int byte = h->broken ? EOF : fgetc(h->file);
        h->broken |= byte == EOF;
        value = value << 8 | (uint64_t)(byte & 0xff);
    }
    return h->broken ? 0 : value;
}

static uint64_t read_count(header *h)
{
    return read_bytes(h, h->version == 5 ? 8 : 4);
}

/* Skips a run of bytes with its padding to 4; a run longer than the file breaks the header. */
static void skip(header *h, uint64_t count)
{
    if (count > h->length || fseek(h->file, (long)((count + 3) / 4 * 4), SEEK_CUR) != 0)
        h->broken = true;
}

static void skip_name(header *h)
{
    skip(h, read_count(h));
}

static uint64_t type_size(uint64_t type)
{
    static const uint8_t sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    return type < sizeof sizes ? sizes[type] : 0;
}

/* The number of items of a list with this tag; 0 for an absent list. */
static uint64_t open_list(header *h, uint64_t tag)
{
    uint64_t found = read_bytes(h, 4), count = read_count(h);
    if ((found != tag && (found != 0 || count != 0)) || count > MOST_ITEMS)
        h->broken = true;
    return h->broken ? 0 : count;
}

static void skip_attributes(header *h)
{
    for (uint64_t n = open_list(h, TAG_ATTRIBUTE); n > 0 && !h->broken; n--) {
        skip_name(h);
        uint64_t size = type_size(read_bytes(h, 4)), count = read_count(h);
        h->broken |= size == 0 || count > h->length;
        skip(h, h->broken ? 0 : size * count);
    }
}

static fm_status read_dimensions(header *h)
{
    h->dimension_count = open_list(h, TAG_DIMENSION);
    h->dimensions = fm_alloc((h->dimension_count + 1) * sizeof *h->dimensions);
    if (!h->dimensions)
        return FM_ERR_MEMORY;
    for (uint64_t i = 0; i < h->dimension_count && !h->broken; i++) {
        skip_name(h);
        h->dimensions[i] = read_count(h);
    }
    return FM_OK;
}

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t out;
    return __builtin_mul_overflow(a, b, &out) ? UINT64_MAX : out;
}

static uint64_t sum(uint64_t a, uint64_t b)
{
    uint64_t out;
    return __builtin_add_overflow(a, b, &out) ? UINT64_MAX : out;
}

static void need(header *h, uint64_t end)
{
    h->end = end > h->end ? end : h->end;
}

static void read_variable(header *h)
{
    skip_name(h);
    uint64_t rank = read_count(h), values = 1;
    bool record = false;
    h->broken |= rank > 1024;
    for (uint64_t i = 0; i < rank && !h->broken; i++) {
        uint64_t id = read_count(h);
        h->broken |= id >= h->dimension_count;
        uint64_t length = h->broken ? 1 : h->dimensions[id];
        h->broken |= i > 0 && length == 0; /* only the first may be the record dimension */
        record |= i == 0 && length == 0;
        values = product(values, length == 0 ? 1 : length);
    }
    skip_attributes(h);
    uint64_t type = type_size(read_bytes(h, 4)), size = product(values, type);
    h->broken |= type == 0; /* the library divides by it */
    read_count(h);          /* vsize is not reliable for large variables */
    uint64_t begin = read_bytes(h, h->version == 1 ? 4 : 8);
    if (h->broken)
        return;
    if (!record) {
        need(h, sum(begin, size));
        return;
    }
    h->record_variables++;
    h->last_slice = size;
    h->record_size = sum(h->record_size, sum(size, 3) / 4 * 4);
    h->record_end = sum(begin, size) > h->record_end ? sum(begin, size) : h->record_end;
}

static fm_status read_header(header *h)
{
    const uint64_t streaming = h->version == 5 ? UINT64_MAX : UINT32_MAX;
    h->records = read_count(h);
    if (read_dimensions(h) != FM_OK)
        return FM_ERR_MEMORY;
    skip_attributes(h);
    for (uint64_t n = open_list(h, TAG_VARIABLE); n > 0 && !h->broken; n--)
        read_variable(h);
    if (h->record_variables == 1)
        h->record_size = h->last_slice; /* a single record variable is not padded */
    if (h->record_variables && h->records > 0 && h->records != streaming)
        need(h, sum(h->record_end, product(h->records - 1, h->record_size)));
    return FM_OK;
}

fm_status fm_netcdf_classic_check(FILE *file, const char *path, fm_error *error)
{
    char magic[4] = "";
    header h = {.file = file};
    rewind(file);
    if (fread(magic, 1, 4, file) != 4 || memcmp(magic, "CDF", 3) != 0 ||
        (magic[3] != 1 && magic[3] != 2 && magic[3] != 5))
        return FM_OK;
    h.version = magic[3];
    if (fseek(file, 0, SEEK_END) == 0)
        h.length = (uint64_t)ftell(file);
    fseek(file, 4, SEEK_SET);
    fm_status status = read_header(&h);
    fm_free(h.dimensions);
    if (status != FM_OK)
        return fm_fail_at(error, status, path, 0, "no memory for the dimensions of the file");
    if (h.broken)
        return fm_fail_at(error, FM_ERR_FILE, path, 0,
                          "the NetCDF header is damaged or cut off (the file has %llu bytes)",
                          (unsigned long long)h.length);
    if (h.end > h.length)
        return fm_fail_at(error, FM_ERR_FILE, path, 0,
                          "the NetCDF file is cut off: %llu bytes of the %llu its header promises",
                          (unsigned long long)h.length, (unsigned long long)h.end);
    return FM_OK;
}
