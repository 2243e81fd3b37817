/* A request of a service in progress, between the loop's thread and the stepping thread. */
#ifndef FM_BRIDGES_ROS2_ROS2_CALL_H
#define FM_BRIDGES_ROS2_ROS2_CALL_H

#include "bridges/ros2/ros2_bridge.h"

enum { FM_ROS2_PATH = 96 }; /* bytes of the name of a parameter, its NUL included */

/* A reply whose client is not ready yet. */
typedef struct fm_ros2_reply {
    struct fm_ros2_reply *next;
    const fm_dds_end *writer;
    fm_dds_identity to;
    unsigned turns; /* that it has waited */
    size_t size;
    uint8_t bytes[];
} fm_ros2_reply;

/* Whom a reply is for: by the header that Cyclone's middleware puts before the message, or by the identity that Fast
 * DDS keeps beside it. */
typedef struct fm_ros2_sender {
    int related; /* the latter */
    uint8_t frame[FM_ROS2_FRAME];
    fm_dds_identity origin;
} fm_ros2_sender;

/* What was asked or ordered of one parameter; of other services the call has one. */
typedef struct fm_ros2_question {
    fm_ros2_call *call;
    char name[FM_ROS2_PATH];
    double value;        /* NaN: there is none */
    const fm_attr *attr; /* of a live parameter; NULL: unknown, or the speed */
    int fine;            /* it was done */
    char text[160];      /* why not */
} fm_ros2_question;

struct fm_ros2_call {
    fm_run_task task; /* first: it is found by it */
    fm_ros2_bridge *bridge;
    fm_ros2_call *next;     /* of all */
    fm_ros2_call *answered; /* the next on its way back */
    const fm_ros2_ear *ear;
    fm_ros2_sender sender;
    char (*prefixes)[FM_ROS2_PATH], (*names)[FM_ROS2_PATH]; /* of a list: wanted, found */
    size_t prefix_count, name_count;
    uint64_t depth;
    size_t count, left; /* questions; those not yet answered */
    fm_ros2_question questions[];
};

/* ros2_services.c */
void fm_ros2_reply_send(const fm_ros2_call *call, const void *message);
void fm_ros2_call_count_down(fm_ros2_call *call); /* sends the reply after the last */
void fm_ros2_call_take_result(void *question, const fm_wire_result *result);
/* Asks the world on the stepping thread; without a run the call is answered at once. */
void fm_ros2_call_post(fm_ros2_call *call, void (*ask)(fm_run *run, fm_run_task *task));
void fm_ros2_call_return(fm_ros2_call *call); /* from there */

/* ros2_parameters.c: the services of rcl_interfaces. */
size_t fm_ros2_parameters_count(int service, const void *request); /* questions of a request */
void fm_ros2_parameters_work(fm_ros2_call *call, const void *request);
void fm_ros2_parameters_reply(fm_ros2_call *call);
void fm_ros2_parameters_drop(fm_ros2_call *call); /* frees what its list took */

#endif
