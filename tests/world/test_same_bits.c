/* Every scenario of the tree has the stored bits: its motion, and what its instruments measured on the way.
 * tests/data/bits.txt holds them; `world_test_same_bits --print` writes a new one. Any number of threads gives the same
 * state. */
#include "support/scenario_names.h"

#include "world/scenes.h"

static const char HEAD[] =
    "# Bits of every scenario: name, ticks, hash of the motion then, hash of ten looks at all instruments.\n"
    "# Written by world_test_same_bits --print, where a number was meant to change.\n";
enum { READS = 10 };
static const double SECONDS = 6;
static const char FLEET_NAME[] = "(fleet)";
static const uint64_t START = 0xcbf29ce484222325u;

typedef struct bits {
    char name[64];
    long ticks;
    unsigned long long motion, told;
} bits;

static uint64_t add_bytes(uint64_t hash, const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t add_sample(uint64_t hash, const fm_sample *sample)
{
    static const size_t sizes[] = {
        [FM_OUTPUT_REAL] = 8, [FM_OUTPUT_UINT8] = 1, [FM_OUTPUT_FLOAT32] = 4, [FM_OUTPUT_INT64] = 8};
    if (!sample->data || sample->type >= FM_COUNT(sizes))
        return hash;
    return add_bytes(hash, sample->data, sample->count * sizes[sample->type]);
}

static uint64_t add_instruments(uint64_t hash, const fm_world *world)
{
    for (int slot = 0; slot < world->slot_count; slot++)
        for (size_t i = 0; i < fm_world_instrument_count(world, slot); i++) {
            fm_instrument_info info = fm_world_instrument(world, slot, i);
            hash = add_bytes(hash, &info.samples, sizeof info.samples);
            for (size_t field = 0; info.samples && field < info.field_count; field++) {
                fm_sample sample = fm_world_instrument_field(world, slot, i, field);
                hash = add_sample(hash, &sample);
            }
        }
    return hash;
}

static bits bits_of(const char *name)
{
    bits b = {.told = START};
    snprintf(b.name, sizeof b.name, "%s", name);
    fm_world *world = start_scenario(name, NULL);
    double dt = fm_model_dt(fm_world_model(world));
    int every = (int)(SECONDS / READS / dt + 0.5);
    every = every > 1 ? every : 1;
    for (int look = 0; look < READS; look++) {
        step(world, every);
        b.told = add_instruments(b.told, world);
    }
    b.ticks = (long)every * READS;
    b.motion = motion_hash(world);
    finish(world);
    return b;
}

/* The next row of the file; 0 at its end. */
static int read_row(FILE *stored, bits *row)
{
    char line[256];
    while (fgets(line, sizeof line, stored))
        if (line[0] != '#' &&
            sscanf(line, "%63s %ld 0x%llx 0x%llx", row->name, &row->ticks, &row->motion, &row->told) == 4)
            return 1;
    return 0;
}

/* 1: b is what is stored; prints what is not. */
static int is_stored(const bits *b, const bits *stored)
{
    if (b->ticks == stored->ticks && b->motion == stored->motion && b->told == stored->told)
        return 1;
    print_message(
        "%s: after %ld ticks motion 0x%016llx and instruments 0x%016llx, stored are %ld, 0x%016llx, 0x%016llx\n",
        b->name, b->ticks, b->motion, b->told, stored->ticks, stored->motion, stored->told);
    return 0;
}

static void every_scenario_has_its_stored_bits(void **unused)
{
    (void)unused;
    static scenario_name names[SCENARIOS_MOST];
    int count = list_scenarios(names), next = 0, wrong = 0;
    FILE *stored = fopen(TEST_DATA "/bits.txt", "r");
    assert_non_null(stored);
    for (bits row; read_row(stored, &row);) {
        if (strcmp(row.name, FLEET_NAME) == 0)
            continue;
        assert_less(next, count);
        assert_string_equal(names[next++], row.name);
        bits b = bits_of(row.name);
        wrong += !is_stored(&b, &row);
    }
    fclose(stored);
    assert_int_equal(next, count);
    assert_int_equal(wrong, 0);
}

/* --- rays and threads --- */

/* A bottom of 2 × 80 × 80 triangles with peaks, from whole numbers only. */
static void write_reef(const char *file)
{
    enum { SIDE = 81 };
    FILE *out = fopen(file, "w");
    uint64_t dice = 9;
    assert_non_null(out);
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++) {
            dice = dice * 6364136223846793005u + 1442695040888963407u;
            long millimetres = 24000 - (long)(dice >> 52) - (i % 9 == 4 && k % 7 == 3 ? 9000 : 0);
            fprintf(out, "v %d %d %ld.%03ld\n", 3 * (i - 4), 3 * (k - 40), millimetres / 1000, millimetres % 1000);
        }
    for (int i = 0; i + 1 < SIDE; i++)
        for (int k = 0; k + 1 < SIDE; k++) {
            int at = i * SIDE + k + 1;
            fprintf(out, "f %d %d %d\nf %d %d %d\n", at, at + SIDE, at + 1, at + 1, at + SIDE, at + SIDE + 1);
        }
    assert_int_equal(fclose(out), 0);
}

