/* A fit from the texts of its options (fathom/fit.h): reads the records and what is asked of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "run/log_inputs.h"
#include "studies/fit.h"
#include "studies/options.h"

enum { SOURCES = 64, DEFAULTS = 10 };

/* While a fit is made; the lists are in its arena. */
typedef struct request {
    fm_fit *fit;
    const fm_fit_options *o;
    fm_fit_link *channels, *inputs;
    size_t channel_count, input_count;
    fm_fit_source *sources;
    fm_fit_gate *gates;
    double (*skips)[2];
    fm_fit_prior *priors, *biases, *delays;
} request;

static fm_status no_memory(fm_error *error)
{
    return fm_fail(error, FM_ERR_MEMORY, "no memory for a fit");
}

/* A list of `count` things of `size` bytes; one more, so that an empty one is none the less there. */
static void *list(request *q, size_t count, size_t size)
{
    return fm_arena_alloc(&q->fit->arena, (count + 1) * size);
}

static char *copy_part(request *q, const char *text, size_t length)
{
    char *copy = fm_arena_alloc(&q->fit->arena, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

/* --- links: OURS=THEIRS[*FACTOR][+SHIFT] --- */

/* Cuts "*2.5" or "+3" off the end of a name. */
static bool cut_number(char *name, char sign, double *value)
{
    char *at = strrchr(name, sign);
    const char *rest = at ? at + 1 : NULL;
    double number;
    if (!at || !fm_text_number_read(&rest, &number) || *rest)
        return false;
    *value = number;
    *at = 0;
    return true;
}

static fm_status read_link(request *q, const char *option, const char *text, fm_fit_link *link, fm_error *error)
{
    const char *sign = strchr(text, '=');
    if (!sign || sign == text || !sign[1])
        return fm_fail(error, FM_ERR_SYNTAX, "--%s %s: must be OURS=THEIRS[*FACTOR][+SHIFT]", option, text);
    *link = (fm_fit_link){.ours = copy_part(q, text, (size_t)(sign - text)), .factor = 1};
    char *theirs = copy_part(q, sign + 1, strlen(sign + 1));
    if (!link->ours || !theirs)
        return no_memory(error);
    const bool shifted = cut_number(theirs, '+', &link->shift);
    link->scaled = cut_number(theirs, '*', &link->factor) || shifted;
    link->theirs = theirs;
    return FM_OK;
}

static fm_status read_links(request *q, const char *option, const char *const *texts, size_t count, fm_fit_link **links,
                            size_t *found, fm_error *error)
{
    if (count > FM_FIT_LINKS)
        return fm_fail(error, FM_ERR_SYNTAX, "--%s: at most %d", option, FM_FIT_LINKS);
    *links = list(q, count > DEFAULTS ? count : DEFAULTS, sizeof **links);
    if (!*links)
        return no_memory(error);
    for (*found = 0; *found < count; ++*found) {
        fm_status status = read_link(q, option, texts[*found], &(*links)[*found], error);
        if (status != FM_OK)
            return status;
    }
    return FM_OK;
}

/* --- ranges, noise, what is known before --- */

/* "A:B" */
static bool read_two(const char *text, double *low, double *high)
{
    return fm_text_number_read(&text, low) && *text++ == ':' && fm_text_number_read(&text, high) && !*text &&
           *low <= *high;
}

static fm_status read_ranges(request *q, fm_error *error)
{
    const fm_fit_options *o = q->o;
    q->skips = list(q, o->skip_count, sizeof *q->skips);
    q->gates = list(q, o->between_count, sizeof *q->gates);
    if (!q->skips || !q->gates)
        return no_memory(error);
    for (size_t i = 0; i < o->skip_count; i++)
        if (!read_two(o->skips[i], &q->skips[i][0], &q->skips[i][1]))
            return fm_fail(error, FM_ERR_SYNTAX, "--skip %s: must be A:B, two times in s", o->skips[i]);
    for (size_t i = 0; i < o->between_count; i++) {
        const char *sign = strchr(o->betweens[i], '=');
        if (!sign || !read_two(sign + 1, &q->gates[i].low, &q->gates[i].high))
            return fm_fail(error, FM_ERR_SYNTAX, "--between %s: must be THEIRS=A:B", o->betweens[i]);
        if (!(q->gates[i].theirs = copy_part(q, o->betweens[i], (size_t)(sign - o->betweens[i]))))
            return no_memory(error);
    }
    return FM_OK;
}

/* "glider.z=5 cm": in SI. */
static fm_status read_sigma(request *q, const char *text, fm_error *error)
{
    const char *sign = strchr(text, '='), *at = sign ? sign + 1 : text;
    double value;
    fm_unit unit;
    fm_fit_link *found = NULL;
    for (size_t k = 0; sign && k < q->channel_count; k++)
        if (strlen(q->channels[k].ours) == (size_t)(sign - text) &&
            !strncmp(q->channels[k].ours, text, (size_t)(sign - text)))
            found = &q->channels[k];
    if (!found || !fm_text_number_read(&at, &value) || !(value > 0) ||
        fm_unit_parse(at + strspn(at, " "), &unit, NULL) != FM_OK)
        return fm_fail(error, FM_ERR_SYNTAX,
                       "--sigma %s: must be OURS=DEVIATION of a quantity that is compared, greater than 0", text);
    found->sigma = value * unit.num / unit.den;
    return FM_OK;
}

/* "NAME~normal(MEAN,DEVIATION) UNIT"; `bare`: or the name alone. */
static fm_status read_prior(const char *option, const char *text, bool bare, fm_fit_prior *p, fm_error *error)
{
    static const char word[] = "~normal(";
    const char *sign = strchr(text, '~'), *at = sign;
    const size_t length = sign ? (size_t)(sign - text) : strlen(text);
    *p = (fm_fit_prior){.mean = NAN, .deviation = NAN};
    bool fine = length > 0 && length < sizeof p->name && (sign || bare);
    if (fine && sign) {
        fine = !strncmp(at, word, sizeof word - 1);
        at += fine ? sizeof word - 1 : 0;
        fine = fine && fm_text_number_read(&at, &p->mean) && *at++ == ',';
        at += fine ? strspn(at, " ") : 0;
        fine = fine && fm_text_number_read(&at, &p->deviation) && p->deviation > 0 && isfinite(p->mean) && *at++ == ')';
        at += fine ? strspn(at, " ") : 0;
        fine = fine && strlen(at) < sizeof p->unit;
    }
    if (!fine)
        return fm_fail(error, FM_ERR_SYNTAX,
                       "--%s %s: must be %s~normal(MEAN,DEVIATION) UNIT%s, with a deviation above 0", option, text,
                       bare ? "OURS" : "PATH", bare ? " or OURS" : "");
    snprintf(p->name, sizeof p->name, "%.*s", (int)length, text);
    snprintf(p->unit, sizeof p->unit, "%s", sign ? at : "");
    return FM_OK;
}

static fm_status read_priors(request *q, const char *option, const char *const *texts, size_t count, bool bare,
                             fm_fit_prior **priors, fm_error *error)
{
    fm_status status = (*priors = list(q, count, sizeof **priors)) ? FM_OK : no_memory(error);
    for (size_t i = 0; i < count && status == FM_OK; i++)
        status = read_prior(option, texts[i], bare, &(*priors)[i], error);
    return status;
}

/* --- records --- */

static bool is_log(const char *path)
{
    static const char magic[] = "\x89MCAP";
    char start[sizeof magic] = {0};
    const size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, ".mcap") == 0)
        return true;
    if ((length > 4 && !strcmp(path + length - 4, ".csv")) || (length > 3 && !strcmp(path + length - 3, ".nc")))
        return false;
    FILE *file = fopen(path, "rb");
    const size_t got = file ? fread(start, 1, sizeof magic - 1, file) : 0;
    if (file)
        fclose(file);
    return got == sizeof magic - 1 && memcmp(start, magic, got) == 0;
}

