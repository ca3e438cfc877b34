/* Privacy models: what is built in. */
#ifndef COVEY_MODEL_H
#define COVEY_MODEL_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a promise says of persons, or other units, that have several rows each. */
typedef enum covey_over_units {
    COVEY_UNITS_SHARE = 0, /* it holds over units, too; none has more than 1/k of a class's rows */
    COVEY_UNITS_COUNT,     /* it holds over units, too; a class has k of them, whatever their rows */
    COVEY_UNITS_ROWS       /* nothing: it is over rows alone */
} covey_over_units;

/* "share", "count", "rows"; "unknown" for none of them; static. */
COVEY_API const char *covey_over_units_name(covey_over_units units);

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
