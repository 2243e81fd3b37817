/* Output of `fathom identify`: text, JSON, a table of rows, and warnings. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/outfile.h"
#include "base/text.h"
#include "identify.h"
#include "summary.h"

/* --- what to mind --- */

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
static void note_misfit(notes *n, const fm_fit_channel *c)
{
    for (int k = 0; k < 2; k++)
        if (c->count[k] && c->rms[k] > c->constant[k] && c->rms[k] > 3 * c->noise)
            add_note(n,
                     "%s: %s is followed no better than by a constant, the first value of each segment (rms %.3g %s)",
                     c->link.ours, k ? "what was kept" : "what was fitted", c->constant[k], c->unit);
    if (c->spread > 0 && c->rms[0] > 0.5 * c->spread && c->rms[0] > 3 * c->noise)
        add_note(n,
                 "%s is not followed: the residuals are %.0f %% of what the record varies by. This is a local minimum, "
                 "or the wrong model; start nearer (--set), or with less of the record (--to, --segment)",
                 c->link.ours, 100 * c->rms[0] / c->spread);
    else if (c->rms[0] > 3 * c->noise && c->noise > 10 * c->floor)
        add_note(n,
                 "%s is followed to %.2g times the noise of the record; the intervals account only for noise, and may "
                 "not contain the true values",
                 c->link.ours, c->rms[0] / c->noise);
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
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (fit->doubts & reasons[i].doubt)
            add_note(n, "the intervals cannot be trusted: %s", reasons[i].text);
    if (fit->doubts && fit->stairs)
        add_note(n, "the result is a staircase over the parameters (a controller switches at a tick); use the recorded "
                    "actuator orders instead (--input VEHICLE.ACTUATOR=…), without the controller");
}

size_t cli_identify_warn(const fm_fit *fit, void (*line)(void *user, const char *text), void *user)
{
    notes n = {line, user, 0};
    size_t count = fit->plan.axis_count;
    note_doubts(&n, fit);
    for (size_t i = 0; i < count; i++) {
        const fm_fit_parameter *p = &fit->parameters[i];
        if (p->at_bound)
            add_note(&n, "%s is at its bound; it has no interval", p->path);
        else if (p->most - p->least > 2 * fmax(fabs(p->value), fabs(p->start)))
            add_note(&n, "%s is not determined by these records: its interval is wider than itself", p->path);
        else if (fabs(p->value - p->start) > 20 * p->scale)
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
        note_misfit(&n, c);
        if (c->count[1] && c->rms[1] > 2 * c->rms[0])
            add_note(&n, "%s: the rest of the record is followed %.2g times worse than what was fitted", c->link.ours,
                     c->rms[1] / c->rms[0]);
        if (c->link.sigma > 0 && c->rms[0] > 2 * c->link.sigma)
            add_note(&n, "%s: the residuals are %.2g times the noise that was given; the intervals use the residuals",
                     c->link.ours, c->rms[0] / c->link.sigma);
    }
    return n.count;
}

/* --- text --- */

static void print_text(const fm_fit *fit)
{
    printf("%-44s %14s %14s %14s %14s  %s\n", "parameter", "start", "found", "95 % from", "to", "unit");
    for (size_t i = 0; i < fit->plan.axis_count; i++) {
        const fm_fit_parameter *p = &fit->parameters[i];
        printf("%-44s %14.7g %14.7g %14.7g %14.7g  %s\n", p->path, p->start, p->value, p->least, p->most, p->unit);
    }
    printf("\n%-32s %8s %12s %12s %12s   %8s %12s %12s %12s  %s\n", "quantity", "fitted", "rms", "constant", "bias",
           "checked", "rms", "constant", "bias", "unit");
    for (size_t i = 0; i < fit->options.channel_count; i++) {
        const fm_fit_channel *c = &fit->channels[i];
        printf("%-32s %8zu %12.5g %12.5g %12.5g   %8zu %12.5g %12.5g %12.5g  %s\n", c->link.ours, c->count[0],
               c->rms[0], c->constant[0], c->bias[0], c->count[1], c->rms[1], c->constant[1],
               c->count[1] ? c->bias[1] : NAN, c->unit);
    }
    printf("\n%d iterations, %zu runs; %s; misfit %.4g, condition %.3g\n", fit->iterations, fit->runs, fit->ended,
           fit->misfit, fit->condition);
    if (fit->tried > 1 || fit->failed)
        printf("%d searches from different starts: %d ended here, %d elsewhere, %d failed\n", fit->tried + fit->failed,
               fit->agreed, fit->tried - fit->agreed, fit->failed);
    if (fit->doubts)
        printf("THE INTERVALS CANNOT BE TRUSTED\n");
}

/* --- JSON --- */

static void print_note(void *user, const char *text)
{
    size_t *count = user;
    printf("%s", (*count)++ ? ", " : "");
    cli_json_text(stdout, text);
}