/* The required fields of a log; every number of it without a mapping. */
static fm_status read_log(request *q, const char *file, size_t i, fm_error *error)
{
    const char *names[2 * FM_FIT_LINKS + DEFAULTS + 256];
    size_t count = 0;
    fm_mcap_reader *reader;
    fm_status status = fm_mcap_open(file, &reader, error);
    if (status != FM_OK)
        return status;
    if (fm_mcap_get_info(reader)->warning[0])
        fm_text_print(q->fit->warning, sizeof q->fit->warning, "%s: %s", file, fm_mcap_get_info(reader)->warning);
    for (size_t k = 0; k < q->channel_count; k++)
        names[count++] = q->channels[k].theirs;
    for (size_t k = 0; k < q->input_count; k++)
        names[count++] = q->inputs[k].theirs;
    for (size_t k = 0; k < q->o->between_count && k < 256; k++)
        names[count++] = q->gates[k].theirs;
    status = fm_record_read_log(&q->fit->records[i], reader, file, names, count, NULL, 0, error);
    if (status == FM_OK)
        status = fm_log_inputs_read(reader, &q->fit->logged[i], &q->sources[i].input_count, error);
    q->sources[i].inputs = q->fit->logged[i];
    q->sources[i].is_run = true;
    fm_mcap_reader_close(reader);
    return status;
}

