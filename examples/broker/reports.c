#include "reports.h"

#include <math.h>
#include <string.h>

#include "bytes.h"

#define AIR 101325.0  /* Pa */
#define KELVIN 273.15 /* of 0 °C */

const char *const broker_kind_names[BROKER_KINDS] = {"dvl",         "ctd", "compass", "pressure",
                                                     "echosounder", "gps", "modem",   "motors"};

int broker_format_known(broker_kind kind, const char *format)
{
    static const char *const dvl[] = {"pd0", "pd6", "nortek", "nortek-nmea", "waterlinked"};
    if (kind == BROKER_PRESSURE)
        return strcmp(format, "nmea") == 0 || strcmp(format, "digiquartz") == 0;
    for (size_t i = 0; kind == BROKER_DVL && i < sizeof dvl / sizeof *dvl; i++)
        if (strcmp(format, dvl[i]) == 0)
            return 1;
    return kind != BROKER_DVL && *format == 0;
}

static double utc_of(const broker *b, uint64_t stamp)
{
    return b->epoch + 1e-4 * (double)stamp;
}

/* One number of a sample; NaN: it has none. */
static double value_of(const broker *b, const fm_client_sample *sample, const char *field)
{
    double value;
    return fm_client_sample_values(b->client, sample, field, &value, 1) ? value : NAN;
}

/* The latest number of another instrument of this kind; NaN: there is none. */
static double latest(const broker *b, const char *kind, const char *field)
{
    fm_client_instrument instrument;
    double value;
    for (size_t i = 0; fm_client_instrument_get(b->client, i, &instrument); i++)
        if (strcmp(instrument.kind, kind) == 0 &&
            fm_client_read(b->client, instrument.name, field, &value, 1, NULL, NULL))
            return value;
    return NAN;
}

static void to_angles(const double q[4], double *roll, double *pitch, double *heading)
{
    *roll = atan2(2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[1] * q[1] + q[2] * q[2]));
    *pitch = asin(fmin(fmax(2 * (q[0] * q[2] - q[3] * q[1]), -1), 1));
    *heading = atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
}

/* Body → world. */
static void turn(const double q[4], const double v[3], double out[3])
{
    const double w = q[0], *u = q + 1;
    double t[3] = {2 * (u[1] * v[2] - u[2] * v[1]), 2 * (u[2] * v[0] - u[0] * v[2]), 2 * (u[0] * v[1] - u[1] * v[0])};
    out[0] = v[0] + w * t[0] + u[1] * t[2] - u[2] * t[1];
    out[1] = v[1] + w * t[1] + u[2] * t[0] - u[0] * t[2];
    out[2] = v[2] + w * t[2] + u[0] * t[1] - u[1] * t[0];
}

static void write_line(broker_line *line, const void *bytes, size_t count)
{
    if (count == 0)
        return;
    broker_serial_write(&line->serial, bytes, count);
    line->reports++;
}

/* --- DVL --- */

/* What the four beams disagree by, as the error velocity of a Janus arrangement: b − D v lies along + + − − there. */
static double error_velocity(const broker_dvl *dvl, const double directions[12])
{
    double square = 0, first = 0;
    for (int i = 0; i < 4; i++) {
        const double *d = directions + 3 * i, *v = dvl->velocity;
        double residual = dvl->beam_velocity[i] - (d[0] * v[0] + d[1] * v[1] + d[2] * v[2]);
        if (isnan(dvl->range[i]))
            return NAN;
        first = i ? first : residual;
        square += residual * residual;
    }
    return copysign(sqrt(square / 2) / fmax(sin(dvl->beam_angle), 1e-3), first);
}

static void fill_surroundings(const broker *b, broker_dvl *dvl, const fm_client_state *state)
{
    double heading = latest(b, "compass", NULL), depth = latest(b, "depth", NULL);
    double pressure = latest(b, "pressure", "fluid_pressure");
    to_angles(state->attitude, &dvl->roll, &dvl->pitch, &dvl->heading);
    dvl->heading = isnan(heading) ? dvl->heading : heading;
    dvl->depth = isnan(depth) ? state->position[2] : depth;
    dvl->pressure = isnan(pressure) ? 0 : pressure - AIR;
    dvl->temperature = latest(b, "ctd", "temperature") - KELVIN;
    dvl->salinity = latest(b, "ctd", "salinity");
}

