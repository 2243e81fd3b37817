/* The pace of a run: the schedule, pausing, single steps, lock-step. Callers pass the time. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/priority.h"
#include "run/run.h"

fm_run_schedule *fm_run_schedule_create(void)
{
    fm_run_schedule *s = fm_alloc(sizeof *s);
    if (s)
        fm_lock_create(&s->lock);
    return s;
}

void fm_run_schedule_free(fm_run_schedule *s)
{
    if (!s)
        return;
    pthread_mutex_destroy(&s->lock);
    fm_free(s->participants);
    fm_free(s);
}

/* --- changing it, by any thread --- */

/* At most one token lies there. */
static void wake_sleeper(fm_run *run)
{
    if (!atomic_exchange(&run->posted, 1))
        sem_post(&run->wake);
}

static fm_run_schedule *lock(fm_run *run)
{
    pthread_mutex_lock(&run->schedule->lock);
    return run->schedule;
}

static size_t count_participants(const fm_run_schedule *s, int ready)
{
    size_t count = 0;
    for (size_t i = 0; i < s->participant_count; i++)
        count += s->participants[i].joined && s->participants[i].ready == ready;
    return count;
}

/* By its pace, or since a participant has joined. */
static int is_lockstep(const fm_run_schedule *s)
{
    return s->pace.lockstep || count_participants(s, 0) + count_participants(s, 1) > 0;
}

int fm_run_in_lockstep(fm_run *run)
{
    if (atomic_load_explicit(&run->free_running, memory_order_relaxed))
        return 0;
    int lockstep = is_lockstep(lock(run));
    pthread_mutex_unlock(&run->schedule->lock);
    return lockstep;
}

/* Changes apply from the next step on; a step that waits checks again. */
static void unlock_changed(fm_run *run)
{
    fm_run_schedule *s = run->schedule;
    const fm_run_clock *clock = s->clock;
    atomic_store(&run->free_running, s->pace.speed == 0 && !is_lockstep(s) && !s->paused);
    if (clock && clock->wake) /* under the lock: the clock still exists */
        clock->wake(clock->user);
    pthread_mutex_unlock(&s->lock);
    wake_sleeper(run);
}

void fm_run_wake(fm_run *run)
{
    lock(run);
    unlock_changed(run);
}

fm_status fm_run_set_pace(fm_run *run, const fm_run_pace *pace, fm_error *error)
{
    if (!run || !pace)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s must not be NULL", run ? "pace" : "run");
    if (!(pace->speed >= 0 && pace->speed < HUGE_VAL) || !(pace->deadline >= 0))
        return fm_fail(error, FM_ERR_RANGE, "a pace of %g times real time with a deadline of %g s: must be 0 and more",
                       pace->speed, pace->deadline);
    fm_run_schedule *s = lock(run);
    s->pace = *pace;
    s->anchored = 0;
    s->waiting = 0;
    unlock_changed(run);
    return FM_OK;
}

void fm_run_pause(fm_run *run)
{
    if (!run)
        return;
    lock(run)->paused = 1;
    unlock_changed(run);
}

int fm_run_paused(fm_run *run)
{
    int paused = lock(run)->paused;
    pthread_mutex_unlock(&run->schedule->lock);
    return paused;
}

int fm_run_unpaced(fm_run *run)
{
    int unpaced = lock(run)->pace.speed == 0;
    pthread_mutex_unlock(&run->schedule->lock);
    return unpaced;
}

void fm_run_resume(fm_run *run)
{
    if (!run)
        return;
    fm_run_schedule *s = lock(run);
    s->paused = 0;
    s->singles = 0;
    s->anchored = 0;
    s->waiting = 0;
    unlock_changed(run);
}

void fm_run_single(fm_run *run, uint64_t steps)
{
    if (!run)
        return;
    fm_run_schedule *s = lock(run);
    s->paused = 1;
    s->singles += steps;
    unlock_changed(run);
}

/* Only an atomic and a semaphore: a signal handler may call it. */
void fm_run_stop(fm_run *run)
{
    if (!run)
        return;
    atomic_store(&run->stopped, 1);
    wake_sleeper(run);
}

/* --- lock-step --- */

static fm_status make_room(fm_run_schedule *s)
{
    if (s->participant_count < s->participant_room)
        return FM_OK;
    size_t room = 2 * s->participant_room + 8;
    fm_participant *participants = fm_realloc(s->participants, room * sizeof *participants);
    if (!participants)
        return FM_ERR_MEMORY;
    s->participants = participants;
    s->participant_room = room;
    return FM_OK;
}

