/* Searches and fits by a program of another project, for test_studies.sh; public headers alone.
 *
 *   studies ask                             a search without a model: the caller evaluates
 *   studies search SCENARIO TABLE           makes the search whose points `fathom optimise --csv TABLE` wrote
 *   studies fit SCENARIO LOG VALUES         makes the fit whose values `fathom identify --set-list VALUES` wrote
 *   studies cancel SCENARIO                 another thread cancels a search */
#include <fathom/fathom.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const fm_error *error)
{
    fprintf(stderr, "%s\n", error->text);
    return 1;
}

/* --- ask and tell --- */

static int ask(void)
{
    static const char *const vary[] = {"a=-2:2", "b=-2:2"};
    fm_search_options options = {
        .size = sizeof options, .vary = vary, .vary_count = 2, .told_constraints = 1, .generations = 200};
    fm_error error = {0};
    fm_search *search = fm_search_create(NULL, &options, &error);
    double points[256], values[256];
    size_t count;
    if (!search)
        return fail(&error);
    while ((count = fm_search_ask(search, points, 128)) > 0) {
        for (size_t k = 0; k < count; k++) { /* a bowl at (1, 1), of which a + b < 1 is allowed */
            values[2 * k] = pow(points[2 * k] - 1, 2) + pow(points[2 * k + 1] - 1, 2);
            values[2 * k + 1] = points[2 * k] + points[2 * k + 1] - 1;
        }
        if (fm_search_tell(search, values, count, &error) != FM_OK)
            return fail(&error);
    }
    const double *best = fm_search_points(search) + 2 * fm_search_best(search);
    printf("best %.3f %.3f after %zu points: %s\n", best[0], best[1], fm_search_count(search), fm_search_ended(search));
    const int fine = fabs(best[0] - 0.5) < 0.01 && fabs(best[1] - 0.5) < 0.01 && best[0] + best[1] <= 1;
    fm_search_free(search);
    return !fine;
}

/* --- the same as the program --- */

static const char *const vary[] = {"/lauv/position/x=0:20 m", "/lauv/position/z=1:20 m"};
static const char *const great[] = {"lauv.x"}, *const held[] = {"lauv.z < 8 m"};

static fm_search_options search_options(void)
{
    return (fm_search_options){.size = sizeof(fm_search_options),
                               .vary = vary,
                               .vary_count = 2,
                               .maximise = great,
                               .maximise_count = 1,
                               .constraints = held,
                               .constraint_count = 1,
                               .generations = 4,
                               .duration = 2,
                               .seeded = 1,
                               .seed = 3,
                               .threads = 2};
}

/* Bit for bit: the numbers of a table are the shortest that read back the same. */
static int equals_table(const fm_search *search, const char *path)
{
    char line[4096];
    FILE *file = fopen(path, "r");
    size_t rows = 0;
    int fine = file && fgets(line, sizeof line, file);
    while (fine && fgets(line, sizeof line, file)) {
        double x, z, cost, violation;
        fine = sscanf(line, "%*u,%*u,%lf,%lf,%lf,%lf", &x, &z, &cost, &violation) == 4 &&
               rows < fm_search_count(search) && x == fm_search_points(search)[2 * rows] &&
               z == fm_search_points(search)[2 * rows + 1] && cost == fm_search_values(search)[2 * rows] &&
               violation == fm_search_values(search)[2 * rows + 1];
        rows++;
    }
    if (file)
        fclose(file);
    printf("%zu of %zu points are those of the table\n", fine ? rows : rows - 1, fm_search_count(search));
    return fine && rows == fm_search_count(search);
}

static int search(const char *scenario, const char *table)
{
    const fm_search_options options = search_options();
    fm_error error = {0};
    fm_model *model = fm_model_load(scenario, NULL, &error);
    fm_search *made = model ? fm_search_create(model, &options, &error) : NULL;
    if (!made || fm_search_run(made, &error) != FM_OK)
        return fail(&error);
    const int fine = equals_table(made, table);
    fm_search_free(made);
    fm_model_free(model);
    return !fine;
}

static int fit(const char *scenario, const char *log, const char *list)
{
    static const char *const sought[] = {"/phoenix/hydrodynamics/X_u_absu"};
    const char *const records[] = {log};
    const fm_fit_options options = {.size = sizeof options,
                                    .parameters = sought,
                                    .parameter_count = 1,
                                    .records = records,
                                    .record_count = 1,
                                    .check = 0.25};
    fm_error error = {0};
    double listed = 0;
    FILE *file = fopen(list, "r");
    if (!file || fscanf(file, "--set '/phoenix/hydrodynamics/X_u_absu=%lf", &listed) != 1)
        return fprintf(stderr, "no value in %s\n", list), 1;
    fclose(file);
    fm_model *model = fm_model_load(scenario, NULL, &error);
    fm_fit *made = model ? fm_fit_create(model, &options, &error) : NULL;
    if (!made || fm_fit_solve(made, &error) != FM_OK)
        return fail(&error);
    const double found = fm_fit_values(made)[0];
    printf("%s = %.9g, %.9g … %.9g, %s\n", fm_fit_name(made, 0), found, fm_fit_low(made)[0], fm_fit_high(made)[0],
           fm_fit_trusted(made) ? "trusted" : fm_fit_note(made, 0));
    const int fine = found == listed && fm_fit_sample_count(made) > 100 && fm_fit_converged(made);
    fm_fit_free(made);
    fm_model_free(model);
    return !fine;
}

/* --- cancel --- */

static pthread_barrier_t begun;

static int wait_for_the_other(void *user, const fm_search *search)
{
    (void)user;
    if (fm_search_generations(search) == 1)
        pthread_barrier_wait(&begun);
    return 0;
}

static void *cancel_search(void *search)
{
    pthread_barrier_wait(&begun);
    fm_search_cancel(search);
    return NULL;
}

/* Without the other thread it would make a hundred million runs. */
static int cancel(const char *scenario)
{
    fm_search_options options = search_options();
    fm_error error = {0};
    pthread_t other;
    options.progress = wait_for_the_other;
    options.generations = 100000, options.noise_runs = 1000, options.restarts = 1000;
    fm_model *model = fm_model_load(scenario, NULL, &error);
    fm_search *made = model ? fm_search_create(model, &options, &error) : NULL;
    if (!made || pthread_barrier_init(&begun, NULL, 2) || pthread_create(&other, NULL, cancel_search, made))
        return fail(&error);
    const fm_status status = fm_search_run(made, &error);
    pthread_join(other, NULL);
    printf("%s after %zu points\n", fm_status_name(status), fm_search_count(made));
    const int fine = status == FM_ERR_CANCELLED && fm_search_count(made) > 0;
    fm_search_free(made);
    fm_model_free(model);
    return !fine;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "ask"))
        return ask();
    if (argc == 4 && !strcmp(argv[1], "search"))
        return search(argv[2], argv[3]);
    if (argc == 5 && !strcmp(argv[1], "fit"))
        return fit(argv[2], argv[3], argv[4]);
    if (argc == 3 && !strcmp(argv[1], "cancel"))
        return cancel(argv[2]);
    return 2;
}
