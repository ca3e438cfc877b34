/* The generators that are built in. */
#include "generate/generator_impl.h"

#include "base/registry.h"

#define COVEY_GENERATOR(name) extern const covey_generator covey_generator_##name;
#include "generate/generator_list.h"
#undef COVEY_GENERATOR

static const covey_generator *const generators[] = {
#define COVEY_GENERATOR(name) &covey_generator_##name,
#include "generate/generator_list.h"
#undef COVEY_GENERATOR
};

COVEY_REGISTRY(covey_generator, covey_generator, generators)

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
