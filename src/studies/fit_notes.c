/* Remarks about the result of a fit, one sentence each. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "studies/fit.h"

typedef struct notes {
    void (*line)(void *user, const char *text);
    void *user;
    size_t count;
} notes;

static void add_note(notes *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_note(notes *n, const char *format, ...)
{
    char text[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    n->line(n->user, text);
    n->count++;
}

/* Runs that deviate from the record by much more than its noise: the intervals only consider noise. */
static void note_misfit(notes *n, const fm_fit *fit, const fm_fit_channel *c)
{
    const double rms = fm_fit_typical(fit, c);
    for (int k = 0; k < 2; k++)
        if (c->count[k] && c->rms[k] > c->constant[k] && c->rms[k] > 3 * c->noise)
            add_note(n,
                     "%s: %s is followed no better than by a constant, the first value of each segment (rms %.3g %s)",
                     c->link.ours, k ? "what was kept" : "what was fitted", c->constant[k], c->unit);
    if (c->spread > 0 && rms > 0.5 * c->spread && rms > 3 * c->noise)
        add_note(n,
                 "%s is not followed: the residuals are %.0f %% of what the record varies by. This is a local minimum, "
                 "or the wrong model; start nearer (--set), or with less of the record (--to, --segment)",
                 c->link.ours, 100 * rms / c->spread);
    else if (rms > 3 * c->noise && c->noise > 10 * c->floor)
        add_note(n,
                 "%s is followed to %.2g times the noise of the record; the intervals account only for noise, and may "
                 "not contain the true values",
                 c->link.ours, rms / c->noise);
}

/* Why the intervals are unreliable, one line per reason. */
static void note_doubts(notes *n, const fm_fit *fit)
{
    static const struct {
        fm_fit_doubt doubt;
        const char *text;
    } reasons[] = {
        {FM_DOUBT_ROUGH, "the runs switch: derivatives depend on how far apart the runs are from which they are taken"},
        {FM_DOUBT_OPEN, "runs far beyond an interval follow the record as well"},
        {FM_DOUBT_BETTER, "the search ended although runs near its end follow the record better"},
        {FM_DOUBT_OTHERS, "searches from other starts ended elsewhere and follow the record as well"},
        {FM_DOUBT_RESIDUALS, "the residuals are far above the noise of the record and correlated: either this is a "
                             "local minimum, or the model lacks something"},
        {FM_DOUBT_USELESS, "a constant follows what is compared as well as the model with these values"},
        {FM_DOUBT_FORECAST,
         "a constant predicts what was kept for checking as well, while the fitted part is followed"},
        {FM_DOUBT_NOISE, "the residuals are far above the noise that was given"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (fit->doubts & reasons[i].doubt)
            add_note(n, "the intervals cannot be trusted: %s", reasons[i].text);
    if (fit->doubts && fit->stairs)
        add_note(n, "the result is a staircase over the parameters (a controller switches at a tick); use the recorded "
                    "actuator orders instead (--input VEHICLE.ACTUATOR=…), without the controller");
}

size_t fm_fit_remark(const fm_fit *fit, void (*line)(void *user, const char *text), void *user)
{
    notes n = {line, user, 0};
    size_t count = fit->count;
    note_doubts(&n, fit);
    for (size_t i = 0; i < count; i++) {
        const fm_fit_parameter *p = &fit->parameters[i];
        if (p->at_bound)
            add_note(&n, "%s is at its bound; it has no interval", p->path);
        else if (p->kind == FM_FIT_VALUE && p->most - p->least > 2 * fmax(fabs(p->value), fabs(p->start)))
            add_note(&n, "%s is not determined by these records: its interval is wider than itself", p->path);
        else if (p->kind == FM_FIT_VALUE && fabs(p->value - p->start) > 20 * p->scale)
            add_note(&n, "%s moved far from its start; if it has little effect there, set bounds (--fit %s=LOW:HIGH)",
                     p->path, p->path);
        for (size_t k = 0; k < i; k++)
            if (fabs(fit->correlation[i][k]) > 0.98)
                add_note(&n, "%s and %s can hardly be distinguished: their correlation is %.4f",
                         fit->parameters[k].path, p->path, fit->correlation[i][k]);
    }
    if (fit->condition > 1e4)
        add_note(
            &n,
            "the derivatives are nearly dependent (condition %.2g): fit fewer parameters, or use more varied motion",
            fit->condition);
    if (fit->widened > 1.1 && fit->misfit > 0.01)
        add_note(&n,
                 "the residuals are correlated: the intervals are widened, by a factor of %.2g at most. The remaining "
                 "error is systematic, not noise",
                 fit->widened);
    for (size_t i = 0; i < fit->options.channel_count; i++) {
        const fm_fit_channel *c = &fit->channels[i];
        note_misfit(&n, fit, c);
        if (c->count[1] && c->rms[1] > 2 * c->rms[0])
            add_note(&n, "%s: the rest of the record is followed %.2g times worse than what was fitted", c->link.ours,
                     c->rms[1] / c->rms[0]);
        if (c->link.sigma > 0 && fm_fit_typical(fit, c) > 2 * c->link.sigma)
            add_note(&n, "%s: the residuals are %.2g times the noise that was given; the intervals use the residuals",
                     c->link.ours, c->rms[0] / c->link.sigma);
    }
    return n.count;
}
