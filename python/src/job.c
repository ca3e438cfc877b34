/* See job.h. */
#include "job.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/dispatch.h"
#include "streams.h"

struct covey_job {
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    bool ended, cancelled;
    bool asks;         /* it waits for whoever listens before each phase */
    bool waits, heard; /* it does; and whoever listens knows */
    covey_job_progress now;
    char **warning;
    size_t n_warnings;
    /* The job's own until it has ended. */
    int argc;
    char **argv, **words; /* argv is reordered; words [argc] own */
    char *policy;
    covey_query_release *given, *release; /* release: given, or opened by the command */
    covey_status status;
    bool yes;
    covey_error error;
    char *text;
    size_t size;
};

static _Thread_local FILE *stream;

#undef stdout
FILE *covey_python_stream(void)
{
    return stream ? stream : stdout;
}

static bool progress(void *context, const char *phase, int64_t done, int64_t to_do)
{
    covey_job *job = context;
    bool goes_on;

    pthread_mutex_lock(&job->lock);
    job->waits |= job->asks && strcmp(job->now.phase, phase) != 0;
    snprintf(job->now.phase, sizeof job->now.phase, "%s", phase);
    job->now.done = done;
    job->now.to_do = to_do;
    if (job->waits)
        pthread_cond_broadcast(&job->changed);
    while (job->waits)
        pthread_cond_wait(&job->changed, &job->lock);
    goes_on = !job->cancelled;
    pthread_mutex_unlock(&job->lock);
    return goes_on;
}

static void warn(void *context, const char *message)
{
    covey_job *job = context;
    char **more, *copy = strdup(message);

    pthread_mutex_lock(&job->lock);
    more = copy ? realloc(job->warning, (job->n_warnings + 1) * sizeof *more) : NULL;
    if (more) {
        job->warning = more;
        job->warning[job->n_warnings++] = copy;
    } else {
        free(copy);
    }
    pthread_mutex_unlock(&job->lock);
}

static void run(covey_job *job)
{
    const covey_run callbacks = {.progress = progress, .warn = warn, .context = job};
    const cli_host host = {.policy = job->policy, .release = &job->release, .callbacks = &callbacks};

    if (!(stream = open_memstream(&job->text, &job->size))) {
        job->status = covey_fail(&job->error, COVEY_ENOMEM, "no memory for the results");
        return;
    }
    job->status = cli_run_command(&job->yes, job->argc, job->argv, &host, &job->error);
    if (fclose(stream) != 0 && job->status == COVEY_OK)
        job->status = covey_fail(&job->error, COVEY_ENOMEM, "no memory for the results");
    stream = NULL;
}

static void *work(void *context)
{
    covey_job *job = context;

    run(job);
    pthread_mutex_lock(&job->lock);
    job->ended = true;
    pthread_cond_broadcast(&job->changed);
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

static bool copy_words(covey_job *job, int argc, const char *const *argv, const char *policy)
{
    job->argv = calloc((size_t)argc + 1, sizeof *job->argv);
    job->words = calloc((size_t)argc + 1, sizeof *job->words);
    if (!job->argv || !job->words || (policy && !(job->policy = strdup(policy))))
        return false;
    for (job->argc = 0; job->argc < argc; job->argc++)
        if (!(job->argv[job->argc] = job->words[job->argc] = strdup(argv[job->argc])))
            return false;
    return true;
}

/* Signals are for the threads of the program. */
static bool start_thread(covey_job *job)
{
    sigset_t all, before;
    bool started;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&job->thread, NULL, work, job) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void give_back(covey_job *job)
{
    if (job->release != job->given)
        covey_query_close(job->release);
    for (int i = 0; job->words && i < job->argc; i++)
        free(job->words[i]);
    for (size_t i = 0; i < job->n_warnings; i++)
        free(job->warning[i]);
    free(job->words);
    free(job->argv);
    free(job->policy);
    free(job->warning);
    free(job->text);
    pthread_cond_destroy(&job->changed);
    pthread_mutex_destroy(&job->lock);
    free(job);
}

covey_job *covey_job_start(int argc, const char *const *argv, const char *policy, covey_query_release *release,
                           bool asks)
{
    covey_job *job = calloc(1, sizeof *job);
    pthread_condattr_t monotonic;

    if (!job)
        return NULL;
    job->yes = true;
    job->given = job->release = release;
    job->asks = asks;
    pthread_mutex_init(&job->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&job->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (copy_words(job, argc, argv, policy) && start_thread(job))
        return job;
    give_back(job);
    return NULL;
}

bool covey_job_wait(covey_job *job, double seconds, covey_job_progress *now)
{
    struct timespec until;
    bool ended;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(seconds * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&job->lock);
    while (!job->ended && !job->waits && pthread_cond_timedwait(&job->changed, &job->lock, &until) != ETIMEDOUT)
        ;
    ended = job->ended;
    job->heard = job->waits;
    *now = job->now;
    pthread_mutex_unlock(&job->lock);
    return ended;
}

void covey_job_go_on(covey_job *job)
{
    pthread_mutex_lock(&job->lock);
    if (job->heard)
        job->waits = false;
    pthread_cond_broadcast(&job->changed);
    pthread_mutex_unlock(&job->lock);
}

void covey_job_cancel(covey_job *job)
{
    pthread_mutex_lock(&job->lock);
    job->cancelled = true;
    pthread_mutex_unlock(&job->lock);
}

covey_job_result covey_job_result_of(const covey_job *job)
{
    return (covey_job_result){.status = job->status,
                              .yes = job->yes,
                              .error = job->error,
                              .text = job->text ? job->text : "",
                              .size = job->text ? job->size : 0,
                              .warning = (const char *const *)job->warning,
                              .n_warnings = job->n_warnings};
}

covey_query_release *covey_job_take_release(covey_job *job)
{
    covey_query_release *opened = job->release != job->given ? job->release : NULL;

    job->release = job->given;
    return opened;
}

void covey_job_free(covey_job *job)
{
    if (!job)
        return;
    pthread_join(job->thread, NULL);
    give_back(job);
}
