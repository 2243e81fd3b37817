#include "telemetry/offered_qos.h"

#include <stdio.h>
#include <string.h>

int fm_offered_depth(const char *topic, int latched)
{
    if (latched || strcmp(topic, "/clock") == 0)
        return 1;
    int many = strcmp(topic, "/tf") == 0 || strcmp(topic, "/events") == 0 || strcmp(topic, "/inputs") == 0;
    return many ? 100 : 10;
}

/* Numbers of rmw (keep last 1, reliable 1, transient local 1, volatile 2, automatic 1), which every version of rosbag2
 * reads; names only those since Jazzy. The times are the infinite ones of rmw. */
void fm_offered_qos_write(const char *topic, int latched, char text[FM_OFFERED_QOS])
{
    snprintf(text, FM_OFFERED_QOS,
             "- history: 1\n  depth: %d\n  reliability: 1\n  durability: %d\n"
             "  deadline:\n    sec: 9223372036\n    nsec: 854775807\n"
             "  lifespan:\n    sec: 9223372036\n    nsec: 854775807\n"
             "  liveliness: 1\n"
             "  liveliness_lease_duration:\n    sec: 9223372036\n    nsec: 854775807\n"
             "  avoid_ros_namespace_conventions: false\n",
             fm_offered_depth(topic, latched), latched ? 1 : 2);
}
