/* Handing pieces over in their order. */
#include "base/turns.h"

void covey_i_turns_init(covey_turns *turns, int64_t n)
{
    *turns = (covey_turns){.n = n};
    pthread_mutex_init(&turns->lock, NULL);
    pthread_cond_init(&turns->moved, NULL);
}

void covey_i_turns_free(covey_turns *turns)
{
    pthread_cond_destroy(&turns->moved);
    pthread_mutex_destroy(&turns->lock);
}

int64_t covey_i_turns_take(covey_turns *turns)
{
    int64_t piece = -1;

    pthread_mutex_lock(&turns->lock);
    if (!turns->stop && turns->next < turns->n)
        piece = turns->next++;
    pthread_mutex_unlock(&turns->lock);
    return piece;
}

bool covey_i_turns_wait(covey_turns *turns, int64_t piece)
{
    bool stop;

    pthread_mutex_lock(&turns->lock);
    while (!turns->stop && turns->turn != piece)
        pthread_cond_wait(&turns->moved, &turns->lock);
    stop = turns->stop;
    pthread_mutex_unlock(&turns->lock);
    return !stop;
}

void covey_i_turns_pass(covey_turns *turns)
{
    pthread_mutex_lock(&turns->lock);
    turns->turn++;
    pthread_cond_broadcast(&turns->moved);
    pthread_mutex_unlock(&turns->lock);
}

void covey_i_turns_stop(covey_turns *turns)
{
    pthread_mutex_lock(&turns->lock);
    turns->stop = true;
    pthread_cond_broadcast(&turns->moved);
    pthread_mutex_unlock(&turns->lock);
}