static void print_parameters(const fm_fit *fit)
{
    printf("{\"parameters\": [");
    for (size_t i = 0; i < fit->plan.axis_count; i++) {
        const fm_fit_parameter *p = &fit->parameters[i];
        printf("%s\n  ", i ? "," : "");
        cli_json_parameter(stdout, p->path, p->unit);
        cli_json_member(stdout, "start", p->start);
        cli_json_member(stdout, "value", p->value);
        cli_json_member(stdout, "deviation", p->deviation);
        cli_json_member(stdout, "low", p->least);
        cli_json_member(stdout, "high", p->most);
        cli_json_member(stdout, "roughness", p->rough);
        cli_json_member(stdout, "roughness_at_step", p->rough_wide);
        cli_json_member(stdout, "rise_low", p->rise[0]);
        cli_json_member(stdout, "rise_high", p->rise[1]);
        printf(", \"widened_by_runs\": %s", p->by_runs ? "true" : "false");
        printf(", \"at_bound\": %s, \"correlation\": [", p->at_bound ? "true" : "false");
        for (size_t k = 0; k < fit->plan.axis_count; k++)
            printf("%s%.6f", k ? ", " : "", fit->correlation[i][k]);
        printf("]}");
    }
}

static void print_json(const fm_fit *fit)
{
    static const char *const parts[] = {"fitted", "checked"};
    size_t count = 0;
    print_parameters(fit);
    printf("],\n \"quantities\": [");
    for (size_t i = 0; i < fit->options.channel_count; i++) {
        const fm_fit_channel *c = &fit->channels[i];
        printf("%s\n  {\"ours\": ", i ? "," : "");
        cli_json_text(stdout, c->link.ours);
        printf(", \"theirs\": ");
        cli_json_text(stdout, c->link.theirs);
        printf(", \"unit\": ");
        cli_json_text(stdout, c->unit);
        cli_json_member(stdout, "sigma", c->sigma);
        cli_json_member(stdout, "correlated", c->memory);
        for (int k = 0; k < 2; k++) {
            printf(", \"%s\": {\"samples\": %zu", parts[k], c->count[k]);
            cli_json_member(stdout, "rms", c->rms[k]);
            cli_json_member(stdout, "constant", c->constant[k]);
            cli_json_member(stdout, "bias", c->count[k] ? c->bias[k] : NAN);
            printf("}");
        }
        printf("}");
    }
    printf("],\n \"iterations\": %d, \"runs\": %zu, \"converged\": %s, \"ended\": ", fit->iterations, fit->runs,
           fit->converged ? "true" : "false");
    cli_json_text(stdout, fit->ended);
    printf(", \"trusted\": %s, \"switching\": %s, \"searches\": {\"made\": %d, \"agreed\": %d, \"failed\": %d}",
           fit->doubts ? "false" : "true", fit->stairs ? "true" : "false", fit->tried + fit->failed, fit->agreed,
           fit->failed);
    cli_json_member(stdout, "misfit", fit->misfit);
    cli_json_member(stdout, "freedom", fit->freedom);
    cli_json_member(stdout, "condition", fit->condition);
    cli_json_member(stdout, "widened", fit->widened);
    printf(",\n \"notes\": [");
    cli_identify_warn(fit, print_note, &count);
    printf("]}\n");
}

void cli_identify_print(const cli_identify_options *options, const fm_fit *fit)
{
    if (options->json)
        print_json(fit);
    else
        print_text(fit);
}

/* --- rows --- */

static void write_rows(FILE *out, const fm_fit *fit)
{
    size_t channels = fit->options.channel_count;
    char number[40];
    fprintf(out, "record,quantity,unit,part,t [s],recorded,fitted,residual,intervals\n");
    for (size_t k = 0; k < fit->options.source_count * channels; k++) {
        const fm_fit_channel *c = &fit->channels[k % channels];
        for (size_t i = fit->blocks[k].first; i < fit->blocks[k].first + fit->blocks[k].count; i++) {
            fprintf(out, "%zu,%s,%s,%s,%s", k / channels, c->link.ours, c->unit, fit->kept[i] ? "checked" : "fitted",
                    fm_text_number_write(number, sizeof number, fit->t[i]));
            fprintf(out, ",%s", fm_text_number_write(number, sizeof number, fit->y[i]));
            fprintf(out, ",%s", fm_text_number_write(number, sizeof number, fit->said[i]));
            fprintf(out, ",%s,%s\n",
                    fm_text_number_write(number, sizeof number, fm_fit_difference(c, fit->said[i], fit->y[i])),
                    fit->doubts ? "doubtful" : "trusted");
        }
    }
}

fm_status cli_identify_table(const cli_identify_options *options, const fm_fit *fit, fm_error *error)
{
    fm_outfile out;
    if (!strcmp(options->csv, "-"))
        return write_rows(stdout, fit), FM_OK;
    fm_status status = fm_outfile_open(&out, options->csv, error);
    if (status != FM_OK)
        return status;
    write_rows(out.file, fit);
    return fm_outfile_close(&out, error);
}
