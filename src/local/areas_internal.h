/* Internals of the areas: areas.c creates them, areas_publish.c publishes the world, areas_emulators.c reads values. */
#ifndef FM_LOCAL_AREAS_INTERNAL_H
#define FM_LOCAL_AREAS_INTERNAL_H

#include <pthread.h>
#include <semaphore.h>

#include "local/areas.h"
#include "world/world.h"

/* Location of a number of an instrument in the record of a vehicle. */
typedef struct fm_areas_number {
    size_t word, byte; /* of the output, in the record; of the number, in the output */
    double scale, shift;
    int counts;   /* its output begins with fm_reading */
    size_t fault; /* word of the record; 0: none */
} fm_areas_number;

/* What is the same for all vehicles of a type. */
typedef struct fm_areas_type {
    fm_shared_client record; /* shape, names and units */
    fm_areas_number numbers[FM_SHARED_VALUES];
} fm_areas_type;

typedef struct fm_areas_area {
    fm_shared_map map;
    int fd;              /* holds the lock that marks this process as alive; -1: none */
    uint64_t generation; /* of its head */
    char name[FM_SHARED_PATH_SIZE];
} fm_areas_area;

struct fm_areas {
    fm_areas_area simulation, clients;
    sem_t *semaphore;
    double timeout;                                    /* s */
    fm_areas_type *types;                              /* of the model */
    size_t type_count, slots, parameters, connections; /* room for these */
    fm_shared_parameter *told;                         /* parameters as they were last written */
    fm_shared_client *records;                         /* as they were last written, by slot */
    uint64_t seen[FM_SHARED_EMULATORS];                /* samples */
    double arrived[FM_SHARED_EMULATORS];               /* s: when the last one did */
    pthread_mutex_t lock;                              /* version of the next two and of the data written from them */
    fm_areas_state state;
    fm_areas_link *links;      /* by slot: whose vehicle it is */
    fm_shared_simulation last; /* as it was last written */
    unsigned long faults;      /* of the guard, when the areas were last complete */
};

/* Blocks of our own areas: from our own counts, whatever other processes have written into the heads. */
static inline fm_shared_client *fm_areas_record(const fm_areas *areas, size_t slot)
{
    return fm_shared_block(&areas->clients.map, sizeof(fm_shared_head), slot, areas->slots, sizeof(fm_shared_client));
}

static inline fm_shared_emulator *fm_areas_emulator(const fm_areas *areas, size_t i)
{
    return fm_shared_block(&areas->clients.map, sizeof(fm_shared_head) + areas->slots * sizeof(fm_shared_client), i,
                           FM_SHARED_EMULATORS, sizeof(fm_shared_emulator));
}

static inline fm_shared_parameter *fm_areas_parameter(const fm_areas *areas, size_t i)
{
    return fm_shared_block(&areas->simulation.map, sizeof(fm_shared_head) + sizeof(fm_shared_simulation), i,
                           areas->parameters, sizeof(fm_shared_parameter));
}

/* Restores areas that another process has truncated, empty; 1: it did. Under the lock. */
int fm_areas_mend(fm_areas *areas);

/* areas_publish.c */
void fm_areas_describe(fm_areas *areas, const fm_model *model);

#endif
