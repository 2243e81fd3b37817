/* An import from its file to its result. */
#include "imports/import.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "geometry/file.h"
#include "imports/robot.h"

/* ---- failures and notes ---- */

void fm_import_fail(fm_import *m, const fm_foreign *at, fm_status status, const char *format, ...)
{
    char text[400];
    va_list arguments;
    if (m->status != FM_OK)
        return;
    va_start(arguments, format);
    fm_text_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    fm_text_clean(text);
    if (at)
        m->status = fm_fail_at(m->error, status, at->file, at->line, "<%.60s>: %s", at->name, text);
    else
        m->status = fm_fail_at(m->error, status, m->root_count ? m->roots[0]->file : NULL, 0, "%s", text);
}

void *fm_import_alloc(fm_import *m, size_t size)
{
    void *memory = fm_arena_alloc(&m->arena, size);
    if (!memory)
        fm_import_fail(m, NULL, FM_ERR_MEMORY, "out of memory");
    return memory;
}

static const char *print_args(fm_import *m, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length >= 0 ? fm_import_alloc(m, (size_t)length + 1) : NULL;
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text ? text : "";
}

const char *fm_import_print(fm_import *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = print_args(m, format, arguments);
    va_end(arguments);
    return text;
}

static void add_note(fm_import *m, const fm_foreign *at, bool lost, const char *reason)
{
    if (m->status != FM_OK)
        return;
    if (m->note_count == m->note_capacity) {
        const size_t capacity = m->note_capacity ? 2 * m->note_capacity : 64;
        fm_import_note *more = fm_import_alloc(m, capacity * sizeof *more);
        if (!more)
            return;
        if (m->note_count)
            memcpy(more, m->notes, m->note_count * sizeof *more);
        m->notes = more;
        m->note_capacity = capacity;
    }
    m->notes[m->note_count] = (fm_import_note){.file = at->file,
                                               .element = at->name,
                                               .reason = reason,
                                               .line = at->line,
                                               .lost = lost,
                                               .order = m->note_count};
    m->note_count++;
}

void fm_import_lose(fm_import *m, const fm_foreign *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_note(m, at, true, print_args(m, format, arguments));
    va_end(arguments);
}

void fm_import_remark(fm_import *m, const fm_foreign *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_note(m, at, false, print_args(m, format, arguments));
    va_end(arguments);
}

/* ---- the way of an import ---- */

/* xacro is a language of its own; what it has not expanded cannot be read. */
static void refuse_xacro(fm_import *m, const fm_foreign *element)
{
    for (const fm_foreign *e = element; e && m->status == FM_OK; e = e->next) {
        if (strncmp(e->name, "xacro:", 6) == 0)
            fm_import_fail(m, e, FM_ERR_SYNTAX, "is xacro: run `xacro FILE > FILE.urdf` first, and import its output");
        for (const fm_foreign_attr *a = e->attrs; a; a = a->next)
            if (strstr(a->value, "${") || strstr(a->value, "$("))
                fm_import_fail(m, e, FM_ERR_SYNTAX,
                               "%s is '%.60s', an expression of xacro: run `xacro FILE > FILE.urdf` first", a->name,
                               a->value);
        refuse_xacro(m, e->first);
    }
}

static void import_root(fm_import *m, fm_foreign *root)
{
    m->roots[m->root_count++] = root;
    root->read = true;
    refuse_xacro(m, root);
    m->urdf = fm_foreign_is(root, "robot");
    if (m->urdf)
        fm_import_urdf(m, root);
    else if (fm_foreign_is(root, "sdf"))
        fm_import_sdf(m, root);
    else
        fm_import_fail(m, root, FM_ERR_SYNTAX, "is not a robot: the first element must be <robot> (URDF) or <sdf>");
    fm_import_frames(m);
    fm_import_body(m);
    fm_import_plugins(m);
    fm_import_shapes(m);
    fm_import_sensors(m);
    fm_import_report(m);
    fm_import_write(m);
}

static void free_texts(fm_import *m)
{
    fm_text *const all[] = {&m->actuators, &m->sensors, &m->hulls, &m->floats, &m->looks, &m->look, &m->orders};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        fm_text_free(all[i]);
}

fm_status fm_import_parse(const char *file, const char *text, size_t size, const fm_import_options *options,
                          fm_import_result *result, fm_error *error)
{
    fm_error local = {0};
    fm_import *m = fm_alloc(sizeof *m);
    *result = (fm_import_result){0};
    if (!m)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory");
    m->error = error ? error : &local;
    m->options = options;
    m->result = result;
    m->gravity = 9.80665;
    m->density = 1000;
    fm_foreign *root = fm_foreign_parse(&m->arena, file, text, size, m->error);
    if (root)
        import_root(m, root);
    else
        m->status = m->error->status;
    const fm_status status = m->status;
    free_texts(m);
    fm_arena_free(&m->arena);
    fm_free(m);
    return status;
}

fm_status fm_import_read(const char *path, const fm_import_options *options, fm_import_result *result, fm_error *error)
{
    char *text;
    size_t size;
    *result = (fm_import_result){0};
    fm_status status = fm_geometry_file(path, &text, &size, error);
    if (status == FM_OK)
        status = fm_import_parse(path, text, size, options, result, error);
    fm_free(text);
    return status;
}

void fm_import_free(fm_import_result *result)
{
    fm_free(result->model);
    fm_free(result->scenario);
    fm_free(result->report);
    for (size_t i = 0; i < result->table_count; i++)
        fm_free(result->tables[i].text);
    *result = (fm_import_result){0};
}