/* 330 vehicles are six portions for the threads; all have a fan of rays over the reef, one has a camera. */
static const char FLEET[] =
    "<fathom version='1'><world dt='0.1 s' duration='60 s' seed='3'><water density='1025 kg/m3'/>"
    "<bottom><mesh file='same_bits_reef.obj'/></bottom><current velocity='0.1 0.05 0 m/s'/></world>"
    "<vehicle name='p' model='nps-auv-ii' count='329' position='60 0 5 m' velocity='2 0 0 ft/s'>"
    "<multibeam name='fan' attitude='90 0 0 deg' period='0.5 s' range='60 m' sector='120 deg' beams='32' bins='50'/>"
    "<orders><at t='0 s' propellers='500 rpm'/><at t='2 s' bow-rudder='10 deg' stern-rudder='-10 deg'/></orders>"
    "</vehicle>"
    "<vehicle name='eye' model='nps-auv-ii' position='0 0 8 m' velocity='2 0 0 ft/s'>"
    "<camera name='camera' attitude='0 -40 0 deg' width='160' height='120' period='0.5 s'/></vehicle></fathom>";

static fm_model *load_fleet(void)
{
    fm_load_options options = tree_options(NULL);
    fm_error error = {0};
    write_reef("same_bits_reef.obj");
    return loaded(fm_model_load_memory(FLEET, strlen(FLEET), "fleet.xml", &options, &error), &error);
}

static bits bits_of_fleet(const fm_model *model, int threads, uint64_t *state)
{
    bits b = {.name = "(fleet)", .ticks = 26, .told = START};
    fm_world *world = create(model, threads);
    assert_greater(world->slot_count, 5 * 64);
    step(world, (int)b.ticks);
    b.motion = motion_hash(world);
    b.told = add_instruments(b.told, world);
    *state = fm_world_hash(world);
    fm_world_free(world);
    return b;
}

static void a_fleet_with_rays_has_the_stored_bits_on_any_number_of_threads(void **unused)
{
    (void)unused;
    static const int threads[] = {1, 2, 3, 5, 8, 16};
    fm_model *model = load_fleet();
    FILE *stored = fopen(TEST_DATA "/bits.txt", "r");
    bits row;
    uint64_t first = 0, state;
    assert_non_null(stored);
    while (read_row(stored, &row) && strcmp(row.name, FLEET_NAME) != 0)
        continue;
    fclose(stored);
    assert_string_equal(row.name, FLEET_NAME);
    for (size_t t = 0; t < FM_COUNT(threads); t++) {
        bits b = bits_of_fleet(model, threads[t], &state);
        assert_true(is_stored(&b, &row));
        first = t ? first : state;
        assert_same(state, first);
    }
    fm_model_free(model);
}

static void print_row(const bits *b)
{
    printf("%-20s %6ld 0x%016llx 0x%016llx\n", b->name, b->ticks, b->motion, b->told);
}

static int print_bits(void)
{
    static scenario_name names[SCENARIOS_MOST];
    int count = list_scenarios(names);
    fputs(HEAD, stdout);
    for (int i = 0; i < count; i++) {
        bits b = bits_of(names[i]);
        print_row(&b);
    }
    fm_model *model = load_fleet();
    uint64_t state;
    bits fleet = bits_of_fleet(model, 1, &state);
    print_row(&fleet);
    fm_model_free(model);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--print") == 0)
        return print_bits();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scenario_has_its_stored_bits),
        cmocka_unit_test(a_fleet_with_rays_has_the_stored_bits_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
