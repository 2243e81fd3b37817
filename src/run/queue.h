/* A bounded queue of inputs: any number of threads push, one takes. No side ever waits for the other. */
#ifndef FM_RUN_QUEUE_H
#define FM_RUN_QUEUE_H

#include <fathom/world.h>

typedef struct fm_input_queue fm_input_queue;

/* Space for at least `room` inputs; NULL when out of memory. */
fm_input_queue *fm_input_queue_create(size_t room);
void fm_input_queue_free(fm_input_queue *queue);

/* Any thread. `moment` comes back from fm_input_queue_moment. 0: the queue is full, which is counted. */
int fm_input_queue_put(fm_input_queue *queue, const fm_input *input, double moment);
uint64_t fm_input_queue_overflowed(const fm_input_queue *queue);

/* The consumer: the i-th waiting input, oldest first; NULL: no more. Removing the first `count`. */
const fm_input *fm_input_queue_at(const fm_input_queue *queue, size_t i);
double fm_input_queue_moment(const fm_input_queue *queue, size_t i); /* of one that fm_input_queue_at returns */
void fm_input_queue_take(fm_input_queue *queue, size_t count);
size_t fm_input_queue_room(const fm_input_queue *queue);

#endif
