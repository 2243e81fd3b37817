/* What the scene contains about instruments comes from the contract of parts. */
#include <unistd.h>

#include "support/scenario.h"

#include "base/memory.h"
#include "environment/environment.h"
#include "telemetry/scene.h"
#include "telemetry/sea_messages.h"

static const fm_msg_scene_mount *mount_of(const fm_scene *scene, const char *name)
{
    const fm_msg_scene_mount *mounts = scene->message.mounts.items;
    for (size_t i = 0; i < scene->message.mounts.count; i++)
        if (strcmp(mounts[i].name, name) == 0)
            return &mounts[i];
    fail_msg("no mount '%s'", name);
    return NULL;
}

static void the_scene_tells_where_instruments_sit_and_how_far_and_wide_they_see(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version='1'><world><bottom depth='30 m'/></world><vehicle name='a' model='nps-auv-ii'>"
              "<sonar name='eye' position='1 0.2 -0.3 m' attitude='0 0 90 deg' range='60 m' nearest='0.5 m' "
              "half-angle='15 deg' vertical-half-angle='4 deg'/>"
              "<camera width='64' height='32' field-of-view='90 deg' range='25 m'/><node-sonar range='35 m' "
              "spacing='0.5 m'/><depth/>"
              "</vehicle></fathom>");
    fm_error error = {0};
    fm_arena arena = {0};
    fm_scene scene;
    assert_int_equal(fm_scene_build(world, &arena, &scene, &error), FM_OK);
    fm_scene_place(&scene, world);
    const fm_msg_scene_mount *eye = mount_of(&scene, "eye"), *camera = mount_of(&scene, "camera");
    /* forward-left-up: y and z change sign; a quarter turn to starboard is one to the right */
    assert_near(eye->pose.position.x, 1, 1e-12);
    assert_near(eye->pose.position.y, -0.2, 1e-12);
    assert_near(eye->pose.position.z, 0.3, 1e-12);
    assert_near(eye->pose.orientation.w, sqrt(0.5), 1e-12);
    assert_near(eye->pose.orientation.z, -sqrt(0.5), 1e-12);
    assert_near(eye->range_min, 0.5, 1e-12);
    assert_near(eye->range_max, 60, 1e-12);
    assert_near(eye->fov_horizontal, 30 * DEGREE, 1e-12);
    assert_near(eye->fov_vertical, 8 * DEGREE, 1e-12);
    /* tan of the half angle goes with the pixels */
    assert_near(camera->fov_horizontal, 90 * DEGREE, 1e-12);
    assert_near(camera->fov_vertical, 2 * atan(0.5), 1e-12);
    assert_near(camera->range_max, 25, 1e-12);
    assert_near(mount_of(&scene, "node-sonar")->range_max, 35, 1e-12);
    assert_near(mount_of(&scene, "depth")->range_max, 0, 1e-12);
    fm_arena_free(&arena);
    finish(world);
}

static fm_scene scene_of(fm_world *world, fm_arena *arena)
{
    fm_scene scene;
    fm_error error = {0};
    assert_int_equal(fm_scene_build(world, arena, &scene, &error), FM_OK);
    fm_scene_place(&scene, world);
    assert_at_most(fm_message_size(&fm_msg_scene_type, &scene.message), scene.max_size);
    return scene;
}

static const fm_msg_scene_look *look_of(const fm_scene *scene, const char *name)
{
    const fm_msg_scene_look *looks = scene->message.looks.items;
    for (size_t i = 0; i < scene->message.looks.count; i++)
        if (strcmp(looks[i].name, name) == 0)
            return &looks[i];
    fail_msg("no look '%s'", name);
    return NULL;
}

static size_t looks_of_kind(const fm_scene *scene, int kind)
{
    size_t count = 0;
    for (size_t i = 0; i < scene->message.looks.count; i++)
        count += scene->message.looks.items[i].kind == kind;
    return count;
}

