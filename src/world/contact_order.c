/* Pairs of vehicles near each other, in order of their contact times: a winner tree over all of them, and a list per
 * vehicle. */
#include "world/contact_internal.h"

/* Of two pairs the one that touches first; at equal times the one with the smaller number. */
static uint32_t sooner(const fm_near_pair *near, uint32_t a, uint32_t b)
{
    if (a == FM_NO_PAIR || b == FM_NO_PAIR)
        return a == FM_NO_PAIR ? b : a;
    if (near[a].moment != near[b].moment)
        return near[a].moment < near[b].moment ? a : b;
    return a < b ? a : b;
}

static void link_pair(struct fm_contact_state *c, uint32_t i)
{
    fm_near_pair *pair = &c->near[i];
    pair->next_of_first = c->near_first[pair->first];
    c->near_first[pair->first] = i;
    pair->next_of_second = c->near_first[pair->second];
    c->near_first[pair->second] = i;
}

static uint32_t leaf_of(const fm_near_pair *near, uint32_t i)
{
    return near[i].moment <= 1 ? i : FM_NO_PAIR;
}

void fm_near_begin(struct fm_contact_state *c, size_t count)
{
    c->near_count = count;
    for (size_t i = 0; i < count; i++)
        c->near_first[c->near[i].first] = c->near_first[c->near[i].second] = FM_NO_PAIR;
    for (size_t i = count; i-- > 0;)
        link_pair(c, (uint32_t)i);
    for (size_t i = 0; i < count; i++)
        c->winners[count + i] = leaf_of(c->near, (uint32_t)i);
    for (size_t k = count; k-- > 1;)
        c->winners[k] = sooner(c->near, c->winners[2 * k], c->winners[2 * k + 1]);
}

void fm_near_sort(struct fm_contact_state *c, uint32_t i)
{
    size_t k = c->near_count + i;
    c->winners[k] = leaf_of(c->near, i);
    while ((k /= 2) >= 1)
        c->winners[k] = sooner(c->near, c->winners[2 * k], c->winners[2 * k + 1]);
}

uint32_t fm_near_earliest(const struct fm_contact_state *c)
{
    return c->winners[1]; /* of one pair its leaf */
}

uint32_t fm_near_next(const fm_near_pair *pair, uint32_t slot)
{
    return pair->first == slot ? pair->next_of_first : pair->next_of_second;
}
