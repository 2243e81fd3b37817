/* The overview of a run, from a log that is written here: a vehicle that runs north at 1 m/s and 5 m, ordered to
 * dive to 8 m at 30 s and slow to do so, with an estimate half a metre to the east and its covariance. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/overview.h"
#include "plot/parts.h"
#include "telemetry/frames.h"
#include "telemetry/mcap_writer.h"
#include "telemetry/schema.h"

enum { STEPS = 600 };

typedef struct log_file {
    fm_mcap_writer *writer;
    uint32_t sequence;
} log_file;

static uint16_t add_channel(log_file *log, const char *topic, const fm_message *type)
{
    fm_error error = {0};
    char name[128], *text = fm_schema_text(type);
    uint16_t schema = 0, channel = 0;
    fm_schema_name(type, name, sizeof name);
    assert_int_equal(fm_mcap_add_schema(log->writer, name, "ros2msg", text, strlen(text), &schema, &error), FM_OK);
    assert_int_equal(fm_mcap_add_channel(log->writer, schema, topic, "cdr", NULL, 0, &channel, &error), FM_OK);
    fm_free(text);
    return channel;
}

static void put(log_file *log, uint16_t channel, double t, const fm_message *type, const void *message)
{
    static uint8_t buffer[1 << 16];
    fm_error error = {0};
    size_t size = fm_message_encode(type, message, buffer, sizeof buffer);
    assert_greater(size, 0);
    assert_int_equal(
        fm_mcap_write(log->writer, channel, log->sequence++, (uint64_t)(t * 1e9 + 0.5), buffer, size, &error), FM_OK);
}

static double true_depth(double t)
{
    return t < 32 ? 5 : fmin(5 + 0.2 * (t - 32), 8);
}

static fm_msg_odometry odometry(double t, double aside)
{
    const double place[3] = {t, aside, true_depth(t)}, q[4] = {1, 0, 0, 0};
    fm_msg_odometry o = {.header = {fm_msg_time_from_ns((uint64_t)(t * 1e9 + 0.5)), "map"}, .child_frame_id = "torp"};
    o.pose.pose = fm_enu_pose_from_ned(place, q);
    o.twist.twist.linear = fm_flu_from_frd((double[]){1, 0, 0});
    o.pose.covariance[0] = -1;
    o.twist.covariance[0] = -1;
    return o;
}

static fm_msg_odometry estimate(double t)
{
    fm_msg_odometry o = odometry(t, 0.5);
    o.pose.covariance[0] = 4;     /* east, m² */
    o.pose.covariance[7] = 1;     /* north */
    o.pose.covariance[14] = 0.25; /* up */
    return o;
}

static void put_orders(log_file *log, uint16_t pilot, uint16_t guide, double t)
{
    static const char *const orders[] = {"depth.demand", "heading.demand", "speed.demand", "speed.error"};
    /* position: what a guidance asks for, zero where it asks for none; not where it believes to be */
    static const char *const legs[] = {"to.north",  "to.east",    "to.depth",       "from.north",
                                       "from.east", "from.depth", "position.north", "position.east"};
    static const char *const units[] = {"m", "rad", "m/s", "m/s", "m", "m", "m", "m"};
    const double asked[] = {t < 30 ? 5 : 8, 0, 1.5, 0.5}, first[] = {30, 0, 5, 0, 0, 5, 0, 0},
                 second[] = {90, 0, 8, 30, 0, 5, 0, 0};
    fm_msg_header header = {fm_msg_time_from_ns((uint64_t)(t * 1e9 + 0.5)), "torp"};
    fm_msg_values a = {header, {orders, 4}, {units, 4}, {asked, 4}},
                  b = {header, {legs, 8}, {units, 8}, {t < 30 ? first : second, 8}};
    put(log, pilot, t, &fm_msg_values_type, &a);
    put(log, guide, t, &fm_msg_values_type, &b);
}

