/* `fathom compare` of records: matching of series, alignment, report. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "compare.h"
#include "inputs.h"
#include "log_file.h"
#include "mapping.h"
#include "summary.h"

enum { PAIRS_MOST = 1000 };

typedef struct comparison {
    const cli_compare_options *o;
    fm_record records[2];
    fm_archive archives[2]; /* of an overlay */
    cli_mapping maps[CLI_LIST_MOST];
    cli_compare_channel *channels;
    size_t count;
    fm_record_window window;
    double correlation; /* of the alignment */
    fm_arena arena;
} comparison;

/* --- reading --- */

static fm_status read_log(comparison *c, int which, fm_mcap_reader *reader, fm_error *error)
{
    const char *names[CLI_LIST_MOST];
    for (size_t i = 0; i < c->o->maps.count; i++)
        names[i] = which ? c->maps[i].theirs : c->maps[i].ours;
    const cli_words *channels = &c->o->channels;
    return fm_record_read_log(&c->records[which], reader, c->o->files[which], names, c->o->maps.count,
                              (const char *const *)channels->items, c->o->maps.count ? 0 : channels->count, error);
}

static int read_record(comparison *c, int which)
{
    const char *file = c->o->files[which];
    fm_error error = {0};
    fm_status status;
    fm_mcap_reader *reader = NULL;
    if (cli_is_log(file)) {
        if (!(reader = cli_open_log("compare", file)))
            return CLI_FAILED;
        status = read_log(c, which, reader, &error);
        fm_mcap_reader_close(reader);
    } else {
        fm_record_options options = {c->o->time, c->o->where.items, c->o->where.count};
        status = fm_record_read_file(&c->records[which], file, &options, &error);
    }
    if (status != FM_OK)
        fprintf(stderr, "fathom compare: %s\n", error.text);
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}

/* --- what belongs together --- */

static int no_such_series(const fm_record *record, const char *name)
{
    char near[400];
    fm_nearest nearest = {.wanted = name};
    for (size_t i = 0; i < record->count; i++)
        fm_nearest_offer(&nearest, record->series[i].name);
    fprintf(stderr, "fathom compare: %s: unknown field or column '%s'%s\n", record->file, name,
            fm_nearest_write(&nearest, near, sizeof near));
    if (record->count) {
        fprintf(stderr, "there are:");
        for (size_t i = 0; i < record->count && i < 30; i++)
            fprintf(stderr, " %s", record->series[i].name);
        fprintf(stderr, "%s\n", record->count > 30 ? " …" : "");
    } else {
        fprintf(stderr, "fields of a log are named CHANNEL.FIELD; `fathom info %s CHANNEL` lists them\n", record->file);
    }
    return CLI_USAGE;
}

static int add_pair(comparison *c, const fm_record_series *ours, const fm_record_series *theirs, const cli_mapping *map)
{
    const fm_record_series *both[2] = {ours, theirs};
    cli_compare_channel *channel = &c->channels[c->count];
    fm_error error = {0};
    for (int i = 0; i < 2; i++)
        if (both[i]->text_line) {
            fprintf(stderr, "fathom compare: %s:%d: column '%s' is not a number\n", c->o->files[i], both[i]->text_line,
                    both[i]->name);
            return CLI_FAILED;
        }
    fm_status status = fm_record_pair_make(ours, theirs, &channel->pair, &error);
    if (map && map->scaled) { /* the user's mapping has priority over the units */
        channel->pair.factor = map->factor;
        channel->pair.shift = map->shift;
    } else if (status != FM_OK) {
        fprintf(stderr, "fathom compare: %s; convert it with --map %s=%s*FACTOR\n", error.text, ours->name,
                theirs->name);
        return CLI_FAILED;
    }
    c->count++;
    return CLI_DONE;
}

static int pair_by_map(comparison *c)
{
    int code = CLI_DONE;
    for (size_t i = 0; i < c->o->maps.count && code == CLI_DONE; i++) {
        const cli_mapping *m = &c->maps[i];
        const fm_record_series *ours = fm_record_find(&c->records[0], m->ours),
                               *theirs = fm_record_find(&c->records[1], m->theirs);
        if (!ours || !theirs)
            return no_such_series(&c->records[ours ? 1 : 0], ours ? m->theirs : m->ours);
        code = add_pair(c, ours, theirs, m);
    }
    return code;
}

