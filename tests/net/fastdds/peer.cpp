// A participant of another vendor (eProsima Fast DDS) that reads and writes topics of encoded bytes, by lines on its
// standard input, on the loopback interface only:
//   read TOPIC TYPE [latched]     a reader; every sample comes out as "data TOPIC HEX"
//   open TOPIC TYPE [best]        a writer, so that it is known before it writes; a best-effort one
//   write TOPIC TYPE HEX          waits for a reader, writes one sample, says "sent TOPIC"
//   spray TOPIC TYPE HEX          the same with a best-effort writer, as sensors and joysticks have
//   call TOPIC TYPE HEX REPLIES   as rmw_fastrtps calls a service: the request names the reader of REPLIES in its inline
//                                 QoS; says "called TOPIC NUMBER"
//   quit
// A sample that is related to a request of this process comes out as "reply TOPIC NUMBER HEX".
// Who is seen comes out as "participant NAME USERDATA" and "writer|reader TOPIC TYPE reliable|best-effort
// latched|volatile USERDATA".
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <deque>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace eprosima::fastdds::dds;
using namespace eprosima::fastrtps::rtps;
using Bytes = std::vector<unsigned char>;

// Lines wait in a queue, because a callback of Fast DDS that waits for the reader of a full pipe stops the participant.
class Printer {
public:
    void say(const std::string &line)
    {
        std::lock_guard<std::mutex> guard(mutex);
        lines.push_back(line);
        more.notify_one();
    }
    void print()
    {
        for (std::unique_lock<std::mutex> guard(mutex);;) {
            more.wait(guard, [this] { return !lines.empty(); });
            std::deque<std::string> taken;
            taken.swap(lines);
            guard.unlock();
            for (const std::string &line : taken)
                std::puts(line.c_str());
            std::fflush(stdout);
            guard.lock();
        }
    }

private:
    std::mutex mutex;
    std::condition_variable more;
    std::deque<std::string> lines;
};

static Printer printer;
static std::mutex calling; // held until the line of a call is said, before that of its reply

static void say(const std::string &line)
{
    printer.say(line);
}

static std::string hex(const Bytes &bytes)
{
    static const char digits[] = "0123456789abcdef";
    std::string text;
    for (unsigned char b : bytes) {
        text += digits[b >> 4];
        text += digits[b & 15];
    }
    return text;
}

static Bytes from_hex(const std::string &text)
{
    Bytes bytes;
    for (size_t i = 0; i + 1 < text.size(); i += 2)
        bytes.push_back(static_cast<unsigned char>(std::stoul(text.substr(i, 2), nullptr, 16)));
    return bytes;
}

// Samples are the payload as it is on the wire, encapsulation included.
class ByteType : public TopicDataType {
public:
    explicit ByteType(const std::string &name)
    {
        setName(name.c_str());
        m_typeSize = 1 << 20;
        m_isGetKeyDefined = false;
    }
    bool serialize(void *data, SerializedPayload_t *payload) override
    {
        const Bytes &bytes = *static_cast<Bytes *>(data);
        payload->encapsulation = CDR_LE;
        payload->length = static_cast<uint32_t>(bytes.size());
        std::memcpy(payload->data, bytes.data(), bytes.size());
        return true;
    }
    bool deserialize(SerializedPayload_t *payload, void *data) override
    {
        static_cast<Bytes *>(data)->assign(payload->data, payload->data + payload->length);
        return true;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void *data) override
    {
        return [data]() { return static_cast<uint32_t>(static_cast<Bytes *>(data)->size()); };
    }
    void *createData() override { return new Bytes; }
    void deleteData(void *data) override { delete static_cast<Bytes *>(data); }
    bool getKey(void *, InstanceHandle_t *, bool) override { return false; }
};

class Taker : public DataReaderListener {
public:
    void on_data_available(DataReader *reader) override
    {
        Bytes bytes;
        SampleInfo info;
        while (reader->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK)
            if (info.valid_data && info.related_sample_identity.writer_guid() == reader->guid()) {
                std::lock_guard<std::mutex> guard(calling);
                say("reply " + reader->get_topicdescription()->get_name() + " " +
                    std::to_string(info.related_sample_identity.sequence_number().to64long()) + " " + hex(bytes));
            } else if (info.valid_data) {
                say("data " + reader->get_topicdescription()->get_name() + " " + hex(bytes));
            }
    }
};

template <class Proxy> static void tell_end(const char *what, const Proxy &end)
{
    std::string user(end.m_qos.m_userData.begin(), end.m_qos.m_userData.end());
    say(std::string(what) + " " + end.topicName().c_str() + " " + end.typeName().c_str() + " " +
        (end.m_qos.m_reliability.kind == RELIABLE_RELIABILITY_QOS ? "reliable" : "best-effort") + " " +
        (end.m_qos.m_durability.kind == TRANSIENT_LOCAL_DURABILITY_QOS ? "latched" : "volatile") + " " + user);
}

