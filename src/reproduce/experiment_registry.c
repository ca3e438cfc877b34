/* The experiments that are built in. */
#include "reproduce/experiment_impl.h"

#include "base/registry.h"

#define COVEY_EXPERIMENT(name) extern const covey_experiment covey_experiment_##name;
#include "reproduce/experiment_list.h"
#undef COVEY_EXPERIMENT

static const covey_experiment *const experiments[] = {
#define COVEY_EXPERIMENT(name) &covey_experiment_##name,
#include "reproduce/experiment_list.h"
#undef COVEY_EXPERIMENT
};

COVEY_REGISTRY(covey_experiment, covey_experiment, experiments)

const char *covey_experiment_name(const covey_experiment *experiment)
{
    return experiment->name;
}

const char *covey_experiment_title(const covey_experiment *experiment)
{
    return experiment->title;
}

const char *covey_experiment_source(const covey_experiment *experiment)
{
    return experiment->source;
}

const char *covey_experiment_statement(const covey_experiment *experiment)
{
    return experiment->statement;
}
