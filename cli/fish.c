/* `fathom fish`: servo table and body of a robotic fish, as files that a real one (or a modeller) could use. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "commands.h"
#include "fish/body.h"
#include "kinds/fish.h"
#include "scenario.h"
#include "suggest.h"

static const char help[] =
    "usage: fathom fish [MODEL | SCENARIO.xml] [--table FILE.csv] [--mesh FILE.obj|FILE.gltf] [OPTIONS]\n\n"
    "Writes the servo table and the body of a fish of a model (default robotic-fish) or of the first fish of a "
    "scenario, and\n"
    "prints what follows from its traverse points.\n\n"
    "  --table FILE.csv     rows of phase and four joint angles in degrees\n"
    "  --mesh FILE          triangles with texture coordinates: .obj or .gltf\n"
    "  --bend CYCLES        bend the mesh as at this phase of the beat (0 … 1); default: straight\n"
    "  --skin FILE.png      the default skin as an image\n"
    "  --set PATH=VALUE     set a parameter of the scenario (/fish/wave/c1 of a model); may be repeated";

typedef struct request {
    cli_scenario scenario;
    const char *model, *table, *mesh, *skin;
    double bend; /* cycles; below 0: straight */
} request;

static const char *const option_names[] = {"--table", "--mesh", "--bend", "--skin", "--set", "--help"};

static int is_option(const char *word)
{
    for (size_t i = 0; i < sizeof option_names / sizeof *option_names; i++)
        if (!strcmp(word, option_names[i]))
            return 1;
    return 0;
}

static int ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static int unknown_option(const char *word)
{
    const char *near = cli_nearest(word, option_names, sizeof option_names / sizeof *option_names);
    fprintf(stderr, "fathom fish: unknown option '%s'", word);
    if (near)
        fprintf(stderr, "; did you mean '%s'?", near);
    fputc('\n', stderr);
    return 0;
}

static int read_valued(request *r, const char *name, const char *value)
{
    if (!strcmp(name, "--table"))
        return r->table = value, 1;
    if (!strcmp(name, "--bend"))
        return cli_number("fish", name, value, 0, 1, &r->bend);
    if (!strcmp(name, "--mesh")) {
        r->mesh = value;
        return ends_in(value, ".obj") || ends_in(value, ".gltf") ||
               (fprintf(stderr, "fathom fish: --mesh: found '%s', accepted are names that end in .obj or .gltf\n",
                        value),
                0);
    }
    if (!strcmp(name, "--skin")) {
        r->skin = value;
        return ends_in(value, ".png") ||
               (fprintf(stderr, "fathom fish: --skin: found '%s', accepted are names that end in .png\n", value), 0);
    }
    if (r->scenario.set_count == CLI_SETS_MOST)
        return fprintf(stderr, "fathom fish: at most %d --set options\n", CLI_SETS_MOST), 0;
    r->scenario.sets[r->scenario.set_count++] = value;
    return 1;
}

static int read_request(int argc, char **argv, request *r)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (word[0] != '-' && r->model)
            return fprintf(stderr, "fathom fish: one model at a time, found '%s' and '%s'\n", r->model, word), 0;
        if (word[0] != '-')
            r->model = word;
        else if (!is_option(word))
            return unknown_option(word);
        else if (i + 1 >= argc)
            return fprintf(stderr, "fathom fish: %s needs a value\n", word), 0;
        else if (!read_valued(r, word, argv[++i]))
            return 0;
    }
    return 1;
}

/* A model is put into a scenario of its own. */
static fm_model *load_fish(request *r)
{
    const char *name = r->model ? r->model : "robotic-fish";
    r->scenario.file = name;
    if (ends_in(name, ".xml"))
        return cli_load(&r->scenario);
    char text[400];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s'><water density='1000 kg/m3'/></world><vehicle name='fish' "
             "model='%.100s'/></fathom>",
             name);
    return cli_load_text_with(text, &r->scenario);
}

static const fm_fish_config *find_fish(const fm_model *model)
{
    for (size_t i = 0; i < model->type_count; i++)
        if (model->types[i].kind == &fm_kind_fish)
            return model->types[i].kind_config;
    return NULL;
}

