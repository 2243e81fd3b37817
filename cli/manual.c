/* fathom manual: the manual pages in roff, from the tables of the commands. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/outfile.h"
#include "commands.h"

enum { NAME_SIZE = 256, PATH_SIZE = 4096 };

typedef struct manual_options {
    const char *command, *folder;
} manual_options;

static const cli_option argument_table[] = {
    {"COMMAND", CLI_FIELD(manual_options, command), .noun = "command", .path = CLI_COMMAND,
     .text = "the command; default: the page of the program"},
};

static const cli_option option_table[] = {
    {"output", 'o', CLI_FIELD(manual_options, folder), .value = "DIR", .path = CLI_FOLDER,
     .text = "write all pages to this directory: fathom.1, fathom-run.1 …"},
};

const cli_command cli_manual_command = {
    .name = "manual",
    .section = "about",
    .text = "write manual pages",
    .about = "Writes a manual page in roff to standard output. `make install` installs all pages, for `man fathom` and "
             "`man fathom-run`.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom manual run | man -l -\n",
    .main = cli_manual,
};

/* --- roff --- */

/* Code point of the UTF-8 character at *text, which is advanced past it. */
static unsigned next_character(const char **text)
{
    const unsigned char *byte = (const unsigned char *)*text;
    int more = byte[0] >= 0xF0 ? 3 : byte[0] >= 0xE0 ? 2 : byte[0] >= 0xC0 ? 1 : 0;
    unsigned code = more ? byte[0] & (0x3Fu >> more) : byte[0];
    for (int i = 1; i <= more && byte[i]; i++, *text += 1)
        code = code << 6 | (byte[i] & 0x3Fu);
    *text += 1;
    return code;
}

/* Text as roff reads it: hyphens that stay hyphens, no control line, characters beyond ASCII by their number. */
static void put_text(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    while (*text) {
        unsigned c = next_character(&text);
        if (c == '\\')
            fputs("\\e", out);
        else if (c == '-')
            fputs("\\-", out);
        else if (c == '`')
            fputs("\\(ga", out);
        else if (c == '\'')
            fputs("\\(aq", out);
        else if (c == '"')
            fputs("\\(dq", out);
        else if (c > 0x7E)
            fprintf(out, "\\[u%04X]", c);
        else
            fputc((int)c, out);
    }
}

static void put_line(FILE *out, const char *macro, const char *text)
{
    fputs(macro, out);
    put_text(out, text);
    fputc('\n', out);
}

/* Paragraphs; an empty line begins a new one. */
static void put_paragraphs(FILE *out, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        char line[4096];
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        put_line(out, length ? "" : ".PP", line);
        text += length + (text[length] == '\n');
    }
}

static void put_heading(FILE *out, const char *title, const char *name, const char *text)
{
    fputs(".TH ", out);
    put_text(out, title);
    fprintf(out, " 1 \"\" \"Fathom %s\" \"Fathom manual\"\n.SH NAME\n", FATHOM_VERSION);
    put_text(out, name);
    fputs(" \\- ", out);
    put_line(out, "", text);
}

static void put_entry(FILE *out, const char *name, const char *text)
{
    fputs(".TP\n", out);
    put_line(out, ".B ", name);
    put_line(out, "", text);
}

static void put_option(FILE *out, const cli_option *option)
{
    char name[NAME_SIZE], text[4 * NAME_SIZE];
    put_entry(out, cli_option_name(option, name, sizeof name), cli_option_explain(option, text, sizeof text));
}

static void put_options(FILE *out, const cli_command *command)
{
    fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < command->option_count; i++) {
        if (command->options[i].section)
            put_line(out, ".SS ", command->options[i].section);
        put_option(out, &command->options[i]);
    }
    put_entry(out, "-h, --help", "print what this page says, in short");
}

/* Lines unchanged, without leading spaces. */
static void put_examples(FILE *out, const char *lines)
{
    fputs(".SH EXAMPLES\n.nf\n", out);
    while (*lines) {
        char line[1024];
        lines += strspn(lines, " ");
        size_t length = strcspn(lines, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, lines);
        put_line(out, "", line);
        lines += length + (lines[length] == '\n');
    }
    fputs(".fi\n", out);
}

