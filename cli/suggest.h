/* "did you mean": the nearest of a list of names. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

/* The name nearest to `word` (base/text.h), or NULL if none is near enough. */
const char *cli_nearest(const char *word, const char *const *names, size_t count);

#endif
