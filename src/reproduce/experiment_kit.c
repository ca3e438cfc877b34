/* What experiments take from the run they are part of: paths of data and of scratch files, and whether to go on. */
#include "reproduce/experiment_impl.h"
#include "base/run.h"

#include <stdio.h>
#include <string.h>

char *covey_i_experiment_path(covey_arena *arena, const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = covey_arena_array(arena, char, size);

    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

char *covey_i_experiment_data(const covey_experiment_context *context, const char *name)
{
    return covey_i_experiment_path(context->arena, context->options->data, name);
}

char *covey_i_experiment_scratch(const covey_experiment_context *context, const char *name)
{
    return covey_i_experiment_path(context->arena, context->scratch, name);
}

covey_status covey_i_experiment_goes_on(const covey_experiment_context *context, size_t done, size_t to_do,
                                        covey_error *err)
{
    return covey_i_run_goes_on(context->run, "measure", (int64_t)done, (int64_t)to_do, err);
}
