#include "bridges/mavlink/mavlink_params.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "bridges/mavlink/mavlink_flight.h"
#include "world/inputs.h"
#include "world/world.h"

enum { MOST = 16, LONG = 128, OWN = 2 };
static const char *const own[OWN] = {"SYSID_THISMAV", "SIM_RATE_HZ"};

/* --- names --- */

/* "autopilot/depth/thrust_kp" becomes "AUTOPILOT_DEPTH_THRUST_KP"; a leading slash is left out. */
static void spell(const char *path, char text[LONG])
{
    size_t n = 0;
    for (path += *path == '/'; *path && n + 1 < LONG; path++)
        text[n++] = isalnum((unsigned char)*path) ? (char)toupper((unsigned char)*path) : '_';
    text[n] = 0;
}

static size_t word_length(const char *word)
{
    return strcspn(word, "_");
}

static char *find_longest_word(char *text)
{
    char *longest = text;
    for (char *at = text; at; at = strchr(at, '_')) {
        at += *at == '_';
        if (word_length(at) > word_length(longest))
            longest = at;
    }
    return longest;
}

/* The last vowel of the longest word after its first letter goes, and then its last letters. */
static void shorten_once(char *text)
{
    char *word = find_longest_word(text);
    size_t length = word_length(word), cut = length - 1;
    if (length <= 1) { /* nothing but single letters */
        text[strlen(text) - 1] = 0;
        return;
    }
    for (size_t i = length - 1; i > 0; i--)
        if (strchr("AEIOU", word[i])) {
            cut = i;
            break;
        }
    memmove(word + cut, word + cut + 1, strlen(word + cut + 1) + 1);
}

static int is_taken(const char *name, const fm_mav_param *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return 1;
    return 0;
}

void fm_mav_param_name(const char *path, const fm_mav_param *list, size_t count, char name[FM_MAV_PARAM_NAME])
{
    char text[LONG], number[16] = "";
    spell(path, text);
    for (int n = 2;; n++) {
        while (strlen(text) + strlen(number) > MOST)
            shorten_once(text);
        memcpy(name, text, strlen(text) + 1);
        memcpy(name + strlen(text), number, strlen(number) + 1);
        if (!is_taken(name, list, count))
            return;
        snprintf(number, sizeof number, "%d", n);
    }
}

/* --- lists --- */

static void add(fm_mav_params *p, const char *path, int of_world)
{
    fm_mav_param *param = &p->list[p->count];
    param->path = path;
    param->of_world = of_world;
    fm_mav_param_name(path, p->list, p->count, param->name);
    p->count++;
}

fm_status fm_mav_params_create(fm_mav_params *p, const fm_model *model, const fm_type *type, fm_error *error)
{
    *p = (fm_mav_params){.type = type};
    p->list = fm_alloc((OWN + type->live_count + model->live_count) * sizeof *p->list);
    if (!p->list)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for parameters of a ground station");
    for (; p->count < OWN; p->count++)
        snprintf(p->list[p->count].name, FM_MAV_PARAM_NAME, "%s", own[p->count]);
    for (size_t i = 0; i < type->live_count; i++)
        add(p, type->live[i].path, 0);
    for (size_t i = 0; i < model->live_count; i++)
        add(p, model->live[i].path, 1);
    return FM_OK;
}

void fm_mav_params_free(fm_mav_params *p)
{
    fm_free(p->list);
    p->list = NULL;
    p->count = 0;
}

int fm_mav_params_find(const fm_mav_params *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->list[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* --- values --- */

static void write_path(const fm_mav_param *param, const char *vehicle, char path[LONG])
{
    if (param->of_world)
        snprintf(path, LONG, "%s", param->path);
    else
        snprintf(path, LONG, "/%.31s/%.90s", vehicle, param->path);
}

double fm_mav_params_get(const fm_mav_params *p, size_t i, const fm_world *world, const char *vehicle, int system)
{
    char path[LONG];
    double value = NAN;
    if (!p->list[i].path)
        return i == 0 ? system : 1 / fm_model_dt(world->model);
    write_path(&p->list[i], vehicle, path);
    fm_world_get(world, path, &value, NULL);
    return value;
}

fm_status fm_mav_params_set(const fm_mav_params *p, size_t i, fm_world *world, const char *vehicle, double value,
                            fm_error *error)
{
    char path[LONG];
    fm_input input;
    if (!p->list[i].path)
        return fm_fail(error, FM_ERR_STATE, "%s is read-only", p->list[i].name);
    write_path(&p->list[i], vehicle, path);
    return fm_mav_submit(world, fm_input_value(&input, FM_COMMAND_SET, NULL, path, value, error), &input, error);
}
