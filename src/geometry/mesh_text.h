/* Words and numbers of OBJ and ASCII STL files, from memory, with line numbers. */
#ifndef FM_GEOMETRY_MESH_TEXT_H
#define FM_GEOMETRY_MESH_TEXT_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { FM_WORD_SIZE = 64 };

typedef struct fm_mesh_text {
    const char *name; /* of the file */
    const char *at, *end;
    int line;        /* from 1 */
    locale_t locale; /* numbers as in C, whatever the program's locale */
} fm_mesh_text;

fm_status fm_mesh_text_open(fm_mesh_text *text, const char *name, const void *data, size_t size, fm_error *error);
void fm_mesh_text_close(fm_mesh_text *text);

/* The next word of this line, cut to FM_WORD_SIZE − 1 characters; false at the end of the line. A backslash before the
 * end of a line continues it. */
bool fm_mesh_text_word(fm_mesh_text *text, char word[FM_WORD_SIZE]);
/* To the next line; false at the end of the text. */
bool fm_mesh_text_next_line(fm_mesh_text *text);
/* A finite decimal number as the next word. `what` names it in the error. */
fm_status fm_mesh_text_number(fm_mesh_text *text, const char *what, double *out, fm_error *error);
/* Writes the file and the line into an error made by a function that does not know them. */
void fm_mesh_text_locate(const fm_mesh_text *text, fm_error *error);
/* Copies `word` for an error message, with unprintable characters as '?'. */
void fm_mesh_text_printable(const char *word, char out[FM_WORD_SIZE]);

#endif
