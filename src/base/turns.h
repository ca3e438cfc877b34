/* Pieces of work that are made on all threads and handed over one after another, in order: lines of a file.  While one
 * thread writes, the others make the next pieces. */
#ifndef COVEY_BASE_TURNS_H
#define COVEY_BASE_TURNS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct covey_turns {
    pthread_mutex_t lock;  /* guards the rest */
    pthread_cond_t moved;  /* a piece was handed over, or all must stop */
    int64_t n, next, turn; /* pieces; the next to take; the one whose turn it is */
    bool stop;
} covey_turns;

void covey_i_turns_init(covey_turns *turns, int64_t n);
void covey_i_turns_free(covey_turns *turns);

/* The next piece to make, -1 if there is none or all must stop. */
int64_t covey_i_turns_take(covey_turns *turns);
/* Waits until all pieces before this one were handed over; false if all must stop.  After true covey_i_turns_pass is a
 * duty. */
bool covey_i_turns_wait(covey_turns *turns, int64_t piece);
/* It is the next piece's turn. */
void covey_i_turns_pass(covey_turns *turns);
/* Nobody takes or waits any more. */
void covey_i_turns_stop(covey_turns *turns);

#endif