static void write_log(const char *path)
{
    static const fm_mcap_pair scenario[] = {
        {"resolved",
         "<fathom><vehicle name='torp'><waypoints><waypoint position='30 0 5 m'/><waypoint position='0.09 0 "
         "0.008 km'/><waypoint position='100 20 8 m'/></waypoints></vehicle></fathom>"}};
    fm_error error = {0};
    log_file log = {0};
    assert_int_equal(fm_mcap_create(path, &(fm_mcap_options){0}, &log.writer, &error), FM_OK);
    fm_mcap_metadata(log.writer, "scenario", scenario, 1, &error);
    uint16_t odom = add_channel(&log, "/torp/odom", &fm_msg_odometry_type),
             ins = add_channel(&log, "/torp/ins", &fm_msg_odometry_type),
             pilot = add_channel(&log, "/torp/autopilot", &fm_msg_values_type),
             guide = add_channel(&log, "/torp/waypoints", &fm_msg_values_type),
             events = add_channel(&log, "/events", &fm_msg_event_type);
    for (int i = 0; i <= STEPS; i++) {
        double t = 0.1 * i;
        fm_msg_odometry truth = odometry(t, 0), believed = estimate(t);
        put(&log, odom, t, &fm_msg_odometry_type, &truth);
        put(&log, ins, t, &fm_msg_odometry_type, &believed);
        put_orders(&log, pilot, guide, t);
        fm_msg_event event = {
            fm_msg_time_from_ns((uint64_t)(t * 1e9 + 0.5)), 0, "torp", "waypoint reached", "", i / 300};
        if (i == 300 || i == 302)
            put(&log, events, t, &fm_msg_event_type, &event);
    }
    assert_int_equal(fm_mcap_close(log.writer, &error), FM_OK);
}

static fm_run_data read_run(const char *path, const fm_run_window *request)
{
    fm_error error = {0};
    fm_mcap_reader *reader;
    fm_run_data run;
    assert_int_equal(fm_mcap_open(path, &reader, &error), FM_OK);
    if (fm_run_data_read(reader, request, &run, &error) != FM_OK)
        fail_msg("%s", error.text);
    run.title = "a test"; /* not that of the reader, which goes */
    fm_mcap_reader_close(reader);
    return run;
}

static int write_once(void **state)
{
    (void)state;
    write_log("overview.mcap");
    return 0;
}

static void near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("found %.12g, expected %.12g", found, expected);
}

static void orders_legs_and_plan_come_out_of_the_log(void **state)
{
    (void)state;
    fm_run_data run = read_run("overview.mcap", NULL);
    assert_int_equal(run.vehicle_count, 1);
    const fm_run_vehicle *v = &run.vehicles[0];
    assert_int_equal(v->ordered_depth.count, STEPS + 1);
    near(v->ordered_depth.y[400], 8, 0);
    near(v->ordered_speed.y[10], 1.5, 0);
    near(v->water_speed.y[10], 1, 1e-12);
    assert_int_equal(v->leg_count, 2);
    near(v->legs[1].from[0], 30, 0);
    near(v->legs[1].to[2], 8, 0);
    assert_int_equal(v->plan_count, 3);
    near(v->plan[1][0], 90, 1e-9); /* 0.09 km */
    near(v->plan[2][1], 20, 0);
    fm_run_data_free(&run);
}

static void an_estimate_has_its_error_and_its_covariance(void **state)
{
    (void)state;
    fm_run_data run = read_run("overview.mcap", NULL);
    const fm_run_estimate *e = &run.vehicles[0].estimates[0];
    assert_int_equal(run.vehicles[0].estimate_count, 1);
    assert_string_equal(e->name, "ins");
    near(e->error.y[100], 0.5, 1e-9);
    near(e->spread.y[100], 2, 1e-12);
    near(e->vertical.y[100], 0.5, 1e-12);
    near(e->ellipses[3].axes[1], 1, 1e-12);
    near(fabs(sin(e->ellipses[3].heading)), 1, 1e-12); /* longest to the east */
    fm_run_data_free(&run);
}

static void a_window_of_time_leaves_the_rest_out(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_mcap_reader *reader;
    fm_run_data run = read_run("overview.mcap", &(fm_run_window){.from = 20, .to = 40});
    near(run.from, 20, 1e-9);
    near(run.to, 40, 1e-9);
    assert_int_equal(run.vehicles[0].depth.count, 201);
    fm_run_data_free(&run);
    assert_int_equal(fm_mcap_open("overview.mcap", &reader, &error), FM_OK);
    assert_int_equal(fm_run_data_read(reader, &(fm_run_window){.from = 100, .to = 200}, &run, &error), FM_ERR_MISSING);
    assert_non_null(strstr(error.text, "between 100 s and 200 s; the log holds 0 s to 60 s"));
    fm_run_data_free(&run);
    fm_mcap_reader_close(reader);
}

