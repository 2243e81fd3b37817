#include "inputs.h"

#include <stdio.h>

#include "base/outfile.h"

bool cli_output_apart(const char *command, const char *option, const char *path, const char *input)
{
    if (!fm_file_same(path, input))
        return true;
    fprintf(stderr, "fathom %s: %s %s would overwrite %s, which it reads\n", command, option, path, input);
    return false;
}

bool cli_output_apart_from_model(const char *command, const char *option, const char *path, const fm_model *model)
{
    for (size_t i = 0; i < fm_model_file_count(model); i++)
        if (!cli_output_apart(command, option, path, fm_model_file(model, i).path))
            return false;
    return true;
}
