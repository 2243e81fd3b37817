/* A ring between two threads: what it holds of the computer's memory, and that nothing is lost or changed on its way.
 */
#include "telemetry/ring.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka_all.h"
#include "support/memory.h"

enum { MEGABYTE = 1 << 20, MESSAGE = 1000 };

static long resident(void)
{
    long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_int_equal(fscanf(file, "%ld %ld", &size, &pages), 2);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void fill(uint8_t data[MESSAGE], uint32_t number)
{
    for (size_t i = 0; i < MESSAGE; i++)
        data[i] = (uint8_t)(number * 31 + i);
}

static void a_ring_whose_consumer_keeps_up_touches_an_eighth_of_its_memory(void **state)
{
    (void)state;
    fm_ring *ring = fm_ring_create(128 * MEGABYTE, FM_RING_DROP);
    assert_non_null(ring);
    fm_ring_begin_anew(ring, MEGABYTE);
    uint8_t data[MESSAGE];
    long before = resident();
    for (uint32_t i = 0; i < 400000; i++) { /* 400 MB */
        fm_ring_item out;
        fill(data, i);
        assert_true(fm_ring_put(ring, &(fm_ring_item){.sequence = i, .size = MESSAGE, .data = data}));
        assert_true(fm_ring_peek(ring, &out));
        assert_same(out.sequence, i);
        assert_same(out.size, MESSAGE);
        assert_memory_equal(out.data, data, MESSAGE);
        fm_ring_pop(ring);
        assert_false(fm_ring_peek(ring, &out));
    }
    if (measures_memory())
        assert_less(resident() - before, 20 * MEGABYTE);
    assert_int_equal(fm_ring_dropped(ring), 0);
    fm_ring_destroy(ring);
}

enum { MESSAGES = 300000 };

static void *consume(void *user)
{
    fm_ring *ring = user;
    uint8_t data[MESSAGE];
    uintptr_t wrong = 0;
    for (uint32_t i = 0; i < MESSAGES;) {
        fm_ring_item item;
        if (!fm_ring_peek(ring, &item)) {
            fm_ring_wait(ring);
            continue;
        }
        fill(data, i);
        wrong += item.sequence != i || item.size != 1 + i % MESSAGE || memcmp(item.data, data, item.size) != 0;
        fm_ring_pop(ring);
        i++;
    }
    return (void *)wrong;
}

/* A step's bytes fit whenever there was room for them, wherever the ring wraps. */
static void what_there_was_room_for_comes_through_in_order(void **state)
{
    (void)state;
    enum { STEP = 8 * (MESSAGE + 40) };
    fm_ring *ring = fm_ring_create(3 * STEP, FM_RING_WAIT);
    fm_ring_begin_anew(ring, 2 * STEP);
    pthread_t consumer;
    void *wrong;
    uint8_t data[MESSAGE];
    assert_int_equal(pthread_create(&consumer, NULL, consume, ring), 0);
    for (uint32_t i = 0; i < MESSAGES; i++) {
        if (i % 8 == 0)
            fm_ring_wait_room(ring, 2 * STEP);
        fill(data, i);
        assert_true(fm_ring_put(ring, &(fm_ring_item){.sequence = i, .size = 1 + i % MESSAGE, .data = data}));
        if (i % 8 == 7)
            fm_ring_flush(ring);
    }
    fm_ring_flush(ring);
    assert_int_equal(pthread_join(consumer, &wrong), 0);
    assert_null(wrong);
    fm_ring_destroy(ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_whose_consumer_keeps_up_touches_an_eighth_of_its_memory),
        cmocka_unit_test(what_there_was_room_for_comes_through_in_order),
    };
    return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
