#include "mapping.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "options.h"

/* Cuts "*2.5" or "+3" off the end of a name. */
static bool cut_number(char *name, char sign, double *value)
{
    char *at = strrchr(name, sign);
    const char *rest = at ? at + 1 : NULL;
    double number;
    if (!at || !fm_text_number_read(&rest, &number) || *rest)
        return false;
    *value = number;
    *at = 0;
    return true;
}

int cli_mapping_read(const char *command, const char *option, const char *word, cli_mapping *m)
{
    *m = (cli_mapping){.ours = strdup(word), .factor = 1};
    char *sign = m->ours ? strchr(m->ours, '=') : NULL;
    if (!sign || sign == m->ours || !sign[1]) {
        fprintf(stderr, "fathom %s: %s %s: must be OURS=THEIRS[*FACTOR][+SHIFT]\n", command, option, word);
        return CLI_USAGE;
    }
    *sign = 0;
    m->theirs = sign + 1;
    bool shifted = cut_number(m->theirs, '+', &m->shift);
    m->scaled = cut_number(m->theirs, '*', &m->factor) || shifted;
    return CLI_DONE;
}
