#include <stdio.h>
#include <string.h>

#include <netcdf.h>

#include "analysis/netcdf_outline.h"
#include "ocean/netcdf_file.h"

enum { GROUPS_MOST = 65536, DEPTH_MOST = 16, TEXT_MOST = 4096, NUMBERS_MOST = 16 };

/* Where a file is being read. */
typedef struct reading {
    fm_netcdf_outline *outline;
    fm_arena *arena;
    fm_error *error;
    const char *path;
    fm_status status;
    size_t groups_room;
} reading;

/* Notes the first failure; whether the reading goes on. */
static bool is_well(reading *r, int code, const char *doing)
{
    if (code != NC_NOERR && r->status == FM_OK)
        r->status = fm_fail_at(r->error, FM_ERR_FILE, r->path, 0, "%s: %s", doing, nc_strerror(code));
    return r->status == FM_OK;
}

static void *take(reading *r, size_t size)
{
    void *memory = r->status == FM_OK ? fm_arena_alloc(r->arena, size ? size : 1) : NULL;
    if (!memory && r->status == FM_OK)
        r->status = fm_fail_at(r->error, FM_ERR_MEMORY, r->path, 0, "out of memory");
    return memory;
}

static const char *keep(reading *r, const char *text)
{
    char *copy = take(r, strlen(text) + 1);
    return copy ? strcpy(copy, text) : "";
}

