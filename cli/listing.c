/* fathom scenarios, fathom models: the available names. */
#include <dirent.h>
#include <libxml/xmlreader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "commands.h"
#include "listing.h"
#include "scenario/folders.h"
#include "summary.h"

enum { NAME_SIZE = 128, PATH_SIZE = FM_FOLDER_SIZE + NAME_SIZE };

typedef struct listing_options {
    bool json, path;
} listing_options;

static const cli_option option_table[] = {
    {"json", CLI_FIELD(listing_options, json), .text = "a JSON array: name, path and title of each"},
    {"path", CLI_FIELD(listing_options, path), .excludes = "json", .text = "the folder of the first one, to copy from"},
};

const cli_command cli_scenarios_command = {
    .name = "scenarios",
    .section = "simulate",
    .text = "list the scenarios that can be run by name",
    .about = "Lists the scenarios that can be run by name, one per line: `fathom run showcase`. They are searched for "
             "next to $FATHOM_MODELS, in the installation and in the source tree; a file with that name in the current "
             "directory has priority.",
    CLI_OPTIONS(option_table),
    .main = cli_scenarios,
};

const cli_command cli_models_command = {
    .name = "models",
    .section = "simulate",
    .text = "list the vehicle models",
    .about = "Lists the models for <vehicle model=\"…\">, one per line: those in $FATHOM_MODELS, in the installation "
             "and in the source tree. A scenario also finds models next to it.",
    CLI_OPTIONS(option_table),
    .main = cli_models,
};

/* --- one entry --- */

/* An attribute of the outermost element, "" if it has none. */
static void read_title(const char *path, const char *attribute, char *title, size_t size)
{
    title[0] = 0;
    xmlTextReader *reader = xmlReaderForFile(path, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    while (reader && xmlTextReaderRead(reader) == 1)
        if (xmlTextReaderNodeType(reader) == XML_READER_TYPE_ELEMENT) {
            xmlChar *found = xmlTextReaderGetAttribute(reader, (const xmlChar *)attribute);
            snprintf(title, size, "%s", found ? (const char *)found : "");
            xmlFree(found);
            break;
        }
    xmlFreeTextReader(reader);
}

static void put_json(const char *name, const char *path, const char *title, bool first)
{
    printf("%s\n  {\"name\": ", first ? "" : ",");
    cli_json_text(stdout, name);
    fputs(", \"path\": ", stdout);
    cli_json_text(stdout, path);
    fputs(", \"title\": ", stdout);
    cli_json_text(stdout, title);
    fputs("}", stdout);
}

/* --- all of them --- */

typedef struct entry {
    char name[NAME_SIZE], path[PATH_SIZE];
} entry;

typedef struct entry_list {
    entry *items;
    size_t count;
    bool failed;
} entry_list;

/* The first match hides later ones. */
static void add_entry(entry_list *list, const char *folder, const char *file)
{
    size_t length = strlen(file);
    if (length <= 4 || length >= NAME_SIZE || strcmp(file + length - 4, ".xml") != 0)
        return;
    entry e;
    snprintf(e.name, sizeof e.name, "%.*s", (int)length - 4, file);
    snprintf(e.path, sizeof e.path, "%.*s/%s", FM_FOLDER_SIZE - 2, folder, file);
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->items[i].name, e.name))
            return;
    entry *items = realloc(list->items, (list->count + 1) * sizeof *items);
    list->failed |= !items;
    if (!items)
        return;
    list->items = items;
    items[list->count++] = e;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

static entry_list list_files(const char *const *folders, size_t count)
{
    entry_list list = {0};
    for (size_t i = 0; i < count; i++) {
        DIR *folder = opendir(folders[i]);
        for (const struct dirent *file; folder && (file = readdir(folder));)
            add_entry(&list, folders[i], file->d_name);
        if (folder)
            closedir(folder);
    }
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, by_name);
    return list;
}

