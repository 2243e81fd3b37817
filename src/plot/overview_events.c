/* Events by numbers: a mark in every plot over time, the text below the figure. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/overview_page.h"

enum { EVENTS_MOST = 30, KINDS_MOST = 40 };

const char *fm_overview_event_text(const fm_run_event *e, char *text, size_t size)
{
    if (e->text && e->text[0])
        snprintf(text, size, "%.120s", e->text);
    else if (e->value != 0 && isfinite(e->value))
        snprintf(text, size, "%.80s (%.4g)", e->kind, e->value);
    else
        snprintf(text, size, "%.80s", e->kind);
    return text;
}

static size_t count_events(const fm_overview_page *p)
{
    size_t total = 0;
    for (size_t k = 0; k < p->run_count; k++)
        total += p->runs[k]->event_count;
    return total;
}

/* Whether an event is of the kind of an earlier one of its run; with many events only the first is marked. */
static int is_repeat(const fm_run_data *run, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(run->events[k].kind, run->events[i].kind) == 0 &&
            strcmp(run->events[k].vehicle, run->events[i].vehicle) == 0)
            return 1;
    return 0;
}

static size_t count_kind(const fm_run_data *run, size_t i)
{
    size_t count = 0;
    for (size_t k = i; k < run->event_count; k++)
        count += strcmp(run->events[k].kind, run->events[i].kind) == 0 &&
                 strcmp(run->events[k].vehicle, run->events[i].vehicle) == 0;
    return count;
}

/* The events that are marked, of all runs, in the order of time. */
typedef struct event_walk {
    const fm_overview_page *page;
    size_t next[16]; /* of each run */
    int by_kind;     /* number of events from which only the first of a kind is marked */
    size_t run, number;
} event_walk;

static event_walk start_walk(const fm_overview_page *p)
{
    return (event_walk){.page = p, .by_kind = count_events(p) > EVENTS_MOST};
}

static const fm_run_event *next_event(event_walk *w)
{
    const fm_run_event *first = NULL;
    size_t runs = w->page->run_count < 16 ? w->page->run_count : 16;
    for (size_t k = 0; k < runs; k++) {
        const fm_run_data *run = w->page->runs[k];
        while (w->by_kind && w->next[k] < run->event_count && is_repeat(run, w->next[k]))
            w->next[k]++;
        if (w->next[k] < run->event_count && (!first || run->events[w->next[k]].time < first->time)) {
            first = &run->events[w->next[k]];
            w->run = k;
        }
    }
    if (!first || w->number == KINDS_MOST)
        return NULL;
    w->next[w->run]++;
    w->number++;
    return first;
}

void fm_overview_marks(fm_overview_page *p, fm_axes *axes, int numbers)
{
    event_walk walk = start_walk(p);
    for (const fm_run_event *e; (e = next_event(&walk));) {
        char number[24];
        snprintf(number, sizeof number, "%zu", walk.number);
        fm_axes_mark(axes, e->time, numbers ? number : NULL);
    }
}

static void note_event(fm_overview_page *p, const event_walk *walk, const fm_run_event *e)
{
    char what[160], text[400], who[120] = "", often[48] = "";
    const fm_run_data *run = p->runs[walk->run];
    fm_overview_event_text(e, what, sizeof what);
    if (p->alone)
        snprintf(who, sizeof who, "%.100s: ", run->name ? run->name : "");
    else if (p->run_count > 1)
        snprintf(who, sizeof who, "%.50s: %.48s: ", run->name ? run->name : "", e->vehicle);
    else if (run->vehicle_count > 1 && e->vehicle[0])
        snprintf(who, sizeof who, "%.60s: ", e->vehicle);
    size_t count = walk->by_kind ? count_kind(run, (size_t)(e - run->events)) : 1;
    if (count > 1) {
        snprintf(what, sizeof what, "%.120s", e->kind);
        snprintf(often, sizeof often, ", the first of %zu", count);
    }
    snprintf(text, sizeof text, "%zu   %.4g s  %s%s%s", walk->number, e->time, who, what, often);
    fm_figure_note(p->figure, text);
}

void fm_overview_notes(fm_overview_page *p)
{
    event_walk walk = start_walk(p);
    for (const fm_run_event *e; (e = next_event(&walk));)
        note_event(p, &walk, e);
    if (walk.number == KINDS_MOST)
        fm_figure_note(p->figure, "… and more: see /events");
}
