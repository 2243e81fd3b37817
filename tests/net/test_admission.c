/* One check for all that enters a running world: the same words at every door, and the server goes on. */
#include <fathom/model.h>
#include <fathom/world.h>
#include <sys/stat.h>

#include "net/outside.h"
#include "net/viewer.h"
#include "support/memory.h"

#define SEA                                                                                                            \
    "<fathom version='1'><world dt='0.02 s' seed='3' capacity='%d'><water density='1025 kg/m3'/><bottom depth='60 "    \
    "m'/>"                                                                                                             \
    "<sphere name='rock' position='50 0 10 m' radius='3 m'/></world>"                                                  \
    "<vehicle name='still' model='nps-auv-ii' position='0 90 5 m'/>%s<type name='probe' model='nps-auv-ii'/></fathom>"

static served server;
static viewer v;
static program_run r;

/* What no world takes, and what is said of it. */
typedef struct intruder {
    const char *name, *model;
    double pose[6];
    const char *words;
    int code; /* of the wire */
} intruder;

static const intruder intruders[] = {
    {"far",
     "nps-auv-ii",
     {1e9, 0, 5},
     "position: 1e+09 m is out of range: must be -1e+07 … 1e+07 m",
     FM_WIRE_BAD_VALUE},
    {"deep", "nps-auv-ii", {0, 0, 1060}, "position: the hull of 'deep' begins 1e+03 m inside the bottom", 5},
    {"inner", "nps-auv-ii", {0, 90, 5}, "m inside that of 'still': move it to a free position", 5},
    {"stone", "nps-auv-ii", {50, 0, 10}, "m inside 'rock': move it to a free position", 5},
    {"turned", "nps-auv-ii", {0, 0, 5, 0, 0, 9}, "attitude: 9 rad is out of range: must be -7 … 7 rad", 5},
    {"water", "nps-auv-ii", {0, 0, 5}, "name: 'water' is an element of the scenario", 5},
    {"1st", "nps-auv-ii", {0, 0, 5}, "name: '1st' is invalid: must be a name: a letter or '_', then letters", 5},
    {"probe", "nps-auv-ii", {0, 0, 5}, "name: the name 'probe' is used by another type or model", 5},
    {"still", "nps-auv-ii", {0, 0, 5}, "name: the name 'still' is used by another vehicle", FM_WIRE_NAME_TAKEN},
    {"near",
     "nps-auv-iii",
     {0, 0, 5},
     "model: the scenario has no vehicle, type or model 'nps-auv-iii'; did you mean "
     "'nps-auv-ii'",
     FM_WIRE_UNKNOWN_MODEL},
};
enum { INTRUDERS = sizeof intruders / sizeof *intruders };

static void begin_server_for(int vehicles, const char *options)
{
    char text[2048];
    snprintf(text, sizeof text, SEA, vehicles, "");
    write_file("net_admission.xml", text);
    serve(&server, "%s net_admission.xml", options);
}

static void begin_server(const char *options)
{
    begin_server_for(12, options);
}

static void expect_words(const intruder *i, const char *text)
{
    if (!strstr(text, i->words))
        fail_msg("%s: found '%s', expected '%s'", i->name, text, i->words);
}

/* It still serves: a vehicle that is fine comes in, and a step takes it. */
static void expect_a_server_that_goes_on(void)
{
    fm_caller *good = call_as(&server, FM_WIRE_UNDERWATER, "good", "probe", 20000);
    fm_wire_header header;
    uint32_t flags;
    assert_nearer(expect_state(good, &header, &flags).position[0], 20, 0.5);
    fm_caller_close(good);
    run_fathom(&r, "ctl vehicles --json --port %d --timeout 20", server.port);
    expect_run(&r, 0, "\"name\": \"still\"");
    for (int i = 0; i < INTRUDERS; i++) {
        char name[64];
        snprintf(name, sizeof name, "\"name\": \"%s\"", intruders[i].name);
        if (said(&r, name))
            assert_string_equal(intruders[i].name, "still");
    }
}

