/* <server>: settings of the scenario for `fathom serve`. They have no effect in the world. */
#include "scenario/build.h"

static const fm_attr server_attrs[] = {
    FM_INT_ATTR(fm_server_settings, port, "port", 1, 65535, "4040", 0, "UDP port"),
    FM_INT_ATTR(fm_server_settings, clients, "clients", 1, 10000, "1024", 0, "that may be connected at a time"),
    FM_REAL_ATTR(fm_server_settings, keep_alive, "keep-alive", "s", 0.01, 3600, "1 s", 0,
                 "between two pings of a client"),
    FM_REAL_ATTR(fm_server_settings, timeout, "timeout", "s", 0.05, 86400, "5 s", 0,
                 "silence after which a client is removed"),
    FM_REAL_ATTR(fm_server_settings, keep, "keep", "s", 0, 86400, "30 s", 0,
                 "for which the vehicle of a client that was removed waits for it to come back with its token"),
    FM_REAL_ATTR(fm_server_settings, state_period, "state-period", "s", 0, 3600, "0.05 s", 0,
                 "between two states that a client is sent, unless it asks for another; 0: every step"),
    FM_REAL_ATTR(fm_server_settings, sensor_period, "sensor-period", "s", 0, 3600, "0 s", 0,
                 "between two samples of an instrument that a client is sent at least, unless it asks for another; 0: "
                 "every sample"),
    FM_REAL_ATTR(fm_server_settings, log_period, "log-period", "s", 0, 3600, "0 s", 0,
                 "between two states in the log; 0: every step. Sounds and events are all recorded"),
    FM_REAL_ATTR(fm_server_settings, deadline, "deadline", "s", 0, 86400, "0 s", 0,
                 "in lock-step: how long a step waits for the clients that take part; 0: until they time out"),
    FM_TEXT_ATTR(fm_server_settings, lockstep, "lockstep", NULL, 0,
                 "names of clients, separated by spaces, that a run in lock-step waits for before it begins"),
    FM_INT_ATTR(
        fm_server_settings, telemetry_loop, "telemetry-loop", 0, 65535, "0", 0,
        "UDP port of 127.0.0.1 for telemetry records of the NPS AUV's software: the simulation advances only as "
        "they come, and answers them with what the sensors show; 0: none"),
    FM_INT_ATTR(fm_server_settings, hardware_loop, "hardware-loop", 0, 65535, "0", 0,
                "the same for the hardware record of Snookie; 0: none"),
};
const fm_element fm_server_element =
    FM_TABLE_ELEMENT(fm_server_settings, "server", server_attrs, NULL, FM_ELEMENT_ONCE,
                     "How `fathom serve` treats its clients. It changes nothing in the world.");

fm_status fm_build_server(fm_builder *b)
{
    const fm_node *node = fm_node_child(b->tree->root, "server");
    fm_server_settings *s = fm_build_alloc(b, sizeof *s);
    fm_error error = {0};
    if (!node) /* its defaults */
        node = fm_node_add(b->tree, NULL, &fm_server_element, NULL, b->tree->root->file, b->tree->root->line, &error);
    if (!s || !node)
        return FM_ERR_MEMORY;
    fm_node_fill(node, s);
    if (s->timeout < s->keep_alive)
        return fm_node_fail(node, "timeout", b->report, FM_ERR_RANGE,
                            "%g s is out of range: must be at least the time between two pings (keep-alive), %g s",
                            s->timeout, s->keep_alive);
    if (s->telemetry_loop > 0 && s->hardware_loop > 0)
        return fm_node_fail(node, "hardware-loop", b->report, FM_ERR_RANGE,
                            "given together with telemetry-loop: give only one of them");
    b->model->server = s;
    return FM_OK;
}
