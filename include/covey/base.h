/* What every other header stands on: status codes, error messages, exact numbers, the run.
 *
 * Every function that can fail returns a covey_status; the reason goes into a caller-owned covey_error, which may be
 * NULL.  A verdict ("this release breaks its promise") is never a status: it is part of a report. */
#ifndef COVEY_BASE_H
#define COVEY_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define COVEY_API __attribute__((visibility("default")))
#define COVEY_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define COVEY_API
#define COVEY_PRINTF(fmt, args)
#endif

typedef enum covey_status {
    COVEY_OK = 0,
    COVEY_ENOMEM,      /* out of memory */
    COVEY_EINVAL,      /* wrong usage, wrong policy, wrong parameter */
    COVEY_EPARSE,      /* a file is malformed: the error carries file, row and column */
    COVEY_EIO,         /* the system failed: disk, permissions, server */
    COVEY_ENOTFOUND,   /* a file, column, model or method of that name does not exist */
    COVEY_EEXIST,      /* the target exists already */
    COVEY_EINFEASIBLE, /* no release can keep the policy: a "no", not a failure */
    COVEY_ECANCELLED,  /* the caller asked to stop */
    COVEY_EINTERNAL,   /* a method broke its own promise and was caught: a bug, nothing was published */
    COVEY_N_STATUS
} covey_status;

/* Why a call failed.  message is one line: what, where, what was expected, how to mend it. */
typedef struct covey_error {
    covey_status status;
    char message[1024];
    char file[256];        /* file the complaint is about, "" if none */
    int64_t row;           /* line of that file, the first is 1; 0 if none */
    char column[128];      /* name of the column, "" if none */
    int64_t column_number; /* position in the line, the first is 1; 0 if none */
} covey_error;

/* One word for a status, for programs ("invalid", "parse", ...); static. */
COVEY_API const char *covey_status_name(covey_status status);

/* Version of the library, "0.1.0"; static. */
COVEY_API const char *covey_version(void);

/* Fills err (if any) and returns status, so that a failing line is one line.  Leaves file, row and column empty. */
COVEY_API covey_status covey_fail(covey_error *err, covey_status status, const char *fmt, ...) COVEY_PRINTF(3, 4);

/* The same with a place.  row, column_number 0 and column NULL mean "none". The message gets the prefix "file:row: ". */
COVEY_API covey_status covey_fail_at(covey_error *err, covey_status status, const char *file, int64_t row,
                                     const char *column, int64_t column_number, const char *fmt, ...) COVEY_PRINTF(7, 8);

/* Only for functions that own nothing yet: the one macro that returns. */
#define COVEY_TRY(call)                                                                                                \
    do {                                                                                                               \
        covey_status try_ = (call);                                                                                    \
        if (try_ != COVEY_OK)                                                                                          \
            return try_;                                                                                               \
    } while (0)

/* An exact parameter, as the policy wrote it: num/den in lowest terms, den > 0. */
typedef struct covey_ratio {
    int64_t num, den;
} covey_ratio;

/**
 * Reads a decimal ("0.29", "-1.5", "3") or a fraction ("5/3") exactly.
 *
 * @return COVEY_OK; COVEY_EINVAL if text is neither, or needs more than 18 digits.  *out is untouched on failure.
 */
COVEY_API covey_status covey_ratio_parse(covey_ratio *out, const char *text, covey_error *err);

COVEY_API double covey_ratio_value(covey_ratio r);

/* <0, 0, >0 as a < b, a = b, a > b; exact. */
COVEY_API int covey_ratio_compare(covey_ratio a, covey_ratio b);

/* floor(r * n) for r >= 0, n >= 0, exact. */
COVEY_API int64_t covey_ratio_floor_of(covey_ratio r, int64_t n);

/* What a search that can be stopped has found so far. */
typedef struct covey_improvement {
    double seconds;     /* since the search began */
    double best, bound; /* cost of the best solution; what is proven that no solution beats */
    double ratio;       /* of both, at least 1; 0: the bound says nothing */
    int64_t nodes;      /* looked at so far */
} covey_improvement;

/* How a piece of work goes on.  Everything that belongs to a run and not to the problem; zero-initialise. */
typedef struct covey_run {
    int n_threads;      /* 0: as many as there are processors; results never depend on it */
    bool has_seed;      /* tests and experiments only: a known seed undoes a shuffle */
    uint64_t seed;
    /* Called now and then with work done and to do (same unit, to_do 0 if unknown); returns false to cancel. */
    bool (*progress)(void *context, const char *phase, int64_t done, int64_t to_do);
    void (*warn)(void *context, const char *message); /* something the user should read; one line */
    void *context;
    /* Asked now and then by searches that could go on for long; true: give the best found so far. */
    bool (*enough)(void *context);
    /* Called by such a search, from any of its threads but one at a time, whenever best or bound has improved. */
    void (*improved)(void *context, const covey_improvement *now);
} covey_run;

#define COVEY_RUN_INIT {0, false, 0, NULL, NULL, NULL, NULL, NULL}

/* Threads a run may use, at least 1. */
COVEY_API int covey_run_threads(const covey_run *run);

/**
 * Removes the folders that calls of this process are filling right now.
 *
 * Only for a program that is about to end without waiting for those calls, which fail from then on.  May be called by a signal
 * handler.  What it leaves, as a crash does, goes with the next run for the same target.
 */
COVEY_API void covey_discard_unfinished(void);

/* A typed parameter of a model or method, filled by name: C, command line and policy files share one validation. */
typedef enum covey_param_type {
    COVEY_PARAM_INTEGER, /* int64_t */
    COVEY_PARAM_RATIO,   /* covey_ratio */
    COVEY_PARAM_BOOL,    /* bool */
    COVEY_PARAM_CHOICE,  /* int: index into choices */
    COVEY_PARAM_TEXT,    /* const char *, owned by whoever owns the parameters */
    COVEY_PARAM_TREE     /* const char *: any YAML value, as text */
} covey_param_type;

typedef struct covey_param {
    const char *name;           /* as in policy files and flags */
    covey_param_type type;
    size_t offset;              /* in the parameter struct */
    bool required;
    const char *fallback;       /* default as text; NULL with !required: stays zero */
    const char *const *choices; /* NULL-terminated, COVEY_PARAM_CHOICE only */
    const char *minimum;        /* exact text, NULL: none */
    bool minimum_open;          /* the minimum itself is refused */
    const char *maximum;
    const char *help;
} covey_param;

/**
 * Sets one parameter in a parameter struct from its text.
 *
 * @param params  a struct described by list[0 .. n-1]
 * @param owner   what the value belongs to, for the message: "model k-anonymity"
 * @return COVEY_OK; COVEY_EINVAL if there is no such parameter (names the nearest), the text does not parse or is out of bounds
 *
 * COVEY_PARAM_TEXT and _TREE values are stored as the pointer given: it must live as long as params.
 */
COVEY_API covey_status covey_param_set(void *params, const covey_param *list, size_t n, const char *owner, const char *name,
                                       const char *text, covey_error *err);

/* Fills a zeroed parameter struct with the defaults. */
COVEY_API covey_status covey_param_defaults(void *params, const covey_param *list, size_t n, covey_error *err);

/* The name among names[0 .. n-1] nearest to word if it looks like a slip (at most 1/3 of the letters changed), else NULL. */
COVEY_API const char *covey_nearest_name(const char *word, const char *const *names, size_t n);

#ifdef __cplusplus
}
#endif
#endif
