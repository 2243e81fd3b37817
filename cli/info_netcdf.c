/* `fathom info` of a NetCDF file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "info.h"
#include "modules/netcdf.h"
#include "scenario.h"
#include "suggest.h"

static void print_variables(const fm_netcdf_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        const fm_netcdf_variable *v = &group->variables[i];
        printf("  %-40s %-8s %-24s %s", v->name, v->type, v->shape, v->units);
        if (v->text[0] && strcmp(v->text, v->name) != 0)
            printf("%s(%s)", v->units[0] ? " " : "", v->text);
        printf("\n");
    }
}

static const fm_netcdf_group *find_group(const fm_netcdf_outline *o, const char *name)
{
    for (size_t i = 0; i < o->group_count; i++)
        if (!strcmp(o->groups[i].path, name) || !strcmp(o->groups[i].path + 1, name))
            return &o->groups[i];
    return NULL;
}

static int refuse_group(const fm_netcdf_outline *o, const char *name)
{
    const char **names = calloc(o->group_count + 1, sizeof *names);
    const char *near = NULL;
    for (size_t i = 0; names && i < o->group_count; i++)
        names[i] = o->groups[i].path;
    if (names)
        near = cli_nearest(name, names, o->group_count);
    fprintf(stderr, "fathom info: unknown group '%s'", name);
    fprintf(stderr, near ? "; did you mean '%s'?\n" : "\n", near);
    free(names);
    return CLI_USAGE;
}

static void print_outline(const char *path, const fm_netcdf_outline *o)
{
    struct stat info;
    long long size = stat(path, &info) == 0 ? (long long)info.st_size : 0;
    printf("%s: %lld bytes, %s\n", path, size, o->format);
    for (size_t i = 0; i < o->attribute_count; i++) {
        const fm_netcdf_attribute *a = &o->attributes[i];
        if (strlen(a->value) <= 100 && !strchr(a->value, '\n'))
            printf("  %s = %s\n", a->name, a->value);
        else
            printf("  %s: %zu bytes\n", a->name, strlen(a->value));
    }
    if (o->groups[0].count > 0) {
        printf("\n");
        print_variables(&o->groups[0]);
    }
    if (o->group_count > 1)
        printf("\n%-42s %9s  dimensions\n", "group", "variables");
    for (size_t i = 1; i < o->group_count; i++)
        printf("%-42s %9zu  %s\n", o->groups[i].path, o->groups[i].count, o->groups[i].shape);
}

int cli_info_netcdf(const char *path, char *const *groups, size_t count)
{
    fm_arena arena = {0};
    fm_error error = {0};
    fm_netcdf_outline outline;
    int status = CLI_DONE;
    if (fm_netcdf_outline_read(&outline, path, &arena, &error) != FM_OK) {
        cli_print_error(&error);
        status = CLI_FAILED;
    }
    for (size_t i = 0; i < count && status == CLI_DONE; i++)
        if (!find_group(&outline, groups[i]))
            status = refuse_group(&outline, groups[i]);
    if (status == CLI_DONE && count == 0)
        print_outline(path, &outline);
    for (size_t i = 0; i < count && status == CLI_DONE; i++) {
        const fm_netcdf_group *group = find_group(&outline, groups[i]);
        printf("%s%s (%s):\n", i ? "\n" : "", group->path, group->shape);
        print_variables(group);
    }
    fm_arena_free(&arena);
    return status;
}
