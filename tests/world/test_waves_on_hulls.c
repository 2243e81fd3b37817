/* Waves act along the hull: responses of barges, a spar, a long diver and the Otter against linear strip theory, which
 * is written down here: the pressure of Airy's wave over the wetted sides and bottom, the added mass and the damping in
 * the water's motion over the hull, and the six equations of small motion in complex amplitudes. */
#include <complex.h>

#include "support/scenario.h"

#include "environment/environment.h"
#include "world/world.h"

#define RHO 1000.0
#define G 9.81
#define PI 3.14159265358979323846

/* --- linear strip theory of boxes --- */

/* A box under water: middle and size, m; one from the mean level down is cut by it. */
typedef struct box {
    double middle[3], size[3];
} box;

/* Boxes in axes forward, starboard, down from an origin in the water line. */
typedef struct hull {
    box boxes[4];
    int count;
    double density, gravity_x, gravity_z; /* kg/m³; m, of the centre of gravity */
    double inertia[3];                    /* kg m², about the origin */
    double added[6], damping[6];          /* diagonals */
} hull;

static double volume(const box *b)
{
    return b->size[0] * b->size[1] * b->size[2];
}

static int is_cut(const box *b)
{
    return b->middle[2] - b->size[2] / 2 < 1e-9;
}

static double displaced(const hull *h)
{
    double sum = 0;
    for (int i = 0; i < h->count; i++)
        sum += h->density * volume(&h->boxes[i]);
    return sum;
}

/* Wave of amplitude 1: e^(i(k·x − ω t)) e^(−kz); the real part is meant. */
typedef struct wave {
    double k, frequency, ahead, aside;
} wave;

static wave deep_wave(double length, double direction)
{
    double k = 2 * PI / length;
    return (wave){k, sqrt(G * k), cos(direction), sin(direction)};
}

static double complex at(const wave *w, const double r[3])
{
    return cexp(I * w->k * (w->ahead * r[0] + w->aside * r[1]) - w->k * r[2]);
}

enum { PARTS = 24 }; /* of each length */

/* Adds a pressure p on an area a that faces `sign` along `axis` (out of the hull) at r. */
static void press(const double r[3], int axis, double sign, double complex p, double a, double complex f[6])
{
    double complex force[3] = {0};
    force[axis] = -p * a * sign;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        f[i] += force[i];
        f[3 + i] += r[j] * force[k] - r[k] * force[j];
    }
}

/* Froude and Krylov: ρ g e^… over the faces of a box up to the mean level. */
static void froude_krylov(const box *b, double density, const wave *w, double complex f[6])
{
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            if (axis == 2 && sign < 0 && is_cut(b))
                continue;
            for (int i = 0; i < PARTS * PARTS; i++) {
                double r[3];
                r[axis] = b->middle[axis] + sign * b->size[axis] / 2;
                r[u] = b->middle[u] + b->size[u] * ((i / PARTS + 0.5) / PARTS - 0.5);
                r[v] = b->middle[v] + b->size[v] * ((i % PARTS + 0.5) / PARTS - 0.5);
                press(r, axis, sign, density * G * at(w, r), b->size[u] * b->size[v] / (PARTS * PARTS), f);
            }
        }
}

/* Gauss's elimination of a complex system. */
static void solve(int n, double complex *m, double complex *x)
{
    for (int i = 0; i < n; i++)
        for (int r = 0; r < n; r++) {
            if (r == i)
                continue;
            double complex factor = m[r * n + i] / m[i * n + i];
            for (int c = 0; c < n; c++)
                m[r * n + c] -= factor * m[i * n + c];
            x[r] -= factor * x[i];
        }
    for (int i = 0; i < n; i++)
        x[i] /= m[i * n + i];
}

