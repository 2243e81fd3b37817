/* The tracks of a run: columns over time and metrics, for figures. */
#ifndef FM_PLOT_TRACK_H
#define FM_PLOT_TRACK_H

#include <fathom/run.h>
#include <stdbool.h>

/* Folders where scenarios and models are looked for, in this order. */
typedef struct fm_run_folders {
    const char *const *scenario_dirs;
    size_t scenario_dir_count;
    const char *const *model_dirs;
    size_t model_dir_count;
} fm_run_folders;

typedef struct fm_run_request {
    const char *scenario;    /* "remus-rise": the file remus-rise.xml; or NULL and `text` */
    const char *text;        /* the scenario itself */
    const char *const *sets; /* "PATH=VALUE", NULL-terminated; may be NULL */
    const char *vehicle;     /* whose track is kept; NULL: the first. Others: fm_track_next */
    bool all;                /* keep tracks of all vehicles */
    double duration;         /* s; 0: the scenario's */
    double every;            /* s between rows; 0: each step of the vehicle */
    bool no_rows;            /* metrics only */
    bool seeded;
    uint64_t seed; /* in place of the scenario's */
    /* Called before the first and after each tick; may send orders. May be NULL. */
    void (*watch)(void *user, fm_world *world);
    void *user;
} fm_run_request;

/* The columns of a vehicle: t, x, y, z, phi, theta, psi, u, v, w, p, q, r (SI, rad), then its own (actuators, sensors).
 */
typedef struct fm_track fm_track;

/* The scenario of a request. NULL and *error where it is refused. */
fm_model *fm_run_request_load(const fm_run_folders *folders, const fm_run_request *request, fm_error *error);
/* Makes a run. NULL and *error where the scenario is refused or the run stops. Any thread. */
fm_track *fm_track_run(const fm_run_folders *folders, const fm_run_request *request, fm_error *error);
/* Frees the tracks of a run, given the first of them; NULL is fine. */
void fm_track_free(fm_track *first);

const char *fm_track_name(const fm_track *track);
fm_track *fm_track_next(const fm_track *track); /* of the next vehicle (`all`), or NULL */
size_t fm_track_rows(const fm_track *track);
/* NULL: no such column. */
const double *fm_track_column(const fm_track *track, const char *name);
/* NaN: no such metric, or it was never observed. */
double fm_track_metric(const fm_track *track, const char *name);
/* The column's value at time t, linear between rows; NaN outside or without such a column. */
double fm_track_at(const fm_track *track, const char *name, double t);

#endif
