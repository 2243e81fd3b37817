#include "fish/seek.h"

#include "physics/real.h"

/* Pictures without it, and s without any picture, after which it is lost; share of `size` below which a circle ends. */
enum { MISSES = 3 };
static const double LOST = 3, LEAVE = 0.6;
/* 1/s and rad/s: turn rate by bearing error, and its most; rad for a width twice that asked for; share of speed. */
static const double STEER = 2, HARDEST = 1.2, OFF = 1.5, SLOW = 0.5;
/* Echoes this far beside its edges are its own, rad, but not what is nearer than this, m. */
static const double BESIDE = 0.09, NEAR = 0.3;
static const double RIM = 0.03; /* rad from the edge of what the cameras see */
/* Of a new picture in the width: edges of pixels would make the fish waver. */
static const double SHARE = 0.3;

void fm_seek_begin(fm_seek_state *s)
{
    *s = (fm_seek_state){.behaviour = FM_FISH_SEARCH, .side = 1};
}

static void lose(fm_seek_state *s)
{
    if (s->behaviour != FM_FISH_SEARCH)
        s->turned = 0;
    s->behaviour = FM_FISH_SEARCH;
}

void fm_seek_see(const fm_seek_params *p, fm_seek_state *s, const fm_blob *blob)
{
    if (!blob) {
        if (++s->misses >= MISSES)
            lose(s);
        return;
    }
    s->misses = 0;
    s->unseen = 0;
    s->bearing = blob->bearing;
    int cut = fm_abs(blob->bearing) + 0.5 * blob->width > p->widest - RIM; /* by the edge of the picture */
    double width = cut ? fm_max(s->width, blob->width) : blob->width;
    s->width = s->behaviour == FM_FISH_SEARCH ? blob->width : s->width + SHARE * (width - s->width);
    if (s->behaviour != FM_FISH_CIRCLE)
        s->side = blob->bearing < 0 ? -1 : 1;
    int near = s->width >= (s->behaviour == FM_FISH_CIRCLE ? LEAVE : 1) * p->size;
    s->behaviour = near ? FM_FISH_CIRCLE : FM_FISH_APPROACH;
}

/* Turns to the side where it was last seen, then swims straight on. */
static double search(const fm_seek_params *p, fm_seek_state *s, double turn_rate, double dt)
{
    if (s->turned < 0) {
        s->turned = fm_min(s->turned + dt, 0);
        return 0;
    }
    s->turned += fm_abs(turn_rate) * dt;
    if (s->turned > 1.1 * 2 * FM_PI)
        s->turned = -p->leg;
    return s->side * p->turn;
}

/* (B12) */
fm_fish_decision fm_seek_decide(const fm_seek_params *p, fm_seek_state *s, double speed, double turn_rate, double dt)
{
    fm_fish_decision d = {.speed = speed};
    s->unseen += dt;
    s->bearing -= turn_rate * dt;
    if (s->unseen > LOST)
        lose(s);
    d.behaviour = (fm_fish_behaviour)s->behaviour;
    if (s->behaviour == FM_FISH_SEARCH) {
        d.turn = search(p, s, turn_rate, dt);
        return d;
    }
    double wanted = 0;
    if (s->behaviour == FM_FISH_CIRCLE) {
        double abeam = 0.5 * FM_PI + OFF * (s->width / p->size - 1);
        wanted = s->side * fm_clamp(abeam, 0, p->widest - 0.5 * s->width - 3 * RIM);
    }
    d.turn = fm_clamp(STEER * (s->bearing - wanted), -HARDEST, HARDEST);
    d.speed = speed * fm_clamp(2 * (1 - s->width / p->size) + SLOW, SLOW, 1);
    return d;
}

int fm_seek_wants(const fm_seek_state *s, double bearing, double range)
{
    return s->behaviour != FM_FISH_SEARCH && range > NEAR && fm_abs(bearing - s->bearing) < 0.5 * s->width + BESIDE;
}
