/* Thrusters by a measured table: the maker's numbers, a battery that sags, orders by force and by command. */
#include "support/scenario.h"

#include "support/files.h"
#include "world/world.h"

static const char ROV[] = "<mass mass='500 kg' inertia='100 100 100 kg*m2'/>";

/* The text is refused, and the reason holds `told`. */
static void refuse(const char *text, const char *told)
{
    fm_error error = {0};
    fm_load_options options = tree_options(NULL);
    fm_model *model = fm_model_load_memory(text, strlen(text), "test.xml", &options, &error);
    assert_null(model);
    if (!strstr(error.text, told))
        fail_msg("'%s' is missing in: %s", told, error.text);
}

/* A heavy body with one T200. */
static fm_world *one_thruster(const char *attributes, const char *inside)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='100 s'/><vehicle name='v' position='0 0 20 m'>%s"
             "<thruster name='t' direction='1 0 0' table='../../models/t200.csv' %s/>%s"
             "<shaft-rpm actuator='t'/></vehicle></fathom>",
             ROV, attributes, inside);
    return start(text);
}

static double force_of(const fm_world *world)
{
    return fm_actuator_states(world->slots[0].type, world->slots[0].vehicle)[0].force;
}

static double force_at(fm_world *world, double asked)
{
    order(world, "v", "t", asked);
    step(world, 1);
    return force_of(world);
}

/* Rows of the maker's table, typed from it: PWM, force and rpm at 16 V. */
static void commands_give_the_makers_forces_and_shaft_speeds(void **unused)
{
    (void)unused;
    static const struct {
        double pwm, force, rpm;
    } rows[] = {{1100, -39.91, 3465}, {1500, 0, 0}, {1480, 0, 0}, {1520, 0, 0}, {1900, 51.48, 3533}};
    fm_world *world = one_thruster("voltage='16 V' orders='command'", "");
    for (size_t i = 0; i < FM_COUNT(rows); i++) {
        assert_near(force_at(world, (rows[i].pwm - 1500) / 400), rows[i].force, 1e-9);
        step(world, 1);
        double shaft = column_of(world, 0, "shaft-rpm.velocity") * 30 / 3.14159265358979;
        assert_near(fabs(shaft), rows[i].rpm, 1e-6);
    }
    finish(world);
}

static void between_two_voltages_the_force_is_between_theirs(void **unused)
{
    (void)unused;
    fm_world *world = one_thruster("voltage='17 V' orders='command'", "");
    assert_near(force_at(world, 1), 0.5 * (51.48 + 59.04), 1e-9);
    assert_near(force_at(world, -1), -0.5 * (39.91 + 45.01), 1e-9);
    assert_near(force_at(world, 5), 0.5 * (51.48 + 59.04), 1e-9); /* no more than full */
    finish(world);
}

/* Half is left ahead and four fifths astern; shaft speed and power are the table's. */
static void a_deduction_takes_its_part_of_the_force_and_none_of_shaft_speed_and_power(void **unused)
{
    (void)unused;
    fm_world *world = one_thruster("voltage='16 V' orders='command' deduction='0.5' deduction-reverse='0.2'", "");
    assert_near(force_at(world, 1), 0.5 * 51.48, 1e-9);
    step(world, 1);
    assert_near(column_of(world, 0, "shaft-rpm.velocity") * 30 / 3.14159265358979, 3533, 1e-6);
    assert_near(force_at(world, -1), -0.8 * 39.91, 1e-9);
    finish(world);
    world = one_thruster("voltage='16 V' orders='command' deduction='0.5'", "");
    assert_near(force_at(world, -1), -0.5 * 39.91, 1e-9); /* the same backwards where nothing else is written */
    finish(world);
}

static void an_order_of_force_with_a_deduction_gives_the_force_on_the_hull(void **unused)
{
    (void)unused;
    fm_world *world = one_thruster("voltage='16 V' deduction='0.5' deduction-reverse='0.2'", "");
    for (double force = -31; force < 25; force += 1.7)
        assert_near(force_at(world, force), force, 0.2);
    assert_near(force_at(world, 100), 0.5 * 51.48, 1e-3);
    assert_near(force_at(world, -100), -0.8 * 39.91, 1e-3);
    finish(world);
}

static void a_deduction_needs_a_table(void **unused)
{
    (void)unused;
    refuse("<fathom version='1'><world dt='0.01 s' duration='1 s'/><vehicle name='v' position='0 0 20 m'>"
           "<mass mass='500 kg' inertia='100 100 100 kg*m2'/>"
           "<thruster name='t' direction='1 0 0' thrust='10 N' deduction='0.1'/></vehicle></fathom>",
           "has no effect without a table");
}

static void an_order_of_force_gives_that_force_at_the_nominal_voltage(void **unused)
{
    (void)unused;
    fm_world *world = one_thruster("voltage='16 V'", "");
    for (double force = -39; force < 51; force += 1.7)
        assert_near(force_at(world, force), force, 0.25);
    assert_near(force_at(world, 0), 0, 0);
    assert_near(force_at(world, 100), 51.48, 1e-3);
    finish(world);
}

