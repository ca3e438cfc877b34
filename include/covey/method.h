/* Methods: what is built in. */
#ifndef COVEY_METHOD_H
#define COVEY_METHOD_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct covey_method covey_method;

COVEY_API size_t covey_method_count(void);
COVEY_API const covey_method *covey_method_at(size_t index);
COVEY_API const covey_method *covey_method_find(const char *name); /* NULL if there is none */
COVEY_API const char *covey_method_name(const covey_method *method);
COVEY_API const char *covey_method_summary(const covey_method *method);
COVEY_API const char *covey_method_keeps(const covey_method *method); /* which promises, in words */
COVEY_API const char *covey_method_source(const covey_method *method);
COVEY_API const char *covey_method_form(const covey_method *method); /* name of the published form */
COVEY_API bool covey_method_uses_groups(const covey_method *method); /* can a policy with `groups` name it? */
COVEY_API bool covey_method_in_parts(const covey_method *method); /* can it anonymize a table part by part (covey/parts.h)? */
COVEY_API const covey_param *covey_method_params(const covey_method *method, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
