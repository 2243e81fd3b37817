/* `fathom import`: robots of URDF and SDF. What is written is compared with closed forms, and is run. */
#include <ctype.h>
#include <math.h>

#include "support/cmocka_all.h"

#include "support/compare.h"
#include "support/files.h"
#include "support/near.h"
#include "support/program.h"

#define DATA FATHOM_SOURCE_DIR "/tests/data/import"

static program_run r;

/* --- files --- */

/* A link that is nothing but a body, as URDF. */
#define BODY(mass, inertia) "<inertial><mass value='" mass "'/><inertia " inertia "/></inertial>"
#define ROUND "ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'"

static void import_text(const char *text, const char *options)
{
    write_file("import_in.urdf", text);
    remove("import_out.xml");
    run_fathom(&r, "import import_in.urdf -o import_out.xml --scenario import_run.xml %s", options);
}

static void import_good(const char *text, const char *options)
{
    import_text(text, options);
    expect_run(&r, 0, "import_out.xml: ");
}

/* The numbers of an attribute, the first after `element`. */
static void read_attribute(const char *path, const char *element, const char *name, double *out, int count)
{
    char quoted[64], *text = read_file(path, NULL);
    snprintf(quoted, sizeof quoted, " %s=\"", name);
    char *at = strstr(text, element), *value = at ? strstr(at, quoted) : NULL;
    if (!value)
        fail_msg("%s has no %s of %s: %.3000s", path, name, element, text);
    value += strlen(quoted);
    for (int i = 0; i < count; i++)
        out[i] = strtod(value, &value);
    free(text);
}

static double attribute(const char *path, const char *element, const char *name)
{
    double value;
    read_attribute(path, element, name, &value, 1);
    return value;
}

static void compare_attribute(const char *path, const char *element, const char *name, const double *expected,
                              int count, double tolerance)
{
    double found[36];
    read_attribute(path, element, name, found, count);
    for (int i = 0; i < count; i++)
        near(name, found[i], expected[i], tolerance);
}

/* Runs a written scenario with other orders, and lasting this long. */
static void run_with(const char *scenario, const char *order, const char *changed, const char *duration)
{
    run_shell(&r, "sed 's|%s|%s|; s|duration=\"60 s\"|duration=\"%s\"|' %s > import_now.xml", order, changed, duration,
              scenario);
    run_fathom(&r, "run import_now.xml --quiet --summary -");
    expect_run(&r, 0, "final_pose");
}

static double final(const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(r.out, "final_pose"), *value = at ? strstr(at, quoted) : NULL;
    if (!value)
        fail_msg("no %s: %.2000s", key, r.out);
    return strtod(value + strlen(quoted), NULL);
}

/* The speed at which a u + b u^2 equals a force. */
static double balance(double a, double b, double force)
{
    return (sqrt(a * a + 4 * b * force) - a) / (2 * b);
}

/* --- mass --- */

/* A cuboid of 1.2 x 0.6 x 0.4 m and 24 kg, cut across, its halves in links that are turned. */
static void halves_of_a_cuboid_have_the_inertia_of_the_whole(void **state)
{
    (void)state;
    const double half[3] = {12.0 / 12 * (0.36 + 0.16), 12.0 / 12 * (0.36 + 0.16), 12.0 / 12 * (0.36 + 0.36)};
    char text[4096];
    /* the second is turned by 0.7 rad about z and back in its <inertial>; the third, massless, is in between */
    snprintf(
        text, sizeof text,
        "<robot name='halves'><link name='base'><inertial><origin xyz='0.3 0 0.1'/><mass value='12'/>"
        "<inertia ixx='%.17g' ixy='0' ixz='0' iyy='%.17g' iyz='0' izz='%.17g'/></inertial></link>"
        "<link name='between'/><link name='other'><inertial><origin xyz='0 0 0.1' rpy='0 0 -0.7'/><mass value='12'/>"
        "<inertia ixx='%.17g' ixy='0' ixz='0' iyy='%.17g' iyz='0' izz='%.17g'/></inertial></link>"
        "<joint name='a' type='fixed'><origin xyz='-0.1 0 0'/><parent link='base'/><child link='between'/></joint>"
        "<joint name='b' type='fixed'><origin xyz='-0.2 0 0' rpy='0 0 0.7'/><parent link='between'/>"
        "<child link='other'/></joint></robot>",
        half[0], half[1], half[2], half[0], half[1], half[2]);
    import_good(text, "");
    near("mass", attribute("import_out.xml", "<mass", "mass"), 24, 1e-9);
    compare_attribute("import_out.xml", "<mass", "centre", (const double[]){0, 0, -0.1}, 3, 1e-9);
    compare_attribute("import_out.xml", "<mass", "inertia",
                      (const double[]){24.0 / 12 * (0.36 + 0.16), 24.0 / 12 * (1.44 + 0.16), 24.0 / 12 * (1.44 + 0.36)},
                      3, 1e-9);
}

/* Two masses ahead to port and astern to starboard: the product of inertia xy is below zero with y to starboard. */
static void masses_ahead_to_port_and_astern_to_starboard_have_a_product_of_inertia(void **state)
{
    (void)state;
    import_good(
        "<robot name='r'><link name='base'>" BODY("1", ROUND) "</link><link name='a'>" BODY(
            "3", ROUND) "</link><link name='b'>" BODY("3",
                                                      ROUND) "</link><joint name='i' type='fixed'><origin xyz='0.5 0.4 "
                                                             "0.2'/><parent link='base'/>"
                                                             "<child link='a'/></joint><joint name='j' "
                                                             "type='fixed'><origin xyz='-0.5 -0.4 -0.2'/>"
                                                             "<parent link='base'/><child link='b'/></joint></robot>",
        "");
    compare_attribute("import_out.xml", "<mass", "products",
                      (const double[]){-6 * 0.5 * 0.4, -6 * 0.5 * 0.2, 6 * 0.4 * 0.2}, 3, 1e-12);
    compare_attribute("import_out.xml", "<mass", "inertia",
                      (const double[]){3 + 6 * (0.16 + 0.04), 3 + 6 * (0.25 + 0.04), 3 + 6 * (0.25 + 0.16)}, 3, 1e-12);
}

