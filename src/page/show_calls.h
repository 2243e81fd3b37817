/* Calls of viewers that are answered only after the world has applied them. */
#ifndef FM_PAGE_SHOW_CALLS_H
#define FM_PAGE_SHOW_CALLS_H

#include "page/show.h"

/* The asker; it may disconnect before its answers come. */
typedef struct fm_show_asker {
    size_t calls; /* that are not answered */
    int gone;
} fm_show_asker;

/* One call. */
struct fm_show_call {
    fm_show *show;
    fm_show_call *next; /* of all */
    fm_show_asker *asker;
    uint32_t service, number; /* of the asker's own */
    json_t *batch;            /* of a request with several calls, or NULL: what all of them share */
    json_t *reply;            /* what is answered where it is done */
    int answered;             /* what follows holds */
    fm_status status;
    char text[768]; /* why it was refused */
};

/* --- for the askers; the loop's thread --- */
fm_show_asker *fm_show_asker_create(void);
void fm_show_asker_leave(fm_show *show, fm_show_asker *asker);
/* Sets the call for the next show->call or show->set; NULL: no memory. Takes ownership of the reply. */
fm_show_call *fm_show_call_begin(fm_show *show, fm_show_asker *asker, uint32_t service, uint32_t number, json_t *reply);
/* 1: the show has deferred it; fm_show_call_next returns it once it is answered. */
int fm_show_call_deferred(fm_show *show);
/* The asker's next answered call, to be freed. NULL: none. */
fm_show_call *fm_show_call_next(fm_show *show, const fm_show_asker *asker);
void fm_show_call_free(fm_show_call *call);

/* --- for shows --- */
/* Within show->call or show->set: the answer follows through fm_show_answer. */
fm_show_call *fm_show_defer(fm_show *show);
/* Any thread, once. `text`: the reason of a refusal. */
void fm_show_answer(fm_show_call *call, fm_status status, const char *text);

#endif
