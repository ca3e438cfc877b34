/* A command of covey that runs on a thread of its own, so that its caller can listen to Ctrl-C meanwhile. */
#ifndef COVEY_PYTHON_JOB_H
#define COVEY_PYTHON_JOB_H

#include <covey/covey.h>

typedef struct covey_job covey_job;

/* Where the work is. */
typedef struct covey_job_progress {
    char phase[96];      /* the longest is that of optimal-partition, with its figures */
    int64_t done, to_do; /* to_do 0: unknown */
} covey_job_progress;

/* What a job has come to. */
typedef struct covey_job_result {
    covey_status status;
    bool yes;
    covey_error error;
    const char *text; /* what the command printed: [size] and a NUL */
    size_t size;
    const char *const *warning; /* [n_warnings] */
    size_t n_warnings;
} covey_job_result;

/**
 * Starts a command.
 *
 * @param argv    [argc] copied, as in main: the first is the program
 * @param policy  NULL, or the YAML that stands for the command's first operand; copied
 * @param release NULL, or one that was opened before, for a query; it must stay until the job's end
 * @param asks    before each phase it waits for covey_job_go_on: so even a short job can be stopped, and none is done
 *                while the answer to its last question is on the way
 * @return NULL without memory or threads
 */
covey_job *covey_job_start(int argc, const char *const *argv, const char *policy, covey_query_release *release,
                           bool asks);
/* After its end: the release that a query has opened, for covey_query_close; NULL: it was given one, or opened none. */
covey_query_release *covey_job_take_release(covey_job *job);
/* Waits up to that many seconds for the end, or until the job waits; true: the end has come. *now receives where the
 * work is. */
bool covey_job_wait(covey_job *job, double seconds, covey_job_progress *now);
/* Whoever listens has heard what the last covey_job_wait said. */
void covey_job_go_on(covey_job *job);
/* Asks the job to stop; it still has to be waited for. */
void covey_job_cancel(covey_job *job);
/* Of a job that has come to its end; borrowed until it is freed. */
covey_job_result covey_job_result_of(const covey_job *job);
/* Only after its end. NULL allowed. */
void covey_job_free(covey_job *job);

#endif
