#include "suggest.h"

#include "base/text.h"

const char *cli_nearest(const char *word, const char *const *names, size_t count)
{
    fm_nearest nearest = {.wanted = word};
    for (size_t i = 0; i < count; i++)
        fm_nearest_offer(&nearest, names[i]);
    return nearest.count ? nearest.names[0] : NULL;
}
