/* Work that other threads pass to the stepping thread. */
#include <stddef.h>

#include "run/run.h"
#include "world/world.h"

static void refuse(fm_run *run, fm_run_task *task)
{
    (void)run;
    (void)task;
}

/* Replaces the list when no more tasks are accepted. */
static const fm_run_task closed = {.call = refuse};

static fm_run_task *closed_list(void)
{
    return (fm_run_task *)(uintptr_t)&closed; /* compared, never written */
}

/* A task that has steered the world is answered by the next step. */
static void do_task(fm_run *run, fm_run_task *task)
{
    const double moment = task->moment; /* its memory may go with the call */
    const size_t before = run->world->input_count;
    task->call(run, task);
    if (run->world->input_count > before)
        fm_run_note_input(run, moment);
}

/* In the order in which they came. */
static fm_run_task *turn_round(fm_run_task *list)
{
    fm_run_task *first = NULL;
    while (list) {
        fm_run_task *next = list->next;
        list->next = first;
        first = list;
        list = next;
    }
    return first;
}

static void do_list(fm_run *run, fm_run_task *list)
{
    for (fm_run_task *task = turn_round(list), *next; task; task = next) {
        next = task->next;
        do_task(run, task);
    }
}

void fm_run_do_tasks(fm_run *run)
{
    fm_run_task *list = atomic_load_explicit(&run->tasks, memory_order_relaxed);
    if (list && list != closed_list())
        do_list(run, atomic_exchange(&run->tasks, NULL)); /* only this thread closes it */
}

void fm_run_end_tasks(fm_run *run)
{
    fm_run_task *list = atomic_exchange(&run->tasks, closed_list());
    if (list != closed_list())
        do_list(run, list);
}

fm_status fm_run_post(fm_run *run, fm_run_task *task)
{
    if (!run || !task || !task->call)
        return FM_ERR_ARGUMENT;
    task->moment = fm_run_moment(run);
    fm_run_task *first = atomic_load(&run->tasks);
    do {
        if (first == closed_list())
            return FM_ERR_STATE;
        task->next = first;
    } while (!atomic_compare_exchange_weak(&run->tasks, &first, task));
    fm_run_wake(run);
    return FM_OK;
}
