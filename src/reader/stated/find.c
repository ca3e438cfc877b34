/* What a manifest states of a column, of an attribute and of a file, by their names. */
#include <string.h>

#include "reader/stated/stated.h"

int covey_i_stated_column(const covey_stated *stated, const char *name)
{
    for (size_t i = 0; i < stated->n_columns; i++)
        if (strcmp(stated->column[i].name, name) == 0)
            return (int)i;
    return -1;
}

int covey_i_stated_prior(const covey_stated *stated, const char *attribute)
{
    for (size_t i = 0; i < stated->n_priors; i++)
        if (strcmp(stated->prior[i].attribute, attribute) == 0)
            return (int)i;
    return -1;
}

int covey_i_stated_file(const covey_stated *stated, const char *name)
{
    for (size_t i = 0; i < stated->n_files; i++)
        if (strcmp(stated->file[i].name, name) == 0)
            return (int)i;
    return -1;
}

void covey_i_stated_take_read_types(covey_stated *stated)
{
    for (size_t i = 0; i < stated->n_columns; i++)
        stated->column[i].type = stated->column[i].read_as;
}

bool covey_i_stated_lists(const covey_stated *stated, const char *name)
{
    for (size_t i = 0; i < stated->n_files; i++) {
        const covey_stated_file *file = &stated->file[i];

        if (file->n_parts == 0 && strcmp(file->name, name) == 0)
            return true;
        for (size_t p = 0; p < file->n_parts; p++)
            if (strcmp(file->part[p].name, name) == 0)
                return true;
    }
    return false;
}
