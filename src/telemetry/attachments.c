#include "telemetry/attachments.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "geometry/file.h"

enum { PATH_SIZE = 1024 };

/* --- names --- */

/* From the root, without "." and "..". */
static void make_absolute(const char *path, char out[PATH_SIZE])
{
    char whole[2 * PATH_SIZE] = "", folder[PATH_SIZE];
    if (path[0] != '/' && getcwd(folder, sizeof folder))
        snprintf(whole, sizeof whole, "%s/%s", folder, path);
    else
        snprintf(whole, sizeof whole, "%s", path);
    size_t length = 0;
    for (char *rest = whole, *word; (word = strtok_r(rest, "/", &rest));) {
        if (!strcmp(word, "."))
            continue;
        if (!strcmp(word, "..")) {
            while (length > 0 && out[--length] != '/')
                ;
            continue;
        }
        size_t more = strlen(word);
        if (length + more + 2 > PATH_SIZE)
            break;
        out[length++] = '/';
        memcpy(out + length, word, more);
        length += more;
    }
    out[length] = 0;
}

/* Length of the folders that two paths have in common, with the last '/'. */
static size_t common_folder(const char *a, const char *b, size_t most)
{
    size_t common = 0;
    for (size_t i = 0; i < most && a[i] && a[i] == b[i]; i++)
        if (a[i] == '/')
            common = i + 1;
    return common;
}

static const char *media_type(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (dot && !strcmp(dot, ".xml"))
        return "application/xml";
    if (dot && !strcmp(dot, ".csv"))
        return "text/csv";
    return "application/octet-stream";
}

/* --- into a log --- */

static fm_status attach(fm_mcap_writer *writer, const fm_file_info *file, const char *name, fm_error *error)
{
    char *data = NULL;
    size_t size = 0;
    fm_status status = FM_OK;
    if (file->data)
        return fm_mcap_attach(writer, name, media_type(name), 0, file->data, file->size, error);
    status = fm_geometry_file(file->path, &data, &size, error);
    if (status == FM_OK)
        status = fm_mcap_attach(writer, name, media_type(name), 0, data, size, error);
    fm_free(data);
    return status;
}

fm_status fm_attachments_write(fm_mcap_writer *writer, const fm_model *model, char *scenario, size_t size,
                               fm_error *error)
{
    size_t count = fm_model_file_count(model), common = PATH_SIZE;
    char(*paths)[PATH_SIZE] = fm_alloc((count + 1) * sizeof *paths);
    fm_status status = paths ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "out of memory for the attachments");
    for (size_t i = 0; i < count && status == FM_OK; i++) {
        make_absolute(fm_model_file(model, i).path, paths[i]);
        common = common_folder(paths[0], paths[i], common);
    }
    for (size_t i = 0; i < count && status == FM_OK; i++) {
        fm_file_info file = fm_model_file(model, i);
        status = attach(writer, &file, paths[i] + common, error);
    }
    if (status == FM_OK && count > 0)
        snprintf(scenario, size, "%s", paths[0] + common);
    fm_free(paths);
    return status;
}

/* --- out of a log --- */

static int stays_inside(const char *name)
{
    if (!name[0] || name[0] == '/' || strlen(name) >= PATH_SIZE / 2)
        return 0;
    for (const char *word = name; word; word = strchr(word, '/') ? strchr(word, '/') + 1 : NULL) {
        size_t length = strcspn(word, "/");
        if (length == 0 || (length == 2 && !strncmp(word, "..", 2)) || (length == 1 && word[0] == '.'))
            return 0;
    }
    return 1;
}

static void make_folders(char *path, size_t from)
{
    for (char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700); /* what fails here fails again, with a message, when the file is opened */
        *slash = '/';
    }
}

static fm_status write_file(const char *path, const void *data, size_t size, fm_error *error)
{
    FILE *out = fopen(path, "wb");
    if (!out)
        return fm_fail(error, FM_ERR_FILE, "cannot write '%s': %s", path, strerror(errno));
    size_t written = fwrite(data, 1, size, out);
    if (fclose(out) != 0 || written != size)
        return fm_fail(error, FM_ERR_FILE, "cannot write '%s': %s", path, strerror(errno));
    return FM_OK;
}

static fm_status unpack(const fm_mcap_reader *reader, size_t index, const char *folder, fm_error *error)
{
    const fm_mcap_record *file = fm_mcap_attachment_at(reader, index);
    char path[2 * PATH_SIZE];
    void *data;
    if (!stays_inside(file->name))
        return fm_fail(error, FM_ERR_NAME, "the attachment '%.200s' has an invalid name", file->name);
    if (file->crc_fails)
        return fm_fail(error, FM_ERR_FILE, "the attachment '%.200s' is damaged", file->name);
    snprintf(path, sizeof path, "%s/%s", folder, file->name);
    make_folders(path, strlen(folder) + 1);
    fm_status status = fm_mcap_attachment_read(reader, index, &data, error);
    if (status == FM_OK)
        status = write_file(path, data, file->size, error);
    fm_free(data);
    return status;
}

fm_status fm_attachments_unpack(const fm_mcap_reader *reader, const char *folder, fm_error *error)
{
    fm_status status = FM_OK;
    for (size_t i = 0; i < fm_mcap_attachment_count(reader) && status == FM_OK; i++)
        status = unpack(reader, i, folder, error);
    return status;
}

void fm_attachments_remove(const fm_mcap_reader *reader, const char *folder)
{
    char path[2 * PATH_SIZE];
    for (size_t i = 0; i < fm_mcap_attachment_count(reader); i++) {
        const char *name = fm_mcap_attachment_at(reader, i)->name;
        if (!stays_inside(name))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        unlink(path);
    }
    for (size_t i = 0; i < fm_mcap_attachment_count(reader); i++) {
        const char *name = fm_mcap_attachment_at(reader, i)->name;
        if (!stays_inside(name))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        for (char *slash; (slash = strrchr(path, '/')) && (size_t)(slash - path) > strlen(folder);) {
            *slash = 0;
            if (rmdir(path) != 0)
                break;
        }
    }
    rmdir(folder);
}
