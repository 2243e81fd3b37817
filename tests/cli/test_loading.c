/* How scenarios come in through the program: seeds, settings, what is refused and how it is told. */
#include "support/files.h"
#include "support/program.h"

#define FILE_NAME "loading.xml"

static program_run r;

static void run_well(const char *arguments)
{
    if (run_fathom(&r, "%s", arguments) != 0)
        fail_msg("fathom %s: %s", arguments, r.err);
}

static void hash_of(const char *arguments, char hash[17])
{
    run_well(arguments);
    const char *at = strstr(r.out, "\"state_hash\": \"");
    assert_non_null(at);
    snprintf(hash, 17, "%s", at + strlen("\"state_hash\": \""));
}

/* --- seeds --- */

#define RANDOM_WORLD                                                                                                   \
    "<fathom version='1'><world dt='0.05 s' duration='5 s'>"                                                           \
    "<current><gauss-markov deviation='0.1 0.1 0 m/s' time='60 s'/></current>"                                         \
    "<waves><wave amplitude='0.2 m' period='8 s'/><jonswap height='1 m' period='6 s' spreading='8'/>"                  \
    "<jonswap height='0.3 m' period='4 s' direction='90 deg'/></waves></world>"                                        \
    "<vehicle name='v' model='lauv' position='0 0 3 m'/></fathom>\n"

static void a_seed_of_the_run_reseeds_the_sea_too(void **state)
{
    (void)state;
    char run[17], set[17], plain[17];
    write_file(FILE_NAME, RANDOM_WORLD);
    hash_of("run " FILE_NAME " --seed 5 --summary -", run);
    hash_of("run " FILE_NAME " --set /world/seed=5 --summary -", set);
    hash_of("run " FILE_NAME " --set /world/seed=5 --seed 1 --summary -", plain);
    assert_string_equal(run, set);
    hash_of("run " FILE_NAME " --summary -", set);
    assert_string_equal(plain, set);
    assert_string_not_equal(run, plain);
    remove(FILE_NAME);
}

static void a_seeded_log_replays_with_its_sea(void **state)
{
    (void)state;
    write_file(FILE_NAME, RANDOM_WORLD);
    run_well("run " FILE_NAME " --seed 9 --log loading.mcap");
    run_well("replay loading.mcap --verify");
    assert_non_null(strstr(r.out, "the same"));
    remove(FILE_NAME);
    remove("loading.mcap");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_of_the_run_reseeds_the_sea_too),
        cmocka_unit_test(a_seeded_log_replays_with_its_sea),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
