/* The two shared-memory areas of a running simulation, for programs on the same computer (docs/shared-memory.md).
 *
 * Area "simulation": time, state, the world's parameters, and the connection of each client. Area "clients": geometry,
 * pose, velocities, actuators and all instruments of each vehicle, and slots to which external emulators write values
 * (emulator.h). The simulator writes everything except those slots.
 *
 * This header needs only libc (POSIX: -std=gnu17, or _POSIX_C_SOURCE 200809), and C++ can include it. Read blocks with
 * fm_shared_copy: a block begins with its sequence number, which is odd while it is written; a copy that was disturbed
 * is repeated. Reading never delays the simulator. Sizes and counts are checked against the mapping. Any number of
 * threads and processes may read; pointers are valid until fm_shared_close.
 *
 * SI; world north-east-down, body forward-starboard-down; texts are UTF-8 and end with NUL. */
#ifndef FATHOM_SHARED_H
#define FATHOM_SHARED_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FM_SHARED_VERSION 1u
#define FM_SHARED_MAGIC_SIMULATION 0x314d49534d485446u /* "FTHMSIM1", little endian */
#define FM_SHARED_MAGIC_CLIENTS 0x31494c434d485446u    /* "FTHMCLI1" */

enum {
    FM_SHARED_ACTUATORS = 16, /* maximum published per vehicle */
    FM_SHARED_VALUES = 64,    /* of its instruments, maximum published */
    FM_SHARED_EMULATORS = 64, /* slots */
    FM_SHARED_NAME_SIZE = 32,
    FM_SHARED_TARGET_SIZE = 96,
    FM_SHARED_PATH_SIZE = 64 /* bytes of the name of an area, semaphore or queue */
};

/* The head of both areas; written at creation and when a server takes over or ends. */
typedef struct fm_shared_head {
    uint64_t magic;      /* which area it is; 0: it is being created */
    uint64_t version;    /* FM_SHARED_VERSION */
    uint64_t size;       /* bytes of the area */
    uint64_t layout;     /* fm_shared_layout of the writer */
    uint64_t generation; /* incremented when a server takes over the area: pointers into it are then invalid */
    uint64_t server;     /* process id */
    uint64_t closed;     /* 1: the simulation has ended */
    uint64_t capacity;   /* number of records: connections (simulation) or vehicles (clients) */
    uint64_t parameters; /* number of parameter records (simulation) */
    uint64_t lock_owner; /* owner of the lock, 0: none (clients; emulator.h) */
    uint64_t lock_beat;  /* ns of CLOCK_MONOTONIC: last activity of the owner */
    uint64_t reserved[5];
} fm_shared_head;

/* --- area "simulation": head, fm_shared_simulation, parameters, connections --- */
enum { FM_SHARED_STOPPED = 0, FM_SHARED_RUNNING = 1, FM_SHARED_ENDED = 2 };

/* The state of the simulation. */
typedef struct fm_shared_simulation {
    uint64_t sequence;
    uint64_t stamp;       /* whole tenths of a millisecond since the start of the simulation */
    double time;          /* s, the same */
    uint64_t tick;        /* steps since the start or the last reset */
    uint64_t steps;       /* steps since the world was created */
    uint64_t state;       /* FM_SHARED_STOPPED … */
    double speed;         /* times real time; 0: as fast as possible */
    double time_step;     /* s */
    uint64_t late;        /* steps that began late */
    double sound_speed;   /* m/s, just below the surface at the origin */
    double density;       /* kg/m³, there */
    double gravity;       /* m/s² */
    double pressure[3];   /* Pa, Pa/m, Pa/m²: P0 + P1 z + P2 z² */
    double flow[3];       /* m/s, NED: present velocity of the water there */
    double bottom;        /* m: water depth at the origin; infinite: none */
    uint64_t clients;     /* connected */
    uint64_t vehicles;    /* in the world */
    uint64_t parameters;  /* fm_shared_parameter records in use */
    uint64_t connections; /* fm_shared_connection records in use */
    uint64_t reserved[8];
} fm_shared_simulation;

