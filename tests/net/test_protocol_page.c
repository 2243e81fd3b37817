/* The commands in docs/protocol.md are those of the table of commands. Run with the word "write", it writes them there
 * instead of comparing. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/wire_command.h"
#include "support/cmocka_all.h"
#include "support/files.h"

#define PAGE FATHOM_SOURCE_DIR "/docs/protocol.md"
#define FIRST "<!-- commands -->\n"
#define LAST "<!-- end of commands -->\n"

static char section[1 << 16];
static size_t used;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    used += (size_t)vsnprintf(section + used, sizeof section - used, format, arguments);
    va_end(arguments);
    assert_less(used, sizeof section);
}

static void say_overview(void)
{
    say("| verb | command | from | |\n|---|---|---|---|\n");
    for (int kind = 1; kind < FM_COMMAND_KINDS; kind++) {
        const fm_command_row *row = fm_command_row_of((fm_command_kind)kind);
        say("| %d | %s | %s | %s |\n", kind, row->word, row->who == FM_COMMAND_WHO_ALL ? "vehicle" : "commander",
            row->about);
    }
}

static void say_range(const fm_argument *a)
{
    const char *blank = a->unit[0] ? " " : "";
    if (!fm_argument_numbers(a))
        say("%s", a->need == FM_ARGUMENT_OPTIONAL ? "optional" : "");
    else if (a->most < 1e300)
        say("%.15g to %.15g%s%s", a->least, a->most, blank, a->unit);
    else
        say("%s", a->unit);
    if (fm_argument_numbers(a) && a->need == FM_ARGUMENT_OPTIONAL)
        say("%sdefault %.15g", a->most < 1e300 || a->unit[0] ? "; " : "", a->fallback);
}

static void say_arguments(const fm_command_row *row)
{
    size_t offset = FM_WIRE_SIZE_command;
    int moved = 0; /* after bytes, of which there may be any number */
    say("\n**%s** (verb %d)\n\n| offset | type | argument | range | |\n|---|---|---|---|---|\n", row->word,
        (int)row->kind);
    for (size_t i = 0; i < row->argument_count; i++) {
        const fm_argument *a = &row->arguments[i];
        say("| %zu%s | ", offset, moved ? " + n" : "");
        if (a->type == FM_ARGUMENT_NAME)
            say("text[%zu]", a->size);
        else
            say("%s", a->type == FM_ARGUMENT_VECTOR  ? "f64[3]"
                      : a->type == FM_ARGUMENT_WHOLE ? "i64"
                      : a->type == FM_ARGUMENT_BYTES ? "u16 n, u8[n]"
                                                     : "f64");
        say(" | %s | ", a->name);
        say_range(a);
        say(" | %s%s%s |\n", a->type == FM_ARGUMENT_VECTOR ? a->words : "", a->type == FM_ARGUMENT_VECTOR ? ", " : "",
            a->about);
        offset += a->type == FM_ARGUMENT_NAME ? a->size : a->type == FM_ARGUMENT_BYTES ? 2 : 8 * fm_argument_numbers(a);
        moved |= a->type == FM_ARGUMENT_BYTES;
    }
}

static void say_doors(void)
{
    static const char *const doors[FM_COMMAND_DOORS] = {"this protocol", "`fathom ctl`, command queue", "page",
                                                        "ROS 2"};
    say("\nEvery door offers every command, with these exceptions:\n\n| command | door | instead, or why not |\n"
        "|---|---|---|\n");
    for (int kind = 1; kind < FM_COMMAND_KINDS; kind++)
        for (int door = 0; door < FM_COMMAND_DOORS; door++) {
            const fm_command_row *row = fm_command_row_of((fm_command_kind)kind);
            if (row->refused[door])
                say("| %s | %s | %s |\n", row->word, doors[door], row->refused[door]);
        }
    say("\n");
}

static void make_section(void)
{
    used = 0;
    say("\n");
    say_overview();
    for (int kind = 1; kind < FM_COMMAND_KINDS; kind++)
        if (fm_command_row_of((fm_command_kind)kind)->argument_count)
            say_arguments(fm_command_row_of((fm_command_kind)kind));
    say_doors();
}

static void the_commands_of_the_page_are_those_of_the_table(void **state)
{
    (void)state;
    char *page = read_file(PAGE, NULL);
    const char *begin = strstr(page, FIRST), *end = strstr(page, LAST);
    make_section();
    assert_true(begin);
    assert_true(end);
    assert_greater(end - begin, 0);
    begin += strlen(FIRST);
    if ((size_t)(end - begin) != used || memcmp(begin, section, used) != 0)
        fail_msg("docs/protocol.md differs from include/fathom/command_table.h: run net_test_protocol_page write");
    free(page);
}

static int write_page(void)
{
    char *page = read_file(PAGE, NULL), *end = strstr(page, LAST), *begin = strstr(page, FIRST);
    FILE *file = fopen(PAGE, "w");
    make_section();
    fwrite(page, 1, (size_t)(begin + strlen(FIRST) - page), file);
    fwrite(section, 1, used, file);
    fputs(end, file);
    free(page);
    return fclose(file);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_commands_of_the_page_are_those_of_the_table),
    };
    if (argc == 2 && strcmp(argv[1], "write") == 0)
        return write_page();
    return cmocka_run_group_tests_name("protocol page", tests, NULL, NULL);
}
