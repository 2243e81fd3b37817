/* A craft in one block without pointers: copy it to a file, another process or a device, and open it there.
 *
 *     head, then sections; a section is an array of records, a record some integers and then some numbers
 *
 * The live engine writes a block in double (world/flatten.h). Any build of the kernels makes one of its own from it, in
 * its own numbers: float for a device, or lanes, where each lane may take its numbers from another type of the same
 * structure. What `if`s ask for are integers and therefore the same in all lanes. */
#ifndef FM_PHYSICS_FLAT_H
#define FM_PHYSICS_FLAT_H

#include <assert.h>

#include "physics/craft.h"
#include "physics/current.h"
#include "physics/ground.h"
#include "physics/water.h"

/* The sections: name, integers and numbers of a record. Numbers are fm_real up to FAULTS, fm_par (the
 * same in all lanes) from LEVELS on, fm_var in between. What a record is, says the header of its kernel:
 *
 * physics/flat.h        MASS … MOVING, of the body
 * control/feeler.h      FEELER … FORMS, of one that feels walls
 * control/flat_chain.h  PILOT … STAY, DIVER, FOLLOWER … FLAWS, of what steers and measures
 * physics/ground.h      GROUND … SHAPES, of what may be touched
 * control/law_link.h    LAW_NUMBERS, LAWS, of controllers with a kernel of their own (control/law.h)
 * control/link.h        LINKS, the parts in file order
 * physics/fish_flat.h   FISH … FISH_TABLE, in place of a body
 * forces/surroundings.h  CURRENTS … LEVELS, of the water and of what pushes */
/* clang-format off */
#define FM_FLAT_EACH(S) \
    S(MASS, 0, 119) \
    S(WEIGHTS, 0, 50) \
    S(FADING, 0, 36) \
    S(FAULTS, 0, 3) \
    S(BATTERY, 0, 6) \
    S(HULL, 0, FM_HULL_NUMBERS) \
    S(TERMS, 4, 6) \
    S(STRIP_X, 0, 1) \
    S(STRIP_H, 0, 1) \
    S(STRIP_B, 0, 1) \
    S(COLUMNS, 0, 5) \
    S(ACTUATORS, 8, 15) \
    S(MOVING, 2, 7) \
    S(FEELER, 11, 61) \
    S(SENSORS, 0, 14) \
    S(MOTORS, 4, 10) \
    S(FORMS, 0, 5) \
    S(PILOT, 5, 97) \
    S(SET, 4, 7) \
    S(FINS, 1, 4) \
    S(THRUSTERS, 2, 17) \
    S(STEPS, 1, 7) \
    S(ROUTE, 3, 7) \
    S(POINTS, 0, 3) \
    S(LEGS, 0, 2) \
    S(STAY, 1, 7) \
    S(GROUND, 10, 11) \
    S(NODES, 0, 1) \
    S(MOUNDS, 0, 5) \
    S(SOLIDS, 4, 16) \
    S(TRACKS, 0, 4) \
    S(SHAPES, 4, 16) \
    S(DIVER, 3, 11) \
    S(FISH, FM_FLAT_FISH_INTEGERS, FM_FLAT_FISH_NUMBERS) \
    S(FISH_ELEMENTS, 1, 5) \
    S(FISH_TABLE, 0, 1) \
    S(FOLLOWER, 17, 31) \
    S(SUITE, 70, 4) \
    S(INSTRUMENTS, 8, 53) \
    S(FLAWS, 1, 17) \
    S(LAW_NUMBERS, 0, 1) \
    S(CURRENTS, 3, 4) \
    S(TIDES, 0, 5) \
    S(VORTICES, 1, 7) \
    S(JETS, 0, 7) \
    S(STREETS, 0, 12) \
    S(SEA, 2, 1) \
    S(GRID, 0, FM_GRID_NUMBERS) \
    S(WATER, FM_BATCH_WATER_INTEGERS, FM_BATCH_WATER_NUMBERS) \
    S(SPOTS, 0, 7) \
    S(FORCE_TERMS, 6, 19) \
    S(LEVELS, 0, 1) \
    S(TABLES, 0, 1) \
    S(LINKS, 4, 0) \
    S(LAWS, 16, 0)
/* clang-format on */

enum fm_flat_section {
#define FM_FLAT_ROW(section, integers, numbers) FM_FLAT_##section,
    FM_FLAT_EACH(FM_FLAT_ROW)
#undef FM_FLAT_ROW
        FM_FLAT_SECTIONS
};

