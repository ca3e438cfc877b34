/* The published forms that are built in. */
#include "release/release_impl.h"

#include "base/registry.h"

static const covey_form *const forms[] = {
#define COVEY_FORM(name) &covey_form_##name,
#include "release/form_list.h"
#undef COVEY_FORM
};

COVEY_REGISTRY_FIND(covey_form, covey_i_form, forms)

const char *covey_form_unit(const char *form)
{
    const covey_form *found = covey_i_form_find(form);

    return found ? found->unit : "class";
}

const char *covey_form_faithful(const char *form)
{
    const covey_form *found = covey_i_form_find(form);

    return found ? found->faithful : "";
}
