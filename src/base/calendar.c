#include "base/calendar.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

/* Days since 1970 of a date; years count from March, so that a leap day is the last of its year. */
static int64_t days_of(int year, int month, int day)
{
    int64_t y = month > 2 ? year : year - 1, era = y / 400, within = y - 400 * era;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return 146097 * era + 365 * within + within / 4 - within / 100 + day_of_year - 719468;
}

static void date_of(int64_t days, fm_calendar *at)
{
    int64_t z = days + 719468, era = z / 146097, within = z - 146097 * era;
    int64_t year = (within - within / 1460 + within / 36524 - within / 146096) / 365;
    int64_t day_of_year = within - (365 * year + year / 4 - year / 100), march = (5 * day_of_year + 2) / 153;
    at->day = (int)(day_of_year - (153 * march + 2) / 5 + 1);
    at->month = (int)(march < 10 ? march + 3 : march - 9);
    at->year = (int)(year + 400 * era + (at->month <= 2));
}

/* Exactly `count` digits. */
static bool read_digits(const char **text, int count, int *number)
{
    *number = 0;
    for (; count > 0; count--, (*text)++) {
        if (!isdigit((unsigned char)**text))
            return false;
        *number = 10 * *number + (**text - '0');
    }
    return true;
}

static bool read_mark(const char **text, char mark)
{
    bool right = **text == mark;
    *text += right;
    return right;
}

static bool read_clock(const char **text, fm_calendar *at)
{
    int whole = 0;
    if (!read_digits(text, 2, &at->hour) || !read_mark(text, ':') || !read_digits(text, 2, &at->minute))
        return false;
    if (!read_mark(text, ':'))
        return at->hour < 24 && at->minute < 60;
    const char *second = *text;
    if (!read_digits(text, 2, &whole) || (**text == '.' && !isdigit((unsigned char)(*text)[1])))
        return false;
    if (**text == '.')
        (*text)++;
    while (isdigit((unsigned char)**text))
        (*text)++;
    return fm_text_number_read(&second, &at->second) && second == *text && at->hour < 24 && at->minute < 60 &&
           at->second < 60;
}

bool fm_calendar_read(const char *text, double *seconds)
{
    fm_calendar at = {0}, again = {0};
    if (!read_digits(&text, 4, &at.year) || !read_mark(&text, '-') || !read_digits(&text, 2, &at.month) ||
        !read_mark(&text, '-') || !read_digits(&text, 2, &at.day) || at.year < 1970 || at.month < 1 || at.month > 12 ||
        at.day < 1)
        return false;
    int64_t days = days_of(at.year, at.month, at.day);
    date_of(days, &again); /* refuses the 31st of a month of 30 days */
    if (again.month != at.month || (read_mark(&text, 'T') && !read_clock(&text, &at)))
        return false;
    read_mark(&text, 'Z');
    *seconds = (double)days * 86400 + at.hour * 3600 + at.minute * 60 + at.second;
    return *text == 0;
}

fm_calendar fm_calendar_from(double seconds, int digits)
{
    int64_t parts = 1;
    for (int i = 0; i < digits; i++)
        parts *= 10;
    fm_calendar at = {0};
    double day = floor(seconds / 86400);
    int64_t days = (int64_t)day, rest = llround((seconds - day * 86400) * (double)parts);
    days += rest / (86400 * parts); /* the last moment of a day may round to the next one */
    rest %= 86400 * parts;
    date_of(days, &at);
    at.hour = (int)(rest / (3600 * parts));
    at.minute = (int)(rest / (60 * parts) % 60);
    at.second = (double)(rest % (60 * parts)) / (double)parts;
    return at;
}

const char *fm_calendar_write(double seconds, int digits, char *buffer, size_t size)
{
    fm_calendar at = fm_calendar_from(seconds, digits);
    snprintf(buffer, size, "%04d-%02d-%02dT%02d:%02d:%0*.*fZ", at.year, at.month, at.day, at.hour, at.minute,
             digits ? digits + 3 : 2, digits, at.second);
    return buffer;
}
