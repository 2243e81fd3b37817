/* --map OURS=THEIRS[*FACTOR][+SHIFT]: maps a series of a record to a quantity. */
#ifndef CLI_MAPPING_H
#define CLI_MAPPING_H

#include <stdbool.h>

/* Parses "depth=pressure*9.93+0.2". */
typedef struct cli_mapping {
    char *ours, *theirs; /* in one block of memory, at `ours`: free it */
    double factor, shift;
    bool scaled; /* a factor or a shift was given */
} cli_mapping;

/* CLI_DONE, or CLI_USAGE and a line on stderr in the name of a command and an option ("--map"). */
int cli_mapping_read(const char *command, const char *option, const char *word, cli_mapping *mapping);

#endif
