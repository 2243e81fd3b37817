/* Expressions about the vehicles of a scenario, evaluated in its worlds. Names are those of the fields of a model
 * (fathom/fields.h) and of the metrics of its vehicles: "rov.x", "dvl.velocity[0]" of the first vehicle,
 * "rov.min_clearance"; "depth", "north", "east", "roll", "pitch" and "heading" are z, x, y, phi, theta and psi. */
#ifndef FM_ASK_PROBE_H
#define FM_ASK_PROBE_H

#include <fathom/fields.h>

#include "ask/ask.h"

/* An expression that is bound to a model; constant. */
typedef struct fm_ask_probe fm_ask_probe;

/* As fm_ask_read; `vehicle`: whose names need no vehicle in front (-1: the first one). The model must outlive it. */
fm_ask_probe *fm_ask_probe_create(const fm_model *model, int vehicle, const char *text, fm_ask_kind kind,
                                  const char *unit, fm_error *error);
void fm_ask_probe_free(fm_ask_probe *probe);
const fm_ask *fm_ask_probe_ask(const fm_ask_probe *probe);
/* Notes a sample: the world as it is now, of this model, at this time (s). */
void fm_ask_probe_note(const fm_ask_probe *probe, double *state, const fm_world *world, double time);

/* Its answer needs only the pose and the metrics at the end. If not, writes why into `why`: "'max(rov.u)' looks at
 * every step". */
int fm_ask_probe_ends(const fm_ask_probe *probe, char *why, size_t size);
/* The field of input `i` of the expression and its element; NULL: it is a metric. */
const struct fm_record_field *fm_ask_probe_field(const fm_ask_probe *probe, size_t i, int *vehicle, size_t *element);
/* The name of the metric that is input `i`, and the vehicle's; NULL: it is a field. */
const char *fm_ask_probe_metric(const fm_ask_probe *probe, size_t i, int *vehicle);

/* --- several of them, with the state of one run --- */

typedef struct fm_ask_panel fm_ask_panel;

/* `texts`: "NAME=EXPRESSION" or an expression. NULL and *error if one is refused. */
fm_ask_panel *fm_ask_panel_create(const fm_model *model, const char *const *texts, size_t count, fm_error *error);
void fm_ask_panel_free(fm_ask_panel *panel);
/* Before the first sample of another run. */
void fm_ask_panel_begin(fm_ask_panel *panel);
/* Samples the world. At an earlier tick (after a reset) it begins again; a tick that was sampled is left out. */
void fm_ask_panel_note(fm_ask_panel *panel, const fm_world *world);
size_t fm_ask_panel_count(const fm_ask_panel *panel);
const char *fm_ask_panel_name(const fm_ask_panel *panel, size_t i);
const fm_ask_probe *fm_ask_panel_probe(const fm_ask_panel *panel, size_t i);
double fm_ask_panel_value(const fm_ask_panel *panel, size_t i);

#endif
