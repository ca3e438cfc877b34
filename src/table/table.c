/* Tables: a list of columns of the same length. */
#include <covey/table.h>

#include "base/error.h"
#include "table/table_impl.h"

#include <string.h>

#include "base/alloc.h"

static const char *const type_names[] = {
    [COVEY_TYPE_GUESS] = "guess",     [COVEY_TYPE_TEXT] = "text", [COVEY_TYPE_INTEGER] = "integer",
    [COVEY_TYPE_DECIMAL] = "decimal", [COVEY_TYPE_DATE] = "date",
};

static const char *const role_names[] = {
    [COVEY_ROLE_UNSET] = "unset",
    [COVEY_ROLE_IDENTIFIER] = "identifier",
    [COVEY_ROLE_QUASI] = "quasi-identifier",
    [COVEY_ROLE_SENSITIVE] = "sensitive",
    [COVEY_ROLE_INSENSITIVE] = "insensitive",
    [COVEY_ROLE_ENTITY] = "entity",
    [COVEY_ROLE_WEIGHT] = "weight",
};

const char *covey_type_name(covey_type type)
{
    return (size_t)type < sizeof type_names / sizeof *type_names ? type_names[type] : "unknown";
}

const char *covey_role_name(covey_role role)
{
    return (size_t)role < sizeof role_names / sizeof *role_names ? role_names[role] : "unknown";
}

bool covey_role_is_dropped(covey_role role)
{
    return role == COVEY_ROLE_IDENTIFIER || role == COVEY_ROLE_ENTITY || role == COVEY_ROLE_WEIGHT;
}

covey_status covey_i_table_check_width(const char *source, size_t n_columns, bool is_chosen, covey_error *err)
{
    if (n_columns <= COVEY_TABLE_MOST_COLUMNS + (size_t)!is_chosen)
        return COVEY_OK;
    return covey_fail_at(
        err, COVEY_EINVAL, source, 0, NULL, 0,
        "has %zu columns to use; the most is %d: name those that are needed and drop the others (others: drop)",
        n_columns, COVEY_TABLE_MOST_COLUMNS);
}

covey_status covey_i_table_new(covey_table **out, int64_t n_rows, size_t n_columns, covey_error *err)
{
    covey_table *table = covey_i_array_zero(1, sizeof *table);

    if (!table || !(table->columns = covey_i_array_zero(n_columns, sizeof *table->columns))) {
        covey_i_free(table);
        return covey_i_no_memory(err);
    }
    table->n_rows = n_rows;
    table->n_columns = n_columns;
    *out = table;
    return COVEY_OK;
}

void covey_table_free(covey_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->n_columns; i++)
        covey_i_column_free(table->columns[i]);
    covey_i_free(table->columns);
    covey_i_free(table->codebook);
    covey_i_free(table);
}

int64_t covey_table_n_rows(const covey_table *table)
{
    return table->n_rows;
}

size_t covey_table_n_columns(const covey_table *table)
{
    return table->n_columns;
}

const covey_column *covey_table_column(const covey_table *table, size_t index)
{
    return index < table->n_columns ? table->columns[index] : NULL;
}

int covey_table_find(const covey_table *table, const char *name)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (strcmp(table->columns[i]->name, name) == 0)
            return (int)i;
    return -1;
}
