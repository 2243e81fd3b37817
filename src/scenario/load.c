/* fm_model_load: read, merge models into their instances, set, complete, build. */
#include "scenario/load.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/options.h"
#include "base/text.h"
#include "scenario/alike.h"
#include "scenario/build.h"
#include "scenario/find_model.h"
#include "scenario/params.h"
#include "scenario/plugins.h"
#include "world/snapshot.h"

enum { PARTS_MOST = 1024 };

/* All files and texts that the model keeps. */
typedef struct source {
    fm_registry registry;
    fm_tree tree;
    fm_plugin_set plugins;
    fm_folders *folders;         /* while it is read */
    bool alone;                  /* the file of a model, not of a scenario */
    const struct source *varied; /* the model that it is a copy of, instead of a file; NULL: none */
} source;

static void free_source(void *memory)
{
    source *s = memory;
    fm_tree_free(&s->tree);
    fm_registry_free(&s->registry);
    fm_plugins_close(&s->plugins);
    fm_free(s->folders);
    fm_free(s);
}

/* --- models --- */

/* The text of a model file as nodes, read once for all vehicles of a scenario. */
typedef struct base {
    const char *name; /* of the model, as vehicles write it */
    fm_tree tree;
    fm_status status;
    struct base *next;
} base;

static void read_base(source *s, base *b, const char *text, size_t size, const char *file, fm_report *report)
{
    fm_tree *tree = &s->tree;
    b->tree = (fm_tree){.load_plugin = tree->load_plugin, .plugin_user = tree->plugin_user};
    b->status = text ? fm_tree_read_memory(&b->tree, text, size, file, &fm_model_element, tree->registry,
                                           FM_READ_PARTIAL, report)
                     : fm_tree_read(&b->tree, file, &fm_model_element, tree->registry, FM_READ_PARTIAL, report);
    if (b->status == FM_OK && fm_tree_note_files(tree, &b->tree) != FM_OK)
        b->status = fm_report_add(report, FM_ERR_MEMORY, file, 0, "out of memory for the text of the file");
}

static fm_status lay_base(source *s, fm_node *vehicle, const base *b, fm_report *report)
{
    fm_status laid = FM_OK;
    vehicle->broken |= b->tree.cut;
    if (b->tree.root && !b->tree.cut)
        laid = fm_node_overlay(&s->tree, vehicle, b->tree.root, report);
    return b->status ? b->status : laid;
}

/* Merges a model into a vehicle: from memory, or without a text from its file. */
static fm_status lay_file(source *s, fm_node *vehicle, const char *text, size_t size, const char *file,
                          fm_report *report)
{
    base b = {0};
    read_base(s, &b, text, size, file, report);
    fm_status status = lay_base(s, vehicle, &b, report);
    fm_tree_free(&b.tree);
    return status;
}

/* What lay_models works on. */
typedef struct layer {
    source *source;
    const char *scenario;
    const fm_load_options *options;
    fm_report *report;
    base *bases;
    fm_arena arena;
} layer;

/* The model of this name; NULL where a vehicle's file was not found, which is reported. */
static const base *find_base(layer *l, const fm_node *vehicle, const char *name)
{
    char path[1024], other[1024];
    base *b = l->bases;
    while (b && strcmp(b->name, name) != 0)
        b = b->next;
    if (b)
        return b;
    const fm_model_search search = {l->scenario, l->options, l->source->folders};
    if (!fm_model_find(&search, name, path, other, sizeof path)) {
        fm_model_report_unknown(&search, vehicle, name, other, &l->source->tree.arena, l->report);
        return NULL;
    }
    if (!(b = fm_arena_alloc(&l->arena, sizeof *b))) {
        fm_report_add(l->report, FM_ERR_MEMORY, vehicle->file, vehicle->line, "out of memory for models");
        return NULL;
    }
    b->name = name;
    b->next = l->bases;
    l->bases = b;
    read_base(l->source, b, NULL, 0, path, l->report);
    return b;
}

static fm_status lay_model(layer *l, fm_node *vehicle)
{
    const fm_value *model = fm_node_value(vehicle, "model");
    if (!model || !model->text)
        return FM_OK;
    const base *b = find_base(l, vehicle, model->text);
    vehicle->broken |= !b;
    return b ? lay_base(l->source, vehicle, b, l->report) : fm_report_status(l->report);
}

/* --- the way of a scenario --- */

/* The base model of a vehicle must be known before models are merged. Errors in a setting are reported later, when all
 * paths are known. */
