/* Elements and attributes of <modem>, and the equations of its frames. */
#include <string.h>

#include "acoustics/loss.h"
#include "acoustics/modem.h"
#include "acoustics/parts.h"
#include "acoustics/transducer.h"
#include "physics/real.h"

static const char *const modulations[] = {"bpsk", "bfsk", NULL};

static const fm_attr letter_attrs[] = {
    FM_INT_ATTR(fm_modem_letter, to, "to", 0, 65535, "0", 0, "address; 0: broadcast"),
    FM_TEXT_ATTR(fm_modem_letter, text, "text", NULL, FM_ATTR_REQUIRED, "its bytes"),
    FM_REAL_ATTR(fm_modem_letter, start, "start", "s", 0, 1e9, "0 s", 0, "when it is first sent"),
    FM_REAL_ATTR(fm_modem_letter, period, "period", "s", 0, 1e6, "0 s", 0, "when it is sent again; 0: never"),
};
static const fm_element letter_element =
    FM_TABLE_ELEMENT(fm_modem_letter, "message", letter_attrs, NULL, 0, "Sent by the clock.");
static const fm_attr route_attrs[] = {
    FM_INT_ATTR(fm_modem_route, to, "to", 1, 65535, NULL, FM_ATTR_REQUIRED, "address that is out of reach"),
    FM_INT_ATTR(fm_modem_route, via, "via", 1, 65535, NULL, FM_ATTR_REQUIRED, "address that passes messages on"),
};
static const fm_element route_element =
    FM_TABLE_ELEMENT(fm_modem_route, "route", route_attrs, NULL, 0, "The next hop to a distant modem.");
static const fm_element *const children[] = {&letter_element, &route_element, NULL};
static const fm_attr attrs[] = {
    FM_NAME_ATTR(fm_modem, name, "name", NULL, 0, "of the modem, where a vehicle has several"),
    FM_REAL_ATTR(fm_modem, period, "period", "s", 0, 1e3, "0 s", 0, "between looks at the transducer; 0: every step"),
    FM_NAME_ATTR(fm_modem, transducer, "transducer", NULL, 0,
                 "that it uses, a part before it; left out: the first of the vehicle"),
    FM_REAL_ATTR(fm_modem, rate, "rate", "bit/s", 1, 1e6, "1000 bit/s", 0, "of its frames"),
    FM_CHOICE_ATTR(fm_modem, modulation, modulations, "modulation", "bfsk", 0,
                   "bpsk: coherent phase shift keying; bfsk: non-coherent frequency shift keying"),
    FM_REAL_ATTR(fm_modem, preamble, "preamble", "s", 0, 10, "50 ms", 0, "of a frame, before its bits"),
    FM_REAL_ATTR(fm_modem, coding_gain, "coding-gain", "dB", 0, 30, "0 dB", 0, "of Eb/N0, by error-correcting codes"),
    FM_REAL_ATTR(fm_modem, capture, "capture", "dB", 0, 60, "6 dB", 0,
                 "a frame survives another sound that is weaker by this"),
    FM_INT_ATTR(fm_modem, size, "size", 1, FM_SOUND_BYTES_MOST - FM_MODEM_HEADER, "64", 0,
                "of a message, in bytes, at most"),
    FM_BOOL_ATTR(fm_modem, acknowledge, "acknowledge", "true", 0,
                 "a message to one address is repeated until its receiver has acknowledged it"),
    FM_REAL_ATTR(fm_modem, timeout, "timeout", "s", 0.01, 1e4, "5 s", 0,
                 "without an acknowledgement it is repeated after this, or up to twice this, by chance"),
    FM_INT_ATTR(fm_modem, retries, "retries", 0, 1000, "4", 0, "how often it is repeated, before it is given up"),
    FM_BOOL_ATTR(fm_modem, carrier_sense, "carrier-sense", "true", 0, "it waits while it hears something"),
};
const fm_element fm_modem_element = FM_TABLE_ELEMENT(
    fm_modem, "modem", attrs, children, 0,
    "Sends and receives messages through a transducer, whose payload must hold the message and 8 more bytes. Frames "
    "take time, can be damaged or collide, and are acknowledged. Its address is that of the transducer at the time.");

/* --- load --- */

