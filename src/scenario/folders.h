/* Folders searched for models and scenarios by default: $FATHOM_MODELS (and scenarios next to it), next to the program
 * and the library when installed, the source tree, the installation. */
#ifndef FM_SCENARIO_FOLDERS_H
#define FM_SCENARIO_FOLDERS_H

#include <stddef.h>

enum { FM_FOLDERS_MOST = 8, FM_FOLDER_SIZE = 2048 };

typedef struct fm_folders {
    char models[FM_FOLDERS_MOST][FM_FOLDER_SIZE], scenarios[FM_FOLDERS_MOST][FM_FOLDER_SIZE];
    const char *model_dirs[FM_FOLDERS_MOST], *scenario_dirs[FM_FOLDERS_MOST];
    size_t count;
} fm_folders;

void fm_folders_find(fm_folders *folders);

#endif
