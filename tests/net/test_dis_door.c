/* The DIS bridge beside a run, met by a socket of another simulator. */
#include "net/dis_door.h"

#include <arpa/inet.h>
#include <poll.h>
#include <unistd.h>

#include "net/beside.h"
#include "net/bridges.h"
#include "net/dis_frame.h"
#include "run/run.h"
#include "support/scenario.h"

#define SEA                                                                                                            \
    "<world dt='0.05 s' duration='600 s' seed='1' latitude='36.6 deg' longitude='-121.9 deg' capacity='4'>"            \
    "<water density='1025 kg/m3'/></world>"                                                                            \
    "<type name='contact'><foreign/><hull kind='sphere' size='1 1 1 m'/></type>"                                       \
    "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 10 m' velocity='2 0 0 ft/s'>"                            \
    "<transducer name='pinger' frequency='25 kHz' ping-period='5 s'/>"                                                 \
    "<orders><at t='0 s' propellers='700 rpm'/><at t='10 s' bow-rudder='15 deg' stern-rudder='-15 deg'/></orders>"     \
    "</vehicle>"

static const fm_geodetic origin = {36.6 * DEGREE, -121.9 * DEGREE, 0};

/* A run with its bridge, and the other simulator. */
typedef struct meeting {
    fm_model *model;
    fm_run *run;
    fm_beside *beside;
    int fd; /* where the bridge sends to */
    struct sockaddr_in bridge;
    size_t count[256]; /* PDUs by type */
    size_t wrong;
    fm_dis_pdu last[256];
} meeting;

static int bind_any(struct sockaddr_in *at)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t size = sizeof *at;
    *at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert_int_equal(bind(fd, (struct sockaddr *)at, sizeof *at), 0);
    getsockname(fd, (struct sockaddr *)at, &size);
    return fd;
}

static void begin(meeting *m, const char *more)
{
    char text[2048];
    struct sockaddr_in here;
    fm_error error = {0};
    memset(m, 0, sizeof *m);
    int spare = bind_any(&m->bridge); /* a port that is free */
    m->fd = bind_any(&here);
    close(spare);
    snprintf(text, sizeof text,
             "<fathom version='1'>%s<bridge kind='dis' address='127.0.0.1' port='%d' listen-port='%d' %s/></fathom>",
             SEA, ntohs(here.sin_port), ntohs(m->bridge.sin_port), more);
    m->model = load(text);
    m->run = fm_run_create(m->model, NULL, &error);
    m->beside = fm_beside_create(m->run, NULL, &error);
    assert_int_equal(fm_bridges_add(fm_beside_place(m->beside), &error), FM_OK);
    if (fm_beside_start(m->beside, &error) != FM_OK)
        fail_msg("%s", error.text);
}

/* What has come since, for up to `patience` ms of silence. */
static void listen_for(meeting *m, int patience)
{
    struct pollfd wait = {.fd = m->fd, .events = POLLIN};
    uint8_t bytes[FM_DIS_MOST];
    fm_dis_pdu pdu;
    size_t used;
    while (poll(&wait, 1, patience) == 1) {
        ssize_t size = recv(m->fd, bytes, sizeof bytes, 0);
        if (fm_dis_decode(bytes, (size_t)size, &pdu, &used) != FM_DIS_WELL || used != (size_t)size) {
            m->wrong++;
            continue;
        }
        m->count[pdu.header.type]++;
        m->last[pdu.header.type] = pdu;
    }
}

static void advance(meeting *m, double until)
{
    fm_error error = {0};
    if (fm_run_until(m->run, until, &error) != FM_OK)
        fail_msg("%s", error.text);
}

static void finish_meeting(meeting *m)
{
    fm_run_finish(m->run, NULL);
    fm_beside_free(m->beside);
    listen_for(m, 50);
    fm_run_free(m->run);
    fm_model_free(m->model);
    close(m->fd);
}

static double counter(const meeting *m, const char *name)
{
    fm_wire_counter all[64];
    size_t count = fm_place_counters(fm_beside_place(m->beside), all, 64);
    for (size_t i = 0; i < count && i < 64; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].value;
    return -1;
}

/* Until the bridge has counted what was sent to it, at most 5 s. */
static void wait_for(const meeting *m, const char *name, double value)
{
    for (int i = 0; i < 500 && counter(m, name) < value; i++)
        usleep(10000);
    assert_true(counter(m, name) >= value);
}

static void tell(const meeting *m, const fm_dis_pdu *pdu)
{
    uint8_t bytes[FM_DIS_MOST];
    size_t size = fm_dis_encode(pdu, bytes, sizeof bytes);
    assert_int_equal(sendto(m->fd, bytes, size, 0, (const struct sockaddr *)&m->bridge, sizeof m->bridge), size);
}

