/* Bridges: a run exchanges data with other software, as <bridge> of a scenario says. Built-in bridges and those of a
 * plugin use the same class. docs/plugins.md has an example.
 *
 * libfathom reads and checks the element. libfathom-net opens the bridge: fm_server, `fathom run`, `serve` and `view`.
 *
 * A bridge runs on two threads. The I/O thread (an event loop) calls open, ready, turn, close and release; the stepping
 * thread, which owns the run, calls begin, steer, step, event and end. No callback may block. A bridge that shares data
 * between the two locks it. */
#ifndef FATHOM_BRIDGE_H
#define FATHOM_BRIDGE_H

#include <fathom/describe.h>
#include <fathom/run.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fm_host;

/* An open bridge, as its callbacks see it. It is valid until `release` has returned. */
typedef struct fm_bridge {
    size_t size;           /* of this struct, bytes: newer versions append members */
    const void *config;    /* filled from the element; valid as long as the model */
    const fm_model *model; /* that is run */
    fm_run *run;           /* in `open` it has not begun: sinks may be attached */
    struct fm_host *host;  /* for the bridges of libfathom-net only */
    /* Calls ready(state) on the I/O thread whenever `fd` can be read, until the bridge closes. In `open`; up to 8. */
    fm_status (*watch)(struct fm_bridge *bridge, int fd, void (*ready)(void *state), fm_error *error);
    /* Reports one line to the user. Any thread. */
    void (*report)(struct fm_bridge *bridge, const char *text);
    /* Adds one to the counter of this name, at most 47 characters: "lines/sent". `fathom ctl stats` shows counters, and
     * `fathom run` prints those with "/drop/" in their name at its end. Any thread. */
    void (*count)(struct fm_bridge *bridge, const char *name);
} fm_bridge;

/* What a bridge does. Only `open` is required. `state` is the bridge's own memory. */
typedef struct fm_bridge_calls {
    size_t size;         /* sizeof(fm_bridge_calls) */
    size_t state_size;   /* bytes of `state`, which are zero when `open` is called */
    const char *missing; /* why this build cannot open it ("built without …"); NULL: it can */

    /* I/O thread. */
    /* Before the first step: opens files and sockets. A failure ends the run; `close` and `release` follow. */
    fm_status (*open)(void *state, fm_bridge *bridge, fm_error *error);
    void (*turn)(void *state);    /* after one or more steps: send what `step` has prepared */
    void (*close)(void *state);   /* the run is over, or `open` has failed */
    void (*release)(void *state); /* last call: free what `state` points to */

    /* Stepping thread. */
    void (*begin)(void *state, fm_run *run);
    void (*steer)(void *state, fm_run *run); /* just before a step reads its inputs: may order the world directly */
    /* Once before the first step, after each step and after a reset, which is where fm_world_time decreases. */
    void (*step)(void *state, fm_run *run);
    void (*event)(void *state, fm_run *run, const fm_event *event);
    void (*end)(void *state, fm_run *run);
} fm_bridge_calls;

/* A kind of bridge. */
typedef struct fm_bridge_class {
    size_t size;               /* sizeof(fm_bridge_class) */
    const fm_element *element; /* FM_BRIDGE_ELEMENT; an attribute `vehicle` must name a vehicle of the scenario */
    /* At load, after the element was read: refuses what makes no sense and derives further members of `config`. On
     * failure *attribute may name the attribute that is wrong, for the line in the message. May be NULL. */
    fm_status (*check)(const fm_model *model, void *config, const char **attribute, fm_error *error);
    const fm_bridge_calls *calls; /* NULL: libfathom-net has them under the kind's name (built-in bridges) */
} fm_bridge_class;

/* The element <bridge kind="its_kind">, whose values go into its_type. */
#define FM_BRIDGE_ELEMENT(its_type, its_kind, its_attrs, its_text)                                                     \
    {                                                                                                                  \
        .name = "bridge", .text = its_text, .attrs = its_attrs, .attr_count = FM_COUNT(its_attrs),                     \
        .config_size = sizeof(its_type), .kind = its_kind                                                              \
    }

#ifdef __cplusplus
}
#endif
#endif
