/* Privacy models: what is built in. */
#ifndef COVEY_MODEL_H
#define COVEY_MODEL_H

#include <covey/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct covey_model covey_model;

COVEY_API size_t covey_model_count(void);
COVEY_API const covey_model *covey_model_at(size_t index);
/* NULL if there is none. */
COVEY_API const covey_model *covey_model_find(const char *name);
COVEY_API const char *covey_model_name(const covey_model *model);
COVEY_API const char *covey_model_summary(const covey_model *model);
COVEY_API const char *covey_model_not_against(const covey_model *model); /* what it does not protect from, one sentence */
COVEY_API const char *covey_model_source(const covey_model *model);
COVEY_API const covey_param *covey_model_params(const covey_model *model, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
