/* Files of tests. */
#ifndef TESTS_SUPPORT_FILES_H
#define TESTS_SUPPORT_FILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka_all.h"

static inline void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    if (!out)
        fail_msg("%s cannot be written", path);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* All of a file with a NUL after it, its length in *size (NULL: not asked for); free it. */
static inline char *read_file(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        fail_msg("%s cannot be read", path);
    fseek(in, 0, SEEK_END);
    size_t length = (size_t)ftell(in);
    rewind(in);
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, length, in), length);
    fclose(in);
    text[length] = 0;
    if (size)
        *size = length;
    return text;
}

static inline long size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return -1;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

#endif
