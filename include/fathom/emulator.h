/* External emulators: programs that supply the values of an instrument while the simulation runs
 * (docs/shared-memory.md). They read the vehicle through shared.h and write through this header.
 *
 * A named semaphore with a time limit ensures one writer at a time in the area "clients". The owner writes its process
 * and the time to the head; an owner that died, or has been inactive for FM_EMULATOR_PATIENCE, loses the lock. The
 * simulator itself never waits for the semaphore.
 *
 * Another emulator may take over an instrument at any time: the older one gets EBUSY when it writes next. Needs only
 * libc, and C++ can include it; link with -pthread. One thread uses an fm_emulator at a time. */
#ifndef FATHOM_EMULATOR_H
#define FATHOM_EMULATOR_H

#include <fathom/shared.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FM_EMULATOR_PATIENCE 2.0 /* s of inactivity after which the owner loses the lock */

/* An emulated value. One thread at a time; close it with fm_emulator_close. */
typedef struct fm_emulator {
    fm_shared_map map;
    sem_t *semaphore;
    fm_shared_emulator *slot;
    uint64_t token;      /* process id and a number unique in the process */
    uint64_t generation; /* of the area when the slot was taken */
} fm_emulator;

/* Returns a clock in ns. */
static inline uint64_t fm_emulator_now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* --- the semaphore --- */

/* Takes the lock if its owner is `expected`; returns 1 on success. The word in the head holds the owner; others wait at
 * the semaphore. An excess post only causes one extra check. */
