#include "ocean/column.h"

#include <math.h>

#include "ocean/seawater.h"

fm_water_column fm_water_column_default(void)
{
    fm_water_column column = {
        .temperature.profile = {18, 20, 120, -0.06, -0.002},
        .salinity.profile = {35, 0, 0, 0, 0},
        .conductivity.profile = {4.62, 20, 120, 4e-4, 4e-6},
    };
    fm_water_column_fit_pressure(FM_PI / 4, column.pressure);
    return column;
}

/* Least squares of P1 z + P2 z² on Saunders' pressure. */
void fm_water_column_fit_pressure(double latitude, double pressure[3])
{
    double zz = 0, zzz = 0, zzzz = 0, pz = 0, pzz = 0;
    for (int i = 1; i <= 600; i++) {
        double z = 10.0 * i, p = FM_PASCALS_PER_DECIBAR * fm_pressure_from_depth(z, latitude);
        zz += z * z;
        zzz += z * z * z;
        zzzz += z * z * z * z;
        pz += p * z;
        pzz += p * z * z;
    }
    double determinant = zz * zzzz - zzz * zzz;
    pressure[0] = 101325;
    pressure[1] = (pz * zzzz - pzz * zzz) / determinant;
    pressure[2] = (zz * pzz - zzz * pz) / determinant;
}

static double field_at(const fm_water_field *field, double x, double y, double z)
{
    return fm_segments_at(&field->profile, z) + fm_spots_at(field->spots, field->spot_count, x, y, z);
}

static double decibar(const fm_water_column *column, double z)
{
    return fm_water_decibar_at(column->pressure, z);
}

double fm_water_column_pressure(const fm_water_column *column, double z)
{
    return fm_gauge_pressure(column->pressure, z);
}

/* Temperature and, in the physical mode, salinity; z ≥ 0. */
static void profile_at(const fm_water_column *c, double x, double y, double z, double *temperature, double *salinity)
{
    const fm_water_state state = {.temperature_profile = &c->temperature.profile,
                                  .salinity_profile = &c->salinity.profile,
                                  .levels = c->profile ? fm_profile_levels(c->profile) : (fm_water_levels){0},
                                  .temperature_spots = c->temperature.spots,
                                  .salinity_spots = c->salinity.spots,
                                  .temperature_spot_count = c->temperature.spot_count,
                                  .salinity_spot_count = c->salinity.spot_count};
    fm_water_state_at(&state, x, y, z, temperature, salinity);
}

/* Temperature, salinity and, in the printed mode, conductivity (otherwise left alone). */
static void state_at(const fm_water_column *c, double x, double y, double z, fm_water *w)
{
    profile_at(c, x, y, z, &w->temperature, &w->salinity);
    if (c->conductivity_mode == FM_CONDUCTIVITY_PRINTED) {
        w->conductivity = fm_max(field_at(&c->conductivity, x, y, z), 0);
        w->salinity = fm_salinity_from_conductivity(w->conductivity, w->temperature, decibar(c, z));
    }
}

static double density_of(const fm_water_column *c, const fm_water *w, double p)
{
    return c->density > 0 ? c->density : fm_seawater_density(w->salinity, w->temperature, p);
}

static double automatic_sound_speed(double s, double t, double p)
{
    double share = fm_clamp((s - 25) / 5, 0, 1); /* of Del Grosso, fitted to 29 ≤ S ≤ 43 */
    double fresh = share < 1 ? fm_sound_speed_chen_millero(s, t, p) : 0;
    double salt = share > 0 ? fm_sound_speed_del_grosso(s, t, p) : 0;
    return share * salt + (1 - share) * fresh;
}

static double sound_speed_of(const fm_water_column *c, const fm_water *w, double z, double p)
{
    switch (c->sound) {
    case FM_SOUND_AUTOMATIC: return automatic_sound_speed(w->salinity, w->temperature, p);
    case FM_SOUND_DEL_GROSSO: return fm_sound_speed_del_grosso(w->salinity, w->temperature, p);
    case FM_SOUND_CHEN_MILLERO: return fm_sound_speed_chen_millero(w->salinity, w->temperature, p);
    case FM_SOUND_MACKENZIE: return fm_sound_speed_mackenzie(w->salinity, w->temperature, z);
    case FM_SOUND_CONSTANT: return c->sound_speed;
    }
    return NAN;
}

