/* Entries of `fathom bench`. A family of measurements adds its results to the report. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include <fathom/run.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct fm_type;
struct fm_vehicle;
struct fm_stream_source;

/* One measured thing; NaN: does not apply. */
typedef struct bench_result {
    char name[64]; /* "nps-auv-ii/heun/15" */
    double steps_per_s;
    double ratio; /* time of the bare kernel divided by that of the world */
    double bytes_per_vehicle;
    double real_time_factor;
    double p99_ms;     /* age of a state on arrival, 99th percentile */
    double late_steps; /* that began late */
    const char *what;  /* lateness or response, of which delays are; NULL: neither */
    fm_run_delays delays;
    double drops;       /* datagrams */
    double value;       /* of another kind, in `unit` */
    const char *unit;   /* NULL: none */
    int more_is_better; /* of `value` */
    char with[64];      /* the parts involved, separated by spaces; "": none */
} bench_result;

enum { BENCH_RESULTS_MOST = 256 };

typedef struct bench_report {
    bench_result results[BENCH_RESULTS_MOST];
    size_t count;
    double seconds;   /* to spend on one measurement */
    const char *only; /* results whose name has this prefix; NULL: all */
    int listing;      /* names only, nothing is measured */
    int64_t priority; /* real-time priority of threads in step with the clock; below 1: none */
    int failed;
    int no_device; /* the missing GPU was already reported */
} bench_report;

/* A new result, its numbers NaN; NULL: this name was not selected, or only its name is needed. */
bench_result *bench_begin(bench_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The text of a scenario, written in pieces to `out`. */
typedef struct bench_text {
    FILE *out;
    char *data;
    size_t size;
} bench_text;
/* 0: out of memory. */
int bench_text_begin(bench_text *text);
/* Ends the writing and returns the text, to be freed with free; NULL: out of memory. */
char *bench_text_end(bench_text *text);

/* The path of a shipped scenario; 0: unknown. */
int bench_find_scenario(const char *name, char *path, size_t size);

double bench_now(void);    /* s, monotonic */
double bench_worked(void); /* CPU time of this thread in s: the load of a core, whatever else runs on it */

/* Families. */
void bench_vehicles(bench_report *report); /* one vehicle alone: models × integrators × strips */
void bench_fleet(bench_report *report);    /* many vehicles on two threads */
void bench_sensors(
    bench_report *report); /* rays: beams of a sonar (ratio: bare Embree's time to ours), pictures of a camera */

void bench_planner(bench_report *report);   /* D* Lite (ratio: time of an updated path divided by that of a new
                                             * search) */
void bench_scenarios(bench_report *report); /* closed loops with sensors and controllers, one core */
void bench_start(bench_report *report);     /* fresh processes: what a scenario costs before its first step */
void bench_telemetry(bench_report *report); /* recording, reading, exporting */
void bench_serve(bench_report *report);     /* a thousand clients of a server */
void bench_bridges(bench_report *report);   /* twenty vehicles that all bridges speak of, on one core */
void bench_realtime(bench_report *report);  /* lateness of steps and response to records, in step with the clock */
void bench_dis(bench_report *report);       /* what a receiver of DIS pays, by the axes of the sender */
void bench_acoustics(bench_report *report); /* a thousand transducers; rays (ratio: a plain loop's time to ours) */

/* Only with --sizes: the same over their sizes, sizes/KIND/COUNT, for figures. */
void bench_vehicle_sizes(bench_report *report);
void bench_strip_sizes(bench_report *report);
void bench_beam_sizes(bench_report *report);
void bench_transducer_sizes(bench_report *report);
void bench_client_sizes(bench_report *report);

void bench_batch(bench_report *report); /* thousands of vehicles: worlds, lanes, a GPU; only with --batch */
void bench_env(bench_report *report);   /* environments, beside the engine that moves them; only with --env */
/* A vehicle of the first family as XML, with `strips` and integrator; its strips as they appear in names. NULL: no
 * more. */
const char *bench_subject(size_t i, const char *integrator, char *text, size_t size, const char **model,
                          const char **strips);

/* The bare kernel: `steps` steps of the vehicle's integrator with constant actuators and water, on a copy of its state.
 * Returns a number computed from the final state, so that nothing is optimised away. */
double bench_kernel(const struct fm_type *type, const struct fm_vehicle *vehicle, const struct fm_stream_source *water,
                    int steps);

#endif