/* The same robot with its bow along each axis of the source. */
static void the_axis_ahead_is_a_matter_of_forward(void **state)
{
    (void)state;
    static const struct {
        const char *axis, *mass_at, *opposite;
    } cases[] = {{"x", "1 0.5 0", "0 0 0"},
                 {"-x", "-1 -0.5 0", "0 0 0"},
                 {"y", "-0.5 1 0", "0 0 0"},
                 {"-y", "0.5 -1 0", "0 0 0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024], option[32];
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='base'><inertial><origin xyz='%s'/><mass value='5'/><inertia " ROUND
                 "/></inertial></link></robot>",
                 cases[i].mass_at);
        snprintf(option, sizeof option, "--forward=%s", cases[i].axis);
        import_good(text, option);
        compare_attribute("import_out.xml", "<mass", "centre", (const double[]){1, -0.5, 0}, 3, 1e-12);
    }
}

/* --- an ROV of Gazebo Sim --- */

static void import_rov(void)
{
    run_fathom(&r, "import " DATA "/rov.sdf -o rov.xml --scenario rov-run.xml");
    expect_run(&r, 0, "rov.xml: ");
    run_fathom(&r, "check rov-run.xml");
    expect_run(&r, 0, "fine");
    run_shell(&r, "sed -i '/<current/d' rov-run.xml");
}

static void two_thrusters_of_20_N_reach_the_speed_that_their_drag_allows(void **state)
{
    (void)state;
    import_rov();
    run_with("rov-run.xml", "thruster1=\"0 N\" thruster2=\"0 N\"", "thruster1=\"20 N\" thruster2=\"20 N\"", "60 s");
    near("speed", final("u"), balance(5, 40, 40), 2e-4);
}

/* thruster1 is on the starboard side: y of -0.15 m to port. */
static void a_thruster_on_starboard_turns_the_vehicle_to_port(void **state)
{
    (void)state;
    import_rov();
    run_with("rov-run.xml", "thruster1=\"0 N\"", "thruster1=\"10 N\"", "2 s");
    assert_less(final("r"), -0.1);
    assert_greater(final("u"), 0.05);
    run_with("rov-run.xml", "thruster2=\"0 N\"", "thruster2=\"10 N\"", "2 s");
    assert_greater(final("r"), 0.1);
}

/* The current of 0.1 m/s east, 0.2 m/s north, 0.03 m/s up takes it along. */
static void a_current_is_that_of_the_scenario(void **state)
{
    (void)state;
    run_fathom(&r, "import " DATA "/rov.sdf -o rov.xml --scenario rov-run.xml");
    compare_attribute("rov-run.xml", "<current", "velocity", (const double[]){0.2, 0.1, -0.03}, 3, 0);
}

/* Up to Garden: added mass above zero, <xUU> for u|u|; since Harmonic below zero, <xUabsU>. */
static void both_dialects_of_hydrodynamics_give_the_same_model(void **state)
{
    (void)state;
    run_shell(&r,
              "sed '/VabsW/d; s/abs\\([A-Z]\\)>/\\1>/g; s/\\(Dot[A-Z]>\\)-/\\1/g; s/water_density/waterDensity/g' %s",
              DATA "/rov.sdf > rov-old.sdf");
    run_fathom(&r, "import " DATA "/rov.sdf -o rov.xml");
    run_fathom(&r, "import rov-old.sdf --name rov -o rov-old.xml");
    expect_run(&r, 0, "is read as the drag of u|u|");
    expect_run(&r, 0, "added mass above zero is read as mass that is added");
    run_shell(
        &r, "for f in rov rov-old; do sed '1,/<model/d' $f.xml > $f.txt; done; diff rov.txt rov-old.txt && echo same");
    expect_run(&r, 0, "same");
}

/* xR of the source: force ahead of a turn to port. Ahead stays, the turn changes its sign; so do the others. */
static void cross_terms_change_sign_with_their_axes(void **state)
{
    (void)state;
    write_file(
        "import_in.urdf",
        "<sdf version='1.9'><model name='m'><link name='b'><inertial><mass>10</mass><inertia><ixx>1</ixx>"
        "<iyy>1</iyy><izz>1</izz></inertia></inertial></link><plugin filename='gz-sim-hydrodynamics-system' "
        "name='gz::sim::systems::Hydrodynamics'><link_name>b</link_name><xR>1.5</xR><yR>2.5</yR><nV>3.5</nV>"
        "<xVR>4.5</xVR><yUV>5.5</yUV><yVabsU>-6.5</yVabsU><zUU>7.5</zUU><zWabsW>-1</zWabsW><yDotR>-0.25</yDotR>"
        "<rDotY>1</rDotY><nDotV>-0.25</nDotV><xDotQ>-0.5</xDotQ><mDotU>-0.5</mDotU><xDotU>-3</xDotU><yDotV>-4</yDotV>"
        "<zDotW>-5</zDotW></plugin></model></sdf>");
    run_fathom(&r, "import import_in.urdf -o import_out.xml");
    expect_run(&r, 0, "<rDotY>: not imported");
    static const struct {
        const char *name;
        double value;
    } terms[] = {{"X_r", -1.5}, {"Y_r", 2.5},       {"N_v", 3.5},  {"X_vr", 4.5},
                 {"Y_uv", 5.5}, {"Y_absu_v", -6.5}, {"Z_u2", -7.5}};
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
        near(terms[i].name, attribute("import_out.xml", "<drag", terms[i].name), terms[i].value, 1e-12);
    compare_attribute("import_out.xml", "<added", "linear-full", (const double[]){3, 0, 0, 0, 4, 0, 0, 0, 5}, 9, 1e-12);
    compare_attribute("import_out.xml", "<added", "coupled", (const double[]){0, -0.5, 0, 0, 0, 0.25, 0, 0, 0}, 9,
                      1e-12);
}

