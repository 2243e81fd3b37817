#include "base/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096 };

typedef struct head {
    char mark[8]; /* MARK, in this machine's order of bytes */
    uint64_t order;
    uint64_t size, checksum; /* of what follows */
    uint64_t count, words[FM_CACHE_KEY_WORDS];
} head;

static const char MARK[8] = "fmcache1";
static const uint64_t ORDER = 0x0102030405060708u, START = 0x9e3779b97f4a7c15u, SECOND_START = 0xc2b2ae3d27d4eb4fu;

/* --- hashes --- */

static uint64_t hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    return hash ^ (hash >> 29);
}

static uint64_t hash_end(uint64_t hash)
{
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    return hash ^ (hash >> 31);
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    uint64_t word;
    for (; size >= sizeof word; from += sizeof word, size -= sizeof word) {
        memcpy(&word, from, sizeof word);
        hash = hash_word(hash, word);
    }
    word = size;
    memcpy(&word, from, size);
    return hash_end(hash_word(hash, word));
}

void fm_cache_key_add(fm_cache_key *key, double number)
{
    if (key->count < FM_CACHE_KEY_WORDS)
        memcpy(&key->words[key->count++], &number, sizeof number);
}

void fm_cache_key_add_numbers(fm_cache_key *key, const double *numbers, size_t count)
{
    const uint64_t starts[2] = {START, SECOND_START};
    for (int i = 0; i < 2 && key->count < FM_CACHE_KEY_WORDS; i++)
        key->words[key->count++] = hash_bytes(hash_word(starts[i], count), numbers, count * sizeof *numbers);
}

/* --- the folder --- */

/* Its name, or "" where there is none. The standard wants absolute names: others are passed over. */
static const char *find_folder(char folder[PATH])
{
    const char *own = getenv("FATHOM_CACHE"), *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = 0;
    folder[0] = 0;
    if (own && *own)
        length = strcmp(own, "off") == 0 ? 0 : snprintf(folder, PATH, "%s", own);
    else if (base && *base == '/')
        length = snprintf(folder, PATH, "%s/fathom", base);
    else if (home && *home == '/')
        length = snprintf(folder, PATH, "%s/.cache/fathom", home);
    if (length < 0 || length > PATH - 256)
        folder[0] = 0;
    return folder;
}

static void make_folders(const char *folder)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s", folder);
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
}

static head make_head(const fm_cache_key *key, const void *data, size_t size)
{
    head h = {.order = ORDER, .size = size, .count = key->count};
    memcpy(h.mark, MARK, sizeof MARK);
    memcpy(h.words, key->words, key->count * sizeof h.words[0]);
    h.checksum = data ? hash_bytes(START, data, size) : 0;
    return h;
}

static bool name_file(const fm_cache_key *key, size_t size, const char *folder, char path[PATH])
{
    const head h = make_head(key, NULL, size);
    int length = snprintf(path, PATH, "%s/%s-%016llx.table", folder, key->kind,
                          (unsigned long long)hash_bytes(START, &h, sizeof h));
    return *folder && length > 0 && length < PATH - 16;
}

/* --- reading --- */

static bool read_whole(int file, void *to, size_t size)
{
    char *at = to;
    while (size > 0) {
        ssize_t got = read(file, at, size);
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

bool fm_cache_read(const fm_cache_key *key, void *data, size_t size)
{
    char folder[PATH], path[PATH];
    struct stat info;
    head found;
    if (!name_file(key, size, find_folder(folder), path))
        return false;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (file < 0)
        return false;
    bool whole = fstat(file, &info) == 0 && S_ISREG(info.st_mode) && (uint64_t)info.st_size == sizeof found + size &&
                 read_whole(file, &found, sizeof found) && read_whole(file, data, size);
    close(file);
    const head wanted = make_head(key, whole ? data : NULL, size);
    if (whole && memcmp(&found, &wanted, sizeof wanted) == 0)
        return true;
    memset(data, 0, size);
    return false;
}

/* --- writing --- */

typedef struct oldest {
    char path[PATH];
    struct timespec time;
    uint64_t bytes; /* of all files */
} oldest;

static bool is_table(const char *name)
{
    const char *end = strrchr(name, '.');
    return end && strncmp(end, ".table", strlen(".table")) == 0;
}

static void look_through(const char *folder, oldest *o)
{
    DIR *open = opendir(folder);
    *o = (oldest){0};
    for (const struct dirent *entry; open && (entry = readdir(open));) {
        char path[PATH];
        struct stat info;
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length >= PATH || !is_table(entry->d_name) || lstat(path, &info) != 0 || !S_ISREG(info.st_mode))
            continue;
        o->bytes += (uint64_t)info.st_size;
        const struct timespec t = info.st_mtim;
        if (o->path[0] && (t.tv_sec > o->time.tv_sec || (t.tv_sec == o->time.tv_sec && t.tv_nsec >= o->time.tv_nsec)))
            continue;
        memcpy(o->path, path, sizeof path);
        o->time = t;
    }
    if (open)
        closedir(open);
}

/* Removes the oldest files until there is room; those that a broken process left have the same ending. */
static bool make_room(const char *folder, uint64_t size)
{
    oldest o;
    for (look_through(folder, &o); o.bytes + size > FM_CACHE_SIZE_MOST; look_through(folder, &o))
        if (!o.path[0] || unlink(o.path) != 0)
            return false;
    return true;
}

static bool write_whole(int file, const void *from, size_t size)
{
    const char *at = from;
    while (size > 0) {
        ssize_t put = write(file, at, size);
        if (put <= 0)
            return false;
        at += put;
        size -= (size_t)put;
    }
    return true;
}

void fm_cache_write(const fm_cache_key *key, const void *data, size_t size)
{
    char folder[PATH], path[PATH], temporary[PATH + 8];
    if (!name_file(key, size, find_folder(folder), path))
        return;
    make_folders(folder);
    const head h = make_head(key, data, size);
    if (!make_room(folder, sizeof h + size))
        return;
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int file = mkostemp(temporary, O_CLOEXEC);
    if (file < 0)
        return;
    bool written = write_whole(file, &h, sizeof h) && write_whole(file, data, size);
    written = close(file) == 0 && written;
    if (!written || rename(temporary, path) != 0)
        unlink(temporary);
}
