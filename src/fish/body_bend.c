/* Skinning: the rest mesh bent by the joint angles. */
#include "fish/body.h"

#include <math.h>

/* Half length of the skin's soft fold about a joint, as a share of the shortest link. */
#define FOLD 0.45

/* One rigid body of the chain: where its rest frame went. */
typedef struct placement {
    double rest_x;     /* front end at rest, body frame, m (0, then negative) */
    double x, y, c, s; /* front end now, and the turn */
} placement;

static void place_chain(const fm_fish_tail *tail, const double *angle, placement *p)
{
    double x[FM_FISH_JOINTS_MOST + 1], y[FM_FISH_JOINTS_MOST + 1], psi = 0, rest = 0;
    fm_fish_chain(tail, angle, x, y);
    p[0] = (placement){0, 0, 0, 1, 0};
    for (int j = 0; j < tail->joints; j++) {
        psi += angle[j];
        p[j + 1] = (placement){rest, x[j], y[j], fm_cos(psi), fm_sin(psi)};
        rest -= tail->link[j];
    }
}

static void apply(const placement *p, const double *in, double weight, double *out)
{
    double dx = in[0] - p->rest_x, dy = in[1];
    out[0] += weight * (p->x + p->c * dx - p->s * dy);
    out[1] += weight * (p->y + p->s * dx + p->c * dy);
}

static void turn(const placement *p, const double *in, double weight, double *out)
{
    out[0] += weight * (p->c * in[0] - p->s * in[1]);
    out[1] += weight * (p->s * in[0] + p->c * in[1]);
}

/* The body that contains x, and the weight there of the next one aft (0-1). */
static int owner(const placement *p, int joints, double x, double fold, double *share)
{
    int j = joints;
    while (j > 0 && x > p[j].rest_x + fold)
        j--;
    *share = 1;
    if (j > 0 && x > p[j].rest_x - fold) {
        double t = (p[j].rest_x + fold - x) / (2 * fold);
        *share = t * t * (3 - 2 * t);
    }
    return j;
}

void fm_fish_mesh_bend(const fm_fish_mesh *mesh, const fm_fish_shape *shape, const double *angle, double *position,
                       double *normal)
{
    const fm_fish_tail *tail = &shape->tail;
    placement p[FM_FISH_JOINTS_MOST + 1];
    double fold = tail->link[0];
    for (int j = 1; j < tail->joints; j++)
        fold = fmin(fold, tail->link[j]);
    fold *= FOLD;
    place_chain(tail, angle, p);
    for (uint32_t i = 0; i < mesh->vertices; i++) {
        const double *r = mesh->position + 3 * (size_t)i, *n = mesh->normal + 3 * (size_t)i;
        double share, *q = position + 3 * (size_t)i, *m = normal + 3 * (size_t)i;
        int j = owner(p, tail->joints, r[0], fold, &share);
        q[0] = q[1] = m[0] = m[1] = 0;
        q[2] = r[2];
        m[2] = n[2];
        apply(&p[j], r, share, q);
        turn(&p[j], n, share, m);
        if (j > 0) {
            apply(&p[j - 1], r, 1 - share, q);
            turn(&p[j - 1], n, 1 - share, m);
        }
        double length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        for (int c = 0; c < 3 && length > 0; c++)
            m[c] /= length;
    }
}