/* Frames of SDF: in degrees, as a quaternion, relative to links, frames and joints, in a nested model. */
static void poses_are_relative_to_what_they_name(void **state)
{
    (void)state;
    write_file("import_in.urdf",
               "<sdf version='1.9'><model name='m'><link name='a'><pose>5 5 5 0 0 0</pose></link>"
               "<link name='b'><pose relative_to='f'>1 0 0 0 0 0</pose></link>"
               "<frame name='f' attached_to='a'><pose degrees='true'>0 0 0 0 0 90</pose></frame>"
               "<model name='n'><pose relative_to='b' rotation_format='quat_xyzw'>0 0 0 0 0 0.7071067811865476 "
               "0.7071067811865476</pose><link name='c'><pose>0 2 0 0 0 0</pose></link></model>"
               "<joint name='j' type='fixed'><parent>a</parent><child>b</child></joint>"
               "<joint name='k' type='revolute'><pose>0 0 3 0 0 0</pose><parent>a</parent><child>n::c</child>"
               "<axis><xyz expressed_in='f'>1 0 0</xyz></axis></joint>"
               "<plugin filename='gz-sim-thruster-system' name='t'><joint_name>k</joint_name></plugin></model></sdf>");
    run_fathom(&r, "import import_in.urdf -o import_out.xml");
    expect_run(&r, 0, "import_out.xml: ");
    /* f turns x to port; b is 1 m to port of a; n is turned by 90 deg more, so that its y points to starboard */
    compare_attribute("import_out.xml", "<thruster name=\"k\"", "position", (const double[]){0, 1, 0}, 3, 1e-9);
    compare_attribute("import_out.xml", "<thruster name=\"k\"", "direction", (const double[]){0, -1, 0}, 3, 1e-9);
    compare_attribute("import_out.xml", "<mass", "centre", (const double[]){0, 0, 0}, 3, 1e-9);
}

/* <fluid_added_mass> of the base link, and Gazebo Classic's buoyancy of each link. */
static void added_mass_and_volume_of_links_are_read(void **state)
{
    (void)state;
    write_file(
        "import_in.urdf",
        "<sdf version='1.11'><model name='m'><link name='a'><inertial><mass>10</mass><inertia><ixx>1</ixx>"
        "<iyy>1</iyy><izz>1</izz></inertia><fluid_added_mass><xx>5</xx><yy>6</yy><zz>7</zz><pp>0.5</pp>"
        "<qq>0.6</qq><rr>0.7</rr><yr>0.25</yr><zq>-0.25</zq></fluid_added_mass></inertial></link>"
        "<plugin filename='libBuoyancyPlugin.so' name='BuoyancyPlugin'><fluid_density>1020</fluid_density>"
        "<link name='a'><center_of_volume>0.1 0.02 0.03</center_of_volume><volume>0.0098</volume></link></plugin>"
        "</model></sdf>");
    run_fathom(&r, "import import_in.urdf -o import_out.xml --scenario import_run.xml");
    expect_run(&r, 0, "import_out.xml: 0 elements not imported, 0 notes");
    compare_attribute("import_out.xml", "<added", "linear-full", (const double[]){5, 0, 0, 0, 6, 0, 0, 0, 7}, 9, 1e-12);
    compare_attribute("import_out.xml", "<added", "coupled", (const double[]){0, 0, 0, 0, 0, 0.25, 0, -0.25, 0}, 9,
                      1e-12);
    compare_attribute("import_out.xml", "<buoyancy", "centre", (const double[]){0.1, -0.02, -0.03}, 3, 1e-12);
    near("density", attribute("import_run.xml", "<water", "density"), 1020, 0);
}

/* --- a torpedo of Gazebo Sim that faces -x --- */

static void a_vehicle_that_faces_minus_x_is_driven_ahead(void **state)
{
    (void)state;
    run_fathom(&r,
               "import " DATA "/pipefish-equipped.sdf --models " DATA "/models --forward=-x -o pipefish.xml --scenario "
               "pipefish-run.xml");
    expect_run(&r, 0, "pipefish.xml: ");
    run_fathom(&r, "check pipefish-run.xml");
    expect_run(&r, 0, "fine");
    near("thrust", attribute("pipefish.xml", "<propeller", "thrust"), 0.005 * 1025 * 0.0016 * 3600, 1e-9);
    compare_attribute("pipefish.xml", "<fin name=\"vertical_fins\"", "position", (const double[]){-0.9, 0, 0}, 3,
                      1e-12);
    run_with("pipefish-run.xml", "propeller=\"0 rad/s\"", "propeller=\"60 rad/s\"", "10 s");
    assert_greater(final("u"), 0.5);
    /* the rudder's hinge points up and is turned over: a positive angle moves the bow to port, as in the source */
    run_shell(&r, "sed -i 's/propeller=\"0 rad.s\"/propeller=\"60 rad\\/s\"/' pipefish-run.xml");
    run_with("pipefish-run.xml", "vertical_fins=\"0 deg\"", "vertical_fins=\"8 deg\"", "10 s");
    assert_less(final("psi") > M_PI ? final("psi") - 2 * M_PI : final("psi"), -0.05);
    run_with("pipefish-run.xml", "horizontal_fins=\"0 deg\"", "horizontal_fins=\"8 deg\"", "5 s");
    assert_less(final("theta") < M_PI ? final("theta") : final("theta") - 2 * M_PI, -0.02);
    run_with("pipefish-run.xml", "battery=\"0 m\"", "battery=\"0.03 m\"", "50 s");
    assert_less(final("theta"), -0.02); /* the battery moves ahead */
}

/* The same rudder on a hinge that points the other way. */
static void a_hinge_turned_over_turns_the_fin_the_other_way(void **state)
{
    (void)state;
    run_shell(&r, "mkdir -p import_over/pipefish; sed 's|<xyz>0 0 1</xyz>|<xyz>0 0 -1</xyz>|' " DATA
                  "/models/pipefish/model.sdf > import_over/pipefish/model.sdf; sed 's/cla>4/cla>3.5/' " DATA
                  "/pipefish-equipped.sdf > import_in.sdf");
    run_fathom(&r, "import import_in.sdf --models import_over --forward=-x -o over.xml --scenario over-run.xml");
    expect_run(&r, 0, "over.xml: ");
    near("slope", attribute("over.xml", "<fin name=\"vertical_fins\"", "lift-slope"), 3.5, 0);
    run_shell(&r, "sed -i 's/propeller=\"0 rad.s\"/propeller=\"60 rad\\/s\"/' over-run.xml");
    run_with("over-run.xml", "vertical_fins=\"0 deg\"", "vertical_fins=\"8 deg\"", "10 s");
    assert_greater(angle_between(final("psi"), 0), 0.05);
}

