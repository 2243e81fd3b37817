/* Trim, turning and the linear model, against closed forms and against runs of the same vehicles. */
#include "analysis/flight.h"

#include "base/dense.h"
#include "support/program.h"
#include "support/scenario.h"

static program_run r;

static const fm_type *type_of(const fm_model *model)
{
    return &model->types[model->vehicles[0].type];
}

static fm_model *load_type(const char *model, const char *inside)
{
    char text[2048];
    fm_error error = {0};
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.01 s' duration='1 s'/><vehicle name='v' %s position='0 0 50 m'>%s</vehicle>"
        "</fathom>",
        model, inside);
    return loaded(try_load(text, &error), &error);
}

/* --- eigenvalues --- */

static void a_companion_matrix_has_the_roots_of_its_polynomial(void **state)
{
    (void)state;
    /* (x + 1)(x - 2)(x² + 2x + 5): roots 2, -1, -1 ± 2i; coefficients of x⁴ + x³ + x² − 9x − 10 */
    const double a[16] = {-1, -1, 9, 10, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    double re[4], im[4];
    fm_dense_eigenvalues(4, a, re, im);
    const double real[4] = {2, -1, -1, -1};
    double found = 0;
    for (int i = 0; i < 4; i++) {
        assert_near(re[i], real[i], 1e-12);
        found += fabs(im[i]);
    }
    assert_near(found, 4, 1e-12);
}

static void a_matrix_of_rotations_keeps_its_frequencies(void **state)
{
    (void)state;
    enum { N = 10 };
    double a[N * N] = {0}, re[N], im[N], sum = 0;
    for (int i = 0; i < N; i += 2) {
        a[i * N + i + 1] = i + 1;
        a[(i + 1) * N + i] = -(i + 1);
        for (int k = i + 2; k < N; k++)
            a[i * N + k] = 0.3 * (k - i); /* above the diagonal blocks: no effect */
    }
    fm_dense_eigenvalues(N, a, re, im);
    for (int i = 0; i < N; i++) {
        assert_near(re[i], 0, 1e-9);
        sum += fabs(im[i]);
    }
    assert_near(sum, 2 * (1 + 3 + 5 + 7 + 9), 1e-9);
}

/* --- trim --- */

static void a_rov_at_full_thrust_reaches_the_speed_of_its_drag_law(void **state)
{
    (void)state;
    fm_model *model = load_type("model='bluerov2'", "");
    double speed = fm_flight_speed_at(type_of(model), 1);
    double thrust = 4 * 51.48 * sqrt(0.5), expected = (-9.5 + sqrt(9.5 * 9.5 + 4 * 83 * thrust)) / (2 * 83);
    assert_near(speed, expected, 1e-6);
    fm_model_free(model);
}

static void what_trim_holds_a_run_holds(void **state)
{
    (void)state;
    fm_model *model = load_type("model='remus-100'", "");
    fm_trim trim = fm_flight_trim(type_of(model), 1.5);
    assert_true(trim.held);
    const double *s = trim.at.state;
    char text[1024];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='20 s' seed='1'/><vehicle name='v' model='remus-100' "
             "position='0 0 100 m' attitude='%.17g %.17g 0 rad' velocity='%.17g %.17g %.17g m/s'/></fathom>",
             s[FM_FLIGHT_ROLL], s[FM_FLIGHT_PITCH], s[0], s[1], s[2]);
    fm_world *world = start(text);
    for (size_t i = 0; i < type_of(model)->actuator_count; i++)
        order(world, "v", type_of(model)->actuator_names[i], trim.at.value[i]);
    step(world, 200); /* two seconds: the motion is unstable, so not for long */
    fm_pose now = pose_of(world, 0);
    assert_near(now.velocity[0], s[0], 1e-6);
    assert_near(now.position[2], 100, 1e-5);
    finish(world);
    fm_model_free(model);
}

static void a_buoyant_vehicle_too_slow_for_its_fins_is_not_held(void **state)
{
    (void)state;
    fm_model *model = load_type("model='remus-100'", "");
    fm_trim trim = fm_flight_trim(type_of(model), 0.4);
    assert_false(trim.held);
    fm_model_free(model);
}