/* Velocity of the water over the hull as that of a rigid body, by least squares: Σ Sᵀ (S x − v) = 0, v = S x at r. */
static void water_as_one(const hull *h, const wave *w, double complex x[6])
{
    double complex m[36] = {0};
    memset(x, 0, 6 * sizeof *x);
    for (int n = 0; n < h->count; n++)
        for (int i = 0; i < PARTS * PARTS * PARTS; i++) {
            const box *b = &h->boxes[n];
            const int part[3] = {i / (PARTS * PARTS), i / PARTS % PARTS, i % PARTS};
            double r[3], weight = volume(b);
            for (int k = 0; k < 3; k++)
                r[k] = b->middle[k] + b->size[k] * ((part[k] + 0.5) / PARTS - 0.5);
            const double s[3][6] = {{1, 0, 0, 0, r[2], -r[1]}, {0, 1, 0, -r[2], 0, r[0]}, {0, 0, 1, r[1], -r[0], 0}};
            double complex e = w->frequency * at(w, r), v[3] = {e * w->ahead, e * w->aside, I * e};
            for (int row = 0; row < 6; row++)
                for (int k = 0; k < 3; k++) {
                    x[row] += weight * s[k][row] * v[k];
                    for (int column = 0; column < 6; column++)
                        m[6 * row + column] += weight * s[k][row] * s[k][column];
                }
        }
    solve(6, m, x);
}

/* Amplitudes of surge, sway, heave (down), roll, pitch, yaw for a wave of amplitude 1, as e^(−iωt), where the hull
 * meets the wave at the frequency `met`. */
static void respond(const hull *h, const wave *w, double met, double complex x[6])
{
    double complex m[36] = {0}, u[6], f[6] = {0};
    const double mass = displaced(h), xg = h->gravity_x, zg = h->gravity_z, square = -met * met * mass;
    for (int i = 0; i < h->count; i++) {
        const box *b = &h->boxes[i];
        const double area = is_cut(b) ? h->density * G * b->size[0] * b->size[1] : 0, xb = b->middle[0],
                     yb = b->middle[1], deep = h->density * G * volume(b) * b->middle[2];
        froude_krylov(b, h->density, w, f);
        m[2 * 6 + 2] += area;
        m[2 * 6 + 4] -= area * xb, m[4 * 6 + 2] -= area * xb;
        m[3 * 6 + 3] += area * (b->size[1] * b->size[1] / 12 + yb * yb) - deep;
        m[4 * 6 + 4] += area * (b->size[0] * b->size[0] / 12 + xb * xb) - deep;
    }
    water_as_one(h, w, u);
    m[3 * 6 + 3] += mass * G * zg, m[4 * 6 + 4] += mass * G * zg;
    for (int i = 0; i < 6; i++) {
        m[7 * i] += -met * met * ((i < 3 ? mass : h->inertia[i - 3]) + h->added[i]) - I * met * h->damping[i];
        x[i] = f[i] + (-I * w->frequency * h->added[i] + h->damping[i]) * u[i];
    }
    m[0 * 6 + 4] += square * zg, m[4 * 6 + 0] += square * zg; /* the centre of gravity */
    m[1 * 6 + 3] -= square * zg, m[3 * 6 + 1] -= square * zg;
    m[2 * 6 + 4] -= square * xg, m[4 * 6 + 2] -= square * xg;
    m[1 * 6 + 5] += square * xg, m[5 * 6 + 1] += square * xg;
    solve(6, m, x);
}

/* --- the same by running --- */

/* One box with a height above the water of what it has below. */
static fm_world *afloat(const hull *h, double amplitude, double length, double direction)
{
    char text[2048];
    const wave w = deep_wave(length, direction);
    const box *b = &h->boxes[0];
    const double *c = h->added, *d = h->damping;
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.02 s' duration='2000 s' gravity='9.81 m/s2'><water density='1000 "
        "kg/m3'/><waves><wave amplitude='%.17g m' period='%.17g s' direction='%.17g rad'/></waves></world><vehicle "
        "name='box'><mass mass='%.17g kg' centre='0 0 %.17g m' inertia='%.17g %.17g %.17g kg*m2'/>"
        "<added-mass-matrix linear='%.17g %.17g %.17g kg' angular='%.17g %.17g %.17g kg*m2'/><float shape='box' "
        "size='%.17g %.17g %.17g m'/><drag X_u='%.17g N*s/m' Y_v='%.17g N*s/m' Z_w='%.17g N*s/m' K_p='%.17g "
        "N*m*s/rad' M_q='%.17g N*m*s/rad' N_r='%.17g N*m*s/rad'/></vehicle></fathom>",
        amplitude, 2 * PI / w.frequency, direction, displaced(h), h->gravity_z, h->inertia[0], h->inertia[1],
        h->inertia[2], c[0], c[1], c[2], c[3], c[4], c[5], b->size[0], b->size[1], 2 * b->size[2], -d[0], -d[1], -d[2],
        -d[3], -d[4], -d[5]);
    return start(text);
}

