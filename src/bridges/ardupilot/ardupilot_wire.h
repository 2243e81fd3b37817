/* ArduPilot's SITL with an external simulator ("--model JSON"): the servo packets that it sends, and the line of JSON
 * that answers them. No input or output. docs/ardupilot.md documents it. */
#ifndef FM_BRIDGES_ARDUPILOT_ARDUPILOT_WIRE_H
#define FM_BRIDGES_ARDUPILOT_ARDUPILOT_WIRE_H

#include <stddef.h>
#include <stdint.h>

enum {
    FM_ARDUPILOT_MAGIC_16 = 18458,
    FM_ARDUPILOT_MAGIC_32 = 29569,
    FM_ARDUPILOT_CHANNELS = 32, /* at most */
    FM_ARDUPILOT_PACKET = 72,   /* bytes at most */
    FM_ARDUPILOT_LINE = 1536,   /* maximum size of an answer, including its end */
    FM_ARDUPILOT_RANGES = 6
};

typedef enum fm_ardupilot_fault {
    FM_ARDUPILOT_FINE,
    FM_ARDUPILOT_FAULT_LENGTH, /* not that of its magic */
    FM_ARDUPILOT_FAULT_MAGIC,
    FM_ARDUPILOT_FAULT_RATE, /* a frame rate of 0 */
    FM_ARDUPILOT_FAULTS
} fm_ardupilot_fault;
const char *fm_ardupilot_fault_name(fm_ardupilot_fault fault); /* "length", "magic" … */

/* One frame of the autopilot. */
typedef struct fm_ardupilot_servos {
    uint16_t frame_rate;                 /* Hz: how long a step it would like */
    uint32_t frame_count;                /* of the autopilot since it started; a repeated number: it received no
                                          * answer */
    unsigned channels;                   /* 16 or 32 */
    uint16_t pwm[FM_ARDUPILOT_CHANNELS]; /* µs; 0: no pulses */
} fm_ardupilot_servos;

fm_ardupilot_fault fm_ardupilot_read(const uint8_t *bytes, size_t size, fm_ardupilot_servos *servos);
/* Writes a packet as SITL does; returns its length. */
size_t fm_ardupilot_write_servos(const fm_ardupilot_servos *servos, uint8_t bytes[FM_ARDUPILOT_PACKET]);

/* The answer. Values that are NaN are left out. */
typedef struct fm_ardupilot_state {
    double time;                        /* s since the start of the simulation */
    double gyro[3];                     /* rad/s, body */
    double acceleration[3];             /* m/s², body: specific force, (0, 0, −g) at rest */
    double position[3];                 /* m, NED */
    double velocity[3];                 /* m/s, NED */
    double attitude[4];                 /* w x y z, body → world */
    double ranges[FM_ARDUPILOT_RANGES]; /* m */
    double battery[2];                  /* V, A drawn */
    double wind[3];                     /* m/s, NED, where it blows to */
    double apparent[2];                 /* apparent wind: rad clockwise from the bow, direction it comes from; m/s */
    double airspeed;                    /* m/s */
} fm_ardupilot_state;

/* The line, with a line end before and after it; returns its length; 0: a required number is not finite. */
size_t fm_ardupilot_write(const fm_ardupilot_state *state, char text[FM_ARDUPILOT_LINE]);

#endif
