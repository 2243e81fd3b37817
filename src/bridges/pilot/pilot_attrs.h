/* Attributes shared by the bridges to autopilots: rows of their tables. */
#ifndef FM_BRIDGES_PILOT_PILOT_ATTRS_H
#define FM_BRIDGES_PILOT_PILOT_ATTRS_H

#include <fathom/describe.h>

/* its_type has the members `vehicle`, `outputs` and `patience`. */
#define FM_PILOT_ATTRS(its_type)                                                                                       \
    FM_NAME_ATTR(its_type, vehicle, "vehicle", NULL, 0, "that the autopilot controls; default: the first"),            \
        FM_TEXT_ATTR(its_type, outputs, "outputs", NULL, 0,                                                            \
                     "what the autopilot's outputs drive: a frame (vectored, vectored-6dof, px4-bluerov2-heavy, "      \
                     "skid-steering, steering-throttle), or one by one as in \"3:propeller 1:-rudder\"; default: a "   \
                     "frame that fits the vehicle"),                                                                   \
        FM_REAL_ATTR(its_type, patience, "patience", "s", 0.1, 1e6, "10 s", 0,                                         \
                     "of the clock: after this silence a paced run goes on without the autopilot; others wait for it")

#endif
