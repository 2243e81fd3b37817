#include "bridges/ros2/dds.h"

#include <dds/dds.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "bridges/ros2/dds_bytes.h"
#include "bridges/ros2/dds_wire.h"
#include "server/socket_list.h"

struct fm_dds {
    dds_entity_t domain; /* 0: as Cyclone is configured */
    dds_entity_t participant;
    fm_dds_wire *wire; /* NULL: this domain sends no identities */
    _Atomic uint64_t warnings;
};

static fm_status fail(fm_error *error, const char *what, const char *name, dds_return_t code)
{
    return fm_fail(error, FM_ERR_LIBRARY, "DDS: %s%s%.100s: %s", what, *name ? " " : "", name, dds_strretcode(-code));
}

/* --- the participant --- */

/* Messages of Cyclone are only counted. */
static void count_line(void *user, const dds_log_data_t *line)
{
    fm_dds *dds = user;
    if (line->priority & (DDS_LC_WARNING | DDS_LC_ERROR | DDS_LC_FATAL))
        atomic_fetch_add(&dds->warnings, 1);
}

static fm_status open_domain(fm_dds *dds, const fm_dds_options *options, fm_error *error)
{
    char config[512];
    if (!options->interface)
        return FM_OK;
    int numbers = strspn(options->interface, "0123456789.") == strlen(options->interface);
    int n = snprintf(config, sizeof config,
                     "<CycloneDDS><Domain><General><Interfaces><NetworkInterface %s=\"%s\" multicast=\"true\"/>"
                     "</Interfaces></General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
                     "<MaxAutoParticipantIndex>120</MaxAutoParticipantIndex></Discovery></Domain></CycloneDDS>",
                     numbers ? "address" : "name", options->interface);
    if (n < 0 || (size_t)n >= sizeof config || strpbrk(options->interface, "<>&\""))
        return fm_fail(error, FM_ERR_ARGUMENT, "'%.60s' is not a network interface: must be a name (lo) or an address",
                       options->interface);
    dds->domain = dds_create_domain(options->domain, config);
    if (dds->domain == DDS_RETCODE_PRECONDITION_NOT_MET) /* another bridge of this process uses it */
        dds->domain = 0;
    return dds->domain < 0 ? fail(error, "cannot use the interface", options->interface, dds->domain) : FM_OK;
}

/* By its address or its name. */
static int is_loopback(const char *interface)
{
    fm_address address;
    struct ifaddrs *all = NULL;
    int found = fm_address_read(interface, 0, &address, NULL) == FM_OK && fm_address_is_loopback(&address);
    if (getifaddrs(&all) != 0)
        return found;
    for (const struct ifaddrs *i = all; i; i = i->ifa_next)
        found |= strcmp(i->ifa_name, interface) == 0 && (i->ifa_flags & IFF_LOOPBACK) != 0;
    freeifaddrs(all);
    return found;
}

/* Cyclone binds its receiving sockets to every address, whatever its interface is. If the interface is loopback, the
 * kernel is configured to pass only local datagrams to these sockets. */
static fm_status open_kept_local(fm_dds *dds, const fm_dds_options *options, fm_error *error)
{
    fm_socket_list before;
    fm_socket_list_open(&before);
    fm_status status = open_domain(dds, options, error);
    if (status == FM_OK && !fm_socket_list_keep_local(&before))
        status = fm_fail(error, FM_ERR_LIBRARY, "DDS: the system cannot keep its sockets to interface %s: %s",
                         options->interface, strerror(errno));
    return status;
}

/* The domain behind a participant is known to the types that are registered with it. */
static fm_dds_wire *find_wire(dds_entity_t participant)
{
    struct ddsi_sertype *type = fm_dds_bytes_type("fathom", NULL);
    dds_entity_t topic = type ? dds_create_topic_sertype(participant, "fathom", &type, NULL, NULL, NULL) : 0;
    if (topic <= 0)
        return NULL;
    fm_dds_wire *wire = fm_dds_wire_open(ddsrt_atomic_ldvoidp(&type->gv));
    dds_delete(topic);
    return wire;
}

