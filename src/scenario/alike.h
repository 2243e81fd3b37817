/* Vehicles that are alike in all but name and placement: their model is laid once, they share its nodes, and they are
 * of one type. */
#ifndef FM_SCENARIO_ALIKE_H
#define FM_SCENARIO_ALIKE_H

#include "scenario/tree.h"

typedef struct fm_alike_entry {
    fm_node *node; /* NULL: free */
    uint64_t hash;
} fm_alike_entry;

/* Starts as {0}. */
typedef struct fm_alikes {
    fm_alike_entry *entries;
    size_t room; /* a power of two */
} fm_alikes;

/* Whether an attribute of a vehicle is its own, not of its type: its name, and where and how it begins. */
bool fm_attr_is_placement(const fm_attr *attr);

/* Room for `most` vehicles. */
fm_status fm_alikes_create(fm_alikes *set, size_t most);
void fm_alikes_free(fm_alikes *set);
/* The first vehicle that is like this one, which is this one itself if no earlier one is. */
fm_node *fm_alikes_at(fm_alikes *set, fm_node *vehicle);

/* Gives a vehicle, and those that share its nodes, the nodes of an earlier one. */
void fm_node_share(fm_node *vehicle, fm_node *earlier);
/* Gives it nodes of its own again, to change them. */
fm_status fm_node_part(fm_tree *tree, fm_node *vehicle);

#endif
