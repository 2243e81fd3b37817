#include "ocean/wind.h"

#include "physics/real.h"

void fm_wind_at(const fm_wind *wind, double height, double out[2])
{
    double factor = 1;
    if (wind->exponent != 0)
        factor = height > 0 ? fm_pow(height / 10, wind->exponent) : 0;
    out[0] = factor * wind->velocity[0];
    out[1] = factor * wind->velocity[1];
}

/* With the angle of attack γ = −atan2(v, u): V² cos γ = V u, V² sin γ = −V v, V² sin 2γ = −2 u v. */
void fm_wind_load(const fm_wind_area *area, double air_density, const double relative[2], double out[3])
{
    double u = relative[0], v = relative[1], speed = fm_sqrt(u * u + v * v);
    out[0] = -0.5 * air_density * area->cx * area->frontal * speed * u;
    out[1] = -0.5 * air_density * area->cy * area->lateral * speed * v;
    out[2] = -air_density * area->cn * area->lateral * area->length * u * v;
}
