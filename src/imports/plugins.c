/* Which plugin is read by what. */
#include <string.h>

#include "imports/robot.h"

static const struct {
    const char *part; /* of its name or its file's, in lower case */
    int pass;         /* the water first, servos last */
    void (*take)(fm_import *m, fm_robot_plugin *plugin);
} kinds[] = {
    {"uuv_underwater_object", 0, fm_import_uuv_water},
    {"hydrodynamics", 1, fm_import_gz_hydrodynamics},
    {"linearbatteryplugin", 3, fm_import_gz_battery},
    {"detachablejoint", 3, fm_import_gz_detachable},
    {"buoyancyengine", -1, NULL},
    {"buoyancy-engine", -1, NULL},
    {"buoyancy", 0, fm_import_gz_buoyancy},
    {"uuv_thruster", 2, fm_import_uuv_thruster},
    {"uuv_fin", 2, fm_import_uuv_fin},
    {"systems::thruster", 2, fm_import_gz_thruster},
    {"thruster-system", 2, fm_import_gz_thruster},
    {"systems::liftdrag", 2, fm_import_gz_lift},
    {"lift-drag-system", 2, fm_import_gz_lift},
    {"jointpositioncontroller", 3, fm_import_gz_servo},
    {"joint-position-controller", 3, fm_import_gz_servo},
    {"uuv_gazebo_ros_dvl", 2, fm_import_uuv_sensor},
    {"uuv_gazebo_ros_imu", 2, fm_import_uuv_sensor},
    {"uuv_gazebo_ros_gps", 2, fm_import_uuv_sensor},
    {"uuv_gazebo_ros_magnetometer", 2, fm_import_uuv_sensor},
    {"uuv_gazebo_ros_subsea_pressure", 2, fm_import_uuv_sensor},
};
enum { KINDS = sizeof kinds / sizeof *kinds, PASSES = 4 };

static int kind_of(fm_foreign *xml)
{
    const char *name = fm_foreign_attr_get(xml, "name"), *file = fm_foreign_attr_get(xml, "filename");
    for (int i = 0; i < KINDS; i++)
        if ((file && fm_import_holds(file, kinds[i].part)) || (name && fm_import_holds(name, kinds[i].part)))
            return i;
    return -1;
}

/* A joint that moves and that no actuator drives is held; one without room to move is as good as fixed. */
static void list_joints(fm_import *m)
{
    for (fm_robot_joint *joint = m->robot.joints; joint; joint = joint->next)
        if (joint->child->attached && !joint->driven && strcmp(joint->type, "fixed") != 0 &&
            joint->lower != joint->upper)
            fm_import_lose(m, joint->xml, "'%.60s' moves, and no actuator of Fathom drives it: it is held at 0",
                           joint->name);
}

/* Without a plugin that says so, the water is that of a thruster or a fin. */
static void guess_density(fm_import *m)
{
    static const char *const names[] = {"fluid_density", "air_density"};
    for (fm_robot_plugin *p = m->robot.plugins; p && !m->has_density; p = p->next)
        for (int i = 0; i < 2 && !m->has_density; i++) {
            const double density = fm_import_number(m, p->xml, names[i], 0, 0, 1e9);
            fm_foreign *at = fm_foreign_child(p->xml, names[i]);
            if (at)
                at->read = kind_of(p->xml) >= 0 && kinds[kind_of(p->xml)].take;
            if (kind_of(p->xml) < 0 || density < 900 || density > 1200)
                continue;
            m->density = density;
            m->has_density = true;
            fm_import_remark(m, at, "%g kg/m3 is taken for the water of the scenario", density);
        }
}

void fm_import_plugins(fm_import *m)
{
    if (m->status != FM_OK)
        return;
    fm_text_copy(m->result->name, sizeof m->result->name,
                 m->options->name ? m->options->name : fm_import_name(m, m->robot.name));
    for (int pass = 0; pass < PASSES; pass++) {
        if (pass == 2)
            guess_density(m);
        for (fm_robot_plugin *p = m->robot.plugins; p && m->status == FM_OK; p = p->next) {
            const int kind = kind_of(p->xml);
            if (kind >= 0 && kinds[kind].pass == pass)
                kinds[kind].take(m, p);
            else if (pass == 0 && (kind < 0 || kinds[kind].pass < 0))
                p->xml->read = false; /* listed with what is not known */
        }
    }
    fm_import_fluid_added_mass(m);
    list_joints(m);
}