static void set_models(fm_tree *tree, const fm_load_options *options)
{
    for (size_t i = 0; i < options->set_count; i++) {
        char path[FM_PATH_SIZE];
        fm_node *node;
        const fm_attr *attr;
        int length = (int)strcspn(options->set[i], "=");
        snprintf(path, sizeof path, "%.*s", length, options->set[i]);
        if (fm_tree_find(tree, path, &node, &attr, NULL) == FM_OK &&
            (fm_node_is(node, "vehicle") || fm_node_is(node, "type")) && strcmp(attr->name, "model") == 0)
            fm_tree_assign(tree, options->set[i], NULL);
    }
}

static fm_status apply_sets(fm_tree *tree, const fm_load_options *options, fm_report *report)
{
    fm_status first = FM_OK;
    for (size_t i = 0; i < options->set_count; i++) {
        fm_error error = {0};
        fm_status status = fm_tree_assign(tree, options->set[i], &error);
        if (status == FM_OK)
            continue;
        snprintf(error.file, sizeof error.file, "--set %.200s", options->set[i]);
        error.line = 0;
        fm_report_add_error(report, &error);
        first = first ? first : status;
    }
    return first;
}

/* Files named by attributes are opened later; anything but a file (a pipe would wait forever) is refused now. */
static fm_status check_files(fm_node *node, fm_report *report)
{
    fm_status first = FM_OK;
    for (size_t i = 0; i < node->element->attr_count; i++) {
        struct stat info;
        const char *path = node->element->attrs[i].type == FM_ATTR_FILE ? node->values[i].text : NULL;
        if (!path || stat(path, &info) != 0 || S_ISREG(info.st_mode))
            continue;
        node->broken = true;
        first = fm_node_fail(node, node->element->attrs[i].name, report, FM_ERR_FILE,
                             "'%.200s' is not a regular file but a %s", path,
                             S_ISDIR(info.st_mode)    ? "folder"
                             : S_ISFIFO(info.st_mode) ? "pipe"
                                                      : "device or socket");
    }
    for (fm_node *child = node->first; child; child = child->next) {
        fm_status status = check_files(child, report);
        first = first ? first : status;
    }
    return first;
}

/* Notes for each vehicle that starts from a model which earlier one is written like it; when models are laid and all is
 * set (`settled`), for each vehicle of which nothing is noted yet which one is like it, and lets them share. */
static fm_status find_alikes(fm_node *root, bool settled)
{
    fm_alikes alikes = {0};
    size_t count = 0;
    for (fm_node *node = NULL; (node = fm_node_next(root, "vehicle", node));)
        count++;
    if (count < 2)
        return FM_OK;
    if (fm_alikes_create(&alikes, count) != FM_OK)
        return FM_ERR_MEMORY;
    for (fm_node *node = NULL; (node = fm_node_next(root, "vehicle", node));) {
        if (node->like || !(settled || fm_node_written(node, "model")))
            continue;
        fm_node *first = fm_alikes_at(&alikes, node);
        if (first != node && settled)
            fm_node_share(node, first);
        else if (first != node)
            node->like = first;
    }
    fm_alikes_free(&alikes);
    return FM_OK;
}

/* Models under vehicles and types; those written alike get the nodes of the first. */
static fm_status lay_under(layer *l, fm_node *root)
{
    static const char *const modelled[] = {"vehicle", "type"};
    fm_status first = FM_OK;
    if (find_alikes(root, false) != FM_OK)
        return fm_report_add(l->report, FM_ERR_MEMORY, l->scenario, 0, "out of memory for vehicles");
    for (size_t i = 0; i < FM_COUNT(modelled); i++)
        for (fm_node *node = NULL; (node = fm_node_next(root, modelled[i], node));) {
            fm_status status = FM_OK;
            if (node->like)
                fm_node_share(node, node->like);
            else
                status = lay_model(l, node);
            first = first ? first : status;
        }
    return first;
}

static fm_status lay_models(source *s, const char *file, const fm_load_options *options, fm_report *report)
{
    layer l = {.source = s, .scenario = file, .options = options, .report = report};
    if (!(s->folders = fm_alloc(sizeof *s->folders)))
        return fm_report_add(report, FM_ERR_MEMORY, file, 0, "out of memory for the folders of models");
    fm_folders_find(s->folders);
    fm_status status = lay_under(&l, s->tree.root);
    for (base *b = l.bases; b; b = b->next)
        fm_tree_free(&b->tree);
    fm_arena_free(&l.arena);
    fm_free(s->folders);
    s->folders = NULL;
    return status;
}

