/* Steps that are too long, known when a scenario is read: the growth that is foretold is the growth that comes. */
#include "support/scenario.h"

typedef struct advice {
    int count;
    char text[768];
} advice;

static void take_warning(void *user, const fm_error *warning)
{
    advice *a = user;
    a->count++;
    snprintf(a->text, sizeof a->text, "%s", warning->text);
}

static fm_model *load_advised(const char *text, advice *a)
{
    fm_load_options options = tree_options(NULL);
    options.warn = take_warning;
    options.user = a;
    *a = (advice){0};
    fm_error error = {0};
    return loaded(fm_model_load_memory(text, strlen(text), TEST_DATA "/test.xml", &options, &error), &error);
}

static double number_after(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    if (!at)
        fail_msg("'%s' is not in: %s", words, text);
    return strtod(at + strlen(words), NULL);
}

/* Swing about roll, free to sway, no drag: ω² = W z_G / (I − m z_G²). Heun lets it grow by √(1 + (ω h)⁴/4) a step. */
static void the_growth_of_an_undamped_swing_is_foretold(void **unused)
{
    (void)unused;
    advice a;
    double omega = sqrt(40 * 9.80665 * 0.05 / (2 - 40 * 0.05 * 0.05)), h = 0.1, steps = 60 / h;
    fm_model *model = load_advised("<fathom version='1'><world dt='0.1 s' duration='60 s'/><vehicle name='v' "
                                   "position='0 0 100 m'><mass mass='40 kg' centre='0 0 0.05 m' inertia='2 60 60 "
                                   "kg*m2'/></vehicle></fathom>",
                                   &a);
    assert_int_equal(a.count, 1);
    near("frequency, rad/s", number_after(a.text, "a swing of "), omega, 0.01);
    near("growth", number_after(a.text, "rad/s grows "), pow(1 + pow(omega * h, 4) / 4, steps / 2), 0.02);
    fm_model_free(model);
}

/* Greatest rate of turning about an axis in a stretch of the run. */
static double turning(fm_world *world, int axis, double until)
{
    double most = 0;
    while (fm_world_time(world) < until) {
        step(world, 1);
        most = fmax(most, fabs(pose_of(world, 0).velocity[axis]));
    }
    return most;
}

#define REMUS(dt)                                                                                                      \
    "<fathom version='1'><world dt='" dt                                                                               \
    " s' duration='600 s'/><vehicle name='v' model='remus-100' position='0 0 100 m' "                                  \
    "attitude='2 0 0 deg'/></fathom>"

static void what_is_warned_of_grows_and_the_step_that_would_do_is_calm(void **unused)
{
    (void)unused;
    advice a;
    const double begun = 4.9 * 2 * acos(-1) / 180; /* rad/s: a swing of 2 degrees */
    fm_world *world = create(load_advised(REMUS("0.2"), &a), 1);
    assert_int_equal(a.count, 1);
    near("step that would do", number_after(a.text, "alone; a step of "), 0.05, 1e-9);
    turning(world, 3, 100);
    if (!(turning(world, 3, 110) > 3 * begun))
        fail_msg("the swing does not grow");
    finish(world);
    world = create(load_advised(REMUS("0.05"), &a), 1);
    assert_int_equal(a.count, 0);
    turning(world, 3, 100);
    if (!(turning(world, 3, 110) < begun))
        fail_msg("the swing grows");
    finish(world);
}

/* A long hull with fins that turn it into the flow: stiff when it is fast, not at rest. */
static void stiffness_of_fins_at_speed_is_seen(void **unused)
{
    (void)unused;
    advice a;
    static const char *const text =
        "<fathom version='1'><world dt='0.1 s' duration='60 s'/><vehicle name='v' position='0 0 100 m' velocity='%g 0 "
        "0 m/s'><mass mass='40 kg' inertia='1 8 8 kg*m2'/><drag X_u_absu='-4 kg/m' Z_uw='-60 kg/m' M_uw='-120 kg' "
        "Z_w='-5 N*s/m' M_q='-5 N*m*s/rad' M_uq='-60 kg*m/rad' Y_v='-5 N*s/m' N_r='-5 N*m*s/rad' K_p='-1 "
        "N*m*s/rad'/></vehicle></fathom>";
    for (int fast = 0; fast < 2; fast++) {
        char scenario[1024];
        snprintf(scenario, sizeof scenario, text, fast ? 8.0 : 0.5);
        fm_model *model = load_advised(scenario, &a);
        assert_int_equal(a.count, fast);
        assert_true(!fast || strstr(a.text, "under way"));
        fm_model_free(model);
    }
}

static void no_shipped_scenario_has_a_step_that_is_too_long(void **unused)
{
    (void)unused;
    static const char *const names[] = {"bluerov2-hover", "lauv-survey",  "otter-harbour",  "phoenix-dive",
                                        "phoenix-hover",  "phoenix-turn", "remus-100-dive", "showcase",
                                        "snookie-wall",   "wavesim-trio"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        advice a = {0};
        fm_load_options options = tree_options(NULL);
        options.warn = take_warning;
        options.user = &a;
        fm_error error = {0};
        fm_model_free(loaded(fm_model_load(scenario_path(names[i]), &options, &error), &error));
        if (a.count)
            fail_msg("%s: %s", names[i], a.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_growth_of_an_undamped_swing_is_foretold),
        cmocka_unit_test(what_is_warned_of_grows_and_the_step_that_would_do_is_calm),
        cmocka_unit_test(stiffness_of_fins_at_speed_is_seen),
        cmocka_unit_test(no_shipped_scenario_has_a_step_that_is_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
