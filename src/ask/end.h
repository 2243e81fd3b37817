/* <end>: a condition that ends the run. A subsystem of the world: its state is saved, restored and hashed. */
#ifndef FM_ASK_END_H
#define FM_ASK_END_H

#include "ask/probe.h"
#include "world/subsystem.h"

typedef struct fm_ask_end {
    fm_ask_probe *probe;
    const char *text; /* for people; NULL: the expression */
} fm_ask_end;

extern const fm_subsystem fm_end_subsystem; /* config: fm_ask_end */
/* Words of its state: whether the condition was met, then the expression's. */
size_t fm_ask_end_words(const fm_ask_end *end);
/* That of a model; NULL: it has none. */
const fm_ask_end *fm_ask_end_of(const fm_model *model);

#endif
