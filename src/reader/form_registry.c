/* The forms that releases are read in, in the order of form_list.h. */
#include <string.h>

#include "reader/form_impl.h"

static const covey_reader_form *const forms[] = {
#define COVEY_READER_FORM(name) &covey_reader_form_##name,
#include "reader/form_list.h"
#undef COVEY_READER_FORM
};

enum { N_FORMS = sizeof forms / sizeof *forms };

size_t covey_i_reader_form_count(void)
{
    return N_FORMS;
}

const covey_reader_form *covey_i_reader_form_at(size_t index)
{
    return forms[index];
}

const covey_reader_form *covey_i_reader_form_find(const char *name)
{
    for (size_t i = 0; i < N_FORMS; i++)
        if (strcmp(forms[i]->name, name) == 0)
            return forms[i];
    return NULL;
}
