/* Scenarios full of obstacles, and vehicles that begin inside them, through the program. */
#include "support/files.h"
#include "support/program.h"

#define FILE_NAME "obstacles.xml"

static program_run r;

/* `count` spheres 3 m apart on the bottom, and a box called `box` far off. */
static void write_field(int count, const char *box)
{
    FILE *out = fopen(FILE_NAME, "w");
    assert_non_null(out);
    fputs("<fathom version='1'><world dt='0.05 s' duration='1 s'><bottom depth='100 m'/>\n", out);
    for (int i = 0; i < count; i++)
        fprintf(out, "<sphere name='rock-%d' position='%d %d 99 m' radius='1 m'/>\n", i, i % 300 * 3, i / 300 * 3);
    fprintf(out, "<box name='%s' position='-50 -50 99 m' size='1 1 1 m'/></world>\n", box);
    fputs("<vehicle name='v' model='nps-auv-ii' position='0 0 10 m'/></fathom>\n", out);
    assert_int_equal(fclose(out), 0);
}

/* In proportion to their number it is a second or two; by pairs it was minutes. */
static void a_hundred_thousand_obstacles_load_in_seconds(void **state)
{
    (void)state;
    write_field(100000, "crate");
    if (run_fathom(&r, "check " FILE_NAME) != 0)
        fail_msg("%s", r.err);
    if (r.seconds > 20)
        fail_msg("took %.1f s", r.seconds);
    remove(FILE_NAME);
}

static void two_obstacles_of_one_name_are_refused_among_thousands(void **state)
{
    (void)state;
    write_field(3000, "rock-17");
    run_fathom(&r, "check " FILE_NAME);
    expect_run(&r, 1, "two obstacles are called 'rock-17'");
    remove(FILE_NAME);
}

/* --- places to begin --- */

#define BALL "<mass mass='20 kg' inertia='0.5 0.5 0.5 kg*m2'/><hull kind='sphere' size='0.4 0.4 0.4 m'/>"
#define CAVE "<bottom><mesh file='obstacles_cave.obj'/></bottom>" /* roof at 10 m, floor at 20 m, the mesh faces up */
#define ROCK "<bottom><mesh file='obstacles_rock.obj'/></bottom>" /* a closed cube from 10 m to 20 m, 10 m wide */

static int check_start(const char *world, const char *vehicle)
{
    char scenario[2048];
    snprintf(scenario, sizeof scenario, "<fathom version='1'><world dt='0.05 s'>%s</world>\n%s</fathom>\n", world,
             vehicle);
    write_file(FILE_NAME, scenario);
    int status = run_fathom(&r, "check " FILE_NAME);
    remove(FILE_NAME);
    return status;
}

