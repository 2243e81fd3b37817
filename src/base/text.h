/* Text helpers: a growing text, numbers in the C locale, similar names. */
#ifndef FM_BASE_TEXT_H
#define FM_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* A text that grows. Starts as {0}; `failed` stays set after a failed allocation, so that only the end needs a
 * check. */
typedef struct fm_text {
    char *data; /* NUL-terminated, NULL while empty */
    size_t length, capacity;
    bool failed;
} fm_text;

void fm_text_add(fm_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fm_text_free(fm_text *text);
/* Adds a plain text as XML or HTML, in content or in an attribute: & < > and " are escaped. The second: at most
 * `length` bytes of it. */
void fm_text_add_escaped(fm_text *text, const char *plain);
void fm_text_add_escaped_part(fm_text *text, const char *plain, size_t length);

/* Like vsnprintf and snprintf, but a text that does not fit is cut between two UTF-8 characters. */
int fm_text_vprint(char *text, size_t size, const char *format, va_list arguments);
int fm_text_print(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Replaces every byte that is not part of a UTF-8 character by '?'. */
void fm_text_clean(char *text);

/* Parses one decimal number ("-1.5e3"; no hexadecimal, no "nan" or "inf") at *cursor and moves *cursor past it. False,
 * cursor unchanged, if there is none or it does not fit a double. Independent of the locale. */
bool fm_text_number_read(const char **cursor, double *number);

/* Writes the shortest decimal that reads back as the same double. Returns `buffer`. */
const char *fm_text_number_write(char *buffer, size_t size, double number);

/* Copies a text into `size` bytes; one that does not fit is cut between two UTF-8 characters. Returns `to`. */
char *fm_text_copy(char *to, size_t size, const char *from);

/* The same, but a text that does not fit is cut after its last whole word and ends with " …"; a single long word ends
 * with "…". For texts that people read, wherever their room is limited. Returns `to`. */
char *fm_text_shorten(char *to, size_t size, const char *from);

/* Whether two names are the same when '-' and '_' count as equal. */
bool fm_text_name_equal(const char *a, const char *b);
/* Whether a path leads through another one: "/v7/name" begins with "/v7". */
bool fm_text_name_begins(const char *path, const char *with);

/* Whether a text is an identifier [A-Za-z_][A-Za-z0-9_.-]*. */
bool fm_text_name_valid(const char *text);

/* The number of insertions, deletions, replacements and swaps of neighbours between two names; '-' and '_' and
 * upper and lower case count as equal. Names longer than 63 characters are compared by their first 63. More than `most`
 * if it is larger than that: then the rest of the table is not computed. */
size_t fm_text_distance(const char *first, const char *second, size_t most);

/* "Did you mean": offer all candidates, then query the nearest. */
enum { FM_NEAREST = 3 };

typedef struct fm_nearest {
    const char *wanted;
    const char *names[FM_NEAREST]; /* nearest first */
    size_t distances[FM_NEAREST];
    size_t count;
} fm_nearest;

void fm_nearest_offer(fm_nearest *nearest, const char *candidate);
/* Writes "; did you mean 'a'?" or "; did you mean 'a', 'b' or 'c'?", or "" if no name is similar. Returns `buffer`. */
const char *fm_nearest_write(const fm_nearest *nearest, char *buffer, size_t size);

#endif
