/* The shared-memory areas of a simulation, from the simulator's side (include/fathom/shared.h is the layout, emulator.h
 * what external writers do). The stepping thread writes vehicles and reads the values of emulators; nothing here waits
 * for another process. */
#ifndef FM_LOCAL_AREAS_H
#define FM_LOCAL_AREAS_H

#include <fathom/run.h>
#include <fathom/shared.h>

typedef struct fm_areas fm_areas;

/* Zero-initialise for the defaults. */
typedef struct fm_areas_options {
    const char *instance; /* "x": /fathom-simulation-x …; NULL or "": without */
    size_t connections;   /* space for connections besides the vehicles of the world */
    double timeout;       /* s of simulation after which a value of an emulator is stale; 0: 1 s */
} fm_areas_options;

/* Creates both areas and the semaphore, or takes them over from a killed simulator. FM_ERR_STATE: another simulator is
 * running there. */
fm_status fm_areas_create(const fm_model *model, const fm_areas_options *options, fm_areas **areas, fm_error *error);
/* Marks them as closed and removes their names. */
void fm_areas_free(fm_areas *areas);

/* --- the stepping thread --- */
/* New values of emulators: inputs of the world. */
void fm_areas_steer(fm_areas *areas, fm_world *world);
/* Vehicles, parameters and time. */
void fm_areas_publish(fm_areas *areas, fm_run *run);

/* --- any one thread beside it --- */
/* State of the simulation, also while no step is made. */
typedef struct fm_areas_state {
    uint64_t state; /* FM_SHARED_STOPPED … */
    double speed;
    uint64_t clients, late;
} fm_areas_state;
void fm_areas_set_state(fm_areas *areas, const fm_areas_state *state);
/* The connections, all of them; `ids` and addresses of those with a vehicle are also in its record. */
typedef struct fm_areas_link {
    fm_shared_connection connection;
    char address[48], model[FM_SHARED_NAME_SIZE];
    uint64_t port;
} fm_areas_link;
void fm_areas_set_links(fm_areas *areas, const fm_areas_link *links, size_t count);

/* Both areas as a sink and source of a run without a server; they end with it. */
fm_status fm_run_share(fm_run *run, const fm_areas_options *options, fm_error *error);

#endif