/* Where the trailing edge of a foil goes, to port and up, for a small positive deflection. */
static void trailing_edge_moves(const fm_msg_scene_look *foil, double *port, double *up)
{
    const fm_msg_quaternion *q = &foil->pose.orientation;
    /* local up, about which it turns, and local astern, in forward-port-up */
    double z[3] = {2 * (q->x * q->z + q->w * q->y), 2 * (q->y * q->z - q->w * q->x),
                   1 - 2 * (q->x * q->x + q->y * q->y)};
    double astern[3] = {-(1 - 2 * (q->y * q->y + q->z * q->z)), -2 * (q->x * q->y + q->w * q->z),
                        -2 * (q->x * q->z - q->w * q->y)};
    *port = foil->turn * (z[2] * astern[0] - z[0] * astern[2]);
    *up = foil->turn * (z[0] * astern[1] - z[1] * astern[0]);
}

static void phoenix_shows_eight_fins_two_screws_and_four_tunnels(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version='1'><world/><vehicle name='a' model='nps-auv-ii'/><vehicle name='b' "
                            "model='nps-auv-ii' position='9 0 0 m'/></fathom>");
    fm_arena arena = {0};
    fm_scene scene = scene_of(world, &arena);
    assert_int_equal(looks_of_kind(&scene, FM_MSG_scene_look_FOIL), 8); /* one type: the vehicles are written alike */
    assert_int_equal(looks_of_kind(&scene, FM_MSG_scene_look_SCREW), 2);
    assert_int_equal(looks_of_kind(&scene, FM_MSG_scene_look_TUNNEL), 4);
    assert_int_equal(scene.message.vehicles.count, 2);
    assert_string_equal(scene.message.vehicles.items[1].name, "b");
    assert_string_equal(scene.message.vehicles.items[1].model, "nps-auv-ii");
    const fm_msg_scene_look *loft = look_of(&scene, "");
    assert_int_equal(loft->kind, FM_MSG_scene_look_LOFT);
    assert_int_equal(loft->size.count, 15 * 5); /* the stations of <cross-flow> */
    assert_near(loft->size.items[0], -43.9 * 0.0254, 1e-9);
    const fm_msg_scene_look *screw = look_of(&scene, "port-propeller");
    assert_string_equal(screw->actuator, "port-propeller");
    assert_string_equal(screw->unit, "rad/s");
    assert_near(screw->full, 1400 * 2 * M_PI / 60, 1e-6); /* twice the rated speed */
    fm_arena_free(&arena);
    finish(world);
}

/* A rudder whose positive deflection pushes to starboard has its trailing edge to port then; a plane that pushes up has
 * it down. That holds above and below, port and starboard. */
static void a_fin_turns_its_trailing_edge_away_from_its_lift(void **state)
{
    (void)state;
    static const char *const rudders[] = {"upper-bow-rudder", "lower-bow-rudder", "upper-stern-rudder",
                                          "lower-stern-rudder"};
    static const char *const planes[] = {"port-bow-plane", "starboard-bow-plane", "port-stern-plane",
                                         "starboard-stern-plane"};
    fm_world *world = start("<fathom version='1'><world/><vehicle name='a' model='nps-auv-ii'/></fathom>");
    fm_arena arena = {0};
    fm_scene scene = scene_of(world, &arena);
    for (int i = 0; i < 4; i++) {
        double port, up;
        trailing_edge_moves(look_of(&scene, rudders[i]), &port, &up);
        assert_near(port, 1, 1e-9); /* Y is positive: to starboard */
        trailing_edge_moves(look_of(&scene, planes[i]), &port, &up);
        assert_near(up, -1, 1e-9); /* Z is negative: up */
    }
    fm_arena_free(&arena);
    finish(world);
}

