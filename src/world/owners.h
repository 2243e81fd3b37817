/* Ownership of actuators. Every actuator has one owner at any time: the schedule of the scenario, a controller of the
 * vehicle, or an external client. An external order claims the actuator; claims form a stack, and the topmost one holds
 * the actuator. Orders of schedule and controllers are meanwhile stored as the base of the stack, and are in force
 * again when the last claim is released. Claims belong to the state: they are saved, and hashed if there are any. */
#ifndef FM_WORLD_OWNERS_H
#define FM_WORLD_OWNERS_H

#include <fathom/world.h>

struct fm_slot;

enum { FM_CLAIMS_MOST = 8 }; /* of one actuator */

/* All fields are whole words: saved and hashed as they are. */
typedef struct fm_claim {
    char holder[FM_HOLDER_SIZE]; /* "": the base */
    int64_t actuator;
    double value;  /* its last order, in the actuator's unit */
    int64_t taken; /* orders of others are refused */
} fm_claim;

/* Of one slot. */
typedef struct fm_owners {
    uint64_t disengaged; /* bit k: controller k writes no actuators */
    size_t count, room;
    fm_claim *claims; /* of all actuators; of one actuator the base first, the owner last */
    uint8_t *writers; /* for each actuator, its last writer: 0 the schedule, k + 1 controller k */
} fm_owners;

fm_status fm_owners_create(struct fm_world *world, fm_error *error);
void fm_owners_free(struct fm_world *world);
void fm_owners_clear(struct fm_world *world, int slot); /* a new vehicle, or none */

/* From within a step: the scenario's own orders. `controller`: its number among the vehicle's, −1: the schedule. */
void fm_owners_write(struct fm_world *world, int slot, int actuator, double value, int controller);

/* From outside a step: what the client "program" orders, as FM_COMMAND_ORDER does, but at once and not recorded.
 * Returns 0 if memory runs out, which only the first order of a vehicle needs. */
int fm_owners_order(struct fm_world *world, int slot, size_t actuator, double value);

/* Saving, in words of 8 bytes. Restoring checks first and changes nothing on failure. */
size_t fm_owners_words(const struct fm_world *world);
void fm_owners_save(const struct fm_world *world, unsigned char *bytes);
/* `state`: the saved state block, `count` words of owners after it. */
fm_status fm_owners_restore(struct fm_world *world, const unsigned char *state, size_t count, fm_error *error);
/* Adds the differences from a world without external control to the hash. */
uint64_t fm_owners_hash(const struct fm_world *world, uint64_t hash, uint64_t (*word)(uint64_t hash, uint64_t word));

#endif
