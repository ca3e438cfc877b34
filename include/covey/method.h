/* Methods: what is built in. */
#ifndef COVEY_METHOD_H
#define COVEY_METHOD_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A way to make a release that keeps promises.  A registry, see covey/base.h. */
typedef struct covey_method covey_method;

/* How many methods there are; auto is none of them. */
COVEY_API size_t covey_method_count(void);
/* One of them; NULL behind the last. */
COVEY_API const covey_method *covey_method_at(size_t index);
/* The method of that name; NULL if there is none, and for "auto". */
COVEY_API const covey_method *covey_method_find(const char *name);
/* "peel": in policies and manifests. */
COVEY_API const char *covey_method_name(const covey_method *method);
/* What it does, one line. */
COVEY_API const char *covey_method_summary(const covey_method *method);
/* Which promises it can keep, in words. */
COVEY_API const char *covey_method_keeps(const covey_method *method);
/* Where it comes from: key and place in docs/references.md. */
COVEY_API const char *covey_method_source(const covey_method *method);
/* Name of the published form: "generalized". */
COVEY_API const char *covey_method_form(const covey_method *method);
/* Can a policy with `groups` name it? */
COVEY_API bool covey_method_uses_groups(const covey_method *method);
/* Can it anonymize a table part by part (covey/parts.h)? */
COVEY_API bool covey_method_in_parts(const covey_method *method);
/* Can it keep the rows of a person or household together (a policy with the role entity)? */
COVEY_API bool covey_method_keeps_units(const covey_method *method);
/* Its parameters: [*n]; NULL or anything if *n is 0. */
COVEY_API const covey_param *covey_method_params(const covey_method *method, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