static void a_model_without_a_look_is_drawn_by_what_it_knows(void **state)
{
    (void)state;
    fm_world *world = start(
        "<fathom version='1'><world/><vehicle name='a' length='2 m' width='0.3 m' height='0.3 m'><mass mass='100 kg' "
        "inertia='1 9 9 kg*m2'/><thruster name='t' position='-1 0 0 m' direction='1 0 0' thrust='50 N'/>"
        "<fin name='f' position='-0.9 0 -0.2 m' direction='0 1 0' area='0.02 m2' lift-slope='3 1/rad'/>"
        "<sonar name='eye' position='1 0 0 m' range='60 m'/></vehicle></fathom>");
    fm_arena arena = {0};
    fm_scene scene = scene_of(world, &arena);
    assert_int_equal(scene.message.looks.count, 4);
    assert_int_equal(look_of(&scene, "hull")->kind, FM_MSG_scene_look_CAPSULE);
    const fm_msg_scene_look *fin = look_of(&scene, "f"), *screw = look_of(&scene, "t");
    assert_near(fin->size.items[0] * (fin->size.items[1] + fin->size.items[2]) / 2, 0.02, 1e-9);
    assert_near(screw->pose.position.x, -1, 1e-12);
    assert_near(screw->full, 50, 1e-12);
    assert_int_equal(look_of(&scene, "eye")->kind, FM_MSG_scene_look_CYLINDER);
    fm_arena_free(&arena);
    finish(world);
    world =
        start("<fathom version='1'><world/><vehicle name='a' model='snookie'><look parts='false'/></vehicle></fathom>");
    scene = scene_of(world, &arena);
    assert_int_equal(looks_of_kind(&scene, FM_MSG_scene_look_SCREW), 6); /* those that are described stay */
    fm_arena_free(&arena);
    finish(world);
    world =
        start("<fathom version='1'><world/><vehicle name='a' length='2 m' width='1 m' height='1 m'><mass mass='100 kg' "
              "inertia='1 9 9 kg*m2'/><thruster name='t' position='-1 0 0 m' direction='1 0 0' thrust='50 N'/>"
              "<look parts='false'/></vehicle></fathom>");
    scene = scene_of(world, &arena);
    assert_int_equal(looks_of_kind(&scene, FM_MSG_scene_look_SCREW), 0);
    fm_arena_free(&arena);
    finish(world);
}

/* The skin of the fish at rest is as long as its head and links. */
static void a_fish_is_drawn_by_its_skin_and_its_shapes_have_a_size(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version='1'><world/><vehicle name='a' model='robotic-fish' position='0 0 1 "
                            "m'/></fathom>");
    fm_arena arena = {0};
    fm_scene scene = scene_of(world, &arena);
    const fm_msg_scene_look *skin = look_of(&scene, "skin");
    const fm_msg_scene_mesh *mesh = &scene.message.meshes.items[skin->mesh];
    float low = 1, high = -1;
    for (size_t i = 0; i < mesh->vertices.count; i += 3) {
        low = fminf(low, mesh->vertices.items[i]);
        high = fmaxf(high, mesh->vertices.items[i]);
    }
    assert_near(high, 0.16, 2e-3); /* head */
    assert_near(low, -0.24, 2e-3); /* links */
    assert_int_equal(mesh->colours.count, mesh->vertices.count);
    for (size_t i = 0; i < scene.message.shapes.count; i++)
        assert_greater(scene.message.shapes.items[i].size[0], 0.1);
    fm_arena_free(&arena);
    finish(world);
}

/* The components add up to the surface that the world has, at any place and time. */
static void the_waves_of_the_scene_are_those_that_vehicles_ride_on(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version='1'><world seed='5'><waves><wave amplitude='0.4 m' period='5 s' "
                            "direction='30 deg' phase='40 deg'/><jonswap height='0.5 m' period='4 s' components='20'/>"
                            "</waves></world><vehicle name='a' model='wavesim-buoy'/></fathom>");
    fm_arena arena = {0};
    fm_scene scene = scene_of(world, &arena);
    assert_int_equal(scene.message.waves.count, 21);
    for (int k = 0; k < 20; k++) {
        double north = 7.3 * k, east = -3.1 * k, t = 0.83 * k, sum = 0;
        for (size_t i = 0; i < 21; i++) {
            const fm_msg_scene_wave *w = &scene.message.waves.items[i];
            sum += w->amplitude * cos(w->wave_number.x * east + w->wave_number.y * north - w->frequency * t + w->phase);
        }
        assert_near(sum, fm_sea_elevation(&world->environment->sea, t, north, east), 1e-9);
    }
    fm_arena_free(&arena);
    finish(world);
}

