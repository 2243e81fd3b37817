/* A controller for Snookie that flies it by its hardware record (docs/shared-memory.md): six motor commands for depth,
 * angles, rates and the eight voltages of the lateral line.
 *
 *     fathom run scenarios/snookie-hardware.xml --hardware-loop 4042 &
 *     hardware-loop 4042 30
 *
 * It swims ahead at 0.2 m/s. When the lateral line feels a wall, it backs off and turns by 120 degrees. */
#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#define STEP 0.005  /* s between records */
#define FULL 7.0    /* N of a motor */
#define FELT 0.001  /* V: a voltage that has changed by so much tells of a wall */
#define BLIND 25.0  /* s: until the flow is steady again after a turn */
#define START 5.0   /* s: the same after the start */
#define BACKING 4.0 /* s: before it turns */

static double value_of(const char *record, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = record; at && *at; at = strchr(at, ' '), at = at ? at + 1 : NULL)
        if (strncmp(at, name, length) == 0 && at[length] == '=' && at[length + 1] && at[length + 1] != ' ')
            return strtod(at + length + 1, NULL);
    return NAN;
}

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

static double turned(double angle)
{
    return remainder(angle, 2 * acos(-1));
}

/* The greatest change of a voltage against its mean over the last 2 s, V. */
static double feel(const char *now, double mean[8], int begin)
{
    double most = 0;
    for (int i = 0; i < 8; i++) {
        char name[4] = {'V', (char)('1' + i), 0};
        double v = value_of(now, name);
        if (isnan(v))
            continue;
        mean[i] = begin ? v : mean[i] + STEP / 2.0 * (v - mean[i]);
        most = fmax(most, fabs(v - mean[i]));
    }
    return most;
}

/* Forces of the six motors for depth, bearing and speed; the gains of <hover-pd> in the model snookie. */
static void steer(const char *now, double last_depth, double depth, double bearing, double speed, double motors[6])
{
    static const double y[6] = {-0.16, -0.16, 0.16, 0.16, -0.16, 0.16}, z[4] = {-0.10, 0.10, -0.10, 0.10};
    double ahead = 7.3631 * speed * fabs(speed), sinking = (value_of(now, "depth") - last_depth) / STEP;
    double down = 51.63 * (depth - value_of(now, "depth")) - 103.26 * sinking;
    double roll = -2.180 * turned(value_of(now, "roll")) - 1.454 * value_of(now, "p");
    double pitch = -6.589 * turned(value_of(now, "pitch")) - 6.589 * value_of(now, "q");
    double yaw = 6.576 * turned(bearing - value_of(now, "yaw")) - 6.576 * value_of(now, "r");
    for (int i = 0; i < 4; i++)
        motors[i] = ahead / 4 + pitch * z[i] / 0.04 - yaw * y[i] / 0.1024;
    for (int i = 4; i < 6; i++)
        motors[i] = down / 2 + roll * y[i] / 0.0512;
}

int main(int count, char **words)
{
    int port = count > 1 ? atoi(words[1]) : 0, walls = 0;
    double seconds = count > 2 ? atof(words[2]) : 30, bearing = 0, felt_at = -1e9, mean[8], motors[6];
    char record[512] = "t=0", now[4096];
    struct sockaddr_in to = {};
    struct timeval patience = {1, 0};
    int line = socket(AF_INET, SOCK_DGRAM, 0);
    to.sin_family = AF_INET;
    to.sin_port = htons((unsigned short)port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (port == 0 || connect(line, (struct sockaddr *)&to, sizeof to) != 0)
        return fprintf(stderr, "usage: hardware-loop PORT [SECONDS]\n"), 2;
    if (!exchange(line, record, now, sizeof now))
        return fprintf(stderr, "hardware-loop: %s\n", now), 1;
    double depth = value_of(now, "depth"), last = depth;
    for (int i = 1; i <= (int)(seconds / STEP + 0.5); i++) {
        double t = i * STEP, since = t - felt_at, change = feel(now, mean, t < START || since < BACKING + BLIND);
        if (change > FELT) {
            felt_at = t;
            since = 0;
            walls++;
            printf("%.2f s: the lateral line feels a wall\n", t);
        }
        if (since >= BACKING && since < BACKING + STEP)
            bearing = turned(bearing + 2.0944);
        steer(now, last, depth, bearing, since < BACKING ? -1 : 0.2, motors);
        last = value_of(now, "depth");
        int used = snprintf(record, sizeof record, "t=%.17g", t);
        for (int k = 0; k < 6; k++)
            used += snprintf(record + used, sizeof record - (size_t)used, " m%d=%.9g", k + 1,
                             fmax(-1, fmin(1, motors[k] / FULL)));
        if (!exchange(line, record, now, sizeof now))
            return fprintf(stderr, "hardware-loop: %s\n", now), 1;
    }
    printf("depth %.3f m, yaw %.3f rad, %d walls felt\n", last, value_of(now, "yaw"), walls);
    return 0;
}
