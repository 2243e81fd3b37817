/* A command never writes over what it reads. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include <fathom/model.h>
#include <stdbool.h>

/* Whether `path`, which `option` names, is another file than `input`, by whatever names and links; tells it where it is
 * not. */
bool cli_output_apart(const char *command, const char *option, const char *path, const char *input);
/* The same for every file that the model was read from. */
bool cli_output_apart_from_model(const char *command, const char *option, const char *path, const fm_model *model);

#endif
