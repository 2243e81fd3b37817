/* One plot for the vehicle kernel in any build: starts, orders and faults, and a group of vehicles that follows it. */
#ifndef TESTS_PHYSICS_LANES_PLOT_H
#define TESTS_PHYSICS_LANES_PLOT_H

#include "support/scenario.h"

#include "physics/vehicle.h"
#include "world/flatten.h"

#ifdef FM_LANES
#define LANES FM_LANES
#define LANE(x, i) ((x)[i])
#else
#define LANES 1
#define LANE(x, i) (*((void)(i), &(x)))
#endif

#ifndef TEST_VEHICLES
#define TEST_VEHICLES (LANES > 8 ? LANES : 8)
#endif
enum { VEHICLES = TEST_VEHICLES, ACTUATORS = 12, STEPS = 1000, SAMPLE = 50, SAMPLES = STEPS / SAMPLE };
enum { COLUMNS = 3 + 3 + 6 + 1 + ACTUATORS }; /* position, angles, velocity, charge, actuators */

typedef struct sample {
    double value[COLUMNS];
} sample;

/* --- the plot: starts, orders and faults, the same for both engines --- */

static const double current[3] = {0.1, -0.2, 0.05};
static double mistake = 1; /* a factor of the current and of orders that are followed; 1: none is made */

typedef struct beginning {
    double position[3], euler[3], velocity[6];
} beginning;

static beginning beginning_of(int v, double depth)
{
    return (beginning){{10.0 * v, 50.0 * v, depth},
                       {0.05 * (v % 8) - 0.2, 0.03 * (v % 8) - 0.1, 0.4 * v},
                       {0.1 * (v % 8), 0.05 * (v % 8) - 0.2, 0.1 - 0.03 * (v % 8), 0.03 * (v % 8), 0.05, -0.07}};
}

/* A number of −1 … 1 that no two vehicles, actuators and moments share. */
static double wobble(int v, int actuator, int step)
{
    return sin(1.7 * v + 2.3 * actuator + 0.13 * step);
}

static double order_of(const fm_flat *flat, int v, int actuator, int step)
{
    const char *at = (const char *)fm_flat_array(flat, FM_FLAT_ACTUATORS) +
                     (size_t)actuator * fm_flat_record(flat, FM_FLAT_ACTUATORS);
    const double *limit = (const double *)(const void *)(at + fm_flat_numbers_at(flat, FM_FLAT_ACTUATORS));
    double middle = 0.5 * (limit[0] + limit[1]), reach = 0.5 * (limit[1] - limit[0]);
    return middle + 0.6 * reach * wobble(v, actuator, step);
}

/* Orders by step, vehicle and actuator, where they are not those of the plot. */
typedef double orders_seen[STEPS][VEHICLES][ACTUATORS];

typedef struct fault {
    int step;
    const char *name;
    size_t offset; /* in fm_actuator_fault */
    double value;
} fault;

#define FAULT(step, name, value)                                                                                       \
    {                                                                                                                  \
        step, #name, offsetof(fm_actuator_fault, name), value                                                          \
    }
static const fault faults[] = {FAULT(210, efficiency, 0.4), FAULT(330, stuck, 1), FAULT(450, reversed, 1),
                               FAULT(570, stuck, 0), FAULT(690, efficiency, 1)};

/* --- this build --- */

typedef struct group {
    fm_craft craft;
    fm_body_state body;
    fm_body_input input;
    fm_actuator_state actuators[ACTUATORS];
    fm_actuator_fault faults[ACTUATORS];
    fm_real charge, power;
    fm_mass mass;
} group;

/* The types of the vehicles, one in each lane, in one block, which is then copied elsewhere. */
static fm_flat *make_block(fm_flat *const *flats, const int *vehicles)
{
    fm_flat head = fm_flat_head(flats[vehicles[0]]);
    fm_flat *block = aligned_alloc(FM_FLAT_ALIGN, head.bytes), *copy = aligned_alloc(FM_FLAT_ALIGN, head.bytes);
    assert_true(block && copy);
    *block = head;
    for (int lane = 0; lane < LANES; lane++) {
        assert_true(fm_flat_alike(flats[vehicles[0]], flats[vehicles[lane]]));
        fm_flat_fill(block, lane, flats[vehicles[lane]]);
    }
    memcpy(copy, block, head.bytes);
    memset((void *)block, 0xa5, head.bytes);
    free(block);
    return copy;
}