/* A weight that can be dropped hangs on it; the battery holds 400 Ah at 14.4 V. */
static void a_weight_that_can_be_dropped_and_a_battery_come_along(void **state)
{
    (void)state;
    run_shell(&r,
              "sed 's|<plugin filename=\"HydrodynamicsPlugin\"|<plugin filename=\"gz-sim-detachable-joint-system\" "
              "name=\"gz::sim::systems::DetachableJoint\"><parent_link>base_link</parent_link><child_model>__model__"
              "</child_model><child_link>drop_weight</child_link></plugin><plugin "
              "filename=\"gz-sim-linearbatteryplugin-system\" name=\"gz::sim::systems::LinearBatteryPlugin\">"
              "<voltage>14.4</voltage><capacity>400</capacity><power_load>28.8</power_load></plugin>&|' " DATA
              "/pipefish-equipped.sdf > import_in.sdf");
    run_fathom(&r, "import import_in.sdf --models " DATA "/models --forward=-x -o import_out.xml");
    expect_run(&r, 0, "<plugin>: not imported: the weight stays with the vehicle");
    near("mass", attribute("import_out.xml", "<mass", "mass"), 126.5, 1e-9);
    near("energy", attribute("import_out.xml", "<battery", "capacity"), 14.4 * 400 * 3600, 1e-6);
    near("hotel", attribute("import_out.xml", "<battery", "hotel"), 28.8, 0);
}

static void an_include_that_is_not_found_is_listed(void **state)
{
    (void)state;
    run_fathom(&r, "import " DATA "/pipefish-equipped.sdf -o import_out.xml");
    expect_run(&r, 1, "has no <link>");
    run_fathom(&r, "import " DATA "/rov.sdf -o import_out.xml");
    expect_run(&r, 0, "'model://rov/meshes/frame.dae'");
}

/* --- UUV Simulator --- */

static void import_work_rov(void)
{
    run_fathom(&r, "import " DATA "/work-rov.urdf -o work.xml --scenario work-run.xml");
    expect_run(&r, 0, "work.xml: ");
    run_fathom(&r, "check work-run.xml");
    expect_run(&r, 0, "1 vehicle");
}

static void matrices_of_uuv_simulator_are_those_of_forward_starboard_down(void **state)
{
    (void)state;
    import_work_rov();
    compare_attribute("work.xml", "<added", "linear-full", (const double[]){700, 0, 0, 0, 1100, 0, 0, 0, 3300}, 9, 0);
    compare_attribute("work.xml", "<added", "coupled", (const double[]){0, -160, 0, 400, 0, 60, 0, -350, 0}, 9, 0);
    compare_attribute("work.xml", "<buoyancy", "centre", (const double[]){0, -0.01, -0.3}, 3, 1e-12);
    near("N_ur", attribute("work.xml", "<drag", "N_ur"), -20, 0);
    near("X_u2", attribute("work.xml", "<drag", "X_u2"), -10, 0);
    /* its DVL's link looks down along x */
    char *text = read_file("work.xml", NULL);
    char *dvl = strstr(text, "<dvl"), *end = strstr(dvl, "/>");
    *end = 0;
    assert_null(strstr(dvl, "attitude"));
    free(text);
}

/* One thruster ahead on a vehicle that is neutral and has its centres at the origin. */
/* clang-format off */
static const char uuv[] =
    "<robot name='u'><link name='base'>" BODY("100", "ixx='10' ixy='0' ixz='0' iyy='20' iyz='0' izz='20'") "</link>"
    "<link name='t'/><joint name='jet_joint' type='continuous'><origin xyz='%s'/><axis xyz='1 0 0'/>"
    "<parent link='base'/><child link='t'/></joint><gazebo>"
    "<plugin name='u' filename='libuuv_underwater_object_ros_plugin.so'><fluid_density>1000</fluid_density>"
    "<link name='base'><volume>%s</volume><neutrally_buoyant>%s</neutrally_buoyant>"
    "<hydrodynamic_model>%s</hydrodynamic_model></link></plugin>"
    "<plugin name='t' filename='libuuv_thruster_ros_plugin.so'><linkName>t</linkName><jointName>jet_joint</jointName>"
    "<thrusterID>0</thrusterID><dynamics><type>ZeroOrder</type></dynamics><conversion>%s</conversion>%s</plugin>"
    "</gazebo></robot>";
#define FOSSEN                                                                                                         \
    "<type>fossen</type><linear_damping>-70 -65 -700 -250 -300 -100</linear_damping>"                                  \
    "<quadratic_damping>-700 -900 -1700 -600 -700 -500</quadratic_damping>"                                            \
    "<linear_damping_forward_speed>-10 0 0 0 0 0</linear_damping_forward_speed>"
/* clang-format on */
#define BASIC "<type>Basic</type><rotorConstant>0.0004</rotorConstant>"

static void import_uuv(const char *origin, const char *volume, const char *neutral, const char *model,
                       const char *conversion, const char *limits)
{
    char text[4096];
    snprintf(text, sizeof text, uuv, origin, volume, neutral, model, conversion, limits);
    import_good(text, "");
}

/* 0.0004 x 500^2 = 100 N against 70 u + (700 + 10) u^2 */
static void a_rotor_at_500_rad_s_reaches_the_speed_that_its_drag_allows(void **state)
{
    (void)state;
    import_uuv("0 0 0", "0.1", "0", FOSSEN, BASIC, "<thrustMin>-150</thrustMin><thrustMax>150</thrustMax>");
    run_with("import_run.xml", "jet=\"0 rad/s\"", "jet=\"500 rad/s\"", "60 s");
    near("speed", final("u"), balance(70, 710, 100), 1e-6);
    near("depth", final("z"), 10, 1e-9);
}