/* Amplitudes at a frequency over `periods` of it, from now on: of heave, roll and pitch. */
typedef struct swing {
    double complex heave, roll, pitch;
    double north, east; /* m, its mean place: it drifts a little */
} swing;

static swing watch(fm_world *world, double frequency, int periods)
{
    const double dt = 0.02, begun = fm_world_time(world), last = begun + periods * 2 * PI / frequency;
    double complex sums[3] = {0}, turns = 0;
    double means[3] = {0}, place[2] = {0}, n = 0;
    for (double t = begun; t < last - dt / 2; t = fm_world_time(world), n++) {
        fm_pose p = pose_of(world, 0);
        double complex e = cexp(I * frequency * t);
        const double found[3] = {p.position[2], remainder(p.euler[0], 2 * PI), remainder(p.euler[1], 2 * PI)};
        for (int i = 0; i < 3; i++)
            sums[i] += found[i] * e, means[i] += found[i];
        turns += e;
        place[0] += p.position[0], place[1] += p.position[1];
        step(world, 1);
    }
    for (int i = 0; i < 3; i++) /* whole periods but for a part of a step: without the mean */
        sums[i] = 2 * (sums[i] - means[i] / n * turns) / n;
    return (swing){sums[0], sums[1], sums[2], place[0] / n, place[1] / n};
}

/* Amplitude and phase within a `part` of the response; where that goes through 0, 1 % of what a hull does that is small
 * against the wave. */
static void agree(const char *what, const wave *w, const swing *s, double complex found, double complex expected,
                  double follows, double part)
{
    char name[128];
    expected *= cexp(I * w->k * (w->ahead * s->north + w->aside * s->east));
    snprintf(name, sizeof name, "%s, wave of %.3g m, %.0f deg: %.4g%+.4gi, strip theory %.4g%+.4gi", what,
             2 * PI / w->k, atan2(w->aside, w->ahead) / DEGREE, creal(found), cimag(found), creal(expected),
             cimag(expected));
    below(name, cabs(found - expected), fmax(part * cabs(expected), 0.01 * follows));
}

static const hull barge = {
    {{{0, 0, 0.5}, {10, 4, 1}}},   1, 1000, 0, -0.3, {90e3, 4e5, 4.2e5}, {2e3, 2e4, 4e4, 3e4, 2.5e5, 2e5},
    {8e3, 2e4, 4e4, 6e4, 4e5, 2e5}};

static void a_barge_heaves_rolls_and_pitches_as_strip_theory_says(void **unused)
{
    (void)unused;
    static const double lengths[] = {0.5, 0.7, 1, 1.4, 2, 4, 10}, directions[] = {0, 30, 60, 90};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t k = 0; k < sizeof directions / sizeof *directions; k++) {
            double length = lengths[i] * 10, direction = directions[k] * DEGREE, a = 5e-4 * length;
            const wave w = deep_wave(length, direction);
            double complex x[6];
            respond(&barge, &w, w.frequency, x);
            fm_world *world = afloat(&barge, a, length, direction);
            run_until(world, 60);
            swing s = watch(world, w.frequency, 8);
            agree("heave", &w, &s, s.heave / a, x[2], 1, 0.03);
            agree("roll", &w, &s, s.roll / a, x[3], w.k, 0.03);
            agree("pitch", &w, &s, s.pitch / a, x[4], w.k, 0.03);
            finish(world);
        }
}

/* A barge as long as the wave hardly heaves; one as long as two waves neither. */
static void a_barge_as_long_as_the_wave_does_not_follow_it(void **unused)
{
    (void)unused;
    for (int waves = 1; waves <= 2; waves++) {
        double length = 10.0 / waves, a = 5e-4 * length;
        fm_world *world = afloat(&barge, a, length, 0);
        run_until(world, 60);
        below("heave by amplitude", cabs(watch(world, deep_wave(length, 0).frequency, 8).heave) / a, 0.02);
        finish(world);
    }
}

