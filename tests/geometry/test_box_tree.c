#include "support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/map_tree.h"
#include "geometry_random.h"

/* --- boxes --- */

static void box_of(const void *user, uint32_t item, fm_aabb *out)
{
    *out = ((const fm_aabb *)user)[item];
}

static fm_aabb roll_box(dice *d, double reach, double size)
{
    fm_aabb box;
    for (int k = 0; k < 3; k++) {
        box.low[k] = roll(d, -reach, reach);
        box.high[k] = box.low[k] + roll(d, 0, size);
    }
    return box;
}

enum { MOST = 1000 };
typedef struct visits {
    uint32_t items[4 * MOST];
    size_t count;
    int seen[MOST];
} visits;

static void note(void *user, uint32_t item)
{
    visits *v = user;
    v->items[v->count++] = item;
    v->seen[item]++;
}

static void every_box_that_meets_the_question_is_visited_once(void **state)
{
    (void)state;
    static fm_aabb boxes[MOST];
    static visits v;
    dice d = {11};
    for (size_t n = 1; n <= MOST; n = n * 3 + 1) {
        for (size_t i = 0; i < n; i++)
            boxes[i] = roll_box(&d, 20, i % 7 ? 1 : 9);
        fm_box_tree *tree = fm_box_tree_create(n, box_of, boxes, NULL);
        assert_non_null(tree);
        for (int question = 0; question < 200; question++) {
            fm_aabb box = roll_box(&d, 25, 6);
            memset(&v, 0, sizeof v);
            fm_box_tree_visit(tree, &box, note, &v);
            for (size_t i = 0; i < n; i++) {
                assert_at_most(v.seen[i], 1);
                assert_true(v.seen[i] || !fm_aabb_meet(&boxes[i], &box));
            }
        }
        fm_box_tree_free(tree);
    }
}

/* Asked again of the same memory with boxes that have moved, fewer and more of them. */
static void a_tree_that_is_filled_again_finds_all_boxes_that_rays_cross(void **state)
{
    (void)state;
    static fm_aabb boxes[MOST];
    static visits v;
    dice d = {13};
    int crossed = 0;
    fm_box_tree *tree = fm_box_tree_reserve(MOST, NULL);
    assert_non_null(tree);
    for (int round = 0; round < 40; round++) {
        size_t n = round % 4 ? (size_t)(25 * round) : 0;
        for (size_t i = 0; i < n; i++)
            boxes[i] = roll_box(&d, 20, i % 7 ? 1 : 9);
        fm_box_tree_fill(tree, n, box_of, boxes);
        for (int question = 0; question < 50; question++) {
            enum { RAYS = 5, STEPS = 400 };
            double origin[RAYS][3], direction[RAYS][3], reach[RAYS];
            fm_region region;
            for (int i = 0; i < RAYS; i++) {
                roll_point(&d, 25, origin[i]);
                roll_direction(&d, direction[i]);
                if (i == 0)
                    direction[i][1] = 0;
                reach[i] = i == 1 ? -1 : roll(&d, 0, 30);
            }
            fm_region_set_rays(&region, RAYS, (const double(*)[3])origin, (const double(*)[3])direction, reach);
            memset(&v, 0, sizeof v);
            fm_box_tree_visit_region(tree, &region, note, &v);
            for (size_t i = 0; i < n; i++)
                for (int r = 0; r < RAYS; r++)
                    for (int step = 0; step <= STEPS && reach[r] >= 0; step++) { /* points along the ray */
                        double t = reach[r] * step / STEPS, p[3];
                        for (int k = 0; k < 3; k++)
                            p[k] = origin[r][k] + t * direction[r][k];
                        if (fm_aabb_gap_squared(&boxes[i], p) > 0)
                            continue;
                        assert_same(v.seen[i], 1);
                        crossed++;
                        break;
                    }
        }
    }
    assert_greater(crossed, 1000);
    fm_box_tree_free(tree);
}

static void no_box_lies_within_the_clearance_and_it_is_not_much_too_small(void **state)
{
    (void)state;
    static fm_aabb boxes[MOST];
    dice d = {12};
    for (size_t i = 0; i < MOST; i++)
        boxes[i] = roll_box(&d, 20, 0.5);
    fm_box_tree *tree = fm_box_tree_create(MOST, box_of, boxes, NULL);
    for (int question = 0; question < 500; question++) {
        double p[3], least = 40;
        roll_point(&d, 60, p);
        for (size_t i = 0; i < MOST; i++)
            least = fmin(least, sqrt(fm_aabb_gap_squared(&boxes[i], p)));
        double told = fm_box_tree_clearance(tree, p, 40);
        assert_at_most(told, least + 1e-12);
        assert_at_least(told, 0.5 * least - 6); /* leaves of four and small nodes stand for what is in them */
    }
    fm_box_tree_free(tree);
}