static void each_conversion_of_thrusters_gives_its_thrust(void **state)
{
    (void)state;
    static const struct {
        const char *conversion, *limits, *order;
        double thrust;
    } cases[] = {
        {BASIC, "<gain>2</gain><clampMax>300</clampMax><clampMin>-300</clampMin>", "250 rad/s", 100},
        {BASIC, "<thrust_efficiency>0.5</thrust_efficiency><thrustMin>-150</thrustMin><thrustMax>150</thrustMax>",
         "500 rad/s", 50},
        {BASIC, "<clampMax>1000</clampMax><thrustMax>80</thrustMax>", "0.9", 80}, /* 324 N without a limit */
        {"<type>Bessa</type><rotorConstantL>0.001</rotorConstantL><rotorConstantR>0.002</rotorConstantR><deltaL>-500"
         "</deltaL><deltaR>900</deltaR>",
         "<clampMax>200</clampMax>", "1", 0.002 * (40000 - 900)},
        {"<type>LinearInterp</type><inputValues>-10 0 10</inputValues><outputValues>-50 0 90</outputValues>", "", "0.5",
         45},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char order[64];
        import_uuv("0 0 0", "0.1", "1", FOSSEN, cases[i].conversion, cases[i].limits);
        snprintf(order, sizeof order, "jet=\"%s\"", cases[i].order);
        run_with("import_run.xml", strstr(cases[i].order, "rad") ? "jet=\"0 rad/s\"" : "jet=\"0\"", order, "60 s");
        near(cases[i].conversion, final("u"), balance(70, 710, cases[i].thrust), 1e-3);
    }
}

/* Weight 100 kg, displaced 101 kg: 9.8 N up against 700 w + 1700 w^2. */
static void a_vehicle_lighter_than_its_volume_of_water_rises(void **state)
{
    (void)state;
    import_uuv("0 0 0", "0.101", "0", FOSSEN, BASIC, "");
    run_with("import_run.xml", "none", "none", "60 s");
    near("rise", -final("w"), balance(700, 1700, 9.8), 1e-6);
    import_uuv("0 0 0", "0.099", "0", FOSSEN, BASIC, "");
    run_with("import_run.xml", "none", "none", "60 s");
    near("fall", final("w"), balance(700, 1700, 9.8), 1e-6);
    import_uuv("0 0 0", "5", "1", FOSSEN, BASIC, "");
    run_with("import_run.xml", "none", "none", "60 s");
    near("neutral", final("z"), 10, 1e-9);
}

/* Gazebo: rho D^4 w (a1 w + a2 (1 - wake) u/D), against 5 u + 40 u^2. */
static void a_propeller_loses_thrust_with_speed_as_its_curve_says(void **state)
{
    (void)state;
    const double rho_d4 = 1000 * 0.0016, w = 100, fall = rho_d4 * 0.02 * 0.8 / 0.2 * w;
    write_file(
        "import_in.urdf",
        "<sdf version='1.9'><model name='m'><link name='a'><inertial><mass>20</mass><inertia><ixx>1</ixx><iyy>2</iyy>"
        "<izz>2</izz></inertia></inertial><collision name='c'><geometry><box><size>0.5 0.2 0.19999</size></box>"
        "</geometry></collision></link><link name='p'><inertial><mass>0.001</mass><inertia><ixx>0.001</ixx>"
        "<iyy>0.001</iyy><izz>0.001</izz></inertia></inertial></link><joint name='screw_joint' type='revolute'>"
        "<parent>a</parent><child>p</child><axis><xyz>1 0 0</xyz></axis></joint>"
        "<plugin filename='gz-sim-hydrodynamics-system' name='h'><link_name>a</link_name><xU>-5</xU><zW>-50</zW>"
        "<xUabsU>-40</xUabsU></plugin><plugin filename='gz-sim-thruster-system' name='t'><joint_name>screw_joint"
        "</joint_name><propeller_diameter>0.2</propeller_diameter><fluid_density>1000</fluid_density><alpha_1>0.004"
        "</alpha_1><alpha_2>-0.02</alpha_2><wake_fraction>0.2</wake_fraction><use_angvel_cmd>true</use_angvel_cmd>"
        "<max_thrust_cmd>100</max_thrust_cmd><min_thrust_cmd>-100</min_thrust_cmd></plugin></model></sdf>");
    run_fathom(&r, "import import_in.urdf -o import_out.xml --scenario import_run.xml");
    expect_run(&r, 0, "import_out.xml: 0 elements not imported");
    run_with("import_run.xml", "screw=\"0 rad/s\"", "screw=\"100 rad/s\"", "60 s");
    near("speed", final("u"), balance(5 + fall, 40, rho_d4 * 0.004 * w * w), 1e-3);
}

/* TwoLines: area, slope and stall of its own; the fin's fluid is denser than the water. */
static void a_fin_of_two_lines_keeps_its_lift(void **state)
{
    (void)state;
    run_shell(
        &r, "sed 's|<type>Quadratic</type>.*</liftdrag>|<type>TwoLines</type><area>0.05</area><fluid_density>1285"
            "</fluid_density><a0>0</a0><alpha_stall>0.4</alpha_stall><cla>3</cla><cla_stall>-1</cla_stall><cda>0</cda>"
            "<cda_stall>1</cda_stall></liftdrag>|' " DATA "/work-rov.urdf > import_in.urdf");
    run_fathom(&r, "import import_in.urdf -o import_out.xml");
    expect_run(&r, 0, "<cla_stall>: not imported: -1: lift after the stall");
    near("area", attribute("import_out.xml", "<fin", "area"), 0.05 * 1285 / 1028, 1e-12);
    near("slope", attribute("import_out.xml", "<fin", "lift-slope"), 3, 0);
    near("stall", attribute("import_out.xml", "<fin", "stall"), 0.4, 0);
    /* Quadratic: lift constant x angle x speed^2 */
    run_fathom(&r, "import " DATA "/work-rov.urdf -o import_out.xml");
    near("lift constant",
         0.5 * 1028 * attribute("import_out.xml", "<fin", "area") * attribute("import_out.xml", "<fin", "lift-slope"),
         12, 1e-9);
}

