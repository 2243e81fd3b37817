/* Trains a small policy to steer a BlueROV2 to a place through a current: an evolution strategy in plain C on
 * <fathom/batch.h>, thousands of vehicles at once in the lanes of vector registers.
 *
 *     cc train.c $(pkg-config --cflags --libs fathom) -lm -o train
 *     ./train MODEL_FOLDER curve.csv && fathom plot curve.csv -o curve.svg
 *     ./train MODEL_FOLDER curve.csv --generations 5 --pairs 16       (a short one)
 *
 * Task: the goal is 4 m away in any direction, the heading is any, and a current of up to 0.3 m/s, which the policy
 * does not see, flows any way. Cost of an episode: the mean distance to the goal over 15 s, m. Policy: 9 numbers seen
 * with noise (way to the goal in body axes, velocities, roll, pitch), 8 hidden units, 6 thrusters. Each generation
 * tries pairs of opposite steps from the policy, each on the same episodes, and moves along the steps by the ranks of
 * what they cost (Salimans et al. 2017), by Adam's rule. Every number follows from --seed. Exits 0 where the trained
 * policy costs less than half of what the untrained does, on episodes it was not trained on. */
#include <fathom/batch.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEEN = 9,
    HIDDEN = 8,
    THRUSTERS = 6,
    WEIGHTS = (SEEN + 1) * HIDDEN + (HIDDEN + 1) * THRUSTERS,
    DECISIONS = 50, /* of an episode */
    STEPS = 6,      /* of 50 ms between two decisions */
    TEST_EPISODES = 256
};
static const double goal_distance = 4, fastest_current = 0.3, strongest = 25; /* m, m/s, N of a thruster */
static const double step_size = 0.1, pace = 0.08;                             /* of the search, and of learning */

static const char scenario[] = "<fathom version='1'><world dt='0.05 s' seed='1'><water density='1000 kg/m3'/><current "
                               "velocity='0 0 0 m/s'/></world>"
                               "<vehicle name='rov' model='bluerov2' position='0 0 20 m'/></fathom>";

/* --- random numbers: by a counter, the same everywhere --- */

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static double uniform(uint64_t seed, uint64_t i) /* 0 … 1 */
{
    return (double)(mix(mix(seed) + i) >> 11) / 9007199254740992.0;
}

static double normal(uint64_t seed, uint64_t i)
{
    double sum = 0;
    for (uint64_t k = 0; k < 12; k++)
        sum += uniform(seed, 12 * i + k);
    return sum - 6;
}

/* --- the policy --- */

static double squash(double x)
{
    return x / (1 + fabs(x));
}

static void decide(const double *weights, const double *seen, double *orders)
{
    double hidden[HIDDEN];
    for (int h = 0; h < HIDDEN; h++) {
        double sum = *weights++;
        for (int i = 0; i < SEEN; i++)
            sum += *weights++ * seen[i];
        hidden[h] = squash(sum);
    }
    for (int a = 0; a < THRUSTERS; a++) {
        double sum = *weights++;
        for (int h = 0; h < HIDDEN; h++)
            sum += *weights++ * hidden[h];
        orders[a] = strongest * squash(sum);
    }
}

/* --- episodes: a column of the batch each --- */

typedef struct pool {
    fm_batch *batch;
    fm_batch_view state, current, observations, orders, seeds, ages;
    size_t count;
    double (*goals)[3]; /* m, NED */
} pool;

static double *cell(const fm_batch_view *view, int row, size_t vehicle)
{
    return (double *)view->data + row * view->strides[0] + (int64_t)vehicle * view->strides[1];
}

static fm_status open_pool(pool *p, const fm_model *model, size_t count, int threads, fm_error *error)
{
    double noise[12 + THRUSTERS] = {0.02, 0.02, 0.02, 0.005, 0.005, 0.005, 0.01, 0.01, 0.01, 0.005, 0.005, 0.005};
    fm_batch_options options = {};
    options.backend = FM_BATCH_SIMD;
    options.threads = threads;
    options.noise = noise;
    memset(p, 0, sizeof *p);
    p->count = count;
    p->goals = (double(*)[3])calloc(count, sizeof *p->goals);
    p->batch = fm_batch_create(model, count, &options, error);
    if (!p->batch || !p->goals)
        return error->status != FM_OK ? error->status : FM_ERR_MEMORY;
    const struct {
        fm_batch_field field;
        fm_batch_view *view;
    } views[] = {{FM_BATCH_STATE, &p->state},
                 {FM_BATCH_CURRENT, &p->current},
                 {FM_BATCH_OBSERVATIONS, &p->observations},
                 {FM_BATCH_ORDERS, &p->orders},
                 {FM_BATCH_SEEDS, &p->seeds}};
    fm_status status = FM_OK;
    for (size_t i = 0; i < sizeof views / sizeof *views && status == FM_OK; i++)
        status = fm_batch_map(p->batch, views[i].field, views[i].view, error);
    return status;
}

