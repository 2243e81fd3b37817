#include "base/units.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846
#define POUND_FORCE 4.4482216152605 /* 0.45359237 kg times 9.80665 m/s² */
#define FOOT 0.3048

typedef struct named_unit {
    const char *name;
    fm_unit unit;
} named_unit;

/* Decimal parts are divisions, so that "35 ms" is exactly 0.035. */
#define U(name, num, den, ...)                                                                                         \
    {                                                                                                                  \
        name,                                                                                                          \
        {                                                                                                              \
            num, den, 0,                                                                                               \
            {                                                                                                          \
                __VA_ARGS__                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }
#define LENGTH [FM_DIM_M] = 1
#define TIME [FM_DIM_S] = 1
#define MASS [FM_DIM_KG] = 1
#define FORCE [FM_DIM_KG] = 1, [FM_DIM_M] = 1, [FM_DIM_S] = -2
#define ANGLE [FM_DIM_RAD] = 1
#define FREQUENCY [FM_DIM_S] = -1
#define ANGULAR_RATE [FM_DIM_RAD] = 1, [FM_DIM_S] = -1
#define SPEED [FM_DIM_M] = 1, [FM_DIM_S] = -1
#define PRESSURE [FM_DIM_KG] = 1, [FM_DIM_M] = -1, [FM_DIM_S] = -2
#define POWER [FM_DIM_KG] = 1, [FM_DIM_M] = 2, [FM_DIM_S] = -3
#define ENERGY [FM_DIM_KG] = 1, [FM_DIM_M] = 2, [FM_DIM_S] = -2
#define VOLTAGE [FM_DIM_KG] = 1, [FM_DIM_M] = 2, [FM_DIM_S] = -3, [FM_DIM_A] = -1
#define CURRENT [FM_DIM_A] = 1
#define RESISTANCE [FM_DIM_KG] = 1, [FM_DIM_M] = 2, [FM_DIM_S] = -3, [FM_DIM_A] = -2
#define CONDUCTANCE [FM_DIM_KG] = -1, [FM_DIM_M] = -2, [FM_DIM_S] = 3, [FM_DIM_A] = 2
#define CAPACITY [FM_DIM_KG] = -1, [FM_DIM_M] = -2, [FM_DIM_S] = 4, [FM_DIM_A] = 2
#define CHARGE [FM_DIM_S] = 1, [FM_DIM_A] = 1
#define INDUCTION [FM_DIM_KG] = 1, [FM_DIM_S] = -2, [FM_DIM_A] = -1
#define TEMPERATURE [FM_DIM_K] = 1
#define NUMBER 0

static const named_unit unit_table[] = {
    U("m", 1, 1, LENGTH),
    U("mm", 1, 1e3, LENGTH),
    U("cm", 1, 1e2, LENGTH),
    U("km", 1e3, 1, LENGTH),
    U("um", 1, 1e6, LENGTH),
    U("in", 0.0254, 1, LENGTH),
    U("ft", FOOT, 1, LENGTH),
    U("yd", 0.9144, 1, LENGTH),
    U("nmi", 1852, 1, LENGTH),
    U("fathom", 1.8288, 1, LENGTH),
    U("s", 1, 1, TIME),
    U("ms", 1, 1e3, TIME),
    U("us", 1, 1e6, TIME),
    U("min", 60, 1, TIME),
    U("h", 3600, 1, TIME),
    U("day", 86400, 1, TIME),
    U("kg", 1, 1, MASS),
    U("g", 1, 1e3, MASS),
    U("mg", 1, 1e6, MASS),
    U("lbm", 0.45359237, 1, MASS),
    U("slug", POUND_FORCE / FOOT, 1, MASS),
    U("t", 1e3, 1, MASS),
    U("N", 1, 1, FORCE),
    U("mN", 1, 1e3, FORCE),
    U("kN", 1e3, 1, FORCE),
    U("lbf", POUND_FORCE, 1, FORCE),
    U("lb", POUND_FORCE, 1, FORCE),
    U("kgf", 9.80665, 1, FORCE),
    U("rad", 1, 1, ANGLE),
    U("mrad", 1, 1e3, ANGLE),
    U("deg", PI, 180, ANGLE),
    U("arcmin", PI, 10800, ANGLE),
    U("rev", 2 * PI, 1, ANGLE),
    U("Hz", 1, 1, FREQUENCY),
    U("kHz", 1e3, 1, FREQUENCY),
    U("MHz", 1e6, 1, FREQUENCY),
    U("rpm", 2 * PI, 60, ANGULAR_RATE),
    U("knot", 1852, 3600, SPEED),
    U("kn", 1852, 3600, SPEED),
    U("gn", 9.80665, 1, [FM_DIM_M] = 1, [FM_DIM_S] = -2),
    U("Pa", 1, 1, PRESSURE),
    U("uPa", 1, 1e6, PRESSURE),
    U("mPa", 1, 1e3, PRESSURE),
    U("hPa", 1e2, 1, PRESSURE),
    U("kPa", 1e3, 1, PRESSURE),
    U("MPa", 1e6, 1, PRESSURE),
    U("GPa", 1e9, 1, PRESSURE),
    U("bar", 1e5, 1, PRESSURE),
    U("mbar", 1e2, 1, PRESSURE),
    U("dbar", 1e4, 1, PRESSURE),
    U("atm", 101325, 1, PRESSURE),
    U("psi", POUND_FORCE / (0.0254 * 0.0254), 1, PRESSURE),
    U("W", 1, 1, POWER),
    U("mW", 1, 1e3, POWER),
    U("kW", 1e3, 1, POWER),
    U("MW", 1e6, 1, POWER),
    U("hp", 550 * FOOT * POUND_FORCE, 1, POWER),
    U("J", 1, 1, ENERGY),
    U("mJ", 1, 1e3, ENERGY),
    U("kJ", 1e3, 1, ENERGY),
    U("MJ", 1e6, 1, ENERGY),
    U("Wh", 3600, 1, ENERGY),
    U("kWh", 3.6e6, 1, ENERGY),
    U("V", 1, 1, VOLTAGE),
    U("uV", 1, 1e6, VOLTAGE),
    U("mV", 1, 1e3, VOLTAGE),
    U("kV", 1e3, 1, VOLTAGE),
    U("A", 1, 1, CURRENT),
    U("uA", 1, 1e6, CURRENT),
    U("mA", 1, 1e3, CURRENT),
    U("ohm", 1, 1, RESISTANCE),
    U("mohm", 1, 1e3, RESISTANCE),
    U("kohm", 1e3, 1, RESISTANCE),
    U("Mohm", 1e6, 1, RESISTANCE),
    U("S", 1, 1, CONDUCTANCE),
    U("mS", 1, 1e3, CONDUCTANCE),
    U("uS", 1, 1e6, CONDUCTANCE),
    U("F", 1, 1, CAPACITY),
    U("uF", 1, 1e6, CAPACITY),
    U("C", 1, 1, CHARGE),
    U("Ah", 3600, 1, CHARGE),
    U("mAh", 3600, 1e3, CHARGE),
    U("T", 1, 1, INDUCTION),
    U("mT", 1, 1e3, INDUCTION),
    U("uT", 1, 1e6, INDUCTION),
    U("nT", 1, 1e9, INDUCTION),
    U("gauss", 1, 1e4, INDUCTION),
    U("K", 1, 1, TEMPERATURE),
    U("mK", 1, 1e3, TEMPERATURE),
    {"degC", {1, 1, 273.15, {TEMPERATURE}}},
    {"degF", {5, 9, 459.67 * 5 / 9, {TEMPERATURE}}},
    U("L", 1, 1e3, [FM_DIM_M] = 3),
    U("mL", 1, 1e6, [FM_DIM_M] = 3),
    U("dB", 1, 1, [FM_DIM_DB] = 1),
    U("bit", 1, 1, [FM_DIM_BIT] = 1),
    U("kbit", 1e3, 1, [FM_DIM_BIT] = 1),
    U("byte", 8, 1, [FM_DIM_BIT] = 1),
    U("%", 1, 1e2, NUMBER),
    U("percent", 1, 1e2, NUMBER),
    U("psu", 1, 1, NUMBER),
};

enum { UNIT_COUNT = sizeof unit_table / sizeof unit_table[0], MAX_POWER = 30, MAX_DEPTH = 8 };

static const fm_unit plain_number = {1, 1, 0, {0}};

static size_t write_powers(const fm_unit *unit, int sign, char *buffer, size_t size)
{
    static const char *const names[FM_DIM_COUNT] = {"kg", "m", "s", "K", "A", "rad", "dB", "bit"};
    size_t used = 0;
    for (int i = 0; i < FM_DIM_COUNT; i++) {
        int power = sign * unit->power[i];
        if (power < 1 || used + 9 > size)
            continue;
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", used ? "*" : "", names[i]);
        if (power > 1)
            used += (size_t)snprintf(buffer + used, size - used, "%d", power);
    }
    return used;
}

void fm_unit_write(const fm_unit *unit, char *buffer, size_t size)
{
    char below[64] = "";
    size_t under = write_powers(unit, -1, below, sizeof below), above = write_powers(unit, 1, buffer, size);
    if (!above && size)
        snprintf(buffer, size, "%s", under ? "1" : "");
    above = strlen(buffer);
    if (under)
        snprintf(buffer + above, size - above, strchr(below, '*') ? "/(%s)" : "/%s", below);
}

const char *fm_unit_name(size_t index, fm_unit *unit)
{
    if (index >= UNIT_COUNT)
        return NULL;
    if (unit)
        *unit = unit_table[index].unit;
    return unit_table[index].name;
}

/* ---- reading a unit ---- */

typedef struct parser {
    const char *text, *at;
    int depth;
    size_t factors;        /* named units met */
    const fm_unit *wanted; /* the unit it should be compatible with, for suggestions; NULL: anything */
    fm_error *error;
} parser;

static fm_status parse_product(parser *p, fm_unit *unit);

static void skip_space(parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

/* unit := unit · other^power. False if an exponent leaves its range. */
static bool multiply(fm_unit *unit, const fm_unit *other, int power)
{
    for (int i = 0; i < FM_DIM_COUNT; i++) {
        int sum = unit->power[i] + other->power[i] * power;
        if (sum < -MAX_POWER || sum > MAX_POWER)
            return false;
        unit->power[i] = (int8_t)sum;
    }
    for (int k = 0; k < power; k++) {
        unit->num *= other->num;
        unit->den *= other->den;
    }
    for (int k = 0; k > power; k--) {
        unit->num *= other->den;
        unit->den *= other->num;
    }
    return isfinite(unit->num) && isfinite(unit->den) && unit->num > 0 && unit->den > 0;
}

static fm_status unknown_unit(parser *p, const char *name, size_t length)
{
    char wanted[64], hint[256];
    snprintf(wanted, sizeof wanted, "%.*s", length > 60 ? 60 : (int)length, name);
    fm_nearest nearest = {.wanted = wanted};
    bool alone = strspn(p->text, " \t\r\n") + length >= strcspn(p->text, "*/.^(0123456789");
    for (size_t i = 0; i < UNIT_COUNT; i++)
        if (!p->wanted || !alone || fm_unit_compatible(p->wanted, &unit_table[i].unit))
            fm_nearest_offer(&nearest, unit_table[i].name);
    return fm_fail(p->error, FM_ERR_UNIT, "unknown unit '%s'%s", wanted, fm_nearest_write(&nearest, hint, sizeof hint));
}

static fm_status parse_name(parser *p, fm_unit *unit)
{
    const char *start = p->at;
    if (*p->at == '%')
        p->at++;
    else
        while (isalpha((unsigned char)*p->at) && (unsigned char)*p->at < 0x80)
            p->at++;
    size_t length = (size_t)(p->at - start);
    for (size_t i = 0; i < UNIT_COUNT && length > 0; i++) {
        if (strlen(unit_table[i].name) == length && memcmp(unit_table[i].name, start, length) == 0) {
            *unit = unit_table[i].unit;
            p->factors++;
            return FM_OK;
        }
    }
    return unknown_unit(p, start, length ? length : strlen(start));
}

/* "2", "^2", "-1", "^-1" after a factor; 1 if there is none. */
static fm_status parse_power(parser *p, int *power)
{
    *power = 1;
    const char *s = p->at;
    if (*s == '^')
        s++;
    int sign = *s == '-' ? -1 : 1;
    if (*s == '-' || *s == '+')
        s++;
    if (!isdigit((unsigned char)*s))
        return s == p->at ? FM_OK
                          : fm_fail(p->error, FM_ERR_UNIT, "'%.60s' is invalid: must be a whole exponent", p->at);
    int number = *s++ - '0';
    if (isdigit((unsigned char)*s))
        return fm_fail(p->error, FM_ERR_UNIT, "exponent in '%.60s' is too large; at most 9", p->text);
    *power = sign * number;
    p->at = s;
    return FM_OK;
}

static fm_status parse_factor(parser *p, fm_unit *unit)
{
    fm_status status;
    skip_space(p);
    if (*p->at == '1') {
        p->at++;
        *unit = plain_number;
        return FM_OK;
    }
    if (*p->at == '(') {
        p->at++;
        if (++p->depth > MAX_DEPTH)
            return fm_fail(p->error, FM_ERR_UNIT, "too many nested parentheses in a unit: must be at most %d",
                           MAX_DEPTH);
        status = parse_product(p, unit);
        p->depth--;
        if (status == FM_OK && *p->at != ')')
            status = fm_fail(p->error, FM_ERR_UNIT, "missing ')' in unit '%.60s'", p->text);
        if (status == FM_OK)
            p->at++;
        unit->offset = 0;
    } else
        status = parse_name(p, unit);
    int power = 1;
    if (status == FM_OK)
        status = parse_power(p, &power);
    if (status != FM_OK || power == 1)
        return status;
    fm_unit raised = plain_number;
    if (!multiply(&raised, unit, power))
        return fm_fail(p->error, FM_ERR_UNIT, "exponents of unit '%.60s' are too large", p->text);
    *unit = raised;
    return FM_OK;
}

/* Whether another factor follows, and how it is joined. */
static bool next_factor(parser *p, int *sign)
{
    bool space = isspace((unsigned char)*p->at);
    skip_space(p);
    *sign = *p->at == '/' ? -1 : 1;
    if (*p->at == '/' || *p->at == '*' || *p->at == '.') {
        p->at++;
        return true;
    }
    return space && (isalpha((unsigned char)*p->at) || *p->at == '(');
}

static fm_status parse_product(parser *p, fm_unit *unit)
{
    fm_status status = parse_factor(p, unit);
    int sign = 1;
    while (status == FM_OK && next_factor(p, &sign)) {
        fm_unit factor;
        unit->offset = 0;
        status = parse_factor(p, &factor);
        if (status == FM_OK && !multiply(unit, &factor, sign))
            status = fm_fail(p->error, FM_ERR_UNIT, "exponents of unit '%.60s' are too large", p->text);
    }
    return status;
}

static fm_status parse_unit(const char *text, const fm_unit *wanted, fm_unit *unit, fm_error *error)
{
    parser p = {.text = text, .at = text, .wanted = wanted, .error = error};
    *unit = plain_number;
    skip_space(&p);
    if (*p.at == 0)
        return FM_OK;
    fm_status status = parse_product(&p, unit);
    skip_space(&p);
    if (status == FM_OK && *p.at)
        status = fm_fail(error, FM_ERR_UNIT, "'%.60s' after unit '%.*s'", p.at,
                         (int)(p.at - text > 60 ? 60 : p.at - text), text);
    if (status == FM_OK && p.factors == 0)
        status = fm_fail(error, FM_ERR_UNIT, "'%.60s' is not a unit", text);
    return status;
}

fm_status fm_unit_parse(const char *text, fm_unit *unit, fm_error *error)
{
    return parse_unit(text, NULL, unit, error);
}

/* ---- converting ---- */

bool fm_unit_compatible(const fm_unit *a, const fm_unit *b)
{
    return memcmp(a->power, b->power, sizeof a->power) == 0;
}

double fm_unit_convert(double number, const fm_unit *from, const fm_unit *to)
{
    if (from->num == to->num && from->den == to->den && from->offset == to->offset)
        return number;
    double si = number * from->num / from->den + from->offset;
    return (si - to->offset) * to->den / to->num;
}

/* ---- words ---- */

static const struct {
    const char *unit, *what, *example;
} kinds[] = {
    {"m", "a length", "m"},
    {"rad", "an angle", "deg"},
    {"s", "a time", "s"},
    {"kg", "a mass", "kg"},
    {"N", "a force", "N"},
    {"m/s", "a speed", "m/s"},
    {"m/s2", "an acceleration", "m/s2"},
    {"rad/s", "an angular rate", "deg/s"}, /* "rpm" where that is the unit asked for */
    {"rad/s2", "an angular acceleration", "deg/s2"},
    {"1/s", "a frequency", "Hz"},
    {"m2", "an area", "m2"},
    {"m3", "a volume", "m3"},
    {"kg/m3", "a density", "kg/m3"},
    {"kg*m2", "a moment of inertia", "kg*m2"},
    {"N*m", "a torque or energy", "N*m"},
    {"Pa", "a pressure", "Pa"},
    {"W", "a power", "W"},
    {"V", "a voltage", "V"},
    {"A", "a current", "A"},
    {"ohm", "a resistance", "ohm"},
    {"K", "a temperature", "degC"},
    {"T", "a magnetic field", "uT"},
    {"S/m", "a conductivity", "S/m"},
    {"dB", "a level", "dB"},
    {"bit", "an amount of data", "bit"},
    {"bit/s", "a data rate", "bit/s"},
};

void fm_unit_describe(const char *unit, char *buffer, size_t size, const char **example)
{
    fm_unit wanted, kind;
    const char *what = "a quantity";
    *example = unit;
    fm_unit_parse(unit, &wanted, NULL);
    if (fm_unit_compatible(&wanted, &plain_number)) {
        snprintf(buffer, size, "a number without unit");
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        fm_unit_parse(kinds[i].unit, &kind, NULL);
        if (fm_unit_compatible(&wanted, &kind)) {
            what = kinds[i].what;
            *example = strcmp(unit, "rpm") ? kinds[i].example : unit;
            break;
        }
    }
    snprintf(buffer, size, "%s in %s", what, unit);
}

/* ---- quantities ---- */

static fm_status not_a_quantity(const char *text, const char *numbers_end, const char *unit, const char *why,
                                fm_error *error)
{
    char kind[128];
    const char *example;
    fm_unit_describe(unit, kind, sizeof kind, &example);
    size_t length = (size_t)(numbers_end - text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    if (length == 0 || length > 60) {
        text = length ? text : "1";
        length = strcspn(text, " \t\r\n");
    }
    return fm_fail(error, FM_ERR_UNIT, "%smust be %s, e.g. '%.*s%s%s'", why, kind, (int)(length > 60 ? 60 : length),
                   text, *example ? " " : "", example);
}

/* Reads the numbers; *at ends before the unit. */
static fm_status read_numbers(const char **at, double *values, size_t capacity, size_t *count, fm_error *error)
{
    const char *s = *at;
    *count = 0;
    for (;;) {
        while (isspace((unsigned char)*s))
            s++;
        *at = s;
        if (!isdigit((unsigned char)*s) && !strchr("+-.", *s ? *s : 'x'))
            return FM_OK;
        double number = 0;
        size_t length = strcspn(s, " \t\r\n");
        if (!fm_text_number_read(&s, &number))
            return fm_fail(error, FM_ERR_SYNTAX, "'%.*s' is not a finite decimal number",
                           length > 60 ? 60 : (int)length, s);
        if (*s == '/' && *count > 0) /* the "1" of a unit such as "1/s" */
            return FM_OK;
        if (*s && !isspace((unsigned char)*s) && *s != '%' && *s != '(' && !isalpha((unsigned char)*s))
            return fm_fail(error, FM_ERR_SYNTAX, "'%.*s' is invalid: use %s", length > 60 ? 60 : (int)length, *at,
                           *s == ','              ? "a decimal point ('1.5', not '1,5') and spaces between numbers"
                           : !strncmp(s, "°C", 3) ? "degC for °C"
                           : !strncmp(s, "°", 2)  ? "deg for °"
                                                  : "a space or a unit after the number");
        if (values && *count < capacity)
            values[*count] = number;
        (*count)++;
    }
}

static fm_status convert_all(double *values, size_t count, const fm_unit *from, const fm_unit *to, const char *text,
                             fm_error *error)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = fm_unit_convert(values[i], from, to);
        if (!isfinite(values[i]))
            return fm_fail(error, FM_ERR_RANGE, "'%.60s' is too large for a number in SI units", text);
    }
    return FM_OK;
}

fm_status fm_amount_parse(const char *text, const char *unit, double *values, size_t capacity, fm_amount *found,
                          fm_error *error)
{
    fm_unit wanted;
    fm_status status = fm_unit_parse(unit, &wanted, error);
    if (status != FM_OK)
        return status;
    while (isspace((unsigned char)*text))
        text++;
    const char *at = text;
    char why[256];
    *found = (fm_amount){.unit = wanted, .unit_text = ""};
    status = read_numbers(&at, values, capacity, &found->count, error);
    if (status != FM_OK)
        return status;
    if (found->count == 0) {
        snprintf(why, sizeof why, "'%.60s' is invalid: ", text);
        status = not_a_quantity(text, text, unit, why, error);
        return status == FM_OK ? FM_OK : error ? (error->status = FM_ERR_SYNTAX) : FM_ERR_SYNTAX;
    }
    found->unit_text = at;
    fm_error bad = {0};
    status = parse_unit(at, &wanted, &found->unit, &bad);
    if (status != FM_OK) {
        const char *hint = strstr(bad.text, "; did you mean"); /* follows the expected unit */
        int length = hint ? (int)(hint - bad.text) : (int)strlen(bad.text);
        snprintf(why, sizeof why, "%.*s: ", length > 180 ? 180 : length, bad.text);
        fm_error whole = {0};
        not_a_quantity(text, at, unit, why, &whole);
        return fm_fail(error, FM_ERR_UNIT, "%s%s", whole.text, hint ? hint : "");
    }
    if (!fm_unit_compatible(&found->unit, &wanted)) {
        snprintf(why, sizeof why, "'%.60s'%s is invalid: ", text, *at ? "" : " without a unit");
        return not_a_quantity(text, at, unit, why, error);
    }
    if (!values)
        return FM_OK;
    return convert_all(values, found->count < capacity ? found->count : capacity, &found->unit, &wanted, text, error);
}
