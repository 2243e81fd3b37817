#include "page/web_docs.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "scenario/folders.h"

enum { FILE_MOST = 16 << 20, PATH_SIZE = FM_FOLDER_SIZE + 512 };

/* descriptor of the site's folder; -1: no site was built */
static int open_site(void)
{
    static const char *const below[] = {"/../site", "/../out/docs"};
    fm_folders *folders = fm_alloc(sizeof *folders);
    int site = -1;
    if (!folders)
        return -1;
    fm_folders_find(folders);
    for (size_t i = 0; site < 0 && i < folders->count; i++)
        for (size_t k = 0; site < 0 && k < sizeof below / sizeof *below; k++) {
            char path[PATH_SIZE];
            snprintf(path, sizeof path, "%s%s", folders->scenario_dirs[i], below[k]);
            site = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        }
    fm_free(folders);
    return site;
}

/* Names in the site consist of letters, digits, '-', '_' and '.', and never begin with '.'. */
static int is_name_of_site(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
    return name[strspn(name, letters)] == 0 && name[0] != '.' && name[0] != '/' && !strstr(name, "/.") &&
           !strstr(name, "//") && strlen(name) < 256;
}

static const char *type_of(const char *name)
{
    static const struct {
        const char *ending, *type;
    } types[] = {{".html", "text/html; charset=utf-8"},
                 {".css", "text/css; charset=utf-8"},
                 {".js", "text/javascript; charset=utf-8"},
                 {".json", "application/json"},
                 {".svg", "image/svg+xml"},
                 {".png", "image/png"},
                 {".webp", "image/webp"},
                 {".gif", "image/gif"},
                 {".xml", "application/xml"}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (strcmp(dot, types[i].ending) == 0)
            return types[i].type;
    return "text/plain; charset=utf-8";
}

static uint8_t *read_whole(int file, size_t *size)
{
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > FILE_MOST)
        return NULL;
    uint8_t *data = fm_alloc((size_t)about.st_size + 1);
    ssize_t got = 1;
    for (*size = 0; data && got > 0 && *size<(size_t)about.st_size; *size += got> 0 ? (size_t)got : 0)
        got = read(file, data + *size, (size_t)about.st_size - *size);
    if (data && got < 0)
        return fm_free(data), NULL;
    return data;
}

fm_web_docs_answer fm_web_docs_read(const char *path, uint8_t **data, size_t *size, const char **type)
{
    const size_t prefix = strlen("/docs");
    if (strncmp(path, "/docs", prefix) != 0 || (path[prefix] && path[prefix] != '/'))
        return FM_WEB_DOCS_OTHER;
    if (!path[prefix])
        return FM_WEB_DOCS_REDIRECT;
    const char *name = path[prefix + 1] ? path + prefix + 1 : "index.html";
    int site = is_name_of_site(name) ? open_site() : -1;
    int file = site >= 0 ? openat(site, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    *data = file >= 0 ? read_whole(file, size) : NULL;
    *type = type_of(name);
    if (file >= 0)
        close(file);
    if (site >= 0)
        close(site);
    return *data ? FM_WEB_DOCS_FILE : FM_WEB_DOCS_NONE;
}