static fm_status bend_mesh(fm_fish_mesh *mesh, const fm_fish_config *fish, double cycles, fm_error *error)
{
    double angle[4], slope[4], *position = fm_alloc(3 * mesh->vertices * sizeof *position),
                               *normal = fm_alloc(3 * mesh->vertices * sizeof *normal);
    fm_status status = position && normal ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for the mesh");
    if (status == FM_OK) {
        fm_fish_play(fish->table.angle, fish->table.rows, cycles, angle, slope);
        fm_fish_mesh_bend(mesh, &fish->shape, angle, position, normal);
        memcpy(mesh->position, position, 3 * mesh->vertices * sizeof *position);
        memcpy(mesh->normal, normal, 3 * mesh->vertices * sizeof *normal);
    }
    fm_free(position);
    fm_free(normal);
    return status;
}

static fm_status write_mesh(const fm_fish_config *fish, const request *r, fm_error *error)
{
    fm_fish_mesh mesh;
    fm_status status = fm_fish_mesh_build(&mesh, &fish->shape, 96, 48, error);
    if (status != FM_OK)
        return status;
    if (r->bend >= 0)
        status = bend_mesh(&mesh, fish, r->bend, error);
    if (status == FM_OK)
        status = ends_in(r->mesh, ".obj") ? fm_fish_save_obj(&mesh, r->mesh, r->skin, error)
                                          : fm_fish_save_gltf(&mesh, r->mesh, error);
    fm_fish_mesh_free(&mesh);
    return status;
}

static fm_status write_skin(const char *path, fm_error *error)
{
    uint8_t *png = NULL;
    size_t size = 0;
    fm_status status = fm_fish_texture(&png, &size, 512, 256, error);
    if (status != FM_OK)
        return status;
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(png, 1, size, out) != size)
        status = fm_fail(error, FM_ERR_FILE, "%s: cannot be written: %s", path, strerror(errno));
    if (out && fclose(out) != 0 && status == FM_OK)
        status = fm_fail(error, FM_ERR_FILE, "%s: cannot be written: %s", path, strerror(errno));
    fm_free(png);
    return status;
}

static fm_status tell(const fm_fish_config *fish, fm_error *error)
{
    fm_fish_measures m;
    fm_status status = fm_fish_shape_measure(&fish->shape, &m, error);
    if (status != FM_OK)
        return status;
    printf("length        %.4g m (head %.4g m)\n", fish->shape.head_length + fish->par.tail_length,
           fish->shape.head_length);
    printf("volume        %.4g m3, mass %.4g kg\n", m.volume, fish->par.mass);
    printf("wetted area   %.4g m2 by the points, %.4g m2 in the drag\n", m.wetted_area, fish->par.wetted_area);
    printf("boxes         head %.4g x %.4g x %.4g m, tail %.4g x %.4g m\n", m.head_box[0], m.head_box[1], m.head_box[2],
           m.tail_box[0], m.tail_box[1]);
    printf("top speed     %.4g m/s at %.4g Hz\n", fm_fish_top_speed(&fish->par, fish->par.frequency_max),
           fish->par.frequency_max);
    return FM_OK;
}

int cli_fish(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return puts(help), CLI_DONE;
    request r = {.bend = -1};
    fm_error error = {0};
    if (!read_request(argc, argv, &r))
        return CLI_USAGE;
    fm_model *model = load_fish(&r);
    if (!model)
        return CLI_FAILED;
    const fm_fish_config *fish = find_fish(model);
    fm_status status =
        fish ? tell(fish, &error)
             : fm_fail(&error, FM_ERR_MODEL, "%s has no vehicle of kind fish", r.model ? r.model : "robotic-fish");
    if (status == FM_OK && r.table)
        status = fm_servo_table_save(&fish->table, r.table, &error);
    if (status == FM_OK && r.skin)
        status = write_skin(r.skin, &error);
    if (status == FM_OK && r.mesh)
        status = write_mesh(fish, &r, &error);
    if (status != FM_OK)
        cli_print_error(&error);
    fm_model_free(model);
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}
