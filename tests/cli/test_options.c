/* The command line: what each command takes, what it refuses and with which words; the help, the manual pages and the
 * completion of shells say the same. */
#include "support/files.h"
#include "support/program.h"

#define TURN FATHOM_SOURCE_DIR "/scenarios/phoenix-turn.xml"

static program_run r;

/* What users may type; an option that leaves this list breaks their scripts. */
static const struct {
    const char *command, *options;
} commands[] = {
    {"run",
     "ardupilot bridge csv csv-rate dis duration fast hardware-loop http log log-chunk log-compression "
     "log-rate mavlink metric nmea no-bridges odometry overlay overlay-align overlay-gap overlay-map overlay-offset "
     "ping priority quiet realtime ros2 seed set shared speed summary telemetry-loop threads until"},
    {"view", "ardupilot bridge dis endless http log mavlink nmea no-bridges no-browser odometry overlay overlay-align "
             "overlay-gap "
             "overlay-map overlay-offset paused ping priority rate ros2 seed set speed threads token"},
    {"serve",
     "ardupilot bind bridge dis duration fast hardware-loop http key lockstep log mavlink nmea "
     "no-bridges odometry overlay overlay-align overlay-gap overlay-map overlay-offset ping port priority quiet ros2 "
     "seed set shared socket speed stopped telemetry-loop threads token"},
    {"ctl", "address json key port queue socket timeout"},
    {"emulate", "bias period quiet set shared target vehicle wait"},
    {"sweep",
     "backend correlate csv design duration every metric output points precision quiet record resume runs seed "
     "series set threads vary vary-fit"},
    {"identify", "between bias check csv dark data delay fit from input iterations json loss map output prior quiet "
                 "resume save searches segment set set-list sigma skip start threads time-column title to where"},
    {"optimise", "backend constraint csv dark duration generations json maximise minimise noise-runs output pareto "
                 "population quiet restarts resume seed set step threads title vary"},
    {"check", "set"},
    {"params", "json live set si written"},
    {"scenarios", "json path"},
    {"models", "json path"},
    {"import", "forward model models name output scenario"},
    {"schema", "manual output rng ros2"},
    {"info", "channels metrics parameters"},
    {"export", "covariances csv every frame geojson gpx kml netcdf plan set vehicle waypoints"},
    {"compare", "align align-by dark from json map offset output overlay rate time-column title to where"},
    {"plot", "by dark dpi fixes frame from histogram ladder output title to x y"},
    {"report", "metric output"},
    {"replay", "threads verify"},
    {"figures", "check-validation fast known list numbers output quiet threads validation verdicts"},
    {"fish", "bend mesh set skin table"},
    {"trim", "json set speed"},
    {"stability", "json octave set speed"},
    {"rays", "angles arrivals bottom dark field frequency incoherent json output profile range rays receiver-depth "
             "receiver-range reflections roughness seabed source-depth"},
    {"water", "conductivity depth json latitude pressure salinity temperature"},
    {"dis", "count file json seconds study vehicle"},
    {"bench", "against batch env json list only priority seconds sizes"},
    {"help", ""},
    {"manual", "output"},
    {"completion", "output"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void expect(const char *arguments, int status, const char *words)
{
    run_fathom(&r, "%s", arguments);
    expect_run(&r, status, words);
}

/* Takes the next word of a list separated by spaces. */
static int next_word(const char **list, char word[64])
{
    size_t length = strcspn(*list, " ");
    snprintf(word, 64, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ' ');
    return length > 0;
}

/* --- help --- */

static void the_list_of_commands_is_whole(void **state)
{
    (void)state;
    char expected[1024] = "";
    for (size_t i = 0; i < COMMANDS; i++)
        sprintf(expected + strlen(expected), "%s\n", commands[i].command);
    run_shell(&r, FATHOM_PROGRAM " help | sed -n 's/^  \\([a-z]*\\) .*/\\1/p'");
    assert_string_equal(r.out, expected);
    expect("--help", 0, "exit status: 0 done; 1 failed; 2 wrong usage");
}

static void every_help_lists_exactly_its_options(void **state)
{
    (void)state;
    for (size_t i = 0; i < COMMANDS; i++) {
        char expected[1024];
        snprintf(expected, sizeof expected, "%s%shelp", commands[i].options, *commands[i].options ? " " : "");
        run_shell(&r,
                  "(for word in %s; do echo $word; done) | sort >options_expected.txt; " FATHOM_PROGRAM
                  " %s --help | sed -nE 's/^  (-[a-z], )?--([a-z0-9-]+).*/\\2/p' | sort | diff - options_expected.txt",
                  expected, commands[i].command);
        if (r.status != 0)
            fail_msg("%s --help: %s", commands[i].command, r.out);
    }
}

static void help_of_a_command_is_the_same_both_ways_and_fits_eighty_columns(void **state)
{
    (void)state;
    static program_run other;
    for (size_t i = 0; i < COMMANDS; i++) {
        assert_int_equal(run_fathom(&r, "help %s", commands[i].command), 0);
        assert_int_equal(run_fathom(&other, "%s -h", commands[i].command), 0);
        assert_string_equal(r.out, other.out);
        assert_int_equal(strncmp(r.out, "usage: fathom ", 14), 0);
        run_shell(&other, FATHOM_PROGRAM " help %s | sed '/^examples:/,/^$/d' | LC_ALL=C.UTF-8 grep -nE '.{81}'",
                  commands[i].command);
        if (other.out[0])
            fail_msg("fathom help %s has a long line: %s", commands[i].command, other.out);
    }
    expect("help rpelay", 2, "did you mean 'replay'");
    expect("help run check", 2, "only one command is allowed");
}

/* --- refusals --- */

static void a_mistyped_option_suggests_the_right_one_everywhere(void **state)
{
    (void)state;
    int tried = 0;
    for (size_t i = 0; i < COMMANDS; i++) {
        const char *list = commands[i].options;
        char word[64], wrong[64], suggestion[192];
        while (next_word(&list, word)) {
            size_t length = strlen(word);
            if (length < 5)
                continue;
            snprintf(wrong, sizeof wrong, "%.*s%s", (int)(length - 2), word, word + length - 1); /* a letter is lost */
            snprintf(suggestion, sizeof suggestion, "unknown option '--%s'; did you mean '--%s'?", wrong, word);
            run_fathom(&r, "%s --%s", commands[i].command, wrong);
            expect_run(&r, 2, suggestion);
            tried++;
        }
    }
    assert_greater(tried, 25);
    expect("run --zzzzzzzz", 2, "`fathom run --help` lists the options");
    expect("report -x", 2, "unknown option '-x'");
}

static void numbers_are_the_whole_text_and_within_their_range(void **state)
{
    (void)state;
    static const char *const wrong[] = {"5x", "' 5'", "'5 '", "''", "nan", "inf", "1e999", "-1", "2.5", "0", "1025"};
    char line[256];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(line, sizeof line, "run " TURN " --duration 0 --threads %s", wrong[i]);
        expect(line, 2, "must be a whole number from 1 to 1024");
    }
    expect("plot a.mcap -o a.png --dpi 200dpi", 2, "--dpi: '200dpi' is invalid: must be a number from 20 to 1200");
    expect("water --latitude -91", 2, "--latitude: '-91' is invalid: must be a number from -90 to 90 deg");
    expect("water --latitude -41 --json", 0, "\"latitude\": -41");
    expect("bench --seconds 1,5", 2, "'1,5' is invalid");
}

static void choices_endings_and_missing_values_are_told(void **state)
{
    (void)state;
    expect("run " TURN " --log x.mcap --log-compression gzip", 2, "'gzip' is invalid: must be zstd, lz4 or none");
    expect("completion tcsh", 2, "SHELL: 'tcsh' is invalid: must be bash, zsh or fish");
    expect("fish --mesh a.stl", 2, "must be names that end in .obj or .gltf");
    expect("run " TURN " --summary", 2, "--summary needs a value: --summary FILE");
    expect("run " TURN " --log --quiet", 2, "--log needs a value");
    expect("plot a.mcap -o", 2, "--output needs a value: -o FILE");
    expect("run " TURN " --quiet=yes", 2, "--quiet takes no value: remove 'yes'");
}

static void what_would_have_no_effect_is_refused(void **state)
{
    (void)state;
    expect("run " TURN " --log-rate 2", 2, "--log-rate has no effect without --log");
    expect("run " TURN " --csv-rate 2", 2, "--csv-rate has no effect without --csv");
    expect("run " TURN " --fast --speed 2", 2, "give --fast or --speed, not both");
    expect("run " TURN " --seed 1 --seed 2", 2, "--seed is given twice");
    expect("fish --bend 0.5", 2, "--bend has no effect without --mesh");
    expect("export a.mcap --csv a --netcdf b.nc", 2, "not both");
    expect("schema --rng --manual", 2, "not both");
    expect("figures --list -o out", 2, "not both");
}

static void what_is_missing_or_too_much_is_named(void **state)
{
    (void)state;
    expect("run", 2, "which scenario?");
    expect("run a.xml b.xml", 2, "only one scenario is allowed: remove 'a.xml' or 'b.xml'");
    expect("report a.mcap", 2, "-o REPORT.html is missing");
    expect("replay a.mcap", 2, "--verify is missing");
    expect("compare", 2, "which log?");
    expect("compare none.mcap", 1, "No such file"); /* one log: with telemetry over its model */
    expect(
        "export a.mcap", 2,
        "give --csv FOLDER, --netcdf FILE.nc, --kml FILE.kml, --gpx FILE.gpx, --geojson FILE.geojson, --plan FILE.plan "
        "or --waypoints FILE.waypoints");
    expect("figures", 2, "-o DIR");
    expect("bench now", 2, "unexpected 'now'");
}

static void values_are_written_apart_attached_or_behind_an_equals_sign(void **state)
{
    (void)state;
    static const char *const ways[] = {"--duration 2 --summary - --quiet", "--duration=2 --summary=- --quiet --quiet",
                                       "--quiet --summary - --duration=2 --"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(run_fathom(&r, "run %s " TURN, ways[i]), 0);
        assert_non_null(strstr(r.out, "\"steps\": 40"));
    }
    assert_int_equal(run_fathom(&r, "manual -ooptions_pages"), 0);
    assert_greater(size_of("options_pages/fathom-run.1"), 1000);
    assert_int_equal(run_fathom(&r, "manual --output=options_pages"), 0);
    expect("run -- --fast", 1, "--fast"); /* a file of that name, which is not there */
}

/* --- manual pages --- */

static void groff_reads_every_manual_page_without_a_warning(void **state)
{
    (void)state;
    assert_int_equal(run_fathom(&r, "manual -o options_pages"), 0);
    for (size_t i = 0; i < COMMANDS; i++) {
        const char *list = commands[i].options;
        char word[64], shown[80];
        assert_int_equal(run_shell(&r, "groff -Tutf8 -P-cbu -ww -man options_pages/fathom-%s.1", commands[i].command),
                         0);
        assert_string_equal(r.err, "");
        while (next_word(&list, word)) {
            snprintf(shown, sizeof shown, "--%s", word);
            if (!strstr(r.out, shown))
                fail_msg("fathom-%s(1) does not tell %s: %s", commands[i].command, shown, r.out);
        }
        assert_non_null(strstr(r.out, "EXIT STATUS"));
    }
    run_shell(&r, "groff -Tutf8 -P-cbu -ww -man options_pages/fathom.1");
    assert_same(r.status, 0);
    assert_same(r.err[0], 0);
    for (size_t i = 0; i < COMMANDS; i++)
        assert_non_null(strstr(r.out, commands[i].command));
    run_shell(&r, FATHOM_PROGRAM " manual run | cmp - options_pages/fathom-run.1");
    expect_run(&r, 0, "");
    expect("manual rnu", 2, "did you mean 'run'");
    expect("manual -o /proc/nowhere", 1, "/proc/nowhere");
}

/* --- completion --- */

/* What bash completes after these words, the last of them unfinished, in its own shell. */
static void bash_offers(const char *words, const char *expected)
{
    run_shell(
        &r,
        "PATH=$PWD/..:$PATH bash -c 'source options_completion.bash; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} "
        "- 1)); _fathom; printf \"%%s\\n\" \"${COMPREPLY[@]}\" | sort | tr \"\\n\" \" \"'",
        words);
    if (strcmp(r.out, expected) != 0 || r.status != 0 || r.err[0])
        fail_msg("behind '%s' bash offers '%s' (%s), expected '%s'", words, r.out, r.err, expected);
}

static void bash_completes_commands_options_choices_and_files(void **state)
{
    (void)state;
    run_shell(&r, FATHOM_PROGRAM " completion bash >options_completion.bash && bash -n options_completion.bash");
    expect_run(&r, 0, "");
    bash_offers("fathom pa", "params ");
    bash_offers("fathom run --log-", "--log-chunk --log-compression --log-rate ");
    bash_offers("fathom run x.xml --log-compression \"\"", "lz4 none zstd ");
    bash_offers("fathom run x.xml --log-compression = l", "lz4 ");
    bash_offers("fathom run --speed \"\"", " ");
    bash_offers("fathom help com", "compare completion ");
    bash_offers("fathom completion z", "zsh ");
    bash_offers("fathom figures phoenix/sp", "phoenix/speed ");
    bash_offers("fathom run lauv-su", "lauv-survey ");
    bash_offers("fathom trim remus-d", "remus-diving ");
    bash_offers("fathom run lauv-survey --set /lauv/mass/ma", "/lauv/mass/mass= ");
    bash_offers("fathom sweep --metric max_depth lauv-survey --vary /water/den", "/water/density= ");
    bash_offers("fathom ctl se", "sense set setpoints ");
    bash_offers("fathom ctl set c", " ");
    bash_offers("fathom serve x.xml --bridge m", "mavlink ");
    assert_int_equal(run_shell(&r, "mkdir -p options_files/old && cd options_files && touch a.xml a.mcap b.mcap"), 0);
    bash_offers("fathom run options_files/", "options_files/a.xml options_files/old ");
    bash_offers("fathom compare options_files/a.mcap options_files/b", "options_files/b.mcap ");
    bash_offers("fathom run options_files/a.xml --csv options_files/", "options_files/old ");
    for (size_t i = 0; i < COMMANDS; i++) {
        char words[128], expected[1024] = "", word[64];
        const char *list = commands[i].options;
        snprintf(words, sizeof words, "fathom %s --", commands[i].command);
        int helped = 0;
        while (next_word(&list, word)) {
            if (!helped && strcmp(word, "help") > 0)
                helped = 1, strcat(expected, "--help ");
            sprintf(expected + strlen(expected), "--%s ", word);
        }
        bash_offers(words, helped ? expected : strcat(expected, "--help "));
    }
}

static void fish_offers(const char *words, const char *expected)
{
    run_shell(&r,
              "PATH=$PWD/..:$PATH fish --no-config -c 'source options_completion.fish; complete -C \"%s\"' | cut -f1 | "
              "LC_ALL=C sort",
              words);
    expect_run(&r, 0, expected);
    assert_string_equal(r.out, expected);
}

/* What a function of the script gives to zsh's compadd, with these words on the line. */
static void zsh_offers(const char *function, const char *words, const char *expected)
{
    run_shell(&r,
              "PATH=$PWD/..:$PATH zsh -fc 'compdef() {}; compadd() { print -l -- $@ $paths }; _files() {}; source "
              "./options_completion.zsh; words=(%s); shift words; %s' | grep -cx -- '%s'",
              words, function, expected);
    expect_run(&r, 0, "1");
}

static void fish_completes_and_zsh_reads_its_script(void **state)
{
    (void)state;
    run_shell(&r, FATHOM_PROGRAM " completion fish -o options_completion.fish && fish -n options_completion.fish");
    expect_run(&r, 0, "");
    run_shell(
        &r, "fish --no-config -c 'source options_completion.fish; complete -C \"fathom run --log-\"' | cut -f1 | sort");
    expect_run(&r, 0, "--log-chunk\n--log-compression\n--log-rate\n");
    run_shell(
        &r, "fish --no-config -c 'source options_completion.fish; complete -C \"fathom run --log-compression \"' | cut "
            "-f1 | sort");
    expect_run(&r, 0, "lz4\nnone\nzstd\n");
    fish_offers("fathom run lauv-su", "lauv-survey\n");
    fish_offers("fathom stability remus-d", "remus-diving\n");
    fish_offers("fathom run lauv-survey --set /lauv/mass/ma", "/lauv/mass/mass=\n");
    fish_offers("fathom ctl se", "sense\nset\nsetpoints\n");
    fish_offers("fathom serve x.xml --bridge m", "mavlink\n");
    run_shell(&r, FATHOM_PROGRAM " completion zsh -o options_completion.zsh && zsh -n options_completion.zsh");
    expect_run(&r, 0, "");
    char *script = read_file("options_completion.zsh", NULL);
    assert_non_null(strstr(script, "'--log-compression=[compression of the log]:zstd|lz4|none:(zstd lz4 none)'"));
    assert_non_null(strstr(script, "1:scenario:{_fathom_both scenarios}"));
    assert_non_null(strstr(script, "1:model:{_fathom_both models}"));
    assert_non_null(strstr(script, ":PATH=VALUE:_fathom_params"));
    assert_non_null(strstr(script, "1:command:(get clients "));
    free(script);
    zsh_offers("_fathom_both scenarios", "fathom run", "lauv-survey");
    zsh_offers("_fathom_params", "fathom run lauv-survey --set", "/lauv/mass/mass");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_of_commands_is_whole),
        cmocka_unit_test(every_help_lists_exactly_its_options),
        cmocka_unit_test(help_of_a_command_is_the_same_both_ways_and_fits_eighty_columns),
        cmocka_unit_test(a_mistyped_option_suggests_the_right_one_everywhere),
        cmocka_unit_test(numbers_are_the_whole_text_and_within_their_range),
        cmocka_unit_test(choices_endings_and_missing_values_are_told),
        cmocka_unit_test(what_would_have_no_effect_is_refused),
        cmocka_unit_test(what_is_missing_or_too_much_is_named),
        cmocka_unit_test(values_are_written_apart_attached_or_behind_an_equals_sign),
        cmocka_unit_test(groff_reads_every_manual_page_without_a_warning),
        cmocka_unit_test(bash_completes_commands_options_choices_and_files),
        cmocka_unit_test(fish_completes_and_zsh_reads_its_script),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