static void put_statuses(FILE *out, const char *done, const char *failed, const char *doubtful, const char *interrupted)
{
    fputs(".SH EXIT STATUS\n", out);
    put_entry(out, "0", done ? done : "done");
    put_entry(out, "1", failed ? failed : "failed; the reason is on standard error");
    put_entry(out, "2", "wrong usage: nothing was done");
    if (doubtful)
        put_entry(out, "3", doubtful);
    if (!interrupted)
        return;
    char text[512];
    snprintf(text, sizeof text, "after Ctrl-C, SIGTERM, SIGHUP: %s", interrupted);
    put_entry(out, "130, 143, 129", text);
}

static void put_command(FILE *out, const cli_command *command)
{
    char text[2 * NAME_SIZE];
    snprintf(text, sizeof text, "FATHOM-%s", command->name);
    for (char *c = text; *c; c++)
        *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "fathom-%s", command->name);
    put_heading(out, text, name, command->text);
    cli_command_usage(command, text, sizeof text);
    fputs(".SH SYNOPSIS\n", out);
    put_line(out, ".B ", text);
    fputs(".SH DESCRIPTION\n", out);
    put_paragraphs(out, command->about);
    if (command->argument_count)
        fputs(".SH ARGUMENTS\n", out);
    for (size_t i = 0; i < command->argument_count; i++)
        put_entry(out, command->arguments[i].name, command->arguments[i].text);
    put_options(out, command);
    put_statuses(out, command->done, command->failed, command->doubtful, command->interrupted);
    if (command->examples)
        put_examples(out, command->examples);
    fputs(".SH SEE ALSO\n.BR fathom (1)\n", out);
}

static void put_program(FILE *out)
{
    put_heading(out, "FATHOM", "fathom", "simulates underwater vehicles");
    fputs(".SH SYNOPSIS\n", out);
    put_line(out, ".B ", "fathom COMMAND [ARGUMENTS] [OPTIONS]");
    fputs(".SH DESCRIPTION\n", out);
    put_line(out, "", "How underwater vehicles move, what they sense and what they say, from scenarios in XML.");
    fputs(".SH COMMANDS\n", out);
    for (const cli_command *const *first = cli_commands(), *const *c = first; *c; c++) {
        if (c == first || strcmp(c[0]->section, c[-1]->section) != 0)
            put_line(out, ".SS ", (*c)->section);
        put_entry(out, (*c)->name, (*c)->text);
    }
    fputs(".SH OPTIONS\n", out);
    put_entry(out, "-h, --help", "list the commands");
    put_entry(out, "--version", "print the version");
    put_statuses(out, NULL, NULL, NULL, NULL);
    fputs(".SH ENVIRONMENT\n", out);
    put_entry(out, "FATHOM_MODELS", "folder with models, looked into before the others");
    fputs(".SH SEE ALSO\n", out);
    for (const cli_command *const *first = cli_commands(), *const *c = first; *c; c++)
        fprintf(out, ".BR fathom\\-%s (1)%s\n", (*c)->name, c[1] ? "," : "");
}

/* --- the command --- */

/* One page into FOLDER/fathom-NAME.1; without a command, that of the program. */
static int write_page(const char *folder, const cli_command *command)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/fathom%s%s.1", folder, command ? "-" : "", command ? command->name : "");
    fm_outfile out;
    fm_error error = {0};
    fm_status status = fm_outfile_open(&out, path, &error);
    if (status == FM_OK && command)
        put_command(out.file, command);
    else if (status == FM_OK)
        put_program(out.file);
    if (status == FM_OK)
        status = fm_outfile_close(&out, &error);
    if (status == FM_OK)
        return CLI_DONE;
    fprintf(stderr, "fathom manual: %s\n", error.text);
    return CLI_FAILED;
}

static int write_pages(const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fprintf(stderr, "fathom manual: %s: %s\n", folder, strerror(errno)), CLI_FAILED;
    int status = write_page(folder, NULL);
    for (const cli_command *const *first = cli_commands(), *const *c = first; *c && status == CLI_DONE; c++)
        status = write_page(folder, *c);
    return status;
}

int cli_manual(int argc, char **argv)
{
    manual_options o = {0};
    int status;
    if (!cli_options_read(&cli_manual_command, argc, argv, &o, &status))
        return status;
    if (o.folder && o.command)
        return fprintf(stderr, "fathom manual: give a command or --output, not both\n"), CLI_USAGE;
    if (o.folder)
        return write_pages(o.folder);
    const cli_command *command = o.command ? cli_command_find(o.command) : NULL;
    if (o.command && !command)
        return CLI_USAGE;
    if (command)
        put_command(stdout, command);
    else
        put_program(stdout);
    return CLI_DONE;
}
