/* The fields of a JSON request. A field must have its type and be in its range; a missing field is an error or keeps
 * its default. */
#ifndef FM_PAGE_REQUEST_H
#define FM_PAGE_REQUEST_H

#include <jansson.h>

#include "base/accept.h"
#include "world/command.h"

/* `value` holds the default for a missing or null field; NaN: the field is required. */
fm_status fm_request_number(const json_t *request, const char *name, fm_number_range range, double *value,
                            fm_error *error);
/* `text` is valid as long as the request; "" if the field is missing. */
fm_status fm_request_text(const json_t *request, const char *name, const char **text, fm_error *error);
/* `count` numbers, each within ±most. */
fm_status fm_request_vector(const json_t *request, const char *name, size_t count, double most, double *out,
                            fm_error *error);
/* All arguments of a command. A vector is a list under its name, or single numbers under the names of its
 * components. */
fm_status fm_request_command(const json_t *request, fm_command_kind kind, fm_command *command, fm_error *error);
/* JSON schema of such a request; free with fm_free; NULL: out of memory. */
char *fm_request_schema(const fm_command_row *row);
/* 1: the field exists and is not null. */
int fm_request_has(const json_t *request, const char *name);

#endif
