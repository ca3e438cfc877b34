/* The forms that releases are read in, in the order of form_list.h. */
#include "base/registry.h"
#include "reader/form_impl.h"

static const covey_reader_form *const forms[] = {
#define COVEY_READER_FORM(name) &covey_reader_form_##name,
#include "reader/form_list.h"
#undef COVEY_READER_FORM
};

COVEY_REGISTRY(covey_reader_form, covey_i_reader_form, forms)
