/* On-board prediction: the vehicle's own software runs the same physics ahead, from its estimated state, and turns away
 * before it would strike a wall.
 *
 *     cc predictor.c $(pkg-config --cflags --libs fathom) -lm -o predictor
 *     ./predictor MODEL_FOLDER            avoids the wall
 *     ./predictor MODEL_FOLDER --blind    keeps its course and strikes it
 *
 * Two worlds: the sea, with a current; and the sandbox inside the vehicle, which knows the hull and the chart (the
 * wall) but not the current. Once a second the sandbox is put at the navigation's estimate (position, attitude and
 * velocity with errors) and every manoeuvre of a short list is tried for 25 s; the first that keeps clear is ordered,
 * or else the one that keeps clear the furthest. Exits 0 where the wall was not touched. */
#include <fathom/fathom.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)
#define RPM (2 * 3.14159265358979323846 / 60)

static const char scenario[] = "<fathom version='1'><world dt='0.05 s' duration='120 s' seed='1'>"
                               "<water density='1025 kg/m3'/><current velocity='0.1 0.05 0 m/s'/>"
                               "<wall name='wall' position='40 0 0 m' normal='-1 0 0'/></world>"
                               "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 5 m' velocity='0.6 0 0 m/s'>"
                               "<contact response='impulse' clearance='true'/></vehicle></fathom>";

/* --- manoeuvres: the first is preferred --- */

static const struct manoeuvre {
    const char *name;
    double rpm, rudder; /* 1/min; degrees, positive turns to starboard */
} manoeuvres[] = {{"straight on", 700, 0}, {"to starboard", 700, 20}, {"to port", 700, -20}, {"astern", -700, 0}};
enum { MANOEUVRES = sizeof manoeuvres / sizeof manoeuvres[0] };

static const double horizon = 25; /* s */
static const double margin = 4;   /* m, clearance wanted */

static fm_status order(fm_world *world, const struct manoeuvre *m, fm_error *error)
{
    fm_status status = fm_world_order(world, "phoenix", "propellers", m->rpm * RPM, error);
    if (status == FM_OK)
        status = fm_world_order(world, "phoenix", "bow-rudder", m->rudder * DEGREE, error);
    if (status == FM_OK)
        status = fm_world_order(world, "phoenix", "stern-rudder", -m->rudder * DEGREE, error);
    return status;
}

static double metric(const fm_world *world, const char *name)
{
    for (size_t i = 0; i < fm_world_metric_count(world, 0); i++)
        if (strcmp(fm_world_metric(world, 0, i).name, name) == 0)
            return fm_world_metric(world, 0, i).value;
    return NAN;
}

/* --- navigation: the true state with errors, the same in every run --- */

static double normal(uint64_t *state)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(*state >> 11) / 9007199254740992.0;
    }
    return sum - 6;
}

static void estimate(const fm_world *sea, uint64_t *state, fm_pose *pose)
{
    fm_world_pose(sea, 0, pose);
    for (int i = 0; i < 3; i++) {
        pose->position[i] += 0.2 * normal(state);  /* m */
        pose->velocity[i] += 0.02 * normal(state); /* m/s */
        pose->velocity[3 + i] += 0.002 * normal(state);
    }
    double half = 0.5 * DEGREE * normal(state), w = pose->attitude[0], z = pose->attitude[3]; /* heading, 1 degree */
    double x = pose->attitude[1], y = pose->attitude[2];
    pose->attitude[0] = w * cos(half) - z * sin(half);
    pose->attitude[1] = x * cos(half) - y * sin(half);
    pose->attitude[2] = y * cos(half) + x * sin(half);
    pose->attitude[3] = z * cos(half) + w * sin(half);
}

/* --- the predictor --- */

typedef struct predictor {
    fm_world *sandbox;
    unsigned char birth[65536]; /* its state at birth */
} predictor;

/* The least distance to the wall if this is done for the horizon, m. */
static fm_status predict(predictor *p, const fm_pose *from, const struct manoeuvre *m, double *clearance,
                         fm_error *error)
{
    fm_status status = fm_world_restore(p->sandbox, p->birth, sizeof p->birth, error);
    if (status == FM_OK)
        status = fm_world_place(p->sandbox, "phoenix", from, error);
    if (status == FM_OK)
        status = order(p->sandbox, m, error);
    if (status == FM_OK)
        status = fm_world_run_until(p->sandbox, horizon, error);
    *clearance = metric(p->sandbox, "contacts") > 0 ? 0 : metric(p->sandbox, "min_clearance");
    return status;
}

static fm_status choose(predictor *p, const fm_pose *from, int *choice, double *clearance, fm_error *error)
{
    double best = -1;
    for (int i = 0; i < MANOEUVRES; i++) {
        double distance;
        fm_status status = predict(p, from, &manoeuvres[i], &distance, error);
        if (status != FM_OK)
            return status;
        if (distance > best) {
            best = distance;
            *choice = i;
            *clearance = distance;
        }
        if (distance >= margin)
            return FM_OK;
    }
    return FM_OK;
}

static fm_status sail(fm_world *sea, predictor *p, int blind, fm_error *error)
{
    uint64_t noise = 1;
    int last = -1;
    for (int second = 0; second < 120; second++) {
        int choice = 0;
        double clearance = NAN;
        fm_pose pose;
        estimate(sea, &noise, &pose);
        fm_status status = blind ? FM_OK : choose(p, &pose, &choice, &clearance, error);
        if (status == FM_OK)
            status = order(sea, &manoeuvres[choice], error);
        if (status == FM_OK)
            status = fm_world_run_until(sea, second + 1, error);
        if (status != FM_OK)
            return status;
        if (choice != last)
            printf("%4d s  %-13s (predicted clearance %.1f m)\n", second, manoeuvres[choice].name, clearance);
        last = choice;
    }
    return FM_OK;
}

static fm_model *load(const char *folder, const char *set, fm_error *error)
{
    const char *const folders[] = {folder}, *const sets[] = {set};
    fm_load_options options = {};
    options.model_dirs = folders;
    options.model_dir_count = 1;
    options.set = sets;
    options.set_count = set ? 1 : 0;
    return fm_model_load_memory(scenario, sizeof scenario - 1, "predictor", &options, error);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s MODEL_FOLDER [--blind]\n", argv[0]);
        return 2;
    }
    static predictor p;
    fm_error error = {};
    fm_model *truth = load(argv[1], NULL, &error),
             *chart = truth ? load(argv[1], "/current/velocity=0 0 0 m/s", &error) : NULL;
    fm_world *sea = chart ? fm_world_create(truth, NULL, &error) : NULL;
    p.sandbox = sea ? fm_world_create(chart, NULL, &error) : NULL;
    fm_status status = p.sandbox ? FM_OK : error.status;
    if (p.sandbox)
        status = fm_world_save(p.sandbox, p.birth, sizeof p.birth, &error);
    if (status == FM_OK)
        status = sail(sea, &p, argc > 2 && strcmp(argv[2], "--blind") == 0, &error);
    double contacts = sea ? metric(sea, "contacts") : NAN, clearance = sea ? metric(sea, "min_clearance") : NAN;
    if (status != FM_OK)
        fprintf(stderr, "%s:%d: %s\n", error.file, error.line, error.text);
    else
        printf(contacts > 0 ? "struck the wall %.0f times\n" : "kept clear of the wall, at least %.2f m\n",
               contacts > 0 ? contacts : clearance);
    fm_world_free(p.sandbox);
    fm_world_free(sea);
    fm_model_free(chart);
    fm_model_free(truth);
    return status != FM_OK ? 2 : contacts > 0;
}
