/* A law (control/law.h) as a part: its attributes, its step in a world, and its description for lanes. */
#ifndef FM_CONTROL_LAW_PART_H
#define FM_CONTROL_LAW_PART_H

#include "base/lane_part.h"
#include "control/laws.h"

/* The head of every law's config; its own fields follow. */
#define FM_LAW_CONFIG(x)                                                                                               \
    fm_##x##_params params;                                                                                            \
    fm_law_links links;                                                                                                \
    const char *name;                                                                                                  \
    double period;
typedef struct fm_law_links {
    int64_t actuators[FM_LAW_ACTUATORS];
    int64_t actuator_count;
    int64_t sources[FM_LAW_SOURCES]; /* parts: fm_load_sensor */
    int64_t source_count;
    int64_t metrics[FM_LAW_METRICS];
} fm_law_links;

/* Rows of its table of attributes, and of its metrics. */
#define FM_LAW_ATTR(member, label, unit, low, high, standard, text)                                                    \
    FM_REAL_ATTR(law_config, params.member, label, unit, low, high, standard, 0, text),
#define FM_LAW_COMMON_ATTRS                                                                                            \
    FM_NAME_ATTR(law_config, name, "name", NULL, 0, "of this part"),                                                   \
        FM_REAL_ATTR(law_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two decisions; 0: every step")
#define FM_LAW_MEASURE(kind, member, unit, text) {#member, unit, text, FM_METRIC_##kind},

typedef struct fm_law_row {
    const char *name, *unit, *text;
    fm_metric_kind kind;
} fm_law_row;

/* A law for the engines; fm_lane_part.law. */
typedef struct fm_law {
    int id;                 /* FM_LAW_… */
    size_t params, state;   /* count; the parameters are at the head of its config */
    size_t outputs;         /* count, of a sensor; 0: none */
    size_t links;           /* where they are in its config, bytes */
    const fm_law_row *rows; /* its metrics */
    size_t row_count;
} fm_law;
#define FM_LAW_OF(x, its_config, its_rows, output_bytes)                                                               \
    {                                                                                                                  \
        FM_LAW_##x, sizeof(fm_##x##_params) / sizeof(double), sizeof(fm_##x##_state) / sizeof(double),                 \
            (output_bytes) / sizeof(double), offsetof(its_config, links), its_rows, FM_COUNT(its_rows)                 \
    }
/* Rows of a sensor's table of outputs; law_output: its fm_x_output. */
#define FM_LAW_TELLS(member, field, unit, quantity) FM_OUTPUT_NUMBER(law_output, member, field, unit, quantity),

/* Numbers that it stores in a batch: its state, its outputs, then value and count of each metric. */
static inline size_t fm_law_kept(const fm_law *law)
{
    return law->state + law->outputs + 2 * law->row_count;
}

/* Registers its metrics. */
void fm_law_load(fm_part_load *load, const fm_law *law, fm_law_links *links);
/* Before and after its step in a world. */
fm_law_io fm_law_begin(const fm_part_context *context, const fm_law_links *links);
void fm_law_end(const fm_part_context *context, const fm_law *law, const fm_law_links *links, const fm_law_io *io);

#endif
