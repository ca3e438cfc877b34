/* What every registry is: a table of pointers to const structs that have a name, made of a list that is expanded twice.
 *
 *     #define COVEY_MODEL(name) extern const covey_model covey_model_##name;
 *     #include "model/model_list.h"
 *     #undef COVEY_MODEL
 *
 *     static const covey_model *const models[] = {
 *     #define COVEY_MODEL(name) &covey_model_##name,
 *     #include "model/model_list.h"
 *     #undef COVEY_MODEL
 *     };
 *
 *     COVEY_REGISTRY(covey_model, covey_model, models)
 *
 * makes covey_model_count, covey_model_at and covey_model_find. */
#ifndef COVEY_BASE_REGISTRY_H
#define COVEY_BASE_REGISTRY_H

#include <stddef.h>
#include <string.h>

/* How many there are, and the index-th of them; NULL behind the last. */
#define COVEY_REGISTRY_LIST(type, prefix, table)                                                                       \
    size_t prefix##_count(void)                                                                                        \
    {                                                                                                                  \
        return sizeof table / sizeof *table;                                                                           \
    }                                                                                                                  \
                                                                                                                       \
    const type *prefix##_at(size_t index)                                                                              \
    {                                                                                                                  \
        return index < prefix##_count() ? table[index] : NULL;                                                         \
    }

/* The one of that name, or NULL. */
#define COVEY_REGISTRY_FIND(type, prefix, table)                                                                       \
    const type *prefix##_find(const char *name)                                                                        \
    {                                                                                                                  \
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)                                                      \
            if (strcmp(table[i]->name, name) == 0)                                                                     \
                return table[i];                                                                                       \
        return NULL;                                                                                                   \
    }

/* Accessors of an entry: covey_model_name(model) and the like. */
#define COVEY_REGISTRY_TEXT(type, field)                                                                               \
    const char *type##_##field(const type *entry)                                                                      \
    {                                                                                                                  \
        return entry->field;                                                                                           \
    }

#define COVEY_REGISTRY_BOOL(type, field)                                                                               \
    bool type##_##field(const type *entry)                                                                             \
    {                                                                                                                  \
        return entry->field;                                                                                           \
    }

#define COVEY_REGISTRY_PARAMS(type)                                                                                    \
    const covey_param *type##_params(const type *entry, size_t *n)                                                     \
    {                                                                                                                  \
        *n = entry->n_params;                                                                                          \
        return entry->params;                                                                                          \
    }

#define COVEY_REGISTRY(type, prefix, table)                                                                            \
    COVEY_REGISTRY_LIST(type, prefix, table)                                                                           \
    COVEY_REGISTRY_FIND(type, prefix, table)

#endif
