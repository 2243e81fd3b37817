/* fathom completion: completions for shells, from the tables of the commands. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/outfile.h"
#include "commands.h"

typedef enum shell { BASH, ZSH, FISH } shell;

typedef struct completion_options {
    int shell;
    const char *file;
} completion_options;

static const cli_choice shells[] = {{"bash", BASH}, {"zsh", ZSH}, {"fish", FISH}, {0}};

static const cli_option argument_table[] = {
    {"SHELL", CLI_FIELD(completion_options, shell), .noun = "shell", .required = true, .choices = shells,
     .text = "bash, zsh or fish"},
};

static const cli_option option_table[] = {
    {"output", 'o', CLI_FIELD(completion_options, file), .value = "FILE", .path = CLI_FILE,
     .text = "output file; default: standard output"},
};

const cli_command cli_completion_command = {
    .name = "completion",
    .section = "about",
    .text = "print a completion script for bash, zsh or fish",
    .about = "Prints a completion script for a shell. `make install` installs all three; without it, use `source "
             "<(fathom completion bash)` in bash.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom completion fish -o ~/.config/fish/completions/fathom.fish\n",
    .main = cli_completion,
};

static bool takes_value(const cli_option *option)
{
    return option->kind != CLI_FLAG;
}

/* How a value is completed. */
typedef enum completing {
    BY_NOTHING,
    BY_WORDS,      /* choices, commands or words */
    BY_SCENARIOS,  /* names and files */
    BY_MODELS,     /* names and files */
    BY_PARAMETERS, /* of the scenario that is already there */
    BY_FOLDERS,
    BY_FILES,
    BY_OFFER,
} completing;

static completing completing_of(const cli_option *option)
{
    if (option->choices || option->words || option->path == CLI_COMMAND)
        return BY_WORDS;
    if (option->noun && !strncmp(option->noun, "scenario", 8) && option->path == CLI_FILE)
        return BY_SCENARIOS;
    if (option->noun && !strcmp(option->noun, "model") && option->path == CLI_FILE)
        return BY_MODELS;
    if (option->value && !strncmp(option->value, "PATH=", 5))
        return BY_PARAMETERS;
    return option->path == CLI_FOLDER ? BY_FOLDERS
           : option->path == CLI_FILE ? BY_FILES
           : option->offer            ? BY_OFFER
                                      : BY_NOTHING;
}

/* Completions of a value: its choices, its words or the commands; NULL-terminated calls of `put`. */
static void each_word(const cli_option *option, void (*put)(const char *word, const char *before), const char *before)
{
    for (const cli_choice *c = option->choices; c && c->name; c++)
        put(c->name, c == option->choices ? "" : before);
    if (option->words)
        put(option->words, "");
    for (const cli_command *const *first = cli_commands(), *const *c = first; option->path == CLI_COMMAND && *c; c++)
        put((*c)->name, c == first ? "" : before);
}

static void put_plain(const char *word, const char *before)
{
    printf("%s%s", before, word);
}

/* --- bash --- */

static void bash_value(const cli_option *option)
{
    switch (completing_of(option)) {
    case BY_WORDS:
        fputs("_fathom_words '", stdout);
        each_word(option, put_plain, " ");
        fputs("'", stdout);
        break;
    case BY_SCENARIOS: fputs("_fathom_both scenarios", stdout); break;
    case BY_MODELS: fputs("_fathom_both models", stdout); break;
    case BY_PARAMETERS: fputs("_fathom_params", stdout); break;
    case BY_FOLDERS: fputs("_fathom_folders", stdout); break;
    case BY_FILES: printf("_fathom_files '%s'", option->endings ? option->endings : ""); break;
    case BY_OFFER: printf("_fathom_offer '%s'", option->offer); break;
    case BY_NOTHING: fputs(":", stdout); break;
    }
}

static void bash_options(const cli_command *command, bool valued)
{
    for (size_t i = 0; i < command->option_count; i++) {
        const cli_option *option = &command->options[i];
        if (valued && !takes_value(option))
            continue;
        printf(" --%s", option->name);
        if (option->letter)
            printf(" -%c", option->letter);
    }
}

