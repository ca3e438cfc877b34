/* Listing what is built in: the entries that the operands name, for people and programs. */
#include "listing.h"

#include <stdlib.h>
#include <string.h>

#include "print.h"

static covey_status unknown(const char *name, const cli_listing *kind, size_t n_kinds, covey_error *err)
{
    size_t n = 0, at = 0;
    const char **names, *near = NULL;

    for (size_t k = 0; k < n_kinds; k++)
        n += kind[k].count();
    names = calloc(n + 1, sizeof *names);
    for (size_t k = 0; names && k < n_kinds; k++)
        for (size_t i = 0; i < kind[k].count(); i++)
            names[at++] = kind[k].name(i);
    if (names)
        near = covey_nearest_name(name, names, n);
    free(names);
    if (near)
        return covey_fail(err, COVEY_ENOTFOUND, "there is no %s \"%s\"; did you mean \"%s\"?", kind->noun, name, near);
    return covey_fail(err, COVEY_ENOTFOUND, "there is no %s \"%s\"; `covey %s` lists them", kind->noun, name,
                      kind->key);
}

static bool is_there(const char *name, const cli_listing *kind, size_t n_kinds)
{
    for (size_t k = 0; k < n_kinds; k++)
        for (size_t i = 0; i < kind[k].count(); i++)
            if (strcmp(kind[k].name(i), name) == 0)
                return true;
    return false;
}

static bool is_asked_for(const char *name, const cli_call *call)
{
    for (size_t i = 0; i < call->n_operands; i++)
        if (strcmp(call->operand[i], name) == 0)
            return true;
    return call->n_operands == 0;
}

static json_t *json_kind(const cli_listing *kind, const cli_call *call)
{
    json_t *list = json_array();

    for (size_t i = 0; i < kind->count(); i++)
        if (is_asked_for(kind->name(i), call))
            json_array_append_new(list, kind->json(i));
    return list;
}

covey_status cli_listing_print(const cli_listing *kind, size_t n_kinds, const cli_call *call, covey_error *err)
{
    json_t *all;

    for (size_t i = 0; i < call->n_operands; i++)
        if (!is_there(call->operand[i], kind, n_kinds))
            return unknown(call->operand[i], kind, n_kinds, err);
    if (call->json) {
        all = json_object();
        for (size_t k = 0; k < n_kinds; k++)
            json_object_set_new(all, kind[k].key, json_kind(&kind[k], call));
        return cli_print_json(all, err);
    }
    for (size_t k = 0; k < n_kinds; k++)
        for (size_t i = 0; i < kind[k].count(); i++)
            if (is_asked_for(kind[k].name(i), call))
                kind[k].print(i);
    return COVEY_OK;
}
