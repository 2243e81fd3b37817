/* Nothing passes through, and everything is counted, as a user of the program meets it. */
#include "support/files.h"
#include "support/near.h"
#include "support/program.h"

#define FILE_NAME "cli_contact.xml"

static program_run r;

static void run_scenario(const char *dt, double duration, const char *world, const char *vehicles)
{
    static char text[32768];
    snprintf(text, sizeof text, "<fathom version='1'><world dt='%s' duration='%g s'>%s</world>\n%s</fathom>\n", dt,
             duration, world, vehicles);
    write_file(FILE_NAME, text);
    run_fathom(&r, "run " FILE_NAME " --quiet --summary -");
    remove(FILE_NAME);
}

/* A number of a vehicle in the summary: of its final pose or a metric. */
static double number_of(const char *vehicle, const char *key)
{
    char name[64], quoted[64];
    snprintf(name, sizeof name, "\"%s\": {\"final_pose\"", vehicle);
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(r.out, name), *value = at ? strstr(at, quoted) : NULL;
    if (r.status != 0 || !value)
        fail_msg("no %s of %s: %.1000s%.1000s", key, vehicle, r.out, r.err);
    return strtod(value + strlen(quoted), NULL);
}

#define SPHERE(name, diameter, extra, inside)                                                                          \
    "<vehicle name='" name "' " extra                                                                                  \
    "><mass mass='20 kg' inertia='0.5 0.5 0.5 kg*m2'/><hull kind='sphere' size='" diameter " " diameter " " diameter   \
    " m'/>" inside "</vehicle>"

static void small_spheres_head_on_do_not_change_places(void **state)
{
    (void)state;
    for (int restores = 0; restores < 2; restores++) {
        run_scenario(
            "0.1 s", 3, "",
            restores
                ? SPHERE("a", "0.2", "position='-2 0 5 m' velocity='3 0 0 m/s'", "<contact response='restore'/>")
                      SPHERE("b", "0.2", "position='2 0 5 m' velocity='-3 0 0 m/s'", "<contact response='restore'/>")
                : SPHERE("a", "0.2", "position='-2 0 5 m' velocity='3 0 0 m/s'", "")
                      SPHERE("b", "0.2", "position='2 0 5 m' velocity='-3 0 0 m/s'", ""));
        assert_greater(number_of("b", "x") - number_of("a", "x"), 0.2);
        assert_at_least(number_of("a", "vehicle_contacts"), 1);
        assert_at_least(number_of("b", "vehicle_contacts"), 1);
    }
}

/* Left alone it would turn by 1.2 rad, past the column between two steps. */
static void a_turning_rod_stops_at_a_column_of_two_centimetres(void **state)
{
    (void)state;
    run_scenario("0.05 s", 0.6, "<column name='post' position='0.67 0.67 0 m' radius='0.01 m' height='10 m'/>",
                 "<vehicle name='rod' position='0 0 5 m' rates='0 0 2 rad/s'><mass mass='5 kg' inertia='0.05 1.7 1.7 "
                 "kg*m2'/><hull kind='capsule' size='2 0.02 0.02 m'/><contact restitution='0' "
                 "friction='0'/></vehicle>");
    assert_at_least(number_of("rod", "contacts"), 1);
    double c = cos(number_of("rod", "psi")), q = sin(number_of("rod", "psi"));
    double dx = 0.67 - number_of("rod", "x"), dy = 0.67 - number_of("rod", "y");
    assert_nearer(c * dx + q * dy, 0, 1);
    assert_greater(c * dy - q * dx, 0.02); /* on this side of the column */
}

static void a_sheet_of_a_centimetre_stops_twenty_metres_a_second(void **state)
{
    (void)state;
    run_scenario("0.5 s", 4, "<box name='sheet' position='33 0 5 m' size='0.01 40 40 m'/>",
                 SPHERE("ball", "0.04", "position='0 0 5 m' velocity='20 0 0 m/s'", ""));
    assert_less(number_of("ball", "x"), 33);
    assert_at_least(number_of("ball", "contacts"), 1);
}

