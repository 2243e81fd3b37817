/* Random scenes, whole: vehicles of all kinds with any answer to contact, between walls, in waves and currents, tied to
 * each other, with faults, pushes and orders, spawned and removed on the way, reset and restored. Each runs in a
 * process of its own. None hangs, crashes, or passes a wall; the same seed gives the same state. A few scenes by
 * default;
 * `--scenes N` and `--seed N` for more (`make campaign`). */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "geometry/geometry_random.h"
#include "support/scenario.h"
#include "world/world.h"

enum { STEPS = 80, VEHICLES_MOST = 6, SECONDS = 120, REFUSED = 77 };

static int scenes = 24, first_seed = 1;

static const char *const models[] = {
    "nps-auv-ii", "bluerov2",     "bluerov2-heavy", "lauv",        "remus-100",         "snookie",      "otter",
    "slocum",     "robotic-fish", "towed-sphere",   "wavesim-auv", "robotic-fish-fins", "wavesim-buoy", "heron"};
static const char *const responses[] = {"impulse", "impulse", "count", "restore", "none"};

static int pick(dice *d, int count)
{
    int i = (int)roll(d, 0, count);
    return i < count ? i : count - 1;
}

/* --- the scenario --- */

typedef struct scene {
    char text[16384];
    size_t used;
    double half[3]; /* m: the room is that far from its middle, (0, 0, depth) */
    double depth;
    int vehicles;
    int held[VEHICLES_MOST]; /* walls hold this one */
} scene;

__attribute__((format(printf, 2, 3))) static void add(scene *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    s->used += (size_t)vsnprintf(s->text + s->used, sizeof s->text - s->used, format, args);
    va_end(args);
    assert_less(s->used, sizeof s->text);
}

static void add_room(scene *s, dice *d)
{
    for (int k = 0; k < 3; k++)
        s->half[k] = roll(d, 7, 15);
    s->depth = s->half[2];
    add(s,
        "<wall name='north' position='%g 0 0 m' normal='-1 0 0'/><wall name='south' position='%g 0 0 m' normal='1 0 "
        "0'/><wall name='east' position='0 %g 0 m' normal='0 -1 0'/><wall name='west' position='0 %g 0 m' normal='0 "
        "1 0'/><wall name='base' position='0 0 %g m' normal='0 0 -1'/>",
        s->half[0], -s->half[0], s->half[1], -s->half[1], 2 * s->depth);
    if (roll(d, 0, 1) < 0.4)
        add(s, "<column name='pillar' position='%g %g 0 m' radius='0.3 m' height='%g m'/>", roll(d, -2, 2),
            roll(d, -2, 2), 2 * s->depth);
}

static void add_world(scene *s, dice *d)
{
    static const double ticks[] = {0.005, 0.01, 0.025, 0.05};
    add(s, "<fathom version='1'><world dt='%g s' duration='60 s' capacity='10' seed='%d' on-runaway='%s'>",
        ticks[pick(d, 4)], pick(d, 1000), roll(d, 0, 1) < 0.8 ? "remove" : "end");
    if (roll(d, 0, 1) < 0.3)
        add(s, "<water surface='none'/>");
    else if (roll(d, 0, 1) < 0.6)
        add(s, "<waves><jonswap height='%g m' period='%g s' direction='%g deg'/></waves>", roll(d, 0.05, 1.5),
            roll(d, 2, 6), roll(d, 0, 360));
    if (roll(d, 0, 1) < 0.4)
        add(s, "<current velocity='%g %g 0 m/s'/>", roll(d, -1, 1), roll(d, -1, 1));
    add_room(s, d);
    add(s, "</world>");
}

static void roll_position(const scene *s, dice *d, double out[3])
{
    for (int k = 0; k < 2; k++)
        out[k] = roll(d, -s->half[k] + 3.5, s->half[k] - 3.5);
    out[2] = roll(d, 0, 1) < 0.2 ? 0.1 : roll(d, 2, 2 * s->depth - 3);
    if (roll(d, 0, 1) < 0.25) /* in the midst of others */
        out[0] = roll(d, -0.5, 0.5), out[1] = 3 + roll(d, -0.5, 0.5), out[2] = 3;
}

