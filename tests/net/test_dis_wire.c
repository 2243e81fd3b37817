/* DIS bytes: layouts as published, both ways, exact lengths; what is damaged is refused. With an argument, writes one
 * PDU of each kind there for other readers (tests/npm/check_dis.mjs, tests/net/test_dis_tshark.sh). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridges/dis/dis_frame.h"
#include "support/near.h"

/* --- one PDU of each kind, with a value of its own in every field --- */

static void fill_id(fm_dis_id *id, uint16_t first)
{
    *id = (fm_dis_id){first, (uint16_t)(first + 1), (uint16_t)(first + 2)};
}

static void fill_entity(fm_dis_entity *e)
{
    const uint32_t types[] = {FM_DIS_RUDDER + FM_DIS_AZIMUTH, FM_DIS_BOW_PLANE + FM_DIS_ELEVATION,
                              FM_DIS_PROPELLER + FM_DIS_ROTATION_RATE};
    fill_id(&e->id, 17);
    e->force = 1;
    e->part_count = 3;
    e->type = (fm_dis_entity_type){1, 4, 225, 8, 1, 2, 3};
    e->alternative = (fm_dis_entity_type){1, 4, 176, 8, 4, 5, 6};
    const fm_geodetic monterey = {36.6 * DEGREE, -121.9 * DEGREE, 0};
    fm_reckon_track track = {.position = {0, 0, 10}, .velocity = {1, 1, 0}, .acceleration = {0.125, -0.25, 0.5}};
    const double heading[3] = {0, 0, 45 * DEGREE};
    fm_quat_from_euler(heading, track.attitude);
    track.rates[0] = 0.0625, track.rates[1] = -0.5, track.rates[2] = 0.75;
    fm_dis_entity_set_track(e, &monterey, &track, FM_RECKON_RVW);
    e->appearance = 0x01020304;
    e->character_set = 1;
    memcpy(e->marking, "phoenix", 7);
    e->capabilities = 0x0a0b0c0d;
    for (unsigned i = 0; i < 3; i++)
        e->parts[i] = (fm_dis_part){.change = (uint8_t)(i + 1), .type = types[i], .value = 0.25f * (float)(i + 1)};
}

static void fill_acoustic(fm_dis_acoustic *a)
{
    fill_id(&a->emitter, 17);
    fill_id(&a->event, 40);
    a->change = 1;
    a->plant = 5;
    a->shaft_count = 2;
    a->passive_count = 1;
    a->system_count = 1;
    a->shafts[0] = (fm_dis_shaft){700, 720, -30};
    a->shafts[1] = (fm_dis_shaft){-650, 720, 30};
    a->passives[0] = (fm_dis_passive){3, -4};
    a->systems[0] = (fm_dis_system){.beam_count = 1, .name = 7, .function = 2, .id = 1, .location = {1, 0.5f, -0.25f}};
    a->beams[0] = (fm_dis_beam){.number = 1,
                                .emission = 9,
                                .pattern = 1,
                                .azimuth = 0.5f,
                                .azimuth_width = 0.25f,
                                .elevation = -0.125f,
                                .elevation_width = 0.75f};
}

