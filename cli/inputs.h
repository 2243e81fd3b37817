/* A command never overwrites its inputs, and checks beforehand whether it can write its results. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include <fathom/model.h>
#include <stdbool.h>

/* Whether `path`, given by option `option`, is a different file from `input`, by any name and link; prints an error if
 * it is not. */
bool cli_output_apart(const char *command, const char *option, const char *path, const char *input);
/* The same for every file that the model was read from. */
bool cli_output_apart_from_model(const char *command, const char *option, const char *path, const fm_model *model);
/* Whether a result can be written there, checked before the work is done; prints the reason if not. NULL and "-"
 * can. */
bool cli_output_ready(const char *command, const char *option, const char *path);
/* Whether two results are different files; either may be NULL. */
bool cli_outputs_apart(const char *command, const char *option, const char *path, const char *other_option,
                       const char *other);

#endif
