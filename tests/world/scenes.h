/* Scenarios whose state hash is stored: no ray engine and no LAPACK in the loop, so their bits are the same everywhere.
 */
#ifndef FM_TESTS_WORLD_SCENES_H
#define FM_TESTS_WORLD_SCENES_H

#include "world/world.h"

typedef struct scene {
    const char *name, *text;
    int steps;
    uint64_t hash; /* of all that moves (motion_hash), after `steps` */
} scene;

#define FRESH "gravity='32.174 ft/s2'><water density='1.94 slug/ft3' surface='none'/>"
#define TURN_ORDERS                                                                                                    \
    "<orders><at t='0 s' propellers='700 rpm'/><at t='1 s' bow-rudder='15 deg' stern-rudder='-15 deg'/>"               \
    "<at t='4 s' bow-planes='-8 deg' stern-planes='10 deg'/><at t='6 s' port-stern-plane='3 deg'/></orders>"

static const scene scenes[] = {
    {"a Phoenix turns and dives",
     "<fathom version='1'><world dt='0.02 s' duration='60 s' " FRESH "</world>"
     "<vehicle name='phoenix' model='nps-auv-ii' integrator='heun' velocity='2 0 0 ft/s'>" TURN_ORDERS
     "</vehicle></fathom>",
     600, 0x79249322c10dde19},
    {"seventy in formation, all integrators, a current",
     "<fathom version='1'><world dt='0.02 s' duration='60 s' capacity='90' " FRESH
     "<current velocity='0.1 -0.05 0.01 m/s'/></world>"
     "<vehicle name='h' model='nps-auv-ii' integrator='heun' count='40' velocity='2 0 0 ft/s'>" TURN_ORDERS "</vehicle>"
     "<vehicle name='r' model='nps-auv-ii' integrator='rk4' count='20' position='30 0 5 m' velocity='1 0 0 "
     "ft/s'>" TURN_ORDERS "</vehicle>"
     "<vehicle name='t' model='nps-auv-ii' integrator='text' posture='euler' count='5' position='60 0 5 m'>" TURN_ORDERS
     "</vehicle>"
     "<vehicle name='e' model='nps-auv-ii' integrator='euler' period='0.04 s' count='5' position='90 0 5 "
     "m'>" TURN_ORDERS "</vehicle></fathom>",
     150, 0x8b800647a26aa8b5},
    {"moving masses, ballast, lags, faults and a battery",
     "<fathom version='1'><world dt='0.01 s' duration='60 s'/>"
     "<vehicle name='glider' integrator='rk4' tolerance='1e-8' position='0 0 20 m' coriolis='full'>"
     "<mass mass='50 kg' centre='0 0 0.02 m' inertia='0.8 6 6 kg*m2'/><spheroid length='1.8 m' diameter='0.24 m'/>"
     "<drag X_u_absu='-8 N*s2/m2' Y_across_v='-120 N*s2/m2' Z_across_w='-120 N*s2/m2' K_p='-1 N*m*s/rad' M_q='-9 "
     "N*m*s/rad' N_r='-8 N*m*s/rad' "
     "M_uw='-20 N*m*s2/m2'/>"
     "<ballast name='tank' limit='1 kg' rate='0.1 kg/s' position='0.3 0 0 m'/>"
     "<moving-mass name='slider' mass='8 kg' limit='0.1 m' rate='0.02 m/s'/>"
     "<thruster name='motor' thrust='20 N' direction='1 0 0' dynamics='second-order' time-constant='0.2 s' power='90 "
     "W'/>"
     "<thruster name='lateral' thrust='10 N' direction='0 1 0' position='0.5 0 0 m' dynamics='dc-motor' "
     "efficiency='0.8'/>"
     "<fin name='rudder' area='0.01 m2' lift-slope='3 1/rad' inflow='ahead' direction='0 1 0' position='-0.8 0 0 m' "
     "dynamics='first-order' rate='30 deg/s'/>"
     "<battery capacity='200 J' hotel='10 W'/>"
     "<orders><at t='0 s' tank='0.6 kg' slider='0.05 m' motor='15 N'/><at t='2 s' lateral='-6 N' rudder='20 "
     "deg'/></orders></vehicle></fathom>",
     600, 0xe2d37cbbf89cae75},
    {"a buoy and a boat float",
     "<fathom version='1'><world dt='0.01 s' duration='60 s'><current velocity='0.3 0 0 m/s'/></world>"
     "<vehicle name='buoy' position='0 0 0.1 m' attitude='12 5 0 deg'><mass mass='60 kg' centre='0 0 0.2 m' inertia='3 "
     "3 3 kg*m2'/>"
     "<float shape='ellipsoid' size='0.6 0.6 0.6 m'/><drag X_u='-20 N*s/m' Y_v='-20 N*s/m' Z_w='-60 N*s/m' K_p='-3 "
     "N*m*s/rad' M_q='-3 N*m*s/rad' "
     "N_r='-3 N*m*s/rad'/></vehicle>"
     "<vehicle name='boat' position='9 0 0 m' attitude='20 0 0 deg'><mass mass='400 kg' centre='0 0 0.05 m' "
     "inertia='60 200 220 kg*m2'/>"
     "<float shape='box' size='3 1 0.5 m'/><drag X_u='-50 N*s/m' Y_v='-300 N*s/m' Z_w='-500 N*s/m' K_p='-80 N*m*s/rad' "
     "M_q='-300 N*m*s/rad' "
     "N_r='-90 N*m*s/rad'/></vehicle></fathom>",
     600, 0xb7c64de56cf0e031},
    {"a Phoenix leaps out of the water and falls back",
     "<fathom version='1'><world dt='0.02 s' duration='60 s'><current velocity='0.3 0.1 0 m/s'/></world>"
     "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 1 m' attitude='5 30 0 deg' velocity='6 0 0 m/s'>"
     "<orders><at t='0 s' propellers='700 rpm' bow-planes='20 deg' stern-planes='-20 "
     "deg'/></orders></vehicle></fathom>",
     600, 0x0719069dbfe5ebce},
};

/* Hash of poses, velocities, accelerations, actuators, charge and distances of all vehicles: what must have the same
 * bits in every build, however the state block is laid out. */
__attribute__((unused)) static uint64_t motion_hash(const fm_world *world)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int slot = 0; slot < world->slot_count; slot++) {
        fm_vehicle *v = world->slots[slot].vehicle;
        if (v->life == FM_EMPTY)
            continue;
        const fm_type *type = world->slots[slot].type;
        const double singles[] = {v->charge,         v->power, v->distance, v->max_depth, v->max_speed_squared,
                                  v->peak_sine_pitch};
        const struct {
            const void *data;
            size_t size;
        } pieces[] = {{&v->body, sizeof v->body},
                      {v->acceleration, sizeof v->acceleration},
                      {singles, sizeof singles},
                      {fm_actuator_states(type, v), type->actuator_count * sizeof(fm_actuator_state)}};
        for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
            for (size_t k = 0; k < pieces[i].size; k++)
                hash = (hash ^ ((const unsigned char *)pieces[i].data)[k]) * 0x100000001b3u;
    }
    return hash;
}

enum { SCENES = sizeof scenes / sizeof scenes[0] };

#endif