static void connect_refuses_in_the_words_of_files(void **state)
{
    (void)state;
    begin_server("");
    for (int i = 0; i < INTRUDERS; i++) {
        fm_error error = {0};
        int code = -1;
        fm_caller_options o = {
            .port = server.port, .patience = 20, .connect = {.role = FM_WIRE_UNDERWATER, .state_period = 20000}};
        memcpy(o.connect.pose, intruders[i].pose, sizeof o.connect.pose);
        snprintf(o.connect.name, sizeof o.connect.name, "%s", intruders[i].name);
        snprintf(o.connect.model, sizeof o.connect.model, "%s", intruders[i].model);
        assert_null(fm_caller_open(&o, &code, &error));
        expect_words(&intruders[i], error.text);
        assert_int_equal(code, intruders[i].code);
    }
    expect_a_server_that_goes_on();
    assert_int_equal(stop_serving(&server), 0);
}

static void refuse_command(const char *door, const intruder *i)
{
    const double *p = i->pose;
    run_fathom(&r, "ctl %s --timeout 20 -- spawn %s %s %g %g %g %g %g %g", door, i->name, i->model, p[0], p[1], p[2],
               p[3], p[4], p[5]);
    assert_int_equal(r.status, 1);
    expect_words(i, r.err);
}

static void commands_refuse_in_the_words_of_files(void **state)
{
    (void)state;
    char udp[64], queue[64], shared[64];
    snprintf(shared, sizeof shared, "--shared admission-%d", (int)getpid());
    begin_server(shared);
    snprintf(udp, sizeof udp, "--port %d", server.port);
    snprintf(queue, sizeof queue, "--queue admission-%d", (int)getpid());
    for (int i = 0; i < INTRUDERS; i++) {
        refuse_command(udp, &intruders[i]);
        refuse_command(queue, &intruders[i]);
    }
    run_fathom(&r, "ctl --port %d --timeout 20 spawn fine probe 0 0 5", server.port);
    assert_int_equal(r.status, 0);
    expect_a_server_that_goes_on();
    assert_int_equal(stop_serving(&server), 0);
}

static void files_refuse_in_the_same_words(void **state)
{
    (void)state;
    for (int i = 0; i < INTRUDERS; i++) {
        char vehicle[512], text[2048];
        const intruder *a = &intruders[i];
        const double *p = a->pose;
        /* units and spacing stand in a file; unknown models are files; hulls inside each other are warned of */
        int own = p[0] > 1e7 || p[5] > 7 || strcmp(a->model, "nps-auv-ii") != 0 || strcmp(a->name, "probe") == 0;
        snprintf(vehicle, sizeof vehicle,
                 "<vehicle name='%s' model='%s' position='%.17g %g %g m' attitude='%g %g %g rad'/>", a->name, a->model,
                 p[0], p[1], p[2], p[3], p[4], p[5]);
        snprintf(text, sizeof text, SEA, 12, vehicle);
        write_file("net_admission_file.xml", text);
        run_fathom(&r, "check net_admission_file.xml");
        if (strcmp(a->name, "inner") != 0)
            assert_int_not_equal(r.status, 0);
        const char *words = strncmp(a->words, "name: ", 6) == 0        ? a->words + 6
                            : strncmp(a->words, "position: ", 10) == 0 ? a->words + 10
                                                                       : a->words;
        if (!own && !said(&r, words))
            fail_msg("%s: found '%s', expected '%s'", a->name, r.err, words);
    }
}

static void the_c_interface_refuses_in_the_words_of_files(void **state)
{
    (void)state;
    char text[2048];
    fm_error error = {0};
    snprintf(text, sizeof text, SEA, 12, "");
    write_file("net_admission.xml", text);
    fm_model *model = fm_model_load("net_admission.xml", NULL, &error);
    fm_world *world = fm_world_create(model, NULL, &error);
    assert_non_null(world);
    for (int i = 0; i < INTRUDERS; i++) {
        const intruder *a = &intruders[i];
        assert_int_not_equal(fm_world_spawn(world, a->name, a->model, a->pose, a->pose + 3, &error), FM_OK);
        expect_words(a, error.text);
    }
    assert_int_equal(fm_world_spawn(world, "one", "probe", (double[]){0, 0, 5}, (double[]){0, 0, 0}, &error), FM_OK);
    /* one that waits for the step is in the way too, and one that is called off is not */
    assert_int_not_equal(fm_world_spawn(world, "two", "probe", (double[]){0, 0, 5}, (double[]){0, 0, 0}, &error),
                         FM_OK);
    assert_non_null(strstr(error.text, "inside that of 'one'"));
    assert_int_equal(fm_world_remove(world, "one", &error), FM_OK);
    assert_int_equal(fm_world_spawn(world, "two", "probe", (double[]){0, 0, 5}, (double[]){0, 0, 0}, &error), FM_OK);
    assert_int_equal(fm_world_step(world, &error), FM_OK);
    assert_less(fm_world_find(world, "one"), 0);
    assert_at_least(fm_world_find(world, "two"), 0);
    fm_world_free(world);
    fm_model_free(model);
}