static void add_vehicle(scene *s, dice *d)
{
    const char *model = models[pick(d, (int)FM_COUNT(models))], *response = responses[pick(d, FM_COUNT(responses))];
    if (strstr(model, "fish") && strcmp(response, "impulse") == 0)
        response = "restore"; /* impulses are for rigid bodies */
    double at[3];
    roll_position(s, d, at);
    s->held[s->vehicles] = strcmp(response, "impulse") == 0 || strcmp(response, "restore") == 0;
    add(s, "<vehicle name='v%d' model='%s' position='%g %g %g m' attitude='0 %g %g deg'", s->vehicles++, model, at[0],
        at[1], at[2], roll(d, -20, 20), roll(d, 0, 360));
    if (roll(d, 0, 1) < 0.5)
        add(s, " velocity='%g 0 0 m/s'", roll(d, -1, 3));
    add(s, "><contact response='%s'/></vehicle>", response);
}

static void add_tether(scene *s, dice *d, int number)
{
    int from = pick(d, s->vehicles), to = pick(d, s->vehicles);
    add(s, "<tether name='t%d' from='v%d' ", number, from);
    if (to != from)
        add(s, "to='v%d' ", to);
    else
        add(s, "to-point='0 0 %g m' ", 2 * s->depth);
    add(s, "length='%g m' pieces='%d' stiffness='%g N' mass='%g kg/m'/>", roll(d, 3, 40), 2 + pick(d, 10),
        pow(10, roll(d, 2, 5)), roll(d, 0.05, 1));
}

static void make_scene(scene *s, dice *d)
{
    memset(s, 0, sizeof *s);
    add_world(s, d);
    for (int i = 0, count = 2 + pick(d, VEHICLES_MOST - 1); i < count; i++)
        add_vehicle(s, d);
    for (int i = 0, count = pick(d, 4) - 1; i < count; i++)
        add_tether(s, d, i);
    add(s, "</fathom>");
}

/* --- what happens on the way; what is refused is refused --- */

static void order_something(fm_world *world, dice *d, int slot)
{
    const fm_type *type = world->slots[slot].type;
    if (!type || !type->actuator_count)
        return;
    const char *name = type->actuator_names[pick(d, (int)type->actuator_count)];
    double value = roll(d, -1, 1) * pow(10, roll(d, -1, 3));
    char path[96];
    fm_world_order(world, world->slots[slot].vehicle->name, name, value, NULL);
    snprintf(path, sizeof path, "/%.31s/%.31s/efficiency", world->slots[slot].vehicle->name, name);
    if (roll(d, 0, 1) < 0.3)
        fm_world_set(world, path, roll(d, 0, 1), NULL);
}

static void submit_something(fm_world *world, dice *d, int slot)
{
    double force[6], scale = pow(10, roll(d, 0, 1) < 0.1 ? 11 : roll(d, 0, 3));
    for (int i = 0; i < 6; i++)
        force[i] = roll(d, -1, 1) * scale;
    if (world->slots[slot].type)
        fm_world_force(world, world->slots[slot].vehicle->name, force, NULL);
}

static void spawn_something(fm_world *world, const scene *s, dice *d, int number)
{
    double at[3], euler[3] = {0, 0, roll(d, 0, 6.2)};
    char name[32], like[32];
    roll_position(s, d, at);
    snprintf(name, sizeof name, "s%d", number);
    snprintf(like, sizeof like, "v%d", pick(d, s->vehicles));
    fm_world_spawn(world, name, like, at, euler, NULL);
}

static void save_and_restore(fm_world *world)
{
    size_t size = fm_world_state_size(world);
    void *saved = malloc(size);
    fm_error error = {0};
    uint64_t hash = fm_world_hash(world);
    assert_non_null(saved);
    assert_int_equal(fm_world_save(world, saved, size, &error), FM_OK);
    assert_int_equal(fm_world_restore(world, saved, size, &error), FM_OK);
    assert_same(hash, fm_world_hash(world));
    free(saved);
}

static void meddle(fm_world *world, const scene *s, dice *d, int number)
{
    int slot = pick(d, fm_world_slots(world));
    double what = roll(d, 0, 1);
    if (what < 0.2)
        order_something(world, d, slot);
    else if (what < 0.25)
        submit_something(world, d, slot);
    else if (what < 0.3)
        spawn_something(world, s, d, number);
    else if (what < 0.33 && fm_world_name(world, slot))
        fm_world_remove(world, fm_world_name(world, slot), NULL);
    else if (what < 0.34)
        save_and_restore(world);
    else if (what < 0.345)
        fm_world_reset(world, NULL);
}