/* The instrument's own sums: distance by velocity and time, spread of its beams. */
static void sum_up(broker_line *line, broker_dvl *dvl, const fm_client_state *state)
{
    double ned[3];
    dvl->ensemble = ++line->ensemble;
    dvl->since = line->ensemble > 1 ? dvl->utc - line->last : 0;
    line->last = dvl->utc;
    if (!isnan(dvl->velocity[0])) {
        line->last_good = dvl->utc;
        turn(state->attitude, dvl->velocity, ned);
        for (int i = 0; i < 3; i++)
            line->travelled[i] += ned[i] * dvl->since;
    }
    if (!isnan(dvl->error_velocity))
        line->spread += (dvl->error_velocity * dvl->error_velocity - line->spread) / fmin(dvl->ensemble, 16);
    dvl->since_good = line->last_good > 0 ? dvl->utc - line->last_good : 0;
    dvl->deviation = fmax(sqrt(line->spread), 0.001);
    memcpy(dvl->travelled, line->travelled, sizeof dvl->travelled);
}

static size_t encode_dvl(const char *format, const broker_dvl *dvl, uint8_t *bytes, size_t room)
{
    if (strcmp(format, "pd0") == 0)
        return broker_dvl_pd0(dvl, bytes, room);
    if (strcmp(format, "nortek") == 0)
        return broker_dvl_df21(dvl, bytes, room);
    if (strcmp(format, "pd6") == 0)
        return broker_dvl_pd6(dvl, (char *)bytes, room);
    if (strcmp(format, "nortek-nmea") == 0)
        return broker_dvl_pnor(dvl, (char *)bytes, room);
    return broker_dvl_waterlinked(dvl, (char *)bytes, room);
}

static void report_dvl(broker *b, broker_line *line, const fm_client_sample *sample)
{
    broker_dvl dvl = {};
    double directions[12] = {0};
    fm_client_state state;
    uint8_t bytes[BROKER_LINES];
    if (!fm_client_state_read(b->client, &state))
        return;
    dvl.utc = utc_of(b, sample->stamp);
    fm_client_sample_values(b->client, sample, "velocity", dvl.velocity, 3);
    fm_client_sample_values(b->client, sample, "range", dvl.range, 4);
    fm_client_sample_values(b->client, sample, "beam_velocity", dvl.beam_velocity, 4);
    fm_client_sample_values(b->client, sample, "beam_unit_vec", directions, 12);
    int bottom = value_of(b, sample, "velocity_mode") == 1 && (sample->flags & FM_CLIENT_VALID);
    for (int i = 0; i < 3 && !bottom; i++)
        dvl.velocity[i] = NAN; /* through the water is not over ground */
    dvl.altitude = value_of(b, sample, "altitude");
    dvl.sound_speed = value_of(b, sample, "sound_speed");
    dvl.beam_angle = acos(fmin(fabs(directions[2]), 1));
    dvl.error_velocity = error_velocity(&dvl, directions);
    fill_surroundings(b, &dvl, &state);
    sum_up(line, &dvl, &state);
    write_line(line, bytes, encode_dvl(line->format, &dvl, bytes, sizeof bytes));
}

/* --- the others --- */

static void report_ctd(broker *b, broker_line *line, const fm_client_sample *sample)
{
    char text[BROKER_LINES];
    const broker_ctd ctd = {.temperature = value_of(b, sample, "temperature") - KELVIN,
                            .conductivity = value_of(b, sample, "conductivity"),
                            .pressure = value_of(b, sample, "pressure") - AIR,
                            .salinity = value_of(b, sample, "salinity"),
                            .sound_speed = value_of(b, sample, "sound_speed")};
    write_line(line, text, broker_ctd_sbe49(&ctd, text, sizeof text));
}

static void report_compass(broker *b, broker_line *line, const fm_client_sample *sample)
{
    char text[BROKER_LINES];
    fm_client_state state;
    double roll, pitch, heading;
    write_line(line, text, broker_nmea_hdt("HC", value_of(b, sample, NULL), text, sizeof text));
    if (!fm_client_state_read(b->client, &state))
        return;
    to_angles(state.attitude, &roll, &pitch, &heading);
    write_line(line, text, broker_nmea_tilt("YX", pitch, roll, text, sizeof text));
}