static void the_current_about_the_vehicles_is_told_on_a_grid(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version='1'><world><current velocity='0.3 0.1 0 m/s'/></world><vehicle name='a' "
                            "model='remus-100' position='100 40 10 m'/></fathom>");
    fm_error error = {0};
    fm_arena arena = {0};
    fm_sea_messages sea;
    assert_int_equal(fm_sea_messages_build(world, &arena, &sea, &error), FM_OK);
    assert_true(sea.flows);
    fm_sea_messages_take_current(&sea, world);
    const fm_msg_current_field *field = &sea.current;
    for (size_t i = 0; i < field->velocity.count; i += 3) { /* east, north, up */
        assert_near(field->velocity.items[i], 0.1, 1e-6);
        assert_near(field->velocity.items[i + 1], 0.3, 1e-6);
        assert_near(field->velocity.items[i + 2], 0, 1e-12);
    }
    assert_between(field->x0, 40, field->x0 + (field->columns - 1) * field->dx);
    assert_between(field->y0, 100, field->y0 + (field->rows - 1) * field->dy);
    assert_less(field->z0 + (field->layers - 1) * field->dz, -10);
    fm_arena_free(&arena);
    finish(world);
}

/* From the anchor to where the buoy holds it, in pieces as long together as the tether is. */
static void a_tether_is_told_from_end_to_end(void **state)
{
    (void)state;
    fm_world *world = start(
        "<fathom version='1'><world/><vehicle name='a' model='wavesim-buoy' position='3 4 0 m'/><tether name='line' "
        "from-point='3 4 20 m' to='a' length='20 m' mass='0.5 kg/m' stiffness='20000 N' damping='200 N*s' "
        "pieces='8'/></fathom>");
    fm_error error = {0};
    fm_arena arena = {0};
    fm_sea_messages sea;
    assert_int_equal(fm_sea_messages_build(world, &arena, &sea, &error), FM_OK);
    fm_sea_messages_take_tethers(&sea, world);
    const float *p = sea.tethers.points.items;
    assert_int_equal(sea.tethers.points.count, 3 * 9);
    assert_string_equal(sea.tethers.names.items[0], "line");
    assert_near(p[0], 4, 1e-6); /* east, north, up */
    assert_near(p[1], 3, 1e-6);
    assert_near(p[2], -20, 1e-6);
    assert_near(p[24], 4, 1e-6);
    assert_near(p[25], 3, 1e-6);
    assert_near(p[26], 0, 1e-6);
    double length = 0;
    for (int i = 3; i < 27; i += 3)
        length += sqrt(pow(p[i] - p[i - 3], 2) + pow(p[i + 1] - p[i - 2], 2) + pow(p[i + 2] - p[i - 1], 2));
    assert_near(length, 20, 1e-4);
    assert_near(sea.tethers.lengths.items[0], 20, 1e-12);
    fm_arena_free(&arena);
    finish(world);
}

static void expect_refused(const char *look, const char *words)
{
    char text[512];
    fm_error error = {0};
    snprintf(text, sizeof text,
             "<fathom version='1'><world/><vehicle name='a' model='nps-auv-ii'><look>%s</look></vehicle>"
             "</fathom>",
             look);
    assert_null(try_load(text, &error));
    if (!strstr(error.text, words))
        fail_msg("found '%s', wanted '%s' in it", error.text, words);
}

static void a_look_that_fits_nothing_is_refused(void **state)
{
    (void)state;
    expect_refused("<foil actuator='bow-ruder' position='0 0 0 m' direction='0 0 1' span='1 m' chord='1 m'/>",
                   "no actuator 'bow-ruder'");
    expect_refused("<foil actuator='bow-lateral' position='0 0 0 m' direction='0 0 1' span='1 m' chord='1 m'/>",
                   "no fin");
    expect_refused("<solid sensor='ear' size='1 1 1 m'/>", "no sensor 'ear'");
    expect_refused("<loft x='0 1 m' breadth='1 m' height='1 1 m'/>", "one per station");
    expect_refused("<torpedo nose='2 m' tail='2 m'/>", "fit");
    expect_refused("<bar from='0 0 0 m' to='0 0 0 m' radius='1 m'/>", "length 0");
}

