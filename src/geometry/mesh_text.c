#include "geometry/mesh_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fm_status fm_mesh_text_open(fm_mesh_text *text, const char *name, const void *data, size_t size, fm_error *error)
{
    *text = (fm_mesh_text){.name = name, .at = data, .end = (const char *)data + size, .line = 1};
    text->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!text->locale)
        return fm_fail_at(error, FM_ERR_MEMORY, name, 0, "no memory to read numbers");
    return FM_OK;
}

void fm_mesh_text_close(fm_mesh_text *text)
{
    if (text->locale)
        freelocale(text->locale);
    text->locale = (locale_t)0;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Length of "\\\n" or "\\\r\n" here, or 0. */
static size_t continuation(const fm_mesh_text *t)
{
    size_t left = (size_t)(t->end - t->at);
    if (left >= 2 && t->at[0] == '\\' && t->at[1] == '\n')
        return 2;
    return left >= 3 && t->at[0] == '\\' && t->at[1] == '\r' && t->at[2] == '\n' ? 3 : 0;
}

static void skip_space(fm_mesh_text *t)
{
    while (t->at < t->end) {
        size_t joined = continuation(t);
        if (joined) {
            t->at += joined;
            t->line++;
        } else if (is_space(*t->at)) {
            t->at++;
        } else {
            return;
        }
    }
}

bool fm_mesh_text_word(fm_mesh_text *t, char word[FM_WORD_SIZE])
{
    size_t n = 0;
    skip_space(t);
    while (t->at < t->end && *t->at != '\n' && !is_space(*t->at) && !continuation(t)) {
        if (n < FM_WORD_SIZE - 1)
            word[n++] = *t->at;
        t->at++;
    }
    word[n] = '\0';
    return n > 0;
}

bool fm_mesh_text_next_line(fm_mesh_text *t)
{
    const char *newline = t->at < t->end ? memchr(t->at, '\n', (size_t)(t->end - t->at)) : NULL;
    if (!newline) {
        t->at = t->end;
        return false;
    }
    t->at = newline + 1;
    t->line++;
    return t->at < t->end;
}

void fm_mesh_text_printable(const char *word, char out[FM_WORD_SIZE])
{
    size_t i = 0;
    for (; word[i] && i < FM_WORD_SIZE - 1; i++)
        out[i] = word[i] >= 32 && word[i] < 127 ? word[i] : '?';
    out[i] = '\0';
}

void fm_mesh_text_locate(const fm_mesh_text *t, fm_error *error)
{
    if (!error)
        return;
    snprintf(error->file, sizeof error->file, "%s", t->name);
    error->line = t->line;
}

fm_status fm_mesh_text_number(fm_mesh_text *t, const char *what, double *out, fm_error *error)
{
    char word[FM_WORD_SIZE], shown[FM_WORD_SIZE], *end;
    if (!fm_mesh_text_word(t, word))
        return fm_fail_at(error, FM_ERR_SYNTAX, t->name, t->line, "%s: unexpected end of the line: must be a number",
                          what);
    *out = strtod_l(word, &end, t->locale);
    if (*end != '\0' || end == word || strpbrk(word, "xXnN") || strlen(word) == FM_WORD_SIZE - 1 || !isfinite(*out)) {
        fm_mesh_text_printable(word, shown);
        return fm_fail_at(error, FM_ERR_SYNTAX, t->name, t->line,
                          "%s: '%s' is invalid: must be a finite decimal number", what, shown);
    }
    return FM_OK;
}
