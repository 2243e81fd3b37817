/* Parameters: every attribute of a tree has a path, "/phoenix/autopilot/depth/kp".
 *
 * A node's component is its `name`, or else its element name; its canonical form is written with '_', and a lookup
 * treats '-' and '_' as equal. Siblings that would have the same component are distinguished as "element:name", and
 * without a name as "at[1]", "at[2]". Elements that are FM_ELEMENT_TRANSPARENT appear only in the paths of their own
 * attributes: /world/dt, but /water/density. A node's own name is not a parameter. */
#ifndef FM_SCENARIO_PARAMS_H
#define FM_SCENARIO_PARAMS_H

#include "scenario/tree.h"

enum { FM_PATH_SIZE = 512 }; /* room for any path, bytes */

/* The canonical path of a node, or of one of its attributes. Returns buffer. */
const char *fm_node_path(const fm_node *node, const char *attr, char *buffer, size_t size);

/* Sets a parameter from text. If the path leads through elements that the table describes as ONCE but that are not in
 * the file, they are added. For an unknown path FM_ERR_NAME with the nearest ones. */
fm_status fm_tree_set(fm_tree *tree, const char *path, const char *value, fm_error *error);
/* The same from "PATH=VALUE". */
fm_status fm_tree_assign(fm_tree *tree, const char *assignment, fm_error *error);

/* Whether an attribute is a parameter: all but the name of its node. */
bool fm_attr_is_param(const fm_attr *attr);

/* Finds a parameter that is in the tree. */
fm_status fm_tree_find(fm_tree *tree, const char *path, fm_node **node, const fm_attr **attr, fm_error *error);

/* One parameter. Its texts are valid only during the visitor's call; data of the table lives longer. */
typedef struct fm_param {
    const char *path;
    const char *value;   /* in `attr->unit`, "" if unset */
    const fm_attr *attr; /* unit, default (fallback), limits, text, FM_ATTR_LIVE */
    const fm_node *node;
    const fm_value *written;
} fm_param;

typedef bool fm_param_visitor(void *user, const fm_param *param); /* false ends the visit */

/* Visits all parameters in the order of the tree; the children of nodes that share them only below the first, where
 * there is a `twin`. It is called before and after (`left`) each node whose children others share, and once for each
 * that shares those of another (fm_node.like): its parameters are left to the caller. False if a visitor stopped it or
 * memory ran out. */
typedef bool fm_twin_visitor(void *user, const fm_node *node, const char *path, bool left);
bool fm_tree_params(const fm_tree *tree, fm_param_visitor *visitor, fm_twin_visitor *twin, void *user);
/* The number of parameters that it visits with a `twin`. */
size_t fm_tree_param_count(const fm_tree *tree);

#endif