static void close_pool(pool *p)
{
    fm_batch_free(p->batch);
    free(p->goals);
}

/* Goal, heading, current and noise of an episode follow from its number. */
static void begin_episode(pool *p, size_t vehicle, uint64_t episode)
{
    double way = 6.283185307179586 * uniform(episode, 0), heading = 3.141592653589793 * uniform(episode, 1);
    double flow = 6.283185307179586 * uniform(episode, 2), speed = fastest_current * uniform(episode, 3);
    p->goals[vehicle][0] = goal_distance * cos(way);
    p->goals[vehicle][1] = goal_distance * sin(way);
    p->goals[vehicle][2] = 20 + 2 * uniform(episode, 4) - 1;
    *cell(&p->state, 3, vehicle) = cos(heading); /* quaternion of a turn by twice that about z */
    *cell(&p->state, 6, vehicle) = sin(heading);
    *cell(&p->current, 0, vehicle) = speed * cos(flow);
    *cell(&p->current, 1, vehicle) = speed * sin(flow);
    ((uint64_t *)p->seeds.data)[vehicle] = episode;
}

static void see(const pool *p, size_t i, double *seen)
{
    double o[12], way[3];
    for (int k = 0; k < 12; k++)
        o[k] = *cell(&p->observations, k, i);
    for (int k = 0; k < 3; k++)
        way[k] = p->goals[i][k] - o[k];
    double c = cos(o[5]), s = sin(o[5]);
    seen[0] = squash(c * way[0] + s * way[1]);
    seen[1] = squash(c * way[1] - s * way[0]);
    seen[2] = squash(way[2]);
    for (int k = 0; k < 3; k++)
        seen[3 + k] = o[6 + k];
    seen[6] = o[11];
    seen[7] = o[3];
    seen[8] = o[4];
}

/* Vehicle i is steered by policies[i / episodes] through episode first + i % episodes; costs[i / episodes] is the mean
 * of its episodes, m. */
static fm_status fly(pool *p, const double (*policies)[WEIGHTS], size_t episodes, uint64_t first, double *costs,
                     fm_error *error)
{
    fm_status status = fm_batch_reset(p->batch, NULL, error);
    for (size_t i = 0; i < p->count; i++)
        begin_episode(p, i, first + i % episodes);
    memset(costs, 0, p->count / episodes * sizeof *costs);
    for (int k = 0; k < DECISIONS && status == FM_OK; k++) {
        status = fm_batch_step(p->batch, STEPS,
                               error); /* the first of them without orders: then there is something to see */
        for (size_t i = 0; i < p->count; i++) {
            double seen[SEEN], orders[THRUSTERS], square = 0;
            see(p, i, seen);
            decide(policies[i / episodes], seen, orders);
            for (int a = 0; a < THRUSTERS; a++)
                *cell(&p->orders, a, i) = orders[a];
            for (int a = 0; a < 3; a++)
                square += pow(*cell(&p->state, a, i) - p->goals[i][a], 2);
            costs[i / episodes] += sqrt(square) / (double)(DECISIONS * episodes);
        }
    }
    return status;
}

/* --- learning --- */

typedef struct learner {
    double policy[WEIGHTS], mean[WEIGHTS], square[WEIGHTS]; /* and Adam's averages of the slope */
    size_t pairs;
    double (*tried)[WEIGHTS]; /* policy + step, policy − step, … */
    double *costs;
} learner;

static void try_steps(learner *l, uint64_t seed, int generation)
{
    for (size_t pair = 0; pair < l->pairs; pair++)
        for (int w = 0; w < WEIGHTS; w++) {
            double step = step_size * normal(seed + (uint64_t)generation, pair * WEIGHTS + (uint64_t)w);
            l->tried[2 * pair][w] = l->policy[w] + step;
            l->tried[2 * pair + 1][w] = l->policy[w] - step;
        }
}

/* −0.5 for the cheapest of all … 0.5 for the dearest. */
static double rank_of(const learner *l, size_t i)
{
    size_t below = 0;
    for (size_t k = 0; k < 2 * l->pairs; k++)
        below += l->costs[k] < l->costs[i] || (l->costs[k] == l->costs[i] && k < i);
    return (double)below / (double)(2 * l->pairs - 1) - 0.5;
}

static void learn(learner *l, int generation)
{
    double slope[WEIGHTS] = {0}, t = generation + 1;
    for (size_t pair = 0; pair < l->pairs; pair++) {
        double gain = rank_of(l, 2 * pair) - rank_of(l, 2 * pair + 1);
        for (int w = 0; w < WEIGHTS; w++)
            slope[w] += gain * (l->tried[2 * pair][w] - l->policy[w]);
    }
    for (int w = 0; w < WEIGHTS; w++) {
        slope[w] /= (double)l->pairs * step_size;
        l->mean[w] = 0.9 * l->mean[w] + 0.1 * slope[w];
        l->square[w] = 0.99 * l->square[w] + 0.01 * slope[w] * slope[w];
        l->policy[w] -= pace * (l->mean[w] / (1 - pow(0.9, t))) / (sqrt(l->square[w] / (1 - pow(0.99, t))) + 1e-8);
    }
}

