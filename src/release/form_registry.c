/* The published forms that are built in, and lists of their files. */
#include "release/release_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

static const covey_form *const forms[] = {
#define COVEY_FORM(name) &covey_form_##name,
#include "release/form_list.h"
#undef COVEY_FORM
};

const covey_form *covey_i_form_find(const char *name)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i]->name, name) == 0)
            return forms[i];
    return NULL;
}

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