fm_status fm_dds_open(const fm_dds_options *options, fm_dds **opened, fm_error *error)
{
    fm_dds *dds = fm_alloc(sizeof *dds);
    if (!dds)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for DDS");
    dds_set_log_sink(count_line, dds);
    int local = options->interface && is_loopback(options->interface);
    fm_status status = local ? open_kept_local(dds, options, error) : open_domain(dds, options, error);
    dds_qos_t *qos = dds_create_qos();
    dds_qset_userdata(qos, options->user_data, strlen(options->user_data));
    if (status == FM_OK) {
        dds->participant = dds_create_participant(options->domain, qos, NULL);
        if (dds->participant < 0)
            status = fail(error, "cannot take part in the domain", "", dds->participant);
    }
    dds_delete_qos(qos);
    if (status != FM_OK)
        return fm_dds_close(dds), status;
    dds->wire = find_wire(dds->participant);
    *opened = dds;
    return FM_OK;
}

void fm_dds_close(fm_dds *dds)
{
    if (!dds)
        return;
    if (dds->participant > 0)
        dds_delete(dds->participant);
    if (dds->domain > 0)
        dds_delete(dds->domain);
    dds_set_log_sink(NULL, NULL);
    fm_dds_wire_close(dds->wire);
    fm_free(dds);
}

static void guid_of(dds_entity_t entity, uint8_t guid[FM_DDS_GUID])
{
    dds_guid_t g;
    if (dds_get_guid(entity, &g) == DDS_RETCODE_OK)
        memcpy(guid, g.v, FM_DDS_GUID);
}

void fm_dds_guid(const fm_dds *dds, uint8_t guid[FM_DDS_GUID])
{
    guid_of(dds->participant, guid);
}

uint64_t fm_dds_warnings(const fm_dds *dds)
{
    return atomic_load(&dds->warnings);
}

/* --- writers and readers --- */

static dds_qos_t *qos_of(const fm_dds_topic *topic, int reliable)
{
    dds_qos_t *qos = dds_create_qos();
    dds_qset_reliability(qos, reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, DDS_MSECS(100));
    dds_qset_durability(qos, topic->latched ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, topic->depth);
    if (topic->latched)
        dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_LAST, topic->depth, DDS_LENGTH_UNLIMITED,
                                    DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
    dds_qset_data_representation(qos, 1, (dds_data_representation_id_t[]){DDS_DATA_REPRESENTATION_XCDR1});
    if (topic->user_data)
        dds_qset_userdata(qos, topic->user_data, strlen(topic->user_data));
    return qos;
}

static fm_status open_topic(fm_dds *dds, const fm_dds_topic *topic, dds_entity_t *entity, fm_error *error)
{
    struct ddsi_sertype *type = fm_dds_bytes_type(topic->type, dds->wire);
    if (!type)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for DDS");
    *entity = dds_create_topic_sertype(dds->participant, topic->name, &type, NULL, NULL, NULL);
    if (*entity > 0)
        return FM_OK;
    ddsi_sertype_unref(type);
    return fail(error, "cannot make the topic", topic->name, *entity);
}

/* The end keeps a reference to its topic; ours is released. */
static fm_status finish_end(const fm_dds_topic *topic, dds_entity_t made, dds_entity_t entity, fm_dds_end *end,
                            fm_error *error)
{
    dds_delete(made);
    if (entity < 0)
        return fail(error, "cannot open", topic->name, entity);
    end->entity = entity;
    end->casual = topic->casual;
    guid_of(entity, end->guid);
    return FM_OK;
}

fm_status fm_dds_writer_open(fm_dds *dds, const fm_dds_topic *topic, fm_dds_end *writer, fm_error *error)
{
    dds_entity_t made;
    fm_status status = open_topic(dds, topic, &made, error);
    if (status != FM_OK)
        return status;
    dds_qos_t *qos = qos_of(topic, 1);
    dds_entity_t entity = dds_create_writer(dds->participant, made, qos, NULL);
    dds_delete_qos(qos);
    return finish_end(topic, made, entity, writer, error);
}

