/* `fathom check` through the program: what is valid and probably a mistake, with its place, and the file put right. */
#include "support/files.h"
#include "support/program.h"

#define FILE_NAME "check.xml"

static program_run r;

/* A scenario in four lines: the world's elements on line 2, the vehicle on line 3, the rest on line 4. */
typedef struct scene {
    const char *duration, *world, *vehicle, *rest;
} scene;

static void check_scene(scene s)
{
    char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.02 s' duration='%s'>\n%s</world>\n"
             "<vehicle name='v' %s</vehicle>\n%s</fathom>\n",
             s.duration ? s.duration : "60 s", s.world ? s.world : "", s.vehicle, s.rest ? s.rest : "");
    write_file(FILE_NAME, text);
    run_fathom(&r, "check " FILE_NAME);
    if (r.status != 0)
        fail_msg("%s", r.err);
    remove(FILE_NAME);
}

/* One warning, with these words at this line. */
static void expect_warning(scene s, int line, const char *words)
{
    char place[64];
    check_scene(s);
    snprintf(place, sizeof place, FILE_NAME ":%d: warning: ", line);
    const char *end = strchr(r.err, '\n');
    if (strncmp(r.err, place, strlen(place)) != 0 || !strstr(r.err, words) || !end || end[1])
        fail_msg("expected one warning '%s… %s', found: %s", place, words, r.err);
}

static void expect_silence(scene s)
{
    check_scene(s);
    if (r.err[0])
        fail_msg("expected no warning, found: %s", r.err);
}

#define LAUV "model='lauv' position='0 0 5 m'>"
#define SEA "<bottom depth='20 m'/>"

/* --- obstacles --- */

static void obstacles_below_the_floor_are_named(void **state)
{
    (void)state;
    expect_warning(
        (scene){.world = SEA "<sphere name='s' position='5 0 22 m' radius='1 m'/>", .vehicle = LAUV}, 2,
        "position of <sphere name=\"s\">: is wholly below the floor, at 21 m and more: the water is 20 m deep");
    expect_silence((scene){.world = SEA "<sphere name='s' position='5 0 20 m' radius='1 m'/>", .vehicle = LAUV});
    expect_warning((scene){.world = "<pool name='p' position='-10 -10 0 m' size='20 20 8 m'/>"
                                    "<column name='c' position='5 0 9 m' radius='1 m' height='2 m'/>",
                           .vehicle = LAUV},
                   2, "wholly below the floor, at 9 m and more: the water is 8 m deep");
}

static void a_column_half_in_the_ground_was_placed_by_its_middle(void **state)
{
    (void)state;
    expect_warning(
        (scene){.world = SEA "<column name='c' position='5 0 10 m' radius='1 m' height='20 m'/>", .vehicle = LAUV}, 2,
        "position of <column name=\"c\">: puts 10 m of its 20 m below the floor: it is the middle of the top, "
        "which is at a depth of 10 m, and 10 m of height reach the floor");
    expect_silence(
        (scene){.world = SEA "<column name='c' position='5 0 0 m' radius='1 m' height='20 m'/>", .vehicle = LAUV});
}

static void obstacles_that_hang_in_the_water_are_named(void **state)
{
    (void)state;
    expect_warning(
        (scene){.world = SEA "<column name='c' position='5 0 2 m' radius='1 m' height='6 m'/>", .vehicle = LAUV}, 2,
        "height of <column name=\"c\">: ends 12 m above the floor: 18 m from its top, at a depth of 2 m");
    expect_silence(
        (scene){.world = SEA "<column name='c' position='5 0 2 m' radius='1 m' height='18 m'/>", .vehicle = LAUV});
    expect_warning((scene){.world = SEA "<box name='b' position='5 0 10 m' size='2 2 2 m'/>", .vehicle = LAUV}, 2,
                   "position of <box name=\"b\">: hangs 9 m above the floor, and nothing holds it");
    expect_silence(
        (scene){.world = SEA "<box name='b' position='5 0 10 m' size='2 2 2 m' floats='true'/>", .vehicle = LAUV});
    expect_silence((scene){.world = SEA "<box name='b' position='9 0 18 m' size='2 2 4 m'/>"
                                        "<box name='on-it' position='9 0 15 m' size='1 1 2 m'/>",
                           .vehicle = LAUV});
    expect_silence((scene){.world = SEA "<box name='pontoon' position='9 0 0 m' size='2 2 1 m'/>", .vehicle = LAUV});
}