static int pair_by_name(comparison *c)
{
    int code = CLI_DONE;
    for (size_t i = 0; i < c->records[0].count && c->count < PAIRS_MOST && code == CLI_DONE; i++) {
        const fm_record_series *ours = &c->records[0].series[i], *theirs = fm_record_find(&c->records[1], ours->name);
        bool is_time = ours->y == ours->t || (theirs && theirs->y == theirs->t);
        if (theirs && !is_time && !ours->text_line && !theirs->text_line && ours->count && theirs->count)
            code = add_pair(c, ours, theirs, NULL);
    }
    if (code == CLI_DONE && !c->count) {
        fprintf(stderr, "fathom compare: %s and %s have no names in common; map them with --map OURS=THEIRS\n",
                c->o->files[0], c->o->files[1]);
        for (int k = 0; k < 2; k++) {
            fprintf(stderr, "%s:", c->o->files[k]);
            for (size_t i = 0; i < c->records[k].count && i < 20; i++)
                fprintf(stderr, " %s", c->records[k].series[i].name);
            fprintf(stderr, "%s\n", c->records[k].count > 20 ? " …" : "");
        }
        return CLI_USAGE;
    }
    return code;
}

/* --- comparing --- */

static int align(comparison *c)
{
    const fm_record_pair *by = &c->channels[0].pair;
    fm_error error = {0};
    for (size_t i = 0; c->o->align_by && i <= c->count; i++) {
        if (i == c->count) {
            fprintf(stderr, "fathom compare: --align-by %s: it is not compared\n", c->o->align_by);
            return CLI_USAGE;
        }
        by = &c->channels[i].pair;
        if (!strcmp(by->ours->name, c->o->align_by))
            break;
    }
    if (fm_record_align(by, &c->window, c->o->align, &c->window.offset, &c->correlation, &error) != FM_OK) {
        fprintf(stderr, "fathom compare: --align: %s\n", error.text);
        return CLI_FAILED;
    }
    return CLI_DONE;
}

/* Series without a value in common are reported and left out; if none remains the comparison fails. */
static int find_errors(comparison *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++) {
        cli_compare_channel channel = c->channels[i];
        fm_error error = {0};
        if (fm_record_compare(&channel.pair, &c->window, &c->arena, &channel.error, &error) == FM_OK)
            c->channels[kept++] = channel;
        else if (c->o->maps.count && !c->o->overlay)
            return fprintf(stderr, "fathom compare: %s\n", error.text), CLI_FAILED;
        else if (i + 1 == c->count && !kept)
            fprintf(stderr, "fathom compare: %s\n", error.text);
    }
    c->count = kept;
    return kept ? CLI_DONE : CLI_FAILED;
}

/* --- the report --- */

/* The unit of the numbers, which may be known only for theirs. */
static const char *unit_of(const fm_record_pair *p)
{
    return p->ours->unit[0] || p->factor != 1 || p->shift != 0 ? p->ours->unit : p->theirs->unit;
}

static void print_text(const comparison *c)
{
    if (c->o->files[1])
        printf("%s minus %s", c->o->files[0], c->o->files[1]);
    else
        printf("%s: model minus measured", c->o->files[0]);
    if (c->o->align > 0)
        printf(", whose times are moved by %.6g s (correlation %.4f)", c->window.offset, c->correlation);
    else if (c->window.offset != 0)
        printf(", whose times are moved by %.6g s", c->window.offset);
    printf("\n%12s %12s %12s %10s %9s  %s\n", "bias", "rms", "largest", "at", "samples", "channel");
    for (size_t i = 0; i < c->count; i++) {
        const fm_record_error *e = &c->channels[i].error;
        const fm_record_pair *p = &c->channels[i].pair;
        printf("%12.5g %12.5g %12.5g %8.6g s %9zu  %s", e->bias, e->rms, e->largest, e->largest_at, e->samples,
               p->ours->name);
        if (strcmp(p->ours->name, p->theirs->name) != 0)
            printf(" = %s", p->theirs->name);
        printf("%s%s%s\n", *unit_of(p) ? " [" : "", unit_of(p), *unit_of(p) ? "]" : "");
    }
}

