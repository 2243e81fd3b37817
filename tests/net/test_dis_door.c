/* The DIS bridge beside a run, met by a socket of another simulator. */
#include <arpa/inet.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "bridges/dis/dis_frame.h"
#include "bridges/dis/dis_sender.h"
#include "run/run.h"
#include "server/bridges.h"
#include "server/run_host.h"
#include "support/program.h"
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
    fm_run_host *run_host;
    int fd; /* where the bridge sends to */
    struct sockaddr_in bridge;
    size_t count[256]; /* PDUs by type */
    size_t wrong;
    int hops; /* of the last datagram, if the socket reports them */
    fm_dis_pdu last[256];
} meeting;

static int bind_any(struct sockaddr_in *at, in_addr_t address)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t size = sizeof *at;
    *at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
    assert_int_equal(bind(fd, (struct sockaddr *)at, sizeof *at), 0);
    getsockname(fd, (struct sockaddr *)at, &size);
    return fd;
}

/* At this address: where the bridge sends to, and where it is reached. */
static void begin_at(meeting *m, const char *address, const char *more)
{
    char text[2048];
    struct sockaddr_in here;
    fm_error error = {0};
    memset(m, 0, sizeof *m);
    int spare = bind_any(&m->bridge, INADDR_LOOPBACK); /* a port that is free */
    m->fd = bind_any(&here, strcmp(address, "127.0.0.1") == 0 ? INADDR_LOOPBACK : INADDR_ANY);
    close(spare);
    inet_pton(AF_INET, address, &m->bridge.sin_addr);
    snprintf(text, sizeof text,
             "<fathom version='1'>%s<bridge kind='dis' address='%s' port='%d' listen-port='%d' %s/></fathom>", SEA,
             address, ntohs(here.sin_port), ntohs(m->bridge.sin_port), more);
    m->model = load(text);
    m->run = fm_run_create(m->model, NULL, &error);
    m->run_host = fm_run_host_create(m->run, NULL, &error);
    assert_int_equal(fm_bridges_add(fm_run_host_base(m->run_host), &error), FM_OK);
    if (fm_run_host_start(m->run_host, &error) != FM_OK)
        fail_msg("%s", error.text);
}

static void begin(meeting *m, const char *more)
{
    begin_at(m, "127.0.0.1", more);
}

