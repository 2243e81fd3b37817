/* Coefficients by the names that papers print. */
#include "support/scenario.h"

#define HULL                                                                                                           \
    "<mass mass='30 kg' inertia='0.2 3 3 kg*m2'/><buoyancy force='294.1995 N'/>"                                       \
    "<thruster name='t' position='-0.6 0 0 m' direction='1 0 0' thrust='20 N'/>"
#define START "position='0 0 50 m' velocity='1.2 -0.3 -0.2 m/s' rates='0.1 -0.2 -0.3 rad/s'"

static fm_pose after(const char *inside, double fin_order)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='20 s'/><vehicle name='v' " START ">" HULL
             "%s</vehicle></fathom>",
             inside);
    fm_world *world = start(text);
    if (fin_order != 0)
        order(world, "v", "rudder", fin_order);
    step(world, 300);
    fm_pose pose = pose_of(world, 0);
    finish(world);
    return pose;
}

static double apart(const fm_pose *a, const fm_pose *b)
{
    double most = 0;
    for (int i = 0; i < 6; i++)
        most = fmax(most, fabs(a->velocity[i] - b->velocity[i]));
    return most;
}

static void a_doubled_letter_resists_both_ways_as_papers_mean_it(void **state)
{
    (void)state;
    fm_pose printed = after("<drag X_uu='-1.6 N*s2/m2' Y_vv='-130 N*s2/m2' Z_ww='-130 N*s2/m2' K_pp='-0.1 N*m*s2/rad2' "
                            "M_qq='-9 N*m*s2/rad2' N_rr='-9 N*m*s2/rad2' Y_rr='0.6 N*s2/rad2' M_ww='3 N*m*s2/m2'/>",
                            0);
    fm_pose spelt = after("<drag X_u_absu='-1.6 N*s2/m2' Y_v_absv='-130 N*s2/m2' Z_w_absw='-130 N*s2/m2' "
                          "K_p_absp='-0.1 N*m*s2/rad2' M_q_absq='-9 N*m*s2/rad2' N_r_absr='-9 N*m*s2/rad2' "
                          "Y_r_absr='0.6 N*s2/rad2' M_w_absw='3 N*m*s2/m2'/>",
                          0);
    assert_same(apart(&printed, &spelt), 0);
}

static void a_square_is_a_square_where_it_is_written_so(void **state)
{
    (void)state;
    /* w starts upwards, below zero: w² pushes it on, w|w| holds it back */
    fm_pose square = after("<drag Z_w2='-10 N*s2/m2'/>", 0), held = after("<drag Z_ww='-10 N*s2/m2'/>", 0);
    assert_greater(apart(&square, &held), 0.01);
    /* in surge v² is no resistance but the drag of sideslip, whatever its side */
    fm_pose plain = after("<drag X_vv='-10 N*s2/m2'/>", 0), same = after("<drag X_v2='-10 N*s2/m2'/>", 0);
    assert_same(apart(&plain, &same), 0);
}

static void a_fin_by_dimensional_coefficients_is_one_by_its_area(void **state)
{
    (void)state;
    /* ½ · 1025 · 0.01 · 3 = 15.375 N/(m/s)²/rad, 0.6 m behind the origin */
    fm_pose printed = after("<fin name='rudder' Y_uudr='15.375 N*s2/m2/rad' N_uudr='-9.225 N*m*s2/m2/rad'/>", 0.2);
    fm_pose by_area = after("<fin name='rudder' position='-0.6 0 0 m' direction='0 1 0' area='0.01 m2' "
                            "lift-slope='3 1/rad' inflow='ahead'/>",
                            0.2);
    below("difference of velocities", apart(&printed, &by_area), 1e-12);
    fm_pose none = after("", 0);
    assert_greater(apart(&printed, &none), 0.01);
}

static void refused_fin(const char *fin, const char *words)
{
    char text[2048];
    fm_error error = {0};
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='1 s'/><vehicle name='v'>" HULL
             "<fin name='rudder' %s/></vehicle></fathom>",
             fin);
    assert_null(try_load(text, &error));
    if (!strstr(error.text, words))
        fail_msg("%s: %s", fin, error.text);
}

static void a_fin_told_in_two_ways_is_refused(void **state)
{
    (void)state;
    refused_fin("area='0.01 m2' lift-slope='3 1/rad' Y_uudr='15 N*s2/m2/rad'", "give one of");
    refused_fin("area='0.01 m2' lift-slope='3 1/rad' Y='0.01'", "give one of");
    refused_fin("X_dd='0.01' Y_uudr='15 N*s2/m2/rad'", "give one of");
}

static void what_has_no_effect_on_a_fin_by_coefficients_is_refused(void **state)
{
    (void)state;
    static const char *const idle[] = {"area='0.01 m2'", "lift-slope='3 1/rad'", "position='-0.6 0 0 m'",
                                       "direction='0 1 0'"};
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        char fin[256];
        snprintf(fin, sizeof fin, "Y_uudr='15 N*s2/m2/rad' %s", idle[i]);
        refused_fin(fin, "has no effect on a fin that is given by coefficients");
        snprintf(fin, sizeof fin, "length='2 m' Y='0.01' %s", idle[i]);
        refused_fin(fin, "has no effect on a fin that is given by coefficients");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_doubled_letter_resists_both_ways_as_papers_mean_it),
        cmocka_unit_test(a_square_is_a_square_where_it_is_written_so),
        cmocka_unit_test(a_fin_by_dimensional_coefficients_is_one_by_its_area),
        cmocka_unit_test(a_fin_told_in_two_ways_is_refused),
        cmocka_unit_test(what_has_no_effect_on_a_fin_by_coefficients_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
