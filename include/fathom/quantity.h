/* What parts know about each other: where a part is mounted, and which quantities its output contains.
 *
 * A class gives the offset of the fm_mount in its config (fm_part_class.mount) and marks the fields of its output with
 * their quantity (fm_output.quantity). Other parts find "a depth" or "a sonar" on the vehicle at load
 * (fm_load_find_quantity, fm_load_quantity) and read it in a step (fm_quantity_value) without knowing the class or its
 * struct. */
#ifndef FATHOM_QUANTITY_H
#define FATHOM_QUANTITY_H

#include <stddef.h>
#include <stdint.h>

/* Where a part is mounted on its vehicle, and its field of view. Position and attitude are read from its element
 * (FM_MOUNT_ATTRS); rotation and quaternion are derived before the part's `load` is called, which may set the field of
 * view. Body axes forward-starboard-down; the part looks along its own forward axis. Constant after loading. */
typedef struct fm_mount {
    double position[3];       /* m */
    double attitude[3];       /* rad: roll, pitch, heading */
    double rotation[9];       /* part → body, by row */
    double quaternion[4];     /* the same, w x y z */
    double nearest, farthest; /* range of view, m; 0: unknown */
    double width, height;     /* full angles of view, rad; 0: unknown */
} fm_mount;

/* The head of an instrument's output, for classes with FM_COUNTS_READING. */
typedef struct fm_reading {
    int64_t count; /* samples since the start; a change means a new sample */
    int64_t valid; /* 1: the last period produced a sample */
    double time;   /* s since the start: when the sample was taken */
} fm_reading;

/* The meaning of an output. Each row gives the number of values in brackets, if it is not one, and the unit in which
 * others read it, independent of the unit of the output. Unknown values are NaN. Vectors are in the part's own axes
 * unless the row says NED. */
typedef enum fm_quantity {
    FM_QUANTITY_NONE, /* of no use to other parts */
    /* its own motion, at its mounting position */
    FM_QUANTITY_DEPTH,               /* m below the mean surface */
    FM_QUANTITY_ALTITUDE,            /* m above the bottom, straight down */
    FM_QUANTITY_POSITION,            /* [3] m, NED */
    FM_QUANTITY_POSITION_COVARIANCE, /* [9] m², NED by row */
    FM_QUANTITY_LATITUDE,            /* deg */
    FM_QUANTITY_LONGITUDE,           /* deg */
    FM_QUANTITY_HEADING,             /* rad, of its forward axis from north */
    FM_QUANTITY_EULER,               /* [3] rad: roll, pitch, heading of its axes */
    FM_QUANTITY_ORIENTATION,         /* [4] w x y z, its axes → world */
    FM_QUANTITY_RATES,               /* [3] rad/s */
    FM_QUANTITY_ACCELERATION,        /* [3] m/s²: specific force */
    FM_QUANTITY_VELOCITY,            /* [3] m/s over ground */
    FM_QUANTITY_VELOCITY_MODE,       /* 1: FM_QUANTITY_VELOCITY is over ground, 2: for now through the water */
    FM_QUANTITY_FORWARD_SPEED,       /* m/s over ground, along its forward axis */
    FM_QUANTITY_WATER_SPEED,         /* m/s through the water, along its forward axis */
    FM_QUANTITY_BEACON_RANGE,        /* m from a known position */
    FM_QUANTITY_BEACON_POSITION,     /* [3] m, NED: that position */
    FM_QUANTITY_BEACON_DEVIATION,    /* m, standard deviation of that range */
    /* what it sees */
    FM_QUANTITY_RANGE,      /* m to the nearest object along its forward axis; infinite: none */
    FM_QUANTITY_RETURNS,    /* number of valid values in the next two */
    FM_QUANTITY_RANGES,     /* [n] m: of each return, or of each bin of an image of echoes */
    FM_QUANTITY_BEARINGS,   /* [n] rad: of each return, down from the horizontal in the vertical plane ahead */
    FM_QUANTITY_SPACING,    /* m between the positions of the returns */
    FM_QUANTITY_PITCH,      /* rad, of the vehicle when the returns were taken */
    FM_QUANTITY_DIRECTIONS, /* [3 n] unit vectors of the beams of an image of echoes, its axes */
    FM_QUANTITY_ECHOES,     /* [bins × beams] intensities of an image of echoes, beam fastest; 0: none */
    FM_QUANTITY_PICTURE,    /* [n] values of a picture, by row */
    /* the water */
    FM_QUANTITY_PRESSURE,     /* Pa, absolute */
    FM_QUANTITY_TEMPERATURE,  /* °C */
    FM_QUANTITY_CONDUCTIVITY, /* S/m */
    FM_QUANTITY_SALINITY,     /* PSS-78 */
    FM_QUANTITY_SOUND_SPEED,  /* m/s */
    /* the vehicle */
    FM_QUANTITY_VOLTAGE,     /* V, of the battery */
    FM_QUANTITY_CURRENT,     /* A */
    FM_QUANTITY_DEFLECTION,  /* rad, of a fin */
    FM_QUANTITY_SHAFT_SPEED, /* rad/s */
    FM_QUANTITY_CONTACT,     /* 1: touches something */
    FM_QUANTITY_LEAK,        /* 1: water inside */
    /* what it sees, continued */
    FM_QUANTITY_OWN_RETURNS, /* number of returns after FM_QUANTITY_RETURNS, collected in the vehicle's own axes */
    FM_QUANTITY_FAN,  /* [n] m: the nearest at each of n bearings, evenly over its width, from port to starboard */
    FM_QUANTITY_COUNT /* number of quantities */
} fm_quantity;

/* Types of values in an output block. UINT8 and FLOAT32 values are packed into its 8-byte words, little endian. */
typedef enum fm_output_type {
    FM_OUTPUT_REAL,
    FM_OUTPUT_UINT8,
    FM_OUTPUT_FLOAT32,
    FM_OUTPUT_TEXT, /* constant, takes no room in the block */
    FM_OUTPUT_INT64,
    FM_OUTPUT_NAME /* a REAL 0, 1, … that selects a name of fm_output.text, "first|second|…" */
} fm_output_type;

/* A quantity of one part, found at load. Valid as long as the model. */
typedef struct fm_quantity_view {
    int64_t part;          /* its index, as returned by fm_load_sensor */
    size_t offset, count;  /* byte offset in its output; number of values */
    double scale, shift;   /* from the output's unit to that of the quantity */
    const fm_mount *mount; /* where the part is mounted; never NULL (default: at the origin, looking ahead) */
    fm_output_type type;
} fm_quantity_view;

#endif
