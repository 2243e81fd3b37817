/* The two shared-memory areas of a running simulation, for programs on the same computer (docs/shared-memory.md).
 *
 * Area "simulation": time, state, the world's parameters, and what is known of each client's connection. Area
 * "clients": for each vehicle its geometry, place, velocities, actuators and all instruments; and slots into which
 * external emulators write values (emulator.h). The simulator writes everything but those slots.
 *
 * This header needs nothing but libc (POSIX: -std=gnu17, or _POSIX_C_SOURCE 200809), and C++ can include it. Read
 * blocks by fm_shared_copy: a block begins with its sequence, which is odd while it is written, and a copy that was
 * disturbed is made again. Nobody holds up the simulator by reading. Sizes and counts are checked against the mapping,
 * never taken on trust.
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
    FM_SHARED_ACTUATORS = 16, /* of a vehicle that are told */
    FM_SHARED_VALUES = 64,    /* of its instruments */
    FM_SHARED_EMULATORS = 64, /* slots */
    FM_SHARED_NAME_SIZE = 32,
    FM_SHARED_TARGET_SIZE = 96,
    FM_SHARED_PATH_SIZE = 64 /* of the name of an area, a semaphore or a queue */
};

/* --- the beginning of both areas; written once, and when a server takes over or ends --- */
typedef struct fm_shared_head {
    uint64_t magic;      /* which area it is; 0: it is being made */
    uint64_t version;    /* FM_SHARED_VERSION */
    uint64_t size;       /* bytes of the area */
    uint64_t layout;     /* fm_shared_layout of the writer */
    uint64_t generation; /* goes up when a server takes the area over: what was derived from it is void */
    uint64_t server;     /* process */
    uint64_t closed;     /* 1: the simulation has ended */
    uint64_t capacity;   /* of clients: connections in the one area, vehicles in the other */
    uint64_t parameters; /* room for these (simulation) */
    uint64_t lock_owner; /* who is inside the semaphore, 0: nobody (clients; emulator.h) */
    uint64_t lock_beat;  /* ns of CLOCK_MONOTONIC: when he was last known to be alive */
    uint64_t reserved[5];
} fm_shared_head;

/* --- area "simulation": head, fm_shared_simulation, parameters, connections --- */
enum { FM_SHARED_STOPPED = 0, FM_SHARED_RUNNING = 1, FM_SHARED_ENDED = 2 };

typedef struct fm_shared_simulation {
    uint64_t sequence;
    uint64_t stamp;       /* whole tenths of a millisecond since the start of the simulation */
    double time;          /* s, the same */
    uint64_t tick;        /* steps since the start, or the last reset */
    uint64_t steps;       /* steps since the world was made */
    uint64_t state;       /* FM_SHARED_STOPPED … */
    double speed;         /* times real time; 0: as fast as it goes */
    double time_step;     /* s */
    uint64_t late;        /* steps that began late */
    double sound_speed;   /* m/s, just below the surface at the origin */
    double density;       /* kg/m³, there */
    double gravity;       /* m/s² */
    double pressure[3];   /* Pa, Pa/m, Pa/m²: P0 + P1 z + P2 z² */
    double flow[3];       /* m/s, NED: of the water there, now */
    double bottom;        /* m: water depth at the origin; infinite: none */
    uint64_t clients;     /* connected */
    uint64_t vehicles;    /* in the world */
    uint64_t parameters;  /* of the world that are told, of fm_shared_parameter */
    uint64_t connections; /* records in use, of fm_shared_connection */
    uint64_t reserved[8];
} fm_shared_simulation;

/* A live parameter of the world: density, sound speed, currents, warm spots, mounds … */
typedef struct fm_shared_parameter {
    uint64_t sequence;
    char path[FM_SHARED_TARGET_SIZE]; /* "/current/velocity/x" */
    char unit[16];                    /* SI */
    double value;
} fm_shared_parameter;

enum {
    FM_SHARED_NONE = 0, /* the record is free */
    FM_SHARED_SURFACE = 1,
    FM_SHARED_UNDERWATER = 2,
    FM_SHARED_BUOY = 3,
    FM_SHARED_OBSERVER = 4,
    FM_SHARED_COMMANDER = 5,
    FM_SHARED_CONTROLLER = 6,
    FM_SHARED_SCENARIO = 7, /* no client: a vehicle of the scenario */
    FM_SHARED_WRITER = 8    /* an emulator that is connected by the network */
};

typedef struct fm_shared_connection {
    uint64_t sequence;
    uint64_t id;
    uint64_t type;      /* FM_SHARED_SURFACE … */
    uint64_t connected; /* 0: it has left or fallen silent, and may come back */
    int64_t vehicle;    /* its record in the area "clients"; -1: none */
    char name[FM_SHARED_NAME_SIZE];
    double reply;   /* s from the last ping to its answer; NaN: none yet */
    double silence; /* s since it was last heard */
    uint64_t pings, pongs, received, sent, dropped;
    uint64_t reserved[4];
} fm_shared_connection;

