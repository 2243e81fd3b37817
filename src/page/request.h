/* The fields of a request in JSON. What is there must be of its type and in its range; what is missing is said, or is
 * as given. */
#ifndef FM_PAGE_REQUEST_H
#define FM_PAGE_REQUEST_H

#include <jansson.h>

#include "base/accept.h"
#include "world/command.h"

/* `value` holds what it is where the field is missing or null; NaN there: it is needed. */
fm_status fm_request_number(const json_t *request, const char *name, fm_number_range range, double *value,
                            fm_error *error);
/* `text` lives as long as the request; "" where the field is missing. */
fm_status fm_request_text(const json_t *request, const char *name, const char **text, fm_error *error);
/* So many numbers, each within ±most. */
fm_status fm_request_vector(const json_t *request, const char *name, size_t count, double most, double *out,
                            fm_error *error);
/* All arguments of a command. A vector is a list under its name, or single numbers under the names of its parts. */
fm_status fm_request_command(const json_t *request, fm_command_kind kind, fm_command *command, fm_error *error);
/* JSON schema of such a request; to be freed with fm_free; NULL: out of memory. */
char *fm_request_schema(const fm_command_row *row);
/* 1: the field is there, and not null. */
int fm_request_has(const json_t *request, const char *name);

#endif
