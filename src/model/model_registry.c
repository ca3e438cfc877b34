/* The models that are built in, in the order of model_list.h. */
#include <covey/model.h>

#include "base/registry.h"
#include "model/model_impl.h"

#define COVEY_MODEL(name) extern const covey_model covey_model_##name;
#include "model/model_list.h"
#undef COVEY_MODEL

#define COVEY_MODEL(name) &covey_model_##name,
static const covey_model *const models[] = {
#include "model/model_list.h"
};
#undef COVEY_MODEL

COVEY_REGISTRY(covey_model, covey_model, models)

const char *covey_model_name(const covey_model *model)
{
    return model->name;
}

const char *covey_model_summary(const covey_model *model)
{
    return model->summary;
}

const char *covey_model_not_against(const covey_model *model)
{
    return model->not_against;
}

const char *covey_model_source(const covey_model *model)
{
    return model->source;
}

const covey_param *covey_model_params(const covey_model *model, size_t *n)
{
    *n = model->n_params;
    return model->params;
}

const char *covey_over_units_name(covey_over_units units)
{
    switch (units) {
    case COVEY_UNITS_SHARE:
        return "share";
    case COVEY_UNITS_COUNT:
        return "count";
    case COVEY_UNITS_ROWS:
        return "rows";
    }
    return "unknown";
}