static fm_status read_scenario(source *s, const char *text, size_t size, const char *file, fm_report *report)
{
    static const char alone[] = "<fathom version='1'><world/><vehicle name='vehicle'/></fathom>";
    if (s->alone) {
        fm_tree_read_memory(&s->tree, alone, sizeof alone - 1, file, &fm_fathom_element, &s->registry, FM_READ_PARTIAL,
                            report);
        return s->tree.root ? lay_file(s, fm_node_child(s->tree.root, "vehicle"), text, size, file, report)
                            : fm_report_status(report);
    }
    return text ? fm_tree_read_memory(&s->tree, text, size, file, &fm_fathom_element, &s->registry, FM_READ_PARTIAL,
                                      report)
                : fm_tree_read(&s->tree, file, &fm_fathom_element, &s->registry, FM_READ_PARTIAL, report);
}

/* Everything written in another scenario and its models; files named by attributes keep their locations. */
static fm_status copy_scenario(source *s, const source *from, fm_report *report)
{
    fm_error error = {0};
    fm_status status = FM_OK;
    const fm_node *root = from->tree.root;
    s->tree.registry = &s->registry;
    status = fm_plugins_copy_own(&s->plugins, &from->plugins, &error);
    for (size_t i = 0; i < from->plugins.count && status == FM_OK; i++)
        status = fm_plugins_load(&s->plugins, from->plugins.files[i].path, &error);
    if (status == FM_OK)
        s->tree.root = fm_node_add(&s->tree, NULL, root->element, NULL, fm_arena_text(&s->tree.arena, root->file),
                                   root->line, &error);
    if (!s->tree.root)
        return fm_report_add_error(report, &error), error.status;
    return fm_node_overlay(&s->tree, s->tree.root, root, report);
}

/* A part of the calling program on its vehicle. */
static fm_status add_part(fm_tree *tree, const fm_load_part *part, fm_error *error)
{
    fm_node *vehicle = NULL;
    fm_accepted found = {0};
    const char *name = part->part_class->element->name;
    while ((vehicle = fm_node_next(tree->root, "vehicle", vehicle))) {
        const fm_value *value = fm_node_value(vehicle, "name");
        if (value && value->text && strcmp(value->text, part->vehicle) == 0)
            break;
    }
    if (!vehicle)
        return fm_fail_at(error, FM_ERR_NAME, "fm_load_options.parts", 0,
                          "<%.60s>: the scenario has no vehicle '%.60s'", name, part->vehicle);
    if (!fm_accepted_find(vehicle->element, tree->registry, name, NULL, &found))
        return fm_fail_at(error, FM_ERR_NAME, "fm_load_options.parts", 0, "<%.60s> is not an element of a vehicle",
                          name);
    return fm_node_add(tree, vehicle, found.element, found.part, "fm_load_options.parts", 0, error) ? FM_OK
                                                                                                    : FM_ERR_MEMORY;
}

static fm_status add_parts(fm_tree *tree, const fm_load_options *options, fm_report *report)
{
    fm_status first = FM_OK;
    for (size_t i = 0; i < options->part_count; i++) {
        fm_error error = {0};
        fm_status status = options->parts[i].vehicle ? add_part(tree, &options->parts[i], &error) : FM_OK;
        if (status != FM_OK)
            fm_report_add_error(report, &error);
        first = first ? first : status;
    }
    return first;
}

/* A scenario from its file or text, with the models of its vehicles. */
static fm_status read_all(source *s, const char *text, size_t size, const char *file, const fm_load_options *options,
                          fm_report *report, fm_status *laid)
{
    fm_status status = read_scenario(s, text, size, file, report);
    if (!s->tree.root || s->tree.cut || status == FM_ERR_MEMORY)
        return status;
    fm_status bridges = fm_build_add_bridges(&s->tree, options, report);
    fm_status parts = add_parts(&s->tree, options, report);
    set_models(&s->tree, options);
    *laid = lay_models(s, file, options, report);
    return status ? status : bridges ? bridges : parts;
}

