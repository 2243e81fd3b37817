/* A whole mission flown from outside over UDP: five waypoints, a guidance law and autopilots of its own, orders to the
 * actuators of LAUV.
 *
 *     cc waypoint-client.c $(pkg-config --cflags --libs fathom-client) -lm -o waypoint-client
 *     fathom serve mission.xml &
 *     ./waypoint-client 127.0.0.1:4040 [--lockstep]
 *
 * It is C++ too: c++ -x c++ -std=c++17 waypoint-client.c …
 *
 * The line of sight from the track ahead holds the way against the current; depth is steered by pitch. */
#include <fathom/client.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846
#define LOOKAHEAD 6.0 /* m */
#define REACHED 4.0   /* m: a waypoint is passed */
#define SHAFT 200.0   /* rad/s: about 1.3 m/s */

/* m NED */
static const double waypoints[][3] = {{60, 0, 4}, {60, 20, 4}, {0, 20, 6}, {0, 40, 6}, {60, 40, 3}};
enum { WAYPOINTS = sizeof waypoints / sizeof *waypoints };

typedef struct pilot {
    fm_client *client;
    int next;              /* waypoint that it goes to */
    double from[2];        /* m: where this leg began */
    double drift, sink;    /* m s: sums of cross-track and depth errors */
    double across, astray; /* m: greatest off track after settling, greatest off depth at a waypoint */
    double start;          /* s */
    uint64_t last;         /* stamp */
    int begun;
} pilot;

static double limited(double value, double most)
{
    return fmin(fmax(value, -most), most);
}

static void angles(const double q[4], double *pitch, double *heading)
{
    *pitch = asin(limited(2 * (q[0] * q[2] - q[3] * q[1]), 1));
    *heading = atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
}

/* rad: heading to steer. e is how far the vehicle is to starboard of its leg. */
static double line_of_sight(pilot *p, const double point[3], double dt)
{
    const double *to = waypoints[p->next];
    double course = atan2(to[1] - p->from[1], to[0] - p->from[0]);
    double north = point[0] - p->from[0], east = point[1] - p->from[1];
    double along = cos(course) * north + sin(course) * east, e = cos(course) * east - sin(course) * north;
    p->drift = limited(p->drift + e * dt, 20);
    if (along > 20)
        p->across = fmax(p->across, fabs(e));
    return course - atan((e + 0.1 * p->drift) / LOOKAHEAD);
}

static void steer(pilot *p, const fm_client_state *s, double depth, double dt, fm_error *error)
{
    double pitch, heading;
    angles(s->attitude, &pitch, &heading);
    double turn = remainder(line_of_sight(p, s->position, dt) - heading, 2 * PI);
    double below = depth - waypoints[p->next][2];
    p->sink = limited(p->sink + below * dt, 30);
    double nose = limited(0.3 * below + 0.01 * p->sink, 20 * PI / 180); /* up, where it is too deep */
    /* both pairs stand behind: to turn to starboard or to lift the nose they go the other way */
    double rudder = limited(-1.0 * turn + 1.0 * s->rates[2], 20 * PI / 180);
    double plane = limited(-1.5 * (nose - pitch) + 0.5 * s->rates[1], 20 * PI / 180);
    fm_client_order(p->client, "propeller", SHAFT, error);
    fm_client_order(p->client, "upper-rudder", rudder, error);
    fm_client_order(p->client, "lower-rudder", rudder, error);
    fm_client_order(p->client, "port-plane", plane, error);
    fm_client_order(p->client, "starboard-plane", plane, error);
    fm_client_orders_send(p->client, 0.5, error);
}

/* 1: the last waypoint is passed. */
static int pass(pilot *p, const fm_client_state *s)
{
    const double *to = waypoints[p->next];
    if (hypot(to[0] - s->position[0], to[1] - s->position[1]) > REACHED)
        return 0;
    printf("%6.1f s  waypoint %d at %.1f m north, %.1f m east, %.2f m deep\n", 1e-4 * (double)s->stamp, p->next + 1,
           s->position[0], s->position[1], s->position[2]);
    p->astray = fmax(p->astray, fabs(s->position[2] - to[2]));
    p->drift = 0;
    memcpy(p->from, to, sizeof p->from);
    return ++p->next == WAYPOINTS;
}

/* 1: done, -1: the connection is over. */
static int fly(pilot *p, fm_error *error)
{
    fm_client_state s;
    double depth;
    if (fm_client_poll(p->client, 1) < 0)
        return -1;
    if (!fm_client_state_read(p->client, &s) || (p->begun && s.stamp == p->last))
        return 0;
    double dt = p->begun ? 1e-4 * (double)(s.stamp - p->last) : 0;
    p->begun = 1;
    p->last = s.stamp;
    if (pass(p, &s))
        return 1;
    if (!fm_client_read(p->client, "depth", NULL, &depth, 1, NULL, NULL))
        depth = s.position[2]; /* before the first sample */
    steer(p, &s, depth, dt, error);
    if (fm_client_status_get(p->client).lockstep)
        fm_client_ready(p->client, error);
    return 0;
}

int main(int argc, char **argv)
{
    pilot p = {};
    fm_error error = {};
    fm_client_options options = {};
    options.name = "pilot";
    options.role = FM_CLIENT_CONTROLLER;
    options.model = "lauv";
    options.state_period = 0.05; /* s */
    options.timeout = 10;        /* s */
    options.lockstep = argc > 2 && strcmp(argv[2], "--lockstep") == 0;
    p.client = fm_client_open(argc > 1 ? argv[1] : "127.0.0.1:4040", &options, &error);
    int end = p.client ? 0 : -1;
    while (end == 0)
        end = fly(&p, &error);
    if (end == 1)
        printf("mission flown: at most %.2f m off the track, %.2f m off the depth\n", p.across, p.astray);
    else
        fprintf(stderr, "waypoint-client: %s\n", error.text[0] ? error.text : "the simulation is over");
    fm_client_close(p.client);
    return end == 1 ? 0 : 1;
}
