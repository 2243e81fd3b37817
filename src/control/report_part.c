/* <report>: sends the vehicle's estimated position by modem. */
#include <fathom/modem.h>
#include <string.h>

#include "control/navigation_part.h"
#include "control/parts.h"

typedef struct report_config {
    const char *name;
    double period;
    const char *modem;
    int64_t to;
    double start, interval; /* s */
    int64_t part, navigation;
} report_config;

static const fm_attr attrs[] = {
    FM_NAME_ATTR(report_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(report_config, period, "period", "s", 0, 1e5, "0 s", 0, "between looks at the clock; 0: every step"),
    FM_NAME_ATTR(report_config, modem, "modem", NULL, 0, "that sends them, a part before it; left out: the first"),
    FM_INT_ATTR(report_config, to, "to", 0, 65535, "0", 0, "address; 0: broadcast"),
    FM_REAL_ATTR(report_config, start, "start", "s", 0, 1e9, "0 s", 0, "of the first report"),
    FM_REAL_ATTR(report_config, interval, "interval", "s", 0.1, 1e5, "30 s", 0, "between reports"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(report_config, "report", attrs, NULL, 0,
                     "Sends the vehicle's estimated position to an address through a <modem>: 24 bytes, little endian: "
                     "time (double, s), north, east, depth (float, m), heading (float, rad).");

static fm_status load_report(fm_part_load *load, void *config, fm_error *error)
{
    report_config *c = config;
    c->part = fm_load_modem(load, c->modem, error);
    c->navigation = fm_load_navigation(load);
    return c->part < 0 ? error->status : FM_OK;
}

static void run_report(const fm_part_context *context)
{
    const report_config *c = context->config;
    unsigned char bytes[24];
    int64_t *sent = context->state;
    if (context->time + 1e-9 < c->start + (double)*sent * c->interval)
        return;
    ++*sent;
    const fm_estimate n = fm_navigation_known(context, (int)c->navigation);
    const float pose[4] = {(float)n.position[0], (float)n.position[1], (float)n.position[2], (float)n.euler[2]};
    memcpy(bytes, &context->time, 8);
    memcpy(bytes + 8, pose, sizeof pose);
    fm_modem_send(context, (int)c->part, c->to, bytes, sizeof bytes);
}

const fm_part_class fm_report_class = {.kind = FM_PART_CONTROLLER,
                                       .element = &element,
                                       .state_size = sizeof(int64_t),
                                       .load = load_report,
                                       .run = run_report};