static const char *join_numbers(reading *r, int id, int variable, const char *name, size_t length)
{
    double values[NUMBERS_MOST];
    char text[NUMBERS_MOST * 32] = "";
    size_t used = 0;
    if (length > NUMBERS_MOST)
        return "…";
    if (!is_well(r, nc_get_att_double(id, variable, name, values), name))
        return "";
    for (size_t i = 0; i < length && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.15g", i ? " " : "", values[i]);
    return keep(r, text);
}

static const char *read_string(reading *r, int id, int variable, const char *name)
{
    char *string = NULL;
    if (!is_well(r, nc_get_att_string(id, variable, name, &string), name))
        return "";
    const char *kept = keep(r, string ? string : "");
    nc_free_string(1, &string);
    return kept;
}

/* An attribute as text; "" where it is absent. */
static const char *read_attribute(reading *r, int id, int variable, const char *name)
{
    nc_type type;
    size_t length;
    char text[TEXT_MOST];
    if (r->status != FM_OK || nc_inq_att(id, variable, name, &type, &length) != NC_NOERR)
        return "";
    if (type == NC_STRING)
        return length == 1 ? read_string(r, id, variable, name) : "…";
    if (type != NC_CHAR)
        return type <= NC_MAX_ATOMIC_TYPE ? join_numbers(r, id, variable, name, length) : "…";
    if (length >= sizeof text)
        return "…";
    if (!is_well(r, nc_get_att_text(id, variable, name, text), name))
        return "";
    text[length] = 0;
    return keep(r, text);
}

/* "time = 2401, source = 3" */
static const char *read_shape(reading *r, int id, const int *dimensions, int count)
{
    char text[TEXT_MOST] = "", name[NC_MAX_NAME + 1];
    size_t used = 0, length;
    for (int i = 0; i < count && used < sizeof text; i++)
        if (is_well(r, nc_inq_dim(id, dimensions[i], name, &length), "dimension"))
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %zu", i ? ", " : "", name, length);
    return keep(r, text);
}

static void read_variable(reading *r, int id, int variable, fm_netcdf_variable *out)
{
    char name[NC_MAX_NAME + 1], type_name[NC_MAX_NAME + 1];
    int dimensions[NC_MAX_VAR_DIMS], count;
    nc_type type;
    if (!is_well(r, nc_inq_var(id, variable, name, &type, &count, dimensions, NULL), "variable") ||
        !is_well(r, nc_inq_type(id, type, type_name, NULL), name))
        return;
    out->name = keep(r, name);
    out->type = keep(r, type_name);
    out->shape = read_shape(r, id, dimensions, count);
    out->units = read_attribute(r, id, variable, "units");
    out->text = read_attribute(r, id, variable, "long_name");
}

static fm_netcdf_group *add_group(reading *r)
{
    fm_netcdf_outline *o = r->outline;
    if (o->group_count == r->groups_room) {
        size_t room = r->groups_room ? 2 * r->groups_room : 16;
        fm_netcdf_group *more = take(r, room * sizeof *more);
        if (!more)
            return NULL;
        if (o->group_count)
            memcpy(more, o->groups, o->group_count * sizeof *more);
        o->groups = more;
        r->groups_room = room;
    }
    return &o->groups[o->group_count++];
}

static void read_variables(reading *r, int id, fm_netcdf_group *group)
{
    int dimensions[NC_MAX_DIMS], dimension_count = 0, count = 0;
    if (!is_well(r, nc_inq_dimids(id, &dimension_count, dimensions, 0), "dimensions") ||
        !is_well(r, nc_inq_nvars(id, &count), "variables"))
        return;
    group->shape = read_shape(r, id, dimensions, dimension_count);
    group->variables = take(r, (size_t)count * sizeof *group->variables);
    for (int v = 0; v < count && r->status == FM_OK; v++, group->count++)
        read_variable(r, id, v, &group->variables[v]);
}

/* A group, then those in it. */
static void read_group(reading *r, int id, int depth)
{
    char path[TEXT_MOST];
    size_t length;
    int count = 0, *inner;
    if (!is_well(r, nc_inq_grpname_full(id, &length, NULL), "group"))
        return;
    if (length >= sizeof path || depth > DEPTH_MOST || r->outline->group_count >= GROUPS_MOST) {
        r->status = fm_fail_at(r->error, FM_ERR_RANGE, r->path, 0, "more than %d groups, or %d of them in one another",
                               GROUPS_MOST, DEPTH_MOST);
        return;
    }
    fm_netcdf_group *group = add_group(r);
    if (!group || !is_well(r, nc_inq_grpname_full(id, &length, path), "group"))
        return;
    *group = (fm_netcdf_group){.path = keep(r, path), .shape = ""};
    read_variables(r, id, group);
    if (!is_well(r, nc_inq_grps(id, &count, NULL), "groups") || !(inner = take(r, (size_t)count * sizeof *inner)) ||
        !is_well(r, nc_inq_grps(id, &count, inner), "groups"))
        return;
    for (int k = 0; k < count && r->status == FM_OK; k++)
        read_group(r, inner[k], depth + 1);
}

static void read_attributes(reading *r, int id)
{
    int count = 0;
    char name[NC_MAX_NAME + 1];
    fm_netcdf_outline *o = r->outline;
    if (!is_well(r, nc_inq_natts(id, &count), "attributes") ||
        !(o->attributes = take(r, (size_t)count * sizeof *o->attributes)))
        return;
    for (int k = 0; k < count && is_well(r, nc_inq_attname(id, NC_GLOBAL, k, name), "attribute"); k++) {
        o->attributes[k].name = keep(r, name);
        o->attributes[k].value = read_attribute(r, id, NC_GLOBAL, name);
        o->attribute_count++;
    }
}

static const char *format_name(int id)
{
    int format = 0;
    nc_inq_format(id, &format);
    return format == NC_FORMAT_NETCDF4 || format == NC_FORMAT_NETCDF4_CLASSIC ? "NetCDF-4" : "NetCDF classic";
}

fm_status fm_netcdf_outline_read(fm_netcdf_outline *outline, const char *path, fm_arena *arena, fm_error *error)
{
    fm_netcdf file;
    *outline = (fm_netcdf_outline){.format = ""};
    fm_status status = fm_netcdf_open(&file, path, error);
    if (status != FM_OK)
        return status;
    reading r = {.outline = outline, .arena = arena, .error = error, .path = path};
    outline->format = format_name(file.id);
    read_attributes(&r, file.id);
    if (r.status == FM_OK)
        read_group(&r, file.id, 0);
    fm_netcdf_close(&file);
    return r.status;
}