static int print_list(entry_list list, const char *attribute, const listing_options *o)
{
    char title[256];
    const bool json = o->json;
    if (o->path) {
        if (list.count)
            printf("%.*s\n", (int)(strrchr(list.items[0].path, '/') - list.items[0].path), list.items[0].path);
        list.count = 0;
    }
    if (json)
        fputs("[", stdout);
    for (size_t i = 0; i < list.count; i++) {
        read_title(list.items[i].path, attribute, title, sizeof title);
        if (json)
            put_json(list.items[i].name, list.items[i].path, title, i == 0);
        else
            printf("  %-22s %s\n", list.items[i].name, title);
    }
    if (json)
        fputs("\n]\n", stdout);
    free(list.items);
    return list.failed ? CLI_FAILED : CLI_DONE;
}

int cli_scenarios(int argc, char **argv)
{
    static fm_folders folders;
    listing_options o = {0};
    int status;
    if (!cli_options_read(&cli_scenarios_command, argc, argv, &o, &status))
        return status;
    fm_folders_find(&folders);
    return print_list(list_files(folders.scenario_dirs, folders.count), "title", &o);
}

int cli_models(int argc, char **argv)
{
    static fm_folders folders;
    listing_options o = {0};
    int status;
    if (!cli_options_read(&cli_models_command, argc, argv, &o, &status))
        return status;
    fm_folders_find(&folders);
    return print_list(list_files(folders.model_dirs, folders.count), "text", &o);
}

/* --- by name --- */

bool cli_scenario_find(const char *name, char *path, size_t size)
{
    static fm_folders folders;
    bool found = false;
    if (strchr(name, '/'))
        return false;
    fm_folders_find(&folders);
    entry_list list = list_files(folders.scenario_dirs, folders.count);
    for (size_t i = 0; i < list.count && !found; i++) {
        size_t length = strlen(list.items[i].name);
        found = !strncmp(name, list.items[i].name, length) && (!name[length] || !strcmp(name + length, ".xml"));
        if (found)
            snprintf(path, size, "%s", list.items[i].path);
    }
    free(list.items);
    return found;
}

/* The last component of a path without ".xml". */
static void stem(const char *file, char *name, size_t size)
{
    const char *slash = strrchr(file, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : file);
    size_t length = strlen(name);
    if (length > 4 && !strcmp(name + length - 4, ".xml"))
        name[length - 4] = 0;
}

void cli_scenario_hint(const char *file)
{
    static fm_folders folders;
    char name[NAME_SIZE], near[700];
    stem(file, name, sizeof name);
    fm_folders_find(&folders);
    entry_list list = list_files(folders.scenario_dirs, folders.count);
    fm_nearest nearest = {.wanted = name};
    bool known = false;
    for (size_t i = 0; i < list.count; i++) {
        known |= !strcmp(list.items[i].name, name);
        fm_nearest_offer(&nearest, list.items[i].name);
    }
    fm_nearest_write(&nearest, near, sizeof near);
    if (known)
        fprintf(stderr, "A scenario of this name is included: write %s instead of %s.\n", name, file);
    else
        fprintf(stderr,
                "No scenario of this name is included%s\n`fathom scenarios` lists the scenarios that can be run "
                "by name.\n",
                near[0] ? near : ".");
    free(list.items);
}

void cli_model_hint(const char *name)
{
    static fm_folders folders;
    char own[NAME_SIZE];
    bool known = false;
    stem(name, own, sizeof own);
    fm_folders_find(&folders);
    entry_list list = list_files(folders.model_dirs, folders.count);
    for (size_t i = 0; i < list.count; i++)
        known |= !strcmp(list.items[i].name, own);
    if (!known)
        fprintf(stderr, "`fathom models` lists the models that are included.\n");
    free(list.items);
}

void cli_scenario_each(void (*take)(void *user, const char *name, const char *title), void *user)
{
    static fm_folders folders;
    char title[256];
    fm_folders_find(&folders);
    entry_list list = list_files(folders.scenario_dirs, folders.count);
    for (size_t i = 0; i < list.count; i++) {
        read_title(list.items[i].path, "title", title, sizeof title);
        take(user, list.items[i].name, title);
    }
    free(list.items);
}
