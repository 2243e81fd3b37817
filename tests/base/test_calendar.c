/* Dates against those of the C library and of GNU date; texts that are cut; lists of named values. */
#include "base/calendar.h"

#include <time.h>

#include "base/named_values.h"
#include "base/text.h"
#include "support/cmocka_all.h"
#include "support/near.h"

static void dates_are_those_of_timegm(void **state)
{
    (void)state;
    for (int year = 1970; year < 2410; year += 13)
        for (int day = 0; day < 366; day += 5) {
            struct tm at = {.tm_year = year - 1900, .tm_mday = 1 + day, .tm_hour = day % 24, .tm_min = 59, .tm_sec = 7};
            char text[40];
            double seconds;
            const double expected = (double)timegm(&at); /* also makes month and day */
            strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &at);
            assert_true(fm_calendar_read(text, &seconds));
            near(text, seconds, expected, 0);
            char again[40];
            assert_string_equal(fm_calendar_write(expected, 0, again, sizeof again), text);
        }
}

static void a_date_may_be_short_and_a_second_have_parts(void **state)
{
    (void)state;
    double seconds;
    char text[40];
    assert_true(fm_calendar_read("2020-01-01", &seconds));
    near("date", seconds, 1577836800, 0);
    assert_true(fm_calendar_read("2020-01-01T06:30", &seconds));
    near("minute", seconds, 1577836800 + 6.5 * 3600, 0);
    assert_true(fm_calendar_read("2023-11-14T22:13:20.25Z", &seconds));
    near("second", seconds, 1700000000.25, 0);
    assert_string_equal(fm_calendar_write(1700000000.25, 2, text, sizeof text), "2023-11-14T22:13:20.25Z");
    assert_string_equal(fm_calendar_write(1703980799.996, 2, text, sizeof text), "2023-12-31T00:00:00.00Z");
}

static void what_is_no_date_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "2020",
                                        "2020-13-01",
                                        "2021-02-29",
                                        "2020-00-10",
                                        "2020-01-32",
                                        "2020-01-01T25:00",
                                        "20-01-01",
                                        "2020-01-01T12:60",
                                        "2020-01-01x",
                                        "1969-12-31",
                                        "2020-01-01T1:00",
                                        "2020-01-01T12:00:60",
                                        "2020-01-01T12:00:5"};
    double seconds;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (fm_calendar_read(wrong[i], &seconds))
            fail_msg("'%s' is read as %.0f", wrong[i], seconds);
}

static void a_text_is_cut_between_words(void **state)
{
    (void)state;
    char text[24];
    assert_string_equal(fm_text_shorten(text, sizeof text, "all of this fits"), "all of this fits");
    assert_string_equal(fm_text_shorten(text, sizeof text, "the vehicle 'phoenix' is taken"), "the vehicle …");
    assert_string_equal(fm_text_shorten(text, sizeof text, "the vehicle of another client"), "the vehicle of …");
    assert_string_equal(fm_text_shorten(text, sizeof text, "aVeryLongWordWithoutSpaceAtAll"), "aVeryLongWordWithout…");
    assert_string_equal(fm_text_shorten(text, sizeof text, "éééééééééééééééé"), "éééééééééé…");
    assert_string_equal(fm_text_shorten(text, sizeof text, "ééééé ééééé ééééé"), "ééééé …");
}

static void named_values_are_found_by_their_name(void **state)
{
    (void)state;
    fm_named_value found;
    static const char list[] = " otter=opposing  ghost=neutral\n";
    assert_string_equal(fm_named_value_find(list, "ghost", &found), "neutral");
    assert_string_equal(fm_named_value_find(list, "otter", &found), "opposing");
    assert_null(fm_named_value_find(list, "ott", &found));
    assert_null(fm_named_value_find(NULL, "otter", &found));
    for (const char *const *wrong = (const char *const[]){"otter", "=x", "otter=", "otter =x", NULL}; *wrong; wrong++) {
        const char *at = *wrong;
        if (fm_named_value_next(&at, &found) != -1)
            fail_msg("'%s' is accepted", *wrong);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_are_those_of_timegm),
        cmocka_unit_test(a_date_may_be_short_and_a_second_have_parts),
        cmocka_unit_test(what_is_no_date_is_refused),
        cmocka_unit_test(a_text_is_cut_between_words),
        cmocka_unit_test(named_values_are_found_by_their_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
