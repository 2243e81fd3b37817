/* The version of Fathom. */
#ifndef FATHOM_VERSION_H
#define FATHOM_VERSION_H

#include <fathom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of these headers. Before 1.0 a new minor version may change the interface; the SONAME is
 * libfathom.so.MAJOR.MINOR, so a program keeps loading the version that it was built with. */
#define FM_VERSION_MAJOR 0
#define FM_VERSION_MINOR 1
#define FM_VERSION_PATCH 0
/* One number that grows with the version: 1.2.3 is 10203. */
#define FM_VERSION_NUMBER (FM_VERSION_MAJOR * 10000 + FM_VERSION_MINOR * 100 + FM_VERSION_PATCH)

/* Version of the library that is loaded, as a number like FM_VERSION_NUMBER. Any thread. */
FM_API int fm_version(void);
/* The same as text, "0.1.0". Valid as long as the library is loaded. Any thread. */
FM_API const char *fm_version_text(void);

#ifdef __cplusplus
}
#endif

#endif
