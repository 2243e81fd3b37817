/* The kernels with eight vehicles a vector against the world's scalar build: eight different manoeuvres, every
 * integrator, both postures; elementary functions to the bit. Parameters (fm_par) have the same layout in both builds,
 * so the type that the scenario gives serves both; states are read through the public interface. */
#define FM_LANES 8
#pragma GCC diagnostic ignored "-Wpsabi"
#include "support/scenario.h"

#include "physics/actuator.h"
#include "physics/integrate.h"
#include "world/model.h"

static fm_model *fleet(const char *attributes)
{
    char text[8192];
    int at = snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.02 s' duration='9 s'><current velocity='0.1 -0.2 0.05 m/s'/></world>");
    for (int i = 0; i < FM_LANES; i++)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "<vehicle name='v%d' model='nps-auv-ii' %s position='%d %d 20 m' attitude='%d %d %d deg' "
                       "velocity='%g %g %g m/s' "
                       "rates='%d 3 -4 deg/s'/>",
                       i, attributes, i, 9 * i, 3 * i - 10, 4 * i - 15, 40 * i, 0.1 * i, 0.05 * i - 0.2, 0.1 - 0.03 * i,
                       2 * i);
    snprintf(text + at, sizeof text - (size_t)at, "</fathom>");
    return load(text);
}

static double order_of(int lane, int actuator)
{
    return (actuator < 2 ? 60.0 : actuator < 6 ? 12.0 : 0.2) * (1 + 0.1 * lane) * (actuator % 2 ? -0.7 : 1);
}

static void start_lanes(const fm_model *model, fm_body_state *s)
{
    for (int lane = 0; lane < FM_LANES; lane++) {
        const fm_placement *p = &model->vehicles[lane];
        for (int i = 0; i < 3; i++) {
            s->position[i][lane] = p->position[i];
            s->attitude[i][lane] = p->euler[i];
        }
        s->attitude[3][lane] = 0;
        for (int i = 0; i < 6; i++)
            s->velocity[i][lane] = p->velocity[i];
    }
    if (!model->types[0].body.euler) {
        fm_real euler[3] = {s->attitude[0], s->attitude[1], s->attitude[2]};
        fm_quat_from_euler(euler, s->attitude);
    }
}

static void run_lanes(const fm_model *model, int steps, fm_body_state *s)
{
    const fm_type *type = &model->types[0];
    fm_body_input input;
    memset(&input, 0, sizeof input);
    input.fin[0] = fm_const(1);
    input.density_ratio = fm_const(1);
    for (size_t a = 0; a < type->actuator_count; a++) {
        fm_actuator_state actuator;
        memset(&actuator, 0, sizeof actuator);
        for (int lane = 0; lane < FM_LANES; lane++)
            actuator.order[lane] = order_of(lane, (int)a);
        fm_actuator_step(&type->actuators[a], &type->faults[a], type->step_s, &actuator, &input);
    }
    fm_stream water;
    memset(&water, 0, sizeof water);
    for (int i = 0; i < 3; i++)
        water.velocity[i] = fm_const(model->settings.current[i]);
    fm_body_problem problem = {&type->body, &type->mass, &input, &water};
    for (int k = 0; k < steps; k++)
        fm_body_step(type->integrator, &problem, 0, type->step_s, s);
}

static fm_world *run_scalar(const fm_model *model, int steps)
{
    fm_error error = {0};
    fm_world *world = create(model, 1);
    for (int lane = 0; lane < FM_LANES; lane++)
        for (size_t a = 0; a < model->types[0].actuator_count; a++)
            assert_int_equal(fm_world_order(world, fm_world_name(world, lane), model->types[0].actuator_names[a],
                                            order_of(lane, (int)a), &error),
                             FM_OK);
    for (int k = 0; k < steps; k++)
        if (fm_world_step(world, &error) != FM_OK)
            fail_msg("%s", error.text);
    return world;
}

static void same_bits(double lane, double scalar, const char *what)
{
    if (memcmp(&lane, &scalar, sizeof lane) != 0)
        fail_msg("%s: lane %.17g, scalar %.17g", what, lane, scalar);
}

static void compare(const char *attributes)
{
    enum { STEPS = 50 };
    fm_model *model = fleet(attributes);
    fm_body_state s;
    start_lanes(model, &s);
    run_lanes(model, STEPS, &s);
    fm_world *world = run_scalar(model, STEPS);
    fm_real R[9], euler[3];
    fm_body_matrix(&model->types[0].body, s.attitude, R);
    fm_euler_from_matrix(R, euler);
    for (int lane = 0; lane < FM_LANES; lane++) {
        fm_pose pose;
        assert_int_equal(fm_world_pose(world, lane, &pose), FM_OK);
        for (int i = 0; i < 3; i++)
            same_bits(s.position[i][lane], pose.position[i], "position");
        for (int i = 0; i < 6; i++)
            same_bits(s.velocity[i][lane], pose.velocity[i], "velocity");
        for (int i = 0; i < 3; i++)
            same_bits(euler[i][lane], pose.euler[i], "attitude");
    }
    fm_world_free(world);
    fm_model_free(model);
}

static void eight_lanes_move_as_eight_vehicles_do(void **unused)
{
    (void)unused;
    compare("integrator='euler'");
    compare("integrator='heun'");
    compare("integrator='rk4'");
    compare("integrator='text'");
    compare("integrator='rk4' posture='euler'");
}

#define SAME_1(function, scalar)                                                                                       \
    do {                                                                                                               \
        fm_real lanes = function(x);                                                                                   \
        for (int i = 0; i < FM_LANES; i++) {                                                                           \
            double expected = scalar(x[i]), found = lanes[i];                                                          \
            assert_memory_equal(&found, &expected, sizeof found);                                                      \
        }                                                                                                              \
    } while (0)

static void elementary_functions_have_the_same_bits_in_lanes(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2000; k++) {
        fm_real x, y;
        for (int i = 0; i < FM_LANES; i++) {
            x[i] = sin(17.0 * (FM_LANES * k + i)) * pow(10, (k % 5) - 3);
            y[i] = cos(5.0 * (FM_LANES * k + i));
        }
        SAME_1(fm_sin, Sleef_cinz_sind1_u10purec);
        SAME_1(fm_cos, Sleef_cinz_cosd1_u10purec);
        SAME_1(fm_exp, Sleef_cinz_expd1_u10purec);
        SAME_1(fm_expm1, Sleef_cinz_expm1d1_u10purec);
        SAME_1(fm_tanh, Sleef_cinz_tanhd1_u10purec);
        fm_real angle = fm_atan2(x, y);
        for (int i = 0; i < FM_LANES; i++) {
            double expected = Sleef_cinz_atan2d1_u10purec(x[i], y[i]), found = angle[i];
            assert_memory_equal(&found, &expected, sizeof found);
        }
        x = fm_abs(x) + fm_const(1e-6);
        SAME_1(fm_log, Sleef_cinz_logd1_u10purec);
        SAME_1(fm_sqrt, sqrt);
        x = fm_clamp(x, fm_const(-1), fm_const(1));
        SAME_1(fm_asin, Sleef_cinz_asind1_u10purec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_lanes_move_as_eight_vehicles_do),
        cmocka_unit_test(elementary_functions_have_the_same_bits_in_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
