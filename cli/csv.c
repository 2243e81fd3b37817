#include "csv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"

typedef struct csv_file {
    FILE *out;        /* NULL: not opened yet */
    uint64_t written; /* tick of the last row + 1 */
    char name[64];
} csv_file;

struct cli_csv {
    char dir[900];
    uint64_t stride; /* ticks between rows; 0: the vehicle's period */
    int count, failed;
    csv_file *files; /* one per slot */
};

static void write_header(FILE *out, const fm_world *world, int slot)
{
    fputs("t,x,y,z,phi,theta,psi,u,v,w,p,q,r", out);
    for (size_t i = 0; i < fm_world_column_count(world, slot); i++)
        fprintf(out, ",%s", fm_world_column_name(world, slot, i));
    fputc('\n', out);
}

static fm_status open_file(cli_csv *csv, const fm_world *world, int slot, fm_error *error)
{
    csv_file *file = &csv->files[slot];
    char path[1024];
    snprintf(file->name, sizeof file->name, "%s", fm_world_name(world, slot));
    snprintf(path, sizeof path, "%s/%s.csv", csv->dir, file->name);
    file->out = fopen(path, "w");
    file->written = 0;
    if (!file->out) {
        csv->failed = 1;
        return fm_fail(error, FM_ERR_FILE, "--csv: %s: %s", path, strerror(errno));
    }
    setvbuf(file->out, NULL, _IOFBF, 1 << 16);
    write_header(file->out, world, slot);
    return FM_OK;
}

static int make_folder(const char *dir)
{
    struct stat found;
    if (mkdir(dir, 0777) == 0)
        return 1;
    if (errno != EEXIST || stat(dir, &found) != 0)
        return 0;
    errno = ENOTDIR;
    return S_ISDIR(found.st_mode);
}

cli_csv *cli_csv_open(const char *dir, const fm_world *world, double rate)
{
    if (!make_folder(dir)) {
        fprintf(stderr, "fathom run: --csv %s: %s\n", dir, strerror(errno));
        return NULL;
    }
    cli_csv *csv = calloc(1, sizeof *csv);
    int slots = fm_world_slots(world);
    csv_file *files = calloc((size_t)slots + 1, sizeof *files);
    if (!csv || !files || strlen(dir) >= sizeof csv->dir) {
        fprintf(stderr, "fathom run: --csv %s: %s\n", dir, csv && files ? "the name is too long" : "out of memory");
        free(csv);
        free(files);
        return NULL;
    }
    csv->count = slots;
    csv->files = files;
    snprintf(csv->dir, sizeof csv->dir, "%s", dir);
    if (rate > 0) {
        double ticks = floor(1 / (rate * fm_model_dt(fm_world_model(world))) + 0.5);
        csv->stride = ticks < 1 ? 1 : (uint64_t)ticks;
    }
    return csv;
}

static void write_row(FILE *out, const fm_world *world, int slot)
{
    fm_pose p;
    fm_world_pose(world, slot, &p);
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", fm_world_time(world),
            p.position[0], p.position[1], p.position[2], p.euler[0], p.euler[1], p.euler[2], p.velocity[0],
            p.velocity[1], p.velocity[2], p.velocity[3], p.velocity[4], p.velocity[5]);
    for (size_t i = 0; i < fm_world_column_count(world, slot); i++)
        fprintf(out, ",%.17g", fm_world_column(world, slot, i));
    fputc('\n', out);
}

fm_status cli_csv_write(cli_csv *csv, const fm_world *world, int last, fm_error *error)
{
    uint64_t tick = fm_world_tick(world);
    if (csv->failed)
        return FM_OK; /* told before */
    for (int slot = 0; slot < csv->count; slot++) {
        const char *name = fm_world_name(world, slot);
        csv_file *file = &csv->files[slot];
        if (!name)
            continue;
        if (file->out && strcmp(name, file->name) != 0) { /* another vehicle has taken the slot */
            csv->failed |= fclose(file->out) != 0;
            file->out = NULL;
        }
        if (!file->out && open_file(csv, world, slot, error) != FM_OK)
            return error->status;
        uint64_t stride = csv->stride ? csv->stride : fm_world_period(world, slot);
        if (file->written == tick + 1 || (tick % stride != 0 && !last && file->written))
            continue;
        errno = 0;
        write_row(file->out, world, slot);
        if (ferror(file->out)) {
            csv->failed = 1;
            return fm_fail(error, FM_ERR_FILE, "--csv: %s/%s.csv: %s", csv->dir, file->name, strerror(errno));
        }
        file->written = tick + 1;
    }
    return FM_OK;
}

int cli_csv_close(cli_csv *csv)
{
    for (int slot = 0; slot < csv->count; slot++) {
        csv_file *file = &csv->files[slot];
        if (file->out && fclose(file->out) != 0 && !csv->failed) {
            fprintf(stderr, "fathom run: %s/%s.csv could not be written: %s\n", csv->dir, file->name, strerror(errno));
            csv->failed = 1;
        }
    }
    int failed = csv->failed;
    free(csv->files);
    free(csv);
    return !failed;
}
