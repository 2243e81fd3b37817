#include "log_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "suggest.h"

const cli_choice cli_frames[] = {{"ned", CLI_FRAME_NED}, {"enu", CLI_FRAME_ENU}, {0}};

enum { MARK_BYTES = 4 };

/* The first bytes of a file; zeros where it has fewer. */
static void read_mark(const char *path, char mark[MARK_BYTES])
{
    memset(mark, 0, MARK_BYTES);
    struct stat info; /* a FIFO would wait for its writer */
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    if (!file)
        return;
    if (fread(mark, 1, MARK_BYTES, file) != MARK_BYTES)
        memset(mark, 0, MARK_BYTES);
    fclose(file);
}

bool cli_is_log(const char *path)
{
    char mark[MARK_BYTES];
    size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, ".mcap") == 0)
        return true;
    read_mark(path, mark);
    return memcmp(mark, "\x89MCA", MARK_BYTES) == 0;
}

bool cli_is_netcdf(const char *path)
{
    char mark[MARK_BYTES];
    read_mark(path, mark);
    return memcmp(mark, "CDF", 3) == 0 || memcmp(mark, "\x89HDF", MARK_BYTES) == 0;
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