/* Draught 1.6 m in a wave of 1.9 s: the water at its foot moves by e^(−kT) = 0.17 of that at the surface. */
static void a_spar_stays_where_the_wave_does_not_reach_its_foot(void **unused)
{
    (void)unused;
    const hull spar = {{{{0, 0, 0.8}, {0.3, 0.3, 1.6}}}, 1, 1000, 0, 1.1, {190, 190, 3}, {72, 72, 14, 20, 20, 0.5},
                       {40, 40, 60, 40, 40, 4}};
    const double frequency = 2 * PI / 1.9, length = 2 * PI * G / (frequency * frequency), a = 0.002;
    const wave w = deep_wave(length, 0);
    double complex x[6];
    respond(&spar, &w, w.frequency, x);
    fm_world *world = afloat(&spar, a, length, 0);
    run_until(world, 80);
    swing s = watch(world, w.frequency, 10);
    near("heave by amplitude", cabs(s.heave) / a, cabs(x[2]), 0.03 * cabs(x[2]));
    below("strip theory itself", cabs(x[2]), 0.3);
    finish(world);
}

/* --- under water --- */

/* Heave of a neutral diver of constant section, by that of the water at its depth. It starts with the mean velocity of
 * the water along it; `mean` is that by the velocity in its middle. */
static double heave_under(double span, double length, double depth, double mean)
{
    char text[1024];
    const double k = 2 * PI / length, s = sqrt(G * k), a = 0.02, volume = PI / 4 * 0.04 * span, mass = RHO * volume;
    const double turn = mass * (0.004 + span * span / 12);
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.02 s' duration='400 s' gravity='9.81 m/s2'><water density='1000 "
             "kg/m3'/><waves><wave amplitude='%g m' period='%.17g s'/></waves></world><vehicle name='v' position='0 0 "
             "%g m' velocity='%.17g 0 0 m/s'><mass mass='%.17g kg' centre='0 0 0.02 m' inertia='%.17g %.17g %.17g "
             "kg*m2'/><buoyancy volume='%.17g m3'/><added-mass-matrix linear='%.17g %.17g %.17g kg'/><hull "
             "kind='cylinder' size='%g 0.2 0.2 m'/></vehicle></fathom>",
             a, 2 * PI / s, depth, a * s * exp(-k * depth) * mean, mass, 0.005 * mass, turn, turn, volume, 0.1 * mass,
             mass, mass, span);
    fm_world *world = start(text);
    double complex heave = watch(world, s, 8).heave;
    finish(world);
    return cabs(heave) / (a * exp(-k * depth));
}

static void a_long_diver_does_not_follow_waves_that_are_as_long_as_it(void **unused)
{
    (void)unused;
    static const double parts[] = {0.02, 0.25, 0.5, 0.75};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double half = PI * parts[i], mean = sin(half) / half;
        near("heave", heave_under(4 * parts[i], 4, 1, mean), mean, 0.03);
    }
    below("heave of one as long as the wave", heave_under(4, 4, 1, 0), 0.05);
    below("heave of one as long as two waves", heave_under(4, 2, 1, 0), 0.05);
}

/* --- the Otter --- */

/* As models/otter.xml has it, below the water line: it floats level with 13.41 cm of draught. The inertia is moved from
 * the centre of gravity to the origin. */
static const hull otter = {{{{0, -0.395, 0.0243902}, {2, 0.1875, 0.0487805}},
                            {{0.6285714, -0.395, 0.0914634}, {0.74, 0.1351351, 0.0853658}},
                            {{0, 0.395, 0.0243902}, {2, 0.1875, 0.0487805}},
                            {{0.6285714, 0.395, 0.0914634}, {0.74, 0.1351351, 0.0853658}}},
                           4,
                           1025,
                           0.2,
                           -0.2,
                           {10.26432 + 55 * 0.04, 13.75 + 55 * 0.08, 13.75 + 55 * 0.04},
                           {5.28152, 82.5, 55, 2.052864, 11, 23.375},
                           {2.6, 137.5, 546.480489, 50.023662, 218.187856, 39.325}};