static void numbers_of_commands_are_checked_before_they_are_used(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"step 1.5", "step: steps is 1.5: must be a whole number between 1 and 1000000000; usage: step [<steps>]"},
        {"speed 1e300", "speed: speed is 1e+300: must be a number between 0 and 1000000000"},
        {"speed nan", "speed: 'nan' is invalid: must be a number"},
        {"order still rudder 0x10", "order: value: '0x10' is invalid: must be a number"},
        {"set /current/velocity/x 1e400", "set: value: '1e400' is invalid: must be a number"},
        {"waypoint still 0 0 deep", "waypoint: position: 'deep' is invalid: must be a number"},
        {"push still 1e300 0 0 0 0 0",
         "push: force is 1e+300: must be a number between -1000000000000 and 1000000000000 N"},
    };
    begin_server("");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_fathom(&r, "ctl --port %d --timeout 20 -- %s", server.port, cases[i][0]);
        if (r.status == 0 || !said(&r, cases[i][1]))
            fail_msg("%s: exit status %d, '%s', expected '%s'", cases[i][0], r.status, r.err, cases[i][1]);
    }
    fm_command odd = {.kind = FM_COMMAND_WAYPOINT,
                      .waypoint = {.vehicle = "still", .position = {0, 0, 5}, .index = 1000000000}};
    fm_wire_result result;
    fm_error error = {0};
    fm_caller *boss = call_as(&server, FM_WIRE_COMMANDER, "boss", "", FM_WIRE_NONE);
    assert_int_equal(fm_caller_command(boss, &odd, &result, &error), FM_OK);
    assert_int_equal(result.code, FM_WIRE_BAD_VALUE);
    assert_non_null(
        strstr(result.text, "waypoint: index is 1000000000: must be a whole number between -1 and 1000000"));
    fm_caller_close(boss);
    expect_a_server_that_goes_on();
    assert_int_equal(stop_serving(&server), 0);
}

/* --- leaving --- */

static int count_vehicles(void)
{
    int lines = 0;
    run_fathom(&r, "ctl vehicles --json --port %d --timeout 20", server.port);
    assert_int_equal(r.status, 0);
    for (const char *at = r.out; (at = strstr(at, "\"name\"")); at++)
        lines++;
    return lines;
}

static void one_that_leaves_before_its_first_step_leaves_nothing_behind(void **state)
{
    (void)state;
    begin_server("--stopped --log net_admission.mcap");
    for (int i = 0; i < 10; i++)
        fm_caller_close(call_as(&server, FM_WIRE_UNDERWATER, "brief", "nps-auv-ii", 20000));
    run_fathom(&r, "ctl --port %d --timeout 20 step 3", server.port);
    assert_int_equal(r.status, 0);
    run_fathom(&r, "ctl --port %d --timeout 20 start", server.port);
    for (int i = 0; i < 10; i++)
        fm_caller_close(call_as(&server, FM_WIRE_UNDERWATER, "brief", "nps-auv-ii", 20000));
    for (double end = seconds_now() + 20; count_vehicles() > 1 && seconds_now() < end;)
        usleep(20000);
    assert_int_equal(count_vehicles(), 1);
    assert_int_equal(stop_serving(&server), 0);
    run_fathom(&r, "replay net_admission.mcap --verify");
    expect_run(&r, 0, "the same");
}

/* The reset brings back what stood there first. */
static void one_whose_place_is_taken_after_a_reset_is_told_so(void **state)
{
    (void)state;
    fm_error error = {0};
    begin_server("");
    run_fathom(&r, "ctl --port %d --timeout 20 remove still", server.port);
    assert_int_equal(r.status, 0);
    for (double end = seconds_now() + 20; count_vehicles() > 0 && seconds_now() < end;)
        usleep(20000);
    fm_caller_options o = {.port = server.port,
                           .patience = 20,
                           .connect = {.role = FM_WIRE_UNDERWATER,
                                       .name = "heir",
                                       .model = "nps-auv-ii",
                                       .state_period = 20000,
                                       .pose = {0, 90, 5}}};
    fm_caller *heir = fm_caller_open(&o, NULL, &error);
    assert_non_null(heir);
    run_fathom(&r, "ctl --port %d --timeout 20 reset", server.port);
    assert_int_equal(r.status, 0);
    fm_wire_in payload;
    expect_message(heir, FM_WIRE_BYE, &payload);
    assert_int_equal(fm_caller_ended(heir), FM_WIRE_FAILED);
    assert_int_equal(count_vehicles(), 1);
    fm_caller_close(heir);
    assert_int_equal(stop_serving(&server), 0);
}

