#include "batch/cuda/programs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch/cuda/blocks.h"
#include "batch/cuda/driver.h"

enum { SOURCES_MOST = 512, OPTIONS_MOST = 8, PATH_ROOM = 4096 };

static const struct {
    const char *text;
    const char *definitions[3];
} programs[FM_PROGRAMS] = {
    [FM_PROGRAM_TABLE] = {"#include \"batch/cuda/kernel.h\"\n", {"-DFM_TABLE", "-DFM_FEELS=0"}},
    [FM_PROGRAM_BODY] = {"#include \"batch/cuda/kernel.h\"\n", {"-DFM_FEELS=0"}},
    [FM_PROGRAM_FELT] = {"#include \"batch/cuda/kernel.h\"\n", {"-DFM_FEELS=1"}},
    [FM_PROGRAM_CHAIN] = {"#include \"batch/cuda/kernel.h\"\n", {"-DFM_CHAIN", "-DFM_FEELS=0"}},
    [FM_PROGRAM_FEELER_FLOW] = {"#include \"batch/cuda/kernel.h\"\n", {"-DFM_CHAIN", "-DFM_FEELS=1"}},
    [FM_PROGRAM_OWN] = {"#include \"batch/cuda/kernel.h\"\n", {"-DFM_CHAIN", "-DFM_OWN_BODY"}},
    [FM_PROGRAM_ENV] = {"#include \"batch/cuda/env.h\"\n", {NULL}},
    [FM_PROGRAM_FAST] = {"#include \"batch/cuda/fast.h\"\n", {"-DFM_BAKED"}},
};

/* --- compiling --- */

/* The compiler's message, from its first error on. */
static void take_log(const fm_nvrtc *n, void *program, char *why, size_t why_size)
{
    size_t size = 0;
    char *log = n->nvrtcGetProgramLogSize(program, &size) == 0 && size ? malloc(size + 1) : NULL;
    if (!log || n->nvrtcGetProgramLog(program, log) != 0) {
        snprintf(why, why_size, "NVRTC refuses the kernel and does not say why");
    } else {
        const char *error = strstr(log, "error");
        snprintf(why, why_size, "NVRTC refuses the kernel: %s", error ? error : log);
    }
    free(log);
}

static char *take_binary(const fm_nvrtc *n, void *program, size_t *size, char *why, size_t why_size)
{
    char *binary = n->nvrtcGetCUBINSize(program, size) == 0 ? malloc(*size + 1) : NULL;
    if (binary && (*size == 0 || n->nvrtcGetCUBIN(program, binary) == 0))
        return binary;
    free(binary);
    snprintf(why, why_size, "NVRTC gives no binary");
    return NULL;
}

static int list_options(enum fm_cuda_program program, int single, const char *architecture, const char **options)
{
    int count = 0;
    options[count++] = architecture;
    options[count++] = "-std=c++17";
    options[count++] = "--device-as-default-execution-space";
    options[count++] = single ? "-DFM_FLOAT" : "-DFM_DOUBLE";
    for (int i = 0; i < 3 && programs[program].definitions[i]; i++)
        options[count++] = programs[program].definitions[i];
    return count;
}

char *fm_program_compile(enum fm_cuda_program program, int single, const char *architecture, const char *baked,
                         size_t *size, char *why, size_t why_size)
{
    const fm_nvrtc *n = fm_nvrtc_find();
    const char *names[SOURCES_MOST], *texts[SOURCES_MOST], *options[OPTIONS_MOST];
    char target[64];
    int count = 0;
    void *made = NULL;
    if (!n) {
        snprintf(why, why_size, "NVRTC (libnvrtc.so) was not found");
        return NULL;
    }
    for (; fm_cuda_sources[count][0] && count < SOURCES_MOST - 1; count++) {
        names[count] = fm_cuda_sources[count][0];
        texts[count] = fm_cuda_sources[count][1];
    }
    if (baked) {
        names[count] = "baked.h";
        texts[count++] = baked;
    }
    snprintf(target, sizeof target, "--gpu-architecture=%s", architecture);
    const int option_count = list_options(program, single, target, options);
    char *binary = NULL;
    if (n->nvrtcCreateProgram(&made, programs[program].text, "fathom.cu", count, texts, names) != 0) {
        snprintf(why, why_size, "NVRTC takes no program");
        return NULL;
    }
    if (n->nvrtcCompileProgram(made, option_count, options) == 0)
        binary = take_binary(n, made, size, why, why_size);
    else
        take_log(n, made, why, why_size);
    n->nvrtcDestroyProgram(&made);
    return binary;
}

/* --- the cache --- */

/* FNV-1a, over a text and its end. */
static uint64_t mix(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    while (*text++);
    return hash;
}

/* Of all that a binary depends on. */
static uint64_t identify(enum fm_cuda_program program, int single, const char *architecture)
{
    const fm_nvrtc *n = fm_nvrtc_find();
    const char *options[OPTIONS_MOST];
    char version[32];
    int major = 0, minor = 0;
    (void)(n && n->nvrtcVersion(&major, &minor));
    snprintf(version, sizeof version, "%d.%d", major, minor);
    uint64_t hash = mix(mix(0xcbf29ce484222325u, version), programs[program].text);
    const int count = list_options(program, single, architecture, options);
    for (int i = 0; i < count; i++)
        hash = mix(hash, options[i]);
    for (size_t i = 0; fm_cuda_sources[i][0]; i++)
        hash = mix(mix(hash, fm_cuda_sources[i][0]), fm_cuda_sources[i][1]);
    return hash;
}

/* The cache's folder, created if it is missing; 0: none. */
static int find_folder(char folder[PATH_ROOM])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = cache && *cache == '/' ? snprintf(folder, PATH_ROOM, "%s", cache)
                 : home && *home == '/' ? snprintf(folder, PATH_ROOM, "%s/.cache", home)
                                        : 0;
    if (length <= 0 || length > PATH_ROOM - 64)
        return 0;
    (void)mkdir(folder, 0755);
    strcat(folder, "/fathom");
    (void)mkdir(folder, 0755);
    return access(folder, W_OK) == 0;
}

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long length = -1;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);
    rewind(file);
    if (length > 0 && (bytes = malloc((size_t)length)) && fread(bytes, 1, (size_t)length, file) != (size_t)length) {
        free(bytes);
        bytes = NULL;
    }
    (void)fclose(file);
    *size = bytes ? (size_t)length : 0;
    return bytes;
}

/* All or nothing: others may read at the same time. */
static void write_file(const char *path, const char *bytes, size_t size)
{
    char beside[PATH_ROOM + 64];
    snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(beside, "wb");
    if (!file)
        return;
    const int written = fwrite(bytes, 1, size, file) == size;
    if (fclose(file) != 0 || !written || rename(beside, path) != 0)
        (void)unlink(beside);
}

char *fm_program_find(enum fm_cuda_program program, int single, const char *architecture, size_t *size, char *why,
                      size_t why_size)
{
    char folder[PATH_ROOM], path[PATH_ROOM + 64] = "";
    if (find_folder(folder))
        snprintf(path, sizeof path, "%s/%016llx.cubin", folder,
                 (unsigned long long)identify(program, single, architecture));
    char *binary = *path ? read_file(path, size) : NULL;
    if (binary)
        return binary;
    binary = fm_program_compile(program, single, architecture, NULL, size, why, why_size);
    if (binary && *path)
        write_file(path, binary, *size);
    return binary;
}
