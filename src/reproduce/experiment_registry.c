/* The experiments that are built in. */
#include "reproduce/experiment_impl.h"

#include <string.h>

#define COVEY_EXPERIMENT(name) extern const covey_experiment covey_experiment_##name;
#include "reproduce/experiment_list.h"
#undef COVEY_EXPERIMENT

static const covey_experiment *const experiments[] = {
#define COVEY_EXPERIMENT(name) &covey_experiment_##name,
#include "reproduce/experiment_list.h"
#undef COVEY_EXPERIMENT
};

size_t covey_experiment_count(void)
{
    return sizeof experiments / sizeof *experiments;
}

const covey_experiment *covey_experiment_at(size_t index)
{
    return index < covey_experiment_count() ? experiments[index] : NULL;
}

const covey_experiment *covey_experiment_find(const char *name)
{
    for (size_t i = 0; i < covey_experiment_count(); i++)
        if (strcmp(experiments[i]->name, name) == 0)
            return experiments[i];
    return NULL;
}

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
