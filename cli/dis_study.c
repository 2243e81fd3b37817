/* The error of a receiver's dead-reckoned picture, and the traffic it saves, for every algorithm: one run of a scenario
 * with nine senders of the same vehicle, each with a receiver that uses only its PDUs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridges/dis/dis_sender.h"
#include "commands.h"
#include "dis.h"
#include "scenario.h"
#include "world/model.h"

enum { ALGORITHMS = 9 };

/* One algorithm: the sender, its receiver, the counters. */
typedef struct subject {
    fm_dis_rule rule;
    fm_dis_sender sender;
    fm_reckon_track heard;
    double heard_at;
    size_t pdus, bytes, looks;
    double squares, worst, worst_angle; /* m², m, rad */
} subject;

typedef struct study {
    fm_world *world;
    int slot;
    fm_geodetic origin;
    subject subjects[ALGORITHMS];
    size_t steps;
    fm_dis_pdu pdu, back;
} study;

/* Over the wire: as bytes, and from bytes again. */
static void send(study *s, subject *x, double time)
{
    uint8_t bytes[FM_DIS_MOST];
    size_t used;
    memset(&s->pdu, 0, sizeof s->pdu);
    s->pdu.header = (fm_dis_header){.version = 7, .exercise = 1, .type = FM_DIS_ENTITY_STATE};
    fm_dis_sender_say(&x->sender, &x->rule, s->world, s->slot, time, &s->origin, &s->pdu.entity);
    size_t size = fm_dis_encode(&s->pdu, bytes, sizeof bytes);
    if (fm_dis_decode(bytes, size, &s->back, &used) != FM_DIS_WELL)
        return;
    fm_dis_entity_get_track(&s->back.entity, &s->origin, &x->heard);
    x->heard_at = time;
    x->pdus++;
    x->bytes += size;
}

static void observe(subject *x, const fm_pose *pose, double time)
{
    fm_reckoned thought;
    double off[3];
    fm_track_reckon(&x->heard, x->rule.algorithm, time - x->heard_at, &thought);
    for (int i = 0; i < 3; i++)
        off[i] = thought.position[i] - pose->position[i];
    double distance = fm_norm(off);
    x->squares += distance * distance;
    x->worst = fmax(x->worst, distance);
    x->worst_angle = fmax(x->worst_angle, fm_dis_angle_between(thought.attitude, pose->attitude));
    x->looks++;
}

static void watch(study *s)
{
    fm_pose pose = {0};
    double time = fm_world_time(s->world);
    fm_world_pose(s->world, s->slot, &pose);
    for (int i = 0; i < ALGORITHMS; i++) {
        subject *x = &s->subjects[i];
        if (fm_dis_sender_due(&x->sender, &x->rule, s->world, s->slot, time) != FM_DIS_QUIET)
            send(s, x, time);
        observe(x, &pose, time);
    }
    s->steps++;
}

static void print_row(const study *s, const subject *x)
{
    static const char *const names[] = {"static", "FPW", "RPW", "RVW", "FVW", "FPB", "RPB", "RVB", "FVB"};
    double minutes = fm_world_time(s->world) / 60;
    printf("| %d %s | %.1f | %.1f %% | %.2f | %.2f | %.1f |\n", x->rule.algorithm, names[x->rule.algorithm - 1],
           (double)x->pdus / minutes, 100 * (1 - (double)x->pdus / (double)s->steps),
           sqrt(x->squares / (double)x->looks), x->worst, x->worst_angle * 180 / FM_PI);
}

static void print_table(const study *s, const char *scenario)
{
    const char *slash = strrchr(scenario, '/');
    printf("`%s` of %s, %.0f s, steps of %g s\n\n", fm_world_name(s->world, s->slot), slash ? slash + 1 : scenario,
           fm_world_time(s->world), fm_model_dt(fm_world_model(s->world)));
    printf(
        "| algorithm | PDUs per minute | saved against one per step | error, RMS (m) | worst (m) | worst turn (°) |\n");
    printf("|---|---|---|---|---|---|\n");
    for (int i = 0; i < ALGORITHMS; i++)
        print_row(s, &s->subjects[i]);
}

static fm_status go(study *s, fm_error *error)
{
    fm_status status = FM_OK;
    uint64_t ticks = fm_model_ticks(fm_world_model(s->world), fm_model_duration(fm_world_model(s->world)));
    watch(s);
    for (uint64_t k = 0; k < ticks && status == FM_OK; k++) {
        status = fm_world_step(s->world, error);
        if (status == FM_OK)
            watch(s);
    }
    return status;
}

int cli_dis_study(const char *scenario, const char *vehicle)
{
    static study s;
    fm_error error = {0};
    cli_scenario file = {.file = scenario, .unbridged = true};
    fm_model *model = cli_load(&file);
    s.world = model ? fm_world_create(model, NULL, &error) : NULL;
    s.slot = s.world && vehicle ? fm_world_find(s.world, vehicle) : 0;
    fm_status status = s.world ? FM_OK : FM_ERR_MODEL;
    if (s.world && !fm_world_name(s.world, s.slot)) {
        fprintf(stderr, "fathom dis: no vehicle '%s' in %s\n", vehicle ? vehicle : "", scenario);
        status = FM_ERR_NAME;
    }
    for (int i = 0; status == FM_OK && i < ALGORITHMS; i++) {
        fm_dis_sender_begin(&s.subjects[i].sender, s.world, s.slot);
        s.subjects[i].sender.source_count = 0; /* of the motion alone */
        s.subjects[i].rule =
            (fm_dis_rule){FM_DIS_ADAPTIVE, i + 1, 1, 3 * FM_DEGREE, FM_DIS_HEARTBEAT_MOST, FM_DIS_FINE_PERIOD};
    }
    if (status == FM_OK) {
        s.origin = (fm_geodetic){model->settings.latitude, model->settings.longitude, 0};
        status = go(&s, &error);
        if (status == FM_OK)
            print_table(&s, scenario);
        else
            cli_print_error(&error);
    }
    fm_world_free(s.world);
    fm_model_free(model);
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}
