/* The sounds of a vehicle, for the Underwater Acoustic PDU: its propellers, its sonars, its pings. No input or
 * output. */
#ifndef FM_BRIDGES_DIS_DIS_SOUND_H
#define FM_BRIDGES_DIS_DIS_SOUND_H

#include <fathom/run.h>
#include <fathom/sound.h>

#include "bridges/dis/dis_wire.h"

#define FM_DIS_SOUND_PERIOD 10.0 /* s: maximum interval between updates */

/* One vehicle; zero-initialise. */
typedef struct fm_dis_noise {
    int said;
    double time;                    /* s of the last word */
    double rpm[FM_DIS_SHAFTS_MOST]; /* as last said */
} fm_dis_noise;

/* Whether the vehicle emits any sound: propellers, sonars, transducers. */
int fm_dis_noise_exists(const fm_world *world, int slot);
/* Whether an update is due: a shaft differs by 5 % from the last one sent, or the period is over. */
int fm_dis_noise_due(const fm_dis_noise *noise, const fm_world *world, int slot, double time);
/* Current shafts and sonars; stored as sent. The caller fills ids and event. */
void fm_dis_noise_say(fm_dis_noise *noise, const fm_world *world, int slot, double time, fm_dis_acoustic *acoustic);
/* One ping: the shafts, and the transducer as the only emitting system. */
void fm_dis_ping_say(const fm_world *world, const fm_sound_record *record, fm_dis_acoustic *acoustic);

#endif
