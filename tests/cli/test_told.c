/* What documentation and comments of scenarios tell a user to type is accepted. */
#include <glob.h>

#include "support/files.h"
#include "support/program.h"

static program_run r;

/* The next word of a command, quotes taken off; false at its end. */
static int next_word(const char **at, char *word, size_t size)
{
    size_t n = 0;
    char quote = 0;
    *at += strspn(*at, " ");
    for (; **at && **at != '\n' && (quote || **at != ' '); ++*at) {
        if (**at == '\'')
            quote = (char)(quote ? 0 : '\'');
        else if (n + 1 < size)
            word[n++] = **at;
    }
    word[n] = 0;
    return n > 0;
}

/* Checks one "fathom run FILE --set PATH=VALUE …" of a text: the scenario with everything that is set. */
static int check_command(const char *where, const char *at)
{
    char word[256], scenario[256], sets[2048] = "";
    int count = 0;
    next_word(&at, scenario, sizeof scenario);
    while (next_word(&at, word, sizeof word))
        if (strcmp(word, "--set") == 0 && next_word(&at, word, sizeof word)) {
            size_t length = strlen(sets);
            snprintf(sets + length, sizeof sets - length, " --set '%s'", word);
            count++;
        }
    if (strncmp(scenario, "scenarios/", 10) == 0 &&
        run_fathom(&r, "check " FATHOM_SOURCE_DIR "/%s%s", scenario, sets) != 0)
        fail_msg("%s says to type 'fathom run %s%s', which is refused: %s", where, scenario, sets, r.err);
    return count;
}

static int check_commands(const char *path)
{
    char *text = read_file(path, NULL);
    int count = 0;
    for (const char *at = text; (at = strstr(at, "fathom run ")); at += 11)
        count += check_command(path, at + 11);
    free(text);
    return count;
}

/* Parameters in the comments of a scenario, which cannot hold the two dashes of an option: '/PATH=VALUE'. */
static int check_parameters(const char *path)
{
    char *text = read_file(path, NULL);
    int count = 0;
    for (char *at = text; (at = strstr(at, "'/")); at++) {
        int length = (int)strcspn(at + 1, "'");
        if (run_fathom(&r, "check %s --set '%.*s'", path, length, at + 1) != 0)
            fail_msg("%s says to set %.*s, which is refused: %s", path, length, at + 1, r.err);
        at += length;
        count++;
    }
    free(text);
    return count;
}

static int check_files(const char *files, int (*check)(const char *path))
{
    char pattern[512];
    glob_t found;
    int count = 0;
    snprintf(pattern, sizeof pattern, FATHOM_SOURCE_DIR "/%s", files);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        count += check(found.gl_pathv[i]);
    globfree(&found);
    return count;
}

static void commands_of_the_documentation_are_accepted(void **state)
{
    (void)state;
    assert_at_least(check_files("README.md", check_commands) + check_files("docs/*.md", check_commands), 3);
}

static void parameters_in_comments_of_scenarios_are_accepted(void **state)
{
    (void)state;
    assert_at_least(check_files("scenarios/*.xml", check_parameters), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_of_the_documentation_are_accepted),
        cmocka_unit_test(parameters_in_comments_of_scenarios_are_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