/* --- what must hold --- */

/* NULL: all is well. */
static const char *find_wrong(const fm_world *world, const scene *s)
{
    for (int i = 0; i < fm_world_slots(world); i++) {
        const fm_slot *slot = fm_slot_occupied(world, i);
        if (!slot || slot->vehicle->passed & FM_PASSED_RUNAWAY)
            continue;
        const double *p = slot->vehicle->body.position;
        if (!isfinite(p[0] + p[1] + p[2]))
            return "a vehicle is nowhere";
        enum fm_contact_response response = slot->type->contact.response;
        if ((response != FM_CONTACT_IMPULSE && response != FM_CONTACT_RESTORE) || slot->type->shape_count == 0)
            continue;
        if (fabs(p[0]) > s->half[0] || fabs(p[1]) > s->half[1] || p[2] > 2 * s->depth)
            return "a vehicle has passed a wall";
    }
    return NULL;
}

/* 0: well, REFUSED: the scene cannot be loaded, 1: not. */
static int play(uint64_t seed, uint64_t *hash)
{
    static scene s;
    dice d = {seed * 0x9e3779b97f4a7c15u};
    fm_error error = {0};
    make_scene(&s, &d);
    fm_model *model = try_load(s.text, &error);
    if (!model) {
        if (getenv("SCENE_REFUSALS"))
            fprintf(stderr, "scene %llu: %s\n", (unsigned long long)seed, error.text);
        return REFUSED;
    }
    fm_world *world = create(model, 1);
    const char *wrong = NULL;
    fm_status status = FM_OK;
    for (int i = 0; i < STEPS && status == FM_OK && !wrong; i++) {
        meddle(world, &s, &d, i);
        status = fm_world_step(world, &error);
        wrong = status == FM_OK ? find_wrong(world, &s) : NULL;
    }
    *hash = fm_world_hash(world);
    if (wrong || (status != FM_OK && (status != FM_ERR_STATE || world->on_runaway == FM_RUNAWAY_REMOVE)))
        fprintf(stderr, "scene %llu, tick %llu: %s\n%s\n", (unsigned long long)seed,
                (unsigned long long)fm_world_tick(world), wrong ? wrong : error.text,
                getenv("SCENE_TEXT") ? s.text : "");
    else
        status = FM_OK;
    finish(world);
    return wrong || status != FM_OK;
}

static int play_twice(uint64_t seed)
{
    uint64_t first = 0, second = 0;
    int result = play(seed, &first);
    if (result != 0 || seed % 8 != 0)
        return result;
    play(seed, &second);
    if (first != second)
        fprintf(stderr, "scene %llu: another state the second time\n", (unsigned long long)seed);
    return first != second;
}

/* In a process of its own. Returns 0 where it went well, 1 where it did not; *refused counts. */
static int run_scene(uint64_t seed, int *refused)
{
    fflush(NULL);
    pid_t child = fork();
    int status;
    assert_at_least(child, 0);
    if (child == 0) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS}); /* of the processor: others may be busy */
        _exit(play_twice(seed));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == REFUSED)
        ++*refused;
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == REFUSED))
        return 0;
    if (WIFSIGNALED(status))
        fprintf(stderr, "scene %llu: %s\n", (unsigned long long)seed,
                WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ? "does not end"
                                                                           : strsignal(WTERMSIG(status)));
    return 1;
}

static void no_scene_hangs_crashes_or_passes_a_wall(void **unused)
{
    (void)unused;
    int wrong = 0, refused = 0;
    for (int i = 0; i < scenes; i++)
        wrong += run_scene((uint64_t)(first_seed + i), &refused);
    printf("%d scenes of %d steps, %d of them refused at load, %d wrong\n", scenes, STEPS, refused, wrong);
    assert_int_equal(wrong, 0);
    assert_at_most(refused, scenes / 2);
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--scenes") == 0)
            scenes = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--seed") == 0)
            first_seed = atoi(argv[i + 1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_scene_hangs_crashes_or_passes_a_wall),
    };
    return cmocka_run_group_tests_name("scene campaign", tests, NULL, NULL);
}
