/* <bridge kind="ros2">: its attributes and their check. Part of libfathom. */
#include <string.h>

#include "base/error.h"
#include "bridges/list.h"
#include "bridges/ros2/ros2_config.h"

static const fm_attr attrs[] = {
    FM_NAME_ATTR(fm_ros2_config, vehicle, "vehicle", NULL, 0, "whose topics it has; default: all"),
    FM_TEXT_ATTR(fm_ros2_config, address, "address", NULL, 0,
                 "name or address of the network interface; default: as Cyclone DDS is configured"),
    FM_REAL_ATTR(fm_ros2_config, rate, "rate", "Hz", 0, 1e4, "0 Hz", 0,
                 "greatest rate of a topic, in simulated time; 0: every sample"),
    FM_INT_ATTR(fm_ros2_config, domain, "domain", -1, 232, "-1", 0, "of DDS; -1: that of ROS_DOMAIN_ID, or 0"),
    FM_NAME_ATTR(fm_ros2_config, node, "node", "fathom", 0, "name of its node"),
    FM_NAME_ATTR(fm_ros2_config, distribution, "distribution", NULL, 0,
                 "of the nodes that should see its name (humble, jazzy …); default: that of ROS_DISTRO"),
};

static const fm_element element = FM_BRIDGE_ELEMENT(
    fm_ros2_config, "ros2", attrs, "A ROS 2 node: topics, orders and services of the vehicles (docs/ros2.md).");

/* Names of topics begin with it and cannot contain '.' or '-'. */
static fm_status check(const fm_model *model, void *config, const char **attribute, fm_error *error)
{
    const char *node = ((fm_ros2_config *)config)->node;
    (void)model;
    if (strlen(node) < 32 && !strpbrk(node, ".-"))
        return FM_OK;
    *attribute = "node";
    return fm_fail(error, FM_ERR_NAME, "'%.60s' is not a name of a node: must be up to 31 letters, digits and '_'",
                   node);
}

const fm_bridge_class fm_ros2_class = {.size = sizeof(fm_bridge_class), .element = &element, .check = check};
