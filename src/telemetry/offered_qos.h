/* How a channel is offered to ROS 2, live and from a log. */
#ifndef FM_TELEMETRY_OFFERED_QOS_H
#define FM_TELEMETRY_OFFERED_QOS_H

#include <stddef.h>

enum { FM_OFFERED_QOS = 512 }; /* bytes of the text, NUL included */

/* Messages kept for a reader that lags, or, of a latched channel, for one that comes late. */
int fm_offered_depth(const char *topic, int latched);
/* The YAML that rosbag2 reads from the channel's metadata "offered_qos_profiles": reliable; latched channels are
 * transient local. */
void fm_offered_qos_write(const char *topic, int latched, char text[FM_OFFERED_QOS]);

#endif