static const fm_axes *find_axes(const fm_figure *figure, const char *title)
{
    for (size_t i = 0; i < figure->axes_count; i++)
        if (figure->axes[i]->title && strcmp(figure->axes[i]->title, title) == 0)
            return figure->axes[i];
    return NULL;
}

static const fm_series *find_label(const fm_axes *axes, const char *label)
{
    for (const fm_series *s = axes ? axes->first : NULL; s; s = s->next)
        if (s->label && strcmp(s->label, label) == 0)
            return s;
    return NULL;
}

static int has_note(const fm_figure *figure, const char *note)
{
    for (size_t i = 0; i < figure->note_count; i++)
        if (strcmp(figure->notes[i], note) == 0)
            return 1;
    return 0;
}

static void the_page_shows_orders_waypoints_and_the_estimate(void **state)
{
    (void)state;
    fm_run_data run = read_run("overview.mcap", NULL);
    const fm_run_data *runs[] = {&run};
    fm_figure *figure = fm_overview_draw(runs, 1, FM_THEME_LIGHT);
    const fm_axes *above = find_axes(figure, "Track from above"), *depth = find_axes(figure, "Depth");
    assert_non_null(find_label(above, "ordered path"));
    assert_int_equal(find_label(above, "waypoints")->count, 3);
    assert_non_null(find_label(above, "estimate (ins)"));
    assert_non_null(find_label(above, "two standard deviations"));
    assert_string_equal(above->x.label, "east");
    assert_string_equal(above->y.label, "north");
    assert_non_null(find_label(depth, "ordered"));
    assert_non_null(find_label(depth, "true"));
    assert_true(depth->y.reversed);
    const fm_series *band = find_label(depth, "two standard deviations");
    near(band->u[100] - band->y[100], 4 * 0.5, 1e-12);
    assert_non_null(find_axes(figure, "Estimated place: distance from the truth"));
    assert_non_null(find_label(find_axes(figure, "Speed"), "ordered, through the water"));
    fm_figure_destroy(figure);
    fm_run_data_free(&run);
}

static void what_does_not_change_has_a_line_and_no_panel(void **state)
{
    (void)state;
    fm_run_data run = read_run("overview.mcap", NULL);
    const fm_run_data *runs[] = {&run};
    fm_figure *figure = fm_overview_draw(runs, 1, FM_THEME_LIGHT);
    assert_null(find_axes(figure, "Roll and pitch"));
    assert_null(find_axes(figure, "Heading"));
    assert_true(has_note(figure, "Constant: heading 0 °; roll and pitch 0 °"));
    fm_figure_destroy(figure);
    fm_run_data_free(&run);
}

static void events_are_numbered_above_and_explained_below(void **state)
{
    (void)state;
    fm_run_data run = read_run("overview.mcap", NULL);
    const fm_run_data *runs[] = {&run};
    unsigned char *bytes;
    size_t size, marks = 0;
    fm_figure *figure = fm_overview_draw(runs, 1, FM_THEME_LIGHT);
    assert_true(has_note(figure, "1   30 s  waypoint reached (1)"));
    assert_true(has_note(figure, "2   30.2 s  waypoint reached (1)"));
    const fm_axes *depth = find_axes(figure, "Depth");
    for (const fm_series *s = depth->first; s; s = s->next)
        marks += s->kind == FM_SERIES_MARK && s->text;
    assert_int_equal(marks, 2);
    double height = figure->height;
    assert_int_equal(fm_figure_render(figure, FM_FIGURE_PNG, &bytes, &size, NULL), FM_OK);
    assert_same(figure->height, height);
    assert_greater(figure->notes_height, 10); /* below all plots, not upon them */
    for (size_t i = 0; i < figure->axes_count; i++)
        assert_less(figure->axes[i]->plot.y + figure->axes[i]->plot.height, height);
    fm_free(bytes);
    fm_figure_destroy(figure);
    fm_run_data_free(&run);
}