/* The battery's voltage by its own law: U = U_open − R I, P = U I, at the power from the table. */
static void a_battery_under_load_sags_and_the_thruster_gives_less(void **unused)
{
    (void)unused;
    fm_world *stiff = one_thruster("orders='command'", "<battery capacity='1 MJ' voltage='16 V'/>"),
             *soft = one_thruster("orders='command'", "<battery capacity='1 MJ' voltage='16 V' resistance='0.1 ohm'/>");
    order(stiff, "v", "t", 1);
    order(soft, "v", "t", 1);
    step(stiff, 50);
    step(soft, 50);
    assert_near(force_of(stiff), 51.48, 1e-9);
    assert_near(stiff->slots[0].vehicle->power, 381.3, 1e-9);
    /* 285.0 W at 14 V, 202.9 W at 12 V, between them linear: U = 16 − 0.1 P(U)/U */
    double volts = 13;
    for (int i = 0; i < 100; i++)
        volts = 16 - 0.1 * (202.9 + (285.0 - 202.9) * (volts - 12) / 2) / volts;
    assert_between(12, volts, 14);
    assert_near(force_of(soft), 36.38 + (44.33 - 36.38) * (volts - 12) / 2, 1e-3);
    finish(stiff);
    finish(soft);
}

static void an_empty_battery_is_weaker_than_a_full_one(void **unused)
{
    (void)unused;
    fm_world *world =
        one_thruster("orders='command'", "<battery capacity='20 kJ' voltage='16 V' empty-voltage='12 V'/>");
    double full = force_at(world, 1);
    step(world, 5000);
    assert_between(36.38, force_of(world), full - 5);
    step(world, 4999);
    assert_near(force_of(world), 0, 0);
    finish(world);
}

static void an_autopilot_cannot_steer_by_commands(void **unused)
{
    (void)unused;
    char text[1024];
    snprintf(text, sizeof text,
             "<fathom version='1'><world/><vehicle name='v'>%s<thruster name='t' direction='1 0 0' voltage='16 V' "
             "orders='command' table='" FATHOM_SOURCE_DIR
             "/models/t200.csv'/><autopilot steering='thrusters'><speed kp='1 N*s/m'/></autopilot></vehicle></fathom>",
             ROV);
    refuse(text, "thruster");
}

/* Writes a table and loads a vehicle with it. */
static void refuse_table(const char *table, const char *told)
{
    char text[1024];
    write_file("thruster_table.csv", table);
    snprintf(text, sizeof text,
             "<fathom version='1'><world/><vehicle name='v'>%s<thruster name='t' direction='1 0 0' "
             "table='thruster_table.csv'/></vehicle></fathom>",
             ROV);
    refuse(text, told);
}

static void tables_that_are_none_are_refused_with_the_reason(void **unused)
{
    (void)unused;
    refuse_table("command,thrust_N\n-1,-5\n0,zero\n1,5\n", "'zero' is not a number");
    refuse_table("command,thrust_N\n-1,-5\n0\n1,5\n", "fewer than the 2 columns");
    refuse_table("command,thrust_N\n-1,-5\n0.5,1\n0.5,2\n1,5\n", "rise or fall");
    refuse_table("command,thrust_N\n0,0\n0.5,1\n1,5\n", "around 0");
    refuse_table("command,force\n-1,0\n0.5,1\n1,5\n", "column 'force'");
    refuse_table("command,rpm\n-1,0\n0.5,1\n1,5\n", "thrust");
    refuse_table("pwm_us,thrust10_N,thrust20_N\n1100,-1,-2\n1500,0,0\n1900,1,2\n", "voltage");
    refuse_table("command,thrust_N\n", "no row");
    refuse("<fathom version='1'><world/><vehicle name='v'><mass mass='5 kg' inertia='1 1 1 kg*m2'/><thruster name='t' "
           "direction='1 0 0'/></vehicle></fathom>",
           "thrust or table");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_give_the_makers_forces_and_shaft_speeds),
        cmocka_unit_test(between_two_voltages_the_force_is_between_theirs),
        cmocka_unit_test(a_deduction_takes_its_part_of_the_force_and_none_of_shaft_speed_and_power),
        cmocka_unit_test(an_order_of_force_with_a_deduction_gives_the_force_on_the_hull),
        cmocka_unit_test(a_deduction_needs_a_table),
        cmocka_unit_test(an_order_of_force_gives_that_force_at_the_nominal_voltage),
        cmocka_unit_test(a_battery_under_load_sags_and_the_thruster_gives_less),
        cmocka_unit_test(an_empty_battery_is_weaker_than_a_full_one),
        cmocka_unit_test(an_autopilot_cannot_steer_by_commands),
        cmocka_unit_test(tables_that_are_none_are_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