fm_water fm_water_column_sample(const fm_water_column *column, double x, double y, double z)
{
    fm_water w;
    z = fm_max(z, 0);
    double p = decibar(column, z);
    state_at(column, x, y, z, &w);
    if (column->conductivity_mode == FM_CONDUCTIVITY_PHYSICAL)
        w.conductivity = fm_conductivity_from_salinity(w.salinity, w.temperature, p);
    w.pressure = fm_water_column_pressure(column, z);
    w.density = density_of(column, &w, p);
    w.sound_speed = sound_speed_of(column, &w, z, p);
    return w;
}

double fm_water_column_temperature(const fm_water_column *column, double x, double y, double z)
{
    double temperature, salinity;
    profile_at(column, x, y, fm_max(z, 0), &temperature, &salinity);
    return temperature;
}

double fm_water_column_density(const fm_water_column *column, double x, double y, double z)
{
    if (column->density > 0)
        return column->density;
    fm_water w;
    z = fm_max(z, 0);
    state_at(column, x, y, z, &w);
    return fm_seawater_density(w.salinity, w.temperature, decibar(column, z));
}

double fm_water_column_sound_speed(const fm_water_column *column, double x, double y, double z)
{
    if (column->sound == FM_SOUND_CONSTANT)
        return column->sound_speed;
    fm_water w;
    z = fm_max(z, 0);
    state_at(column, x, y, z, &w);
    return sound_speed_of(column, &w, z, decibar(column, z));
}

static fm_status check_field(const fm_water_field *field, const char *name, double min, double max, fm_error *error)
{
    const fm_segments *s = &field->profile;
    if (!(s->surface >= min && s->surface <= max))
        return fm_fail(error, FM_ERR_RANGE, "%s at the surface is %g: must be %g … %g", name, s->surface, min, max);
    if (!(s->z1 >= 0 && s->z2 >= s->z1 && isfinite(s->z2)))
        return fm_fail(error, FM_ERR_MODEL, "the segments of %s begin at %g m and %g m: must be 0 ≤ z1 ≤ z2", name,
                       s->z1, s->z2);
    if (!isfinite(s->slope1) || !isfinite(s->slope2))
        return fm_fail(error, FM_ERR_RANGE, "the slopes of %s are %g and %g per m: must be finite", name, s->slope1,
                       s->slope2);
    for (size_t i = 0; i < field->spot_count; i++) {
        const fm_spot *p = &field->spots[i];
        double all = p->amplitude + p->centre[0] + p->centre[1] + p->centre[2] + p->alpha + p->beta + p->gamma;
        if (!isfinite(all))
            return fm_fail(error, FM_ERR_RANGE, "spot %zu of %s holds a number that is not finite", i + 1, name);
    }
    return FM_OK;
}

fm_status fm_water_column_check(const fm_water_column *column, fm_error *error)
{
    fm_status status = check_field(&column->temperature, "temperature (°C)", -5, 50, error);
    if (status == FM_OK)
        status = check_field(&column->salinity, "salinity", 0, 50, error);
    if (status == FM_OK && column->conductivity_mode == FM_CONDUCTIVITY_PRINTED)
        status = check_field(&column->conductivity, "conductivity (S/m)", 0, 12, error);
    if (status != FM_OK)
        return status;
    const double *p = column->pressure;
    if (!(p[0] >= 0 && p[1] > 0 && p[2] >= 0 && isfinite(p[0] + p[1] + p[2])))
        return fm_fail(error, FM_ERR_MODEL,
                       "pressure %g + %g z + %g z² does not rise with depth: must be P0 ≥ 0, P1 > 0, P2 ≥ 0", p[0],
                       p[1], p[2]);
    if (!(column->density == 0 || (column->density >= 500 && column->density <= 2000)))
        return fm_fail(error, FM_ERR_RANGE, "density is %g kg/m3: must be 500 … 2000, or 0 for the equation of state",
                       column->density);
    if (column->sound == FM_SOUND_CONSTANT && !(column->sound_speed >= 1000 && column->sound_speed <= 2500))
        return fm_fail(error, FM_ERR_RANGE, "sound speed is %g m/s: must be 1000 … 2500", column->sound_speed);
    return FM_OK;
}
