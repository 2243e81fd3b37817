/* The folder of solved tables: runs have the same bits with it, without it, and with whatever is left in it. */
#include <dirent.h>
#include <sys/stat.h>

#include "support/files.h"
#include "support/program.h"

#define FOLDER "test_cache.folder"

static program_run r;

/* The hash of 20 ms of a scenario that solves tables, with an environment; also the processor's seconds. */
static double hash_with(const char *environment, const char *scenario, char hash[17])
{
    run_shell(&r, "%s " FATHOM_PROGRAM " run %s --set '/world/duration=0.02 s' --summary -", environment, scenario);
    const char *at = strstr(r.out, "\"state_hash\": \"");
    if (r.status != 0 || !at)
        fail_msg("%s: %s", r.line, r.err);
    snprintf(hash, 17, "%s", at + strlen("\"state_hash\": \""));
    return r.seconds;
}

/* The files of the folder; the first of them in `path`. */
static int count_files(const char *folder, char path[512])
{
    DIR *open = opendir(folder);
    int count = 0;
    for (const struct dirent *entry; open && (entry = readdir(open));)
        if (entry->d_name[0] != '.' && count++ == 0 && path)
            snprintf(path, 512, "%s/%s", folder, entry->d_name);
    if (open)
        closedir(open);
    return count;
}

static void remove_folder(void)
{
    run_shell(&r, "chmod -R u+w " FOLDER " 2>/dev/null; rm -rf " FOLDER);
}

static void runs_have_the_same_bits_with_and_without_a_cache(void **state)
{
    (void)state;
    static const char *const scenarios[] = {"snookie-hardware", "snookie-corridor"};
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        char without[17], cold[17], warm[17];
        remove_folder();
        hash_with("FATHOM_CACHE=off", scenarios[i], without);
        assert_int_equal(count_files(FOLDER, NULL), 0);
        double solved = hash_with("FATHOM_CACHE=" FOLDER, scenarios[i], cold);
        int files = count_files(FOLDER, NULL);
        assert_greater(files, 0);
        double read = hash_with("FATHOM_CACHE=" FOLDER, scenarios[i], warm);
        assert_int_equal(count_files(FOLDER, NULL), files);
        assert_string_equal(cold, without);
        assert_string_equal(warm, without);
        assert_less(read, solved);
    }
    remove_folder();
}

static void a_file_that_is_broken_or_short_is_solved_again(void **state)
{
    (void)state;
    static const char *const damages[] = {"truncate -s 1000 %s",
                                          "truncate -s 0 %s",
                                          "printf x | dd of=%s bs=1 seek=400000 conv=notrunc 2>/dev/null",
                                          "printf x | dd of=%s bs=1 seek=9 conv=notrunc 2>/dev/null",
                                          "rm %1$s; mkdir %1$s",
                                          "rmdir %1$s; mkfifo %1$s"};
    char without[17], found[17], path[512], line[2048];
    remove_folder();
    hash_with("FATHOM_CACHE=off", "snookie-hardware", without);
    hash_with("FATHOM_CACHE=" FOLDER, "snookie-hardware", found);
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        assert_int_equal(count_files(FOLDER, path), 1);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(line, sizeof line, damages[i], path);
#pragma GCC diagnostic pop
        assert_int_equal(run_shell(&r, "%s", line), 0);
        hash_with("FATHOM_CACHE=" FOLDER, "snookie-hardware", found);
        assert_string_equal(found, without);
    }
    remove_folder();
}

static void a_folder_that_cannot_be_written_does_no_harm(void **state)
{
    (void)state;
    static const char *const environments[] = {
        "FATHOM_CACHE=/proc/none", "FATHOM_CACHE=/dev/null/x", "env -u HOME -u XDG_CACHE_HOME -u FATHOM_CACHE",
        "env -u FATHOM_CACHE -u HOME XDG_CACHE_HOME=relative", "env -u FATHOM_CACHE HOME=/proc/none"};
    char without[17], found[17];
    hash_with("FATHOM_CACHE=off", "snookie-hardware", without);
    for (size_t i = 0; i < sizeof environments / sizeof environments[0]; i++) {
        hash_with(environments[i], "snookie-hardware", found);
        assert_string_equal(found, without);
    }
    assert_int_equal(count_files("relative", NULL), 0);
}

static void the_default_folder_is_that_of_the_desktop_standard(void **state)
{
    (void)state;
    char found[17], home[4096], environment[8192];
    remove_folder();
    assert_int_equal(mkdir(FOLDER, 0700), 0);
    assert_non_null(realpath(FOLDER, home));
    snprintf(environment, sizeof environment, "env -u FATHOM_CACHE -u XDG_CACHE_HOME HOME=%s", home);
    hash_with(environment, "snookie-hardware", found);
    assert_int_equal(count_files(FOLDER "/.cache/fathom", NULL), 1);
    snprintf(environment, sizeof environment, "env -u FATHOM_CACHE XDG_CACHE_HOME=%s/xdg", home);
    hash_with(environment, "snookie-hardware", found);
    assert_int_equal(count_files(FOLDER "/xdg/fathom", NULL), 1);
    remove_folder();
}

static void many_processes_use_one_folder_at_once(void **state)
{
    (void)state;
    char without[17];
    remove_folder();
    hash_with("FATHOM_CACHE=off", "snookie-hardware", without);
    /* twelve runs over an empty folder, while another process keeps breaking what it finds there */
    assert_int_equal(run_shell(&r, "export FATHOM_CACHE=" FOLDER "; mkdir " FOLDER "; "
                                   "(for i in $(seq 200); do truncate -s 70000 " FOLDER "/*.table 2>/dev/null; done) & "
                                   "for i in $(seq 12); do " FATHOM_PROGRAM
                                   " run snookie-hardware --set '/world/duration=0.02 s' --summary - & done; wait"),
                     0);
    int runs = 0;
    for (const char *at = r.out; (at = strstr(at, "\"state_hash\": \"")); runs++) {
        at += strlen("\"state_hash\": \"");
        assert_memory_equal(at, without, 16);
    }
    assert_int_equal(runs, 12);
    run_shell(&r, "ls " FOLDER " | grep -v 'table$' | wc -l");
    assert_string_equal(r.out, "0\n"); /* no temporary file is left */
    remove_folder();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_have_the_same_bits_with_and_without_a_cache),
        cmocka_unit_test(a_file_that_is_broken_or_short_is_solved_again),
        cmocka_unit_test(a_folder_that_cannot_be_written_does_no_harm),
        cmocka_unit_test(the_default_folder_is_that_of_the_desktop_standard),
        cmocka_unit_test(many_processes_use_one_folder_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
