/* What a fit estimates besides the parameters of the model: constant errors of instruments, and how late they are; and
 * what is known of all of these before. (Q12) */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "studies/fit.h"

double fm_fit_bias(const fm_fit *f, const double *values, size_t channel)
{
    double sum = 0;
    for (size_t k = f->plan.axis_count; k < f->count; k++)
        if (f->parameters[k].kind == FM_FIT_BIAS && f->parameters[k].channel == channel)
            sum += values[k];
    return sum;
}

double fm_fit_delay(const fm_fit *f, const double *values, size_t source, size_t channel)
{
    double sum = 0;
    for (size_t k = f->plan.axis_count; k < f->count; k++) {
        const fm_fit_parameter *p = &f->parameters[k];
        if (p->kind == FM_FIT_DELAY && (p->channel == channel || (p->channel == FM_FIT_LINKS && p->source == source)))
            sum += values[k];
    }
    return sum;
}

/* Mean and deviation in the unit of a parameter. A deviation has no zero point: only its scale changes. */
static fm_status take_prior(fm_fit_parameter *p, const fm_fit_prior *prior, fm_error *error)
{
    fm_unit from, to;
    if (isnan(prior->mean))
        return FM_OK;
    if (fm_unit_parse(prior->unit, &from, error) != FM_OK || fm_unit_parse(p->unit, &to, error) != FM_OK ||
        !fm_unit_compatible(&from, &to))
        return fm_fail(error, FM_ERR_UNIT, "what is known of '%s' is in '%s': must be in %s", p->path, prior->unit,
                       p->unit[0] ? p->unit : "plain numbers");
    p->mean = fm_unit_convert(prior->mean, &from, &to);
    p->prior = fabs(fm_unit_convert(prior->mean + prior->deviation, &from, &to) - p->mean);
    return FM_OK;
}

static fm_status add_priors(fm_fit *f, fm_error *error)
{
    for (size_t i = 0; i < f->options.prior_count; i++) {
        const fm_fit_prior *prior = &f->options.priors[i];
        fm_fit_parameter *found = NULL;
        for (size_t k = 0; k < f->plan.axis_count; k++)
            if (fm_text_name_equal(f->parameters[k].path, prior->name))
                found = &f->parameters[k];
        if (!found)
            return fm_fail(error, FM_ERR_NAME, "prior of '%s': it is not one of the parameters that are fitted",
                           prior->name);
        fm_status status = take_prior(found, prior, error);
        if (status != FM_OK)
            return status;
    }
    return FM_OK;
}

static fm_status add_instrument(fm_fit *f, const fm_fit_parameter *new, const fm_fit_prior *prior, fm_error *error)
{
    if (f->count == FM_FIT_PARAMETERS)
        return fm_fail(error, FM_ERR_FULL, "more than %d parameters, biases and delays", FM_FIT_PARAMETERS);
    fm_fit_parameter *p = &f->parameters[f->count];
    *p = *new;
    p->text = "";
    p->low = p->high = p->mean = p->prior = NAN;
    fm_status status = take_prior(p, prior, error);
    if (!isnan(p->mean)) {
        p->start = p->value = p->mean;
        p->scale = p->prior;
    }
    f->count++;
    return status;
}

static size_t find_channel(const fm_fit *f, const char *ours)
{
    size_t c = 0;
    while (c < f->options.channel_count && strcmp(f->options.channels[c].ours, ours) != 0)
        c++;
    return c;
}

static fm_status add_bias(fm_fit *f, const fm_fit_prior *bias, fm_error *error)
{
    const size_t c = find_channel(f, bias->name);
    if (c == f->options.channel_count)
        return fm_fail(error, FM_ERR_NAME, "bias of '%s': it is not a quantity that is compared", bias->name);
    const fm_fit_channel *channel = &f->channels[c];
    fm_fit_parameter p = {.kind = FM_FIT_BIAS, .channel = c, .scale = fmax(channel->noise, 0.01 * channel->spread)};
    fm_text_print(p.path, sizeof p.path, "bias of %s", bias->name);
    snprintf(p.unit, sizeof p.unit, "%s", channel->unit);
    return add_instrument(f, &p, bias, error);
}

/* Mean time from one row to the next, s. */
static double interval_of(const fm_fit *f, size_t source, size_t channel)
{
    const fm_fit_block *b = &f->blocks[source * f->options.channel_count + channel];
    return b->count > 1 ? (f->t[b->first + b->count - 1] - f->t[b->first]) / (double)(b->count - 1)
                        : fm_model_dt(f->model);
}

static fm_status add_delay(fm_fit *f, const fm_fit_prior *delay, fm_error *error)
{
    const bool all = !strcmp(delay->name, "record");
    const size_t c = all ? 0 : find_channel(f, delay->name);
    fm_status status = FM_OK;
    if (c == f->options.channel_count)
        return fm_fail(error, FM_ERR_NAME, "delay of '%s': must be a quantity that is compared, or 'record'",
                       delay->name);
    for (size_t s = 0; s < (all ? f->options.source_count : 1) && status == FM_OK; s++) {
        fm_fit_parameter p = {.kind = FM_FIT_DELAY,
                              .channel = all ? (size_t)FM_FIT_LINKS : c,
                              .source = s,
                              .unit = "s",
                              .scale = fmax(interval_of(f, s, c), fm_model_dt(f->model))};
        if (all)
            fm_text_print(p.path, sizeof p.path, "delay of record %zu", s + 1);
        else
            fm_text_print(p.path, sizeof p.path, "delay of %s", delay->name);
        status = add_instrument(f, &p, delay, error);
    }
    return status;
}

fm_status fm_fit_add_instruments(fm_fit *f, fm_error *error)
{
    f->count = f->plan.axis_count;
    fm_status status = add_priors(f, error);
    for (size_t i = 0; i < f->options.bias_count && status == FM_OK; i++)
        status = add_bias(f, &f->options.biases[i], error);
    for (size_t i = 0; i < f->options.delay_count && status == FM_OK; i++)
        status = add_delay(f, &f->options.delays[i], error);
    return status;
}
