#include <fathom/version.h>

int fm_version(void)
{
    return FM_VERSION_NUMBER;
}

const char *fm_version_text(void)
{
    return FATHOM_VERSION;
}
