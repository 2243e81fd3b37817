#include "bridges/pilot/pilot.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/priority.h"
#include "run/run.h"
#include "world/inputs.h"

/* --- making --- */

static fm_status find_vehicle(fm_pilot *p, const fm_model *model, const char *name, const fm_type **type,
                              fm_error *error)
{
    for (size_t i = 0; i < model->vehicle_count; i++)
        if (!name || strcmp(model->vehicles[i].name, name) == 0) {
            snprintf(p->vehicle, sizeof p->vehicle, "%.31s", model->vehicles[i].name);
            *type = &model->types[model->vehicles[i].type];
            return FM_OK;
        }
    return fm_fail(error, FM_ERR_NAME, "the autopilot has no vehicle: %s%s",
                   name ? "the scenario has none of the name " : "the scenario has none", name ? name : "");
}

static fm_status choose_frame(fm_pilot *p, const fm_type *type, const char *const *frames, fm_error *error)
{
    for (; *frames; frames++)
        if (fm_pilot_outputs_read(type, *frames, &p->outputs, NULL) == FM_OK)
            return FM_OK;
    return fm_fail(error, FM_ERR_NAME,
                   "none of the known frames fits '%s': its outputs must be named (outputs=\"1:actuator 2:-actuator "
                   "…\")",
                   p->vehicle);
}

fm_status fm_pilot_init(fm_pilot *p, const char *name, const fm_model *model, const char *vehicle, const char *outputs,
                        const char *const *frames, fm_error *error)
{
    const fm_type *type = NULL;
    p->name = name;
    fm_status status = find_vehicle(p, model, vehicle, &type, error);
    if (status == FM_OK && type->actuator_count > FM_PILOT_ACTUATORS)
        status = fm_fail(error, FM_ERR_RANGE, "'%s' has %zu actuators; an autopilot outside orders up to %d",
                         p->vehicle, type->actuator_count, FM_PILOT_ACTUATORS);
    if (status == FM_OK)
        status =
            outputs ? fm_pilot_outputs_read(type, outputs, &p->outputs, error) : choose_frame(p, type, frames, error);
    p->dt = fm_model_dt(model);
    fm_lock_create(&p->lock);
    return status;
}

void fm_pilot_destroy(fm_pilot *p)
{
    pthread_mutex_destroy(&p->lock);
}

/* --- the stepping thread --- */

static void join(fm_pilot *p)
{
    int number = p->run && !p->participant ? fm_run_join(p->run, NULL) : 0;
    if (number > 0)
        p->participant = number;
}

void fm_pilot_begin(fm_pilot *p, fm_run *run)
{
    pthread_mutex_lock(&p->lock);
    p->run = run;
    p->participant = 0;
    p->left = 0;
    p->steps = fm_world_steps(fm_run_world(run));
    join(p);
    pthread_mutex_unlock(&p->lock);
}

void fm_pilot_end(fm_pilot *p)
{
    pthread_mutex_lock(&p->lock);
    if (p->participant)
        fm_run_leave(p->run, p->participant);
    p->run = NULL;
    p->participant = 0;
    pthread_mutex_unlock(&p->lock);
}

int fm_pilot_step(fm_pilot *p)
{
    pthread_mutex_lock(&p->lock);
    uint64_t steps = p->run ? fm_world_steps(fm_run_world(p->run)) : 0;
    int counts = p->left > 0 && steps > p->steps, last = counts && p->left == 1;
    p->steps = steps;
    p->left -= (uint64_t)counts;
    if (counts && !last && p->participant)
        fm_run_ready(p->run, p->participant);
    pthread_mutex_unlock(&p->lock);
    return last;
}

/* --- the loop's thread --- */

int fm_pilot_is_joined(fm_pilot *p)
{
    pthread_mutex_lock(&p->lock);
    int joined = p->participant > 0;
    pthread_mutex_unlock(&p->lock);
    return joined;
}

int fm_pilot_is_unpaced(fm_pilot *p)
{
    pthread_mutex_lock(&p->lock);
    int unpaced = p->run && fm_run_unpaced(p->run);
    pthread_mutex_unlock(&p->lock);
    return unpaced;
}

static void submit(fm_pilot *p, fm_input *input)
{
    input->tag = (uint64_t)p->participant;
    fm_input_set_holder(input, p->name);
    if (fm_run_submit(p->run, input, NULL) != FM_OK && p->full)
        atomic_fetch_add(p->full, 1);
}

/* It owns all actuators while connected; those without an output are zero. The world drops unchanged orders. */
static void give_orders(fm_pilot *p, const double channels[FM_PILOT_CHANNELS])
{
    double orders[FM_PILOT_ACTUATORS] = {0};
    fm_pilot_outputs_mix(&p->outputs, channels, orders);
    for (size_t i = 0; p->run && i < p->outputs.type->actuator_count; i++) {
        fm_input input;
        fm_input_begin(&input, FM_COMMAND_FLY, p->vehicle, p->outputs.type->actuator_names[i], NULL);
        input.command.fly.value = orders[i];
        submit(p, &input);
    }
}

void fm_pilot_fly(fm_pilot *p, const double channels[FM_PILOT_CHANNELS], uint64_t steps)
{
    pthread_mutex_lock(&p->lock);
    join(p);
    give_orders(p, channels);
    p->left = steps;
    if (p->participant)
        fm_run_ready(p->run, p->participant);
    pthread_mutex_unlock(&p->lock);
}

static void release_actuators(fm_pilot *p)
{
    fm_input input;
    fm_input_begin(&input, FM_COMMAND_RELEASE, p->vehicle, NULL, NULL);
    submit(p, &input);
    p->left = 0;
}

void fm_pilot_leave(fm_pilot *p)
{
    pthread_mutex_lock(&p->lock);
    if (p->participant) {
        release_actuators(p);
        fm_run_leave(p->run, p->participant);
    }
    p->participant = 0;
    pthread_mutex_unlock(&p->lock);
}

void fm_pilot_rest(fm_pilot *p)
{
    pthread_mutex_lock(&p->lock);
    if (p->participant)
        release_actuators(p);
    pthread_mutex_unlock(&p->lock);
}

void fm_pilot_reset(fm_pilot *p)
{
    pthread_mutex_lock(&p->lock);
    if (p->run)
        fm_run_reset(p->run, NULL);
    pthread_mutex_unlock(&p->lock);
}
