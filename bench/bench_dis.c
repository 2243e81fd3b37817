/* The cost of a receiver of Entity States: to decode one (bytes to a track in the world), and to compute its present
 * position. The dissertation cites experiments (Towers 94): PDUs in world axes take 80 % of the time of those in body
 * axes. */
#include <math.h>
#include <string.h>

#include "bench.h"
#include "bridges/dis/dis_frame.h"

enum { PDUS = 64, READS = 20 };

typedef struct wire {
    uint8_t bytes[PDUS][256];
    size_t size;
    fm_geodetic origin;
} wire;

static void write_pdus(wire *w, int algorithm)
{
    static fm_dis_pdu pdu;
    w->origin = (fm_geodetic){0.64, -2.13, 0};
    for (int i = 0; i < PDUS; i++) {
        fm_reckon_track track = {.position = {10.0 * i, -7.0 * i, 20},
                                 .velocity = {1.5, 0.1, 0.02 * i},
                                 .acceleration = {0.05, -0.02, 0.01},
                                 .rates = {0.01, 0.02, 0.15}};
        const double euler[3] = {0.02, -0.05, 0.1 * i};
        memset(&pdu, 0, sizeof pdu);
        pdu.header = (fm_dis_header){.version = 7, .exercise = 1, .type = FM_DIS_ENTITY_STATE};
        fm_quat_from_euler(euler, track.attitude);
        fm_dis_entity_set_track(&pdu.entity, &w->origin, &track, algorithm);
        w->size = fm_dis_encode(&pdu, w->bytes[i], sizeof w->bytes[i]);
    }
}

/* ns for one PDU with this number of position queries. */
static double measure(const wire *w, int algorithm, int reads, double seconds)
{
    static fm_dis_pdu pdu;
    double begin = bench_now(), now = begin, sum = 0;
    size_t made = 0, used;
    do {
        for (int i = 0; i < PDUS; i++) {
            fm_reckon_track track;
            fm_reckoned there;
            fm_dis_decode(w->bytes[i], w->size, &pdu, &used);
            fm_dis_entity_get_track(&pdu.entity, &w->origin, &track);
            for (int k = 1; k <= reads; k++) {
                fm_track_reckon(&track, algorithm, 0.05 * k, &there);
                sum += there.position[0];
            }
        }
        made += PDUS;
        now = bench_now();
    } while (now - begin < seconds);
    return isfinite(sum) ? 1e9 * (now - begin) / (double)made : NAN;
}

/* Name of a result, algorithm in world axes, in body axes. */
static void compare(bench_report *report, const char *what, int world, int body, int reads)
{
    const struct {
        const char *axes;
        int algorithm;
    } sides[] = {{"world", world}, {"body", body}};
    static wire w;
    double cost[2] = {NAN, NAN};
    for (int i = 0; i < 2; i++) {
        bench_result *result = bench_begin(report, "dis/%s/%s", what, sides[i].axes);
        if (!result)
            continue;
        write_pdus(&w, sides[i].algorithm);
        cost[i] = measure(&w, sides[i].algorithm, reads, 0.5 * report->seconds);
        result->value = cost[i];
        result->unit = "ns";
    }
    bench_result *part = bench_begin(report, "dis/%s/world-of-body", what);
    if (part && !isnan(cost[0]) && !isnan(cost[1])) {
        part->value = 100 * cost[0] / cost[1];
        part->unit = "%";
    }
}

void bench_dis(bench_report *report)
{
    compare(report, "receive", FM_RECKON_RVW, FM_RECKON_RVB, 0);
    compare(report, "receive-and-look-20", FM_RECKON_RVW, FM_RECKON_RVB, READS);
}