/* The drag of shapes by their own formulas. */
static void shapes_of_uuv_simulator_have_its_drag(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        double added, drag;
    } cases[] = {
        {"<type>sphere</type><radius>0.3</radius>", 2.0 / 3 * 1000 * M_PI * 0.027, 0.5 * 1000 * 0.5 * M_PI * 0.09},
        {"<type>cylinder</type><radius>0.2</radius><length>1.2</length><axis>i</axis>", 1000 * M_PI * 0.04,
         0.5 * 0.87 * M_PI * 0.04 * 1000},
        {"<type>box</type><cd>1.1</cd><length>1</length><width>0.5</width><height>0.4</height>", 0,
         0.5 * 1000 * 1.1 * 0.2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        import_uuv("0 0 0", "0.1", "1", cases[i].model, BASIC, "<thrustMin>-150</thrustMin><thrustMax>150</thrustMax>");
        if (cases[i].added > 0)
            near("added mass", attribute("import_out.xml", "<added", "linear"), cases[i].added, 1e-6);
        near("drag", attribute("import_out.xml", "<drag", "X_u_absu"), -cases[i].drag, 1e-6);
        run_with("import_run.xml", "jet=\"0 rad/s\"", "jet=\"500 rad/s\"", "60 s");
        near("speed", final("u"), sqrt(100 / cases[i].drag), 1e-3);
    }
}

/* The thruster of the work ROV that points up, the one that points to port, and its rudder. */
static void actuators_push_where_their_joints_point(void **state)
{
    (void)state;
    import_work_rov();
    compare_attribute("work.xml", "<thruster name=\"thruster_1\"", "direction", (const double[]){0, 0, -1}, 3, 1e-9);
    compare_attribute("work.xml", "<thruster name=\"thruster_1\"", "position", (const double[]){0.2, -0.1, -0.5}, 3,
                      1e-9);
    compare_attribute("work.xml", "<thruster name=\"thruster_2\"", "direction", (const double[]){0, -1, 0}, 3, 1e-9);
    run_with("work-run.xml", "thruster_2=\"0\"", "thruster_2=\"1\"", "2 s");
    assert_less(final("v"), -0.01);
    /* the rudder's hinge points up: a positive angle takes its nose to port, the stern with it, the bow to starboard */
    run_shell(&r, "sed -i 's|0 0 10 m\"|0 0 10 m\" velocity=\"3 0 0 m/s\"|' work-run.xml");
    run_with("work-run.xml", "fin_0=\"0 deg\"", "fin_0=\"20 deg\"", "1 s");
    assert_greater(final("r"), 0.001);
    run_with("work-run.xml", "fin_0=\"0 deg\"", "fin_0=\"-20 deg\"", "1 s");
    assert_less(final("r"), -0.001);
}

/* --- what is not imported --- */

/* Every line of a report names a line of its file on which the element begins. */
static void check_report(const char *report)
{
    size_t lines = 0;
    for (const char *at = report; *at; at = strchr(at, '\n') + 1, lines++) {
        const char *warning = strstr(at, ": warning: "); /* of `fathom check`, about the model */
        if (warning && warning < strchr(at, '\n'))
            continue;
        char path[512], element[128], *text;
        int line = 0;
        if (sscanf(at, "%511[^:]:%d: <%127[^>]>: ", path, &line, element) != 3 || line < 1)
            fail_msg("a report has the line %.200s", at);
        text = read_file(path, NULL);
        char *begin = text, tag[160];
        for (int i = 1; i < line; i++)
            begin = strchr(begin, '\n') + 1;
        begin[strcspn(begin, "\n")] = 0;
        snprintf(tag, sizeof tag, "<%s", element);
        if (!strstr(begin, tag))
            fail_msg("%s:%d has no %s: %.200s", path, line, tag, begin);
        free(text);
    }
    assert_at_least(lines, 1);
}

static void each_line_of_a_report_is_where_the_element_is(void **state)
{
    (void)state;
    run_fathom(&r, "import " DATA "/rov.sdf -o import_out.xml");
    check_report(r.err);
    run_fathom(&r, "import " DATA "/work-rov.urdf -o import_out.xml");
    check_report(r.err);
    run_fathom(&r, "import " DATA "/pipefish-equipped.sdf --models " DATA "/models --forward=-x -o import_out.xml");
    check_report(r.err);
    char *model = read_file("import_out.xml", NULL);
    assert_non_null(strstr(model, "<enable_wind>: not imported"));
    free(model);
}

/* Whether a place is inside a plugin that is listed as a whole. */
static int is_inside(const char *text, const char *at, const char *plugin)
{
    const char *begin = strstr(text, plugin), *end = begin ? strstr(begin, "</plugin>") : NULL;
    return begin && at > begin && at < end;
}

/* An element that does not exist, put after each line of a file that ends an element. */
static void an_unknown_element_is_listed_wherever_it_is(void **state)
{
    (void)state;
    static const char *const files[] = {DATA "/rov.sdf", DATA "/work-rov.urdf"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char *text = read_file(files[f], NULL);
        int line = 1, tried = 0;
        for (char *at = text; (at = strchr(at, '\n')); at++, line++) {
            const char *begin = at;
            while (begin > text && begin[-1] != '\n')
                begin--;
            begin += strspn(begin, " ");
            if (line % 2 && f == 1) /* half of the longer file */
                continue;
            const int ends = at[-1] == '>' && (at[-2] == '/' || strstr(begin, "</") < at) && strstr(begin, "</");
            if (!ends || strstr(begin, "</sdf>") == begin || strstr(begin, "</robot>") == begin ||
                is_inside(text, at, "ArduPilotPlugin") || is_inside(text, at, "ros_rpt_plugin"))
                continue;
            FILE *out = fopen("import_odd.xml", "w");
            assert_non_null(out);
            fwrite(text, 1, (size_t)(at - text), out);
            fprintf(out, "<mystery>1</mystery>%s", at);
            fclose(out);
            char expected[64];
            snprintf(expected, sizeof expected, "import_odd.xml:%d: <mystery>: not imported: ", line);
            run_fathom(&r, "import import_odd.xml -o import_out.xml");
            if (r.status != 0 || !strstr(r.err, expected))
                fail_msg("after line %d of %s: %.2000s", line, files[f], r.err);
            tried++;
        }
        assert_greater(tried, 20);
        free(text);
    }
}