int fm_run_join(fm_run *run, fm_error *error)
{
    if (!run)
        return fm_fail(error, FM_ERR_ARGUMENT, "run must not be NULL"), -1;
    fm_run_schedule *s = lock(run);
    size_t i = 0;
    while (i < s->participant_count && s->participants[i].joined)
        i++;
    int joined = i < s->participant_count || make_room(s) == FM_OK;
    if (joined) {
        s->participant_count += i == s->participant_count;
        s->participants[i] = (fm_participant){.joined = 1};
    }
    unlock_changed(run);
    if (!joined)
        fm_fail(error, FM_ERR_MEMORY, "out of memory for a participant");
    return joined ? (int)i + 1 : -1;
}

static fm_participant *find_participant(const fm_run_schedule *s, int number)
{
    if (number < 1 || (size_t)number > s->participant_count || !s->participants[number - 1].joined)
        return NULL;
    return &s->participants[number - 1];
}

void fm_run_leave(fm_run *run, int number)
{
    if (!run)
        return;
    fm_participant *participant = find_participant(lock(run), number);
    if (participant)
        *participant = (fm_participant){0};
    unlock_changed(run);
}

fm_status fm_run_ready(fm_run *run, int number)
{
    if (!run)
        return FM_ERR_ARGUMENT;
    fm_participant *participant = find_participant(lock(run), number);
    if (participant)
        participant->ready = 1;
    unlock_changed(run);
    return participant ? FM_OK : FM_ERR_ARGUMENT;
}

/* Whether the participants let a step begin at `now`. Lock-step pace without participants waits for the first one. */
static int participants_agree(fm_run_schedule *s, double now, double *wait)
{
    size_t away = count_participants(s, 0);
    if (away == 0 && count_participants(s, 1) > 0)
        return 1;
    if (!s->waiting) {
        s->waiting = 1;
        s->waiting_since = now;
    }
    *wait = s->pace.deadline > 0 && away > 0 ? s->waiting_since + s->pace.deadline - now : HUGE_VAL;
    if (*wait > 0)
        return 0;
    s->missed += away;
    return 1;
}

double fm_run_waits_since(fm_run *run)
{
    const fm_run_schedule *s = lock(run);
    double since = s->waiting ? s->waiting_since : HUGE_VAL;
    pthread_mutex_unlock(&run->schedule->lock);
    return since;
}

static void begin_round(fm_run_schedule *s)
{
    s->waiting = 0;
    for (size_t i = 0; i < s->participant_count; i++)
        s->participants[i].ready = 0;
}

/* --- the schedule --- */

/* Step number n is due when the clock shows anchor + (n - anchor_step) dt / speed: its events are reported at that
 * time. */
static int is_due(fm_run *run, fm_run_schedule *s, double now, double *wait)
{
    double period = fm_model_dt(fm_world_model(run->world)) / s->pace.speed;
    if (!s->anchored) {
        s->anchored = 1;
        s->anchor = now;
        s->anchor_step = fm_world_steps(run->world);
    }
    double due = s->anchor + (double)(fm_world_steps(run->world) + 1 - s->anchor_step) * period;
    *wait = due - now;
    return *wait <= 0;
}

static void note_lateness(fm_run *run, double late)
{
    double period = fm_model_dt(fm_world_model(run->world)) / run->schedule->pace.speed;
    fm_delays_add(&run->lateness, late);
    if (late <= period)
        return;
    atomic_store_explicit(&run->late, run->late + 1, memory_order_relaxed);
    if (late > run->latest)
        atomic_store_explicit(&run->latest, late, memory_order_relaxed);
}

/* Whether a step may begin at `now`; if not, *wait is the time until the next check. */
static int may_step(fm_run *run, double now, double *wait)
{
    fm_run_schedule *s = run->schedule;
    double late = 0;
    *wait = HUGE_VAL;
    if (s->singles > 0) {
        s->singles--;
        return 1;
    }
    if (s->paused || (s->pace.speed > 0 && !is_due(run, s, now, wait)))
        return 0;
    if (s->pace.speed > 0)
        late = -*wait;
    if (is_lockstep(s) && !participants_agree(s, now, wait))
        return 0;
    begin_round(s);
    if (s->pace.speed > 0)
        note_lateness(run, late);
    return 1;
}

