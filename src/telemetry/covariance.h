/* Covariances of a part's message that none of its outputs fills: from the noise of the instrument where that is known,
 * otherwise as the message's public definition marks an unknown or a missing estimate. The rules differ by message. */
#ifndef FM_TELEMETRY_COVARIANCE_H
#define FM_TELEMETRY_COVARIANCE_H

#include "telemetry/message.h"
#include "world/model.h"

/* How a covariance follows from the standard deviation of the noise. */
typedef enum fm_covariance_kind {
    FM_COVARIANCE_AXES,    /* three axes with the same noise: its square on the diagonal */
    FM_COVARIANCE_HEADING, /* an attitude of which only the heading is measured */
    FM_COVARIANCE_EACH,    /* one variance for each value of another array; that of a value that is NaN is unknown */
    FM_COVARIANCE_BEAMS    /* velocity by least squares over the beams of a Dvl */
} fm_covariance_kind;

/* What a public definition says of one covariance. */
typedef struct fm_covariance_rule {
    const char *message;    /* "sensor_msgs/Imu" */
    const char *values;     /* field that it belongs to */
    const char *covariance; /* field */
    fm_covariance_kind kind;
    double unknown;    /* first element where the value is measured and its noise is not known */
    double absent;     /* first element where the value is not measured */
    const char *noise; /* attribute of the part with the standard deviation, "gyro/noise"; NULL: never known */
} fm_covariance_rule;

extern const fm_covariance_rule fm_covariance_rules[];
extern const size_t fm_covariance_rule_count;

/* A covariance that is computed with each message. */
typedef struct fm_covariance {
    fm_covariance_kind kind;
    char *target;       /* its first element, inside the message */
    const void *values; /* of EACH: the values it belongs to; of BEAMS: the message */
    fm_field_type type; /* float32 or float64 */
    fm_field_type values_type;
    size_t count; /* elements */
    double unknown;
    size_t noise; /* byte of the standard deviation in the live parameters of the part */
} fm_covariance;

enum { FM_COVARIANCES = 3 }; /* of one message at most */

/* Fills what is constant into the message of a part and notes the rest; returns the number of the latter. */
size_t fm_covariances_make(const fm_part *part, const fm_message *type, char *message,
                           fm_covariance covariances[FM_COVARIANCES]);
/* After the message is filled. `live`: parameters of the part in force. */
void fm_covariances_fill(const fm_covariance *covariances, size_t count, const void *live);

#endif