/* A live parameter of the world: density, sound speed, currents, warm spots, mounds … */
typedef struct fm_shared_parameter {
    uint64_t sequence;
    char path[FM_SHARED_TARGET_SIZE]; /* "/current/velocity/x" */
    char unit[16];                    /* SI */
    double value;
} fm_shared_parameter;

/* What a client is, as fm_client_role. */
enum {
    FM_SHARED_NONE = 0, /* the record is free */
    FM_SHARED_SURFACE = 1,
    FM_SHARED_UNDERWATER = 2,
    FM_SHARED_BUOY = 3,
    FM_SHARED_OBSERVER = 4,
    FM_SHARED_COMMANDER = 5,
    FM_SHARED_CONTROLLER = 6,
    FM_SHARED_SCENARIO = 7, /* not a client: a vehicle of the scenario */
    FM_SHARED_WRITER = 8    /* an emulator connected through the network */
};

/* The connection of a client. */
typedef struct fm_shared_connection {
    uint64_t sequence;
    uint64_t id;
    uint64_t type;      /* FM_SHARED_SURFACE … */
    uint64_t connected; /* 0: it has disconnected or timed out, and may reconnect */
    int64_t vehicle;    /* index of its record in the area "clients"; -1: none */
    char name[FM_SHARED_NAME_SIZE];
    double reply;   /* s from the last ping to its answer; NaN: none yet */
    double silence; /* s since its last message */
    uint64_t pings, pongs, received, sent, dropped;
    uint64_t reserved[4];
} fm_shared_connection;

/* --- area "clients": head, one fm_shared_client per slot of the world, emulators --- */
/* An actuator of a vehicle. */
typedef struct fm_shared_actuator {
    char name[FM_SHARED_NAME_SIZE];
    char unit[16];
    double order; /* order, SI */
    double value; /* present value, SI */
} fm_shared_actuator;

enum { FM_SHARED_INVALID = 0, FM_SHARED_VALID = 1, FM_SHARED_EXTERNAL = 2 }; /* bits of fm_shared_value.state */

/* One number of an instrument. */
typedef struct fm_shared_value {
    char name[FM_SHARED_TARGET_SIZE]; /* "ctd/temperature", "dvl/velocity[1]" */
    char unit[16];                    /* SI */
    double value;
    double time;    /* s: when the sample was taken; NaN: no sample */
    uint64_t state; /* valid: from the last period; external: from an emulator. External only: stale */
} fm_shared_value;

/* Shapes of a hull. */
enum { FM_SHARED_BOX = 1, FM_SHARED_CYLINDER = 2, FM_SHARED_SPHERE = 3, FM_SHARED_OTHER = 4 };

/* A vehicle. */
typedef struct fm_shared_client {
    uint64_t sequence;
    uint64_t used;  /* 0: no vehicle in this slot */
    uint64_t steps; /* of the world when this was written */
    double time;    /* s, when this was written */
    uint64_t id;    /* client that added or controls it; 0: none */
    uint64_t type;  /* FM_SHARED_SURFACE …, FM_SHARED_SCENARIO */
    char name[FM_SHARED_NAME_SIZE];
    char model[FM_SHARED_NAME_SIZE];
    char address[48]; /* network address of the client; "": none */
    uint64_t port;
    uint64_t shape;         /* FM_SHARED_BOX …, of the hull */
    double size[3];         /* m: length, width, height */
    double matrix[16];      /* body → world, by row: rotation and position (m); last row 0 0 0 1 */
    double quaternion[4];   /* the same rotation, w x y z */
    double velocity[6];     /* over ground, body axes: m/s, rad/s */
    double acceleration[6]; /* rate of change over the last step: m/s², rad/s² */
    double water[3];        /* m/s, NED: velocity of the water around it */
    uint64_t ended;         /* 1: it is lost (crushed) and no longer moves */
    uint64_t actuator_count;
    uint64_t value_count;
    uint64_t untold; /* actuators and instrument values that did not fit into this record */
    uint64_t reserved[4];
    fm_shared_actuator actuators[FM_SHARED_ACTUATORS];
    fm_shared_value values[FM_SHARED_VALUES];
} fm_shared_client;