/* 20 m of floor, a face of 5 m, a terrace: it stays before the face and at its depth. */
static void a_vertical_face_is_not_climbed(void **state)
{
    (void)state;
    write_file("cli_face.obj", "v -50 -50 20\nv 10 -50 20\nv 10 50 20\nv -50 50 20\nv 10 -50 15\nv 10 50 15\nv 60 -50 "
                               "15\nv 60 50 15\nf 4 3 2 1\nf 2 3 6 5\nf 5 6 8 7\n");
    run_scenario("0.05 s", 5, "<bottom><mesh file='cli_face.obj'/></bottom>",
                 SPHERE("ball", "0.4", "position='5 0 18 m' velocity='3 0 0 m/s'", "<contact friction='0'/>"));
    assert_less(number_of("ball", "x"), 9.8);
    assert_at_least(number_of("ball", "contacts"), 1);
    assert_near(number_of("ball", "z"), 18, 1e-9);
    remove("cli_face.obj");
}

static void a_hundred_obstacles_and_nine_partners_are_counted(void **state)
{
    (void)state;
    static char sea[16384];
    size_t used = 0;
    for (int i = 0; i < 100; i++)
        used += (size_t)snprintf(sea + used, sizeof sea - used,
                                 "<sphere name='s%d' position='%g 0 5 m' radius='0.3 m'/>", i, 2 + 0.5 * i);
    run_scenario("0.05 s", 40, sea,
                 SPHERE("ghost", "0.4", "position='0 0 5 m' velocity='2 0 0 m/s'", "<contact response='count'/>"));
    assert_near(number_of("ghost", "contacts"), 100, 0);
    run_scenario(
        "0.05 s", 1, "",
        SPHERE("g", "0.4", "count='10' spacing='0.01 0 0 m' position='0 0 5 m'", "<contact response='count'/>"));
    assert_near(number_of("g-1", "vehicle_contacts"), 9, 0);
    assert_near(number_of("g-10", "vehicle_contacts"), 9, 0);
}

/* A plate over a bed of 144 posts, and 100 vehicles in one place. */
static void a_hundred_and_more_at_once_are_counted(void **state)
{
    (void)state;
    static char sea[32768];
    size_t used = 0;
    for (int i = 0; i < 144; i++)
        used += (size_t)snprintf(sea + used, sizeof sea - used,
                                 "<column name='c%d' position='%g %g 9 m' radius='0.02 m' height='1 m'/>", i,
                                 0.2 * (i % 12) - 1.1, 0.2 * (i / 12) - 1.1);
    run_scenario(
        "0.05 s", 10, sea,
        "<vehicle name='plate' position='0 0 8.5 m'><mass mass='500 kg' inertia='200 200 400 kg*m2'/><buoyancy "
        "force='4500 N'/><hull kind='box' size='2.4 2.4 0.1 m'/><contact restitution='0'/></vehicle>");
    assert_near(number_of("plate", "contacts"), 144, 0);
    assert_near(number_of("plate", "z"), 8.95, 1e-4);
    run_scenario(
        "0.05 s", 1, "",
        SPHERE("g", "0.4", "count='100' spacing='0.001 0 0 m' position='0 0 5 m'", "<contact response='count'/>"));
    assert_near(number_of("g-100", "vehicle_contacts"), 99, 0);
}

static void two_vehicles_in_one_place_part(void **state)
{
    (void)state;
    run_scenario("0.05 s", 5, "",
                 SPHERE("a", "0.4", "position='0 0 5 m'", "<contact response='restore' parting='5 mm'/>")
                     SPHERE("b", "0.4", "position='0 0 5 m'", "<contact response='restore' parting='5 mm'/>"));
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const char *axis = (const char *[]){"x", "y", "z"}[k];
        square += pow(number_of("b", axis) - number_of("a", axis), 2);
    }
    assert_at_least(sqrt(square), 0.4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_spheres_head_on_do_not_change_places),
        cmocka_unit_test(a_turning_rod_stops_at_a_column_of_two_centimetres),
        cmocka_unit_test(a_sheet_of_a_centimetre_stops_twenty_metres_a_second),
        cmocka_unit_test(a_vertical_face_is_not_climbed),
        cmocka_unit_test(a_hundred_obstacles_and_nine_partners_are_counted),
        cmocka_unit_test(a_hundred_and_more_at_once_are_counted),
        cmocka_unit_test(two_vehicles_in_one_place_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