static void obstacles_in_the_air_or_behind_a_wall_are_named(void **state)
{
    (void)state;
    expect_warning((scene){.world = "<sphere name='s' position='5 0 -3 m' radius='1 m'/>", .vehicle = LAUV}, 2,
                   "position of <sphere name=\"s\">: is wholly above the sea, by 2 m: the third number is depth");
    expect_warning((scene){.world = "<wall name='quay' position='20 0 0 m' normal='-1 0 0'/>"
                                    "<sphere name='s' position='25 0 3 m' radius='1 m'/>",
                           .vehicle = LAUV},
                   2, "position of <sphere name=\"s\">: is wholly behind 'quay', where no vehicle can be");
    expect_silence((scene){.world = "<wall name='quay' position='20 0 0 m' normal='-1 0 0'/>"
                                    "<sphere name='s' position='20 0 3 m' radius='1 m'/>",
                           .vehicle = LAUV});
}

static void obstacles_that_no_vehicle_reaches_are_named(void **state)
{
    (void)state;
    const char *far = "<sphere name='s' position='9000 0 3 m' radius='1 m'/>";
    expect_warning((scene){.world = far, .vehicle = LAUV}, 2,
                   "position of <sphere name=\"s\">: is out of reach: the nearest start is 8999 m away");
    expect_silence((scene){.world = far, .vehicle = LAUV, .duration = "2 h"});
    expect_silence((scene){.world = far, .vehicle = LAUV, .rest = "<server/>"}); /* others may come */
    expect_silence((scene){.world = far, .vehicle = LAUV "<sonar range='9000 m'/>"});
}

/* --- starts and moments --- */

static void a_start_in_the_air_is_named(void **state)
{
    (void)state;
    expect_warning(
        (scene){.vehicle = "model='lauv' position='0 0 -5 m'>"}, 3,
        "position of <vehicle name=\"v\">: 'v' begins 5 m above the sea, wholly in the air: the third number "
        "is depth");
    expect_silence((scene){.vehicle = "model='lauv' position='0 0 0 m'>"});
    expect_silence((scene){.world = "<water surface='none'/>", .vehicle = "model='lauv' position='0 0 -5 m'>"});
}

static void a_start_inside_something_is_named_or_refused(void **state)
{
    (void)state;
    const char *rock = SEA "<sphere name='rock' position='0 0 20 m' radius='3 m'/>";
    expect_warning((scene){.world = rock, .vehicle = "model='lauv' position='0 0 18 m'><contact response='none'/>"}, 3,
                   "position of <vehicle name=\"v\">: 'v' begins inside 'rock'");
    write_file(FILE_NAME, "<fathom version='1'><world><sphere name='rock' position='0 0 5 m' radius='3 m'/></world>"
                          "<vehicle name='v' model='lauv' position='0 0 5 m'/></fathom>");
    run_fathom(&r, "check " FILE_NAME);
    expect_run(&r, 1, "'rock'");
    remove(FILE_NAME);
}

static void moments_after_the_end_of_the_run_are_named(void **state)
{
    (void)state;
    expect_warning(
        (scene){.vehicle = LAUV, .rest = "<faults><at t='90 s' path='/v/propeller/efficiency' value='0'/></faults>"}, 4,
        "t of <at>: comes at 90 s, after the end of the run: must be before its duration of 60 s");
    expect_silence((scene){.vehicle = LAUV,
                           .duration = "100 s",
                           .rest = "<faults><at t='90 s' path='/v/propeller/efficiency' value='0'/></faults>"});
    expect_warning(
        (scene){.vehicle = LAUV "<orders><at t='0 s' propeller='500 rpm'/><at t='60 s' propeller='0 rpm'/></orders>"},
        3, "t of <at>: comes at 60 s, after the end of the run");
}

