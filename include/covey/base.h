/* What every other header stands on: status codes, error messages, exact numbers, the run.
 *
 * Errors.  Every function that can fail returns a covey_status; the reason goes into a caller-owned covey_error, which
 * may be NULL.  On failure what outputs point to is as it was, unless the function says otherwise.  Wherever memory is
 * needed COVEY_ENOMEM is possible, and wherever a run is taken COVEY_ECANCELLED.  A verdict ("this release breaks its
 * promise") is never a status: it is part of a report.
 *
 * Arguments.  err, run and options may be NULL (no message, a usual run, the defaults), and so may what a _free, _close
 * or _discard ends; a _clear takes a struct that is all zeros, and leaves one.  Every other pointer must point to
 * something, unless the function says otherwise.
 *
 * Accessors.  What there is not gives nothing, and asking for it is no error: an index, row, code, node, leaf or level
 * that is negative or behind the last gives NULL where a pointer is returned, UINT32_MAX where a code or node is, 0
 * where a size or line is; so does a name that is not found, or -1 where an index is returned.  A value that an enum
 * does not have is called "unknown".
 *
 * Registries (covey_NAME_count, _at, _find and what tells of an entry) list what is built in, in an order that stays
 * the same while a program runs.  Entries and all that they tell are static: they are never freed and always valid. */
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
    char parameter[64];    /* parameter of a model or method that the complaint is about, "" if none */
    /* Of COVEY_EINFEASIBLE: what to change in the policy so that a release exists, as JSON in the policy's shape, such
     * as
     * {"privacy": [{"model": "k-anonymity", "k": 4}], "method": {"min-size": 4}}; "" where no such policy is known. */
    char nearest[1024];
} covey_error;

/* One word for a status, for programs ("invalid", "parse", ...), "unknown" for no status; static. */
COVEY_API const char *covey_status_name(covey_status status);

/* Version of the library, "0.1.0"; static. */
COVEY_API const char *covey_version(void);

/* Fills err (if any) and returns status, so that a failing line is one line.  Leaves file, row, column and parameter
 * empty.  A message that is too long is cut off at the end of a character; control characters become blanks. */
COVEY_API covey_status covey_fail(covey_error *err, covey_status status, const char *fmt, ...) COVEY_PRINTF(3, 4);

/* The same with a place: file and column NULL, row and column_number 0 mean "none".  The message begins with as much
 * of "file:row:column_number: " as is given. */
COVEY_API covey_status covey_fail_at(covey_error *err, covey_status status, const char *file, int64_t row,
                                     const char *column, int64_t column_number, const char *fmt, ...)
    COVEY_PRINTF(7, 8);

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
 * @param out  receives the fraction in lowest terms
 * @return COVEY_OK; COVEY_EINVAL if text is neither, has the denominator 0, or needs more than 18 digits
 */
COVEY_API covey_status covey_ratio_parse(covey_ratio *out, const char *text, covey_error *err);

/* About num / den: both are rounded to doubles, and so is their quotient.  For figures and messages, never for a
 * verdict. */
COVEY_API double covey_ratio_value(covey_ratio r);

/* -1, 0, 1 as a < b, a = b, a > b; exact. */
COVEY_API int covey_ratio_compare(covey_ratio a, covey_ratio b);

/* floor(r * n) for r >= 0, n >= 0, exact; INT64_MAX if it is larger. */
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
    int n_threads; /* 0: as many as there are processors to run on; results never depend on it */
    bool has_seed; /* tests and experiments only: a known seed undoes a shuffle */
    uint64_t seed;
    /* Called now and then with work done and to do (same unit, to_do 0 if unknown); returns false to cancel. */
    bool (*progress)(void *context, const char *phase, int64_t done, int64_t to_do);
    void (*warn)(void *context, const char *message); /* something the user should read; one line */
    void *context;
    /* Asked now and then by searches that could go on for long; true: give the best found so far. */
    bool (*enough)(void *context);
    /* Called by such a search, from any of its threads but one at a time, whenever best or bound has improved. */
    void (*improved)(void *context, const covey_improvement *now);
    /* [32] random bytes that nobody else knows: random numbers follow from them instead of being the kernel's, so that
     * who repeats a piece of work gets the same.  NULL: the kernel's; a seed wins. */
    const unsigned char *secret;
} covey_run;

#define COVEY_RUN_INIT                                                                                                 \
    {                                                                                                                  \
        0, false, 0, NULL, NULL, NULL, NULL, NULL, NULL                                                                \
    }

/* Threads that a run may use, at least 1; run NULL: as many as there are processors. */
COVEY_API int covey_run_threads(const covey_run *run);

/**
 * Removes the folders that calls of this process are filling right now.
 *
 * Only for a program that is about to end without waiting for those calls, which fail from then on.  May be called by a
 * signal handler.  What it leaves, as a crash does, goes with the next run for the same target.
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
    const char *name; /* as in policy files and flags */
    covey_param_type type;
    size_t offset; /* in the parameter struct */
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
 * @param params  a struct described by list[0 .. n-1]; untouched on failure
 * @param owner   what the value belongs to, for the message: "model k-anonymity"
 * @return COVEY_OK; COVEY_EINVAL if there is no such parameter (names the nearest), the text does not parse or is out
 * of bounds
 *
 * COVEY_PARAM_TEXT and _TREE values are stored as the pointer given: it must live as long as params.
 */
COVEY_API covey_status covey_param_set(void *params, const covey_param *list, size_t n, const char *owner,
                                       const char *name, const char *text, covey_error *err);

/* Fills a zeroed parameter struct, described by list[0 .. n-1], with the defaults.  COVEY_EINVAL, as
 * covey_param_set, for a default in the list that its own parameter does not take. */
COVEY_API covey_status covey_param_defaults(void *params, const covey_param *list, size_t n, covey_error *err);

/* The name among names[0 .. n-1] nearest to word if it looks like a slip: at most 1/3 of its letters changed, or one
 * that begins with word, which has 3 letters at least.  NULL if none does; borrowed from names. */
COVEY_API const char *covey_nearest_name(const char *word, const char *const *names, size_t n);

#ifdef __cplusplus
}
#endif
#endif
