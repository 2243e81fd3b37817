#include "page/web_wheel.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WHEEL_FOLDER = 1021 }; /* the descriptor that libwebsockets of the Python wheel looks in (scripts/wheel) */

static const char marker = 0; /* in this library */

/* The folder of this library where it has libwebsockets' libuv part, as in the wheel; -1: it is installed elsewhere. */
static int open_own_folder(void)
{
    Dl_info own;
    char path[4096];
    if (!dladdr((const void *)&marker, &own) || !own.dli_fname)
        return -1;
    const char *slash = strrchr(own.dli_fname, '/');
    const int length = slash ? (int)(slash - own.dli_fname) : 0;
    if (snprintf(path, sizeof path, "%.*s/libwebsockets-evlib_uv.so", length, own.dli_fname) >= (int)sizeof path ||
        access(path, R_OK) != 0)
        return -1;
    path[length] = 0;
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

struct lws_context *fm_web_context(const struct lws_context_creation_info *info)
{
    const int folder = open_own_folder();
    if (folder < 0)
        return lws_create_context(info);
    const int other = fcntl(WHEEL_FOLDER, F_DUPFD_CLOEXEC, WHEEL_FOLDER + 1);
    dup2(folder, WHEEL_FOLDER);
    struct lws_context *context = lws_create_context(info);
    if (other >= 0)
        dup2(other, WHEEL_FOLDER);
    else
        close(WHEEL_FOLDER);
    if (other >= 0)
        close(other);
    close(folder);
    return context;
}
