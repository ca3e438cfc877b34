/* What a utility metric is made of: one figure of a release, perhaps compared with its original. */
#ifndef COVEY_UTILITY_METRIC_METRIC_IMPL_H
#define COVEY_UTILITY_METRIC_METRIC_IMPL_H

#include <covey/utility.h>

#include "reader/losses.h"
#include "reader/original.h"

/* A release that is being measured; everything is usable. */
typedef struct covey_measured_release {
    const covey_opened *opened;
    const covey_original *original; /* NULL: there is none */
    covey_release_figures figures;  /* from the published cells */
    int64_t n_units;                /* published; 0 where rows have none */
} covey_measured_release;

struct covey_metric {
    const char *name;    /* in JSON and in tables; never changes */
    const char *summary; /* one line, what 0 and what more means */
    const char *source;  /* key and place in docs/references.md */
    bool needs_original; /* never called without one */
    bool needs_units;    /* of releases whose rows have none it is not spoken of */
    bool needs_weight;   /* of releases that publish no sampling weight it is not spoken of */
    bool of_classes;     /* of releases that show quasi-identifiers as they are, or promise about units, it is not
                            spoken of */
    bool needs_rows;     /* never called where the quasi-identifiers of a row stand apart */

    /* *out: the figure, NaN where it is not defined.  Scratch comes from the arena. */
    covey_status (*compute)(double *out, const covey_measured_release *release, covey_arena *arena, covey_error *err);
};

#endif
