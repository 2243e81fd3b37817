/* The bottom as it is leaves on /scene and /markers/world: sent again when mounds move, and the same when replayed. */
#include "support/program.h"
#include "support/scenario.h"

#include "support/log.h"
#include "telemetry/message.h"

static const char text[] =
    "<fathom version='1'><world dt='0.1 s' duration='4 s'><water><sound formula='constant'/></water>"
    "<bottom depth='40 m'><mound height='-3 m' centre='10 -20 0 m' sigma='15 25 1 m'/></bottom></world>"
    "<faults><at t='1 s' path='/bottom/mound/height' value='-9 m'/>"
    "<at t='2 s' path='/water/sound/speed' value='1450 m/s'/><at t='3 s' path='/bottom/mound/centre/x' value='-5 m'/>"
    "</faults>"
    "<vehicle name='a' position='0 0 5 m'><mass mass='40 kg' inertia='1 1 1 kg*m2'/><transducer ping-period='1 "
    "s'/></vehicle>"
    "<vehicle name='b' position='50 0 5 m'><mass mass='40 kg' inertia='1 1 1 kg*m2'/><transducer/></vehicle></fathom>";

/* Messages of a channel, and the n-th of them decoded. */
static size_t read_all(fm_mcap_reader *reader, const char *topic, size_t n, const fm_message *type, void *out,
                       double *time, fm_arena *arena)
{
    fm_error error = {0};
    fm_mcap_cursor *cursor;
    fm_mcap_message message;
    size_t count = 0;
    const fm_mcap_channel *channel = fm_mcap_find_channel(reader, topic);
    assert_non_null(channel);
    assert_int_equal(fm_mcap_query_open(reader, &(fm_mcap_query){.channel = channel}, &cursor, &error), FM_OK);
    for (; fm_mcap_next(cursor, &message, &error) == FM_OK && message.data; count++)
        if (count == n) {
            *time = 1e-9 * (double)message.time;
            assert_int_equal(fm_message_decode(type, message.data, message.size, out, arena, &error), FM_OK);
        }
    fm_mcap_query_close(cursor);
    return count;
}

static double depth_at(double north, double east, double height, double x)
{
    double a = (north - x) / 15, b = (east + 20) / 25;
    return 40 + height * exp(-0.5 * (a * a + b * b));
}

static void the_scene_shows_mounds_where_they_are(void **state)
{
    (void)state;
    static const struct {
        double time, height, x;
    } bottoms[] = {{0, -3, 10}, {1.1, -9, 10}, {3.1, -9, -5}};
    program_run r;
    fm_arena arena = {0};
    FILE *file = fopen("live-bottom.xml", "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(run_fathom(&r, "run live-bottom.xml --quiet --log live-bottom.mcap"), 0);
    fm_mcap_reader *reader = open_log("live-bottom.mcap");
    for (size_t n = 0; n < 3; n++) {
        fm_msg_scene scene;
        fm_msg_marker_array markers;
        double time, marked;
        assert_int_equal(read_all(reader, "/scene", n, &fm_msg_scene_type, &scene, &time, &arena), 3);
        assert_int_equal(read_all(reader, "/markers/world", n, &fm_msg_marker_array_type, &markers, &marked, &arena),
                         3);
        near("time", time, bottoms[n].time, 0.051);
        near("time of the markers", marked, time, 0);
        const fm_msg_scene_heightmap *map = scene.heightmaps.items;
        for (size_t j = 0; j < map->rows; j += 7)
            for (size_t i = 0; i < map->columns; i += 7)
                near("height", map->heights.items[j * map->columns + i],
                     -depth_at(map->y0 + (double)j * map->dy, map->x0 + (double)i * map->dx, bottoms[n].height,
                               bottoms[n].x),
                     1e-4);
        const fm_msg_marker *ground = markers.markers.items;
        for (size_t i = 0; i < ground->points.count; i += 101) {
            const fm_msg_point *p = &ground->points.items[i];
            near("marker", p->z, -depth_at(p->y, p->x, bottoms[n].height, bottoms[n].x), 1e-4);
        }
    }
    fm_mcap_reader_close(reader);
    fm_arena_free(&arena);
    assert_int_equal(run_fathom(&r, "replay live-bottom.mcap --verify"), 0); /* sound and bottom bit for bit */
}

/* A slope to the east as a mesh of two triangles, with a corner missing, and the same as a grid of numbers. */
static const char mesh[] = "v -40 -60 8\nv -40 60 20\nv 40 60 20\nv 40 -60 8\nv 0 0 14\nf 1 2 5\nf 2 3 5\nf 3 4 5\n";

static double slope_depth(double east)
{
    return 14 + 0.1 * east;
}

static void a_bottom_from_a_file_is_in_the_scene_and_its_markers(void **state)
{
    (void)state;
    static const char scenario[] =
        "<fathom version='1'><world dt='0.1 s' duration='1 s'><bottom><mesh file='slope.obj'/></bottom></world>"
        "<vehicle name='a' position='10 -20 5 m'><mass mass='40 kg' inertia='1 1 1 kg*m2'/></vehicle></fathom>";
    program_run r;
    fm_arena arena = {0};
    fm_msg_scene scene;
    fm_msg_marker_array markers;
    double time;
    size_t known = 0, unknown = 0;
    FILE *file = fopen("slope.obj", "w");
    fputs(mesh, file);
    fclose(file);
    file = fopen("slope.xml", "w");
    fputs(scenario, file);
    fclose(file);
    assert_int_equal(run_fathom(&r, "run slope.xml --quiet --log slope.mcap"), 0);
    fm_mcap_reader *reader = open_log("slope.mcap");
    read_all(reader, "/scene", 0, &fm_msg_scene_type, &scene, &time, &arena);
    read_all(reader, "/markers/world", 0, &fm_msg_marker_array_type, &markers, &time, &arena);
    assert_int_equal(scene.heightmaps.count, 1);
    const fm_msg_scene_heightmap *map = scene.heightmaps.items;
    near("west edge", map->x0, -60, 1e-9);
    near("south edge", map->y0, -40, 1e-9);
    near("east edge", map->x0 + map->dx * (map->columns - 1), 60, 1e-9);
    near("north edge", map->y0 + map->dy * (map->rows - 1), 40, 1e-9);
    for (size_t j = 0; j < map->rows; j++)
        for (size_t i = 0; i < map->columns; i++) {
            const double north = map->y0 + (double)j * map->dy, east = map->x0 + (double)i * map->dx,
                         height = map->heights.items[j * map->columns + i];
            const int missing =
                east < -1 && fabs(north) / 40 < -east / 60 - 0.02; /* the fourth triangle, to the west */
            if (missing) {
                assert_true(isnan(height));
                unknown++;
            } else if (isfinite(height)) {
                near("height", height, -slope_depth(east), 1e-3);
                known++;
            }
        }
    assert_less(1000, known);
    assert_less(1000, unknown);
    const fm_msg_marker *ground = markers.markers.items;
    assert_less(1000, ground->points.count);
    for (size_t i = 0; i < ground->points.count; i++) {
        const fm_msg_point *p = &ground->points.items[i];
        if (p->x != 0 || p->y != 0 || p->z != 0)
            near("marker", p->z, -slope_depth(p->x), 1e-3);
    }
    fm_mcap_reader_close(reader);
    fm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bottom_from_a_file_is_in_the_scene_and_its_markers),
        cmocka_unit_test(the_scene_shows_mounds_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
