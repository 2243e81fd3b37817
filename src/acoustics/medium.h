/* The sea as a medium for signals: sound speed, paths, losses and noise. Made at load from <acoustics>; a world has its
 * own, which follows the live parameters of its sea. World axes NED, m; levels in dB. docs/theory/acoustics.md */
#ifndef FM_ACOUSTICS_MEDIUM_H
#define FM_ACOUSTICS_MEDIUM_H

#include "acoustics/loss.h"
#include "acoustics/waveguide.h"
#include "environment/environment.h"

enum fm_sound_law { FM_LAW_SONAR, FM_LAW_WAVESIM };
enum fm_sound_ways { FM_WAYS_STRAIGHT, FM_WAYS_IMAGES, FM_WAYS_RAYS };
enum fm_sound_spreading { FM_SPREADING_SPHERICAL, FM_SPREADING_CYLINDRICAL, FM_SPREADING_PRACTICAL };
enum fm_sound_absorption {
    FM_ABSORPTION_FRANCOIS_GARRISON,
    FM_ABSORPTION_AINSLIE_MCCOLM,
    FM_ABSORPTION_THORP,
    FM_ABSORPTION_CONSTANT,
    FM_ABSORPTION_NONE
};

typedef struct fm_medium {
    enum fm_sound_law law;
    enum fm_sound_ways ways;
    enum fm_sound_spreading spreading;
    enum fm_sound_absorption absorption;
    double transition;           /* m: spherical up to here, cylindrical beyond */
    double attenuation;          /* dB/m, of constant absorption */
    double acidity;              /* pH */
    int reflections;             /* maximum number, of surface and bottom together */
    fm_seabed seabed;            /* what the bottom reflects */
    double roughness;            /* m, rms height of the surface */
    int fixed_noise;             /* the noise is noise_level in every band */
    double noise_level;          /* dB */
    double shipping, wind;       /* 0 … 1; m/s */
    int occlusion, doppler;      /* bottom and obstacles block sound; frequencies shift */
    int carried;                 /* the current carries sound (drift.h) */
    int column;                  /* the layers follow the water column at the origin */
    double speed;                /* m/s, everywhere; 0: by the layers */
    double slowest;              /* m/s: the least speed there is */
    fm_waveguide layers;         /* of the profile, down to its last node */
    fm_waveguide guide;          /* for rays: down to a level bottom, or to the last node */
    int even;                    /* the bottom is level, or there is none */
    const double *delay;         /* s: travel time straight down from the surface to each node */
    const fm_environment *water; /* for absorption, depth and obstructions */
} fm_medium;

/* Speeds by layers, from a profile. */
fm_status fm_medium_layer(fm_medium *medium, const fm_sound_profile *profile, fm_arena *arena, fm_error *error);
/* The profile of a water column at a place, in linear segments that stay within 1e-3 m/s of it. */
fm_status fm_sound_profile_from_column(fm_sound_profile *profile, const fm_water_column *column, double x, double y,
                                       double deepest, fm_arena *arena, fm_error *error);

/* Recomputes the layers of the water column at the origin, with at most `most` nodes: segments that stay within 1e-3
 * m/s, or within the smallest 2^n times it that fits. They live in the arena. */
fm_status fm_medium_follow_column(fm_medium *medium, size_t most, fm_arena *arena, fm_error *error);
enum { FM_MEDIUM_ARRAYS = 12 }; /* maximum number of arena blocks, of `most` + 3 numbers each */

double fm_medium_speed(const fm_medium *medium, double depth); /* m/s */
/* Absorption at a depth, dB/m. */
double fm_medium_absorption(const fm_medium *medium, double frequency, const double point[3]);
/* Spectral level of ambient noise, dB re 1 µPa²/Hz. */
double fm_medium_noise(const fm_medium *medium, double frequency);
/* Spreading along a path of this length that is not a ray, dB. (A2) */
double fm_medium_spreading(const fm_medium *medium, double length);
/* Spreading and reflections along a path, dB. */
struct fm_sound_way;
double fm_medium_loss(const fm_medium *medium, const struct fm_sound_way *way);
/* The length (m) beyond which every path loses at least `loss` dB, at this absorption. */
double fm_medium_reach(const fm_medium *medium, double loss, double absorption);

/* One path from a source to a receiver. */
typedef struct fm_sound_way {
    double time, length;  /* s, m */
    double loss;          /* dB: of reflections; for rays including spreading (fm_medium_loss) */
    double out[3], in[3]; /* unit: direction at the source, and at the receiver */
    double speed_out;     /* m/s, of sound where it leaves */
    double speed_in;      /* and where it arrives */
    double launch;        /* rad, for rays: start of the next search */
    double water[3];      /* m/s, NED: mean velocity of the water along it (drift.h) */
    int surface, bottom;  /* reflections */
    int tube;             /* 1: loss includes the spreading of the ray tube */
} fm_sound_way;

enum { FM_WAYS_MOST = 16 }; /* between two places */

/* One path between two places at this frequency, by its number: the direct path is 0; images and rays are numbered
 * by their reflections, and rays are searched near way->launch (ray_ways.h). Both ends are in the water. 0: no such
 * path. */
int fm_medium_way(const fm_medium *medium, int64_t number, const double from[3], const double to[3], double frequency,
                  fm_sound_way *way);
/* Number of paths to try; for rays the maximum. */
int fm_medium_way_count(const fm_medium *medium);
/* The straight way. */
int fm_medium_straight(const fm_medium *medium, const double from[3], const double to[3], fm_sound_way *way);
/* Whether bottom or obstacles block the path; its ends may touch them. */
int fm_medium_blocked(const fm_medium *medium, const double from[3], const double to[3], const fm_sound_way *way);
/* Whether an obstacle is between two places. */
int fm_medium_obstructed(const fm_medium *medium, const double from[3], const double to[3]);
/* Whether a place is under water and above the bottom. */
int fm_medium_wet(const fm_medium *medium, const double point[3]);

#endif
