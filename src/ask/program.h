/* An expression that has been read: its operations in the order of evaluation. */
#ifndef FM_ASK_PROGRAM_H
#define FM_ASK_PROGRAM_H

#include "ask/ask.h"
#include "base/memory.h"

typedef enum fm_ask_operation {
    FM_ASK_CONSTANT,
    FM_ASK_INPUT,
    FM_ASK_TIME,
    FM_ASK_NEGATE,
    FM_ASK_ADD,
    FM_ASK_SUBTRACT,
    FM_ASK_MULTIPLY,
    FM_ASK_DIVIDE,
    FM_ASK_POWER, /* `whole` */
    FM_ASK_LESS,
    FM_ASK_LESS_EQUAL,
    FM_ASK_MORE,
    FM_ASK_MORE_EQUAL,
    FM_ASK_EQUAL,
    FM_ASK_UNEQUAL,
    FM_ASK_NOT,
    FM_ASK_AND,
    FM_ASK_OR,
    /* functions of the present sample */
    FM_ASK_ABS,
    FM_ASK_SQRT,
    FM_ASK_SIN,
    FM_ASK_COS,
    FM_ASK_TAN,
    FM_ASK_ASIN,
    FM_ASK_ACOS,
    FM_ASK_ATAN2,
    FM_ASK_EXP,
    FM_ASK_LOG,
    FM_ASK_SIGN,
    FM_ASK_HYPOT,
    FM_ASK_WRAP,
    FM_ASK_LEAST,
    FM_ASK_MOST,
    FM_ASK_IF,
    /* functions of all samples so far: they have words of their own */
    FM_ASK_REDUCTIONS,
    FM_ASK_MIN = FM_ASK_REDUCTIONS,
    FM_ASK_MAX,
    FM_ASK_MEAN,
    FM_ASK_RMS,
    FM_ASK_INTEGRAL,
    FM_ASK_EFFORT,
    FM_ASK_FIRST,
    FM_ASK_LAST,
    FM_ASK_COUNT,
    FM_ASK_AT,
    FM_ASK_START,
    FM_ASK_END,
    FM_ASK_CHANGE,
    FM_ASK_SETTLING,
    FM_ASK_OVERSHOOT
} fm_ask_operation;

enum { FM_ASK_ARGUMENTS = 3, FM_ASK_NODES = 512, FM_ASK_INPUTS = 64, FM_ASK_OWN_WORDS = 4 };

/* What a part of an expression is: a condition, or a number of a dimension. */
typedef struct fm_ask_type {
    int condition;
    int nought; /* the plain number 0, which has any dimension */
    int8_t power[FM_DIM_COUNT];
} fm_ask_type;

typedef struct fm_ask_node {
    fm_ask_operation operation;
    uint16_t arguments[FM_ASK_ARGUMENTS]; /* earlier nodes */
    uint16_t words;                       /* of a reduction: where its own begin */
    int whole;                            /* of a power: the exponent; of an input: its number */
    double number;                        /* of a constant */
    fm_ask_type type;
    uint16_t from, to; /* bytes of the text */
} fm_ask_node;

struct fm_ask {
    fm_arena arena;
    const char *text;
    char unit[64];
    fm_ask_node *nodes; /* the last one is the answer */
    size_t node_count;
    fm_ask_input inputs[FM_ASK_INPUTS];
    size_t input_count, words;
};

/* The state: number of samples, time of the last one, the value of each node, then the reductions' own words. */
enum { FM_ASK_SAMPLES, FM_ASK_TIME_BEFORE, FM_ASK_VALUES };

/* functions.c: a function by name; NULL: none. */
typedef struct fm_ask_call fm_ask_call;
typedef struct fm_ask_signature {
    const char *name, *form, *about;
    int least, most; /* arguments; most 0: any number */
    fm_ask_operation operation;
    /* Type of the result; sets *error and returns a failure where the arguments do not suit. */
    fm_status (*check)(fm_ask_call *call);
} fm_ask_signature;
struct fm_ask_call {
    const fm_ask *ask;
    const char *name;
    const fm_ask_node *arguments[FM_ASK_ARGUMENTS];
    int count;
    fm_ask_type type; /* of the result */
    fm_error *error;
};
const fm_ask_signature *fm_ask_signature_find(const char *name, size_t length, int arguments);
const char *fm_ask_signature_name(size_t i);

/* types.c */
fm_status fm_ask_fail(const fm_ask *ask, size_t from, fm_error *error, fm_status status, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
int fm_ask_alike(const fm_ask_type *a, const fm_ask_type *b);
int fm_ask_plain(const fm_ask_type *a);
/* "'rov.x' is in m"; "'a < b' is a condition". */
const char *fm_ask_describe(const fm_ask *ask, const fm_ask_node *node, char *buffer, size_t size);
const char *fm_ask_type_unit(const fm_ask_type *type, char *buffer, size_t size);
/* Both the same: the type of a sum, of a comparison. */
fm_status fm_ask_join(const fm_ask *ask, const char *what, const fm_ask_node *a, const fm_ask_node *b,
                      fm_ask_type *type, fm_error *error);
fm_status fm_ask_want_number(const fm_ask *ask, const char *what, const fm_ask_node *node, fm_error *error);
fm_status fm_ask_want_condition(const fm_ask *ask, const char *what, const fm_ask_node *node, fm_error *error);
/* type := a · b^sign. */
fm_status fm_ask_multiply_units(const fm_ask *ask, const fm_ask_node *a, const fm_ask_node *b, int sign,
                                fm_ask_type *type, fm_error *error);

#endif
