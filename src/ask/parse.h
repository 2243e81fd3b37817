/* A parser at work: the text, and the nodes so far. */
#ifndef FM_ASK_PARSE_H
#define FM_ASK_PARSE_H

#include "ask/program.h"

typedef struct fm_ask_parser {
    fm_ask *ask;
    const fm_ask_names *names;
    const char *text, *at;
    int depth;
    fm_error *error;
} fm_ask_parser;

/* All return the number of a node, or a negative one with *error set. */
int fm_ask_parse_expression(fm_ask_parser *parser);
int fm_ask_parse_literal(fm_ask_parser *parser, int negative); /* literal.c: "10 m/s"; `at` is on its first digit */
int fm_ask_parse_name(fm_ask_parser *parser);                  /* name.c: "rov.x", "dvl.velocity[1]" */

int fm_ask_add_node(fm_ask_parser *parser, fm_ask_node node, const char *from);
fm_status fm_ask_parse_fail(fm_ask_parser *parser, const char *at, fm_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void fm_ask_skip_space(fm_ask_parser *parser);
int fm_ask_is_letter(char c);
int fm_ask_is_digit(char c);

#endif
