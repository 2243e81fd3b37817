/* Names of the scenarios in the tree, sorted. */
#ifndef TESTS_SUPPORT_SCENARIO_NAMES_H
#define TESTS_SUPPORT_SCENARIO_NAMES_H

#include <dirent.h>

#include "support/scenario.h"

enum { SCENARIOS_MOST = 100 };
typedef char scenario_name[64];

static inline int order_of_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Returns how many. */
static inline int list_scenarios(scenario_name names[SCENARIOS_MOST])
{
    DIR *folder = opendir(FATHOM_SOURCE_DIR "/scenarios");
    int count = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) && count < SCENARIOS_MOST;) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || length > 60 || strcmp(entry->d_name + length - 4, ".xml") != 0)
            continue;
        snprintf(names[count++], sizeof *names, "%.*s", (int)(length - 4), entry->d_name);
    }
    closedir(folder);
    qsort(names, (size_t)count, sizeof *names, order_of_names);
    return count;
}

#endif
