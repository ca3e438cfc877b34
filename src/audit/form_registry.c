/* The forms that releases are verified in: those that they can be read in. */
#include <assert.h>

#include "audit/form_impl.h"

#define COVEY_AUDIT_FORM(name) extern const covey_audit_form covey_audit_form_##name;
#include "audit/form_list.h"
#undef COVEY_AUDIT_FORM

static const covey_audit_form *const forms[] = {
#define COVEY_AUDIT_FORM(name) &covey_audit_form_##name,
#include "audit/form_list.h"
#undef COVEY_AUDIT_FORM
};

const covey_audit_form *covey_i_audit_form_of(const covey_reader_form *form)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i]->form == form)
            return forms[i];
    assert(!"a form that can be read can be verified");
    return NULL;
}
