#include "telemetry/scene_frames.h"

#include <stdio.h>

#include "telemetry/camera_info.h"
#include "telemetry/frames.h"

static void add(fm_scene *scene, const char *parent, const char *child, const fm_msg_pose *pose)
{
    const fm_msg_point *p = &pose->position;
    scene->transforms[scene->fixed.transforms.count++] = (fm_msg_transform_stamped){
        .header.frame_id = parent, .child_frame_id = child, .transform = {{p->x, p->y, p->z}, pose->orientation}};
}

void fm_scene_frames_begin(fm_scene *scene)
{
    static const fm_msg_pose here = {.orientation.w = 1};
    scene->fixed.transforms.items = scene->transforms;
    scene->fixed.transforms.count = 0;
    add(scene, FM_MAP_FRAME, FM_ODOM_FRAME, &here);
}

void fm_scene_frames_mount(fm_scene *scene, const fm_part *sensor, const fm_msg_pose *pose, const char *vehicle,
                           const char *base)
{
    static const fm_msg_pose optical = {.orientation = {-0.5, 0.5, -0.5, 0.5}};
    char *frame = scene->frames[scene->fixed.transforms.count], *eye = frame + FM_FRAME_SIZE;
    snprintf(frame, FM_FRAME_SIZE, "%.31s/%.60s", vehicle, sensor->name);
    add(scene, base, frame, pose);
    if (!fm_part_is_camera(sensor))
        return;
    fm_optical_frame_write(vehicle, sensor->name, eye);
    add(scene, frame, eye, &optical);
}