static fm_status read_record(request *q, size_t i, fm_error *error)
{
    const char *file = fm_arena_text(&q->fit->arena, q->o->records[i]);
    if (!file)
        return no_memory(error);
    const fm_record_options options = {q->o->time_column, q->o->where, q->o->where_count};
    q->sources[i].record = &q->fit->records[i];
    q->fit->record_count = i + 1;
    return is_log(file) ? read_log(q, file, i, error) : fm_record_read_file(&q->fit->records[i], file, &options, error);
}

/* The record that the caller has in memory. */
static fm_status take_data(request *q, size_t i, fm_error *error)
{
    fm_record *r = &q->fit->records[i];
    r->file = "the record in memory";
    q->fit->record_count = i + 1;
    r->series = fm_arena_alloc(&r->arena, q->o->data_count * sizeof *r->series);
    for (size_t k = 0; r->series && k < q->o->data_count; k++, r->count++) {
        const fm_fit_data *from = &q->o->data[k];
        fm_record_series *s = &r->series[k];
        if (!from->name || !from->t || !from->y)
            return fm_fail(error, FM_ERR_ARGUMENT, "data %zu: name, t and y must not be NULL", k);
        for (size_t j = 1; j < from->count; j++)
            if (!(from->t[j] > from->t[j - 1]))
                return fm_fail(error, FM_ERR_RANGE, "'%s': its times must increase (sample %zu)", from->name, j);
        *s = (fm_record_series){.name = fm_arena_text(&r->arena, from->name),
                                .unit = fm_arena_text(&r->arena, from->unit ? from->unit : ""),
                                .t = fm_arena_alloc(&r->arena, (from->count + 1) * sizeof(double)),
                                .y = fm_arena_alloc(&r->arena, (from->count + 1) * sizeof(double)),
                                .count = from->count};
        if (!s->name || !s->unit || !s->t || !s->y)
            return no_memory(error);
        memcpy(s->t, from->t, from->count * sizeof(double));
        memcpy(s->y, from->y, from->count * sizeof(double));
    }
    q->sources[i] = (fm_fit_source){.record = r, .is_run = true};
    return r->series ? FM_OK : no_memory(error);
}

/* Without maps: the velocities and the depth of the vehicle whose parameters are fitted; for tables also other columns
 * with a known name. */
