/* Releases of small random tables with awkward values, made by the main job.
 *
 * Columns: age, zip, weight, city, born (quasi-identifiers of all kinds), illness (sensitive), pay and note
 * (insensitive; with `two` pay is sensitive, too; a wish may make another of them the sensitive one). */
#ifndef COVEY_TESTS_RANDOM_RELEASE_H
#define COVEY_TESTS_RANDOM_RELEASE_H

#include "support/release/release_folder.h"

/* What a policy promises beside k-anonymity with k = 2; NULL where nothing is asked for. */
typedef struct random_wish {
    const char *model;       /* as on the command line */
    bool two;                /* two sensitive attributes */
    const char *order;       /* "illness=[...]" */
    bool has_tree;           /* illness has a hierarchy file */
    bool is_bare;            /* no quasi-identifier has a hierarchy that is built from the data */
    const char *hierarchy;   /* another hierarchy: "pay={balanced: 3}" */
    const char *suppression; /* limit */
    const char *method;      /* NULL: mondrian or elastic */
    bool is_alone;           /* no k-anonymity beside the model */
    bool is_whole;           /* no quasi-identifier is missing */
    const char *sensitive;   /* another column than illness: "pay" */
} random_wish;

/* SplitMix64: 0 .. n-1. */
unsigned random_below(uint64_t *state, unsigned n);

/* Makes a table and a release of it by a random policy, or by one with that wish; its manifest is read.  False if no
 * release can keep the policy.  release_end(r) in every case. */
bool random_release(release_folder *r, uint64_t *state, const random_wish *wish);

#endif