/* --- area "clients": head, fm_shared_client of each slot of the world, emulators --- */
typedef struct fm_shared_actuator {
    char name[FM_SHARED_NAME_SIZE];
    char unit[16];
    double order; /* what is asked of it, SI */
    double value; /* what it does */
} fm_shared_actuator;

enum { FM_SHARED_INVALID = 0, FM_SHARED_VALID = 1, FM_SHARED_EXTERNAL = 2 }; /* bits of fm_shared_value.state */

/* One number of an instrument. */
typedef struct fm_shared_value {
    char name[FM_SHARED_TARGET_SIZE]; /* "ctd/temperature", "dvl/velocity[1]" */
    char unit[16];                    /* SI */
    double value;
    double time;    /* s: when the sample was taken; NaN: there is none */
    uint64_t state; /* valid: the last period brought it; external: it comes from an emulator. 2 alone: stale */
} fm_shared_value;

enum { FM_SHARED_BOX = 1, FM_SHARED_CYLINDER = 2, FM_SHARED_SPHERE = 3, FM_SHARED_OTHER = 4 };

typedef struct fm_shared_client {
    uint64_t sequence;
    uint64_t used;  /* 0: no vehicle is there */
    uint64_t steps; /* of the world when this was written */
    double time;    /* s, likewise */
    uint64_t id;    /* of the client that brought or steers it; 0: none */
    uint64_t type;  /* FM_SHARED_SURFACE …, FM_SHARED_SCENARIO */
    char name[FM_SHARED_NAME_SIZE];
    char model[FM_SHARED_NAME_SIZE];
    char address[48]; /* of the client; "": none */
    uint64_t port;
    uint64_t shape;         /* FM_SHARED_BOX …, of the hull */
    double size[3];         /* m: length, width, height */
    double matrix[16];      /* body → world, by row: rotation and position (m); last row 0 0 0 1 */
    double quaternion[4];   /* the same rotation, w x y z */
    double velocity[6];     /* over ground, body axes: m/s, rad/s */
    double acceleration[6]; /* its change over the last step: m/s², rad/s² */
    double water[3];        /* m/s, NED: of the water around it */
    uint64_t ended;         /* 1: it is lost (crushed) and moves no more */
    uint64_t actuator_count;
    uint64_t value_count;
    uint64_t untold; /* actuators and numbers of instruments that found no room here */
    uint64_t reserved[4];
    fm_shared_actuator actuators[FM_SHARED_ACTUATORS];
    fm_shared_value values[FM_SHARED_VALUES];
} fm_shared_client;

enum { FM_SHARED_NEW = 0, FM_SHARED_IN_FORCE = 1, FM_SHARED_STALE = 2, FM_SHARED_REFUSED = 3 };

/* A value from outside. The emulator writes all but the last block, see emulator.h. */
typedef struct fm_shared_emulator {
    uint64_t sequence;
    uint64_t owner;   /* token of the process that writes it; 0: free */
    uint64_t beat;    /* ns of CLOCK_MONOTONIC: when it last wrote */
    uint64_t samples; /* written so far */
    char vehicle[FM_SHARED_NAME_SIZE];
    char target[FM_SHARED_TARGET_SIZE]; /* "ctd/temperature" */
    double value;                       /* SI */
    double time;                        /* s: of the state that it was made from */
    uint64_t released;                  /* 1: its writer has ended in order: the built-in instrument takes over */
    uint64_t reserved[3];
    /* by the simulator */
    uint64_t state; /* FM_SHARED_NEW … */
    uint64_t taken; /* samples that reached the world */
} fm_shared_emulator;

/* --- reading and writing blocks --- */

/* What the areas look like to this program; both sides must agree. */
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

/* Copies a block of `size` bytes (whole words) that begins with its sequence. Returns 1; 0: it was being written at
 * each of the tries, or its writer died within. */
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

/* The writer's side; one writer a block at a time. The sequence of `copy` is not read. */
static inline void fm_shared_write(void *block, const void *copy, size_t size)
{
    uint64_t *to = (uint64_t *)block;
    const uint64_t *from = (const uint64_t *)copy;
    uint64_t odd = __atomic_load_n(to, __ATOMIC_RELAXED) | 1; /* also after a writer that died within */
    __atomic_store_n(to, odd, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (size_t i = 1; i < size / 8; i++)
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELAXED);
    __atomic_store_n(to, odd + 1, __ATOMIC_RELEASE);
}

/* --- mapping --- */