/* States of an emulator slot. */
enum { FM_SHARED_NEW = 0, FM_SHARED_IN_FORCE = 1, FM_SHARED_STALE = 2, FM_SHARED_REFUSED = 3 };

/* A value supplied by an emulator, which writes everything except the last block; see emulator.h. */
typedef struct fm_shared_emulator {
    uint64_t sequence;
    uint64_t owner;   /* token of the emulator; 0: free */
    uint64_t beat;    /* ns of CLOCK_MONOTONIC: time of the last write */
    uint64_t samples; /* written so far */
    char vehicle[FM_SHARED_NAME_SIZE];
    char target[FM_SHARED_TARGET_SIZE]; /* "ctd/temperature" */
    double value;                       /* SI */
    double time;                        /* s: time of the state that it was derived from */
    uint64_t released;                  /* 1: its writer has closed it: the built-in instrument takes over */
    uint64_t reserved[3];
    /* written by the simulator */
    uint64_t state; /* FM_SHARED_NEW … */
    uint64_t taken; /* samples applied to the world */
} fm_shared_emulator;

/* --- reading and writing blocks --- */

/* Returns a hash of the memory layout of this program; both sides must agree. */
static inline uint64_t fm_shared_layout(void)
{
    const uint64_t sizes[] = {sizeof(fm_shared_head),
                              sizeof(fm_shared_simulation),
                              sizeof(fm_shared_parameter),
                              sizeof(fm_shared_connection),
                              sizeof(fm_shared_client),
                              sizeof(fm_shared_actuator),
                              sizeof(fm_shared_value),
                              sizeof(fm_shared_emulator),
                              offsetof(fm_shared_simulation, flow),
                              offsetof(fm_shared_connection, reply),
                              offsetof(fm_shared_client, matrix),
                              offsetof(fm_shared_client, actuators),
                              offsetof(fm_shared_client, values),
                              offsetof(fm_shared_emulator, value)};
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        hash = (hash ^ sizes[i]) * 0x100000001b3u;
    return hash;
}

/* Copies a block of `size` bytes (a multiple of 8) that begins with its sequence number. Returns 1; 0: it was being
 * written at every try, or its writer died while writing. */
static inline int fm_shared_copy(void *copy, const void *block, size_t size, int tries)
{
    const uint64_t *from = (const uint64_t *)block;
    uint64_t *to = (uint64_t *)copy;
    while (tries-- > 0) {
        uint64_t before = __atomic_load_n(from, __ATOMIC_ACQUIRE);
        if (before & 1)
            continue;
        for (size_t i = 1; i < size / 8; i++)
            to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        to[0] = before;
        if (__atomic_load_n(from, __ATOMIC_RELAXED) == before)
            return 1;
    }
    return 0;
}

/* Writes a block; one writer per block at a time. The sequence number of `copy` is ignored. */
static inline void fm_shared_write(void *block, const void *copy, size_t size)
{
    uint64_t *to = (uint64_t *)block;
    const uint64_t *from = (const uint64_t *)copy;
    uint64_t odd = __atomic_load_n(to, __ATOMIC_RELAXED) | 1; /* also after a writer that died while writing */
    __atomic_store_n(to, odd, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (size_t i = 1; i < size / 8; i++)
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELAXED);
    __atomic_store_n(to, odd + 1, __ATOMIC_RELEASE);
}

/* --- mapping --- */

/* A mapped area; unmap it with fm_shared_close. */
typedef struct fm_shared_map {
    unsigned char *data; /* NULL: not mapped */
    size_t size;         /* bytes mapped */
} fm_shared_map;

/* Writes the name of an area, semaphore or queue: "/fathom-clients", or "/fathom-clients-x" for the instance "x".
 * `what` is "simulation", "clients" or "commands". Returns 1; 0: the instance is too long or contains a slash. */
