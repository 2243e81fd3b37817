/* A command never writes over what it reads, and knows beforehand whether it can write. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include <fathom/model.h>
#include <stdbool.h>

/* Whether `path`, which `option` names, is another file than `input`, by whatever names and links; tells it where it is
 * not. */
bool cli_output_apart(const char *command, const char *option, const char *path, const char *input);
/* The same for every file that the model was read from. */
bool cli_output_apart_from_model(const char *command, const char *option, const char *path, const fm_model *model);
/* Whether a result can be written there, before the work is done for it; tells why not. NULL and "-" can. */
bool cli_output_ready(const char *command, const char *option, const char *path);
/* Whether two results are two files; either may be NULL. */
bool cli_outputs_apart(const char *command, const char *option, const char *path, const char *other_option,
                       const char *other);

#endif
