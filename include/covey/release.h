/* Releases: what is published. */
#ifndef COVEY_RELEASE_H
#define COVEY_RELEASE_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A release in memory, before it is written. */
typedef struct covey_release covey_release;

/* What the sets of rows are called that a form's promises are about: "class", "group", "bucket"; "" if there are
 * none, "class" for an unknown form; static. */
COVEY_API const char *covey_form_unit(const char *form);
/* What is known of a release that is faithful to its original: one sentence; "" for an unknown form; static. */
COVEY_API const char *covey_form_faithful(const char *form);

/* Figures on the classes, recomputed from the files. */
typedef struct covey_release_figures {
    double ail, ncp; /* NaN where a hierarchy built from the data does not allow it */
    double discernibility, average_class_size;
    double largest_risk, mean_risk; /* 1 / smallest class; classes / rows */
    int64_t smallest_class;
} covey_release_figures;

/* Gives a release back; NULL allowed. */
COVEY_API void covey_release_free(covey_release *release);

#ifdef __cplusplus
}
#endif
#endif