static void bash_command(const cli_command *command)
{
    printf("    %s)\n        options='", command->name);
    bash_options(command, false);
    fputs(" --help -h' valued='", stdout);
    bash_options(command, true);
    fputs(" '\n        case $2 in\n", stdout);
    for (size_t i = 0; i < command->option_count; i++) {
        const cli_option *option = &command->options[i];
        if (!takes_value(option))
            continue;
        if (option->letter)
            printf("        -%c|--%s) ", option->letter, option->name);
        else
            printf("        --%s) ", option->name);
        bash_value(option);
        fputs(" ;;\n", stdout);
    }
    for (size_t i = 0; i < command->argument_count; i++) {
        const cli_option *argument = &command->arguments[i];
        printf(argument->kind == CLI_WORDS && !argument->words ? "        [0-9]*) " : "        %zu) ", i);
        bash_value(&command->arguments[i]);
        fputs(" ;;\n", stdout);
    }
    fputs("        esac ;;\n", stdout);
}

static const char bash_begin[] =
    "# bash completion of fathom; written by `fathom completion bash`\n"
    "_fathom_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n"
    "_fathom_folders() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"); }\n"
    "_fathom_offer() { _fathom_words \"$(\"${COMP_WORDS[0]}\" $1 2>/dev/null | sed -n 's/^  \\([^ ]*\\).*/\\1/p')\"; "
    "}\n"
    "_fathom_both() { # included ones by their names, and files\n"
    "    _fathom_files .xml\n"
    "    local files=(\"${COMPREPLY[@]}\")\n"
    "    _fathom_offer \"$1\"\n"
    "    COMPREPLY+=(\"${files[@]}\")\n"
    "}\n"
    "_fathom_params() { # of the scenario or model that is on the line\n"
    "    local word paths\n"
    "    for word in \"${COMP_WORDS[@]:2}\"; do\n"
    "        [[ $word == [-=]* || -z $word ]] && continue\n"
    "        paths=$(\"${COMP_WORDS[0]}\" params \"$word\" 2>/dev/null | sed -n 's/^\\(\\/[^ ]*\\) .*/\\1=/p')\n"
    "        [[ $paths ]] && break\n"
    "    done\n"
    "    compopt -o nospace 2>/dev/null\n"
    "    _fathom_words \"$paths\"\n"
    "}\n"
    "_fathom_files() { # folders, and files with one of the endings\n"
    "    local name ending\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    while IFS= read -r name; do\n"
    "        [[ -d $name || -z $1 ]] && COMPREPLY+=(\"$name\") && continue\n"
    "        for ending in $1; do\n"
    "            [[ $name == *\"$ending\" ]] && COMPREPLY+=(\"$name\") && break\n"
    "        done\n"
    "    done < <(compgen -f -- \"$cur\")\n"
    "}\n"
    "# Sets options and valued of a command, and completes the value of an option or the argument of that number.\n"
    "_fathom_table() {\n"
    "    case $1 in\n";

static const char bash_end[] =
    "    esac\n"
    "}\n"
    "_fathom() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
    "    local options= valued= place=0 i word\n"
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        _fathom_words \"$commands --help --version\"\n"
    "        return\n"
    "    fi\n"
    "    _fathom_table \"$command\" ''\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=\n"
    "    elif [[ $prev == = ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    if [[ $prev == -* && $valued == *\" $prev \"* ]]; then\n"
    "        _fathom_table \"$command\" \"$prev\"\n"
    "    elif [[ $cur == -* ]]; then\n"
    "        _fathom_words \"$options\"\n"
    "    else\n"
    "        for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "            word=${COMP_WORDS[i]}\n"
    "            if [[ $word == -?* ]]; then\n"
    "                [[ $valued == *\" $word \"* ]] && ((i += 1))\n"
    "                [[ ${COMP_WORDS[i]} == = ]] && ((i += 1))\n"
    "            else\n"
    "                ((place += 1))\n"
    "            fi\n"
    "        done\n"
    "        _fathom_table \"$command\" \"$place\"\n"
    "    fi\n"
    "}\n"
    "complete -F _fathom fathom\n";

static void write_bash(void)
{
    fputs(bash_begin, stdout);
    for (const cli_command *const *first = cli_commands(), *const *c = first; *c; c++)
        bash_command(*c);
    const char *mark = strstr(bash_end, "$commands");
    printf("%.*s", (int)(mark - bash_end), bash_end);
    for (const cli_command *const *first = cli_commands(), *const *c = first; *c; c++)
        printf("%s%s", c == first ? "" : " ", (*c)->name);
    fputs(mark + strlen("$commands"), stdout);
}

/* --- zsh --- */

/* Within '…' of the shell, and within […] or : of a specification. */
static void zsh_text(const char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
}

static void zsh_files(const char *endings)
{
    const char *word;
    size_t length;
    bool first = true;
    fputs("_files -g \"*.(", stdout);
    while (cli_word_next(&endings, &word, &length)) {
        printf("%s%.*s", first ? "" : "|", (int)length - 1, word + 1);
        first = false;
    }
    fputs(")\"", stdout);
}

