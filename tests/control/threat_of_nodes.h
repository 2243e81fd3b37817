/* The threat of a bottom given by nodes, each of which is a return, as the paper has it: in a plain loop. */
#ifndef TESTS_CONTROL_THREAT_OF_NODES_H
#define TESTS_CONTROL_THREAT_OF_NODES_H

#include "control/threat.h"

/* (R9)-(R11) the part of one return at distance `ahead` and `below` [m] of a vehicle pitched by theta [rad].
 * Zero for a node that is not ahead or out of range. */
FM_FN fm_real threat_of_node(const fm_threat_params *p, fm_real ahead, fm_real below, fm_real theta)
{
    const fm_real r = fm_sqrt(ahead * ahead + below * below);
    const fm_mask seen = (ahead > fm_const(0)) & (r < fm_real_wide(p->range)) & (r < fm_real_wide(p->zone));
    if (!fm_any(seen))
        return fm_const(0);
    const fm_real safe = fm_select(r > fm_const(0), r, fm_const(1));
    fm_real bearing = fm_asin(fm_clamp(below / safe, fm_const(-1), fm_const(1)));
    if (!p->stabilised)
        bearing = bearing + theta;
    const fm_real part = fm_threat_weight(p, r, bearing);
    return fm_select(seen, part * (p->spacing / p->reference_spacing), fm_const(0));
}

/* (R11) Threat of the nodes first..first+count-1, at x0 + i spacing [m] in depth[i] [m]. Nodes astern or out of range
 * add nothing, so that lanes at different places may share one span of nodes. */
FM_FN fm_real threat_of_nodes(const fm_threat_params *p, fm_par x0, const fm_par *depth, size_t first, size_t count,
                              fm_real x, fm_real z, fm_real theta)
{
    fm_real threat = fm_const(0);
    for (size_t i = first; i < first + count; i++)
        threat =
            threat + threat_of_node(p, fm_real_wide(x0 + (fm_par)i * p->spacing) - x, fm_const(depth[i]) - z, theta);
    return threat;
}

#endif
