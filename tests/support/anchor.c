/* Every test program works in the folder it lies in, from wherever it is started, so that FATHOM_SOURCE_DIR and
 * TEST_DATA can be relative paths: objects are the same in every checkout, and a compiler cache serves them all. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void work_beside_the_program(void)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        abort();
    path[length] = 0;
    *strrchr(path, '/') = 0;
    if (chdir(path) != 0)
        abort();
}