class Watcher : public DomainParticipantListener {
public:
    void on_participant_discovery(DomainParticipant *, ParticipantDiscoveryInfo &&seen) override
    {
        if (seen.status != ParticipantDiscoveryInfo::DISCOVERED_PARTICIPANT)
            return;
        std::string user(seen.info.m_userData.begin(), seen.info.m_userData.end());
        say(std::string("participant ") + seen.info.m_participantName.c_str() + " " + user);
    }
    void on_publisher_discovery(DomainParticipant *, WriterDiscoveryInfo &&seen) override
    {
        if (seen.status == WriterDiscoveryInfo::DISCOVERED_WRITER)
            tell_end("writer", seen.info);
    }
    void on_subscriber_discovery(DomainParticipant *, ReaderDiscoveryInfo &&seen) override
    {
        if (seen.status == ReaderDiscoveryInfo::DISCOVERED_READER)
            tell_end("reader", seen.info);
    }
};

class Peer {
public:
    explicit Peer(uint32_t domain)
    {
        auto transport = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
        transport->interfaceWhiteList.push_back("127.0.0.1");
        DomainParticipantQos qos = PARTICIPANT_QOS_DEFAULT;
        qos.transport().use_builtin_transports = false;
        qos.transport().user_transports.push_back(transport);
        qos.name("fastdds-peer");
        participant = DomainParticipantFactory::get_instance()->create_participant(domain, qos, &watcher,
                                                                                   StatusMask::none());
        publisher = participant->create_publisher(PUBLISHER_QOS_DEFAULT);
        subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
    }
    ~Peer()
    {
        participant->delete_contained_entities();
        DomainParticipantFactory::get_instance()->delete_participant(participant);
    }
    Topic *topic_of(const std::string &name, const std::string &type)
    {
        Topic *&topic = topics[name];
        if (!topic) {
            participant->register_type(TypeSupport(new ByteType(type)));
            topic = participant->create_topic(name, type, TOPIC_QOS_DEFAULT);
        }
        return topic;
    }
    void read(const std::string &name, const std::string &type, bool latched)
    {
        DataReaderQos qos = DATAREADER_QOS_DEFAULT;
        qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
        qos.durability().kind = latched ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
        qos.history().depth = 10;
        qos.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
        readers[name] = subscriber->create_datareader(topic_of(name, type), qos, &taker);
        if (!readers[name])
            say("cannot read " + name);
    }
    DataWriter *writer_of(const std::string &name, const std::string &type, bool reliable = true)
    {
        DataWriter *&writer = writers[name + (reliable ? "" : " best-effort")];
        if (!writer) {
            DataWriterQos qos = DATAWRITER_QOS_DEFAULT;
            qos.reliability().kind = reliable ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
            qos.history().depth = 10;
            qos.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
            writer = publisher->create_datawriter(topic_of(name, type), qos);
        }
        return writer;
    }
    static bool is_matched(DataWriter *writer)
    {
        PublicationMatchedStatus matched;
        for (int i = 0; i < 1000; i++) {
            writer->get_publication_matched_status(matched);
            if (matched.current_count > 0)
                return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }
    void write(const std::string &name, const std::string &type, Bytes bytes, bool reliable)
    {
        DataWriter *writer = writer_of(name, type, reliable);
        say((is_matched(writer) && writer->write(&bytes) ? "sent " : "cannot send ") + name);
    }
    void call(const std::string &name, const std::string &type, Bytes bytes, const std::string &replies)
    {
        DataWriter *writer = writer_of(name, type);
        DataReader *reader = readers[replies];
        SubscriptionMatchedStatus matched;
        for (int i = 0; reader && i < 1000; i++) { // as rmw waits until the service is there
            reader->get_subscription_matched_status(matched);
            if (matched.current_count > 0)
                break;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        WriteParams params;
        if (reader)
            params.related_sample_identity().writer_guid(reader->guid());
        bool ready = reader && is_matched(writer);
        std::lock_guard<std::mutex> guard(calling);
        bool sent = ready && writer->write(&bytes, params);
        std::string number = std::to_string(params.sample_identity().sequence_number().to64long());
        say(sent ? "called " + name + " " + number : "cannot call " + name);
    }

private:
    Watcher watcher;
    Taker taker;
    DomainParticipant *participant;
    Publisher *publisher;
    Subscriber *subscriber;
    std::map<std::string, Topic *> topics;
    std::map<std::string, DataWriter *> writers;
    std::map<std::string, DataReader *> readers;
};

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    Peer peer(static_cast<uint32_t>(std::stoul(arguments[1])));
    std::thread([] { printer.print(); }).detach();
    say("here");
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string verb, topic, type, rest, last;
        words >> verb >> topic >> type >> rest >> last;
        if (verb == "read")
            peer.read(topic, type, rest == "latched");
        else if (verb == "open")
            peer.writer_of(topic, type, rest != "best");
        else if (verb == "write" || verb == "spray")
            peer.write(topic, type, from_hex(rest), verb == "write");
        else if (verb == "call")
            peer.call(topic, type, from_hex(rest), last);
        else
            break;
    }
    return 0;
}
