/* <world energy-check>: which vehicles share an account. */
#include "scenario/build.h"
#include "world/energy.h"

static int32_t leader_of(const int32_t *leader, int32_t slot)
{
    while (leader[slot] != slot)
        slot = leader[slot];
    return slot;
}

/* Vehicles joined by tethers share an account. */
fm_status fm_build_energy_check(fm_builder *b)
{
    if (!(b->model->settings.energy_check > 0))
        return FM_OK;
    const fm_tethers *tethers = fm_subsystem_config(b->model, FM_SUBSYSTEM_TETHERS);
    fm_energy_check *check = fm_build_alloc(b, sizeof *check);
    int32_t *leader = fm_build_alloc(b, (b->slots + 1) * sizeof *leader);
    if (!check || !leader)
        return FM_ERR_MEMORY;
    for (size_t i = 0; i < b->slots; i++)
        leader[i] = (int32_t)i;
    for (size_t i = 0; tethers && i < tethers->count; i++) {
        const fm_tether_end *ends = tethers->list[i].ends;
        if (ends[0].vehicle >= 0 && ends[1].vehicle >= 0)
            leader[leader_of(leader, ends[1].vehicle)] = leader_of(leader, ends[0].vehicle);
    }
    for (size_t i = 0; i < b->slots; i++)
        leader[i] = leader_of(leader, (int32_t)i);
    *check = (fm_energy_check){b->model->settings.energy_check, leader, tethers};
    return fm_build_subsystem(b, &fm_energy_subsystem, check, fm_energy_words(b->slots, tethers ? tethers->count : 0));
}
