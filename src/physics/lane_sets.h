/* Which instruction sets the lanes of this build have, and which of them this processor can run. */
#ifndef FM_PHYSICS_LANE_SETS_H
#define FM_PHYSICS_LANE_SETS_H

int fm_lane_set_runs(const char *set);  /* "avx512", "avx2", "sse2", "neon" */
const char *fm_lane_sets_running(void); /* those that this processor can run: "avx2, sse2" */

#endif