static void drawings_of_files_reach_the_scene(void **state)
{
    (void)state;
    static const char pyramid[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    /* the head and an empty JSON chunk */
    static const char gltf[20] = {'g', 'l', 'T', 'F', 2, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 'J', 'S', 'O', 'N'};
    const char *const names[2] = {"look.obj", "look.glb"};
    char text[512];
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(names[i], "wb");
        assert_non_null(file);
        fwrite(i ? gltf : pyramid, 1, i ? sizeof gltf : sizeof pyramid - 1, file);
        fclose(file);
        char *folder = getcwd(NULL, 0);
        snprintf(text, sizeof text,
                 "<fathom version='1'><world/><vehicle name='a' model='wavesim-buoy'><look mesh='%.300s/%s' "
                 "scale='0.5'/></vehicle></fathom>",
                 folder, names[i]);
        free(folder);
        fm_world *world = start(text);
        fm_arena arena = {0};
        fm_scene scene = scene_of(world, &arena);
        const fm_msg_scene_look *look = look_of(&scene, "mesh");
        const fm_msg_scene_mesh *mesh = &scene.message.meshes.items[look->mesh];
        assert_near(look->size.items[0], 0.5, 0);
        assert_int_equal(mesh->triangles.count, i ? 0 : 12);
        assert_int_equal(mesh->data.count, i ? sizeof gltf : 0);
        assert_string_equal(mesh->format, i ? "glb" : "");
        fm_arena_free(&arena);
        finish(world);
        remove(names[i]);
    }
}

/* --- actuators --- */

static const fm_msg_scene_actuator *actuator_of(const fm_scene *scene, const char *name)
{
    const fm_msg_scene_actuator *actuators = scene->message.actuators.items;
    for (size_t i = 0; i < scene->message.actuators.count; i++)
        if (strcmp(actuators[i].name, name) == 0)
            return &actuators[i];
    fail_msg("no actuator '%s'", name);
    return NULL;
}

static fm_world *start_model(const char *model)
{
    char text[400];
    snprintf(text, sizeof text,
             "<fathom version='1'><world><water density='1026 kg/m3'/></world><vehicle name='a' model='%s' "
             "position='0 0 %s m' velocity='1 0 0 m/s'/></fathom>",
             model, strstr(model, "otter") || strstr(model, "heron") || strstr(model, "kvlcc") ? "0" : "20");
    return start(text);
}

static void a_scene_says_where_actuators_are_and_what_they_do_at_most(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version='1'><world gravity='10 m/s2'/><vehicle name='a' length='2 m'>"
              "<mass mass='100 kg' inertia='2 30 30 kg m2'/>"
              "<propeller name='screw' position='-1 0 0 m' thrust='50 N' rated='20 rad/s' limit='40 rad/s'/>"
              "<thruster name='bow' position='0.5 0 0.1 m' direction='0 0.5 0' thrust='8 N'/>"
              "<ballast name='tank' position='0.5 0 0 m' limit='3 kg'/>"
              "<moving-mass name='battery' mass='4 kg' limit='0.1 m'/></vehicle></fathom>");
    fm_arena arena = {0};
    fm_scene scene = scene_of(world, &arena);
    const fm_msg_scene_actuator *screw = actuator_of(&scene, "screw"), *bow = actuator_of(&scene, "bow"),
                                *tank = actuator_of(&scene, "tank"), *battery = actuator_of(&scene, "battery");
    assert_string_equal(screw->kind, "propeller");
    assert_string_equal(screw->unit, "rad/s");
    assert_near(screw->low, -40, 1e-12);
    assert_near(screw->high, 40, 1e-12);
    assert_near(screw->position.x, -1, 1e-12);
    assert_near(screw->effect.force.x, 200, 1e-9); /* twice the rated speed */
    assert_string_equal(bow->kind, "thruster");
    assert_near(bow->direction.y, -1, 1e-12); /* to starboard, in forward-port-up */
    assert_near(bow->position.z, -0.1, 1e-12);
    assert_near(bow->effect.force.y, -8, 1e-12);
    assert_near(bow->effect.torque.x, -0.8, 1e-12); /* r x F, up and to port: -0.1 m below, so it rolls to port */
    assert_near(bow->effect.torque.z, -4, 1e-12);
    assert_near(tank->low, 0, 1e-12);
    assert_near(tank->effect.force.z, -30, 1e-12);
    assert_near(tank->effect.torque.y, 15, 1e-12); /* nose down */
    assert_near(battery->direction.x, 1, 1e-12);
    assert_near(battery->effect.force.z, 0, 1e-12);
    assert_near(battery->effect.torque.y, 4, 1e-12);
    fm_arena_free(&arena);
    finish(world);
}

