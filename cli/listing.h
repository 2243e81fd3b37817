/* Scenarios by name. */
#ifndef CLI_LISTING_H
#define CLI_LISTING_H

#include <stdbool.h>
#include <stddef.h>

/* The file of a scenario with this name; false: none. */
bool cli_scenario_find(const char *name, char *path, size_t size);
/* Why `file` names no scenario, printed on stderr: the name without folder and ending, or similar names. */
void cli_scenario_hint(const char *file);
/* The same for a model; prints nothing where it is known. */
void cli_model_hint(const char *name);
/* All of them, with their titles. */
void cli_scenario_each(void (*take)(void *user, const char *name, const char *title), void *user);

#endif
