/* Loaded before a program (LD_PRELOAD), makes Embree use the instructions that EMBREE_ISA names, as on a processor that
 * has no newer ones: sse2, sse4.2, avx, avx2, avx512. For scripts/test-same-bits. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef void *new_device(const char *config);

__attribute__((visibility("default"))) void *rtcNewDevice(const char *config);

void *rtcNewDevice(const char *config)
{
    char text[256];
    const char *isa = getenv("EMBREE_ISA");
    new_device *original = (new_device *)dlsym(RTLD_NEXT, "rtcNewDevice");
    snprintf(text, sizeof text, "%s%s%s", config ? config : "", isa ? ",isa=" : "", isa ? isa : "");
    return original(text);
}