static void a_surface_craft_floats_at_its_draught(void **state)
{
    (void)state;
    /* a box 2 × 1 × 0.5 m of 250 kg: 0.125 m of it is under water of 1000 kg/m³, so its centre is 0.125 m above */
    fm_model *model = load_type("", "<mass mass='250 kg' centre='0 0 0.05 m' inertia='30 90 100 kg*m2'/>"
                                    "<float shape='box' size='2 1 0.5 m'/><drag X_uu='-50 N*s2/m2' Y_v='-50 N*s/m'/>"
                                    "<thruster name='t' position='-1 0 0 m' direction='1 0 0' thrust='200 N'/>");
    fm_trim trim = fm_flight_trim(type_of(model), 1);
    assert_true(trim.held);
    double density = model->settings.density;
    assert_near(trim.at.state[FM_FLIGHT_DEPTH], 250 / (density * 2) - 0.25, 1e-3);
    assert_near(trim.at.value[0], 50, 0.1); /* N; a trace of pitch turns it */
    fm_model_free(model);
}

/* --- the linear model --- */

static void roll_swings_with_the_period_of_its_pendulum(void **state)
{
    (void)state;
    fm_model *model = load_type("model='bluerov2'", "");
    const fm_type *type = type_of(model);
    fm_trim hover = fm_flight_trim(type, 0);
    double a[FM_FLIGHT_STATES * FM_FLIGHT_STATES], b[FM_FLIGHT_STATES * FM_FLIGHT_ACTUATORS];
    fm_flight_linearise(type, &hover.at, a, b);
    const double *roll = a + FM_FLIGHT_ROLL * FM_FLIGHT_STATES, *p = a + FM_FLIGHT_P * FM_FLIGHT_STATES;
    assert_near(roll[FM_FLIGHT_P], 1, 1e-9);
    /* coupled to sway by the centre of gravity 2 cm below the origin: two by two, by hand */
    double m = 11.5, zg = 0.02, my = m + 12.7, ix = 0.16 + 0.12, det = my * ix - m * zg * m * zg;
    double weight = type->mass.weight;
    double lift = 0.457 * 0.338 * 0.075785882 * model->settings.density * model->settings.gravity; /* N, of the float */
    double expected = (m * zg * (weight - lift) - my * zg * weight) / det;
    assert_near(p[FM_FLIGHT_ROLL], expected, 1e-4 * fabs(expected));
    fm_model_free(model);
}

static void inputs_act_by_their_column(void **state)
{
    (void)state;
    fm_model *model = load_type("", "<mass mass='10 kg' inertia='1 2 3 kg*m2'/><buoyancy force='98.0665 N'/>"
                                    "<drag X_u='-5 N*s/m' Y_v='-5 N*s/m' Z_w='-5 N*s/m' N_r='-6 N*m*s/rad'/>"
                                    "<thruster name='t' position='0 0.5 0 m' direction='1 0 0' thrust='20 N'/>");
    const fm_type *type = type_of(model);
    fm_flight still = {.state[FM_FLIGHT_DEPTH] = 50};
    double a[FM_FLIGHT_STATES * FM_FLIGHT_STATES], b[FM_FLIGHT_STATES * FM_FLIGHT_ACTUATORS];
    fm_flight_linearise(type, &still, a, b);
    assert_near(b[FM_FLIGHT_U], 0.1, 1e-9);
    assert_near(b[FM_FLIGHT_R], -0.5 / 3, 1e-9);
    assert_near(a[FM_FLIGHT_U * FM_FLIGHT_STATES + FM_FLIGHT_U], -0.5, 1e-9);
    assert_near(a[FM_FLIGHT_R * FM_FLIGHT_STATES + FM_FLIGHT_R], -2, 1e-9);
    fm_model_free(model);
}

/* --- through the program --- */

static void trim_and_stability_answer_in_json_that_others_read(void **state)
{
    (void)state;
    static const char *const read = "python3 -c \"import json,sys; d=json.load(sys.stdin); print(%s)\"";
    char line[512];
    snprintf(line, sizeof line, read, "len(d['A']), len(d['A'][9]), len(d['B'][0]), len(d['inputs']), d['states'][7]");
    run_shell(&r, "%s stability lauv --json | %s", FATHOM_PROGRAM, line);
    expect_run(&r, 0, "10 10 5 5 pitch");
    snprintf(line, sizeof line, read, "len(d['points']), d['points'][4]['held'], d['turn']['by']");
    run_shell(&r, "%s trim lauv --json | %s", FATHOM_PROGRAM, line);
    expect_run(&r, 0, "5 True fins");
}

