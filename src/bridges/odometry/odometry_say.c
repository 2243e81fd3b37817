#include "bridges/odometry/odometry_say.h"

#include <math.h>
#include <string.h>

#include "bridges/odometry/odometry_source.h"
#include "physics/posture.h"
#include "sensors/readings.h"
#include "world/world.h"

enum { BEAMS = 4, OVER_GROUND = 1, ULTRASOUND = 1, DOWN = 25, UNKNOWN = 255 };

void fm_odometry_turn(const double before[9], const double now[9], double turn[3])
{
    double between[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            between[3 * i + k] =
                before[i] * now[k] + before[3 + i] * now[3 + k] + before[6 + i] * now[6 + k]; /* transpose times now */
    const double skew[3] = {0.5 * (between[7] - between[5]), 0.5 * (between[2] - between[6]),
                            0.5 * (between[3] - between[1])};
    const double sine = sqrt(skew[0] * skew[0] + skew[1] * skew[1] + skew[2] * skew[2]);
    const double angle = fm_atan2(sine, 0.5 * (between[0] + between[4] + between[8] - 1));
    for (int i = 0; i < 3; i++)
        turn[i] = sine > 1e-12 ? skew[i] * angle / sine : skew[i];
}

static void add_delta(const fm_dvl_reading *r, const fm_mount *mount, const double *rotation,
                      const fm_odometry_past *past, fm_mav_sender *from, fm_mav_mail *mail)
{
    const double dt = r->head.time - past->time;
    double turn[3], velocity[3];
    fm_mav_vision_position_delta m = {.time_usec = (uint64_t)(r->head.time * 1e6 + 0.5),
                                      .time_delta_usec = (uint64_t)(dt * 1e6 + 0.5),
                                      .confidence = (float)(100 * r->good_beams / BEAMS)};
    fm_odometry_turn(past->rotation, rotation, turn);
    fm_vector_to_world(mount->rotation, r->velocity, velocity); /* body axes */
    for (int i = 0; i < 3; i++) {
        m.angle_delta[i] = (float)turn[i];
        m.position_delta[i] = (float)(velocity[i] * dt);
    }
    mail->size += fm_mav_vision_position_delta_write(from, &m, mail->bytes + mail->size);
}

static uint16_t centimetres(double metres)
{
    return (uint16_t)fmin(fmax(100 * metres + 0.5, 0), UINT16_MAX);
}

static void add_altitude(const fm_dvl_reading *r, const fm_mount *mount, fm_mav_sender *from, fm_mav_mail *mail)
{
    if (!isfinite(r->altitude))
        return;
    const fm_mav_distance_sensor m = {.time_boot_ms = (uint32_t)(r->head.time * 1e3 + 0.5),
                                      .min_distance = centimetres(mount->nearest),
                                      .max_distance = centimetres(mount->farthest),
                                      .current_distance = centimetres(r->altitude),
                                      .type = ULTRASOUND,
                                      .orientation = DOWN,
                                      .covariance = UNKNOWN,
                                      .signal_quality = 100};
    mail->size += fm_mav_distance_sensor_write(from, &m, mail->bytes + mail->size);
}

fm_odometry_news fm_odometry_say(const fm_world *world, const fm_odometry_config *config, fm_odometry_past *past,
                                 fm_mav_sender *from, fm_mav_mail *mail)
{
    const int index = fm_world_find(world, config->of);
    const fm_slot *slot = fm_slot_occupied(world, index);
    const fm_part *part = slot ? fm_odometry_part_find(slot->type, config->part) : NULL;
    if (!part)
        return FM_ODOMETRY_NONE;
    const fm_dvl_reading *r = (const void *)fm_vehicle_words(slot->vehicle, part->output);
    if (r->head.count < past->count || r->head.time < past->time) /* a reset */
        *past = (fm_odometry_past){.count = 0};
    if (r->head.count == past->count)
        return FM_ODOMETRY_NONE;
    past->count = r->head.count;
    const fm_mount *mount = fm_part_mount(part);
    if (config->altitude)
        add_altitude(r, mount, from, mail);
    if (!r->head.valid || r->mode != OVER_GROUND || r->velocities_valid == 0)
        return FM_ODOMETRY_UNLOCKED;
    const double *rotation = fm_slot_rotation(world, index);
    const int follows = past->known && r->head.time - past->time <= FM_ODOMETRY_GAP;
    if (follows)
        add_delta(r, mount, rotation, past, from, mail);
    past->known = 1;
    past->time = r->head.time;
    memcpy(past->rotation, rotation, sizeof past->rotation);
    return follows ? FM_ODOMETRY_SAID : FM_ODOMETRY_FIRST;
}
