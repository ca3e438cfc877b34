/* Which item of `targets` a group has: the first whose labels and values all fit the group. */
#include <string.h>

#include "method/distribution/entries.h"
#include "table/table_impl.h"

/* The codes low .. high - 1 of a column that a label means. */
static covey_status find_codes_of(uint32_t *low, uint32_t *high, const covey_problem *problem,
                                  const covey_column *column, const char *label, covey_error *err)
{
    const covey_hierarchy *tree = NULL;
    uint32_t node;

    for (size_t f = 0; f < problem->n_fields; f++)
        if (problem->field[f].column == column)
            tree = problem->field[f].tree;
    *low = 0;
    if (tree) {
        if ((node = covey_hierarchy_find(tree, label)) == UINT32_MAX)
            return covey_fail(err, COVEY_EINVAL, "targets: group: \"%.60s\" is not a label of \"%s\"", label,
                              column->name);
        *low = covey_hierarchy_nodes(tree)[node].first_leaf;
        *high = *low + covey_hierarchy_nodes(tree)[node].n_leaves;
        return COVEY_OK;
    }
    while (*low < column->n_values && strcmp(covey_column_label(column, *low), label) != 0)
        ++*low;
    *high = *low + 1;
    return *low < column->n_values ? COVEY_OK
                                   : covey_fail(err, COVEY_EINVAL, "targets: group: \"%.60s\" is not a value of \"%s\"",
                                                label, column->name);
}

/* Of another method's class: do all its rows lie within the values that a label means? */
static covey_status class_fits(bool *fits, const covey_distribution_making *m, uint32_t group, const char *name,
                               const covey_yaml *value, covey_error *err)
{
    const covey_problem *problem = m->d->problem;

    for (size_t a = 0; a < problem->n_axes; a++) {
        const covey_column *column = problem->axis[a].column;
        uint32_t low, high;

        if (strcmp(column->name, name) != 0)
            continue;
        COVEY_TRY(find_codes_of(&low, &high, problem, column, value->text, err));
        *fits = true;
        for (uint32_t i = m->first[group]; i < m->first[group + 1]; i++)
            *fits &= covey_i_code(column, m->row[i]) >= low && covey_i_code(column, m->row[i]) < high;
        return COVEY_OK;
    }
    return covey_fail(err, COVEY_EINVAL, "targets: group: there is no quasi-identifier \"%.60s\"", name);
}

/* Does a group's part of an attribute lie within the values that a label means, or the one value within the part? */
static covey_status key_fits(bool *fits, const covey_distribution_making *m, uint32_t group, const char *name,
                             const covey_yaml *value, covey_error *err)
{
    const covey_problem *problem = m->d->problem;
    const uint32_t row = m->row[m->first[group]];

    if (value->kind != COVEY_YAML_SCALAR)
        return covey_fail(err, COVEY_EINVAL, "targets: group: \"%.60s\" needs one label or value", name);
    if (problem->group_of_row && problem->n_group_keys == 0)
        return class_fits(fits, m, group, name, value, err);
    for (size_t i = 0; i < problem->n_group_keys; i++) {
        const covey_group_key *key = &problem->group_key[i];
        const covey_column *column = key->column;
        uint32_t low, high, part = key->part_of_code[covey_i_code(column, row)];
        bool within = true, holds = true;

        if (strcmp(column->name, name) != 0)
            continue;
        COVEY_TRY(find_codes_of(&low, &high, problem, column, value->text, err));
        for (uint32_t v = 0; v < column->n_values; v++) {
            within &= key->part_of_code[v] != part || (v >= low && v < high);
            holds &= v < low || v >= high || key->part_of_code[v] == part;
        }
        *fits = within || holds;
        return COVEY_OK;
    }
    return covey_fail(err, COVEY_EINVAL,
                      "targets: group: groups are not made by \"%.60s\": say groups: {by: [...]} first", name);
}

covey_status covey_i_distribution_find_entry(covey_distribution_entry **out, const covey_distribution_making *m,
                                             uint32_t group, covey_error *err)
{
    *out = NULL;
    for (size_t i = 0; i < m->n_entries && !*out; i++) {
        const covey_yaml *wanted = m->entry[i].group;
        bool fits = true;

        for (size_t k = 0; wanted && k < wanted->n && fits; k++)
            COVEY_TRY(key_fits(&fits, m, group, wanted->key[k]->text, wanted->item[k], err));
        if (fits)
            *out = &m->entry[i];
    }
    return COVEY_OK;
}
