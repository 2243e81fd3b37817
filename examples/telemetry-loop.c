/* On-board software of Phoenix that flies it by its telemetry record (docs/shared-memory.md, "The telemetry loop").
 *
 *     fathom run scenarios/phoenix-telemetry.xml --telemetry-loop 4041 &
 *     telemetry-loop 4041 60
 *
 * Ten times a second it sends its clock and its orders, and receives what the instruments show: heading 0.3 rad by the
 * rudders, depth 12 ft by the planes. When the depth gauge shows nothing, it comes up. */
#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

/* The value of a variable in a record; `missing` where the record lacks it, or gives it no value. */
static double value_of(const char *record, const char *name, double missing)
{
    size_t length = strlen(name);
    for (const char *at = record; at && *at; at = strchr(at, ' '), at = at ? at + 1 : NULL)
        if (strncmp(at, name, length) == 0 && at[length] == '=' && at[length + 1] && at[length + 1] != ' ')
            return strtod(at + length + 1, NULL);
    return missing;
}

static double within(double x, double most)
{
    return fmax(-most, fmin(most, x));
}

/* Sends a record and waits for its answer; a record that is lost is sent again. */
static int exchange(int line, const char *record, char *answer, size_t size)
{
    for (int tries = 0; tries < 20; tries++) {
        send(line, record, strlen(record), 0);
        ssize_t got = recv(line, answer, size - 1, 0);
        if (got > 0) {
            answer[got] = 0;
            return strncmp(answer, "error", 5) != 0;
        }
    }
    snprintf(answer, size, "no answer");
    return 0;
}

int main(int count, char **words)
{
    int port = count > 1 ? atoi(words[1]) : 0, gauge_failed = 0;
    double seconds = count > 2 ? atof(words[2]) : 60, nearest = HUGE_VAL;
    char record[512] = "t=0", now[4096];
    struct sockaddr_in to = {};
    struct timeval patience = {1, 0};
    int line = socket(AF_INET, SOCK_DGRAM, 0);
    to.sin_family = AF_INET;
    to.sin_port = htons((unsigned short)port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (port == 0 || connect(line, (struct sockaddr *)&to, sizeof to) != 0)
        return fprintf(stderr, "usage: telemetry-loop PORT [SECONDS]\n"), 2;
    for (int i = 0; i <= (int)(10 * seconds); i++) {
        if (!exchange(line, record, now, sizeof now))
            return fprintf(stderr, "telemetry-loop: %s\n", now), 1;
        double z = value_of(now, "z", NAN), theta = value_of(now, "theta", 0), q = value_of(now, "q", 0);
        double psi = value_of(now, "psi", 0), r = value_of(now, "r", 0);
        if (isnan(z) && i > 20 && !gauge_failed) {
            gauge_failed = 1;
            printf("%.1f s: the depth gauge shows nothing\n", 0.1 * i);
        }
        nearest = fmin(nearest, value_of(now, "ST1000_range", HUGE_VAL));
        double nose_up = isnan(z) ? (gauge_failed ? 0.2 : 0) : within(0.04 * (z - 12), 0.3);
        double planes = within(1.5 * (nose_up - theta) - 1.5 * q, 0.4);
        double rudder = within(1.2 * remainder(0.3 - psi, 2 * acos(-1)) - 1.5 * r, 0.4);
        snprintf(record, sizeof record,
                 "t=%.1f delta_rb=%.9g delta_rs=%.9g delta_pb=%.9g delta_ps=%.9g n_port=500 n_stbd=500", 0.1 * (i + 1),
                 rudder, -rudder, planes, -planes);
    }
    printf("psi %.3f rad, u %.2f ft/s through the water, shafts %.0f and %.0f rpm, nearest echo %.1f ft\n",
           value_of(now, "psi", NAN), value_of(now, "u", NAN), value_of(now, "n_port_shaft", NAN),
           value_of(now, "n_stbd_shaft", NAN), nearest);
    return 0;
}
