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

/* Gives a release back; NULL allowed. */
COVEY_API void covey_release_free(covey_release *release);

#ifdef __cplusplus
}
#endif
#endif
