/* Releases: what is published. */
#ifndef COVEY_RELEASE_H
#define COVEY_RELEASE_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct covey_release covey_release;
typedef struct covey_written covey_written;

/* What the sets of rows are called that a form's promises are about: "class", "group", "bucket"; "" if there are
 * none, "class" for an unknown form. */
COVEY_API const char *covey_form_unit(const char *form);
/* What is known of a release that is faithful to its original: one sentence; "" for an unknown form. */
COVEY_API const char *covey_form_faithful(const char *form);

COVEY_API void covey_release_free(covey_release *release); /* NULL allowed */

#ifdef __cplusplus
}
#endif
#endif
