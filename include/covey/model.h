/* Privacy models: what is built in. */
#ifndef COVEY_MODEL_H
#define COVEY_MODEL_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A privacy model: a kind of promise.  A registry, see covey/base.h. */
typedef struct covey_model covey_model;

/* How many models there are. */
COVEY_API size_t covey_model_count(void);
/* One of them; NULL behind the last. */
COVEY_API const covey_model *covey_model_at(size_t index);
/* The model of that name; NULL if there is none. */
COVEY_API const covey_model *covey_model_find(const char *name);
/* "k-anonymity": in policies, manifests and SQL. */
COVEY_API const char *covey_model_name(const covey_model *model);
/* What it promises, one line. */
COVEY_API const char *covey_model_summary(const covey_model *model);
/* What it does not protect from, one sentence. */
COVEY_API const char *covey_model_not_against(const covey_model *model);
/* Where it is defined: key and place in docs/references.md. */
COVEY_API const char *covey_model_source(const covey_model *model);
/* Its parameters: [*n]; NULL or anything if *n is 0. */
COVEY_API const covey_param *covey_model_params(const covey_model *model, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
