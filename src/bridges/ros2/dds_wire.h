/* The identity by which Fast DDS relates a reply to its request. It travels in the inline QoS of a sample, which
 * Cyclone DDS 0.10 neither shows nor sends: it is read from the received packet, and added to packets on their way
 * out. */
#ifndef FM_BRIDGES_ROS2_DDS_WIRE_H
#define FM_BRIDGES_ROS2_DDS_WIRE_H

#include <dds/ddsi/q_radmin.h>

#include "bridges/ros2/dds.h"

struct ddsi_domaingv;

typedef struct fm_dds_wire fm_dds_wire; /* the way out of a domain */

/* A sample on its way out whose packets carry an identity; as long as the sample. */
typedef struct fm_dds_relation {
    struct fm_dds_relation *next, **at;
    const unsigned char *data; /* payload of the sample, in one piece */
    size_t size;
    fm_dds_identity identity;
} fm_dds_relation;

/* The one of a domain; shared by all that open it. NULL: no memory, or the domain does not use datagrams. */
fm_dds_wire *fm_dds_wire_open(struct ddsi_domaingv *domain);
/* To be called after the domain is closed, or by all but the last user. */
void fm_dds_wire_close(fm_dds_wire *wire);

void fm_dds_wire_relate(fm_dds_wire *wire, fm_dds_relation *relation);
void fm_dds_wire_forget(fm_dds_wire *wire, fm_dds_relation *relation);

/* Whether the sample that begins with this fragment is related to another: then the client to answer (the reader that
 * it named, or the writer) and the number of the sample. */
int fm_dds_wire_read(const struct nn_rdata *fragment, fm_dds_identity *identity);

#endif
