/* What a search is asked for: parameters, goals, constraints. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/probe.h"
#include "base/error.h"
#include "base/text.h"
#include "studies/parameter.h"
#include "studies/search.h"

static fm_status read_axis(fm_search *s, const char *text, const double *start, fm_error *error)
{
    const char *sign = strchr(text, '='), *at = sign ? sign + 1 : text;
    fm_search_axis *a = &s->axes[s->axis_count];
    bool fine = sign && sign > text && (size_t)(sign - text) < sizeof a->path && fm_text_number_read(&at, &a->low) &&
                *at++ == ':' && fm_text_number_read(&at, &a->high) && a->low < a->high && *at != ':' &&
                strlen(at + strspn(at, " ")) < sizeof a->unit;
    if (!fine)
        return fm_fail(error, FM_ERR_SYNTAX,
                       "--vary %s: must be PATH=A:B, two numbers with A less than B, followed by a unit", text);
    snprintf(a->path, sizeof a->path, "%.*s", (int)(sign - text), text);
    snprintf(a->unit, sizeof a->unit, "%s", at + strspn(at, " "));
    a->outside = NAN;
    a->start = 0.5 * (a->low + a->high);
    fm_parameter p;
    double value = NAN;
    if (start)
        value = *start;
    else if (!s->model || !fm_parameter_find(s->model, a->path, &p) || !fm_parameter_value(&p, a->unit, &value))
        value = NAN;
    const bool inside = value >= a->low && value <= a->high;
    if (start && !inside)
        return fm_fail(error, FM_ERR_RANGE, "'%s' starts at %g, outside its range", a->path, value);
    a->outside = !isnan(value) && !inside ? value : (double)NAN;
    a->start = inside ? value : a->start;
    s->axis_count++;
    return FM_OK;
}

/* "[WEIGHT*]PATTERN"; a pattern may have a '*' of its own. */
static fm_status read_goal(fm_search *s, const char *text, double sign, fm_error *error)
{
    fm_search_goal *g = &s->goals[s->goal_count];
    const char *at = text;
    g->weight = 1;
    if (!fm_text_number_read(&at, &g->weight) || *at++ != '*') {
        g->weight = 1;
        at = text;
    }
    if (!(g->weight > 0) || !*at)
        return fm_fail(error, FM_ERR_SYNTAX, "'%s': must be [WEIGHT*]VEHICLE.METRIC with a weight above 0", text);
    g->weight *= sign;
    g->pattern = at;
    fm_text_print(g->name, sizeof g->name, "%s%s", sign < 0 ? "-" : "", text);
    s->goal_count++;
    return FM_OK;
}

/* --- constraints --- */

/* Whether a word begins at `at`. */
static bool is_word(const char *text, const char *at, const char *word)
{
    const size_t length = strlen(word);
    bool before = at > text && (at[-1] == '_' || (at[-1] | 32) >= 'a') && (at[-1] | 32) <= 'z';
    return !before && strncmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == '(');
}

/* The only comparison of a text outside of parentheses, "<", "<=", ">" or ">="; NULL: it has none, or more than that.
 */
static const char *find_comparison(const char *text)
{
    const char *found = NULL;
    int depth = 0;
    for (const char *at = text; *at; at++) {
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        if (depth)
            continue;
        if (*at == '&' || *at == '|' || *at == '!' || is_word(text, at, "and") || is_word(text, at, "or") ||
            is_word(text, at, "not"))
            return NULL;
        if (*at != '<' && *at != '>' && *at != '=')
            continue;
        if (found || *at == '=')
            return NULL;
        found = at;
        at += at[1] == '=';
    }
    return found;
}

/* A comparison is asked for as the difference of its sides, so that a search sees by how much it does not hold. */
static fm_status read_constraint(fm_search *s, size_t i, fm_error *error)
{
    fm_search_constraint *c = &s->constraints[i];
    const char *text = s->options.constraints[i];
    char name[FM_ASK_NAME];
    fm_error reason = {0};
    c->text = text;
    const char *expression = fm_ask_split(text, name, sizeof name);
    fm_ask_probe *probe = fm_ask_probe_create(s->model, -1, expression, FM_ASK_CONDITION, NULL, &reason);
    if (!probe)
        return fm_fail(error, reason.status, "constraint '%s': %s", text, reason.text);
    fm_ask_probe_free(probe);
    const char *sign = find_comparison(expression);
    int length;
    c->condition = !sign;
    if (!sign) {
        length = snprintf(c->asked, sizeof c->asked, "constraint_%zu=%s", i + 1, expression);
    } else {
        const char *right = sign + 1 + (sign[1] == '=');
        const int left = (int)(sign - expression);
        length =
            *sign == '<'
                ? snprintf(c->asked, sizeof c->asked, "constraint_%zu=(%.*s) - (%s)", i + 1, left, expression, right)
                : snprintf(c->asked, sizeof c->asked, "constraint_%zu=(%s) - (%.*s)", i + 1, right, left, expression);
    }
    return length < (int)sizeof c->asked ? FM_OK
                                         : fm_fail(error, FM_ERR_FULL, "constraint '%.200s …' is too long", text);
}

fm_status fm_search_read(fm_search *s, fm_error *error)
{
    const fm_search_options *o = &s->options;
    fm_status status = FM_OK;
    for (size_t i = 0; i < o->vary_count && status == FM_OK; i++)
        status = read_axis(s, o->vary[i], o->start ? &o->start[i] : NULL, error);
    for (size_t i = 0; i < o->minimise_count && status == FM_OK; i++)
        status = read_goal(s, o->minimise[i], 1, error);
    for (size_t i = 0; i < o->maximise_count && status == FM_OK; i++)
        status = read_goal(s, o->maximise[i], -1, error);
    for (size_t i = 0; i < o->constraint_count && status == FM_OK; i++)
        status = read_constraint(s, i, error);
    return status;
}
