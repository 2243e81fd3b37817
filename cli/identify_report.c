/* Output of `fathom identify`: text, JSON, a table of rows, and warnings. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/outfile.h"
#include "base/text.h"
#include "identify.h"
#include "summary.h"

/* --- text --- */

static void print_text(const fm_fit *fit)
{
    printf("%-44s %14s %14s %14s %14s  %s\n", "parameter", "start", "found", "95 % from", "to", "unit");
    for (size_t i = 0; i < fit->count; i++) {
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

/* Parameters from `first` on, before `end`, with the correlations of the first `columns`. */
static void print_parameters(const fm_fit *fit, size_t first, size_t end, size_t columns)
{
    for (size_t i = first; i < end; i++) {
        const fm_fit_parameter *p = &fit->parameters[i];
        printf("%s\n  ", i > first ? "," : "");
        cli_json_parameter(stdout, p->path, p->unit);
        cli_json_member(stdout, "start", p->start);
        cli_json_member(stdout, "value", p->value);
        cli_json_member(stdout, "deviation", p->deviation);
        cli_json_member(stdout, "low", p->least);
        cli_json_member(stdout, "high", p->most);
        if (!isnan(p->prior)) {
            cli_json_member(stdout, "prior_mean", p->mean);
            cli_json_member(stdout, "prior_deviation", p->prior);
        }
        cli_json_member(stdout, "roughness", p->rough);
        cli_json_member(stdout, "roughness_at_step", p->rough_wide);
        cli_json_member(stdout, "rise_low", p->rise[0]);
        cli_json_member(stdout, "rise_high", p->rise[1]);
        printf(", \"widened_by_runs\": %s", p->by_runs ? "true" : "false");
        printf(", \"at_bound\": %s, \"correlation\": [", p->at_bound ? "true" : "false");
        for (size_t k = 0; k < columns; k++)
            printf("%s%.6f", k ? ", " : "", fit->correlation[i][k]);
        printf("]}");
    }
    printf("]");
}

static void print_json(const fm_fit *fit)
{
    static const char *const parts[] = {"fitted", "checked"};
    size_t count = 0;
    const size_t model = fit->plan.axis_count; /* biases and delays come after them */
    printf("{\"parameters\": [");
    print_parameters(fit, 0, model, model);
    printf(",\n \"instruments\": [");
    print_parameters(fit, model, fit->count, fit->count);
    printf(",\n \"quantities\": [");
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
    fm_fit_remark(fit, print_note, &count);
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

/* --- the values, for other runs --- */

/* "PATH=VALUE UNIT" of a parameter of the model. */
static void write_set(const fm_fit *fit, size_t i, char *text, size_t size)
{
    char number[40];
    const fm_fit_parameter *p = &fit->parameters[i];
    fm_text_print(text, size, "%s=%s%s%s", p->path, fm_text_number_write(number, sizeof number, p->value),
                  p->unit[0] ? " " : "", p->unit);
}

fm_status cli_identify_list(const cli_identify_options *options, const fm_fit *fit, fm_error *error)
{
    fm_outfile out;
    char text[2 * FM_AXIS_PATH];
    fm_status status = fm_outfile_open(&out, options->set_list, error);
    if (status != FM_OK)
        return status;
    for (size_t i = 0; i < fit->plan.axis_count; i++) {
        write_set(fit, i, text, sizeof text);
        fprintf(out.file, "--set '%s'\n", text);
    }
    return fm_outfile_close(&out, error);
}

fm_status cli_identify_save(const cli_identify_options *options, const fm_fit *fit, fm_error *error)
{
    double values[FM_AXES_MOST];
    fm_outfile out;
    for (size_t i = 0; i < fit->plan.axis_count; i++)
        values[i] = fit->parameters[i].value;
    fm_model *model = fm_sweep_load(fit->sweep, values, error);
    char *text = model ? fm_model_write(model) : NULL;
    fm_status status = text ? fm_outfile_open(&out, options->save, error) : FM_ERR_MODEL;
    if (status == FM_OK) {
        fputs(text, out.file);
        status = fm_outfile_close(&out, error);
    }
    fm_free(text);
    fm_model_free(model);
    return status;
}
