/* Which attributes stand together in a column, as the policy says it. */
#include "method/slicing/slicing.h"

#include <string.h>

#include "base/error.h"
#include "base/yaml_tree.h"
#include "table/table_impl.h"

static covey_status find_field(size_t *out, const covey_slicing *s, const covey_yaml *name, covey_error *err)
{
    const char **names, *near;

    if (name->kind != COVEY_YAML_SCALAR)
        return covey_fail(
            err, COVEY_EINVAL,
            "method slicing: columns must be a list of lists of names such as [[age, sex], [zip, disease]]");
    for (size_t f = 0; f < s->problem->n_fields; f++)
        if (strcmp(s->problem->field[f].column->name, name->text) == 0) {
            *out = f;
            return COVEY_OK;
        }
    if (!(names = covey_arena_array(s->arena, const char *, s->problem->n_fields)))
        return covey_i_no_memory(err);
    for (size_t f = 0; f < s->problem->n_fields; f++)
        names[f] = s->problem->field[f].column->name;
    near = covey_nearest_name(name->text, names, s->problem->n_fields);
    return covey_fail(err, COVEY_EINVAL, "method slicing: columns: there is no published attribute \"%s\"%s%s%s",
                      name->text, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static covey_status read_column(covey_slice *out, const covey_slicing *s, const covey_yaml *list, covey_error *err)
{
    size_t *field;

    if (list->kind != COVEY_YAML_LIST || list->n == 0)
        return covey_fail(
            err, COVEY_EINVAL,
            "method slicing: columns must be a list of lists of names such as [[age, sex], [zip, disease]]");
    if (!(field = covey_arena_array(s->arena, size_t, list->n)))
        return covey_i_no_memory(err);
    for (size_t i = 0; i < list->n; i++) {
        COVEY_TRY(find_field(&field[i], s, list->item[i], err));
        for (size_t j = 0; j < i; j++)
            if (field[j] == field[i])
                return covey_fail(err, COVEY_EINVAL, "method slicing: columns: \"%s\" stands twice in one column",
                                  list->item[i]->text);
    }
    *out = (covey_slice){list->n, field};
    return COVEY_OK;
}

/* A sensitive attribute goes to the end of its columns; returns the last of these. */
static size_t put_last(covey_slicing *s, size_t sensitive)
{
    size_t at = SIZE_MAX;

    for (size_t i = 0; i < s->n_slices; i++)
        for (size_t f = 0; f < s->slice[i].n_fields; f++)
            if (s->slice[i].field[f] == sensitive) {
                size_t *field = (size_t *)s->slice[i].field;

                at = i;
                s->n_holding += sensitive == s->sensitive;
                memmove(field + f, field + f + 1, (s->slice[i].n_fields - f - 1) * sizeof *field);
                field[s->slice[i].n_fields - 1] = sensitive;
                break;
            }
    return at;
}

/* The sensitive attributes go to the ends of their columns, and the column of the last of them to the end. */
static void put_sensitive_last(covey_slicing *s)
{
    size_t at;

    for (size_t i = 0; i < s->n_others; i++)
        put_last(s, s->other[i].sensitive);
    at = put_last(s, s->sensitive);
    if (at != SIZE_MAX) {
        const covey_slice last = s->slice[at];
        const size_t number = s->given_number[at];

        memmove(s->slice + at, s->slice + at + 1, (s->n_slices - at - 1) * sizeof *s->slice);
        memmove(s->given_number + at, s->given_number + at + 1, (s->n_slices - at - 1) * sizeof *s->given_number);
        s->slice[s->n_slices - 1] = last;
        s->given_number[s->n_slices - 1] = number;
    }
}

/* Pieces of several columns that join where a sensitive attribute agrees are judged for a single one only. */
static covey_status check_several(const covey_slicing *s, covey_error *err)
{
    for (size_t f = 0; f < s->problem->n_fields && s->n_others > 0; f++) {
        size_t n = 0;

        for (size_t i = 0; i < s->n_slices; i++)
            n += s->problem->field[f].role == COVEY_ROLE_SENSITIVE && covey_i_slicing_has(&s->slice[i], f);
        if (n > 1)
            return covey_fail(err, COVEY_EINVAL,
                              "method slicing: columns: of several sensitive attributes each may stand in one column, "
                              "but \"%s\" stands in %zu",
                              s->problem->field[f].column->name, n);
    }
    return COVEY_OK;
}

covey_status covey_i_slicing_given_columns(covey_slicing *s, covey_error *err)
{
    const covey_yaml *root;

    COVEY_TRY(covey_i_yaml_parse(&root, s->params->columns, strlen(s->params->columns), NULL, s->arena, err));
    if (!root || root->kind != COVEY_YAML_LIST || root->n == 0)
        return covey_fail(
            err, COVEY_EINVAL,
            "method slicing: columns must be found, or a list of lists of names such as [[age, sex], [zip, disease]]");
    s->n_slices = root->n;
    s->slice = covey_arena_array(s->arena, covey_slice, s->n_slices);
    s->given_number = covey_arena_array(s->arena, size_t, s->n_slices);
    if (!s->slice || !s->given_number)
        return covey_i_no_memory(err);
    for (size_t i = 0; i < root->n; i++) {
        s->given_number[i] = i + 1;
        COVEY_TRY(read_column(&s->slice[i], s, root->item[i], err));
    }
    for (size_t f = 0; f < s->problem->n_fields; f++) {
        bool stands = false;

        for (size_t i = 0; i < s->n_slices; i++)
            for (size_t j = 0; j < s->slice[i].n_fields; j++)
                stands = stands || s->slice[i].field[j] == f;
        if (!stands)
            return covey_fail(
                err, COVEY_EINVAL,
                "method slicing: columns: the attribute \"%s\" stands in no column; name it in one, or drop it",
                s->problem->field[f].column->name);
    }
    COVEY_TRY(check_several(s, err));
    COVEY_TRY(covey_i_slicing_check_schema(s, err)); /* while columns have the policy's numbers */
    put_sensitive_last(s);
    return COVEY_OK;
}
