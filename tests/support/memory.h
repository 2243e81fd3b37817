/* How much memory a process has, for tests that hold a program to a bound. */
#ifndef FM_TESTS_SUPPORT_MEMORY_H
#define FM_TESTS_SUPPORT_MEMORY_H

#include <stdio.h>
#include <sys/types.h>

/* Sanitizers keep what was freed: under them memory says nothing. */
static inline int measures_memory(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return 0;
#endif
#endif
    return 1;
}

/* Resident, kB; -1: not known. */
static inline long kilobytes_of(pid_t pid)
{
    char path[64], line[256];
    long found = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "r");
    while (file && found < 0 && fgets(line, sizeof line, file))
        sscanf(line, "VmRSS: %ld", &found);
    if (file)
        fclose(file);
    return found;
}

#endif