static void write_meshes(void)
{
    write_file("obstacles_cave.obj", "v -50 -50 10\nv 50 -50 10\nv 50 50 10\nv -50 50 10\nv -50 -50 20\nv 50 -50 "
                                     "20\nv 50 50 20\nv -50 50 20\nf 4 3 2 1\nf 8 7 6 5\n");
    write_file("obstacles_rock.obj", "v -5 -5 10\nv 5 -5 10\nv 5 5 10\nv -5 5 10\nv -5 -5 20\nv 5 -5 20\nv 5 5 20\nv "
                                     "-5 5 20\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
}

static void a_start_inside_something_is_refused_by_its_name(void **state)
{
    (void)state;
    static const struct {
        const char *world, *vehicle, *text;
    } cases[] = {
        {"<bottom depth='10 m'/>", "<vehicle name='v' position='0 0 9.9 m'>" BALL "</vehicle>",
         "the hull of 'v' begins 0.1 m inside the bottom"},
        {"<bottom depth='10 m'/>", "<vehicle name='v' position='0 0 60 m'>" BALL "</vehicle>",
         "50.2 m inside the bottom"},
        {"<bottom depth='10 m'><rise x='5 m' height='4 m'/></bottom>",
         "<vehicle name='v' position='8 0 9 m'>" BALL "</vehicle>", "inside the bottom"},
        {"<bottom depth='10 m'><mound height='-4 m' centre='0 0 0 m' sigma='2 2 1 m'/></bottom>",
         "<vehicle name='v' position='0 0 8 m'>" BALL "</vehicle>", "inside the bottom"},
        {"<wall name='quay' position='5 0 0 m' normal='-1 0 0'/>",
         "<vehicle name='v' position='7 0 3 m'>" BALL "</vehicle>", "2.2 m inside 'quay'"},
        {"<pool name='tank' size='10 5 2 m'/>", "<vehicle name='v' position='5 6 1 m'>" BALL "</vehicle>",
         "1.2 m inside 'tank-east'"},
        {"<pool name='tank' size='10 5 2 m'/>", "<vehicle name='f' model='robotic-fish' position='5 -0.1 1 m'/>",
         "inside 'tank-west'"},
        {"<box name='crate' position='0 0 5 m' size='2 2 2 m'/>",
         "<vehicle name='v' position='0.5 0 5 m'>" BALL "<contact response='count'/></vehicle>", "inside 'crate'"},
        {"<sphere name='buoy' position='9 0 5 m' radius='1 m'><track t='0 10 s' x='0 9 m' y='0 0 m' z='5 5 "
         "m'/></sphere>",
         "<vehicle name='v' position='0 1 5 m'>" BALL "</vehicle>", "0.2 m inside 'buoy'"},
        {"<wall name='quay' position='25 0 0 m' normal='-1 0 0'/>",
         "<vehicle name='v' count='4' spacing='10 0 0 m' position='0 0 3 m'>" BALL "</vehicle>",
         "the hull of 'v-4' begins"},
        {CAVE, "<vehicle name='v' position='0 0 10.1 m'>" BALL "</vehicle>", "inside the bottom"},
        {CAVE, "<vehicle name='v' position='0 0 25 m'>" BALL "</vehicle>", "5 m inside the bottom"},
        {ROCK, "<vehicle name='v' position='1 2 15 m'>" BALL "</vehicle>", "5 m inside the bottom"},
    };
    write_meshes();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (check_start(cases[i].world, cases[i].vehicle) == 0 || !strstr(r.err, cases[i].text) ||
            !strstr(r.err, FILE_NAME ":2"))
            fail_msg("case %zu: expected '%s', found: %s", i, cases[i].text, r.err);
    }
}

static void a_start_that_is_free_or_just_touches_is_accepted(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"<bottom depth='10 m'/>", "<vehicle name='v' position='0 0 9.8 m'>" BALL "</vehicle>"},
        {"<pool name='tank' size='10 5 2 m'/>", "<vehicle name='v' position='9.8 0.2 1.8 m'>" BALL "</vehicle>"},
        {"<bottom depth='10 m'/>",
         "<vehicle name='v' position='0 0 30 m'>" BALL "<contact response='none'/></vehicle>"},
        {CAVE, "<vehicle name='v' position='0 0 15 m'>" BALL "</vehicle>"},
        {CAVE, "<vehicle name='v' position='0 0 5 m'>" BALL "</vehicle>"},
        {ROCK, "<vehicle name='v' position='9 0 15 m'>" BALL "</vehicle>"},
        {"", "<vehicle name='a' position='0 0 5 m'>" BALL "</vehicle><vehicle name='b' position='0 0 5 m'>" BALL
             "</vehicle>"},
    };
    write_meshes();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (check_start(cases[i][0], cases[i][1]) != 0)
            fail_msg("case %zu: %s", i, r.err);
    }
    remove("obstacles_cave.obj");
    remove("obstacles_rock.obj");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_inside_something_is_refused_by_its_name),
        cmocka_unit_test(a_start_that_is_free_or_just_touches_is_accepted),
        cmocka_unit_test(a_hundred_thousand_obstacles_load_in_seconds),
        cmocka_unit_test(two_obstacles_of_one_name_are_refused_among_thousands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