static void print_json(const comparison *c)
{
    printf("{\"a\": ");
    cli_json_text(stdout, c->o->files[0]);
    printf(", \"b\": ");
    cli_json_text(stdout, c->o->files[1] ? c->o->files[1] : c->o->files[0]);
    cli_json_member(stdout, "offset", c->window.offset);
    if (c->o->align > 0)
        cli_json_member(stdout, "alignment_correlation", c->correlation);
    printf(", \"channels\": [");
    for (size_t i = 0; i < c->count; i++) {
        const fm_record_error *e = &c->channels[i].error;
        const fm_record_pair *p = &c->channels[i].pair;
        printf("%s\n  {\"ours\": ", i ? "," : "");
        cli_json_text(stdout, p->ours->name);
        printf(", \"theirs\": ");
        cli_json_text(stdout, p->theirs->name);
        printf(", \"unit\": ");
        cli_json_text(stdout, unit_of(p));
        printf(", \"samples\": %zu", e->samples);
        cli_json_member(stdout, "from", e->first);
        cli_json_member(stdout, "to", e->last);
        cli_json_member(stdout, "bias", e->bias);
        cli_json_member(stdout, "rms", e->rms);
        cli_json_member(stdout, "largest", e->largest);
        cli_json_member(stdout, "largest_at", e->largest_at);
        cli_json_member(stdout, "correlation", e->correlation);
        printf("}");
    }
    printf("\n]}\n");
}

/* --- the whole --- */

static int check(const cli_compare_options *o)
{
    for (int i = 0; i < 2 && o->out && o->files[i]; i++)
        if (!cli_output_apart("compare", "-o", o->out, o->files[i]))
            return CLI_USAGE;
    if (o->to > 0 && o->to <= o->from)
        return fprintf(stderr, "fathom compare: --to %g s is before --from %g s\n", o->to, o->from), CLI_USAGE;
    if (o->maps.count && o->channels.count)
        return fprintf(stderr, "fathom compare: channels have no effect together with --map, which names fields\n"),
               CLI_USAGE;
    return CLI_DONE;
}

static int add_overlay_pair(void *user, const fm_record_series *ours, const fm_record_series *theirs)
{
    comparison *c = user;
    return c->count < PAIRS_MOST ? add_pair(c, ours, theirs, NULL) : CLI_DONE;
}

static int pair_records(comparison *c)
{
    int code = CLI_DONE;
    if (c->o->overlay || !c->o->files[1])
        return cli_compare_overlay(c->o, c->records, c->archives, add_overlay_pair, c);
    for (size_t i = 0; i < c->o->maps.count && code == CLI_DONE; i++)
        code = cli_mapping_read("compare", "--map", c->o->maps.items[i], &c->maps[i]);
    for (int i = 0; i < 2 && code == CLI_DONE; i++)
        code = read_record(c, i);
    if (code == CLI_DONE)
        code = c->o->maps.count ? pair_by_map(c) : pair_by_name(c);
    return code;
}

static int compare(comparison *c)
{
    int code = pair_records(c);
    if (code == CLI_DONE && c->o->align > 0)
        code = align(c);
    return code == CLI_DONE ? find_errors(c) : code;
}

static int report(const comparison *c)
{
    fm_error error = {0};
    if (c->o->json)
        print_json(c);
    else
        print_text(c);
    if (c->o->out && cli_compare_draw(c->o, c->channels, c->count, &error) != FM_OK) {
        fprintf(stderr, "fathom compare: %s\n", error.text);
        return CLI_FAILED;
    }
    return CLI_DONE;
}

int cli_compare_records(const cli_compare_options *options)
{
    int code = check(options);
    if (code != CLI_DONE)
        return code;
    comparison *c = calloc(1, sizeof *c);
    if (c) {
        c->o = options;
        c->window = (fm_record_window){options->offset, options->rate, options->from, options->to};
        c->channels = calloc(PAIRS_MOST, sizeof *c->channels);
    }
    if (!c || !c->channels) {
        free(c);
        return fprintf(stderr, "fathom compare: out of memory\n"), CLI_FAILED;
    }
    code = compare(c);
    if (code == CLI_DONE)
        code = report(c);
    for (size_t i = 0; i < options->maps.count; i++)
        free(c->maps[i].ours);
    for (int i = 0; i < 2; i++)
        fm_record_free(&c->records[i]), fm_archive_free(&c->archives[i]);
    fm_arena_free(&c->arena);
    free(c->channels);
    free(c);
    return code;
}