/* --- numbers of vehicles --- */

#define BODY(mass, buoyancy, drag)                                                                                     \
    "position='0 0 5 m'><mass mass='30 kg' centre='" mass "' inertia='0.3 4 4 kg*m2'/><buoyancy force='" buoyancy      \
    "'/><drag " drag "/><hull kind='capsule' size='1.6 0.2 0.2 m'/>"
#define SOUND_DRAG "X_uu='-3 N*s2/m2' Y_vv='-160 N*s2/m2' Z_ww='-160 N*s2/m2'"

static void damping_with_the_wrong_sign_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *drag, *words;
    } cases[] = {
        {"X_uu='-3 N*s2/m2' Y_vv='+160 N*s2/m2'", "Y_vv of <drag>: is +160 in SI: it drives a motion along v instead "
                                                  "of damping it; a coefficient that damps is negative"},
        {"X_u_absu='3 N*s2/m2'", "X_u_absu of <drag>: is +3 in SI: it drives a motion along u"},
        {"N_r='0.5 N*m*s/rad'", "N_r of <drag>: is +0.5 in SI: it drives a motion along r"},
        {"Z_w2='-4 N*s2/m2'", "Z_w2 of <drag>: is -4 in SI: a square drives a motion along w astern"},
        {"Y_uv='30 N*s2/m2'", "Y_uv of <drag>: is +30 in SI: the lift of a hull acts against its drift"},
        {"Y_v='-10 N*s/m' N_r='-1 N*m*s/rad' Y_r='9 N*s/rad' N_v='4 N*m*s/m'",
         "Y_r of <drag>: is +9 in SI: with N_v it makes more energy than Y_v and N_r take; their sum is at most 6.325"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char vehicle[1024];
        snprintf(vehicle, sizeof vehicle, BODY("0 0 0.01 m", "294.2 N", "%s"), cases[i].drag);
        expect_warning((scene){.vehicle = vehicle}, 3, cases[i].words);
    }
    expect_silence((scene){.vehicle = BODY("0 0 0.01 m", "294.2 N", SOUND_DRAG)});
    /* couplings of published models have either sign, as long as the axes take more than they give */
    expect_silence((scene){.vehicle = BODY("0 0 0.01 m", "294.2 N",
                                           "Y_v='-10 N*s/m' N_r='-1 N*m*s/rad' Y_r='3 N*s/rad' "
                                           "N_v='-3 N*m*s/m' X_vr='9 N*s2/m/rad'")});
}

static void a_top_heavy_vehicle_is_named(void **state)
{
    (void)state;
    expect_warning((scene){.vehicle = BODY("0 0 -0.01 m", "294.2 N", SOUND_DRAG)}, 3,
                   "centre of <mass>: lies above the centre of buoyancy: it rolls over; its z must be greater");
    expect_silence((scene){.vehicle = BODY("0 0 0.01 m", "294.2 N", SOUND_DRAG)});
#define RAFT(z)                                                                                                        \
    "position='0 0 0 m'><mass mass='50 kg' centre='0 0 " z "' inertia='3 4 6 kg*m2' about='centre'/>"                  \
    "<float shape='box' size='1 0.6 0.4 m'/><drag " SOUND_DRAG " Z_w='-200 N*s/m' K_p='-20 N*m*s/rad' "                \
    "M_q='-40 N*m*s/rad'/>"
    expect_warning((scene){.vehicle = RAFT("-0.9 m")}, 3, "centre of <mass>: is too high: afloat it capsizes");
    expect_silence((scene){.vehicle = RAFT("-0.1 m")});
}

