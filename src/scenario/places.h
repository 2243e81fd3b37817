/* Folders that models and scenarios are found in without being told: $FATHOM_MODELS (and scenarios beside it), beside
 * the program and the library when installed, the source tree, the installation. */
#ifndef FM_SCENARIO_PLACES_H
#define FM_SCENARIO_PLACES_H

#include <stddef.h>

enum { FM_PLACES_MOST = 8, FM_PLACE_SIZE = 2048 };

typedef struct fm_places {
    char models[FM_PLACES_MOST][FM_PLACE_SIZE], scenarios[FM_PLACES_MOST][FM_PLACE_SIZE];
    const char *model_dirs[FM_PLACES_MOST], *scenario_dirs[FM_PLACES_MOST];
    size_t count;
} fm_places;

void fm_places_find(fm_places *places);

#endif
