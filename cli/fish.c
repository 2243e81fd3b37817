/* `fathom fish`: servo table and body of a robotic fish, as files for a real one or for modelling tools. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/outfile.h"
#include "commands.h"
#include "fish/body.h"
#include "inputs.h"
#include "kinds/fish.h"
#include "scenario.h"

typedef struct request {
    cli_scenario scenario;
    const char *model, *table, *mesh, *skin;
    double bend; /* cycles; below 0: straight */
} request;

static const cli_option argument_table[] = {
    {"MODEL|SCENARIO.xml", CLI_FIELD(request, model), .noun = "model", .path = CLI_FILE, .endings = ".xml",
     .text = "a model, or a scenario with a fish; default: robotic-fish"},
};

static const cli_option option_table[] = {
    {"table", CLI_FIELD(request, table), .value = "FILE.csv", .path = CLI_FILE, .endings = ".csv",
     .text = "rows of phase and joint angles in degrees"},
    {"mesh", CLI_FIELD(request, mesh), .value = "FILE", .path = CLI_FILE, .endings = ".obj .gltf", .checked = true,
     .text = "triangles with texture coordinates: .obj or .gltf"},
    {"bend", CLI_FIELD(request, bend), .value = "CYCLES", .min = 0, .max = 1, .needs = "mesh",
     .text = "bend the mesh as at this phase of the beat; default: straight"},
    {"skin", CLI_FIELD(request, skin), .value = "FILE.png", .path = CLI_FILE, .endings = ".png", .checked = true,
     .text = "the default skin as an image"},
    {"set", CLI_FIELD(request, scenario.sets), .value = "PATH=VALUE",
     .text = "set a parameter of the scenario (/fish/wave/c1 of a model); may be repeated"},
};

const cli_command cli_fish_command = {
    .name = "fish",
    .section = "tools",
    .text = "servo table and mesh of a robotic fish",
    .about = "Writes the servo table and the body of the fish of a model, or of the first fish of a scenario, and "
             "prints the values derived from its traverse points.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom fish --table servo.csv --mesh fish.obj --bend 0.25\n",
    .main = cli_fish,
};

static int ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

/* A model is wrapped in a scenario of its own. */
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
        if (fm_fish_of(&model->types[i]))
            return fm_fish_of(&model->types[i]);
    return NULL;
}

static fm_status bend_mesh(fm_fish_mesh *mesh, const fm_fish_config *fish, double cycles, fm_error *error)
{
    double angle[FM_FISH_JOINTS_MOST], slope[FM_FISH_JOINTS_MOST];
    double *position = fm_alloc(3 * mesh->vertices * sizeof *position),
           *normal = fm_alloc(3 * mesh->vertices * sizeof *normal);
    fm_status status = position && normal ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for the mesh");
    if (status == FM_OK) {
        fm_fish_play(fish->table.angle, fish->table.rows, fish->table.tail.joints, cycles, angle, slope);
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
    status = fm_outfile_write(path, png, size, error);
    fm_free(png);
    return status;
}

static fm_status tell(const fm_fish_config *fish, fm_error *error)
{
    fm_fish_measures m;
    fm_status status = fm_fish_shape_measure(&fish->shape, &m, error);
    if (status != FM_OK)
        return status;
    const int joints = fish->shape.tail.joints;
    printf("length        %.4g m (head %.4g m), %d joint%s\n", fish->shape.head_length + fish->par.tail_length,
           fish->shape.head_length, joints, joints == 1 ? "" : "s");
    printf("volume        %.4g m3, mass %.4g kg\n", m.volume, fish->par.mass);
    printf("wetted area   %.4g m2 by the points, %.4g m2 in the drag\n", m.wetted_area, fish->par.wetted_area);
    printf("boxes         head %.4g x %.4g x %.4g m, tail %.4g x %.4g m\n", m.head_box[0], m.head_box[1], m.head_box[2],
           m.tail_box[0], m.tail_box[1]);
    printf("top speed     %.4g m/s at %.4g Hz by (H6)\n", fm_fish_top_speed(&fish->par, fish->par.frequency_max),
           fish->par.frequency_max);
    return FM_OK;
}

static bool outputs_apart(const request *r, const fm_model *model)
{
    return (!r->table || cli_output_apart_from_model("fish", "--table", r->table, model)) &&
           (!r->skin || cli_output_apart_from_model("fish", "--skin", r->skin, model)) &&
           (!r->mesh || cli_output_apart_from_model("fish", "--mesh", r->mesh, model));
}

int cli_fish(int argc, char **argv)
{
    request r = {.bend = -1};
    int usage;
    if (!cli_options_read(&cli_fish_command, argc, argv, &r, &usage))
        return usage;
    fm_error error = {0};
    fm_model *model = load_fish(&r);
    if (!model)
        return CLI_FAILED;
    if (!outputs_apart(&r, model))
        return fm_model_free(model), CLI_USAGE;
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
