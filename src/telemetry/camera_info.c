#include "telemetry/camera_info.h"

#include <stdio.h>
#include <string.h>

#include "base/part.h"
#include "physics/real.h"
#include "telemetry/frames.h"

int fm_part_is_camera(const fm_part *part)
{
    const char *message = part->part_class->message;
    return message && strcmp(message, "sensor_msgs/Image") == 0;
}

void fm_optical_frame_write(const char *vehicle, const char *part, char frame[FM_FRAME_SIZE])
{
    snprintf(frame, FM_FRAME_SIZE, "%.31s/%.48s" FM_OPTICAL_FRAME, vehicle, part);
}

/* A pinhole: the focal length follows from the width of the view; pixels are counted from the centre of the first. A
 * camera of a plugin that gives no width has zeros, which ROS takes for a camera that is not calibrated. */
void fm_camera_info_fill(const fm_part *part, const fm_msg_image *image, fm_msg_camera_info *info)
{
    static const double none[FM_CAMERA_COEFFICIENTS] = {0};
    const fm_mount *mount = fm_part_mount(part);
    *info = (fm_msg_camera_info){.header = image->header, .height = image->height, .width = image->width};
    if (!mount || !(mount->width > 0))
        return;
    const double half = 0.5 * mount->width, f = 0.5 * image->width * fm_cos(half) / fm_sin(half);
    const double u = 0.5 * (image->width - 1.0), v = 0.5 * (image->height - 1.0);
    info->distortion_model = "plumb_bob";
    info->d.items = none;
    info->d.count = FM_CAMERA_COEFFICIENTS;
    memcpy(info->k, (const double[9]){f, 0, u, 0, f, v, 0, 0, 1}, sizeof info->k);
    memcpy(info->r, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof info->r);
    memcpy(info->p, (const double[12]){f, 0, u, 0, 0, f, v, 0, 0, 0, 1, 0}, sizeof info->p);
}