static inline int fm_emulator_enter(fm_emulator *e, uint64_t expected)
{
    fm_shared_head *head = (fm_shared_head *)(void *)e->map.data;
    if (!__atomic_compare_exchange_n(&head->lock_owner, &expected, e->token, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return 0;
    __atomic_store_n(&head->lock_beat, fm_emulator_now(CLOCK_MONOTONIC), __ATOMIC_RELEASE);
    return 1;
}

/* Returns whether `owner` has lost the lock: its process is dead, or it is inactive. A semaphore that stays closed
 * without an owner (a process died just before taking the lock) has owner 0. `waited` in ns. */
static inline int fm_emulator_is_lost(const fm_emulator *e, uint64_t owner, uint64_t waited)
{
    const fm_shared_head *head = (const fm_shared_head *)(const void *)e->map.data;
    const uint64_t patience = (uint64_t)(FM_EMULATOR_PATIENCE * 1e9);
    if (owner == 0)
        return waited > 50000000u;
    if (kill((pid_t)(owner >> 24), 0) != 0 && errno == ESRCH)
        return 1;
    uint64_t beat = __atomic_load_n(&head->lock_beat, __ATOMIC_ACQUIRE), now = fm_emulator_now(CLOCK_MONOTONIC);
    return now > beat && now - beat > patience && waited > patience;
}

/* Takes the lock. Returns 0, or -1 with errno ETIMEDOUT after `seconds`. */
static inline int fm_emulator_lock(fm_emulator *e, double seconds)
{
    const uint64_t start = fm_emulator_now(CLOCK_MONOTONIC), slice = 10000000u;
    const fm_shared_head *head = (const fm_shared_head *)(const void *)e->map.data;
    for (;;) {
        uint64_t until = fm_emulator_now(CLOCK_REALTIME) + slice;
        struct timespec limit;
        limit.tv_sec = (time_t)(until / 1000000000u);
        limit.tv_nsec = (long)(until % 1000000000u);
        if (sem_timedwait(e->semaphore, &limit) == 0 && fm_emulator_enter(e, 0))
            return 0;
        uint64_t waited = fm_emulator_now(CLOCK_MONOTONIC) - start;
        uint64_t owner = __atomic_load_n(&head->lock_owner, __ATOMIC_ACQUIRE);
        if (fm_emulator_is_lost(e, owner, waited) && fm_emulator_enter(e, owner))
            return 0;
        if ((double)waited > seconds * 1e9)
            return errno = ETIMEDOUT, -1;
    }
}

/* Releases the lock, if this emulator still owns it. */
static inline void fm_emulator_unlock(fm_emulator *e)
{
    fm_shared_head *head = (fm_shared_head *)(void *)e->map.data;
    uint64_t own = e->token;
    if (__atomic_compare_exchange_n(&head->lock_owner, &own, (uint64_t)0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        sem_post(e->semaphore);
}

/* --- slots --- */

/* Returns the slot of this value, or a free one; NULL: all slots are taken. Needs the lock. */
static inline fm_shared_emulator *fm_emulator_find(const fm_emulator *e, const char *vehicle, const char *target)
{
    fm_shared_emulator *at, *free_one = NULL;
    for (uint64_t i = 0; (at = fm_shared_emulator_at(&e->map, i)) != NULL; i++) {
        uint64_t owner = __atomic_load_n(&at->owner, __ATOMIC_ACQUIRE);
        int same = strncmp(at->vehicle, vehicle, sizeof at->vehicle) == 0 &&
                   strncmp(at->target, target, sizeof at->target) == 0;
        if (same)
            return at;
        if (!free_one && (owner == 0 || (kill((pid_t)(owner >> 24), 0) != 0 && errno == ESRCH)))
            free_one = at;
    }
    return free_one;
}

/* Copies a name into a field of `size` bytes that are 0, as much of it as fits. */
static inline void fm_emulator_name(char *field, size_t size, const char *name)
{
    const size_t length = strlen(name);
    memcpy(field, name, length < size ? length : size - 1);
}

/* Claims the slot of a value. Returns 0, or -1 with errno ETIMEDOUT or ENOSPC. */
static inline int fm_emulator_claim(fm_emulator *e, const char *vehicle, const char *target, double seconds)
{
    fm_shared_emulator fresh;
    if (fm_emulator_lock(e, seconds) != 0)
        return -1;
    fm_shared_emulator *slot = fm_emulator_find(e, vehicle, target);
    if (slot) {
        memset(&fresh, 0, sizeof fresh);
        fresh.owner = e->token;
        fresh.beat = fm_emulator_now(CLOCK_MONOTONIC);
        fresh.samples = __atomic_load_n(&slot->samples, __ATOMIC_RELAXED);
        fm_emulator_name(fresh.vehicle, sizeof fresh.vehicle, vehicle);
        fm_emulator_name(fresh.target, sizeof fresh.target, target);
        fm_shared_write(slot, &fresh, offsetof(fm_shared_emulator, state));
    }
    fm_emulator_unlock(e);
    e->slot = slot;
    return slot ? 0 : (errno = ENOSPC, -1);
}

/* Unmaps the area and closes the semaphore. */
static inline void fm_emulator_drop(fm_emulator *e)
{
    if (e->semaphore && e->semaphore != SEM_FAILED)
        sem_close(e->semaphore);
    fm_shared_close(&e->map);
    e->semaphore = NULL;
    e->slot = NULL;
}

/* Takes over a value ("ctd/temperature") of a vehicle in the simulation `instance`, waiting at most `seconds` for other
 * writers. Returns 0, or -1 with errno: ENOENT no such simulation, EPROTO another version, ENAMETOOLONG, ETIMEDOUT, or
 * ENOSPC all slots are taken. An unknown vehicle or instrument sets the slot's state to FM_SHARED_REFUSED. */
static inline int fm_emulator_open(fm_emulator *e, const char *instance, const char *vehicle, const char *target,
                                   double seconds)
{
    char name[FM_SHARED_PATH_SIZE];
    memset(e, 0, sizeof *e);
    if (strlen(vehicle) >= FM_SHARED_NAME_SIZE || strlen(target) >= FM_SHARED_TARGET_SIZE)
        return errno = ENAMETOOLONG, -1;
    if (fm_shared_open(&e->map, "clients", instance, 1) != 0)
        return -1;
    fm_shared_name(name, sizeof name, "clients", instance);
    e->semaphore = sem_open(name, 0);
    /* the low bits distinguish several emulators of one process */
    e->token = ((uint64_t)getpid() << 24) | ((fm_emulator_now(CLOCK_MONOTONIC) >> 8) & 0xffffffu);
    e->generation = fm_shared_head_of(&e->map)->generation;
    if (e->semaphore != SEM_FAILED && fm_emulator_claim(e, vehicle, target, seconds) == 0)
        return 0;
    int failed = errno;
    fm_emulator_drop(e);
    return errno = failed, -1;
}

/* Writes a value (SI) derived from the state at `time` (s). Returns 0, or -1 with errno: EBUSY another emulator has
 * taken over, EPIPE the simulation has ended or restarted (open again), ETIMEDOUT after `seconds`. */
static inline int fm_emulator_put(fm_emulator *e, double value, double time, double seconds)
{
    const fm_shared_head *head = fm_shared_head_of(&e->map);
    fm_shared_emulator now;
    if (!head || !e->slot || __atomic_load_n(&head->closed, __ATOMIC_ACQUIRE) ||
        __atomic_load_n(&head->generation, __ATOMIC_ACQUIRE) != e->generation)
        return errno = EPIPE, -1;
    if (fm_emulator_lock(e, seconds) != 0)
        return -1;
    int ours = __atomic_load_n(&e->slot->owner, __ATOMIC_ACQUIRE) == e->token;
    if (ours) {
        memcpy(&now, e->slot, sizeof now);
        now.beat = fm_emulator_now(CLOCK_MONOTONIC);
        now.samples++;
        now.value = value;
        now.time = time;
        fm_shared_write(e->slot, &now, offsetof(fm_shared_emulator, state));
    }
    int wiped = e->slot->vehicle[0] == 0; /* the area was truncated and recreated */
    fm_emulator_unlock(e);
    return ours ? 0 : (errno = wiped ? EPIPE : EBUSY, -1);
}

/* Returns the instrument to its built-in model, unless another emulator has taken over, and frees the resources. */
static inline void fm_emulator_close(fm_emulator *e)
{
    fm_shared_emulator now;
    if (e->slot && fm_emulator_lock(e, 0.5) == 0) {
        if (__atomic_load_n(&e->slot->owner, __ATOMIC_ACQUIRE) == e->token) {
            memcpy(&now, e->slot, sizeof now);
            now.owner = 0;
            now.released = 1;
            fm_shared_write(e->slot, &now, offsetof(fm_shared_emulator, state));
        }
        fm_emulator_unlock(e);
    }
    fm_emulator_drop(e);
}

#ifdef __cplusplus
}
#endif
#endif