static void a_buoyancy_far_from_the_weight_is_named(void **state)
{
    (void)state;
    expect_warning(
        (scene){.vehicle = BODY("0 0 0.01 m", "2942 N", SOUND_DRAG)}, 3,
        "force of <buoyancy>: lifts 10 times the weight of the vehicle, 294.2 N; a vehicle that dives has 0.67 "
        "to 1.5 times its weight");
    expect_warning((scene){.vehicle = BODY("0 0 0.01 m", "29.42 N", SOUND_DRAG)}, 3, "lifts 0.1 times the weight");
    expect_silence((scene){.vehicle = BODY("0 0 0.01 m", "300 N", SOUND_DRAG)});
    run_fathom(&r, "check %s/models/remus-100.xml --set '/vehicle/mass/weight=29.9 N'", FATHOM_SOURCE_DIR);
    expect_run(&r, 0, "remus-100.xml:10: warning: size of <float>: lifts 10.2 times the weight");
}

static void a_table_that_holds_the_coriolis_terms_of_the_added_mass_counts_them_once(void **state)
{
    (void)state;
    run_fathom(&r, "check %s/models/remus-100.xml --set /vehicle/coriolis=full", FATHOM_SOURCE_DIR);
    expect_run(&r, 0, "remus-100.xml:22: warning: X_vr of <drag>: is +35.5 in SI, the Coriolis term of the added mass");
    run_fathom(&r, "check %s/models/remus-100.xml", FATHOM_SOURCE_DIR);
    assert_true(!r.err[0]);
}

/* --- what drives --- */

static void an_autopilot_without_speed_is_named(void **state)
{
    (void)state;
#define WAY "<waypoints><waypoint position='100 0 5 m'/></waypoints>"
#define PILOTED(steering, speed)                                                                                       \
    "<autopilot steering='" steering "'><depth thrust-kp='100 N/m'/><heading thrust-kp='5 N*m/rad'/>" speed            \
    "</autopilot>"
    expect_warning((scene){.vehicle = "model='bluerov2' position='0 0 5 m'>" WAY PILOTED("thrusters", "")}, 3,
                   "<autopilot>: has no <speed>, but its guidance orders a speed: its thrusters do not drive it ahead");
    expect_silence(
        (scene){.vehicle = "model='bluerov2' position='0 0 5 m'>" WAY PILOTED("thrusters", "<speed kp='50 N*s/m'/>")});
    expect_silence((scene){.vehicle = "model='bluerov2' position='0 0 5 m'>" PILOTED("thrusters", "")}); /* it hovers */
    expect_warning((scene){.vehicle = "model='lauv' position='0 0 5 m'><autopilot steering='fins'/>"}, 3,
                   "<autopilot>: has no <speed>, and no <orders> are given: nothing drives the vehicle ahead");
}

/* --- what is shipped --- */

static void no_shipped_file_raises_a_warning(void **state)
{
    (void)state;
    run_shell(&r, "%s check %s/scenarios/*.xml %s/models/*.xml", FATHOM_PROGRAM, FATHOM_SOURCE_DIR, FATHOM_SOURCE_DIR);
    if (r.status != 0 || r.err[0])
        fail_msg("%s", r.err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obstacles_below_the_floor_are_named),
        cmocka_unit_test(a_column_half_in_the_ground_was_placed_by_its_middle),
        cmocka_unit_test(obstacles_that_hang_in_the_water_are_named),
        cmocka_unit_test(obstacles_in_the_air_or_behind_a_wall_are_named),
        cmocka_unit_test(obstacles_that_no_vehicle_reaches_are_named),
        cmocka_unit_test(a_start_in_the_air_is_named),
        cmocka_unit_test(a_start_inside_something_is_named_or_refused),
        cmocka_unit_test(moments_after_the_end_of_the_run_are_named),
        cmocka_unit_test(damping_with_the_wrong_sign_is_named),
        cmocka_unit_test(a_top_heavy_vehicle_is_named),
        cmocka_unit_test(a_buoyancy_far_from_the_weight_is_named),
        cmocka_unit_test(a_table_that_holds_the_coriolis_terms_of_the_added_mass_counts_them_once),
        cmocka_unit_test(an_autopilot_without_speed_is_named),
        cmocka_unit_test(no_shipped_file_raises_a_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
