#include "world/command.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* --- the table --- */

#define FM_COMMAND_PLAIN(...)
#define FM_COMMAND_WITH(name, ...) static const fm_argument name##_arguments[] = {
#define FM_ARG_NAME(self, member, bytes, needed, is, text)                                                             \
    {.name = #member,                                                                                                  \
     .unit = "",                                                                                                       \
     .about = text,                                                                                                    \
     .type = FM_ARGUMENT_NAME,                                                                                         \
     .need = FM_ARGUMENT_##needed,                                                                                     \
     .role = FM_ARGUMENT_##is,                                                                                         \
     .offset = offsetof(fm_command, self.member),                                                                      \
     .size = (bytes)},
#define NUMBERS(self, member, named, measured, text, kind, needed, otherwise, low, high)                               \
    {.name = #member,                                                                                                  \
     .words = (named),                                                                                                 \
     .unit = (measured),                                                                                               \
     .about = text,                                                                                                    \
     .type = FM_ARGUMENT_##kind,                                                                                       \
     .need = FM_ARGUMENT_##needed,                                                                                     \
     .offset = offsetof(fm_command, self.member),                                                                      \
     .fallback = (otherwise),                                                                                          \
     .least = (low),                                                                                                   \
     .most = (high)},
#define FM_ARG_NUMBER(self, member, needed, otherwise, low, high, measured, text)                                      \
    NUMBERS(self, member, #member, measured, text, NUMBER, needed, otherwise, low, high)
#define FM_ARG_VECTOR(self, member, needed, named, low, high, measured, text)                                          \
    NUMBERS(self, member, named, measured, text, VECTOR, needed, 0, low, high)
#define FM_ARG_WHOLE(self, member, needed, otherwise, low, high, text)                                                 \
    NUMBERS(self, member, #member, "", text, WHOLE, needed, otherwise, low, high)
#define FM_ARG_BYTES(self, member, needed, text) NUMBERS(self, member, #member, "", text, BYTES, needed, 0, 0, 0)
#define FM_COMMAND_END(self)                                                                                           \
    }                                                                                                                  \
    ;
#include <fathom/command_table.h>
#undef NUMBERS

#define OFFERED NULL
#define ROW(NAME, label, headline, on, by, to_wire, to_text, to_page, to_ros2, text, list, count)                      \
    {.word = label,                                                                                                    \
     .title = #headline,                                                                                               \
     .about = text,                                                                                                    \
     .kind = FM_COMMAND_##NAME,                                                                                        \
     .thread = FM_COMMAND_THREAD_##on,                                                                                 \
     .who = FM_COMMAND_WHO_##by,                                                                                       \
     .refused = {to_wire, to_text, to_page, to_ros2},                                                                  \
     .arguments = list,                                                                                                \
     .argument_count = count},
#define FM_COMMAND_PLAIN(name, NAME, number, label, headline, on, by, carrier, wire, word, page, ros2, text)           \
    ROW(NAME, label, headline, on, by, wire, word, page, ros2, text, NULL, 0)
#define FM_COMMAND_WITH(name, NAME, number, label, headline, on, by, carrier, wire, word, page, ros2, text)            \
    ROW(NAME, label, headline, on, by, wire, word, page, ros2, text, name##_arguments,                                 \
        sizeof name##_arguments / sizeof *name##_arguments)
static const fm_command_row rows[] = {
#include <fathom/command_table.h>
};
_Static_assert(sizeof rows / sizeof *rows == FM_COMMAND_KINDS - 1, "numbers of commands follow each other from 1");

const fm_command_row *fm_command_row_of(fm_command_kind kind)
{
    return kind > FM_COMMAND_NONE && kind < FM_COMMAND_KINDS ? &rows[kind - 1] : NULL;
}

static int same_word(const char *a, const char *b)
{
    for (; *a && (*a == '_' ? '-' : *a) == (*b == '_' ? '-' : *b); a++)
        b++;
    return *a == *b;
}

const fm_command_row *fm_command_row_find(const char *word)
{
    for (size_t i = 0; word && i < sizeof rows / sizeof *rows; i++)
        if (same_word(rows[i].word, word))
            return &rows[i];
    return NULL;
}

const fm_argument *fm_command_argument(const fm_command_row *row, fm_argument_role role)
{
    for (size_t i = 0; row && i < row->argument_count; i++)
        if (row->arguments[i].type == FM_ARGUMENT_NAME && row->arguments[i].role == role)
            return &row->arguments[i];
    return NULL;
}

/* --- arguments --- */

void *fm_argument_at(const fm_argument *argument, fm_command *command)
{
    return (char *)command + argument->offset;
}

const void *fm_argument_in(const fm_argument *argument, const fm_command *command)
{
    return (const char *)command + argument->offset;
}

size_t fm_argument_numbers(const fm_argument *a)
{
    return a->type == FM_ARGUMENT_VECTOR ? 3 : a->type == FM_ARGUMENT_NUMBER || a->type == FM_ARGUMENT_WHOLE;
}

void fm_argument_read(const fm_argument *a, const fm_command *command, double *numbers)
{
    const void *at = fm_argument_in(a, command);
    if (a->type == FM_ARGUMENT_WHOLE)
        numbers[0] = (double)*(const int64_t *)at;
    else
        memcpy(numbers, at, fm_argument_numbers(a) * sizeof *numbers);
}

static fm_status check_number(const fm_argument *a, double number, fm_error *error)
{
    const int whole = a->type == FM_ARGUMENT_WHOLE;
    if ((number >= a->least && number <= a->most && (!whole || number == floor(number))) ||
        (isnan(number) && a->need == FM_ARGUMENT_UNSET))
        return FM_OK;
    if (a->most >= 1e300)
        return fm_fail(error, FM_ERR_RANGE, "%s is %g: must be a finite number", a->name, number);
    return fm_fail(error, FM_ERR_RANGE, "%s is %.15g: must be %s between %.15g and %.15g%s%s", a->name, number,
                   whole ? "a whole number" : "a number", a->least, a->most, *a->unit ? " " : "", a->unit);
}

fm_status fm_argument_write(const fm_argument *a, fm_command *command, const double *numbers, fm_error *error)
{
    fm_status status = FM_OK;
    for (size_t i = 0; status == FM_OK && i < fm_argument_numbers(a); i++)
        status = check_number(a, numbers[i], error);
    if (status != FM_OK)
        return status;
    if (a->type == FM_ARGUMENT_WHOLE)
        *(int64_t *)fm_argument_at(a, command) = (int64_t)numbers[0];
    else
        memcpy(fm_argument_at(a, command), numbers, fm_argument_numbers(a) * sizeof *numbers);
    return FM_OK;
}

static fm_status check_name(const fm_argument *a, size_t length, const char *name, fm_error *error)
{
    const size_t least = a->need == FM_ARGUMENT_OPTIONAL ? 0 : 1;
    if (length >= least && length < a->size)
        return FM_OK;
    return fm_fail(error, FM_ERR_ARGUMENT, "%s '%.*s': must have %zu to %zu characters", a->name, (int)a->size, name,
                   least, a->size - 1);
}

fm_status fm_argument_write_name(const fm_argument *a, fm_command *command, const char *name, fm_error *error)
{
    const char *given = name ? name : "";
    fm_status status = check_name(a, strlen(given), given, error);
    if (status == FM_OK)
        memcpy(fm_argument_at(a, command), given, strlen(given) + 1);
    return status;
}

static fm_status check_bytes(const fm_argument *a, uint64_t size, fm_error *error)
{
    if (size <= FM_SOUND_BYTES_MOST)
        return FM_OK;
    return fm_fail(error, FM_ERR_RANGE, "%s has %llu bytes: must be at most %d", a->name, (unsigned long long)size,
                   FM_SOUND_BYTES_MOST);
}

fm_status fm_argument_write_bytes(const fm_argument *a, fm_command *command, const void *bytes, size_t size,
                                  fm_error *error)
{
    fm_command_bytes *to = fm_argument_at(a, command);
    fm_status status = check_bytes(a, size, error);
    if (status == FM_OK && size && !bytes)
        status = fm_fail(error, FM_ERR_RANGE, "%s: must be %zu bytes", a->name, size);
    if (status != FM_OK)
        return status;
    to->size = size;
    if (size)
        memcpy(to->items, bytes, size);
    return FM_OK;
}

/* --- commands --- */

fm_status fm_command_begin(fm_command *command, fm_command_kind kind, fm_error *error)
{
    const fm_command_row *row = fm_command_row_of(kind);
    memset(command, 0, sizeof *command);
    if (!row)
        return fm_fail(error, FM_ERR_ARGUMENT, "unknown command %d", (int)kind);
    command->kind = kind;
    for (size_t i = 0; i < row->argument_count; i++) {
        const fm_argument *a = &row->arguments[i];
        const double fallback[3] = {a->fallback, a->fallback, a->fallback};
        if (fm_argument_numbers(a))
            fm_argument_write(a, command, fallback, NULL);
    }
    return FM_OK;
}

static fm_status check_argument(const fm_argument *a, const fm_command *command, fm_error *error)
{
    const void *at = fm_argument_in(a, command);
    double numbers[3];
    fm_status status = FM_OK;
    if (a->type == FM_ARGUMENT_NAME)
        return check_name(a, strnlen(at, a->size), at, error);
    if (a->type == FM_ARGUMENT_BYTES)
        return check_bytes(a, ((const fm_command_bytes *)at)->size, error);
    fm_argument_read(a, command, numbers);
    for (size_t i = 0; status == FM_OK && i < fm_argument_numbers(a); i++)
        status = check_number(a, numbers[i], error);
    return status;
}

fm_status fm_command_check(const fm_command *command, fm_error *error)
{
    const fm_command_row *row = fm_command_row_of(command->kind);
    fm_error found = {0};
    if (!row)
        return fm_fail(error, FM_ERR_ARGUMENT, "unknown command %d", (int)command->kind);
    for (size_t i = 0; i < row->argument_count; i++) {
        fm_status status = check_argument(&row->arguments[i], command, &found);
        if (status != FM_OK)
            return fm_fail(error, status, "%s: %s", row->word, found.text);
    }
    return FM_OK;
}

void fm_command_copy(fm_command *to, const fm_command *from)
{
    const fm_command_row *row = fm_command_row_of(from->kind);
    memset(to, 0, sizeof *to);
    to->kind = from->kind;
    for (size_t i = 0; row && i < row->argument_count; i++) {
        const fm_argument *a = &row->arguments[i];
        const void *at = fm_argument_in(a, from);
        const fm_command_bytes *bytes = at;
        if (a->type == FM_ARGUMENT_NAME)
            memcpy(fm_argument_at(a, to), at, strlen(at));
        else if (a->type == FM_ARGUMENT_BYTES)
            memcpy(fm_argument_at(a, to), bytes, offsetof(fm_command_bytes, items) + bytes->size);
        else
            memcpy(fm_argument_at(a, to), at, 8 * fm_argument_numbers(a));
    }
}

static const char *name_of(const fm_command *command, fm_argument_role role)
{
    const fm_argument *a = fm_command_argument(fm_command_row_of(command->kind), role);
    return a ? fm_argument_in(a, command) : "";
}

const char *fm_command_vehicle(const fm_command *command)
{
    return name_of(command, FM_ARGUMENT_VEHICLE);
}

const char *fm_command_target(const fm_command *command)
{
    const char *path = name_of(command, FM_ARGUMENT_PATH);
    return *path ? path : name_of(command, FM_ARGUMENT_PLAIN);
}

double fm_command_value(const fm_command *command)
{
    const fm_command_row *row = fm_command_row_of(command->kind);
    double number = 0;
    for (size_t i = 0; row && i < row->argument_count; i++)
        if (fm_argument_numbers(&row->arguments[i]) == 1) {
            fm_argument_read(&row->arguments[i], command, &number);
            return number;
        }
    return 0;
}