static void zsh_value(const cli_option *option)
{
    switch (completing_of(option)) {
    case BY_WORDS:
        putchar('(');
        each_word(option, put_plain, " ");
        putchar(')');
        break;
    case BY_SCENARIOS: fputs("{_fathom_both scenarios}", stdout); break;
    case BY_MODELS: fputs("{_fathom_both models}", stdout); break;
    case BY_PARAMETERS: fputs("_fathom_params", stdout); break;
    case BY_FOLDERS: fputs("_files -/", stdout); break;
    case BY_FILES:
        if (option->endings)
            zsh_files(option->endings);
        else
            fputs("_files", stdout);
        break;
    case BY_OFFER:
        printf("{_values -w word $(fathom %s 2>/dev/null | sed -n \"s/^  \\([^ ]*\\).*/\\1/p\")}", option->offer);
        break;
    case BY_NOTHING: putchar(' '); break;
    }
}

static void zsh_option(const cli_option *option)
{
    char value[256];
    fputs(" \\\n            '", stdout);
    if (option->kind == CLI_LIST)
        putchar('*');
    if (option->letter)
        printf("(-%c --%s)'{-%c%s,--%s%s}'", option->letter, option->name, option->letter,
               takes_value(option) ? "+" : "", option->name, takes_value(option) ? "=" : "");
    else
        printf("--%s%s", option->name, takes_value(option) ? "=" : "");
    putchar('[');
    zsh_text(option->text);
    putchar(']');
    if (takes_value(option)) {
        putchar(':');
        zsh_text(cli_option_value(option, value, sizeof value));
        putchar(':');
        zsh_value(option);
    }
    putchar('\'');
}

static void zsh_command(const cli_command *command)
{
    printf("        %s) _arguments -s '(- *)'{-h,--help}'[this text]'", command->name);
    for (size_t i = 0; i < command->option_count; i++)
        zsh_option(&command->options[i]);
    for (size_t i = 0; i < command->argument_count; i++) {
        const cli_option *argument = &command->arguments[i];
        fputs(" \\\n            '", stdout);
        if (argument->kind == CLI_WORDS && !argument->words)
            fputs("*:", stdout);
        else
            printf("%zu:", i + 1);
        zsh_text(argument->noun);
        putchar(':');
        zsh_value(argument);
        putchar('\'');
    }
    fputs(" ;;\n", stdout);
}

static void write_zsh(void)
{
    fputs("#compdef fathom\n# zsh completion of fathom; written by `fathom completion zsh`\n"
          "_fathom_both() { # included ones by their names, and files\n"
          "    compadd -- $(fathom $1 2>/dev/null | sed -n 's/^  \\([^ ]*\\).*/\\1/p')\n"
          "    _files -g '*.xml'\n}\n"
          "_fathom_params() { # of the scenario or model that is on the line\n    local word\n    local -a paths\n"
          "    for word in ${(Q)words[2,-1]}; do\n        [[ $word == [-=]* || -z $word ]] && continue\n"
          "        paths=($(fathom params \"$word\" 2>/dev/null | sed -n 's/^\\(\\/[^ ]*\\) .*/\\1/p'))\n"
          "        (($#paths)) && break\n    done\n    compadd -S = -a paths\n}\n"
          "_fathom() {\n    local curcontext=$curcontext state line\n    local -a commands\n    commands=(\n",
          stdout);
    for (const cli_command *const *first = cli_commands(), *const *c = first; *c; c++) {
        printf("        '%s:", (*c)->name);
        zsh_text((*c)->text);
        fputs("'\n", stdout);
    }
    fputs("    )\n    _arguments -C '(- *)'{-h,--help}'[list the commands]' '(- *)--version[print the version]' \\\n"
          "        '1:command:->command' '*::argument:->argument'\n"
          "    case $state in\n    command) _describe command commands ;;\n    argument)\n        case $words[1] in\n",
          stdout);
    for (const cli_command *const *first = cli_commands(), *const *c = first; *c; c++)
        zsh_command(*c);
    fputs("        esac ;;\n    esac\n}\nif [[ $funcstack[1] == _fathom ]]; then\n    _fathom \"$@\"\nelse\n"
          "    compdef _fathom fathom\nfi\n",
          stdout);
}

/* --- fish --- */