typedef struct fm_flat {
    uint32_t bytes;                   /* of the whole block */
    uint32_t real_bytes, var_bytes;   /* of a number: 8 in double, 4 in float, times the lanes */
    uint32_t par_bytes;               /* of one that all lanes share */
    uint32_t count[FM_FLAT_SECTIONS]; /* records */
    uint32_t at[FM_FLAT_SECTIONS];    /* bytes from the start of the block */
    int32_t euler, uses_across, fin_terms, bears, surface_substeps, has_battery, has_dynamics, full_coriolis,
        integrator, substeps;
    int32_t nears; /* a nose near walls is pushed */
    double step_s, tolerance;
} fm_flat;

enum { FM_FLAT_ALIGN = 64 }; /* of blocks and sections, bytes */
enum { FM_FLAT_FISH_INTEGERS = 10, FM_FLAT_FISH_NUMBERS = 60 };

/* Integers and numbers of a record. */
typedef struct fm_flat_shape {
    uint32_t integers, numbers;
} fm_flat_shape;

static inline fm_flat_shape fm_flat_shape_of(int section)
{
#define FM_FLAT_ROW(section, integers, numbers) {integers, numbers},
    static const fm_flat_shape shapes[FM_FLAT_SECTIONS] = {FM_FLAT_EACH(FM_FLAT_ROW)};
#undef FM_FLAT_ROW
    return shapes[section];
}

static inline uint32_t fm_flat_number(const fm_flat *flat, int section)
{
    return section <= FM_FLAT_FAULTS ? flat->real_bytes : section >= FM_FLAT_LEVELS ? flat->par_bytes : flat->var_bytes;
}

