/* A body without damping in still water: nothing takes its energy or momentum. Closed forms and conservation laws,
 * checked on the full virtual mass with coupling terms. */
#include "support/scenario.h"

#include "world/world.h"

#include "physics/integrate.h"

/* An ellipsoid-like body with all couplings: its centre of gravity is off the origin, its added mass anisotropic. */
#define BODY                                                                                                           \
    "<mass mass='40 kg' centre='0.03 -0.02 0.04 m' inertia='1.1 4.3 4.9 kg*m2' products='0.05 -0.08 0.03 kg*m2'/>"     \
    "<added-mass-matrix linear='4 35 38 kg' angular='0.2 3.1 2.9 kg*m2' coupled='0 0.1 -0.2 0.3 0 1.1 0.2 -1.4 0 "     \
    "kg*m'/>"

static fm_model *undamped(const char *inside)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.005 s' duration='1 s'><water surface='none'/></world><vehicle "
             "name='body' coriolis='full' integrator='rk4' "
             "velocity='0.8 0.3 -0.2 m/s' rates='0.4 -0.3 0.25 rad/s' attitude='10 20 30 deg'>%s</vehicle></fathom>",
             inside);
    return load(text);
}

/* Kinetic energy ½ νᵀ M ν, J. */
static double kinetic(const fm_mass *mass, const double nu[6])
{
    double p[6], sum = 0;
    fm_matrix6_mul(mass->virtual_mass, nu, p);
    for (int i = 0; i < 6; i++)
        sum += 0.5 * nu[i] * p[i];
    return sum;
}

/* Weight and buoyancy against depth: −W z_G + B z_B, J. */
static double potential(const fm_mass *mass, const fm_body_state *s)
{
    double R[9];
    fm_quat_matrix(s->attitude, R);
    return -mass->weight * (s->position[2] + fm_dot(R + 6, mass->gravity_centre)) +
           mass->buoyancy * (s->position[2] + fm_dot(R + 6, mass->buoyancy_centre));
}

/* Linear momentum in world axes, then angular momentum about the world origin. */
static void momentum(const fm_mass *mass, const fm_body_state *s, double out[6])
{
    double R[9], p[6], arm[3];
    fm_quat_matrix(s->attitude, R);
    fm_matrix6_mul(mass->virtual_mass, s->velocity, p);
    fm_vector_to_world(R, p, out);
    fm_vector_to_world(R, p + 3, out + 3);
    fm_cross(s->position, out, arm);
    for (int i = 0; i < 3; i++)
        out[3 + i] += arm[i];
}

static double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void a_million_steps_keep_energy_and_momentum(void **unused)
{
    (void)unused;
    fm_model *model =
        undamped(BODY "<buoyancy centre='0.03 -0.02 0.04 m'/>"); /* neutral, centres coincide: no moment */
    const fm_type *type = &model->types[0];
    fm_world *world = create(model, 1);
    fm_body_state s = world->slots[0].vehicle->body;
    fm_body_input input = {.fin = {1}, .density_ratio = 1};
    fm_stream still = {0};
    fm_body_problem problem = {&type->body, &type->mass, &input, &still, NULL, NULL};
    double energy = kinetic(&type->mass, s.velocity), start[6], end[6];
    momentum(&type->mass, &s, start);
    for (int i = 0; i < 1000000; i++)
        fm_body_step_rk4(&problem, 0, 0.002, &s);
    momentum(&type->mass, &s, end);
    near("energy over its start", kinetic(&type->mass, s.velocity) / energy, 1, 1e-9);
    double turned[3], linear[3], scale = length3(start) * length3(s.position);
    for (int i = 0; i < 3; i++) {
        linear[i] = end[i] - start[i];
        turned[i] = end[3 + i] - start[3 + i];
    }
    near("change of linear momentum", length3(linear) / length3(start), 0, 1e-9);
    near("change of angular momentum", length3(turned) / fmax(length3(start + 3), scale), 0, 1e-9);
    fm_world_free(world);
    fm_model_free(model);
}

static void in_gravity_the_sum_of_kinetic_and_potential_energy_stays(void **unused)
{
    (void)unused;
    fm_model *model = undamped(BODY "<buoyancy force='390 N' centre='0.01 0.01 -0.02 m'/>");
    const fm_type *type = &model->types[0];
    fm_world *world = create(model, 1);
    const fm_body_state *s = &world->slots[0].vehicle->body;
    double before = kinetic(&type->mass, s->velocity) + potential(&type->mass, s),
           first = kinetic(&type->mass, s->velocity);
    double most = first;
    for (int i = 0; i < 6000; i++) {
        step(world, 1);
        most = fmax(most, kinetic(&type->mass, s->velocity));
    }
    assert_greater(most, 1.1 * first); /* energy was exchanged */
    near("total energy", kinetic(&type->mass, s->velocity) + potential(&type->mass, s), before, 1e-7 * most);
    finish(world);
}

/* Munk's moment and every other Coriolis term do no work. */
static void coriolis_terms_do_no_work(void **unused)
{
    (void)unused;
    fm_model
        *full = undamped(BODY),
        *phoenix = load(
            "<fathom version='1'><world dt='0.01 s' duration='1 s'/><vehicle name='p' model='nps-auv-ii'/></fathom>");
    srand(7);
    for (int k = 0; k < 2000; k++) {
        double nu[6];
        for (int i = 0; i < 6; i++)
            nu[i] = 4.0 * rand() / RAND_MAX - 2;
        const fm_mass *masses[2] = {&full->types[0].mass, &phoenix->types[0].mass};
        for (int m = 0; m < 2; m++) {
            double f[6] = {0}, work = 0;
            fm_body_add_coriolis(masses[m], nu, f);
            for (int i = 0; i < 6; i++)
                work += nu[i] * f[i];
            near("power of Coriolis terms over energy", work / kinetic(masses[m], nu), 0, 1e-12);
        }
    }
    fm_model_free(full);
    fm_model_free(phoenix);
}

static void the_hull_never_gains_energy_from_still_water(void **unused)
{
    (void)unused;
    fm_model *model =
        load("<fathom version='1'><world dt='0.01 s' duration='1 s'/><vehicle name='p' model='nps-auv-ii'/></fathom>");
    const fm_hydro *hydro = &model->types[0].body.hydro;
    double fins[1 + 2 * FM_FINS] = {1};
    srand(11);
    for (int k = 0; k < 10000; k++) {
        double nu[6], f[6] = {0}, work = 0;
        for (int i = 0; i < 6; i++)
            nu[i] = 2.0 * rand() / RAND_MAX - 1;
        fm_hydro_add_terms(hydro, nu, fins, f);
        fm_strip_sums strips = fm_hydro_cross_flow(hydro, nu, nu + 4);
        fm_hydro_add_cross_flow(&strips, f);
        for (int i = 0; i < 6; i++)
            work += nu[i] * f[i];
        assert_at_most(work, 0);
    }
    fm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_steps_keep_energy_and_momentum),
        cmocka_unit_test(in_gravity_the_sum_of_kinetic_and_potential_energy_stays),
        cmocka_unit_test(coriolis_terms_do_no_work),
        cmocka_unit_test(the_hull_never_gains_energy_from_still_water),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