static fm_dis_pdu other_at(double north, double speed)
{
    fm_dis_pdu pdu = {.header = {.version = 6, .exercise = 1, .type = FM_DIS_ENTITY_STATE}};
    fm_reckon_track track = {.position = {north, 5, 10}, .attitude = {1, 0, 0, 0}, .velocity = {speed, 0, 0}};
    pdu.entity.id = (fm_dis_id){7, 8, 9};
    memcpy(pdu.entity.marking, "Whale", 5);
    fm_dis_entity_set_track(&pdu.entity, &origin, &track, FM_RECKON_FPW);
    return pdu;
}

static void a_vehicle_is_told_of_when_a_receiver_would_be_wrong(void **state)
{
    (void)state;
    meeting m;
    begin(&m, "");
    advance(&m, 40);
    finish_meeting(&m);
    assert_int_equal(m.wrong, 0);
    assert_in_range(m.count[FM_DIS_ENTITY_STATE], 8, 120); /* of 800 steps */
    assert_true(m.count[FM_DIS_ACOUSTIC] >= 8);            /* pings, and the propellers that start */
    const fm_dis_entity *e = &m.last[FM_DIS_ENTITY_STATE].entity;
    assert_memory_equal(e->marking, "phoenix\0\0\0\0", 11);
    assert_int_equal(e->part_count, 12);
    assert_int_equal(e->appearance, 1u << 23); /* the last word: it leaves */
    assert_int_equal(m.last[FM_DIS_ACOUSTIC].acoustic.shafts[0].ordered, 700);
}

static void fine_mode_speaks_ten_times_a_second(void **state)
{
    (void)state;
    meeting m;
    begin(&m, "send='fine' algorithm='fpb' version='6'");
    advance(&m, 10);
    finish_meeting(&m);
    assert_int_equal(m.count[FM_DIS_ENTITY_STATE], 101 + 1); /* and the farewell */
    assert_int_equal(m.last[FM_DIS_ENTITY_STATE].header.version, 6);
    assert_int_equal(m.last[FM_DIS_ENTITY_STATE].entity.reckoning, FM_RECKON_FPB);
    begin(&m, "send='fine' rate='4 Hz'");
    advance(&m, 5);
    finish_meeting(&m);
    assert_int_equal(m.count[FM_DIS_ENTITY_STATE], 21 + 1);
    begin(&m, "send='step'");
    advance(&m, 5);
    finish_meeting(&m);
    assert_int_equal(m.count[FM_DIS_ENTITY_STATE], 101 + 1);
}

/* Comes, is dead-reckoned, says farewell or is silent for too long. */
static void an_entity_of_others_is_a_vehicle_of_the_world(void **state)
{
    (void)state;
    meeting m;
    begin(&m, "timeout='3 s'");
    fm_world *world = fm_run_world(m.run);
    fm_pose pose;
    advance(&m, 1);
    fm_dis_pdu pdu = other_at(30, 2);
    tell(&m, &pdu);
    usleep(50000);
    advance(&m, 1.1);
    wait_for(&m, "dis/heard", 1);
    advance(&m, 3);
    int slot = fm_world_find(world, "whale-7-8-9");
    assert_true(slot >= 0);
    assert_int_equal(fm_world_pose(world, slot, &pose), FM_OK);
    near("north", pose.position[0], 30 + 2 * 2, 0.21); /* heard within two steps of 1 s */
    near("east", pose.position[1], 5, 1e-6);
    advance(&m, 4.5);
    assert_true(fm_world_find(world, "whale-7-8-9") < 0); /* silent */
    tell(&m, &pdu);
    usleep(50000);
    advance(&m, 5);
    wait_for(&m, "dis/heard", 2);
    advance(&m, 5.2);
    assert_true(fm_world_find(world, "whale-7-8-9") >= 0);
    pdu.entity.appearance = 1u << 23;
    tell(&m, &pdu);
    usleep(50000);
    advance(&m, 5.4);
    wait_for(&m, "dis/heard", 3);
    advance(&m, 5.6);
    assert_true(fm_world_find(world, "whale-7-8-9") < 0);
    finish_meeting(&m);
}

