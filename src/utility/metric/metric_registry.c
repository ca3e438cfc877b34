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

const char *covey_metric_name(const covey_metric *metric)
{
    return metric->name;
}

const char *covey_metric_summary(const covey_metric *metric)
{
    return metric->summary;
}

const char *covey_metric_source(const covey_metric *metric)
{
    return metric->source;
}

bool covey_metric_needs_original(const covey_metric *metric)
{
    return metric->needs_original;
}
