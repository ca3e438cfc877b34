/* Releases in memory and the registry of published forms. */
#ifndef COVEY_RELEASE_IMPL_H
#define COVEY_RELEASE_IMPL_H

#include <covey/release.h>

#include "release/problem.h"

#define COVEY_CLASS_SUPPRESSED UINT32_MAX

typedef struct covey_objective {
    const char *name; /* "ail" ...; static */
    double value;
    bool has_lower_bound;
    double lower_bound;
    bool optimal;
} covey_objective;

typedef struct covey_form covey_form;

/* What a method returns.  Borrows the problem's columns and trees: it must not outlive them. */
struct covey_release {
    const covey_form *form;
    int64_t n_rows;          /* of the input */
    int64_t n_suppressed;
    uint32_t n_classes;      /* classes, groups or buckets */
    uint32_t *class_of_row;  /* [n_rows] 0 .. n_classes-1 in published order, or COVEY_CLASS_SUPPRESSED */
    uint32_t *low, *high;    /* [n_classes * n_axes] smallest and largest code, class-major; form "generalized" */
    covey_objective objective;
    char note[512];          /* what the manifest should say about how it was found ("beam of 4,096 nodes"), "" if nothing */
    void *form_data;         /* of later forms; freed by form->free_data */
};

/* A published form: how a release becomes files. */
struct covey_form {
    const char *name; /* "generalized" */
    const char *summary;
    /* Writes the data files into the folder (manifest and hierarchies are written by the caller) and lists them. */
    covey_status (*write)(const struct covey_release *release, const covey_problem *problem, const char *folder, covey_written *written,
                          const covey_run *run, covey_error *err);
    void (*free_data)(void *form_data);
};

/* A data file that was written. */
#define COVEY_MAX_FILES 64
struct covey_written {
    size_t n;
    struct { char name[64]; int64_t n_rows; uint64_t size_bytes; unsigned char sha256[32]; bool hashed; } file[COVEY_MAX_FILES];
};

/**
 * Makes a generalized release from a row -> class map: computes ranges, drops empty classes, numbers classes in a canonical order that
 * depends on their content only (ranges, then the rows' remaining columns), counts suppressed rows, computes the objective "ail".
 *
 * @param class_of_row  [n_rows] any class numbers below n_classes, or COVEY_CLASS_SUPPRESSED; taken over in every case (covey_i_free)
 */
covey_status covey_i_release_of_classes(struct covey_release **out, const covey_problem *problem, uint32_t *class_of_row, uint32_t n_classes,
                                        const covey_run *run, covey_error *err);

extern const covey_form *const covey_i_forms[];
extern const size_t covey_i_n_forms;
extern const covey_form covey_form_generalized;

#endif
