/* What a node needs to know of a camera to measure in its images: sensor_msgs/CameraInfo beside every image, and the
 * camera's optical frame. */
#ifndef FM_TELEMETRY_CAMERA_INFO_H
#define FM_TELEMETRY_CAMERA_INFO_H

#include "telemetry/message.h"
#include "telemetry/scene.h"

/* Whether the part publishes images. */
int fm_part_is_camera(const fm_part *part);
/* "NAME/CAMERA_optical_frame": x to the right, y down, z ahead. */
void fm_optical_frame_write(const char *vehicle, const char *part, char frame[FM_FRAME_SIZE]);
/* The calibration of a camera without distortion, for an image as it was filled; it refers to constants only. */
void fm_camera_info_fill(const fm_part *part, const fm_msg_image *image, fm_msg_camera_info *info);

/* The limits of its message. */
enum { FM_CAMERA_COEFFICIENTS = 5, FM_CAMERA_MODEL_TEXT = 9 };

#endif
