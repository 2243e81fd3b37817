/* Commands: the table describes them without gaps, and the check that comes from it refuses what it should. */
#include <math.h>
#include <string.h>

#include "support/scenario.h"
#include "world/command.h"

static const char boat[] =
    "<fathom version='1'><world dt='0.1 s' duration='60 s'/>"
    "<vehicle name='ball' position='0 0 5 m'><mass mass='10 kg' inertia='1 1 1 kg*m2'/><buoyancy force='98.0665 N'/>"
    "<drag X_u='-10 N*s/m'/><thruster name='jet' direction='1 0 0' thrust='50 N'/></vehicle></fathom>";

/* A command of every kind that the check accepts. */
static fm_command valid(fm_command_kind kind)
{
    fm_command command;
    fm_error error = {0};
    assert_int_equal(fm_command_begin(&command, kind, &error), FM_OK);
    const fm_command_row *row = fm_command_row_of(kind);
    for (size_t i = 0; i < row->argument_count; i++)
        if (row->arguments[i].type == FM_ARGUMENT_NAME)
            assert_int_equal(fm_argument_write_name(&row->arguments[i], &command, "x", &error), FM_OK);
    assert_int_equal(fm_command_check(&command, &error), FM_OK);
    return command;
}

static void every_command_is_found_by_its_word_and_fits_the_log(void **state)
{
    (void)state;
    for (int kind = 1; kind < FM_COMMAND_KINDS; kind++) {
        const fm_command_row *row = fm_command_row_of((fm_command_kind)kind);
        size_t names = 0, numbers = 0, vehicles = 0, bytes = 0;
        assert_ptr_equal(fm_command_row_find(row->word), row);
        assert_int_equal(row->kind, kind);
        assert_true(row->about[0] && row->title[0]);
        for (size_t i = 0; i < row->argument_count; i++) {
            const fm_argument *a = &row->arguments[i];
            vehicles += a->type == FM_ARGUMENT_NAME && a->role == FM_ARGUMENT_VEHICLE;
            names += a->type == FM_ARGUMENT_NAME && a->role != FM_ARGUMENT_VEHICLE;
            bytes += a->type == FM_ARGUMENT_BYTES;
            numbers += fm_argument_numbers(a);
            assert_true(a->about[0]);
        }
        assert_in_range(vehicles, 0, 1);
        assert_in_range(bytes, 0, 1);
        assert_in_range(names, 0, FM_COMMAND_NAMES_MOST);
        assert_in_range(numbers, 0, FM_COMMAND_NUMBERS_MOST);
    }
    assert_null(fm_command_row_of(FM_COMMAND_NONE));
    assert_null(fm_command_row_of(FM_COMMAND_KINDS));
    assert_null(fm_command_row_find("nonsense"));
}

static void check_numbers(const fm_argument *a, fm_command command)
{
    fm_error error = {0};
    const double wrong[] = {a->most * 1.5 + 1, a->least - fabs(a->least) - 1, INFINITY, -INFINITY};
    double numbers[3];
    fm_argument_read(a, &command, numbers);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        numbers[fm_argument_numbers(a) - 1] = wrong[k];
        assert_int_equal(fm_argument_write(a, &command, numbers, &error), FM_ERR_RANGE);
        assert_non_null(strstr(error.text, a->name));
    }
    numbers[fm_argument_numbers(a) - 1] = NAN;
    assert_int_equal(fm_argument_write(a, &command, numbers, &error),
                     a->need == FM_ARGUMENT_UNSET ? FM_OK : FM_ERR_RANGE);
    numbers[0] = a->least + 0.5;
    if (a->type == FM_ARGUMENT_WHOLE)
        assert_int_equal(fm_argument_write(a, &command, numbers, &error), FM_ERR_RANGE);
}

