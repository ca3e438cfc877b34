/* The published forms that queries are built for, in the order of form_list.h. */
#include <string.h>

#include "query/query_impl.h"

#define COVEY_QUERY_FORM(name) extern const covey_query_form covey_query_form_##name;
#include "query/form_list.h"
#undef COVEY_QUERY_FORM

#define COVEY_QUERY_FORM(name) &covey_query_form_##name,
static const covey_query_form *const forms[] = {
#include "query/form_list.h"
};
#undef COVEY_QUERY_FORM

enum { N_FORMS = sizeof forms / sizeof *forms };

size_t covey_i_query_form_count(void)
{
    return N_FORMS;
}

const covey_query_form *covey_i_query_form_at(size_t index)
{
    return index < N_FORMS ? forms[index] : NULL;
}

const covey_query_form *covey_i_query_form_find(const char *name)
{
    for (size_t i = 0; i < N_FORMS; i++)
        if (strcmp(forms[i]->name, name) == 0)
            return forms[i];
    return NULL;
}
