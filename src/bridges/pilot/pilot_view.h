/* The data for an autopilot or a ground station: the true state at this time, and ranges of the vehicle's
 * instruments. */
#ifndef FM_BRIDGES_PILOT_PILOT_VIEW_H
#define FM_BRIDGES_PILOT_PILOT_VIEW_H

#include <fathom/frames.h>
#include <fathom/world.h>

enum { FM_PILOT_RANGES = 6 };

/* From an instrument that measures one range. */
typedef struct fm_pilot_range {
    double distance;          /* m; above farthest: no echo */
    double nearest, farthest; /* m that it measures */
    double axis[3];           /* where it looks, body axes */
} fm_pilot_range;

typedef struct fm_pilot_view {
    double time;          /* s since the start of the world */
    double position[3];   /* m, NED */
    double attitude[4];   /* w x y z, body → world */
    double euler[3];      /* rad: roll, pitch, heading in [0, 2π) */
    double velocity[3];   /* m/s over ground, NED */
    double rates[3];      /* rad/s, body */
    double force[3];      /* m/s², body: specific force at the origin */
    double ahead;         /* m/s through the water, along its forward axis */
    fm_geodetic geodetic; /* height 0 at the mean surface */
    int boat;             /* a surface craft: MAV_TYPE */
    int dry;              /* its antenna is above the water: satellites and radio are received */
    double pressure;      /* Pa, absolute: of the water */
    double air_pressure;  /* Pa: of the air at the surface */
    double temperature;   /* °C */
    double magnetic[3];   /* nT, body: by fm_pilot_view_magnetic */
    double wind[3];       /* m/s, NED; NaN: the world has none */
    double battery[2];    /* V, A drawn; NaN: no battery, or one without a voltage */
    double remaining;     /* 0 … 1 of its charge; NaN: no battery */
    fm_pilot_range ranges[FM_PILOT_RANGES];
    size_t range_count;
} fm_pilot_view;

/* 0: the slot is empty. */
int fm_pilot_view_fill(const fm_world *world, int slot, fm_pilot_view *view);

/* Its rates and specific force as measured by its first IMU; 0: no IMU, or no sample yet: nothing is changed. */
int fm_pilot_view_measure(const fm_world *world, int slot, fm_pilot_view *view);

/* The Earth's magnetic field where a filled view is, in a decimal year. */
void fm_pilot_view_magnetic(const fm_world *world, int slot, double year, fm_pilot_view *view);

/* Apparent wind: rad clockwise from the bow, direction it comes from, and m/s. NaN without wind. */
void fm_pilot_apparent_wind(const fm_pilot_view *view, double apparent[2]);

#endif