/* What has come since, for up to `patience` ms of silence. */
static void listen_for(meeting *m, int patience)
{
    struct pollfd wait = {.fd = m->fd, .events = POLLIN};
    uint8_t bytes[FM_DIS_MOST];
    fm_dis_pdu pdu;
    size_t used;
    while (poll(&wait, 1, patience) == 1) {
        char control[64];
        struct iovec part = {bytes, sizeof bytes};
        struct msghdr message = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
        ssize_t size = recvmsg(m->fd, &message, 0);
        const struct cmsghdr *about = CMSG_FIRSTHDR(&message);
        if (about && about->cmsg_level == IPPROTO_IP && about->cmsg_type == IP_TTL)
            memcpy(&m->hops, CMSG_DATA(about), sizeof m->hops);
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
    fm_run_host_free(m->run_host);
    listen_for(m, 50);
    fm_run_free(m->run);
    fm_model_free(m->model);
    close(m->fd);
}

static double counter(const meeting *m, const char *name)
{
    fm_wire_counter all[64];
    size_t count = fm_host_counters(fm_run_host_base(m->run_host), all, 64);
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
    assert_at_least(counter(m, name), value);
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
    assert_at_least(m.count[FM_DIS_ACOUSTIC], 8);          /* pings, and the propellers that start */
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
    assert_int_equal(fm_run_record(m.run, "net_dis_names.mcap", NULL, NULL), FM_OK);
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
    assert_at_least(slot, 0);
    assert_int_equal(fm_world_pose(world, slot, &pose), FM_OK);
    near("north", pose.position[0], 30 + 2 * 2, 0.21); /* heard within two steps of 1 s */
    near("east", pose.position[1], 5, 1e-6);
    advance(&m, 4.5);
    assert_less(fm_world_find(world, "whale-7-8-9"), 0); /* silent */
    tell(&m, &pdu);
    usleep(50000);
    advance(&m, 5);
    wait_for(&m, "dis/heard", 2);
    advance(&m, 5.2);
    assert_at_least(fm_world_find(world, "whale-7-8-9"), 0);
    pdu.entity.appearance = 1u << 23;
    tell(&m, &pdu);
    usleep(50000);
    advance(&m, 5.4);
    wait_for(&m, "dis/heard", 3);
    advance(&m, 5.6);
    assert_less(fm_world_find(world, "whale-7-8-9"), 0);
    finish_meeting(&m);
    static program_run r; /* by its marking, once though it came twice; it has no instruments */
    run_fathom(&r, "info net_dis_names.mcap");
    expect_run(&r, 0, "/whale-7-8-9/odom");
    const char *first = strstr(r.out, "/whale-7-8-9/");
    assert_null(strstr(first + 1, "/whale-7-8-9/"));
    assert_false(said(&r, "spawned"));
    run_fathom(&r, "replay net_dis_names.mcap --verify");
    expect_run(&r, 0, "the same");
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
    assert_at_least(m.count[FM_DIS_COLLISION], 1);
    const fm_dis_collision *c = &m.last[FM_DIS_COLLISION].collision;
    assert_int_equal(c->issuer.entity, 1);
    assert_int_equal(c->other.site, 7);
    assert_int_equal(c->other.entity, 9);
    near("mass", (double)c->mass, 435 * 4.4482216 / 9.80665, 2);
    /* Its velocity is that before the impact, which turned it back. */
    double forward[3], speed = 0;
    fm_dis_vector_out(&origin, (const double[3]){0, 0, 10}, (const double[3]){1, 0, 0}, forward);
    for (int i = 0; i < 3; i++)
        speed += forward[i] * (double)c->velocity[i];
    near("speed towards the other", speed, 2 * 0.3048, 1e-3); /* that which it came with */
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
    assert_same(counter(&m, "dis/drop/not-allowed"), 1);
    finish_meeting(&m);
}

/* Classes of SISO-REF-010: rudder 1024, dive planes 2240 and 2304, propellers 1280 and 1312, primary radar ("any radar
 * dish or movable antenna or sensor") 5376; metrics 11 azimuth, 13 elevation, 16 rotation rate, 3 extension. */
static void parts_have_the_classes_of_the_standard(void **state)
{
    (void)state;
    static const uint32_t wanted[] = {1024 + 11, 2240 + 13, 2272 + 13, 2304 + 13, 2336 + 13,
                                      1280 + 16, 1312 + 16, 5376 + 11, 5376 + 3,  5696 + 2};
    fm_world *world = start("<fathom version='1'><world dt='0.05 s'/><vehicle name='phoenix' model='nps-auv-ii' "
                            "position='0 0 10 m'><sonar/></vehicle></fathom>");
    fm_dis_sender sender = {0};
    fm_dis_sender_begin(&sender, world, 0);
    for (size_t i = 0; i < FM_COUNT(wanted); i++) {
        size_t found = 0;
        for (size_t k = 0; k < sender.source_count; k++)
            found += sender.sources[k].type == wanted[i];
        if (found != 1)
            fail_msg("%zu parts of type %u", found, wanted[i]);
    }
    finish(world);
}

/* All on this computer's loopback hear a broadcast, and the bridge hears theirs. */
static void a_broadcast_reaches_all_and_comes_from_all(void **state)
{
    (void)state;
    meeting m;
    int yes = 1;
    begin_at(&m, "127.255.255.255", "");
    assert_int_equal(setsockopt(m.fd, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes), 0);
    advance(&m, 0.2);
    for (int i = 0; i < 100 && !m.count[FM_DIS_ENTITY_STATE]; i++)
        listen_for(&m, 20);
    assert_at_least(m.count[FM_DIS_ENTITY_STATE], 1);
    fm_dis_pdu whale = other_at(30, 2);
    tell(&m, &whale);
    for (int i = 0; i < 100 && counter(&m, "dis/heard") < 1; i++) {
        advance(&m, 0.25 + 0.05 * i);
        usleep(20000);
    }
    advance(&m, 8);
    assert_at_least(fm_world_find(fm_run_world(m.run), "whale-7-8-9"), 0);
    finish_meeting(&m);
    assert_int_equal(m.wrong, 0);
}

static void join_group(int fd, const char *group)
{
    struct ip_mreq place = {.imr_interface.s_addr = htonl(INADDR_LOOPBACK)};
    int yes = 1;
    inet_pton(AF_INET, group, &place.imr_multiaddr);
    assert_int_equal(setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &place, sizeof place), 0);
    assert_int_equal(setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &place.imr_interface, sizeof place.imr_interface), 0);
    assert_int_equal(setsockopt(fd, IPPROTO_IP, IP_RECVTTL, &yes, sizeof yes), 0);
}