static void the_script_for_octave_holds_the_matrices_of_the_json(void **state)
{
    (void)state;
    run_shell(&r,
              "%s stability lauv --octave flight.m --json >flight.json && python3 -c \"import json,re; "
              "t=open('flight.m').read(); "
              "d=json.load(open('flight.json')); m=lambda n: [[float(x) for x in row.split(',')] for row in "
              "re.search(n+r' = \\[(.*?)\\];', t, re.S).group(1).split(';')]; print(m('A')==d['A'], m('B')==d['B'])\"",
              FATHOM_PROGRAM);
    expect_run(&r, 0, "True True");
}

static void an_unstable_set_and_a_wrong_sign_are_told(void **state)
{
    (void)state;
    run_fathom(&r, "stability bluerov2 --set '/vehicle/drag/M_uw=0 N*m*s2/m2'"); /* Munk's moment */
    expect_run(&r, 0, "small motions of 'bluerov2' grow");
    run_fathom(&r, "stability bluerov2 --set '/vehicle/drag/X_u_absu=18 N*s2/m2'");
    expect_run(&r, 0, "X_u_absu is +18 in SI: it drives a motion along u");
    run_fathom(&r, "trim robotic-fish");
    expect_run(&r, 1, "6-DOF bodies only");
    run_fathom(&r, "trim no-such-model");
    assert_int_equal(r.status, 1);
}

/* Limits of REMUS 100: 2837 rpm, 13.6 degrees. */
static void no_order_beyond_a_limit_is_printed(void **state)
{
    (void)state;
    run_fathom(&r, "trim remus-100 --speed 6");
    expect_run(&r, 0, "propeller 2837 rpm");
    expect_run(&r, 0, "NOT HELD: 'propeller' is at its limit, which is 2.914 m/s");
    run_shell(&r,
              "for v in 0.1 0.3 1 6; do %s trim remus-100 --speed $v --json | python3 -c \"import json,sys; "
              "o=json.load(sys.stdin)['points'][0]['orders']; print(abs(o['propeller'])<=297.1 and "
              "max(abs(o[k]) for k in o if k!='propeller')<=0.23737)\"; done",
              FATHOM_PROGRAM);
    assert_string_equal(r.out, "True\nTrue\nTrue\nTrue\n");
    run_fathom(&r, "trim remus-100");
    expect_run(&r, 0, "level flight is held from 0.435 m/s (0.85 kn) on");
}

static void warnings_in_json_are_json(void **state)
{
    (void)state;
    run_shell(&r,
              "%s stability remus-100 --set /vehicle/coriolis=full --json | python3 -c \"import json,sys; "
              "print([w[:4] for w in json.load(sys.stdin)['warnings']])\"",
              FATHOM_PROGRAM);
    expect_run(&r, 0, "['X_vr', 'X_wq', 'Y_wp', 'Z_vp']");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_companion_matrix_has_the_roots_of_its_polynomial),
        cmocka_unit_test(a_matrix_of_rotations_keeps_its_frequencies),
        cmocka_unit_test(a_rov_at_full_thrust_reaches_the_speed_of_its_drag_law),
        cmocka_unit_test(what_trim_holds_a_run_holds),
        cmocka_unit_test(a_buoyant_vehicle_too_slow_for_its_fins_is_not_held),
        cmocka_unit_test(a_surface_craft_floats_at_its_draught),
        cmocka_unit_test(roll_swings_with_the_period_of_its_pendulum),
        cmocka_unit_test(inputs_act_by_their_column),
        cmocka_unit_test(trim_and_stability_answer_in_json_that_others_read),
        cmocka_unit_test(the_script_for_octave_holds_the_matrices_of_the_json),
        cmocka_unit_test(an_unstable_set_and_a_wrong_sign_are_told),
        cmocka_unit_test(no_order_beyond_a_limit_is_printed),
        cmocka_unit_test(warnings_in_json_are_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