/* --- memory --- */

/* Some that come and go, and as many that are refused. */
static void come_and_go(int count, int *number)
{
    for (int i = 0; i < count; i++) {
        char name[32];
        fm_error error = {0};
        snprintf(name, sizeof name, "guest%d", ++*number);
        fm_caller_close(call_as(&server, FM_WIRE_UNDERWATER, name, "nps-auv-ii", 20000));
        fm_caller_options o = {.port = server.port, .patience = 20, .connect = {.role = FM_WIRE_UNDERWATER}};
        snprintf(o.connect.name, sizeof o.connect.name, "%s", name);
        snprintf(o.connect.model, sizeof o.connect.model, "submarine");
        assert_null(fm_caller_open(&o, NULL, &error));
    }
}

static void thousands_that_come_and_go_leave_no_memory_behind(void **state)
{
    (void)state;
    int number = 0;
    begin_server_for(500, "--log net_admission_churn.mcap");
    come_and_go(500, &number);
    long before = kilobytes_of(server.pid);
    come_and_go(2000, &number);
    long after = kilobytes_of(server.pid);
    print_message("%ld kB after 1,000 joins, %ld kB after 5,000\n", before, after);
    assert_greater(before, 0);
    if (measures_memory())
        assert_less(after - before, 8192);
    assert_int_equal(stop_serving(&server), 0);
    remove("net_admission_churn.mcap");
}

/* --- the page --- */

static void the_page_refuses_in_the_words_of_files(void **state)
{
    (void)state;
    char options[64], request[512], answer[4096];
    int port = free_http_port();
    snprintf(options, sizeof options, "--http 127.0.0.1:%d", port);
    begin_server(options);
    greet(&v, port);
    for (int i = 0; i < INTRUDERS; i++) {
        const intruder *a = &intruders[i];
        snprintf(request, sizeof request, "{\"name\":\"%s\",\"like\":\"%s\",\"position\":[%g,%g,%g],\"heading\":%g}",
                 a->name, a->model, a->pose[0], a->pose[1], a->pose[2], a->pose[5]);
        assert_false(call_page(&v, "/spawn", request, answer, sizeof answer));
        expect_words(a, answer);
    }
    assert_true(
        call_page(&v, "/spawn", "{\"name\":\"fine\",\"like\":\"probe\",\"position\":[0,0,5]}", answer, sizeof answer));
    expect_a_server_that_goes_on();
    close(v.fd);
    assert_int_equal(stop_serving(&server), 0);
}

/* A value that is not a number, or not a plausible one, is refused before it is used. */
static void requests_of_the_page_are_checked_before_they_are_used(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"/desire", "{\"vehicle\":\"still\",\"what\":\"depth\",\"value\":\"abc\"}",
         "value: a text is invalid: must be a number"},
        {"/waypoint", "{\"vehicle\":\"still\",\"action\":\"add\",\"index\":1e300,\"position\":[0,0,5]}",
         "index is 1e+300: must be a whole number between -1 and 1000000"},
        {"/waypoint", "{\"vehicle\":\"still\",\"action\":\"add\",\"index\":0.5,\"position\":[0,0,5]}",
         "index is 0.5: must be a whole number between -1 and 1000000"},
        {"/waypoint", "{\"vehicle\":\"still\",\"action\":\"add\",\"position\":[0,\"5\",5]}",
         "position: a text is invalid: must be 3 numbers"},
        {"/order", "{\"vehicle\":\"still\",\"actuator\":\"rudder\"}", "value: it is missing: must be a number"},
        {"/order", "{\"vehicle\":7,\"actuator\":\"rudder\",\"value\":1}",
         "vehicle: a number is invalid: must be a text"},
        {"/order", "{\"vehicle\":\"still\",\"actuator\":\"wing\",\"value\":1}", "has no actuator 'wing'"},
        {"/step", "{\"steps\":1.5}", "steps is 1.5: must be a whole number between 1 and 1000000000"},
        {"/speed", "{\"speed\":-1}", "speed is -1: must be a number between 0 and 1000000000"},
        {"/speed", "{}", "speed: it is missing: must be a number"},
        {"/remove", "{\"name\":\"nobody\"}", "no vehicle 'nobody' in the world"},
        {"/fault", "{\"vehicle\":\"still\",\"part\":\"x\",\"kind\":\"stuck\",\"value\":true}",
         "value: true or false is invalid: must be a number"},
    };
    char options[64], answer[4096];
    int port = free_http_port();
    snprintf(options, sizeof options, "--http 127.0.0.1:%d", port);
    begin_server(options);
    greet(&v, port);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int done = call_page(&v, cases[i][0], cases[i][1], answer, sizeof answer);
        if (done || !strstr(answer, cases[i][2]))
            fail_msg("%s %s: %s '%s', expected '%s'", cases[i][0], cases[i][1], done ? "done," : "", answer,
                     cases[i][2]);
    }
    close(v.fd);
    expect_a_server_that_goes_on();
    assert_int_equal(stop_serving(&server), 0);
}