static fm_status read_children(fm_part_load *load, fm_modem *c, fm_error *error)
{
    c->letter_count = fm_load_child_count(load, "message");
    c->route_count = fm_load_child_count(load, "route");
    if (c->letter_count > FM_MODEM_ROUTES || c->route_count > FM_MODEM_ROUTES)
        return fm_load_fail(load, error, FM_ERR_RANGE, "%zu messages and %zu routes given: must be at most %d of each",
                            c->letter_count, c->route_count, FM_MODEM_ROUTES);
    fm_modem_letter *letters = fm_load_alloc(load, (c->letter_count + 1) * sizeof *letters);
    fm_modem_route *routes = fm_load_alloc(load, (c->route_count + 1) * sizeof *routes);
    fm_status status = letters && routes ? FM_OK : fm_load_fail(load, error, FM_ERR_MEMORY, "no memory for a modem");
    for (size_t i = 0; status == FM_OK && i < c->letter_count; i++)
        status = fm_load_child(load, "message", i, &letters[i], error);
    for (size_t i = 0; status == FM_OK && i < c->route_count; i++)
        status = fm_load_child(load, "route", i, &routes[i], error);
    c->letters = letters;
    c->routes = routes;
    for (size_t i = 0; status == FM_OK && i < c->letter_count; i++)
        if (strlen(letters[i].text) > (size_t)c->size)
            status = fm_load_fail_at(load, "message", i, "text", error, FM_ERR_RANGE,
                                     "%zu bytes given: must be at most the modem's size of %lld",
                                     strlen(letters[i].text), (long long)c->size);
    return status;
}

fm_status fm_modem_load(fm_part_load *load, void *config, fm_error *error)
{
    fm_modem *c = config;
    c->part = fm_load_transducer(load, c->transducer, error);
    if (c->part < 0)
        return error->status;
    const fm_transducer *t = fm_load_part_info(load, (size_t)c->part).config;
    c->bandwidth = t->bandwidth;
    if (t->address == 0)
        return fm_load_fail(load, error, FM_ERR_MODEL, "its transducer has no address: must be 1 … 65535");
    if (t->payload < c->size + FM_MODEM_HEADER)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "size: %lld bytes given: must be at most 8 less than the transducer's payload of %lld",
                            (long long)c->size, (long long)t->payload);
    c->sent_metric = fm_load_metric(load, "messages_sent", "", "messages that were given to the modem", FM_METRIC_SUM);
    c->delivered_metric =
        fm_load_metric(load, "messages_delivered", "", "messages that came for this vehicle", FM_METRIC_SUM);
    c->lost_metric = fm_load_metric(load, "messages_lost", "",
                                    "messages that it gave up, and such without acknowledgement that it should have "
                                    "received and did not",
                                    FM_METRIC_SUM);
    c->frames_metric = fm_load_metric(
        load, "frames_lost", "", "frames for it that were too weak, wrong, in collision, or came while it was sending",
        FM_METRIC_SUM);
    return read_children(load, c, error);
}

/* --- frames --- */

static double bits(int64_t size)
{
    return 8 * (double)(size + FM_MODEM_HEADER + FM_MODEM_CHECKSUM);
}

double fm_frame_duration(const fm_modem *m, int64_t size)
{
    return m->preamble + bits(size) / m->rate;
}

double fm_frame_loss(const fm_modem *m, int64_t size, double snr)
{
    const double ratio = fm_exp((snr + m->coding_gain) * (2.302585092994045684 / 10)) * m->bandwidth / m->rate;
    const double wrong = m->modulation == FM_MODULATION_BPSK ? fm_bit_error_bpsk(ratio) : fm_bit_error_bfsk(ratio);
    return fm_frame_error(wrong, (int)bits(size));
}

static void write_word(int word, unsigned char *bytes)
{
    bytes[0] = (unsigned char)(word & 0xff);
    bytes[1] = (unsigned char)(word >> 8 & 0xff);
}

void fm_frame_write(const fm_frame_head *head, unsigned char *bytes)
{
    write_word(head->sequence, bytes);
    bytes[2] = (unsigned char)head->flags;
    bytes[3] = (unsigned char)head->hops;
    write_word(head->origin, bytes + 4);
    write_word(head->final, bytes + 6);
}

fm_frame_head fm_frame_read(const unsigned char *b)
{
    return (fm_frame_head){.sequence = b[0] | b[1] << 8,
                           .flags = b[2],
                           .hops = b[3],
                           .origin = b[4] | b[5] << 8,
                           .final = b[6] | b[7] << 8};
}