static void check_name(const fm_argument *a, fm_command command)
{
    fm_error error = {0};
    char *name = fm_argument_at(a, &command);
    memset(name, 'x', a->size);
    assert_int_equal(fm_command_check(&command, &error), FM_ERR_ARGUMENT);
    memset(name, 0, a->size);
    assert_int_equal(fm_command_check(&command, &error), a->need == FM_ARGUMENT_OPTIONAL ? FM_OK : FM_ERR_ARGUMENT);
}

static void arguments_out_of_their_ranges_are_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    for (int kind = 1; kind < FM_COMMAND_KINDS; kind++) {
        const fm_command_row *row = fm_command_row_of((fm_command_kind)kind);
        for (size_t i = 0; i < row->argument_count; i++) {
            fm_command command = valid((fm_command_kind)kind);
            if (fm_argument_numbers(&row->arguments[i]))
                check_numbers(&row->arguments[i], command);
            if (row->arguments[i].type == FM_ARGUMENT_NAME)
                check_name(&row->arguments[i], command);
        }
    }
    fm_command message = valid(FM_COMMAND_MESSAGE);
    message.message.data.size = FM_SOUND_BYTES_MOST + 1;
    assert_int_equal(fm_command_check(&message, &error), FM_ERR_RANGE);
    assert_int_equal(fm_command_check(&(fm_command){.kind = FM_COMMAND_KINDS}, &error), FM_ERR_ARGUMENT);
}

static void equal_commands_have_equal_bytes(void **state)
{
    (void)state;
    fm_command a, b, copy_a, copy_b;
    memset(&a, 0x55, sizeof a);
    memset(&b, 0xAA, sizeof b);
    for (int i = 0; i < 2; i++) {
        fm_command *c = i ? &b : &a;
        c->kind = FM_COMMAND_MESSAGE;
        strcpy(c->message.vehicle, "auv");
        strcpy(c->message.modem, "modem");
        c->message.to = 7;
        c->message.data.size = 3;
        memcpy(c->message.data.items, "abc", 3);
    }
    fm_command_copy(&copy_a, &a);
    fm_command_copy(&copy_b, &b);
    assert_memory_equal(&copy_a, &copy_b, sizeof copy_a);
    assert_string_equal(fm_command_vehicle(&copy_a), "auv");
    assert_string_equal(fm_command_target(&copy_a), "modem");
    assert_same(fm_command_value(&copy_a), 7);
}

static void a_fault_sets_the_parameter_of_a_part_and_is_recorded_as_a_fault(void **state)
{
    (void)state;
    fm_error error = {0};
    const fm_input *taken;
    double value = 0;
    fm_world *world = start(boat);
    fm_input fault = {.command = {.kind = FM_COMMAND_FAULT,
                                  .fault = {.vehicle = "ball", .part = "jet", .kind = "efficiency", .value = 0.25}}};
    assert_int_equal(fm_world_input(world, &fault, &error), FM_OK);
    step(world, 1);
    assert_int_equal(fm_world_get(world, "/ball/jet/efficiency", &value, &error), FM_OK);
    near("efficiency", value, 0.25, 0);
    assert_int_equal(fm_world_inputs(world, &taken), 1);
    assert_int_equal(taken[0].command.kind, FM_COMMAND_FAULT);
    strcpy(fault.command.fault.kind, "nonsense");
    assert_int_equal(fm_world_input(world, &fault, &error), FM_ERR_NAME);
    finish(world);
}

static void commands_to_the_run_are_not_inputs_of_a_world(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start(boat);
    assert_int_equal(fm_world_input(world, &(fm_input){.command.kind = FM_COMMAND_STOP}, &error), FM_ERR_ARGUMENT);
    assert_string_equal(error.text, "'stop' is a command to a run, not to its world");
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_is_found_by_its_word_and_fits_the_log),
        cmocka_unit_test(arguments_out_of_their_ranges_are_refused),
        cmocka_unit_test(equal_commands_have_equal_bytes),
        cmocka_unit_test(a_fault_sets_the_parameter_of_a_part_and_is_recorded_as_a_fault),
        cmocka_unit_test(commands_to_the_run_are_not_inputs_of_a_world),
    };
    return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
