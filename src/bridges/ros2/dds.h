/* The part of DDS that ROS 2 needs: topics of encoded bytes, through Cyclone DDS. The bytes are CDR with its
 * encapsulation and are not interpreted here. Built only if Cyclone DDS is available. */
#ifndef FM_BRIDGES_ROS2_DDS_H
#define FM_BRIDGES_ROS2_DDS_H

#include <fathom/status.h>
#include <stddef.h>
#include <stdint.h>

enum { FM_DDS_GUID = 16, FM_DDS_TAKEN_MOST = 1 << 16 }; /* bytes; of a sample that is taken at most */

typedef struct fm_dds fm_dds; /* a participant of a domain */

/* A sample of another writer, as Fast DDS relates a reply to a request: the client, and the number of the sample. */
typedef struct fm_dds_identity {
    uint8_t guid[FM_DDS_GUID];
    int64_t number;
} fm_dds_identity;

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

/* A writer or a reader; keeps the last `depth`. Both are reliable. A `casual` reader is not: it takes what best-effort
 * writers send, and nothing from reliable ones, which have a reader of their own. */
typedef struct fm_dds_topic {
    const char *name, *type; /* as on the wire */
    int latched;             /* transient local: late joiners get the last `depth` too */
    int32_t depth;
    const char *user_data; /* may be NULL */
    int casual;            /* of a reader */
} fm_dds_topic;

typedef struct fm_dds_end {
    int32_t entity; /* 0: none */
    int casual;
    uint8_t guid[FM_DDS_GUID];
} fm_dds_end;

fm_status fm_dds_writer_open(fm_dds *dds, const fm_dds_topic *topic, fm_dds_end *writer, fm_error *error);
/* Whether it was sent; any thread. It may wait for a slow reader, at most a tenth of a second. */
int fm_dds_write(const fm_dds_end *writer, const void *data, size_t size);
/* The same for a sample that is related to another. */
int fm_dds_write_related(const fm_dds_end *writer, const void *data, size_t size, const fm_dds_identity *related);
/* Whether the client of an identity would receive what this writer writes now: it names its reader, which the writer
 * may not have met yet; a client that names its writer is taken to be ready. */
int fm_dds_is_ready(const fm_dds_end *writer, const fm_dds_identity *client);

/* Called on a thread of Cyclone when samples can be taken. */
typedef void fm_dds_ready(int32_t entity, void *user);
fm_status fm_dds_reader_open(fm_dds *dds, const fm_dds_topic *topic, fm_dds_ready *ready, void *user,
                             fm_dds_end *reader, fm_error *error);
/* One sample. `origin`: whom to answer, if the sample has that in its inline QoS; else NULL. */
typedef void fm_dds_taker(void *user, const void *data, size_t size, const fm_dds_identity *origin);
/* Passes on all samples that can be taken; returns their number. */
size_t fm_dds_take(const fm_dds_end *reader, fm_dds_taker *take, void *user);

void fm_dds_end_close(fm_dds_end *end);

#endif
