/* A type of Cyclone DDS whose samples are already encoded bytes, of any ROS 2 type. */
#ifndef FM_BRIDGES_ROS2_DDS_BYTES_H
#define FM_BRIDGES_ROS2_DDS_BYTES_H

#include <dds/ddsi/ddsi_serdata.h>

#include "bridges/ros2/dds_wire.h"

/* The sample that dds_write accepts for such a topic. */
typedef struct fm_dds_bytes {
    const void *data; /* CDR with its encapsulation */
    size_t size;
    const fm_dds_identity *related; /* of a reply: its request; of a received sample: whom to answer; NULL: none */
} fm_dds_bytes;

/* A new type of this name; the topic created from it takes ownership. NULL: no memory. `wire`: by which replies are
 * related; it must live as long as the domain. */
struct ddsi_sertype *fm_dds_bytes_type(const char *name, fm_dds_wire *wire);

/* The bytes of a taken sample (dds_takecdr); valid as long as the sample. */
fm_dds_bytes fm_dds_bytes_of(const struct ddsi_serdata *sample);

#endif