static inline int fm_shared_name(char *name, size_t size, const char *what, const char *instance)
{
    int some = instance && *instance;
    if (some && strchr(instance, '/'))
        return 0;
    int length = snprintf(name, size, "/fathom-%s%s%s", what, some ? "-" : "", some ? instance : "");
    return length > 0 && (size_t)length < size;
}

/* Returns whether the mapping is an area of this kind and of the version and layout of this program. */
static inline int fm_shared_fits(const fm_shared_map *map, uint64_t magic)
{
    const fm_shared_head *head = (const fm_shared_head *)(const void *)map->data;
    return map->data && map->size >= sizeof *head && __atomic_load_n(&head->magic, __ATOMIC_ACQUIRE) == magic &&
           head->version == FM_SHARED_VERSION && head->layout == fm_shared_layout() && head->size <= map->size;
}

/* Returns why it is not: ENOENT if a simulator is creating it, taking it over or restoring it after another process has
 * truncated it, else EPROTO. 0: it fits. */
static inline int fm_shared_misfit(const fm_shared_map *map, uint64_t magic)
{
    const fm_shared_head *head = (const fm_shared_head *)(const void *)map->data;
    uint64_t generation = __atomic_load_n(&head->generation, __ATOMIC_ACQUIRE);
    uint64_t found = __atomic_load_n(&head->magic, __ATOMIC_ACQUIRE);
    if (fm_shared_fits(map, magic))
        return 0;
    return found == 0 || (found == magic && head->size > map->size) ||
                   __atomic_load_n(&head->magic, __ATOMIC_ACQUIRE) == 0 ||
                   __atomic_load_n(&head->generation, __ATOMIC_ACQUIRE) != generation
               ? ENOENT
               : EPROTO;
}

/* Maps the area `what` of an instance (NULL or "": the unnamed one); `writable` for emulators only. Returns 0, or -1
 * with errno: ENOENT no simulation is running yet; EPROTO another version, or not an area of Fathom. */
