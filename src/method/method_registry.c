/* The methods that are built in. */
#include "method/method_impl.h"

#include "base/registry.h"

#define COVEY_METHOD(name) extern const covey_method covey_method_##name;
#include "method/method_list.h"
#undef COVEY_METHOD

static const covey_method *const methods[] = {
#define COVEY_METHOD(name) &covey_method_##name,
#include "method/method_list.h"
#undef COVEY_METHOD
};

COVEY_REGISTRY(covey_method, covey_method, methods)
COVEY_REGISTRY_TEXT(covey_method, name)
COVEY_REGISTRY_TEXT(covey_method, summary)
COVEY_REGISTRY_TEXT(covey_method, keeps)
COVEY_REGISTRY_TEXT(covey_method, source)
COVEY_REGISTRY_TEXT(covey_method, form)
COVEY_REGISTRY_BOOL(covey_method, uses_groups)
COVEY_REGISTRY_BOOL(covey_method, keeps_units)
COVEY_REGISTRY_BOOL(covey_method, in_parts)
COVEY_REGISTRY_PARAMS(covey_method)
