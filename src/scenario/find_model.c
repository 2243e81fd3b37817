#include "scenario/find_model.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "scenario/vehicle_elements.h"

static int is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Passes over what may come before the first element of an XML text: a mark of byte order, blanks, declarations and
 * comments. NULL: it does not begin like one. */
static const char *pass_prolog(const char *at)
{
    static const char *const pairs[][2] = {{"<?", "?>"}, {"<!--", "-->"}};
    at += strncmp(at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (bool passed = true; passed;) {
        passed = false;
        at += strspn(at, " \t\r\n");
        for (size_t i = 0; i < FM_COUNT(pairs); i++) {
            if (strncmp(at, pairs[i][0], strlen(pairs[i][0])) != 0)
                continue;
            const char *end = strstr(at + strlen(pairs[i][0]), pairs[i][1]);
            if (!end)
                return NULL;
            at = end + strlen(pairs[i][1]);
            passed = true;
        }
    }
    return *at == '<' ? at + 1 : NULL;
}

/* A file may be a model unless its root is another element that can be read: what is wrong in it is reported when it is
 * read as one. */
static int is_model(const char *path)
{
    char text[16384];
    FILE *file = is_file(path) ? fopen(path, "rb") : NULL;
    if (!file)
        return is_file(path);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    const char *root = pass_prolog(text);
    size_t length = root ? strcspn(root, " \t\r\n/>") : 0;
    return !length || root[length] == 0 || root[0] == '!' ||
           (length == strlen(fm_model_element.name) && strncmp(root, fm_model_element.name, length) == 0);
}

/* Whether a candidate is the model; notes the first that is another file of that name. */
static int accept_model(const char *path, char *other, size_t size)
{
    if (is_model(path))
        return 1;
    if (!*other && is_file(path))
        snprintf(other, size, "%s", path);
    return 0;
}

/* A folder of models that was given, or one that every program of Fathom looks into. */
static const char *folder_at(const fm_model_search *search, size_t i)
{
    const size_t given = search->options->model_dir_count;
    return i < given ? search->options->model_dirs[i] : search->folders->model_dirs[i - given];
}

static size_t folder_count(const fm_model_search *search)
{
    return search->options->model_dir_count + search->folders->count;
}

int fm_model_find(const fm_model_search *search, const char *name, char *path, char *other, size_t size)
{
    static const char *const beside[] = {"", "models/", "../models/"};
    const char *slash = strrchr(search->scenario, '/');
    int folder = slash ? (int)(slash - search->scenario + 1) : 0;
    *other = 0;
    for (size_t i = 0; i < FM_COUNT(beside); i++) {
        snprintf(path, size, "%.*s%s%s.xml", folder, search->scenario, beside[i], name);
        if (accept_model(path, other, size))
            return 1;
    }
    for (size_t i = 0; i < folder_count(search); i++) {
        snprintf(path, size, "%s/%s.xml", folder_at(search, i), name);
        if (accept_model(path, other, size))
            return 1;
    }
    return 0;
}

/* Offers the models of a folder. */
static void offer_folder(fm_arena *arena, fm_nearest *nearest, const char *folder)
{
    DIR *open = opendir(folder);
    for (const struct dirent *entry; open && (entry = readdir(open));) {
        size_t length = strlen(entry->d_name);
        char *name =
            length > 4 && strcmp(entry->d_name + length - 4, ".xml") == 0 ? fm_arena_text(arena, entry->d_name) : NULL;
        if (!name)
            continue;
        name[length - 4] = 0;
        bool known = false;
        for (size_t i = 0; i < nearest->count; i++)
            known |= strcmp(nearest->names[i], name) == 0;
        if (!known)
            fm_nearest_offer(nearest, name);
    }
    if (open)
        closedir(open);
}

/* Whether the description of a model, text="…" at the beginning of its file, contains the word. */
static bool describes(const char *path, const char *word)
{
    char head[4096], *text, *end;
    FILE *file = fopen(path, "rb");
    head[file ? fread(head, 1, sizeof head - 1, file) : 0] = 0;
    if (file)
        fclose(file);
    if (!(text = strstr(head, "<model")) || !(text = strstr(text, " text=\"")) || !(end = strchr(text + 7, '"')))
        return false;
    *end = 0;
    return strcasestr(text + 7, word) != NULL;
}

/* Offers the models of a folder whose description names `wanted`: "phoenix" is the NPS AUV II. */
static void offer_by_text(fm_arena *arena, fm_nearest *nearest, const char *folder)
{
    char path[FM_FOLDER_SIZE + 300];
    DIR *open = strlen(nearest->wanted) >= 3 ? opendir(folder) : NULL;
    for (const struct dirent *entry; open && (entry = readdir(open)) && nearest->count < FM_NEAREST;) {
        size_t length = strlen(entry->d_name);
        snprintf(path, sizeof path, "%.*s/%.255s", FM_FOLDER_SIZE, folder, entry->d_name);
        if (length <= 4 || strcmp(entry->d_name + length - 4, ".xml") != 0 || !describes(path, nearest->wanted))
            continue;
        char *name = fm_arena_text(arena, entry->d_name);
        if (!name)
            continue;
        name[length - 4] = 0;
        nearest->names[nearest->count++] = name;
    }
    if (open)
        closedir(open);
}

fm_status fm_model_report_unknown(const fm_model_search *search, const fm_node *vehicle, const char *name,
                                  const char *other, fm_arena *arena, fm_report *report)
{
    static const char *const beside[] = {"models", "../models"};
    fm_nearest nearest = {.wanted = name};
    char folder[1024], near[400];
    const char *slash = strrchr(search->scenario, '/');
    for (size_t i = 0; i < FM_COUNT(beside); i++) {
        snprintf(folder, sizeof folder, "%.*s%s", slash ? (int)(slash - search->scenario + 1) : 0, search->scenario,
                 beside[i]);
        offer_folder(arena, &nearest, folder);
    }
    const size_t count = folder_count(search);
    for (size_t i = 0; i < count; i++)
        offer_folder(arena, &nearest, folder_at(search, i));
    for (size_t i = 0; i < count && !nearest.count; i++)
        offer_by_text(arena, &nearest, folder_at(search, i));
    return fm_node_fail(vehicle, "model", report, FM_ERR_NAME,
                        "model '%.60s' (%.60s.xml) not found next to the scenario, in models/ or ../models/ there, or "
                        "in %zu model folder%s ($FATHOM_MODELS, the installation …)%s%.200s%s%s",
                        name, name, count, count == 1 ? "" : "s", *other ? "; " : "", other,
                        *other ? " is not a model: its root is not <model>" : "",
                        fm_nearest_write(&nearest, near, sizeof near));
}