int fm_dds_write(const fm_dds_end *writer, const void *data, size_t size)
{
    return dds_write(writer->entity, &(fm_dds_bytes){data, size, NULL}) == DDS_RETCODE_OK;
}

int fm_dds_write_related(const fm_dds_end *writer, const void *data, size_t size, const fm_dds_identity *related)
{
    return dds_write(writer->entity, &(fm_dds_bytes){data, size, related}) == DDS_RETCODE_OK;
}

static int is_guid_of(dds_entity_t writer, dds_instance_handle_t reader, const uint8_t guid[FM_DDS_GUID])
{
    dds_builtintopic_endpoint_t *end = dds_get_matched_subscription_data(writer, reader);
    int same = end && memcmp(end->key.v, guid, FM_DDS_GUID) == 0;
    if (end)
        dds_builtintopic_free_endpoint(end);
    return same;
}

int fm_dds_is_ready(const fm_dds_end *writer, const fm_dds_identity *client)
{
    enum { READERS = 256, READER = 0x04 }; /* RTPS 9.3.1.2: a bit in the kind of every reader */
    dds_instance_handle_t matched[READERS];
    if (!(client->guid[FM_DDS_GUID - 1] & READER))
        return 1;
    dds_return_t count = dds_get_matched_subscriptions(writer->entity, matched, READERS);
    for (dds_return_t i = 0; i < count && i < READERS; i++)
        if (is_guid_of(writer->entity, matched[i], client->guid))
            return 1;
    return count > READERS;
}

fm_status fm_dds_reader_open(fm_dds *dds, const fm_dds_topic *topic, fm_dds_ready *ready, void *user,
                             fm_dds_end *reader, fm_error *error)
{
    dds_entity_t made;
    fm_status status = open_topic(dds, topic, &made, error);
    if (status != FM_OK)
        return status;
    dds_qos_t *qos = qos_of(topic, !topic->casual);
    dds_listener_t *listener = dds_create_listener(user);
    dds_lset_data_available(listener, ready);
    dds_entity_t entity = dds_create_reader(dds->participant, made, qos, listener);
    dds_delete_listener(listener);
    dds_delete_qos(qos);
    return finish_end(topic, made, entity, reader, error);
}

/* Whether the writer of a sample is known to be a best-effort one. */
static int is_casual(dds_entity_t reader, dds_instance_handle_t writer)
{
    dds_reliability_kind_t kind = DDS_RELIABILITY_RELIABLE;
    dds_builtintopic_endpoint_t *end = dds_get_matched_publication_data(reader, writer);
    if (!end)
        return 0;
    dds_qget_reliability(end->qos, &kind, NULL);
    dds_builtintopic_free_endpoint(end);
    return kind == DDS_RELIABILITY_BEST_EFFORT;
}

size_t fm_dds_take(const fm_dds_end *reader, fm_dds_taker *take, void *user)
{
    enum { AT_ONCE = 16 };
    struct ddsi_serdata *samples[AT_ONCE];
    dds_sample_info_t info[AT_ONCE];
    size_t taken = 0;
    for (dds_return_t n = AT_ONCE; n == AT_ONCE;) {
        n = dds_takecdr(reader->entity, samples, AT_ONCE, info, DDS_ANY_STATE);
        for (dds_return_t i = 0; i < n; i++) {
            fm_dds_bytes bytes = fm_dds_bytes_of(samples[i]);
            if (info[i].valid_data && (!reader->casual || is_casual(reader->entity, info[i].publication_handle))) {
                take(user, bytes.data, bytes.size, bytes.related);
                taken++;
            }
            ddsi_serdata_unref(samples[i]);
        }
    }
    return taken;
}

void fm_dds_end_close(fm_dds_end *end)
{
    if (end->entity > 0)
        dds_delete(end->entity);
    end->entity = 0;
}
