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
COVEY_REGISTRY_TEXT(covey_experiment, name)
COVEY_REGISTRY_TEXT(covey_experiment, title)
COVEY_REGISTRY_TEXT(covey_experiment, source)
COVEY_REGISTRY_TEXT(covey_experiment, statement)