/* The group alone hears it, over as many routers as were asked for. */
static void a_group_is_spoken_to_with_the_hops_that_were_asked_for(void **state)
{
    (void)state;
    static const int hops[] = {1, 7};
    for (size_t i = 0; i < FM_COUNT(hops); i++) {
        meeting m;
        char more[64];
        snprintf(more, sizeof more, "interface='127.0.0.1' ttl='%d'", hops[i]);
        begin_at(&m, "239.7.8.9", more);
        join_group(m.fd, "239.7.8.9");
        advance(&m, 6); /* with a heartbeat at least, whatever was said before the group was joined */
        for (int k = 0; k < 100 && !m.count[FM_DIS_ENTITY_STATE]; k++)
            listen_for(&m, 20);
        assert_at_least(m.count[FM_DIS_ENTITY_STATE], 1);
        assert_int_equal(m.hops, hops[i]);
        fm_dis_pdu whale = other_at(30, 2);
        tell(&m, &whale);
        for (int k = 0; k < 100 && counter(&m, "dis/heard") < 1; k++) {
            advance(&m, 6.25 + 0.05 * k);
            usleep(20000);
        }
        advance(&m, 12);
        assert_at_least(fm_world_find(fm_run_world(m.run), "whale-7-8-9"), 0);
        finish_meeting(&m);
    }
}

/* Start/Resume when it begins, Stop/Freeze when it is paused, Start/Resume again, Stop/Freeze at its end, each with a
 * number of its own and for all simulations. */
/* Seconds since 1970: whole hours, and a timestamp past the hour: 2^31 units, times two. */
static double seconds_of(fm_dis_clock clock)
{
    return 3600 * (clock.hour + clock.past / 4294967296.);
}

