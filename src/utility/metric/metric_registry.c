/* The metrics that are built in, in the order of metric_list.h. */
#include <covey/utility.h>

#include "base/registry.h"
#include "utility/metric/metric_impl.h"

#define COVEY_METRIC(name) extern const covey_metric covey_metric_##name;
#include "utility/metric/metric_list.h"
#undef COVEY_METRIC

#define COVEY_METRIC(name) &covey_metric_##name,
static const covey_metric *const metrics[] = {
#include "utility/metric/metric_list.h"
};
#undef COVEY_METRIC

COVEY_REGISTRY(covey_metric, covey_metric, metrics)
COVEY_REGISTRY_TEXT(covey_metric, name)
COVEY_REGISTRY_TEXT(covey_metric, summary)
COVEY_REGISTRY_TEXT(covey_metric, source)
COVEY_REGISTRY_BOOL(covey_metric, needs_original)
COVEY_REGISTRY_BOOL(covey_metric, needs_units)
COVEY_REGISTRY_BOOL(covey_metric, needs_weight)
