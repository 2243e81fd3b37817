#include "fish/elongated.h"

#include <math.h>

#include "base/error.h"

fm_fish_elongated_setup fm_fish_elongated_defaults(const fm_fish_params *fish, double head_length,
                                                   const fm_fish_tail *tail)
{
    return (fm_fish_elongated_setup){.head_length = head_length,
                                     .tail = *tail,
                                     .mass = fish->mass,
                                     .wetted_area = fish->wetted_area,
                                     .density = fish->density,
                                     .viscosity = fish->viscosity,
                                     .cross_drag = 1,
                                     .head_elements = 16,
                                     .link_elements = (32 + tail->joints - 1) / tail->joints};
}

double fm_fish_ellipse_girth(double height, double width)
{
    double a = 0.5 * height, b = 0.5 * width;
    if (a + b <= 0)
        return 0;
    double h = (a - b) * (a - b) / ((a + b) * (a + b));
    return FM_PI * (a + b) * (1 + 3 * h / (10 + sqrt(4 - 3 * h)));
}

static fm_fish_station station_at(const fm_fish_station *s, int count, double x)
{
    int i = 1;
    while (i < count - 1 && s[i].x < x)
        i++;
    double t = fmin(fmax((x - s[i - 1].x) / (s[i].x - s[i - 1].x), 0), 1);
    return (fm_fish_station){x, s[i - 1].height + t * (s[i].height - s[i - 1].height),
                             s[i - 1].width + t * (s[i].width - s[i - 1].width)};
}

static fm_status check_stations(const fm_fish_station *s, int count, double length, fm_error *error)
{
    if (count < 2)
        return fm_fail(error, FM_ERR_MODEL, "%d stations along the fish: must be at least 2", count);
    for (int i = 0; i < count; i++) {
        if (!(s[i].height >= 0) || !(s[i].width >= 0) || !isfinite(s[i].height + s[i].width + s[i].x))
            return fm_fail(error, FM_ERR_RANGE,
                           "station %d of the fish: height %g m, width %g m at %g m: must be finite numbers from 0",
                           i + 1, s[i].height, s[i].width, s[i].x);
        if (i > 0 && !(s[i].x > s[i - 1].x))
            return fm_fail(error, FM_ERR_MODEL,
                           "station %d of the fish lies at %g m, not after the previous one (%g m)", i + 1, s[i].x,
                           s[i - 1].x);
    }
    if (fabs(s[0].x) > 1e-6 * length || fabs(s[count - 1].x - length) > 1e-6 * length)
        return fm_fail(error, FM_ERR_MODEL, "stations run from %g to %g m, but head and links are %g m long", s[0].x,
                       s[count - 1].x, length);
    return FM_OK;
}

/* `n` equal elements on one body of the chain; its front end lies x0 m behind the nose. */
static void add_elements(fm_fish_elongated_params *out, fm_fish_element *elements, const fm_fish_station *stations,
                         int count, int link, double x0, double length, int n)
{
    for (int i = 0; i < n; i++) {
        double ds = length / n, behind = (i + 0.5) * ds;
        fm_fish_station s = station_at(stations, count, x0 + behind);
        elements[out->count++] = (fm_fish_element){
            .link = link,
            .along = link == 0 ? length - behind : behind,
            .body_mass = 0.25 * FM_PI * s.height * s.width * ds,
            .added_mass = out->density * 0.25 * FM_PI * s.height * s.height * ds,
            .skin = fm_fish_ellipse_girth(s.height, s.width) * ds,
            .side = s.height * ds,
        };
    }
}

/* Volumes become masses and girths become wetted areas, so that the sums are the fish's own. */
static fm_status scale_elements(fm_fish_element *elements, int count, const fm_fish_elongated_setup *setup,
                                fm_error *error)
{
    double mass = 0, skin = 0;
    for (int i = 0; i < count; i++) {
        mass += elements[i].body_mass;
        skin += elements[i].skin;
    }
    if (!(mass > 0) || !(skin > 0))
        return fm_fail(error, FM_ERR_MODEL, "the stations of the fish enclose no volume");
    for (int i = 0; i < count; i++) {
        elements[i].body_mass *= setup->mass / mass;
        elements[i].skin *= setup->wetted_area / skin;
    }
    return FM_OK;
}

fm_status fm_fish_elongated_build(fm_fish_elongated_params *out, fm_fish_element elements[FM_FISH_ELEMENTS_MAX],
                                  const fm_fish_elongated_setup *setup, const fm_fish_station *stations, int count,
                                  fm_error *error)
{
    double length = setup->head_length;
    for (int j = 0; j < setup->tail.joints; j++)
        length += setup->tail.link[j];
    fm_status status = check_stations(stations, count, length, error);
    if (status != FM_OK)
        return status;
    if (setup->head_elements < 1 || setup->link_elements < 1 ||
        setup->head_elements + setup->tail.joints * setup->link_elements > FM_FISH_ELEMENTS_MAX)
        return fm_fail(error, FM_ERR_RANGE,
                       "%d elements on the head and %d on each link: must be 1 or more each, %d in all",
                       setup->head_elements, setup->link_elements, FM_FISH_ELEMENTS_MAX);
    double tail = stations[count - 1].height;
    *out = (fm_fish_elongated_params){.recoil = 1,
                                      .shedding = 1,
                                      .tail = setup->tail,
                                      .tail_added = setup->density * 0.25 * FM_PI * tail * tail,
                                      .density = setup->density,
                                      .viscosity = setup->viscosity,
                                      .length = length,
                                      .cross_drag = setup->cross_drag,
                                      .skin_drag = 1,
                                      .element = elements};
    add_elements(out, elements, stations, count, 0, 0, setup->head_length, setup->head_elements);
    double x = setup->head_length;
    for (int j = 0; j < setup->tail.joints; j++) {
        add_elements(out, elements, stations, count, j + 1, x, setup->tail.link[j], setup->link_elements);
        x += setup->tail.link[j];
    }
    return scale_elements(elements, out->count, setup, error);
}