static void fill(fm_dis_pdu *pdu, unsigned type, uint8_t version)
{
    memset(pdu, 0, sizeof *pdu);
    pdu->header = (fm_dis_header){.version = version,
                                  .exercise = 3,
                                  .type = (uint8_t)type,
                                  .timestamp = fm_dis_timestamp(1800.25, 0),
                                  .status = version == 7 ? 8 : 0};
    switch (type) {
    case FM_DIS_ENTITY_STATE: fill_entity(&pdu->entity); break;
    case FM_DIS_ACOUSTIC: fill_acoustic(&pdu->acoustic); break;
    case FM_DIS_COLLISION:
        fill_id(&pdu->collision.issuer, 17);
        fill_id(&pdu->collision.other, 30);
        fill_id(&pdu->collision.event, 40);
        pdu->collision.type = 1;
        pdu->collision.mass = 197.5f;
        pdu->collision.velocity[0] = 0.5f, pdu->collision.velocity[2] = -1.5f;
        pdu->collision.location[0] = 1.25f, pdu->collision.location[1] = -0.5f;
        break;
    case FM_DIS_START_RESUME:
        fill_id(&pdu->start.from, 17);
        fill_id(&pdu->start.to, 30);
        pdu->start.real = fm_dis_clock_from(3600.0 * 497280 + 12.5);
        pdu->start.simulation = fm_dis_clock_from(7200.75);
        pdu->start.request = 99;
        break;
    case FM_DIS_STOP_FREEZE:
        fill_id(&pdu->stop.from, 17);
        fill_id(&pdu->stop.to, 30);
        pdu->stop.real = fm_dis_clock_from(3600.0 * 497280 + 12.5);
        pdu->stop.reason = 1;
        pdu->stop.behaviour = 2;
        pdu->stop.request = 100;
        break;
    default:
        fill_id(&pdu->acknowledge.from, 17);
        fill_id(&pdu->acknowledge.to, 30);
        pdu->acknowledge.flag = 3;
        pdu->acknowledge.response = FM_DIS_ABLE;
        pdu->acknowledge.request = 99;
    }
}

static const unsigned every_type[] = {FM_DIS_ENTITY_STATE, FM_DIS_COLLISION,   FM_DIS_START_RESUME,
                                      FM_DIS_STOP_FREEZE,  FM_DIS_ACKNOWLEDGE, FM_DIS_ACOUSTIC};
static const size_t every_size[] = {192, 60, 44, 40, 32, 96};

/* --- facts --- */

static uint16_t at16(const uint8_t *b)
{
    return (uint16_t)(b[0] << 8 | b[1]);
}

static void lengths_are_those_of_the_standard(void **state)
{
    (void)state;
    for (size_t i = 0; i < 6; i++)
        for (uint8_t version = 6; version <= 7; version++) {
            fm_dis_pdu pdu;
            uint8_t bytes[FM_DIS_MOST];
            fill(&pdu, every_type[i], version);
            assert_int_equal(fm_dis_encode(&pdu, bytes, sizeof bytes), every_size[i]);
            assert_int_equal(at16(bytes + 8), every_size[i]);
            assert_int_equal(bytes[0], version);
            assert_int_equal(bytes[10], version == 7 ? 8 : 0);
            assert_int_equal(fm_dis_encode(&pdu, bytes, every_size[i] - 1), 0); /* too small a room */
        }
}

/* Offsets of protocol tables, byte by byte. */
static void fields_stand_where_the_standard_puts_them(void **state)
{
    (void)state;
    fm_dis_pdu pdu;
    uint8_t b[FM_DIS_MOST];
    fill(&pdu, FM_DIS_ENTITY_STATE, 7);
    fm_dis_encode(&pdu, b, sizeof b);
    const uint8_t head[12] = {7, 3, 1, 1, b[4], b[5], b[6], b[7], 0, 192, 8, 0};
    assert_memory_equal(b, head, 12);
    assert_int_equal(at16(b + 12), 17);
    assert_int_equal(at16(b + 16), 19);
    assert_int_equal(b[19], 3);
    assert_int_equal(at16(b + 22), 225);
    assert_int_equal(b[24], 8);
    assert_int_equal(b[88], FM_RECKON_RVW);
    const uint8_t acceleration_zero[4] = {0, 0, 0, 0};
    assert_memory_not_equal(b + 104, acceleration_zero, 4);
    const uint8_t p[4] = {0x3d, 0x80, 0, 0}; /* 0.0625 */
    assert_memory_equal(b + 116, p, 4);
    assert_int_equal(b[128], 1);
    assert_memory_equal(b + 129, "phoenix\0\0\0\0", 11);
    const uint8_t part[16] = {0, 2, 0, 0, 0, 0, 0x08, 0xcd, 0x3f, 0, 0, 0, 0, 0, 0, 0}; /* 2253, 0.5 */
    assert_memory_equal(b + 160, part, 16);
    fill(&pdu, FM_DIS_ACOUSTIC, 6);
    fm_dis_encode(&pdu, b, sizeof b);
    assert_int_equal(b[2], 29);
    assert_int_equal(b[3], 6);
    const uint8_t counts[4] = {5, 2, 1, 1};
    assert_memory_equal(b + 28, counts, 4);
    assert_int_equal(at16(b + 32), 700);
    assert_int_equal((int16_t)at16(b + 40), -650);
    assert_int_equal(b[52], 11); /* words of the system with its beam */
    assert_int_equal(b[72], 6);  /* of the beam */
}

