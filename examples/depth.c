/* Runs a scenario and prints the depth of its first vehicle every ten seconds.
 *
 *     cc depth.c $(pkg-config --cflags --libs fathom) -o depth
 *     ./depth SCENARIO.xml [MODEL_FOLDER] */
#include <fathom/fathom.h>
#include <stdio.h>

static int fail(const fm_error *error)
{
    fprintf(stderr, "%s:%d: %s\n", error->file, error->line, error->text);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s SCENARIO.xml [MODEL_FOLDER]\n", argv[0]);
        return 2;
    }
    fm_error error = {};
    const char *const folders[] = {argc > 2 ? argv[2] : "."};
    fm_load_options options = {};
    options.model_dirs = folders;
    options.model_dir_count = 1;
    fm_model *model = fm_model_load(argv[1], &options, &error);
    if (!model)
        return fail(&error);
    fm_world *world = fm_world_create(model, NULL, &error);
    if (!world) {
        fm_model_free(model);
        return fail(&error);
    }
    fm_status status = FM_OK;
    for (double t = 0; status == FM_OK && t <= fm_model_duration(model); t += 10) {
        fm_pose pose;
        status = fm_world_run_until(world, t, &error);
        if (status == FM_OK && fm_world_pose(world, 0, &pose) == FM_OK)
            printf("%8.2f s  %s at %8.3f m\n", fm_world_time(world), fm_world_name(world, 0), pose.position[2]);
    }
    fm_world_free(world);
    fm_model_free(model);
    return status == FM_OK ? 0 : fail(&error);
}
