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
COVEY_REGISTRY_TEXT(covey_model, name)
COVEY_REGISTRY_TEXT(covey_model, summary)
COVEY_REGISTRY_TEXT(covey_model, not_against)
COVEY_REGISTRY_TEXT(covey_model, source)
COVEY_REGISTRY_PARAMS(covey_model)

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
