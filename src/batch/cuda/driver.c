#include "batch/cuda/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static fm_driver driver;
static fm_nvrtc nvrtc;
static int has_driver, has_nvrtc;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *open_first(const char *const *names)
{
    void *library = NULL;
    for (; *names && !library; names++)
        library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return library;
}

/* 1: it is there. */
static int take(void *library, const char *name, void *function)
{
    void *found = library ? dlsym(library, name) : NULL;
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void open_both(void)
{
    void *cuda = open_first((const char *const[]){"libcuda.so.1", NULL});
    void *compiler = open_first((const char *const[]){"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                                                      "/usr/local/cuda/lib64/libnvrtc.so", NULL});
    has_driver = has_nvrtc = 1;
#define TAKE_DRIVER(name, arguments) has_driver &= take(cuda, #name, &driver.name);
#define TAKE_NVRTC(name, arguments) has_nvrtc &= take(compiler, #name, &nvrtc.name);
    FM_DRIVER_EACH(TAKE_DRIVER)
    FM_NVRTC_EACH(TAKE_NVRTC)
}

const fm_driver *fm_driver_find(void)
{
    (void)pthread_once(&once, open_both);
    return has_driver ? &driver : NULL;
}

const fm_nvrtc *fm_nvrtc_find(void)
{
    (void)pthread_once(&once, open_both);
    return has_nvrtc ? &nvrtc : NULL;
}
