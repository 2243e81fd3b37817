/* Covariances as the public definitions want them: sensor_msgs (common_interfaces, Jazzy) and marine_acoustic_msgs 2.1.
 * What a message claims is compared with the scatter of its values. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "sensors/probe.h"
#include "telemetry/message.h"

typedef struct series {
    const char *topic;
    const fm_message *type;
    void (*note)(struct series *s, const void *message);
    size_t count;
    double sum[3], products[3][3]; /* of the values */
    double claimed[9], first[3];
    void *last;
} series;

typedef struct listener {
    series *all;
    size_t count;
    fm_sink *sink;
    fm_arena arena;
} listener;

static fm_status note_sink(void *user, fm_sink *sink, fm_error *error)
{
    (void)error;
    ((listener *)user)->sink = sink;
    return FM_OK;
}

static void note_message(void *user, const fm_sink_message *message)
{
    listener *l = user;
    fm_error error = {0};
    for (series *s = l->all; s < l->all + l->count; s++) {
        if (strcmp(fm_sink_channel(l->sink, message->channel).topic, s->topic) != 0)
            continue;
        s->last = fm_arena_alloc(&l->arena, s->type->struct_size);
        assert_int_equal(fm_message_decode(s->type, message->data, message->size, s->last, &l->arena, &error), FM_OK);
        s->note(s, s->last);
        s->count++;
    }
}

static void add(series *s, const double value[3], const double *claimed)
{
    memcpy(s->claimed, claimed, sizeof s->claimed);
    if (s->count == 0)
        memcpy(s->first, value, sizeof s->first);
    for (int i = 0; i < 3; i++)
        s->sum[i] += value[i] - s->first[i];
    for (int i = 0; i < 9; i++)
        s->products[i / 3][i % 3] += (value[i / 3] - s->first[i / 3]) * (value[i % 3] - s->first[i % 3]);
}

static double scatter(const series *s, int i, int k)
{
    double n = (double)s->count;
    return (s->products[i][k] - s->sum[i] * s->sum[k] / n) / (n - 1);
}

/* A variance from n samples is off by √(2/n), two per cent here. */
static void claim_is_the_scatter(const series *s)
{
    assert_greater(s->count, 1000);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            assert_near(s->claimed[3 * i + k], scatter(s, i, k), 0.09 * sqrt(scatter(s, i, i) * scatter(s, k, k)));
}

static void listen(const char *vehicle, const char *instruments, double seconds, listener *l)
{
    fm_world *world = start_probe("<bottom depth='50 m'/>", vehicle, instruments);
    fm_error error = {0};
    fm_run *run = fm_run_create(fm_world_model(world), &(fm_run_options){.duration = seconds}, &error);
    fm_sink_config sink = {.delivery = FM_SINK_DIRECT, .start = note_sink, .message = note_message, .user = l};
    assert_int_equal(fm_run_attach(run, &sink, NULL, &error), FM_OK);
    assert_int_equal(fm_run_go(run, NULL, &error), FM_OK);
    fm_run_free(run);
    finish(world);
}

/* --- Imu: zeros are unknown, −1 is no estimate --- */

static void note_rates(series *s, const void *message)
{
    const fm_msg_imu *m = message;
    add(s, (const double[]){m->angular_velocity.x, m->angular_velocity.y, m->angular_velocity.z},
        m->angular_velocity_covariance);
}

static void note_acceleration(series *s, const void *message)
{
    const fm_msg_imu *m = message;
    add(s, (const double[]){m->linear_acceleration.x, m->linear_acceleration.y, m->linear_acceleration.z},
        m->linear_acceleration_covariance);
}

/* Small turns away from the true attitude, which is level and to the east: twice the vector part. */
static void note_tilt(series *s, const void *message)
{
    const fm_msg_imu *m = message;
    double sign = m->orientation.w < 0 ? -2 : 2;
    add(s, (const double[]){sign * m->orientation.x, sign * m->orientation.y, sign * m->orientation.z},
        m->orientation_covariance);
}

