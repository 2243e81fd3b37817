/* Only the physics of a vehicle's step: the reference of `fathom bench` for the world. */
#include "bench.h"
#include "world/stream.h"

double bench_kernel(const fm_type *type, const fm_vehicle *vehicle, const fm_stream_source *water, int steps)
{
    fm_body_state state = vehicle->body;
    fm_body_problem problem = {&type->body, &type->mass, &vehicle->input, water, NULL, NULL};
    double h = type->step_s;
    switch (type->integrator) {
    case FM_EULER:
        for (int i = 0; i < steps; i++)
            fm_body_step_euler(&problem, 0, h, &state);
        break;
    case FM_HEUN:
        for (int i = 0; i < steps; i++)
            fm_body_step_heun(&problem, 0, h, &state);
        break;
    case FM_RK4:
        for (int i = 0; i < steps; i++)
            fm_body_step_rk4(&problem, 0, h, &state);
        break;
    case FM_TEXT:
        for (int i = 0; i < steps; i++)
            fm_body_step_text(&problem, 0, h, &state);
        break;
    case FM_MIDPOINT:
        for (int i = 0; i < steps; i++)
            fm_body_step_midpoint(&problem, 0, h, &state);
        break;
    }
    return state.position[0] + state.velocity[0];
}
