/* Teledyne RD Instruments' PD6: lines of fixed columns, in the order SA TS WI WS WE WD BI BS BE BD. Velocities of water
 * layers are not measured: zero and V. */
#include "bytes.h"
#include "formats.h"

/* mm/s; −32768 where there is none. */
static int speed(double value)
{
    return (int)broker_round(1000 * value, -32767, 32767, -32768);
}

/* North, east, down from forward, starboard, down. */
static void to_earth(const broker_dvl *dvl, double ned[3])
{
    double cr = cos(broker_known(dvl->roll)), sr = sin(broker_known(dvl->roll));
    double cp = cos(broker_known(dvl->pitch)), sp = sin(broker_known(dvl->pitch));
    double ch = cos(broker_known(dvl->heading)), sh = sin(broker_known(dvl->heading));
    const double *v = dvl->velocity;
    double ahead = cp * v[0] + sp * (sr * v[1] + cr * v[2]), aside = cr * v[1] - sr * v[2];
    ned[0] = ch * ahead - sh * aside;
    ned[1] = sh * ahead + ch * aside;
    ned[2] = -sp * v[0] + cp * (sr * v[1] + cr * v[2]);
}

static void print_water(broker_writer *w)
{
    broker_print(w, ":WI,%+6d,%+6d,%+6d,%+6d,V\r\n:WS,%+6d,%+6d,%+6d,V\r\n:WE,%+6d,%+6d,%+6d,V\r\n", 0, 0, 0, 0, 0, 0,
                 0, 0, 0, 0);
    broker_print(w, ":WD,%+12.2f,%+12.2f,%+12.2f,%7.2f,%6.2f\r\n", 0., 0., 0., 0., 0.);
}

size_t broker_dvl_pd6(const broker_dvl *dvl, char *text, size_t room)
{
    broker_writer w = {text, room, 0, 0};
    broker_moment m = broker_calendar(dvl->utc, 100);
    const double *v = dvl->velocity;
    double ned[3];
    to_earth(dvl, ned);
    char good = isnan(v[0]) ? 'V' : 'A';
    int starboard = speed(v[1]), forward = speed(v[0]), up = speed(-v[2]);
    broker_print(&w, ":SA,%+6.2f,%+6.2f,%6.2f\r\n", broker_known(dvl->pitch) * BROKER_DEGREES,
                 broker_known(dvl->roll) * BROKER_DEGREES, broker_compass(dvl->heading, 100));
    broker_print(&w, ":TS,%02d%02d%02d%02d%02d%02d%02ld,%4.1f,%+5.1f,%6.1f,%6.1f,%3d\r\n", m.year % 100, m.month, m.day,
                 m.hour, m.minute, m.second, m.part, broker_known(dvl->salinity), broker_known(dvl->temperature),
                 broker_known(dvl->depth), broker_known(dvl->sound_speed), 0);
    print_water(&w);
    broker_print(&w, ":BI,%+6d,%+6d,%+6d,%+6d,%c\r\n", starboard, forward, up, speed(dvl->error_velocity), good);
    broker_print(&w, ":BS,%+6d,%+6d,%+6d,%c\r\n", starboard, forward, up, good);
    broker_print(&w, ":BE,%+6d,%+6d,%+6d,%c\r\n", speed(ned[1]), speed(ned[0]), speed(-ned[2]), good);
    broker_print(&w, ":BD,%+12.2f,%+12.2f,%+12.2f,%7.2f,%6.2f\r\n", dvl->travelled[1], dvl->travelled[0],
                 0 - dvl->travelled[2], broker_known(dvl->altitude), dvl->since_good);
    return broker_written(&w);
}