static void a_tree_without_memory_or_boxes_is_refused(void **state)
{
    (void)state;
    static fm_aabb boxes[9];
    fm_error error = {0};
    assert_null(fm_box_tree_create(0, box_of, boxes, &error));
    assert_int_equal(error.status, FM_ERR_RANGE);
    for (long n = 0;; n++) {
        fm_alloc_fail_after(n);
        fm_box_tree *tree = fm_box_tree_create(9, box_of, boxes, &error);
        fm_alloc_fail_after(-1);
        if (tree) {
            fm_box_tree_free(tree);
            return;
        }
        assert_int_equal(error.status, FM_ERR_MEMORY);
        assert_int_equal(fm_alloc_live(), 0);
    }
}

/* --- cells of a height map --- */

enum { ROWS = 37, COLUMNS = 61 };
static int cells[ROWS - 1][COLUMNS - 1];

static void note_cell(void *user, size_t row, size_t column)
{
    (void)user;
    cells[row][column]++;
}

static fm_aabb cell_box(const fm_heightmap *m, size_t i, size_t j)
{
    const double *d = m->depth + i * m->columns + j, *n = d + m->columns;
    return (fm_aabb){{m->north + (double)i * m->north_step, m->east + (double)j * m->east_step,
                      fmin(fmin(d[0], d[1]), fmin(n[0], n[1]))},
                     {m->north + (double)(i + 1) * m->north_step, m->east + (double)(j + 1) * m->east_step,
                      fmax(fmax(d[0], d[1]), fmax(n[0], n[1]))}};
}

static fm_heightmap roll_map(dice *d)
{
    fm_heightmap map;
    assert_int_equal(fm_heightmap_create(ROWS, COLUMNS, &map, NULL), FM_OK);
    map.north = -20;
    map.east = 7;
    map.north_step = 1.5;
    map.east_step = 0.7;
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        map.depth[i] = roll(d, 10, 14);
    return map;
}

static void the_cells_of_a_map_that_meet_a_box_are_visited(void **state)
{
    (void)state;
    dice d = {13};
    fm_heightmap map = roll_map(&d);
    fm_map_tree *tree = fm_map_tree_create(&map, NULL);
    for (int question = 0; question < 300; question++) {
        fm_aabb box = roll_box(&d, 30, 12);
        memset(cells, 0, sizeof cells);
        fm_map_tree_visit(tree, &box, note_cell, NULL);
        for (size_t i = 0; i + 1 < ROWS; i++)
            for (size_t j = 0; j + 1 < COLUMNS; j++) {
                fm_aabb cell = cell_box(&map, i, j);
                assert_int_equal(cells[i][j], fm_aabb_meet(&cell, &box));
            }
    }
    fm_map_tree_free(tree);
    fm_heightmap_free(&map);
}

static void no_cell_lies_within_the_clearance(void **state)
{
    (void)state;
    dice d = {14};
    fm_heightmap map = roll_map(&d);
    fm_map_tree *tree = fm_map_tree_create(&map, NULL);
    for (int question = 0; question < 300; question++) {
        double p[3], least = 30;
        roll_point(&d, 60, p);
        for (size_t i = 0; i + 1 < ROWS; i++)
            for (size_t j = 0; j + 1 < COLUMNS; j++) {
                fm_aabb cell = cell_box(&map, i, j);
                least = fmin(least, sqrt(fm_aabb_gap_squared(&cell, p)));
            }
        double told = fm_map_tree_clearance(tree, p, 30);
        assert_within(0.5 * least - 8, told, least + 1e-12);
    }
    fm_map_tree_free(tree);
    fm_heightmap_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_box_that_meets_the_question_is_visited_once),
        cmocka_unit_test(a_tree_that_is_filled_again_finds_all_boxes_that_rays_cross),
        cmocka_unit_test(no_box_lies_within_the_clearance_and_it_is_not_much_too_small),
        cmocka_unit_test(a_tree_without_memory_or_boxes_is_refused),
        cmocka_unit_test(the_cells_of_a_map_that_meet_a_box_are_visited),
        cmocka_unit_test(no_cell_lies_within_the_clearance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