static int is_granted(fm_run *run, double now, double *wait)
{
    lock(run);
    int granted = may_step(run, now, wait);
    pthread_mutex_unlock(&run->schedule->lock);
    return granted;
}

double fm_run_moment(fm_run *run)
{
    if (atomic_load_explicit(&run->free_running, memory_order_relaxed))
        return NAN;
    const fm_run_clock *clock = lock(run)->clock;
    double now = clock ? clock->now(clock->user) : NAN;
    pthread_mutex_unlock(&run->schedule->lock);
    return now;
}

void fm_run_note_input(fm_run *run, double moment)
{
    if (run->moments && run->moment_count < fm_input_queue_room(run->queue))
        run->moments[run->moment_count++] = moment;
}

/* Inputs of a time in which the run was paused, or had another pace, are not counted. */
void fm_run_note_answers(fm_run *run)
{
    size_t count = run->moment_count;
    run->moment_count = 0;
    if (count == 0 || atomic_load_explicit(&run->free_running, memory_order_relaxed))
        return;
    fm_run_schedule *s = lock(run);
    double now = s->clock ? s->clock->now(s->clock->user) : NAN;
    double since = s->pace.speed > 0 && !s->paused && s->anchored ? s->anchor : HUGE_VAL;
    pthread_mutex_unlock(&s->lock);
    for (size_t i = 0; i < count; i++)
        if (run->moments[i] >= since)
            fm_delays_add(&run->response, now - run->moments[i]);
}

fm_status fm_run_advance(fm_run *run, double now, double *wait, fm_error *error)
{
    double unused;
    fm_status status = fm_run_steps(run, 0, 0, error);                         /* is there a run that can go? */
    const fm_run_clock *clock = status == FM_OK ? run->schedule->clock : NULL; /* this thread has lent it */
    wait = wait ? wait : &unused;
    *wait = HUGE_VAL;
    for (uint64_t i = 0; status == FM_OK && i < run->burst && !fm_run_over(run); i++) {
        fm_run_do_tasks(run);
        if (fm_run_over(run))
            break;
        run->looked = now;
        if (!atomic_load_explicit(&run->free_running, memory_order_relaxed) && !is_granted(run, now, wait))
            return FM_OK;
        status = fm_run_steps(run, run->last, 1, error);
        if (clock && !atomic_load_explicit(&run->free_running, memory_order_relaxed))
            now = clock->now(clock->user);
    }
    *wait = fm_run_over(run) ? HUGE_VAL : 0;
    return status;
}

/* --- the loop that waits --- */

enum { PATIENCE_MS = 100 }; /* of a sleep: so that a stop from a signal handler is noticed in time */

static void lend_clock(fm_run *run, const fm_run_clock *clock)
{
    lock(run)->clock = clock;
    pthread_mutex_unlock(&run->schedule->lock);
}

/* Waits until something changes. A change leaves a token even when no thread is asleep yet: none is missed. */
static void sleep_until_woken(fm_run *run)
{
    sem_wait(&run->wake);
    atomic_store(&run->posted, 0);
}

static fm_status go(fm_run *run, const fm_run_clock *clock, fm_error *error)
{
    fm_status status = FM_OK;
    double wait = 0;
    while (status == FM_OK && !fm_run_over(run)) {
        status = fm_run_advance(run, clock ? clock->now(clock->user) : 0, &wait, error);
        if (status != FM_OK || wait <= 0 || fm_run_over(run))
            continue;
        if (wait == HUGE_VAL)
            sleep_until_woken(run);
        else if (clock)
            clock->sleep_until(clock->user, run->looked + fmin(wait, PATIENCE_MS * 1e-3));
        else
            status = fm_fail(error, FM_ERR_ARGUMENT, "real-time pacing needs a clock: pass one to fm_run_go");
    }
    return status;
}

fm_status fm_run_go(fm_run *run, const fm_run_clock *clock, fm_error *error)
{
    fm_status status = fm_run_steps(run, 0, 0, error); /* is there a run that can go? */
    if (status == FM_OK && clock && (!clock->now || !clock->sleep_until))
        status = fm_fail(error, FM_ERR_ARGUMENT, "a clock needs `now` and `sleep_until`");
    if (status != FM_OK)
        return status;
    lend_clock(run, clock);
    status = go(run, clock, error);
    lend_clock(run, NULL);
    return status;
}
