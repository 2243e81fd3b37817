/* The pseudo-terminals of examples/broker, as software meets them that opens a serial device by name. */
#include "support/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serial.h"

#define LINK "broker-tty"

static void every_byte_arrives_as_it_was_sent(void **state)
{
    (void)state;
    broker_serial serial;
    unsigned char sent[256], came[256];
    for (int i = 0; i < 256; i++)
        sent[i] = (unsigned char)i; /* ends of lines, XON and end of file among them */
    assert_int_equal(broker_serial_open(&serial, LINK), 0);
    int device = open(LINK, O_RDWR | O_NOCTTY);
    assert_at_least(device, 0);
    assert_true(isatty(device));
    broker_serial_write(&serial, sent, sizeof sent);
    size_t count = 0;
    while (count < sizeof came) {
        ssize_t n = read(device, came + count, sizeof came - count);
        assert_greater(n, 0);
        count += (size_t)n;
    }
    assert_memory_equal(came, sent, sizeof sent);
    close(device);
    broker_serial_close(&serial);
    assert_int_equal(access(LINK, F_OK), -1);
}

static void lines_come_whole_and_long_ones_not_at_all(void **state)
{
    (void)state;
    broker_serial serial;
    char longer[2 * BROKER_SERIAL_LINE];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\n';
    assert_int_equal(broker_serial_open(&serial, LINK), 0);
    int device = open(LINK, O_RDWR | O_NOCTTY);
    assert_int_equal(broker_serial_read(&serial), 0);
    assert_int_equal(write(device, "fir", 3), 3);
    assert_int_equal(broker_serial_read(&serial), 0);
    assert_int_equal(write(device, "st\r\nsecond\r", 11), 11);
    assert_int_equal(broker_serial_read(&serial), 1);
    assert_string_equal(serial.line, "first");
    assert_int_equal(broker_serial_read(&serial), 1);
    assert_string_equal(serial.line, "second");
    assert_int_equal(write(device, longer, sizeof longer), sizeof longer);
    assert_int_equal(write(device, "third\n", 6), 6);
    assert_int_equal(broker_serial_read(&serial), 1);
    assert_string_equal(serial.line, "third");
    close(device);
    broker_serial_close(&serial);
}

static void a_line_that_nobody_reads_holds_up_nobody(void **state)
{
    (void)state;
    broker_serial serial;
    char text[64];
    assert_int_equal(broker_serial_open(&serial, LINK), 0);
    for (int i = 0; i < 5000; i++) {
        int n = snprintf(text, sizeof text, "report %d\n", i);
        broker_serial_write(&serial, text, (size_t)n);
    }
    int device = open(LINK, O_RDWR | O_NOCTTY | O_NONBLOCK); /* who comes late gets news, not the oldest */
    static char came[1 << 16];
    ssize_t n = read(device, came, sizeof came - 1);
    assert_greater(n, 0);
    came[n] = 0;
    assert_null(strstr(came, "report 0\n"));
    close(device);
    broker_serial_close(&serial);
}

static void an_old_link_is_replaced_and_a_file_is_not(void **state)
{
    (void)state;
    broker_serial serial;
    assert_int_equal(symlink("/nowhere", LINK), 0);
    assert_int_equal(broker_serial_open(&serial, LINK), 0);
    broker_serial_close(&serial);
    int file = open(LINK, O_CREAT | O_WRONLY, 0600);
    assert_at_least(file, 0);
    close(file);
    assert_int_equal(broker_serial_open(&serial, LINK), -1);
    assert_int_equal(errno, EEXIST);
    assert_int_equal(unlink(LINK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_arrives_as_it_was_sent),
        cmocka_unit_test(lines_come_whole_and_long_ones_not_at_all),
        cmocka_unit_test(a_line_that_nobody_reads_holds_up_nobody),
        cmocka_unit_test(an_old_link_is_replaced_and_a_file_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