static inline uint32_t fm_flat_round(uint32_t bytes, uint32_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* Bytes of a record, and where in it the numbers begin: as the compiler lays out the structs of this build. */
static inline uint32_t fm_flat_numbers_at(const fm_flat *flat, int section)
{
    return fm_flat_round(4 * fm_flat_shape_of(section).integers, fm_flat_number(flat, section));
}

static inline uint32_t fm_flat_record(const fm_flat *flat, int section)
{
    return fm_flat_numbers_at(flat, section) + fm_flat_shape_of(section).numbers * fm_flat_number(flat, section);
}

/* Places the sections; counts and sizes of numbers are given. */
static inline void fm_flat_lay_out(fm_flat *flat)
{
    uint32_t at = fm_flat_round(sizeof *flat, FM_FLAT_ALIGN);
    for (int s = 0; s < FM_FLAT_SECTIONS; s++) {
        flat->at[s] = at;
        at += fm_flat_round(flat->count[s] * fm_flat_record(flat, s), FM_FLAT_ALIGN);
    }
    flat->bytes = at;
}

static_assert(sizeof(fm_mass) == 119 * sizeof(fm_real) && sizeof(fm_weights) == 50 * sizeof(fm_real) &&
                  sizeof(fm_actuator_fault) == 3 * sizeof(fm_real) && sizeof(fm_battery) == 6 * sizeof(fm_var) &&
                  sizeof(fm_column_element) == 5 * sizeof(fm_var) &&
                  sizeof(fm_wave_grid) == FM_GRID_NUMBERS * sizeof(fm_var) &&
                  offsetof(fm_floating_hull, gravity) ==
                      offsetof(fm_floating_hull, weight_density) + (FM_HULL_NUMBERS - 1) * sizeof(fm_var),
              "records of numbers alone");
static_assert(offsetof(fm_term, c) + 6 * sizeof(fm_var) == sizeof(fm_term) &&
                  offsetof(fm_actuator, low) + 15 * sizeof(fm_var) == sizeof(fm_actuator) &&
                  offsetof(fm_moving_mass, mass) + 7 * sizeof(fm_var) == sizeof(fm_moving_mass),
              "integers first, numbers next to each other");

static_assert(FM_GROUND_INTEGERS == 10 && FM_GROUND_NUMBERS == 11 && FM_SOLID_INTEGERS == 4 && FM_SOLID_NUMBERS == 16 &&
                  offsetof(fm_ground, depth) + FM_GROUND_NUMBERS * sizeof(fm_var) == sizeof(fm_ground) &&
                  sizeof(fm_ground_mound) == 5 * sizeof(fm_var) && sizeof(fm_ground_station) == 4 * sizeof(fm_var) &&
                  offsetof(fm_ground_solid, centre) + FM_SOLID_NUMBERS * sizeof(fm_var) == sizeof(fm_ground_solid),
              "the same of what may be touched");

static inline void *fm_flat_array(const fm_flat *flat, int section)
{
    return (char *)(uintptr_t)flat + flat->at[section];
}

/* The head of a block of this build for the same craft; memory for head.bytes, aligned to FM_FLAT_ALIGN, is the
 * caller's. */
static inline fm_flat fm_flat_head(const fm_flat *doubles)
{
    fm_flat head = *doubles;
    head.real_bytes = sizeof(fm_real);
    head.var_bytes = sizeof(fm_var);
    head.par_bytes = sizeof(fm_par);
    fm_flat_lay_out(&head);
    return head;
}

/* Copies one section's records from a block in double. A number of one fm_par is shared by all lanes; of a vector the
 * given lane is set. */
static inline void fm_flat_fill_section(fm_flat *flat, int section, int lane, const fm_flat *doubles)
{
    fm_flat_shape shape = fm_flat_shape_of(section);
    uint32_t to_record = fm_flat_record(flat, section), from_record = fm_flat_record(doubles, section);
    uint32_t size = fm_flat_number(flat, section), first = size == sizeof(fm_par) ? 0 : (uint32_t)lane;
    for (uint32_t i = 0; i < flat->count[section]; i++) {
        char *to = (char *)fm_flat_array(flat, section) + i * to_record;
        const char *from = (const char *)fm_flat_array(doubles, section) + i * from_record;
        for (uint32_t k = 0; k < shape.integers; k++)
            ((int32_t *)(void *)to)[k] = ((const int32_t *)(const void *)from)[k];
        fm_par *numbers = (fm_par *)(void *)(to + fm_flat_numbers_at(flat, section));
        const double *values = (const double *)(const void *)(from + fm_flat_numbers_at(doubles, section));
        for (uint32_t k = 0; k < shape.numbers; k++)
            numbers[k * (size / sizeof(fm_par)) + first] = (fm_par)values[k];
    }
}

/* Fills a block whose head is fm_flat_head(doubles): one lane of it (0 where there are none). At the surface all lanes
 * take the sub-steps of the one that needs most. */
static inline void fm_flat_fill(fm_flat *flat, int lane, const fm_flat *doubles)
{
    if (doubles->surface_substeps > flat->surface_substeps)
        flat->surface_substeps = doubles->surface_substeps;
    for (int s = 0; s < FM_FLAT_SECTIONS; s++)
        fm_flat_fill_section(flat, s, lane, doubles);
}

/* Whether two blocks in double have one structure and the same tables, so that their vehicles can stand in lanes side
 * by side. */
static inline int fm_flat_alike(const fm_flat *a, const fm_flat *b)
{
    int alike = a->bytes == b->bytes && a->euler == b->euler && a->uses_across == b->uses_across &&
                a->fin_terms == b->fin_terms && a->bears == b->bears && a->has_battery == b->has_battery &&
                a->integrator == b->integrator && a->full_coriolis == b->full_coriolis && a->substeps == b->substeps &&
                a->nears == b->nears && a->step_s == b->step_s && a->tolerance == b->tolerance;
    for (int s = 0; s < FM_FLAT_SECTIONS && alike; s++) {
        alike = a->count[s] == b->count[s];
        for (uint32_t i = 0; i < a->count[s] && alike; i++) {
            uint32_t record = fm_flat_record(a, s);
            const int32_t *x = (const int32_t *)(const void *)((const char *)fm_flat_array(a, s) + i * record);
            const int32_t *y = (const int32_t *)(const void *)((const char *)fm_flat_array(b, s) + i * record);
            for (uint32_t k = 0; k < fm_flat_shape_of(s).integers; k++)
                alike &= x[k] == y[k];
        }
    }
    for (int s = FM_FLAT_LEVELS; s < FM_FLAT_SECTIONS && alike; s++) {
        const double *p = (const double *)fm_flat_array(a, s), *q = (const double *)fm_flat_array(b, s);
        for (uint32_t i = 0; i < a->count[s] * fm_flat_shape_of(s).numbers && alike; i++)
            alike &= p[i] == q[i];
    }
    return alike;
}

/* What is around the vehicle; p NULL: nothing. */
FM_FN fm_ground_craft fm_flat_ground(const fm_flat *flat)
{
    const char *block = (const char *)flat;
    fm_ground_craft c;
    c.p = flat->count[FM_FLAT_GROUND] ? (const fm_ground *)(const void *)(block + flat->at[FM_FLAT_GROUND]) : NULL;
    c.nodes = (const fm_var *)(const void *)(block + flat->at[FM_FLAT_NODES]);
    c.mounds = (const fm_ground_mound *)(const void *)(block + flat->at[FM_FLAT_MOUNDS]);
    c.solids = (const fm_ground_solid *)(const void *)(block + flat->at[FM_FLAT_SOLIDS]);
    c.tracks = (const fm_ground_station *)(const void *)(block + flat->at[FM_FLAT_TRACKS]);
    c.shapes = (const fm_ground_solid *)(const void *)(block + flat->at[FM_FLAT_SHAPES]);
    c.dt = (fm_par)flat->step_s;
    return c;
}

/* Whether a vehicle has numbers of a chain (control/chain.h): guidances and what follows them, or a diving model. */
static inline int fm_flat_has_chain(const fm_flat *flat)
{
    return flat->count[FM_FLAT_PILOT] || flat->count[FM_FLAT_STEPS] || flat->count[FM_FLAT_ROUTE] ||
           flat->count[FM_FLAT_STAY] || flat->count[FM_FLAT_FOLLOWER] || flat->count[FM_FLAT_DIVER];
}

/* Whether it may touch something, or only a world can tell what a part of it sees. */
static inline int fm_flat_may_touch(const fm_flat *flat)
{
    return flat->count[FM_FLAT_GROUND] || flat->count[FM_FLAT_LINKS] || flat->count[FM_FLAT_DIVER];
}

/* Whether its kind has a body of its own (physics/own_body.h). */
static inline int fm_flat_has_own(const fm_flat *flat)
{
    return flat->count[FM_FLAT_FISH] > 0;
}

static inline int fm_flat_has_surroundings(const fm_flat *flat)
{
    return flat->count[FM_FLAT_CURRENTS] || flat->count[FM_FLAT_SEA] || flat->count[FM_FLAT_WATER] ||
           flat->count[FM_FLAT_FORCE_TERMS];
}

/* The craft in a block of this build; it points into the block and lives as long. */
FM_FN fm_craft fm_flat_open(const fm_flat *flat)
{
    const char *block = (const char *)flat;
    const uint32_t *at = flat->at, *count = flat->count;
    fm_craft c;
    c.body.hydro.terms = (const fm_term *)(const void *)(block + at[FM_FLAT_TERMS]);
    c.body.hydro.term_count = (int32_t)count[FM_FLAT_TERMS];
    c.body.hydro.uses_across = flat->uses_across;
    c.body.hydro.fin_terms = flat->fin_terms;
    c.body.hydro.strip_count = (int32_t)count[FM_FLAT_STRIP_X];
    c.body.hydro.strip_x = (const fm_var *)(const void *)(block + at[FM_FLAT_STRIP_X]);
    c.body.hydro.strip_h = (const fm_var *)(const void *)(block + at[FM_FLAT_STRIP_H]);
    c.body.hydro.strip_b = (const fm_var *)(const void *)(block + at[FM_FLAT_STRIP_B]);
#ifdef FM_LANES
    c.body.hydro.sparse = NULL;
    c.body.apart = c.body.still = 0;
#endif
    c.body.hull.columns = (const fm_column_element *)(const void *)(block + at[FM_FLAT_COLUMNS]);
    c.body.hull.count = (int32_t)count[FM_FLAT_COLUMNS];
    c.body.hull.bears = flat->bears;
    c.body.hull.substeps = flat->surface_substeps;
    c.body.hull.spare = 0;
    const fm_var *hull = (const fm_var *)(const void *)(block + at[FM_FLAT_HULL]);
    c.body.hull.weight_density = hull[0];
    c.body.hull.volume = hull[1];
    for (int i = 0; i < 3; i++)
        c.body.hull.moment[i] = hull[2 + i];
    c.body.hull.holds = hull[5];
    c.body.hull.reach = hull[6];
    c.body.hull.flooded = hull[7];
    c.body.hull.gravity = hull[8];
    c.body.fading_mass = (const fm_real *)(const void *)(block + at[FM_FLAT_FADING]);
#ifdef FM_HAS_APPENDAGES
    c.body.appendages = NULL;
#endif
    c.body.grid = count[FM_FLAT_GRID] ? (const fm_wave_grid *)(const void *)(block + at[FM_FLAT_GRID]) : NULL;
    c.body.euler = flat->euler;
    c.body.full_coriolis = flat->full_coriolis;
    c.mass = (const fm_mass *)(const void *)(block + at[FM_FLAT_MASS]);
    c.weights = (const fm_weights *)(const void *)(block + at[FM_FLAT_WEIGHTS]);
    c.body.added_mass = c.weights->added_mass;
    c.moving = (const fm_moving_mass *)(const void *)(block + at[FM_FLAT_MOVING]);
    c.actuators = (const fm_actuator *)(const void *)(block + at[FM_FLAT_ACTUATORS]);
    c.faults = (const fm_actuator_fault *)(const void *)(block + at[FM_FLAT_FAULTS]);
    c.battery = (const fm_battery *)(const void *)(block + at[FM_FLAT_BATTERY]);
    c.tables = (const fm_par *)(const void *)(block + at[FM_FLAT_TABLES]);
    c.table_numbers = (int32_t)count[FM_FLAT_TABLES];
    c.moving_count = (int32_t)count[FM_FLAT_MOVING];
    c.actuator_count = (int32_t)count[FM_FLAT_ACTUATORS];
    c.has_battery = flat->has_battery;
    c.has_dynamics = flat->has_dynamics;
    c.full_coriolis = flat->full_coriolis;
    c.integrator = flat->integrator;
    c.substeps = flat->substeps;
    c.tolerance = (fm_par)flat->tolerance;
    c.step_s = (fm_par)flat->step_s;
    return c;
}

#endif