static void a_manager_of_others_tells_them_when_it_starts_and_stops(void **state)
{
    (void)state;
    meeting m;
    begin(&m, "manage='true'");
    advance(&m, 0.1);
    for (int i = 0; i < 100 && m.count[FM_DIS_START_RESUME] < 1; i++)
        listen_for(&m, 20);
    assert_int_equal(m.count[FM_DIS_START_RESUME], 1);
    const fm_dis_start first = m.last[FM_DIS_START_RESUME].start;
    assert_int_equal(first.to.site, 0xffff);
    assert_int_equal(first.from.application, 1);
    near("real time, s", seconds_of(first.real), (double)time(NULL), 600);
    near("simulated time, s", seconds_of(first.simulation), 1577836800.1, 0.2); /* epoch="2020-01-01" */
    fm_run_pause(m.run);
    for (int i = 0; i < 100 && m.count[FM_DIS_STOP_FREEZE] < 1; i++)
        listen_for(&m, 20);
    assert_int_equal(m.count[FM_DIS_STOP_FREEZE], 1);
    assert_int_equal(m.last[FM_DIS_STOP_FREEZE].stop.request, first.request + 1);
    fm_run_resume(m.run);
    for (int i = 0; i < 100 && m.count[FM_DIS_START_RESUME] < 2; i++)
        listen_for(&m, 20);
    assert_int_equal(m.count[FM_DIS_START_RESUME], 2);
    fm_dis_pdu taken = {.header = {.version = 7, .exercise = 1, .type = FM_DIS_ACKNOWLEDGE}};
    taken.acknowledge = (fm_dis_acknowledge){.from = {7, 8, 0}, .to = {1, 1, 0}, .flag = 3, .response = FM_DIS_ABLE};
    tell(&m, &taken);
    wait_for(&m, "dis/acknowledged", 1);
    finish_meeting(&m);
    assert_int_equal(m.count[FM_DIS_STOP_FREEZE], 2);
    assert_int_equal(m.wrong, 0);
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

/* At load, with the line of the element. */
static void settings_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *setting, *words;
    } wrong[] = {{"entity-type='1.4.225.256'", "entity-type"},
                 {"entity-type='1.4.'", "entity-type"},
                 {"entity-type='submarine'", "up to seven numbers"},
                 {"entity-type='1.2.3.4.5.6.7.8'", "up to seven numbers"},
                 {"entity-type='-1.4'", "entity-type"},
                 {"entity-types='phoenix=1.4 phenix=1.4'", "no vehicle 'phenix'; did you mean 'phoenix'?"},
                 {"entity-types='phoenix=1.400'", "'1.400' of 'phoenix' is not an entity type"},
                 {"forces='phoenix=hostile'", "must be other, friendly, opposing or neutral"},
                 {"forces='phoenix'", "must be VEHICLE=VALUE"},
                 {"foreign='contakt'", "did you mean 'contact'"},
                 {"foreign='nps-auv-ii'", "no <type> 'nps-auv-ii' with <foreign/>"}};
    for (size_t i = 0; i < FM_COUNT(wrong); i++) {
        char text[2048];
        fm_error error = {0};
        snprintf(text, sizeof text, "<fathom version='1'>%s\n\n<bridge kind='dis' %s/></fathom>", SEA,
                 wrong[i].setting);
        assert_null(try_load(text, &error));
        if (!strstr(error.text, wrong[i].words) || error.line != 3)
            fail_msg("line %d: '%s' does not say '%s'", error.line, error.text, wrong[i].words);
    }
    meeting m;
    begin(&m, "entity-type='1.4.225.8.1'");
    advance(&m, 0.1);
    for (int i = 0; i < 100 && !m.count[FM_DIS_ENTITY_STATE]; i++)
        listen_for(&m, 20);
    const fm_dis_entity_type *type = &m.last[FM_DIS_ENTITY_STATE].entity.type;
    assert_int_equal(type->country, 225);
    assert_int_equal(type->subcategory, 1);
    assert_int_equal(type->specific, 0);
    assert_int_equal(m.last[FM_DIS_ENTITY_STATE].entity.force, 1);
    finish_meeting(&m);
}

static void a_vehicle_may_have_its_own_type_and_force(void **state)
{
    (void)state;
    meeting m;
    begin(&m, "entity-type='1.4.225.8.1' entity-types='phoenix=1.4.57.3' force='neutral' forces='phoenix=opposing'");
    advance(&m, 0.1);
    for (int i = 0; i < 100 && !m.count[FM_DIS_ENTITY_STATE]; i++)
        listen_for(&m, 20);
    const fm_dis_entity *e = &m.last[FM_DIS_ENTITY_STATE].entity;
    assert_int_equal(e->force, 2);
    assert_int_equal(e->type.country, 57);
    assert_int_equal(e->type.category, 3);
    assert_int_equal(e->type.subcategory, 0);
    finish_meeting(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vehicle_is_told_of_when_a_receiver_would_be_wrong),
        cmocka_unit_test(fine_mode_speaks_ten_times_a_second),
        cmocka_unit_test(an_entity_of_others_is_a_vehicle_of_the_world),
        cmocka_unit_test(a_collision_names_the_other),
        cmocka_unit_test(a_manager_stops_and_starts_it_and_strangers_do_not),
        cmocka_unit_test(parts_have_the_classes_of_the_standard),
        cmocka_unit_test(a_broadcast_reaches_all_and_comes_from_all),
        cmocka_unit_test(a_group_is_spoken_to_with_the_hops_that_were_asked_for),
        cmocka_unit_test(a_manager_of_others_tells_them_when_it_starts_and_stops),
        cmocka_unit_test(what_is_damaged_is_counted_by_its_reason),
        cmocka_unit_test(settings_that_make_no_sense_are_refused),
        cmocka_unit_test(a_vehicle_may_have_its_own_type_and_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