/* The numbers of the protocol page for 36.6 N, 121.9 W, 10 m deep, heading north-east. */
static void a_place_off_monterey_has_the_published_coordinates(void **state)
{
    (void)state;
    fm_dis_pdu pdu;
    fill(&pdu, FM_DIS_ENTITY_STATE, 7);
    const fm_dis_entity *e = &pdu.entity;
    near("x", e->location[0], -2709078.98325455, 1e-6);
    near("y", e->location[1], -4352317.39488145, 1e-6);
    near("z", e->location[2], 3781843.15838325, 1e-6);
    near("vx", (double)e->velocity[0], 1.164039768, 1e-6);
    near("vy", (double)e->velocity[1], -0.022260296, 1e-6);
    near("vz", (double)e->velocity[2], 0.802817475, 1e-6);
    near("psi", (double)e->orientation[0], -0.019120982, 1e-6);
    near("theta", (double)e->orientation[1], -0.603682189, 1e-6);
    near("phi", (double)e->orientation[2], -2.380716708, 1e-6);
}

/* A track that goes out and comes back: float orientation and velocity are what it loses. */
static void a_track_comes_back_from_the_wire(void **state)
{
    (void)state;
    const fm_geodetic origins[] = {
        {36.6 * DEGREE, -121.9 * DEGREE, 0}, {-54 * DEGREE, 179.9999 * DEGREE, 0}, {0, 0, 0}};
    for (size_t k = 0; k < 3; k++)
        for (int algorithm = 1; algorithm <= 9; algorithm++) {
            fm_dis_entity e = {0};
            fm_reckon_track back, track = {.position = {4000, -3000, 120},
                                           .velocity = {1.5, -0.25, 0.125},
                                           .acceleration = {0.5, 0.25, -0.0625},
                                           .rates = {0.5, -0.25, 0.125}};
            const double euler[3] = {0.3, -0.4, 2.5};
            fm_quat_from_euler(euler, track.attitude);
            fm_dis_entity_set_track(&e, &origins[k], &track, algorithm);
            fm_dis_entity_get_track(&e, &origins[k], &back);
            for (int i = 0; i < 3; i++) {
                near("position", back.position[i], track.position[i], 2e-8);
                near("velocity", back.velocity[i], track.velocity[i], 3e-7);
                near("acceleration", back.acceleration[i], track.acceleration[i], 3e-7);
                near("rates", back.rates[i], track.rates[i], 0);
            }
            for (int i = 0; i < 4; i++)
                near("attitude", back.attitude[i], track.attitude[i], 3e-7);
        }
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        fm_dis_pdu pdu, back;
        uint8_t bytes[FM_DIS_MOST], again[FM_DIS_MOST];
        size_t used;
        fill(&pdu, every_type[i], 7);
        size_t size = fm_dis_encode(&pdu, bytes, sizeof bytes);
        memset(&back, 0, sizeof back);
        assert_int_equal(fm_dis_decode(bytes, size, &back, &used), FM_DIS_WELL);
        assert_int_equal(used, size);
        assert_int_equal(fm_dis_encode(&back, again, sizeof again), size);
        assert_memory_equal(bytes, again, size);
        /* several in one datagram are walked by their lengths */
        memcpy(bytes + size, again, size);
        assert_int_equal(fm_dis_decode(bytes, 2 * size, &back, &used), FM_DIS_WELL);
        assert_int_equal(used, size);
    }
}