static inline int fm_shared_open(fm_shared_map *map, const char *what, const char *instance, int writable)
{
    char name[FM_SHARED_PATH_SIZE];
    struct stat state;
    map->data = NULL;
    map->size = 0;
    if (!fm_shared_name(name, sizeof name, what, instance))
        return errno = EINVAL, -1;
    int fd = shm_open(name, writable ? O_RDWR : O_RDONLY, 0);
    if (fd < 0)
        return -1;
    if (fstat(fd, &state) != 0)
        state.st_size = -1;
    if (state.st_size < (off_t)sizeof(fm_shared_head)) {
        close(fd);
        return errno = state.st_size == 0 ? ENOENT : EPROTO, -1;
    }
    void *data = mmap(NULL, (size_t)state.st_size, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
    int failed = errno;
    close(fd);
    if (data == MAP_FAILED)
        return errno = failed, -1;
    map->data = (unsigned char *)data;
    map->size = (size_t)state.st_size;
    uint64_t magic = strcmp(what, "clients") == 0 ? FM_SHARED_MAGIC_CLIENTS : FM_SHARED_MAGIC_SIMULATION;
    failed = fm_shared_misfit(map, magic);
    if (failed == 0)
        return 0;
    munmap(data, map->size);
    map->data = NULL;
    return errno = failed, -1;
}

/* Unmaps an area. */
static inline void fm_shared_close(fm_shared_map *map)
{
    if (map->data)
        munmap(map->data, map->size);
    map->data = NULL;
    map->size = 0;
}

/* --- finding blocks; NULL: none, or outside of the mapping --- */

/* Returns the head of an area. */
static inline const fm_shared_head *fm_shared_head_of(const fm_shared_map *map)
{
    return map->data && map->size >= sizeof(fm_shared_head) ? (const fm_shared_head *)(const void *)map->data : NULL;
}

/* Returns block `i` of `count` blocks of `size` bytes, starting at offset `first`. */
static inline void *fm_shared_block(const fm_shared_map *map, uint64_t first, uint64_t i, uint64_t count, uint64_t size)
{
    if (!map->data || i >= count || first > map->size || i >= (map->size - first) / size)
        return NULL;
    return map->data + first + i * size;
}

/* Returns the state of the simulation. */
static inline const fm_shared_simulation *fm_shared_simulation_of(const fm_shared_map *map)
{
    return (const fm_shared_simulation *)fm_shared_block(map, sizeof(fm_shared_head), 0, 1,
                                                         sizeof(fm_shared_simulation));
}

/* Returns parameter `i`. */
static inline const fm_shared_parameter *fm_shared_parameter_at(const fm_shared_map *map, uint64_t i)
{
    const fm_shared_head *head = fm_shared_head_of(map);
    uint64_t first = sizeof(fm_shared_head) + sizeof(fm_shared_simulation);
    return head ? (const fm_shared_parameter *)fm_shared_block(map, first, i, head->parameters,
                                                               sizeof(fm_shared_parameter))
                : NULL;
}

/* Returns connection `i`. */
static inline const fm_shared_connection *fm_shared_connection_at(const fm_shared_map *map, uint64_t i)
{
    const fm_shared_head *head = fm_shared_head_of(map);
    uint64_t first = sizeof(fm_shared_head) + sizeof(fm_shared_simulation), count = head ? head->parameters : 0;
    if (!head || count > map->size / sizeof(fm_shared_parameter))
        return NULL;
    return (const fm_shared_connection *)fm_shared_block(map, first + count * sizeof(fm_shared_parameter), i,
                                                         head->capacity, sizeof(fm_shared_connection));
}

/* Returns the record of vehicle `i`. */
static inline const fm_shared_client *fm_shared_client_at(const fm_shared_map *map, uint64_t i)
{
    const fm_shared_head *head = fm_shared_head_of(map);
    return head ? (const fm_shared_client *)fm_shared_block(map, sizeof(fm_shared_head), i, head->capacity,
                                                            sizeof(fm_shared_client))
                : NULL;
}

/* Returns emulator slot `i`. */
static inline fm_shared_emulator *fm_shared_emulator_at(const fm_shared_map *map, uint64_t i)
{
    const fm_shared_head *head = fm_shared_head_of(map);
    if (!head || head->capacity > map->size / sizeof(fm_shared_client))
        return NULL;
    return (fm_shared_emulator *)fm_shared_block(map,
                                                 sizeof(fm_shared_head) + head->capacity * sizeof(fm_shared_client), i,
                                                 FM_SHARED_EMULATORS, sizeof(fm_shared_emulator));
}

/* Makes a copy safe to read: terminates texts and limits counts. */
static inline void fm_shared_client_mend(fm_shared_client *client)
{
    client->name[sizeof client->name - 1] = client->model[sizeof client->model - 1] = 0;
    client->address[sizeof client->address - 1] = 0;
    if (client->actuator_count > FM_SHARED_ACTUATORS)
        client->actuator_count = FM_SHARED_ACTUATORS;
    if (client->value_count > FM_SHARED_VALUES)
        client->value_count = FM_SHARED_VALUES;
    for (int i = 0; i < FM_SHARED_ACTUATORS; i++)
        client->actuators[i].name[FM_SHARED_NAME_SIZE - 1] = client->actuators[i].unit[15] = 0;
    for (int i = 0; i < FM_SHARED_VALUES; i++)
        client->values[i].name[FM_SHARED_TARGET_SIZE - 1] = client->values[i].unit[15] = 0;
}

/* Copies the record of the vehicle with this name, made safe, and returns 1; 0: unknown. */
static inline int fm_shared_client_find(const fm_shared_map *map, const char *name, fm_shared_client *copy)
{
    const fm_shared_client *at;
    for (uint64_t i = 0; (at = fm_shared_client_at(map, i)) != NULL; i++) {
        if (!fm_shared_copy(copy, at, sizeof *copy, 1000) || !copy->used)
            continue;
        fm_shared_client_mend(copy);
        if (strcmp(copy->name, name) == 0)
            return 1;
    }
    return 0;
}

#ifdef __cplusplus
}
#endif
#endif