static void two_runs_lie_over_each_other_by_their_names(void **state)
{
    (void)state;
    fm_run_data a = read_run("overview.mcap", &(fm_run_window){.name = "first"}),
                b = read_run("overview.mcap", &(fm_run_window){.name = "second", .to = 50});
    const fm_run_data *runs[] = {&a, &b};
    fm_figure *figure = fm_overview_draw(runs, 2, FM_THEME_DARK);
    const fm_axes *above = find_axes(figure, "Track from above");
    const fm_series *one = find_label(above, "first"), *two = find_label(above, "second");
    assert_non_null(one);
    assert_non_null(two);
    if (one->colour.red == two->colour.red)
        assert_different(one->colour.blue, two->colour.blue);
    assert_true(has_note(figure, "○ start, ● end; dashed: ordered; dash-dotted: estimated"));
    fm_figure_destroy(figure);
    fm_run_data_free(&a);
    fm_run_data_free(&b);
}

/* A run made by hand: `names` swim a metre apart. */
static fm_run_data school(const char *const *names, size_t count)
{
    fm_run_data run = {.title = "school", .from = 0, .to = 9, .vehicle_count = count};
    run.vehicles = fm_alloc(count * sizeof *run.vehicles);
    for (size_t i = 0; i < count; i++) {
        run.vehicles[i].name = run.vehicles[i].base = names[i];
        for (int k = 0; k < 10; k++)
            assert_true(fm_run_track_add(&run.vehicles[i].track, k, (double[3]){k, (double)i, 1}) &&
                        fm_run_series_add(&run.vehicles[i].speed, k, 0.1 * k));
    }
    return run;
}

static void a_group_has_one_colour_and_its_own_name(void **state)
{
    (void)state;
    static char texts[12][16];
    const char *names[13];
    for (int i = 0; i < 12; i++) {
        snprintf(texts[i], sizeof texts[i], "fish-%d", i + 1);
        names[i] = texts[i];
    }
    names[12] = "shark";
    fm_run_data run = school(names, 13);
    const fm_run_data *runs[] = {&run};
    fm_figure *figure = fm_overview_draw(runs, 1, FM_THEME_LIGHT);
    const fm_axes *above = find_axes(figure, "Track from above");
    assert_non_null(find_label(above, "fish (12)"));
    assert_non_null(find_label(above, "shark"));
    size_t labels = 0;
    for (const fm_series *s = above->first; s; s = s->next)
        labels += s->label != NULL;
    assert_int_equal(labels, 2);
    fm_figure_destroy(figure);
    fm_run_data_free(&run);
}

static void a_fish_called_red_is_red(void **state)
{
    (void)state;
    static const char *const names[] = {"red", "green", "blue"};
    fm_run_data run = school(names, 3);
    const fm_run_data *runs[] = {&run};
    fm_figure *figure = fm_overview_draw(runs, 1, FM_THEME_LIGHT);
    const fm_axes *above = find_axes(figure, "Track from above");
    fm_colour red = find_label(above, "red")->colour, green = find_label(above, "green")->colour,
              blue = find_label(above, "blue")->colour;
    assert_greater(red.red, 2 * red.green);
    assert_greater(red.red, 2 * red.blue);
    assert_greater(green.green, green.red);
    assert_greater(green.green, green.blue);
    assert_greater(blue.blue, blue.red);
    assert_greater(blue.blue, blue.green);
    fm_figure_destroy(figure);
    fm_run_data_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_legs_and_plan_come_out_of_the_log),
        cmocka_unit_test(an_estimate_has_its_error_and_its_covariance),
        cmocka_unit_test(a_window_of_time_leaves_the_rest_out),
        cmocka_unit_test(the_page_shows_orders_waypoints_and_the_estimate),
        cmocka_unit_test(what_does_not_change_has_a_line_and_no_panel),
        cmocka_unit_test(events_are_numbered_above_and_explained_below),
        cmocka_unit_test(two_runs_lie_over_each_other_by_their_names),
        cmocka_unit_test(a_group_has_one_colour_and_its_own_name),
        cmocka_unit_test(a_fish_called_red_is_red),
    };
    return cmocka_run_group_tests(tests, write_once, NULL);
}
