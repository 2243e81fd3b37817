/* Creates, takes over and removes the areas; and a run that shares its state. */
#include "local/areas.h"

#include <stdlib.h>
#include <sys/file.h>

#include "base/error.h"
#include "base/guard.h"
#include "base/memory.h"
#include "base/priority.h"
#include "local/areas_internal.h"
#include "run/run.h"

enum { TRIES = 10 }; /* for a name that others remove and create at the same time */

static fm_status fail_name(const fm_areas_area *area, const char *what, fm_error *error)
{
    return fm_fail(error, FM_ERR_FILE, "shared memory %s: %s: %s", area->name, what, strerror(errno));
}

/* --- one area --- */

/* Another process has removed the name in the meantime. */
static int is_orphan(int fd)
{
    struct stat state;
    return fstat(fd, &state) != 0 || state.st_nlink == 0;
}

/* Opens the name and marks it as ours with a lock that ends with the process. */
static fm_status open_area(fm_areas_area *area, fm_error *error)
{
    struct stat state;
    for (int i = 0; i < TRIES; i++) {
        area->fd = shm_open(area->name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (area->fd < 0)
            return fail_name(area, "cannot be opened", error);
        if (fstat(area->fd, &state) != 0 || state.st_uid != geteuid() || fchmod(area->fd, 0600) != 0)
            return fm_fail(error, FM_ERR_FILE, "shared memory %s belongs to somebody else", area->name);
        if (flock(area->fd, LOCK_EX | LOCK_NB) != 0)
            return fm_fail(error, FM_ERR_STATE,
                           "shared memory %s is in use by another simulation; give this one a name of its own",
                           area->name);
        if (!is_orphan(area->fd))
            return FM_OK;
        close(area->fd);
        area->fd = -1;
    }
    return fm_fail(error, FM_ERR_FILE, "shared memory %s comes and goes", area->name);
}

/* At its previous address, if it had one. */
static fm_status map_area(fm_areas_area *area, size_t size, fm_error *error)
{
    if (ftruncate(area->fd, (off_t)size) != 0)
        return fail_name(area, "cannot be sized", error);
    if (posix_fallocate(area->fd, 0, (off_t)size) != 0)
        return fm_fail(error, FM_ERR_FULL, "shared memory %s: %zu bytes do not fit", area->name, size);
    void *before = area->map.data;
    void *data = mmap(before, size, PROT_READ | PROT_WRITE, MAP_SHARED | (before ? MAP_FIXED : 0), area->fd, 0);
    if (data == MAP_FAILED)
        return fail_name(area, "cannot be mapped", error);
    area->map = (fm_shared_map){data, size};
    if (!before)
        fm_guard_add(data, size); /* without space there, a truncation ends the process, as without a guard */
    return FM_OK;
}

static void unmap_area(fm_areas_area *area)
{
    fm_guard_remove(area->map.data);
    fm_shared_close(&area->map);
}

static fm_shared_head *head_of(const fm_areas_area *area)
{
    return (fm_shared_head *)(void *)area->map.data;
}

/* A left-over area of another size: sets its state for remaining readers, then removes it. */
static fm_status replace_area(fm_areas_area *area, size_t old, fm_error *error)
{
    if (old >= sizeof(fm_shared_head)) {
        fm_status status = map_area(area, old, error);
        if (status != FM_OK)
            return status;
        __atomic_store_n(&head_of(area)->closed, (uint64_t)1, __ATOMIC_RELEASE);
        unmap_area(area);
    }
    shm_unlink(area->name);
    close(area->fd);
    area->fd = -1;
    return open_area(area, error);
}

/* Without its magic number no process opens it: announce() writes it last. Processes that still have it open see the
 * generation. */
static void begin_head(fm_areas_area *area, size_t size)
{
    fm_shared_head *head = head_of(area);
    uint64_t generation = (head->generation > area->generation ? head->generation : area->generation) + 1;
    area->generation = generation;
    __atomic_store_n(&head->magic, (uint64_t)0, __ATOMIC_RELEASE);
    __atomic_store_n(&head->generation, generation, __ATOMIC_RELEASE);
    *head = (fm_shared_head){.version = FM_SHARED_VERSION,
                             .size = size,
                             .layout = fm_shared_layout(),
                             .generation = generation,
                             .server = (uint64_t)getpid()};
}

static fm_status make_area(fm_areas_area *area, const char *what, const char *instance, size_t size, fm_error *error)
{
    struct stat state;
    if (!fm_shared_name(area->name, sizeof area->name, what, instance))
        return fm_fail(
            error, FM_ERR_ARGUMENT,
            "'%s' cannot be part of the name of a shared-memory area: must be up to 40 characters without '/'",
            instance);
    fm_status status = open_area(area, error);
    if (status == FM_OK && fstat(area->fd, &state) == 0 && state.st_size > 0 && (size_t)state.st_size != size)
        status = replace_area(area, (size_t)state.st_size, error);
    if (status == FM_OK)
        status = map_area(area, size, error);
    if (status != FM_OK)
        return status;
    begin_head(area, size);
    memset(area->map.data + sizeof(fm_shared_head), 0, size - sizeof(fm_shared_head));
    return FM_OK;
}

/* From now on readers treat it as complete. */
static void announce(const fm_areas_area *area, uint64_t magic)
{
    __atomic_store_n(&head_of(area)->magic, magic, __ATOMIC_RELEASE);
}

static void remove_area(fm_areas_area *area)
{
    if (area->map.data) {
        __atomic_store_n(&head_of(area)->closed, (uint64_t)1, __ATOMIC_RELEASE);
        shm_unlink(area->name);
        unmap_area(area);
    }
    if (area->fd >= 0)
        close(area->fd);
    area->fd = -1;
}

/* --- both --- */

static void put_capacities(const fm_areas *areas)
{
    head_of(&areas->simulation)->capacity = areas->connections;
    head_of(&areas->simulation)->parameters = areas->parameters;
    head_of(&areas->clients)->capacity = areas->slots;
}

static fm_status make_both(fm_areas *areas, const fm_areas_options *o, fm_error *error)
{
    const size_t simulation = sizeof(fm_shared_head) + sizeof(fm_shared_simulation) +
                              areas->parameters * sizeof(fm_shared_parameter) +
                              areas->connections * sizeof(fm_shared_connection);
    const size_t clients = sizeof(fm_shared_head) + areas->slots * sizeof(fm_shared_client) +
                           FM_SHARED_EMULATORS * sizeof(fm_shared_emulator);
    fm_status status = make_area(&areas->simulation, "simulation", o->instance, simulation, error);
    if (status == FM_OK)
        status = make_area(&areas->clients, "clients", o->instance, clients, error);
    if (status != FM_OK)
        return status;
    put_capacities(areas);
    return FM_OK;
}

/* Unlocks the lists of a left-over area: no process is using a new area. */
static fm_status open_semaphore(fm_areas *areas, fm_error *error)
{
    int value = 0;
    areas->semaphore = sem_open(areas->clients.name, O_CREAT, 0600, 1);
    if (areas->semaphore == SEM_FAILED)
        return fm_fail(error, FM_ERR_FILE, "semaphore %s: %s", areas->clients.name, strerror(errno));
    if (sem_getvalue(areas->semaphore, &value) == 0 && value <= 0)
        sem_post(areas->semaphore);
    fm_guard_add(areas->semaphore, sizeof *areas->semaphore);
    return FM_OK;
}

static fm_status allocate(fm_areas *areas, fm_error *error)
{
    areas->types = fm_alloc((areas->type_count + 1) * sizeof *areas->types);
    areas->records = fm_alloc((areas->slots + 1) * sizeof *areas->records);
    areas->links = fm_alloc((areas->slots + 1) * sizeof *areas->links);
    areas->told = fm_alloc((areas->parameters + 1) * sizeof *areas->told);
    return areas->types && areas->records && areas->links && areas->told
               ? FM_OK
               : fm_fail(error, FM_ERR_MEMORY, "out of memory for shared-memory areas");
}

fm_status fm_areas_create(const fm_model *model, const fm_areas_options *options, fm_areas **out, fm_error *error)
{
    fm_areas *areas = fm_alloc(sizeof *areas);
    *out = NULL;
    if (!areas)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for shared-memory areas");
    areas->simulation.fd = areas->clients.fd = -1;
    areas->semaphore = SEM_FAILED;
    areas->slots = model->settings.capacity > model->vehicle_count ? model->settings.capacity : model->vehicle_count;
    areas->type_count = model->type_count;
    areas->parameters = model->live_count;
    areas->connections = areas->slots + options->connections;
    areas->faults = fm_guard_faults();
    areas->timeout = options->timeout > 0 ? options->timeout : 1;
    areas->state.state = FM_SHARED_RUNNING;
    fm_lock_create(&areas->lock);
    fm_status status = allocate(areas, error);
    if (status == FM_OK)
        status = make_both(areas, options, error);
    if (status == FM_OK)
        status = open_semaphore(areas, error);
    if (status != FM_OK) {
        fm_areas_free(areas);
        return status;
    }
    fm_areas_describe(areas, model);
    announce(&areas->simulation, FM_SHARED_MAGIC_SIMULATION);
    announce(&areas->clients, FM_SHARED_MAGIC_CLIENTS);
    *out = areas;
    return FM_OK;
}

void fm_areas_free(fm_areas *areas)
{
    if (!areas)
        return;
    if (areas->semaphore != SEM_FAILED) {
        fm_guard_remove(areas->semaphore);
        sem_unlink(areas->clients.name);
        sem_close(areas->semaphore);
    }
    remove_area(&areas->simulation);
    remove_area(&areas->clients);
    pthread_mutex_destroy(&areas->lock);
    fm_free(areas->types);
    fm_free(areas->records);
    fm_free(areas->links);
    fm_free(areas->told);
    fm_free(areas);
}

/* --- areas truncated by another process --- */

static int is_cut(const fm_areas_area *area)
{
    struct stat state;
    return fstat(area->fd, &state) == 0 && (size_t)state.st_size < area->map.size;
}

/* The area is complete again, with a new generation: readers open it again. */
static int remake_area(fm_areas_area *area, uint64_t magic)
{
    size_t size = area->map.size;
    if (map_area(area, size, NULL) != FM_OK)
        return 0;
    begin_head(area, size);
    memset(area->map.data + sizeof(fm_shared_head), 0, size - sizeof(fm_shared_head));
    announce(area, magic);
    return 1;
}

int fm_areas_mend(fm_areas *areas)
{
    unsigned long faults = fm_guard_faults();
    if (faults == areas->faults && !is_cut(&areas->simulation) && !is_cut(&areas->clients))
        return 0;
    if (!remake_area(&areas->simulation, FM_SHARED_MAGIC_SIMULATION) ||
        !remake_area(&areas->clients, FM_SHARED_MAGIC_CLIENTS))
        return 0; /* out of memory: tried again in the next step */
    areas->faults = faults;
    put_capacities(areas);
    return 1;
}

/* --- a run that shares itself --- */

static void steer_run(void *user, fm_sink *sink)
{
    fm_areas_steer(user, fm_run_world(fm_sink_run(sink)));
}

static fm_status step_run(void *user, fm_sink *sink, fm_error *error)
{
    fm_run *run = fm_sink_run(sink);
    (void)error;
    pthread_mutex_lock(&run->schedule->lock);
    fm_areas_state state = {run->schedule->paused && !run->schedule->singles ? FM_SHARED_STOPPED : FM_SHARED_RUNNING,
                            run->schedule->pace.speed, 0, 0};
    pthread_mutex_unlock(&run->schedule->lock);
    state.late = fm_run_get_counts(run).late;
    fm_areas_set_state(user, &state);
    fm_areas_publish(user, run);
    return FM_OK;
}

static void release_run(void *user)
{
    fm_areas_free(user);
}

fm_status fm_run_share(fm_run *run, const fm_areas_options *options, fm_error *error)
{
    static const fm_areas_options defaults;
    fm_areas *areas;
    if (!run)
        return fm_fail(error, FM_ERR_ARGUMENT, "run must not be NULL");
    fm_status status = fm_areas_create(fm_world_model(fm_run_world(run)), options ? options : &defaults, &areas, error);
    if (status != FM_OK)
        return status;
    fm_sink_config sink = {.steer = steer_run, .step = step_run, .release = release_run, .user = areas};
    return fm_run_attach(run, &sink, NULL, error);
}
