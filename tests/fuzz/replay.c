/* Runs every stored input of a fuzzer once: the fuzzer's corpus as an ordinary test.
 * usage: fuzz_x FOLDER. Prints its count as cmocka does, so that scripts/ctest-counted adds it up. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode)) {
        if (file)
            fclose(file);
        return 0;
    }
    size_t size = (size_t)info.st_size;
    uint8_t *data = malloc(size ? size : 1);
    if (!data || fread(data, 1, size, file) != size) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}

int main(int argc, char **argv)
{
    struct dirent **entries;
    int count = argc == 2 ? scandir(argv[1], &entries, NULL, alphasort) : -1;
    if (count < 0) {
        fprintf(stderr, "usage: %s FOLDER (a readable folder of stored inputs)\n", argv[0]);
        return 2;
    }
    int run = 0;
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entries[i]->d_name);
        run += replay_file(path);
        free(entries[i]);
    }
    free(entries);
    fprintf(stderr, "[  PASSED  ] %d test(s).\n", run);
    return run > 0 ? 0 : 1;
}