static void the_covariances_of_an_imu_are_the_scatter_of_its_values(void **state)
{
    (void)state;
    series all[] = {{.topic = "/probe/imu", .type = &fm_msg_imu_type, .note = note_rates},
                    {.topic = "/probe/imu", .type = &fm_msg_imu_type, .note = note_acceleration},
                    {.topic = "/probe/imu", .type = &fm_msg_imu_type, .note = note_tilt}};
    listener l = {all, 3, NULL, {0}};
    listen("position='0 0 10 m' attitude='0 0 90 deg'",
           "<imu><gyro noise='0.02 rad/s'/><accelerometer noise='0.3 m/s2'/><orientation noise='0.5 deg'/></imu>", 60,
           &l);
    for (int i = 0; i < 3; i++)
        claim_is_the_scatter(&all[i]);
    assert_near(all[0].claimed[0], 4e-4, 1e-12);
    assert_near(all[1].claimed[4], 0.09, 1e-12);
    fm_arena_free(&l.arena);
}

static void expect_zeros(const double *covariance, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_same(covariance[i], 0);
}

static void an_ideal_imu_has_zeros_and_disregards_nothing(void **state)
{
    (void)state;
    series s = {.topic = "/probe/imu", .type = &fm_msg_imu_type, .note = note_rates};
    listener l = {&s, 1, NULL, {0}};
    listen("position='0 0 10 m'", "<imu/>", 0.1, &l);
    const fm_msg_imu *m = s.last;
    assert_non_null(m);
    expect_zeros(m->orientation_covariance, 9);
    expect_zeros(m->angular_velocity_covariance, 9);
    expect_zeros(m->linear_acceleration_covariance, 9);
    fm_arena_free(&l.arena);
}

/* A compass measures the heading: it has no rates and no acceleration, and roll and pitch may be anything. */
static void a_compass_is_an_imu_with_a_heading_alone(void **state)
{
    (void)state;
    series s = {.topic = "/probe/compass", .type = &fm_msg_imu_type, .note = note_tilt};
    listener l = {&s, 1, NULL, {0}};
    listen("position='0 0 10 m' attitude='0 0 90 deg'", "<compass noise='2 deg'/>", 60, &l);
    const fm_msg_imu *m = s.last;
    assert_near(scatter(&s, 2, 2), m->orientation_covariance[8], 0.09 * m->orientation_covariance[8]);
    assert_near(m->orientation_covariance[8], pow(2 * acos(-1) / 180, 2), 1e-12);
    assert_near(m->orientation_covariance[0], acos(-1) * acos(-1) / 3, 1e-9); /* uniform over a turn */
    assert_near(m->orientation_covariance[4], acos(-1) * acos(-1) / 3, 1e-9);
    assert_same(m->angular_velocity_covariance[0], -1);
    assert_same(m->linear_acceleration_covariance[0], -1);
    fm_arena_free(&l.arena);
    memset(&s, 0, sizeof s);
    s = (series){.topic = "/probe/compass", .type = &fm_msg_imu_type, .note = note_tilt};
    listen("position='0 0 10 m' attitude='0 0 30 deg'", "<compass/>", 0.1, &l);
    m = s.last; /* 30° from north to the east is 60° from east to the north */
    assert_near(atan2(2 * m->orientation.w * m->orientation.z, 1 - 2 * m->orientation.z * m->orientation.z),
                acos(-1) / 3, 1e-12);
    assert_same(m->orientation_covariance[8], 0);
    fm_arena_free(&l.arena);
}

/* --- Dvl: −1 is unknown --- */

static void note_velocity(series *s, const void *message)
{
    const fm_msg_dvl *m = message;
    add(s, (const double[]){m->velocity.x, m->velocity.y, m->velocity.z}, m->velocity_covar);
}

