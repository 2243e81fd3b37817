#include "inputs.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

/* Devices and pipes are not opened: their reader would see an end. */
bool cli_output_ready(const char *command, const char *option, const char *path)
{
    struct stat found;
    fm_outfile output;
    fm_error error = {0};
    if (!path || !strcmp(path, "-") || (stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)))
        return true;
    bool ready = path[0] && fm_outfile_open(&output, path, &error) == FM_OK;
    if (ready)
        fm_outfile_abandon(&output);
    else
        fprintf(stderr, "fathom %s: %s %s\n", command, option, path[0] ? error.text : "needs the name of a file");
    return ready;
}

/* The folder of a path, and its last name. */
static const char *split_path(const char *path, char *folder, size_t size)
{
    const char *last = strrchr(path, '/');
    snprintf(folder, size, "%.*s", last ? (int)(last + 1 - path) : 1, last ? path : ".");
    return last ? last + 1 : path;
}

bool cli_outputs_apart(const char *command, const char *option, const char *path, const char *other_option,
                       const char *other)
{
    char folder[FM_OUTFILE_PATH], other_folder[FM_OUTFILE_PATH];
    if (!path || !other)
        return true;
    const char *name = split_path(path, folder, sizeof folder);
    const char *other_name = split_path(other, other_folder, sizeof other_folder);
    if (!fm_file_same(path, other) && (strcmp(name, other_name) != 0 || !fm_file_same(folder, other_folder)))
        return true;
    fprintf(stderr, "fathom %s: %s and %s name the same file, %s\n", command, option, other_option, path);
    return false;
}
