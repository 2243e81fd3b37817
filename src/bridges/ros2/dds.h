/* The part of DDS that ROS 2 needs: topics of encoded bytes, through Cyclone DDS. The bytes are CDR with its
 * encapsulation and are not interpreted here. Built only if Cyclone DDS is available. */
#ifndef FM_BRIDGES_ROS2_DDS_H
#define FM_BRIDGES_ROS2_DDS_H

#include <fathom/status.h>
#include <stddef.h>
#include <stdint.h>

enum { FM_DDS_GUID = 16, FM_DDS_TAKEN_MOST = 1 << 16 }; /* bytes; of a sample that is taken at most */

typedef struct fm_dds fm_dds; /* a participant of a domain */

typedef struct fm_dds_options {
    unsigned domain;
    const char *interface; /* the only interface to use, by name or address; NULL: as Cyclone is configured */
    const char *user_data; /* passed to the participant's QoS */
} fm_dds_options;

fm_status fm_dds_open(const fm_dds_options *options, fm_dds **dds, fm_error *error);
/* Closes all its writers and readers too; no callback comes afterwards. */
void fm_dds_close(fm_dds *dds);
void fm_dds_guid(const fm_dds *dds, uint8_t guid[FM_DDS_GUID]);
/* Warnings and errors reported by Cyclone since it was opened; any thread. */
uint64_t fm_dds_warnings(const fm_dds *dds);

/* A writer or a reader. Reliable, keeps the last `depth`. */
typedef struct fm_dds_topic {
    const char *name, *type; /* as on the wire */
    int latched;             /* transient local: late joiners get the last `depth` too */
    int32_t depth;
    const char *user_data; /* may be NULL */
} fm_dds_topic;

typedef struct fm_dds_end {
    int32_t entity; /* 0: none */
    uint8_t guid[FM_DDS_GUID];
} fm_dds_end;

fm_status fm_dds_writer_open(fm_dds *dds, const fm_dds_topic *topic, fm_dds_end *writer, fm_error *error);
/* Whether it was sent; any thread. It may wait for a slow reader, at most a tenth of a second. */
int fm_dds_write(const fm_dds_end *writer, const void *data, size_t size);

/* Called on a thread of Cyclone when samples can be taken. */
typedef void fm_dds_ready(int32_t entity, void *user);
fm_status fm_dds_reader_open(fm_dds *dds, const fm_dds_topic *topic, fm_dds_ready *ready, void *user,
                             fm_dds_end *reader, fm_error *error);
/* Passes on all samples that can be taken; returns their number. */
size_t fm_dds_take(const fm_dds_end *reader, void (*take)(void *user, const void *data, size_t size), void *user);

void fm_dds_end_close(fm_dds_end *end);

#endif