/* It lies in the way: a Collision PDU names it. */
static void a_collision_names_the_other(void **state)
{
    (void)state;
    meeting m;
    begin(&m, "");
    fm_dis_pdu pdu = other_at(3, 0);
    fm_reckon_track track = {.position = {3, 0, 10}, .attitude = {1, 0, 0, 0}};
    fm_dis_entity_set_track(&pdu.entity, &origin, &track, FM_RECKON_STATIC);
    tell(&m, &pdu);
    usleep(50000);
    advance(&m, 0.1);
    wait_for(&m, "dis/heard", 1);
    advance(&m, 8);
    finish_meeting(&m);
    assert_true(m.count[FM_DIS_COLLISION] >= 1);
    const fm_dis_collision *c = &m.last[FM_DIS_COLLISION].collision;
    assert_int_equal(c->issuer.entity, 1);
    assert_int_equal(c->other.site, 7);
    assert_int_equal(c->other.entity, 9);
    near("mass", (double)c->mass, 435 * 4.4482216 / 9.80665, 2);
}

static void a_manager_stops_and_starts_it_and_strangers_do_not(void **state)
{
    (void)state;
    meeting m;
    begin(&m, "");
    fm_dis_pdu stop = {.header = {.version = 7, .exercise = 1, .type = FM_DIS_STOP_FREEZE}};
    stop.stop = (fm_dis_stop){.from = {7, 8, 0}, .to = {0xffff, 0xffff, 0xffff}, .request = 41};
    advance(&m, 0.2);
    tell(&m, &stop);
    for (int i = 0; i < 100 && !m.count[FM_DIS_ACKNOWLEDGE]; i++)
        listen_for(&m, 20);
    assert_int_equal(m.last[FM_DIS_ACKNOWLEDGE].acknowledge.request, 41);
    assert_int_equal(m.last[FM_DIS_ACKNOWLEDGE].acknowledge.response, FM_DIS_ABLE);
    assert_int_equal(m.last[FM_DIS_ACKNOWLEDGE].acknowledge.flag, 4);
    assert_true(fm_run_paused(m.run));
    fm_dis_pdu start = {.header = {.version = 7, .exercise = 1, .type = FM_DIS_START_RESUME}};
    start.start = (fm_dis_start){.from = {7, 8, 0}, .to = {1, 1, 0}, .request = 42};
    tell(&m, &start);
    for (int i = 0; i < 100 && m.count[FM_DIS_ACKNOWLEDGE] < 2; i++)
        listen_for(&m, 20);
    assert_int_equal(m.last[FM_DIS_ACKNOWLEDGE].acknowledge.request, 42);
    assert_false(fm_run_paused(m.run));
    finish_meeting(&m);
    begin(&m, "allow='10.1.2.3'");
    advance(&m, 0.2);
    tell(&m, &stop);
    for (int i = 0; i < 100 && !m.count[FM_DIS_ACKNOWLEDGE]; i++)
        listen_for(&m, 20);
    assert_int_equal(m.last[FM_DIS_ACKNOWLEDGE].acknowledge.response, FM_DIS_UNABLE);
    assert_false(fm_run_paused(m.run));
    assert_true(counter(&m, "dis/drop/not-allowed") == 1);
    finish_meeting(&m);
}

static void what_is_damaged_is_counted_by_its_reason(void **state)
{
    (void)state;
    meeting m;
    uint8_t bytes[FM_DIS_MOST];
    begin(&m, "");
    fm_dis_pdu pdu = other_at(30, 2);
    size_t size = fm_dis_encode(&pdu, bytes, sizeof bytes);
    sendto(m.fd, bytes, size - 1, 0, (const struct sockaddr *)&m.bridge, sizeof m.bridge);
    bytes[0] = 5;
    sendto(m.fd, bytes, size, 0, (const struct sockaddr *)&m.bridge, sizeof m.bridge);
    pdu.header.exercise = 9;
    tell(&m, &pdu);
    wait_for(&m, "dis/drop/short", 1);
    wait_for(&m, "dis/drop/version", 1);
    wait_for(&m, "dis/drop/exercise", 1);
    finish_meeting(&m);
}

static void settings_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    unsigned n[7];
    assert_true(fm_dis_read_entity_type("1.4.225.8.1", n));
    assert_int_equal(n[2], 225);
    assert_int_equal(n[4], 1);
    assert_false(fm_dis_read_entity_type("1.4.225.256", n));
    assert_false(fm_dis_read_entity_type("1.4.", n));
    assert_false(fm_dis_read_entity_type("submarine", n));
    assert_false(fm_dis_read_entity_type("1.2.3.4.5.6.7.8", n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vehicle_is_told_of_when_a_receiver_would_be_wrong),
        cmocka_unit_test(fine_mode_speaks_ten_times_a_second),
        cmocka_unit_test(an_entity_of_others_is_a_vehicle_of_the_world),
        cmocka_unit_test(a_collision_names_the_other),
        cmocka_unit_test(a_manager_stops_and_starts_it_and_strangers_do_not),
        cmocka_unit_test(what_is_damaged_is_counted_by_its_reason),
        cmocka_unit_test(settings_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