/* --- bad files --- */

static void bad_files_are_refused_with_line_and_element(void **state)
{
    (void)state;
#define LINK "<link name='a'>" BODY("1", ROUND) "</link>"
#define ROBOT(inside) "<robot name='r'>" LINK inside "</robot>"
#define SDF(inside) "<sdf version='1.9'><model name='m'><link name='a'/>" inside "</model></sdf>"
    static const char *const cases[][2] = {
        {"", "has 0 bytes: must be XML"},
        {"<robot", "not well-formed XML"},
        {"<!DOCTYPE robot [<!ENTITY x SYSTEM \"/etc/passwd\">]><robot name='r'/>", "a document type"},
        {"<mujoco/>", "<mujoco>: is not a robot: the first element must be <robot> (URDF) or <sdf>"},
        {"<robot name='r'>\n\n<xacro:thruster id='1'/></robot>", "import_in.urdf:3: <xacro:thruster>: is xacro: run"},
        {ROBOT("<link name='${ns}/b'/>"), "an expression of xacro"},
        {"<robot name='r'/>", "has no <link>"},
        {ROBOT(LINK), "'a' is the name of another link too"},
        {ROBOT("<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"), "child 'b' is not a link"},
        {ROBOT("<joint name='j' type='fixed'><parent link='a'/></joint>"), "child is missing"},
        {ROBOT("<link name='b'/><joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"
               "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>"),
         "refers to itself"},
        {"<robot name='r'><link name='a'><inertial><mass value='many'/></inertial></link></robot>",
         "<mass>: 'many' is not a number"},
        {"<robot name='r'>\n<link name='a'>\n<inertial>\n<mass value='-3'/></inertial></link></robot>",
         "import_in.urdf:4: <mass>: value -3 is out of range: must be 0 to 1e+09"},
        {"<robot name='r'><link name='a'/></robot>", "the links have 0 kg together: must be 1e-06 to 1e+09 kg"},
        {"<robot name='r'><link name='a'>" BODY("1", "ixx='1' iyy='1' izz='5'") "</link></robot>",
         "each principal moment must be up to the sum of the other two"},
        {ROBOT("<gazebo><plugin name='p' filename='libuuv_underwater_object_ros_plugin.so'><link name='b'/></plugin>"
               "</gazebo>"),
         "<link>: 'b' is not a link of the vehicle"},
        {SDF("<plugin filename='gz-sim-thruster-system' name='gz::sim::systems::Thruster'/>"), "has no <joint_name>"},
        {SDF("<plugin filename='gz-sim-thruster-system' name='t'><joint_name>j</joint_name></plugin>"),
         "'j' is not a joint of this model"},
        {SDF("<link name='b'><pose relative_to='nowhere'>0 0 0 0 0 0</pose></link>"), "relative to 'nowhere'"},
        {SDF("<link name='b'><pose>0 0 0 0 0</pose></link>"), "<pose>: has 5 numbers: must be 6"},
        {SDF("<plugin filename='gz-sim-hydrodynamics-system' name='h'><link_name>a</link_name><xDotU>-1</xDotU><yDotV>2"
             "</yDotV></plugin>"),
         "added mass along the diagonal is -1 to 2"},
        {SDF("<plugin filename='gz-sim-hydrodynamics-system' name='h'><link_name>a</link_name><xU>@xU</xU></plugin>"),
         "<xU>: '@xU' is not a number: run xacro, or the template's script, first"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        import_text(cases[i][0], "");
        expect_run(&r, 1, cases[i][1]);
        assert_int_equal(run_shell(&r, "test -e import_out.xml"), 1);
    }
    run_fathom(&r, "import nowhere.sdf");
    expect_run(&r, 1, "nowhere.sdf: cannot open: No such file");
    run_fathom(&r, "import " DATA "/rov.sdf --name 9lives");
    expect_run(&r, 2, "--name 9lives: the name of a model has");
    run_fathom(&r, "import " DATA "/rov.sdf -o a.xml --name b --scenario c.xml");
    expect_run(&r, 2, "--output a.xml: must be b.xml");
    run_fathom(&r, "import " DATA "/rov.sdf -o a.xml --scenario /tmp/c.xml");
    expect_run(&r, 2, "must be in the same directory");
}

/* --- shapes and sensors --- */

static void a_cylinder_ahead_floats_as_it_lies_and_a_graded_sea_has_a_surface(void **state)
{
    (void)state;
    write_file(
        "import_in.urdf",
        "<sdf version='1.9'><world name='w'><gravity>0 0 -9.81</gravity><plugin filename='gz-sim-buoyancy-system' "
        "name='gz::sim::systems::Buoyancy'><graded_buoyancy><default_density>1025</default_density><density_change>"
        "<above_depth>0</above_depth><density>1</density></density_change></graded_buoyancy></plugin>"
        "<model name='buoy'><pose>3 4 0 0 0 0</pose><link name='a'><inertial><mass>40</mass><inertia><ixx>1</ixx>"
        "<iyy>5</iyy><izz>5</izz></inertia></inertial><collision name='c'><pose>0 0 0 0 1.5707963267948966 0</pose>"
        "<geometry><cylinder><radius>0.2</radius><length>1</length></cylinder></geometry></collision></link>"
        "<plugin filename='gz-sim-hydrodynamics-system' name='h'><link_name>a</link_name><zW>-200</zW><kP>-9</kP>"
        "<mQ>-90</mQ></plugin></model></world></sdf>");
    run_fathom(&r, "import import_in.urdf -o buoy.xml --scenario buoy-run.xml");
    expect_run(&r, 0, "buoy.xml: 0 elements not imported, 0 notes");
    compare_attribute("buoy.xml", "<float shape=\"lying-cylinder\"", "size", (const double[]){1, 0.4, 0.4}, 3, 1e-9);
    near("gravity", attribute("buoy-run.xml", "<world", "gravity"), 9.81, 0);
    /* half of the cylinder, 64.4 kg, would carry 40 kg less 24.4: the section under water is 40/1025 m2 */
    run_with("buoy-run.xml", "0 0 10 m", "0 0 0 m", "60 s");
    const double z = final("z"), under = 0.04 * acos(-z / 0.2) + z * sqrt(0.04 - z * z);
    near("section under water", under, 40.0 / 1025, 3e-4);
}

/* A cylinder of URDF stands along its z, one of Fathom lies along its x: both axes are the same line. */
static void a_cylinder_points_where_it_pointed(void **state)
{
    (void)state;
    const double a = 0.3, b = 0.2, c = 0.1; /* the axis: third column of Rz(c) Ry(b) Rx(a) */
    const double axis[3] = {cos(c) * sin(b) * cos(a) + sin(c) * sin(a), sin(c) * sin(b) * cos(a) - cos(c) * sin(a),
                            cos(b) * cos(a)};
    double angles[3];
    import_good(
        "<robot name='r'><link name='a'>" BODY("22", ROUND) "<collision><origin xyz='0.1 0.2 0.3' rpy='0.3 0.2 "
                                                            "0.1'/><geometry><cylinder radius='0.1' length='0.7'/>"
                                                            "</geometry></collision></link></robot>",
        "");
    read_attribute("import_out.xml", "<hull", "attitude", angles, 3);
    near("x", cos(angles[2]) * cos(angles[1]), axis[0], 1e-9);
    near("y", sin(angles[2]) * cos(angles[1]), -axis[1], 1e-9);
    near("z", -sin(angles[1]), -axis[2], 1e-9);
    compare_attribute("import_out.xml", "<hull", "size", (const double[]){0.7, 0.2, 0.2}, 3, 1e-12);
    compare_attribute("import_out.xml", "<hull", "centre", (const double[]){0.1, -0.2, -0.3}, 3, 1e-12);
    near("volume", attribute("import_out.xml", "<buoyancy", "volume"), M_PI * 0.01 * 0.7, 1e-9);
}

static void sensors_keep_their_place_and_noise(void **state)
{
    (void)state;
    import_good(
        "<robot name='r'><link name='a'>" BODY(
            "1",
            ROUND) "</link><link name='s'/><joint name='j' type='fixed'><origin xyz='1 0.5 0.25' rpy='0 0.5 0'/>"
                   "<parent link='a'/><child link='s'/></joint><gazebo reference='s'><sensor name='cam' type='camera'>"
                   "<update_rate>20</update_rate><camera><horizontal_fov>1.2</horizontal_fov><image><width>64</width>"
                   "<height>48</height></image></camera></sensor><sensor name='g' type='navsat'><navsat>"
                   "<position_sensing><horizontal><noise type='gaussian'><stddev>1.5</stddev></noise></horizontal>"
                   "</position_sensing></navsat></sensor><sensor name='i' type='imu'><update_rate>50</update_rate><imu>"
                   "<angular_velocity><x><noise type='gaussian'><stddev>0.01</stddev><bias_stddev>0.1</bias_stddev>"
                   "</noise></x></angular_velocity></imu></sensor></gazebo></robot>",
        "");
    compare_attribute("import_out.xml", "<camera", "position", (const double[]){1, -0.5, -0.25}, 3, 1e-12);
    compare_attribute("import_out.xml", "<camera", "attitude", (const double[]){0, -0.5, 0}, 3, 1e-9);
    near("period", attribute("import_out.xml", "<camera", "period"), 0.05, 1e-12);
    near("noise", attribute("import_out.xml", "<gps", "noise"), 1.5, 0);
    near("noise", attribute("import_out.xml", "<gyro", "noise"), 0.01, 0);
    near("bias", attribute("import_out.xml", "<gyro", "bias-spread"), 0.1 * sqrt(3), 1e-9);
    run_fathom(&r, "check import_run.xml");
    expect_run(&r, 0, "1 vehicle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_of_a_cuboid_have_the_inertia_of_the_whole),
        cmocka_unit_test(masses_ahead_to_port_and_astern_to_starboard_have_a_product_of_inertia),
        cmocka_unit_test(the_axis_ahead_is_a_matter_of_forward),
        cmocka_unit_test(two_thrusters_of_20_N_reach_the_speed_that_their_drag_allows),
        cmocka_unit_test(a_thruster_on_starboard_turns_the_vehicle_to_port),
        cmocka_unit_test(a_current_is_that_of_the_scenario),
        cmocka_unit_test(both_dialects_of_hydrodynamics_give_the_same_model),
        cmocka_unit_test(cross_terms_change_sign_with_their_axes),
        cmocka_unit_test(poses_are_relative_to_what_they_name),
        cmocka_unit_test(added_mass_and_volume_of_links_are_read),
        cmocka_unit_test(a_vehicle_that_faces_minus_x_is_driven_ahead),
        cmocka_unit_test(a_hinge_turned_over_turns_the_fin_the_other_way),
        cmocka_unit_test(a_weight_that_can_be_dropped_and_a_battery_come_along),
        cmocka_unit_test(an_include_that_is_not_found_is_listed),
        cmocka_unit_test(matrices_of_uuv_simulator_are_those_of_forward_starboard_down),
        cmocka_unit_test(a_rotor_at_500_rad_s_reaches_the_speed_that_its_drag_allows),
        cmocka_unit_test(each_conversion_of_thrusters_gives_its_thrust),
        cmocka_unit_test(a_vehicle_lighter_than_its_volume_of_water_rises),
        cmocka_unit_test(a_propeller_loses_thrust_with_speed_as_its_curve_says),
        cmocka_unit_test(a_fin_of_two_lines_keeps_its_lift),
        cmocka_unit_test(shapes_of_uuv_simulator_have_its_drag),
        cmocka_unit_test(actuators_push_where_their_joints_point),
        cmocka_unit_test(each_line_of_a_report_is_where_the_element_is),
        cmocka_unit_test(an_unknown_element_is_listed_wherever_it_is),
        cmocka_unit_test(bad_files_are_refused_with_line_and_element),
        cmocka_unit_test(a_cylinder_ahead_floats_as_it_lies_and_a_graded_sea_has_a_surface),
        cmocka_unit_test(a_cylinder_points_where_it_pointed),
        cmocka_unit_test(sensors_keep_their_place_and_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
