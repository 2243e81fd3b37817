/* A program outside Fathom's tree: only the installed header and library. */
#include <fathom/status.h>
#include <stdio.h>

int main(void)
{
    puts(fm_status_name(FM_OK));
    return 0;
}
