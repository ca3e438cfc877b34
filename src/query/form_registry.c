/* The published forms that queries are built for, in the order of form_list.h. */
#include "base/registry.h"
#include "query/query_impl.h"

#define COVEY_QUERY_FORM(name) extern const covey_query_form covey_query_form_##name;
#include "query/form_list.h"
#undef COVEY_QUERY_FORM

#define COVEY_QUERY_FORM(name) &covey_query_form_##name,
static const covey_query_form *const forms[] = {
#include "query/form_list.h"
};
#undef COVEY_QUERY_FORM

COVEY_REGISTRY(covey_query_form, covey_i_query_form, forms)
