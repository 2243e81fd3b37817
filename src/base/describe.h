/* Descriptions of elements and attributes: public, because plugins bring their own. */
#ifndef FM_BASE_DESCRIBE_H
#define FM_BASE_DESCRIBE_H

#include <fathom/describe.h>

#endif