static fm_status prepare(source *s, const char *text, size_t size, const char *file, const fm_load_options *options,
                         fm_report *report)
{
    fm_error error = {0};
    fm_status status = fm_registry_reserve(&s->registry, PARTS_MOST, &error);
    if (status == FM_OK)
        status = fm_registry_add_built_ins(&s->registry, &error);
    s->plugins.registry = &s->registry;
    s->plugins.room = PARTS_MOST;
    s->plugins.dirs = options->plugin_dirs;
    s->plugins.dir_count = options->plugin_dir_count;
    s->tree.load_plugin = fm_plugins_load;
    s->tree.plugin_user = &s->plugins;
    if (status == FM_OK && !s->varied)
        status = fm_plugins_add_own(&s->plugins, options->parts, options->part_count, &error);
    if (status != FM_OK) {
        fm_report_add_error(report, &error);
        return status;
    }
    fm_status laid = FM_OK;
    status = s->varied ? copy_scenario(s, s->varied, report) : read_all(s, text, size, file, options, report, &laid);
    if (!s->tree.root || s->tree.cut || status == FM_ERR_MEMORY)
        return status;
    fm_status set = laid == FM_OK ? apply_sets(&s->tree, options, report) : FM_OK; /* else paths may be missing */
    if (find_alikes(s->tree.root, true) != FM_OK)
        return fm_report_add(report, FM_ERR_MEMORY, file, 0, "out of memory for vehicles");
    if (fm_tree_note_named(&s->tree, s->tree.root) != FM_OK)
        return fm_report_add(report, FM_ERR_MEMORY, file, 0, "out of memory for names of files");
    fm_status files = check_files(s->tree.root, report), complete = fm_node_complete(&s->tree, s->tree.root, report);
    return status ? status : laid ? laid : set ? set : files ? files : complete;
}

/* Title and files of the model. */
static fm_status note_origin(fm_builder *b)
{
    const fm_value *title = fm_node_value(b->tree->root, "title");
    size_t count = 0;
    for (const fm_tree_file *file = b->tree->files; file; file = file->next)
        count++;
    fm_file_info *files = fm_build_alloc(b, (count + 1) * sizeof *files);
    if (!files)
        return FM_ERR_MEMORY;
    const source *s = b->model->source;
    b->model->plugins = s->plugins.files;
    b->model->plugin_count = s->plugins.count;
    b->model->identity = fm_model_identify(b->model);
    b->model->title = title && title->text ? title->text : "";
    if (fm_build_about(b) != FM_OK)
        return FM_ERR_MEMORY;
    b->model->files = files;
    b->model->file_count = count;
    for (const fm_tree_file *file = b->tree->files; file; file = file->next)
        *files++ = (fm_file_info){file->path, file->data, file->size};
    return FM_OK;
}

static void deliver_report(const fm_report *report, const fm_load_options *options, fm_error *error)
{
    const fm_error *first = fm_report_get(report, 0);
    if (error && first)
        *error = *first;
    if (error && fm_report_status(report) == FM_ERR_MEMORY)
        error->status = FM_ERR_MEMORY;
    for (size_t i = 0; options->report && fm_report_get(report, i); i++)
        options->report(options->user, fm_report_get(report, i));
}

static fm_status keep_sets(fm_model *model, const char *file, const fm_load_options *options, fm_report *report)
{
    model->sets = fm_arena_alloc(&model->arena, (options->set_count + 1) * sizeof *model->sets);
    for (size_t i = 0; model->sets && i < options->set_count; i++)
        if (!(model->sets[model->set_count++] = fm_arena_text(&model->arena, options->set[i])))
            model->sets = NULL;
    return model->sets ? FM_OK : fm_report_add(report, FM_ERR_MEMORY, file, 0, "no memory for the model");
}

static void deliver_warnings(const fm_report *warnings, const fm_load_options *options)
{
    for (size_t i = 0; options->warn && fm_report_get(warnings, i); i++)
        options->warn(options->user, fm_report_get(warnings, i));
}

/* From a text, from a file without one, or from another model. */
static fm_model *load(const char *text, size_t size, const char *file, bool alone, const source *varied,
                      const fm_load_options *options, fm_error *error)
{
    static const fm_load_options defaults;
    if (!options)
        options = &defaults;
    fm_report report = {0}, warnings = {0};
    fm_model *model = fm_alloc(sizeof *model);
    source *s = fm_alloc(sizeof *s);
    fm_status status = FM_ERR_MEMORY;
    if (!model || !s) {
        fm_report_add(&report, FM_ERR_MEMORY, file, 0, "no memory for the model");
        fm_free(s);
    } else {
        model->source = s;
        model->free_source = free_source;
        s->alone = alone;
        s->varied = varied;
        status = prepare(s, text, size, file, options, &report);
        fm_builder builder = {.model = model,
                              .tree = &s->tree,
                              .report = &report,
                              .warnings = options->warn ? &warnings : NULL,
                              .alone = alone};
        if (s->tree.root && !s->tree.cut && fm_report_status(&report) != FM_ERR_MEMORY) {
            fm_status built = fm_build_world(&builder); /* builds as much as possible in spite of errors, to find all of
                                                         * them */
            status = status ? status : built;
        }
        if (status == FM_OK)
            status = keep_sets(model, file, options, &report);
        if (status == FM_OK)
            status = note_origin(&builder);
    }
    if (status == FM_ERR_MEMORY && !report.count)
        fm_report_add(&report, FM_ERR_MEMORY, file, 0, "no memory for the model");
    if (status != FM_OK || report.count) {
        deliver_report(&report, options, error);
        fm_model_free(model);
        model = NULL;
    }
    deliver_warnings(&warnings, options);
    fm_report_free(&warnings);
    fm_report_free(&report);
    return model;
}

