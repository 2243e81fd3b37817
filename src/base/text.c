#include "base/text.h"

#include "base/memory.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool grow(fm_text *text, size_t need)
{
    if (need <= text->capacity)
        return true;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < need)
        capacity *= 2;
    char *data = fm_realloc(text->data, capacity);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void fm_text_add(fm_text *text, const char *format, ...)
{
    if (text->failed)
        return;
    va_list args;
    va_start(args, format);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (size < 0 || !grow(text, text->length + (size_t)size + 1)) {
        text->failed = true;
        return;
    }
    va_start(args, format);
    vsnprintf(text->data + text->length, (size_t)size + 1, format, args);
    va_end(args);
    text->length += (size_t)size;
}

void fm_text_add_escaped_part(fm_text *text, const char *plain, size_t length)
{
    for (const char *end = plain + strnlen(plain, length); plain < end; plain++)
        switch (*plain) {
        case '&': fm_text_add(text, "&amp;"); break;
        case '<': fm_text_add(text, "&lt;"); break;
        case '>': fm_text_add(text, "&gt;"); break;
        case '"': fm_text_add(text, "&quot;"); break;
        default: fm_text_add(text, "%c", *plain);
        }
}

void fm_text_add_escaped(fm_text *text, const char *plain)
{
    fm_text_add_escaped_part(text, plain, strlen(plain));
}

void fm_text_free(fm_text *text)
{
    fm_free(text->data);
    *text = (fm_text){0};
}

/* --- UTF-8 --- */

/* Number of bytes of a character with this first byte; 0: invalid. */
static size_t expected_bytes(unsigned char first)
{
    return first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/* Number of bytes of the character at the start of a text; 0: none. */
static size_t whole_bytes(const unsigned char *s)
{
    size_t count = expected_bytes(s[0]);
    for (size_t i = 1; i < count; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    int overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    int beyond = (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90); /* surrogates, above U+10FFFF */
    return overlong || beyond ? 0 : count;
}

/* Removes the first bytes of a character whose others were cut off. */
static void trim_end(char *text)
{
    size_t length = strlen(text), first = length;
    for (int i = 0; i < 3 && first > 0 && ((unsigned char)text[first - 1] & 0xc0) == 0x80; i++)
        first--;
    if (first > 0 && expected_bytes((unsigned char)text[first - 1]) > length - first + 1)
        text[first - 1] = 0;
}

int fm_text_vprint(char *text, size_t size, const char *format, va_list arguments)
{
    int length = vsnprintf(text, size, format, arguments);
    if (length >= 0 && size > 0 && (size_t)length >= size)
        trim_end(text);
    return length;
}

int fm_text_print(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = fm_text_vprint(text, size, format, arguments);
    va_end(arguments);
    return length;
}

void fm_text_clean(char *text)
{
    for (unsigned char *s = (unsigned char *)text; *s;) {
        size_t count = whole_bytes(s);
        if (count == 0)
            *s = '?';
        s += count ? count : 1;
    }
}

/* --- numbers and names --- */

static const char *skip_digits(const char *s)
{
    while (isdigit((unsigned char)*s))
        s++;
    return s;
}

/* The end of the decimal number at s, or s itself. *zero: all digits before the exponent are 0. */
static const char *number_end(const char *s, bool *zero)
{
    const char *start = s;
    if (*s == '+' || *s == '-')
        s++;
    const char *whole = s, *end = skip_digits(s);
    size_t digits = (size_t)(end - whole);
    if (*end == '.') {
        const char *fraction = end + 1;
        end = skip_digits(fraction);
        digits += (size_t)(end - fraction);
    }
    if (digits == 0)
        return start;
    *zero = strspn(whole, "0.") >= (size_t)(end - whole);
    if (*end == 'e' || *end == 'E') {
        const char *power = end + 1;
        if (*power == '+' || *power == '-')
            power++;
        if (isdigit((unsigned char)*power))
            end = skip_digits(power);
    }
    return end;
}

bool fm_text_number_read(const char **cursor, double *number)
{
    bool zero = false;
    const char *end = number_end(*cursor, &zero);
    if (end == *cursor)
        return false;
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale)
        return false;
    char *stop = NULL;
    double value = strtod_l(*cursor, &stop, c_locale);
    freelocale(c_locale);
    /* strtod accepts more than our grammar only for hexadecimal numbers */
    if (stop != end || !isfinite(value) || (value == 0 && !zero))
        return false;
    *number = value;
    *cursor = end;
    return true;
}

/* Replaces the decimal sign of the current locale by '.'. */
static void use_point(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (isalnum((unsigned char)*from) || *from == '-' || *from == '+')
            *to++ = *from;
        else if (to == text || to[-1] != '.')
            *to++ = '.';
    }
    *to = 0;
}

const char *fm_text_number_write(char *buffer, size_t size, double number)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(buffer, size, "%.*g", digits, number);
        use_point(buffer);
        const char *cursor = buffer;
        double back = 0;
        if (!isfinite(number) || (fm_text_number_read(&cursor, &back) && back == number))
            break;
    }
    return buffer;
}

static int fold_dash(char c)
{
    return c == '_' ? '-' : (unsigned char)c;
}

