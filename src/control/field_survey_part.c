/* <field-survey>: CTD measurements assigned to the vehicle's estimated position, compared with the true field there. */
#include <math.h>

#include "control/navigation_part.h"
#include "control/parts.h"
#include "environment/environment.h"

typedef struct survey_config {
    const char *name;
    double period;
    const char *instrument;
    fm_quantity_view view;
    int64_t navigation, metric;
} survey_config;

typedef struct survey_output {
    int64_t samples;
    double position[3]; /* m, NED, believed */
    double value;       /* degC */
    double error;       /* K: minus the true field at that position; for people */
} survey_output;

static const fm_attr attrs[] = {
    FM_NAME_ATTR(survey_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(survey_config, period, "period", "s", 0, 1e3, "0 s", 0, "between looks at the instrument"),
    FM_NAME_ATTR(survey_config, instrument, "instrument", NULL, 0,
                 "that gives the temperature, as a <ctd> does; left out: the first that does"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(survey_config, "field-survey", attrs, NULL, 0,
                     "A temperature map made by the vehicle: each sample at its estimated position (<navigation>). Its "
                     "metric is the error of the map at those positions.");

static fm_status load_survey(fm_part_load *load, void *config, fm_error *error)
{
    survey_config *c = config;
    if (fm_load_find_quantity(load, FM_QUANTITY_TEMPERATURE, c->instrument, &c->view, error) < 0)
        return error->status;
    c->navigation = fm_load_navigation(load);
    c->metric =
        fm_load_metric(load, "field_error_rms", "K",
                       "measured temperature less the true one at the place where the vehicle believed to be, root "
                       "mean square",
                       FM_METRIC_RMS);
    return FM_OK;
}

/* The lever arm of the instrument is neglected: it is short compared with the field. */
static void run_survey(const fm_part_context *context)
{
    const survey_config *c = context->config;
    survey_output *o = context->output;
    const fm_reading head = fm_sensor_reading(context, (int)c->view.part);
    if (head.count == o->samples || !head.valid)
        return;
    const fm_estimate n = fm_navigation_known(context, (int)c->navigation);
    o->samples = head.count;
    for (int i = 0; i < 3; i++)
        o->position[i] = n.position[i];
    o->value = fm_quantity_value(context, &c->view, 0);
    o->error = o->value - fm_water_column_temperature(&context->environment->column, o->position[0], o->position[1],
                                                      o->position[2]);
    if (isfinite(o->error))
        fm_metric_note(context, (int)c->metric, o->error);
}

static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(survey_output, position[0], "sample.north", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(survey_output, position[1], "sample.east", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(survey_output, position[2], "sample.depth", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(survey_output, value, "temperature", "degC", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(survey_output, error, "error", "K", FM_QUANTITY_NONE),
};
const fm_part_class fm_field_survey_class = {.kind = FM_PART_CONTROLLER,
                                             .element = &element,
                                             .output_size = sizeof(survey_output),
                                             .outputs = outputs,
                                             .output_count = FM_COUNT(outputs),
                                             .counts = FM_COUNTS_SAMPLES,
                                             .load = load_survey,
                                             .run = run_survey};