static const struct {
    const char *ours, *field;
} usual[DEFAULTS] = {{"u", "twist.twist.linear.forward"},
                     {"v", "twist.twist.linear.starboard"},
                     {"w", "twist.twist.linear.down"},
                     {"p", "twist.twist.angular.roll"},
                     {"q", "twist.twist.angular.pitch"},
                     {"r", "twist.twist.angular.yaw"},
                     {"z", "pose.pose.position.down"},
                     {"phi", NULL},
                     {"theta", NULL},
                     {"psi", NULL}};

static fm_status name_usual(request *q, bool of_log, fm_error *error)
{
    const char *path = q->o->parameters[0];
    path += *path == '/';
    const int length = (int)strcspn(path, "/=.");
    for (size_t i = 0; i < DEFAULTS; i++) {
        char ours[128], theirs[192];
        snprintf(ours, sizeof ours, "%.*s.%s", length > 64 ? 64 : length, path, usual[i].ours);
        if (of_log && usual[i].field)
            snprintf(theirs, sizeof theirs, "/%.*s/odom.%s", length > 64 ? 64 : length, path, usual[i].field);
        else
            snprintf(theirs, sizeof theirs, "%s", usual[i].ours);
        if (of_log ? !usual[i].field : !fm_record_find(q->sources[0].record, theirs))
            continue;
        fm_fit_link *link = &q->channels[q->channel_count++];
        *link =
            (fm_fit_link){fm_arena_text(&q->fit->arena, ours), fm_arena_text(&q->fit->arena, theirs), 1, 0, false, 0};
        if (!link->ours || !link->theirs)
            return no_memory(error);
    }
    return FM_OK;
}

static fm_status read_records(request *q, fm_error *error)
{
    const fm_fit_options *o = q->o;
    const size_t count = o->record_count + (o->data_count > 0);
    fm_fit *f = q->fit;
    if (!count || count > SOURCES)
        return fm_fail(error, FM_ERR_SYNTAX, "%zu records: must be 1 … %d", count, SOURCES);
    f->records = list(q, count, sizeof *f->records);
    f->logged = list(q, count, sizeof *f->logged);
    q->sources = list(q, count, sizeof *q->sources);
    if (!f->records || !f->logged || !q->sources)
        return no_memory(error);
    const bool asked = q->channel_count > 0, of_log = o->record_count && is_log(o->records[0]);
    fm_status status = !asked && of_log ? name_usual(q, true, error) : FM_OK;
    for (size_t i = 0; i < o->record_count && status == FM_OK; i++)
        status = read_record(q, i, error);
    if (status == FM_OK && o->data_count)
        status = take_data(q, o->record_count, error);
    if (status == FM_OK && !asked && !of_log)
        status = name_usual(q, false, error);
    if (status == FM_OK && !q->channel_count)
        return fm_fail(error, FM_ERR_SYNTAX,
                       "%s has none of the columns u, v, w, p, q, r, z, phi, theta, psi; map them with --map "
                       "OURS=THEIRS",
                       q->sources[0].record->file);
    return status;
}

/* --- create and free --- */

static fm_status check_options(const fm_model *model, const fm_fit_options *o, fm_error *error)
{
    if (!model || !o || o->size != sizeof *o)
        return fm_fail(error, FM_ERR_ARGUMENT, "model and options must not be NULL and the options' size must be %zu",
                       sizeof *o);
    if (!o->parameter_count)
        return fm_fail(error, FM_ERR_ARGUMENT, "no parameter to fit");
    if (!(o->check >= 0) || o->check > 0.9)
        return fm_fail(error, FM_ERR_RANGE, "check is %g: must be 0 … 0.9", o->check);
    if (!(o->segment >= 0) || !isfinite(o->segment))
        return fm_fail(error, FM_ERR_RANGE, "segment is %g s: must be 0 or more", o->segment);
    if (o->searches < 0 || o->searches > FM_FIT_SEARCHES_MOST)
        return fm_fail(error, FM_ERR_RANGE, "searches is %d: must be 0 … %d", o->searches, FM_FIT_SEARCHES_MOST);
    return FM_OK;
}