static void begin_group(group *g, const fm_flat *block, const int *vehicles, double depth)
{
    fm_real euler[3];
    memset((void *)g, 0, sizeof *g);
    g->craft = fm_flat_open(block);
    for (int lane = 0; lane < LANES; lane++) {
        beginning s = beginning_of(vehicles[lane], depth);
        for (int i = 0; i < 3; i++) {
            LANE(g->body.position[i], lane) = (fm_par)s.position[i];
            LANE(euler[i], lane) = (fm_par)s.euler[i];
        }
        for (int i = 0; i < 6; i++)
            LANE(g->body.velocity[i], lane) = (fm_par)s.velocity[i];
    }
    if (g->craft.body.euler)
        memcpy(g->body.attitude, euler, sizeof euler);
    else
        fm_quat_from_euler(euler, g->body.attitude);
    g->mass = *g->craft.mass;
    fm_craft_state state = {&g->body, &g->input, g->actuators, g->faults, &g->charge, &g->power};
    fm_craft_begin(&g->craft, &state);
}

static void follow_orders_seen(group *g, const orders_seen *orders, const int *vehicles, int step)
{
    for (int lane = 0; lane < LANES; lane++)
        for (int a = 0; a < g->craft.actuator_count; a++) {
            double seen = mistake * (*orders)[step][vehicles[lane]][a],
                   turned = (double)LANE(g->faults[a].reversed, lane);
            LANE(g->actuators[a].order, lane) = (fm_par)(turned != 0 ? -seen : seen);
        }
}

static void order_group(group *g, fm_flat *const *flats, const int *vehicles, int step)
{
    int count = g->craft.actuator_count;
    for (int lane = 0; lane < LANES; lane++) {
        int v = vehicles[lane];
        for (int a = 0; a < count && step % 20 == 0; a++)
            LANE(g->actuators[a].order, lane) = (fm_par)order_of(flats[v], v, a, step);
        for (size_t i = 0; i < sizeof faults / sizeof *faults && count; i++)
            if (faults[i].step == step) {
                char *field = (char *)&g->faults[(v + (int)i) % count] + faults[i].offset;
                LANE(*(fm_real *)(void *)field, lane) = (fm_par)faults[i].value;
            }
    }
}

static sample sample_group(const group *g, int lane)
{
    fm_real R[9], euler[3], charge = g->charge / g->craft.battery->capacity;
    sample s = {{0}};
    fm_body_matrix(&g->craft.body, g->body.attitude, R);
    fm_euler_from_matrix(R, euler);
    for (int i = 0; i < 3; i++) {
        s.value[i] = (double)LANE(g->body.position[i], lane);
        s.value[3 + i] = (double)LANE(euler[i], lane);
    }
    for (int i = 0; i < 6; i++)
        s.value[6 + i] = (double)LANE(g->body.velocity[i], lane);
    s.value[12] = g->craft.has_battery ? (double)LANE(charge, lane) : NAN;
    for (int a = 0; a < g->craft.actuator_count; a++)
        s.value[13 + a] = (double)LANE(g->actuators[a].value, lane);
    return s;
}

/* --- the policy of physics/advance.h --- */

static const fm_craft *group_craft(const group *g)
{
    return &g->craft;
}

static fm_craft_state group_view(group *g)
{
    return (fm_craft_state){&g->body, &g->input, g->actuators, g->faults, &g->charge, &g->power};
}

static const fm_mass *group_weigh(group *g)
{
    fm_craft_weigh(&g->craft, g->actuators, &g->mass);
    return &g->mass;
}

static fm_real group_integrate(group *g, const fm_mass *mass, const fm_real *thrust)
{
    fm_stream water;
    memset((void *)&water, 0, sizeof water);
    for (int i = 0; i < 3; i++)
        water.velocity[i] = fm_const(mistake * current[i]);
    return fm_craft_integrate(&g->craft, mass, &g->input, thrust, &water, &g->body);
}

static fm_tally group_tally(const group *g)
{
    fm_tally tally;
    (void)g;
    tally.distance = tally.max_depth = tally.max_speed_squared = tally.peak_sine_pitch = fm_const(0);
    return tally;
}

#define group_emptied(g, where) (void)(where)
#define group_rests(g) 0
#define group_order(g) (void)0
#define group_actuated(g) (void)0
#define group_layered(g) 0
#define group_density(g) fm_const(0)
#define group_nominal(g) fm_const(1)
#define group_temperature(g) fm_const(0)
#define group_pushed(g) 0
#define group_push(g, density, force, air) (void)(density), (void)(air)
#define group_pull(g, force) (void)0
#define group_conclude(g, wet, sound, tally) (void)(wet), (void)(sound)
#define FM_POLICY_TYPE group
#define FM_POLICY(name) group_##name
#include "physics/advance.h"

/* One step of the plot. `orders`: NULL, or those to follow instead. */
static void step_group(group *g, fm_flat *const *flats, const int *vehicles, const orders_seen *orders, int step)
{
    order_group(g, flats, vehicles, step);
    if (orders)
        follow_orders_seen(g, orders, vehicles, step);
    fm_mover_advance(g);
}

#endif
