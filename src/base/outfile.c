#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool fm_file_same(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* --- names --- */

/* Follows links, so that the rename replaces the file and not the link to it. */
static bool find_path(fm_outfile *output, const char *path)
{
    char whole[PATH_MAX];
    const char *found = realpath(path, whole) ? whole : path;
    if (strlen(found) >= sizeof output->path - 32) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(output->path, found);
    return true;
}

/* ".NAME.PID-N" in the same folder: a rename does not leave the file system. */
static void name_temporary(fm_outfile *output, int attempt)
{
    const char *slash = strrchr(output->path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - output->path) : 0;
    snprintf(output->temporary, sizeof output->temporary, "%.*s.%.200s.%ld-%d", (int)folder, output->path,
             output->path + folder, (long)getpid(), attempt);
}

/* --- opening --- */

static int create_temporary(fm_outfile *output, mode_t mode)
{
    int file = -1;
    for (int attempt = 0; file < 0 && attempt < 1000; attempt++) {
        name_temporary(output, attempt);
        file = open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode ? mode : 0666);
        if (file < 0 && errno != EEXIST)
            break;
    }
    if (file < 0)
        output->temporary[0] = 0;
    else if (mode)
        (void)!fchmod(file, mode);
    return file;
}

/* A device or a pipe. A pipe without a reader is refused, not waited for. */
static int open_as_it_is(const char *path)
{
    int file = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file >= 0)
        fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    return file;
}

/* A file without write permission is refused even if its folder is writable. */
static int open_descriptor(fm_outfile *output)
{
    struct stat found;
    if (stat(output->path, &found) != 0)
        return create_temporary(output, 0);
    if (!S_ISREG(found.st_mode))
        return open_as_it_is(output->path);
    return access(output->path, W_OK) == 0 ? create_temporary(output, found.st_mode & 0777) : -1;
}

/* Why a file must not be overwritten; NULL: it may be. */
static const char *fault_of(int file, const void *magic, size_t size)
{
    struct stat found;
    char start[64];
    if (fstat(file, &found) != 0)
        return strerror(errno);
    if (S_ISCHR(found.st_mode) || (S_ISREG(found.st_mode) && found.st_size == 0))
        return NULL;
    if (!S_ISREG(found.st_mode))
        return "it is not a regular file";
    if (size <= sizeof start && pread(file, start, size, 0) == (ssize_t)size && memcmp(start, magic, size) == 0)
        return NULL;
    return "it exists and is not a log: must be a new file, an empty one or a log";
}

int fm_outfile_in_place(const char *path, const void *magic, size_t size, fm_error *error)
{
    int file = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    const char *fault = file < 0 ? strerror(errno) : fault_of(file, magic, size);
    if (!fault) {
        fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
        return file;
    }
    if (file >= 0)
        close(file);
    fm_fail(error, FM_ERR_FILE, "%s: %s", path, fault);
    return -1;
}

FILE *fm_outfile_begin_table(const char *path)
{
    struct stat found;
    int file = open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (file < 0)
        return NULL;
    fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    FILE *table =
        fstat(file, &found) == 0 && (!S_ISREG(found.st_mode) || ftruncate(file, 0) == 0) ? fdopen(file, "w") : NULL;
    if (!table)
        close(file);
    return table;
}

int fm_outfile_nameless(const char *beside)
{
    fm_outfile output = {0};
    int file = find_path(&output, beside) ? create_temporary(&output, 0600) : -1;
    if (file >= 0 && unlink(output.temporary) != 0) {
        close(file);
        file = -1;
    }
    return file;
}

static fm_status fail(const fm_outfile *output, int cause, fm_error *error)
{
    return fm_fail(error, FM_ERR_FILE, "%s: %s", output->path, strerror(cause));
}

fm_status fm_outfile_open(fm_outfile *output, const char *path, fm_error *error)
{
    output->file = NULL;
    output->path[0] = output->temporary[0] = 0;
    if (!find_path(output, path))
        return fm_fail(error, FM_ERR_FILE, "%.200s: %s", path, strerror(errno));
    int file = open_descriptor(output);
    if (file < 0)
        return fail(output, errno, error);
    output->file = fdopen(file, "wb");
    if (output->file)
        return FM_OK;
    int cause = errno;
    close(file);
    fm_outfile_abandon(output);
    return fail(output, cause, error);
}

const char *fm_outfile_name(const fm_outfile *output)
{
    return output->temporary[0] ? output->temporary : output->path;
}

/* --- closing --- */

void fm_outfile_abandon(fm_outfile *output)
{
    if (output->file)
        fclose(output->file);
    output->file = NULL;
    if (output->temporary[0])
        unlink(output->temporary);
    output->temporary[0] = 0;
}

int fm_outfile_cause(int file)
{
    static const char nothing[4096];
    ssize_t written = 0;
    for (int i = 0; i < 256 && written >= 0; i++)
        written = write(file, nothing, sizeof nothing);
    return written < 0 ? errno : EIO;
}

fm_status fm_outfile_close(fm_outfile *output, fm_error *error)
{
    FILE *file = output->file;
    output->file = NULL;
    bool failed = file && (fflush(file) != 0 || ferror(file));
    int cause = failed ? fm_outfile_cause(fileno(file)) : 0;
    if (file && fclose(file) != 0 && !failed) {
        failed = true;
        cause = errno;
    }
    if (!failed && output->temporary[0] && rename(output->temporary, output->path) != 0) {
        failed = true;
        cause = errno;
    }
    if (!failed)
        output->temporary[0] = 0;
    fm_outfile_abandon(output);
    return failed ? fail(output, cause, error) : FM_OK;
}

fm_status fm_outfile_write(const char *path, const void *bytes, size_t size, fm_error *error)
{
    fm_outfile output;
    fm_status status = fm_outfile_open(&output, path, error);
    if (status != FM_OK)
        return status;
    fwrite(bytes, 1, size, output.file);
    return fm_outfile_close(&output, error);
}
