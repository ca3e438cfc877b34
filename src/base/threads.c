/* A crew of threads, and loops that it runs.  Starting a thread and waiting for its end costs up to 50 microseconds,
 * which is more than many a loop takes: so the process has one crew of threads, hired when a loop wants more hands than
 * are idle, and dismissed when the last call that needs it returns.  A loop that is over before anybody came waits for
 * nobody. */
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
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

    struct loop *following;  /* this and what comes are guarded by the crew's lock */
    int n_wanted, n_helping; /* hands that may still come, and those that are there */
    pthread_cond_t left;     /* the last helper has gone */
};

static struct {
    pthread_mutex_t lock;  /* guards the rest */
    pthread_cond_t posted; /* a loop wants hands, or all must go */
    int n_users;           /* begun and not yet ended */
    unsigned generation;   /* of threads; those of an earlier one go */
    int n_threads, n_idle, n_wanted;
    pthread_t thread[MOST_THREADS];
    struct loop *first; /* that want hands; the latest in front, for it is part of what others wait for */
} crew = {.lock = PTHREAD_MUTEX_INITIALIZER, .posted = PTHREAD_COND_INITIALIZER};

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

static void do_task(struct loop *loop, size_t task)
{
    covey_error err;
    const covey_status status = loop->task(loop->context, task, &err);

    if (status != COVEY_OK)
        keep_first_failure(loop, task, status, &err);
}

static void work(struct loop *loop)
{
    size_t task;

    while ((task = atomic_fetch_add(&loop->next, 1)) < loop->n_tasks)
        do_task(loop, task);
}

/* The caller's part: the first task, and as many others as it comes to. */
static void work_as_caller(struct loop *loop)
{
    if (loop->n_tasks > 0)
        do_task(loop, 0);
    work(loop);
}

/* --- the crew --- */

/* Nobody comes to the loop any more. */
static void take_off(struct loop *loop)
{
    struct loop **place = &crew.first;

    while (*place && *place != loop)
        place = &(*place)->following;
    if (*place)
        *place = loop->following;
    crew.n_wanted -= loop->n_wanted;
    loop->n_wanted = 0;
}

/* Called with the lock, which it gives away while it works. */
static void help(struct loop *loop)
{
    crew.n_idle--;
    crew.n_wanted--;
    loop->n_helping++;
    if (--loop->n_wanted == 0)
        take_off(loop);
    pthread_mutex_unlock(&crew.lock);
    work(loop);
    pthread_mutex_lock(&crew.lock);
    if (--loop->n_helping == 0)
        pthread_cond_signal(&loop->left);
    crew.n_idle++;
}

static void *serve(void *argument)
{
    const unsigned generation = (unsigned)(uintptr_t)argument;

    pthread_mutex_lock(&crew.lock);
    while (crew.generation == generation)
        if (crew.first)
            help(crew.first);
        else
            pthread_cond_wait(&crew.posted, &crew.lock);
    pthread_mutex_unlock(&crew.lock);
    return NULL;
}

/* As many threads as are wanted.  Signals are the program's own threads' business, but for those that a thread brings
 * upon itself. */
static void hire(void)
{
    sigset_t blocked, before;

    if (crew.n_idle >= crew.n_wanted)
        return;
    sigfillset(&blocked);
    for (const int *own = (const int[]){SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPIPE, SIGXFSZ, 0};
         *own; own++)
        sigdelset(&blocked, *own);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    while (crew.n_idle < crew.n_wanted && crew.n_threads < MOST_THREADS &&
           pthread_create(&crew.thread[crew.n_threads], NULL, serve, (void *)(uintptr_t)crew.generation) == 0) {
        crew.n_threads++;
        crew.n_idle++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void covey_i_threads_crew_begin(void)
{
    pthread_mutex_lock(&crew.lock);
    crew.n_users++;
    pthread_mutex_unlock(&crew.lock);
}

void covey_i_threads_crew_end(void)
{
    pthread_t thread[MOST_THREADS];
    int n_threads = 0;

    pthread_mutex_lock(&crew.lock);
    if (--crew.n_users == 0) {
        for (; n_threads < crew.n_threads; n_threads++)
            thread[n_threads] = crew.thread[n_threads];
        crew.n_threads = crew.n_idle = 0; /* all were idle */
        crew.generation++;
        pthread_cond_broadcast(&crew.posted);
    }
    pthread_mutex_unlock(&crew.lock);
    for (int i = 0; i < n_threads; i++)
        pthread_join(thread[i], NULL);
}

static void post(struct loop *loop, int n_wanted)
{
    pthread_mutex_lock(&crew.lock);
    loop->n_wanted = n_wanted;
    loop->following = crew.first;
    crew.first = loop;
    crew.n_wanted += n_wanted;
    hire();
    pthread_mutex_unlock(&crew.lock);
    for (int i = 0; i < n_wanted; i++)
        pthread_cond_signal(&crew.posted);
}

static void wait_for_helpers(struct loop *loop)
{
    pthread_mutex_lock(&crew.lock);
    take_off(loop);
    while (loop->n_helping > 0)
        pthread_cond_wait(&loop->left, &crew.lock);
    pthread_mutex_unlock(&crew.lock);
}

covey_status covey_i_parallel(int n_threads, size_t n_tasks, covey_task task, void *context, covey_error *err)
{
    struct loop loop = {
        .task = task, .context = context, .n_tasks = n_tasks, .next = 1, .status = COVEY_OK, .err = err};

    if (n_threads > MOST_THREADS)
        n_threads = MOST_THREADS;
    if ((size_t)n_threads > n_tasks)
        n_threads = (int)n_tasks;
    pthread_mutex_init(&loop.lock, NULL);
    if (n_threads > 1) {
        pthread_cond_init(&loop.left, NULL);
        covey_i_threads_crew_begin();
        post(&loop, n_threads - 1);
        work_as_caller(&loop);
        wait_for_helpers(&loop);
        covey_i_threads_crew_end();
        pthread_cond_destroy(&loop.left);
    } else {
        work_as_caller(&loop);
    }
    pthread_mutex_destroy(&loop.lock);
    return loop.status;
}

/* Those that this process may run on.  sysconf() opens a file of the kernel's each time, which small jobs feel. */
static int n_processors(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

int covey_run_threads(const covey_run *run)
{
    const int n = run && run->n_threads > 0 ? run->n_threads : n_processors();

    return n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : n;
}