static swing otter_in(double length, double direction, double slope)
{
    char text[512];
    double k = 2 * PI / length, s = sqrt(G * k);
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.02 s' duration='400 s' gravity='9.81 m/s2'><water density='1025 "
             "kg/m3'/><waves><wave amplitude='%.17g m' period='%.17g s' direction='%g deg'/></waves></world><vehicle "
             "name='otter' model='otter'/></fathom>",
             slope / k, 2 * PI / s, direction);
    fm_world *world = start(text);
    run_until(world, 20);
    swing found = watch(world, s, 4);
    finish(world);
    return found;
}

/* Within 5 %: its lower boxes lie forward, and the model takes the volume as a product of what it is along x, y, z. */
static void the_otter_rolls_and_pitches_as_strip_theory_says(void **unused)
{
    (void)unused;
    static const double lengths[] = {3, 4, 6, 10, 20, 60}, slope = 0.01;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const double k = 2 * PI / lengths[i];
        for (int beam = 0; beam < 2; beam++) {
            const wave w = deep_wave(lengths[i], beam * PI / 2);
            double complex x[6];
            respond(&otter, &w, w.frequency, x);
            swing found = otter_in(lengths[i], 90 * beam, slope);
            agree("heave", &w, &found, found.heave * k / slope, x[2], 1, 0.05);
            agree(beam ? "roll" : "pitch", &w, &found, (beam ? found.roll : found.pitch) * k / slope, x[beam ? 3 : 4],
                  k, 0.05);
        }
    }
    near("roll in a slope of 7.7 degrees", cabs(otter_in(30, 90, 7.7 * DEGREE).roll) / DEGREE, 7.7, 0.7);
}

/* The sea of otter-harbour, component by component, through that response, at the heading and speed that the boat has:
 * variance of roll and pitch. */
static void add_variance(const fm_world *world, const fm_pose *pose, double sums[2])
{
    const fm_sea *sea = &world->environment->sea;
    for (size_t i = 0; i < sea->count; i++) {
        const fm_wave *c = &sea->waves[i];
        double from = atan2(c->travel[1], c->travel[0]) - pose->euler[2];
        wave w = {c->number, c->frequency, cos(from), sin(from)};
        double met = w.frequency - w.k * (w.ahead * pose->velocity[0] + w.aside * pose->velocity[1]);
        double complex x[6];
        respond(&otter, &w, met, x);
        for (int k = 0; k < 2; k++)
            sums[k] += 0.5 * c->amplitude * c->amplitude * creal(x[3 + k] * conj(x[3 + k]));
    }
}

static void otter_harbour_rolls_and_pitches_as_the_slopes_of_its_sea_say(void **unused)
{
    (void)unused;
    const char *const sets[] = {"/world/duration=600 s", "/wind/velocity=0 0 0 m/s", NULL};
    fm_world *world = start_scenario("otter-harbour", sets);
    double expected[2] = {0}, sums[2] = {0}, squares[2] = {0}, n = 0, looks = 0;
    run_until(world, 80);
    for (int i = 0; i < 50000; i++, n++) {
        fm_pose p = pose_of(world, 0);
        const double found[2] = {remainder(p.euler[0], 2 * PI), remainder(p.euler[1], 2 * PI)};
        for (int k = 0; k < 2; k++)
            sums[k] += found[k], squares[k] += found[k] * found[k];
        if (i % 5000 == 0)
            add_variance(world, &p, expected), looks++;
        step(world, 1);
    }
    for (int k = 0; k < 2; k++)
        near(k ? "pitch, rms" : "roll, rms", sqrt(squares[k] / n - sums[k] * sums[k] / n / n),
             sqrt(expected[k] / looks), 0.1 * sqrt(expected[k] / looks));
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_barge_heaves_rolls_and_pitches_as_strip_theory_says),
        cmocka_unit_test(a_barge_as_long_as_the_wave_does_not_follow_it),
        cmocka_unit_test(a_spar_stays_where_the_wave_does_not_reach_its_foot),
        cmocka_unit_test(a_long_diver_does_not_follow_waves_that_are_as_long_as_it),
        cmocka_unit_test(the_otter_rolls_and_pitches_as_strip_theory_says),
        cmocka_unit_test(otter_harbour_rolls_and_pitches_as_the_slopes_of_its_sea_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
