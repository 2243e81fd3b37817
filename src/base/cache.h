/* A folder of tables that take long to solve, kept from one process to the next: $FATHOM_CACHE, else fathom in
 * $XDG_CACHE_HOME, else ~/.cache/fathom. FATHOM_CACHE=off: nothing is read or written.
 *
 * An entry is found by all that determines it (its key), and read only if its file is whole: name, key, size and
 * checksum must agree. Files are written under a temporary name and renamed, so that any number of processes may use
 * the folder at once. What cannot be read or written is as if it had never been there. */
#ifndef FM_BASE_CACHE_H
#define FM_BASE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FM_CACHE_KEY_WORDS = 16,       /* most */
    FM_CACHE_SIZE_MOST = 256 << 20 /* bytes of all entries; the oldest make room for new ones */
};

/* What determines an entry, as words; the first is the version of the way in which it is solved. */
typedef struct fm_cache_key {
    const char *kind; /* "wall": letters only, begins the file's name */
    size_t count;
    uint64_t words[FM_CACHE_KEY_WORDS];
} fm_cache_key;

/* Whether the entry was there: `data` holds it then. Where its file is broken, `data` is zero. */
bool fm_cache_read(const fm_cache_key *key, void *data, size_t size);
void fm_cache_write(const fm_cache_key *key, const void *data, size_t size);

/* A hash of whole doubles, to put much into a key: two words from two starts. */
void fm_cache_key_add_numbers(fm_cache_key *key, const double *numbers, size_t count);
void fm_cache_key_add(fm_cache_key *key, double number);

#endif
