/* The generators that are built in. */
#include "generate/generator_impl.h"

#include <string.h>

#define COVEY_GENERATOR(name) extern const covey_generator covey_generator_##name;
#include "generate/generator_list.h"
#undef COVEY_GENERATOR

static const covey_generator *const generators[] = {
#define COVEY_GENERATOR(name) &covey_generator_##name,
#include "generate/generator_list.h"
#undef COVEY_GENERATOR
};

size_t covey_generator_count(void)
{
    return sizeof generators / sizeof *generators;
}

const covey_generator *covey_generator_at(size_t index)
{
    return index < covey_generator_count() ? generators[index] : NULL;
}

const covey_generator *covey_generator_find(const char *name)
{
    for (size_t i = 0; i < covey_generator_count(); i++)
        if (strcmp(generators[i]->name, name) == 0)
            return generators[i];
    return NULL;
}

const char *covey_generator_name(const covey_generator *generator)
{
    return generator->name;
}

const char *covey_generator_summary(const covey_generator *generator)
{
    return generator->summary;
}

const covey_param *covey_generator_params(const covey_generator *generator, size_t *n)
{
    *n = generator->n_params;
    return generator->params;
}

const char *covey_generator_source(const covey_generator *generator)
{
    return generator->source;
}