/* An order that holds the depth of start_model, that lets a fish swim, or that rests. */
static double resting_order(const fm_msg_scene_actuator *a)
{
    return strcmp(a->kind, "order") != 0 ? 0 : strcmp(a->unit, "m") == 0 ? 20 : strcmp(a->unit, "Hz") == 0 ? 1 : 0;
}

/* Power of the effect on what an order changes within a moment: positive, as mass matrices are. A fish needs a beat.
 * The others rest, so that no controller answers. */
static double power_of_order(const char *model, const fm_scene *scene, const fm_msg_scene_actuator *a)
{
    double velocity[2][6];
    for (int ordered = 0; ordered < 2; ordered++) {
        fm_world *world = start_model(model);
        for (size_t i = 0; i < scene->message.actuators.count; i++) {
            const fm_msg_scene_actuator *each = &scene->message.actuators.items[i];
            order(world, "a", each->name,
                  ordered && each == a ? (resting_order(each) > 2 ? resting_order(each) + 2 : each->high)
                                       : resting_order(each));
        }
        run_until(world, strcmp(a->kind, "order") == 0 ? 0.5 : 0.1);
        memcpy(velocity[ordered], pose_of(world, 0).velocity, sizeof velocity[0]);
        if (strcmp(a->kind, "order") == 0) /* a fish without fins moves to its depth, at no velocity */
            velocity[ordered][2] += pose_of(world, 0).position[2];
        finish(world);
    }
    const double effect[6] = {a->effect.force.x,  -a->effect.force.y,  -a->effect.force.z,
                              a->effect.torque.x, -a->effect.torque.y, -a->effect.torque.z};
    double power = 0;
    for (int i = 0; i < 6; i++)
        power += effect[i] * (velocity[1][i] - velocity[0][i]);
    return power;
}

static void an_order_moves_every_shipped_vehicle_as_the_scene_says(void **state)
{
    (void)state;
    static const char *const models[] = {"bluerov2", "bluerov2-heavy", "otter",   "heron",     "kvlcc2",      "lauv",
                                         "slocum",   "nps-auv-ii",     "snookie", "remus-100", "robotic-fish"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        fm_world *world = start_model(models[i]);
        fm_arena arena = {0};
        fm_scene scene = scene_of(world, &arena);
        assert_greater(scene.message.actuators.count, 0);
        for (size_t k = 0; k < scene.message.actuators.count; k++) {
            const fm_msg_scene_actuator *a = &scene.message.actuators.items[k];
            double power = power_of_order(models[i], &scene, a);
            if (!(power > 0))
                fail_msg("%s of %s: its effect has the power %g", a->name, models[i], power);
        }
        fm_arena_free(&arena);
        finish(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scene_tells_where_instruments_sit_and_how_far_and_wide_they_see),
        cmocka_unit_test(phoenix_shows_eight_fins_two_screws_and_four_tunnels),
        cmocka_unit_test(a_fin_turns_its_trailing_edge_away_from_its_lift),
        cmocka_unit_test(a_model_without_a_look_is_drawn_by_what_it_knows),
        cmocka_unit_test(a_fish_is_drawn_by_its_skin_and_its_shapes_have_a_size),
        cmocka_unit_test(the_waves_of_the_scene_are_those_that_vehicles_ride_on),
        cmocka_unit_test(the_current_about_the_vehicles_is_told_on_a_grid),
        cmocka_unit_test(a_tether_is_told_from_end_to_end),
        cmocka_unit_test(a_look_that_fits_nothing_is_refused),
        cmocka_unit_test(drawings_of_files_reach_the_scene),
        cmocka_unit_test(a_scene_says_where_actuators_are_and_what_they_do_at_most),
        cmocka_unit_test(an_order_moves_every_shipped_vehicle_as_the_scene_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
