#include "log_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "suggest.h"

const cli_choice cli_frames[] = {{"ned", CLI_FRAME_NED}, {"enu", CLI_FRAME_ENU}, {0}};

bool cli_is_log(const char *path)
{
    static const char magic[] = "\x89MCAP";
    char start[sizeof magic] = {0};
    size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, ".mcap") == 0)
        return true;
    struct stat info; /* a FIFO would wait for its writer */
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    size_t got = file ? fread(start, 1, sizeof magic - 1, file) : 0;
    if (file)
        fclose(file);
    return got == sizeof magic - 1 && memcmp(start, magic, got) == 0;
}

fm_mcap_reader *cli_open_log(const char *command, const char *path)
{
    fm_error error = {0};
    fm_mcap_reader *reader;
    if (fm_mcap_open(path, &reader, &error) != FM_OK) {
        fprintf(stderr, "fathom %s: %s\n", command, error.text);
        return NULL;
    }
    if (fm_mcap_get_info(reader)->warning[0])
        fprintf(stderr, "fathom %s: warning: %s: %s\n", command, path, fm_mcap_get_info(reader)->warning);
    return reader;
}

const fm_mcap_channel *cli_find_channel(const char *command, const fm_mcap_reader *reader, const char *topic)
{
    const fm_mcap_channel *found = fm_mcap_find_channel(reader, topic);
    size_t count = fm_mcap_channel_count(reader);
    const char **names = found ? NULL : calloc(count + 1, sizeof *names);
    if (!names)
        return found;
    for (size_t i = 0; i < count; i++)
        names[i] = fm_mcap_channel_at(reader, i)->topic;
    const char *near = cli_nearest(topic, names, count);
    fprintf(stderr, "fathom %s: unknown channel '%s'", command, topic);
    if (near)
        fprintf(stderr, "; did you mean '%s'?", near);
    fprintf(stderr, "\nchannels:");
    for (size_t i = 0; i < count && i < 40; i++)
        fprintf(stderr, " %s", names[i]);
    fprintf(stderr, "%s\n", count > 40 ? " …" : "");
    free(names);
    return NULL;
}

const char *cli_type_name(const fm_mcap_channel *channel)
{
    return channel->schema ? channel->schema->name : "-";
}
