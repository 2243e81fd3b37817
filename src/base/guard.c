#include "base/guard.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RANGES = 16 };

static struct {
    _Atomic uintptr_t start; /* 0: free; 1: being filled in */
    _Atomic size_t size;
} ranges[RANGES];
static _Atomic unsigned long faults;

static int is_guarded(uintptr_t address)
{
    for (int i = 0; i < RANGES; i++) {
        uintptr_t start = atomic_load(&ranges[i].start);
        if (start > 1 && address >= start && address - start < atomic_load(&ranges[i].size))
            return 1;
    }
    return 0;
}

/* An empty page where the file has none; if it cannot be mapped, the same access ends the process. */
static void mend(int number, siginfo_t *info, void *context)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), address = (uintptr_t)info->si_addr;
    (void)context;
    if (is_guarded(address) && mmap((void *)(address / page * page), page, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
        atomic_fetch_add(&faults, 1);
    else
        signal(number, SIG_DFL);
}

void fm_guard_install(void)
{
    struct sigaction action = {.sa_sigaction = mend, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

int fm_guard_add(const void *data, size_t size)
{
    for (int i = 0; i < RANGES; i++) {
        uintptr_t free_entry = 0;
        if (!atomic_compare_exchange_strong(&ranges[i].start, &free_entry, 1))
            continue;
        atomic_store(&ranges[i].size, size);
        atomic_store(&ranges[i].start, (uintptr_t)data);
        return 1;
    }
    return 0;
}

void fm_guard_remove(const void *data)
{
    for (int i = 0; i < RANGES; i++) {
        uintptr_t start = (uintptr_t)data;
        if (start && atomic_compare_exchange_strong(&ranges[i].start, &start, 0))
            return;
    }
}

unsigned long fm_guard_faults(void)
{
    return atomic_load(&faults);
}
