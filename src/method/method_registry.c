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

const char *covey_method_name(const covey_method *method)
{
    return method->name;
}

const char *covey_method_summary(const covey_method *method)
{
    return method->summary;
}

const char *covey_method_keeps(const covey_method *method)
{
    return method->keeps;
}

const char *covey_method_source(const covey_method *method)
{
    return method->source;
}

const char *covey_method_form(const covey_method *method)
{
    return method->form;
}

bool covey_method_uses_groups(const covey_method *method)
{
    return method->uses_groups;
}

bool covey_method_in_parts(const covey_method *method)
{
    return method->in_parts;
}

const covey_param *covey_method_params(const covey_method *method, size_t *n)
{
    *n = method->n_params;
    return method->params;
}