static void report_pressure(broker *b, broker_line *line, const fm_client_sample *sample)
{
    char text[BROKER_LINES];
    double pascal = value_of(b, sample, NULL);
    write_line(line, text,
               strcmp(line->format, "nmea") == 0 ? broker_nmea_pressure("YX", pascal, text, sizeof text)
                                                 : broker_pressure_digiquartz(pascal, text, sizeof text));
}

static void report_echosounder(broker *b, broker_line *line, const fm_client_sample *sample)
{
    char text[BROKER_LINES];
    double range = value_of(b, sample, NULL);
    if (isfinite(range))
        write_line(line, text, broker_nmea_dpt("SD", range, 0, text, sizeof text));
}

static void say_fix(broker_line *line, const broker_fix *fix)
{
    char text[BROKER_LINES];
    write_line(line, text, broker_nmea_gga("GP", fix, text, sizeof text));
    write_line(line, text, broker_nmea_rmc("GP", fix, text, sizeof text));
    line->last_fix = fix->utc;
}

static void report_gps(broker *b, broker_line *line, const fm_client_sample *sample)
{
    broker_fix fix = {};
    fm_client_state state;
    double ned[3];
    fix.utc = utc_of(b, sample->stamp);
    fix.valid = (sample->flags & FM_CLIENT_VALID) != 0;
    fix.latitude = value_of(b, sample, "latitude") * BROKER_DEGREES;
    fix.longitude = value_of(b, sample, "longitude") * BROKER_DEGREES;
    fix.altitude = value_of(b, sample, "altitude");
    fix.speed = NAN;
    fix.satellites = 8;
    fix.dilution = 1;
    if (fm_client_state_read(b->client, &state)) {
        turn(state.attitude, state.velocity, ned);
        fix.speed = hypot(ned[0], ned[1]);
        fix.course = atan2(ned[1], ned[0]);
    }
    say_fix(line, &fix);
}

void broker_state(broker *b, const fm_client_state *state)
{
    for (int i = 0; i < b->line_count; i++) {
        broker_line *line = &b->lines[i];
        broker_fix none = {};
        none.utc = utc_of(b, state->stamp);
        if (line->kind == BROKER_GPS && (none.utc - line->last_fix >= 1.2 || none.utc < line->last_fix))
            say_fix(line, &none);
    }
}

static int instrument_of(const broker *b, uint16_t id, fm_client_instrument *instrument)
{
    for (size_t i = 0; fm_client_instrument_get(b->client, i, instrument); i++)
        if (instrument->id == id)
            return 1;
    return 0;
}

/* The first of its kind, where no name was given. */
static int is_for(const broker *b, const broker_line *line, const fm_client_instrument *instrument)
{
    fm_client_instrument first;
    if (line->instrument[0])
        return strcmp(line->instrument, instrument->name) == 0;
    for (size_t i = 0; fm_client_instrument_get(b->client, i, &first); i++)
        if (strcmp(first.kind, broker_kind_names[line->kind]) == 0)
            return first.id == instrument->id;
    return 0;
}

static void report(broker *b, broker_line *line, const fm_client_sample *sample)
{
    switch (line->kind) {
    case BROKER_DVL: report_dvl(b, line, sample); break;
    case BROKER_CTD: report_ctd(b, line, sample); break;
    case BROKER_COMPASS: report_compass(b, line, sample); break;
    case BROKER_PRESSURE: report_pressure(b, line, sample); break;
    case BROKER_GPS: report_gps(b, line, sample); break;
    case BROKER_ECHOSOUNDER: report_echosounder(b, line, sample); break;
    default: break;
    }
}

void broker_sample(broker *b, const fm_client_sample *sample)
{
    fm_client_instrument instrument;
    if (!instrument_of(b, sample->instrument, &instrument))
        return;
    for (int i = 0; i < b->line_count; i++)
        if (is_for(b, &b->lines[i], &instrument))
            report(b, &b->lines[i], sample);
}
