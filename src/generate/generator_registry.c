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
COVEY_REGISTRY_TEXT(covey_generator, name)
COVEY_REGISTRY_TEXT(covey_generator, summary)
COVEY_REGISTRY_PARAMS(covey_generator)
COVEY_REGISTRY_TEXT(covey_generator, source)
