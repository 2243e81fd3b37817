/* Questions to a run: expressions with units over everything that changes, "max(rov.depth) - 10 m".
 *
 * An expression is read once (fm_ask_read) and is constant from then on; any number of threads may evaluate it. What
 * changes is a block of numbers without pointers, fm_ask_words long, which the caller keeps, saves and restores. Each
 * sample of a run is passed to fm_ask_note; fm_ask_value is the answer so far. No call after fm_ask_read allocates. */
#ifndef FM_ASK_ASK_H
#define FM_ASK_ASK_H

#include "base/units.h"

typedef struct fm_ask fm_ask;

/* A number of a run. */
typedef struct fm_ask_input {
    size_t number; /* of the caller: where it is read from */
    fm_unit unit;  /* its dimension; its numbers are SI */
} fm_ask_input;

/* What the names of an expression mean. */
typedef struct fm_ask_names {
    /* Finds a name ("rov.x"), with the index after it ("[1]"; -1: none). FM_ERR_NAME: unknown; any other failure is
     * reported as it is. */
    fm_status (*find)(void *user, const char *name, long index, fm_ask_input *input, fm_error *error);
    /* Offers every name for "did you mean"; may be NULL. */
    void (*offer)(void *user, void (*take)(void *to, const char *name), void *to);
    void *user;
} fm_ask_names;

/* What an expression has to be. */
typedef enum fm_ask_kind { FM_ASK_ANY, FM_ASK_NUMBER, FM_ASK_CONDITION } fm_ask_kind;

enum { FM_ASK_LENGTH = 4095, FM_ASK_NAME = 160 }; /* bytes of an expression; of a name, with its 0 */

/* Reads an expression. `unit`: the dimension that its number has to have; NULL: any. On failure NULL, and *error names
 * the column, what is wrong and what would be right. Free it with fm_ask_free. */
fm_ask *fm_ask_read(const char *text, const fm_ask_names *names, fm_ask_kind kind, const char *unit, fm_error *error);
void fm_ask_free(fm_ask *ask);

/* The text that it was read from; its SI unit ("m/s"; "": no dimension, or a condition); whether it is a condition. */
const char *fm_ask_text(const fm_ask *ask);
const char *fm_ask_unit(const fm_ask *ask);
int fm_ask_is_condition(const fm_ask *ask);
/* Its answer depends on the present sample alone: no function of it looks back. */
int fm_ask_is_instant(const fm_ask *ask);
/* The numbers that it is made of, each once. */
size_t fm_ask_input_count(const fm_ask *ask);
fm_ask_input fm_ask_input_at(const fm_ask *ask, size_t i);

/* Numbers of its state. */
size_t fm_ask_words(const fm_ask *ask);
/* Before the first sample. */
void fm_ask_begin(const fm_ask *ask, double *state);
/* A sample at time `time` (s, not decreasing): `inputs` in the order of fm_ask_input_at, SI; NaN: unknown. */
void fm_ask_note(const fm_ask *ask, double *state, double time, const double *inputs);
/* The answer after the last sample: SI; a condition is 1 or 0; NaN: unknown, or never. */
double fm_ask_value(const fm_ask *ask, const double *state);

/* Splits "name=EXPR": returns the expression, and writes the name. Without a name ("rov.x > 3 m", "a == b") the name is
 * made of the letters and digits of the text. */
const char *fm_ask_split(const char *text, char *name, size_t size);
/* Whether a text is more than a name or a shell pattern: it has to be read as an expression. */
int fm_ask_is_expression(const char *text);

/* The functions of the language, for help texts: "hypot(a, b)" and what it is; NULL after the last. */
const char *fm_ask_function(size_t i, const char **about);

#endif