/* The same without a server, while the run stands still: what is asked is answered, and files are not waited for. */
static void the_page_of_a_run_that_waits_answers_too(void **state)
{
    (void)state;
    outside o;
    char answer[4096], text[2048];
    int status, port = free_http_port();
    snprintf(text, sizeof text, SEA, 12, "");
    write_file("net_admission.xml", text);
    remove("fathom-0.000s.state");
    assert_int_equal(mkfifo("fathom-0.000s.state", 0600), 0);
    begin_fathom(&o, "net_admission_view", "view net_admission.xml --paused --http 127.0.0.1:%d", port);
    greet(&v, port);
    assert_false(
        call_page(&v, "/spawn", "{\"name\":\"far\",\"like\":\"probe\",\"position\":[1e9,0,5]}", answer, sizeof answer));
    expect_words(&intruders[0], answer);
    assert_true(
        call_page(&v, "/spawn", "{\"name\":\"fine\",\"like\":\"probe\",\"position\":[0,0,5]}", answer, sizeof answer));
    assert_false(call_page(&v, "/snapshot", "{}", answer, sizeof answer)); /* a pipe without a reader */
    assert_int_equal(remove("fathom-0.000s.state"), 0);
    assert_true(call_page(&v, "/snapshot", "{}", answer, sizeof answer));
    assert_int_equal(remove("fathom-0.000s.state"), 0);
    assert_true(call_page(&v, "/remove", "{\"name\":\"fine\"}", answer, sizeof answer));
    assert_false(call_page(&v, "/remove", "{\"name\":\"fine\"}", answer, sizeof answer));
    assert_true(call_page(&v, "/reset", "{}", answer, sizeof answer));
    assert_false(
        call_page(&v, "/load", "{\"name\":\"net_admission.xml\"}", answer, sizeof answer)); /* no file of ours */
    assert_true(call_page(&v, "/load", "{\"name\":\"phoenix-turn\"}", answer, sizeof answer));
    close(v.fd);
    kill(o.child, SIGTERM);
    assert_int_equal(waitpid(o.child, &status, 0), o.child);
    assert_true(WIFEXITED(status));
    assert_same(WEXITSTATUS(status), 128 + SIGTERM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_refuse_in_the_same_words),
        cmocka_unit_test(the_c_interface_refuses_in_the_words_of_files),
        cmocka_unit_test(connect_refuses_in_the_words_of_files),
        cmocka_unit_test(commands_refuse_in_the_words_of_files),
        cmocka_unit_test(numbers_of_commands_are_checked_before_they_are_used),
        cmocka_unit_test(the_page_refuses_in_the_words_of_files),
        cmocka_unit_test(requests_of_the_page_are_checked_before_they_are_used),
        cmocka_unit_test(the_page_of_a_run_that_waits_answers_too),
        cmocka_unit_test(one_that_leaves_before_its_first_step_leaves_nothing_behind),
        cmocka_unit_test(one_whose_place_is_taken_after_a_reset_is_told_so),
        cmocka_unit_test(thousands_that_come_and_go_leave_no_memory_behind),
    };
    return cmocka_run_group_tests_name("admission", tests, NULL, NULL);
}