bool fm_text_name_equal(const char *a, const char *b)
{
    while (*a && fold_dash(*a) == fold_dash(*b)) {
        a++;
        b++;
    }
    return *a == 0 && *b == 0;
}

bool fm_text_name_begins(const char *path, const char *with)
{
    while (*with && fold_dash(*path) == fold_dash(*with)) {
        path++;
        with++;
    }
    return *with == 0 && (*path == 0 || *path == '/');
}

char *fm_text_copy(char *to, size_t size, const char *from)
{
    size_t length = strlen(from);
    if (length >= size)
        for (length = size - 1; length > 0 && ((unsigned char)from[length] & 0xc0) == 0x80; length--)
            ;
    memcpy(to, from, length);
    to[length] = 0;
    return to;
}

char *fm_text_shorten(char *to, size_t size, const char *from)
{
    static const char rest[] = " …";
    if (strlen(from) < size || size <= sizeof rest)
        return fm_text_copy(to, size, from);
    size_t length = size - sizeof rest;
    while (length > 0 && from[length] != ' ')
        length--;
    if (length == 0) { /* one long word: between two characters, without the space */
        fm_text_copy(to, size - sizeof rest + 2, from);
        return memcpy(to + strlen(to), rest + 1, sizeof rest - 1), to;
    }
    memcpy(to, from, length);
    memcpy(to + length, rest, sizeof rest);
    return to;
}

bool fm_text_name_valid(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80 || (!isalnum((unsigned char)*text) && !strchr("_.-", *text)))
            return false;
    return true;
}

enum { COMPARED = 63 };

static size_t fold_name(const char *name, int *folded)
{
    size_t length = 0;
    for (; name[length] && length < COMPARED; length++)
        folded[length] = tolower(fold_dash(name[length]));
    return length;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t fm_text_distance(const char *first, const char *second, size_t most)
{
    int a[COMPARED], b[COMPARED];
    size_t m = fold_name(first, a), n = fold_name(second, b);
    size_t rows[3][COMPARED + 1]; /* the last three rows of the optimal-string-alignment table */
    size_t least = 0, last_least; /* of the last row and of the one before it */
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *now = rows[i % 3], *before = rows[(i - 1) % 3], *earlier = rows[(i + 1) % 3];
        now[0] = i;
        last_least = least;
        least = i;
        for (size_t j = 1; j <= n; j++) {
            size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
            now[j] = smaller(before[j - 1] + cost, smaller(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], earlier[j - 2] + 1);
            least = smaller(least, now[j]);
        }
        if (least > most && last_least > most)
            return most + 1;
    }
    return rows[m % 3][n];
}

static size_t tolerated_distance(const char *wanted)
{
    size_t length = strlen(wanted);
    return length <= 3 ? 1 : length <= 6 ? 2 : length / 3;
}

/* Whether `word`, of three letters or more, is a part of `name` between dashes: "remus" of "remus-100". */
static bool is_part(const char *word, const char *name)
{
    size_t length = strlen(word);
    if (length < 3)
        return false;
    for (const char *part = name; part; part = strpbrk(part, "-_"), part = part ? part + 1 : NULL)
        if (strncasecmp(part, word, length) == 0 && (!part[length] || strchr("-_", part[length])))
            return true;
    return false;
}

/* Larger than `tolerated` if the names are not similar. */
static size_t distance_of(const char *wanted, const char *candidate, size_t tolerated)
{
    size_t a = strnlen(wanted, COMPARED), b = strnlen(candidate, COMPARED);
    size_t extra = a > b ? a - b : b - a; /* each extra letter counts as one */
    size_t distance = extra > tolerated ? tolerated + 1 : fm_text_distance(wanted, candidate, tolerated);
    return distance > tolerated && is_part(wanted, candidate) ? tolerated : distance;
}

void fm_nearest_offer(fm_nearest *nearest, const char *candidate)
{
    size_t tolerated = tolerated_distance(nearest->wanted);
    size_t distance = distance_of(nearest->wanted, candidate, tolerated);
    if (distance > tolerated)
        return;
    size_t at = nearest->count;
    while (at > 0 && nearest->distances[at - 1] > distance)
        at--;
    if (at >= FM_NEAREST)
        return;
    size_t last = nearest->count < FM_NEAREST ? nearest->count++ : FM_NEAREST - 1;
    for (; last > at; last--) {
        nearest->names[last] = nearest->names[last - 1];
        nearest->distances[last] = nearest->distances[last - 1];
    }
    nearest->names[at] = candidate;
    nearest->distances[at] = distance;
}

const char *fm_nearest_write(const fm_nearest *nearest, char *buffer, size_t size)
{
    const char *const *n = nearest->names;
    buffer[0] = 0;
    if (nearest->count == 1)
        snprintf(buffer, size, "; did you mean '%.200s'?", n[0]);
    else if (nearest->count == 2)
        snprintf(buffer, size, "; did you mean '%.200s' or '%.200s'?", n[0], n[1]);
    else if (nearest->count == 3)
        snprintf(buffer, size, "; did you mean '%.200s', '%.200s' or '%.200s'?", n[0], n[1], n[2]);
    return buffer;
}