/* Four beams at the angle a from the vertical: σ²/(2 sin² a) across, σ²/(4 cos² a) along it. */
static void the_covariance_of_a_dvl_is_that_of_its_beams(void **state)
{
    (void)state;
    series s = {.topic = "/probe/dvl", .type = &fm_msg_dvl_type, .note = note_velocity};
    listener l = {&s, 1, NULL, {0}};
    listen("position='0 0 20 m'", "<dvl noise='0.01 m/s' beam-angle='25 deg'><ranges noise='0.1 m'/></dvl>", 60, &l);
    claim_is_the_scatter(&s);
    const fm_msg_dvl *m = s.last;
    double a = 25 * acos(-1) / 180;
    assert_near(m->velocity_covar[0], 1e-4 / (2 * sin(a) * sin(a)), 1e-12);
    assert_near(m->velocity_covar[4], 1e-4 / (2 * sin(a) * sin(a)), 1e-12);
    assert_near(m->velocity_covar[8], 1e-4 / (4 * cos(a) * cos(a)), 1e-12);
    for (int i = 0; i < 4; i++) {
        assert_near(m->range_covar[i], 0.01, 1e-8);
        assert_near(m->beam_velocity_covar[i], 1e-4, 1e-10);
    }
    fm_arena_free(&l.arena);
}

static void a_dvl_without_the_bottom_knows_no_covariance(void **state)
{
    (void)state;
    series s = {.topic = "/probe/dvl", .type = &fm_msg_dvl_type, .note = note_velocity};
    listener l = {&s, 1, NULL, {0}};
    listen("position='0 0 20 m'", "<dvl noise='0.01 m/s' range='10 m'/>", 0.1, &l);
    const fm_msg_dvl *m = s.last;
    assert_same(m->velocity_covar[0], -1);
    expect_zeros(m->velocity_covar + 1, 8);
    for (int i = 0; i < 4; i++) {
        assert_same(m->range_covar[i], -1);
        assert_same(m->beam_velocity_covar[i], -1);
    }
    fm_arena_free(&l.arena);
}

/* --- what else carries a covariance --- */

static void note_nothing(series *s, const void *message)
{
    (void)s;
    (void)message;
}

/* The true pose, and that of an inertial system, whose error no one knows: PoseWithCovariance knows no −1. */
static void odometry_has_zeros(void **state)
{
    (void)state;
    static const char *const topics[] = {"/probe/odom", "/probe/ins"};
    for (int i = 0; i < 2; i++) {
        series s = {.topic = topics[i], .type = &fm_msg_odometry_type, .note = note_nothing};
        listener l = {&s, 1, NULL, {0}};
        listen("position='0 0 20 m'", "<ins><gyro noise='0.01 rad/s'/></ins>", 0.1, &l);
        const fm_msg_odometry *m = s.last;
        assert_non_null(m);
        expect_zeros(m->pose.covariance, 36);
        expect_zeros(m->twist.covariance, 36);
        fm_arena_free(&l.arena);
    }
}

/* "0 is interpreted as variance unknown": no variance of sensor_msgs is ever negative. */
static void scalar_variances_are_the_square_of_the_noise(void **state)
{
    (void)state;
    series all[] = {{.topic = "/probe/pressure", .type = &fm_msg_fluid_pressure_type, .note = note_nothing},
                    {.topic = "/probe/echosounder", .type = &fm_msg_range_type, .note = note_nothing}};
    listener l = {all, 2, NULL, {0}};
    listen("position='0 0 20 m'", "<pressure noise='300 Pa'/><echosounder noise='0.2 m'/>", 0.1, &l);
    assert_near(((const fm_msg_fluid_pressure *)all[0].last)->variance, 9e4, 1e-6);
    assert_near((double)((const fm_msg_range *)all[1].last)->variance, 0.04, 1e-8);
    fm_arena_free(&l.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_covariances_of_an_imu_are_the_scatter_of_its_values),
        cmocka_unit_test(an_ideal_imu_has_zeros_and_disregards_nothing),
        cmocka_unit_test(a_compass_is_an_imu_with_a_heading_alone),
        cmocka_unit_test(the_covariance_of_a_dvl_is_that_of_its_beams),
        cmocka_unit_test(a_dvl_without_the_bottom_knows_no_covariance),
        cmocka_unit_test(odometry_has_zeros),
        cmocka_unit_test(scalar_variances_are_the_square_of_the_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
