#include "ros2_package.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/describe.h"
#include "base/memory.h"
#include "base/outfile.h"
#include "base/text.h"
#include "telemetry/message.h"
#include "telemetry/schema.h"
#include "world/command.h"

static const char package[] = "fathom_msgs";

static int ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

static int is_ours(const fm_message *type)
{
    return strcmp(type->package, package) == 0;
}

/* A message of its own, not the request or response of a service. */
static int is_message(const fm_message *type)
{
    return is_ours(type) && !ends_with(type->name, "_Request") && !ends_with(type->name, "_Response");
}

static fm_status make_folder(const char *folder, const char *name, fm_error *error)
{
    char path[FM_OUTFILE_PATH];
    snprintf(path, sizeof path, "%.4000s/%s", folder, name);
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return fm_fail(error, FM_ERR_FILE, "%s cannot be created: %s", path, strerror(errno));
    return FM_OK;
}

static fm_status write_file(const char *folder, const char *name, const fm_text *text, fm_error *error)
{
    char path[FM_OUTFILE_PATH];
    snprintf(path, sizeof path, "%.3000s/%.500s", folder, name);
    return fm_outfile_write(path, text->data, text->length, error);
}

static fm_status add_definition(fm_text *text, const fm_message *type, fm_error *error)
{
    char *fields = fm_schema_definition(type);
    if (!fields)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for %s", type->name);
    fm_text_add(text, "%s", fields);
    fm_free(fields);
    return FM_OK;
}

static const char first_line[] = "# Written by `fathom schema --ros2`; do not edit.\n";

static fm_status write_message(const char *folder, const fm_message *type, fm_error *error)
{
    char name[256];
    fm_text text = {0};
    snprintf(name, sizeof name, "msg/%.200s.msg", type->name);
    fm_text_add(&text, "%s", first_line);
    fm_status status = add_definition(&text, type, error);
    if (status == FM_OK)
        status = write_file(folder, name, &text, error);
    fm_text_free(&text);
    return status;
}

/* --- services: the commands that have arguments --- */

/* The fields of a request are the arguments of its command, in the same order. */
static void add_request(fm_text *text, const fm_command_row *row, const fm_message *request)
{
    fm_text_add(text, "%s# %s\n", first_line, row->about);
    for (size_t i = 0; i < request->field_count; i++) {
        const fm_field *field = &request->fields[i];
        const fm_argument *a = &row->arguments[i];
        char shape[16] = "";
        if (field->shape == FM_SHAPE_ARRAY)
            snprintf(shape, sizeof shape, "[%zu]", field->count);
        fm_text_add(text, "%s%s %s # %s%s%s%s\n", fm_field_type_name(field->type),
                    field->shape == FM_SHAPE_SEQUENCE ? "[]" : shape, field->name, a->about, a->unit[0] ? " [" : "",
                    a->unit, a->unit[0] ? "]" : "");
    }
}

static fm_status write_service(const char *folder, const fm_command_row *row, const fm_message *request,
                               const fm_message *response, fm_error *error)
{
    char name[256];
    fm_text text = {0};
    snprintf(name, sizeof name, "srv/%.200s.srv", row->title);
    add_request(&text, row, request);
    fm_text_add(&text, "---\n");
    fm_status status = add_definition(&text, response, error);
    if (status == FM_OK)
        status = write_file(folder, name, &text, error);
    fm_text_free(&text);
    return status;
}

/* Those that a bridge to ROS 2 offers: FM_ERR_NAME beside others. */
static const fm_command_row *find_service(fm_command_kind kind, const fm_message **request, const fm_message **response)
{
    const fm_command_row *row = fm_command_row_of(kind);
    char name[128];
    if (!row || !row->argument_count || row->refused[FM_COMMAND_DOOR_ROS2])
        return NULL;
    snprintf(name, sizeof name, "%s/msg/%.60s_Request", package, row->title);
    *request = fm_message_find(name);
    snprintf(name, sizeof name, "%s/msg/%.60s_Response", package, row->title);
    *response = fm_message_find(name);
    return *request && *response ? row : NULL;
}

static fm_status write_services(const char *folder, fm_error *error)
{
    const fm_message *request, *response;
    fm_status status = FM_OK;
    for (int kind = 0; kind < FM_COMMAND_KINDS && status == FM_OK; kind++) {
        const fm_command_row *row = find_service((fm_command_kind)kind, &request, &response);
        if (row)
            status = write_service(folder, row, request, response, error);
    }
    return status;
}

