/* See threads.h.  Threads live for one loop: starting one costs 20 microseconds, loops here last milliseconds. */
#include "base/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST_THREADS = 64 };

struct loop {
    covey_task task;
    void *context;
    size_t n_tasks;
    _Atomic size_t next;
    pthread_mutex_t lock; /* guards the three below */
    covey_status status;
    size_t failed_task;
    covey_error *err;
};

static void keep_first_failure(struct loop *loop, size_t task, covey_status status, const covey_error *err)
{
    pthread_mutex_lock(&loop->lock);
    if (loop->status == COVEY_OK || task < loop->failed_task) {
        loop->status = status;
        loop->failed_task = task;
        if (loop->err)
            *loop->err = *err;
    }
    pthread_mutex_unlock(&loop->lock);
}

static void *work(void *argument)
{
    struct loop *loop = argument;
    size_t task;

    while ((task = atomic_fetch_add(&loop->next, 1)) < loop->n_tasks) {
        covey_error err;
        covey_status status = loop->task(loop->context, task, &err);

        if (status != COVEY_OK)
            keep_first_failure(loop, task, status, &err);
    }
    return NULL;
}

covey_status covey_i_parallel(int n_threads, size_t n_tasks, covey_task task, void *context, covey_error *err)
{
    struct loop loop = {.task = task, .context = context, .n_tasks = n_tasks, .status = COVEY_OK, .err = err};
    pthread_t thread[MOST_THREADS];
    int n_started = 0;

    if (n_threads > MOST_THREADS)
        n_threads = MOST_THREADS;
    if ((size_t)n_threads > n_tasks)
        n_threads = (int)n_tasks;
    pthread_mutex_init(&loop.lock, NULL);
    while (n_started < n_threads - 1 && pthread_create(&thread[n_started], NULL, work, &loop) == 0)
        n_started++;
    work(&loop);
    for (int i = 0; i < n_started; i++)
        pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&loop.lock);
    return loop.status;
}

int covey_run_threads(const covey_run *run)
{
    long n = run && run->n_threads > 0 ? run->n_threads : sysconf(_SC_NPROCESSORS_ONLN);

    return n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : (int)n;
}