/* A text within '…' of fish. */
static void fish_text(const char *text)
{
    putchar('\'');
    for (; *text; text++)
        printf(*text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
    putchar('\'');
}

static void fish_files(const char *endings)
{
    const char *word;
    size_t length;
    fputs(" -k -a '(", stdout);
    for (bool first = true; cli_word_next(&endings, &word, &length); first = false)
        printf("%s__fish_complete_suffix %.*s", first ? "" : "; ", (int)length, word);
    fputs(")'", stdout);
}

static void fish_value(const cli_option *option)
{
    switch (completing_of(option)) {
    case BY_WORDS:
        fputs(" -a '", stdout);
        each_word(option, put_plain, " ");
        fputs("'", stdout);
        break;
    case BY_SCENARIOS: fputs(" -k -a '(__fish_complete_suffix .xml; __fathom_names scenarios)'", stdout); break;
    case BY_MODELS: fputs(" -k -a '(__fish_complete_suffix .xml; __fathom_names models)'", stdout); break;
    case BY_PARAMETERS: fputs(" -a '(__fathom_params)'", stdout); break;
    case BY_FOLDERS: fputs(" -a '(__fish_complete_directories)'", stdout); break;
    case BY_FILES:
        if (option->endings)
            fish_files(option->endings);
        else
            fputs(" -F", stdout);
        break;
    case BY_OFFER:
        printf(" -a '(fathom %s 2>/dev/null | string replace -rf \"^  (\\\\S+).*\" \"\\$1\")'", option->offer);
        break;
    case BY_NOTHING: break;
    }
}

static void fish_command(const cli_command *command)
{
    for (size_t i = 0; i < command->option_count; i++) {
        const cli_option *option = &command->options[i];
        printf("complete -c fathom -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
        if (option->letter)
            printf(" -s %c", option->letter);
        if (takes_value(option)) {
            fputs(completing_of(option) == BY_FILES && !option->endings ? " -r" : " -x", stdout);
            fish_value(option);
        }
        fputs(" -d ", stdout);
        fish_text(option->text);
        putchar('\n');
    }
    for (size_t i = 0; i < command->argument_count; i++) {
        printf("complete -c fathom -n '__fish_seen_subcommand_from %s'", command->name);
        fish_value(&command->arguments[i]);
        putchar('\n');
    }
}

static void write_fish(void)
{
    fputs("# fish completion of fathom; written by `fathom completion fish`\ncomplete -c fathom -f\n"
          "function __fathom_names # included ones by their names\n"
          "    fathom $argv 2>/dev/null | string replace -rf '^  (\\S+).*' '$1'\nend\n"
          "function __fathom_params # of the scenario or model that is on the line\n"
          "    for word in (commandline -opc)[3..-1]\n        string match -qr '^[-=]|^$' -- $word; and continue\n"
          "        set -l paths (fathom params $word 2>/dev/null | string replace -rf '^(/\\S+).*' '$1=')\n"
          "        if test (count $paths) -gt 0\n            printf '%s\\n' $paths\n            return\n        end\n"
          "    end\nend\n"
          "complete -c fathom -s h -l help -d 'explain'\n"
          "complete -c fathom -n __fish_use_subcommand -l version -d 'print the version'\n",
          stdout);
    for (const cli_command *const *first = cli_commands(), *const *c = first; *c; c++) {
        printf("complete -c fathom -n __fish_use_subcommand -a %s -d ", (*c)->name);
        fish_text((*c)->text);
        putchar('\n');
        fish_command(*c);
    }
}

/* The shells' writers print. */
static int write_file(const char *path, void (*print)(void))
{
    fm_outfile output;
    fm_error error = {0};
    fm_status status = fm_outfile_open(&output, path, &error);
    if (status == FM_OK && !freopen(fm_outfile_name(&output), "w", stdout)) {
        status = fm_fail(&error, FM_ERR_FILE, "%s: %s", path, strerror(errno));
        fm_outfile_abandon(&output);
    } else if (status == FM_OK) {
        print();
        if (fflush(stdout) != 0 || ferror(stdout)) {
            status = fm_fail(&error, FM_ERR_FILE, "%s: %s", path, strerror(errno));
            fm_outfile_abandon(&output);
        } else {
            status = fm_outfile_close(&output, &error);
        }
    }
    if (status != FM_OK)
        fprintf(stderr, "fathom completion: %s\n", error.text);
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}

int cli_completion(int argc, char **argv)
{
    static void (*const write[])(void) = {[BASH] = write_bash, [ZSH] = write_zsh, [FISH] = write_fish};
    completion_options o = {0};
    int status;
    if (!cli_options_read(&cli_completion_command, argc, argv, &o, &status))
        return status;
    return o.file ? write_file(o.file, write[o.shell]) : (write[o.shell](), CLI_DONE);
}