typedef struct fm_shared_map {
    unsigned char *data; /* NULL: not mapped */
    size_t size;         /* bytes that are mapped */
} fm_shared_map;

/* Name of an area or semaphore: "/fathom-clients", or with an instance "x" "/fathom-clients-x". `what` is "simulation",
 * "clients" or "commands". 0: the instance is too long or has a slash. */
static inline int fm_shared_name(char *name, size_t size, const char *what, const char *instance)
{
    int some = instance && *instance;
    if (some && strchr(instance, '/'))
        return 0;
    int length = snprintf(name, size, "/fathom-%s%s%s", what, some ? "-" : "", some ? instance : "");
    return length > 0 && (size_t)length < size;
}

/* Whether what is mapped is an area of this kind that this program understands. */
static inline int fm_shared_fits(const fm_shared_map *map, uint64_t magic)
{
    const fm_shared_head *head = (const fm_shared_head *)(const void *)map->data;
    return map->data && map->size >= sizeof *head && __atomic_load_n(&head->magic, __ATOMIC_ACQUIRE) == magic &&
           head->version == FM_SHARED_VERSION && head->layout == fm_shared_layout() && head->size <= map->size;
}

/* Why it does not: ENOENT where a simulator is just making it, taking it over or making it whole again after another
 * process has truncated it, else EPROTO. 0: it fits. */
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

/* Maps the area `what` of an instance (NULL or "": that without a name); writable for emulators only. 0, or -1 with
 * errno: ENOENT no simulation runs there, or not yet; EPROTO it is of another version or no area of Fathom. */
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

static inline void fm_shared_close(fm_shared_map *map)
{
    if (map->data)
        munmap(map->data, map->size);
    map->data = NULL;
    map->size = 0;
}

/* --- finding blocks; NULL: there is none, or it would lie outside of the mapping --- */

static inline const fm_shared_head *fm_shared_head_of(const fm_shared_map *map)
{
    return map->data && map->size >= sizeof(fm_shared_head) ? (const fm_shared_head *)(const void *)map->data : NULL;
}

/* Block `i` of `count` blocks of `size` bytes that begin at `first`. */
static inline void *fm_shared_block(const fm_shared_map *map, uint64_t first, uint64_t i, uint64_t count, uint64_t size)
{
    if (!map->data || i >= count || first > map->size || i >= (map->size - first) / size)
        return NULL;
    return map->data + first + i * size;
}

static inline const fm_shared_simulation *fm_shared_simulation_of(const fm_shared_map *map)
{
    return (const fm_shared_simulation *)fm_shared_block(map, sizeof(fm_shared_head), 0, 1,
                                                         sizeof(fm_shared_simulation));
}

static inline const fm_shared_parameter *fm_shared_parameter_at(const fm_shared_map *map, uint64_t i)
{
    const fm_shared_head *head = fm_shared_head_of(map);
    uint64_t first = sizeof(fm_shared_head) + sizeof(fm_shared_simulation);
    return head ? (const fm_shared_parameter *)fm_shared_block(map, first, i, head->parameters,
                                                               sizeof(fm_shared_parameter))
                : NULL;
}

static inline const fm_shared_connection *fm_shared_connection_at(const fm_shared_map *map, uint64_t i)
{
    const fm_shared_head *head = fm_shared_head_of(map);
    uint64_t first = sizeof(fm_shared_head) + sizeof(fm_shared_simulation), count = head ? head->parameters : 0;
    if (!head || count > map->size / sizeof(fm_shared_parameter))
        return NULL;
    return (const fm_shared_connection *)fm_shared_block(map, first + count * sizeof(fm_shared_parameter), i,
                                                         head->capacity, sizeof(fm_shared_connection));
}

static inline const fm_shared_client *fm_shared_client_at(const fm_shared_map *map, uint64_t i)
{
    const fm_shared_head *head = fm_shared_head_of(map);
    return head ? (const fm_shared_client *)fm_shared_block(map, sizeof(fm_shared_head), i, head->capacity,
                                                            sizeof(fm_shared_client))
                : NULL;
}

static inline fm_shared_emulator *fm_shared_emulator_at(const fm_shared_map *map, uint64_t i)
{
    const fm_shared_head *head = fm_shared_head_of(map);
    if (!head || head->capacity > map->size / sizeof(fm_shared_client))
        return NULL;
    return (fm_shared_emulator *)fm_shared_block(map,
                                                 sizeof(fm_shared_head) + head->capacity * sizeof(fm_shared_client), i,
                                                 FM_SHARED_EMULATORS, sizeof(fm_shared_emulator));
}

/* Makes a copy safe to read: texts end, counts fit. */
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

/* A copy of the vehicle of this name, made safe. 1; 0: there is none. */
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