/* --- the package --- */

/* Calls `take` once for each other package that our messages use. */
static void each_dependency(void (*take)(fm_text *text, const char *name), fm_text *text)
{
    const char *known[16];
    size_t count = 0;
    for (size_t i = 0; i < fm_message_count; i++)
        for (size_t k = 0; is_message(fm_messages[i]) && k < fm_messages[i]->field_count; k++) {
            const fm_message *nested = fm_messages[i]->fields[k].message;
            size_t at = 0;
            while (nested && at < count && strcmp(known[at], nested->package) != 0)
                at++;
            if (!nested || is_ours(nested) || at < count || count == FM_COUNT(known))
                continue;
            known[count++] = nested->package;
            take(text, nested->package);
        }
}

static void add_depend(fm_text *text, const char *name)
{
    fm_text_add(text, "  <depend>%s</depend>\n", name);
}

static void add_find(fm_text *text, const char *name)
{
    fm_text_add(text, "find_package(%s REQUIRED)\n", name);
}

static void add_word(fm_text *text, const char *name)
{
    fm_text_add(text, " %s", name);
}

static fm_status write_manifest(const char *folder, fm_error *error)
{
    fm_text text = {0};
    fm_text_add(&text,
                "<?xml version=\"1.0\"?>\n<!-- Written by the command schema of fathom; do not edit. -->\n"
                "<package format=\"3\">\n  <name>%s</name>\n  <version>%s</version>\n"
                "  <description>Messages and services of Fathom, a simulator of underwater vehicles.</description>\n"
                "  <maintainer email=\"fathom@localhost\">The Fathom developers</maintainer>\n"
                "  <license>MIT</license>\n  <buildtool_depend>ament_cmake</buildtool_depend>\n"
                "  <buildtool_depend>rosidl_default_generators</buildtool_depend>\n",
                package, FATHOM_VERSION);
    each_dependency(add_depend, &text);
    fm_text_add(&text, "  <exec_depend>rosidl_default_runtime</exec_depend>\n"
                       "  <member_of_group>rosidl_interface_packages</member_of_group>\n"
                       "  <export>\n    <build_type>ament_cmake</build_type>\n  </export>\n</package>\n");
    fm_status status = write_file(folder, "package.xml", &text, error);
    fm_text_free(&text);
    return status;
}

static fm_status write_rules(const char *folder, fm_error *error)
{
    const fm_message *request, *response;
    fm_text text = {0};
    fm_text_add(&text,
                "%scmake_minimum_required(VERSION 3.8)\nproject(%s)\n\nfind_package(ament_cmake REQUIRED)\n"
                "find_package(rosidl_default_generators REQUIRED)\n",
                first_line, package);
    each_dependency(add_find, &text);
    fm_text_add(&text, "\nrosidl_generate_interfaces(${PROJECT_NAME}\n");
    for (size_t i = 0; i < fm_message_count; i++)
        if (is_message(fm_messages[i]))
            fm_text_add(&text, "  \"msg/%s.msg\"\n", fm_messages[i]->name);
    for (int kind = 0; kind < FM_COMMAND_KINDS; kind++) {
        const fm_command_row *row = find_service((fm_command_kind)kind, &request, &response);
        if (row)
            fm_text_add(&text, "  \"srv/%s.srv\"\n", row->title);
    }
    fm_text_add(&text, "  DEPENDENCIES");
    each_dependency(add_word, &text);
    fm_text_add(&text, ")\n\nament_export_dependencies(rosidl_default_runtime)\nament_package()\n");
    fm_status status = write_file(folder, "CMakeLists.txt", &text, error);
    fm_text_free(&text);
    return status;
}

fm_status cli_ros2_package_write(const char *folder, fm_error *error)
{
    fm_status status = make_folder(folder, "msg", error);
    if (status == FM_OK)
        status = make_folder(folder, "srv", error);
    for (size_t i = 0; i < fm_message_count && status == FM_OK; i++)
        if (is_message(fm_messages[i]))
            status = write_message(folder, fm_messages[i], error);
    if (status == FM_OK)
        status = write_services(folder, error);
    if (status == FM_OK)
        status = write_manifest(folder, error);
    return status == FM_OK ? write_rules(folder, error) : status;
}