static fm_status read_all(request *q, fm_error *error)
{
    const fm_fit_options *o = q->o;
    fm_status status = read_links(q, "map", o->maps, o->map_count, &q->channels, &q->channel_count, error);
    if (status == FM_OK)
        status = read_links(q, "input", o->inputs, o->input_count, &q->inputs, &q->input_count, error);
    if (status == FM_OK)
        status = read_ranges(q, error);
    if (status == FM_OK)
        status = read_priors(q, "prior", o->priors, o->prior_count, false, &q->priors, error);
    if (status == FM_OK)
        status = read_priors(q, "bias", o->biases, o->bias_count, true, &q->biases, error);
    if (status == FM_OK)
        status = read_priors(q, "delay", o->delays, o->delay_count, true, &q->delays, error);
    if (status == FM_OK)
        status = read_records(q, error);
    for (size_t i = 0; i < o->sigma_count && status == FM_OK; i++)
        status = read_sigma(q, o->sigmas[i], error);
    return status;
}

static fm_status create(request *q, const fm_model *model, fm_error *error)
{
    const fm_fit_options *o = q->o;
    fm_fit *f = q->fit;
    const char *const *parameters = o->parameters;
    if (!fm_options_copy_load(&f->arena, o->load, &f->load) ||
        !fm_options_copy_texts(&f->arena, &parameters, o->parameter_count))
        return no_memory(error);
    const char *journal = o->journal ? fm_arena_text(&f->arena, o->journal) : NULL;
    fm_status status = read_all(q, error);
    if (status != FM_OK)
        return status;
    const fm_fit_setup setup = {
        .load = &f->load,
        .parameters = parameters,
        .parameter_count = o->parameter_count,
        .channels = q->channels,
        .channel_count = q->channel_count,
        .inputs = q->inputs,
        .input_count = q->input_count,
        .sources = q->sources,
        .source_count = f->record_count,
        .gates = q->gates,
        .gate_count = o->between_count,
        .skips = (const double(*)[2])q->skips,
        .skip_count = o->skip_count,
        .from = o->from_given ? o->from : (double)NAN,
        .to = o->to_given ? o->to : (double)NAN,
        .segment = o->segment,
        .from_record =
            o->start == FM_FIT_DATA || o->start == FM_FIT_STATE || (o->start == FM_FIT_AUTO && o->segment > 0),
        .whole_state = o->start == FM_FIT_STATE,
        .check = o->check,
        .threads = o->threads,
        .iterations = o->iterations > 0 ? o->iterations : 50,
        .searches = o->searches,
        .priors = q->priors,
        .prior_count = o->prior_count,
        .biases = q->biases,
        .bias_count = o->bias_count,
        .delays = q->delays,
        .delay_count = o->delay_count,
        .loss = o->loss,
        .journal = journal,
        .resume = o->resume,
        .told = o->progress,
        .user = o->user,
    };
    return fm_fit_prepare(model, &setup, &f, error);
}

fm_fit *fm_fit_create(const fm_model *model, const fm_fit_options *options, fm_error *error)
{
    if (check_options(model, options, error) != FM_OK)
        return NULL;
    fm_fit *f = fm_alloc(sizeof *f);
    if (!f) {
        (void)no_memory(error);
        return NULL;
    }
    f->journal.file = -1;
    request q = {.fit = f, .o = options};
    if (create(&q, model, error) == FM_OK)
        return f;
    fm_fit_free(f);
    return NULL;
}

void fm_fit_free(fm_fit *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->record_count; i++) {
        fm_record_free(&f->records[i]);
        fm_free(f->logged[i]);
    }
    fm_fit_clear(f);
    fm_free(f);
}

void fm_fit_cancel(fm_fit *f)
{
    if (f)
        atomic_store(&f->stop, 1);
}