static void set16(uint8_t *b, unsigned value)
{
    b[0] = (uint8_t)(value >> 8);
    b[1] = (uint8_t)value;
}

static void damage_is_refused_by_reason(void **state)
{
    (void)state;
    fm_dis_pdu pdu, back;
    uint8_t whole[FM_DIS_MOST], b[FM_DIS_MOST];
    size_t used;
    fill(&pdu, FM_DIS_ENTITY_STATE, 7);
    size_t size = fm_dis_encode(&pdu, whole, sizeof whole);
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(fm_dis_decode(whole, cut, &back, &used), FM_DIS_SHORT);
    for (unsigned length = 12; length < size; length++) { /* the length lies; the datagram is whole */
        memcpy(b, whole, size);
        set16(b + 8, length);
        assert_int_equal(fm_dis_decode(b, size, &back, &used), FM_DIS_LENGTH);
        assert_int_equal(used, length);
    }
    memcpy(b, whole, size);
    b[19] = 2; /* fewer parts than there is room for */
    assert_int_equal(fm_dis_decode(b, size, &back, &used), FM_DIS_LENGTH);
    memcpy(b, whole, size);
    b[0] = 5;
    assert_int_equal(fm_dis_decode(b, size, &back, &used), FM_DIS_VERSION);
    memcpy(b, whole, size);
    b[2] = 67;
    assert_int_equal(fm_dis_decode(b, size, &back, &used), FM_DIS_TYPE);
    assert_int_equal(used, size);
    memcpy(b, whole, size);
    memset(b + 48, 0xff, 8); /* NaN */
    assert_int_equal(fm_dis_decode(b, size, &back, &used), FM_DIS_VALUE);
    memcpy(b, whole, size);
    b[88] = 10;
    assert_int_equal(fm_dis_decode(b, size, &back, &used), FM_DIS_VALUE);
    fill(&pdu, FM_DIS_ACOUSTIC, 7);
    size = fm_dis_encode(&pdu, b, sizeof b);
    b[29] = 255;
    assert_int_equal(fm_dis_decode(b, size, &back, &used), FM_DIS_ROOM);
    b[29] = 2;
    b[52] = 10; /* a system that says another length */
    assert_int_equal(fm_dis_decode(b, size, &back, &used), FM_DIS_LENGTH);
}

static void timestamps_round_and_wrap_at_the_hour(void **state)
{
    (void)state;
    assert_int_equal(fm_dis_timestamp(0, 0), 0);
    assert_int_equal(fm_dis_timestamp(1800, 1), 0x80000001u);
    assert_int_equal(fm_dis_timestamp(3600 - 1e-7, 0), 0); /* nearer to the next hour than to its last unit */
    assert_int_equal(fm_dis_timestamp(2 * 3600 + 900, 0), 0x40000000u);
    near("back", fm_dis_timestamp_seconds(fm_dis_timestamp(1234.5678, 0)), 1234.5678, 0.9e-6);
    const fm_dis_clock clock = fm_dis_clock_from(1.7e9 + 0.5);
    near("clock", clock.hour * 3600.0 + fm_dis_timestamp_seconds(clock.past), 1.7e9 + 0.5, 1e-6);
}

static int write_all(const char *path)
{
    FILE *file = fopen(path, "wb");
    for (uint8_t version = 6; file && version <= 7; version++)
        for (size_t i = 0; i < 6; i++) {
            fm_dis_pdu pdu;
            uint8_t bytes[FM_DIS_MOST];
            fill(&pdu, every_type[i], version);
            fwrite(bytes, 1, fm_dis_encode(&pdu, bytes, sizeof bytes), file);
        }
    return !file || fclose(file);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_those_of_the_standard),
        cmocka_unit_test(fields_stand_where_the_standard_puts_them),
        cmocka_unit_test(a_place_off_monterey_has_the_published_coordinates),
        cmocka_unit_test(a_track_comes_back_from_the_wire),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(damage_is_refused_by_reason),
        cmocka_unit_test(timestamps_round_and_wrap_at_the_hour),
    };
    if (argc == 2)
        return write_all(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