static fm_model *load_with(const char *text, size_t size, const char *file, const fm_load_options *options,
                           fm_error *error)
{
    fm_load_options o;
    if (FM_READ_OPTIONS(&o, options, fm_load_options, error) != FM_OK)
        return NULL;
    return load(text, size, file, false, NULL, &o, error);
}

fm_model *fm_model_load(const char *file, const fm_load_options *options, fm_error *error)
{
    if (!file)
        return fm_fail(error, FM_ERR_ARGUMENT, "file must not be NULL"), NULL;
    return load_with(NULL, 0, file, options, error);
}

fm_model *fm_model_load_memory(const char *text, size_t size, const char *file, const fm_load_options *options,
                               fm_error *error)
{
    if (!text || !file)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s must not be NULL", text ? "file" : "text"), NULL;
    return load_with(text, size, file, options, error);
}

fm_model *fm_model_load_vehicle(const char *text, size_t size, const char *file, const fm_load_options *options,
                                fm_error *error)
{
    return load(text, size, file, true, NULL, options, error);
}

/* A variant that shares with its model what does not depend on the numbers that are new; NULL: it must be loaded, where
 * more than numbers differ, where vehicles are written alike, or where something is refused, which the loader reports.
 */
static fm_model *derive(const fm_model *origin, const char *const *set, size_t set_count)
{
    const source *from = origin->source;
    fm_report report = {0};
    for (const fm_node *node = from->tree.root->first; node; node = node->next)
        if (node->like)
            return NULL; /* its nodes are those of another vehicle */
    fm_model *model = fm_alloc(sizeof *model);
    source *s = fm_alloc(sizeof *s);
    if (!model || !s)
        return fm_free(model), fm_free(s), NULL;
    model->source = s;
    model->free_source = free_source;
    s->alone = from->alone;
    fm_builder builder = {.model = model,
                          .tree = &s->tree,
                          .base = origin,
                          .base_root = from->tree.root,
                          .report = &report,
                          .alone = from->alone};
    const fm_load_options options = {.set = set, .set_count = set_count};
    fm_status status = fm_tree_copy(&s->tree, &from->tree, NULL);
    for (size_t i = 0; i < set_count && status == FM_OK; i++)
        status = fm_tree_assign(&s->tree, set[i], NULL);
    if (status == FM_OK &&
        (s->tree.node_count != from->tree.node_count || !fm_tree_note_news(s->tree.root, from->tree.root)))
        status = FM_ERR_MODEL;
    if (status == FM_OK)
        status = fm_build_world(&builder);
    if (status == FM_OK)
        status = keep_sets(model, "", &options, &report);
    const int refused = status != FM_OK || report.count;
    fm_report_free(&report);
    if (refused)
        return fm_model_free(model), NULL;
    model->title = origin->title;
    model->files = origin->files;
    model->file_count = origin->file_count;
    model->plugins = origin->plugins;
    model->plugin_count = origin->plugin_count;
    return model;
}

fm_model *fm_model_vary(const fm_model *model, const char *const *set, size_t set_count, fm_error *error)
{
    fm_model *quick = derive(model, set, set_count);
    if (quick)
        return quick;
    const source *s = model->source;
    fm_load_options options = {.set = set, .set_count = set_count};
    return load(NULL, 0, s->tree.root->file, s->alone, s, &options, error);
}

char *fm_model_write(const fm_model *model)
{
    const source *s = model ? model->source : NULL;
    fm_text text = {0};
    if (!s)
        return NULL;
    fm_text_add(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    fm_node_write(s->tree.root, 0, &text);
    if (text.failed)
        fm_text_free(&text);
    return text.data;
}