/* --- the program --- */

typedef struct options {
    const char *models, *curve;
    long generations, pairs, episodes, threads;
    uint64_t seed;
} options;

static int read_options(int argc, char **argv, options *o)
{
    memset(o, 0, sizeof *o);
    o->generations = 60;
    o->pairs = 64;
    o->episodes = 16;
    o->threads = 1;
    o->seed = 1;
    if (argc < 3 || argc % 2 == 0)
        return 0;
    o->models = argv[1];
    o->curve = argv[2];
    for (int i = 3; i < argc; i += 2) {
        long value = strtol(argv[i + 1], NULL, 10);
        if (value < 1)
            return 0;
        if (!strcmp(argv[i], "--generations"))
            o->generations = value;
        else if (!strcmp(argv[i], "--pairs"))
            o->pairs = value;
        else if (!strcmp(argv[i], "--episodes"))
            o->episodes = value;
        else if (!strcmp(argv[i], "--threads"))
            o->threads = value;
        else if (!strcmp(argv[i], "--seed"))
            o->seed = (uint64_t)value;
        else
            return 0;
    }
    return 1;
}

static fm_status train(const options *o, pool *training, pool *test, learner *l, FILE *curve, double cost[2],
                       fm_error *error)
{
    const uint64_t unseen = 1u << 30; /* episodes from here on are for tests alone */
    fm_status status = FM_OK;
    fprintf(curve,
            "generation,policy on episodes not trained on [m],mean of its variants [m],best of its variants [m]\n");
    for (int g = 0; g <= o->generations && status == FM_OK; g++) {
        status = fly(test, (const double(*)[WEIGHTS])l->policy, TEST_EPISODES, unseen, &cost[1], error);
        if (g == 0)
            cost[0] = cost[1];
        try_steps(l, mix(o->seed), g);
        if (status == FM_OK)
            status = fly(training, (const double(*)[WEIGHTS])l->tried, (size_t)o->episodes, (uint64_t)(g * o->episodes),
                         l->costs, error);
        double mean = 0, best = INFINITY;
        for (size_t i = 0; i < 2 * l->pairs; i++) {
            mean += l->costs[i] / (double)(2 * l->pairs);
            best = fmin(best, l->costs[i]);
        }
        fprintf(curve, "%d,%.17g,%.17g,%.17g\n", g, cost[1], mean, best);
        printf("generation %3d: %.3f m on episodes not trained on\n", g, cost[1]);
        learn(l, g);
    }
    return status;
}

int main(int argc, char **argv)
{
    options o;
    if (!read_options(argc, argv, &o)) {
        fprintf(
            stderr,
            "usage: %s MODEL_FOLDER CURVE.csv [--generations N] [--pairs N] [--episodes N] [--threads N] [--seed S]\n",
            argv[0]);
        return 2;
    }
    fm_error error = {};
    pool training = {}, test = {};
    learner l = {};
    double cost[2] = {0};
    l.pairs = (size_t)o.pairs;
    l.tried = (double(*)[WEIGHTS])calloc(2 * l.pairs, sizeof *l.tried);
    l.costs = (double *)calloc(2 * l.pairs, sizeof *l.costs);
    FILE *curve = fopen(o.curve, "w");
    fm_load_options load = {};
    load.model_dirs = &o.models;
    load.model_dir_count = 1;
    fm_model *model = fm_model_load_memory(scenario, strlen(scenario), "train", &load, &error);
    fm_status status = model && curve && l.tried && l.costs ? FM_OK : FM_ERR_FILE;
    for (int w = 0; w < WEIGHTS; w++)
        l.policy[w] = 0.3 * normal(mix(o.seed + 1000003), (uint64_t)w);
    if (status == FM_OK)
        status = open_pool(&training, model, 2 * l.pairs * (size_t)o.episodes, (int)o.threads, &error);
    if (status == FM_OK)
        status = open_pool(&test, model, TEST_EPISODES, (int)o.threads, &error);
    if (status == FM_OK) {
        printf("%zu vehicles at once, %s\n", training.count, fm_batch_describe(training.batch));
        status = train(&o, &training, &test, &l, curve, cost, &error);
    }
    if (status != FM_OK)
        fprintf(stderr, "%s: %s\n", argv[0], error.text[0] ? error.text : "a file could not be opened, or no memory");
    else
        printf("untrained %.3f m, trained %.3f m from the goal on average: %.1f times nearer\n", cost[0], cost[1],
               cost[0] / cost[1]);
    if (curve && fclose(curve) != 0)
        status = FM_ERR_FILE;
    close_pool(&training);
    close_pool(&test);
    free(l.tried);
    free(l.costs);
    fm_model_free(model);
    return status == FM_OK && cost[1] < 0.5 * cost[0] ? 0 : 1;
}
