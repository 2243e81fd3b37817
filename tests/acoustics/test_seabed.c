/* Bottoms that carry shear waves, against the boundary conditions solved another way, and published numbers. */
#include "acoustics/loss.h"
#include "support/near.h"
#include "support/solid.h"

static const double omega = 1000, water = 1500;

static double complex ours(const solid *s, double angle)
{
    fm_seabed bed = {s->density, s->speed, s->attenuation, s->shear, s->shear_attenuation};
    return fm_seabed_reflection(&bed, cos(angle) / water, sin(angle) / water);
}

static double complex theirs(const solid *s, double angle, double *flux)
{
    return solid_reflection(s, omega, water, omega / water * cos(angle), flux);
}

static solid named(const char *name)
{
    fm_seabed bed;
    assert_true(fm_seabed_find(name, &bed));
    return (solid){bed.density, bed.speed, bed.attenuation, bed.shear, bed.shear_attenuation};
}

static void every_bottom_keeps_the_conditions_at_its_boundary(void **state)
{
    (void)state;
    for (const char *const *name = fm_seabed_names + 1; *name; name++) {
        solid s = named(*name);
        for (double angle = 0.25; angle < 90; angle += 0.5) {
            double complex r = ours(&s, angle * DEGREE), exact = theirs(&s, angle * DEGREE, NULL);
            near(*name, cabs(r - exact), 0, 1e-11);
            fm_seabed bed = {s.density, s.speed, s.attenuation, s.shear, s.shear_attenuation};
            double turn, loss = fm_bottom_loss(&bed, water, sin(angle * DEGREE), &turn);
            near("level", pow(10, loss / 20), cabs(exact), 1e-11);
            near("phase", angle_between(turn, carg(exact)), 0, 1e-9); /* positive as exp(−iωt) has it */
        }
    }
}

static void limestone_at_20_degrees_loses_10_9_dB(void **state)
{
    (void)state;
    fm_seabed bed;
    double turn;
    assert_true(fm_seabed_find("limestone", &bed));
    assert_near(fm_bottom_loss(&bed, water, sin(20 * DEGREE), &turn), -10.9, 0.1);
    bed.shear = 0; /* as a fluid it would keep almost everything */
    assert_near(fm_bottom_loss(&bed, water, sin(20 * DEGREE), &turn), 0, 0.02);
}

static void a_solid_without_shear_is_a_fluid(void **state)
{
    (void)state;
    solid fluid = named("chalk"), soft = fluid;
    fluid.shear = fluid.shear_attenuation = 0;
    soft.shear = 0.1;
    for (double angle = 1; angle < 90; angle += 1)
        assert_near(cabs(ours(&soft, angle * DEGREE) - ours(&fluid, angle * DEGREE)), 0, 1e-6);
}

/* Without attenuation what does not come back goes on as compressional and shear waves. */
static void energy_is_kept(void **state)
{
    (void)state;
    static const solid all[] = {{2.4, 3000, 0, 1500, 0}, {2.7, 5250, 0, 2500, 0}, {2.2, 2400, 0, 1000, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (double angle = 0.3; angle < 90; angle += 0.5) {
            double flux;
            theirs(&all[i], angle * DEGREE, &flux);
            assert_near(pow(cabs(ours(&all[i], angle * DEGREE)), 2) + flux, 1, 1e-10);
        }
}

static void nothing_is_lost_below_both_critical_angles(void **state)
{
    (void)state;
    const solid basalt = {2.7, 5250, 0, 2500, 0};
    const double of_shear = acos(water / 2500), of_pressure = acos(water / 5250); /* 53.1°, 73.4° */
    for (double angle = 0.01; angle < of_shear; angle += 0.01)
        assert_near(cabs(ours(&basalt, angle)), 1, 1e-12);
    assert_less(cabs(ours(&basalt, of_shear + 0.02)), 0.99);
    assert_near(cabs(ours(&basalt, of_pressure) - 1), 0, 1e-6); /* in phase, nothing lost */
    assert_less(cabs(ours(&basalt, of_pressure + 0.02)), 0.9);
}

static void what_no_solid_is_is_refused(void **state)
{
    (void)state;
    assert_non_null(fm_seabed_fault(&(fm_seabed){2, 2000, 1, 1900, 0}));
    assert_non_null(fm_seabed_fault(&(fm_seabed){2, 2000, 0.01, 1500, 1}));
    assert_non_null(fm_seabed_fault(&(fm_seabed){.density = 2}));
    for (const char *const *name = fm_seabed_names; *name; name++) {
        fm_seabed bed;
        assert_true(fm_seabed_find(*name, &bed));
        assert_null(fm_seabed_fault(&bed));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bottom_keeps_the_conditions_at_its_boundary),
        cmocka_unit_test(limestone_at_20_degrees_loses_10_9_dB),
        cmocka_unit_test(a_solid_without_shear_is_a_fluid),
        cmocka_unit_test(energy_is_kept),
        cmocka_unit_test(nothing_is_lost_below_both_critical_angles),
        cmocka_unit_test(what_no_solid_is_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
